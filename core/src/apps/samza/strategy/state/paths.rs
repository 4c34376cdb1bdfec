//! The paths of stores on a host, and the contents of their offset files (samza-host-affinity.md 15.1 and 15.2).

use crate::apps::samza::strategy::job::Settings;
use std::collections::BTreeMap;

/// The file of a store's offsets, by partition.
pub const OFFSETS: &str = "OFFSET-v2";
/// The file of a store's offset in older releases.
pub const OFFSET: &str = "OFFSET";
/// The file of a checkpoint's copy, whose age is checked first.
pub const CHECKPOINT: &str = "CHECKPOINT-V2";

/// Returns the directory of a job's stores on every host: the cluster's setting with the job's name, or else the job's own
/// setting. `None`: the container's working directory, which does not outlive the application.
pub fn base(logged_store_base_dir: Option<&str>, settings: &Settings) -> Option<String> {
    let name = settings.name.as_deref().unwrap_or_default();
    let cluster = logged_store_base_dir.map(|dir| format!("{}/{name}-{}", dir.trim_end_matches('/'), settings.id));
    cluster.or_else(|| settings.logged_base.clone())
}

/// Returns the directory of a store of a task.
pub fn directory(base: &str, store: &str, task: &str) -> String {
    format!("{base}/{store}/{}", task.replace(' ', "_"))
}

/// Returns the directory of a checkpoint's copy.
pub fn checkpoint(base: &str, store: &str, task: &str, id: &str) -> String {
    format!("{}-{id}", directory(base, store, task))
}

/// Returns the offset of a changelog partition in the files. The newer file wins, and counts only for its own partition.
pub fn offset(newer: Option<&str>, older: Option<&str>, partition: &str) -> Option<String> {
    match newer {
        Some(text) => serde_json::from_str::<BTreeMap<String, String>>(text).ok()?.remove(partition),
        None => older.map(str::trim).filter(|o| !o.is_empty()).map(str::to_string),
    }
}
