//! Life cycles as the ResourceManager has them: attempts, containers, the room on a node (area lifecycles).

use super::capacity_world::World;
use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, ContainerId, Resource};
use heddle_core::rm::{AmAsk, NodeReport, Submission};
use heddle_core::scheduler::ContainerState;
use serde_json::{Value, json};

/// Who plays this kind.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "max-attempts" => max_attempts,
        "am-exit-counting" => am_exit_counting,
        "am-node-blame" => am_node_blame,
        "rm-container" => rm_container,
        "node-space" => node_space,
        _ => return None,
    })
}

/// A fault in playing is a difference too.
fn outcome(result: Result<Outcome, String>) -> Outcome {
    result.unwrap_or_else(|message| Outcome::Failed(Difference::new("", "to be played", message)))
}

/// One queue, the given yarn-site properties and nodes.
fn world(yarn_site: Value, nodes: &[Value]) -> Result<World, String> {
    let config = json!({
        "yarn.scheduler.capacity.root.queues": "default",
        "yarn.scheduler.capacity.root.default.capacity": "100",
        "yarn.scheduler.capacity.maximum-am-resource-percent": "1",
    });
    World::start(&json!({ "config": config, "yarn_site": yarn_site, "nodes": nodes }), |_, _| {}).map_err(|r| r.message)
}

fn max_attempts(case: &Case) -> Outcome {
    let g = &case.given;
    let site = json!({
        "yarn.resourcemanager.am.global.max-attempts": int(&g["global_max_attempts"]).to_string(),
        "yarn.resourcemanager.am.max-attempts": int(&g["am_max_attempts"]).to_string(),
    });
    outcome(world(site, &[json!({ "id": "n1", "memory_mb": 4096 })]).and_then(|mut w| {
        let submission = Submission {
            queue: "default".into(),
            user: "user".into(),
            max_attempts: g["asked"].as_i64().map(|n| n as i32),
            am: Some(AmAsk { size: Resource::new(1024, 1), label: None, places: Vec::new() }),
            ..Submission::default()
        };
        let id = w.rm.submit(submission, &mut Silent).map_err(|r| r.message)?;
        let app = w.rm.app(id).ok_or("no application")?;
        Ok(holds(&case.expect, &json!({ "max_attempts": app.max_attempts })).into())
    }))
}

/// A fresh application for each exit status of its AM: is it a failure of the application?
fn am_exit_counting(case: &Case) -> Outcome {
    outcome((|| {
        let mut counts = Vec::new();
        for status in list(&case.given["exit_statuses"]) {
            let mut w = world(json!({}), &[json!({ "id": "n1", "memory_mb": 4096 })])?;
            let id = w.submit(&json!({ "app": "app", "user": "user" }), "default", Some(Resource::new(1024, 1)))?;
            w.heartbeat("n1")?;
            let am = w.containers(id).next().map(|c| c.id).ok_or("its AM did not start")?;
            let report = NodeReport { completed: vec![(am, int(status) as i32)], ..NodeReport::default() };
            let node = w.node("n1")?;
            w.rm.heartbeat(node, report, &mut Silent);
            counts.push(w.rm.app(id).is_some_and(|a| a.failures > 0));
        }
        // Which node is blamed: see `am_node_blame`.
        let wanted = json!({ "counts_as_failure": case.expect["counts_as_failure"] });
        Ok(holds(&wanted, &json!({ "counts_as_failure": counts })).into())
    })())
}

/// An AM that ends with an exit status: is its node avoided by the next one?
fn am_node_blame(case: &Case) -> Outcome {
    let g = &case.given;
    outcome((|| {
        let setting = |name: &str| format!("yarn.resourcemanager.am-scheduling.node-blacklisting-{name}");
        let site = json!({ setting("enabled"): g["enabled"].to_string(),
            setting("disable-threshold"): g["threshold"].to_string() });
        let nodes: Vec<Value> =
            (1..=int(&g["nodes"])).map(|i| json!({ "id": format!("n{i}"), "memory_mb": 4096 })).collect();
        let mut w = world(site, &nodes)?;
        let id = w.submit(&json!({ "app": "app", "user": "user" }), "default", Some(Resource::new(1024, 1)))?;
        w.heartbeat("n1")?;
        let am = w.containers(id).next().map(|c| c.id).ok_or("its AM did not start")?;
        let status = int(&g["am_exit_status"]) as i32;
        let node = w.node("n1")?;
        w.rm.heartbeat(node, NodeReport { completed: vec![(am, status)], ..NodeReport::default() }, &mut Silent);
        let avoided = w.rm.scheduled(id).is_some_and(|a| !a.am_blacklist.is_empty());
        w.heartbeat("n1")?;
        let again = w.containers(id).any(|c| c.node == node);
        let got = json!({ "node_blacklisted_for_am": avoided, "next_attempt_on_same_node": again });
        Ok(holds(&case.expect, &got).into())
    })())
}

/// The container that a step speaks of.
struct Lab {
    world: World,
    app: AppId,
    host: &'static str,
}

impl Lab {
    /// A node and a running application without an AM container.
    fn new() -> Result<Self, String> {
        let site = json!({ "yarn.scheduler.minimum-allocation-mb": "256" });
        let mut world = world(site, &[json!({ "id": "n1", "memory_mb": 10240 })])?;
        let app = world.submit(&json!({ "app": "app", "user": "user" }), "default", None)?;
        Ok(Lab { world, app, host: "n1" })
    }

    fn ask(&mut self, memory_mb: i64, count: i64) -> Result<(), String> {
        let row = json!({ "name": "*", "memory_mb": memory_mb, "count": count });
        self.world.ask("app", &json!(1), &[row])
    }

    /// A container is granted, and stays there until the AM calls.
    fn allocate(&mut self, memory_mb: i64) -> Result<ContainerId, String> {
        let before = self.ids();
        self.ask(memory_mb, 1)?;
        self.world.heartbeat(self.host)?;
        self.ids().into_iter().find(|id| !before.contains(id)).ok_or_else(|| "nothing was allocated".into())
    }

    fn ids(&self) -> Vec<ContainerId> {
        self.world.containers(self.app).map(|c| c.id).collect()
    }

    fn pull(&mut self) -> Result<(), String> {
        self.world.allocate("app", Default::default())
    }

    fn report(&mut self, report: NodeReport) -> Result<(), String> {
        let node = self.world.node(self.host)?;
        self.world.rm.heartbeat(node, report, &mut Silent);
        Ok(())
    }

    fn state(&self, id: ContainerId) -> &'static str {
        match self.world.rm.container(id).map(|c| c.state) {
            Some(ContainerState::Allocated) => "ALLOCATED",
            Some(ContainerState::Acquired) => "ACQUIRED",
            Some(ContainerState::Running) => "RUNNING",
            Some(ContainerState::Reserved) => "RESERVED",
            Some(ContainerState::Over) | None => "over",
        }
    }
}

/// A container's states along its events. What an event finds the wrong state for is ignored.
fn rm_container(case: &Case) -> Outcome {
    outcome((|| {
        let mut lab = Lab::new()?;
        let (mut states, mut remembers) = (Vec::new(), Vec::new());
        let mut id = None;
        for event in list(&case.given["events"]).iter().map(text) {
            match (event, id) {
                ("START", _) => id = Some(lab.allocate(1024)?),
                ("ACQUIRED", _) => lab.pull()?,
                ("LAUNCHED", Some(id)) => {
                    lab.report(NodeReport { running: vec![id], ..NodeReport::default() })?;
                }
                ("EXPIRE", Some(id)) => lab.world.rm.expire_container(id, &mut Silent),
                // Nobody can be told to kill a container that is not there.
                ("KILL", None) => {}
                (other, _) => return Err(format!("unknown event {other}")),
            }
            if let Some(id) = id {
                states.push(lab.state(id));
                // An ask is restored only for a container that its AM has not got: its node goes and comes back.
                let mut other = lab.world.rm.clone();
                let node = lab.world.node(lab.host)?;
                other.remove_node(node, &mut Silent);
                let pending = other.scheduled(lab.app).map_or(0, |a| a.pending_total().memory_mb());
                remembers.push(pending > 0);
            }
        }
        let got = json!({ "states": states, "remembers_ask": remembers, "invalid_event": false });
        Ok(holds(&case.expect, &got).into())
    })())
}

/// When the room of a container is free again.
fn node_space(case: &Case) -> Outcome {
    let steps = list(&case.given["steps"]);
    if !case.given["node"].is_array() || steps.iter().any(|s| s.get("tag").is_some()) {
        return Outcome::Unsupported("node-space (tags, several nodes)".into());
    }
    outcome((|| {
        let mut lab = Lab::new()?;
        let mut id = None;
        for (i, step) in steps.iter().enumerate() {
            match (text(&step["do"]), id) {
                ("allocate", _) => id = Some(lab.allocate(int(&step["mb"]))?),
                ("acquire", _) => lab.pull()?,
                ("ask", _) => lab.ask(int(&step["mb"]), 1)?,
                ("node-reports", Some(id)) if step["state"] == "RUNNING" => {
                    lab.report(NodeReport { running: vec![id], ..NodeReport::default() })?;
                }
                ("node-reports", Some(id)) => {
                    // Its room is free in the heartbeat that reports it: look at it before anything is placed.
                    lab.report(NodeReport { completed: vec![(id, 0)], ..NodeReport::default() })?;
                }
                ("release", Some(id)) => {
                    let call = heddle_core::rm::AllocateCall { releases: vec![id], ..Default::default() };
                    lab.world.allocate("app", call)?;
                }
                ("node-heartbeat", _) => {
                    for _ in 0..step["times"].as_i64().unwrap_or(1) {
                        lab.world.heartbeat(lab.host)?;
                    }
                    let allocated = !lab.ids().is_empty();
                    if step["expect_allocated"] != allocated {
                        let at = format!("step {i}: allocated");
                        return Ok(Outcome::Failed(Difference::new(at, &step["expect_allocated"], allocated)));
                    }
                }
                (other, _) => return Err(format!("unknown step {other}")),
            }
        }
        Ok(holds(&case.expect, &json!({ "error": null })).into())
    })())
}
