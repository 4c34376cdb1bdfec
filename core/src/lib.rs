//! Heddle's core: where Apache Hadoop YARN places containers, when, and why.
//!
//! A simulation plays a scenario around a ResourceManager whose scheduler decides as Hadoop 3.5.0's does; the code that
//! takes a decision records it in a journal. No I/O, no clock, no threads, no panics on any input, the same bytes on
//! every target. `docs/architecture.md` is the map.

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
