//! Whoever listens, and whether anybody does, changes no decision: the gallery, the samples, conformance traces as scenarios
//! and scenarios by chance are played with
//! nothing recorded (where every short cut is taken), with reasons folded (where an attempt that would come to the same
//! is repeated) and with everything recorded (where none is taken), and compared on the way and at the end.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use heddle_core::journal::{Fingerprinted, Folded, Full, Recorder, Silent};
use heddle_core::sim::Simulation;
use std::fmt::Write;
use std::sync::Arc;

/// Events between two comparisons.
const SPACING: u64 = 97;
/// Events of one run that are compared.
const EVENTS: u64 = 12_000;

/// All that was decided, as far as it is still to be seen: containers, applications, queues, and what an AM would be told.
fn seen(sim: &Simulation) -> String {
    let mut out = format!("{} ms\n", sim.now());
    let mut rm = sim.rm().clone();
    let mut tell = |line: std::fmt::Arguments<'_>| writeln!(out, "{line}").expect("a string takes everything");
    for node in rm.nodes() {
        tell(format_args!("{} {:?} {:?} {:?}", node.host, node.state, node.allocated, node.total));
        for c in rm.containers_on(node.id) {
            tell(format_args!("  {:?} {:?} {:?} {:?} {}", c.id, c.state, c.size, c.key, c.allocated_at));
        }
    }
    for c in rm.reservations() {
        tell(format_args!("reserved {:?} {:?} {:?}", c.id, c.node, c.size));
    }
    for q in rm.queues() {
        tell(format_args!("{} {:?}", q.path, q.state));
        for p in &q.parts {
            tell(format_args!("  {:?} {:?} {:?} {:?} {:?}", p.used, p.pending, p.reserved, p.am_used, p.am_limit));
        }
        if let Some(l) = &q.leaf {
            tell(format_args!("  {:?} {:?} {:?}", l.pending, l.active, l.not_runnable));
        }
    }
    for app in rm.apps() {
        tell(format_args!("{:?} {} {}", app.id, app.state.text(), rm.am_diagnostics(app.id)));
    }
    let apps: Vec<_> = rm.apps().iter().map(|a| a.id).collect();
    for app in apps {
        let headroom = rm.headroom(app);
        tell(format_args!("{app:?} may get {headroom:?}"));
    }
    out
}

/// What was seen at the start, at regular events, and at the end.
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

/// How many comparisons were made.
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
