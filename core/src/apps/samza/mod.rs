//! Apache Samza with host affinity (samza-host-affinity.md).

pub mod client;
pub mod import;
pub mod journal;
pub mod scenario;
pub(crate) mod sim;
pub mod strategy;
