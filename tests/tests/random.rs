//! What must hold in any scenario, tried on random scenarios (`random/script.rs`): no run breaks an invariant, a moment is
//! the same however it is reached, whatever is said to be next is next, and preemption rounds that are not played would have
//! found nothing. `HEDDLE_SEEDS=1000..4000 cargo test -p heddle-tests --test random` tries other scenarios than the usual
//! ones.
#![cfg(not(target_arch = "wasm32"))]
#[path = "random/script.rs"]
mod script;

use heddle_core::journal::{Change, Entry, Full, MasterAct};
use heddle_core::model::EndCause;
use heddle_core::scenario::read;
use heddle_core::sim::{Event, Monitor, Simulation};
use heddle_player::Player;
use heddle_player::explain::view::Selection;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

fn seeds(usual: u64) -> Range<u64> {
    let given = std::env::var("HEDDLE_SEEDS").unwrap_or_default();
    match given.split_once("..") {
        Some((from, to)) => from.parse().expect("a number")..to.parse().expect("a number"),
        None => 0..usual,
    }
}

/// Seeds for the CapacityScheduler, and for each also one for the FairScheduler.
fn runs(usual: u64) -> impl Iterator<Item = (bool, u64)> {
    seeds(usual).flat_map(|seed| [(false, seed), (true, seed)])
}

fn player((fair, seed): (bool, u64)) -> Player {
    let text = if fair { script::fair(seed) } else { script::scenario(seed) };
    let loaded = Player::load(&text);
    let problems: Vec<String> = loaded.problems.iter().map(|p| p.render(&text)).collect();
    loaded.player.unwrap_or_else(|| panic!("scenario {seed}: {problems:#?}\n{text}"))
}

#[test]
fn every_moment_is_sound_and_the_same_from_both_sides() {
    for run in runs(100) {
        let mut forwards = player(run);
        forwards.run_to_end();
        assert_eq!(forwards.snapshot(None).invariants.broken, None, "scenario {run:?}");
        let mut other = player(run);
        other.run_to_end();
        assert_eq!(forwards.fingerprint(), other.fingerprint(), "scenario {run:?}");
        // Forwards in steps of seven seconds, backwards by single moments.
        forwards.seek(0);
        let mut moments = Vec::new();
        for ms in (0..60_000).step_by(7_000) {
            forwards.seek(ms);
            moments.push((ms, forwards.snapshot(None)));
        }
        for (ms, snapshot) in moments.iter().rev() {
            other.seek(*ms);
            assert!(other.snapshot(None) == *snapshot, "scenario {run:?} at {ms} ms");
        }
    }
}

/// Compares the same scenario with preemption rounds as they are planned, and with all rounds.
#[test]
fn leaving_rounds_of_preemption_out_changes_nothing() {
    let (mut kills, mut marks, mut given_back, mut left_out) = (0, 0, 0, 0);
    for seed in seeds(200).filter(|seed| script::preempts(*seed)) {
        let text = script::scenario(seed);
        let scenario = Arc::new(read(&text).scenario.unwrap_or_else(|| panic!("scenario {seed}")));
        let play = |sim: Simulation| {
            let (mut sim, mut full, mut rounds) = (sim, Full::default(), 0);
            while let Some(step) = sim.step(&mut full) {
                rounds += u64::from(step.event == Event::Round(Monitor::Preemption));
            }
            let happened = |e: &&(i64, Entry)| matches!(e.1, Entry::Changed(_) | Entry::Acted(_));
            (rounds, full.entries.iter().filter(happened).cloned().collect::<Vec<_>>())
        };
        let start = || Simulation::new(scenario.clone()).unwrap_or_else(|e| panic!("scenario {seed}: {e:?}"));
        let (some, planned) = play(start());
        let (all, every) = play(start().with_every_round());
        let differ = planned.iter().zip(&every).find(|(a, b)| a != b);
        assert!(differ.is_none() && planned.len() == every.len(), "scenario {seed}: {differ:#?}\n{text}");
        left_out += all - some;
        for (_, entry) in &planned {
            match entry {
                Entry::Changed(Change::Marked { .. }) => marks += 1,
                Entry::Changed(Change::Completed { why: EndCause::Preempted, .. }) => kills += 1,
                Entry::Acted(MasterAct::GaveBack { .. }) => given_back += 1,
                _ => {}
            }
        }
    }
    assert!(marks > 80 && kills > 30 && given_back > 50 && left_out > 1_000, "too little happened");
}

/// Each node has a heartbeat every second: a request that is said to be next is looked at within this time, unless something
/// happens.
const PATIENCE_MS: i64 = 4_000;

/// Under both schedulers.
#[test]
fn who_is_told_to_be_next_is_next() {
    let mut told = 0;
    for run in runs(100) {
        let mut player = player(run);
        player.run_to_end();
        // Since when a request has had the same answer.
        let mut since: BTreeMap<String, (i64, String)> = BTreeMap::new();
        for now in (0..60_000).step_by(1_000) {
            player.seek(now);
            let mut still = BTreeMap::new();
            for waiting in player.snapshot(None).waiting {
                let Selection::Request { .. } = waiting.id else { continue };
                let said = player.why(&waiting.id).sentence;
                assert!(!said.trim().is_empty(), "scenario {run:?} at {now} ms: nothing is told of {}", waiting.id);
                told += 1;
                if !said.contains("looked at next") {
                    continue;
                }
                // A preempted container is requested again: the request was served and waits for as many.
                let app = waiting.id.app().and_then(|name| player.scenario().apps.iter().position(|a| a.name == name));
                let got = app.map_or(0, |place| player.simulation().apps()[place].containers.len());
                let said = format!("{} of {}, after {got}: {said}", waiting.count, waiting.id);
                let before = since.get(&waiting.id.to_string()).filter(|(_, words)| *words == said);
                let from = before.map_or(now, |(from, _)| *from);
                assert!(now - from < PATIENCE_MS, "scenario {run:?} from {from} ms on, for {PATIENCE_MS} ms: {said}");
                still.insert(waiting.id.to_string(), (from, said));
            }
            since = still;
        }
    }
    assert!(told > 1_000, "only {told} requests waited");
}

/// The announced end of a mark comes true, or the reason given why it might not: by then the container has ended, is
/// killable, or is not chosen by the round of that moment; and no earlier round has killed it.
#[test]
fn what_is_told_to_be_freed_is_freed() {
    let (mut kept, mut given_back, mut not_chosen) = (0, 0, 0);
    for seed in seeds(150).filter(|seed| script::preempts(*seed)) {
        let mut player = player((false, seed));
        player.run_to_end();
        let mut told = BTreeMap::new();
        for now in (0..60_000).step_by(3_000) {
            player.seek(now);
            for waiting in player.snapshot(None).waiting {
                let Some(p) = player.why(&waiting.id).preemption else { continue };
                for f in p.freeing {
                    if let Some(at) = f.killed_ms {
                        assert!(at > now, "scenario {seed} at {now}: {} is killed at {at}", f.name);
                        // The latest announcement counts: other settings mean other times.
                        told.insert(f.who.to_string(), (now, at, f.who));
                    }
                }
            }
        }
        // Announcements beyond the end are not observed.
        for (name, (now, at, who)) in told.into_iter().filter(|(_, (_, at, _))| *at < 60_000) {
            let what = format!("scenario {seed} at {now}: {name} is killed at {at}");
            player.seek(at - 1);
            let before = player.why(&who).status;
            player.seek(at);
            let then = player.why(&who);
            let said = then.preemption.map(|p| p.sentence).unwrap_or_default();
            if then.status.starts_with("preempted at") {
                kept += 1;
                // Another selector may choose it next, with another wait: it is no longer chosen for the reason that it was
                // marked for.
                let waits_differ = script::scenario(seed).contains("after-satisfied.enabled = true");
                assert!(waits_differ || !before.starts_with("preempted at"), "{what}, and was before: {before}");
            } else if said.contains("killable since") {
                kept += 1;
            } else if then.status.starts_with("over") {
                given_back += 1;
            } else {
                not_chosen += 1;
                assert!(
                    !said.contains(" is killed at ") && !said.contains(" becomes killable at "),
                    "{what}; then {said}"
                );
            }
        }
    }
    eprintln!("{kept} ended then, {given_back} before, {not_chosen} were not chosen any more");
    assert!(kept > 20 && given_back > 20, "too little happened: {kept}, {given_back}");
}
