//! Why something is refused, as data: the rule and its figures, from the place that decides. YARN's words stand beside
//! it in the [`Refusal`]; nobody reads them to find out what happened.

use super::client::ClientRefusal;
use super::settings_rule::SettingsRule;
use crate::check::Check;
use crate::model::{AppId, RequestKey, Resource};
use serde::{Deserialize, Serialize};

/// A call was refused; the message is the real one's (root cause, first line).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// YARN's words.
    pub message: String,
    /// The rule, with its figures.
    pub kind: Box<Refused>,
    /// The property whose value is refused, where it is that of one.
    pub key: Option<Box<str>>,
}

impl Refusal {
    /// By a rule that nothing more is known of than its words.
    pub fn new(message: impl Into<String>) -> Self {
        Refusal::of(Refused::Unnamed, message)
    }

    /// By this rule, in these words.
    pub fn of(kind: impl Into<Refused>, message: impl Into<String>) -> Self {
        Refusal { message: message.into(), kind: Box::new(kind.into()), key: None }
    }

    /// For the value of this property, unless it is known for which.
    pub fn at(mut self, key: &str) -> Self {
        self.key.get_or_insert_with(|| key.into());
        self
    }

    /// By a client program that does not submit an application, in its words.
    pub fn by_client(refusal: ClientRefusal) -> Self {
        let message = refusal.words().to_string();
        Refusal::of(Refused::ByClient(refusal), message)
    }

    /// Whether YARN leaves the exception uncaught while it makes a queue for an application: it catches IOExceptions only
    /// (AbstractParentQueue.createNewQueue).
    pub fn throws(&self) -> bool {
        matches!(&*self.kind, Refused::Settings(rule) if !rule.is_io_exception())
    }
}

/// The rule that refuses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Refused {
    /// One that nothing more is known of than its words.
    Unnamed,
    /// Not YARN: the client program does not do it.
    Client,
    /// Not YARN: the client program does not submit it.
    ByClient(ClientRefusal),
    /// Not YARN: what it is about is not there at that time.
    NotThere,

    // ---- what is asked for
    /// A container larger than may be asked for.
    TooLarge(Box<TooLarge>),
    /// Less than nothing of a resource type, by its place.
    Negative(usize),
    /// Something of a type of which the queue may have nothing (FairScheduler).
    NothingOfType {
        queue: String,
        /// Resource types, by their places.
        types: Vec<usize>,
    },
    /// Node labels are switched off.
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
    /// The cluster has no such label.
    LabelUnknown {
        label: String,
    },
    /// More than one label in an expression.
    SeveralLabels {
        label: String,
    },
    /// A label in a row for a host or rack.
    LabelOnPlace {
        /// The host or rack.
        place: String,
    },

    /// The blacklist is to have `*`, every host.
    BlacklistsAll,
    /// A container that is to be released is not one of the attempt that calls.
    ForeignContainer,

    // ---- placement constraints
    /// Nobody handles them.
    ConstraintsOff,
    /// The scheduler is to handle them and cannot.
    ConstraintsUnknown {
        scheduler: String,
    },
    /// Something in a scheduling request.
    Constraint(BadConstraint),
    /// Too many evaluations of a constraint went wrong.
    Unevaluable,
    /// The placement processor found no node, in so many attempts.
    NoNode {
        attempts: i32,
    },
    /// The placement processor found nodes, and the scheduler refused the last, after so many attempts.
    NotCommitted {
        attempts: i32,
    },

    // ---- where it is submitted
    /// More application tags than `yarn.resourcemanager.application.max-tags`.
    TooManyTags {
        most: i32,
    },
    /// An application tag longer than `yarn.resourcemanager.application.max-tag.length`.
    TagTooLong {
        tag: String,
        /// Characters.
        most: i32,
    },
    /// An application tag with something else than printable ASCII characters.
    TagNotAscii {
        tag: String,
    },
    /// The submission names the empty queue.
    QueueUnnamed,
    /// A mapping rule rejects it, or none gives a queue.
    MappingRule,
    /// There is no such queue.
    UnknownQueue {
        /// As asked for.
        queue: String,
    },
    /// More than one queue has the name.
    AmbiguousQueue {
        /// As asked for.
        queue: String,
        /// Paths of those that have it.
        paths: Vec<String>,
    },
    /// It is no leaf.
    NotALeaf {
        /// As asked for.
        queue: String,
    },
    /// It would be below a leaf.
    BelowLeaf {
        /// As asked for.
        queue: String,
        leaf: String,
    },
    /// The policies forbid the queue, or one above it (FairScheduler).
    Policy {
        /// As asked for.
        queue: String,
        /// Path of the one that they forbid.
        made: String,
        policy: String,
        parent: String,
        of_parent: String,
    },
    /// The queue is not there and cannot be made.
    NotCreated {
        /// As asked for.
        queue: String,
        /// YARN's reason.
        reason: String,
    },
    /// A queue that was made by mapping may be reached by mapping only.
    MappingOnly {
        /// As asked for.
        queue: String,
    },
    /// The queue, or one above it, is not RUNNING.
    NotRunning {
        /// Path of the one that is not.
        queue: String,
        /// Does it still run something (DRAINING)?
        draining: bool,
    },
    /// The user may not submit there.
    Permission {
        user: String,
        queue: String,
    },
    /// The user may not have this priority there.
    Priority {
        user: String,
        priority: i32,
        /// Path of the queue.
        queue: String,
    },
    /// Applications in the whole system.
    SystemApplications {
        there: i64,
        maximum: i64,
    },
    /// Applications in the leaf.
    QueueApplications {
        queue: String,
        there: i64,
        maximum: i64,
        /// How that comes about.
        basis: ApplicationsBasis,
    },
    /// Applications of one user in the leaf.
    UserApplications {
        queue: String,
        user: String,
        there: i64,
        maximum: i64,
        /// The leaf's own maximum, and how that comes about.
        of_queue: (i64, ApplicationsBasis),
        /// `minimum-user-limit-percent`.
        percent: f32,
        /// `user-limit-factor`; −1 for none.
        factor: f32,
    },
    /// A lifetime that is none.
    Lifetime {
        seconds: i64,
    },

    // ---- nodes and administration
    /// A node is smaller than the smallest container.
    NodeTooSmall {
        size: Resource,
        /// `minimum-allocation`.
        minimum: Resource,
    },
    Settings(SettingsRule),
    /// An application in this state cannot be moved.
    NotMovable {
        /// As YARN names it.
        state: String,
    },
    /// The priority of an application in this state cannot be changed.
    PriorityStays {
        /// As YARN names it.
        state: String,
    },
    /// The scheduler moves no applications.
    NoMoves,
    /// The scheduler knows no priorities of applications.
    NoPriorities,
    /// A move would pass a limit of a queue (FairScheduler).
    MoveLimit {
        queue: String,
        /// `maxRunningApps` or `maxShare`, as YARN names it.
        limit: String,
    },
    /// The simulation takes no more nodes or applications.
    Beyond {
        most: usize,
    },
}

impl Refused {
    /// The check that failed; these are its figures. `None`: it is no check of YARN's, or one of which only the words are
    /// known.
    pub fn check(&self) -> Option<Check> {
        Some(match self {
            Refused::TooLarge(_) | Refused::Negative(_) => Check::AskSize,
            Refused::NothingOfType { .. } => Check::AskTypes,
            Refused::LabelsOff { .. }
            | Refused::LabelAccess { .. }
            | Refused::LabelUnknown { .. }
            | Refused::SeveralLabels { .. }
            | Refused::LabelOnPlace { .. } => Check::AskLabel,
            Refused::BlacklistsAll => Check::AskBlacklist,
            Refused::ForeignContainer => Check::AskRelease,
            Refused::ConstraintsOff | Refused::ConstraintsUnknown { .. } => Check::ConstraintHandler,
            Refused::Constraint(_) => Check::ConstraintAsk,
            Refused::Unevaluable => Check::ConstraintErrors,
            Refused::NoNode { .. } => Check::ProcessorPlaced,
            Refused::NotCommitted { .. } => Check::ProcessorCommitted,
            Refused::TooManyTags { .. } | Refused::TagTooLong { .. } | Refused::TagNotAscii { .. } => {
                Check::SubmissionTags
            }
            Refused::QueueUnnamed
            | Refused::UnknownQueue { .. }
            | Refused::AmbiguousQueue { .. }
            | Refused::NotALeaf { .. }
            | Refused::BelowLeaf { .. }
            | Refused::Policy { .. }
            | Refused::NotCreated { .. }
            | Refused::MappingOnly { .. } => Check::SubmissionQueue,
            Refused::MappingRule => Check::PlacementRule,
            Refused::NotRunning { .. } => Check::QueueRunning,
            Refused::Permission { .. } => Check::SubmitPermission,
            Refused::Priority { .. } => Check::PriorityPermission,
            Refused::SystemApplications { .. } => Check::SystemApplications,
            Refused::QueueApplications { .. } => Check::QueueApplications,
            Refused::UserApplications { .. } => Check::UserApplications,
            Refused::Lifetime { .. } => Check::SubmissionLifetime,
            Refused::NodeTooSmall { .. } => Check::RegisteredSize,
            Refused::Settings(_) => Check::SettingsValid,
            Refused::NotMovable { .. } => Check::MoveState,
            Refused::NoMoves => Check::MoveSupported,
            Refused::NoPriorities | Refused::PriorityStays { .. } => Check::PriorityChange,
            Refused::MoveLimit { .. } => Check::MoveLimits,
            Refused::Unnamed | Refused::Client | Refused::ByClient(_) | Refused::NotThere | Refused::Beyond { .. } => {
                return None;
            }
        })
    }
}

/// A container larger than may be asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TooLarge {
    /// An ApplicationMaster's own?
    pub am: bool,
    /// Resource type that is too large, by its place.
    pub kind: usize,
    pub asked: Resource,
    /// At most: the least of the three below.
    pub maximum: Resource,
    /// What is configured for the cluster.
    pub configured: Resource,
    /// Of each type the most that one registered node has; `None` without nodes.
    pub largest_node: Option<Resource>,
    /// The queue, by its path, and its own maximum.
    pub of_queue: Option<(String, Resource)>,
}

/// Something in a scheduling request that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BadConstraint {
    /// A ResourceRequest has the same priority and allocation request id.
    KeyOfResourceRequest,
    /// A scheduling request has the same priority and allocation request id.
    KeyOfSchedulingRequest,
    NotGuaranteed,
    /// More than one node partition in a target expression.
    SeveralPartitions,
    /// It changes a request that has nothing to be compared with (YARN's own error).
    NothingToCompare,
    /// It changes something else than the count of a request.
    OtherThanCount,
    /// A count below 0.
    NegativeCount,
}

/// How the maximum of a leaf's applications comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum ApplicationsBasis {
    /// The leaf's own `maximum-applications`.
    Own(i32),
    /// The same for every leaf: `global-queue-max-application`, or the system's where that is less.
    Every(i32),
    /// The leaf's share of the system's: the largest of its labels' absolute capacities.
    Share {
        /// The system's.
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

/// A size that is granted smaller than it was asked for: YARN cuts it at what may be asked for, without a word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cut {
    pub app: AppId,
    pub key: RequestKey,
    pub asked: Resource,
    /// Size that it has from then on.
    pub given: Resource,
}
