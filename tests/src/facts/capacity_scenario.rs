//! Whole-scheduler scenarios of the CapacityScheduler, step by step (kind scheduler-scenario).

use super::capacity_figures::figure;
use super::capacity_world::World;
use super::read::{int, list, text};
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::journal::Silent;
use heddle_core::model::ContainerId;
use heddle_core::rm::AllocateCall;
use heddle_core::scheduler::ContainerState;
use indexmap::IndexMap;
use serde_json::Value;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    (kind == "scheduler-scenario").then_some(scheduler_scenario as Driver)
}

/// The maximum number of heartbeats of `heartbeat_until_allocated`.
const PATIENCE: usize = 1000;
/// The maximum number of repetitions of a step.
const REPEATS: i64 = 10_000;

/// The results of the last step beyond the state of the world.
#[derive(Default)]
pub(super) struct LastStep {
    /// Whether a submission was rejected.
    pub rejected: bool,
    /// The rounds of `heartbeat_alternating` that ended with no container on a node.
    pub empty_rounds: IndexMap<String, i64>,
    /// The result of an attempt: `none` or the locality.
    pub result: Option<&'static str>,
}

pub(super) fn trouble(step: usize, what: impl std::fmt::Display) -> Outcome {
    Outcome::Failed(Difference::new(format!("step {step}"), "to be played", what))
}

/// Plays the steps, and compares the expectations after each.
pub(super) fn play(
    case: &Case,
    mut world: World,
    act: impl Fn(&mut World, &Value) -> Result<LastStep, String>,
    figure: impl Fn(&mut World, &str, &Value, &LastStep) -> Option<Value>,
) -> Outcome {
    let (steps, checks) = (list(&case.given["steps"]), list(&case.expect["checks"]));
    if let Some(check) = checks.iter().find(|c| c["after_step"].as_u64().is_none_or(|i| i as usize >= steps.len())) {
        return trouble(steps.len(), format!("no step {}", check["after_step"]));
    }
    for (i, step) in steps.iter().enumerate() {
        // A request or an administrator's change may also be refused if the case checks that.
        let may_fail = ["ask", "move_app", "set_priority", "refresh", "update_node"].contains(&text(&step["do"]))
            && checks.iter().any(|c| c["after_step"] == i && c["rejected"] == true);
        let seen = match act(&mut world, step) {
            Ok(seen) => seen,
            Err(_) if may_fail => LastStep { rejected: true, ..LastStep::default() },
            Err(message) => return trouble(i, message),
        };
        for check in checks.iter().filter(|c| c["after_step"] == i) {
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

fn scheduler_scenario(case: &Case) -> Outcome {
    let one_at_a_time = list(&case.given["steps"]).iter().any(|s| s["do"] == "schedule_every_node_once");
    let world = World::start(&case.given, |config, _| {
        if one_at_a_time {
            // A heartbeat is then a single attempt.
            let off = "yarn.scheduler.capacity.per-node-heartbeat.multiple-assignments-enabled";
            config.insert(off.into(), "false".into());
        }
    });
    match world {
        Ok(world) => play(case, world, scheduler_step, figure),
        Err(refusal) => trouble(0, refusal.message),
    }
}

fn scheduler_step(w: &mut World, step: &Value) -> Result<LastStep, String> {
    let mut seen = LastStep::default();
    let (app, node) = (text(&step["app"]), text(&step["node"]));
    let times = step["times"].as_i64().unwrap_or(1);
    if times > REPEATS {
        return Err(format!("repeated more than {REPEATS} times"));
    }
    match text(&step["do"]) {
        "submit_app" => {
            seen.rejected = w.submit(step, text(&step["queue"]), w.am(step)).is_err();
        }
        "launch_am" => (0..times).try_for_each(|_| w.heartbeat(node))?,
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
            for _ in 0..times {
                for id in w.rm.cluster().nodes_by_registration() {
                    let host = w.rm.node(id).map(|n| n.host.clone()).unwrap_or_default();
                    w.heartbeat(&host)?;
                }
            }
        }
        "kill_app" | "finish_app" | "finish_attempt" => w.kill(app)?,
        "move_app" => {
            let id = w.app(app).ok_or("no such application")?;
            w.rm.move_app(id, text(&step["queue"]), &mut Silent).map_err(|r| r.message)?;
        }
        "release_container" => {
            let id = w.app(app).ok_or("no such application")?;
            let releases = vec![ContainerId { app: id, attempt: 1, seq: int(&step["container_number"]) as u64 }];
            w.allocate(app, AllocateCall { releases, ..AllocateCall::default() })?;
        }
        "release_one" => release(w, app, 1)?,
        "release_all" => release(w, app, usize::MAX)?,
        "set_config" | "refresh" => w.refresh(&step["set"])?,
        "update_node" => w.resize_node(node, step)?,
        "set_node_label" => {
            let id = w.node(node)?;
            w.rm.label_node(id, text(&step["label"]), &mut Silent).map_err(|r| r.message)?;
        }
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
            // Allocated containers are running by now: a node that runs nothing would be decommissioned at once.
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

/// Ends the first of an application's containers at its own request, but never its AM's.
pub(super) fn release(w: &mut World, app: &str, most: usize) -> Result<(), String> {
    let id = w.app(app).ok_or("no such application")?;
    // The AM has received them by now: a container that was only allocated would restore its request.
    w.allocate(app, AllocateCall::default())?;
    let running = w.rm.containers_of(id).filter(|c| c.state != ContainerState::Reserved && !c.am);
    let releases = running.take(most).map(|c| c.id).collect();
    w.allocate(app, AllocateCall { releases, ..AllocateCall::default() })
}
