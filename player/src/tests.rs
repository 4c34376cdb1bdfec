use super::*;
use crate::explain::view::StepBy;

fn player(text: &str) -> Player {
    let loaded = Player::load(text);
    let problems: Vec<String> = loaded.problems.iter().map(|p| p.render(text)).collect();
    let Some(player) = loaded.player else { panic!("{problems:#?}") };
    player
}

/// One node, phase 0, a task of 10 s, submitted at 0.3 s (lifecycles-and-timing.md 2.3).
fn timing(scheduling: &str) -> String {
    format!(
        r#"
heddle = 1
title = "timing"
scheduling = "{scheduling}"
until = "30 s"

[capacity-scheduler]
root.queues = "default"
root.default.capacity = 100
maximum-am-resource-percent = 0.5

[[nodes]]
name = "n1"
size = "16 GB/16"

[[apps]]
name = "a"
kind = "distributed-shell"
at = "300 ms"
user = "u"
containers = 1
size = "1 GB/1"
duration = "10 s"
"#
    )
}

/// Returns when something was done to something, by the events table.
fn times(player: &Player, verb: &str, name: &str) -> Vec<i64> {
    let events = player.events(&EventFilter::default());
    events.iter().filter(|e| e.verb == verb && e.name == name).map(|e| e.time_ms).collect()
}

/// Returns when a container's process was launched, was up, and ends.
fn process(player: &mut Player, at: i64) -> (i64, i64, Option<i64>) {
    player.seek(at);
    let sim = player.simulation();
    let task = sim.apps()[0].containers.iter().find(|c| !c.am).expect("a task");
    let process = sim.process(task.id).expect("it runs");
    (process.launched_at, process.up_at, process.end.map(|(at, _)| at))
}

#[test]
fn the_asynchronous_example_of_the_timing_model_holds_to_the_millisecond() {
    let mut player = player(&timing("async"));
    assert_eq!(times(&player, "placed", "a AM"), [300]);
    assert_eq!(times(&player, "placed", "a-1"), [5300], "registered 4.3, empty heartbeat 4.3, asks 5.3");
    assert_eq!(process(&mut player, 8_000), (6_300, 7_300, Some(17_300)));
    assert_eq!(times(&player, "ended", "a-1"), [17_300], "the extra heartbeat");
    assert_eq!(times(&player, "finished", "a"), [18_300], "the AM hears one heartbeat later and exits");
    for (at, state) in [
        (299, "not submitted yet"),
        (300, "ACCEPTED: AM container launched, not registered yet"),
        (4_299, "ACCEPTED: AM container launched, not registered yet"),
        (4_300, "RUNNING"),
        (18_299, "RUNNING"),
        (18_300, "FINISHED"),
    ] {
        player.seek(at);
        assert_eq!(player.snapshot(None).apps[0].state, state, "at {at}");
    }
}

#[test]
fn the_heartbeat_example_of_the_timing_model_holds_to_the_millisecond() {
    let mut player = player(&timing("heartbeat"));
    assert_eq!(times(&player, "placed", "a AM"), [1_000]);
    assert_eq!(times(&player, "placed", "a-1"), [6_000], "the node beats after the AM of the same instant");
    assert_eq!(process(&mut player, 8_000), (7_000, 8_000, Some(18_000)));
    assert_eq!(times(&player, "ended", "a-1"), [18_000], "extra and regular heartbeat coincide");
    assert_eq!(times(&player, "finished", "a"), [19_000], "the AM's heartbeat of 18.0 came before it");
    player.seek(4_999);
    assert_ne!(player.snapshot(None).apps[0].state, "RUNNING");
    player.seek(5_000);
    assert_eq!(player.snapshot(None).apps[0].state, "RUNNING");
}

/// A bit of everything: two queues, three applications, a crash and a return.
const BUSY: &str = r#"
heddle = 1
title = "busy"
scheduling = "SCHEDULING"
until = "20 min"

[capacity-scheduler]
root.queues = ["a", "b"]
root.a.capacity = 50
root.b.capacity = 50
root.a.user-limit-factor = 2
maximum-am-resource-percent = 0.5

[[nodes]]
name = "n"
count = 3
racks = 2
size = "8 GB/8"

[[apps]]
name = "job"
copies = 2
every = "3 s"
queue = "root.a"
user = "alice"
am = "1 GB"
tasks = [
  { name = "map", count = 8, size = "1 GB/1", duration = "7 s", places = ["n1"] },
  { name = "reduce", count = 2, size = "3 GB/1", duration = "11 s", after = "map", priority = 10 },
]

[[apps]]
name = "big"
at = "5 s"
queue = "root.b"
user = "bob"
am = "1 GB"
tasks = [{ name = "t", count = 3, size = "5 GB/2", duration = "20 s" }]

[[happenings]]
at = "12 s"
do = "crash_node"
node = "n2"

[[happenings]]
at = "15 min"
do = "return_node"
node = "n2"
"#;

#[test]
fn going_back_shows_what_going_forward_showed() {
    for scheduling in ["heartbeat", "async"] {
        let text = BUSY.replace("SCHEDULING", scheduling);
        let mut forward = player(&text);
        let mut seen = Vec::new();
        let end = forward.run_to_end().events.min(1_500);
        for event in 0..=end {
            forward.seek_event(event);
            seen.push(forward.snapshot(None));
        }
        let mut back = player(&text);
        for event in (0..=end).rev().step_by(7) {
            back.seek_event(event);
            let (now, then) = (back.snapshot(None), &seen[event as usize]);
            assert_eq!(&now, then, "{scheduling}, event {event}");
        }
        for ms in [0, 1, 999, 5_000, 11_999, 12_000, 60_000, 3_000, 700_000, 100] {
            back.seek(ms);
            let mut other = player(&text);
            other.run_to_end();
            other.seek(ms);
            assert_eq!(back.position(), other.position(), "{scheduling}, {ms} ms");
            assert_eq!(back.snapshot(None), other.snapshot(None), "{scheduling}, {ms} ms");
        }
    }
}

#[test]
fn the_same_scenario_gives_the_same_run_and_no_invariant_breaks() {
    for scheduling in ["heartbeat", "async"] {
        let text = BUSY.replace("SCHEDULING", scheduling);
        let (mut a, mut b) = (player(&text), player(&text));
        assert_eq!(a.run_to_end(), b.run_to_end());
        assert_eq!(a.fingerprint(), b.fingerprint());
        a.seek(a.progress().known_ms);
        let s = a.snapshot(None);
        assert_eq!(s.invariants.broken, None, "{scheduling}");
        assert_eq!(times(&a, "finished", "big").len(), 1, "{scheduling}");
        assert_eq!(times(&a, "lost", "n2"), [800_000], "silent since 12 s, noticed at the check of 800 s");
    }
}

#[test]
fn steps_forward_and_back_meet() {
    let mut player = player(&BUSY.replace("SCHEDULING", "heartbeat"));
    for by in [StepBy::Decision, StepBy::Heartbeat, StepBy::Change, StepBy::Second] {
        player.seek(0);
        let mut positions = vec![(player.position(), player.now())];
        for _ in 0..25 {
            player.step(by, false);
            positions.push((player.position(), player.now()));
        }
        assert!(positions.windows(2).all(|w| w[0] < w[1]), "{by:?} {positions:?}");
        // The first step leads to the first event of the kind; everything before it belongs to the start.
        for expected in positions.iter().rev().skip(1).take(23) {
            player.step(by, true);
            assert_eq!((player.position(), player.now()), *expected, "{by:?}");
        }
    }
}

/// Q1: the second AM waits for the first one to end.
const AM_LIMIT: &str = r#"
heddle = 1
title = "AM limit"
scheduling = "heartbeat"
until = "5 min"

[capacity-scheduler]
root.queues = "default"
root.default.capacity = 100
maximum-am-resource-percent = 0.1

[[nodes]]
name = "n1"
size = "10 GB/10"

[[apps]]
name = "app"
copies = 2
every = "1 s"
user = "u"
am = "2 GB"
tasks = [{ count = 1, size = "1 GB/1", duration = "60 s" }]
"#;

#[test]
fn an_am_limit_is_shown_with_its_numbers_and_the_smallest_share_that_helps() {
    let mut player = player(AM_LIMIT);
    player.seek(30_000);
    let s = player.snapshot(None);
    assert_eq!(s.apps[0].state, "RUNNING", "one AM may always start");
    assert_eq!(s.apps[1].state, "ACCEPTED: added, not activated");
    assert_eq!(s.waiting.len(), 1);
    assert_eq!((s.waiting[0].name.as_str(), s.waiting[0].reason.as_str()), ("app2 AM", "AM limit"));
    assert_eq!(
        s.headline,
        "app2 AM has waited 29 s: AMs of root.default (app1) use 2 GB, more than the limit of 1 GB; this one needs 2 GB."
    );
    let why = player.why_with_help(&s.waiting[0].id);
    assert_eq!((why.limits[0].name.as_str(), why.limits[0].text.as_str()), ("AM limit", "2 + 2 > 1"));
    assert!(why.limits[1..].iter().all(|l| !l.reached), "{:?}", why.limits);
    assert!(why.matrix.rows.is_empty());
    assert!(why.yarn[0].0.contains("Queue's AM resource limit exceeded."), "{:?}", why.yarn);
    assert_eq!(why.help[0].change, "maximum-am-resource-percent = 0.31");
    assert!(why.help[0].helps && why.help[0].effect.starts_with("Placed at 0:0"), "{:?}", why.help);
    let waiting = why.help.iter().find(|h| h.change == "Waiting").expect("waiting is tried");
    assert!(waiting.helps, "the first application ends");
}

/// Two users of one queue; the first has all that it may use.
const USER_LIMIT: &str = r#"
heddle = 1
title = "user limit"
scheduling = "heartbeat"
until = "5 min"

[capacity-scheduler]
root.queues = ["a", "b"]
root.a.capacity = 50
root.b.capacity = 50
root.a.user-limit-factor = 1
maximum-am-resource-percent = 0.5

[[nodes]]
name = "n"
count = 2
size = "8 GB/8"

[[apps]]
name = "greedy"
queue = "root.a"
user = "alice"
am = "1 GB"
tasks = [{ count = 12, size = "1 GB/1", duration = "forever" }]
"#;

#[test]
fn a_user_limit_is_shown_with_its_numbers() {
    let mut player = player(USER_LIMIT);
    player.seek(60_000);
    let s = player.snapshot(None);
    assert_eq!(s.waiting.len(), 1);
    let why = player.why_with_help(&s.waiting[0].id);
    let stop = why.limits.iter().find(|l| !l.passes).expect("a limit");
    assert_eq!((stop.name.as_str(), stop.of.as_str(), stop.passes), ("user limit", "alice in root.a", false));
    assert_eq!(stop.text, "9 > 8", "the last container may overshoot");
    assert_eq!(why.sentence, "alice uses 9 GB in root.a; the user limit is 8 GB.");
    let queue = why.limits.iter().find(|l| l.name == "queue limit").expect("a limit");
    assert_eq!((queue.text.as_str(), queue.passes), ("9 < 16", true), "the ask is not counted here");
    let headroom = why.limits.iter().find(|l| l.name == "headroom").expect("a limit");
    assert_eq!((headroom.reached, headroom.text.as_str()), (false, "not reached"));
    assert_eq!(why.yarn[0].0, "Queue hits user max-capacity limit");
    assert_eq!(why.help[0].change, "root.a.user-limit-factor = 1.4");
    assert_eq!(s.apps[0].placed, 8);
}

/// A queue that may use everything, and a request of one size for five nodes.
fn asks(size: &str, more: &str) -> Player {
    let text = format!(
        r#"
heddle = 1
title = "asks"
scheduling = "heartbeat"
until = "2 min"
[capacity-scheduler]
root.queues = "default"
root.default.capacity = 100
maximum-am-resource-percent = 0.5
resource-calculator = "org.apache.hadoop.yarn.util.resource.DominantResourceCalculator"
{more}
[[nodes]]
name = "n"
count = 5
size = "8 GB/8"
[[apps]]
name = "etl"
user = "u"
am = "1 GB"
tasks = [{{ count = 6, size = "{size}", duration = "forever" }}]
"#
    );
    let mut player = player(&text);
    player.seek(60_000);
    player
}

#[test]
fn every_node_is_in_one_bucket_by_its_first_failing_check() {
    let player = asks("5 GB/2", "");
    let s = player.snapshot(None);
    assert_eq!(s.apps[0].placed, 5);
    let why = player.why(&s.waiting[0].id);
    assert_eq!(
        why.sentence,
        "Needs 5 GB and 2 vcores. 14 GB · 29 vcores is free on 5 nodes in all; the emptiest, **n2**, has 3 GB free; **n1** and **n2** are held for it."
    );
    assert_eq!(why.buckets.iter().map(|b| b.count).sum::<usize>(), 5);
    let rows: Vec<_> = why.matrix.rows.iter().map(|r| (r.node.as_str(), r.cells.len(), r.cells[0].first)).collect();
    assert_eq!(why.matrix.rows.iter().map(|r| 1 + r.alike.len()).sum::<usize>(), 5, "equal rows are one");
    assert!(rows.iter().all(|(_, cells, first)| *cells == why.matrix.checks.len() && *first), "{rows:?}");
    assert_eq!(why.blocking.len(), 1);
    assert_eq!(s.waiting[0].reason, "no room");
    assert_eq!(s.waiting[0].never, None);
}

#[test]
fn what_the_scheduler_refuses_outright_is_told_in_its_words() {
    let player = asks("5 GB/9", "");
    let s = player.snapshot(None);
    assert!(s.headline.starts_with("A call of etl was refused at 0:0"), "{}", s.headline);
    assert!(
        s.headline.ends_with(": it asks for containers of 9 vcores, and 4 vcores is the most that may be asked for."),
        "{}",
        s.headline
    );
    let why = player.why(&Selection::App("etl".into()));
    assert!(why.yarn.iter().any(|(words, _)| words.starts_with("Invalid resource request!")), "{:?}", why.yarn);
}

#[test]
fn a_container_tells_why_it_is_where_it_is() {
    let player = asks("5 GB/2", "");
    let s = player.snapshot(None);
    let third = &s.racks[0].nodes[2].containers[0];
    let why = player.why(&third.id);
    assert!(why.sentence.contains("the scheduler looked at **n3**"), "{}", why.sentence);
    assert!(why.facts.iter().any(|f| f.name == "waited"), "{:?}", why.facts);
    assert_eq!(why.yarn, [("OFF_SWITCH".to_string(), 1)]);
    for about in ["node:n3", "queue:root.default", "app:etl", "user:u", "container:etl/0"] {
        let why = player.why(&about.parse().expect(about));
        assert!(why.sentence.len() > 20, "{about}: {why:?}");
    }
    let gone = player.why(&"container:etl/99".parse().expect("a selection"));
    assert_eq!(gone.sentence, "It is not there at this moment.");
}

const Q39: &str = include_str!("../../scenarios/q39-anti-affinity.toml");

#[test]
fn the_first_visit_explains_the_third_zookeeper() {
    let mut player = player(Q39);
    player.seek(20_000);
    let s = player.snapshot(None);
    assert_eq!(s.tally.waiting, 1);
    let third = s.headline_about.clone().expect("something waits");
    let why = player.why_with_help(&third);
    assert_eq!(why.title, "zk-3");
    assert_eq!(why.sentence, "Needs a node without zk. **n1** has zk-1, **n2** has zk-2.");
    assert_eq!(why.buckets.iter().map(|b| b.count).sum::<usize>(), 2);
    assert_eq!(why.buckets[0].text, "2 run zk");
    assert_eq!(why.blocking, ["① no zk (n1 and n2)"]);
    assert!(s.headline.ends_with("n1 has zk-1, n2 has zk-2."), "{}", s.headline);
    let node = why.help.iter().find(|h| h.change.starts_with("One more node like n2")).expect("a node is tried");
    assert!(node.helps, "{:?}", why.help);
    let without = why.help.iter().find(|h| h.change.starts_with("Without clause ①")).expect("the clause is tried");
    assert!(without.helps, "{:?}", why.help);
    let with_reasons = player.snapshot(Some(&third));
    let reasons: Vec<_> = with_reasons.racks[0].nodes.iter().filter_map(|n| n.reason.clone()).collect();
    assert_eq!(reasons.iter().map(|r| r.text.as_str()).collect::<Vec<_>>(), ["runs zk-1", "runs zk-2"]);
    assert_eq!(reasons[0].clause, Some(1));
    assert_eq!(reasons[0].culprits.len(), 1);
    let mut added = super::tests::player(node.scenario.as_deref().expect("it can be tried"));
    added.seek(40_000);
    assert_eq!(added.snapshot(None).headline, "All 3 requests placed in 19 s.");
}

/// Every gallery scenario at a few moments: WHY answers about everything that exists, its counts add up, no invariant breaks,
/// and going back shows the same.
#[test]
fn everything_in_the_gallery_can_be_asked_why() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder).expect(folder).map(|f| f.expect("a file").path()).collect();
    files.sort();
    for file in files.iter().filter(|f| f.extension().is_some_and(|e| e == "toml")) {
        let text = std::fs::read_to_string(file).expect("it can be read");
        let name = file.display();
        let mut player = player(&text);
        let end = player.run(50_000).known_ms;
        let mut seen = Vec::new();
        for quarter in [0, 1, 2, 4] {
            player.seek(end * quarter / 4);
            let s = player.snapshot(None);
            assert_eq!(s.invariants.broken, None, "{name}");
            assert!(!s.headline.is_empty(), "{name}");
            let nodes: Vec<_> = s.racks.iter().flat_map(|r| &r.nodes).collect();
            let mut about: Vec<Selection> = s.waiting.iter().take(5).map(|w| w.id.clone()).collect();
            about.extend(nodes.iter().flat_map(|n| &n.containers).take(5).map(|c| c.id.clone()));
            about.extend(nodes.iter().take(3).map(|n| Selection::Node(n.name.clone())));
            about.extend(s.queues.iter().map(|q| Selection::Queue(q.path.clone())));
            about.extend(
                s.apps.iter().filter(|a| !a.yarn_id.is_empty()).take(3).map(|a| Selection::App(a.name.clone())),
            );
            about.extend(s.users.iter().map(|u| Selection::User(u.user.clone())));
            for about in about {
                let why = player.why(&about);
                assert!(!why.sentence.is_empty(), "{name}: {about}");
                // All limits before the first that stops it pass, and none behind it was reached.
                let stop = why.limits.iter().position(|l| !l.passes).unwrap_or(why.limits.len());
                let behind = why.limits.get(stop + 1..).unwrap_or_default();
                assert!(behind.iter().all(|l| !l.reached), "{name}: {about} {:?}", why.limits);
                let counted: usize = why.buckets.iter().map(|b| b.count).sum();
                let shown: usize = why.matrix.rows.iter().map(|r| 1 + r.alike.len()).sum();
                assert_eq!(counted, shown, "{name}: {about}");
            }
            seen.push((end * quarter / 4, s));
        }
        for (at, s) in seen.into_iter().rev() {
            player.seek(at);
            assert_eq!(player.snapshot(None), s, "{name} at {at}");
        }
    }
}

/// A task that never ends, with more settings, more of its application, and a happening.
fn endless(more_site: &str, more_app: &str, happening: &str) -> String {
    format!(
        r#"
heddle = 1
title = "endless"
scheduling = "heartbeat"
until = "60 s"

[capacity-scheduler]
root.queues = "default"
root.default.capacity = 100
maximum-am-resource-percent = 0.5

[yarn-site]
{more_site}

[[nodes]]
name = "n1"
size = "16 GB/16"

[[nodes]]
name = "n2"
size = "16 GB/16"

[[apps]]
name = "a"
kind = "distributed-shell"
user = "u"
containers = 1
size = "1 GB/1"
{more_app}

[[happenings]]
at = "20 s"
{happening}
"#
    )
}

fn end_of_a(player: &mut Player) -> (Option<i64>, String) {
    player.seek(60_000);
    let sim = player.simulation();
    let app = &sim.rm().apps()[0];
    (app.finished_at, app.diagnostics.clone())
}

#[test]
fn a_lifetime_ends_an_application_at_a_look_of_the_monitor() {
    let mut player = player(&endless("", "lifetime = \"10 s\"", "do = \"healthy_node\"\nnode = \"n2\""));
    let (at, why) = end_of_a(&mut player);
    assert_eq!(at, Some(12_000));
    assert!(why.contains("exceeded the lifetime period"), "{why}");
}

#[test]
fn an_am_that_hangs_is_missed_and_replaced() {
    let site = "am.liveness-monitor.expiry-interval-ms = 9000";
    let mut player = player(&endless(site, "", "do = \"hang_am\"\napp = \"a\""));
    // Its last heartbeat was before 20 s, the monitor looks every 3 s: it expires by 30 s, and the next attempt runs.
    player.seek(29_999);
    let attempt = player.simulation().rm().scheduled(heddle_core::model::AppId(0)).map(|a| a.attempt);
    assert!(attempt.is_some_and(|a| a == 1 || a == 2));
    player.seek(45_000);
    let app = player.simulation().rm().scheduled(heddle_core::model::AppId(0)).expect("it goes on").clone();
    assert_eq!((app.attempt, app.registered), (2, true));
    assert_eq!(player.simulation().rm().app(app.id).map(|a| a.failures), Some(1));
}

#[test]
fn patience_with_a_draining_node_ends() {
    let decommission = "do = \"decommission_node\"\nnode = \"n1\"\ntimeout = \"10 s\"";
    let mut player = player(&endless("", "", decommission));
    player.seek(29_000);
    let state = |p: &Player| p.simulation().rm().nodes()[0].state;
    assert_eq!(state(&player), heddle_core::scheduler::NodeState::Decommissioning);
    player.seek(31_000);
    assert_eq!(state(&player), heddle_core::scheduler::NodeState::Decommissioned);
}
