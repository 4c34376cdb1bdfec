//! The FairScheduler's settings: those of yarn-site.xml ([`FairConf`]), and its allocation file ([`Allocations`])
//! (fair-scheduler.md sections 3, 4 and 5; FairSchedulerConfiguration, AllocationFileLoaderService,
//! AllocationFileQueueParser, QueuePlacementPolicy of Hadoop 3.5.0).

mod amount;
pub mod edit;
pub(crate) mod elements;
mod file;
mod preemption;
mod rules;
mod site;

pub use amount::{Amount, AmountFault, Unnamed};
pub(crate) use file::WHOLE;
pub use file::{Allocations, QueueAllocation, queue_name, read};
pub use preemption::{FairPreemption, Patience, QueuePreemption};
pub use rules::{Rule, RuleKind, default_rules};
pub use site::FairConf;

use crate::model::Resource;

/// The name of the queue file in a scenario.
pub const FILE: &str = "fair-scheduler.xml";

/// No limit of resources: vcores are a 32-bit number in YARN.
pub fn unlimited() -> Resource {
    let mut all = Resource::ZERO.map(|_| i64::MAX);
    all[crate::model::resource::VCORES] = i64::from(i32::MAX);
    all
}

/// How a queue divides its share among its children or applications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Policy {
    /// By memory.
    #[default]
    Fair,
    /// By dominant resource.
    Drf,
    /// First come, first served; leaves only.
    Fifo,
}

impl Policy {
    /// Returns the policy by its name, ignoring case, or its class.
    pub fn read(text: &str) -> Option<Self> {
        match text.to_lowercase().as_str() {
            "fair" => return Some(Policy::Fair),
            "drf" => return Some(Policy::Drf),
            "fifo" => return Some(Policy::Fifo),
            _ => {}
        }
        match text.rsplit('.').next() {
            Some("FairSharePolicy") => Some(Policy::Fair),
            Some("DominantResourceFairnessPolicy") => Some(Policy::Drf),
            Some("FifoPolicy") => Some(Policy::Fifo),
            _ => None,
        }
    }

    pub fn text(self) -> &'static str {
        match self {
            Policy::Fair => "fair",
            Policy::Drf => "drf",
            Policy::Fifo => "fifo",
        }
    }

    /// Returns whether a queue with this policy may have a child with that one (4.4).
    pub fn allows_child(self, child: Policy) -> bool {
        match self {
            Policy::Fair => child != Policy::Drf,
            Policy::Drf => true,
            Policy::Fifo => false,
        }
    }
}
