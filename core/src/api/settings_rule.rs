//! The rules by which settings are refused.

use super::refusal::Refused;
use serde::{Deserialize, Serialize};

/// What is wrong with settings that the ResourceManager refuses (formats.md 2.3), decided where it refuses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SettingsRule {
    /// The capacities of a queue's children sum to 0, and those of the parent do not.
    ZeroSum,
    /// A queue without capacity has children with some.
    ZeroCapacityParent,
    /// The capacities of a queue's children do not sum to 100 %.
    CapacitySum,
    /// A label's capacity out of range.
    LabelCapacity,
    /// A capacity out of range.
    Capacity,
    /// A weight out of range.
    Weight,
    /// An empty list of child queues.
    NoChildNames,
    /// Children with capacities of several kinds.
    MixedCapacities,
    /// An order of applications in a queue that has queues below it.
    ParentOrdering,
    /// An order that is none of a leaf.
    LeafOrdering,
    /// Amounts beside capacities of another kind, in a parent and its children.
    MixedAmounts,
    /// Capacities of several kinds in the labels of one queue.
    MixedLabels,
    /// Amounts of children that are more than their parent's.
    AmountsOfChildren,
    /// A capacity above the queue's maximum.
    AboveOwnMaximum,
    /// A maximum above the parent's.
    AboveParentMaximum,
    /// A weight of a user out of range.
    UserWeight,
    /// Labels listed below a parent with all of them, or the other way round.
    AnyLabel,
    /// Labels that the parent has no access to.
    LabelsOfParent,
    /// A default label that the queue has no access to.
    DefaultLabel,
    /// A queue's maximum allocation above the cluster's.
    QueueMaximum,
    /// A maximum allocation that a refresh lowers.
    MaximumDecreased,
    /// A refresh without a queue that is not stopped.
    Deleted,
    /// A leaf that becomes a parent, or the other way round, while it is in use.
    Converted,
    /// A STOPPED parent of a RUNNING queue.
    StoppedBelow,
    /// A RUNNING queue below one that is not.
    ParentNotRunning,
    /// No state of a queue.
    State,
    /// No format of queue mappings.
    MappingFormat,
    /// A mapping that cannot be read.
    Mapping,
    /// A mapping below a queue that is not there.
    RootUnknown,
    /// A mapping to a queue that no parent can make.
    NoParent,
    /// A mapping below a leaf.
    BelowLeaf,
    /// Applications are sent to a queue that has queues below it.
    NotLeaf,
    /// A path that names no queue, or more than one.
    QueuePath,
    /// A path with an empty part.
    EmptySegment,
    /// A minimum allocation above the maximum, or one that is not positive.
    AllocationBounds,
    /// Amounts of several types under a calculator that looks at memory only.
    MemoryOnly,
    /// A default lifetime above the maximum.
    Lifetime,
    /// A workflow priority that cannot be read.
    WorkflowPriority,
    /// A placement rule that is named twice.
    DuplicateRule,
    /// A parent that is reservable.
    Reservable,
    /// A queue to be added that is there.
    QueueExists,
    /// A queue to be added without a whole path.
    QueueInvalid,
    /// A queue to be removed that cannot be.
    RemoveUnknown,
    /// A policy without a class.
    PolicyClassUnset,
    /// A class that is not known.
    ClassUnknown,
    /// Something named that is not there.
    NotFound,
    /// A bracket of priorities without a maximum, or without a user and a group.
    PriorityAcl,
    /// No number.
    NotANumber,
    /// None of the values that are listed.
    NoConstant,
    /// One of which nothing more is known than its words.
    Other,
}

impl SettingsRule {
    /// Whether the classes of queues throw it as an IOException, not as an unchecked exception.
    pub fn is_io_exception(self) -> bool {
        use SettingsRule::*;
        let labels = matches!(self, AnyLabel | LabelsOfParent | DefaultLabel);
        let sums = matches!(self, ZeroSum | ZeroCapacityParent | CapacitySum | MixedCapacities);
        let amounts = matches!(self, MixedAmounts | AmountsOfChildren | MaximumDecreased);
        labels || sums || amounts || matches!(self, UserWeight | Deleted | Converted)
    }
}

impl From<SettingsRule> for Refused {
    fn from(rule: SettingsRule) -> Self {
        Refused::Settings(rule)
    }
}
