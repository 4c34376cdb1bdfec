use super::*;
use crate::config::fair::Patience;
use crate::model::{AppId, Calculator, CalculatorKind, ContainerId, NodeId, QueueId, Resource};
use crate::preemption::Measure;

fn mb(memory: i64) -> Resource {
    Resource::new(memory, 1)
}

fn measure() -> Measure {
    Measure { calc: Calculator { kind: CalculatorKind::Default, types: 2 }, base: mb(10_000) }
}

fn hungry(app: u32, used: i64, demand: i64, share: i64, at_share: i64) -> WantingApp {
    WantingApp { app: AppId(app), used: mb(used), demand: mb(demand), share: mb(share), at_share, lack: Resource::ZERO }
}

fn leaf(apps: Vec<WantingApp>) -> Leaf {
    Leaf {
        queue: QueueId(1),
        measure: measure(),
        patience: Patience { minimum_ms: 2_000, fair_ms: 1_000, threshold: 0.5 },
        minimum: Resource::ZERO,
        demand: mb(8_000),
        used: mb(1_000),
        at_minimum: 0,
        apps,
    }
}

#[test]
fn an_application_is_starved_below_a_part_of_its_share_and_after_a_time() {
    let one = |used, now| look(&leaf(vec![hungry(0, used, 8_000, 4_000, 500)]), now);
    assert_eq!(one(2_000, 9_000).apps[0].standing, Standing::Served);
    let waits = one(1_999, 1_499);
    assert_eq!(waits.apps[0].standing, Standing::Waiting { since: 500, until: 1_500 });
    assert_eq!(waits.wakes_at(), Some(1_500));
    let starved = one(1_999, 1_500);
    assert_eq!(starved.apps[0].standing, Standing::Starved { since: 500 });
    assert_eq!((starved.apps[0].due, starved.wakes_at()), (Resource::new(2_000, 0), None));
}

#[test]
fn nobody_behind_one_who_has_his_share_is_looked_at() {
    let found = look(&leaf(vec![hungry(0, 2_000, 8_000, 4_000, 0), hungry(1, 0, 8_000, 4_000, 0)]), 5_000);
    assert_eq!(found.apps.len(), 1);
}

#[test]
fn of_a_minimum_share_the_last_one_gets_what_he_wants_beyond_what_is_left() {
    let mut l = leaf(vec![hungry(0, 500, 1_500, 500, 0), hungry(1, 500, 6_500, 500, 0)]);
    l.minimum = Resource::new(5_000, 0);
    let found = look(&l, 2_000);
    assert_eq!(found.minimum.lack, Resource::new(4_000, 0));
    // 4 000 are left: 1 000 for the first; of the 6 000 of the second 3 000 are beyond the 3 000 left (quirk).
    let of: Vec<i64> = found.of_minimum.iter().map(|p| p.amount.memory_mb()).collect();
    assert_eq!(of, [1_000, 3_000]);
    assert!(look(&l, 1_999).of_minimum.iter().all(|p| !p.starved));
}

fn request(place: RequestPlace, size: i64, count: i64) -> Request {
    Request { priority: 1, place, size: mb(size), count, relax: false }
}

#[test]
fn requests_are_cut_down_to_what_is_lacking_and_counted_once() {
    let node = RequestPlace::Node(NodeId(0), "/r".into());
    let all = [
        request(node, 1_000, 2),
        request(RequestPlace::Rack("/r".into()), 1_000, 3),
        request(RequestPlace::Anywhere, 700, 9),
    ];
    let found = wants(all, Resource::new(4_000, 8));
    let shown: Vec<_> = found.iter().map(|w| (w.count, w.relax, w.refused)).collect();
    assert_eq!(shown, [(2, false, None), (0, true, Some(UncountedReason::CountedElsewhere)), (2, true, None)]);
    assert_eq!(found[2].lack, Resource::new(2_000, 6));
}

/// A container's number and size, and whether it is an ApplicationMaster's.
type Small = (u64, i64, bool);

/// Nodes with their free memory and containers; the fair share of the owners.
struct Books(Vec<(i64, Vec<Small>)>, i64);

fn id(seq: u64) -> ContainerId {
    ContainerId { app: AppId(0), attempt: 1, seq }
}

impl SearchView for Books {
    fn free(&self, node: NodeId) -> Resource {
        mb(self.0[node.index()].0)
    }

    fn running(&self, node: NodeId) -> Vec<Running> {
        let of = |(seq, size, am): &Small| Running { id: id(*seq), size: mb(*size), am: *am, over: false };
        self.0[node.index()].1.iter().map(of).collect()
    }

    fn owner(&self, _: AppId) -> Option<Owner> {
        let (used, marked, share) = (mb(6_000), Resource::ZERO, mb(self.1));
        Some(Owner { protected: None, gives_am: true, used, marked, share, measure: measure() })
    }
}

fn place(size: i64, nodes: &[u32], others: &[u32]) -> SearchTarget {
    let ids = |n: &[u32]| n.iter().copied().map(NodeId).collect();
    SearchTarget { size: mb(size), nodes: ids(nodes), others: ids(others) }
}

#[test]
fn the_node_that_takes_the_fewest_masters_is_picked() {
    let books = Books(vec![(0, vec![(1, 1_000, true)]), (0, vec![(2, 1_000, false)])], 0);
    let (choice, looked) = pick(&place(1_000, &[0, 1], &[]), &books, true);
    assert_eq!(choice, Some(NodeChoice { node: NodeId(1), containers: vec![id(2)], masters: 0, elsewhere: false }));
    assert_eq!(looked.len(), 2);
    // A merely preferred place loses to one that spares the ApplicationMaster.
    let (choice, _) = pick(&place(1_000, &[0], &[1]), &books, false);
    assert_eq!(choice.map(|c| (c.node, c.elsewhere)), Some((NodeId(1), true)));
    let (choice, _) = pick(&place(1_000, &[0], &[]), &books, false);
    assert_eq!(choice.map(|c| c.masters), Some(1));
}

#[test]
fn an_application_keeps_its_share_and_an_empty_node_gives_nothing() {
    let books = Books(vec![(500, vec![(1, 1_000, false), (2, 1_000, false)]), (9_000, vec![])], 5_000);
    let (choice, looked) = pick(&place(2_000, &[0, 1], &[]), &books, true);
    assert_eq!(choice, None);
    let spared =
        Spared { container: id(2), why: SpareReason::BelowShare { used: Resource::new(4_000, -1), share: mb(5_000) } };
    assert_eq!((looked[0].gathered, &looked[0].spared[..]), (Resource::new(1_500, 2), &[spared][..]));
    assert_eq!((looked[1].outcome, looked[1].taken), (SearchOutcome::TooLittle, 0));
}
