//! Batch applications: groups of tasks with durations.

pub mod strategy;
