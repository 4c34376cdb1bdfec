//! The rules by which settings are refused.

use super::refusal::RefusalRule;
use serde::{Deserialize, Serialize};

/// What is wrong with settings that the ResourceManager refuses (formats.md 2.3), decided by the code that refuses
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SettingsRule {
    /// The capacities of a queue's children sum to 0, and the parent's capacity is not 0.
    ZeroSum,
    /// A queue without capacity has children with capacity.
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
    /// Children with capacities in different modes.
    MixedCapacities,
    /// An ordering policy of applications in a parent queue.
    ParentOrdering,
    /// An ordering policy that leaves do not have.
    LeafOrdering,
    /// Absolute resources mixed with other capacities, in a parent and its children.
    MixedAmounts,
    /// Capacities in different modes among the labels of one queue.
    MixedLabels,
    /// Absolute resources of children that exceed their parent's.
    AmountsOfChildren,
    /// A capacity above the queue's maximum.
    AboveOwnMaximum,
    /// A maximum above the parent's.
    AboveParentMaximum,
    /// A user weight out of range.
    UserWeight,
    /// Labels listed below a parent that has access to all labels, or the other way round.
    AnyLabel,
    /// Labels to which the parent has no access.
    LabelsOfParent,
    /// A default label to which the queue has no access.
    DefaultLabel,
    /// A queue's maximum allocation above the cluster's.
    QueueMaximum,
    /// A refresh that lowers a maximum allocation.
    MaximumDecreased,
    /// A refresh that removes a queue that is not stopped.
    Deleted,
    /// A refresh that turns a leaf in use into a parent, or the other way round.
    Converted,
    /// A STOPPED parent of a RUNNING queue.
    StoppedBelow,
    /// A RUNNING queue below one that is not.
    ParentNotRunning,
    /// An unknown queue state.
    State,
    /// A malformed queue mapping.
    MappingFormat,
    /// A mapping that cannot be parsed.
    Mapping,
    /// A mapping below a queue that does not exist.
    RootUnknown,
    /// A mapping to a queue that no parent can create.
    NoParent,
    /// A mapping below a leaf.
    BelowLeaf,
    /// A mapping to a parent queue.
    NotLeaf,
    /// A path that names no queue, or more than one.
    QueuePath,
    /// A path with an empty part.
    EmptySegment,
    /// A minimum allocation above the maximum, or one that is not positive.
    AllocationBounds,
    /// Absolute resources of several types under a calculator that considers memory only.
    MemoryOnly,
    /// A default lifetime above the maximum.
    Lifetime,
    /// A workflow priority that cannot be parsed.
    WorkflowPriority,
    /// A placement rule that occurs twice.
    DuplicateRule,
    /// A parent queue that is reservable.
    Reservable,
    /// A queue to be added that exists.
    QueueExists,
    /// A queue to be added without a full path.
    QueueInvalid,
    /// A queue to be removed that cannot be removed.
    RemoveUnknown,
    /// A policy without a class.
    PolicyClassUnset,
    /// An unknown class.
    ClassUnknown,
    /// A reference to something that does not exist.
    NotFound,
    /// A bracket of priorities without a maximum, or without a user and a group.
    PriorityAcl,
    /// Not a number.
    NotANumber,
    /// None of the listed values.
    NoConstant,
    /// A rule of which only the message is known.
    Other,
}

impl SettingsRule {
    /// Returns whether the queue classes throw it as an IOException, not as an unchecked exception.
    pub fn is_io_exception(self) -> bool {
        use SettingsRule::*;
        let labels = matches!(self, AnyLabel | LabelsOfParent | DefaultLabel);
        let sums = matches!(self, ZeroSum | ZeroCapacityParent | CapacitySum | MixedCapacities);
        let amounts = matches!(self, MixedAmounts | AmountsOfChildren | MaximumDecreased);
        labels || sums || amounts || matches!(self, UserWeight | Deleted | Converted)
    }
}

impl From<SettingsRule> for RefusalRule {
    fn from(rule: SettingsRule) -> Self {
        RefusalRule::Settings(rule)
    }
}
