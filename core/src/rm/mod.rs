//! The ResourceManager: nodes, applications, attempts and their life cycles, the ApplicationMaster service with the
//! constraint handlers, the chosen scheduler. It has one method for each thing that reaches a real ResourceManager, and
//! no clock of its own.
//!
#![doc = include_str!("front_door.md")]

mod admin;
mod admission;
mod allocate;
mod apps;
pub mod autocorrect;
mod blamed;
mod hosts;
mod landing;
mod manager;
mod nodes;
pub mod placement;
mod preempt;
mod present;
mod processor;
mod scheduling;
pub mod states;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
pub mod texts;
mod validate;

pub use crate::api::*;
pub use blamed::{BlamedHosts, BlamedUpdates};
pub use hosts::{Drain, HostLists, NodeCounts};
pub use landing::{Landing, Submitter};
pub use manager::{AmEnd, AppEnd, AppState, ResourceManager, RmApp};
pub use nodes::DrainStatus;
pub use present::RestoredApp;
pub use processor::{Placing, Stage};
