//! Standby containers: their ids and tasks, and which containers must not share a host (samza-host-affinity.md 4.5).

use super::model::{JobModel, Mode};
use std::collections::BTreeSet;

/// The id of a replica.
pub fn container_id(active: &str, replica: i32) -> String {
    format!("{active}-{replica}")
}

/// Is it a standby container? Any id with a hyphen is.
pub fn is_standby(id: &str) -> bool {
    id.contains('-')
}

/// The active container of a standby container, and an active one's own id.
pub fn active_of(id: &str) -> &str {
    id.split('-').next().unwrap_or(id)
}

/// The task of a replica.
pub fn task_name(active: &str, replica: i32) -> String {
    format!("Standby-{active}-{replica}")
}

/// The active task that a standby task's name stands for: what is between its first two hyphens, whatever was meant.
pub fn active_task(standby: &str) -> &str {
    standby.split('-').nth(1).unwrap_or(standby)
}

fn underlying<'m>(model: &'m JobModel, id: &str) -> BTreeSet<&'m str> {
    let tasks = model.containers.get(id).into_iter().flat_map(|c| &c.tasks);
    tasks.map(|(name, t)| if t.mode == Mode::Standby { active_task(name) } else { name }).collect()
}

/// The containers that must not share a host with this one, in the order in which Samza looks at them.
pub fn constraints(model: &JobModel, id: &str) -> Vec<String> {
    let own = underlying(model, id);
    let others = model.order().into_iter().filter(|other| *other != id);
    others.filter(|other| !underlying(model, other).is_disjoint(&own)).map(str::to_string).collect()
}
