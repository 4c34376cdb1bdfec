//! Nodes in the ResourceManager (area lifecycles): their states, their reports and the responses to them, decommissioning,
//! host lists.

use super::capacity_world::World;
use super::lifecycles::world;
use super::read::{int, list, resource, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::journal::{Change, Entry, Full, Silent};
use heddle_core::model::{AppId, ContainerId, NodeId, Resource};
use heddle_core::rm::{
    AllocateCall, AllocateResponse, Drain, DrainStatus, HeartbeatAnswer, HostLists, NodeCounts, NodeRegistration,
    NodeReport, NodeSpec, NodeState,
};
use heddle_core::scheduler::ContainerState;
use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "rm-node" => |case: &Case| outcome(rm_node(case)),
        "rm-node-reports" => |case: &Case| outcome(rm_node_reports(case)),
        "rm-node-cleanup" => |case: &Case| outcome(rm_node_cleanup(case)),
        "decommission" => |case: &Case| outcome(decommission(case)),
        "decommission-timeout" => |case: &Case| outcome(decommission_timeout(case)),
        "decommission-watch" => |case: &Case| outcome(decommission_watch(case)),
        "node-registration" => |case: &Case| outcome(node_registration(case)),
        "node-heartbeat-id" => |case: &Case| outcome(node_heartbeat_id(case)),
        "node-reconnect" => |case: &Case| outcome(node_reconnect(case)),
        "node-unregister" => |case: &Case| outcome(node_unregister(case)),
        "unregistered-nodes" => |case: &Case| outcome(unregistered_nodes(case)),
        "untracked-removal" => |case: &Case| outcome(untracked_removal(case)),
        _ => return None,
    })
}

/// Turns a failure to play into a difference.
fn outcome(result: Result<Outcome, String>) -> Outcome {
    result.unwrap_or_else(|message| Outcome::Failed(Difference::new("", "to be played", message)))
}

const HOME: Resource = Resource::new(10_240, 10);

fn spec(host: &str, port: i32, total: Resource) -> NodeSpec {
    NodeSpec { host: host.into(), port, rack: "/default-rack".into(), total, label: None }
}

/// A ResourceManager with nodes, and one application that receives updates about them.
struct Lab {
    world: World,
    app: AppId,
    rec: Full,
}

impl Lab {
    fn new(yarn_site: Value) -> Result<Self, String> {
        let mut yarn_site = yarn_site;
        let least = "yarn.scheduler.minimum-allocation-mb";
        if yarn_site.get(least).is_none() {
            yarn_site[least] = json!("256");
        }
        let mut world = world(yarn_site, &[])?;
        let app = world.submit(&json!({ "app": "app", "user": "user" }), "default", None)?;
        Ok(Lab { world, app, rec: Full::default() })
    }

    fn register(&mut self, host: &str, port: i32, total: Resource) -> Result<NodeId, String> {
        self.world.rm.add_node(spec(host, port, total), &mut self.rec).map_err(|r| r.message)
    }

    fn beat(&mut self, node: NodeId, report: NodeReport) -> HeartbeatAnswer {
        self.world.rm.heartbeat(node, report, &mut self.rec).into_owned()
    }

    fn pull(&mut self) -> Result<AllocateResponse, String> {
        self.world.rm.allocate(self.app, AllocateCall::default(), &mut self.rec).map_err(|r| r.message)
    }

    fn state(&self, node: NodeId) -> &'static str {
        self.world.rm.node(node).map_or("", |n| n.state.text())
    }

    /// Allocates containers of 256 MB of an application on a node, which its AM receives. They are not reported yet.
    fn containers(&mut self, app: &str, node: NodeId, count: i64) -> Result<Vec<ContainerId>, String> {
        let id = self.world.app(app).ok_or("no such application")?;
        let before: Vec<ContainerId> = self.world.containers(id).map(|c| c.id).collect();
        self.world.ask(app, &json!(1), &[json!({ "name": "*", "memory_mb": 256, "count": count })])?;
        for _ in 0..=count {
            self.world.rm.heartbeat(node, NodeReport::default(), &mut self.rec);
        }
        self.world.allocate(app, AllocateCall::default())?;
        Ok(self.world.containers(id).map(|c| c.id).filter(|c| !before.contains(c)).collect())
    }

    fn has_running(&mut self, node: NodeId, running: Vec<ContainerId>) {
        self.beat(node, NodeReport { running, ..NodeReport::default() });
    }

    /// Sends a node's status, which the scheduler then processes.
    fn status(&mut self, node: NodeId, report: NodeReport) {
        if self.world.rm.node_status(node, report, &mut self.rec) {
            self.world.rm.take_up_reports(node, &mut self.rec);
        }
    }
}

fn counts(c: NodeCounts) -> [(&'static str, i64); 7] {
    [
        ("active", c.active as i64),
        ("unhealthy", c.unhealthy as i64),
        ("decommissioning", c.decommissioning as i64),
        ("decommissioned", c.decommissioned as i64),
        ("lost", c.lost as i64),
        ("rebooted", c.rebooted as i64),
        ("shutdown", c.shutdown as i64),
    ]
}

/// Brings a node into the initial state of a case.
fn begin(lab: &mut Lab, host: &str, port: i32, total: Resource, start: &str, busy: bool) -> Result<NodeId, String> {
    if start == "NEW" {
        return lab.world.rm.know_node(&spec(host, port, total)).map_err(|r| r.message);
    }
    let node = lab.register(host, port, total)?;
    if busy {
        let running = lab.containers("app", node, 1)?;
        lab.has_running(node, running);
    }
    let rec = &mut lab.rec;
    let rm = &mut lab.world.rm;
    match start {
        "RUNNING" => {}
        "UNHEALTHY" => drop(lab.beat(node, NodeReport { unhealthy: true, ..NodeReport::default() })),
        "DECOMMISSIONING" => rm.decommission_node(node, -1, rec),
        "DECOMMISSIONED" => rm.remove_decommissioned(node, rec),
        "LOST" => rm.remove_node(node, rec),
        "SHUTDOWN" => rm.unregister_node(node, rec),
        "REBOOTED" => drop(rm.numbered_heartbeat(node, -100, NodeReport::default(), rec)),
        other => return Err(format!("unknown state {other}")),
    }
    Ok(node)
}

fn node_event(lab: &mut Lab, node: NodeId, event: &Value) -> Result<(), String> {
    let known = lab.world.rm.node(node).ok_or("no such node")?;
    let (own, http_port) = (spec(&known.host, known.port, known.total), known.http_port);
    let rm = &mut lab.world.rm;
    let rec = &mut lab.rec;
    let name = event.as_str().map(|name| name.to_uppercase().replace([' ', '-'], "_"));
    match name.as_deref() {
        Some("STARTED") => {
            rm.add_node(own, rec).map_err(|r| r.message)?;
        }
        Some("EXPIRE") => rm.remove_node(node, rec),
        Some("DECOMMISSION") => rm.remove_decommissioned(node, rec),
        Some("GRACEFUL_DECOMMISSION") => rm.decommission_node(node, -1, rec),
        Some("RECOMMISSION") => rm.recommission_node(node, rec),
        Some("SHUTDOWN") => rm.unregister_node(node, rec),
        Some("REBOOTING" | "REBOOT") => drop(rm.numbered_heartbeat(node, -100, NodeReport::default(), rec)),
        Some(other) => return Err(format!("unknown event {other}")),
        None => {
            let (what, of) = event.as_object().and_then(|o| o.iter().next()).ok_or("an event without a name")?;
            match what.as_str() {
                "started" => {
                    let unhealthy = of["healthy"] == false;
                    let node = NodeRegistration { unhealthy, ..NodeRegistration::of(own) };
                    rm.register_node(node, rec).map_err(|r| r.message)?;
                }
                "heartbeat" => {
                    let alive = of["keep_alive_apps"] == true || int(&of["keep_alive_apps"]) > 0;
                    let kept_alive = if alive { vec![lab.app] } else { Vec::new() };
                    let unhealthy = of["healthy"] == false;
                    lab.status(node, NodeReport { unhealthy, kept_alive, ..NodeReport::default() });
                }
                "reconnect" => {
                    // Unknown applications count as well.
                    let running_apps = (0..int(&of["running_apps"])).map(|i| AppId(900 + i as u32)).collect();
                    let http_port = if of["new_http_port"] == true { http_port + 1 } else { http_port };
                    let node = NodeRegistration { spec: own, unhealthy: false, running_apps, http_port };
                    rm.register_node(node, rec).map_err(|r| r.message)?;
                }
                "resource_update" => rm.resize_node(node, resource(of), -1, rec),
                other => return Err(format!("unknown event {other}")),
            }
        }
    }
    Ok(())
}

fn rm_node(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let mut lab = Lab::new(json!({}))?;
    let total = if g["capacity"].is_array() { resource(&g["capacity"]) } else { HOME };
    let start = text(&g["start"]);
    let events = list(&g["events"]);
    let busy =
        events.iter().any(|e| e["heartbeat"]["running_apps"] == true || int(&e["heartbeat"]["running_apps"]) > 0);
    let mut nodes: IndexMap<String, NodeId> = IndexMap::new();
    let named: Vec<&str> = list(&g["nodes"]).iter().map(text).collect();
    for name in if named.is_empty() { vec!["host:1"] } else { named } {
        let (host, port) = name.split_once(':').unwrap_or((name, "1"));
        let port = port.parse().map_err(|_| format!("no port in {name}"))?;
        nodes.insert(name.to_string(), begin(&mut lab, host, port, total, start, busy)?);
    }
    lab.pull()?;
    let before = counts(lab.world.rm.node_counts());
    let change = |lab: &Lab| {
        let now = counts(lab.world.rm.node_counts());
        before.iter().zip(now).map(|((name, was), (_, is))| (name.to_string(), json!(is - was))).collect::<Map<_, _>>()
    };
    let first = *nodes.values().next().ok_or("no node")?;
    let (mut states, mut lost, mut active) = (Vec::new(), Vec::new(), Vec::new());
    for event in events {
        let (node, event) = match event.get("node") {
            Some(name) => (*nodes.get(text(name)).ok_or("no such node")?, &event["event"]),
            None => (first, event),
        };
        node_event(&mut lab, node, event)?;
        states.push(lab.state(node));
        lost.push(lab.world.rm.node_counts().lost);
        active.push(change(&lab)["active"].clone());
    }
    let told = lab.pull()?.updated_nodes;
    let told = told.last().map(|n| if n.usable() { "node usable" } else { "node unusable" });
    let removed = |e: &&(heddle_core::model::Millis, Entry)| matches!(e.1, Entry::Changed(Change::NodeRemoved { .. }));
    let node = lab.world.rm.node(first).ok_or("no node")?;
    let types = list(&g["capacity"]).len().max(2);
    let amounts = |r: Resource| r.0.iter().take(types).copied().collect::<Vec<i64>>();
    let got = json!({
        "state": lab.state(first),
        "states": states,
        "counter_changes": change(&lab),
        "lost_in_total": lost,
        "active_change": active,
        "apps_told": told,
        "scheduler_removals_in_total": lab.rec.entries.iter().filter(removed).count(),
        "capacity": amounts(node.total),
        "original_capacity_kept": node.size_before_decommission.map(amounts),
    });
    Ok(holds(&case.expect, &got).into())
}

/// Plays reports of one node about the containers of one application.
fn rm_node_reports(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let mut lab = Lab::new(json!({}))?;
    let node = lab.register("n1", 1, HOME)?;
    let reports = list(&g["reports"]);
    let names: IndexSet<&String> = reports.iter().filter_map(Value::as_object).flat_map(|o| o.keys()).collect();
    let ids = lab.containers("app", node, names.len() as i64)?;
    let id = |name: &str| names.get_index_of(&name.to_string()).and_then(|i| ids.get(i)).copied();
    let named = |of: &[ContainerId]| {
        let mut out: Vec<&str> =
            names.iter().filter(|n| id(n).is_some_and(|id| of.contains(&id))).map(|n| n.as_str()).collect();
        out.sort_unstable();
        out
    };
    // The scheduler processes reports at once, never, or from a given one on.
    let counted = case.expect.get("updates_queued").is_some();
    let free_from = match g["scheduler_busy_until_report"].as_u64() {
        Some(n) => (n as usize).min(reports.len().saturating_sub(1)),
        None if g["scheduler_busy"] == true || counted => usize::MAX,
        None => 0,
    };
    let queued = |lab: &Lab| lab.world.rm.node(node).map_or(0, |n| n.updates.len());
    let (mut running_after, mut completed_after, mut told_after) = (Vec::new(), Vec::new(), Vec::new());
    let (mut seen, mut updates, mut pending, mut over) = (Vec::new(), 0, false, IndexSet::new());
    for (i, report) in reports.iter().enumerate() {
        let of = |state: &str| {
            let here = report.as_object().into_iter().flatten().filter(|(_, s)| *s == state);
            here.filter_map(|(name, _)| id(name)).collect::<Vec<ContainerId>>()
        };
        let (running, done) = (of("RUNNING"), of("COMPLETE"));
        let fresh = running.iter().copied().filter(|c| !seen.contains(c)).collect();
        seen.extend(running.iter().copied());
        let completed = done.into_iter().map(|c| (c, 0)).collect();
        let report = NodeReport { running: fresh, completed, all: Some(running), ..NodeReport::default() };
        pending |= lab.world.rm.node_status(node, report, &mut lab.rec);
        if i >= free_from && pending {
            pending = false;
            updates += 1;
            lab.world.rm.take_up_reports(node, &mut lab.rec);
        }
        let live: Vec<ContainerId> = lab.world.containers(lab.app).map(|c| c.id).collect();
        let ended: Vec<ContainerId> = ids.iter().copied().filter(|c| !live.contains(c) && over.insert(*c)).collect();
        let runs = |c: &ContainerId| lab.world.rm.container(*c).is_some_and(|c| c.state == ContainerState::Running);
        running_after.push(json!(named(&ids.iter().copied().filter(runs).collect::<Vec<_>>())));
        completed_after.push(json!(named(&ended)));
        // A calling AM would confirm what it received.
        if case.expect.get("completed_told").is_some() {
            let told: Vec<ContainerId> = lab.pull()?.completed.iter().map(|c| c.id).collect();
            told_after.push(json!(named(&told)));
        }
    }
    let before = queued(&lab);
    if g["then"] == "EXPIRE" {
        lab.world.rm.remove_node(node, &mut lab.rec);
    }
    let after = queued(&lab);
    if lab.world.rm.node(node).is_some_and(|n| n.in_scheduler) {
        lab.world.rm.take_up_reports(node, &mut lab.rec);
    }
    let heard = lab.pull()?.completed;
    lab.pull()?;
    let forgotten = lab.world.rm.heartbeat_answer(node).forget;
    let last = heard.last();
    let said = text(&case.expect["diagnostics_contains"]);
    let diagnostics = last.map(|c| if c.diagnostics.contains(said) { said.to_string() } else { c.diagnostics.clone() });
    let got = json!({
        "running_after": running_after,
        "completed_after": completed_after,
        "completed_told": told_after,
        "node_updates": updates,
        "exit_status": last.map(|c| c.exit_code),
        "diagnostics_contains": diagnostics,
        "updates_queued": before,
        "updates_queued_before": before,
        "updates_queued_after": after,
        "forgotten_when_am_has_pulled": !forgotten.is_empty(),
    });
    Ok(holds(&case.expect, &got).into())
}

/// Plays what is pending for a node until its next response.
fn rm_node_cleanup(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let mut lab = Lab::new(json!({}))?;
    let node = lab.register("n1", 1, HOME)?;
    let to_clean: Vec<&str> = list(&g["to_clean"]).iter().map(text).collect();
    let finished: Vec<&str> = list(&g["finished_apps"]).iter().map(text).collect();
    let containers = lab.containers("app", node, to_clean.len() as i64)?;
    lab.has_running(node, containers.clone());
    for name in &finished {
        lab.world.submit(&json!({ "app": name, "user": "user" }), "default", None)?;
        let own = lab.containers(name, node, 1)?;
        lab.has_running(node, own.clone());
        lab.beat(node, NodeReport { completed: own.iter().map(|c| (*c, 0)).collect(), ..NodeReport::default() });
    }
    for name in &finished {
        lab.world.kill(name)?;
    }
    lab.world.allocate("app", AllocateCall { releases: containers.clone(), ..AllocateCall::default() })?;
    let (mut waiting_after, mut running_apps, mut apps_to_clean) = (Vec::new(), Vec::new(), Vec::new());
    let mut answer = Value::Null;
    for step in list(&g["steps"]) {
        match step.as_str() {
            Some("status-update") => lab.status(node, NodeReport::default()),
            Some("fill-heartbeat-answer") => {
                let HeartbeatAnswer { stop, finished: over, .. } = lab.world.rm.heartbeat_answer(node);
                let stop = stop.iter().filter_map(|id| containers.iter().position(|c| c == id));
                let names: Vec<&str> = stop.filter_map(|i| to_clean.get(i).copied()).collect();
                let apps: Vec<&str> = over.iter().map(|app| lab.world.app_name(*app)).collect();
                answer = json!({ "containers": names, "apps": apps });
            }
            Some(other) => return Err(format!("unknown step {other}")),
            None if step.get("report").is_some() => {
                let name = text(&step["report"]["app"]);
                if lab.world.app(name).is_none() {
                    lab.world.submit(&json!({ "app": name, "user": "user" }), "default", None)?;
                }
                let own = lab.containers(name, node, 1)?;
                lab.status(node, NodeReport { running: own, ..NodeReport::default() });
            }
            None if step.get("app_finished").is_some() => {
                let name = text(&step["app_finished"]);
                let id = lab.world.app(name).ok_or("no such application")?;
                lab.world.rm.unregister(id, &mut lab.rec);
            }
            None => return Err(format!("unknown step {step}")),
        }
        let known = lab.world.rm.node(node).ok_or("no node")?;
        let waiting = &known.waiting;
        waiting_after.push(json!({ "containers": waiting.stop.len(), "apps": waiting.finished.len() }));
        running_apps.push(known.running_apps.len());
        apps_to_clean.push(waiting.finished.len());
    }
    let got = json!({ "waiting_after": waiting_after, "running_apps": running_apps, "apps_to_clean": apps_to_clean,
        "answer": answer });
    Ok(holds(&case.expect, &got).into())
}

/// Returns the host that a text names.
fn host_in<'a>(words: &'a str, hosts: &IndexMap<String, NodeId>) -> Option<&'a str> {
    let trimmed = words.split_whitespace().map(|w| w.trim_end_matches([':', ',', ')']));
    trimmed.into_iter().find(|w| hosts.contains_key(*w))
}

/// Draining nodes, with an application on one of them.
struct Draining {
    lab: Lab,
    hosts: IndexMap<String, NodeId>,
    lists: HostLists,
    app: Option<AppId>,
    am: Option<ContainerId>,
    others: Vec<ContainerId>,
    home: String,
    actions: IndexMap<String, &'static str>,
    last_action: &'static str,
}

impl Draining {
    fn refresh(&mut self, graceful: bool) {
        let drain = graceful.then_some(Drain::default());
        self.lab.world.rm.refresh_hosts(self.lists.clone(), drain, None, &mut self.lab.rec);
    }

    fn heartbeat(&mut self, host: &str, complete: &[ContainerId]) -> Result<(), String> {
        let node = *self.hosts.get(host).ok_or("no such host")?;
        let here: Vec<ContainerId> = self.lab.world.rm.containers_on(node).map(|c| c.id).collect();
        let running: Vec<ContainerId> = here.into_iter().filter(|c| !complete.contains(c)).collect();
        let completed = complete.iter().map(|c| (*c, 0)).collect();
        let report = NodeReport { running, completed, ..NodeReport::default() };
        let answer = self.lab.beat(node, report);
        self.last_action = answer.action.text();
        self.actions.insert(host.to_string(), self.last_action);
        Ok(())
    }

    fn finish(&mut self) -> Result<(), String> {
        let (Some(app), Some(am)) = (self.app, self.am) else { return Err("no application".into()) };
        if self.lab.world.rm.app(app).is_some_and(|a| a.state.text() == "ACCEPTED") {
            self.lab.world.rm.register(app, &mut self.lab.rec).map_err(|r| r.message)?;
        }
        self.lab.world.rm.unregister(app, &mut self.lab.rec);
        let home = self.home.clone();
        let last = self.last_action;
        let node = *self.hosts.get(&home).ok_or("no such host")?;
        if self.lab.world.rm.node(node).is_some_and(|n| n.in_scheduler) {
            self.heartbeat(&home, &[am])?;
        }
        self.last_action = last;
        Ok(())
    }

    fn step(&mut self, words: &str) -> Result<(), String> {
        let lower = words.to_lowercase();
        let host = host_in(words, &self.hosts).map(str::to_string);
        let ended: Vec<ContainerId> =
            if self.others.is_empty() { self.am.into_iter().collect() } else { self.others.clone() };
        match host {
            Some(host) if lower.starts_with("heartbeat") => {
                let complete = lower.contains("complete") && host == self.home;
                let am = lower.contains("am container");
                let done = match complete {
                    true if am => self.am.into_iter().collect(),
                    true => ended,
                    false => Vec::new(),
                };
                self.heartbeat(&host, &done)
            }
            Some(host) if lower.contains("complete") => self.heartbeat(&host, &ended),
            Some(host) if lower.contains("expire") => {
                self.lab.world.rm.remove_node(self.hosts[&host], &mut self.lab.rec);
                Ok(())
            }
            Some(host) if lower.contains("recommission") || lower.contains("include") => {
                self.lists.exclude.retain(|(name, _)| *name != host);
                self.refresh(true);
                Ok(())
            }
            Some(host) if lower.contains("decommission") || lower.contains("exclude") || lower.contains("graceful") => {
                self.lists.exclude.push((host, None));
                self.refresh(!lower.contains("forced") && !lower.contains("at once"));
                Ok(())
            }
            Some(host) if lower.contains("register") => {
                let spec = spec(&host, 1, HOME);
                let known = self.lab.world.rm.add_node(spec, &mut self.lab.rec);
                self.last_action = if known.is_ok() { "NORMAL" } else { "SHUTDOWN" };
                Ok(())
            }
            _ if lower.contains("finish") || lower.contains("unregister") => self.finish(),
            _ if lower.contains("kill") => {
                let app = self.app.ok_or("no application")?;
                self.lab.world.rm.kill_app(app, &mut self.lab.rec);
                Ok(())
            }
            _ if lower.contains("recommission") || lower.contains("empty") => {
                self.lists.exclude.clear();
                self.refresh(true);
                Ok(())
            }
            _ if lower.contains("refresh") => {
                self.refresh(lower.contains("graceful"));
                Ok(())
            }
            _ => Err(format!("unknown step {words}")),
        }
    }
}

fn decommission(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let mut lab = Lab::new(json!({}))?;
    let mut hosts = IndexMap::new();
    for host in list(&g["nodes"]).iter().map(text) {
        hosts.insert(host.to_string(), lab.register(host, 1, HOME)?);
    }
    let home = g["app_on"].as_str().unwrap_or("").to_string();
    let (mut app, mut am, mut others) = (None, None, Vec::new());
    let steps: Vec<&str> = list(&g["steps"]).iter().map(text).collect();
    if let Some(node) = hosts.get(&home).copied() {
        let id = lab.world.submit(&json!({ "app": "job", "user": "user" }), "default", Some(Resource::new(1024, 1)))?;
        // Its AM exists; some cases are about whether its node has reported it.
        let unreported = steps.iter().any(|s| s.contains("first time"));
        if unreported {
            lab.beat(node, NodeReport::default());
            lab.world.rm.take_events();
        } else {
            lab.world.heartbeat(&home)?;
            others = lab.containers("job", node, 1)?;
        }
        am = lab.world.containers(id).find(|c| c.am).map(|c| c.id);
        if !unreported {
            let all = am.into_iter().chain(others.iter().copied()).collect();
            lab.has_running(node, all);
        }
        app = Some(id);
    }
    let mut draining = Draining {
        lab,
        hosts,
        lists: HostLists::default(),
        app,
        am,
        others,
        home,
        actions: IndexMap::new(),
        last_action: "NORMAL",
    };
    let graceful: Vec<&Value> = list(&g["graceful"]).iter().collect();
    if !graceful.is_empty() {
        draining.lists.exclude = graceful.iter().map(|h| (text(h).to_string(), None)).collect();
        draining.refresh(true);
    }
    let state = |d: &Draining, host: &str| d.hosts.get(host).map_or("", |node| d.lab.state(*node)).to_string();
    let mut got = Map::new();
    got.insert("state_after_request".into(), json!(graceful.first().map(|h| state(&draining, text(h)))));
    let mut after: IndexMap<String, Vec<Value>> = IndexMap::new();
    let mut play = steps.clone();
    match &g["then"] {
        Value::String(step) => play.push(step),
        then => play.extend(list(then).iter().map(text)),
    }
    for step in &play {
        draining.step(step)?;
        let lower = step.to_lowercase();
        for host in draining.hosts.keys().cloned().collect::<Vec<_>>() {
            let now = state(&draining, &host);
            after.entry(format!("{host}_after")).or_default().push(json!(now));
            if lower.starts_with("heartbeat") && step.contains(&host) {
                got.entry(format!("{host}_after_its_heartbeat")).or_insert(json!(now));
                if draining.app.is_some_and(|a| draining.lab.world.rm.app(a).is_some_and(|a| a.state.is_final())) {
                    got.insert(format!("{host}_action_after_app"), json!(draining.last_action));
                }
            }
            if lower.contains("complete") && step.contains(&host) {
                got.entry(format!("{host}_action_when_container_completes")).or_insert(json!(draining.last_action));
            }
        }
    }
    for (key, states) in after {
        let wanted = list(&case.expect[&key]);
        let skip = |i: usize| wanted.get(i).is_some_and(Value::is_null);
        // The last state, if a single one is expected instead of a list.
        let value = match &case.expect[&key] {
            Value::String(_) => states.last().cloned().unwrap_or(Value::Null),
            _ => states.into_iter().enumerate().map(|(i, v)| if skip(i) { Value::Null } else { v }).collect(),
        };
        got.insert(key, value);
    }
    let hosts: Vec<String> = draining.hosts.keys().cloned().collect();
    let finals: Map<String, Value> = hosts.iter().map(|h| (h.clone(), json!(state(&draining, h)))).collect();
    got.extend(finals.clone());
    let first = hosts.first().map_or(Value::Null, |h| finals[h].clone());
    got.insert("final".into(), if case.expect["final"].is_object() { Value::Object(finals) } else { first });
    got.insert("node_action".into(), json!(draining.last_action));
    let app = draining.app.and_then(|a| draining.lab.world.rm.app(a));
    got.insert("app_state".into(), json!(app.map(|a| a.state.text())));
    Ok(holds(&case.expect, &Value::Object(got)).into())
}

/// Plays the timeouts of hosts on the exclude list.
fn decommission_timeout(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let setting = "yarn.resourcemanager.nodemanager-graceful-decommission-timeout-secs";
    let mut lab = Lab::new(json!({ setting: int(&g["default_s"]).to_string() }))?;
    let mut exclude: Vec<(String, Option<i64>)> = Vec::new();
    let later = g["later"].as_object().into_iter().flatten().filter(|(key, _)| *key != "default_s");
    let first = g["per_host_s"].as_object().into_iter().flatten();
    let mut nodes = IndexMap::new();
    for (host, _) in first.clone().chain(later.clone()) {
        nodes.insert(host.clone(), lab.register(host, 1, HOME)?);
        // A node with a running container stays while it drains.
        let node = nodes[host.as_str()];
        let running = lab.containers("app", node, 1)?;
        lab.has_running(node, running);
    }
    exclude.extend(first.map(|(host, seconds)| (host.clone(), seconds.as_i64())));
    let lists = |exclude: &[(String, Option<i64>)]| HostLists { include: Vec::new(), exclude: exclude.to_vec() };
    lab.world.rm.refresh_hosts(lists(&exclude), Some(Drain::default()), None, &mut Silent);
    let timeout = |lab: &Lab, host: &str| {
        let node = nodes.get(host).and_then(|id| lab.world.rm.node(*id));
        node.and_then(|n| n.decommission_timeout).map(|ms| ms / 1000)
    };
    let mut got: Map<String, Value> =
        exclude.iter().map(|(host, _)| (host.clone(), json!(timeout(&lab, host)))).collect();
    let fresh: Vec<(String, Option<i64>)> = later.map(|(host, s)| (host.clone(), s.as_i64())).collect();
    if !fresh.is_empty() {
        exclude.extend(fresh.clone());
        let default = g["later"]["default_s"].as_i64();
        lab.world.rm.refresh_hosts(lists(&exclude), Some(Drain::default()), default, &mut Silent);
        got.extend(fresh.iter().map(|(host, _)| (host.clone(), json!(timeout(&lab, host)))));
    }
    Ok(holds(&case.expect, &json!({ "timeout_s": got })).into())
}

/// Plays the watcher's reaction to each report of a draining node.
fn decommission_watch(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let mut lab = Lab::new(json!({}))?;
    let node = lab.register("n1", 1, HOME)?;
    let id = lab.world.submit(&json!({ "app": "job", "user": "user" }), "default", None)?;
    let all = list(&g["before"]).iter().chain(list(&g["reports"]));
    let most = all.map(|r| int(&r["running"])).max().unwrap_or(0);
    let containers = lab.containers("job", node, most)?;
    let (mut reported, mut done) = (0, 0);
    let mut report = |running: i64| {
        let (most, running) = (containers.len(), usize::try_from(running).unwrap_or(0));
        let fresh = containers[reported.min(most)..].to_vec();
        reported = most;
        let over = most.saturating_sub(running).max(done);
        let completed = containers[done..over].iter().map(|c| (*c, 0)).collect();
        let running = fresh.into_iter().filter(|c| !containers[..over].contains(c)).collect();
        done = over;
        NodeReport { running, completed, ..NodeReport::default() }
    };
    // What the node runs when it begins to drain was reported before.
    let first = [json!({ "running": most })];
    let before = list(&g["before"]);
    for before in if before.is_empty() { &first[..] } else { before } {
        let said = report(int(&before["running"]));
        lab.beat(node, said);
    }
    lab.world.rm.decommission_node(node, int(&g["timeout_s"]), &mut lab.rec);
    let (mut ready, mut status) = (Vec::new(), Vec::new());
    for step in list(&g["reports"]) {
        if step["app_finished"] == true {
            lab.world.rm.unregister(id, &mut lab.rec);
        }
        let said = report(int(&step["running"]));
        let found = lab.world.rm.decommission_status(node, &said);
        ready.push(json!(matches!(found, DrainStatus::Ready | DrainStatus::Timeout)));
        status.push(json!(found.text()));
        lab.beat(node, said);
    }
    let checked = |got: Vec<Value>, key: &str| {
        let wanted = list(&case.expect[key]);
        let skip = |i: usize| wanted.get(i).is_some_and(Value::is_null);
        got.into_iter().enumerate().map(|(i, v)| if skip(i) { Value::Null } else { v }).collect::<Vec<Value>>()
    };
    let got = json!({ "ready": checked(ready, "ready"), "status": checked(status, "status") });
    Ok(holds(&case.expect, &got).into())
}

fn node_registration(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let mut site = json!({});
    for (amount, unit) in list(&g["minimum_allocation"]).iter().zip(["mb", "vcores"]) {
        site[format!("yarn.scheduler.minimum-allocation-{unit}")] = json!(int(amount).to_string());
    }
    let mut lab = Lab::new(site)?;
    // The default capacity is ample.
    let capacity = list(&g["capacity"]);
    let amount = |i: usize| capacity.get(i).and_then(Value::as_i64).unwrap_or(64);
    let total = Resource::new(amount(0), amount(1));
    match text(&g["node_state"]) {
        "" => {}
        start => {
            let node = begin(&mut lab, "n1", 1, total, start, start == "DECOMMISSIONING")?;
            let excluded = lab
                .world
                .rm
                .node(node)
                .is_some_and(|n| matches!(n.state, NodeState::Decommissioning | NodeState::Decommissioned));
            let exclude = if excluded { vec![("n1".to_string(), Some(-1))] } else { Vec::new() };
            let lists = HostLists { include: Vec::new(), exclude };
            lab.world.rm.refresh_hosts(lists, Some(Drain::default()), None, &mut Silent);
        }
    }
    let action = if lab.register("n1", 1, total).is_ok() { "NORMAL" } else { "SHUTDOWN" };
    Ok(holds(&case.expect, &json!({ "node_action": action })).into())
}

fn node_heartbeat_id(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let mut lab = Lab::new(json!({}))?;
    let node = lab.register("n1", 1, HOME)?;
    lab.world.rm.set_response_id(node, int(&g["rm_id"]) as i32);
    let heard = int(&g["node_id"]) as i32;
    let answer = lab.world.rm.numbered_heartbeat(node, heard, NodeReport::default(), &mut lab.rec).into_owned();
    let got = json!({ "node_action": answer.action.text(), "node_state": lab.state(node),
        "diagnostics": answer.diagnostics });
    Ok(holds(&case.expect, &got).into())
}

fn node_reconnect(case: &Case) -> Result<Outcome, String> {
    let mut lab = Lab::new(json!({}))?;
    let mut nodes: IndexMap<String, NodeId> = IndexMap::new();
    for (i, step) in list(&case.given["steps"]).iter().enumerate() {
        if let Some(wanted) = step.get("check_available_mb") {
            let cluster = lab.world.rm.cluster();
            let here = lab.world.rm.nodes().iter().filter(|n| n.in_scheduler);
            let used: i64 = here.map(|n| n.allocated.memory_mb()).sum();
            let free = cluster.total.memory_mb() - used;
            if *wanted != free {
                return Ok(Outcome::Failed(Difference::new(format!("step {i}: available"), wanted, free)));
            }
            continue;
        }
        let host = text(&step["register"]);
        let mb = int(&step["mb"]);
        let registration = NodeRegistration {
            spec: spec(host, 1, Resource::new(mb, (mb / 1024).max(1))),
            unhealthy: false,
            running_apps: (0..int(&step["running_apps"])).map(|i| AppId(900 + i as u32)).collect(),
            http_port: int(&step["http_port"]) as i32,
        };
        let node = lab.world.rm.register_node(registration, &mut lab.rec).map_err(|r| r.message)?;
        nodes.insert(host.to_string(), node);
        let unhealthy = step["healthy"] == false;
        for _ in 0..step["heartbeats"].as_u64().unwrap_or(1) {
            lab.beat(node, NodeReport { unhealthy, ..NodeReport::default() });
        }
    }
    let port = |id: &NodeId| lab.world.rm.node(*id).map(|n| n.http_port);
    let ports: Map<String, Value> = nodes.iter().map(|(host, id)| (host.clone(), json!(port(id)))).collect();
    let states: Map<String, Value> = nodes.iter().map(|(host, id)| (host.clone(), json!(lab.state(*id)))).collect();
    let mut got = json!({ "error": null, "http_port": ports });
    for (host, state) in states {
        got[host] = state;
    }
    Ok(holds(&case.expect, &got).into())
}

fn node_unregister(case: &Case) -> Result<Outcome, String> {
    let mut lab = Lab::new(json!({}))?;
    let node = lab.register("n1", 1, HOME)?;
    let mut actions = Vec::new();
    for step in list(&case.given["steps"]).iter().map(text) {
        match step {
            "heartbeat" => actions.push(json!(lab.beat(node, NodeReport::default()).action.text())),
            "unregister" => {
                lab.world.rm.unregister_node(node, &mut lab.rec);
                actions.push(Value::Null);
            }
            "register" => actions.push(lab.register("n1", 1, HOME).map_or(Value::Null, |_| json!("NORMAL"))),
            other => return Err(format!("unknown step {other}")),
        }
    }
    let got = json!({ "actions": actions, "shutdown_nodes": lab.world.rm.node_counts().shutdown });
    Ok(holds(&case.expect, &got).into())
}

fn unregistered_nodes(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let setting = "yarn.resourcemanager.enable-tracking-for-unregistered-nodes";
    let mut lab = Lab::new(json!({ setting: g["enabled"].to_string() }))?;
    let names = |v: &Value| list(v).iter().map(|h| text(h).to_string()).collect::<Vec<String>>();
    let lists = HostLists {
        include: names(&g["include"]),
        exclude: names(&g["exclude"]).into_iter().map(|host| (host, None)).collect(),
    };
    let mut after: IndexMap<&str, Vec<Value>> = IndexMap::new();
    for step in list(&g["steps"]) {
        if let Some(host) = step.get("register") {
            let mb = step["mb"].as_i64().unwrap_or(10_240);
            // A host that is not allowed is refused.
            let _ = lab.register(text(host), 1, Resource::new(mb, (mb / 1024).max(1)));
        } else {
            lab.world.rm.refresh_hosts(lists.clone(), None, None, &mut Silent);
        }
        let counts = lab.world.rm.node_counts();
        for (key, count) in
            [("lost", counts.lost), ("active", counts.active), ("decommissioned", counts.decommissioned)]
        {
            let seen = after.entry(key).or_default();
            let skip = list(&case.expect[key]).get(seen.len()).is_some_and(Value::is_null);
            seen.push(if skip { Value::Null } else { json!(count) });
        }
    }
    Ok(holds(&case.expect, &json!(after)).into())
}

fn untracked_removal(case: &Case) -> Result<Outcome, String> {
    let g = &case.given;
    let timeout = int(&g["timeout_ms"]);
    let key = |name: &str| format!("yarn.resourcemanager.{name}");
    let states: Vec<&str> = list(&g["states_to_remove"]).iter().map(text).collect();
    let mut lab = Lab::new(json!({
        key("node-removal-untracked.timeout-ms"): timeout.to_string(),
        key("enable-node-untracked-without-include-path"): (g["without_include_path"] == true).to_string(),
        key("node-removal-untracked.node-selective-states-to-remove"): states.join(","),
    }))?;
    let mut hosts = IndexMap::new();
    let mut lists = HostLists::default();
    for host in list(&g["nodes"]).iter().map(text) {
        hosts.insert(host.to_string(), lab.register(host, 1, HOME)?);
        if g["without_include_path"] != true {
            lists.include.push(host.to_string());
        }
    }
    let mut after = Vec::new();
    for step in list(&g["steps"]).iter().map(text) {
        let lower = step.to_lowercase();
        let host = host_in(step, &hosts).map(str::to_string);
        match host {
            Some(host) if lower.contains("expire") => lab.world.rm.remove_node(hosts[&host], &mut lab.rec),
            Some(host)
                if lower.contains("shuts down") || lower.contains("shut down") || lower.contains("unregister") =>
            {
                lab.world.rm.unregister_node(hosts[&host], &mut lab.rec);
            }
            Some(host) if lower.contains("register") => {
                let _ = lab.register(&host, 1, HOME);
            }
            Some(host) => {
                let out = lower.contains("remove") || lower.contains("out of") || lower.contains("from include");
                if lower.starts_with("exclude") || lower.contains("to exclude") {
                    lists.exclude.push((host, None));
                } else if out {
                    lists.include.retain(|name| *name != host);
                    lists.exclude.retain(|(name, _)| *name != host);
                } else {
                    lists.exclude.retain(|(name, _)| *name != host);
                    if g["without_include_path"] != true && !lists.include.contains(&host) {
                        lists.include.push(host);
                    }
                }
                let drain = lower.contains("graceful").then_some(Drain::default());
                lab.world.rm.refresh_hosts(lists.clone(), drain, None, &mut lab.rec);
            }
            None if lower.contains("wait") => {
                // The timer fires more than once.
                for _ in 0..4 {
                    let period = lab.world.rm.untracked_period();
                    lab.world.rm.set_now(lab.world.rm.now() + period);
                    lab.world.rm.forget_untracked();
                }
            }
            None => lab.world.rm.refresh_hosts(lists.clone(), None, None, &mut lab.rec),
        }
        let mut inactive: Vec<String> = lab.world.rm.inactive_nodes().map(|n| n.host.clone()).collect();
        inactive.sort();
        let skip = list(&case.expect["inactive_after"]).get(after.len()).is_some_and(Value::is_null);
        after.push(if skip { Value::Null } else { json!(inactive) });
    }
    let running = lab.world.rm.nodes().iter().filter(|n| n.state == NodeState::Running);
    let mut active: Vec<&str> = running.map(|n| n.host.as_str()).collect();
    active.sort_unstable();
    Ok(holds(&case.expect, &json!({ "inactive_after": after, "active_at_end": active })).into())
}
