//! Every mutator invalidates the short cuts; everything else leaves them alone.

use super::Accounting;
use super::short_cuts::Children;
use crate::journal::Silent;
use crate::model::{AppId, PartitionId, QueueId, Resource};
use crate::rm::NodeReport;
use crate::rm::testing::Fixture;
use crate::scheduler::Cluster;
use crate::scheduler::capacity::offer::{Candidates, Terms};
use crate::scheduler::capacity::users::{Mode, UserStop};

const P: PartitionId = PartitionId::DEFAULT;
const GB: Resource = Resource::new(1024, 1);

/// The queues and the application of the tests.
#[derive(Clone, Copy)]
struct Here {
    root: QueueId,
    leaf: QueueId,
    idle: QueueId,
    app: AppId,
}

/// Returns a state where a leaf rests, since its only application has its user at the limit, and the last offer gave
/// nothing.
fn quiet() -> (Accounting, Cluster, Here) {
    let queues = "root.queues a,b\n root.a.capacity 50\n root.b.capacity 50\n root.a.user-limit-factor 0.25\n \
                  maximum-am-resource-percent 1";
    let mut w = Fixture::new(queues, "");
    let node = w.node("n1", 32);
    let app = w.submit("root.a", "u");
    w.heartbeat(node);
    w.ask(app, 1, 20);
    for _ in 0..12 {
        w.rm.heartbeat(node, NodeReport::default(), &mut Silent);
    }
    let queue = |path| w.rm.queue(path).expect(path);
    let here = Here { root: queue("root"), leaf: queue("root.a"), idle: queue("root.b"), app };
    let books = w.rm.capacity().expect("it is the CapacityScheduler").books.clone();
    assert_eq!(state(&books, here), (true, true), "a leaf rests, and an offer came to nothing");
    (books, w.rm.cluster().clone(), here)
}

/// Returns the accounting after a change, and whether rounds of preemption will read the leaf again.
fn changed(books: &Accounting, c: &Cluster, here: Here, change: Change) -> (Accounting, bool) {
    let (mut books, mut c) = (books.clone(), c.clone());
    let queues = books.queues().len();
    books.preemption.changed.begin(queues);
    assert!(!books.preemption.changed.has(here.leaf));
    change(&mut books, &mut c, here);
    let looked_at = books.preemption.changed.has(here.leaf);
    (books, looked_at)
}

/// Returns whether the leaf rests, and whether the last offer is known to give nothing.
fn state(books: &Accounting, here: Here) -> (bool, bool) {
    (books.queue(here.leaf).rests(), books.knows_nothing_comes())
}

type Change = fn(&mut Accounting, &mut Cluster, Here);

#[test]
fn every_mutator_tells_the_short_cuts() {
    let mutators: &[(&str, Change)] = &[
        ("leaf_mut", |b, c, h| _ = b.leaf_mut(c, h.leaf)),
        ("queue_mut", |b, c, h| _ = b.queue_mut(c, h.leaf)),
        ("queue_mut of the parent", |b, c, h| _ = b.queue_mut(c, h.root)),
        ("tree_mut", |b, c, _| _ = b.tree_mut(c)),
        ("app_changes", |b, c, h| b.app_changes(c, h.leaf)),
        ("charge_am", |b, c, h| b.charge_am(c, h.leaf, P, GB)),
        ("charge", |b, c, h| b.charge(c, h.app, GB, P, true)),
        ("charge_reserved", |b, c, h| b.charge_reserved(c, h.app, GB, P, true)),
        ("charge_reserved_of_queues", |b, c, h| b.charge_reserved_of_queues(c, h.leaf, GB, P, true)),
        ("insert_active", |b, c, h| b.insert_active(c, h.leaf, h.app)),
        ("take_out", |b, c, h| _ = b.take_out(c, h.leaf, h.app)),
        ("sort_anew", |b, c, h| b.sort_anew(c, h.leaf)),
        ("change_pending to nothing", |b, c, h| {
            let wanted = b.queue(h.leaf).part(P).pending.memory_mb() / GB.memory_mb();
            b.change_pending(c, h.app, P, GB, -wanted);
        }),
    ];
    let (books, cluster, here) = quiet();
    for (name, change) in mutators {
        let (books, told) = changed(&books, &cluster, here, *change);
        assert_eq!((state(&books, here), told), ((false, false), true), "{name}");
    }
    // Pending requests do not lift the user's limit.
    let mutators: &[(&str, bool, Change)] = &[
        ("asks_change", false, |b, _, _| b.asks_change()),
        ("change_pending", true, |b, c, h| b.change_pending(c, h.app, P, GB, 1)),
        ("a proposal", false, |b, _, _| b.came_to_something()),
    ];
    for (name, tells, change) in mutators {
        let (books, told) = changed(&books, &cluster, here, *change);
        assert_eq!((state(&books, here), told), ((true, false), *tells), "{name}");
    }
}

#[test]
fn what_no_look_goes_by_leaves_the_short_cuts_alone() {
    let terms = |c: &Cluster| {
        let node = c.nodes[0].id;
        Terms { node, partition: P, mode: Mode::Respect, candidates: Candidates::One, listed: false }
    };
    let (mut books, c, here) = quiet();
    let user = c.app(here.app).user;
    books.count_application(here.leaf, 1);
    books.count_running(here.leaf, 1);
    books.note_submission(here.leaf, 7);
    books.mark_idle(here.idle, true);
    books.set_am_limit(here.leaf, P, GB);
    assert!(books.work_out_user_limit(&c, here.leaf, user, &terms(&c)).is_some());
    assert!(books.told_user_limit(&c, here.leaf, user, P).is_some());
    let stop = UserStop { user, partition: P, mode: Mode::Respect, limit: GB, reserved: Resource::ZERO };
    books.note_stopped(&c, here.leaf, stop, true);
    assert_eq!(state(&books, here), (true, true));
}

#[test]
fn a_changed_tree_is_sorted_anew() {
    let (mut books, c, here) = quiet();
    let wanting = |books: &mut Accounting| {
        books.sort_children(&c, here.root, P, Children::Wanting);
        let order = &books.queue(here.root).orders[P.index()];
        (0..order.len(Children::Wanting))
            .filter_map(|i| order.at(Children::Wanting, i))
            .map(|(child, _)| child)
            .collect::<Vec<_>>()
    };
    assert_eq!(wanting(&mut books), []);
    let mut other = books.clone();
    books.tree_mut(&c)[here.idle.index()].part_mut(P).pending = GB;
    assert!(wanting(&mut books).contains(&here.idle));
    other.queue_mut(&c, here.idle).part_mut(P).pending = GB;
    assert!(wanting(&mut other).contains(&here.idle));
}
