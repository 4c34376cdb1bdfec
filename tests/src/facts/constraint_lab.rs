//! A ResourceManager that facts about placement constraints drive.

use super::constraints::constraint;
use super::read::{int, list, text};
use crate::conformance::{Difference, Outcome};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, ContainerId, NodeId, Resource};
use heddle_core::rm::{
    AllocateCall, AmAsk, NodeLabel, NodeReport, NodeSpec, ResourceManager, RmEvent, RmSettings, SchedulingAsk,
    Submission,
};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The number of rounds without a change after which the cluster counts as settled; more than a request's attempts take.
const QUIET_ROUNDS: usize = 9;
/// The maximum number of containers in a request.
const CONTAINERS: i64 = 100_000;
/// The number of rounds after which the cluster counts as never settling.
const ROUNDS: usize = 5000;

/// A container that an AM received.
#[derive(Clone, Debug)]
pub(super) struct Got {
    id: ContainerId,
    pub node: NodeId,
}

/// A rejection that an AM received.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ReceivedRejection {
    pub app: AppId,
    pub request: i64,
    pub count: i64,
    pub reason: String,
}

/// A ResourceManager with applications by name, driven step by step.
pub(super) struct Lab {
    pub rm: ResourceManager,
    pub apps: BTreeMap<String, AppId>,
    pub got: BTreeMap<AppId, Vec<Got>>,
    /// Rejections, grouped by response. The `scheduler` handler repeats them in every response until the request is
    /// cancelled; they are stored once.
    pub rejected: Vec<Vec<ReceivedRejection>>,
    reported: BTreeSet<ContainerId>,
    tells_again: bool,
}

fn properties(pairs: &[(&str, String)]) -> heddle_core::rm::Properties {
    pairs.iter().map(|(k, v)| ((*k).to_string(), v.clone())).collect()
}

impl Lab {
    /// Starts a ResourceManager; the sizes are the minimum and the maximum allocation. It has just started, as in unit
    /// tests, so its nodes do not limit the maximum allocation yet.
    pub fn start(
        handler: &str,
        retries: i64,
        sizes: (i64, i64),
        queues: &[(String, String)],
        label: Option<&str>,
    ) -> Result<Self, String> {
        let mut yarn_site = properties(&[
            ("yarn.resourcemanager.placement-constraints.handler", handler.into()),
            ("yarn.resourcemanager.placement-constraints.retry-attempts", retries.to_string()),
            ("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "10000".into()),
            ("yarn.scheduler.minimum-allocation-mb", sizes.0.to_string()),
            ("yarn.scheduler.maximum-allocation-mb", sizes.1.to_string()),
        ]);
        let mut capacity = properties(&[
            ("yarn.scheduler.capacity.schedule-asynchronously.enable", "false".into()),
            ("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0".into()),
        ]);
        capacity.extend(queues.iter().cloned());
        let mut labels = Vec::new();
        if let Some(label) = label {
            yarn_site.insert("yarn.node-labels.enabled".into(), "true".into());
            labels.push(NodeLabel { name: label.into(), exclusive: true });
        }
        let settings = RmSettings { yarn_site, capacity_scheduler: capacity, labels, ..RmSettings::default() };
        let rm = ResourceManager::new(settings).map_err(|e| format!("settings refused: {}", e.message))?;
        Ok(Lab {
            rm,
            apps: BTreeMap::new(),
            got: BTreeMap::new(),
            rejected: Vec::new(),
            reported: BTreeSet::new(),
            tells_again: handler == "scheduler",
        })
    }

    /// Adds a node of a case, with `memory_mb` as its default memory.
    pub fn add_node(&mut self, v: &Value, memory_mb: i64) -> Result<NodeId, String> {
        let memory_mb = v["memory_mb"].as_i64().unwrap_or(memory_mb);
        let spec = NodeSpec {
            host: text(&v["id"]).into(),
            port: 1234,
            rack: v["rack"].as_str().unwrap_or("/default-rack").into(),
            total: Resource::new(memory_mb, v["vcores"].as_i64().unwrap_or(memory_mb / 1024)),
            label: v["partition"].as_str().map(str::to_owned),
        };
        self.rm.add_node(spec, &mut Silent).map_err(|e| format!("node refused: {}", e.message))
    }

    /// Returns the application with this name.
    pub fn app(&self, name: &str) -> Result<AppId, String> {
        self.apps.get(name).copied().ok_or_else(|| format!("no application {name}"))
    }

    /// Returns the containers that an application has received.
    pub fn got(&self, app: AppId) -> &[Got] {
        self.got.get(&app).map_or(&[], Vec::as_slice)
    }

    pub fn live_nodes(&self) -> Vec<NodeId> {
        self.rm.nodes().iter().filter(|n| n.in_scheduler).map(|n| n.id).collect()
    }

    /// Sends a node's heartbeat: containers that an AM has received, and that were not reported yet, run now.
    pub fn beat(&mut self, node: NodeId) {
        let told = self.got.values().flatten().filter(|g| g.node == node).map(|g| g.id);
        let running: Vec<ContainerId> = told.filter(|id| self.reported.insert(*id)).collect();
        self.rm.heartbeat(node, NodeReport { running, ..NodeReport::default() }, &mut Silent);
        for event in self.rm.take_events() {
            if let RmEvent::LaunchAm { attempt, .. } = event {
                let _ = self.rm.register(attempt.app, &mut Silent);
            }
        }
    }

    /// Submits an application, and starts its AM, if it has one, on a node (or anywhere).
    pub fn submit(&mut self, name: &str, submission: Submission, am_node: Option<&str>) -> Result<AppId, String> {
        let managed = submission.am.is_some();
        let id = self.rm.submit(submission, &mut Silent).map_err(|e| format!("refused: {}", e.message))?;
        self.apps.insert(name.into(), id);
        self.got.insert(id, Vec::new());
        if !managed {
            let _ = self.rm.register(id, &mut Silent);
            return Ok(id);
        }
        let nodes = am_node.and_then(|n| self.rm.node_by_host(n)).map_or_else(|| self.live_nodes(), |n| vec![n]);
        for _ in 0..10 {
            for node in &nodes {
                if self.rm.scheduled(id).is_some_and(|a| !a.registered) {
                    self.beat(*node);
                }
            }
        }
        Ok(id)
    }

    pub fn call(&mut self, app: AppId, call: AllocateCall) -> Result<(), String> {
        if call.scheduling.iter().any(|ask| ask.count > CONTAINERS) {
            return Err(format!("asks for more than {CONTAINERS} containers"));
        }
        let asked_anew = !call.scheduling.is_empty();
        let response = self.rm.allocate(app, call, &mut Silent).map_err(|e| e.message)?;
        let got = self.got.entry(app).or_default();
        got.extend(response.allocated.iter().map(|g| Got { id: g.id, node: g.node }));
        let told = response.rejected.into_iter();
        let mut told: Vec<ReceivedRejection> = told
            .map(|r| ReceivedRejection { app, request: r.allocation_request_id, count: r.count, reason: r.reason })
            .collect();
        if self.tells_again && !asked_anew {
            told.retain(|t| !self.rejected.iter().flatten().any(|old| old == t));
        }
        self.rejected.push(told);
        Ok(())
    }

    fn state(&self) -> (usize, usize) {
        (self.got.values().map(Vec::len).sum(), self.rejected.iter().map(Vec::len).sum())
    }

    /// Sends heartbeats and empty calls until nothing changes any more.
    pub fn drive(&mut self) -> Result<(), String> {
        let mut quiet = 0;
        for _ in 0..ROUNDS {
            let before = self.state();
            for node in self.live_nodes() {
                self.beat(node);
            }
            for app in self.apps.values().copied().collect::<Vec<_>>() {
                let _ = self.call(app, AllocateCall::default());
            }
            quiet = if self.state() == before { quiet + 1 } else { 0 };
            if quiet == QUIET_ROUNDS {
                return Ok(());
            }
        }
        Err(format!("the cluster does not come to rest within {ROUNDS} rounds"))
    }

    pub fn host(&self, node: NodeId) -> String {
        self.rm.node(node).map_or(String::new(), |n| n.host.clone())
    }

    pub fn tag_count(&self, node: NodeId, tag: &str) -> i64 {
        self.rm.tags_on(node).into_iter().find(|(t, _)| *t == tag).map_or(0, |(_, n)| n)
    }

    /// Replaces `app-id/NAME` in a constraint's namespaces by that application's id.
    pub fn with_ids(&self, v: &Value) -> Value {
        match v {
            Value::Object(o) => {
                let pair = |(key, value): (&String, &Value)| {
                    let named = value.as_str().filter(|_| key == "namespace").and_then(|ns| ns.strip_prefix("app-id/"));
                    let id = named.and_then(|name| self.apps.get(name));
                    let value = match id {
                        Some(id) => json!(format!("app-id/{}", self.rm.application_id(*id))),
                        None => self.with_ids(value),
                    };
                    (key.clone(), value)
                };
                Value::Object(o.iter().map(pair).collect())
            }
            Value::Array(a) => a.iter().map(|v| self.with_ids(v)).collect(),
            other => other.clone(),
        }
    }

    pub fn ask(&self, v: &Value) -> SchedulingAsk {
        SchedulingAsk {
            allocation_request_id: v["id"].as_i64().or(v["request_id"].as_i64()).unwrap_or(0),
            priority: int(&v["priority"]) as i32,
            tags: strings(&v["tags"]),
            count: v["count"].as_i64().unwrap_or(1),
            size: Resource::new(int(&v["memory_mb"]), v["vcores"].as_i64().unwrap_or(1)),
            constraint: v.get("constraint").filter(|c| !c.is_null()).map(|c| Arc::new(constraint(&self.with_ids(c)))),
            opportunistic: v["execution_type"].as_str() == Some("OPPORTUNISTIC"),
        }
    }
}

pub(super) fn strings(v: &Value) -> Vec<String> {
    list(v).iter().map(|s| text(s).to_owned()).collect()
}

pub(super) fn one_queue() -> Vec<(String, String)> {
    queues(&[("default", 100)])
}

/// Returns settings of queues below root with capacities in percent; a user may use a queue's whole maximum.
pub(super) fn queues(named: &[(&str, i64)]) -> Vec<(String, String)> {
    let names: Vec<&str> = named.iter().map(|(name, _)| *name).collect();
    let mut out = vec![("yarn.scheduler.capacity.root.queues".to_string(), names.join(","))];
    for (name, percent) in named {
        out.push((format!("yarn.scheduler.capacity.root.{name}.capacity"), percent.to_string()));
    }
    out
}

pub(super) fn generous(named: &[(&str, i64)]) -> Vec<(String, String)> {
    let mut out = queues(named);
    for (name, _) in named {
        out.push((format!("yarn.scheduler.capacity.root.{name}.user-limit-factor"), "100".into()));
    }
    out
}

pub(super) fn unmanaged(queue: &str) -> Submission {
    Submission { queue: queue.into(), user: "user".into(), ..Submission::default() }
}

/// Returns a submission with an ApplicationMaster of 1 GB.
pub(super) fn managed() -> Submission {
    let am = Some(AmAsk { size: Resource::new(1024, 1), ..AmAsk::default() });
    Submission { am, ..unmanaged("default") }
}

/// Turns a failure to play into a difference.
pub(super) fn outcome(result: Result<Outcome, String>) -> Outcome {
    result.unwrap_or_else(|message| Outcome::Failed(Difference::new("", "to be played", message)))
}
