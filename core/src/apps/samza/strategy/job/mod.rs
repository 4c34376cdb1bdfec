//! A Samza job: its configuration, and what follows from it before any request to YARN: tasks, containers, job model
//! (samza-host-affinity.md sections 2 and 4).

pub mod check;
pub mod containers;
pub mod expansion;
pub mod inputs;
pub mod keys;
pub mod model;
pub mod properties;
pub mod settings;
pub mod standby;
pub mod stores;
#[cfg(test)]
mod tests;

pub use inputs::Partition;
pub use model::{ContainerModel, JobModel, Mode, TaskModel};
pub use properties::Properties;
pub use settings::{RefusedValue, Rule, Settings};
pub use stores::StoreSettings;

/// The properties of a job, by their names.
pub type Config = std::collections::BTreeMap<String, String>;
