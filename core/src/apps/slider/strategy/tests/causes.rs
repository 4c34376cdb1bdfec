//! One application for each cause of outstanding requests that the manual lists.

use super::*;
use crate::apps::slider::strategy::outstanding::{Cause, Surroundings, Wait, YarnNode, cause, one_by_one, outstanding};
use crate::check::{Check, Failure};

fn room(host: &str, total: i64, free: i64) -> YarnNode {
    YarnNode {
        host: host.into(),
        label: String::new(),
        state: NodeState::Running,
        total: Resource::new(total, 8),
        free: Resource::new(free, 8),
    }
}

fn around(nodes: Vec<YarnNode>) -> Surroundings {
    Surroundings { nodes, ..Surroundings::default() }
}

/// Returns an application with one component of one size, with its first requests made.
fn app(policy: i32, count: i64, keys: &[(&str, &str)], hosts: &[&str], files: Files) -> Slider {
    let mut definition = define(&[("w", 1, policy, count)]);
    let own = definition.components.get_mut("w").expect("a component");
    own.insert(settings::key::MEMORY.into(), "1024".into());
    own.extend(keys.iter().map(|(k, v)| (k.to_string(), v.to_string())));
    let mut slider = start(Version::V092, definition, hosts, files);
    slider.handle(0, Event::Review);
    slider
}

fn causes(slider: &Slider, around: &Surroundings) -> Vec<Option<Cause>> {
    outstanding(slider).iter().map(|o| cause(slider, o, around)).collect()
}

#[test]
fn more_than_the_cluster_has() {
    let slider = app(2, 3, &[], &["a"], Files::default());
    let found = causes(&slider, &around(vec![room("a", 2048, 0)]));
    assert_eq!(found, vec![Some(Cause::ClusterTooSmall { room: 2, wanted: 3 }); 3]);
}

#[test]
fn everything_else_leaves_no_room() {
    let slider = app(2, 1, &[], &["a"], Files::default());
    assert_eq!(causes(&slider, &around(vec![room("a", 4096, 512)])), [Some(Cause::NoSpace { nodes: 1 })]);
}

#[test]
fn others_come_first() {
    let slider = app(2, 1, &[], &["a"], Files::default());
    let mut around = around(vec![room("a", 4096, 2048)]);
    assert_eq!(causes(&slider, &around), [None], "a container is to come");
    around.behind_others = true;
    assert_eq!(causes(&slider, &around), [Some(Cause::BehindOthers { nodes: 1 })]);
}

#[test]
fn the_host_of_a_strict_request_is_gone() {
    let files = history(100, &[("h1", 1, false, 50)]);
    let mut slider = app(1, 1, &[], &["h1", "h2"], files);
    slider.handle(1, Event::Nodes(vec![down("h1")]));
    let lost = YarnNode { state: NodeState::Lost, ..room("h1", 4096, 4096) };
    let waits = outstanding(&slider);
    assert_eq!(waits[0].wait, Wait::Host { host: "h1".into(), state: NodeState::Lost, relaxes_after: None });
    let found = causes(&slider, &around(vec![lost, room("h2", 4096, 4096)]));
    assert_eq!(found, [Some(Cause::StrictHostGone { host: "h1".into(), state: Some(NodeState::Lost) })]);
}

#[test]
fn no_host_is_left_or_those_left_have_no_room() {
    let mut slider = app(4, 3, &[], &["a", "b"], Files::default());
    slider.handle(1, Event::Granted(vec![Grant { size: Resource::new(1024, 1), ..grant(1, "a", 1) }]));
    let nodes = vec![room("a", 4096, 3072), room("b", 4096, 0)];
    let left_out = LeftOut { occupied: 1, ..LeftOut::default() };
    let found = causes(&slider, &around(nodes.clone()));
    assert_eq!(found[0], Some(Cause::AntiAffinity { left: 1, left_out }), "the other host is full");
    assert_eq!(outstanding(&slider)[1].wait, Wait::NotAsked(one_by_one()));
    slider.handle(2, Event::Granted(vec![Grant { size: Resource::new(1024, 1), ..grant(2, "b", 1) }]));
    let left_out = LeftOut { occupied: 2, ..LeftOut::default() };
    assert_eq!(causes(&slider, &around(nodes)), [Some(Cause::AntiAffinity { left: 0, left_out })]);
}

#[test]
fn too_much_for_any_node() {
    let slider = app(2, 1, &[("yarn.memory", "6000")], &["a"], Files::default());
    let cause = Cause::TooLarge { size: Resource::new(6144, 1), largest: Resource::new(4096, 8) };
    assert_eq!(causes(&slider, &around(vec![room("a", 4096, 4096)])), [Some(cause)]);
}

/// A label is never sent with hosts: hosts with the label get nothing, although they have space.
#[test]
fn labelled_hosts_with_room_are_no_cause_of_the_manuals() {
    let mut slider = app(4, 1, &[("yarn.label.expression", "gpu")], &[], Files::default());
    let report = NodeReport { host: "g".into(), state: NodeState::Running, label: "gpu".into() };
    slider.handle(1, Event::Nodes(vec![report]));
    slider.handle(1, Event::Review);
    let labelled = |free| YarnNode { label: "gpu".into(), ..room("g", 4096, free) };
    assert_eq!(outstanding(&slider)[0].wait, Wait::OneOf(vec!["g".into()]));
    assert_eq!(causes(&slider, &around(vec![labelled(4096)])), [None]);
    let full = causes(&slider, &around(vec![labelled(0)]));
    assert!(matches!(full[..], [Some(Cause::AntiAffinity { left: 1, .. })]), "{full:?}");
}

/// Makes two requests for one host: the second replaces the first in Slider's tables.
#[test]
fn a_request_that_is_forgotten_counts_as_made() {
    let mut slider = app(2, 1, &[], &["a"], Files::default());
    slider.components.get_mut(&1).expect("a component").counters.requested += 1;
    let waits: Vec<Wait> = outstanding(&slider).into_iter().map(|of| of.wait).collect();
    assert_eq!(waits, [Wait::Anywhere, Wait::NotAsked(Failure::of(Check::RequestMade))]);
}

/// Only the nodes with the label count as the cluster.
#[test]
fn a_label_makes_the_cluster_smaller() {
    let slider = app(2, 6, &[("yarn.label.expression", "gpu")], &["g", "h"], Files::default());
    let labelled = YarnNode { label: "gpu".into(), ..room("g", 4096, 0) };
    let found = causes(&slider, &around(vec![labelled, room("h", 4096, 4096)]));
    assert_eq!(found[0], Some(Cause::Label { label: "gpu".into(), nodes: 1 }));
}

#[test]
fn what_is_relaxed_tells_since_when() {
    let files = history(100, &[("h1", 1, false, 50)]);
    let mut slider = app(0, 1, &[], &["h1"], files);
    let wait = |slider: &Slider| outstanding(slider)[0].wait.clone();
    let state = NodeState::Running;
    assert_eq!(wait(&slider), Wait::Host { host: "h1".into(), state, relaxes_after: Some(30_000) });
    slider.handle(30_001, Event::EscalationCheck);
    assert_eq!(wait(&slider), Wait::Relaxed { host: "h1".into(), since: 30_001 });
}
