//! Batch applications: groups of tasks with durations.

pub mod scenario;
pub(crate) mod sim;
pub mod strategy;
