//! Preemption by the CapacityScheduler's monitor, except single rounds: whole clusters (cluster-scenario), the order of
//! containers (container-order), changed settings (config-refresh).

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, ContainerId, NodeId, PartitionId, QueueId, RequestKey, Resource};
use heddle_core::preemption::{Piece, taking_order};
use heddle_core::rm::{
    AllocateCall, AmAsk, AskRow, NodeLabel, NodeReport, NodeSpec, Properties, ResourceManager, RmEvent, RmSettings,
    Submission,
};
use heddle_core::scheduler::ContainerState;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

const MONITOR: &str = "yarn.resourcemanager.monitor.capacity.preemption.";
const CAPACITY: &str = "yarn.scheduler.capacity.";
const RACK: &str = "/default-rack";
/// The maximum number of heartbeats in a step.
const PATIENCE: usize = 1000;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "cluster-scenario" => cluster_scenario,
        "container-order" => container_order,
        "config-refresh" => config_refresh,
        _ => return None,
    })
}

fn trouble(at: impl std::fmt::Display, what: impl std::fmt::Display) -> Outcome {
    Outcome::Failed(Difference::new(at.to_string(), "to be played", what))
}

fn amount(gb: &Value) -> Resource {
    Resource::new((gb.as_f64().unwrap_or(0.0) * 1024.0) as i64, 1)
}

fn as_text(v: &Value) -> String {
    v.as_str().map_or_else(|| v.to_string(), str::to_owned)
}

/// Returns the property that a case's name stands for.
fn property(name: &str) -> String {
    match name {
        _ if name.starts_with("yarn.") => name.to_owned(),
        _ if name.starts_with("ordering-policy") || name.starts_with("root.") || name.starts_with("maximum-") => {
            format!("{CAPACITY}{name}")
        }
        _ => format!("{MONITOR}{name}"),
    }
}

/// A cluster that a case drives.
struct PreemptionWorld {
    rm: ResourceManager,
    apps: IndexMap<String, AppId>,
}

fn settings(given: &Value) -> RmSettings {
    let mut capacity = Properties::default();
    let mut site = Properties::default();
    site.insert("yarn.resourcemanager.scheduler.monitor.enable".into(), "true".into());
    site.insert("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms".into(), "0".into());
    capacity.insert(format!("{CAPACITY}schedule-asynchronously.enable"), "false".into());
    let config = &given["config"];
    for (name, value) in config.as_object().into_iter().flatten() {
        if !["minimum_allocation_mb", "maximum_allocation_gb"].contains(&name.as_str()) {
            capacity.insert(property(name), as_text(value));
        }
    }
    let gb = config["maximum_allocation_gb"].as_i64().unwrap_or(10);
    site.insert("yarn.scheduler.maximum-allocation-mb".into(), gb.saturating_mul(1024).to_string());
    let mb = config["minimum_allocation_mb"].as_i64().unwrap_or(1024);
    site.insert("yarn.scheduler.minimum-allocation-mb".into(), mb.to_string());
    let mut labels: Vec<NodeLabel> = Vec::new();
    for node in list(&given["nodes"]) {
        let label = text(&node["label"]);
        if !label.is_empty() && labels.iter().all(|l| l.name != label) {
            labels.push(NodeLabel { name: label.into(), exclusive: true });
        }
    }
    if !labels.is_empty() {
        site.insert("yarn.node-labels.enabled".into(), "true".into());
        for l in &labels {
            capacity.insert(format!("{CAPACITY}root.accessible-node-labels.{}.capacity", l.name), "100".into());
        }
    }
    let mut names = Vec::new();
    for queue in list(&given["queues"]) {
        let path = text(&queue["path"]);
        names.push(path.trim_start_matches("root.").to_owned());
        for (key, name) in [
            ("capacity", "capacity"),
            ("maximum_capacity", "maximum-capacity"),
            ("user_limit_factor", "user-limit-factor"),
            ("priority", "priority"),
            ("default_label", "default-node-label-expression"),
        ] {
            if !queue[key].is_null() {
                capacity.insert(format!("{CAPACITY}{path}.{name}"), as_text(&queue[key]));
            }
        }
        let of_labels = queue["label_capacity"].as_object();
        for (label, percent) in of_labels.into_iter().flatten() {
            capacity.insert(format!("{CAPACITY}{path}.accessible-node-labels.{label}.capacity"), as_text(percent));
        }
        if let Some(of_labels) = of_labels {
            let open: Vec<&str> = of_labels.keys().map(String::as_str).collect();
            capacity.insert(format!("{CAPACITY}{path}.accessible-node-labels"), open.join(","));
        }
    }
    capacity.insert(format!("{CAPACITY}root.queues"), names.join(","));
    RmSettings { capacity_scheduler: capacity, yarn_site: site, labels, ..RmSettings::default() }
}

impl PreemptionWorld {
    fn start(given: &Value) -> Result<Self, String> {
        let mut rm = ResourceManager::new(settings(given)).map_err(|e| e.message)?;
        rm.set_now(1000);
        for node in list(&given["nodes"]) {
            let total = Resource::new(amount(&node["memory"]).memory_mb(), int(&node["memory"]).max(1));
            let label = node["label"].as_str().map(str::to_owned);
            let spec = NodeSpec { host: text(&node["id"]).into(), port: 1, rack: RACK.into(), total, label };
            rm.add_node(spec, &mut Silent).map_err(|e| e.message)?;
        }
        Ok(PreemptionWorld { rm, apps: IndexMap::new() })
    }

    fn node(&self, host: &str) -> Result<NodeId, String> {
        self.rm.node_by_host(host).ok_or_else(|| format!("no node {host}"))
    }

    fn app(&self, name: &str) -> Result<AppId, String> {
        self.apps.get(name).copied().ok_or_else(|| format!("no application {name}"))
    }

    fn heartbeat(&mut self, host: &str) -> Result<(), String> {
        let node = self.node(host)?;
        self.rm.heartbeat(node, NodeReport::default(), &mut Silent);
        for event in self.rm.take_events() {
            if let RmEvent::LaunchAm { attempt, .. } = event {
                self.rm.register(attempt.app, &mut Silent).map_err(|e| e.message)?;
            }
        }
        Ok(())
    }

    fn registered(&self, app: AppId) -> bool {
        self.rm.scheduled(app).is_some_and(|a| a.registered)
    }

    fn submit(&mut self, step: &Value) -> Result<(), String> {
        let am = AmAsk { size: amount(&step["am_memory"]), ..AmAsk::default() };
        let submission = Submission {
            queue: text(&step["queue"]).into(),
            user: "user".into(),
            am: Some(am),
            ..Submission::default()
        };
        let app = self.rm.submit(submission, &mut Silent).map_err(|e| e.message)?;
        self.apps.insert(text(&step["app"]).into(), app);
        let mut patience = PATIENCE;
        while let (Some(host), false, 1..) = (step["am_node"].as_str(), self.registered(app), patience) {
            self.heartbeat(host)?;
            patience -= 1;
        }
        if step["am_node"].is_string() && !self.registered(app) {
            return Err(format!("the AM of {} does not start", step["app"]));
        }
        Ok(())
    }

    fn ask(&mut self, step: &Value) -> Result<(), String> {
        let app = self.app(text(&step["app"]))?;
        // A preferred node is requested in addition to the other places that the container may use.
        let place = step["preferred_node"].as_str().or(step["where"].as_str()).unwrap_or("*");
        let relaxed = step["relax_locality"] != json!(false);
        let row = |place: &str, relax| AskRow {
            priority: step["priority"].as_i64().unwrap_or(1) as i32,
            place: place.into(),
            size: amount(&step["memory"]),
            count: int(&step["count"]),
            relax,
            label: step["label"].as_str().filter(|_| place == "*").map(str::to_owned),
            allocation_request_id: -1,
        };
        let mut asks = vec![row("*", relaxed)];
        if place != "*" {
            asks.extend([row(RACK, relaxed), row(place, true)]);
        }
        let call = AllocateCall { asks, ..AllocateCall::default() };
        self.rm.allocate(app, call, &mut Silent).map(|_| ()).map_err(|e| e.message)
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        let times = int(&step["times"]).clamp(1, PATIENCE as i64);
        match text(&step["do"]) {
            "submit" => self.submit(step)?,
            "ask" => self.ask(step)?,
            "heartbeat" => {
                for _ in 0..times {
                    list(&step["nodes"]).iter().try_for_each(|n| self.heartbeat(text(n)))?;
                }
            }
            "heartbeat-until" => {
                let words: Vec<&str> = text(&step["until"]).split_whitespace().collect();
                let [app, "has", n, "containers"] = words[..] else { return Err(format!("until {}", step["until"])) };
                let (app, n) = (self.app(app)?, n.parse::<usize>().map_err(|e| e.to_string())?);
                let mut patience = PATIENCE;
                while self.containers(app).count() != n && patience > 0 {
                    list(&step["nodes"]).iter().try_for_each(|n| self.heartbeat(text(n)))?;
                    patience -= 1;
                }
            }
            "preemption-round" => {
                for _ in 0..times {
                    let round = self.rm.preempt(&mut Silent).ok_or("there is no monitor")?;
                    if let Some(failure) = &round.failed {
                        return Err(format!("{failure:?}"));
                    }
                }
            }
            "wait" => self.rm.set_now(self.rm.now().saturating_add(int(&step["ms"]))),
            "kill-app" => {
                let app = self.app(text(&step["app"]))?;
                self.rm.kill_app(app, &mut Silent);
            }
            other => return Err(format!("no step {other}")),
        }
        Ok(())
    }

    fn containers(&self, app: AppId) -> impl Iterator<Item = &heddle_core::scheduler::Container> {
        self.rm.containers_of(app).filter(|c| c.state != ContainerState::Reserved)
    }

    fn marks(&self) -> Vec<ContainerId> {
        self.rm.preemption_monitor().map_or_else(Vec::new, |m| m.marks().ids().collect())
    }

    fn host(&self, node: NodeId) -> &str {
        self.rm.node(node).map_or("", |n| n.host.as_str())
    }

    fn figure(&self, key: &str, expected: &Value) -> Result<Value, String> {
        let by_app = |of: &dyn Fn(AppId, &Value) -> Value| -> Result<Value, String> {
            let mut out = Map::new();
            for (name, wanted) in expected.as_object().into_iter().flatten() {
                out.insert(name.clone(), of(self.app(name)?, wanted));
            }
            Ok(out.into())
        };
        let reserved = |app| self.rm.containers_of(app).filter(|c| c.state == ContainerState::Reserved).count();
        let on = |app, host: &str| self.containers(app).filter(|c| self.host(c.node) == host).count();
        let preempted = self.rm.capacity().map(|s| s.preemption().preempted(QueueId(0))).unwrap_or_default();
        let hosts = |nodes: &mut dyn Iterator<Item = NodeId>| {
            let mut hosts: Vec<&str> = nodes.map(|n| self.host(n)).collect();
            hosts.sort_unstable();
            hosts.dedup();
            json!(hosts)
        };
        Ok(match key {
            "containers" => by_app(&|app, _| json!(self.containers(app).count()))?,
            "reserved" => by_app(&|app, _| json!(reserved(app)))?,
            "containers_on_node" => by_app(&|app, wanted| {
                let nodes = wanted.as_object().into_iter().flatten();
                nodes.map(|(host, _)| (host.clone(), json!(on(app, host)))).collect::<Map<_, _>>().into()
            })?,
            "candidates" => json!(self.marks().len()),
            "candidates_of" => by_app(&|app, _| json!(self.marks().iter().filter(|id| id.app == app).count()))?,
            "candidates_on" => {
                let marks = self.marks();
                hosts(&mut marks.iter().filter_map(|id| self.rm.container(*id)).map(|c| c.node))
            }
            "reserved_on" => hosts(&mut self.rm.reservations().map(|c| c.node)),
            "unallocated" => {
                let mut out = Map::new();
                for host in expected.as_object().into_iter().flatten().map(|(host, _)| host) {
                    let node = self.rm.node(self.node(host)?).ok_or("no such node")?;
                    out.insert(host.clone(), json!(node.free().memory_mb() / 1024));
                }
                out.into()
            }
            "killable" => {
                let scheduler = self.rm.capacity().ok_or("no CapacityScheduler")?;
                let of = |id: ContainerId| self.rm.scheduled(id.app).map(|a| self.rm.queue_path(a.queue));
                let count = |path: &str| scheduler.preemption().killable().filter(|id| of(*id) == Some(path)).count();
                let queues = expected.as_object().into_iter().flatten();
                queues.map(|(path, _)| (path.clone(), json!(count(path)))).collect::<Map<_, _>>().into()
            }
            "preempted_total" => json!(preempted.containers),
            "preempted_memory_total" => json!(preempted.size.memory_mb() / 1024),
            "preempted_vcores_total" => json!(preempted.size.vcores()),
            other => return Err(format!("the figure {other} is not known here")),
        })
    }
}

fn cluster_scenario(case: &Case) -> Outcome {
    let mut world = match PreemptionWorld::start(&case.given) {
        Ok(world) => world,
        Err(message) => return trouble("settings", message),
    };
    for (i, step) in list(&case.given["steps"]).iter().enumerate() {
        let at = format!("step {}", i + 1);
        if let Err(message) = world.step(step) {
            return trouble(at, message);
        }
        let expected = case.expect["after_step"][(i + 1).to_string()].as_object();
        for (key, expected) in expected.into_iter().flatten() {
            let outcome = world.figure(key, expected).map(|got| holds(expected, &got));
            match outcome {
                Ok(Ok(())) => {}
                Ok(Err(d)) => return Outcome::Failed(d.inside(key).inside(at)),
                Err(message) => return trouble(at, message),
            }
        }
    }
    Outcome::Passed
}

fn container_order(case: &Case) -> Outcome {
    let piece = |v: &Value| Piece {
        id: ContainerId { app: AppId(0), attempt: 1, seq: int(&v["id"]) as u64 },
        node: NodeId(0),
        partition: PartitionId::DEFAULT,
        asked: PartitionId::DEFAULT,
        queue: None,
        size: Resource::ZERO,
        key: RequestKey { priority: int(&v["request_priority"]) as i32, allocation_request_id: -1 },
        am: false,
        reserved: false,
        killable: false,
        outdated: false,
        movable: false,
        made_at: 0,
        age_order: 0,
    };
    let mut pieces: Vec<Piece> = list(&case.given["containers"]).iter().map(piece).collect();
    pieces.sort_by(|a, b| taking_order(&(a.key, a.id), &(b.key, b.id)));
    let ids: Vec<u64> = pieces.iter().map(|c| c.id.seq).collect();
    holds(&case.expect, &json!({ "preemption_order_ids": ids })).into()
}

/// Returns the settings in force, under the case's names.
fn in_force(rm: &ResourceManager) -> Option<Value> {
    let conf = rm.preemption_monitor()?.conf();
    Some(json!({
        "monitoring_interval": conf.monitoring_interval_ms,
        "observe_only": conf.observe_only,
        "max_wait_before_kill": conf.max_wait_before_kill_ms,
        "total_preemption_per_round": conf.total_preemption_per_round,
        "max_ignored_over_capacity": conf.max_ignored_over_capacity,
        "natural_termination_factor": conf.natural_termination_factor,
    }))
}

fn config_refresh(case: &Case) -> Outcome {
    let settings = settings(&json!({
        "config": case.given["initial"],
        "queues": [{"path": "root.a", "capacity": 100}],
    }));
    let capacity = settings.capacity_scheduler.clone();
    let mut rm = match ResourceManager::new(settings) {
        Ok(rm) => rm,
        Err(refusal) => return trouble("settings", refusal.message),
    };
    rm.preempt(&mut Silent);
    let before = in_force(&rm);
    let mut changed = capacity;
    for (name, value) in case.given["changed"].as_object().into_iter().flatten() {
        changed.insert(property(name), as_text(value));
    }
    if let Err(refusal) = rm.refresh(changed, &mut Silent) {
        return trouble("refresh", refusal.message);
    }
    if in_force(&rm) != before {
        return Outcome::Failed(Difference::new(
            "after the refresh",
            "the old settings until the next round",
            "others",
        ));
    }
    rm.preempt(&mut Silent);
    holds(&case.expect, &json!({ "before": before, "after_next_round": in_force(&rm) })).into()
}
