//! Situations in which the answer once led an operator astray: what is told, what is not, and which advice is given.

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

/// What is wrong in the answers of situations: each has to contain one text, and not another.
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
        // The AM may not start with what is to be freed, nor did it with what was.
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
        // What a node is decides before what it does.
        (
            situation!("attribute-wanted-and-drained"),
            240_000,
            "search",
            "2 have another disk, or none",
            "decommissioning",
        ),
    ];
    let wrong = wrong(&rows, |why| why.sentence.clone());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
        // Others are let in first by what it is raised by.
        (situation!("max-applications-of-two"), 20, "c1", "root.a.maximum-applications = 4", "let in at 0:12"),
        // A node has to have the attributes that are wanted.
        (situation!("attribute-wanted-and-drained"), 240, "search", "One more node like s2", "All 8 are placed"),
        (
            situation!("fair-kills-for-an-am-of-free-vcores"),
            120,
            "ml1",
            "allowPreemptionFrom of root.bi = true",
            "1 of 3 is placed",
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
