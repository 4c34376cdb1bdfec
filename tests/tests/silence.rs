//! Recording changes no decision: the gallery, the samples, conformance traces as scenarios and random scenarios are played
//! without a record (where visits that leave a trace only in a record are skipped too), with folded reasons and with a full
//! record, and compared on the way and at the end. `short_cuts.rs` compares with runs without any short cut.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use corpus::seen::seen;
use heddle_core::journal::{Fingerprinted, Folded, Full, Recorder, Silent};
use heddle_core::sim::Simulation;
use std::sync::Arc;

/// The number of events between two comparisons.
const SPACING: u64 = 97;
/// The most events compared of one run.
const EVENTS: u64 = 12_000;

/// Returns what was visible at the start, at regular events, and at the end.
fn play<R: Recorder>(start: &Simulation, rec: &mut R) -> Vec<String> {
    let mut sim = start.clone();
    let mut all = Vec::new();
    for event in 0..EVENTS {
        if event % SPACING == 0 {
            all.push(seen(&sim));
        }
        if sim.step(rec).is_none() {
            break;
        }
    }
    all.push(seen(&sim));
    all
}

fn assert_same(name: &str, listening: &str, a: &[String], b: &[String]) {
    assert_eq!(a.len(), b.len(), "{name}: {listening} takes as many events as with everything recorded");
    for (i, (a, b)) in a.iter().zip(b).enumerate() {
        let differs = a.lines().zip(b.lines()).find(|(a, b)| a != b);
        assert!(a == b, "{name}, after {} events, {listening}: {differs:#?}", i as u64 * SPACING);
    }
}

/// Compares the runs of a scenario. Returns the number of comparisons.
fn compare(name: &str, text: &str) -> usize {
    let scenario = heddle_core::scenario::read(text).scenario.unwrap_or_else(|| panic!("{name} is no scenario"));
    let Ok(start) = Simulation::new(Arc::new(scenario)) else { return 0 };
    let mut full = Fingerprinted::new(Full::default());
    let everything = play(&start, &mut full);
    let mut folded = Fingerprinted::new(Folded::default());
    assert_same(name, "with reasons folded", &play(&start, &mut folded), &everything);
    assert_eq!(full.hex(), folded.hex(), "{name}: fingerprint with everything recorded and with reasons folded");
    assert_same(name, "with nobody listening", &play(&start, &mut Silent), &everything);
    everything.len()
}

#[test]
fn who_listens_changes_no_decision_of_the_gallery() {
    let compared: usize = corpus::gallery().iter().map(|(name, text)| compare(name, text)).sum();
    assert!(compared > 200, "{compared} comparisons");
}

#[test]
fn who_listens_changes_no_decision_of_samples_and_traces() {
    let played = corpus::samples().into_iter().chain(corpus::traces(12, 1));
    let compared: usize = played.map(|(name, text)| compare(&name, &text)).sum();
    assert!(compared > 1_000, "{compared} comparisons");
}

#[test]
fn who_listens_changes_no_decision_of_scenarios_by_chance() {
    let compared: usize = corpus::random(60).iter().map(|(name, text)| compare(name, text)).sum();
    assert!(compared > 200, "{compared} comparisons");
}
