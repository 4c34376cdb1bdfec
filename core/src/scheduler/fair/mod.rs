//! The FairScheduler (fair-scheduler.md; FairScheduler and its classes of Hadoop 3.5.0). The order of its files follows
//! the order of the reference:
//!
//! | file | section of the reference |
//! |---|---|
//! | `placement` | 5, 6 |
//! | `queue`, `tree` | 4.4, 7 |
//! | `running` | 8 |
//! | `update`, `shares` | 9 |
//! | `keys`, `order` | 10 |
//! | `offer` | 11, 17 |
//! | `try_app`, `locality` | 13 |
//! | `reserve` | 14 |
//! | `masters` | 15, 20 |
//! | `short_cuts` | 11, 15 |
//! | `attempts` | 16, 18, 19 |
//! | `starving`, `preempt`, `claims` | preemption.md B2, B3, B4 |

mod attempts;
mod claims;
mod keys;
mod locality;
mod masters;
mod next_limit;
mod offer;
mod order;
mod placement;
mod preempt;
mod present;
mod queue;
mod reserve;
mod running;
pub mod shares;
mod short_cuts;
mod starving;
mod tree;
mod try_app;
mod update;

pub(crate) use attempts::MoveRefusal;
pub use attempts::headroom;
pub use keys::{Compared, Key, KeyPart, Sortable, compare_drf, compare_fair, ratios};
pub use locality::{Level, next_level};
pub use masters::{am_limit, status_text};
pub use placement::{Applicant, NoQueueReason, RuleLook, clean, is_legal, rooted};
pub use queue::FairQueue;
pub use starving::Starving;
pub use tree::is_path;
pub use update::Divided;

use self::preempt::Unheard;
use self::starving::Starved;
use self::update::Divisions;
use super::CHILDREN_SUMMED;
use super::Cluster;
use super::life::DEFAULT;
use crate::api::{Refusal, RmSettings};
use crate::config::capacity::Acl;
use crate::config::fair::{Allocations, FILE, FairConf, Rule, default_rules, read};
use crate::model::{AppId, Calculator, CalculatorKind, ContainerId, Millis, NodeId, QueueId, Resource, SortedMap};
use crate::preemption::fair::Claims;
use indexmap::IndexMap;
use std::collections::VecDeque;

pub(crate) const ROOT: QueueId = QueueId(0);

/// The scheduler's state of an application's current attempt, beside [`super::App`].
#[derive(Clone, Debug, PartialEq, Default)]
pub struct FairApp {
    /// The usage and the pending requests, as of the last update.
    pub demand: Resource,
    /// The fair share, as of the last update.
    pub fair_share: Resource,
    /// The weight, as of the last update.
    pub weight: f32,
    /// The start of the attempt.
    pub started_at: Millis,
    /// The amount that its leaf is charged for its AM, once that runs.
    pub am: Option<Resource>,
    /// The allowed locality of each key, by its place; absent before the first try.
    levels: Vec<Option<Level>>,
    /// The nodes that it has reservations on.
    reserved: Vec<NodeId>,
    /// Whether its blacklist has changed since its latest headroom.
    blacklist_changed: bool,
    /// The nodes that it blacklisted then.
    blacklisted: Vec<NodeId>,
    pub starving: Starving,
    /// Its number among all arrivals of applications at leaves.
    number: u64,
    /// Whether the record has it in one row with others that the AM limit stops.
    told_in_common: bool,
    /// Its sort key in its leaf, if the order is known.
    key: Key,
    /// Its place in its leaf by start, if the order is known.
    turn: u32,
}

/// The scheduler's state beside the [`Cluster`].
#[derive(Clone, Debug, PartialEq)]
pub struct FairScheduler {
    conf: FairConf,
    /// The allocation file as last loaded.
    file: Allocations,
    /// Whether there is a file.
    has_file: bool,
    rules: Vec<Rule>,
    queues: Vec<FairQueue>,
    /// The living queues, in the order in which they were created.
    paths: IndexMap<String, QueueId>,
    /// The submit and administer ACLs of queues.
    acls: SortedMap<String, (Acl, Acl)>,
    /// Changes of type that wait for a queue to become empty: path, and whether it becomes a leaf.
    postponed: Vec<(String, bool)>,
    apps: Vec<FairApp>,
    /// The number of arrivals of applications at leaves.
    numbers: u64,
    running_by_user: Vec<i64>,
    waiting_by_user: Vec<Vec<AppId>>,
    /// The number of nodes of each rack, by place; empty if not known.
    rack_nodes: Vec<usize>,
    /// The unallocated resources as of the last offer, update, end of a container, or change of the nodes.
    available: Resource,
    starved: Starved,
    /// The latest divisions of fair shares.
    divisions: Divisions,
    /// The promises of each node to starved applications.
    claims: Vec<Claims>,
    /// The containers to be killed, with the time.
    kills: VecDeque<(Millis, Vec<ContainerId>)>,
    /// Of those, the ones that have ended before their AMs heard of them.
    unheard: Vec<Unheard>,
}

impl FairScheduler {
    /// Starts a FairScheduler with empty accounting. Errors: the settings or the allocation file are refused.
    pub fn start(settings: &RmSettings) -> Result<(Self, Cluster), Refusal> {
        let conf = FairConf::read(&settings.yarn_site)?;
        let calculator = Calculator::new(CalculatorKind::Dominant, &conf.types);
        let labels = settings.labels.iter().map(|l| (l.name.clone(), l.exclusive));
        let groups = settings.groups.clone();
        let mut cluster = Cluster::new(conf.types.clone(), calculator, conf.minimum, conf.maximum, labels, groups);
        let mut scheduler = FairScheduler {
            file: Allocations::default(),
            has_file: settings.fair_allocations.is_some(),
            rules: default_rules(conf.allow_undeclared, conf.user_as_default),
            queues: Vec::new(),
            paths: IndexMap::new(),
            acls: SortedMap::default(),
            postponed: Vec::new(),
            apps: Vec::new(),
            numbers: 0,
            running_by_user: Vec::new(),
            waiting_by_user: Vec::new(),
            rack_nodes: Vec::new(),
            available: Resource::ZERO,
            starved: Starved::default(),
            divisions: Divisions::default(),
            claims: Vec::new(),
            kills: VecDeque::new(),
            unheard: Vec::new(),
            conf,
        };
        cluster.now = settings.clock_ms;
        scheduler.add_queue(&cluster, "root", None, false);
        scheduler.acls.insert("root".into(), (Acl::everybody(), Acl::everybody()));
        if let Some(text) = &settings.fair_allocations {
            scheduler.load(&mut cluster, text, &mut crate::journal::Silent)?;
        }
        Ok((scheduler, cluster))
    }

    /// Reads an allocation file. Errors: YARN would refuse it.
    fn read(&self, text: &str) -> Result<Allocations, Refusal> {
        let conf = &self.conf;
        read(FILE, text, &conf.types, conf.unreached_rules).map(|(file, _)| file).map_err(|p| Refusal::new(p.what))
    }

    /// Returns the settings of yarn-site.xml.
    pub fn conf(&self) -> &FairConf {
        &self.conf
    }

    /// Returns the allocation file as last loaded.
    pub fn allocations(&self) -> &Allocations {
        &self.file
    }

    /// Replaces the settings of yarn-site.xml, as if the scheduler had been started with them. A running one reads them
    /// once; Hadoop's own tests change its fields.
    pub(crate) fn set_conf(&mut self, c: &mut Cluster, conf: FairConf) {
        (c.minimum, c.maximum) = (conf.minimum, conf.maximum);
        self.conf = conf;
    }

    /// Returns all queues that ever existed, root first; those with `alive` false are gone.
    pub fn queues(&self) -> &[FairQueue] {
        &self.queues
    }

    /// Iterates over the living queues in the order in which they were created.
    pub fn living(&self) -> impl Iterator<Item = &FairQueue> {
        self.paths.values().map(|id| self.queue(*id))
    }

    #[inline]
    pub fn queue(&self, id: QueueId) -> &FairQueue {
        &self.queues[id.index()]
    }

    #[inline]
    fn queue_mut(&mut self, id: QueueId) -> &mut FairQueue {
        &mut self.queues[id.index()]
    }

    /// Returns a queue by its full path.
    pub fn find_queue(&self, path: &str) -> Option<QueueId> {
        self.paths.get(path).copied()
    }

    /// Returns the scheduler's state of an application.
    pub fn app(&self, app: AppId) -> Option<&FairApp> {
        self.apps.get(app.index())
    }

    fn app_mut(&mut self, app: AppId) -> &mut FairApp {
        if self.apps.len() <= app.index() {
            self.apps.resize_with(app.index() + 1, FairApp::default);
        }
        &mut self.apps[app.index()]
    }

    /// Iterates over the queues from a queue up to root.
    pub fn path_up(&self, queue: QueueId) -> impl Iterator<Item = QueueId> + '_ {
        let mut at = Some(queue);
        std::iter::from_fn(move || {
            let id = at?;
            at = self.queue(id).parent;
            Some(id)
        })
    }

    /// Returns the most that a queue may use: its maximum on the present cluster, but no less than its minimum.
    pub fn maximum_of(&self, c: &Cluster, queue: QueueId) -> Resource {
        *self.most_of(c, queue)
    }

    /// Returns the element of the allocation file that a queue's maximum comes from, and the queue that has it, if it
    /// is another one.
    pub fn maximum_from(&self, queue: QueueId) -> (&'static str, Option<QueueId>) {
        let q = self.queue(queue);
        let above = q.parent.filter(|parent| self.queue(*parent).max_child.is_some());
        match (self.file.queues.get(&q.path), above) {
            (None, Some(above)) => ("maxChildResources", Some(above)),
            (Some(own), _) if own.maximum.is_some() => ("maxResources", None),
            _ => ("queueMaxResourcesDefault", None),
        }
    }

    #[inline]
    fn most_of(&self, c: &Cluster, queue: QueueId) -> &Resource {
        let q = self.queue(queue);
        debug_assert_eq!(q.most, q.most_of(c.total), "cluster or settings have changed unheard of");
        &q.most
    }

    /// Computes the queues' maxima again, since the cluster or their settings have changed.
    fn note_maxima(&mut self, c: &Cluster) {
        for q in &mut self.queues {
            q.most = q.most_of(c.total);
        }
    }

    /// Returns the largest container of a queue: the limit of the nearest queue upwards that sets one, and the
    /// scheduler's.
    pub fn largest_container(&self, c: &Cluster, queue: Option<QueueId>) -> Resource {
        let own = queue.and_then(|q| self.own_container_maximum(q));
        let all = c.largest_allocation();
        own.map_or(all, |own| all.component_min(own))
    }

    /// Returns the container limit of the nearest queue upwards that sets one.
    pub(crate) fn own_container_maximum(&self, queue: QueueId) -> Option<Resource> {
        self.path_up(queue).find_map(|id| self.queue(id).max_container)
    }

    /// Returns a size as normalized for a queue (12.1).
    pub fn normalize(&self, c: &Cluster, queue: Option<QueueId>, size: Resource) -> Resource {
        self.conf.normalize(size, self.largest_container(c, queue))
    }

    /// Adds (`plus`) or subtracts a container in the usage of the leaf and every queue above it.
    fn charge(&mut self, leaf: QueueId, size: Resource, plus: bool) {
        debug_assert!(self.queue(leaf).leaf, "only leaves are charged");
        debug_assert!(self.use_adds_up(leaf), "before a charge");
        let mut at = Some(leaf);
        while let Some(id) = at {
            let q = self.queue_mut(id);
            q.used = if plus { q.used + size } else { q.used - size };
            at = q.parent;
        }
        debug_assert!(self.use_adds_up(leaf), "after a charge");
    }

    /// Returns whether the usage of each queue above a leaf is the sum of its children's. Asserted before and after
    /// each change, unless there are too many children.
    fn use_adds_up(&self, leaf: QueueId) -> bool {
        self.path_up(leaf)
            .skip(1)
            .map(|id| self.queue(id))
            .filter(|q| q.children.len() <= CHILDREN_SUMMED)
            .all(|q| q.children.iter().fold(Resource::ZERO, |sum, child| sum + self.queue(*child).used) == q.used)
    }

    /// Updates the resources available to AMs (15).
    fn note_available(&mut self, c: &Cluster) {
        self.available = c.total - self.queue(ROOT).used;
    }
}

/// Returns whether every resource type of `small` fits in `big`.
#[inline]
pub(crate) fn fits(small: Resource, big: Resource) -> bool {
    fit(&small, &big)
}

#[inline]
fn fit(small: &Resource, big: &Resource) -> bool {
    small.0.iter().zip(&big.0).all(|(small, big)| small <= big)
}

/// Returns whether `more` fits in `big` besides `used`, for every resource type.
#[inline]
fn fit_more(used: &Resource, more: &Resource, big: &Resource) -> bool {
    used.0.iter().zip(&more.0).zip(&big.0).all(|((used, more), big)| used.wrapping_add(*more) <= *big)
}

/// Returns the usage of an application.
#[inline]
fn used(c: &Cluster, app: AppId) -> Resource {
    c.app(app).used[DEFAULT]
}
