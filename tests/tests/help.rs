//! Each advice is true: the text that it carries is run, and everything it promises is counted anew, over the gallery and
//! over random scenarios (`random/script.rs`). What it names exists.
#![cfg(not(target_arch = "wasm32"))]
#[path = "random/script.rs"]
#[allow(dead_code)] // not all of it is asked for
mod script;

use heddle_core::config::properties;
use heddle_player::Player;
use heddle_player::explain::view::{HelpView, Selection};
use std::ops::Range;

const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));
/// Less than this later is the same.
const SAME_MS: i64 = 1_000;
/// Moments at which everybody's containers are counted.
const SAMPLES: i64 = 24;

fn seeds(usual: u64) -> Range<u64> {
    let given = std::env::var("HEDDLE_SEEDS").unwrap_or_default();
    match given.split_once("..") {
        Some((from, to)) => from.parse().expect("a number")..to.parse().expect("a number"),
        None => 0..usual,
    }
}

fn load(name: &str, text: &str) -> Player {
    let mut player = Player::load(text).player.unwrap_or_else(|| panic!("{name} does not load:\n{text}"));
    player.run_to_end();
    player
}

/// Whose containers are counted.
#[derive(Clone, Copy)]
enum Whose<'a> {
    /// Of a request; "0/-1" and the like.
    Request(&'a str, &'a str, bool),
    /// Of an application, AMs not counted.
    App(&'a str),
}

/// Containers that were ever given up to the player's moment, those included that the AM has not heard of.
fn given(player: &Player, whose: Whose<'_>) -> i64 {
    let sim = player.simulation();
    let name = match whose {
        Whose::Request(app, ..) | Whose::App(app) => app,
    };
    let place = player.scenario().apps.iter().position(|a| a.name == name).expect("it is there");
    let run = &sim.apps()[place];
    let counts = |key: Option<String>, am: bool| match whose {
        Whose::Request(_, wanted, wanted_am) => am == wanted_am && (am || key.as_deref() == Some(wanted)),
        Whose::App(_) => !am,
    };
    let heard = run.containers.iter().filter(|c| counts(c.key.map(|k| k.to_string()), c.am)).count();
    let cluster = sim.rm().cluster();
    let granted = run.id.and_then(|id| sim.rm().scheduled(id)).map_or(0, |a| {
        let new = a.granted.iter().map(|slot| cluster.containers.at(*slot));
        new.filter(|c| !c.am && counts(Some(c.key.to_string()), false)).count()
    });
    (heard + granted) as i64
}

fn given_at(player: &mut Player, at: i64, whose: Whose<'_>) -> i64 {
    player.seek(at);
    given(player, whose)
}

/// Every property that an advice names is one of the table's.
fn names_what_exists(name: &str, help: &HelpView) {
    for part in help.change.split(", ").flat_map(|p| p.split(" and ")) {
        let Some((left, _)) = part.split_once(" = ") else { continue };
        if left.starts_with("relaxLocality") || left.contains(" of ") {
            continue;
        }
        let key = if left.starts_with("yarn.") { left.to_string() } else { format!("{}{left}", properties::PREFIX) };
        let found = properties::find(&key, &|_| false);
        assert!(found.is_some(), "{name}: {left} is no property ({})", help.change);
    }
}

/// Counts what one advice promises.
fn holds(name: &str, before: &mut Player, about: (&str, &str, bool), help: &HelpView, end: i64) {
    let Some(text) = &help.scenario else { return };
    let whose = Whose::Request(about.0, about.1, about.2);
    let p = &help.promise;
    let what = format!("{name}, {} {}: {help:?}", about.0, about.1);
    let mut after = load(name, text);
    // With preemption what is given may be taken back: a promise counts what is kept, and that is not counted here yet.
    let preempts = |p: &Player| {
        let rm = p.simulation().rm();
        rm.preemption_monitor().is_some() || rm.fair().is_some_and(|s| s.conf().preemption.on)
    };
    if preempts(before) || preempts(&after) {
        return;
    }
    let end = p.known_ms.unwrap_or(end.max(after.progress().known_ms));
    let cap = |n: i64| n.min(p.of);
    assert_eq!(cap(given_at(before, p.at_ms, whose)), p.at.0, "at the moment without it: {what}");
    assert_eq!(cap(given_at(&mut after, p.at_ms, whose)), p.at.1, "at the moment with it: {what}");
    assert_eq!(cap(given_at(before, end, whose)), p.end.0, "in the end without it: {what}");
    assert_eq!(cap(given_at(&mut after, end, whose)), p.end.1, "in the end with it: {what}");
    for (player, all) in [(before as &mut Player, p.all_ms.0), (&mut after, p.all_ms.1)] {
        if let Some(at) = all {
            assert!(given_at(player, at, whose) >= p.of, "all of them at {at}: {what}");
            assert!(given_at(player, at - 1, whose) < p.of, "not all of them before {at}: {what}");
        }
    }
    assert_eq!(p.all_ms.1.is_some(), p.end.1 >= p.of, "{what}");
    if !help.helps {
        return;
    }
    let more = p.end.1 > p.end.0;
    let sooner = || match p.all_ms {
        (Some(b), Some(a)) => b - a >= SAME_MS,
        _ => p.end.1 == p.end.0 && p.end.1 > 0,
    };
    assert!(more || sooner(), "it helps: {what}");
    // Who is told to be worse off is, by these figures; and nobody else is.
    for worse in &help.worse {
        assert!(help.effect.contains(&worse.text) || help.worse.len() > 3, "{what}");
        if worse.app != about.0 {
            let whose = Whose::App(&worse.app);
            let at = (given_at(before, p.at_ms, whose), given_at(&mut after, p.at_ms, whose));
            let last = (given_at(before, end, whose), given_at(&mut after, end, whose));
            assert_eq!((at, last), (worse.at, worse.end), "{} is worse off: {what}", worse.app);
        }
    }
    let others: Vec<String> = before.scenario().apps.iter().map(|a| a.name.clone()).collect();
    for i in 1..=SAMPLES {
        let at = end * i / SAMPLES;
        before.seek(at);
        after.seek((at + SAME_MS).min(end));
        for other in others.iter().filter(|o| *o != about.0 && help.worse.iter().all(|w| w.app != **o)) {
            let (had, has) = (given(before, Whose::App(other)), given(&after, Whose::App(other)));
            assert!(has >= had, "{other} has {has} a second after {at} ms, and {had} at it without: {what}");
        }
    }
}

/// The advice for what waits longest at a moment; how much of it there was that helps.
fn all_hold(name: &str, text: &str, at: i64, most: usize) -> usize {
    let mut player = load(name, text);
    let end = player.scenario().until.unwrap_or(0).max(player.progress().known_ms);
    player.seek(at);
    let waiting = player.snapshot(None).waiting;
    let mut helping = 0;
    for w in waiting.iter().take(most) {
        player.seek(at);
        let Selection::Request { app, key } = &w.id else { continue };
        let am = w.name.ends_with(" AM");
        let why = player.why_with_help(&w.id);
        assert!(!why.help.is_empty(), "{name}: nothing is told of {}", w.id);
        for help in &why.help {
            names_what_exists(name, help);
            holds(name, &mut player, (app, key, am), help, end);
            helping += usize::from(help.helps && help.scenario.is_some());
        }
    }
    helping
}

#[test]
fn each_advice_of_the_gallery_is_true() {
    let mut helping = 0;
    for (name, text) in GALLERY {
        let start = Player::load(text).player.expect(name).scenario().start_at;
        helping += all_hold(name, text, start, 2);
    }
    assert!(helping >= 60, "advice is given at all: {helping}");
}

#[test]
fn each_advice_by_chance_is_true() {
    let (seeds, mut helping) = (seeds(30), 0);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let text = script::scenario(seed);
        helping += all_hold(&format!("scenario {seed}"), &text, 30_000, 2);
    }
    assert!(helping as u64 >= count, "advice is given at all: {helping}");
}

#[test]
fn each_advice_by_chance_under_the_fair_scheduler_is_true() {
    let (seeds, mut helping) = (seeds(12), 0);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let text = script::fair(seed);
        helping += all_hold(&format!("fair {seed}"), &text, 30_000, 2);
    }
    assert!(helping as u64 * 4 >= count, "advice is given at all: {helping}");
}
