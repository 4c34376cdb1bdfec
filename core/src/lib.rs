//! Heddle's core: where Apache Hadoop YARN places containers, when, and why.
//!
//! A scenario is played by a simulation around a ResourceManager whose scheduler decides as Hadoop 3.5.0's
//! does; whatever is decided is written into a journal by the code that decides it. No I/O, no clock, no
//! threads, no panics on any input, the same bytes on every target. `docs/architecture.md` is the map.

pub mod api;
pub mod apps;
pub mod check;
pub mod client;
pub mod config;
pub mod constraint;
pub mod import;
pub mod journal;
pub mod model;
pub mod preemption;
pub mod rm;
pub mod scenario;
pub mod scheduler;
pub mod sim;
pub mod strategy;
