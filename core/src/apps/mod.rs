//! The kinds of applications, a folder each. A folder holds everything about one kind: its entry in a scenario, its client
//! program, its ApplicationMaster, what it records, and how a run plays it.
//!
//! Each part of a kind belongs to the layer of the core whose name it carries: `samza/strategy` may use what `crate::strategy`
//! may use, and nothing else. The files beside the folders are the tables of the kinds, one for each layer that asks:
//! `scenario` ([`scenario::AppKind`]), `strategy` ([`strategy::Master`]), `journal` ([`journal::MasterAct`]) and `sim`. No kind
//! uses another one.

pub mod batch;
pub mod distributed_shell;
pub mod import;
pub mod journal;
pub mod mapreduce;
pub mod requests;
pub mod samza;
pub mod scenario;
pub mod service;
pub(crate) mod sim;
pub mod slider;
pub mod strategy;
