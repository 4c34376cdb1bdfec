//! The queue tree's nodes and their books (AbstractCSQueue, AbstractLeafQueue, QueueCapacities, ResourceUsage).

use super::crowds::Crowds;
use super::shares::{Entitlement, Shares};
use super::users::{LimitBase, Users};
use crate::api::ApplicationsBasis;
use crate::config::capacity::QueueConf;
use crate::journal::Rank;
use crate::model::{AppId, Calculator, Millis, PartitionId, QueueId, Resource, UserId};
use crate::scheduler::Cluster;
use std::collections::BTreeMap;

/// State of a queue (3.6).
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
    /// YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            QueueState::Running => "RUNNING",
            QueueState::Draining => "DRAINING",
            QueueState::Stopped => "STOPPED",
        }
    }
}

/// A queue's figures in one partition. Capacities are fractions. What each offer reads comes first, and begins a line of a
/// processor's cache: an amount fills one.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[repr(C, align(64))]
pub struct QueuePart {
    /// Used by containers and reservations below.
    pub used: Resource,
    /// Wanted below.
    pub pending: Resource,
    pub shares: Shares,
    /// Used by guarantee, as the order of siblings goes by it (3.4).
    pub used_capacity: f32,
    /// Used by the whole partition.
    pub absolute_used_capacity: f32,
    /// Share of the guarantee that AMs may take.
    pub am_percent: f32,
    /// Whether the queue may use the partition.
    pub access: bool,
    /// Was anything of the partition ever used or wanted here? YARN keeps figures of such partitions, and of those that
    /// the settings name.
    pub touched: bool,
    /// Was the limit for AMs ever computed? (In a partition that the leaf may not use: when an application first needs it.)
    pub am_limit_known: bool,
    /// Share that v1 auto-creation has given to a leaf.
    pub entitlement: Option<Entitlement>,
    /// Of `used`, what is only reserved.
    pub reserved: Resource,
    /// Charged as AMs (leaf).
    pub am_used: Resource,
    /// Limit for AMs as last computed (leaf).
    pub am_limit: Resource,
    /// Guarantee configured as an amount, else zero.
    pub configured_min: Resource,
    /// Of a v1 auto-created leaf without a share at present: the guarantee of its template.
    pub template_min: Resource,
}

/// In a partition that the cluster does not have.
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
    /// Takes the usage ratios anew (3.4).
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

    /// What usage is measured by for the order among siblings (3.4).
    #[inline]
    pub fn usage_base(&self) -> &Resource {
        if self.shares.absolute_capacity == 0.0 && !self.template_min.is_zero() {
            &self.template_min
        } else {
            &self.shares.effective_min
        }
    }
}

/// What only a leaf has.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Leaf {
    /// Submitted, not active: in the order in which activation tries them.
    pub pending: Vec<AppId>,
    /// The same in crowds.
    pub(super) crowds: Crowds,
    /// Active: in the order in which assignment tries them.
    pub active: Vec<AppId>,
    /// Which of the active ones a visit goes through.
    pub(super) listed: super::books::short_cuts::Listed,
    /// Held back by a limit of parallel applications, in the order of arrival.
    pub not_runnable: Vec<AppId>,
    pub users: Users,
    /// Limit given by the parent, as last noted (8.1(1)).
    pub noted_limit: Resource,
    /// The same, as last published: the base of the AM limit and of headroom.
    pub current_limit: Resource,
    /// Applications at most, and how that comes about.
    pub max_applications: ApplicationsBasis,
    /// Applications of one user at most.
    pub max_applications_per_user: i64,
    /// Applications whose place in the fair order has to be read anew (11.5).
    pub marked: Vec<AppId>,
    /// Attempts that ended and stayed behind in the leaf's lists, of applications that have had another attempt here
    /// since, in the order in which activation tries them. They get nothing, and never leave.
    pub(super) forgotten: Vec<Forgotten>,
}

/// An attempt that is over and stands in its leaf's lists for ever (11.4). YARN's lists hold attempts, ours applications.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Forgotten {
    pub rank: Rank,
    pub user: UserId,
    pub am_size: Resource,
    pub am_partition: PartitionId,
    /// Among the active ones, else among the pending ones.
    pub active: bool,
}

impl Leaf {
    /// Applications that count towards the queue's maximum.
    pub fn applications(&self) -> usize {
        self.pending_attempts() + self.active_attempts() + self.not_runnable.len()
    }

    /// Attempts that wait for their activation, forgotten ones among them.
    pub fn pending_attempts(&self) -> usize {
        self.pending.len() + self.forgotten.iter().filter(|f| !f.active).count()
    }

    /// Attempts that are active, forgotten ones among them.
    pub fn active_attempts(&self) -> usize {
        self.active.len() + self.forgotten.iter().filter(|f| f.active).count()
    }

    /// Returns whether the next visit makes an application active, before any limit is checked
    /// ([`super::books::Books::read_marked`]).
    pub(super) fn lets_in_unseen(&self, c: &Cluster) -> bool {
        self.marked.iter().any(|app| !c.app(*app).active)
    }
}

impl Queue {
    /// Returns whether YARN keeps figures of the queue for a partition that its settings say nothing of: something there
    /// was used or wanted, or a leaf may use it by name, and has a limit for ApplicationMasters there
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

/// Weight of a user in a leaf of these settings.
pub(super) fn user_weight(leaf: &QueueConf, c: &Cluster, user: UserId) -> f32 {
    let weights = &leaf.user_weights;
    if weights.is_empty() { 1.0 } else { weights.get(c.user_name(user)).copied().unwrap_or(1.0) }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Queue {
    pub id: QueueId,
    /// Full path, `root.a.a1`.
    pub path: String,
    /// Leaves below it that are no more, since a refresh made them parents while applications ran there: what these use counts
    /// here all the same.
    pub replaced: Vec<QueueId>,
    pub conf: QueueConf,
    /// Its parent; `None` for root.
    pub parent: Option<QueueId>,
    /// Its children in list order.
    pub children: Vec<QueueId>,
    /// Is it part of the tree? A queue that was taken away keeps its number.
    pub alive: bool,
    pub state: QueueState,
    /// Figures by partition.
    pub parts: Vec<QueuePart>,
    /// Figures for partitions that the cluster does not have: AMs may wait for one
    /// ([`Cluster::partition_or_unknown`]).
    pub(super) nowhere: BTreeMap<PartitionId, QueuePart>,
    /// Applications at it and below, submitted and not over.
    pub applications: i64,
    /// Attempts that count towards max-parallel-apps.
    pub running_apps: i64,
    /// Present for a leaf.
    pub leaf: Option<Box<Leaf>>,
    /// Whether the children's capacities count as weights (capacity-scheduler.md 2.3(2)).
    pub(super) children_use_weights: bool,
    /// Of a parent that makes leaves in the older form: its policy, by partition.
    pub(super) managed: Vec<super::managed::ManagedPart>,
    /// When an application was last submitted here or below.
    pub(super) last_submitted: Millis,
    /// Marked to be removed by the next round of the deletion policy.
    pub(super) marked_idle: bool,
    /// Place in the parent's list, as of the parent's last sorting.
    pub(super) place: u32,
    /// Attempts that passed over children that rest.
    pub(super) passed: super::books::short_cuts::Passed,
    /// Order of the children by partition.
    pub(super) orders: Vec<super::books::short_cuts::ChildrenOrder>,
}

impl Queue {
    /// As its parent lists it.
    pub fn name(&self) -> &str {
        self.conf.name()
    }

    /// Its figures in a partition.
    #[inline]
    pub fn part(&self, p: PartitionId) -> &QueuePart {
        self.nowhere.get(&p).unwrap_or_else(|| part_of(&self.parts, p))
    }

    /// What the users' limits depend on in a partition; and the leaf, to work them out.
    #[inline]
    pub(super) fn users_limits<'a>(
        &'a mut self,
        c: &'a Cluster,
        p: PartitionId,
    ) -> Option<(LimitBase<'a>, &'a mut Leaf)> {
        let part = part_of(&self.parts, p);
        Some((limit_base(c, &self.conf, part, p), self.leaf.as_deref_mut()?))
    }

    /// What the users' limits in a leaf depend on.
    pub(super) fn limit_base<'a>(&'a self, c: &'a Cluster, p: PartitionId) -> LimitBase<'a> {
        limit_base(c, &self.conf, self.part(p), p)
    }

    /// What only a leaf has, of a queue that is one: only leaves have applications.
    #[inline]
    pub(super) fn known_leaf(&self) -> Option<&Leaf> {
        debug_assert!(self.is_leaf(), "{} is a leaf", self.path);
        self.leaf.as_deref()
    }

    /// [`Self::known_leaf`], to be changed.
    #[inline]
    pub(super) fn known_leaf_mut(&mut self) -> Option<&mut Leaf> {
        debug_assert!(self.is_leaf(), "{} is a leaf", self.path);
        self.leaf.as_deref_mut()
    }

    /// Weight of a user in this leaf.
    pub(super) fn user_weight(&self, c: &Cluster, user: UserId) -> f32 {
        user_weight(&self.conf, c, user)
    }

    /// Its figures in a partition, to be changed.
    #[inline]
    pub(super) fn part_mut(&mut self, p: PartitionId) -> &mut QueuePart {
        match self.parts.get_mut(p.index()) {
            Some(part) => part,
            None => self.nowhere.entry(p).or_default(),
        }
    }

    /// Applications that keep it from stopping.
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
