//! The FairScheduler's preemption (FSLeafQueue.updateStarvedApps, FSPreemptionThread of Hadoop 3.5.0; preemption.md
//! part B), as functions of their input: whether a leaf and its applications are starved ([`look`]), which of the
//! requests of a starved application count ([`wants`]), which containers to preempt for one of them ([`pick`]), and who
//! waits for the resources ([`Claims`]). The accounting that they read, and the acts that follow, are the scheduler's
//! (`scheduler/fair`).
//!
//! | file | section of the reference |
//! |---|---|
//! | `starvation` | B2 |
//! | `wants`, `visit` | B3(1) |
//! | `pick` | B3(2) |
//! | `claims` | B4 |

mod claims;
mod pick;
mod record;
mod starvation;
#[cfg(test)]
mod tests;
pub mod visit;
mod wants;

pub use claims::Claims;
pub use pick::{Owner, Running, SearchTarget, SearchView, pick};
pub use record::{
    Lack, NodeChoice, NodeLook, Pick, RequestPlace, Search, SearchOutcome, SpareReason, Spared, Standing,
    StarvedRequest, UncountedReason,
};
pub use starvation::{AppLook, Leaf, LeafLook, Minimum, OfMinimum, StarvationFindings, WantingApp, look};
pub use wants::{Request, wants};
