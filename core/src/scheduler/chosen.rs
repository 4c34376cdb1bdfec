//! How the queue of an application was chosen, as recorded by the rules that chose it.

use super::capacity::mapping::MappingLook;
use super::fair::RuleLook;

/// How the queue of an application was chosen.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct QueueChoice {
    /// The user of the submission's tag `userid=`, whom the rules used instead of the submitter.
    pub on_behalf_of: Option<String>,
    pub by: ChosenBy,
}

/// The rule that chose a queue.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum ChosenBy {
    /// Nothing: the FifoScheduler has one queue.
    #[default]
    OnlyQueue,
    /// The submission: it names a queue, and the CapacityScheduler's mapping rules are not asked
    /// (`queue-mappings-override.enable` is off).
    Submission,
    /// The CapacityScheduler's mapping rules, as far as they were asked, in their order. If none gives a queue, the
    /// requested one is used.
    Mapping(Vec<MappingLook>),
    /// The FairScheduler's placement rules, as far as they were asked, in their order.
    Fair(Vec<RuleLook>),
}
