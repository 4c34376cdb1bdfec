//! The worked examples of slider-placement.md section 19, and cases that no corpus has: reasons, causes, 0.93, the event loop.

mod causes;

use super::attempt::{AnswerParts, Attempt};
use super::decision::{Ended, LeftOut, Skip, TargetChoice};
use super::queue::EventLoop;
use super::records::{NodeRecord, Records};
use super::requests::priority;
use super::*;
use crate::model::{AppId, Resource};

const SIZE: Resource = Resource::new(256, 1);

fn container(seq: u64) -> ContainerId {
    ContainerId { app: AppId(0), attempt: 1, seq }
}

fn node(host: &str) -> NodeReport {
    NodeReport { host: host.into(), state: NodeState::Running, label: String::new() }
}

fn down(host: &str) -> NodeReport {
    NodeReport { state: NodeState::Lost, ..node(host) }
}

fn grant(seq: u64, host: &str, priority: i32) -> Grant {
    Grant { container: container(seq), host: host.into(), priority, size: SIZE }
}

/// Defines components by name, id, policy, instances.
fn define(components: &[(&str, i32, i32, i64)]) -> Definition {
    let mut definition = Definition::default();
    for (name, id, policy, count) in components {
        let keys = [(settings::key::PRIORITY, *id as i64), (settings::key::POLICY, *policy as i64)];
        let keys = keys.into_iter().chain([(settings::key::INSTANCES, *count)]);
        let keys = keys.map(|(key, n)| (key.to_string(), n.to_string())).collect();
        definition.components.insert(name.to_string(), keys);
    }
    definition
}

fn beginning(version: Version, definition: Definition, hosts: &[&str], files: Files) -> Start {
    Start {
        version,
        limits: Limits { min: SIZE, max: Resource::new(8192, 8) },
        definition,
        files,
        nodes: hosts.iter().map(|h| node(h)).collect(),
        check_seconds: None,
        live: Vec::new(),
    }
}

fn start(version: Version, definition: Definition, hosts: &[&str], files: Files) -> Slider {
    Slider::start(0, beginning(version, definition, hosts, files)).expect("a definition that is right").0
}

/// Formats operations: `+h1,h2@7` is a request for hosts at a priority, `-3` a withdrawal, `x5` a release.
fn short(report: &Report) -> Vec<String> {
    report
        .operations
        .iter()
        .map(|op| match op {
            Operation::Request(ask) => format!("+{}@{}", ask.hosts.join(","), ask.priority()),
            Operation::Cancel(ask) => format!("-{}", ask.0),
            Operation::Release(container) => format!("x{}", container.seq),
            Operation::Blacklist { add, remove } => format!("b+{}-{}", add.join(","), remove.join(",")),
        })
        .collect()
}

fn history(saved: Millis, nodes: &[(&str, i32, bool, Millis)]) -> Files {
    let record = |(host, role, active, last_used): &(&str, i32, bool, Millis)| NodeRecord {
        host: host.to_string(),
        role: *role,
        active: *active,
        last_used: *last_used,
    };
    let mut files = Files::default();
    let nodes = nodes.iter().map(record).collect();
    files.save(&Records { saved, roles: 2, nodes, ..Records::default() });
    files
}

/// Example A: host h3 is full; the container is granted on h9.
fn normal_restart(version: Version) -> (Slider, Report) {
    let files = history(10_000, &[("h1", 1, true, 1), ("h2", 1, false, 5000), ("h3", 1, false, 9000)]);
    let mut slider = start(version, define(&[("w", 1, 0, 3)]), &["h1", "h2", "h3", "h9"], files);
    assert_eq!(slider.history().recent(1).collect::<Vec<_>>(), ["h1", "h3", "h2"]);
    assert_eq!(short(&slider.handle(0, Event::Review)), ["+h1@1", "+h3@1", "+h2@1"]);
    let got = slider.handle(1000, Event::Granted(vec![grant(1, "h1", 1), grant(2, "h2", 1)]));
    assert_eq!(short(&got), ["-0", "-2"]);
    assert_eq!(short(&slider.handle(30_000, Event::EscalationCheck)), [""; 0], "not yet: strictly after");
    let relaxed = slider.handle(60_000, Event::EscalationCheck);
    assert_eq!(short(&relaxed), ["-1".to_string(), format!("+h3@{}", priority(1, false))]);
    let got = slider.handle(61_000, Event::Granted(vec![grant(3, "h9", priority(1, false))]));
    (slider, got)
}

fn used(report: &Report) -> Vec<Option<Match>> {
    let granted = report.decisions.iter().filter_map(|d| match d {
        Decision::Granted { used, .. } => Some(*used),
        _ => None,
    });
    granted.collect()
}

#[test]
fn a_relaxed_request_met_elsewhere_is_not_recognized() {
    let (slider, got) = normal_restart(Version::V092);
    assert_eq!((short(&got), used(&got)), (vec![], vec![Some(Match::Unallocated)]));
    assert!(got.decisions.contains(&Decision::Dropped { component: 1, ask: AskId(3) }));
    assert_eq!(slider.history().recent(1).collect::<Vec<_>>(), ["h3"]);
}

#[test]
fn a_later_slider_recognizes_it() {
    let (slider, got) = normal_restart(Version::V093);
    assert_eq!((short(&got), used(&got)), (vec!["-3".to_string()], vec![Some(Match::Escalated)]));
    assert_eq!(slider.history().recent(1).count(), 0);
}

/// Example B.
#[test]
fn anti_affinity_goes_on_when_a_node_comes() {
    let mut slider = start(Version::V092, define(&[("w", 1, 4, 4)]), &["a", "b", "c"], Files::default());
    let first = slider.handle(0, Event::Review);
    assert_eq!(short(&first), ["+a,b,c@1"]);
    assert!(first.decisions.contains(&Decision::Pending { component: 1, count: 3, why: outstanding::one_by_one() }));
    assert_eq!(short(&slider.handle(1, Event::Granted(vec![grant(1, "a", 1)]))), ["-0", "+b,c@1"]);
    assert_eq!(short(&slider.handle(2, Event::Granted(vec![grant(2, "b", 1)]))), ["-1", "+c@1"]);
    let last = slider.handle(3, Event::Granted(vec![grant(3, "c", 1)]));
    let none = LeftOut { occupied: 3, ..LeftOut::default() };
    assert_eq!(short(&last), ["-2"]);
    assert!(last.decisions.contains(&Decision::Pending { component: 1, count: 1, why: outstanding::no_host(none) }));
    assert_eq!(short(&slider.handle(4, Event::Review)), [""; 0]);
    let came = slider.handle(5, Event::Nodes(vec![node("d")]));
    assert!(came.review && short(&came).is_empty());
    assert_eq!(short(&slider.handle(5, Event::Review)), ["+d@1"]);
    assert_eq!(slider.component(1).map(|c| c.counters.pending_aa), Some(0));
}

/// Example C.
#[test]
fn a_shrink_withdraws_before_it_releases() {
    let mut slider = start(Version::V092, define(&[("w", 1, 2, 5)]), &["a"], Files::default());
    slider.handle(0, Event::Review);
    slider.handle(1, Event::Granted(vec![grant(7, "a", priority(1, false))]));
    slider.handle(1, Event::Launched(vec![container(7)]));
    let mut flexed = |count: i64| {
        slider.handle(2, Event::Flex(define(&[("w", 1, 2, count)])));
        short(&slider.handle(2, Event::Review))
    };
    assert_eq!(flexed(3), ["-1", "-2"]);
    assert_eq!(flexed(1), ["-3", "-4"]);
    assert_eq!(flexed(0), ["x7"]);
}

/// Example D.
#[test]
fn a_batch_is_treated_by_component_and_what_was_waited_for() {
    let files = history(100, &[("hY", 1, false, 50), ("hZ", 1, false, 10)]);
    let mut slider = start(Version::V092, define(&[("w", 1, 0, 1), ("x", 2, 2, 1)]), &["hX"], files);
    slider.history_mut().recent.get_mut(&1).expect("a list").pop_front();
    assert_eq!(short(&slider.handle(0, Event::Review))[0], "+hZ@1");
    let batch = vec![grant(1, "hX", priority(2, false)), grant(2, "hY", 1), grant(3, "hZ", 1)];
    let got = slider.handle(1, Event::Granted(batch));
    let order = got.decisions.iter().filter_map(|d| match d {
        Decision::Granted { container, used, .. } => Some((container.seq, used.is_some())),
        _ => None,
    });
    assert_eq!(order.collect::<Vec<_>>(), [(3, true), (2, false), (1, true)]);
}

#[test]
fn hosts_that_are_passed_over_are_told_with_the_reason() {
    let files = history(100, &[("h1", 1, false, 50), ("h2", 1, false, 40), ("h3", 1, false, 30), ("h4", 1, false, 20)]);
    let hosts = ["h1", "h2", "h3", "h4"];
    let mut slider = start(Version::V092, define(&[("w", 1, 0, 1)]), &hosts, files);
    slider.history_mut().entry("h1", 1).live = 1;
    slider.handle(0, Event::Nodes(vec![down("h2")]));
    slider.history_mut().entry("h3", 1).failed_recently = 4;
    let report = slider.handle(0, Event::Review);
    let why = report.decisions.iter().find_map(|d| match d {
        Decision::Asked { why, .. } => Some(why.clone()),
        _ => None,
    });
    let skipped = vec![
        ("h1".to_string(), Skip::Active(1)),
        ("h2".to_string(), Skip::Offline(NodeState::Lost)),
        ("h3".to_string(), Skip::Failures(4, 3)),
    ];
    assert_eq!(why, Some(TargetChoice::Recent { host: "h4".into(), last_used: 20, skipped }));
    let blamed = Decision::Blacklisted { host: "h3".into(), component: 1, failures: 4, threshold: 3 };
    assert!(report.decisions.contains(&blamed));
}

/// An end that is nobody's fault counts as a failure of the component in 0.92 only.
#[test]
fn who_is_charged_hangs_on_the_version() {
    for (version, failed) in [(Version::V092, 1), (Version::V093, 0)] {
        let mut slider = start(version, define(&[("w", 1, 2, 1)]), &["a"], Files::default());
        slider.handle(0, Event::Review);
        slider.handle(0, Event::Granted(vec![grant(1, "a", priority(1, false))]));
        slider.handle(0, Event::Launched(vec![container(1)]));
        slider.handle(0, Event::Started(vec![container(1)]));
        let ended = slider.handle(100_000, Event::Completed(vec![(container(1), -100)]));
        let recent = (failed > 0).then_some(failed);
        let how = Ended::Failed { outcome: ContainerOutcome::Completed, short_lived: false, recent };
        assert!(ended.decisions.contains(&Decision::Ended { container: container(1), how }));
        assert_eq!(slider.component(1).map(|c| c.counters.failed), Some(failed), "{version:?}");
    }
}

/// A damaged newest file is skipped, recorded, and stays; files older than the loaded one are deleted.
#[test]
fn the_newest_file_that_can_be_read_wins() {
    let mut files = history(1000, &[("old", 1, false, 1)]);
    for (name, text) in history(2000, &[("h1", 1, false, 1)]).iter() {
        files.put(name, text);
    }
    files.put(files::name(3000), "{broken:true}");
    let (slider, report) =
        Slider::start(5000, beginning(Version::V092, define(&[("w", 1, 0, 1)]), &[], files)).expect("it starts");
    assert!(matches!(&report.decisions[..], [Decision::Flexed { .. } | Decision::HistorySkipped { .. }, ..]));
    let skipped = report.decisions.iter().find_map(|d| match d {
        Decision::HistorySkipped { name, fault } => Some((name.clone(), fault.at)),
        _ => None,
    });
    assert_eq!(skipped, Some((files::name(3000), 1)));
    let left: Vec<&str> = slider.files().iter().map(|(name, _)| name).collect();
    assert_eq!(left, [files::name(2000), files::name(3000)]);
    assert_eq!(slider.history().recent(1).collect::<Vec<_>>(), ["h1"]);
}

/// Without a readable file it starts without a history, and records that.
#[test]
fn a_start_without_a_history_is_told() {
    let mut damaged = Files::default();
    damaged.put(files::name(3000), "{");
    for (files, skipped) in [(Files::default(), 0), (damaged, 1)] {
        let beginning = beginning(Version::V092, define(&[("w", 1, 0, 1)]), &["h1"], files);
        let (_, report) = Slider::start(0, beginning).expect("it starts");
        assert!(report.decisions.contains(&Decision::HistoryMissing { skipped }), "{:?}", report.decisions);
    }
}

/// The timer starts before the first requests, so they are relaxed at the second tick.
#[test]
fn requests_of_a_start_are_relaxed_at_the_second_tick() {
    let files = history(100, &[("h1", 1, false, 1)]);
    let slider = start(Version::V092, define(&[("w", 1, 0, 1)]), &["h1"], files);
    let mut events = EventLoop::new(0, slider, None);
    assert_eq!(events.run(10, []).iter().flat_map(short).collect::<Vec<_>>(), ["+h1@1"]);
    assert_eq!(events.wakes_at(), Some(30_000));
    assert!(events.run(30_000, []).iter().all(|r| r.operations.is_empty()));
    let relaxed: Vec<String> = events.run(60_000, []).iter().flat_map(short).collect();
    assert_eq!(relaxed, ["-0".to_string(), format!("+h1@{}", priority(1, false))]);
}

#[test]
fn several_things_that_want_a_review_get_one() {
    let slider = start(Version::V092, define(&[("w", 1, 2, 1)]), &["a"], Files::default());
    let mut events = EventLoop::new(0, slider, None);
    let flex = |count| Event::Flex(define(&[("w", 1, 2, count)]));
    let reports = events.run(0, [flex(2), flex(4)]);
    assert_eq!(reports.len(), 3);
    assert_eq!(reports.iter().map(|r| r.operations.len()).collect::<Vec<_>>(), [0, 0, 4]);
}

/// A component that fails too often stops the application; no further event has an effect.
#[test]
fn too_many_failures_stop_the_application() {
    let racks = |_: &str| Some("/r1".to_string());
    let mut definition = define(&[("w", 1, 2, 1)]);
    definition.global.insert(settings::key::FAILURES.into(), "1".into());
    let beginning = beginning(Version::V092, definition, &["a"], Files::default());
    let (mut attempt, _) = Attempt::start(0, beginning, &racks).expect("it starts");
    let mut stop = None;
    for seq in 1..=2 {
        let counts: Vec<i64> = attempt.call().asks.iter().map(|row| row.count).collect();
        assert_eq!(counts, [1], "one row for any place");
        let granted = vec![grant(seq, "a", priority(1, false))];
        let doings = attempt.hear(10, AnswerParts { granted, ..AnswerParts::default() }, &racks);
        assert_eq!(doings.launch, [container(seq)]);
        attempt.handle(10, Some(Event::Started(vec![container(seq)])), &racks);
        let completed = vec![(container(seq), 1)];
        stop = attempt.hear(20, AnswerParts { completed, ..AnswerParts::default() }, &racks).stop;
    }
    let stop = stop.expect("it is stopped");
    assert_eq!((stop.failed_recently, stop.threshold), (2, 1));
    assert!(stop.message(&|c| format!("<{}>", c.seq)).ends_with("last failure: Failure <2> on host a (1): "));
    assert_eq!(attempt.events().wakes_at(), None);
    let late = AnswerParts { nodes: vec![node("b")], ..AnswerParts::default() };
    assert!(attempt.hear(30, late, &racks).decisions.is_empty());
}

/// The requests of a review that stops the application are neither made nor recorded.
#[test]
fn a_review_that_stops_the_application_has_decided_nothing_else() {
    let mut slider = start(Version::V092, define(&[("a", 1, 2, 1), ("b", 2, 2, 1)]), &["h"], Files::default());
    slider.component_mut(2).expect("b").counters.failed_recently = 6;
    let report = slider.handle(10, Event::Review);
    assert_eq!(report.stopped.map(|s| s.component), Some("b".to_string()));
    assert_eq!((report.operations, report.decisions), (vec![], vec![]));
}

/// A failed launch is recorded when it happens; the container is requested again when its end is reported.
#[test]
fn a_failed_launch_is_a_decision() {
    let mut slider = start(Version::V092, define(&[("w", 1, 2, 1)]), &["h"], Files::default());
    assert_eq!(short(&slider.handle(0, Event::Review)).len(), 1);
    slider.handle(1, Event::Granted(vec![grant(7, "h", priority(1, false))]));
    slider.handle(1, Event::Launched(vec![container(7)]));
    let failed = slider.handle(2, Event::LaunchFailed(container(7)));
    assert_eq!(failed.decisions, [Decision::LaunchFailed { container: container(7), component: 1 }]);
    assert!(short(&slider.handle(2, Event::Review)).is_empty(), "it still counts as there");
    assert!(slider.handle(3, Event::LaunchFailed(container(7))).decisions.is_empty(), "only once");
    let ended = slider.handle(4, Event::Completed(vec![(container(7), -100)]));
    let short_lived = Decision::Ended {
        container: container(7),
        how: Ended::Failed { outcome: ContainerOutcome::Completed, short_lived: true, recent: Some(2) },
    };
    assert_eq!(ended.decisions, [short_lived]);
    assert_eq!(slider.history().nodes["h"].entries[&1].failed_recently, 2, "charged twice");
    assert_eq!(short(&slider.handle(4, Event::Review)).len(), 1, "asked for again");
}

/// A negative count cannot come from resources.json; a review that finds one ends the application.
#[test]
fn a_negative_count_stops_the_application() {
    let mut slider = start(Version::V092, define(&[("a", 1, 0, 1)]), &["h1"], Files::default());
    slider.component_mut(1).expect("a").counters.desired = -2;
    let report = slider.handle(0, Event::Review);
    let stop = report.stopped.expect("it is stopped");
    assert_eq!((stop.negative, report.operations.len()), (Some(-2), 0));
    assert_eq!(stop.message(&|_| String::new()), "Negative component count of -2 desired for component a");
}
