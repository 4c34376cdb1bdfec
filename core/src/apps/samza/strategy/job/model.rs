//! The job model: which container has which tasks, by the configuration and by the coordinator stream's record of earlier runs
//! (samza-host-affinity.md section 4).

use super::containers::{self, Groups, Known};
use super::inputs::{Partition, Tasks};
use super::settings::{Settings, TaskGrouper};
use super::{expansion, standby};
use crate::apps::samza::strategy::ANY_HOST;
use crate::apps::samza::strategy::stream::CoordinatorStream;
use crate::model::java;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a task processes, or only follows the changelog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It processes.
    Active,
    /// It follows.
    Standby,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskModel {
    /// Its input partitions.
    pub partitions: BTreeSet<Partition>,
    /// Its partition of the changelogs.
    pub changelog: i32,
    /// Its mode.
    pub mode: Mode,
}

/// A container.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ContainerModel {
    /// Its tasks, by name.
    pub tasks: BTreeMap<String, TaskModel>,
}

/// All containers of a job, including standby containers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct JobModel {
    /// The containers by id.
    pub containers: BTreeMap<String, ContainerModel>,
}

/// The reason why there is no job model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// The grouper is `AllToSingleTask`, and there are no partitions.
    NoPartitions,
    /// There are no tasks.
    NoTasks,
    /// There are no containers.
    NoContainers,
    /// There are more containers than tasks.
    TooFewTasks {
        /// The number of tasks.
        tasks: usize,
        /// The number of containers.
        containers: i32,
    },
    /// The number of partitions is not a multiple of the previous one.
    NotMultiple {
        /// The stream.
        stream: String,
        /// The previous number.
        before: usize,
        /// The current number.
        now: usize,
    },
    /// The task that has to keep a partition no longer exists.
    TaskGone {
        /// The task.
        task: String,
        /// The partition.
        partition: Partition,
    },
    /// The stored assignment names a task that no longer exists.
    UnknownTask {
        /// The task.
        task: String,
    },
}

impl JobModel {
    /// Returns the containers with their tasks, each with its partitions and its partition of the changelogs, and replicas for
    /// standby.
    pub fn of(groups: Groups, tasks: &Tasks, changelog: &BTreeMap<String, i32>, replication: i32) -> Self {
        let mut model = JobModel::default();
        for (id, names) in groups {
            let task = |name: &String, mode| TaskModel {
                partitions: tasks.get(name).cloned().unwrap_or_default(),
                changelog: changelog.get(name).copied().unwrap_or_default(),
                mode,
            };
            for replica in 0..replication - 1 {
                let copy = |name: &String| (standby::task_name(name, replica), task(name, Mode::Standby));
                let copy = ContainerModel { tasks: names.iter().map(copy).collect() };
                model.containers.insert(standby::container_id(&id, replica), copy);
            }
            let tasks = names.iter().map(|name| (name.clone(), task(name, Mode::Active))).collect();
            model.containers.insert(id, ContainerModel { tasks });
        }
        model
    }

    /// Returns the ids in the order of the first requests: that of Java's hash map, into which they were put in text order.
    pub fn order(&self) -> Vec<&str> {
        let ids: Vec<&str> = self.containers.keys().map(String::as_str).collect();
        java::set_walk(&ids)
    }

    /// Returns the tasks of a mode, by name.
    pub fn tasks(&self, mode: Mode) -> impl Iterator<Item = (&String, &TaskModel)> {
        self.containers.values().flat_map(|c| &c.tasks).filter(move |(_, t)| t.mode == mode)
    }
}

/// A job model, and its changes to the stored state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The model.
    pub model: JobModel,
    /// The stored entries that were dropped.
    pub dropped: Dropped,
}

/// Stored entries that were dropped.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Dropped {
    /// The former active tasks, if their number changed: keys may now go to tasks other than those with their state. The stored
    /// partitions of the inputs are dropped too.
    pub active: Option<Vec<String>>,
    /// The former standby tasks, if they changed.
    pub standby: Option<Vec<String>>,
}

/// Returns the stream's record of earlier runs.
pub fn known(settings: &Settings, stream: &CoordinatorStream) -> Known {
    let ids = (0..settings.containers).map(|i| i.to_string());
    let host = |id: &String| stream.hosts.get(id).filter(|h| !h.is_empty()).cloned();
    let processor_hosts: BTreeMap<String, String> =
        ids.map(|id| (id.clone(), host(&id).unwrap_or_else(|| ANY_HOST.into()))).collect();
    let active = |task: &String| stream.task_modes.get(task) != Some(&Mode::Standby);
    let previous: BTreeMap<String, String> =
        stream.task_containers.iter().filter(|(task, _)| active(task)).map(|(t, c)| (t.clone(), c.clone())).collect();
    let task_hosts =
        previous.iter().filter_map(|(task, id)| Some((task.clone(), processor_hosts.get(id)?.clone()))).collect();
    Known { previous, processor_hosts, task_hosts }
}

/// Returns the partitions that active tasks had, by the stream.
fn partitions_before(stream: &CoordinatorStream) -> Tasks {
    let mut out = Tasks::new();
    for (partition, tasks) in &stream.partitions {
        for task in tasks.iter().filter(|t| stream.task_modes.get(*t) != Some(&Mode::Standby)) {
            out.entry(task.clone()).or_default().insert(partition.clone());
        }
    }
    out
}

/// Returns the active tasks of a configuration, with their partitions. `streams`: the number of partitions of each stream.
pub fn tasks(
    settings: &Settings,
    streams: &BTreeMap<String, u32>,
    stream: &CoordinatorStream,
) -> Result<Tasks, Impossible> {
    let of = |name: &String| {
        let count = streams.get(name).copied().unwrap_or(0);
        (0..count).map(|n| Partition::new(name.as_str(), n)).collect::<Vec<_>>()
    };
    let partitions: Vec<Partition> = settings.inputs.iter().flat_map(of).collect();
    let ids: Vec<String> = (0..settings.containers).map(|i| i.to_string()).collect();
    let grouped = settings.partition_grouper.group(&partitions, &settings.broadcast, settings.elasticity, &ids)?;
    let previous = partitions_before(stream);
    if !settings.expansion || settings.persistent_stores() == 0 || previous.is_empty() {
        return Ok(grouped);
    }
    expansion::expand(grouped, &previous, &settings.broadcast)
}

/// Builds the job model, and writes what the next run has to know. Errors: there is no model, and nothing is written.
pub fn build(
    settings: &Settings,
    streams: &BTreeMap<String, u32>,
    stream: &mut CoordinatorStream,
) -> Result<Built, Impossible> {
    let tasks = tasks(settings, streams, stream)?;
    let known = known(settings, stream);
    let names: Vec<String> = tasks.keys().cloned().collect();
    let groups = match (settings.task_grouper, settings.host_affinity) {
        (TaskGrouper::ContainerCount, affinity) => {
            containers::by_count(&names, settings.containers, affinity.then_some(&known.previous))?
        }
        (TaskGrouper::ContainerIds, true) => containers::by_location(&names, &known)?,
        (TaskGrouper::ContainerIds, false) => {
            let ids = containers::hash_order(settings.containers);
            containers::by_ids(&names, settings.containers, Some(&ids))?
        }
    };
    let changelog = changelog_partitions(&names, &stream.changelog);
    let model = JobModel::of(groups, &tasks, &changelog, settings.replication);
    let dropped = store(&model, &known.previous, stream);
    Ok(Built { model, dropped })
}

/// Numbers the changelog partitions: a stored number stays; new tasks get the next ones, in text order.
pub fn changelog_partitions(tasks: &[String], stored: &BTreeMap<String, i32>) -> BTreeMap<String, i32> {
    let mut next = stored.values().max().map_or(0, |max| max.saturating_add(1));
    let mut out = BTreeMap::new();
    for task in tasks {
        let number = stored.get(task).copied().unwrap_or_else(|| {
            next = next.saturating_add(1);
            next - 1
        });
        out.insert(task.clone(), number);
    }
    out
}

/// Writes the model over the stored one (samza-host-affinity.md 4.6). `previous`: the stored container of each active task.
pub fn store(model: &JobModel, previous: &BTreeMap<String, String>, stream: &mut CoordinatorStream) -> Dropped {
    let mut dropped = Dropped::default();
    if model.tasks(Mode::Active).count() != previous.len() {
        stream.delete_tasks(previous.keys());
        let held: BTreeSet<&Partition> =
            model.containers.values().flat_map(|c| c.tasks.values()).flat_map(|t| &t.partitions).collect();
        stream.partitions.retain(|p, _| !held.contains(p));
        dropped.active = Some(previous.keys().cloned().collect());
    }
    let standby: BTreeSet<&String> = model.tasks(Mode::Standby).map(|(name, _)| name).collect();
    let before: Vec<String> =
        stream.task_modes.iter().filter(|(_, m)| **m == Mode::Standby).map(|(name, _)| name.clone()).collect();
    if before.len() != standby.len() || !before.iter().all(|name| standby.contains(name)) {
        stream.delete_tasks(before.iter());
        dropped.standby = Some(before);
    }
    let mut holders: BTreeMap<Partition, Vec<String>> = BTreeMap::new();
    for (id, container) in &model.containers {
        for (name, task) in &container.tasks {
            stream.task_containers.insert(name.clone(), id.clone());
            stream.task_modes.insert(name.clone(), task.mode);
            stream.changelog.entry(name.clone()).or_insert(task.changelog);
            for partition in &task.partitions {
                holders.entry(partition.clone()).or_default().push(name.clone());
            }
        }
    }
    stream.partitions.extend(holders);
    dropped
}
