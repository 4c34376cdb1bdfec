//! The grouping of tasks into containers (samza-host-affinity.md 4.3).

use super::model::Impossible;
use crate::model::java;
use std::collections::BTreeMap;

/// Containers by id, each with its tasks.
pub type Groups = BTreeMap<String, Vec<String>>;

/// The record of earlier runs.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Known {
    /// The container of each active task.
    pub previous: BTreeMap<String, String>,
    /// The last host of each container; ANY_HOST if there is none.
    pub processor_hosts: BTreeMap<String, String>,
    /// The last host of each task.
    pub task_hosts: BTreeMap<String, String>,
}

fn sorted(tasks: &[String]) -> Vec<String> {
    let mut tasks = tasks.to_vec();
    tasks.sort_unstable();
    tasks
}

/// Assigns tasks to containers in turn, in text order.
fn in_turn(tasks: &[String], ids: &[String]) -> Groups {
    let mut groups: Groups = ids.iter().map(|id| (id.clone(), Vec::new())).collect();
    for (task, id) in sorted(tasks).into_iter().zip(ids.iter().cycle()) {
        groups.entry(id.clone()).or_default().push(task);
    }
    groups
}

fn numbers(count: i32) -> Vec<String> {
    (0..count).map(|i| i.to_string()).collect()
}

/// Groups by GroupByContainerCount: as before as far as the number of containers allows; without history in turn.
pub fn by_count(
    tasks: &[String],
    count: i32,
    previous: Option<&BTreeMap<String, String>>,
) -> Result<Groups, Impossible> {
    if count < 1 {
        return Err(Impossible::NoContainers);
    }
    if tasks.is_empty() {
        return Err(Impossible::NoTasks);
    }
    if tasks.len() < count as usize {
        return Err(Impossible::TooFewTasks { tasks: tasks.len(), containers: count });
    }
    let before = previous.filter(|p| p.len() == tasks.len()).and_then(numbered);
    match before {
        Some(before) if before.len() > 1 && count > 1 => {
            let unknown = before.iter().flatten().find(|task| !tasks.contains(task));
            match unknown {
                Some(task) => Err(Impossible::UnknownTask { task: task.clone() }),
                None => Ok(rebalanced(before, tasks.len(), count as usize)),
            }
        }
        _ => Ok(in_turn(tasks, &numbers(count))),
    }
}

/// Returns the tasks of containers 0 to M−1, each in text order; `None` if a number is missing.
fn numbered(previous: &BTreeMap<String, String>) -> Option<Vec<Vec<String>>> {
    let mut groups = Groups::new();
    for (task, id) in previous {
        groups.entry(id.clone()).or_default().push(task.clone());
    }
    let ids = numbers(i32::try_from(groups.len()).ok()?);
    let all = ids.iter().map(|id| groups.remove(id)).collect::<Option<Vec<_>>>()?;
    (!all.is_empty()).then_some(all)
}

fn rebalanced(mut groups: Vec<Vec<String>>, tasks: usize, count: usize) -> Groups {
    if groups.len() != count {
        let target = |i: usize| if i < count { tasks / count + usize::from(tasks % count > i) } else { 0 };
        let mut pool = Vec::new();
        for (i, group) in groups.iter_mut().enumerate() {
            while group.len() > target(i) {
                pool.extend(group.pop());
            }
        }
        groups.resize(count, Vec::new());
        let mut pool = pool.into_iter();
        for (i, group) in groups.iter_mut().enumerate() {
            let missing = target(i).saturating_sub(group.len());
            group.extend(pool.by_ref().take(missing));
        }
    }
    groups.into_iter().enumerate().map(|(i, group)| (i.to_string(), group)).collect()
}

/// Groups by GroupByContainerIds without history; without a list of ids there are as many containers as configured.
pub fn by_ids(tasks: &[String], count: i32, ids: Option<&[String]>) -> Result<Groups, Impossible> {
    let ids = ids.map_or_else(|| numbers(count), <[String]>::to_vec);
    if ids.is_empty() {
        return Err(Impossible::NoContainers);
    }
    if tasks.is_empty() {
        return Err(Impossible::NoTasks);
    }
    let ids = if ids.len() > tasks.len() { sorted(&ids).into_iter().take(tasks.len()).collect() } else { ids };
    Ok(in_turn(tasks, &ids))
}

/// Groups by GroupByContainerIds with history: tasks go to their last host as far as there is space; the others go where there
/// is space. Tasks are processed in the given order; the real system has no defined order.
pub fn by_location(tasks: &[String], known: &Known) -> Result<Groups, Impossible> {
    if tasks.is_empty() {
        return Err(Impossible::NoTasks);
    }
    if known.processor_hosts.is_empty() {
        return Err(Impossible::NoContainers);
    }
    let mut ids: Vec<&str> = known.processor_hosts.keys().map(String::as_str).collect();
    if ids.len() > tasks.len() {
        ids.truncate(tasks.len());
        ids = java::set_walk(&ids);
    }
    let room = tasks.len() / ids.len();
    let mut groups: Groups = ids.iter().map(|id| (id.to_string(), Vec::new())).collect();
    let mut others = Vec::new();
    for task in tasks {
        let host = known.task_hosts.get(task);
        let there = ids.iter().find(|id| {
            host.is_some()
                && known.processor_hosts.get(**id) == host
                && groups.get(**id).is_some_and(|g| g.len() < room)
        });
        match there.and_then(|id| groups.get_mut(*id)) {
            Some(group) => group.push(task.clone()),
            None => others.push(task),
        }
    }
    let mut cycle = ids.iter().cycle();
    for task in others {
        let free = groups.values_mut().find(|g| g.len() < room);
        let group = match free {
            Some(group) => Some(group),
            None => cycle.next().and_then(|id| groups.get_mut(*id)),
        };
        group.into_iter().for_each(|g| g.push(task.clone()));
    }
    Ok(groups)
}

/// Returns the order in which a Java hash map iterates over the ids 0 to `count` − 1: that of the containers without host
/// affinity.
pub fn hash_order(count: i32) -> Vec<String> {
    let ids = numbers(count);
    let refs: Vec<&str> = ids.iter().map(String::as_str).collect();
    java::set_walk(&refs).into_iter().map(str::to_string).collect()
}
