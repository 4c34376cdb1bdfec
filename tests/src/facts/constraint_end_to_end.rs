//! Placement constraints on the whole ResourceManager: applications make requests until nothing changes any more (area
//! placement-constraints, kind end_to_end).

use super::constraint_lab::{Lab, ReceivedRejection, generous, one_queue, outcome, queues, strings};
use super::constraints::constraint;
use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, NodeId, RequestKey, Resource};
use heddle_core::rm::{AllocateCall, AmAsk, SchedulingAsk, Submission};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    (kind == "end_to_end").then_some(end_to_end as Driver)
}

/// The default memory of a node.
const PLENTY_MB: i64 = 102_400;

/// The result of a step: of a request, or of a change of the nodes.
struct Run {
    /// The applications, with the number of containers that each had before the step.
    before: BTreeMap<AppId, usize>,
    /// The number of responses before the step.
    told_before: usize,
    /// The application that made the request, and the request.
    asked: Option<(AppId, Vec<SchedulingAsk>)>,
    /// Whether the call was refused as a whole.
    refused: bool,
}

impl Run {
    fn begin(lab: &Lab) -> Self {
        let before = lab.got.iter().map(|(app, got)| (*app, got.len())).collect();
        Run { before, told_before: lab.rejected.len(), asked: None, refused: false }
    }

    /// Returns the nodes of the containers that an application received since.
    fn nodes(&self, lab: &Lab, app: AppId) -> Vec<NodeId> {
        let before = self.before.get(&app).copied().unwrap_or(0);
        lab.got(app).iter().skip(before).map(|g| g.node).collect()
    }
}

fn end_to_end(case: &Case) -> Outcome {
    outcome(play(case))
}

fn start(given: &Value) -> Result<Lab, String> {
    let named: Vec<(&str, i64)> =
        given["queues"].as_object().into_iter().flatten().map(|(k, v)| (k.as_str(), int(v))).collect();
    // The unit tests with three queues let a user exceed a queue's capacity; the others do not.
    let queues = match named.len() {
        0 => one_queue(),
        1 | 2 => queues(&named),
        _ => generous(&named),
    };
    let scheduler = given["scheduler"].as_str().unwrap_or("capacity");
    if scheduler != "capacity" {
        return Err(format!("the scheduler {scheduler} is not played here"));
    }
    let sizes = (
        given["minimum_allocation_mb"].as_i64().unwrap_or(1024),
        given["maximum_allocation_mb"].as_i64().unwrap_or(8192),
    );
    let retries = given["retry_attempts"].as_i64().unwrap_or(3);
    let mut lab = Lab::start(text(&given["handler"]), retries, sizes, &queues, None)?;
    for node in list(&given["nodes"]) {
        lab.add_node(node, PLENTY_MB)?;
    }
    Ok(lab)
}

fn play(case: &Case) -> Result<Outcome, String> {
    let (steps, expected) = (list(&case.given["steps"]), list(&case.expect["after_step"]));
    let mut lab = start(&case.given)?;
    let mut runs: Vec<Run> = Vec::with_capacity(steps.len());
    for (i, step) in steps.iter().enumerate() {
        let mut run = Run::begin(&lab);
        act(&mut lab, step, &mut run)?;
        // A change of the nodes with `when` happens while the previous request is not settled, and is part of it.
        let meets = |at: usize| steps.get(at).is_some_and(|s| !s["when"].is_null() && s["ask"].is_null());
        if meets(i)
            && let Some(ask) = runs.last().filter(|r| r.asked.is_some())
        {
            run = Run { before: ask.before.clone(), asked: ask.asked.clone(), ..*ask };
        }
        runs.push(run);
        if meets(i + 1) {
            continue;
        }
        if step["submit"].is_null() || meets(i) {
            lab.drive()?;
        }
        // The steps that have just settled: this one, and the request before it that it affected.
        for at in if meets(i) { i.saturating_sub(1)..=i } else { i..=i } {
            for wanted in expected.iter().filter(|e| e["step"].as_u64() == Some(at as u64)) {
                if let Err(d) = check(&lab, &runs, at, wanted)? {
                    return Ok(Outcome::Failed(d.inside(format!("after step {at}"))));
                }
            }
        }
    }
    if let Some(late) = expected.iter().find(|e| e["step"].as_u64().is_none_or(|at| at as usize >= steps.len())) {
        return Err(format!("no step {}", late["step"]));
    }
    if case.expect.get("cluster").is_none() {
        return Ok(Outcome::Passed);
    }
    Ok(holds(&case.expect["cluster"], &cluster(&lab)).map_err(|d| d.inside("cluster")).into())
}

fn act(lab: &mut Lab, step: &Value, run: &mut Run) -> Result<(), String> {
    if let Some(name) = step["submit"].as_str() {
        let submission = submission(step, lab);
        lab.submit(name, submission, step["am_node"].as_str())?;
    } else if step.get("add_node").is_some() {
        lab.add_node(&step["add_node"], PLENTY_MB)?;
    } else if let Some(host) = step["lose_node"].as_str() {
        let node = lab.rm.node_by_host(host).ok_or_else(|| format!("no node {host}"))?;
        lab.rm.remove_node(node, &mut Silent);
    } else if let Some(name) = step["ask"].as_str() {
        let app = lab.app(name)?;
        let asks: Vec<SchedulingAsk> = list(&step["requests"]).iter().map(|r| lab.ask(r)).collect();
        run.asked = Some((app, asks.clone()));
        run.refused = lab.call(app, AllocateCall { scheduling: asks, ..AllocateCall::default() }).is_err();
    } else {
        return Err(format!("an unknown step {step}"));
    }
    Ok(())
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

fn cluster(lab: &Lab) -> Value {
    let (mut total, mut used, mut containers) = (Resource::ZERO, Resource::ZERO, 0);
    for node in lab.rm.nodes().iter().filter(|n| n.in_scheduler) {
        total += node.total;
        used += node.allocated;
        containers += node.containers.len();
    }
    let free = total - used;
    json!({
        "available_mb": free.memory_mb(), "available_vcores": free.vcores(),
        "allocated_mb": used.memory_mb(), "allocated_vcores": used.vcores(), "allocated_containers": containers,
    })
}

/// Compares the expectations after a step.
fn check(lab: &Lab, runs: &[Run], at: usize, wanted: &Value) -> Result<Result<(), Difference>, String> {
    let Some(run) = runs.get(at) else { return Err(format!("no step {at}")) };
    let app = match wanted["app"].as_str() {
        Some(name) => Some(lab.app(name)?),
        None => run.asked.as_ref().map(|(app, _)| *app),
    };
    let mut wanted = wanted.clone();
    if let Some(o) = wanted.as_object_mut() {
        o.shift_remove("step");
        o.shift_remove("app");
    }
    let Some(app) = app else {
        return Err("an expectation of no application".into());
    };
    let got = StepView { lab, runs, run, app }.all(&wanted);
    Ok(holds(&wanted, &Value::Object(got)))
}

/// The view of a step for one application.
struct StepView<'a> {
    lab: &'a Lab,
    runs: &'a [Run],
    run: &'a Run,
    app: AppId,
}

impl StepView<'_> {
    /// Returns everything that an expectation can check.
    fn all(&self, expected: &Value) -> Map<String, Value> {
        let (lab, run, app) = (self.lab, self.run, self.app);
        let new = run.nodes(lab, app);
        let mut per_node: BTreeMap<NodeId, usize> = BTreeMap::new();
        new.iter().for_each(|node| *per_node.entry(*node).or_insert(0) += 1);
        let mut got = Map::new();
        if run.refused {
            got.insert("error".into(), json!("allocate_call_rejected"));
        }
        got.insert("allocated".into(), json!(new.len()));
        got.insert("distinct_nodes".into(), json!(per_node.len()));
        let so_far: BTreeSet<NodeId> = lab.got.values().flatten().map(|g| g.node).collect();
        got.insert("distinct_nodes_so_far".into(), json!(so_far.len()));
        got.insert("max_per_node".into(), json!(per_node.values().max().copied().unwrap_or(0)));
        self.rejections(expected, &mut got);
        self.tags(&per_node, expected, &mut got);
        self.places(&per_node, expected, &mut got);
        got
    }

    fn rejections(&self, expected: &Value, got: &mut Map<String, Value>) {
        let responses = self.lab.rejected.get(self.run.told_before..).unwrap_or(&[]);
        let all: Vec<&ReceivedRejection> = responses.iter().flatten().filter(|t| t.app == self.app).collect();
        let row = |t: &ReceivedRejection, count: i64| json!({"request": t.request, "count": count, "reason": t.reason});
        let total: i64 = all.iter().map(|t| t.count).sum();
        if let Some(first) = all.first() {
            got.insert("first_rejected".into(), row(first, first.count));
        }
        got.insert("rejected_total".into(), json!(total));
        let rejected = match &expected["rejected"] {
            // The total, all as one row, or each request and reason.
            Value::Number(_) => json!(total),
            Value::Object(_) => all.first().map_or(Value::Null, |first| row(first, total)),
            _ => {
                let mut rows: Vec<ReceivedRejection> = Vec::new();
                for told in &all {
                    match rows.iter_mut().find(|t| (t.request, &t.reason) == (told.request, &told.reason)) {
                        Some(row) => row.count += told.count,
                        None => rows.push((*told).clone()),
                    }
                }
                rows.iter().map(|t| row(t, t.count)).collect()
            }
        };
        got.insert("rejected".into(), rejected);
        let least = responses.iter().map(Vec::len).filter(|n| *n > 0).min().unwrap_or(0);
        got.insert("rejected_in_one_response".into(), json!(least));
        let asks = self.run.asked.iter().flat_map(|(_, asks)| asks);
        let tags_of = |t: &&ReceivedRejection| {
            asks.clone().find(|s| s.allocation_request_id == t.request).map(|s| s.tags.clone())
        };
        let mut tags: Vec<String> = all.iter().filter_map(tags_of).flatten().collect();
        tags.sort_unstable();
        got.insert("rejected_tags".into(), json!(tags));
    }

    /// Adds the tags on the nodes that received a container of the request, and the pending requests by tag.
    fn tags(&self, per_node: &BTreeMap<NodeId, usize>, expected: &Value, got: &mut Map<String, Value>) {
        if let Some(tag) = expected["on_nodes_without_tag"].as_str() {
            let clean = per_node.keys().all(|n| self.lab.tag_count(*n, tag) == 0);
            got.insert("on_nodes_without_tag".into(), if clean { json!(tag) } else { json!("it is there") });
        }
        if let Some(counts) = expected["each_node_tag_counts"].as_object() {
            let mut seen = Map::new();
            for (tag, wanted) in counts {
                let other = per_node.keys().map(|n| self.lab.tag_count(*n, tag)).find(|n| json!(n) != *wanted);
                seen.insert(tag.clone(), other.map_or(wanted.clone(), |n| json!(n)));
            }
            got.insert("each_node_tag_counts".into(), seen.into());
        }
        if let Some(wanted) = expected["still_wanted"].as_object() {
            let mut seen: Map<String, Value> = wanted.keys().map(|tag| (tag.clone(), json!(0))).collect();
            for request in self.run.asked.iter().flat_map(|(_, asks)| asks) {
                let key =
                    RequestKey { priority: request.priority, allocation_request_id: request.allocation_request_id };
                let asks = self.lab.rm.scheduled(self.app).map(|a| &a.asks);
                let left = asks.and_then(|a| a.find(key).map(|i| a.at(i).outstanding())).unwrap_or(0);
                let tag = request.tags.first().cloned().unwrap_or_default();
                let sum = seen.get(&tag).map_or(0, int) + left;
                seen.insert(tag, json!(sum));
            }
            got.insert("still_wanted".into(), seen.into());
        }
    }

    /// Compares the nodes of the request with those of earlier steps, and with named ones.
    fn places(&self, per_node: &BTreeMap<NodeId, usize>, expected: &Value, got: &mut Map<String, Value>) {
        let of_step = |at: u64| -> BTreeSet<NodeId> {
            let run = self.runs.get(at as usize);
            let asked = run.and_then(|r| r.asked.as_ref().map(|(app, _)| (r, *app)));
            // The containers of that step are those up to the next request of the same application.
            let Some((run, app)) = asked else { return BTreeSet::new() };
            let later = self.runs.iter().skip(at as usize + 1).find(|r| r.asked.as_ref().is_some_and(|a| a.0 == app));
            let end = later.and_then(|r| r.before.get(&app)).copied().unwrap_or(usize::MAX);
            let begin = run.before.get(&app).copied().unwrap_or(0);
            self.lab.got(app).iter().take(end).skip(begin).map(|g| g.node).collect()
        };
        for (key, inside) in
            [("on_nodes_of_step", true), ("all_on_node_of_step", true), ("not_on_nodes_of_step", false)]
        {
            if let Some(step) = expected[key].as_u64() {
                let nodes = of_step(step);
                let mut holds = per_node.keys().all(|n| nodes.contains(n) == inside);
                if key == "all_on_node_of_step" {
                    // A single node, the one of the step.
                    holds &= nodes.len() == 1 && !per_node.is_empty();
                }
                got.insert(key.into(), if holds { json!(step) } else { json!("not so") });
            }
        }
        let barred = strings(&expected["not_on_nodes"]);
        let hit: Vec<String> = per_node.keys().map(|n| self.lab.host(*n)).filter(|h| barred.contains(h)).collect();
        got.insert("not_on_nodes".into(), if hit.is_empty() { json!(barred) } else { json!({"but on": hit}) });
    }
}
