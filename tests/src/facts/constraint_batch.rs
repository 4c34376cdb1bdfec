//! The placement processor's algorithm (area placement-constraints, kinds request_order, circular, place_batch).

use super::constraint_levels::register;
use super::constraints::{ConstraintWorld, constraint, strings};
use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::constraint::Site;
use heddle_core::constraint::algorithm::{
    Batch, BatchRequest, Candidate, Circular, IteratorKind, Temporaries, Work, request_order,
};
use heddle_core::model::{Calculator, CalculatorKind, NodeId, Resource, ResourceTypes};
use serde_json::{Value, json};
use std::sync::Arc;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "request_order" => order,
        "circular" => circular,
        "place_batch" => place_batch,
        _ => return None,
    })
}

fn batch_request(v: &Value) -> BatchRequest {
    let tags = strings(&v["tags"]);
    BatchRequest {
        allocation_request_id: int(&v["id"]),
        priority: v["priority"].as_i64().unwrap_or(0) as i32,
        tags: heddle_core::constraint::order::set_order(&tags).into_iter().map(str::to_owned).collect(),
        count: v["count"].as_i64().unwrap_or(1),
        size: Resource::new(int(&v["memory_mb"]), v["vcores"].as_i64().unwrap_or(1)),
        constraint: v.get("constraint").filter(|c| !c.is_null()).map(|c| Arc::new(constraint(c))),
    }
}

fn iterator(v: &Value) -> IteratorKind {
    if text(v) == "POPULAR_TAGS" { IteratorKind::PopularTags } else { IteratorKind::Serial }
}

fn order(case: &Case) -> Outcome {
    let requests: Vec<BatchRequest> = list(&case.given["requests"]).iter().map(batch_request).collect();
    let order = request_order(iterator(&case.given["iterator"]), &requests).unwrap_or_default();
    let ids: Vec<i64> = order.into_iter().map(|i| requests[i].allocation_request_id).collect();
    holds(&json!({"order": case.expect["order"]}), &json!({"order": ids})).into()
}

fn circular(case: &Case) -> Outcome {
    let places = list(&case.given["list"]);
    // `first` may be missing from the list: its place is then after the list.
    let first = case.given.get("first").filter(|f| !f.is_null());
    let first_at = first.map(|f| places.iter().position(|p| p == f).unwrap_or(places.len()));
    let mut shared = int(&case.given["already_consumed"]) as usize;
    let got = match Circular::new(places.len(), &mut shared, first_at) {
        None => json!({"error": "no_such_element"}),
        Some(walk) => {
            let all: Vec<Value> = walk.map(|at| places.get(at).or(first).cloned().unwrap_or(Value::Null)).collect();
            json!({"sequence": all})
        }
    };
    holds(&case.expect, &got).into()
}

fn place_batch(case: &Case) -> Outcome {
    let given = &case.given;
    let mut world = ConstraintWorld::new(given);
    let app = world.app(text(&given["app"]));
    register(&mut world, given, app);
    let names: Vec<(String, u32, String)> = world.nodes.clone();
    let free = |at: usize| Resource::new(int(&list(&given["nodes"])[at]["unallocated_mb"]), 1000);
    let nodes: Vec<Candidate<'_>> = names
        .iter()
        .enumerate()
        .map(|(at, (host, rack, partition))| Candidate {
            site: Site { node: NodeId::from(at), host, rack: *rack, partition },
            free: free(at),
        })
        .collect();
    let mut batch =
        Batch::new(list(&given["requests"]).iter().map(batch_request).collect(), int(&given["attempt"]) as i32);
    for (tag, barred) in given["blacklist"].as_object().into_iter().flatten() {
        let barred = list(barred).iter().map(|n| NodeId::from(world.node(text(n)))).collect();
        batch.blacklist.insert(tag.clone(), barred);
    }
    let mut temporaries = Temporaries::default();
    let run = Work {
        state: &mut world.state,
        temporaries: &mut temporaries,
        app,
        nodes: &nodes,
        calculator: Calculator::new(CalculatorKind::Default, &ResourceTypes::default()),
        iterator: iterator(&given["iterator"]),
        default_rack: 0,
        trails: false,
    }
    .run(&batch);
    if run.died {
        let expected = &case.expect["error"];
        return if expected.is_string() {
            Outcome::Passed
        } else {
            Outcome::Failed(Difference::new("", &case.expect, "the run dies"))
        };
    }
    let host = |n: &NodeId| names[n.index()].0.clone();
    let placed: Vec<Value> = run
        .placed
        .iter()
        .map(|p| json!({"request": p.request.allocation_request_id, "nodes": p.nodes.iter().map(host).collect::<Vec<_>>()}))
        .collect();
    let rejected: Vec<Value> =
        run.rejected.iter().map(|r| json!({"request": r.allocation_request_id, "count": r.count})).collect();
    holds(&case.expect, &json!({"placed": placed, "rejected": rejected})).into()
}
