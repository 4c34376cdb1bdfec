//! Writes calls as steps of a trace.

use super::RecordedCall;
use crate::trace::asks::further;
use crate::trace::constraints::data;
use heddle_core::api::Call;
use heddle_core::constraint::{AttributeChange, Constraint};
use heddle_core::model::{AppId, ContainerId, NodeId, Resource};
use heddle_core::rm::{AllocateCall, NodeReport, Properties, Submission};
use heddle_core::sim::Simulation;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Writes calls as steps. Keeps the submission of each application, and the settings as last loaded.
pub(super) struct Writer {
    submissions: usize,
    place: BTreeMap<AppId, usize>,
    loaded: Properties,
}

/// Writes a size: `memory_mb`, `vcores`, and further types under `resources`.
pub(super) fn size(into: &mut Value, size: &Resource, sim: &Simulation) {
    into["memory_mb"] = json!(size.memory_mb());
    into["vcores"] = json!(size.vcores_32());
    let further = further(*size, &sim.rm().cluster().types);
    let further: Map<String, Value> = further.map(|(name, n)| (name.to_string(), json!(n))).collect();
    if !further.is_empty() {
        into["resources"] = further.into();
    }
}

/// Returns a constraint, with applications named by their submission.
fn constraint(c: &Constraint, writer: &Writer, sim: &Simulation) -> Value {
    let mut written = data(c).to_string();
    for (app, place) in &writer.place {
        written = written.replace(&sim.rm().application_id(*app), &format!("<app:{place}>"));
    }
    serde_json::from_str(&written).unwrap_or(Value::Null)
}

impl Writer {
    pub(super) fn new(loaded: Properties) -> Self {
        Writer { submissions: 0, place: BTreeMap::new(), loaded }
    }

    /// Returns the index of an application among the submissions.
    pub(super) fn place(&self, app: AppId) -> Value {
        self.place.get(&app).map_or(Value::Null, |place| json!(place))
    }

    /// Returns a container: its application, its attempt, its number.
    pub(super) fn container(&self, id: ContainerId) -> Value {
        json!([self.place(id.app), id.attempt, id.seq])
    }

    /// Returns a call as a step.
    pub(super) fn step(&mut self, told: &RecordedCall, sim: &Simulation) -> Value {
        let host = |node: &NodeId| sim.rm().node(*node).map_or("", |n| n.host.as_str());
        let step = |op: &str| json!({ "at": told.at, "op": op });
        let about = |op: &str, node: &NodeId| json!({ "at": told.at, "op": op, "node": host(node) });
        let app = |writer: &Self, op: &str, app: &AppId| json!({ "at": told.at, "op": op, "app": writer.place(*app) });
        match &told.call {
            Call::AddNode(spec) => {
                let mut out = step("add_node");
                out["node"] = json!(spec.host);
                out["port"] = json!(spec.port);
                out["rack"] = json!(spec.rack);
                size(&mut out, &spec.total, sim);
                if let Some(label) = &spec.label {
                    out["label"] = json!(label);
                }
                out
            }
            Call::Attributes { host, how, attributes } => {
                let mut out = step("node_attributes");
                let set: Map<String, Value> = attributes.iter().map(|(k, v)| (k.clone(), json!(v))).collect();
                out["nodes"] = json!({ host: set });
                out["how"] = json!(match how {
                    AttributeChange::Add => "add",
                    AttributeChange::Remove => "remove",
                    AttributeChange::Replace { prefix } => {
                        out["prefix"] = json!(prefix);
                        "replace"
                    }
                });
                out
            }
            Call::RemoveNode(node) => about("remove_node", node),
            Call::ResizeNode { node, total, overcommit_timeout_ms } => {
                let mut out = about("update_node", node);
                size(&mut out, total, sim);
                out["overcommit_timeout_ms"] = json!(overcommit_timeout_ms);
                out
            }
            Call::DecommissionNode { node, timeout_s } => {
                let mut out = about("decommission_node", node);
                out["timeout_s"] = json!(timeout_s);
                out
            }
            Call::RecommissionNode(node) => about("recommission_node", node),
            Call::PollDecommissioning(node) => about("poll_decommissioning", node),
            Call::LabelNode { node, label } => {
                let mut out = about("label_node", node);
                out["label"] = json!(label);
                out
            }
            Call::Heartbeat { node, report } => self.heartbeat(about("heartbeat", node), report),
            Call::Submit { app, submission } => {
                self.place.insert(*app, self.submissions);
                self.submissions += 1;
                self.submit(step("submit"), submission, sim)
            }
            Call::Register(id) => app(self, "register", id),
            Call::Allocate { app: id, call } => self.allocate(app(self, "ask", id), call, sim),
            Call::Unregister(id) => app(self, "unregister", id),
            Call::KillApp(id) => app(self, "kill_app", id),
            Call::MoveApp { app: id, queue } => {
                let mut out = app(self, "move_app", id);
                out["queue"] = json!(queue);
                out
            }
            Call::SetPriority { app: id, priority } => {
                let mut out = app(self, "set_priority", id);
                out["priority"] = json!(priority);
                out
            }
            Call::ExpireAm(attempt) => {
                let mut out = app(self, "expire_am", &attempt.app);
                out["attempt"] = json!(attempt.attempt);
                out
            }
            Call::ExpireContainer(container) => {
                let mut out = step("expire_container");
                out["container"] = self.container(*container);
                out
            }
            Call::CheckLifetime(id) => app(self, "lifetime", id),
            Call::PutConstraint { app: id, tags, constraint: sent } => {
                let mut out = id.map_or(step("constraint"), |id| app(self, "constraint", &id));
                out["tags"] = json!(tags);
                out["constraint"] = constraint(sent, self, sim);
                out["replace"] = json!(true);
                out
            }
            Call::Refresh(now) => {
                let changed = now.iter().filter(|(k, v)| self.loaded.get(*k) != Some(v));
                let mut set: Map<String, Value> = changed.map(|(k, v)| (k.clone(), json!(v))).collect();
                let gone = self.loaded.keys().filter(|k| !now.contains_key(*k));
                set.extend(gone.map(|k| (k.clone(), Value::Null)));
                // A refused call has changed nothing.
                if sim.rm().settings().capacity_scheduler == *now {
                    self.loaded.clone_from(now);
                }
                let mut out = step("refresh");
                out["capacity_scheduler"] = set.into();
                out
            }
            Call::RefreshFair(text) => {
                let mut out = step("refresh");
                out["fair_allocations"] = json!(text);
                out
            }
            Call::ManageQueues => step("manage_queues"),
            Call::RemoveIdleQueues => step("remove_idle_queues"),
            Call::Preempt => step("preempt"),
            Call::Walk { start } => {
                let mut out = step("async_walk");
                // The class draws an int, modulo the number of nodes or of partitions.
                let mut modulus = sim.rm().cluster().node_count.max(1) as u64;
                for n in 2..=sim.rm().partitions().len() as u64 {
                    if !modulus.is_multiple_of(n) && modulus * n < 1 << 31 {
                        modulus *= n;
                    }
                }
                out["start"] = json!(start % modulus);
                out
            }
            Call::FairUpdate { .. } => step("update"),
            Call::FairKills => step("kills"),
            Call::CheckQueues => step("check_queues"),
            Call::ContinuousPass => step("continuous_pass"),
        }
    }

    fn heartbeat(&self, mut out: Value, report: &NodeReport) -> Value {
        if !report.running.is_empty() {
            out["running"] = report.running.iter().map(|id| self.container(*id)).collect();
        }
        let finish = report.completed.iter().map(|(id, code)| json!([self.place(id.app), id.attempt, id.seq, code]));
        let finish: Vec<Value> = finish.collect();
        if !finish.is_empty() {
            out["finish"] = finish.into();
        }
        if report.unhealthy {
            out["healthy"] = json!(false);
        }
        out
    }

    fn submit(&self, mut out: Value, s: &Submission, sim: &Simulation) -> Value {
        out["name"] = json!(s.name);
        out["queue"] = json!(s.queue);
        out["user"] = json!(s.user);
        if let Some(priority) = s.priority {
            out["priority"] = json!(priority);
        }
        if !s.tags.is_empty() {
            out["tags"] = json!(s.tags);
        }
        if let Some(label) = &s.label {
            out["app_label"] = json!(label);
        }
        if let Some(attempts) = s.max_attempts {
            out["max_attempts"] = json!(attempts);
        }
        if let Some(window) = s.failures_window {
            out["failures_window_ms"] = json!(window);
        }
        if let Some(lifetime) = s.lifetime_s {
            out["lifetime_s"] = json!(lifetime);
        }
        if s.keep_containers {
            out["keep_containers"] = json!(true);
        }
        match &s.am {
            None => out["unmanaged"] = json!(true),
            Some(ask) => {
                let mut am = json!({});
                size(&mut am, &ask.size, sim);
                if let Some(label) = &ask.label {
                    am["label"] = json!(label);
                }
                if !ask.places.is_empty() {
                    am["places"] = ask.places.iter().map(|p| json!([p.name, p.relax])).collect();
                }
                out["am"] = am;
            }
        }
        if !s.constraints.is_empty() {
            let row =
                |(tags, c): &(Vec<String>, Constraint)| json!({ "tags": tags, "constraint": constraint(c, self, sim) });
            out["constraints"] = s.constraints.iter().map(row).collect();
        }
        out
    }

    fn allocate(&self, mut out: Value, call: &AllocateCall, sim: &Simulation) -> Value {
        let requests = call.asks.iter().map(|ask| {
            let mut row = json!({
                "priority": ask.priority, "where": ask.place, "count": ask.count, "relax": ask.relax,
                "id": ask.allocation_request_id,
            });
            size(&mut row, &ask.size, sim);
            if let Some(label) = &ask.label {
                row["label"] = json!(label);
            }
            row
        });
        let requests: Vec<Value> = requests.collect();
        let scheduling = call.scheduling.iter().map(|ask| {
            let mut row = json!({
                "id": ask.allocation_request_id, "priority": ask.priority, "tags": ask.tags, "count": ask.count,
            });
            size(&mut row, &ask.size, sim);
            if ask.opportunistic {
                row["execution"] = json!("OPPORTUNISTIC");
            }
            if let Some(c) = &ask.constraint {
                row["constraint"] = constraint(c, self, sim);
            }
            row
        });
        let scheduling: Vec<Value> = scheduling.collect();
        let release: Vec<Value> = call.releases.iter().map(|id| self.container(*id)).collect();
        for (key, rows) in [("requests", requests), ("scheduling", scheduling), ("release", release)] {
            if !rows.is_empty() {
                out[key] = rows.into();
            }
        }
        for (key, names) in [("blacklist_add", &call.blacklist_add), ("blacklist_remove", &call.blacklist_remove)] {
            if !names.is_empty() {
                out[key] = json!(names);
            }
        }
        out
    }
}
