//! An application's present attempt in the scheduler (FiCaSchedulerApp, SchedulerApplicationAttempt).

use super::asks::{Asks, RequestRow};
use super::cluster::PlaceId;
use super::container::Slot;
use super::live::Live;
use crate::check::{Check, Failure};
use crate::model::{AppId, AttemptId, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource, UserId};

pub use crate::model::EndCause;

/// Exit code of containers that the ResourceManager ends (ContainerExitStatus.ABORTED).
pub(crate) const ABORTED: i32 = -100;

/// Exit code of preempted containers (ContainerExitStatus.PREEMPTED).
pub(crate) const PREEMPTED: i32 = -102;

/// The request for the AM's own container.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AmRequest {
    /// Size, normalised by the submission, and once more by each attempt that asked.
    pub size: Resource,
    pub partition: PartitionId,
    /// Whether the partition is the queue's default and the queue is created for the application: the first attempt is
    /// then checked against the AM limits of the default partition, whatever the partition of its container.
    pub unlabelled: bool,
    /// Rows besides ANY: place and relaxLocality.
    pub places: Vec<(PlaceId, bool)>,
    /// Whether it may run on any node.
    pub relax: bool,
}

/// The key under which an ApplicationMaster's own container is asked for.
pub(crate) const AM_KEY: RequestKey = RequestKey { priority: 0, allocation_request_id: -1 };

impl AmRequest {
    /// Returns its rows, for containers of this size.
    pub(super) fn rows(&self, size: Resource) -> Vec<(PlaceId, RequestRow)> {
        let row = |relax| RequestRow { count: 1, size, relax };
        let mut rows = vec![(PlaceId::ANY, row(self.relax))];
        rows.extend(self.places.iter().map(|(place, relax)| (*place, row(*relax))));
        rows
    }
}

/// Why an application's ApplicationMaster does not run yet, with the figures of the moment
/// (CSAMContainerLaunchDiagnosticsConstants; formats.md 8.1). The text is made by
/// [`crate::scheduler::capacity::am_status_text`].
#[derive(Clone, Debug, PartialEq, Default)]
pub enum AmStatus {
    /// No diagnostics: it runs, or waits for a limit of parallel applications.
    #[default]
    Silent,
    /// Its container is launched; it has not registered.
    Launched,
    /// Waiting to be activated.
    Inactive(Box<Inactive>),
    /// Activated, waiting for its container.
    Active(Box<Active>),
    /// A container was proposed for its AM.
    Assigned,
    /// The check that stopped the FairScheduler last.
    Fair(Box<FairWait>),
    /// YARN's diagnostics from before the run, while no check has replaced them.
    Before(Box<str>),
}

/// Figures of a failed activation.
#[derive(Clone, Debug, PartialEq)]
pub struct Inactive {
    /// The check that stopped it.
    pub check: Check,
    /// The leaf of these figures; of an application that was moved before it ran, the leaf that it came from.
    pub leaf: QueueId,
    pub partition: PartitionId,
    pub am_size: Resource,
    /// The queue's limit for AMs.
    pub queue_limit: Resource,
    /// The user's limit for AMs.
    pub user_limit: Resource,
    /// The usage of the queue's AMs.
    pub queue_used: Resource,
    /// The usage of the user's AMs in the queue.
    pub user_used: Resource,
}

/// Figures of an activated application that waits for its AM's container.
#[derive(Clone, Debug, PartialEq)]
pub struct Active {
    /// The check that stopped it last, where the diagnostics name one.
    pub stopped: Option<Failure>,
    /// The node that did not suit, where no limit stopped it.
    pub passed_over: Option<PassedNode>,
    /// Whether the leaf had dropped its record of the user.
    pub user_unknown: bool,
    pub partition: PartitionId,
    pub partition_total: Resource,
    pub absolute_capacity: f32,
    pub absolute_used_capacity: f32,
    pub absolute_max_capacity: f32,
    pub guarantee: Resource,
    /// Its usage.
    pub used: Resource,
    pub maximum: Resource,
}

/// A node that did not suit an AM, as it was then.
#[derive(Clone, Debug, PartialEq)]
pub struct PassedNode {
    pub node: crate::model::NodeId,
    pub partition: PartitionId,
    pub total: Resource,
    pub free: Resource,
}

/// The check that stopped the FairScheduler's latest attempt to place the container of a waiting AM (fair-scheduler.md
/// 20).
#[derive(Clone, Debug, PartialEq)]
pub struct FairWait {
    pub stop: FairStop,
    /// The leaf of that attempt.
    pub leaf: QueueId,
    /// The size of the AM's container.
    pub size: Resource,
}

/// The checks in the diagnostics of a waiting AM, with the figures that the diagnostics have.
#[derive(Clone, Debug, PartialEq)]
pub enum FairStop {
    UserParallelApps,
    QueueParallelApps,
    /// `maximum`: the leaf's.
    MaxShare {
        maximum: Resource,
    },
    AmShare,
    /// `reserved`: whether the node was reserved for it.
    NodeFree {
        reserved: bool,
    },
}

impl FairStop {
    /// The check that failed.
    pub fn check(&self) -> Check {
        match self {
            FairStop::UserParallelApps => Check::UserParallelApps,
            FairStop::QueueParallelApps => Check::QueueParallelApps,
            FairStop::MaxShare { .. } => Check::MaxShare,
            FairStop::AmShare => Check::AmShare,
            FairStop::NodeFree { .. } => Check::NodeFree,
        }
    }
}

/// The user record from which an AM's headroom is computed.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadroomSource {
    /// The leaf; after a move the former one, until the scheduler visits the application again.
    pub queue: QueueId,
    /// Usage of a user record that was dropped since, by partition.
    pub dropped_user: Option<Vec<Resource>>,
}

/// The end of a container in the answer to an AM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReportedEnd {
    pub id: ContainerId,
    pub node: NodeId,
    pub exit_code: i32,
    pub why: EndCause,
}

/// The figures that the fair ordering of a leaf compares, as of the latest update (capacity-scheduler.md 11.5).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FairKey {
    /// The usage over all partitions.
    pub used: Resource,
    /// The pending resources over all partitions.
    pub pending: Resource,
}

/// An application's present attempt in the scheduler.
#[derive(Clone, Debug, PartialEq)]
pub struct App {
    pub id: AppId,
    /// The attempt, from 1.
    pub attempt: u32,
    /// Whether the scheduler has an attempt of it.
    pub alive: bool,
    pub user: UserId,
    pub queue: QueueId,
    /// Its priority; higher goes first.
    pub priority: i32,
    /// The priority that it was submitted with: each attempt starts with it.
    pub submitted_priority: i32,
    /// The start of the attempt.
    pub started_at: Millis,
    /// The partition of the application's own label expression.
    pub label: Option<PartitionId>,
    /// Application tags: a place in [`super::Cluster::tag_sets`].
    pub tags: u32,
    /// The AM usage that the attempt is charged in `am_partition`: the size that it requested, until the AM's node
    /// changes its partition.
    pub am_size: Resource,
    /// The partition in which the AM counts (SchedulerApplicationAttempt.getAppAMNodePartitionName).
    pub am_partition: PartitionId,
    /// The AM usage that the attempt is charged in other partitions.
    am_elsewhere: Vec<(PartitionId, Resource)>,
    /// Whether its AM is unmanaged, and has no container.
    pub unmanaged: bool,
    /// Whether its AM has no container yet.
    pub waiting_for_am: bool,
    /// The number of its AM's container.
    pub am_seq: Option<u64>,
    /// Whether its AM has registered.
    pub registered: bool,
    /// Whether it is active in its leaf, and is offered nodes.
    pub active: bool,
    /// Whether it is in the leaf's list of active applications that may have requests.
    pub listed: bool,
    /// Whether it is within the limits of parallel applications.
    pub runnable: bool,
    /// Quirk: whether YARN's flag says that it waits for a limit of parallel applications although it runs.
    pub thought_waiting: bool,
    /// Why its AM does not run. For an application that is pending in a leaf of the CapacityScheduler, the leaf's
    /// latest pass may have a later reason.
    pub am_status: AmStatus,
    /// The number of passes over pending applications when it was set.
    pub am_status_since: u64,
    /// The check that failed on a node last, until the diagnostics have it.
    pub am_skip: Option<Check>,
    pub asks: Asks,
    /// Live containers and reservations by number.
    pub live: Live,
    /// Containers of earlier attempts that were kept.
    pub kept: Vec<(ContainerId, Slot)>,
    /// Number of the next container.
    pub next_seq: u64,
    /// The AM's blacklist of hosts and racks.
    pub blacklist: Vec<PlaceId>,
    /// The hosts that the ResourceManager excludes for its AM.
    pub am_blacklist: Vec<PlaceId>,
    /// The usage by partition, without reservations.
    pub used: Vec<Resource>,
    /// Containers from reservations whose size differed from the request by then: number, partition, and how much more
    /// (or less) was added to `used` than their end subtracts.
    pub converted: Vec<(u64, PartitionId, Resource)>,
    /// The reserved resources by partition.
    pub reserved: Vec<Resource>,
    /// The pending resources by partition.
    pub pending: Vec<Resource>,
    /// Quirk: what the placement processor committed without a proposal before, which still counts as pending in the
    /// default partition; minus what is proposed and not committed yet, in a walk that commits at its end.
    pub unproposed: Resource,
    /// The partitions that the attempt's requests ever named.
    pub requested_partitions: Vec<PartitionId>,
    /// The source of its AM's headroom; `None`: the scheduler has not visited the application yet.
    pub headroom: Option<HeadroomSource>,
    /// The key of the fair ordering.
    pub fair: FairKey,
    /// Whether its requests make its user active in its leaf.
    pub asking: bool,
    /// Allocated, not yet pulled by the AM.
    pub granted: Vec<Slot>,
    /// Ended, not yet pulled by the AM.
    pub ended: Vec<ReportedEnd>,
    /// The ends in the latest answer, which only the next call acknowledges.
    pub told: Vec<ReportedEnd>,
    /// Whether ends that its AM has not pulled go to the next attempt, since its containers are kept.
    pub hands_over: bool,
    /// Marked for preemption, not yet in a preemption message.
    pub marked: Vec<ContainerId>,
    /// The class of the queue's sorting policy when the attempt was added: neither a move nor a refresh changes it
    /// (FiCaSchedulerApp.updateMultiNodeSortingPolicy).
    pub sorting_policy: Option<Box<str>>,
}

impl App {
    /// Begins an attempt's charges for its AM, in the default partition.
    pub(super) fn charge_am(&mut self, size: Resource) {
        (self.am_size, self.am_partition) = (size, PartitionId::DEFAULT);
        self.am_elsewhere.clear();
    }

    /// Returns the AM usage that the attempt is charged in a partition.
    pub fn am_charged(&self, p: PartitionId) -> Resource {
        if p == self.am_partition {
            return self.am_size;
        }
        self.am_elsewhere.iter().find(|(of, _)| *of == p).map_or(Resource::ZERO, |(_, size)| *size)
    }

    /// Moves the AM's charge of this size when the node of its container changes its partition. The AM counts in the
    /// new one from now on, whichever partition it was charged in before (FiCaSchedulerApp.nodePartitionUpdated).
    pub(super) fn am_goes(&mut self, from: PartitionId, to: PartitionId, size: Resource) {
        let (left, came) = (self.am_charged(from) - size, self.am_charged(to) + size);
        self.am_elsewhere.retain(|(of, _)| *of != from && *of != to);
        if self.am_partition != from && self.am_partition != to {
            self.am_elsewhere.push((self.am_partition, self.am_size));
        }
        if from == to {
            self.am_size = left + size;
        } else {
            self.am_elsewhere.push((from, left));
            self.am_size = came;
        }
        self.am_partition = to;
    }

    /// Makes an application before its first attempt.
    pub fn new(id: AppId, user: UserId, queue: QueueId, partitions: usize) -> Self {
        App {
            id,
            attempt: 0,
            alive: false,
            user,
            queue,
            priority: 0,
            submitted_priority: 0,
            started_at: 0,
            label: None,
            tags: 0,
            am_size: Resource::ZERO,
            am_partition: PartitionId::DEFAULT,
            am_elsewhere: Vec::new(),
            unmanaged: false,
            waiting_for_am: false,
            am_seq: None,
            registered: false,
            active: false,
            listed: false,
            runnable: false,
            thought_waiting: false,
            am_status: AmStatus::Silent,
            am_status_since: 0,
            am_skip: None,
            asks: Asks::default(),
            live: Live::default(),
            kept: Vec::new(),
            next_seq: 1,
            blacklist: Vec::new(),
            am_blacklist: Vec::new(),
            used: vec![Resource::ZERO; partitions],
            converted: Vec::new(),
            reserved: vec![Resource::ZERO; partitions],
            pending: vec![Resource::ZERO; partitions],
            unproposed: Resource::ZERO,
            requested_partitions: Vec::new(),
            headroom: None,
            fair: FairKey::default(),
            asking: false,
            granted: Vec::new(),
            ended: Vec::new(),
            told: Vec::new(),
            hands_over: false,
            marked: Vec::new(),
            sorting_policy: None,
        }
    }

    /// Returns whether it has an attempt and is in this leaf.
    #[inline]
    pub(super) fn is_in(&self, leaf: QueueId) -> bool {
        self.alive && self.queue == leaf
    }

    /// Clears the state of an attempt that is over.
    pub(super) fn forget_attempt(&mut self) {
        self.alive = false;
        self.active = false;
        self.asks = Asks::default();
        self.next_seq = 1;
        self.waiting_for_am = false;
        self.am_seq = None;
        self.registered = false;
        self.am_status = AmStatus::Silent;
        self.am_skip = None;
        self.blacklist.clear();
        self.am_blacklist.clear();
        self.used.fill(Resource::ZERO);
        self.converted.clear();
        self.reserved.fill(Resource::ZERO);
        self.unproposed = Resource::ZERO;
        self.requested_partitions.clear();
        self.headroom = None;
        self.fair = FairKey::default();
        self.granted.clear();
        self.ended.clear();
        self.told.clear();
        self.marked.clear();
    }

    /// Returns its live containers and reservations: those kept from earlier attempts, then the present attempt's by
    /// number.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.kept.iter().map(|(_, slot)| *slot).chain(self.live.iter().map(|(_, slot)| slot))
    }

    pub fn attempt_id(&self) -> AttemptId {
        AttemptId { app: self.id, attempt: self.attempt }
    }

    /// Returns the id of the container with this number.
    pub fn container_id(&self, seq: u64) -> ContainerId {
        ContainerId { app: self.id, attempt: self.attempt, seq }
    }

    /// Returns the blacklist that applies to it: its AM's, or only the ResourceManager's while the AM has no container
    /// yet.
    #[inline]
    pub fn avoided(&self) -> &[PlaceId] {
        if self.waiting_for_am { &self.am_blacklist } else { &self.blacklist }
    }

    /// Returns whether a visit by its leaf would find nothing to do, and change nothing.
    #[inline]
    pub fn wants_nothing(&self, leaf: QueueId) -> bool {
        self.pending.iter().chain(&self.reserved).all(Resource::is_zero)
            && !self.waiting_for_am
            && self.headroom.as_ref().is_some_and(|h| h.queue == leaf && h.dropped_user.is_none())
    }

    /// Returns the partition, size and count of each key with pending requests.
    pub(super) fn wanted(&self) -> Vec<(PartitionId, Resource, i64)> {
        let keys = self.asks.keys().iter();
        keys.filter_map(|k| k.any().filter(|r| r.count > 0).map(|r| (k.partition, r.size, r.count))).collect()
    }

    /// Returns the usage over all partitions.
    pub fn used_total(&self) -> Resource {
        self.used.iter().fold(Resource::ZERO, |sum, r| sum + *r)
    }

    /// Returns the pending resources over all partitions.
    pub fn pending_total(&self) -> Resource {
        self.pending.iter().fold(Resource::ZERO, |sum, r| sum + *r)
    }
}
