//! The explanation between a mark and the kill, if something happens in between.

use super::fixtures::at;
use crate::explain::view::{Met, Selection, WhyView};

/// Two queues with half each, as in the fixture, on two nodes.
fn two_queues() -> String {
    let text = include_str!("../../tests/fixtures/two-queues.toml");
    let text = text.replace("name = \"n\"\nsize = \"8 GB/8\"", "name = \"n{1}\"\ncount = 2\nsize = \"4 GB/4\"");
    assert!(text.contains("count = 2"));
    text
}

/// The victim, on n2: marked at 0:30, to be killed at 0:45.
fn victim() -> Selection {
    Selection::Container { app: "first".into(), k: 7 }
}

fn refreshed(name: &str, value: &str) -> String {
    let set = format!("capacity-scheduler = {{ \"{name}\" = \"{value}\" }}");
    format!("{}\n[[happenings]]\nat = \"40 s\"\ndo = \"refresh\"\n{set}\n", two_queues())
}

fn told(why: WhyView) -> String {
    why.preemption.map(|p| p.sentence).unwrap_or_default()
}

fn of_second(text: &str, seconds: i64) -> WhyView {
    at(text, seconds).why(&Selection::Request { app: "second".into(), key: "0_-1".into() })
}

#[test]
fn a_longer_wait_moves_the_kill_everywhere() {
    let text = refreshed("yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill", "60000");
    let not_read = " Settings were refreshed since that round; the next one, at 0:42, goes by them.";
    for said in [told(of_second(&text, 41)), told(at(&text, 41).why(&victim()))] {
        assert!(said.contains("killed at 0:45 unless") && said.ends_with(not_read), "{said}");
    }
    for said in [told(of_second(&text, 43)), told(at(&text, 43).why(&victim()))] {
        assert!(said.contains("killed at 1:30 unless") && !said.contains("0:45"), "{said}");
    }
    assert!(told(at(&text, 91).why(&victim())).contains("killed at 1:30"));
}

#[test]
fn a_mark_that_no_round_chooses_any_more_is_told_while_it_lasts() {
    let text = refreshed("yarn.scheduler.capacity.root.a.disable_preemption", "true");
    let said = told(at(&text, 44).why(&victim()));
    assert!(said.starts_with("It is not chosen: **root.a** is not preemptable"), "{said}");
    let still = "It has been marked since 0:30: a round from 0:45 on that chooses it kills it, and one after 1:00 that does not \
                 forgets the mark.";
    assert!(said.ends_with(still), "{said}");
    let later = told(at(&text, 70).why(&victim()));
    assert!(later.starts_with("It is not chosen") && !later.contains("marked"), "{later}");
}

#[test]
fn a_marked_container_that_is_lost_with_its_node_is_told_so() {
    let text = format!("{}\n[[happenings]]\nat = \"41 s\"\ndo = \"remove_node\"\nnode = \"n2\"\n", two_queues());
    for seconds in [41, 80] {
        let said = told(at(&text, seconds).why(&victim()));
        assert!(said.contains("In the preemption round at 0:30"), "{said}");
        assert!(said.ends_with(" It ended at 0:41, before it was killed."), "{seconds}: {said}");
    }
    let other = told(of_second(&text, 43));
    assert!(other.contains("is killed at 0:57"), "another one is marked by the next round: {other}");
}

#[test]
fn what_was_given_back_says_so_from_then_on() {
    let first = "name = \"first\"";
    let with = |policy: &str| two_queues().replace(first, &format!("{first}\npreemption_policy = \"{policy}\""));
    for (policy, end) in
        [("kill", "Its AM gave it back at 0:31."), ("checkpoint", "Its AM gave it back at 0:31, and kept its work.")]
    {
        for seconds in [35, 80] {
            let said = told(at(&with(policy), seconds).why(&victim()));
            assert!(said.contains("In the preemption round at 0:30") && said.ends_with(end), "{seconds}: {said}");
        }
    }
}

#[test]
fn a_countdown_ends_with_the_round_that_kills() {
    let wait = "\n\"yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill\" = \"10000\"";
    let text = two_queues().replace("[yarn-site]", &format!("[yarn-site]{wait}"));
    let left = |seconds: i64| {
        let snapshot = at(&text, seconds).snapshot(None);
        let all = snapshot.racks.iter().flat_map(|r| &r.nodes).flat_map(|n| &n.containers);
        all.filter_map(|c| Some((c.preempting_ms?, c.grace_ms))).collect::<Vec<_>>()
    };
    assert_eq!(left(36), [(6_000, 12_000)], "rounds are every 3 s: that at 0:42 kills");
    assert_eq!(left(41), [(1_000, 12_000)]);
    assert_eq!(left(42), []);
    assert!(told(of_second(&text, 41)).contains("is killed at 0:42"));
}

#[test]
fn killable_containers_are_not_all_that_others_keep() {
    let text = two_queues()
        .replace("[capacity-scheduler]", "[capacity-scheduler]\nlazy-preemption-enabled = \"true\"")
        .replace("count = 1, size = \"1 GB/1\"", "count = 1, size = \"3 GB/1\"");
    let why = at(&text, 110).why(&Selection::Request { app: "second".into(), key: "20_-1".into() });
    assert!(why.sentence.contains("for **root.b**, enough on no single node."), "{}", why.sentence);
    let told = why.preemption.expect("preemption is told");
    let gives = told.conditions.iter().find(|c| c.name == "to give").expect("that condition");
    assert_eq!(
        (gives.met, gives.value.as_str()),
        (Met::No, "nobody: of what others use too much, 3 GB are killable already")
    );
}

/// Room is made for a higher queue's reservation once it is old enough; until then the answer says so.
#[test]
fn a_reservation_that_is_too_young_says_from_when_on() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"3 min\"\n[yarn-site]\n\
        \"yarn.resourcemanager.scheduler.monitor.enable\" = \"true\"\n\
        \"yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round\" = \"1.0\"\n\
        \"yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor\" = \"1.0\"\n\
        [capacity-scheduler]\nmaximum-am-resource-percent = 0.5\nroot.ordering-policy = \"priority-utilization\"\n\
        ordering-policy.priority-utilization.underutilized-preemption.enabled = true\n\
        ordering-policy.priority-utilization.underutilized-preemption.reserved-container-delay-ms = 30000\n\
        root.queues = \"low,high\"\nroot.low.capacity = 50\nroot.high.capacity = 50\nroot.high.priority = 5\n\
        root.low.user-limit-factor = 5\nroot.high.user-limit-factor = 5\n\
        [[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"8 GB/8\"\n\
        [[apps]]\nname = \"low\"\nuser = \"low\"\nqueue = \"low\"\nam = \"1 GB/1\"\n\
        tasks = [{ count = 15, size = \"1 GB/1\", duration = \"forever\" }]\n\
        [[apps]]\nname = \"high\"\nuser = \"high\"\nqueue = \"high\"\nam = \"1 GB/1\"\nat = \"30 s\"\n\
        tasks = [{ count = 1, size = \"6 GB/1\", duration = \"forever\" }]\n";
    let request = Selection::Request { app: "high".into(), key: "20_-1".into() };
    let said = told(at(text, 90).why(&request));
    assert!(said.contains("it has reserved **n2**"), "{said}");
    assert!(said.contains(", and room is made on its node only when it is 30 s old; it was 23 s."), "{said}");
    let told = at(text, 100).why(&request).preemption.expect("preemption is told");
    assert!(told.sentence.contains("marked for **high**"), "then it is: {}", told.sentence);
}
