//! Preemption: one room, two rule sets. The FairScheduler's is in [`fair`]; all else here is that of the
//! CapacityScheduler's monitor (ProportionalCapacityPreemptionPolicy of Hadoop 3.5.0; preemption.md part A). A round is
//! a function of its input: [`Snapshot`] holds the figures of the queues, a [`Stock`] gives the containers that it asks
//! for. Its output is a [`Round`], which holds every step with its figures: what was distributed and why, what was
//! selected and why, what was spared and why. [`Monitor`] is the state between rounds: settings, marks, and the time of
//! the next round.
//!
//! | file | section of the reference |
//! |---|---|
//! | `snapshot` | A3 |
//! | `ideal`, `offers` | A4, A5 |
//! | `work`, `taken` | A5 (deduction), A6.3 |
//! | `fifo` | A6 |
//! | `reserved`, `priority` | A7 |
//! | `intra`, `matching` | A8 |
//! | `monitor`, `marks` | A1 (schedule), A9 |

pub mod fair;
mod fifo;
mod ideal;
mod intra;
mod marks;
mod matching;
mod measure;
mod monitor;
mod offers;
mod priority;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod properties;
mod record;
mod reserved;
mod snapshot;
mod taken;
#[cfg(test)]
mod tests;
mod work;

pub use crate::model::Selector;
pub use marks::{Mark, Marks};
pub use measure::{Measure, less};
pub use monitor::{Monitor, Wake};
pub use record::{
    AppWants, Because, Chosen, ConsideredLeaf, Failure, IdealPass, IntraPass, IntraStop, IntraUser, LeafApp, Move,
    Offer, PreemptionAction, PreemptionStep, QueueIdeal, Round, RoundSelection, Scaling, Spared, SparedBy, Unserved,
    UnservedBy,
};
pub use snapshot::{
    AppDemand, Demand, Figures, NodeShot, PartitionShot, Piece, QueueShot, Snapshot, Stock, UserShare, taking_order,
};
