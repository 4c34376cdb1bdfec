//! An application's present attempt as the scheduler knows it (FiCaSchedulerApp, SchedulerApplicationAttempt).

use super::asks::{Asks, Row};
use super::cluster::PlaceId;
use super::container::Slot;
use super::live::Live;
use crate::check::{Check, Failure};
use crate::model::{AppId, AttemptId, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource, UserId};

pub use crate::model::EndCause;

/// Exit code of containers that the ResourceManager ends (ContainerExitStatus.ABORTED).
pub(crate) const ABORTED: i32 = -100;

/// Exit code of containers that make room for others (ContainerExitStatus.PREEMPTED).
pub(crate) const PREEMPTED: i32 = -102;

/// The AM's own container, as an ask.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AmRequest {
    /// Size, normalised by the submission, and once more by each attempt that asked.
    pub size: Resource,
    pub partition: PartitionId,
    /// The queue is to say the partition, and is made for the application: the limits for ApplicationMasters of the
    /// default partition are asked of the first attempt, in whatever partition its container is.
    pub unlabelled: bool,
    /// Rows besides ANY: place and relaxLocality.
    pub places: Vec<(PlaceId, bool)>,
    /// May it go anywhere?
    pub relax: bool,
}

/// The key under which an ApplicationMaster's own container is asked for.
pub(crate) const AM_KEY: RequestKey = RequestKey { priority: 0, allocation_request_id: -1 };

impl AmRequest {
    /// Its rows, for containers of this size.
    pub(super) fn rows(&self, size: Resource) -> Vec<(PlaceId, Row)> {
        let row = |relax| Row { count: 1, size, relax };
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
    /// Nothing to say: it runs, or waits for a limit of parallel applications.
    #[default]
    Silent,
    /// Its container is there and launched; it has not registered.
    Launched,
    /// Waiting to be activated.
    Inactive(Box<Inactive>),
    /// Activated, waiting for its container.
    Active(Box<Active>),
    /// A container was proposed for its AM.
    Assigned,
    /// What the FairScheduler met last.
    Fair(Box<FairWait>),
    /// What was said before the run began, in YARN's words; nothing has been found since.
    Before(Box<str>),
}

/// Figures of a failed activation.
#[derive(Clone, Debug, PartialEq)]
pub struct Inactive {
    /// The check that stopped it.
    pub check: Check,
    /// The leaf whose figures these are: of one that was moved before it ran, the one that it came from.
    pub leaf: QueueId,
    pub partition: PartitionId,
    pub am_size: Resource,
    /// The queue's limit for AMs.
    pub queue_limit: Resource,
    /// The user's limit for AMs.
    pub user_limit: Resource,
    /// What the queue's AMs use.
    pub queue_used: Resource,
    /// What the user's AMs use in the queue.
    pub user_used: Resource,
}

/// Figures of an activated application that waits for its AM's container.
#[derive(Clone, Debug, PartialEq)]
pub struct Active {
    /// What stopped it last, when there is a word for it.
    pub stopped: Option<Failure>,
    /// The node that was passed over, where it is not a limit that stopped it.
    pub passed_over: Option<PassedNode>,
    /// Whether its user was unknown to the leaf, which had dropped its record of the user.
    pub user_unknown: bool,
    pub partition: PartitionId,
    pub partition_total: Resource,
    pub absolute_capacity: f32,
    pub absolute_used_capacity: f32,
    pub absolute_max_capacity: f32,
    pub guarantee: Resource,
    /// What it uses.
    pub used: Resource,
    pub maximum: Resource,
}

/// A node that was passed over for an AM, as it was then.
#[derive(Clone, Debug, PartialEq)]
pub struct PassedNode {
    pub node: crate::model::NodeId,
    pub partition: PartitionId,
    pub total: Resource,
    pub free: Resource,
}

/// What the FairScheduler stopped at when it last looked at an application that waits for its AM's container
/// (fair-scheduler.md 20).
#[derive(Clone, Debug, PartialEq)]
pub struct FairWait {
    pub stop: FairStop,
    /// The leaf that it was looked at in.
    pub leaf: QueueId,
    /// The size of the AM's container.
    pub size: Resource,
}

/// The checks that the diagnostics of a waiting AM tell of, with those of their figures that are in them.
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

/// The user record that the headroom told to an AM is taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadroomSource {
    /// The leaf (after a move still the former one, until the application is looked at again).
    pub queue: QueueId,
    /// Usage of a user record that was dropped since, by partition.
    pub dropped_user: Option<Vec<Resource>>,
}

/// A container's end as an AM is told of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Told {
    pub id: ContainerId,
    pub node: NodeId,
    pub exit_code: i32,
    pub why: EndCause,
}

/// Figures that the fair ordering of a leaf goes by: as they were when last read (11.5).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct FairKey {
    /// Used, over all partitions.
    pub used: Resource,
    /// Pending, over all partitions.
    pub pending: Resource,
}

/// An application in the scheduler: what belongs to its present attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct App {
    pub id: AppId,
    /// The attempt, from 1.
    pub attempt: u32,
    /// Has the scheduler an attempt of it?
    pub alive: bool,
    pub user: UserId,
    pub queue: QueueId,
    /// Its priority; higher goes first.
    pub priority: i32,
    /// The priority that it was submitted with: each attempt starts with it.
    pub submitted_priority: i32,
    /// Start of the attempt.
    pub started_at: Millis,
    /// Partition of the application's own label expression.
    pub label: Option<PartitionId>,
    /// Application tags: a place in [`super::Cluster::tag_sets`].
    pub tags: u32,
    /// What the attempt is charged for its AM in `am_partition`. This is the size that the attempt asked for, until a node
    /// gets another partition.
    pub am_size: Resource,
    /// Partition in which the AM counts (SchedulerApplicationAttempt.getAppAMNodePartitionName).
    pub am_partition: PartitionId,
    /// What the attempt is charged for its AM in other partitions.
    am_elsewhere: Vec<(PartitionId, Resource)>,
    /// Does it take no container for its AM?
    pub unmanaged: bool,
    /// Is its AM's container still to come?
    pub waiting_for_am: bool,
    /// Number of its AM's container.
    pub am_seq: Option<u64>,
    /// Has its AM registered?
    pub registered: bool,
    /// Is it active in its leaf (looked at by assignment)?
    pub active: bool,
    /// Is it among the leaf's active applications that may want something?
    pub listed: bool,
    /// Is it within the limits of parallel applications?
    pub runnable: bool,
    /// YARN's flag says that it waits for a limit of parallel applications, though it runs (quirk).
    pub thought_waiting: bool,
    /// Why its AM does not run. Of one that is pending in a leaf of the CapacityScheduler the leaf's latest pass may tell
    /// more lately.
    pub am_status: AmStatus,
    /// So many passes over pending applications had been made when it was set.
    pub am_status_since: u64,
    /// The check that a node was last passed over for, until it is told.
    pub am_skip: Option<Check>,
    pub asks: Asks,
    /// Live containers and reservations by number.
    pub live: Live,
    /// Containers of earlier attempts that were kept.
    pub kept: Vec<(ContainerId, Slot)>,
    /// Number of the next container.
    pub next_seq: u64,
    /// Hosts and racks not wanted.
    pub blacklist: Vec<PlaceId>,
    /// Hosts that the ResourceManager does not want for its AM.
    pub am_blacklist: Vec<PlaceId>,
    /// Used by partition, reservations not counted.
    pub used: Vec<Resource>,
    /// Containers that came from reservations of another size than was asked for by then: number, partition, and by how
    /// much more (or less) was added to `used` than their end takes off.
    pub converted: Vec<(u64, PartitionId, Resource)>,
    /// Reserved by partition.
    pub reserved: Vec<Resource>,
    /// Pending by partition.
    pub pending: Vec<Resource>,
    /// What the placement processor has brought to a commit without a proposal before: it still counts as wanted in the
    /// default partition (quirk). Less what is proposed and not committed yet, in a walk that commits at its end.
    pub unproposed: Resource,
    /// Partitions that the attempt's requests ever named.
    pub requested_partitions: Vec<PartitionId>,
    /// Where the headroom that its AM is told comes from; `None` before it was looked at.
    pub headroom: Option<HeadroomSource>,
    /// Key of the fair ordering.
    pub fair: FairKey,
    /// Do its asks make its user active in its leaf?
    pub asking: bool,
    /// Allocated, not yet pulled by the AM.
    pub granted: Vec<Slot>,
    /// Ended, not yet told to the AM.
    pub ended: Vec<Told>,
    /// Told with the last answer, of which only the next call shows that it has arrived.
    pub told: Vec<Told>,
    /// Does what its AM is still to be told go to the next attempt (the containers are kept)?
    pub hands_over: bool,
    /// Marked for preemption, not yet told.
    pub marked: Vec<ContainerId>,
    /// Class of the sorting policy that its queue had when the attempt came: neither a move nor a refresh changes it
    /// (FiCaSchedulerApp.updateMultiNodeSortingPolicy).
    pub sorting_policy: Option<Box<str>>,
}

impl App {
    /// Begins an attempt's charges for its AM, in the default partition.
    pub(super) fn charge_am(&mut self, size: Resource) {
        (self.am_size, self.am_partition) = (size, PartitionId::DEFAULT);
        self.am_elsewhere.clear();
    }

    /// What the attempt is charged for its AM in a partition.
    pub fn am_charged(&self, p: PartitionId) -> Resource {
        if p == self.am_partition {
            return self.am_size;
        }
        self.am_elsewhere.iter().find(|(of, _)| *of == p).map_or(Resource::ZERO, |(_, size)| *size)
    }

    /// The scheduler hears that the node of the AM's container, which has this size, went from one partition to another. The
    /// AM counts there from now on, whichever partition it was charged in before (FiCaSchedulerApp.nodePartitionUpdated).
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

    /// A new application before its first attempt.
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

    /// Has it an attempt, and is it in this leaf?
    #[inline]
    pub(super) fn is_in(&self, leaf: QueueId) -> bool {
        self.alive && self.queue == leaf
    }

    /// The attempt is over: what belonged to it is forgotten.
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

    /// Its live containers and reservations: those that were kept of earlier attempts, then the present one's by number.
    pub fn slots(&self) -> impl Iterator<Item = Slot> + '_ {
        self.kept.iter().map(|(_, slot)| *slot).chain(self.live.iter().map(|(_, slot)| slot))
    }

    pub fn attempt_id(&self) -> AttemptId {
        AttemptId { app: self.id, attempt: self.attempt }
    }

    /// Id of the container with this number.
    pub fn container_id(&self, seq: u64) -> ContainerId {
        ContainerId { app: self.id, attempt: self.attempt, seq }
    }

    /// Hosts and racks that are passed over for it: those of its AM, while its AM's own container is to come only
    /// those that the ResourceManager avoids.
    #[inline]
    pub fn avoided(&self) -> &[PlaceId] {
        if self.waiting_for_am { &self.am_blacklist } else { &self.blacklist }
    }

    /// Would a visit by its leaf find nothing to do, and leave nothing behind?
    #[inline]
    pub fn wants_nothing(&self, leaf: QueueId) -> bool {
        self.pending.iter().chain(&self.reserved).all(Resource::is_zero)
            && !self.waiting_for_am
            && self.headroom.as_ref().is_some_and(|h| h.queue == leaf && h.dropped_user.is_none())
    }

    /// Partition, size and count of each key with something outstanding.
    pub(super) fn wanted(&self) -> Vec<(PartitionId, Resource, i64)> {
        let keys = self.asks.keys().iter();
        keys.filter_map(|k| k.any().filter(|r| r.count > 0).map(|r| (k.partition, r.size, r.count))).collect()
    }

    /// Used over all partitions.
    pub fn used_total(&self) -> Resource {
        self.used.iter().fold(Resource::ZERO, |sum, r| sum + *r)
    }

    /// Pending over all partitions.
    pub fn pending_total(&self) -> Resource {
        self.pending.iter().fold(Resource::ZERO, |sum, r| sum + *r)
    }
}
