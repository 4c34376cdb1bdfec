//! Why something is refused, as data: the rule and its figures, from the code that decides. YARN's message stands
//! beside it in the [`Refusal`]; no code parses it to find out the reason.

use super::client::ClientRefusal;
use super::settings_rule::SettingsRule;
use crate::check::Check;
use crate::model::{AppId, RequestKey, Resource};
use serde::{Deserialize, Serialize};

/// A refused call; the message is the real one (root cause, first line).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// YARN's message.
    pub message: String,
    /// The rule, with its figures.
    pub kind: Box<RefusalRule>,
    /// The property whose value is refused, if it is one.
    pub key: Option<Box<str>>,
}

impl Refusal {
    /// A refusal by a rule of which only the message is known.
    pub fn new(message: impl Into<String>) -> Self {
        Refusal::of(RefusalRule::Unnamed, message)
    }

    /// A refusal by this rule, with this message.
    pub fn of(kind: impl Into<RefusalRule>, message: impl Into<String>) -> Self {
        Refusal { message: message.into(), kind: Box::new(kind.into()), key: None }
    }

    /// Names the property whose value is refused, unless one is named already.
    pub fn at(mut self, key: &str) -> Self {
        self.key.get_or_insert_with(|| key.into());
        self
    }

    /// A refusal by a client program that does not submit an application, with its message.
    pub fn by_client(refusal: ClientRefusal) -> Self {
        let message = refusal.words().to_string();
        Refusal::of(RefusalRule::ByClient(refusal), message)
    }

    /// Returns whether YARN leaves the exception uncaught while it creates a queue for an application: it catches
    /// IOExceptions only (AbstractParentQueue.createNewQueue).
    pub fn throws(&self) -> bool {
        matches!(&*self.kind, RefusalRule::Settings(rule) if !rule.is_io_exception())
    }
}

/// The rule that refuses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RefusalRule {
    /// A rule of which only the message is known.
    Unnamed,
    /// Refused by the client program, not by YARN.
    Client,
    /// The client program refuses to submit; YARN never sees it.
    ByClient(ClientRefusal),
    /// The target of the call does not exist at that time; not a rule of YARN's.
    NotThere,

    // ---- requests
    /// A container larger than the maximum.
    TooLarge(Box<TooLarge>),
    /// A negative amount of a resource type, given by its place.
    Negative(usize),
    /// A resource type of which the queue's maximum is 0 (FairScheduler).
    NothingOfType {
        queue: String,
        /// Resource types, by their places.
        types: Vec<usize>,
    },
    /// Node labels are disabled.
    LabelsOff {
        label: String,
    },
    /// The queue has no access to a label.
    LabelAccess {
        /// Path of the queue.
        queue: String,
        label: String,
        /// Labels that it may use.
        open: Vec<String>,
    },
    /// The cluster does not have the label.
    LabelUnknown {
        label: String,
    },
    /// An expression with more than one label.
    SeveralLabels {
        label: String,
    },
    /// A label in a row for a host or rack.
    LabelOnPlace {
        /// The host or rack.
        place: String,
    },

    /// The blacklist would contain `*`, every host.
    BlacklistsAll,
    /// A container to release belongs to another attempt.
    ForeignContainer,

    // ---- placement constraints
    /// No handler for them is configured.
    ConstraintsOff,
    /// The scheduler is configured as their handler and cannot handle them.
    ConstraintsUnknown {
        scheduler: String,
    },
    /// A fault in a scheduling request.
    Constraint(BadConstraint),
    /// Too many evaluations of a constraint failed.
    Unevaluable,
    /// The placement processor found no node in this number of attempts.
    NoNode {
        attempts: i32,
    },
    /// The placement processor found nodes, and the scheduler refused the last one, after this number of attempts.
    NotCommitted {
        attempts: i32,
    },

    // ---- submission
    /// More application tags than `yarn.resourcemanager.application.max-tags`.
    TooManyTags {
        most: i32,
    },
    /// An application tag longer than `yarn.resourcemanager.application.max-tag.length`.
    TagTooLong {
        tag: String,
        /// The maximum, in characters.
        most: i32,
    },
    /// An application tag with other characters than printable ASCII.
    TagNotAscii {
        tag: String,
    },
    /// The submission names the empty queue.
    QueueUnnamed,
    /// A mapping rule rejects it, or none yields a queue.
    MappingRule,
    /// The queue does not exist.
    UnknownQueue {
        /// The queue as requested.
        queue: String,
    },
    /// More than one queue has this name.
    AmbiguousQueue {
        /// The queue as requested.
        queue: String,
        /// The paths of the queues that have it.
        paths: Vec<String>,
    },
    /// The queue is not a leaf.
    NotALeaf {
        /// The queue as requested.
        queue: String,
    },
    /// The queue would be below a leaf.
    BelowLeaf {
        /// The queue as requested.
        queue: String,
        leaf: String,
    },
    /// The policies forbid the queue or a parent of it (FairScheduler).
    Policy {
        /// The queue as requested.
        queue: String,
        /// The path of the forbidden one.
        made: String,
        policy: String,
        parent: String,
        of_parent: String,
    },
    /// The queue does not exist and cannot be created.
    NotCreated {
        /// The queue as requested.
        queue: String,
        /// YARN's reason.
        reason: String,
    },
    /// Only a mapping may use a queue that was created by mapping.
    MappingOnly {
        /// The queue as requested.
        queue: String,
    },
    /// The queue or a parent of it is not RUNNING.
    NotRunning {
        /// The path of the queue that is not.
        queue: String,
        /// Whether it still has applications (DRAINING).
        draining: bool,
    },
    /// The user may not submit to the queue.
    Permission {
        user: String,
        queue: String,
    },
    /// The user may not use this priority in the queue.
    Priority {
        user: String,
        priority: i32,
        /// Path of the queue.
        queue: String,
    },
    /// The maximum of applications in the whole system is reached.
    SystemApplications {
        there: i64,
        maximum: i64,
    },
    /// The maximum of applications in the leaf is reached.
    QueueApplications {
        queue: String,
        there: i64,
        maximum: i64,
        /// How the maximum comes about.
        basis: ApplicationsBasis,
    },
    /// The maximum of one user's applications in the leaf is reached.
    UserApplications {
        queue: String,
        user: String,
        there: i64,
        maximum: i64,
        /// The leaf's own maximum, and how it comes about.
        of_queue: (i64, ApplicationsBasis),
        /// `minimum-user-limit-percent`.
        percent: f32,
        /// `user-limit-factor`; −1 for none.
        factor: f32,
    },
    /// An invalid lifetime.
    Lifetime {
        seconds: i64,
    },

    // ---- nodes and administration
    /// A node is smaller than the minimum allocation.
    NodeTooSmall {
        size: Resource,
        /// `minimum-allocation`.
        minimum: Resource,
    },
    Settings(SettingsRule),
    /// An application in this state cannot be moved.
    NotMovable {
        /// YARN's name for the state.
        state: String,
    },
    /// The priority of an application in this state cannot be changed.
    PriorityStays {
        /// YARN's name for the state.
        state: String,
    },
    /// The scheduler does not support moving applications.
    NoMoves,
    /// The scheduler does not support priorities of applications.
    NoPriorities,
    /// A move would exceed a limit of a queue (FairScheduler).
    MoveLimit {
        queue: String,
        /// YARN's name for it: `maxRunningApps` or `maxShare`.
        limit: String,
    },
    /// The simulation's limit of nodes or applications is reached.
    Beyond {
        most: usize,
    },
}

impl RefusalRule {
    /// The check that failed, with these figures. `None`: it is not a check of YARN's, or only the message is known.
    pub fn check(&self) -> Option<Check> {
        Some(match self {
            RefusalRule::TooLarge(_) | RefusalRule::Negative(_) => Check::AskSize,
            RefusalRule::NothingOfType { .. } => Check::AskTypes,
            RefusalRule::LabelsOff { .. }
            | RefusalRule::LabelAccess { .. }
            | RefusalRule::LabelUnknown { .. }
            | RefusalRule::SeveralLabels { .. }
            | RefusalRule::LabelOnPlace { .. } => Check::AskLabel,
            RefusalRule::BlacklistsAll => Check::AskBlacklist,
            RefusalRule::ForeignContainer => Check::AskRelease,
            RefusalRule::ConstraintsOff | RefusalRule::ConstraintsUnknown { .. } => Check::ConstraintHandler,
            RefusalRule::Constraint(_) => Check::ConstraintAsk,
            RefusalRule::Unevaluable => Check::ConstraintErrors,
            RefusalRule::NoNode { .. } => Check::ProcessorPlaced,
            RefusalRule::NotCommitted { .. } => Check::ProcessorCommitted,
            RefusalRule::TooManyTags { .. } | RefusalRule::TagTooLong { .. } | RefusalRule::TagNotAscii { .. } => {
                Check::SubmissionTags
            }
            RefusalRule::QueueUnnamed
            | RefusalRule::UnknownQueue { .. }
            | RefusalRule::AmbiguousQueue { .. }
            | RefusalRule::NotALeaf { .. }
            | RefusalRule::BelowLeaf { .. }
            | RefusalRule::Policy { .. }
            | RefusalRule::NotCreated { .. }
            | RefusalRule::MappingOnly { .. } => Check::SubmissionQueue,
            RefusalRule::MappingRule => Check::PlacementRule,
            RefusalRule::NotRunning { .. } => Check::QueueRunning,
            RefusalRule::Permission { .. } => Check::SubmitPermission,
            RefusalRule::Priority { .. } => Check::PriorityPermission,
            RefusalRule::SystemApplications { .. } => Check::SystemApplications,
            RefusalRule::QueueApplications { .. } => Check::QueueApplications,
            RefusalRule::UserApplications { .. } => Check::UserApplications,
            RefusalRule::Lifetime { .. } => Check::SubmissionLifetime,
            RefusalRule::NodeTooSmall { .. } => Check::RegisteredSize,
            RefusalRule::Settings(_) => Check::SettingsValid,
            RefusalRule::NotMovable { .. } => Check::MoveState,
            RefusalRule::NoMoves => Check::MoveSupported,
            RefusalRule::NoPriorities | RefusalRule::PriorityStays { .. } => Check::PriorityChange,
            RefusalRule::MoveLimit { .. } => Check::MoveLimits,
            RefusalRule::Unnamed
            | RefusalRule::Client
            | RefusalRule::ByClient(_)
            | RefusalRule::NotThere
            | RefusalRule::Beyond { .. } => {
                return None;
            }
        })
    }
}

/// A container larger than the maximum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TooLarge {
    /// Whether it is an ApplicationMaster's.
    pub am: bool,
    /// The resource type that is too large, by its place.
    pub kind: usize,
    pub asked: Resource,
    /// The maximum: the least of the three below.
    pub maximum: Resource,
    /// The cluster's configured maximum.
    pub configured: Resource,
    /// The most of each type that one registered node has; `None` without nodes.
    pub largest_node: Option<Resource>,
    /// The path of the queue, and its own maximum.
    pub of_queue: Option<(String, Resource)>,
}

/// A fault in a scheduling request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadConstraint {
    /// A ResourceRequest has the same priority and allocation request id.
    KeyOfResourceRequest,
    /// A scheduling request has the same priority and allocation request id.
    KeyOfSchedulingRequest,
    NotGuaranteed,
    /// More than one node partition in a target expression.
    SeveralPartitions,
    /// It updates a request that has no constraint to compare with (YARN's own error).
    NothingToCompare,
    /// It updates something else than the count of a request.
    OtherThanCount,
    /// A count below 0.
    NegativeCount,
}

/// How the maximum number of a leaf's applications comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum ApplicationsBasis {
    /// The leaf's own `maximum-applications`.
    Own(i32),
    /// `global-queue-max-application` for every leaf, or the system's maximum if that is less.
    Every(i32),
    /// The leaf's share of the system's maximum: the largest absolute capacity among its labels.
    Share {
        /// The system's maximum.
        of: i32,
        /// The share, 1 for all.
        share: f32,
    },
    /// The leaf has no share of anything.
    #[default]
    Nothing,
}

impl ApplicationsBasis {
    pub fn maximum(self) -> i32 {
        match self {
            ApplicationsBasis::Own(n) | ApplicationsBasis::Every(n) => n,
            ApplicationsBasis::Share { of, share } => (of as f32 * share) as i32,
            ApplicationsBasis::Nothing => -1,
        }
    }
}

/// A request that is granted smaller than asked: YARN silently caps it at the maximum allocation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    pub app: AppId,
    pub key: RequestKey,
    pub asked: Resource,
    /// The capped size.
    pub given: Resource,
}
