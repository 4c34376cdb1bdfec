//! Facts about a Samza job: its configuration, groupings, standby tasks, job models, the coordinator stream.

use super::samza::against;
use crate::conformance::{Case, Driver, Outcome};
use crate::facts::read::{int, list, text};
use crate::trace::samza::{config, texts};
use heddle_core::apps::samza::strategy::job::containers::{self, Groups, Known};
use heddle_core::apps::samza::strategy::job::inputs::{Partition, PartitionGrouper, Tasks};
use heddle_core::apps::samza::strategy::job::model::{self, Dropped, Impossible};
use heddle_core::apps::samza::strategy::job::{
    Config, ContainerModel, JobModel, Mode, StoreSettings, TaskModel, expansion, standby,
};
use heddle_core::apps::samza::strategy::state::paths;
use heddle_core::apps::samza::strategy::{CoordinatorStream, Settings};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    fn outcome(case: &Case, f: fn(&Value) -> Result<Value, String>) -> Outcome {
        // Error messages are only for readers.
        let got = match f(&case.given) {
            Err(_) if case.expect.get("error").is_some() => Ok(json!({ "error": case.expect["error"] })),
            other => other,
        };
        against(case, got)
    }
    Some(match kind {
        "config" => |c| outcome(c, configuration),
        "group_by_partition" => |c| outcome(c, |g| partitions(g, PartitionGrouper::ByPartition)),
        "group_by_ssp" => |c| outcome(c, |g| partitions(g, PartitionGrouper::ByStreamPartition)),
        "all_ssp_to_single_task" => |c| outcome(c, |g| partitions(g, PartitionGrouper::AllToSingleTask)),
        "ssp_grouper_proxy" => |c| outcome(c, proxy),
        "group_by_container_count" => |c| outcome(c, by_count),
        "group_by_container_ids" => |c| outcome(c, by_ids),
        "generate_standby" => |c| outcome(c, generate_standby),
        "standby_constraints" => |c| outcome(c, constraints),
        "job_model" => |c| outcome(c, job_model),
        "grouper_metadata" => |c| outcome(c, metadata),
        "task_assignment_update" => |c| outcome(c, assignment_update),
        "task_assignment_store" => |c| outcome(c, assignment_store),
        "locality" => |c| outcome(c, locality),
        _ => return None,
    })
}

fn settings(config: &Config) -> Result<Settings, String> {
    Settings::of(config).map_err(|r| format!("{r:?}"))
}

fn impossible(why: Impossible) -> String {
    format!("{why:?}")
}

fn names(v: &Value) -> Vec<String> {
    list(v).iter().map(|t| text(t).to_string()).collect()
}

fn configuration(given: &Value) -> Result<Value, String> {
    let config = config(&given["properties"]);
    let s = settings(&config)?;
    let store = StoreSettings::of(&config, "store0").map_err(|r| format!("{r:?}"))?;
    Ok(json!({
        "container_count": s.containers, "container_memory_mb": s.size.memory_mb(), "container_vcores": s.size.vcores(),
        "host_affinity": s.host_affinity, "standby_enabled": s.standby(), "replication_factor": s.replication,
        "has_durable_stores": s.durable, "transactional_restore": s.transactional_restore,
        "logged_store_path": paths::base(None, &s),
        "store0.changelog": store.changelog, "store0.delete_retention_ms": store.retention_ms,
        "store0.min_compaction_lag_ms": store.compaction_lag_ms,
        "job.host-affinity.enabled": s.host_affinity, "job.container.count": s.containers,
        "cluster-manager.container.request.timeout.ms": s.request_timeout_ms,
        "cluster-manager.allocator.sleep.ms": s.allocator_sleep_ms,
        "cluster-manager.container.retry.count": s.retries,
        "cluster-manager.container.retry.window.ms": s.retry_window_ms,
        "cluster-manager.container.preferred-host.last.retry.delay.ms": s.last_retry_delay_ms,
        "cluster-manager.container.fail.job.after.retries": s.fail_job,
        "cluster-manager.container.memory.mb": s.size.memory_mb(),
        "cluster-manager.container.cpu.cores": s.size.vcores(),
        "cluster-manager.fault-domain-aware.standby.enabled": s.fault_domains,
        "yarn.am.container.memory.mb": s.am_size.memory_mb(), "yarn.am.high-availability.enabled": s.am_ha,
        "task.commit.ms": s.commit_ms,
    }))
}

/// Reads `system.stream.number`.
fn partition(v: &Value) -> Partition {
    let (stream, number) = text(v).rsplit_once('.').unwrap_or((text(v), ""));
    Partition::new(stream, number.parse().unwrap_or(u32::MAX))
}

fn tasks_of(v: &Value) -> Tasks {
    let of = |v: &Value| list(v).iter().map(partition).collect::<BTreeSet<_>>();
    v.as_object().into_iter().flatten().map(|(task, held)| (task.clone(), of(held))).collect()
}

fn inputs(held: &BTreeSet<Partition>) -> Vec<String> {
    let mut all: Vec<String> = held.iter().map(|p| format!("{}.{}", p.stream, p.number)).collect();
    all.sort();
    all
}

fn tasks_json(tasks: &Tasks) -> Value {
    let all: Map<String, Value> = tasks.iter().map(|(t, held)| (t.clone(), json!(inputs(held)))).collect();
    json!({ "tasks": all, "task_names": tasks.keys().collect::<Vec<_>>() })
}

fn partitions(given: &Value, grouper: PartitionGrouper) -> Result<Value, String> {
    let mut config = config(&given["config"]);
    for key in ["job.elasticity.factor", "task.broadcast.inputs", "job.container.count"] {
        if let Some(value) = given.get(key) {
            config.insert(key.into(), value.as_str().map_or_else(|| value.to_string(), str::to_string));
        }
    }
    if grouper == PartitionGrouper::AllToSingleTask {
        config.insert(
            "job.systemstreampartition.grouper.factory".into(),
            "org.apache.samza.container.grouper.stream.AllSspToSingleTaskGrouperFactory".into(),
        );
    }
    let s = settings(&config)?;
    let all: Vec<Partition> = list(&given["partitions"]).iter().map(partition).collect();
    let processors: Vec<String> = config
        .get("processor.list")
        .map_or_else(|| containers::hash_order(s.containers), |l| l.split(',').map(str::to_string).collect());
    let tasks = grouper.group(&all, &s.broadcast, s.elasticity, &processors).map_err(impossible)?;
    Ok(tasks_json(&tasks))
}

fn proxy(given: &Value) -> Result<Value, String> {
    let all: Vec<Partition> = list(&given["partitions"]).iter().map(partition).collect();
    let grouper = match text(&given["grouper"]) {
        "group_by_partition" => PartitionGrouper::ByPartition,
        "group_by_ssp" => PartitionGrouper::ByStreamPartition,
        other => return Err(format!("unknown grouper {other}")),
    };
    let mut stream = CoordinatorStream::default();
    for (task, held) in tasks_of(&given["previous"]) {
        held.into_iter().for_each(|p| stream.partitions.entry(p).or_default().push(task.clone()));
    }
    let mut config = Config::new();
    for i in 0..int(&given["persistent_stores"]) {
        config.insert(format!("stores.s{i}.factory"), "a.Factory".into());
    }
    let mut s = settings(&config)?;
    s.partition_grouper = grouper;
    let streams = counts(&all)?;
    s.inputs = streams.keys().cloned().collect();
    Ok(tasks_json(&model::tasks(&s, &streams, &stream).map_err(impossible)?))
}

/// The maximum number of partitions of a stream in a fact: a damaged fact may name any number.
const PARTITIONS: u32 = 100_000;

/// Returns the number of partitions of each stream.
fn counts(all: &[Partition]) -> Result<BTreeMap<String, u32>, String> {
    let mut out: BTreeMap<String, u32> = BTreeMap::new();
    for p in all {
        if p.number >= PARTITIONS {
            return Err(format!("partition {} of {}: more than {PARTITIONS}", p.number, p.stream));
        }
        let count = out.entry(p.stream.clone()).or_default();
        *count = (*count).max(p.number + 1);
    }
    Ok(out)
}

fn sorted(groups: &Groups) -> Value {
    let sorted = |names: &Vec<String>| {
        let mut names = names.clone();
        names.sort();
        json!(names)
    };
    groups.iter().map(|(id, names)| (id.clone(), sorted(names))).collect()
}

fn by_count(given: &Value) -> Result<Value, String> {
    let (tasks, count) = (names(&given["tasks"]), int(&given["containers"]) as i32);
    // For each container, or for each task.
    let mut previous = texts(&given["previous"]);
    for (id, held) in given["previous"].as_object().into_iter().flatten().filter(|(_, v)| v.is_array()) {
        previous.extend(names(held).into_iter().map(|task| (task, id.clone())));
    }
    let with = given["previous"].is_object();
    let groups = containers::by_count(&tasks, count, with.then_some(&previous)).map_err(impossible)?;
    let plain = containers::by_count(&tasks, count, None).map_err(impossible)?;
    Ok(json!({ "groups": sorted(&groups), "same_as_without_previous": groups == plain }))
}

fn by_ids(given: &Value) -> Result<Value, String> {
    let tasks = names(&given["tasks"]);
    let count = given["container_count"].as_i64().unwrap_or(1) as i32;
    if given["processor_locality"].is_object() {
        let known = Known {
            previous: BTreeMap::new(),
            processor_hosts: texts(&given["processor_locality"]),
            task_hosts: texts(&given["task_locality"]),
        };
        let mut seen = BTreeSet::new();
        let mut last = Groups::new();
        for _ in 0..given["repeat"].as_u64().unwrap_or(1) {
            last = containers::by_location(&tasks, &known).map_err(impossible)?;
            seen.insert(last.clone());
        }
        return if seen.len() == 1 { Ok(json!({ "groups": sorted(&last) })) } else { Err("not the same again".into()) };
    }
    let ids = given["container_ids"].is_array().then(|| names(&given["container_ids"]));
    let groups = containers::by_ids(&tasks, count, ids.as_deref()).map_err(impossible)?;
    Ok(json!({ "groups": sorted(&groups) }))
}

fn groups_of(v: &Value) -> Groups {
    v.as_object().into_iter().flatten().map(|(id, held)| (id.clone(), names(held))).collect()
}

fn generate_standby(given: &Value) -> Result<Value, String> {
    let active = groups_of(&given["active"]);
    let m = JobModel::of(active.clone(), &Tasks::new(), &BTreeMap::new(), int(&given["replication_factor"]) as i32);
    let unchanged = active.iter().all(|(id, held)| {
        m.containers.get(id).is_some_and(|c| c.tasks.keys().collect::<BTreeSet<_>>() == held.iter().collect())
    });
    let count = |mode| m.tasks(mode).count();
    // Active containers first, then the first replica of each, then the next.
    let mut ids: Vec<&String> = m.containers.keys().collect();
    ids.sort_by_key(|id| (id.split_once('-').map(|(_, r)| r.to_string()), (*id).clone()));
    Ok(json!({
        "containers": m.containers.len(), "tasks": count(Mode::Active) + count(Mode::Standby),
        "active_tasks": count(Mode::Active), "standby_tasks": count(Mode::Standby),
        "active_containers_unchanged": unchanged, "container_ids": ids,
    }))
}

fn constraints(given: &Value) -> Result<Value, String> {
    let each = int(&given["tasks_per_container"]);
    let group = |i: i64| (i.to_string(), (0..each).map(|t| format!("Partition {}", i * each + t)).collect::<Vec<_>>());
    let groups: Groups = (0..int(&given["containers"])).map(group).collect();
    let m = JobModel::of(groups, &Tasks::new(), &BTreeMap::new(), int(&given["replication_factor"]) as i32);
    let all = standby::constraints(&m);
    let lengths: BTreeSet<usize> = all.values().map(Vec::len).collect();
    let every = |f: &dyn Fn(&String, &String) -> bool| all.iter().all(|(id, with)| with.iter().all(|w| f(id, w)));
    let own = all.iter().find(|(id, _)| **id == text(&given["container"])).map(|(_, with)| with);
    Ok(json!({
        "constrained_with": own, "never_itself": every(&|id, w| id != w),
        "constrained_with_count_for_every_container": if lengths.len() == 1 { json!(lengths.first()) } else { json!(lengths) },
        "same_active_prefix": every(&|id, w| standby::active_of(id) == standby::active_of(w)),
    }))
}

fn job_model(given: &Value) -> Result<Value, String> {
    let mut config = config(&given["config"]);
    for key in ["job.container.count", "stores.myStore.factory"] {
        if let Some(value) = given[key].as_str() {
            config.insert(key.into(), value.into());
        }
    }
    let mut s = settings(&config)?;
    let all: Vec<Partition> = list(&given["partitions"]).iter().map(partition).collect();
    let streams = counts(&all)?;
    s.inputs = streams.keys().cloned().collect();
    let changelog = given["previous_changelog"].as_object().into_iter().flatten();
    let mut stream = CoordinatorStream {
        changelog: changelog.map(|(task, n)| (task.clone(), int(n) as i32)).collect(),
        ..CoordinatorStream::default()
    };
    let previous = tasks_of(&given["previous_tasks"]);
    for (task, held) in &previous {
        held.iter().for_each(|p| stream.partitions.entry(p.clone()).or_default().push(task.clone()));
    }
    let m = if given["custom_grouper"].is_object() {
        let grouped = tasks_of(&given["custom_grouper"]);
        let tasks = if s.persistent_stores() > 0 && !previous.is_empty() {
            expansion::expand(grouped, &previous, &[]).map_err(impossible)?
        } else {
            grouped
        };
        let names: Vec<String> = tasks.keys().cloned().collect();
        let groups = containers::by_count(&names, s.containers, None).map_err(impossible)?;
        JobModel::of(groups, &tasks, &model::changelog_partitions(&names, &stream.changelog), s.replication)
    } else {
        model::build(&s, &streams, &mut stream).map_err(impossible)?.model
    };
    let task = |t: &TaskModel| json!({ "inputs": inputs(&t.partitions), "changelog_partition": t.changelog });
    let container = |c: &ContainerModel| c.tasks.iter().map(|(n, t)| (n.clone(), task(t))).collect::<Value>();
    Ok(json!({ "containers": m.containers.iter().map(|(id, c)| (id.clone(), container(c))).collect::<Map<_, _>>() }))
}

/// Returns the stored container of each task.
fn assigned(v: &Value) -> BTreeMap<String, String> {
    groups_of(v).into_iter().flat_map(|(id, held)| held.into_iter().map(move |t| (t, id.clone()))).collect()
}

fn metadata(given: &Value) -> Result<Value, String> {
    let mut config = config(&given["config"]);
    if let Some(count) = given["job.container.count"].as_str() {
        config.insert("job.container.count".into(), count.into());
    }
    let stream = CoordinatorStream {
        hosts: texts(&given["locality"]),
        task_containers: assigned(&given["previous_tasks"]),
        ..CoordinatorStream::default()
    };
    let known = model::known(&settings(&config)?, &stream);
    Ok(json!({ "processor_locality": known.processor_hosts, "task_locality": known.task_hosts }))
}

fn assignment_update(given: &Value) -> Result<Value, String> {
    let (active, replicas) = (assigned(&given["previous_active"]), assigned(&given["previous_standby"]));
    let mut stream = CoordinatorStream::default();
    for (held, mode) in [(&active, Mode::Active), (&replicas, Mode::Standby)] {
        stream.task_containers.extend(held.clone());
        stream.task_modes.extend(held.keys().map(|t| (t.clone(), mode)));
    }
    let mut m = JobModel::default();
    for (of, mode) in [(&given["new_active"], Mode::Active), (&given["new_standby"], Mode::Standby)] {
        for (id, held) in groups_of(of) {
            let task = TaskModel { partitions: BTreeSet::new(), changelog: 0, mode };
            m.containers.insert(id, ContainerModel { tasks: held.into_iter().map(|t| (t, task.clone())).collect() });
        }
    }
    let Dropped { active: dropped, standby } = model::store(&m, &active, &mut stream);
    let partitions = dropped.is_some();
    let deleted: Vec<Vec<String>> = dropped.into_iter().chain(standby).filter(|names| !names.is_empty()).collect();
    let now: BTreeSet<&String> = m.containers.values().flat_map(|c| c.tasks.keys()).collect();
    if stream.task_containers.keys().any(|t| deleted.iter().flatten().any(|d| d == t) && !now.contains(t)) {
        return Err("a mapping that was deleted is there".into());
    }
    Ok(json!({ "deleted_task_mappings": deleted, "partition_mappings_deleted": partitions }))
}

fn assignment_store(given: &Value) -> Result<Value, String> {
    let mut stream = CoordinatorStream { task_containers: assigned(&given["write"]), ..CoordinatorStream::default() };
    stream.delete_tasks(names(&given["delete"]).iter());
    let mut store = heddle_core::strategy::Store::default();
    stream.write(&mut store);
    Ok(json!({ "read": CoordinatorStream::read(&store).task_containers }))
}

fn locality(given: &Value) -> Result<Value, String> {
    let mut stream = CoordinatorStream::default();
    for write in list(&given["writes"]) {
        stream.write_host(text(&write[0]), text(&write[1]));
    }
    let mut store = heddle_core::strategy::Store::default();
    stream.write(&mut store);
    Ok(json!({ "read": CoordinatorStream::read(&store).hosts }))
}
