//! The queues of the tree and their accounting (AbstractCSQueue, AbstractLeafQueue, QueueCapacities, ResourceUsage).

use super::crowds::PendingGroups;
use super::shares::{Entitlement, Shares};
use super::users::{LimitBase, Users};
use crate::api::ApplicationsBasis;
use crate::config::capacity::QueueConf;
use crate::journal::Rank;
use crate::model::{AppId, Calculator, Millis, PartitionId, QueueId, Resource, UserId};
use crate::scheduler::Cluster;
use std::collections::BTreeMap;

/// The state of a queue (3.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueueState {
    /// Takes applications.
    Running,
    /// Takes none; stops when its last application is over.
    Draining,
    /// Takes none.
    Stopped,
}

impl QueueState {
    /// Returns YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            QueueState::Running => "RUNNING",
            QueueState::Draining => "DRAINING",
            QueueState::Stopped => "STOPPED",
        }
    }
}

/// A queue's figures in one partition. Capacities are fractions. The fields that each offer reads come first, at the
/// start of a cache line: an amount fills one.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[repr(C, align(64))]
pub struct QueuePart {
    /// The usage of containers and reservations below.
    pub used: Resource,
    /// The pending resources below.
    pub pending: Resource,
    pub shares: Shares,
    /// The usage relative to the guarantee, by which siblings are ordered (3.4).
    pub used_capacity: f32,
    /// The usage relative to the whole partition.
    pub absolute_used_capacity: f32,
    /// The share of the guarantee that AMs may use.
    pub am_percent: f32,
    /// Whether the queue may use the partition.
    pub access: bool,
    /// Whether anything in the partition was ever used or requested here. YARN keeps figures of that partition, and of
    /// those that the settings name.
    pub touched: bool,
    /// Whether the AM limit was ever computed. (In a partition that the leaf may not use: when an application first
    /// needs it.)
    pub am_limit_known: bool,
    /// The share that v1 auto-creation has given to a leaf.
    pub entitlement: Option<Entitlement>,
    /// The part of `used` that is only reserved.
    pub reserved: Resource,
    /// The AM usage (leaf).
    pub am_used: Resource,
    /// The AM limit as last computed (leaf).
    pub am_limit: Resource,
    /// The guarantee configured as an amount, otherwise zero.
    pub configured_min: Resource,
    /// The guarantee of the template, for a v1 auto-created leaf without a share at present.
    pub template_min: Resource,
}

/// The figures in a partition that the cluster does not have.
static NOWHERE: QueuePart = QueuePart {
    access: false,
    touched: false,
    shares: Shares::NONE,
    template_min: Resource::ZERO,
    entitlement: None,
    configured_min: Resource::ZERO,
    used: Resource::ZERO,
    pending: Resource::ZERO,
    reserved: Resource::ZERO,
    am_used: Resource::ZERO,
    am_limit: Resource::ZERO,
    am_limit_known: false,
    am_percent: 0.0,
    used_capacity: 0.0,
    absolute_used_capacity: 0.0,
};

impl QueuePart {
    /// Computes the usage ratios again (3.4).
    #[inline]
    pub(super) fn update_ratios(&mut self, calc: Calculator, total: &Resource, minimum: &Resource) {
        if total.is_zero() {
            (self.used_capacity, self.absolute_used_capacity) = (0.0, 0.0);
            return;
        }
        let guarantee = calc.max(total, self.usage_base(), minimum);
        self.used_capacity = calc.divide(total, &self.used, guarantee);
        self.absolute_used_capacity = calc.divide(total, &self.used, total);
    }

    /// Returns the guarantee that usage is relative to in the order of siblings (3.4).
    #[inline]
    pub fn usage_base(&self) -> &Resource {
        if self.shares.absolute_capacity == 0.0 && !self.template_min.is_zero() {
            &self.template_min
        } else {
            &self.shares.effective_min
        }
    }
}

/// The state that only a leaf has.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Leaf {
    /// The submitted applications that are not active, in the order in which activation tries them.
    pub pending: Vec<AppId>,
    /// The pending applications in groups.
    pub(super) crowds: PendingGroups,
    /// The active applications, in the order in which assignment tries them.
    pub active: Vec<AppId>,
    /// The active applications that a visit goes through.
    pub(super) listed: super::books::short_cuts::Listed,
    /// The applications held back by a limit of parallel applications, in the order of arrival.
    pub not_runnable: Vec<AppId>,
    pub users: Users,
    /// The limit given by the parent, as last recorded (8.1(1)).
    pub noted_limit: Resource,
    /// The limit given by the parent, as last published: the base of the AM limit and of headroom.
    pub current_limit: Resource,
    /// The maximum number of applications, with its source.
    pub max_applications: ApplicationsBasis,
    /// The maximum number of applications of one user.
    pub max_applications_per_user: i64,
    /// The applications whose place in the fair order has to be computed again (11.5).
    pub marked: Vec<AppId>,
    /// The attempts that ended and stayed in the leaf's lists, of applications that have had another attempt here
    /// since, in the order in which activation tries them. They get nothing, and never leave.
    pub(super) forgotten: Vec<Forgotten>,
}

/// An attempt that is over and stays in its leaf's lists for ever (11.4). YARN's lists hold attempts, ours
/// applications.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Forgotten {
    pub rank: Rank,
    pub user: UserId,
    pub am_size: Resource,
    pub am_partition: PartitionId,
    /// Whether it is among the active ones; otherwise it is among the pending ones.
    pub active: bool,
}

impl Leaf {
    /// Returns the number of applications that count towards the queue's maximum.
    pub fn applications(&self) -> usize {
        self.pending_attempts() + self.active_attempts() + self.not_runnable.len()
    }

    /// Returns the number of attempts that wait for their activation, including forgotten ones.
    pub fn pending_attempts(&self) -> usize {
        self.pending.len() + self.forgotten.iter().filter(|f| !f.active).count()
    }

    /// Returns the number of active attempts, including forgotten ones.
    pub fn active_attempts(&self) -> usize {
        self.active.len() + self.forgotten.iter().filter(|f| f.active).count()
    }

    /// Returns whether the next visit makes an application active, before any limit is checked
    /// ([`super::books::Accounting::read_marked`]).
    pub(super) fn lets_in_unseen(&self, c: &Cluster) -> bool {
        self.marked.iter().any(|app| !c.app(*app).active)
    }
}

impl Queue {
    /// Returns whether YARN keeps figures of the queue for a partition that its settings do not name: something there
    /// was used or requested, or a leaf may use it by name, and has an AM limit there
    /// (QueueCapacities.getExistingNodeLabels, AbstractLeafQueue.getNodeLabelsForQueue).
    pub(super) fn has_figures(&self, p: PartitionId) -> bool {
        let part = self.part(p);
        part.touched || self.is_leaf() && part.access && !self.conf.access.any
    }
}

#[inline]
fn part_of(parts: &[QueuePart], p: PartitionId) -> &QueuePart {
    parts.get(p.index()).unwrap_or(&NOWHERE)
}

#[inline]
fn limit_base<'a>(c: &'a Cluster, conf: &QueueConf, part: &'a QueuePart, p: PartitionId) -> LimitBase<'a> {
    LimitBase {
        calc: c.calculator,
        minimum: &c.minimum,
        total: c.partition_total(p),
        guarantee: &part.shares.effective_min,
        maximum: &part.shares.effective_max,
        limit_percent: conf.user_limit_percent,
        limit_factor: conf.user_limit_factor,
    }
}

/// Returns the weight of a user in a leaf with these settings.
pub(super) fn user_weight(leaf: &QueueConf, c: &Cluster, user: UserId) -> f32 {
    let weights = &leaf.user_weights;
    if weights.is_empty() { 1.0 } else { weights.get(c.user_name(user)).copied().unwrap_or(1.0) }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    pub id: QueueId,
    /// The full path, `root.a.a1`.
    pub path: String,
    /// The leaves below it that no longer exist, since a refresh made them parents while applications ran there; their
    /// usage still counts here.
    pub replaced: Vec<QueueId>,
    pub conf: QueueConf,
    /// The parent; `None` for root.
    pub parent: Option<QueueId>,
    /// The children in list order.
    pub children: Vec<QueueId>,
    /// Whether it is part of the tree. A queue that was removed keeps its number.
    pub alive: bool,
    pub state: QueueState,
    /// The figures by partition.
    pub parts: Vec<QueuePart>,
    /// The figures for partitions that the cluster does not have: AMs may wait for one
    /// ([`Cluster::partition_or_unknown`]).
    pub(super) nowhere: BTreeMap<PartitionId, QueuePart>,
    /// The number of applications in it and below, submitted and not over.
    pub applications: i64,
    /// The number of attempts that count towards max-parallel-apps.
    pub running_apps: i64,
    /// Present for a leaf.
    pub leaf: Option<Box<Leaf>>,
    /// Whether the children's capacities count as weights (capacity-scheduler.md 2.3(2)).
    pub(super) children_use_weights: bool,
    /// The policy of a parent that creates leaves in the older form, by partition.
    pub(super) managed: Vec<super::managed::ManagedPart>,
    /// The time of the latest submission to it or below.
    pub(super) last_submitted: Millis,
    /// Whether it is marked to be removed by the next round of the deletion policy.
    pub(super) marked_idle: bool,
    /// The place in the parent's list, as of the parent's latest sorting.
    pub(super) place: u32,
    /// The record of the offers that skipped resting children.
    pub(super) passed: super::books::short_cuts::OffersPastResting,
    /// The order of the children by partition.
    pub(super) orders: Vec<super::books::short_cuts::ChildrenOrder>,
}

impl Queue {
    /// Returns its name in its parent's list.
    pub fn name(&self) -> &str {
        self.conf.name()
    }

    /// Returns its figures in a partition.
    #[inline]
    pub fn part(&self, p: PartitionId) -> &QueuePart {
        self.nowhere.get(&p).unwrap_or_else(|| part_of(&self.parts, p))
    }

    /// Returns the inputs of the users' limits in a partition, and the leaf to compute them.
    #[inline]
    pub(super) fn users_limits<'a>(
        &'a mut self,
        c: &'a Cluster,
        p: PartitionId,
    ) -> Option<(LimitBase<'a>, &'a mut Leaf)> {
        let part = part_of(&self.parts, p);
        Some((limit_base(c, &self.conf, part, p), self.leaf.as_deref_mut()?))
    }

    /// Returns the inputs of the users' limits in a leaf.
    pub(super) fn limit_base<'a>(&'a self, c: &'a Cluster, p: PartitionId) -> LimitBase<'a> {
        limit_base(c, &self.conf, self.part(p), p)
    }

    /// Returns the state of a queue that must be a leaf: only leaves have applications.
    #[inline]
    pub(super) fn known_leaf(&self) -> Option<&Leaf> {
        debug_assert!(self.is_leaf(), "{} is a leaf", self.path);
        self.leaf.as_deref()
    }

    /// Like [`Self::known_leaf`], but mutable.
    #[inline]
    pub(super) fn known_leaf_mut(&mut self) -> Option<&mut Leaf> {
        debug_assert!(self.is_leaf(), "{} is a leaf", self.path);
        self.leaf.as_deref_mut()
    }

    /// Returns the weight of a user in this leaf.
    pub(super) fn user_weight(&self, c: &Cluster, user: UserId) -> f32 {
        user_weight(&self.conf, c, user)
    }

    /// Like [`Self::part`], but mutable.
    #[inline]
    pub(super) fn part_mut(&mut self, p: PartitionId) -> &mut QueuePart {
        match self.parts.get_mut(p.index()) {
            Some(part) => part,
            None => self.nowhere.entry(p).or_default(),
        }
    }

    /// Returns the number of applications that keep it from stopping.
    pub fn applications_left(&self) -> i64 {
        self.leaf.as_ref().map_or(self.applications, |l| l.applications() as i64)
    }

    /// Returns whether it holds applications.
    #[inline]
    pub fn is_leaf(&self) -> bool {
        self.leaf.is_some()
    }

    /// Returns whether it is a leaf that offers skip (`books/short_cuts/resting`).
    #[inline]
    pub(super) fn rests(&self) -> bool {
        self.leaf.as_ref().is_some_and(|l| l.listed.rests())
    }
}
