//! The ResourceManager: nodes, applications, attempts and their life cycles, the ApplicationMaster service with the
//! constraint handlers, the chosen scheduler. One method for each thing that reaches a real one; no time of its own.

pub mod api;
mod calls;
mod manager;
pub mod placement;

pub use api::*;
pub use manager::{AppState, ResourceManager, RmApp};
