//! A single leaf of the CapacityScheduler, driven by single allocation attempts (kind leaf-scenario).

use super::capacity_figures::{each, figure, node, pending_within_limits};
use super::capacity_scenario::{LastStep, play, release, trouble};
use super::capacity_world::World;
use super::read::{int, list, text};
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::model::{AppId, ContainerId, PartitionId, Resource};
use heddle_core::rm::AllocateCall;
use indexmap::IndexMap;
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    (kind == "leaf-scenario").then_some(leaf_scenario as Driver)
}

/// The maximum number of nodes that a case may count without naming them.
const UNNAMED: i64 = 2000;

/// Plays attempts of a leaf. The leaf is reached from root, where no other queue has requests: a heartbeat makes exactly
/// one attempt. AMs take no container, and their limit is not reached. Nodes that the case counts but does not name are in
/// racks of their own and never send heartbeats.
fn leaf_scenario(case: &Case) -> Outcome {
    let given = &within_cluster(&case.given);
    let start = || -> Result<World, String> {
        let mut w = World::start(given, |config, yarn_site| {
            for (key, value) in
                [("maximum-am-resource-percent", "1000"), ("per-node-heartbeat.multiple-assignments-enabled", "false")]
            {
                config.insert(format!("yarn.scheduler.capacity.{key}"), value.into());
            }
            // The ResourceManager would cap priorities before they reach the leaf.
            yarn_site.insert("yarn.cluster.max-application-priority".into(), i32::MAX.to_string());
        })
        .map_err(|r| r.message)?;
        let (named, total) = (w.rm.nodes().len() as i64, int(&given["cluster"]["memory_mb"]));
        let unnamed = int(&given["cluster"]["node_count"]) - named;
        if unnamed > UNNAMED {
            return Err(format!("more than {UNNAMED} nodes without a name"));
        }
        let there: i64 = w.rm.nodes().iter().map(|n| n.total.memory_mb()).sum();
        for i in 0..unnamed {
            let mb = (total - there) / unnamed;
            w.register_node(&format!("unnamed{i}"), &format!("unnamed-rack{i}"), Resource::new(mb, mb / 1024), None)
                .map_err(|r| r.message)?;
        }
        let there: i64 = w.rm.nodes().iter().map(|n| n.total.memory_mb()).sum();
        if there != total {
            return Err(format!("the cluster has {there} MiB, the case wants {total}"));
        }
        Ok(w)
    };
    let queue = text(&given["queue"]).to_owned();
    match start() {
        Ok(world) => play(
            case,
            world,
            |w, step| leaf_step(w, &queue, step),
            |w, key, wanted, seen| leaf_figure(w, &queue, key, wanted, seen),
        ),
        Err(message) => trouble(0, message),
    }
}

/// Returns the case with nodes that together are no larger than its cluster: each node gets its share.
fn within_cluster(given: &Value) -> Value {
    let mut given = given.clone();
    let total = int(&given["cluster"]["memory_mb"]);
    let there: i64 = list(&given["nodes"]).iter().map(|n| int(&n["memory_mb"])).sum();
    if there > total && total > 0 {
        let mut left = total;
        let nodes = given["nodes"].as_array_mut();
        let count = nodes.as_ref().map_or(0, |nodes| nodes.len());
        for (i, node) in nodes.into_iter().flatten().enumerate() {
            let share = if i + 1 == count { left } else { int(&node["memory_mb"]) * total / there };
            left -= share;
            node["memory_mb"] = json!(share);
        }
    }
    given
}

fn leaf_step(w: &mut World, queue: &str, step: &Value) -> Result<LastStep, String> {
    let mut seen = LastStep::default();
    let app = text(&step["app"]);
    match text(&step["do"]) {
        "submit_app" => {
            w.submit(step, queue, None)?;
            // "Limits are recomputed once after the apps are submitted."
            w.refresh(&Value::Null)?;
        }
        "ask" => w.ask(app, &step["priority"], list(&step["requests"]))?,
        "assign" => {
            for _ in 0..step["times"].as_i64().unwrap_or(1) {
                let before = everything(w);
                w.heartbeat(text(&step["node"]))?;
                let new = everything(w).into_iter().find(|(id, _)| !before.contains_key(id));
                seen.result = Some(new.map_or("none", |(_, locality)| locality));
            }
        }
        "release_one" => release(w, app, 1)?,
        "release_all" => release(w, app, usize::MAX)?,
        "blacklist" => {
            let names = |key: &str| match &step[key] {
                Value::String(one) => vec![one.clone()],
                several => list(several).iter().map(|name| text(name).to_owned()).collect(),
            };
            let (blacklist_add, blacklist_remove) = (names("add"), names("remove"));
            w.allocate(app, AllocateCall { blacklist_add, blacklist_remove, ..AllocateCall::default() })?;
        }
        "set_config" => w.refresh(&step["set"])?,
        other => return Err(format!("unknown step {other}")),
    }
    Ok(seen)
}

/// Returns every container and reservation with its locality.
fn everything(w: &World) -> IndexMap<ContainerId, &'static str> {
    let all = w.app_ids().into_iter().flat_map(|a| w.rm.containers_of(a));
    all.map(|c| (c.id, c.locality.text())).collect()
}

fn leaf_figure(w: &mut World, queue: &str, key: &str, wanted: &Value, seen: &LastStep) -> Option<Value> {
    Some(match key {
        "result" => json!(seen.result?),
        "active_users" => json!(w.leaf(queue)?.users.active_users()),
        "queue_used_mb" => json!(w.queue(queue)?.part(PartitionId::DEFAULT).used.memory_mb()),
        "queue_reserved_mb" => json!(w.queue(queue)?.part(PartitionId::DEFAULT).reserved.memory_mb()),
        "pending_within_user_limits_mb" => json!(pending_within_limits(w, queue, false)?),
        "running_containers" => each(wanted, |a, _| Some(json!(w.containers(w.app(a)?).count())))?,
        "node_reserved_mb" => each(wanted, |n, _| {
            let reserved = node(w, n)?.reserved.map(|slot| w.rm.cluster().containers.at(slot));
            Some(json!(reserved.map_or(0, |c| c.size.memory_mb())))
        })?,
        "outstanding" => each(wanted, |a, _| {
            let keys = w.rm.scheduled(w.app(a)?)?.asks.keys();
            Some(json!(keys.iter().map(|k| k.outstanding()).sum::<i64>()))
        })?,
        "outstanding_by_priority" => each(wanted, |p, _| {
            let mut keys = w.app_ids().into_iter().filter_map(|a| w.rm.scheduled(a)).flat_map(|a| a.asks.keys());
            Some(json!(keys.find(|k| k.key.priority.to_string() == p)?.outstanding()))
        })?,
        "missed_opportunities" => each(wanted, |a, _| {
            let keys = w.rm.scheduled(w.app(a)?)?.asks.keys();
            Some(json!(keys.iter().map(|k| k.opportunities).max().unwrap_or(0)))
        })?,
        // By priority, or by application and priority.
        "missed_opportunities_by_priority" => each(wanted, |name, below| {
            if below.is_object() {
                let app = w.app(name)?;
                each(below, |priority, _| Some(json!(opportunities(w, &[app], priority))))
            } else {
                Some(json!(opportunities(w, &w.app_ids(), name)))
            }
        })?,
        _ => return figure(w, key, wanted, seen),
    })
}

/// Returns the missed opportunities at a priority; 0 if nothing was requested there.
fn opportunities(w: &World, apps: &[AppId], priority: &str) -> i64 {
    let mut keys = apps.iter().filter_map(|a| w.rm.scheduled(*a)).flat_map(|a| a.asks.keys());
    keys.find(|k| k.key.priority.to_string() == priority).map_or(0, |k| k.opportunities)
}
