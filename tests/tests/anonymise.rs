//! Scenarios without their names can be read and have the same decisions, nothing of a name is left in what is shared, and
//! the names come back. Tested on the gallery, the samples, situations, traces and random scenarios.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use corpus::{Played, gallery, random, samples, script, situations, traces};
use heddle_core::model::Severity;
use heddle_core::scenario::anonymise::{Anonymised, anonymise, with_names};
use heddle_core::scenario::{Scenario, read};
use heddle_player::Player;

/// The message if not all buckets of Java's maps could be kept, which is the only reason for another run.
const SAID: &str = "in another order";
/// The most scenarios whose runs differ; nearly all are random ones of the FairScheduler, whose queues have the same names
/// under several parents.
const OTHERWISE: usize = 12;

fn all() -> Vec<Played> {
    let fair = (0..25).map(|seed| (format!("random fair scenario {seed}"), script::fair(seed)));
    [gallery(), samples(), situations(), traces(1, 40), random(25), fair.collect()].concat()
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

/// Returns everything of a scenario that can be compared: all counts and all figures.
fn shape(s: &Scenario) -> String {
    let nodes: Vec<_> =
        s.nodes.iter().map(|n| (n.spec.total, n.attributes.len(), n.at, n.spec.label.is_some())).collect();
    let apps: Vec<_> = s.apps.iter().map(|a| (a.at, a.priority, a.tags.len(), a.am.size, a.kind.parts())).collect();
    format!("{nodes:?} {apps:?} {} {}", s.happenings.len(), s.expectations.len())
}

/// Returns all names in a scenario.
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

/// Returns what is wrong with a scenario without its names.
fn faults(text: &str, without: &Anonymised, otherwise: &mut usize) -> Vec<String> {
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
    if was != is && !without.remarks.iter().any(|remark| remark.contains(SAID)) {
        out.push(format!("another run: {was:?} {is:?} {:?}", without.remarks));
    }
    *otherwise += usize::from(was != is);
    out
}

/// Words of the format that are also names in some scenario.
const FORMAT: [&str; 12] =
    ["all", "app", "cheapest", "cores", "fair", "gpu", "job", "memory", "node", "question", "true", "yarn"];

/// Returns names of three or more characters that are still words of a text and do not belong to the format.
fn left(without: &Anonymised) -> Vec<&str> {
    let text = without.text.to_lowercase();
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let stands = |name: &&str| {
        text.match_indices(&name.to_lowercase()).any(|(at, found)| {
            !is_part(text[..at].chars().next_back()) && !is_part(text[at + found.len()..].chars().next())
        })
    };
    let names = without.names.iter().map(|(old, _)| old.split('{').next().unwrap_or_default());
    names.filter(|name| name.chars().count() >= 3 && !FORMAT.contains(name)).filter(stands).collect()
}

#[test]
fn runs_are_alike_and_no_name_is_left() {
    let (mut differ, mut standing, mut otherwise, mut played) = (Vec::new(), Vec::new(), 0, 0);
    for (name, text) in all() {
        let Some(without) = without_names(&name, &text) else { continue };
        played += 1;
        let faults = faults(&text, &without, &mut otherwise);
        if !faults.is_empty() {
            differ.push(format!("{name}: {}", faults.join("; ")));
        }
        let left = left(&without);
        if !left.is_empty() {
            standing.push(format!("{name}: {left:?}"));
        }
    }
    println!("{otherwise} of {played} run otherwise, as their remarks say");
    assert!(differ.is_empty(), "{} of {played}:\n{}", differ.len(), differ.join("\n"));
    assert!(standing.is_empty(), "{} of {played}:\n{}", standing.len(), standing.join("\n"));
    assert!(otherwise <= OTHERWISE, "{otherwise} of {played} run otherwise");
}
