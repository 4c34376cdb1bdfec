//! Apache Slider (slider-placement.md).

pub mod client;
pub mod import;
pub mod journal;
pub mod scenario;
pub(crate) mod sim;
pub mod strategy;
