//! Situations in which the answer once misled an operator: words it must have, words it must not have, and the advice.

use super::Player;
use crate::explain::view::{Selection, WhyView};
use crate::fixtures::at;

macro_rules! situation {
    ($name:literal) => {
        include_str!(concat!("../../tests/scenarios/why/", $name, ".toml"))
    };
}

fn why(text: &str, ms: i64, app: &str) -> WhyView {
    let mut player = Player::load(text).player.expect(text);
    player.seek(ms);
    player.why(&Selection::App(app.to_string()))
}

/// Returns the answers that lack their expected text or have the forbidden one.
fn wrong(rows: &[(&str, i64, &str, &str, &str)], told: impl Fn(&WhyView) -> String) -> Vec<String> {
    let check = |(text, ms, app, said, not): &(&str, i64, &str, &str, &str)| {
        let all = told(&why(text, *ms, app));
        (!all.contains(said) || all.contains(not)).then(|| format!("{app} at {ms}: {all}"))
    };
    rows.iter().filter_map(check).collect()
}

#[test]
fn the_first_sentence_names_what_decides() {
    let rows = [
        (
            situation!("surplus-hidden-by-dominant-share"),
            60_000,
            "train",
            "and preemption, which compares dominant shares, does not see it; both nodes are full",
            "was free",
        ),
        // The AM may not start with what is being freed, and did not with what was.
        (
            situation!("fair-kills-for-an-am-of-free-vcores"),
            100_000,
            "ml2",
            "from 1:45 on, in vain: **ml2** may not start and gets nothing of it.",
            "so far",
        ),
        (
            situation!("fair-kills-for-an-am-of-free-vcores"),
            120_000,
            "ml2",
            "Since 1:20 preemption has killed 2 containers for **ml2**, which has got nothing of it.",
            "in vain",
        ),
        (
            situation!("fair-kills-on-other-hosts"),
            150_000,
            "prod1",
            "for **prod1**; **dev1** has got such room",
            "which has got nothing",
        ),
        // One alternative of an OR is enough.
        (
            situation!("attribute-or-rack-full"),
            25_000,
            "srch",
            "**k1** has 0 MB free and **k2** has 2 GB free",
            "satisfies everything else",
        ),
        // A node's attributes decide before its state.
        (
            situation!("attribute-wanted-and-drained"),
            240_000,
            "search",
            "2 run idx and 2 have another disk, or none.",
            "are decommissioning",
        ),
        // A limit is shown with its present value, and the first of several that fails.
        (
            situation!("maximum-lowered-below-its-use"),
            120_000,
            "a1",
            "its maximum is 16 GB · 8 vcores; maximum-capacity was set",
            "more would pass",
        ),
        (
            situation!("parallel-apps-raised-then-am-limit"),
            62_000,
            "e3",
            "**e2** counts as running, and waits for its AM itself; eve runs 2 applications and may run 2",
            "runs 1 application",
        ),
        // The FifoScheduler ignores hosts.
        (situation!("fifo-ignores-strict-hosts"), 60_000, "st", "**b1** has 2 GB free", "not where it asked to be"),
        // The placement processor ignores queues.
        (
            situation!("processor-beyond-the-maximum"),
            28_000,
            "hb",
            "root.a uses 11 GB; 2 GB more would pass its maximum of 13107 MB; it goes into",
            "would take it",
        ),
        (
            situation!("processor-beyond-the-maximum"),
            31_500,
            "hb",
            "2 GB more would pass its maximum of 13107 MB; the batch proposes **n4**",
            "would take it",
        ),
        (
            situation!("small-containers-of-one-behind"),
            180_000,
            "u2",
            "**u3**, whose containers are smaller, was given 12 containers since 1:12.",
            "has gone first",
        ),
        // A lowered limit is shown with its former value.
        (
            situation!("user-limit-halved-by-a-new-leaf"),
            60_000,
            "ann",
            "The user limit of ann in root.home.ann was 8 GB until 0:30.",
            "0:30.0",
        ),
        // A leaf's maximum is checked for the first of its applications.
        (
            situation!("own-reservation-behind-the-first"),
            40_000,
            "j2",
            "; **j1** is tried first, and has nothing reserved to give up",
            "besides",
        ),
        (
            situation!("fair-weight-of-nothing"),
            60_000,
            "z1",
            "no share of memory and vcores (its weight is 0)",
            "besides",
        ),
        (
            situation!("fair-minimum-of-a-parent"),
            60_000,
            "f1",
            "(the minimum share of root.corp, 12 GB · 12 vcores, takes nothing back: only that of a leaf does)",
            "has killed",
        ),
        (
            situation!("owed-of-a-lent-label"),
            60_000,
            "o1",
            "uses 0 MB of the 12 GB of label lend that it is guaranteed",
            "12 GB that",
        ),
        (
            situation!("label-taken-away-by-a-refresh"),
            180_000,
            "b1",
            "root.b may not use label x; accessible-node-labels was set to nothing by the refresh at 1:00",
            "besides",
        ),
        (
            situation!("am-limit-then-behind-the-first"),
            30_000,
            "a2",
            "besides, root.p.a waits for **a1**, which comes first and needs 4 GB",
            "either way",
        ),
        (
            situation!("samza-standby-of-a-lost-host"),
            124_000,
            "join",
            "waits for 2 of 2 GB · 1 vcore; for 1 of them: **gate** and **n3** are not where it asked to be",
            "for 2 of them",
        ),
        (situation!("fair-move-refused-while-it-runs"), 50_000, "b1", "Its move to root.a was refused at", "waits for"),
        (
            situation!("silent-node-with-the-am"),
            120_000,
            "master",
            "YARN counts 2 of its containers on **n1**",
            "nothing of it waits",
        ),
    ];
    let wrong = wrong(&rows, |why| why.sentence.clone());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A queue that accepts no more applications says so, and since which refresh.
#[test]
fn a_stopped_queue_says_so() {
    let mut player = Player::load(situation!("max-applications-of-two")).player.expect("it plays");
    player.seek(100_000);
    let told = player.why(&Selection::Queue("root.b".to_string())).sentence;
    let stopped = " It is STOPPED and takes no more applications; state was set to STOPPED by the refresh at 1:20.";
    assert!(told.contains(stopped), "{told}");
}

/// A lasting cause applies also while the nodes were full.
#[test]
fn what_lasts_is_told_of_all_its_time() {
    let rows = [
        (situation!("label-without-a-share"), 180_000, "t3", "", "first"),
        (situation!("label-taken-away-by-a-refresh"), 180_000, "b1", "60000 label not allowed", "127000"),
    ];
    let line = |why: &WhyView| {
        let each = why.over_time.iter().map(|stretch| format!("{} {}", stretch.from_ms, stretch.text));
        each.collect::<Vec<_>>().join("; ")
    };
    let wrong = wrong(&rows, line);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A headline ends with a complete statement, and counts all rejected requests.
#[test]
fn headlines_end_where_a_statement_ends() {
    for (text, seconds, headline) in [
        (
            situation!("fair-parallel-apps-then-am-share"),
            360,
            "a3 AM has waited 6 min: ann runs 2 applications and may run 2 at a time.",
        ),
        (
            situation!("processor-rejects-again-and-again"),
            300,
            "zk failed: 10 containers of zk were rejected, the last at 0:49: the placement processor found no node in 3 attempts.",
        ),
    ] {
        assert_eq!(at(text, seconds).snapshot(None).headline, headline);
    }
}

#[test]
fn preemption_names_what_keeps_it_from_taking() {
    let rows = [(
        situation!("surplus-hidden-by-dominant-share"),
        60_000,
        "train",
        "**root.cpu** uses 27 GB and is to keep 18.75 GB, but the preemption round at 0:54 compares dominant shares",
        "free room",
    )];
    let wrong = wrong(&rows, |why| why.preemption.as_ref().map_or(String::new(), |told| told.sentence.clone()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn advice_is_what_was_found_to_help() {
    let rows = [
        // Others are admitted first with each increase.
        (situation!("max-applications-of-two"), 20, "c1", "root.a.maximum-applications = 4", "let in at 0:12"),
        // A node must have the requested attributes.
        (situation!("attribute-wanted-and-drained"), 240, "search", "One more node like s2", "All 8 are placed"),
        (
            situation!("fair-kills-for-an-am-of-free-vcores"),
            120,
            "ml1",
            "allowPreemptionFrom of root.bi = true",
            "1 of 3 is placed",
        ),
        // The scenario's own refresh does it a little later.
        (
            situation!("queue-opened-by-a-later-refresh"),
            115,
            "hr1",
            "root.corp.disable_preemption = false",
            "Set only at 1:55, it does not help: at 2:00 root.corp uses 27 GB; 1 GB more would pass its maximum of 28671 MB.",
        ),
        // No part of the free resources is enough.
        (
            situation!("fair-am-share-of-free-vcores"),
            60,
            "r2",
            "maxAMShare of root.rep = -1.0",
            "Placed at 0:20.666; without it never.",
        ),
        (situation!("slider-host-given-a-label"), 240, "kafka", "h2 without label x", "All 3 are placed by 4:00.5"),
        (
            situation!("within-a-queue-by-small-parts"),
            60,
            "hi",
            "yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.max-allowable-limit = 1.0",
            "All 5 are placed by 1:25",
        ),
    ];
    let mut wrong = Vec::new();
    for (text, seconds, app, change, effect) in rows {
        let help = at(text, seconds).why_with_help(&Selection::App(app.to_string())).help;
        let is_told = help.iter().any(|h| h.helps && h.change.starts_with(change) && h.effect.contains(effect));
        if !is_told {
            wrong.push(format!(
                "{app}: {change} in {:#?}",
                help.iter().map(|h| (&h.change, &h.effect)).collect::<Vec<_>>()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_said_of_nodes_is_so() {
    let rows = [
        // Nodes with the label exist, but are unhealthy.
        (
            situation!("nodes-of-a-label-are-sick"),
            90_000,
            "dbs",
            "no node with label ssd is there: **d1** has been unhealthy since 0:30.6",
            "no node has label",
        ),
        // Who reserved a full node does not matter.
        (situation!("fair-held-and-full"), 60_000, "n1", "all 3 nodes are full", "is held for"),
        // What it is owed, and who has it.
        (
            situation!("fair-held-and-full"),
            60_000,
            "n1",
            "its fair share is 8 GB, and preemption is off (no timeout); all 3 nodes are full; **l1** has 19 GB of 24 GB",
            "is held for",
        ),
        // Removing it from the blacklist would not be enough.
        (
            situation!("fifo-full-and-blacklisted"),
            30_000,
            "fix",
            "**w1** has 0 MB free and is blacklisted, **w2** and **w3** have 0 MB free; **etl** has 11 GB of 12 GB",
            "w1** is blacklisted",
        ),
        // Reserved resources are free on their nodes.
        (
            situation!("reserved-in-pieces"),
            60_000,
            "late",
            "the cluster has 11 GB free of 32 GB, but 10 GB is reserved (wide-5 on w1 and wide-5 on w2); the request needs 4 GB, \
             and no node has that much free",
            "only reserved",
        ),
        // The figures of its own queue, not of its former one.
        (
            situation!("am-limit-after-a-move"),
            80_000,
            "d2",
            "AMs of root.prod (p1 and p2) use 4 GB; 2 GB more would pass the limit of 5 GB",
            "use 1 GB",
        ),
        // Being no requested place lasts; being full does not.
        (
            situation!("strict-host-lost-and-another-full"),
            840_000,
            "kaf",
            "**h1**, **h3** and **h4** are not where it asked to be",
            "has 1 GB free",
        ),
        // It has what it is owed.
        (
            situation!("fair-has-its-share"),
            60_000,
            "d1",
            "**d1** uses 8 GB · 8 vcores, and its fair share is 8 GB; all 4 nodes are full",
            "preemption",
        ),
        (
            situation!("fair-shares-of-memory"),
            60_000,
            "b1",
            "its fair share is 48 GB, and shares go by memory alone, which is not what is lacking",
            "preemption is off",
        ),
        (
            situation!("fair-starved-of-its-minimum"),
            60_000,
            "p1",
            "root.prod counts as starved of its minimum share of 10 GB · 10 vcores from 1:39.5 on",
            "fairSharePreemptionTimeout",
        ),
        (
            situation!("fifo-masters-hold-all"),
            60_000,
            "q1",
            "both nodes are full; ApplicationMasters have 16 GB of 16 GB",
            "has gone first",
        ),
        // Who uses the one node that it may go to.
        (situation!("strict-host-full-of-one"), 60_000, "loc", "**fill** has 7 GB of 8 GB on **n2**", "full"),
        (
            situation!("mapping-overrides-the-queue"),
            30_000,
            "rush",
            "sends it to root.lo, though it asked for root.hi (queue-mappings-override.enable is true)",
            "it names",
        ),
        (
            situation!("samza-host-leaves"),
            70_000,
            "j1",
            "**n2**, where 1 container of it runs, has been decommissioning since 1:00 and leaves by 1:30.333: what runs there \
             then is killed.",
            "nothing runs there",
        ),
        (
            situation!("samza-lost-with-its-am"),
            90_000,
            "flow",
            "**flow** lost 3 containers with its AM, which was on **n2**, at 1:00.333.",
            "nothing of it waits",
        ),
        (
            situation!("refused-at-each-commit"),
            60_000,
            "sim",
            "root.a uses 16 vcores; 3 vcores more would pass its maximum of 18 vcores",
            "looked at next",
        ),
        // Only the queue gave it a lifetime.
        (
            situation!("lifetime-of-the-queue"),
            150_000,
            "long",
            "its lifetime of 2 min was over (maximum-application-lifetime of root.adhoc)",
            "waits",
        ),
        (situation!("holder-of-the-node-that-counts"), 60_000, "shop", "**bat** has 4 GB of 8 GB on **n2**", "full"),
        // Slider no longer wants it.
        (
            situation!("slider-request-left-over"),
            360_000,
            "st",
            "**st** runs 5 containers; nothing of it waits. **st** has all the mon that it wants: a request for 1 more is left over",
            "user limit",
        ),
        // Useless kills come before what the next one frees.
        (
            situation!("kills-in-circles-of-a-label"),
            180_000,
            "o1",
            "Preemption goes in circles: since 1:33 5 rounds have killed 5 containers of **root.gen**",
            "is to free",
        ),
        // The maximum shrank with the cluster.
        (
            situation!("root-above-a-shrunk-cluster"),
            180_000,
            "b1",
            "root uses 39 GB of its 36 GB",
            "root uses all of its",
        ),
    ];
    let wrong = wrong(&rows, |why| why.sentence.clone());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_drained_node_may_be_given_away_once_more_where_its_state_does_not_count() {
    let mut player = at(situation!("fifo-drained-node-gives-room"), 71);
    let sentence = player.why(&Selection::Node("L".to_string())).sentence;
    assert!(
        sentence.contains("its size follows what it runs") && !sentence.contains("gets nothing more"),
        "{sentence}"
    );
    player.seek(73_000);
    let log = player.events(&crate::EventFilter::default());
    assert!(log.iter().any(|e| e.name == "wide-2" && e.node == "L" && e.time_ms == 72_000), "it is given away");
}

#[test]
fn a_process_ends_on_a_node_that_got_sick() {
    let why = why(situation!("samza-host-gets-sick"), 300_000, "enrich");
    let of_one = why.facts.iter().find(|fact| fact.name == "container 1" && fact.value.contains("last host"));
    assert!(of_one.is_some_and(|fact| fact.value.starts_with("nowhere")), "{of_one:?}");
}

#[test]
fn who_is_let_in_by_a_change_and_stays_is_not_worse_off() {
    let text = situation!("refused-without-the-change");
    let help = at(text, 60).why_with_help(&Selection::App("j3".to_string())).help;
    let factor = help.iter().find(|h| h.change.starts_with("root.a.user-limit-factor"));
    assert!(factor.is_some_and(|h| h.worse.is_empty()), "{factor:#?}");
}

#[test]
fn nothing_is_tried_for_a_request_that_is_left_over() {
    let help = at(situation!("slider-request-left-over"), 360).why_with_help(&Selection::App("st".to_string())).help;
    assert!(help.is_empty(), "{help:#?}");
}

/// Returns the effect of the advice with this change for an application after so many seconds; "" if it is not offered.
fn advised(text: &str, (seconds, app): (i64, &str), change: &str) -> String {
    let help = at(text, seconds).why_with_help(&Selection::App(app.to_string())).help;
    help.into_iter().find(|h| h.change.contains(change)).map_or(String::new(), |h| h.effect)
}

#[test]
fn what_preemption_takes_sooner_or_more_often_is_a_harm() {
    let rows = [
        (
            situation!("kills-sooner-within-a-queue"),
            (100, "new"),
            "max_wait_before_kill",
            "14 containers instead of 20 at 1:40",
        ),
        (situation!("kills-again-and-again"), (65, "b1"), "max_wait_before_kill", "containers of **a1** instead of 36"),
    ];
    for (text, about, change, harm) in rows {
        let effect = advised(text, about, change);
        assert!(effect.contains(harm), "{change}: {effect}");
    }
}

#[test]
fn the_setting_that_is_wrong_is_among_the_advice() {
    let rows = [
        (
            situation!("one-container-a-heartbeat"),
            (15, "wide"),
            "multiple-assignments-enabled = true and per-node-heartbeat.maximum-offswitch-assignments = 10",
            "sooner",
        ),
        (situation!("blacklist-of-three"), (90, "spark"), "Without n2, n3 and n4 on the blacklist", "All 12"),
        (
            situation!("fair-minimum-and-preemption-off"),
            (60, "p1"),
            "minSharePreemptionTimeout of root.prod = 1",
            "0:56.25",
        ),
        (situation!("fair-fifo-queue"), (180, "second"), "schedulingPolicy of root.etl = fair", "Placed at 2:07"),
        (situation!("fair-shares-of-memory"), (60, "b1"), "defaultQueueSchedulingPolicy = drf", "by 1:52"),
        (situation!("kills-sooner-within-a-queue"), (240, "new2"), "minimum-user-limit-percent = 36", "4 of 6"),
    ];
    for (text, about, change, promise) in rows {
        let effect = advised(text, about, change);
        assert!(effect.contains(promise), "{change}: {effect}");
    }
}

#[test]
fn how_a_queue_came_beyond_its_maximum_is_told() {
    let player = at(situation!("moved-beyond-the-maximum"), 150);
    let sentence = player.why(&Selection::Queue("root.new".to_string())).sentence;
    assert!(
        sentence.contains("**o1** was moved into root.new at 2:00, which no maximum keeps from coming"),
        "{sentence}"
    );
}

/// What stopped something over time: the stretches with their words.
#[test]
fn a_stretch_ends_with_what_it_tells_of() {
    type Row = (&'static str, i64, &'static str, &'static [(i64, &'static str)]);
    let rows: [Row; 3] = [
        (situation!("parallel-then-am-share"), 62, "u4", &[(0, "too many applications"), (60_500, "AM share")]),
        (situation!("user-limit-then-full"), 120, "low", &[(5_000, "user at its limit"), (51_000, "no room")]),
        (
            situation!("headroom-of-another-request"),
            200,
            "t1",
            &[(20_000, "its AM: no headroom"), (132_000, "no room")],
        ),
    ];
    for (text, seconds, app, expected) in rows {
        let over_time = why(text, seconds * 1_000, app).over_time;
        let told: Vec<(i64, &str)> = over_time.iter().map(|s| (s.from_ms, s.text.as_str())).collect();
        assert_eq!(told, expected, "{app}");
    }
}

#[test]
fn who_is_dead_on_a_silent_node_loses_nothing_by_its_return() {
    let effect = advised(situation!("dead-on-a-silent-node"), (120, "t2"), "Bring g2 back");
    assert!(effect.contains("Nobody is worse off"), "{effect}");
}

/// The application fails despite these changes.
#[test]
fn what_an_application_does_not_outlive_is_no_help() {
    for change in ["node like b2", "Resize b1", "maximum-am-resource-percent"] {
        let effect = advised(situation!("shell-fails-after-ten-rejections"), (45, "es"), change);
        assert!(effect.is_empty(), "{change}: {effect}");
    }
}

#[test]
fn what_is_taken_back_sooner_is_a_harm() {
    let help = at(situation!("fair-share-of-ten-minutes"), 60).why_with_help(&Selection::App("b1".to_string())).help;
    let sooner = help.iter().find(|h| h.change.starts_with("fairSharePreemptionTimeout of root.b"));
    assert!(sooner.is_some_and(|h| h.effect.contains("**a1** keeps 17 of 22 containers on average")), "{sooner:#?}");
}

/// Returns the answer about something other than an application.
fn told(text: &str, ms: i64, about: &Selection) -> String {
    let mut player = Player::load(text).player.expect(text);
    player.seek(ms);
    player.why(about).sentence
}

#[test]
fn who_loses_something_is_told_it() {
    let rows = [
        (
            situation!("victim-of-preemption"),
            50_000,
            "old",
            "1 container of **old** is marked and is killed at 0:51 if it is still chosen then. **root.a** uses 15 GB, and 6553 MB \
             is guaranteed. **old** runs 14 containers; nothing of it waits.",
            "has taken",
        ),
        (
            situation!("fair-preempted-beyond-its-share"),
            40_000,
            "old",
            "1 container of **old** is marked and is killed at 0:45. The room that was chosen last was promised to **new**. \
             **root.a** uses 16 GB · 16 vcores, and its fair share is 8 GB.",
            "still chosen",
        ),
        (
            situation!("preempted-with-its-am"),
            120_000,
            "small5",
            "Preemption killed the AM of **small5** at 1:03. **small5** has waited 57 s for its AM",
            "is marked",
        ),
        (
            situation!("failed-and-its-room-taken"),
            60_000,
            "job",
            "1 container of **job** failed on **n1** at 0:40; **fill** was given the next one there, at 0:40.",
            "lost",
        ),
        (
            situation!("shell-lost-with-its-node"),
            90_000,
            "kv",
            "1 container of it was lost with its node, as its AM heard at 1:01: with a placement spec the distributed shell asks \
             for no other.",
            "nothing of it waits",
        ),
        (
            situation!("shell-preempted"),
            75_000,
            "old",
            "**old** runs 12 containers. 2 containers of it were preempted. YARN does not ask again for what has run once, and its \
             AM has not asked for them again. 1 container of **old** is marked",
            "nothing of it waits",
        ),
        (
            situation!("fair-killed-on-a-draining-node"),
            130_000,
            "second",
            "3 containers of **second** were killed on **n2** from 2:07 to 2:09, at once after each was placed: the size of a node \
             that is being decommissioned follows what it ran before, which left no room for them.",
            "Preemption",
        ),
        // Its decommissioning was cancelled before.
        (
            situation!("recommissioned-then-smaller"),
            120_000,
            "first",
            "3 containers of **first** were killed on **n2** at 1:35.5: the node was made smaller than what it ran.",
            "decommission",
        ),
        // Its state stops nothing, because it is full.
        (
            situation!("fair-killed-on-a-draining-node"),
            60_000,
            "second",
            "both nodes are full; **first** has 15 GB of 16 GB; **n2** has been decommissioning since 0:40 and leaves by 10:40.5: \
             its size follows what it runs",
            "n1 has",
        ),
        // None of its requests names the label.
        (
            situation!("default-label-of-the-queue"),
            60_000,
            "web",
            "the request needs 4 GB. **root.svc** gives label ssd to requests that name none (default-node-label-expression).",
            "no label",
        ),
        // By which limit, also after the end.
        (
            situation!("processor-beyond-the-maximum"),
            60_000,
            "hb",
            "The scheduler last refused a node that was proposed for it at 0:59: root.a uses 11 GB; 2 GB more would pass its \
             maximum of 13107 MB.",
            "would take it",
        ),
        // Its own priority beside that of the one that goes first.
        (
            situation!("priority-cut-to-nothing"),
            100_000,
            "b",
            "(submitted as: 1 before 2). It asked for priority 10; yarn.cluster.max-application-priority cuts it to 0.",
            "knows no priorities",
        ),
        (
            situation!("priority-under-fifo"),
            60_000,
            "b",
            "It asked for priority 10; the FifoScheduler knows no priorities of applications.",
            "cuts it",
        ),
    ];
    let wrong = wrong(&rows, |why| why.sentence.clone());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn queues_and_nodes_tell_what_their_applications_lose() {
    let queue = |path: &str| Selection::Queue(path.to_string());
    let rows = [
        (
            situation!("victim-of-preemption"),
            50_000,
            queue("root.a"),
            "**root.a** uses 15 GB; 6553 MB is guaranteed, 16 GB at most. 1 container of **old** is marked",
        ),
        (
            situation!("preempted-with-its-am"),
            120_000,
            queue("root.a"),
            "Preemption has taken 3 containers of **small1**, **small2** and **small3** at 1:03. Preemption killed the AMs of \
             **small4** and **small5** at 1:03.",
        ),
        (
            situation!("fair-preempted-beyond-its-share"),
            60_000,
            queue("root.a"),
            "Preemption has taken 1 container of **old** at 0:45. 3 containers of **old** are marked and are killed at 1:10.",
        ),
        (
            situation!("queue-that-works-in-a-label"),
            60_000,
            queue("root.ml"),
            "**root.ml** uses 2 GB outside labels; 4 GB is guaranteed there, 16 GB at most. ApplicationMasters hold 2 GB of it, \
             100 %; tasks hold 0 MB. Of label gpu it uses 15 GB; 16 GB is guaranteed there, 16 GB at most. 18 GB is asked for \
             there. ",
        ),
        (
            situation!("fair-killed-on-a-draining-node"),
            130_000,
            Selection::Node("n2".to_string()),
            "3 containers were killed there from 2:07 to 2:09, at once after each was placed",
        ),
    ];
    for (text, ms, about, said) in rows {
        let all = told(text, ms, &about);
        assert!(all.contains(said), "{about} at {ms}: {all}");
    }
}

#[test]
fn not_all_is_placed_where_a_shell_asks_for_no_other() {
    let run = at(situation!("shell-lost-with-its-node"), 90).snapshot(None).headline;
    assert!(run.contains("with a placement spec") && !run.contains("placed in"), "{run}");
    let run = at(situation!("shell-preempted"), 200).snapshot(None).headline;
    assert!(run.contains("were preempted") && !run.contains("placed in"), "{run}");
}

#[test]
fn the_label_that_a_queue_gives_may_be_taken_off() {
    let help = at(situation!("default-label-of-the-queue"), 60).why_with_help(&Selection::App("web".to_string())).help;
    let off = help.iter().find(|h| h.change == "root.svc.default-node-label-expression empty");
    assert!(off.is_some_and(|h| h.effect.contains("All 3 are placed")), "{help:#?}");
}

#[test]
fn the_priority_that_the_cluster_cuts_is_raised_there() {
    let help = at(situation!("priority-cut-to-nothing"), 60).why_with_help(&Selection::App("b".to_string())).help;
    let raised = help.iter().find(|h| h.change == "yarn.cluster.max-application-priority = 10");
    assert!(raised.is_some_and(|h| h.effect.contains("Placed at 1:37; without it never")), "{help:#?}");
}

/// Returns what stopped something in each stretch of its time.
fn over_time(text: &str, ms: i64, app: &str) -> Vec<String> {
    why(text, ms, app).over_time.into_iter().map(|stretch| stretch.text).collect()
}

#[test]
fn the_time_line_tells_what_decides() {
    // Its own reservation alone reaches the maximum.
    assert_eq!(over_time(situation!("own-reservation-reaches-the-maximum"), 60_000, "job"), ["no room"]);
    // Whoever is served, no node is large enough for it.
    let large = over_time(situation!("am-that-fits-in-no-node"), 840_000, "large");
    assert_eq!(large, ["no room", "nodes too small and nodes away", "nodes too small"]);
}
