//! What only time brings about, or an AM that does not pull: things that no trace can show. Overcommitted nodes,
//! draining ones and attempts that are used up are played by `tests/conformance/traces/own-capacity.json`.

use super::testing::Fixture;
use super::{AllocateCall, AmAsk, AppState, AskRow, NodeReport, RmEvent, Submission};
use crate::journal::{Change, Entry, Silent};
use crate::model::{AppId, ContainerId, NodeId, QueueId, Resource};
use crate::preemption::{Because, Failure, PreemptionStep};
use crate::scheduler::{ContainerState, NodeState};
use std::sync::Arc;

const ONE: &str = "root.queues a\n root.a.capacity 100\n maximum-am-resource-percent 1\n root.a.user-limit-factor 10";

/// An application of 1 GB that runs on n1.
fn running(w: &mut Fixture) -> (NodeId, AppId) {
    let node = w.node("n1", 8);
    let app = w.submit("root.a", "u");
    w.heartbeat(node);
    (node, app)
}

#[test]
fn a_lifetime_ends_at_the_first_look_that_is_later() {
    let mut w = Fixture::new(&format!("{ONE}\n root.a.maximum-application-lifetime 100"), "");
    w.node("n1", 8);
    let submit = |w: &mut Fixture, lifetime_s| {
        let s = Submission { queue: "root.a".into(), user: "u".into(), lifetime_s, ..Submission::default() };
        w.rm.submit(s, &mut w.journal)
    };
    // The queue's default is its maximum; a wish is cut to it.
    for (wish, lifetime) in [(None, 100), (Some(10), 10), (Some(1000), 100)] {
        let app = submit(&mut w, wish).expect("it is accepted");
        assert_eq!(w.rm.app(app).and_then(|a| a.expires_at), Some(1000 + lifetime * 1000));
    }
    let refused = submit(&mut w, Some(0)).expect_err("it is refused");
    assert_eq!(refused.message, "Invalid application timeout, value=0 for type=LIFETIME");
    let ten = AppId(1);
    assert_eq!(w.rm.app(ten).and_then(|a| a.expires_at), Some(11_000));
    w.at(11_000);
    w.rm.check_lifetime(ten, &mut w.journal);
    assert_eq!(w.rm.app(ten).map(|a| a.state), Some(AppState::Accepted));
    w.at(12_000);
    w.rm.check_lifetime(ten, &mut w.journal);
    let app = w.rm.app(ten).expect("it is known");
    assert_eq!((app.state, app.diagnostics.as_str()), (AppState::Killed, super::texts::LIFETIME_OVER));
}

#[test]
fn patience_with_a_draining_node_counts_from_its_next_heartbeat() {
    let mut w = Fixture::new(ONE, "");
    let (node, app) = running(&mut w);
    w.rm.decommission_node(node, 10, &mut w.journal);
    let state = |w: &Fixture| w.rm.node(node).map(|n| n.state);
    let am = w.containers(app);
    w.at(5_000);
    w.running(node, &am);
    assert_eq!(w.rm.decommission_deadline(node), Some(15_000));
    assert_eq!(w.rm.node(node).map(|n| n.free()), Some(Resource::ZERO));
    w.at(14_000);
    w.running(node, &am);
    assert_eq!(state(&w), Some(NodeState::Decommissioning));
    w.at(15_000);
    w.running(node, &am);
    assert_eq!(state(&w), Some(NodeState::Decommissioned));
}

#[test]
fn a_silent_draining_node_is_found_by_the_poll() {
    let mut w = Fixture::new(ONE, "");
    let (node, app) = running(&mut w);
    let am = w.containers(app);
    w.rm.decommission_node(node, 10, &mut w.journal);
    w.running(node, &am);
    for (at, state) in [(11_000, NodeState::Decommissioning), (11_001, NodeState::Decommissioned)] {
        w.at(at);
        w.rm.poll_decommissioning(node, &mut w.journal);
        assert_eq!(w.rm.node(node).map(|n| n.state), Some(state));
    }
}

#[test]
fn a_recommissioned_node_has_its_size_again() {
    let mut w = Fixture::new(ONE, "");
    let (node, app) = running(&mut w);
    let am = w.containers(app);
    w.rm.decommission_node(node, -1, &mut w.journal);
    w.running(node, &am);
    assert_eq!(w.rm.partition_total(crate::model::PartitionId::DEFAULT), Resource::new(1024, 1));
    w.rm.recommission_node(node, &mut w.journal);
    assert_eq!(w.rm.node(node).map(|n| (n.state, n.total)), Some((NodeState::Running, Resource::new(8192, 8))));
    w.ask(app, 1, 1);
    w.heartbeat(node);
    assert_eq!(w.containers(app).len(), 2);
}

#[test]
fn an_overcommit_timeout_runs_out() {
    let mut w = Fixture::new(ONE, "");
    let (node, app) = running(&mut w);
    w.ask(app, 1, 3);
    for _ in 0..3 {
        w.heartbeat(node);
    }
    let all = w.containers(app);
    w.pull(app);
    w.rm.resize_node(node, Resource::new(2048, 8), 5_000, &mut w.journal);
    // Told to the AM now, killed later: the latest first.
    assert_eq!(w.pull(app).preempt.containers().collect::<Vec<_>>(), [all[3], all[2]]);
    w.at(5_999);
    w.heartbeat(node);
    assert_eq!(w.containers(app), all);
    w.at(6_000);
    w.heartbeat(node);
    assert_eq!(w.containers(app), all[..2]);
    let told: Vec<_> = w.pull(app).completed.into_iter().map(|c| (c.id, c.exit_code)).collect();
    assert_eq!(told, [(all[3], -102), (all[2], -102)]);
}

#[test]
fn the_next_am_avoids_the_node_that_the_last_one_blames() {
    let switch = "yarn.resourcemanager.am-scheduling.node-blacklisting-enabled true";
    let threshold = "yarn.resourcemanager.am-scheduling.node-blacklisting-disable-threshold 0.6";
    for (code, nodes, avoided) in [(1, 2, true), (0, 2, false), (-103, 2, false), (1, 1, false)] {
        let mut w = Fixture::new(ONE, &format!("{switch}\n{threshold}"));
        let (node, app) = running(&mut w);
        (1..nodes).for_each(|n| {
            w.node(&format!("n{}", n + 1), 8);
        });
        let am = w.containers(app)[0];
        let report = NodeReport { completed: vec![(am, code)], ..NodeReport::default() };
        w.rm.heartbeat(node, report, &mut w.journal);
        w.rm.take_events();
        w.heartbeat(node);
        let here = w.rm.containers_of(app).filter(|c| c.node == node).count();
        assert_eq!(here == 0, avoided, "exit code {code}, {nodes} nodes");
        if avoided {
            // Only the AM's own container is kept away.
            w.heartbeat(NodeId(1));
            w.ask(app, 1, 1);
            w.heartbeat(node);
            assert_eq!(w.rm.containers_on(node).count(), 1);
        }
    }
}

#[test]
fn an_am_that_is_not_heard_of_fails_its_attempt() {
    let mut w = Fixture::new(ONE, "yarn.resourcemanager.am.max-attempts 1");
    let (_, app) = running(&mut w);
    let attempt = w.rm.scheduled(app).map(|a| a.attempt_id()).expect("an attempt");
    w.rm.expire_am(attempt, &mut w.journal);
    let known = w.rm.app(app).expect("it is known");
    assert_eq!(known.state, AppState::Failed);
    assert_eq!(
        known.diagnostics,
        "Application application_0_0001 failed 1 times due to ApplicationMaster for attempt \
         appattempt_0_0001_000001 timed out. Failing the application."
    );
}

#[test]
fn counts_are_corrected_by_what_was_granted_and_not_pulled() {
    let correct = "yarn.resourcemanager.scheduler.autocorrect.container.allocation true";
    for (site, asked, open, granted) in [("", 3, 3, 2), (correct, 3, 1, 2), (correct, 2, 0, 2), (correct, 1, 0, 1)] {
        let mut w = Fixture::new(ONE, site);
        let (node, app) = running(&mut w);
        w.ask(app, 1, 2);
        w.heartbeat(node);
        w.heartbeat(node);
        let row = AskRow::anywhere(1, Resource::new(1024, 1), asked);
        let call = AllocateCall { asks: vec![row], ..AllocateCall::default() };
        let answer = w.rm.allocate(app, call, &mut w.journal).expect("the call is accepted");
        let asks = &w.rm.scheduled(app).expect("it runs").asks;
        let left: i64 = asks.open().iter().map(|(_, place)| asks.at(*place as usize).outstanding()).sum();
        assert_eq!((left, answer.allocated.len() as i64), (open, granted), "asked {asked}, {site}");
        assert_eq!(answer.completed.len() as i64, 2 - granted);
    }
}

/// Asked of the real classes with an AM that makes no call between the heartbeats.
#[test]
fn a_node_that_reports_what_no_am_was_told_of_tells_only_of_room() {
    let mut w = Fixture::new(ONE, "");
    let (node, app) = running(&mut w);
    w.ask(app, 1, 3);
    for _ in 0..3 {
        w.heartbeat(node);
    }
    let granted: Vec<ContainerId> = w.rm.containers_on(node).map(|c| c.id).filter(|id| id.seq > 1).collect();
    let &[first, second, third] = granted.as_slice() else { panic!("three are granted: {granted:?}") };
    let report = NodeReport { running: vec![first, second], ..NodeReport::default() };
    w.rm.heartbeat(node, report, &mut w.journal);
    assert_eq!(w.rm.container(first).map(|c| (c.state, c.launched)), Some((ContainerState::Allocated, true)));
    let report = NodeReport { completed: vec![(second, 0)], ..NodeReport::default() };
    w.rm.heartbeat(node, report, &mut w.journal);
    // It never hears of the second one, neither of its coming nor of its end.
    let answer = w.rm.allocate(app, AllocateCall::default(), &mut w.journal).expect("it is answered");
    assert_eq!(answer.allocated.iter().map(|g| g.id).collect::<Vec<_>>(), [first, third]);
    assert_eq!(answer.completed, []);
    assert_eq!(w.rm.container(first).map(|c| c.state), Some(ContainerState::Acquired));
    // Room of what was reported waits for the report of its end.
    let call = AllocateCall { releases: vec![first, third], ..AllocateCall::default() };
    let _ = w.rm.allocate(app, call, &mut w.journal);
    let taken: Vec<ContainerId> = w.rm.containers_on(node).map(|c| c.id).filter(|id| id.seq > 1).collect();
    assert_eq!(w.rm.node(node).map(|n| n.free().memory_mb()), Some(8192 - 2048), "{taken:?}");
}

const MONITORS: &str = "yarn.resourcemanager.scheduler.monitor.enable true";

fn with_policy(name: &str) -> String {
    let package = "org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity";
    format!("{MONITORS}\nyarn.resourcemanager.scheduler.monitor.policies {package}.{name}")
}

#[test]
fn a_round_moves_guarantees_to_the_leaves_that_have_applications() {
    let managed = "root.queues m,d\n root.m.capacity 60\n root.d.capacity 40\n maximum-am-resource-percent 1
        root.m.auto-create-child-queue.enabled true\n root.m.leaf-queue-template.capacity 50
        queue-mappings u:%user:root.m.%user\n queue-mappings-override.enable true";
    let mut w = Fixture::new(managed, &with_policy("QueueManagementDynamicEditPolicy"));
    w.node("n1", 8);
    let apps = ["a", "b", "c"].map(|user| w.submit("default", user));
    let share = |w: &Fixture, user: &str| {
        let leaf = w.rm.queue(&format!("root.m.{user}")).expect("it was made");
        w.rm.queues()[leaf.index()].part(crate::model::PartitionId::DEFAULT).shares.absolute_capacity
    };
    assert_eq!([share(&w, "a"), share(&w, "b"), share(&w, "c")], [0.3, 0.3, 0.0]);
    assert_eq!(w.rm.queue_management_ms(), None, "everything that may be given is given");
    w.rm.kill_app(apps[0], &mut w.journal);
    assert_eq!(w.rm.queue_management_ms(), Some(1500));
    w.at(1500);
    assert!(w.rm.manage_queues());
    assert_eq!([share(&w, "a"), share(&w, "b"), share(&w, "c")], [0.0, 0.3, 0.3]);
    assert!(!w.rm.manage_queues());
}

#[test]
fn idle_queues_are_removed_in_the_round_after_the_one_that_marks_them() {
    let dynamic = "root.queues a\n root.a.capacity 1w\n root.auto-queue-creation-v2.enabled true
        auto-queue-creation-v2.queue-expiration-time 10\n maximum-am-resource-percent 1";
    let mut w = Fixture::new(dynamic, &with_policy("AutoCreatedQueueDeletionPolicy"));
    w.node("n1", 8);
    let app = w.submit("root.p.x", "u");
    assert_eq!(w.rm.queue_deletion_ms(), None);
    w.rm.kill_app(app, &mut w.journal);
    // Rounds are every ten seconds. The first marks the leaf, the second removes it and sees the empty parent only
    // then.
    for (at, leaf, parent) in
        [(10_000, true, true), (20_000, false, true), (30_000, false, true), (40_000, false, false)]
    {
        assert_eq!(w.rm.queue_deletion_ms(), Some(10_000));
        w.at(at);
        w.rm.remove_idle_queues(&mut w.journal);
        assert_eq!((w.rm.queue("root.p.x").is_some(), w.rm.queue("root.p").is_some()), (leaf, parent), "at {at}");
    }
    assert_eq!(w.rm.queue_deletion_ms(), None);
    // It can be made anew.
    w.submit("root.p.x", "u");
    assert!(w.rm.queue("root.p.x").is_some());
    // What is used again is not removed.
    w.at(60_000);
    w.rm.remove_idle_queues(&mut w.journal);
    assert!(w.rm.queue("root.p.x").is_some());
}

/// A cluster of 8 GB, half of it for each of two queues; an application of `a` has all of it, one of `b` wants 3 GB.
fn two_halves(more: &str, site: &str) -> (Fixture, AppId, AppId) {
    let queues = "root.queues a,b\n root.a.capacity 50\n root.b.capacity 50\n root.a.user-limit-factor 2\n \
                  maximum-am-resource-percent 1";
    let on = "yarn.resourcemanager.scheduler.monitor.enable true\n \
              yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round 1\n \
              yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor 1";
    let mut w = Fixture::new(&format!("{queues}\n{more}"), &format!("{on}\n{site}"));
    let n = w.node("n1", 8);
    let one = w.submit("root.a", "u");
    w.heartbeat(n);
    w.ask(one, 1, 7);
    (0..7).for_each(|_| w.heartbeat(n));
    assert_eq!(w.containers(one).len(), 8);
    let all = w.containers(one);
    w.pull(one);
    w.running(n, &all);
    let two = w.submit("root.b", "u");
    (w, one, two)
}

#[test]
fn a_marked_container_is_asked_back_and_then_killed_without_fault() {
    let (mut w, one, two) = two_halves("", "");
    let last = *w.containers(one).last().unwrap();
    let round = w.rm.preempt(&mut w.journal).expect("a round");
    assert_eq!((round.chosen.len(), round.chosen[0].container), (1, last));
    // One container, or as much of others: once.
    let contract = w.pull(one).preempt.negotiable.expect("a contract");
    assert_eq!((contract.containers, contract.size, contract.count), (vec![last], Resource::new(1024, 1), 1));
    assert!(w.pull(one).preempt.is_empty());
    assert!(w.entries().iter().any(|e| matches!(e,
        Entry::Changed(Change::Marked { container, deadline: 16_000, .. }) if *container == last)));
    w.at(15_999);
    w.rm.preempt(&mut w.journal);
    assert_eq!(w.containers(one).len(), 8);
    w.at(16_000);
    w.rm.preempt(&mut w.journal);
    let ended = w.pull(one).completed;
    assert_eq!((ended[0].id, ended[0].exit_code), (last, -102));
    assert_eq!(ended[0].diagnostics, "Container preempted by scheduler");
    let sums = w.rm.capacity().unwrap().preemption().preempted(QueueId(0));
    assert_eq!((sums.containers, sums.size, sums.size_seconds), (1, Resource::new(1024, 1), Resource::new(15_360, 15)));
    // Its room comes with its node's report.
    let n = w.rm.nodes()[0].id;
    let stopped =
        w.rm.take_events().into_iter().any(|e| matches!(e, RmEvent::StopContainer(stop) if stop.container == last));
    assert!(stopped);
    w.heartbeat(n);
    assert!(w.containers(two).is_empty());
    w.rm.heartbeat(n, NodeReport { completed: vec![(last, -102)], ..NodeReport::default() }, &mut w.journal);
    assert_eq!(w.containers(two).len(), 1);
}

#[test]
fn rounds_that_see_the_same_share_their_choice() {
    let (mut w, one, _) = two_halves("", "");
    let n = w.rm.nodes()[0].id;
    let first = w.rm.preempt(&mut w.journal).expect("a round");
    assert_eq!(first.chosen.len(), 1);
    // Heartbeats of full nodes and calls that ask for nothing change nothing that a round looks at.
    w.at(3000);
    w.heartbeat(n);
    w.pull(one);
    let second = w.rm.preempt(&mut w.journal).expect("a round");
    assert!(Arc::ptr_eq(&first.choice, &second.choice));
    assert_eq!((first.acts[0].deed, second.acts[0].deed), (PreemptionStep::Mark, PreemptionStep::Wait));
    assert!(!first.finds_the_same(&second));
    // Who does not tell each step looks anew, and so does who wants more.
    let silent = w.rm.preempt(&mut Silent).expect("a round");
    assert!(silent.passes.is_empty() && silent.chosen == first.chosen);
    w.rm.preempt(&mut w.journal);
    w.ask(one, 1, 9);
    let third = w.rm.preempt(&mut w.journal).expect("a round");
    assert!(third.chosen == first.chosen && third.wants != first.wants);
    w.at(20_000);
    let kill = w.rm.preempt(&mut w.journal).expect("a round");
    assert!(Arc::ptr_eq(&third.choice, &kill.choice) && kill.acts[0].deed == PreemptionStep::Kill);
    let after = w.rm.preempt(&mut w.journal).expect("a round");
    assert!(after.chosen.is_empty(), "what was killed is chosen no more: {:?}", after.chosen);
}

#[test]
fn a_preempted_am_begins_anew_and_nothing_counts_against_it() {
    let queues = "root.queues a,b\n root.a.capacity 10\n root.b.capacity 90\n root.a.maximum-am-resource-percent 0\n \
                  root.b.maximum-am-resource-percent 1";
    let site = "yarn.resourcemanager.scheduler.monitor.enable true\n \
                yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round 1\n \
                yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill 0";
    let mut w = Fixture::new(queues, site);
    let n = w.node("n1", 8);
    let (one, two) = (w.submit("root.a", "u"), w.submit("root.b", "u"));
    (0..2).for_each(|_| w.heartbeat(n));
    w.ask(two, 1, 7);
    (0..6).for_each(|_| w.heartbeat(n));
    assert_eq!((w.containers(one).len(), w.containers(two).len()), (1, 7));
    let first = w.rm.preempt(&mut w.journal).expect("a round");
    assert!(matches!(first.chosen[0].because, Because::Am { am_maximum: Resource::ZERO, .. }));
    w.rm.preempt(&mut w.journal);
    let app = w.rm.app(one).unwrap();
    assert_eq!((app.failures, app.state, w.rm.scheduled(one).unwrap().attempt), (0, AppState::Accepted, 2));
    assert!(w.containers(one).is_empty());
}

#[test]
fn settings_that_cannot_be_read_cost_every_round_and_no_start() {
    let bad = "yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill 15s";
    let on = "yarn.resourcemanager.scheduler.monitor.enable true";
    let queues = "root.queues a\n root.a.capacity 100";
    let refused = Fixture::start(queues, &format!("{on}\n{bad}"), &[]).err().expect("refused");
    assert_eq!(refused.message, "For input string: \"15s\"");
    assert!(Fixture::start(queues, bad, &[]).is_ok(), "without a monitor nobody reads it");
    let (mut w, one, _) = two_halves("", "");
    let mut changed = w.rm.settings().capacity_scheduler.clone();
    changed.insert("yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill".into(), "15s".into());
    w.rm.refresh(changed.clone(), &mut w.journal).unwrap();
    for _ in 0..2 {
        let round = w.rm.preempt(&mut w.journal).unwrap();
        assert_eq!(round.failed, Some(Failure::Settings("For input string: \"15s\"".into())));
    }
    changed.insert("yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill".into(), "0".into());
    w.rm.refresh(changed, &mut w.journal).unwrap();
    (0..2).for_each(|_| drop(w.rm.preempt(&mut w.journal)));
    assert_eq!(w.containers(one).len(), 7);
}

#[test]
fn a_killable_container_runs_on_until_its_room_is_taken() {
    let wait = "yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill 0";
    let (mut w, one, two) = two_halves("lazy-preemption-enabled true", wait);
    let last = *w.containers(one).last().unwrap();
    (0..2).for_each(|_| drop(w.rm.preempt(&mut w.journal)));
    assert!(w.rm.container(last).is_some_and(|c| c.killable));
    let n = w.rm.nodes()[0].id;
    w.heartbeat(n);
    assert_eq!((w.containers(one).len(), w.containers(two).len()), (7, 1));
    assert!(w.rm.node(n).unwrap().free().memory_mb() < 0, "charged twice until the node reports the end");
}

/// Ends of its AM, in ms, the window, and after which of them it is over: one at the end of the window counts still.
#[test]
fn only_failures_within_the_window_count() {
    let cases: [(Option<i64>, &[i64], Option<usize>); 6] = [
        (None, &[0, 900_000], Some(2)),
        (Some(-1), &[0, 900_000], Some(2)),
        (Some(300_000), &[0, 300_000], Some(2)),
        (Some(300_000), &[0, 300_001], None),
        (Some(300_000), &[0, 300_001, 600_002, 900_003], None),
        (Some(300_000), &[0, 300_001, 400_000], Some(3)),
    ];
    for (window, ends, over) in cases {
        let mut w = Fixture::new("root.queues a\n root.a.capacity 100\n root.a.maximum-am-resource-percent 1", "");
        let n = w.node("n1", 8);
        let am = Some(AmAsk { size: Resource::new(1024, 1), ..AmAsk::default() });
        let submission = Submission {
            queue: "root.a".into(),
            user: "u".into(),
            failures_window: window,
            am,
            ..Submission::default()
        };
        let app = w.rm.submit(submission, &mut w.journal).expect("it is accepted");
        let mut ended = None;
        for (i, at) in ends.iter().enumerate() {
            w.heartbeat(n);
            w.at(1_000_000 + at);
            let completed = w.containers(app).into_iter().map(|c| (c, 1)).collect();
            w.rm.heartbeat(n, NodeReport { completed, ..NodeReport::default() }, &mut w.journal);
            if w.rm.app(app).expect("it is known").state == AppState::Failed {
                ended = Some(i + 1);
                break;
            }
        }
        assert_eq!(ended, over, "{window:?} {ends:?}");
        let words = &w.rm.app(app).expect("it is known").diagnostics;
        let within = window.filter(|ms| *ms > 0).map_or(String::new(), |ms| format!(" in previous {ms} milliseconds"));
        assert!(over.is_none() || words.contains(&format!("failed 2 times{within} due to")), "{words}");
    }
}
