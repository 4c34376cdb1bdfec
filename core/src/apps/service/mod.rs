//! YARN services (lifecycles-and-timing.md 6.3).

pub mod client;
pub mod constraint;
pub mod import;
pub mod journal;
pub mod scenario;
pub(crate) mod sim;
pub mod strategy;
