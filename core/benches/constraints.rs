//! How long it takes to evaluate placement constraints and to count tags: 10 000 nodes in 250 racks, 100 tags, 200 000
//! containers of 50 applications. Run with `cargo bench -p heddle-core --bench constraints`.
//!
//! The cost of a look must hang on the tags of the clause, not on how much is counted: each figure is given with few
//! containers and with many.

use heddle_core::constraint::{Asking, PlacementState, Site, parse_expression};
use heddle_core::model::{AppId, NodeId};
use std::hint::black_box;

const NODES: u32 = 10_000;
const NODES_OF_A_RACK: u32 = 40;
const TAGS: u32 = 100;
const APPS: u32 = 50;

fn site(host: &str, node: u32) -> Site<'_> {
    Site { node: NodeId(node), host, rack: node / NODES_OF_A_RACK, partition: "" }
}

/// Containers spread over nodes, applications and tags by a fixed rule.
fn state(containers: u32) -> PlacementState {
    let mut state = PlacementState::default();
    for app in 0..APPS {
        state.apps.add(AppId(app), (0, app as i32 + 1), &[format!("group{}", app % 5)]);
    }
    for i in 0..containers {
        let node = i.wrapping_mul(7919) % NODES;
        let tags = [format!("t{}", i % TAGS), format!("t{}", i.wrapping_mul(31) % TAGS)];
        state.tags.add(AppId(i % APPS), node, node / NODES_OF_A_RACK, &tags);
    }
    state
}

#[allow(clippy::disallowed_methods)] // the core takes no time by itself; a bench has to
fn main() {
    let texts = [
        "notin,node,t1",
        "in,rack,all/t1",
        "cardinality,rack,not-self/t1,t2,t3,0,5",
        "and(notin,node,t1:or(in,rack,all/t2:cardinality,node,not-self/t3,0,2))",
    ];
    let hosts: Vec<String> = (0..NODES).map(|n| format!("node{n}")).collect();
    println!("{NODES} nodes, {TAGS} tags, {APPS} applications; nanoseconds a node");
    for containers in [2_000, 200_000] {
        let state = state(containers);
        for text in texts {
            let constraint = parse_expression(text).expect("a constraint").constraint;
            let asking = Asking { app: AppId(0), tags: &[], constraint: Some(&constraint) };
            let mut best = u128::MAX;
            for _ in 0..10 {
                let start = std::time::Instant::now();
                let mut satisfied = 0u32;
                for (n, host) in hosts.iter().enumerate() {
                    let verdict = state.can_satisfy(asking, site(host, n as u32));
                    satisfied += u32::from(verdict.is_ok_and(|v| v.holds()));
                }
                black_box(satisfied);
                best = best.min(start.elapsed().as_nanos());
            }
            println!("{containers:>8} containers  {:>6}  {text}", best / u128::from(NODES));
        }
    }
}
