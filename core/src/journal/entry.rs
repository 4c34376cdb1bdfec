//! The entries of the journal: ids, resources and figures, no sentences. Texts are derived from them elsewhere.
//!
//! One attempt to place a container on a node is recorded as [`Entry::Attempt`], then what was looked at in the
//! order in which it was decided (deepest first: node, request, application, queue, its parents), then
//! [`Entry::AttemptOver`]. YARN's own activities tree is made from that
//! ([`crate::scheduler::capacity::activities`]).

use crate::constraint::algorithm::Trail;
use crate::model::{
    AppId, ContainerId, Locality, Millis, NodeId, PartitionId, PlaceId, QueueId, RequestKey, Resource, UserId,
};

/// One thing that happened or was decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    // ---- happenings
    /// A node is in the scheduler from now on.
    NodeAdded {
        /// Which.
        node: NodeId,
        /// Its size.
        total: Resource,
        /// Its partition.
        partition: PartitionId,
    },
    /// A node left the scheduler.
    NodeRemoved {
        /// Which.
        node: NodeId,
        /// Why.
        why: NodeGone,
    },
    /// A node has another size.
    NodeResized {
        /// Which.
        node: NodeId,
        /// Before.
        from: Resource,
        /// Now.
        to: Resource,
    },
    /// Graceful decommissioning of a node began.
    NodeDecommissioning {
        /// Which.
        node: NodeId,
    },
    /// A node is in another partition.
    NodeRelabelled {
        /// Which.
        node: NodeId,
        /// Before.
        from: PartitionId,
        /// Now.
        to: PartitionId,
    },
    /// An application was accepted in a queue.
    Submitted {
        /// Which.
        app: AppId,
        /// Its leaf.
        queue: QueueId,
        /// Its user.
        user: UserId,
    },
    /// An application was rejected after its submission; the words are in its diagnostics.
    Rejected {
        /// Which.
        app: AppId,
    },
    /// An attempt came to its leaf's pending applications.
    AttemptAdded {
        /// Which application.
        app: AppId,
        /// Which attempt, from 1.
        attempt: u32,
    },
    /// An attempt waits for a limit of parallel applications.
    NotRunnable {
        /// Which.
        app: AppId,
        /// Which limit.
        limit: ParallelLimit,
        /// Running under that limit.
        running: i64,
        /// At most.
        maximum: i64,
    },
    /// An application became active in its leaf.
    Activated {
        /// Which.
        app: AppId,
        /// What the queue's AMs use with it.
        am_used: Resource,
        /// The queue's limit for AMs.
        am_limit: Resource,
        /// Beyond a limit, because one AM may always start.
        as_only_one: bool,
    },
    /// An application stays pending in its leaf.
    NotActivated {
        /// Which.
        app: AppId,
        /// Figures.
        why: ActivationStop,
    },
    /// A container was allocated.
    Allocated {
        /// Which.
        container: ContainerId,
        /// Where.
        node: NodeId,
        /// Its size.
        size: Resource,
        /// Its key.
        key: RequestKey,
        /// How near.
        locality: Locality,
        /// Was it reserved before?
        from_reservation: bool,
        /// The AM's own?
        am: bool,
    },
    /// Room was reserved.
    Reserved {
        /// Which number the container will have.
        container: ContainerId,
        /// Where.
        node: NodeId,
        /// Its size.
        size: Resource,
        /// Its key.
        key: RequestKey,
        /// Room on the node.
        free: Resource,
    },
    /// A reservation is gone.
    Unreserved {
        /// Which.
        container: ContainerId,
        /// Where.
        node: NodeId,
        /// Its size.
        size: Resource,
        /// Why.
        why: UnreserveCause,
    },
    /// A proposal did not pass the second check (section 9).
    CommitRefused {
        /// Whose.
        app: AppId,
        /// Where.
        node: NodeId,
        /// Its size.
        size: Resource,
        /// Why.
        why: CommitRefusal,
    },
    /// A container ended.
    Completed {
        /// Which.
        container: ContainerId,
        /// Where.
        node: NodeId,
        /// Its size.
        size: Resource,
        /// Exit code.
        exit_code: i32,
        /// Why.
        why: crate::model::EndCause,
        /// Does the node still hold its room until it reports the end?
        room_kept: bool,
    },
    /// An attempt is over.
    AttemptEnded {
        /// Which application.
        app: AppId,
        /// Which attempt, from 1.
        attempt: u32,
    },
    /// An application is over.
    AppEnded {
        /// Which.
        app: AppId,
    },
    /// An application moved to another leaf.
    Moved {
        /// Which.
        app: AppId,
        /// From.
        from: QueueId,
        /// To.
        to: QueueId,
    },
    /// An application has another priority.
    PriorityChanged {
        /// Which.
        app: AppId,
        /// Before.
        from: i32,
        /// Now.
        to: i32,
    },
    /// The settings were read anew.
    Refreshed,

    // ---- one attempt to place a container
    /// The placement processor's algorithm has gone through a batch.
    BatchPlaced {
        /// Whose.
        app: AppId,
        /// Which attempt of these requests.
        attempt: i32,
        /// Nodes proposed, by allocation request id.
        proposed: Vec<(i64, Vec<NodeId>)>,
        /// What is left, by allocation request id.
        left: Vec<(i64, i64)>,
        /// Did the run end in an error of YARN's own?
        died: bool,
        /// What each request met.
        trails: Vec<Trail>,
    },
    /// A scheduling request was rejected for good.
    RequestRejected {
        /// Whose.
        app: AppId,
        /// Its priority.
        priority: i32,
        /// Which.
        allocation_request_id: i64,
        /// How many of it.
        count: i64,
        /// Was it placed, and then refused by the scheduler?
        placed: bool,
    },
    /// An attempt on a node begins.
    Attempt {
        /// Which node.
        node: NodeId,
        /// Its partition.
        partition: PartitionId,
        /// Its total.
        total: Resource,
        /// Its room.
        free: Resource,
        /// The reservation on it, which alone is looked at.
        reserved: Option<ContainerId>,
    },
    /// The pass for requests of the default partition on a node whose partition lends its idle room begins.
    IgnoreExclusivity,
    /// The order in which a parent tries its children, with what they were sorted by.
    Children {
        /// The parent.
        queue: QueueId,
        /// In the order of trial, the first [`ORDER_SHOWN`].
        order: Vec<ChildOrder>,
        /// How many come after these.
        others: usize,
    },
    /// The order in which a queue of the FairScheduler asks its children, with what they were sorted by.
    Shares {
        /// The queue.
        queue: QueueId,
        /// In the order of trial, the first [`ORDER_SHOWN`].
        order: Vec<ShareOrder>,
        /// How many come after these.
        others: usize,
    },
    /// The order in which a leaf tries its active applications, with what they were sorted by (11.5).
    Apps {
        /// The leaf.
        queue: QueueId,
        /// In the order of trial, the first [`ORDER_SHOWN`].
        order: Vec<AppOrder>,
        /// How many come after these.
        others: usize,
    },
    /// The order in which an application's open request keys are tried: lower priority number first, then lower
    /// allocation request id (8.3).
    Requests {
        /// The application.
        app: AppId,
        /// In the order of trial, the first [`ORDER_SHOWN`].
        order: Vec<RequestOrder>,
        /// How many come after these.
        others: usize,
    },
    /// A check of a limit that let something pass.
    Passed(Pass),
    /// What came of a queue.
    Queue {
        /// Which.
        queue: QueueId,
        /// What.
        verdict: QueueVerdict,
    },
    /// What came of an application as a whole.
    App {
        /// Which.
        app: AppId,
        /// What.
        verdict: AppVerdict,
    },
    /// What came of a request key as a whole.
    Request {
        /// Whose.
        app: AppId,
        /// Which.
        key: RequestKey,
        /// What.
        verdict: RequestVerdict,
    },
    /// What came of a request on the node.
    Node {
        /// Whose.
        app: AppId,
        /// Which.
        key: RequestKey,
        /// Where.
        node: NodeId,
        /// What.
        verdict: NodeVerdict,
    },
    /// The attempt is over.
    AttemptOver {
        /// Its result.
        result: AttemptResult,
    },
}

/// Why a node left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeGone {
    /// Removed or lost.
    Lost,
    /// It reported itself unhealthy.
    Unhealthy,
    /// Its decommissioning is done.
    Decommissioned,
}

/// A limit of parallel applications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ParallelLimit {
    /// Of a queue.
    Queue(QueueId),
    /// Of a user over the whole cluster.
    User(UserId),
}

/// Why an application was not activated.
#[derive(Clone, Debug, PartialEq)]
pub enum ActivationStop {
    /// The cluster has no resources.
    EmptyCluster,
    /// The queue's limit for AMs.
    QueueAmLimit {
        /// AMs use.
        used: Resource,
        /// This one would add.
        asked: Resource,
        /// At most.
        limit: Resource,
    },
    /// The user's limit for AMs.
    UserAmLimit {
        /// The user's AMs use.
        used: Resource,
        /// This one would add.
        asked: Resource,
        /// At most.
        limit: Resource,
    },
}

/// Why a reservation went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnreserveCause {
    /// It became a container.
    Converted,
    /// Nothing is outstanding any more.
    Excess,
    /// Another node had room.
    OtherNode,
    /// Its attempt ended.
    AttemptEnded,
    /// Its node went, was resized or relabelled.
    NodeChanged,
    /// Released by the AM or by preemption.
    Released,
}

/// Why a proposal was refused at the second check.
#[derive(Clone, Debug, PartialEq)]
pub enum CommitRefusal {
    /// The node takes nothing more.
    NodeNotRunning,
    /// The user's limit.
    UserLimit {
        /// The user uses, what would be given back not counted.
        used: Resource,
        /// At most.
        limit: Resource,
    },
    /// The maximum of a queue.
    QueueMaximum {
        /// Which.
        queue: QueueId,
        /// It uses.
        used: Resource,
        /// It would get.
        asked: Resource,
        /// At most.
        maximum: Resource,
    },
    /// A placement constraint does not hold any more.
    Constraint,
    /// The scheduler takes no proposals of the placement processor: only the CapacityScheduler does.
    NotSupported,
    /// Somebody else has reserved the node.
    NodeReserved,
    /// It does not fit in the node's room (any more).
    NodeFull {
        /// Needed.
        need: Resource,
        /// The node's room.
        free: Resource,
    },
}

/// So many places of an order are recorded at most.
pub const ORDER_SHOWN: usize = 64;

/// A child in the order of trial, with its sort keys (7.4). The parent's policy says which count: `utilization` goes by
/// access, having a guarantee, use, then guarantee; `priority-utilization` puts the priority before the use where both
/// are below their guarantee or neither is.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildOrder {
    /// Which.
    pub queue: QueueId,
    /// May it use the partition?
    pub can_access: bool,
    /// Used by guarantee; by the whole partition where there is no guarantee.
    pub used_capacity: f32,
    /// Guarantee of the whole partition.
    pub absolute_capacity: f32,
    /// Guarantee configured as an amount, else zero: where a sibling has one, the larger goes first among equals.
    pub configured_min: Resource,
    /// Its priority (policy priority-utilization).
    pub priority: i32,
    /// Does anything below it want room in this partition?
    pub has_pending: bool,
}

/// A child in the order of trial under the FairScheduler (fair-scheduler.md 10): whoever is below its minimum share goes
/// first, then whoever uses less for its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareOrder {
    /// Which.
    pub queue: QueueId,
    /// Used now.
    pub used: Resource,
    /// Its minimum share.
    pub minimum: Resource,
    /// Demand as of the last update.
    pub demand: Resource,
    /// Its weight.
    pub weight: f32,
}

/// An application in the order of trial, with its sort keys (11.5). Fifo orders go by priority (higher first) and
/// number of submission (lower first); fair ones by share (smaller first), start, demand, number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppOrder {
    /// Which; its number is the order of submission.
    pub app: AppId,
    /// Its priority.
    pub priority: i32,
    /// What the fair order goes by: MiB used as last read, by size-based weight over the weight; under the FairScheduler's
    /// drf the dominant share by weight. 0 in a fifo leaf.
    pub share: f64,
    /// Start of its attempt.
    pub started_at: Millis,
    /// Does it use or want memory, as last read?
    pub demands: bool,
    /// Does it want room in this partition?
    pub has_pending: bool,
}

/// A request key in the order of trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestOrder {
    /// Which: priority and allocation request id are what the order goes by.
    pub key: RequestKey,
    /// How many are outstanding.
    pub outstanding: i64,
    /// Size of each.
    pub size: Resource,
    /// The partition asked for.
    pub partition: PartitionId,
}

/// A check of a limit that was passed, with the figures it was passed with. Told like an order of trial: only to recorders
/// that want details ([`Recorder::orders`](super::Recorder::orders)).
#[allow(missing_docs)] // the names say it
#[derive(Clone, Debug, PartialEq)]
pub enum Pass {
    /// A queue is below its limit (7.3), or would be without what it could unreserve.
    QueueLimit {
        queue: QueueId,
        used: Resource,
        /// The smaller of its maximum and what its parent leaves.
        limit: Resource,
        /// Its own effective maximum.
        maximum: Resource,
    },
    /// A user is within its limit in a leaf (8.2), or would be without the application's reservations.
    UserLimit {
        app: AppId,
        user: UserId,
        used: Resource,
        limit: Resource,
        /// The application's reservations, where it passes only without them.
        given_back: Resource,
    },
    /// A request fits in what is left to its queue (8.3(4)).
    Headroom { app: AppId, key: RequestKey, need: Resource, headroom: Resource },
    /// An AM fits in its leaf's limit for AMs (FairScheduler).
    AmShare { app: AppId, asked: Resource, used: Resource, limit: Resource },
    /// A request fits in the maximum of a queue (FairScheduler).
    MaxShare { app: AppId, key: RequestKey, queue: QueueId, used: Resource, need: Resource, maximum: Resource },
}

/// What came of a queue in an attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueVerdict {
    /// It gave something.
    Accepted,
    /// Its reservation on the node was retried and stays.
    ReReserved,
    /// Nothing below it gave anything.
    NothingBelow,
    /// Nothing below it wants room in this partition.
    NoPending,
    /// It may not use the partition.
    NoAccess,
    /// It has reached its limit (7.3).
    MaxCapacity {
        /// It uses.
        used: Resource,
        /// The smaller of its maximum and what its parent leaves.
        limit: Resource,
        /// Its own effective maximum.
        maximum: Resource,
    },
    /// The most urgent request of an application does not fit in what is left to the queue (8.3(4)).
    Headroom {
        /// Whose request.
        app: AppId,
        /// It needs.
        need: Resource,
        /// What is left.
        headroom: Resource,
    },
    /// The node has been reserved meanwhile.
    NodeReserved,
    /// The node's room is below the minimum allocation.
    NodeTooFull {
        /// Room.
        free: Resource,
        /// Minimum allocation.
        minimum: Resource,
    },
    /// The node's room is not enough for one minimum allocation (7.1(3), at root).
    NodeBelowMinimum {
        /// Room.
        free: Resource,
        /// Minimum allocation.
        minimum: Resource,
    },
}

/// What came of an application in an attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum AppVerdict {
    /// It asks for nothing in this partition.
    NoPending,
    /// Its queue has reached its limit.
    QueueMaxCapacity {
        /// The queue uses.
        used: Resource,
        /// At most.
        limit: Resource,
    },
    /// Its user has reached the limit in this queue (8.2).
    UserLimit {
        /// The user uses.
        used: Resource,
        /// At most.
        limit: Resource,
    },
    /// What it asks for came after the FairScheduler's last update, and is not seen before the next one.
    NotInDemand,
    /// Its AM would pass its leaf's limit for AMs (FairScheduler).
    AmShare {
        /// Size of the AM.
        asked: Resource,
        /// The leaf's AMs use.
        used: Resource,
        /// At most.
        limit: Resource,
    },
}

/// Why the FairScheduler does not reserve a node for what does not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum ReservationStop {
    /// The application is not below its fair share.
    NotStarved {
        /// It uses.
        used: Resource,
        /// Its fair share.
        share: Resource,
    },
    /// Less than what a node is reserved for.
    TooSmall {
        /// No less than this.
        threshold: Resource,
    },
    /// It has reserved as many nodes as it may.
    NodeLimit {
        /// Reserved, on the rack or anywhere.
        held: i64,
        /// At most.
        most: i64,
    },
}

/// What came of a request key in an attempt.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestVerdict {
    /// Nothing is outstanding.
    NoNeed,
    /// The AM took the request back, and a reservation of it was retried on several nodes.
    Withdrawn,
    /// An AM does not go to a foreign partition.
    AmIgnoreExclusivity,
    /// Its reservations are enough for the time being (8.6).
    ReservationAlgorithm {
        /// Outstanding.
        outstanding: i64,
        /// Reservations of the key.
        reserved: i64,
        /// Failed retries.
        rereservations: i64,
    },
    /// It does not fit in what is left to the queue.
    Headroom {
        /// It needs.
        need: Resource,
        /// What is left.
        headroom: Resource,
    },
    /// Not yet enough opportunities missed for a foreign partition.
    NonPartitionedFirst {
        /// Missed.
        missed: i64,
        /// Needed: the number of nodes.
        needed: i64,
    },
}

/// What came of a request on a node.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeVerdict {
    /// The request is for another partition.
    Partition {
        /// Of the node, as far as this pass looks.
        node: PartitionId,
        /// Of the request.
        required: PartitionId,
    },
    /// Its placement constraint does not hold here.
    Constraint {
        /// The leaf that failed last, in YARN's words; empty where the evaluation itself failed.
        unsatisfied: String,
    },
    /// Its constraint could not be evaluated so often that it is not tried any more.
    TooManyErrors {
        /// Failed evaluations.
        errors: i32,
        /// At most.
        limit: i32,
    },
    /// Passed over because of a reservation on it (multi-node placement).
    NodeReserved,
    /// Host or rack is blacklisted.
    Blacklisted {
        /// Which.
        place: PlaceId,
    },
    /// Rack-local or off-switch not before more opportunities are missed.
    Delay {
        /// The widest locality that was open to it.
        level: Locality,
        /// Missed.
        missed: i64,
        /// More than this are needed.
        needed: f32,
    },
    /// Further out not before more time has passed (FairScheduler with continuous scheduling).
    DelayTime {
        /// The widest locality that was open to it.
        level: Locality,
        /// Waited at this level, ms.
        waited_ms: Millis,
        /// More than this is needed, ms.
        needed_ms: Millis,
    },
    /// The maximum of a queue (FairScheduler).
    MaxShare {
        /// Which.
        queue: QueueId,
        /// It uses.
        used: Resource,
        /// Needed.
        need: Resource,
        /// At most.
        maximum: Resource,
    },
    /// Larger than the node's room, and the node is not reserved for it (FairScheduler).
    NotReserved {
        /// Needed.
        need: Resource,
        /// The node's room.
        free: Resource,
        /// Why not.
        why: ReservationStop,
    },
    /// A row forbids going further out.
    NoRelax {
        /// Which row.
        place: PlaceId,
    },
    /// No row applies.
    NoRow,
    /// Larger than the whole node.
    TotalTooSmall {
        /// Needed.
        need: Resource,
        /// The node's total.
        total: Resource,
    },
    /// Larger than the node's room.
    FreeTooSmall {
        /// Needed.
        need: Resource,
        /// The node's room.
        free: Resource,
    },
    /// A reservation would have to be given up, and none is large enough.
    NothingToUnreserve {
        /// How much.
        need: Resource,
    },
    /// Allocated.
    Allocated {
        /// How near.
        locality: Locality,
        /// Missed opportunities, this one counted.
        missed: i64,
    },
    /// Reserved, for want of room.
    Reserved {
        /// Needed.
        need: Resource,
        /// The node's room.
        free: Resource,
    },
    /// The reservation stays.
    ReReserved {
        /// Needed.
        need: Resource,
        /// The node's room.
        free: Resource,
    },
}

/// Result of an attempt, as YARN names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttemptResult {
    /// Nobody set one.
    Default,
    /// A container was allocated.
    Allocated,
    /// Room was reserved.
    Reserved,
    /// The reservation became a container.
    AllocatedFromReserved,
    /// Nothing was given.
    Skipped,
}
