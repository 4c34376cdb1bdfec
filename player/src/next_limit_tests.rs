//! What would stop a request next if its limit were lifted: under each scheduler, for AMs and ordinary requests, in the
//! sentence, in the chain and beside advice that does not help.

use crate::explain::view::{Selection, WhyView};
use crate::fixtures::at;

macro_rules! situation {
    ($name:literal) => {
        include_str!(concat!("../../tests/scenarios/why/", $name, ".toml"))
    };
}

/// A scenario, a moment in seconds and an application, with the check that stops it, the extra words of the sentence, and the
/// next check and its figures in the chain; empty if nothing else stops it.
type Case = (&'static str, i64, &'static str, &'static str, &'static str, (&'static str, &'static str));

const CASES: &[Case] = &[
    // ---- CapacityScheduler: AMs
    (
        situation!("am-limit-and-maximum"),
        60,
        "two",
        "QueueAmLimit",
        "; besides, root.a uses all of its maximum of 10 GB.",
        ("QueueLimit", "10 ≥ 10"),
    ),
    (
        situation!("moved-into-a-full-queue"),
        100,
        "x",
        "QueueAmLimit",
        "; besides, root.b uses all of its maximum of 16 GB.",
        ("QueueLimit", "16 ≥ 16"),
    ),
    (
        situation!("parallel-limit-of-the-parent"),
        120,
        "y2",
        "QueueParallelApps",
        "; besides, AMs of root.p.y (y1) use 2 GB; 3 GB more would pass the limit of 4 GB.",
        ("QueueAmLimit", "2 + 3 > 4"),
    ),
    // Reserved resources count as used, though their nodes have room.
    (
        situation!("am-limit-of-a-label-reserved"),
        100,
        "b2",
        "QueueAmLimit",
        "; besides, the nodes of label x have 3 GB free of 16 GB, but 3 GB is reserved",
        ("Headroom", "2 > 0"),
    ),
    // ---- CapacityScheduler: ordinary requests
    (
        situation!("maximum-and-user-limit"),
        60,
        "old",
        "QueueLimit",
        "; besides, ann uses 10 GB in root.a; the user limit is 6 GB",
        ("UserLimit", "10 > 6"),
    ),
    // It comes behind another application, and its user is at the limit too.
    (
        situation!("behind-the-first-and-the-user-limit"),
        40,
        "e3",
        "LeafHeadroom",
        "; besides, ann uses 17 GB in root.etl; the user limit is 16 GB.",
        ("UserLimit", "17 > 16"),
    ),
    // An application at no other limit.
    (situation!("maximum-and-user-limit"), 60, "new", "QueueLimit", "", ("", "")),
    // ---- FairScheduler: AMs
    (
        situation!("fair-am-share-and-maximum"),
        180,
        "y2",
        "AmShare",
        "; besides, root.dept.y uses 6 GB · 6 vcores; 1 GB · 1 vcore more would pass its maximum of 6 GB · 6 vcores \
         (maxResources), and all 3 nodes are full.",
        ("MaxShare", "6 + 1 > 6"),
    ),
    (
        situation!("fair-am-share-and-maximum-of-the-parent"),
        34,
        "x2",
        "AmShare",
        "; besides, root.p uses 12 vcores; 2 vcores more would pass its maximum of 12 vcores (maxResources).",
        ("MaxShare", "12 + 2 > 12"),
    ),
    (
        situation!("fair-child-maximum"),
        20,
        "b2",
        "QueueParallelApps",
        "; besides, root.etl.bob uses 6 GB · 6 vcores; 1 GB · 1 vcore more would pass its maximum of 6 GB · 6 vcores \
         (maxChildResources of root.etl)",
        ("MaxShare", "6 + 1 > 6"),
    ),
    // ---- FairScheduler: ordinary requests
    (
        situation!("fair-maximum-of-leaf-and-parent"),
        60,
        "etl",
        "MaxShare",
        "; besides, root.dept uses 8 GB; 1 GB more would pass its maximum of 8 GB (maxResources)",
        ("MaxShare", "8 + 1 > 8"),
    ),
    (situation!("fair-maximum-of-leaf-and-parent"), 60, "ads", "MaxShare", "", ("", "")),
    // ---- FifoScheduler: it has no limits but the nodes
    (situation!("fifo-first-takes-all"), 60, "last", "", "", ("", "")),
];

fn of(text: &str, seconds: i64, app: &str) -> WhyView {
    at(text, seconds).why(&Selection::App(app.to_string()))
}

#[test]
fn the_next_limit_is_told_besides_and_has_its_figures_in_the_chain() {
    for (text, seconds, app, check, besides, (next, figures)) in CASES {
        let why = of(text, *seconds, app);
        let stop = why.limits.iter().find(|l| l.reached && !l.passes).map_or("", |l| &l.check);
        assert_eq!(stop, *check, "{app}: {:#?}", why.limits);
        let would: Vec<_> = why.limits.iter().filter(|l| l.text.starts_with("would stop it too")).collect();
        match besides.is_empty() {
            true => {
                assert!(!why.sentence.contains("besides, "), "{app}: {}", why.sentence);
                assert!(would.is_empty(), "{app}: {would:?}");
            }
            false => {
                assert!(why.sentence.contains(besides), "{app}: {}", why.sentence);
                let [link] = would.as_slice() else { panic!("{app}: {:#?}", why.limits) };
                assert!(!link.reached && !link.passes, "{app}: {link:?}");
                assert_eq!((link.check.as_str(), &*link.text), (*next, &*format!("would stop it too, {figures}")));
                // Links that were not reached come after those that were.
                let first = why.limits.iter().position(|l| !l.reached).expect("some were not reached");
                assert!(why.limits[first..].iter().all(|l| !l.reached), "{app}: {:#?}", why.limits);
            }
        }
    }
}

/// Advice that lifts the limit and does not help says what stops the request then.
#[test]
fn an_advice_that_does_not_help_says_what_stops_it_next() {
    for (text, seconds, app, change, effect) in [
        (
            situation!("am-limit-and-maximum"),
            60,
            "two",
            "maximum-am-resource-percent = 1",
            "It is not placed either way: at 1:00 root.a uses all of its maximum of 10 GB.",
        ),
        (
            situation!("moved-into-a-full-queue"),
            100,
            "x",
            "maximum-am-resource-percent = 0.22",
            "Set only at 1:40, it does not help: at 1:45 root.b uses all of its maximum of 16 GB.",
        ),
        (
            situation!("fair-am-share-and-maximum-of-the-parent"),
            34,
            "x2",
            "maxAMShare of root.p.x = 1",
            "no sooner than without it: at 0:34 root.p uses 12 vcores; 2 vcores more would pass its maximum of 12 vcores",
        ),
        (
            situation!("fair-child-maximum"),
            20,
            "b2",
            "maxRunningApps of root.etl = 3",
            "it does not help: at 0:25 root.etl.bob uses 6 GB",
        ),
    ] {
        let why = at(text, seconds).why_with_help(&Selection::App(app.to_string()));
        let told = why.help.iter().find(|help| help.change == change).unwrap_or_else(|| panic!("{:#?}", why.help));
        assert!(told.effect.contains(effect), "{app}: {}", told.effect);
    }
}
