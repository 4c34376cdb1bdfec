//! Everything that a scheduler, the placement processor or the ResourceManager checks before a container is placed, and
//! the record of one check.
//!
//! [`Check`] names a check, [`Check::row`] describes it once for everything that reports it, and [`Checked`] records
//! one check with the figures that decided it. Only the code that decides makes the record. A new check is a variant
//! here, a row in `table`, and whatever the compiler then requires.

mod figures;
mod groups;
mod table;

pub use figures::{Amounts, Compared, Figures, LeftOut, Relation};
pub use table::{CheckKind, CheckRow, Under};

use crate::model::{AppId, NodeId, QueueId, RequestKey, UserId};

/// A check, named after what it checks, so that "fails" can follow each name: "UserLimit fails".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    // Before an application is active.
    /// The queue runs fewer applications than its maximum.
    QueueParallelApps,
    /// The user runs fewer applications than its maximum.
    UserParallelApps,
    /// The user's limit of parallel applications can be parsed.
    UserParallelLimitReadable,
    /// The cluster has resources.
    ClusterResources,
    /// The ApplicationMaster fits in its queue's limit for ApplicationMasters.
    QueueAmLimit,
    /// The ApplicationMaster fits in its user's limit for ApplicationMasters.
    UserAmLimit,

    // A queue's visit.
    /// The queue may use the node's partition.
    PartitionAccess,
    /// The queue or something below it has pending requests in the partition.
    QueuePending,
    /// The node has no reservation.
    NodeUnreserved,
    /// The node's free resources hold the minimum allocation.
    NodeRoom,
    /// The node's free resources hold the minimum allocation, checked once at root.
    NodeMinimum,
    /// The queue is below its limit: the smaller of its maximum and what its parent leaves it.
    QueueLimit,
    /// The leaf's most urgent request fits in the leaf's headroom.
    LeafHeadroom,
    /// The queue is within its maxResources (FairScheduler).
    MaxResources,

    // An application's visit.
    /// The application has pending requests in the partition.
    AppPending,
    /// The user is within its limit in the leaf.
    UserLimit,
    /// The FairScheduler's last update has counted the application's request as demand.
    InDemand,
    /// The ApplicationMaster fits in its leaf's maxAMShare (FairScheduler).
    AmShare,

    // A request's visit.
    /// The request still needs a container.
    RequestPending,
    /// The ApplicationMaster has not withdrawn the request.
    RequestKept,
    /// The request may use idle resources of a foreign partition: it is not for an ApplicationMaster.
    AmExclusivity,
    /// The request has fewer reservations than it needs.
    ReservationsNeeded,
    /// The request fits in its queue's headroom.
    Headroom,
    /// The request has missed enough opportunities to use a foreign partition.
    NonPartitionedFirst,

    // A request on a node.
    /// The request is for the node's partition.
    NodePartition,
    /// The request's placement constraint holds on the node.
    Constraint,
    /// The request's placement constraint could be evaluated often enough.
    ConstraintErrors,
    /// The candidate has no reservation (multi-node placement).
    CandidateUnreserved,
    /// Neither the host nor its rack is on the application's blacklist.
    Blacklist,
    /// The request has missed enough opportunities to be placed this far from the places it names.
    LocalityDelay,
    /// The request has waited long enough to be placed this far from the places it names (FairScheduler, continuous
    /// scheduling).
    LocalityDelayTime,
    /// The request fits in the maxResources of each queue above it (FairScheduler).
    MaxShare,
    /// The row of the request allows locality to be relaxed.
    RelaxLocality,
    /// A row of the request is for this node.
    LocalityRow,
    /// The container fits in the node's total.
    NodeTotal,
    /// The container fits in the node's free resources.
    NodeFree,
    /// A reservation exists that is large enough to be given up for the container.
    Unreserve,

    // A reservation of the FairScheduler.
    /// The application is below its fair share.
    BelowFairShare,
    /// The container is large enough for a reservation.
    ReservationThreshold,
    /// The node's free resources are not promised to the application already.
    RoomNotPromised,
    /// The application has reserved fewer nodes than its maximum.
    ReservableNodes,

    // The commit of a proposal.
    /// The node runs.
    CommitNodeRunning,
    /// The containers to be killed for the proposal still run.
    CommitKillable,
    /// No other application has reserved the node.
    CommitUnreserved,
    /// The user is still within its limit.
    CommitUserLimit,
    /// The container fits in the maximum of each queue above it.
    CommitQueueMaximum,
    /// The placement constraint still holds.
    CommitConstraint,
    /// The scheduler accepts proposals of the placement processor.
    CommitSupported,
    /// The request still needs the container, on this node.
    CommitWanted,
    /// The reservation that the proposal comes from, or gives up, is still there.
    CommitReservation,
    /// The container still fits in the node's free resources.
    CommitNodeFree,

    // The end of a heartbeat's allocations.
    /// The latest offer allocated or reserved something.
    OfferGave,
    /// The node has no reservation, so that it may be offered again.
    TurnUnreserved,
    /// A heartbeat may allocate more than one container.
    MultipleAssignments,
    /// The heartbeat has allocated fewer off-switch containers than its maximum.
    OffSwitchAssignments,
    /// The heartbeat has allocated fewer containers than its maximum.
    AssignmentsPerHeartbeat,
    /// The heartbeat has allocated less than half of the node's free resources (FairScheduler, dynamic maximum).
    HalfOfFreeRoom,

    // The front door: a submission.
    /// The application's tags are few enough, short enough and printable ASCII.
    SubmissionTags,
    /// The application's lifetime is above 0.
    SubmissionLifetime,
    /// A placement rule yields a queue for the application.
    PlacementRule,
    /// The requested queue is a leaf, or can be created as one.
    SubmissionQueue,
    /// The queue and all its parents are RUNNING.
    QueueRunning,
    /// The user may submit to the queue.
    SubmitPermission,
    /// The user may use the priority in the queue.
    PriorityPermission,
    /// The cluster has fewer applications than its maximum.
    SystemApplications,
    /// The leaf has fewer applications than its maximum.
    QueueApplications,
    /// The user has fewer applications in the leaf than its maximum.
    UserApplications,

    // The front door: a call of an ApplicationMaster.
    /// A requested container is no larger than the maximum allocation, and not negative.
    AskSize,
    /// The queue may use each requested resource type (FairScheduler).
    AskTypes,
    /// The requested label exists, is accessible to the queue and stands in a row that may have one.
    AskLabel,
    /// The blacklist names hosts and racks, not `*`.
    AskBlacklist,
    /// A container to release belongs to the attempt.
    AskRelease,
    /// A handler for placement constraints is configured.
    ConstraintHandler,
    /// The request's allocator accepts its placement constraint.
    ConstraintAsk,

    // The placement processor.
    /// The placement processor has found a node for the request within its attempts.
    ProcessorPlaced,
    /// The scheduler has accepted a proposal of the placement processor within its attempts.
    ProcessorCommitted,

    // The front door: nodes and administration.
    /// A registering node holds the minimum allocation.
    RegisteredSize,
    /// The scheduler accepts the new settings.
    SettingsValid,
    /// The application to move is in a state that allows it.
    MoveState,
    /// The scheduler supports moving applications.
    MoveSupported,
    /// The target of a move and its parents can hold the application within their limits (FairScheduler).
    MoveLimits,
    /// The scheduler supports changing priorities of applications.
    PriorityChange,

    // A round of preemption (CapacityScheduler).
    /// Monitors are on (yarn.resourcemanager.scheduler.monitor.enable).
    MonitorsOn,
    /// The preemption policy is among the monitors.
    PreemptionListed,
    /// A round of preemption has run, and ended without an error.
    RoundMade,
    /// The round marks and kills what it selects; it does not only observe.
    RoundActs,
    /// The round counts pending requests of the queue.
    PendingCounted,
    /// The queue's ideal assignment exceeds its usage.
    QueueOwed,
    /// Another queue's ideal assignment exceeds its usage, or the queue uses more than its maximum.
    OthersOwed,
    /// A preemptable queue uses more than its guarantee.
    OverGuarantee,
    /// Preemption is allowed from the queues that use more than their guarantees.
    QueuePreemptable,
    /// A queue keeps less than it uses.
    QueueGives,
    /// A queue to preempt from exceeds its guarantee by more than the dead zone.
    BeyondDeadZone,
    /// The round takes some of what is owed.
    NaturalTermination,
    /// The round selects containers.
    ContainersChosen,
    /// The round still wants resources from the queue when it considers the container.
    StillWanted,
    /// The mark is old enough for the container to be killed.
    KillWait,
    /// A selector preempts for reservations.
    ReservationSelector,
    /// Applications of one queue may preempt from each other.
    IntraOn,
    /// The round examines the queue for preemption within it: it wants more than its ideal assignment.
    IntraLooked,
    /// Applications of the queue use more than their ideal assignment, which is owed to others.
    IntraOwed,
    /// The container is not yet killable.
    NotYetKillable,
    /// The container is not an ApplicationMaster's, or the ApplicationMasters of its queue exceed their maximum.
    MasterSpared,
    /// The round wants resources from the queue in the partition of the container's node.
    SelectorPartition,
    /// The container is no larger than what the round may still select.
    RoundBudget,
    /// Something of each resource type is still wanted (conservative-drf).
    WantedTypes,
    /// Killing the container reduces what is wanted.
    LowersWanted,
    /// The user stays above its limit without the container.
    IntraUserLimit,
    /// The reservation is old enough to preempt for.
    ReservationAge,
    /// The queue uses less than its guarantee without the reservation.
    ReservationGuarantee,
    /// The reservation does not fit on its node yet.
    ReservationNeedsRoom,
    /// The preemptable containers on the node free enough for the reservation.
    ReservationServable,
    /// The queue uses enough of its guarantee for preemption within it.
    IntraThreshold,
    /// The queue has more than one application.
    IntraSeveral,
    /// The queue's settings allow preemption within it.
    IntraEnabled,

    // Preemption for a starved application (FairScheduler).
    /// Preemption is on (FairScheduler).
    FairPreemptionOn,
    /// The usage of the cluster is high enough for preemption (FairScheduler).
    ClusterBusy,
    /// The FairScheduler's updates check the application for starvation.
    StarvationLooked,
    /// The application uses less than the part of its fair share that preemption guarantees it.
    BelowShare,
    /// The application has lacked its fair share for longer than fairSharePreemptionTimeout.
    ShareTimeout,
    /// The leaf is below its minimum share.
    BelowMinimum,
    /// The leaf has been below its minimum share for longer than minSharePreemptionTimeout.
    MinimumTimeout,
    /// The search looked for containers for the request.
    StarvedCounted,
    /// Containers of other applications would free enough for one container of the starved request.
    VictimsFound,
    /// The warning is old enough for the container to be killed.
    FairKillWait,
    /// A search for a starved application has run (FairScheduler).
    SomebodyStarved,
    /// The container runs on a node that the search examines.
    VictimAlive,
    /// The leaf may be preempted (allowPreemptionFrom).
    LeafGives,
    /// The application keeps its fair share without the container.
    GiverShare,
    /// The place that a starved request names exists (FairScheduler).
    StarvedPlace,
    /// No other row of a starved request counts instead (FairScheduler).
    StarvedOnce,
    /// One container of a starved request is no larger than what is missing (FairScheduler).
    StarvedLack,

    // An ApplicationMaster, before it requests containers.
    /// The components that a component of a YARN service depends on are ready.
    DependenciesReady,
    /// No other anti-affine instance of the component is requested (Slider).
    AffinityOneByOne,
    /// A host without an instance of the component is left (Slider).
    AffinityHost,
    /// Neither the host nor its rack has a copy of a Samza container's state.
    StandbyHost,
    /// No other request of the Samza job comes first.
    RequestTurn,
    /// The delay before a failed Samza container is requested again is over.
    RetryDelay,
    /// A failed Samza container has retries left.
    RetriesLeft,
    /// The Samza container that a placement message moves has stopped.
    PlacementStopped,
    /// Enough maps of a MapReduce job are done to request its reduces.
    SlowStart,
    /// The resources that a MapReduce job may use for reduces hold one more of them.
    ReduceRoom,
    /// The ApplicationMaster's next call, review or check that requests containers is due.
    AskDue,
    /// YARN has the request that the ApplicationMaster regards as sent.
    RequestMade,
    /// The ResourceManager accepts the call with the request.
    CallTaken,
    /// The ApplicationMaster requests again what was preempted or lost with a node.
    LossAskedAgain,
    /// The ApplicationMaster sends its calls.
    AmCalls,
    /// A requested process stays up, so that its node need not restart it.
    ProcessStays,
}

/// The subject of a check, or of a visit of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// The whole cluster.
    Cluster,
    Node(NodeId),
    Queue(QueueId),
    /// A user, in the whole cluster.
    User(UserId),
    /// An application, and its user.
    App(AppId),
    Request(AppId, RequestKey),
    /// A request on a node.
    OnNode(AppId, RequestKey, NodeId),
}

impl About {
    /// The application that it is about, directly or through a part of it.
    pub fn app(self) -> Option<AppId> {
        match self {
            About::App(app) | About::Request(app, _) | About::OnNode(app, ..) => Some(app),
            About::Cluster | About::Node(_) | About::Queue(_) | About::User(_) => None,
        }
    }

    /// The queue, if it is about a queue.
    pub fn queue(self) -> Option<QueueId> {
        if let About::Queue(queue) = self { Some(queue) } else { None }
    }

    /// The request, if it is about a request.
    pub fn request(self) -> Option<(AppId, RequestKey)> {
        match self {
            About::Request(app, key) | About::OnNode(app, key, _) => Some((app, key)),
            About::Cluster | About::Node(_) | About::Queue(_) | About::User(_) | About::App(_) => None,
        }
    }

    /// The same subject for another request of the application, if it names a request.
    pub fn of_request(self, key: RequestKey) -> About {
        match self {
            About::Request(app, _) => About::Request(app, key),
            About::OnNode(app, _, node) => About::OnNode(app, key, node),
            About::Cluster | About::Queue(_) | About::User(_) | About::App(_) | About::Node(_) => self,
        }
    }

    /// The same subject on another node, if it names a node.
    pub fn on(self, node: NodeId) -> About {
        match self {
            About::Node(_) => About::Node(node),
            About::OnNode(app, key, _) => About::OnNode(app, key, node),
            About::Cluster | About::Queue(_) | About::User(_) | About::App(_) | About::Request(..) => self,
        }
    }
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
    /// Failed, but the subject wants nothing: limits are checked before demand.
    Moot,
}

/// A failed check, whatever it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub check: Check,
    pub figures: Figures,
}

impl Failure {
    /// Creates the failure of a check without figures.
    pub fn of(check: Check) -> Failure {
        Failure { check, figures: Figures::None }
    }

    /// Creates the failure of a check that compares amounts.
    pub fn amounts(check: Check, amounts: Amounts) -> Failure {
        Failure { check, figures: Figures::Amounts(amounts) }
    }
}

/// The record of a check.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    pub check: Check,
    pub about: About,
    pub outcome: Outcome,
    pub figures: Figures,
}

impl Checked {
    /// Creates the record of a check that passed.
    pub fn passed(check: Check, about: About, figures: Figures) -> Checked {
        Checked { check, about, outcome: Outcome::Passed, figures }
    }

    /// Creates the record of a check that failed.
    pub fn failed(check: Check, about: About, figures: Figures) -> Checked {
        Checked { check, about, outcome: Outcome::Failed, figures }
    }

    /// The queue that has the limit: the one in the figures, else the one that the check is about.
    pub fn queue(&self) -> Option<QueueId> {
        self.figures.as_amounts().and_then(|amounts| amounts.queue).or(self.about.queue())
    }

    /// Returns whether it failed, moot or not.
    pub fn fails(&self) -> bool {
        match self.outcome {
            Outcome::Passed => false,
            Outcome::Failed | Outcome::Moot => true,
        }
    }
}

impl Failure {
    /// Creates the record of this failure about a subject.
    pub fn about(self, about: About) -> Checked {
        Checked::failed(self.check, about, self.figures)
    }
}
