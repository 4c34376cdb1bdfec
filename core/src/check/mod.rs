//! Everything that a scheduler, the placement processor or the ResourceManager checks before a container has a place, and
//! the record of one check.
//!
//! [`Check`] names a check, [`Check::row`] describes it once for all who tell of it, [`Checked`] is one check as it was
//! made: by the code that decides and by nobody else, with the figures it decided by. A new check is a variant here, a row
//! in `table`, and whatever the compiler then asks for.

mod figures;
mod groups;
mod table;

pub use figures::{Amounts, Compared, Figures, LeftOut, Relation};
pub use table::{CheckRow, Kind, Under};

use crate::model::{AppId, NodeId, QueueId, RequestKey, UserId};

/// A check. Names are those of what is checked, so that "fails" can follow each: "UserLimit fails".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    // Before an application is active.
    /// The queue runs fewer applications than it may.
    QueueParallelApps,
    /// The user runs fewer applications than it may.
    UserParallelApps,
    /// The limit of the user's parallel applications can be read.
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
    /// Something below the queue wants room in the partition.
    QueuePending,
    /// No reservation stands on the node.
    NodeUnreserved,
    /// The node's room holds the minimum allocation.
    NodeRoom,
    /// The node's room holds the minimum allocation, checked once at root.
    NodeMinimum,
    /// The queue is below its limit: the smaller of its maximum and what its parent leaves it.
    QueueLimit,
    /// The leaf's most urgent request fits in what is left to the leaf.
    LeafHeadroom,
    /// The queue is within its maxResources (FairScheduler).
    MaxResources,

    // An application's visit.
    /// The application wants something in the partition.
    AppPending,
    /// The user is within its limit in the leaf.
    UserLimit,
    /// The last update of the FairScheduler has seen what the application wants.
    InDemand,
    /// The ApplicationMaster fits in its leaf's maxAMShare (FairScheduler).
    AmShare,

    // A request's visit.
    /// The request still wants a container.
    RequestPending,
    /// The ApplicationMaster has not taken the request back.
    RequestKept,
    /// The request may use the idle room of a foreign partition: it is not for an ApplicationMaster.
    AmExclusivity,
    /// The request's reservations are too few for what it wants.
    ReservationsNeeded,
    /// The request fits in what is left to its queue.
    Headroom,
    /// The request has missed enough chances to use a foreign partition.
    NonPartitionedFirst,

    // A request on a node.
    /// The request is for the node's partition.
    NodePartition,
    /// The request's placement constraint holds on the node.
    Constraint,
    /// The request's placement constraint could be evaluated often enough.
    ConstraintErrors,
    /// The candidate carries no reservation (multi-node placement).
    CandidateUnreserved,
    /// Neither the host nor its rack is on the application's blacklist.
    Blacklist,
    /// The request has missed enough chances to go this far from the places it names.
    LocalityDelay,
    /// The request has waited long enough to go this far from the places it names (FairScheduler, continuous scheduling).
    LocalityDelayTime,
    /// The request fits in the maxResources of each queue above it (FairScheduler).
    MaxShare,
    /// The row of the request lets it leave the places it names.
    RelaxLocality,
    /// A row of the request is for this node.
    LocalityRow,
    /// The container fits in the whole node.
    NodeTotal,
    /// The container fits in the node's free room.
    NodeFree,
    /// A reservation large enough to be given up for the container exists.
    Unreserve,

    // A reservation of the FairScheduler.
    /// The application is below its fair share.
    BelowFairShare,
    /// The container is large enough for a reservation.
    ReservationThreshold,
    /// The node's room is not already promised to the application.
    RoomNotPromised,
    /// The application has reserved fewer nodes than it may.
    ReservableNodes,

    // The commit of a proposal.
    /// The node runs.
    CommitNodeRunning,
    /// The containers to be killed for the proposal are alive.
    CommitKillable,
    /// Nobody else has reserved the node.
    CommitUnreserved,
    /// The user is still within its limit.
    CommitUserLimit,
    /// The container fits in the maximum of each queue above it.
    CommitQueueMaximum,
    /// The placement constraint still holds.
    CommitConstraint,
    /// The scheduler takes proposals of the placement processor.
    CommitSupported,
    /// The request still wants the container, and on this node.
    CommitWanted,
    /// The reservation that the proposal comes from, or gives up, is still there.
    CommitReservation,
    /// The container still fits in the node's free room.
    CommitNodeFree,

    // The end of a heartbeat's turn.
    /// The latest offer gave something.
    OfferGave,
    /// The node carries no reservation, so that more may be offered.
    TurnUnreserved,
    /// A heartbeat may give more than one container.
    MultipleAssignments,
    /// The heartbeat has given fewer off-switch containers than it may.
    OffSwitchAssignments,
    /// The heartbeat has given fewer containers than it may.
    AssignmentsPerHeartbeat,
    /// The heartbeat has given less than half of the node's free room (FairScheduler, dynamic maximum).
    HalfOfFreeRoom,

    // The front door: a submission.
    /// The application's tags are few enough, short enough and printable ASCII.
    SubmissionTags,
    /// The application's lifetime is above 0.
    SubmissionLifetime,
    /// A placement rule gives the application a queue.
    PlacementRule,
    /// The queue that is named is a leaf, or can be made as one.
    SubmissionQueue,
    /// The queue, and each above it, is RUNNING.
    QueueRunning,
    /// The user may submit to the queue.
    SubmitPermission,
    /// The user may have the priority in the queue.
    PriorityPermission,
    /// The cluster has fewer applications than it may.
    SystemApplications,
    /// The leaf has fewer applications than it may.
    QueueApplications,
    /// The user has fewer applications in the leaf than it may.
    UserApplications,

    // The front door: a call of an ApplicationMaster.
    /// A container that is asked for is no larger than may be asked for, and not below 0.
    AskSize,
    /// The queue may have something of each resource type that is asked for (FairScheduler).
    AskTypes,
    /// The label that is asked for exists, is open to the queue and stands in a row that may have one.
    AskLabel,
    /// The blacklist names hosts and racks, not `*`.
    AskBlacklist,
    /// A container that is released is one of the attempt.
    AskRelease,
    /// Placement constraints have a handler.
    ConstraintHandler,
    /// A request with a placement constraint is one that its allocator takes.
    ConstraintAsk,

    // The placement processor.
    /// The placement processor has found a node for the request in the attempts that it has.
    ProcessorPlaced,
    /// The scheduler has taken a proposal of the placement processor in the attempts that it has.
    ProcessorCommitted,

    // The front door: nodes and administration.
    /// A node that registers holds the minimum allocation.
    RegisteredSize,
    /// New settings are ones that the scheduler takes.
    SettingsValid,
    /// An application that is moved is in a state in which it may be.
    MoveState,
    /// The scheduler moves applications.
    MoveSupported,
    /// The queues above the target of a move hold the application within their limits (FairScheduler).
    MoveLimits,
    /// The scheduler changes priorities of applications.
    PriorityChange,

    // A round of preemption (CapacityScheduler).
    /// Monitors are on (yarn.resourcemanager.scheduler.monitor.enable).
    MonitorsOn,
    /// The preemption policy is among the monitors.
    PreemptionListed,
    /// A round of preemption has been made, and ended without an error.
    RoundMade,
    /// The round marks and kills what it chooses; it does not only watch.
    RoundActs,
    /// The round counts something as wanted by the queue.
    PendingCounted,
    /// The queue is to have more than it uses.
    QueueOwed,
    /// Another queue is to have more than it uses, or the queue uses more than its maximum.
    OthersOwed,
    /// A queue that may give uses more than its guarantee.
    OverGuarantee,
    /// Something may be taken from the queues that use more than their guarantees.
    QueuePreemptable,
    /// A queue is to keep less than it uses.
    QueueGives,
    /// A queue that gives uses more than its guarantee and the dead zone on top.
    BeyondDeadZone,
    /// The round takes some of what is owed.
    NaturalTermination,
    /// The round chooses containers.
    ContainersChosen,
    /// More is wanted of the queue when the container has its turn.
    StillWanted,
    /// The mark is old enough that the container is killed.
    KillWait,
    /// A selector makes room for reservations.
    ReservationSelector,
    /// Applications of one queue may take from each other.
    IntraOn,
    /// The round looks into the queue: it wants more than it is to have.
    IntraLooked,
    /// Applications of the queue use more than they are to have, which others are owed.
    IntraOwed,
    /// The container is not killable already.
    NotYetKillable,
    /// The container is no ApplicationMaster's, or those of its queue use more than their maximum.
    MasterSpared,
    /// Something is wanted from the queue in the partition of the container's node.
    SelectorPartition,
    /// The container is no larger than what the round may still choose.
    RoundBudget,
    /// Something of each resource type is still wanted (conservative-drf).
    WantedTypes,
    /// The end of the container lowers what is wanted.
    LowersWanted,
    /// The user stays above its limit without the container.
    IntraUserLimit,
    /// The reservation is as old as it has to be for others to be preempted for it.
    ReservationAge,
    /// The queue uses less than its guarantee without the reservation.
    ReservationGuarantee,
    /// The reservation does not fit on its node as it is.
    ReservationNeedsRoom,
    /// The containers that may be preempted on the node make enough room for the reservation.
    ReservationServable,
    /// The queue uses as large a part of its guarantee as it has to for preemption within it.
    IntraThreshold,
    /// The queue has more than one application.
    IntraSeveral,
    /// The queue's settings allow preemption within it.
    IntraEnabled,

    // Preemption for a starved application (FairScheduler).
    /// Preemption is on (FairScheduler).
    FairPreemptionOn,
    /// As much of the cluster is used as has to be for preemption (FairScheduler).
    ClusterBusy,
    /// Updates ask of the application whether it is starved (FairScheduler).
    StarvationLooked,
    /// The application uses less than the part of its fair share that it is owed.
    BelowShare,
    /// The application has lacked its fair share for longer than fairSharePreemptionTimeout.
    ShareTimeout,
    /// The leaf lacks some of its minimum share.
    BelowMinimum,
    /// The leaf has lacked its minimum share for longer than minSharePreemptionTimeout.
    MinimumTimeout,
    /// The search was for containers of the request.
    StarvedCounted,
    /// Containers of others make room for one of the starved request.
    VictimsFound,
    /// The warning is old enough that the container is killed.
    FairKillWait,
    /// A starved application has been searched for (FairScheduler).
    SomebodyStarved,
    /// The container runs on a node that the search looks at.
    VictimAlive,
    /// Containers of the leaf may be taken (allowPreemptionFrom).
    LeafGives,
    /// The application keeps its fair share without the container.
    GiverShare,
    /// The place that a starved request names is there (FairScheduler).
    StarvedPlace,
    /// No other row of a starved request counts in its stead (FairScheduler).
    StarvedOnce,
    /// One container of a starved request is no more than what is lacking (FairScheduler).
    StarvedLack,

    // An ApplicationMaster, before it asks.
    /// The components that a component of a YARN service depends on are ready.
    DependenciesReady,
    /// No other anti-affine instance of the component is asked for (Slider).
    AffinityOneByOne,
    /// A host without an instance of the component is left (Slider).
    AffinityHost,
    /// No copy of a Samza container's state is on the host, or on its rack.
    StandbyHost,
    /// No other request of the Samza job waits before this one.
    RequestTurn,
    /// The delay before a failed Samza container is asked for again is over.
    RetryDelay,
    /// A failed Samza container has retries left.
    RetriesLeft,
    /// The Samza container that a placement message moves has stopped.
    PlacementStopped,
    /// Enough maps of a MapReduce job are done for its reduces to be asked for.
    SlowStart,
    /// The part of a MapReduce job's room that reduces may have holds one more of them.
    ReduceRoom,
    /// The ApplicationMaster's next call, review or check, with which it asks, has come.
    AskDue,
    /// YARN has the request that the ApplicationMaster counts as made.
    RequestMade,
    /// The ResourceManager takes the call that asks.
    CallTaken,
    /// The ApplicationMaster asks again for what preemption took, or what was lost with a node.
    LossAskedAgain,
    /// The ApplicationMaster makes its calls.
    AmCalls,
    /// A process that was asked for stays up, so that its node need not start it again.
    ProcessStays,
}

/// The subject of a check, or of a visit of an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum About {
    /// The whole cluster.
    Cluster,
    Node(NodeId),
    Queue(QueueId),
    /// A user, over the whole cluster.
    User(UserId),
    /// An application, and its user.
    App(AppId),
    Request(AppId, RequestKey),
    /// A request on a node.
    OnNode(AppId, RequestKey, NodeId),
}

impl About {
    /// The application, if it is about one or about something of one.
    pub fn app(self) -> Option<AppId> {
        match self {
            About::App(app) | About::Request(app, _) | About::OnNode(app, ..) => Some(app),
            About::Cluster | About::Node(_) | About::Queue(_) | About::User(_) => None,
        }
    }

    /// The queue, if it is about one.
    pub fn queue(self) -> Option<QueueId> {
        if let About::Queue(queue) = self { Some(queue) } else { None }
    }

    /// The request, if it is about one.
    pub fn request(self) -> Option<(AppId, RequestKey)> {
        match self {
            About::Request(app, key) | About::OnNode(app, key, _) => Some((app, key)),
            About::Cluster | About::Node(_) | About::Queue(_) | About::User(_) | About::App(_) => None,
        }
    }

    /// Returns the same subject of another request of the application, where it names one.
    pub fn of_request(self, key: RequestKey) -> About {
        match self {
            About::Request(app, _) => About::Request(app, key),
            About::OnNode(app, _, node) => About::OnNode(app, key, node),
            About::Cluster | About::Queue(_) | About::User(_) | About::App(_) | About::Node(_) => self,
        }
    }

    /// Returns the same subject on another node, where it names one.
    pub fn on(self, node: NodeId) -> About {
        match self {
            About::Node(_) => About::Node(node),
            About::OnNode(app, key, _) => About::OnNode(app, key, node),
            About::Cluster | About::Queue(_) | About::User(_) | About::App(_) | About::Request(..) => self,
        }
    }
}

/// Whether a check let pass what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed,
    /// Failed, of something that wants nothing: limits are checked before what is wanted.
    Moot,
}

/// A check that failed, whatever it is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub check: Check,
    pub figures: Figures,
}

impl Failure {
    /// Makes the failure of a check that has no figures.
    pub fn of(check: Check) -> Failure {
        Failure { check, figures: Figures::None }
    }

    /// Makes the failure of a check that compares amounts.
    pub fn amounts(check: Check, amounts: Amounts) -> Failure {
        Failure { check, figures: Figures::Amounts(amounts) }
    }
}

/// A check as it was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    pub check: Check,
    pub about: About,
    pub outcome: Outcome,
    pub figures: Figures,
}

impl Checked {
    /// Makes the record of a check that passed.
    pub fn passed(check: Check, about: About, figures: Figures) -> Checked {
        Checked { check, about, outcome: Outcome::Passed, figures }
    }

    /// Makes the record of a check that failed.
    pub fn failed(check: Check, about: About, figures: Figures) -> Checked {
        Checked { check, about, outcome: Outcome::Failed, figures }
    }

    /// The queue whose limit it is: the one that the figures name, else the one that it is about.
    pub fn queue(&self) -> Option<QueueId> {
        self.figures.as_amounts().and_then(|amounts| amounts.queue).or(self.about.queue())
    }

    /// Whether it failed, moot or not.
    pub fn fails(&self) -> bool {
        match self.outcome {
            Outcome::Passed => false,
            Outcome::Failed | Outcome::Moot => true,
        }
    }
}

impl Failure {
    /// The record of this failure.
    pub fn about(self, about: About) -> Checked {
        Checked::failed(self.check, about, self.figures)
    }
}
