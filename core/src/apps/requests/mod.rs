//! Allocate calls at given times.

pub mod scenario;
pub(crate) mod sim;
pub mod strategy;
