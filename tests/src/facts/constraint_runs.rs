//! Placement constraints played on the whole ResourceManager (area placement-constraints): requests inside the
//! CapacityScheduler, runs to the end under each handler, the distributed shell, services.

use super::constraints::constraint;
use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::constraint::distributed_shell;
use heddle_core::constraint::service::{PlacementPolicy, PolicyError, ServiceConstraint};
use heddle_core::constraint::{Constraint, Scope, Target, parse_spec};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, ContainerId, NodeId, RequestKey, Resource};
use heddle_core::rm::{
    AllocateCall, AmAsk, NodeLabel, NodeReport, NodeSpec, Refusal, ResourceManager, RmEvent, RmSettings, SchedulingAsk,
    Submission,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Who plays this kind.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "end_to_end" => end_to_end,
        "allocator" => allocator,
        "precheck" => precheck,
        "pending_resource" => pending_resource,
        "spec_run" => spec_run,
        "service_run" => service_run,
        "service_policy_validate" => service_policy,
        _ => return None,
    })
}

/// Rounds without any change after which a cluster counts as quiet; more than a request's attempts take.
const QUIET_ROUNDS: usize = 9;

/// A container that an AM was given.
#[derive(Clone, Debug)]
struct Got {
    id: ContainerId,
    node: NodeId,
}

/// A ResourceManager with applications by name, driven by hand.
struct Lab {
    rm: ResourceManager,
    apps: BTreeMap<String, AppId>,
    got: BTreeMap<AppId, Vec<Got>>,
    /// Rejections as each response told them: application, id, count, reason.
    rejected: Vec<Vec<(AppId, i64, i64, String)>>,
    reported: BTreeSet<ContainerId>,
}

fn site(pairs: &[(&str, String)]) -> heddle_core::rm::Properties {
    pairs.iter().map(|(k, v)| ((*k).to_string(), v.clone())).collect()
}

impl Lab {
    fn start(handler: &str, retries: i64, sizes: (i64, i64), queues: &[(String, String)], label: Option<&str>) -> Self {
        let mut yarn_site = site(&[
            ("yarn.resourcemanager.placement-constraints.handler", handler.into()),
            ("yarn.resourcemanager.placement-constraints.retry-attempts", retries.to_string()),
            ("yarn.scheduler.minimum-allocation-mb", sizes.0.to_string()),
            ("yarn.scheduler.maximum-allocation-mb", sizes.1.to_string()),
            ("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "0".into()),
        ]);
        let mut capacity = site(&[
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
        let rm = ResourceManager::new(settings).unwrap_or_else(|e| panic!("settings refused: {}", e.message));
        Lab { rm, apps: BTreeMap::new(), got: BTreeMap::new(), rejected: Vec::new(), reported: BTreeSet::new() }
    }

    fn add_node(&mut self, v: &Value, memory_mb: i64) -> NodeId {
        let spec = NodeSpec {
            host: text(&v["id"]).into(),
            port: 1234,
            rack: v["rack"].as_str().unwrap_or("/default-rack").into(),
            total: Resource::new(
                v["memory_mb"].as_i64().unwrap_or(memory_mb),
                v["vcores"].as_i64().unwrap_or(memory_mb / 1024),
            ),
            label: v["partition"].as_str().map(str::to_owned),
        };
        self.rm.add_node(spec, &mut Silent).unwrap_or_else(|e| panic!("node refused: {}", e.message))
    }

    fn live_nodes(&self) -> Vec<NodeId> {
        self.rm.nodes().iter().filter(|n| n.in_scheduler).map(|n| n.id).collect()
    }

    /// A node's heartbeat: what was told to an AM and not reported yet runs now.
    fn beat(&mut self, node: NodeId) {
        let told = self.got.values().flatten().filter(|g| g.node == node).map(|g| g.id);
        let running: Vec<ContainerId> = told.filter(|id| self.reported.insert(*id)).collect();
        self.rm.heartbeat(node, NodeReport { running, ..NodeReport::default() }, &mut Silent);
        for event in self.rm.take_events() {
            if let RmEvent::LaunchAm { attempt, .. } = event {
                let _ = self.rm.register(attempt.app, &mut Silent);
            }
        }
    }

    /// Submits and, where it has one, starts the AM on a node (or anywhere).
    fn submit(&mut self, name: &str, submission: Submission, am_node: Option<&str>) {
        let managed = submission.am.is_some();
        let id = self.rm.submit(submission, &mut Silent).unwrap_or_else(|e| panic!("refused: {}", e.message));
        self.apps.insert(name.into(), id);
        self.got.insert(id, Vec::new());
        if !managed {
            let _ = self.rm.register(id, &mut Silent);
            return;
        }
        let nodes = am_node.and_then(|n| self.rm.node_by_host(n)).map_or_else(|| self.live_nodes(), |n| vec![n]);
        for _ in 0..10 {
            for node in &nodes {
                if self.rm.scheduled(id).is_some_and(|a| !a.registered) {
                    self.beat(*node);
                }
            }
        }
    }

    fn call(&mut self, app: AppId, call: AllocateCall) -> Result<(), Refusal> {
        let response = self.rm.allocate(app, call, &mut Silent)?;
        let got = self.got.entry(app).or_default();
        got.extend(response.allocated.iter().map(|g| Got { id: g.id, node: g.node }));
        let told = response.rejected.into_iter();
        self.rejected.push(told.map(|r| (app, r.allocation_request_id, r.count, r.reason)).collect());
        Ok(())
    }

    fn state(&self) -> (usize, usize) {
        (self.got.values().map(Vec::len).sum(), self.rejected.iter().map(Vec::len).sum())
    }

    /// Heartbeats and empty calls until nothing happens any more.
    fn drive(&mut self) {
        let mut quiet = 0;
        while quiet < QUIET_ROUNDS {
            let before = self.state();
            for node in self.live_nodes() {
                self.beat(node);
            }
            for app in self.apps.values().copied().collect::<Vec<_>>() {
                let _ = self.call(app, AllocateCall::default());
            }
            quiet = if self.state() == before { quiet + 1 } else { 0 };
        }
    }

    fn host(&self, node: NodeId) -> String {
        self.rm.node(node).map_or(String::new(), |n| n.host.clone())
    }

    fn tag_count(&self, node: NodeId, tag: &str) -> i64 {
        self.rm.tags_on(node).into_iter().find(|(t, _)| *t == tag).map_or(0, |(_, n)| n)
    }

    /// `app-id/NAME` in a constraint's namespaces becomes the id of that application.
    fn with_ids(&self, v: &Value) -> Value {
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

    fn ask(&self, v: &Value) -> SchedulingAsk {
        SchedulingAsk {
            allocation_request_id: v["id"].as_i64().or(v["request_id"].as_i64()).unwrap_or(0),
            priority: int(&v["priority"]) as i32,
            tags: strings(&v["tags"]),
            count: v["count"].as_i64().unwrap_or(1),
            size: Resource::new(int(&v["memory_mb"]), v["vcores"].as_i64().unwrap_or(1)),
            constraint: v.get("constraint").filter(|c| !c.is_null()).map(|c| constraint(&self.with_ids(c))),
            opportunistic: v["execution_type"].as_str() == Some("OPPORTUNISTIC"),
        }
    }
}

fn strings(v: &Value) -> Vec<String> {
    list(v).iter().map(|s| text(s).to_owned()).collect()
}

fn one_queue() -> Vec<(String, String)> {
    queues(&[("default", 100)])
}

/// Queues below root with capacities in percent; a user may use all of a queue's maximum.
fn queues(named: &[(&str, i64)]) -> Vec<(String, String)> {
    let names: Vec<&str> = named.iter().map(|(name, _)| *name).collect();
    let mut out = vec![("yarn.scheduler.capacity.root.queues".to_string(), names.join(","))];
    for (name, percent) in named {
        out.push((format!("yarn.scheduler.capacity.root.{name}.capacity"), percent.to_string()));
    }
    out
}

fn generous(named: &[(&str, i64)]) -> Vec<(String, String)> {
    let mut out = queues(named);
    for (name, _) in named {
        out.push((format!("yarn.scheduler.capacity.root.{name}.user-limit-factor"), "100".into()));
    }
    out
}

fn submission(v: &Value, lab: &Lab) -> Submission {
    let constraints = list(&v["app_constraints"])
        .iter()
        .map(|c| (strings(&c["source"]), constraint(&lab.with_ids(&c["constraint"]))))
        .collect();
    Submission {
        name: text(&v["submit"]).into(),
        queue: v["queue"].as_str().unwrap_or("default").into(),
        user: "user".into(),
        tags: strings(&v["app_tags"]),
        am: Some(AmAsk { size: Resource::new(int(&v["am_memory_mb"]), 1), ..AmAsk::default() }),
        constraints,
        ..Submission::default()
    }
}

fn unmanaged(queue: &str) -> Submission {
    Submission { queue: queue.into(), user: "user".into(), ..Submission::default() }
}

// ---- whole runs

fn end_to_end(case: &Case) -> Outcome {
    let given = &case.given;
    let named: Vec<(&str, i64)> =
        given["queues"].as_object().into_iter().flatten().map(|(k, v)| (k.as_str(), int(v))).collect();
    // The unit tests with three queues let a user go beyond a queue's capacity, the others do not.
    let queues = match named.len() {
        0 => one_queue(),
        1 | 2 => queues(&named),
        _ => generous(&named),
    };
    let sizes = (
        given["minimum_allocation_mb"].as_i64().unwrap_or(1024),
        given["maximum_allocation_mb"].as_i64().unwrap_or(8192),
    );
    let mut lab =
        Lab::start(text(&given["handler"]), given["retry_attempts"].as_i64().unwrap_or(3), sizes, &queues, None);
    for node in list(&given["nodes"]) {
        lab.add_node(node, 102_400);
    }
    let expected = list(&case.expect["after_step"]);
    // Nodes that got containers, by step.
    let mut nodes_of: BTreeMap<usize, BTreeSet<NodeId>> = BTreeMap::new();
    for (i, step) in list(&given["steps"]).iter().enumerate() {
        let mut got = Map::new();
        if let Some(name) = step["submit"].as_str() {
            let s = submission(step, &lab);
            lab.submit(name, s, step["am_node"].as_str());
        } else if step.get("add_node").is_some() {
            lab.add_node(&step["add_node"], 102_400);
            lab.drive();
        } else if let Some(host) = step["lose_node"].as_str() {
            if let Some(node) = lab.rm.node_by_host(host) {
                lab.rm.remove_node(node, &mut Silent);
            }
            lab.drive();
        } else if let Some(name) = step["ask"].as_str() {
            let Some(app) = lab.apps.get(name).copied() else {
                return Outcome::Failed(Difference::new(format!("step {i}"), "a submitted application", name));
            };
            let before = lab.got[&app].len();
            let told_before = lab.rejected.len();
            let call = AllocateCall {
                scheduling: list(&step["requests"]).iter().map(|r| lab.ask(r)).collect(),
                ..AllocateCall::default()
            };
            let sent = call.scheduling.clone();
            if lab.call(app, call).is_err() {
                got.insert("error".into(), json!("allocate_call_rejected"));
            }
            lab.drive();
            let new = lab.got[&app][before..].to_vec();
            nodes_of.insert(i, new.iter().map(|g| g.node).collect());
            let told = lab.rejected[told_before..].to_vec();
            read_run(
                &lab,
                app,
                &new,
                &told,
                &sent,
                expected.iter().find(|e| int(&e["step"]) == i as i64),
                &nodes_of,
                &mut got,
            );
        }
        for wanted in expected.iter().filter(|e| int(&e["step"]) == i as i64) {
            let mut wanted = wanted.clone();
            if let Some(o) = wanted.as_object_mut() {
                o.remove("step");
                o.remove("app");
            }
            if let Err(d) = holds(&wanted, &Value::Object(got.clone())) {
                return Outcome::Failed(d.inside(format!("after step {i}")));
            }
        }
    }
    if case.expect.get("cluster").is_none() {
        return Outcome::Passed;
    }
    let (mut total, mut used, mut containers) = (Resource::ZERO, Resource::ZERO, 0);
    for node in lab.rm.nodes().iter().filter(|n| n.in_scheduler) {
        total += node.total;
        used += node.allocated;
        containers += node.containers.len();
    }
    let free = total - used;
    let cluster = json!({
        "available_mb": free.memory_mb(), "available_vcores": free.vcores(),
        "allocated_mb": used.memory_mb(), "allocated_vcores": used.vcores(), "allocated_containers": containers,
    });
    holds(&json!({"cluster": case.expect["cluster"]}), &json!({"cluster": cluster})).into()
}

/// Everything that an expectation can ask about the containers of one ask.
#[allow(clippy::too_many_arguments)]
fn read_run(
    lab: &Lab,
    app: AppId,
    new: &[Got],
    told: &[Vec<(AppId, i64, i64, String)>],
    sent: &[SchedulingAsk],
    expected: Option<&Value>,
    nodes_of: &BTreeMap<usize, BTreeSet<NodeId>>,
    got: &mut Map<String, Value>,
) {
    let null = Value::Null;
    let expected = expected.unwrap_or(&null);
    let mut per_node: BTreeMap<NodeId, usize> = BTreeMap::new();
    new.iter().for_each(|g| *per_node.entry(g.node).or_insert(0) += 1);
    let all: BTreeSet<NodeId> = lab.got.values().flatten().map(|g| g.node).collect();
    got.insert("allocated".into(), json!(new.len()));
    got.insert("distinct_nodes".into(), json!(per_node.len()));
    got.insert("distinct_nodes_so_far".into(), json!(all.len()));
    got.insert("max_per_node".into(), json!(per_node.values().max().copied().unwrap_or(0)));
    let rejections: Vec<&(AppId, i64, i64, String)> = told.iter().flatten().filter(|r| r.0 == app).collect();
    if let Some((_, id, _, reason)) = rejections.first() {
        got.insert("first_rejected".into(), json!({"request": id, "reason": reason}));
    }
    got.insert("rejected_total".into(), json!(rejections.iter().map(|r| r.2).sum::<i64>()));
    let most = told.iter().map(Vec::len).filter(|n| *n > 0).min().unwrap_or(0);
    got.insert("rejected_in_one_response".into(), json!(most));
    let mut tags: Vec<&str> = rejections
        .iter()
        .filter_map(|r| sent.iter().find(|s| s.allocation_request_id == r.1))
        .flat_map(|s| s.tags.iter().map(String::as_str))
        .collect();
    tags.sort_unstable();
    got.insert("rejected_tags".into(), json!(tags));
    // Only one tag is looked for, on every node that got a container.
    if let Some(tag) = expected["on_nodes_without_tag"].as_str() {
        let clean = per_node.keys().all(|n| lab.tag_count(*n, tag) == 0);
        got.insert("on_nodes_without_tag".into(), if clean { json!(tag) } else { json!("it is there") });
    }
    if let Some(counts) = expected["each_node_tag_counts"].as_object() {
        let mut seen = Map::new();
        for (tag, wanted) in counts {
            let other = per_node.keys().map(|n| lab.tag_count(*n, tag)).find(|n| json!(n) != *wanted);
            seen.insert(tag.clone(), other.map_or(wanted.clone(), |n| json!(n)));
        }
        got.insert("each_node_tag_counts".into(), seen.into());
    }
    if let Some(wanted) = expected["still_wanted"].as_object() {
        let mut seen: Map<String, Value> = wanted.keys().map(|tag| (tag.clone(), json!(0))).collect();
        for request in sent {
            let key = RequestKey { priority: request.priority, allocation_request_id: request.allocation_request_id };
            let asks = lab.rm.scheduled(app).map(|a| &a.asks);
            let left = asks.and_then(|a| a.find(key).map(|i| a.at(i).outstanding())).unwrap_or(0);
            let tag = request.tags.first().cloned().unwrap_or_default();
            let sum = seen.get(&tag).map_or(0, int) + left;
            seen.insert(tag, json!(sum));
        }
        got.insert("still_wanted".into(), seen.into());
    }
    let empty = BTreeSet::new();
    for (key, inside) in [("on_nodes_of_step", true), ("not_on_nodes_of_step", false)] {
        if let Some(step) = expected[key].as_u64() {
            let nodes = nodes_of.get(&(step as usize)).unwrap_or(&empty);
            let holds = per_node.keys().all(|n| nodes.contains(n) == inside);
            got.insert(key.into(), if holds { json!(step) } else { json!("not so") });
        }
    }
    let barred = strings(&expected["not_on_nodes"]);
    let hit: Vec<String> = per_node.keys().map(|n| lab.host(*n)).filter(|h| barred.contains(h)).collect();
    got.insert("not_on_nodes".into(), if hit.is_empty() { json!(barred) } else { json!({"but on": hit}) });
}

// ---- inside the CapacityScheduler

fn allocator(case: &Case) -> Outcome {
    let given = &case.given;
    let default = text(&given["queue_default_partition"]);
    let mut queues = generous(&[("default", 100)]);
    let label = if default.is_empty() { "x" } else { default };
    for (key, value) in [
        ("root.accessible-node-labels", "*".to_string()),
        ("root.default.accessible-node-labels", "*".to_string()),
        (&format!("root.accessible-node-labels.{label}.capacity"), "100".to_string()),
        (&format!("root.default.accessible-node-labels.{label}.capacity"), "100".to_string()),
        ("root.default.default-node-label-expression", default.to_string()),
    ] {
        if !value.is_empty() {
            queues.push((format!("yarn.scheduler.capacity.{key}"), value));
        }
    }
    let mut lab = Lab::start("scheduler", 3, (1024, 8192), &queues, Some(label));
    lab.add_node(&json!({"id": "h1"}), 8192);
    lab.add_node(&json!({"id": "h2", "partition": label}), 8192);
    lab.submit("app", unmanaged("default"), None);
    let app = lab.apps["app"];
    let mut outcomes = Vec::new();
    let mut key = RequestKey { priority: 0, allocation_request_id: 0 };
    for update in list(&given["updates"]) {
        if let Some(n) = update["allocate"].as_u64() {
            let before = lab.got[&app].len();
            lab.drive();
            let ok = lab.got[&app].len() - before == n as usize;
            outcomes.push(if ok { "ok" } else { "invalid" });
            continue;
        }
        if update.get("recover_preempted").is_some() {
            return Outcome::Unsupported("allocator (recover_preempted)".into());
        }
        let ask = lab.ask(update);
        key = RequestKey { priority: ask.priority, allocation_request_id: ask.allocation_request_id };
        let r = lab.call(app, AllocateCall { scheduling: vec![ask], ..AllocateCall::default() });
        outcomes.push(if r.is_ok() { "ok" } else { "invalid" });
    }
    let asks = lab.rm.scheduled(app).map(|a| &a.asks);
    let (count, partition) = asks
        .and_then(|a| a.find(key).map(|i| a.at(i)))
        .map_or((0, String::new()), |k| (k.outstanding(), lab.rm.partitions()[k.partition.index()].name.clone()));
    holds(&case.expect, &json!({"outcome": outcomes, "pending_count": count, "target_partition": partition})).into()
}

fn precheck(case: &Case) -> Outcome {
    let given = &case.given;
    let mut queues = generous(&[("default", 100)]);
    for queue in ["root", "root.default"] {
        queues.push((format!("yarn.scheduler.capacity.{queue}.accessible-node-labels"), "*".into()));
        queues.push((format!("yarn.scheduler.capacity.{queue}.accessible-node-labels.x.capacity"), "100".into()));
    }
    let mut lab = Lab::start("scheduler", 3, (1024, 8192), &queues, Some("x"));
    let mut accepted = Map::new();
    let nodes: Vec<(String, NodeId)> =
        list(&given["nodes"]).iter().map(|n| (text(&n["id"]).to_string(), lab.add_node(n, 8192))).collect();
    lab.submit("app", unmanaged("default"), None);
    let app = lab.apps["app"];
    let ask = SchedulingAsk {
        allocation_request_id: 1,
        priority: 1,
        tags: vec!["other".into()],
        count: 10,
        size: Resource::new(1024, 1),
        constraint: Some(constraint(&given["constraint"])),
        opportunistic: false,
    };
    if let Err(e) = lab.call(app, AllocateCall { scheduling: vec![ask], ..AllocateCall::default() }) {
        return Outcome::Failed(Difference::new("", "an accepted request", e.message));
    }
    for (host, node) in nodes {
        lab.beat(node);
        let _ = lab.call(app, AllocateCall::default());
        accepted.insert(host, json!(lab.got[&app].iter().any(|g| g.node == node)));
    }
    holds(&case.expect, &json!({"accepted": accepted})).into()
}

fn pending_resource(case: &Case) -> Outcome {
    let given = &case.given;
    let parents = &given["parents"];
    let mut children: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (child, parent) in parents.as_object().into_iter().flatten() {
        children.entry(text(parent).into()).or_default().push(child.clone());
    }
    let path = |queue: &str| {
        let mut path = queue.to_string();
        let mut at = queue;
        while let Some(parent) = parents[at].as_str() {
            path = format!("{parent}.{path}");
            at = parent;
        }
        path
    };
    let mut queues = Vec::new();
    let all: Vec<String> = std::iter::once("root".to_string())
        .chain(parents.as_object().into_iter().flatten().map(|(k, _)| k.clone()))
        .collect();
    for queue in &all {
        let at = format!("yarn.scheduler.capacity.{}", path(queue));
        if let Some(below) = children.get(queue) {
            queues.push((format!("{at}.queues"), below.join(",")));
            for child in below {
                let share = (100.0 / below.len() as f64).to_string();
                queues.push((format!("{at}.{child}.capacity"), share.clone()));
                queues.push((format!("{at}.{child}.accessible-node-labels.x.capacity"), share));
            }
        } else {
            queues.push((format!("{at}.user-limit-factor"), "100".into()));
        }
        queues.push((format!("{at}.accessible-node-labels"), "*".into()));
    }
    queues.push(("yarn.scheduler.capacity.root.accessible-node-labels.x.capacity".into(), "100".into()));
    let mut lab = Lab::start("scheduler", 3, (1024, 8192), &queues, Some("x"));
    for (app, queue) in given["apps"].as_object().into_iter().flatten() {
        lab.submit(app, unmanaged(&path(text(queue))), None);
    }
    let mut after = Vec::new();
    for (i, step) in list(&given["steps"]).iter().enumerate() {
        if let Some(r) = step.get("scheduling_request") {
            let mut targets = vec![Target::own_tags(strings(&r["notin_node"]))];
            if let Some(partition) = r["partition"].as_str() {
                targets.push(Target::partition([partition]));
            }
            let mut ask = lab.ask(r);
            ask.constraint = Some(Constraint::target_not_in(Scope::Node, targets));
            let app = lab.apps[text(&step["app"])];
            if let Err(e) = lab.call(app, AllocateCall { scheduling: vec![ask], ..AllocateCall::default() }) {
                return Outcome::Failed(Difference::new(format!("step {i}"), "accepted", e.message));
            }
        } else if let Some(a) = step.get("allocated") {
            let (app, wanted) = (lab.apps[text(&a["app"])], int(&a["count"]) as usize);
            let before = lab.got[&app].len();
            for n in 0..wanted {
                let node = lab.add_node(&json!({"id": format!("n{i}-{n}")}), 8192);
                lab.beat(node);
            }
            let _ = lab.call(app, AllocateCall::default());
            if lab.got[&app].len() - before != wanted {
                return Outcome::Failed(Difference::new(format!("step {i}"), wanted, lab.got[&app].len() - before));
            }
        } else {
            let apps: Vec<AppId> = lab.apps.values().copied().collect();
            apps.into_iter().for_each(|app| lab.rm.kill_app(app, &mut Silent));
        }
        let expected = list(&list(&case.expect["pending_after"])[i]).iter();
        let row = |e: &Value| {
            let queue = lab.rm.queue(&path(text(&e["queue"]))).and_then(|q| lab.rm.queues().get(q.index()));
            let partition = lab.rm.partition(text(&e["partition"]));
            let mb = queue.zip(partition).map(|(q, p)| q.part(p).pending.memory_mb());
            json!({"queue": e["queue"], "partition": e["partition"], "mb": mb})
        };
        after.push(Value::Array(expected.map(row).collect()));
    }
    holds(&case.expect, &json!({"pending_after": after})).into()
}

// ---- applications

fn spec_run(case: &Case) -> Outcome {
    let given = &case.given;
    let mut lab = Lab::start("placement-processor", 3, (1024, 8192), &one_queue(), None);
    for i in 0..int(&given["nodes"]) {
        lab.add_node(&json!({"id": format!("h{i}")}), 16_384);
    }
    for app in list(&given["apps"]) {
        let spec = match parse_spec(text(&app["text"])) {
            Ok(spec) => spec,
            Err(e) => return Outcome::Failed(Difference::new("text", "a spec", e.problem)),
        };
        let plan = match distributed_shell::plan(&spec, 1, 1000) {
            Ok(plan) => plan,
            Err(e) => return Outcome::Failed(Difference::new("text", "containers", e)),
        };
        let name = text(&app["app"]);
        let am = Some(AmAsk { size: Resource::new(1024, 1), ..AmAsk::default() });
        let s = Submission {
            queue: "default".into(),
            user: "user".into(),
            am,
            constraints: plan.constraints,
            ..Submission::default()
        };
        lab.submit(name, s, None);
        let scheduling = plan
            .requests
            .into_iter()
            .map(|r| SchedulingAsk {
                allocation_request_id: r.allocation_request_id,
                priority: 0,
                tags: vec![r.tag],
                count: 1,
                size: Resource::new(1024, 1),
                constraint: r.constraint,
                opportunistic: false,
            })
            .collect();
        let id = lab.apps[name];
        if let Err(e) = lab.call(id, AllocateCall { scheduling, ..AllocateCall::default() }) {
            return Outcome::Failed(Difference::new("ask", "accepted", e.message));
        }
        lab.drive();
    }
    let on = |app: &str| -> Vec<NodeId> { lab.got[&lab.apps[app]].iter().map(|g| g.node).collect() };
    let mut got = Map::new();
    if let Some(wanted) = case.expect["containers_per_node_without_am"].as_array() {
        let app = lab.apps.keys().next().cloned().unwrap_or_default();
        let mut counts: Vec<usize> =
            lab.live_nodes().iter().map(|n| on(&app).iter().filter(|x| *x == n).count()).collect();
        counts.sort_unstable();
        let mut wanted: Vec<i64> = wanted.iter().map(int).collect();
        wanted.sort_unstable();
        return holds(&json!(wanted), &json!(counts)).into();
    }
    if lab.apps.contains_key("appB") {
        let bars = on("appA");
        let elsewhere = on("appB").into_iter().filter(|n| !bars.contains(n)).count();
        got.insert("appB_containers_on_other_node_than_appA_bar".into(), json!(elsewhere));
    }
    holds(&case.expect, &got.into()).into()
}

fn service_run(case: &Case) -> Outcome {
    let given = &case.given;
    let component = &given["component"];
    let name = text(&component["name"]);
    let policy: PlacementPolicy = match serde_json::from_value(component["placement_policy"].clone()) {
        Ok(policy) => policy,
        Err(e) => return Outcome::Failed(Difference::new("placement_policy", "a policy", e)),
    };
    let constraint = match policy.constraint(name) {
        Ok(constraint) => constraint,
        Err(e) => return Outcome::Failed(Difference::new("placement_policy", "accepted", e)),
    };
    let mut lab = Lab::start(text(&given["handler"]), 3, (1024, 8192), &one_queue(), None);
    for i in 0..int(&given["nodes"]) {
        lab.add_node(&json!({"id": format!("h{i}")}), 16_384);
    }
    let am = Some(AmAsk { size: Resource::new(1024, 1), ..AmAsk::default() });
    lab.submit(name, Submission { queue: "default".into(), user: "user".into(), am, ..Submission::default() }, None);
    let app = lab.apps[name];
    let mut wanted = int(&component["count"]);
    let mut after = Vec::new();
    for (i, step) in list(&given["steps"]).iter().enumerate() {
        wanted = step["flex"].as_i64().unwrap_or(wanted);
        // One request a component and flex step, for what is missing; a component that is to shrink to a number that
        // it has not reached yet asks for fewer.
        let missing = wanted - lab.got[&app].len() as i64;
        let ask = SchedulingAsk {
            allocation_request_id: 1,
            priority: 1,
            tags: vec![name.into()],
            count: missing,
            size: Resource::new(1024, 1),
            constraint: constraint.clone(),
            opportunistic: false,
        };
        if let Err(e) = lab.call(app, AllocateCall { scheduling: vec![ask], ..AllocateCall::default() }) {
            return Outcome::Failed(Difference::new(format!("step {i}"), "accepted", e.message));
        }
        lab.drive();
        let running = lab.got[&app].len() as i64;
        let nodes: BTreeSet<NodeId> = lab.got[&app].iter().map(|g| g.node).collect();
        let state = if running == wanted { "STABLE" } else { "FLEXING" };
        after.push(json!({
            "step": i, "running": running, "distinct_nodes": nodes.len(), "stable": running == wanted,
            "component_state": state,
        }));
    }
    holds(&case.expect, &json!({"after_step": after})).into()
}

fn service_policy(case: &Case) -> Outcome {
    let read: Result<ServiceConstraint, _> = serde_json::from_value(case.given["constraint"].clone());
    let got = match read.map(|c| c.validate(text(&case.given["component"]))) {
        Err(e) => json!({"error": e.to_string()}),
        Ok(Ok(())) => json!({"valid": true}),
        Ok(Err(PolicyError::TypeMissing)) => json!({"error": "type_missing"}),
        Ok(Err(PolicyError::ScopeMissing)) => json!({"error": "scope_missing"}),
        Ok(Err(PolicyError::TagsMissing)) => json!({"error": "target_tags_missing"}),
        Ok(Err(PolicyError::ForeignTag(_))) => json!({"error": "target_tag_must_be_own_component"}),
    };
    holds(&case.expect, &got).into()
}
