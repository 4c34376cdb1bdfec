//! Standby containers: their ids and tasks, and which containers must not share a host (samza-host-affinity.md 4.5).

use super::model::{JobModel, Mode};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the id of a replica.
pub fn container_id(active: &str, replica: i32) -> String {
    format!("{active}-{replica}")
}

/// Returns whether it is a standby container: any id with a hyphen is.
pub fn is_standby(id: &str) -> bool {
    id.contains('-')
}

/// Returns the active container of a standby container, or an active one's own id.
pub fn active_of(id: &str) -> &str {
    id.split('-').next().unwrap_or(id)
}

/// Returns the task name of a replica.
pub fn task_name(active: &str, replica: i32) -> String {
    format!("Standby-{active}-{replica}")
}

/// Returns the active task in a standby task's name: the text between its first two hyphens, even if the task's own name has
/// hyphens.
pub fn active_task(standby: &str) -> &str {
    standby.split('-').nth(1).unwrap_or(standby)
}

fn underlying<'m>(model: &'m JobModel, id: &str) -> BTreeSet<&'m str> {
    let tasks = model.containers.get(id).into_iter().flat_map(|c| &c.tasks);
    tasks.map(|(name, t)| if t.mode == Mode::Standby { active_task(name) } else { name }).collect()
}

/// Returns for each container those that must not share a host with it, in the order in which Samza checks them. Containers
/// exclude each other if they have a task in common, whether active or standby; the time is linear in tasks.
pub fn constraints(model: &JobModel) -> BTreeMap<String, Vec<String>> {
    let order = model.order();
    let mut holders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, id) in order.iter().enumerate() {
        for task in underlying(model, id) {
            holders.entry(task).or_default().push(place);
        }
    }
    let of = |(place, id): (usize, &&str)| {
        let shared = underlying(model, id);
        let mut others: BTreeSet<usize> =
            shared.iter().filter_map(|task| holders.get(task)).flatten().copied().collect();
        others.remove(&place);
        (id.to_string(), others.into_iter().map(|other| order[other].to_string()).collect())
    };
    order.iter().enumerate().map(of).collect()
}
