//! Constraints as the page shows them, on scenarios of the gallery.

use super::{EventFilter, Player};
use crate::explain::view::{EventOutcome, MatrixView, Selection, WhyView};

fn player(text: &str) -> Player {
    let loaded = Player::load(text);
    loaded.player.unwrap_or_else(|| panic!("{:?}", loaded.problems))
}

fn texts(m: &MatrixView, clause: usize) -> Vec<(&str, bool, &str)> {
    let column = m.checks.iter().position(|c| c.clause == Some(clause)).expect("the clause");
    m.rows.iter().map(|r| (r.node.as_str(), r.cells[column].passes, r.cells[column].text.as_str())).collect()
}

fn about(p: &Player, name: &str) -> Selection {
    let snapshot = p.snapshot(None);
    snapshot.waiting.iter().find(|w| w.name == name).unwrap_or_else(|| panic!("{:?}", snapshot.waiting)).id.clone()
}

#[test]
fn what_waits_shows_counts_bounds_and_the_smallest_blocking_sets() {
    let p = player(include_str!("../../scenarios/q39-anti-affinity.toml"));
    let zk = about(&p, "zk-3");
    let why = p.why(&zk);
    assert_eq!(texts(&why.matrix, 1), [("n1", false, "zk-1"), ("n2", false, "zk-2")]);
    assert_eq!(why.blocking, ["① no zk (n1 and n2)"]);
    assert_eq!(why.matrix.checks[0].words, "no zk of this application on the node");
    let snapshot = p.snapshot(Some(&zk));
    let alone: Vec<Vec<usize>> =
        snapshot.racks.iter().flat_map(|r| &r.nodes).map(|n| n.reason.as_ref().unwrap().alone.clone()).collect();
    assert_eq!(alone, [[1], [1]]);
}

#[test]
fn what_was_placed_shows_the_nodes_as_they_were_just_before() {
    let p = player(include_str!("../../scenarios/q39-anti-affinity.toml"));
    let placed: Vec<WhyView> = (1..=2).map(|k| p.why(&Selection::Container { app: "zk".into(), k })).collect();
    for (why, full) in placed.iter().zip([0, 1]) {
        assert!(why.matrix.at_ms.is_some_and(|at| at < 20_000), "{}", why.sentence);
        let cells = texts(&why.matrix, 1);
        assert_eq!(cells.iter().filter(|(_, passes, _)| !passes).count(), full, "{cells:?}");
        assert!(cells.iter().all(|(_, passes, text)| *text == if *passes { "" } else { "zk-1" }));
    }
}

#[test]
fn specs_that_can_never_hold_are_told_before_the_run_and_while_they_wait() {
    let text = include_str!("../../scenarios/q40-chicken-and-egg.toml");
    let loaded = Player::load(text);
    let told: Vec<_> = loaded.problems.iter().filter(|p| p.what.starts_with("No hbase can ever start")).collect();
    assert_eq!(told.len(), 1, "{:?}", loaded.problems);
    assert_eq!(told[0].span.map(|s| &text[s.start..s.end]), Some("IN,RACK,hbase"));
    let snapshot = loaded.player.expect("a player").snapshot(None);
    assert!(snapshot.waiting.iter().all(|w| w.never.as_ref().is_some_and(|n| n.contains("the first too"))));
    let two = Player::load(include_str!("../../scenarios/q39-anti-affinity.toml")).problems;
    assert!(two.iter().any(|p| p.what.starts_with("At most 2 of the 3 zk")), "{two:?}");
}

#[test]
fn requests_in_the_placement_processor_wait_visibly_until_they_are_rejected() {
    let mut p = player(include_str!("../../scenarios/q38b-handler-processor.toml"));
    let mut stages = Vec::new();
    for ms in (0..30_000).step_by(250) {
        p.seek(ms);
        for w in p.snapshot(None).waiting.iter().filter(|w| w.name == "zk-3") {
            if stages.last() != Some(&w.reason) {
                stages.push(w.reason.clone());
            }
        }
    }
    for part in ["no node, attempt 1 of 3", "batch, attempt 2 of 3", "batch, attempt 3 of 3", "about to be rejected"] {
        assert!(stages.iter().any(|s| s == part), "{part}: {stages:?}");
    }
    let filter = EventFilter { until_now: true, ..EventFilter::default() };
    let rejected = p.events(&filter).into_iter().find(|e| e.fate == EventOutcome::Rejected).expect("a rejection");
    assert_eq!((rejected.name.as_str(), rejected.yarn.as_str()), ("zk-3", "COULD_NOT_PLACE_ON_NODE"));
    assert!(rejected.why.contains("after 3 attempts"), "{}", rejected.why);
    // Each batch has what the algorithm saw on its nodes.
    let batches: Vec<_> = p.events(&filter).into_iter().filter(|e| e.verb == "batch").map(|e| e.why).collect();
    let met = "looks, first at n";
    assert!(batches.iter().any(|why| why.contains(met) && why.contains("notin,node,zk")), "{batches:?}");
    let id = rejected.who.expect("selectable");
    p.seek(rejected.time_ms);
    let why = p.why(&id);
    assert!(why.status.contains("rejected") || why.status.contains("waiting"), "{why:?}");
}

#[test]
fn an_or_is_judged_as_a_whole() {
    let text = "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"20 s\"\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n\
        [[nodes]]\nname = \"n{1}\"\ncount = 2\nsize = \"8 GB/8\"\n[[apps]]\nname = \"a\"\nkind = \"requests\"\nam = { unmanaged = true }\n\
        calls = [{ scheduling = [{ id = 1, tags = \"x\", size = \"1 GB/1\", constraint = \"or(in,node,y:and(in,node,z:notin,node,x))\" }] }]\n";
    let mut p = player(text);
    p.seek(10_000);
    let snapshot = p.snapshot(None);
    let why = p.why(&snapshot.waiting[0].id);
    assert_eq!(why.blocking, ["① ≥ 1 y (n1 and n2)", "② ≥ 1 z (n1 and n2)"]);
    assert_eq!(why.buckets.iter().map(|b| b.check).collect::<Vec<_>>(), [Some(1)], "of an OR the last");
    assert_eq!(why.buckets[0].text, "2 lack y and lack z");
    let titles: Vec<&str> = why.matrix.checks.iter().map(|c| c.title.as_str()).collect();
    assert_eq!(titles[..3], ["either ≥ 1 y", "or (≥ 1 z", "and no x)"]);
    let first: Vec<bool> = why.matrix.rows[0].cells.iter().map(|c| c.first).collect();
    assert_eq!(first, [true, true, false, false], "what decides in each alternative");
}

/// All failing alternatives are named, with whose tags each means.
#[test]
fn an_or_of_namespaces_says_whose_tags_are_there_and_whose_are_not() {
    let mut p = player(include_str!("../../tests/scenarios/why/not-self-and-self-or.toml"));
    p.seek(40_000);
    let snapshot = p.snapshot(None);
    let waiting = snapshot.waiting.iter().find(|w| w.app == "two").expect("two waits");
    let why = p.why(&waiting.id);
    assert_eq!(
        why.sentence,
        "Needs a node either without web of other applications or with web of this application. **n1** has one-1 and no web of \
         this application, **n2** has one-2 and no web of this application, **n3** has one-3 and no web of this application."
    );
    assert_eq!(why.buckets[0].text, "3 run web of other applications and lack web of this application");
}

#[test]
fn counts_that_a_lost_node_left_on_its_rack_are_told() {
    let ask = |id: u32, at: u32| {
        format!(
            "{{ at = \"{at} s\", scheduling = [{{ id = {id}, tags = \"zk\", size = \"1 GB/1\", constraint = \"NOTIN,RACK,zk\" }}] }}"
        )
    };
    let text = format!(
        "heddle = 1\nscheduling = \"heartbeat\"\nuntil = \"60 s\"\n[yarn-site]\nresourcemanager.placement-constraints.handler = \"scheduler\"\n\
         [[nodes]]\nname = \"n{{1}}\"\ncount = 2\nsize = \"8 GB/8\"\n[[apps]]\nname = \"a\"\nkind = \"requests\"\nam = {{ unmanaged = true }}\n\
         calls = [{}, {}]\n[[happenings]]\nat = \"10 s\"\ndo = \"remove_node\"\nnode = \"n1\"\n\
         [[happenings]]\nat = \"10 s\"\ndo = \"remove_node\"\nnode = \"n2\"\n[[happenings]]\nat = \"15 s\"\ndo = \"return_node\"\nnode = \"n2\"\n",
        ask(1, 1),
        ask(2, 20)
    );
    let mut p = player(&text);
    p.seek(30_000);
    let snapshot = p.snapshot(None);
    let why = p.why(&snapshot.waiting.first().expect("it waits for ever").id);
    assert!(why.sentence.contains("left by containers of a lost node"), "{}", why.sentence);
    assert_eq!(texts(&why.matrix, 1), [("n2", false, "1 > 0"), ("n1", false, "1 > 0")]);
    let buckets: Vec<(&str, usize)> = why.buckets.iter().map(|b| (b.text.as_str(), b.count)).collect();
    assert_eq!(buckets, [("1 lost since 0:10", 1), ("1 in a rack with zk", 1)], "those out of service are counted");
}

#[test]
fn which_containers_a_tag_means_is_told_by_namespace() {
    let mut p = player(include_str!("../../scenarios/q42-another-applications-tag.toml"));
    p.seek(40_000);
    let waits = p.snapshot(None).waiting.iter().find(|w| w.app == "alone").expect("it waits").id.clone();
    let why = p.why(&waits);
    let fact = why.facts.iter().find(|f| f.name == "hbase, by namespace").expect("the fact");
    assert!(fact.value.starts_with("self: none · not-self: hbase-1 on n"), "{}", fact.value);
}

/// Three nodes and the head of a scenario with one application of hand-written calls.
const BY_HAND: &str = r#"
heddle = 1
title = "by hand"
scheduling = "heartbeat"
until = "1 min"
[yarn-site]
resourcemanager.placement-constraints.handler = "scheduler"
node-labels.enabled = true
[capacity-scheduler]
root.queues = "default"
root.default.capacity = 100
maximum-am-resource-percent = 0.5
[[nodes]]
name = "n1"
rack = "/r1"
size = "8 GB/8"
attributes = { java = "8" }
[[apps]]
name = "a"
kind = "requests"
user = "u"
am = "1 GB/1"
[[apps.calls]]
at = "10 s"
scheduling = [{ id = 1, priority = 1, count = 1, size = "1 GB/1", tags = ["t"], constraint = { scope = "node", targets = [{ partition = true, values = ["gpu"] }] } }]
[[happenings]]
at = "20 s"
do = "change_attributes"
node = "n1"
attributes = { java = "11", os = "linux" }
"#;

#[test]
fn a_partition_that_the_cluster_does_not_have_is_named() {
    let mut p = player(BY_HAND);
    p.seek(30_000);
    let waits = p.snapshot(None).waiting.first().expect("the request").id.clone();
    let why = p.why(&waits);
    assert!(why.sentence.contains("gpu"), "{}", why.sentence);
}

#[test]
fn a_node_shows_the_attribute_values_that_constraints_are_compared_with() {
    let mut p = player(BY_HAND);
    p.seek(30_000);
    let snapshot = p.snapshot(None);
    assert_eq!(snapshot.racks[0].nodes[0].attributes, ["java=8", "os=linux"], "adding keeps the first value");
}

#[test]
fn a_rejection_that_yarn_tells_at_every_call_is_told_once() {
    let text = r#"heddle = 1
until = "1 min"
[yarn-site]
yarn.resourcemanager.placement-constraints.handler = "scheduler"
[capacity-scheduler]
root.queues = "a"
root.a.capacity = 100
schedule-asynchronously.enable = false
[[nodes]]
name = "n"
size = "8 GB/8"
[[apps]]
name = "x"
queue = "a"
kind = "requests"
[[apps.calls]]
at = "2 s"
scheduling = [{ id = 1, count = 5, size = "1 GB/1", tags = ["a"], constraint = { delayed_or = [{ constraint = "in,node,a", delay = "9 s" }] } }]
"#;
    let mut p = player(text);
    p.run_to_end();
    p.seek(60_000);
    let rejected =
        p.simulation().notices().iter().filter(|n| matches!(n.tried, heddle_core::sim::Tried::Request { .. })).count();
    let progress = p.simulation().apps()[0].progress();
    assert_eq!((rejected, progress.rejected), (1, 5));
}
