//! Hadoop's distributed shell (lifecycles-and-timing.md 6.2).

pub mod client;
pub mod constraint;
pub mod import;
pub mod scenario;
pub(crate) mod sim;
pub mod strategy;
