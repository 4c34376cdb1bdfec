//! Placement constraints on the ResourceManager (area placement-constraints): requests inside the CapacityScheduler, the
//! distributed shell, services.

use super::constraint_lab::{Lab, generous, managed, one_queue, outcome, strings, unmanaged};
use super::constraints::constraint;
use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::apps::distributed_shell::constraint as distributed_shell;
use heddle_core::apps::service::constraint::{NullInPolicy, PlacementPolicy, PolicyError, ServiceConstraint};
use heddle_core::constraint::{Constraint, Scope, Target, parse_spec};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, NodeId, RequestKey, Resource};
use heddle_core::rm::{AllocateCall, AskRow, SchedulingAsk, Submission};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The maximum number of nodes in a case.
const MOST_NODES: i64 = 1000;
/// The maximum depth of queues in a case.
const DEEPEST: usize = 20;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "allocator" => |case| outcome(allocator(case)),
        "precheck" => |case| outcome(precheck(case)),
        "pending_resource" => |case| outcome(pending_resource(case)),
        "spec_run" => |case| outcome(spec_run(case)),
        "service_run" => |case| outcome(service_run(case)),
        "service_policy_validate" => service_policy,
        _ => return None,
    })
}

// ---- inside the CapacityScheduler

fn allocator(case: &Case) -> Result<Outcome, String> {
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
    let mut lab = Lab::start("scheduler", 3, (1024, 8192), &queues, Some(label))?;
    lab.add_node(&json!({"id": "h1"}), 8192)?;
    lab.add_node(&json!({"id": "h2", "partition": label}), 8192)?;
    let app = lab.submit("app", unmanaged("default"), None)?;
    let mut outcomes = Vec::new();
    let mut key = RequestKey { priority: 0, allocation_request_id: 0 };
    for update in list(&given["updates"]) {
        if let Some(n) = update["allocate"].as_u64() {
            let before = lab.got(app).len();
            lab.drive()?;
            let ok = lab.got(app).len() - before == n as usize;
            outcomes.push(if ok { "ok" } else { "invalid" });
            continue;
        }
        if update.get("recover_preempted").is_some() {
            return Ok(Outcome::Unsupported("allocator (recover_preempted)".into()));
        }
        let ask = lab.ask(update);
        key = RequestKey { priority: ask.priority, allocation_request_id: ask.allocation_request_id };
        let r = lab.call(app, AllocateCall { scheduling: vec![ask], ..AllocateCall::default() });
        outcomes.push(if r.is_ok() { "ok" } else { "invalid" });
    }
    let asks = lab.rm.scheduled(app).map(|a| &a.asks);
    let (count, partition) = asks.and_then(|a| a.find(key).map(|i| a.at(i))).map_or((0, String::new()), |k| {
        (k.outstanding(), lab.rm.partitions().get(k.partition.index()).map_or(String::new(), |p| p.name.clone()))
    });
    Ok(holds(&case.expect, &json!({"outcome": outcomes, "pending_count": count, "target_partition": partition})).into())
}

fn precheck(case: &Case) -> Result<Outcome, String> {
    let given = &case.given;
    let mut queues = generous(&[("default", 100)]);
    for queue in ["root", "root.default"] {
        queues.push((format!("yarn.scheduler.capacity.{queue}.accessible-node-labels"), "*".into()));
        queues.push((format!("yarn.scheduler.capacity.{queue}.accessible-node-labels.x.capacity"), "100".into()));
    }
    // The partition is that of the constraint's own target, and nothing runs yet.
    if !list(&given["containers"]).is_empty() || given["mode"].as_str().is_some_and(|m| m != "respect_exclusivity") {
        return Ok(Outcome::Unsupported("precheck (with containers, or another mode)".into()));
    }
    let mut lab = Lab::start("scheduler", 3, (1024, 8192), &queues, Some("x"))?;
    let mut accepted = Map::new();
    let mut nodes = Vec::new();
    for node in list(&given["nodes"]) {
        nodes.push((text(&node["id"]).to_string(), lab.add_node(node, 8192)?));
    }
    let app = lab.submit("app", unmanaged("default"), None)?;
    let ask = SchedulingAsk {
        allocation_request_id: 1,
        priority: 1,
        tags: vec!["other".into()],
        count: 10,
        size: Resource::new(1024, 1),
        constraint: Some(Arc::new(constraint(&given["constraint"]))),
        opportunistic: false,
    };
    lab.call(app, AllocateCall { scheduling: vec![ask], ..AllocateCall::default() })?;
    for (host, node) in nodes {
        lab.beat(node);
        let _ = lab.call(app, AllocateCall::default());
        accepted.insert(host, json!(lab.got(app).iter().any(|g| g.node == node)));
    }
    Ok(holds(&case.expect, &json!({"accepted": accepted})).into())
}

fn pending_resource(case: &Case) -> Result<Outcome, String> {
    let given = &case.given;
    let parents = &given["parents"];
    let mut children: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (child, parent) in parents.as_object().into_iter().flatten() {
        children.entry(text(parent).into()).or_default().push(child.clone());
    }
    let path = |queue: &str| {
        let mut path = queue.to_string();
        let mut at = queue;
        for _ in 0..DEEPEST {
            let Some(parent) = parents[at].as_str() else { break };
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
    let mut lab = Lab::start("scheduler", 3, (1024, 8192), &queues, Some("x"))?;
    for (app, queue) in given["apps"].as_object().into_iter().flatten() {
        lab.submit(app, unmanaged(&path(text(queue))), None)?;
    }
    let mut after = Vec::new();
    for (i, step) in list(&given["steps"]).iter().enumerate() {
        if let Some(r) = step.get("scheduling_request") {
            let mut targets = vec![Target::own_tags(strings(&r["notin_node"]))];
            if let Some(partition) = r["partition"].as_str() {
                targets.push(Target::partition([partition]));
            }
            let mut ask = lab.ask(r);
            ask.constraint = Some(Arc::new(Constraint::target_not_in(Scope::Node, targets)));
            let app = lab.app(text(&step["app"]))?;
            lab.call(app, AllocateCall { scheduling: vec![ask], ..AllocateCall::default() })?;
        } else if let Some(r) = step.get("resource_request") {
            let ask = AskRow {
                priority: int(&r["priority"]) as i32,
                place: r["name"].as_str().unwrap_or("*").into(),
                size: Resource::new(int(&r["memory_mb"]), r["vcores"].as_i64().unwrap_or(1)),
                count: r["count"].as_i64().unwrap_or(1),
                relax: true,
                label: r["partition"].as_str().filter(|p| !p.is_empty()).map(str::to_owned),
                allocation_request_id: r["id"].as_i64().unwrap_or(-1),
            };
            let app = lab.app(text(&step["app"]))?;
            lab.call(app, AllocateCall { asks: vec![ask], ..AllocateCall::default() })?;
        } else if let Some(a) = step.get("allocated") {
            let (app, wanted) = (lab.app(text(&a["app"]))?, int(&a["count"]));
            let before = lab.got(app).len();
            for n in 0..wanted.min(MOST_NODES) {
                let node = lab.add_node(&json!({"id": format!("n{i}-{n}")}), 8192)?;
                lab.beat(node);
            }
            let _ = lab.call(app, AllocateCall::default());
            let got = lab.got(app).len() - before;
            if got as i64 != wanted {
                return Ok(Outcome::Failed(Difference::new(format!("step {i}"), wanted, got)));
            }
        } else if step["finish_all"] != true {
            return Err(format!("an unknown step {step}"));
        } else {
            let apps: Vec<AppId> = lab.apps.values().copied().collect();
            apps.into_iter().for_each(|app| lab.rm.kill_app(app, &mut Silent));
        }
        let expected = list(&case.expect["pending_after"][i]).iter();
        let row = |e: &Value| {
            let queue = lab.rm.queue(&path(text(&e["queue"]))).and_then(|q| lab.rm.queues().get(q.index()));
            let partition = lab.rm.cluster().partition(text(&e["partition"]));
            let mb = queue.zip(partition).map(|(q, p)| q.part(p).pending.memory_mb());
            json!({"queue": e["queue"], "partition": e["partition"], "mb": mb})
        };
        after.push(Value::Array(expected.map(row).collect()));
    }
    Ok(holds(&case.expect, &json!({"pending_after": after})).into())
}

// ---- applications

fn spec_run(case: &Case) -> Result<Outcome, String> {
    let given = &case.given;
    let mut lab = Lab::start("placement-processor", 3, (1024, 8192), &one_queue(), None)?;
    for i in 0..int(&given["nodes"]).min(MOST_NODES) {
        lab.add_node(&json!({"id": format!("h{i}")}), 16_384)?;
    }
    for app in list(&given["apps"]) {
        let spec = match parse_spec(text(&app["text"])) {
            Ok(spec) => spec,
            Err(e) => return Ok(Outcome::Failed(Difference::new("text", "a spec", e.problem))),
        };
        let plan = match distributed_shell::plan(&spec, 1, 1000) {
            Ok(plan) => plan,
            Err(e) => return Ok(Outcome::Failed(Difference::new("text", "containers", e))),
        };
        let submission = Submission { constraints: plan.constraints, ..managed() };
        let id = lab.submit(text(&app["app"]), submission, None)?;
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
        lab.call(id, AllocateCall { scheduling, ..AllocateCall::default() })?;
        lab.drive()?;
    }
    let on = |app: &str| -> Vec<NodeId> {
        let got = lab.app(app).map(|app| lab.got(app)).unwrap_or(&[]);
        got.iter().map(|g| g.node).collect()
    };
    let mut got = Map::new();
    if let Some(wanted) = case.expect["containers_per_node_without_am"].as_array() {
        let app = lab.apps.keys().next().cloned().unwrap_or_default();
        let mut counts: Vec<usize> =
            lab.live_nodes().iter().map(|n| on(&app).iter().filter(|x| *x == n).count()).collect();
        counts.sort_unstable();
        let mut wanted: Vec<i64> = wanted.iter().map(int).collect();
        wanted.sort_unstable();
        return Ok(holds(&json!(wanted), &json!(counts)).into());
    }
    if lab.apps.contains_key("appB") {
        let bars = on("appA");
        let elsewhere = on("appB").into_iter().filter(|n| !bars.contains(n)).count();
        got.insert("appB_containers_on_other_node_than_appA_bar".into(), json!(elsewhere));
    }
    Ok(holds(&case.expect, &got.into()).into())
}

fn service_run(case: &Case) -> Result<Outcome, String> {
    let given = &case.given;
    let component = &given["component"];
    let name = text(&component["name"]);
    let policy: PlacementPolicy = match serde_json::from_value(component["placement_policy"].clone()) {
        Ok(policy) => policy,
        Err(e) => return Ok(Outcome::Failed(Difference::new("placement_policy", "a policy", e))),
    };
    let constraint = match policy.constraint() {
        Ok(constraint) => constraint,
        Err(NullInPolicy) => return Ok(Outcome::Failed(Difference::new("placement_policy", "accepted", "a null"))),
    };
    let mut lab = Lab::start(text(&given["handler"]), 3, (1024, 8192), &one_queue(), None)?;
    for i in 0..int(&given["nodes"]).min(MOST_NODES) {
        lab.add_node(&json!({"id": format!("h{i}")}), 16_384)?;
    }
    let app = lab.submit(name, managed(), None)?;
    let mut wanted = int(&component["count"]);
    let mut after = Vec::new();
    for (i, step) in list(&given["steps"]).iter().enumerate() {
        wanted = step["flex"].as_i64().unwrap_or(wanted);
        // One request per component and flex step, for the missing instances; if a component is to shrink to a number that
        // it has not reached yet, the request is smaller.
        let missing = wanted - lab.got(app).len() as i64;
        let ask = SchedulingAsk {
            allocation_request_id: 1,
            priority: 1,
            tags: vec![name.into()],
            count: missing,
            size: Resource::new(1024, 1),
            constraint: constraint.clone().map(Arc::new),
            opportunistic: false,
        };
        lab.call(app, AllocateCall { scheduling: vec![ask], ..AllocateCall::default() })?;
        lab.drive()?;
        let running = lab.got(app).len() as i64;
        let nodes: BTreeSet<NodeId> = lab.got(app).iter().map(|g| g.node).collect();
        let state = if running == wanted { "STABLE" } else { "FLEXING" };
        after.push(json!({
            "step": i, "running": running, "distinct_nodes": nodes.len(), "stable": running == wanted,
            "component_state": state,
        }));
    }
    Ok(holds(&case.expect, &json!({"after_step": after})).into())
}

fn service_policy(case: &Case) -> Outcome {
    let read: Result<ServiceConstraint, _> = serde_json::from_value(case.given["constraint"].clone());
    let got = match read.map(|c| c.validate()) {
        Err(e) => json!({"error": e.to_string()}),
        Ok(Ok(())) => json!({"valid": true}),
        Ok(Err(PolicyError::TypeMissing)) => json!({"error": "type_missing"}),
        Ok(Err(PolicyError::ScopeMissing)) => json!({"error": "scope_missing"}),
    };
    holds(&case.expect, &got).into()
}
