//! Scenarios without their names: they can be read and decide alike, nothing of a name is left in what is passed on, and the
//! names come back. Over the gallery, the samples, situations that are asked about, traces and random scenarios.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use corpus::{Played, gallery, random, samples, script, situations, traces};
use heddle_core::model::Severity;
use heddle_core::scenario::anonymise::{Anonymised, anonymise, with_names};
use heddle_core::scenario::{Scenario, read};
use heddle_player::Player;

/// Scenarios whose runs are others without their names, each with the reason.
const OTHERWISE: &[(&str, &str)] = &[];

fn all() -> Vec<Played> {
    let fair = (0..60).map(|seed| (format!("random fair scenario {seed}"), script::fair(seed)));
    [gallery(), samples(), situations(), traces(3, 8), random(60), fair.collect()].concat()
}

fn without_names(name: &str, text: &str) -> Option<Anonymised> {
    match anonymise(text) {
        Ok(anonymised) => Some(anonymised),
        Err(_) => {
            assert!(read(text).scenario.is_none(), "{name}: it can be read");
            None
        }
    }
}

/// Everything of a scenario that can be compared: how many there are of each, and all figures.
fn shape(s: &Scenario) -> String {
    let nodes: Vec<_> =
        s.nodes.iter().map(|n| (n.spec.total, n.attributes.len(), n.at, n.spec.label.is_some())).collect();
    let apps: Vec<_> = s.apps.iter().map(|a| (a.at, a.priority, a.tags.len(), a.am.size, a.kind.parts())).collect();
    format!("{nodes:?} {apps:?} {} {}", s.happenings.len(), s.expectations.len())
}

/// What has a name in a scenario.
fn names(s: &Scenario) -> Vec<&str> {
    let nodes = s.nodes.iter().flat_map(|n| [n.spec.host.as_str(), n.spec.rack.as_str()]);
    let apps = s.apps.iter().flat_map(|a| [a.name.as_str(), a.user.as_str(), a.queue.as_str()]);
    let properties = s.settings.capacity_scheduler.keys().map(String::as_str).filter(|key| key.contains(".root."));
    nodes.chain(apps).chain(properties.filter(|key| key.ends_with(".capacity"))).collect()
}

fn errors(read: &heddle_core::scenario::Read) -> Vec<String> {
    read.problems.iter().map(|p| p.what.clone()).collect()
}

fn warnings(read: &heddle_core::scenario::Read) -> usize {
    read.problems.iter().filter(|p| p.severity != Severity::Note).count()
}

/// What is wrong with a scenario without its names.
fn faults(name: &str, text: &str, without: &Anonymised) -> Vec<String> {
    let (before, after) = (read(text), read(&without.text));
    let Some(scenario) = &after.scenario else { return vec![format!("cannot be read: {:#?}", errors(&after))] };
    let mut out = Vec::new();
    let old = before.scenario.as_ref().expect("it was read");
    if shape(old) != shape(scenario) {
        out.push(format!("another shape: {} {}", shape(old), shape(scenario)));
    }
    if warnings(&before) < warnings(&after) {
        out.push(format!("{:#?} instead of {:#?}", errors(&after), errors(&before)));
    }
    if let Some(back) = with_names(&without.text, &without.names) {
        let named = read(&back);
        if named.scenario.as_ref().map(names) != before.scenario.as_ref().map(names) {
            out.push(format!("other names come back: {:?}", named.scenario.as_ref().map(names)));
        }
    } else {
        out.push("names do not come back".into());
    }
    let run = |text: &str| {
        let mut player = Player::load(text).player?;
        player.run_to_end();
        Some((player.fingerprint(), player.position()))
    };
    let (was, is) = (run(text), run(&without.text));
    if was != is && !OTHERWISE.iter().any(|(other, _)| *other == name) {
        out.push(format!("another run: {was:?} {is:?} {:?}", without.remarks));
    }
    out
}

/// Words of the format of which a name is a part, or with which it is one.
const FORMAT: [&str; 14] = [
    "because",
    "heartbeat",
    "cheapest",
    "fair",
    "allocation",
    "application",
    "app",
    "memory",
    "question",
    "vcores",
    "node",
    "label",
    "job",
    "yarn",
];

/// What still stands of names of three characters and more in a text, but as a part of a word of the format.
fn left(without: &Anonymised) -> Vec<&str> {
    let text = without.text.to_lowercase();
    let names = without.names.iter().map(|(old, _)| old.split('{').next().unwrap_or_default());
    let stands = |name: &&str| {
        text.match_indices(&name.to_lowercase()).any(|(at, found)| {
            let around = |c: &char| c.is_alphanumeric();
            let before = text[..at].chars().rev().take_while(around).count();
            let after = text[at + found.len()..].chars().take_while(around).count();
            let word = &text[at - before..at + found.len() + after];
            !FORMAT.iter().any(|format| word.contains(format))
        })
    };
    names.filter(|name| name.chars().count() >= 3).filter(stands).collect()
}

#[test]
fn runs_are_alike_and_no_name_is_left() {
    let (mut all_of_them, mut differ, mut standing, mut lossy) = (0, Vec::new(), Vec::new(), Vec::new());
    for (name, text) in all() {
        let Some(without) = without_names(&name, &text) else { continue };
        all_of_them += 1;
        let faults = faults(&name, &text, &without);
        if !faults.is_empty() {
            if std::env::var("HEDDLE_SHOW").is_ok_and(|wanted| name.contains(&wanted)) {
                println!("{name}\n{}", without.text);
            }
            differ.push(format!("{name}: {}", faults.join("; ")));
        }
        let left = left(&without);
        if !left.is_empty() {
            standing.push(format!("{name}: {left:?}"));
        }
        if !without.remarks.is_empty() {
            lossy.push(format!("{name}: {:?}", without.remarks));
        }
    }
    let told = |what: &str, list: &[String]| println!("{what}: {} of {all_of_them}\n{}", list.len(), list.join("\n"));
    told("Left", &standing);
    told("Not kept", &lossy);
    told("Otherwise", &differ);
    assert!(differ.is_empty());
}
