//! Walks of asynchronous scheduling: their placements, and the refusals if they commit at their end.

use crate::check::{Check, Failure};
use crate::journal::{Change, Entry};
use crate::model::{AppId, NodeId, Resource};
use crate::rm::testing::Fixture;
use crate::rm::{AllocateCall, AskRow, Commits, RmEvent};

/// Returns a cluster in asynchronous mode, with nodes of these sizes in GB.
fn cluster(settings: &str, gb: &[i64]) -> (Fixture, Vec<NodeId>) {
    let settings =
        format!("root.queues a,b\nroot.a.capacity 50\nroot.b.capacity 50\nmaximum-am-resource-percent 1\n{settings}");
    let mut w = Fixture::new(&settings, "");
    let nodes = gb.iter().enumerate().map(|(i, gb)| w.node(&format!("n{i}"), *gb)).collect();
    (w, nodes)
}

/// Submits an application whose AM of 1 GB runs on the node.
fn running(w: &mut Fixture, queue: &str, node: NodeId) -> AppId {
    let app = w.submit(queue, "u");
    w.heartbeat(node);
    assert_eq!(w.containers(app).len(), 1, "its AM runs");
    app
}

fn ask(w: &mut Fixture, app: AppId, gb: i64, count: i64) {
    let ask = AskRow::anywhere(1, Resource::new(gb * 1024, 1), count);
    w.rm.allocate(app, AllocateCall { asks: vec![ask], ..AllocateCall::default() }, &mut w.journal).expect("accepted");
}

/// Makes one walk from the node that registered first. Returns the number of containers allocated, and why others were
/// refused.
fn walk(w: &mut Fixture, commits: Commits) -> (usize, Vec<Failure>) {
    w.entries();
    let first = w.rm.cluster().nodes_by_registration()[0];
    let start = w.rm.cluster().nodes_by_hash().iter().position(|id| *id == first).expect("it is there");
    w.rm.async_walk(start, commits, &mut w.journal);
    let (mut allocated, mut refused) = (0, Vec::new());
    for entry in w.entries() {
        match entry {
            Entry::Changed(Change::Allocated { .. }) => allocated += 1,
            Entry::Changed(Change::CommitRefused { why, .. }) => refused.push(*why),
            _ => {}
        }
    }
    (allocated, refused)
}

/// The node that a walk starts from is visited twice, and gets two proposals for the same resources.
#[test]
fn a_walk_that_commits_at_its_end_refuses_what_the_state_has_outrun() {
    type Make = fn(&mut Fixture, &[NodeId]);
    let two_apps: Make = |w, nodes| {
        let apps = ["root.a", "root.b"].map(|queue| running(w, queue, nodes[0]));
        apps.into_iter().for_each(|app| ask(w, app, 4, 1));
    };
    let reservation: Make = |w, nodes| {
        let app = running(w, "root.a", nodes[0]);
        running(w, "root.b", nodes[1]);
        ask(w, app, 4, 1);
    };
    let fulfilled: Make = |w, nodes| {
        let filler = running(w, "root.b", nodes[0]);
        let app = running(w, "root.a", nodes[1]);
        ask(w, app, 4, 1);
        w.heartbeat(nodes[0]);
        assert_eq!(w.rm.reservations().count(), 1);
        w.rm.kill_app(filler, &mut w.journal);
    };
    let maximum: Make = |w, nodes| {
        let apps = [(); 2].map(|()| running(w, "root.a", nodes[0]));
        apps.into_iter().for_each(|app| ask(w, app, 2, 1));
    };
    let two_keys: Make = |w, nodes| {
        let app = running(w, "root.a", nodes[0]);
        let asks = [1, 2].map(|priority| AskRow::anywhere(priority, Resource::new(1024, 1), 1)).to_vec();
        w.rm.allocate(app, AllocateCall { asks, ..AllocateCall::default() }, &mut w.journal).expect("accepted");
    };
    type Case<'a> = (&'a str, &'a str, &'a [i64], Make, usize, Check);
    let cases: [Case<'_>; 5] = [
        ("wanted", "root.a.user-limit-factor 5", &[8], two_keys, 1, Check::CommitWanted),
        ("room", "root.a.user-limit-factor 5\nroot.b.user-limit-factor 5", &[8], two_apps, 1, Check::CommitNodeFree),
        ("reserved", "root.a.user-limit-factor 5", &[4, 4], reservation, 0, Check::CommitUnreserved),
        ("fulfilled", "root.a.user-limit-factor 5", &[4, 4], fulfilled, 1, Check::CommitReservation),
        (
            "maximum",
            "root.a.maximum-capacity 50\nroot.a.user-limit-factor 5",
            &[8],
            maximum,
            1,
            Check::CommitQueueMaximum,
        ),
    ];
    for (name, settings, gb, make, allocated, expected) in cases {
        let (mut w, nodes) = cluster(settings, gb);
        make(&mut w, &nodes);
        let mut slow = Fixture { rm: w.rm.clone(), journal: Default::default() };
        let mut quick = w;
        let (got, refused) = walk(&mut slow, Commits::AfterWalk);
        assert_eq!(got, allocated, "{name}: allocated");
        assert!(refused.last().is_some_and(|why| why.check == expected), "{name}: {refused:?}");
        let (_, refused) = walk(&mut quick, Commits::AtOnce);
        assert_eq!(refused, [], "{name}: nothing is outrun");
        // Refused containers are still pending, and no walk counts them as proposed.
        let mut apps = slow.rm.apps().iter().filter_map(|a| slow.rm.scheduled(a.id));
        assert!(apps.all(|a| a.unproposed.is_zero()), "{name}");
    }
}

/// Walks until nothing more is placed: both ways of committing fill the nodes with the same number of containers.
#[test]
fn late_commits_end_where_commits_at_once_do() {
    let several = "multi-node-placement-enabled true\nmulti-node-sorting.policy.names usage\nmulti-node-sorting.policy usage\n\
         multi-node-sorting.policy.usage.class org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy\n\
         multi-node-sorting.policy.usage.sorting-interval.ms 0";
    for settings in ["", several] {
        let mut placed = Vec::new();
        for commits in [Commits::AtOnce, Commits::AfterWalk] {
            let (mut w, nodes) =
                cluster(&format!("{settings}\nroot.a.user-limit-factor 5\nroot.b.user-limit-factor 5"), &[8, 6, 4]);
            let apps = [running(&mut w, "root.a", nodes[0]), running(&mut w, "root.b", nodes[0])];
            ask(&mut w, apps[0], 1, 20);
            ask(&mut w, apps[1], 1, 20);
            for start in 0..20 {
                w.rm.async_walk(start, commits, &mut w.journal);
            }
            assert!(!w.rm.take_events().iter().any(|e| matches!(e, RmEvent::LaunchAm { .. })));
            placed.push(apps.iter().map(|a| w.containers(*a).len()).sum::<usize>());
        }
        assert_eq!(placed, [18, 18], "`{settings}`");
    }
}
