//! Whole-scheduler and single-leaf scenarios of the CapacityScheduler, step by step (kinds scheduler-scenario and
//! leaf-scenario).

use super::capacity_world::World;
use super::read::{int, list, text};
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::journal::Silent;
use heddle_core::model::{ContainerId, PartitionId, Resource};
use heddle_core::rm::AllocateCall;
use heddle_core::scheduler::ContainerState;
use indexmap::IndexMap;
use serde_json::{Value, json};

/// Who plays this kind.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "scheduler-scenario" => scheduler_scenario,
        "leaf-scenario" => leaf_scenario,
        _ => return None,
    })
}

/// Heartbeats that `heartbeat_until_allocated` gives before it gives up.
const PATIENCE: usize = 1000;

/// What the last step showed beside the state of the world.
#[derive(Default)]
struct Seen {
    /// A submission was rejected.
    rejected: bool,
    /// Rounds of `heartbeat_alternating` that ended with no container on a node.
    empty_rounds: IndexMap<String, i64>,
    /// What an attempt gave: `none` or the locality.
    result: Option<&'static str>,
}

fn trouble(step: usize, what: impl std::fmt::Display) -> Outcome {
    Outcome::Failed(Difference::new(format!("step {step}"), "to be played", what))
}

/// Plays the steps and compares what must hold after each.
fn play(
    case: &Case,
    mut world: World,
    act: impl Fn(&mut World, &Value) -> Result<Seen, String>,
    figure: impl Fn(&mut World, &str, &Value, &Seen) -> Option<Value>,
) -> Outcome {
    for (i, step) in list(&case.given["steps"]).iter().enumerate() {
        let seen = match act(&mut world, step) {
            Ok(seen) => seen,
            Err(message) => return trouble(i, message),
        };
        for check in list(&case.expect["checks"]).iter().filter(|c| c["after_step"] == i) {
            for (key, wanted) in check.as_object().into_iter().flatten().filter(|(k, _)| *k != "after_step") {
                let Some(got) = figure(&mut world, key, wanted, &seen) else {
                    return trouble(i, format!("the figure {key} is not known here"));
                };
                if let Err(d) = crate::conformance::compare::holds(wanted, &got) {
                    return Outcome::Failed(d.inside(key).inside(format!("step {i}")));
                }
            }
        }
    }
    Outcome::Passed
}

/// A figure of each thing that `wanted` names.
fn each(wanted: &Value, mut f: impl FnMut(&str, &Value) -> Option<Value>) -> Option<Value> {
    let mut out = serde_json::Map::new();
    for (name, value) in wanted.as_object()? {
        out.insert(name.clone(), f(name, value)?);
    }
    Some(Value::Object(out))
}

fn pair(r: Resource) -> Value {
    json!([r.memory_mb(), r.vcores()])
}

// ---- the whole scheduler

fn scheduler_scenario(case: &Case) -> Outcome {
    let one_at_a_time = list(&case.given["steps"]).iter().any(|s| s["do"] == "schedule_every_node_once");
    let world = World::start(&case.given, |config, _| {
        if one_at_a_time {
            // A heartbeat is then one attempt.
            let off = "yarn.scheduler.capacity.per-node-heartbeat.multiple-assignments-enabled";
            config.insert(off.into(), "false".into());
        }
    });
    match world {
        Ok(world) => play(case, world, scheduler_step, scheduler_figure),
        Err(refusal) => trouble(0, refusal.message),
    }
}

fn scheduler_step(w: &mut World, step: &Value) -> Result<Seen, String> {
    let mut seen = Seen::default();
    let (app, node) = (text(&step["app"]), text(&step["node"]));
    let times = step["times"].as_i64().unwrap_or(1);
    match text(&step["do"]) {
        "submit_app" => {
            let am = if step["am"] == "none" { None } else { step["am_memory_mb"].as_i64() };
            seen.rejected = w.submit(step, text(&step["queue"]), am).is_err();
        }
        "launch_am" => w.heartbeat(node)?,
        "ask" => w.ask(app, &step["priority"], list(&step["requests"]))?,
        "heartbeat" => (0..times).try_for_each(|_| w.heartbeat(node))?,
        "heartbeat_alternating" => {
            for _ in 0..times {
                for host in list(&step["nodes"]) {
                    w.heartbeat(text(host))?;
                }
                for host in list(&step["nodes"]).iter().map(text) {
                    let empty = w.rm.containers_on(w.node(host)?).count() == 0;
                    *seen.empty_rounds.entry(host.into()).or_default() += i64::from(empty);
                }
            }
        }
        "heartbeat_until_allocated" => {
            let id = w.app(app).ok_or("no such application")?;
            let mut patience = PATIENCE;
            while w.containers(id).count() < int(&step["containers"]) as usize && patience > 0 {
                w.heartbeat(node)?;
                patience -= 1;
            }
        }
        "schedule_every_node_once" => {
            for id in w.rm.cluster().nodes_by_registration() {
                let host = w.rm.node(id).map(|n| n.host.clone()).unwrap_or_default();
                w.heartbeat(&host)?;
            }
        }
        "kill_app" | "finish_attempt" => w.kill(app)?,
        "set_priority" => {
            let id = w.app(app).ok_or("no such application")?;
            w.rm.set_priority(id, int(&step["priority"]) as i32, &mut Silent).map_err(|r| r.message)?;
        }
        "expire_container" => {
            let id = w.app(app).ok_or("no such application")?;
            let container = ContainerId { app: id, attempt: 1, seq: int(&step["container_number"]) as u64 };
            w.rm.expire_container(container, &mut Silent);
        }
        "remove_node" => {
            let id = w.node(node)?;
            w.rm.remove_node(id, &mut Silent);
        }
        "add_node" => {
            w.add_node(&step["node"]).map_err(|r| r.message)?;
        }
        "set_node_decommissioning" => {
            // What was granted is running by then: a node that runs nothing would be done at once.
            for name in w.app_ids().into_iter().map(|a| w.app_name(a).to_owned()).collect::<Vec<_>>() {
                w.allocate(&name, AllocateCall::default())?;
            }
            w.report_running(node)?;
            let id = w.node(node)?;
            w.rm.decommission_node(id, 3600, &mut Silent);
        }
        "none" => {}
        other => return Err(format!("unknown step {other}")),
    }
    Ok(seen)
}

fn scheduler_figure(w: &mut World, key: &str, wanted: &Value, seen: &Seen) -> Option<Value> {
    let of_queue = |w: &World, q: &str, f: fn(&heddle_core::scheduler::capacity::QueuePart) -> Resource| {
        w.queue(q).map(|q| json!(f(q.part(PartitionId::DEFAULT)).memory_mb()))
    };
    let of_label =
        |w: &World, q: &str, labels: &Value, f: fn(&heddle_core::scheduler::capacity::QueuePart) -> Resource| {
            each(labels, |l, _| Some(json!(f(w.queue(q)?.part(w.partition(l)?)).memory_mb())))
        };
    Some(match key {
        "rejected" => json!(seen.rejected),
        "rounds_ending_with_no_container_on_node" => each(wanted, |n, _| Some(json!(seen.empty_rounds.get(n)?)))?,
        "containers" => each(wanted, |a, _| Some(json!(w.containers(w.app(a)?).count())))?,
        "reserved_containers" => each(wanted, |a, _| Some(json!(w.reservations(w.app(a)?))))?,
        "containers_on_node" => each(wanted, |a, nodes| {
            each(nodes, |n, _| {
                let node = w.node(n).ok()?;
                Some(json!(w.containers(w.app(a)?).filter(|c| c.node == node).count()))
            })
        })?,
        "node_containers" => each(wanted, |n, _| Some(json!(w.rm.containers_on(w.node(n).ok()?).count())))?,
        "node_allocated_mb" => each(wanted, |n, _| Some(json!(node(w, n)?.allocated.memory_mb())))?,
        "node_unallocated_mb" => each(wanted, |n, _| Some(json!(node(w, n)?.free().memory_mb())))?,
        "node_allocated" => each(wanted, |n, _| Some(pair(node(w, n)?.allocated)))?,
        "node_unallocated" => each(wanted, |n, _| Some(pair(node(w, n)?.free())))?,
        "node_total" => each(wanted, |n, _| Some(pair(node(w, n)?.total)))?,
        "node_reserved" => each(wanted, |n, _| {
            let by = node(w, n)?.reserved.map(|slot| w.rm.cluster().containers.at(slot).id.app);
            Some(by.map_or(Value::Null, |a| json!(w.app_name(a))))
        })?,
        "queue_used_mb" => each(wanted, |q, _| of_queue(w, q, |p| p.used))?,
        "queue_reserved_mb" => each(wanted, |q, _| of_queue(w, q, |p| p.reserved))?,
        "queue_used_mb_on_label" => each(wanted, |q, labels| of_label(w, q, labels, |p| p.used))?,
        "queue_reserved_mb_on_label" => each(wanted, |q, labels| of_label(w, q, labels, |p| p.reserved))?,
        "am_limit" => each(wanted, |q, _| {
            let r = w.queue(q)?.part(PartitionId::DEFAULT).am_limit;
            Some(json!({ "memory_mb": r.memory_mb(), "vcores": r.vcores() }))
        })?,
        "active_apps" => each(wanted, |q, _| Some(json!(w.leaf(q)?.active.len())))?,
        "pending_apps" | "apps_pending" => each(wanted, |q, _| Some(json!(w.leaf(q)?.pending.len())))?,
        "runnable_apps" => each(wanted, |q, _| Some(json!(w.queue(q)?.running_apps)))?,
        "non_runnable_apps" => each(wanted, |q, _| {
            let names: Vec<&str> = w.leaf(q)?.not_runnable.iter().map(|a| w.app_name(*a)).collect();
            Some(json!(names))
        })?,
        "active_users_incl_pending_only" => json!(only_leaf(w)?.users.count_for_am_limit()),
        "users_with_only_pending_apps" => {
            let users = &only_leaf(w)?.users;
            json!(users.count_for_am_limit() - users.active_users() as i64)
        }
        "app_priority" => each(wanted, |a, _| Some(json!(w.rm.scheduled(w.app(a)?)?.priority)))?,
        "app_pending_mb" => each(wanted, |a, _| Some(json!(w.rm.scheduled(w.app(a)?)?.pending_total().memory_mb())))?,
        "app_pending_mb_by_priority" => each(wanted, |a, priorities| {
            let app = w.rm.scheduled(w.app(a)?)?;
            each(priorities, |p, _| {
                let keys = app.asks.keys().iter().filter(|k| k.key.priority.to_string() == p);
                Some(json!(keys.filter_map(|k| k.any()).map(|r| r.count * r.size.memory_mb()).sum::<i64>()))
            })
        })?,
        "app_diagnostics_contains" => each(wanted, |a, words| {
            let said = w.rm.am_diagnostics(w.app(a)?);
            Some(if said.contains(text(words)) { words.clone() } else { json!(said) })
        })?,
        "headroom_mb" => each(wanted, |a, _| {
            let id = w.app(a)?;
            Some(json!(w.headroom_mb(id)))
        })?,
        _ => return None,
    })
}

fn node<'a>(w: &'a World, host: &str) -> Option<&'a heddle_core::scheduler::Node> {
    w.rm.node(w.node(host).ok()?)
}

/// The leaf, where a case has one queue and does not name it.
fn only_leaf(w: &World) -> Option<&heddle_core::scheduler::capacity::Leaf> {
    w.rm.queues().iter().find_map(|q| q.leaf.as_deref())
}

// ---- one leaf

/// The leaf is reached from root, where nobody else asks for anything: an attempt of the leaf is a heartbeat that is
/// one attempt. AMs take no container, and their limit is out of the way. Nodes that the case counts but does not
/// name stand in racks of their own and are never visited.
fn leaf_scenario(case: &Case) -> Outcome {
    let given = &case.given;
    let start = || -> Result<World, String> {
        let mut w = World::start(given, |config, yarn_site| {
            for (key, value) in
                [("maximum-am-resource-percent", "1000"), ("per-node-heartbeat.multiple-assignments-enabled", "false")]
            {
                config.insert(format!("yarn.scheduler.capacity.{key}"), value.into());
            }
            // The ResourceManager would cut priorities before the leaf sees them.
            yarn_site.insert("yarn.cluster.max-application-priority".into(), i32::MAX.to_string());
        })
        .map_err(|r| r.message)?;
        let (named, total) = (w.rm.nodes().len() as i64, int(&given["cluster"]["memory_mb"]));
        let unnamed = int(&given["cluster"]["node_count"]) - named;
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

fn leaf_step(w: &mut World, queue: &str, step: &Value) -> Result<Seen, String> {
    let mut seen = Seen::default();
    let app = text(&step["app"]);
    match text(&step["do"]) {
        "submit_app" => {
            w.submit(step, queue, None)?;
            // "Limits are recomputed once after the apps are submitted."
            w.refresh(&Value::Null)?;
        }
        "ask" => w.ask(app, &step["priority"], list(&step["requests"]))?,
        "assign" => {
            let before = everything(w);
            w.heartbeat(text(&step["node"]))?;
            let new = everything(w).into_iter().find(|(id, _)| !before.contains_key(id));
            seen.result = Some(new.map_or("none", |(_, locality)| locality));
        }
        "release_one" | "release_all" => {
            let id = w.app(app).ok_or("no such application")?;
            let most = if step["do"] == "release_one" { 1 } else { usize::MAX };
            let releases = w.containers(id).take(most).map(|c| c.id).collect();
            w.allocate(app, AllocateCall { releases, ..AllocateCall::default() })?;
        }
        "set_config" => w.refresh(&step["set"])?,
        other => return Err(format!("unknown step {other}")),
    }
    Ok(seen)
}

/// Every container and reservation with its locality.
fn everything(w: &World) -> IndexMap<ContainerId, &'static str> {
    let all = w.app_ids().into_iter().flat_map(|a| w.rm.containers_of(a));
    all.map(|c| (c.id, c.locality.text())).collect()
}

fn leaf_figure(w: &mut World, queue: &str, key: &str, wanted: &Value, seen: &Seen) -> Option<Value> {
    Some(match key {
        "result" => json!(seen.result?),
        "active_users" => json!(w.leaf(queue)?.users.active_users()),
        "queue_used_mb" => json!(w.queue(queue)?.part(PartitionId::DEFAULT).used.memory_mb()),
        "queue_reserved_mb" => json!(w.queue(queue)?.part(PartitionId::DEFAULT).reserved.memory_mb()),
        "app_used_mb" => each(wanted, |a, _| Some(json!(w.rm.scheduled(w.app(a)?)?.used_total().memory_mb())))?,
        "running_containers" => each(wanted, |a, _| Some(json!(w.containers(w.app(a)?).count())))?,
        "node_reserved_mb" => each(wanted, |n, _| {
            let mb = node(w, n)?.reserved.map_or(0, |slot| {
                let c = w.rm.cluster().containers.at(slot);
                debug_assert_eq!(c.state, ContainerState::Reserved);
                c.size.memory_mb()
            });
            Some(json!(mb))
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
            Some(json!(w.rm.scheduled(w.app(a)?)?.asks.keys().iter().map(|k| k.opportunities).max()?))
        })?,
        _ => return scheduler_figure(w, key, wanted, seen),
    })
}
