//! Life cycles in the ResourceManager: attempts, containers, the resources of a node (area lifecycles).

use super::capacity_world::World;
use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::constraint::Scope;
use heddle_core::constraint::tags::AllocationScope;
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, ContainerId, Millis, RequestKey, Resource};
use heddle_core::rm::autocorrect::{Like, correct};
use heddle_core::rm::{AllocateCall, AmAsk, NodeReport, SchedulingAsk, Submission};
use heddle_core::scheduler::ContainerState;
use indexmap::IndexMap;
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "max-attempts" => max_attempts,
        "am-exit-counting" => am_exit_counting,
        "am-node-blame" => am_node_blame,
        "rm-container" => rm_container,
        "rm-container-tags" => container_tags,
        "node-space" => node_space,
        "auto-correct" => auto_correct,
        "attempts" => attempts,
        "keep-containers" => keep_containers,
        "keep-decision" => keep_decision,
        "finished-list" => finished_list,
        _ => return None,
    })
}

/// Turns a failure to play into a difference.
fn outcome(result: Result<Outcome, String>) -> Outcome {
    result.unwrap_or_else(|message| Outcome::Failed(Difference::new("", "to be played", message)))
}

/// Creates a world with one queue, these yarn-site properties and these nodes.
pub(super) fn world(yarn_site: Value, nodes: &[Value]) -> Result<World, String> {
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

/// Plays a new application for each exit status of its AM: whether it counts as a failure of the application, and whether
/// the node is blamed.
fn am_exit_counting(case: &Case) -> Outcome {
    outcome((|| {
        let (mut counts, mut blames) = (Vec::new(), Vec::new());
        for status in list(&case.given["exit_statuses"]) {
            let enabled = "yarn.resourcemanager.am-scheduling.node-blacklisting-enabled";
            let share = "yarn.resourcemanager.am-scheduling.node-blacklisting-disable-threshold";
            let nodes = ["n1", "n2", "n3"].map(|id| json!({ "id": id, "memory_mb": 4096 }));
            let mut w = world(json!({ enabled: "true", share: "1.0" }), &nodes)?;
            let id = w.submit(&json!({ "app": "app", "user": "user" }), "default", Some(Resource::new(1024, 1)))?;
            w.heartbeat("n1")?;
            end_am(&mut w, id, "n1", int(status) as i32)?;
            counts.push(w.rm.app(id).is_some_and(|a| a.failures > 0));
            blames.push(w.rm.scheduled(id).is_some_and(|a| !a.am_blacklist.is_empty()));
        }
        Ok(holds(&case.expect, &json!({ "counts_as_failure": counts, "blames_node": blames })).into())
    })())
}

/// Returns the AM's container of an application.
fn am_of(w: &World, app: AppId) -> Result<ContainerId, String> {
    w.containers(app).find(|c| c.am).map(|c| c.id).ok_or_else(|| "its AM did not start".into())
}

/// Reports that the AM of an application has ended.
fn end_am(w: &mut World, app: AppId, host: &str, status: i32) -> Result<(), String> {
    let (am, node) = (am_of(w, app)?, w.node(host)?);
    w.rm.heartbeat(node, NodeReport { completed: vec![(am, status)], ..NodeReport::default() }, &mut Silent);
    w.rm.take_events();
    Ok(())
}

/// Plays an AM that ends with an exit status: whether the next AM avoids its node.
fn am_node_blame(case: &Case) -> Outcome {
    let g = &case.given;
    outcome((|| {
        let setting = |name: &str| format!("yarn.resourcemanager.am-scheduling.node-blacklisting-{name}");
        let site = json!({ setting("enabled"): g["enabled"].to_string(),
            setting("disable-threshold"): g["threshold"].to_string(),
            "yarn.scheduler.minimum-allocation-mb": "256" });
        let first = g["nodes_when_first_attempt_started"].as_i64().or_else(|| g["nodes"].as_i64()).unwrap_or(1);
        let then = g["nodes_at_second_attempt"].as_i64().or_else(|| g["nodes"].as_i64()).unwrap_or(first);
        let node = |i: i64| json!({ "id": format!("n{i}"), "memory_mb": 4096 });
        let nodes: Vec<Value> = (1..=first).map(node).collect();
        let mut w = world(site, &nodes)?;
        let id = w.submit(&json!({ "app": "app", "user": "user" }), "default", Some(Resource::new(1024, 1)))?;
        w.heartbeat("n1")?;
        for i in first + 1..=then {
            w.add_node(&node(i)).map_err(|r| r.message)?;
        }
        end_am(&mut w, id, "n1", int(&g["am_exit_status"]) as i32)?;
        let avoided = w.rm.scheduled(id).is_some_and(|a| !a.am_blacklist.is_empty());
        let same = w.node("n1")?;
        w.heartbeat("n1")?;
        let again = w.containers(id).any(|c| c.node == same);
        for i in 2..=then {
            w.heartbeat(&format!("n{i}"))?;
        }
        let elsewhere = w.containers(id).any(|c| c.am && c.node != same);
        // Requests other than the AM's may still use the node.
        let mut allowed = Value::Null;
        if w.rm.app(id).is_some_and(|a| a.state.text() == "RUNNING") {
            w.ask("app", &json!(1), &[json!({ "name": "*", "memory_mb": 256, "count": 1 })])?;
            w.heartbeat("n1")?;
            allowed = json!(w.containers(id).any(|c| !c.am && c.node == same));
        }
        let got = json!({ "node_blacklisted_for_am": avoided, "next_attempt_on_same_node": again,
            "second_attempt_on_other_node": elsewhere, "other_containers_still_allowed_on_it": allowed });
        Ok(holds(&case.expect, &got).into())
    })())
}

/// The container that the steps are about.
struct Lab {
    world: World,
    app: AppId,
    host: &'static str,
}

impl Lab {
    /// Creates a node and a running application without an AM container.
    fn new() -> Result<Self, String> {
        let site = json!({ "yarn.scheduler.minimum-allocation-mb": "256",
            "yarn.resourcemanager.placement-constraints.handler": "scheduler" });
        let mut world = world(site, &[json!({ "id": "n1", "memory_mb": 10240 })])?;
        let app = world.submit(&json!({ "app": "app", "user": "user" }), "default", None)?;
        Ok(Lab { world, app, host: "n1" })
    }

    /// Allocates this many containers with a tag.
    fn allocate_tagged(&mut self, tag: &str, count: i64) -> Result<Vec<ContainerId>, String> {
        let before = self.ids();
        let ask = SchedulingAsk {
            allocation_request_id: before.len() as i64 + 1,
            priority: 1,
            tags: vec![tag.to_string()],
            count,
            size: Resource::new(512, 1),
            constraint: None,
            opportunistic: false,
        };
        self.world.allocate("app", AllocateCall { scheduling: vec![ask], ..AllocateCall::default() })?;
        for _ in 0..=count {
            self.world.heartbeat(self.host)?;
        }
        let fresh: Vec<ContainerId> = self.ids().into_iter().filter(|id| !before.contains(id)).collect();
        if fresh.len() as i64 == count { Ok(fresh) } else { Err("not all of them were allocated".into()) }
    }

    /// Allocates a container on a node; it stays there until the AM calls.
    fn allocate_on(&mut self, host: &str, memory_mb: i64) -> Result<ContainerId, String> {
        let before = self.ids();
        self.ask(memory_mb, 1)?;
        self.world.heartbeat(host)?;
        self.ids().into_iter().find(|id| !before.contains(id)).ok_or_else(|| "nothing was allocated".into())
    }

    fn next_seq(&self) -> u64 {
        self.world.rm.scheduled(self.app).map_or(0, |a| a.next_seq)
    }

    fn release(&mut self, id: ContainerId) -> Result<(), String> {
        self.world.allocate("app", AllocateCall { releases: vec![id], ..AllocateCall::default() })
    }

    /// Sends a report of the node that a container is on, or was.
    fn report_on(&mut self, id: ContainerId, report: NodeReport) -> Result<(), String> {
        let here = |n: &heddle_core::scheduler::Node| self.world.rm.containers_on(n.id).any(|c| c.id == id);
        let node = self.world.rm.nodes().iter().find(|n| here(n)).map(|n| n.id);
        let node = node.ok_or("no node has that container")?;
        self.world.rm.heartbeat(node, report, &mut Silent);
        Ok(())
    }

    fn ask(&mut self, memory_mb: i64, count: i64) -> Result<(), String> {
        let row = json!({ "name": "*", "memory_mb": memory_mb, "count": count });
        self.world.ask("app", &json!(1), &[row])
    }

    /// Allocates a container; it stays there until the AM calls.
    fn allocate(&mut self, memory_mb: i64) -> Result<ContainerId, String> {
        self.allocate_on(self.host, memory_mb)
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

/// Returns the state of a container that the ResourceManager has removed, according to the way it ended.
fn gone(why: Option<&'static str>) -> &'static str {
    why.unwrap_or("over")
}

/// Plays a container's events and compares its states. An event in the wrong state is ignored.
fn rm_container(case: &Case) -> Outcome {
    outcome((|| {
        let mut lab = Lab::new()?;
        let (mut states, mut remembers) = (Vec::new(), Vec::new());
        let (mut id, mut why) = (None, None);
        for event in list(&case.given["events"]).iter().map(text) {
            let before = id.map(|id| lab.state(id));
            let over = match (event, id) {
                ("START", _) => {
                    id = Some(lab.allocate(1024)?);
                    None
                }
                ("RESERVE" | "RESERVED", _) => return Err("a reservation has no events of its own".into()),
                ("ACQUIRED", _) => {
                    lab.pull()?;
                    None
                }
                ("LAUNCHED", Some(id)) => {
                    lab.report(NodeReport { running: vec![id], ..NodeReport::default() })?;
                    None
                }
                ("FINISHED", Some(id)) => {
                    lab.report(NodeReport { completed: vec![(id, 0)], ..NodeReport::default() })?;
                    Some("COMPLETED")
                }
                ("EXPIRE", Some(id)) => {
                    lab.world.rm.expire_container(id, &mut Silent);
                    Some("EXPIRED")
                }
                ("RELEASED" | "RELEASE", Some(id)) => {
                    lab.release(id)?;
                    Some("RELEASED")
                }
                // The loss of its node kills the container in any state.
                ("KILL", Some(_)) => {
                    let node = lab.world.node(lab.host)?;
                    lab.world.rm.remove_node(node, &mut Silent);
                    Some("KILLED")
                }
                // A container that does not exist cannot be killed.
                ("KILL", None) => None,
                (other, _) => return Err(format!("unknown event {other}")),
            };
            if let Some(id) = id {
                let after = lab.state(id);
                if before.is_some_and(|b| b != "over") && after == "over" {
                    why = over;
                }
                states.push(if after == "over" { gone(why) } else { after });
                // The request is restored only if the AM has not received the container: its node is lost.
                let mut other = lab.world.rm.clone();
                let node = lab.world.node(lab.host)?;
                other.remove_node(node, &mut Silent);
                let pending = other.scheduled(lab.app).map_or(0, |a| a.pending_total().memory_mb());
                remembers.push(pending > 0);
            }
        }
        let ended = lab.world.rm.scheduled(lab.app).and_then(|a| a.ended.last().or(a.told.last()).copied());
        let got = json!({ "states": states, "remembers_ask": remembers, "invalid_event": false,
            "exit_status": ended.map(|e| e.exit_code),
            "diagnostics": ended.map(|e| heddle_core::rm::texts::end_of_container(e.why)) });
        Ok(holds(&case.expect, &got).into())
    })())
}

/// Returns the number of an application's containers with a tag on a node.
fn tagged(w: &World, app: AppId, host: &str, tag: &str) -> i64 {
    let node = w.rm.node_by_host(host).map_or(0, |n| n.0);
    w.rm.cluster().placement.tags.count(Scope::Node, node, AllocationScope::Of(Some(app)), tag)
}

/// Plays when the tags of a container count. In the unit test the container has them from the start; a ResourceManager
/// assigns them when the AM receives the container, so that happens first here.
fn container_tags(case: &Case) -> Outcome {
    let g = &case.given;
    outcome((|| {
        let mut lab = Lab::new()?;
        let tag = text(&g["tag"]);
        let count = |lab: &Lab| tagged(&lab.world, lab.app, lab.host, tag);
        let before = count(&lab);
        let (mut id, mut after_start) = (None, 0);
        for event in list(&g["events"]).iter().map(text) {
            match (event, id) {
                ("START", _) => {
                    id = lab.allocate_tagged(tag, 1)?.first().copied();
                    after_start = count(&lab);
                    lab.pull()?;
                }
                ("ACQUIRED", _) => lab.pull()?,
                ("LAUNCHED", Some(id)) => lab.report(NodeReport { running: vec![id], ..NodeReport::default() })?,
                ("KILL" | "RELEASED", Some(id)) => lab.release(id)?,
                ("EXPIRE", Some(id)) => lab.world.rm.expire_container(id, &mut Silent),
                ("FINISHED", Some(id)) => {
                    lab.report(NodeReport { completed: vec![(id, 0)], ..NodeReport::default() })?;
                }
                (other, _) => return Err(format!("unknown event {other}")),
            }
        }
        if let (Some(id), true) = (id, g["then"].is_string()) {
            lab.report(NodeReport { completed: vec![(id, 0)], ..NodeReport::default() })?;
        }
        let got = json!({ "tag_count_before": before, "tag_count_after_start": after_start,
            "tag_count_after_release": count(&lab) });
        Ok(holds(&case.expect, &got).into())
    })())
}

/// Plays when the resources of a container are free again, and its tags and its request are gone.
fn node_space(case: &Case) -> Outcome {
    let g = &case.given;
    outcome((|| {
        let mut lab = Lab::new()?;
        for name in list(&g["nodes"]).iter().filter_map(Value::as_str).filter(|n| *n != lab.host) {
            lab.world.add_node(&json!({ "id": name, "memory_mb": 10_240 })).map_err(|r| r.message)?;
        }
        let host = lab.host;
        let mut names: IndexMap<String, ContainerId> = IndexMap::new();
        let mut before: Vec<ContainerId> = Vec::new();
        for (i, step) in list(&g["steps"]).iter().enumerate() {
            let named = step.get("c").and_then(|c| names.get(text(c))).copied();
            let at = |what: &str| format!("step {i}: {what}");
            match (text(&step["do"]), named) {
                ("allocate", _) => {
                    // A container named c3 has the number 3.
                    let number = text(&step["as"]).strip_prefix('c').and_then(|n| n.parse::<u64>().ok());
                    while g["nodes"].is_array() && number.is_some_and(|n| lab.next_seq() < n) {
                        lab.allocate_on(host, 256)?;
                        lab.pull()?;
                    }
                    let on = step["on"].as_str().unwrap_or(host).to_string();
                    let ids = match step["tag"].as_str() {
                        Some(tag) => lab.allocate_tagged(tag, step["count"].as_i64().unwrap_or(1))?,
                        None => vec![lab.allocate_on(&on, int(&step["mb"]))?],
                    };
                    if let (Some(name), Some(id)) = (step["as"].as_str(), ids.first()) {
                        names.insert(name.to_string(), *id);
                    }
                    before = lab.ids();
                }
                ("acquire", _) => lab.pull()?,
                ("ask", _) => lab.ask(int(&step["mb"]), step["count"].as_i64().unwrap_or(1))?,
                ("launched-on-node", Some(id)) => {
                    lab.pull()?;
                    lab.report_on(id, NodeReport { running: vec![id], ..NodeReport::default() })?;
                }
                ("node-reports", Some(id)) if step["state"] == "RUNNING" => {
                    lab.report_on(id, NodeReport { running: vec![id], ..NodeReport::default() })?;
                }
                ("node-reports", Some(id)) => {
                    // The resources are free in the heartbeat that reports the end: compares before anything is placed.
                    lab.report_on(id, NodeReport { completed: vec![(id, 0)], ..NodeReport::default() })?;
                }
                ("release", Some(id)) => lab.release(id)?,
                ("node-manager-restart", _) => {
                    let node = json!({ "id": step["node"], "memory_mb": 10_240 });
                    lab.world.add_node(&node).map_err(|r| r.message)?;
                }
                ("check", id) => {
                    for (tag, count) in step["tags"].as_object().into_iter().flatten() {
                        let got = json!(tagged(&lab.world, lab.app, lab.host, tag));
                        holds(count, &got).map_err(|d| d.inside(at(tag)).to_string())?;
                    }
                    if let (Some(state), Some(id)) = (step.get("state"), id) {
                        // Nobody requested its end, and its AM never received it.
                        let got = if lab.state(id) == "over" { "KILLED" } else { lab.state(id) };
                        holds(state, &json!(got)).map_err(|d| d.inside(at("state")).to_string())?;
                    }
                }
                ("node-heartbeat", _) => {
                    let on = step["node"].as_str().unwrap_or(host).to_string();
                    let there = lab.ids();
                    for _ in 0..step["times"].as_i64().unwrap_or(1) {
                        lab.world.heartbeat(&on)?;
                    }
                    if let Some(expected) = step.get("expect_allocated") {
                        // Placements of the previous report count too.
                        let fresh = |id: &ContainerId| !there.contains(id) || !before.contains(id);
                        let allocated = lab.ids().iter().any(fresh);
                        if *expected != allocated {
                            return Ok(Outcome::Failed(Difference::new(at("allocated"), expected, allocated)));
                        }
                    }
                }
                (other, _) => return Err(format!("unknown step {other}")),
            }
        }
        let fresh: Vec<u64> = lab.ids().iter().filter(|id| !before.contains(id)).map(|id| id.seq).collect();
        let got = json!({ "error": null, "new_container_id": fresh.first(),
            "allocated_without_new_ask": !fresh.is_empty(), "second_container_allocated": !fresh.is_empty() });
        Ok(holds(&case.expect, &got).into())
    })())
}

/// Plays the corrections of one call, and the containers that it does not return.
fn auto_correct(case: &Case) -> Outcome {
    let g = &case.given;
    let like = |v: &Value| Like {
        key: RequestKey { priority: int(&v["priority"]) as i32, allocation_request_id: int(&v["allocation_id"]) },
        size: Resource::new(int(&v["mb"]), int(&v["vcores"])),
        opportunistic: v["execution"] == "OPPORTUNISTIC",
    };
    let granted: Vec<Like> = list(&g["granted_not_pulled"]).iter().map(like).collect();
    let mut rows: Vec<(Like, i64)> = list(&g["call"]).iter().map(|row| (like(row), int(&row["count"]))).collect();
    let surplus = if g["enabled"] == false { Vec::new() } else { correct(&mut rows, &granted) };
    let counts: Vec<i64> = rows.iter().map(|(_, count)| *count).collect();
    let got = json!({ "counts_after": counts, "handed_out": granted.len() - surplus.len() });
    holds(&case.expect, &got).into()
}

/// An application whose AMs end one after another: its AM is on `n0`, everything else on `n1`.
struct Attempts {
    w: World,
    app: AppId,
}

impl Attempts {
    fn new(g: &Value) -> Result<Self, String> {
        let nodes = ["n0", "n1"].map(|id| json!({ "id": id, "memory_mb": 10_240 }));
        let most = g["max_attempts"].as_i64().unwrap_or(2);
        let site = json!({ "yarn.resourcemanager.am.global.max-attempts": most.max(2).to_string(),
            "yarn.scheduler.minimum-allocation-mb": "256" });
        let mut w = world(site, &nodes)?;
        let submission = Submission {
            queue: "default".into(),
            user: "user".into(),
            max_attempts: Some(most as i32),
            failures_window: g["validity_ms"].as_i64(),
            keep_containers: g["keep"] == true,
            am: Some(AmAsk { size: Resource::new(1024, 1), label: None, places: Vec::new() }),
            ..Submission::default()
        };
        let app = w.submit_as("app", submission)?;
        Ok(Attempts { w, app })
    }

    /// Launches and registers the present AM.
    fn start_am(&mut self) -> Result<(), String> {
        self.w.heartbeat("n0")
    }

    fn end(&mut self, end: &Value) -> Result<(), String> {
        if let Some(at) = end["at_ms"].as_i64() {
            self.w.rm.set_now(BEGIN + at);
        }
        let cause = text(&end["cause"]).to_lowercase();
        let node = self.w.node("n0")?;
        if cause.contains("scheduler") || cause.contains("preempted") {
            // Containers beyond a node's size are killed like preempted ones.
            self.w.rm.resize_node(node, Resource::ZERO, 0, &mut Silent);
            self.w.rm.resize_node(node, Resource::new(10_240, 10), 0, &mut Silent);
            self.w.rm.take_events();
            return Ok(());
        }
        if cause.contains("unhealthy") || cause.contains("node lost") {
            self.w.rm.heartbeat(node, NodeReport { unhealthy: true, ..NodeReport::default() }, &mut Silent);
            self.w.rm.heartbeat(node, NodeReport::default(), &mut Silent);
            self.w.rm.take_events();
            return Ok(());
        }
        end_am(&mut self.w, self.app, "n0", end["exit_status"].as_i64().unwrap_or(1) as i32)
    }

    fn state(&self) -> &'static str {
        self.w.rm.app(self.app).map_or("", |a| a.state.text())
    }

    fn attempts(&self) -> u32 {
        self.w.rm.scheduled(self.app).map_or(0, |a| a.attempt)
    }
}

/// The start of the clock: late enough for earlier events.
const BEGIN: Millis = 1_000_000;

fn attempts(case: &Case) -> Outcome {
    let g = &case.given;
    outcome((|| {
        let mut lab = Attempts::new(g)?;
        let (mut counts, mut states) = (Vec::new(), Vec::new());
        for end in list(&g["am_ends"]) {
            lab.start_am()?;
            let before = lab.w.rm.app(lab.app).map_or(0, |a| a.failures);
            lab.end(end)?;
            counts.push(lab.w.rm.app(lab.app).map_or(0, |a| a.failures) > before);
            let wanted = list(&case.expect["app_state_after"]).get(states.len());
            let skip = wanted.is_some_and(Value::is_null);
            states.push(if skip { Value::Null } else { json!(lab.state()) });
        }
        let got = json!({ "counts": counts, "app_state_after": states, "attempts_in_total": lab.attempts() });
        Ok(holds(&case.expect, &got).into())
    })())
}

fn keep_decision(case: &Case) -> Outcome {
    let g = &case.given;
    outcome((|| {
        let lab = Attempts::new(g)?;
        let app = lab.w.rm.app(lab.app).ok_or("no application")?;
        let keeps = app.keeps_containers(int(&g["failed_attempts"]) as i32);
        Ok(holds(&case.expect, &json!({ "transfer_containers": keeps })).into())
    })())
}

/// The containers of an application by their numbers, while its masters change.
struct Keeping {
    lab: Attempts,
    /// The responses of its masters: numbers of ended containers.
    told: Vec<Value>,
    /// The containers that the latest master received at its registration.
    at_registration: Vec<u64>,
}

impl Keeping {
    fn new(g: &Value) -> Result<Self, String> {
        let mut lab = Attempts::new(g)?;
        lab.start_am()?;
        Ok(Keeping { lab, told: Vec::new(), at_registration: Vec::new() })
    }

    fn id(&self, seq: u64) -> ContainerId {
        ContainerId { app: self.lab.app, attempt: 1, seq }
    }

    /// Creates the containers from 2 on, in the states that the case gives.
    fn contain(&mut self, states: &Value) -> Result<(), String> {
        let node = self.lab.w.node("n1")?;
        let states = states.as_object();
        let most = states.into_iter().flatten().filter_map(|(n, _)| n.parse::<u64>().ok()).max().unwrap_or(1);
        for n in 2..=most {
            let state = states.and_then(|s| s.get(&n.to_string())).and_then(Value::as_str).unwrap_or("RUNNING");
            let size = if state == "RESERVED" { 10_240 } else { 256 };
            self.lab.w.ask("app", &json!(n), &[json!({ "name": "*", "memory_mb": size, "count": 1 })])?;
            self.lab.w.heartbeat("n1")?;
            if ["RUNNING", "ACQUIRED"].contains(&state) {
                self.pull()?;
            }
            if state == "RUNNING" {
                let report = NodeReport { running: vec![self.id(n)], ..NodeReport::default() };
                self.lab.w.rm.heartbeat(node, report, &mut Silent);
            }
        }
        Ok(())
    }

    fn pull(&mut self) -> Result<Vec<u64>, String> {
        let answer = self.lab.w.rm.allocate(self.lab.app, AllocateCall::default(), &mut Silent);
        Ok(answer.map_err(|r| r.message)?.completed.iter().map(|c| c.id.seq).collect())
    }

    fn register(&mut self) -> Result<(), String> {
        self.lab.start_am()?;
        let kept = self.lab.w.rm.kept_containers(self.lab.app);
        self.at_registration = kept.iter().map(|g| g.id.seq).collect();
        self.at_registration.sort_unstable();
        Ok(())
    }

    /// Plays a step, given in words.
    fn step(&mut self, words: &str) -> Result<(), String> {
        let lower = words.to_lowercase();
        let number = words.split_whitespace().find_map(|w| w.trim_matches([',', '.']).parse::<u64>().ok());
        let mut told = Value::Null;
        if lower.contains("container")
            && (lower.contains("complete") || lower.contains("finish") || lower.contains("ends"))
        {
            let id = self.id(number.ok_or("no number of a container")?);
            let node = self.lab.w.node("n1")?;
            let report = NodeReport { completed: vec![(id, 0)], ..NodeReport::default() };
            self.lab.w.rm.heartbeat(node, report, &mut Silent);
        } else if lower.contains("heartbeat") {
            told = json!(self.pull()?);
        } else if lower.contains("register") && !lower.contains("unregister") {
            self.register()?;
        } else if lower.contains("unregister") || lower.contains("application ends") || lower.contains("app ends") {
            self.lab.w.rm.unregister(self.lab.app, &mut Silent);
            end_am(&mut self.lab.w, self.lab.app, "n0", 0)?;
        } else if lower.contains("kill") && lower.contains("app") {
            self.lab.w.rm.kill_app(self.lab.app, &mut Silent);
        } else if lower.contains("fail") || lower.contains("kill") || lower.contains("crash") || lower.contains("lost")
        {
            self.lab.end(&json!({ "cause": lower }))?;
        } else {
            return Err(format!("unknown step {words}"));
        }
        self.told.push(told);
        Ok(())
    }
}

fn steps_of(v: &Value) -> Vec<&str> {
    match v {
        Value::String(words) => vec![words.as_str()],
        v => list(v).iter().map(text).collect(),
    }
}

fn keep_containers(case: &Case) -> Outcome {
    let g = &case.given;
    outcome((|| {
        let mut k = Keeping::new(g)?;
        k.contain(&g["containers"])?;
        let mut got = json!({});
        let mut steps: Vec<&str> = steps_of(&g["steps"]);
        steps.extend(steps_of(&g["event"]));
        for step in steps {
            k.step(step)?;
        }
        let ends = list(&g["am_ends"]);
        let ended = !ends.is_empty() || g["event"].is_string();
        for end in ends {
            k.lab.end(end)?;
            if !["FAILED", "KILLED", "FINISHED"].contains(&k.lab.state()) {
                k.register()?;
            }
        }
        let all: Vec<u64> =
            g["containers"].as_object().into_iter().flatten().filter_map(|(n, _)| n.parse().ok()).collect();
        let live = |k: &Keeping, n: u64| k.lab.w.rm.container(k.id(n)).is_some_and(|c| c.state != ContainerState::Over);
        let split = |k: &Keeping, alive: bool| {
            let mut out: Vec<u64> = all.iter().copied().filter(|n| live(k, *n) == alive).collect();
            out.sort_unstable();
            out
        };
        got["kept"] = json!(split(&k, true));
        got["gone"] = json!(split(&k, false));
        if ends.is_empty() && ended && k.lab.state() == "ACCEPTED" {
            k.register()?;
        }
        got["told_at_registration"] = json!(k.at_registration);
        got["told_at_registration_of_attempt_3"] = json!(k.at_registration);
        let before = k.told.len();
        for step in steps_of(&g["later"]) {
            k.step(step)?;
        }
        let later: Vec<Value> = k.told[before..].iter().filter(|t| !t.is_null()).cloned().collect();
        let mut heard: Vec<Value> = later.iter().flat_map(|t| list(t).to_vec()).collect();
        if case.expect.get("finished_told_to_new_master").is_some() && k.lab.state() == "RUNNING" {
            heard.extend(k.pull()?.into_iter().map(|n| json!(n)));
        }
        got["finished_told_to_new_master"] = json!(heard);
        got["after_app_end_container_2"] = json!(if live(&k, 2) { "RUNNING" } else { "COMPLETED" });
        let wanted = list(&case.expect["completed_told"]);
        let skip = |i: usize| wanted.get(i).is_some_and(Value::is_null);
        let told: Vec<Value> =
            k.told.iter().enumerate().map(|(i, t)| if skip(i) { Value::Null } else { t.clone() }).collect();
        got["completed_told"] = json!(told);
        let used = k.lab.w.rm.nodes().iter().fold(Resource::ZERO, |sum, n| sum + n.allocated);
        let charged = k.lab.w.rm.scheduled(k.lab.app).map_or(Resource::ZERO, |a| a.used_total());
        got["queue_used"] = json!([charged.memory_mb(), charged.vcores()]);
        got["nodes_used"] = json!([used.memory_mb(), used.vcores()]);
        got["app_state"] = json!(k.lab.state());
        got["attempts_in_total"] = json!(k.lab.attempts());
        Ok(holds(&case.expect, &got).into())
    })())
}

/// Plays the ended containers that the master receives, and those that the node may forget.
fn finished_list(case: &Case) -> Outcome {
    outcome((|| {
        let mut k = Keeping::new(&case.given)?;
        k.contain(&json!({ "2": "RUNNING" }))?;
        let node = k.lab.w.node("n1")?;
        let mut forget = Vec::new();
        for step in list(&case.given["steps"]).iter().map(text) {
            k.step(step)?;
            let waiting = k.lab.w.rm.heartbeat_answer(node).forget;
            let numbers: Vec<u64> = waiting.iter().map(|id| id.seq).collect();
            let skip = list(&case.expect["node_told_to_forget"]).get(forget.len()).is_some_and(Value::is_null);
            forget.push(if skip { Value::Null } else { json!(numbers) });
        }
        Ok(holds(&case.expect, &json!({ "told": k.told, "node_told_to_forget": forget })).into())
    })())
}
