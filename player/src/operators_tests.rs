//! Situations reported by operators: the first thing said about each, what happened when, and which advice helps.

use crate::explain::view::{Selection, WhyView};
use crate::fixtures::at;

macro_rules! situation {
    ($name:literal) => {
        include_str!(concat!("../../tests/scenarios/why/", $name, ".toml"))
    };
}

fn why(text: &str, ms: i64, about: &Selection) -> WhyView {
    let mut player = at(text, 0);
    player.seek(ms);
    player.why(about)
}

fn app(name: &str) -> Selection {
    Selection::App(name.to_string())
}

#[test]
fn the_answer_says_what_an_operator_needs_first() {
    let of_app = |name: &str| app(name);
    let rows: &[(&str, i64, Selection, &str)] = &[
        (
            situation!("four-rejected-at-once"),
            31_500,
            of_app("kv"),
            "4 containers of **kv** were rejected, the last at 0:30",
        ),
        (
            situation!("four-rejected-at-once"),
            30_000,
            of_app("kv"),
            "The requests of **kv-2**, **kv-4**, **kv-5** and 1 more",
        ),
        (situation!("fifo-drops-gpus"), 40_000, of_app("train"), "**train** asks for 2 gpu and is given none"),
        (situation!("attribute-excluded"), 60_000, of_app("bpf"), "of 6 nodes, 4 have the kernel that it excludes"),
        (
            situation!("slider-label-never-with-hosts"),
            100_000,
            of_app("hbase1"),
            "waits for 1 of 5 GB · 1 vcore: a label is never sent with hosts",
        ),
        (
            situation!("locality-delay-by-name"),
            20_700,
            of_app("wordcount"),
            "6 are kept from it by the locality delay until 9 chances are missed",
        ),
        (
            situation!("parent-stopped-by-refresh"),
            90_000,
            of_app("nightly"),
            "root.dept.y is STOPPED and takes no applications, and root.dept above it does not run either",
        ),
        (
            situation!("tag-of-another-application"),
            60_000,
            of_app("scan"),
            "**w1** and **w2** have no hbase of this application, **w3** has no hbase",
        ),
        (
            situation!("attribute-kept"),
            120_000,
            Selection::Node("b1".into()),
            "At 1:10 os=el8 was ignored: it keeps os=el7",
        ),
        (
            situation!("fair-masters-fill-their-queue"),
            60_000,
            of_app("nb1"),
            "of it in ApplicationMasters; 2 GB more would pass its maximum",
        ),
        (
            situation!("service-am-waits-for-handover"),
            200_000,
            of_app("pay"),
            "1 instance of **gw** was not handed to the new AM: it waits for its container until 4:04.75",
        ),
        (
            situation!("three-types-too-large"),
            60_000,
            of_app("llm"),
            "8 GB is the most that may be asked for; besides, it asks for 8 vcores · 8 gpu, and 4 vcores · 4 gpu is the most",
        ),
        (
            situation!("headroom-by-the-parent"),
            60_000,
            of_app("y1"),
            "root.p uses 19 GB; 1 GB more would pass its maximum of 19660 MB",
        ),
        (
            situation!("fair-first-only-since-above-its-share"),
            150_000,
            of_app("sparkml"),
            "**maps** has gone first since 1:47 and was given 6 containers",
        ),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(text, ms, about, said)| {
            let sentence = why(text, *ms, about).sentence;
            (!sentence.contains(said)).then(|| format!("{about} at {ms}: {said:?} is not in {sentence:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_a_label_lends_has_no_cap_but_the_label() {
    let why = why(situation!("lent-label-user-cap"), 40_000, &app("g1"));
    let formulas: Vec<&String> = why.limits.iter().flat_map(|limit| &limit.formula).collect();
    assert!(formulas.iter().any(|line| line.starts_with("at most all of label lend, 16 GB")), "{formulas:?}");
    assert!(!formulas.iter().any(|line| line.contains("by now it would be")), "{formulas:?}");
}

/// A finished stretch has the same words whenever it is asked for.
#[test]
fn a_stretch_is_told_alike_at_every_later_moment() {
    let told = |seconds: i64| {
        let stretches = why(situation!("capacities-swapped-then-maximum"), seconds * 1_000, &app("close")).over_time;
        let each = stretches.into_iter().map(|s| format!("{} from {}", s.text, s.from_ms / 2_000));
        each.collect::<Vec<_>>()
    };
    let last = told(200);
    assert_eq!(last, ["it was served from 7", "no room from 8", "queue at its limit from 47"]);
    for seconds in [100, 130, 150] {
        assert_eq!(told(seconds).last(), last.last(), "at {seconds} s");
    }
    let node = why(situation!("fair-am-share-node-taken-back"), 240_000, &app("ide3")).over_time;
    let happened: Vec<String> = node.into_iter().flat_map(|s| s.happened).collect();
    assert!(happened.contains(&"n4 was draining from 1:00 on".to_string()), "{happened:?}");
    assert!(happened.contains(&"ide1 ended at 1:20".to_string()), "{happened:?}");
}

#[test]
fn advice_is_what_an_operator_would_do() {
    let rows: [(&str, (i64, &str), &str, &str); 9] = [
        (
            situation!("service-forgets-a-preempted-instance"),
            (400, "idx"),
            "Flex node of idx to 5",
            "Placed at 6:40; without it never.",
        ),
        (
            situation!("gpu-maximum-at-commit"),
            (60, "llm"),
            "root.research.maximum-capacity = [memory=98304,vcores=96,yarn.io/gpu=5]",
            "Set only at 1:00: all 5 are placed by 1:00.333.",
        ),
        (
            situation!("fair-ordering-late-comers"),
            (55, "crawl"),
            "root.ana.ordering-policy = fifo",
            "Set only at 0:55: all 60 are placed by 2:13.",
        ),
        (
            situation!("fair-am-share-node-taken-back"),
            (30, "ide3"),
            "maxAMShare of root.dev = 0.19",
            "Set only at 0:30: placed at 3:00.",
        ),
        (
            situation!("gpus-node-that-starves-another"),
            (50, "bert"),
            "One more node (16 GB · 16 vcores · 2 gpu)",
            "But **hot** gets 0 of 4 containers.",
        ),
        (
            situation!("maximum-raised-now"),
            (90, "close"),
            "root.fin.maximum-capacity = 100, set at 1:30",
            "Placed at 1:30, 1 min 38 s sooner.",
        ),
        (
            situation!("fair-assignmultiple-off"),
            (20, "wide"),
            "yarn.scheduler.fair.assignmultiple = true",
            "All 50 are placed by 0:08, 22 s sooner.",
        ),
        (situation!("fair-masters-fill-their-queue"), (60, "nb1"), "maxAMShare of root.nb = 0.5", "Set only at 1:00"),
        (situation!("parent-stopped-by-refresh"), (90, "nightly"), "root.dept.state = RUNNING", "let in at 1:00"),
    ];
    let mut wrong = Vec::new();
    for (text, (seconds, name), change, effect) in rows {
        let help = at(text, seconds).why_with_help(&app(name)).help;
        if !help.iter().any(|h| h.change.contains(change) && h.effect.contains(effect)) {
            let told: Vec<String> = help.iter().map(|h| format!("{}: {}", h.change, h.effect)).collect();
            wrong.push(format!("{name}: {change}: {effect} is not in {told:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
