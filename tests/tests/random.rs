//! What must hold in any scenario, tried on random scenarios (`random/script.rs`): nothing ends by a broken invariant, a
//! moment is the same however one comes to it, and nobody is told to be next who is not.
//! `HEDDLE_SEEDS=1000..4000 cargo test -p heddle-tests --test random` tries others than the usual ones.
#![cfg(not(target_arch = "wasm32"))]
#[path = "random/script.rs"]
mod script;

use heddle_core::explain::view::Selection;
use heddle_core::player::Player;
use std::collections::BTreeMap;
use std::ops::Range;

fn seeds(usual: u64) -> Range<u64> {
    let given = std::env::var("HEDDLE_SEEDS").unwrap_or_default();
    match given.split_once("..") {
        Some((from, to)) => from.parse().expect("a number")..to.parse().expect("a number"),
        None => 0..usual,
    }
}

fn player(seed: u64) -> Player {
    let text = script::scenario(seed);
    let loaded = Player::load(&text);
    let problems: Vec<String> = loaded.problems.iter().map(|p| p.render(&text)).collect();
    loaded.player.unwrap_or_else(|| panic!("scenario {seed}: {problems:#?}\n{text}"))
}

#[test]
fn every_moment_is_sound_and_the_same_from_both_sides() {
    for seed in seeds(100) {
        let mut forwards = player(seed);
        forwards.run_to_end();
        assert_eq!(forwards.snapshot(None).invariants.broken, None, "scenario {seed}");
        let mut other = player(seed);
        other.run_to_end();
        assert_eq!(forwards.fingerprint(), other.fingerprint(), "scenario {seed}");
        // Forwards in steps of seven seconds, backwards by single moments.
        forwards.seek(0);
        let mut moments = Vec::new();
        for ms in (0..60_000).step_by(7_000) {
            forwards.seek(ms);
            moments.push((ms, forwards.snapshot(None)));
        }
        for (ms, snapshot) in moments.iter().rev() {
            other.seek(*ms);
            assert!(other.snapshot(None) == *snapshot, "scenario {seed} at {ms} ms");
        }
    }
}

/// Each node has its heartbeat once a second: who is told to be looked at next has been by then, unless something happens.
const PATIENCE_MS: i64 = 4_000;

#[test]
fn who_is_told_to_be_next_is_next() {
    let mut told = 0;
    for seed in seeds(100) {
        let mut player = player(seed);
        player.run_to_end();
        // Since when a request has been told the same.
        let mut since: BTreeMap<String, (i64, String)> = BTreeMap::new();
        for now in (0..60_000).step_by(1_000) {
            player.seek(now);
            let mut still = BTreeMap::new();
            for waiting in player.snapshot(None).waiting {
                let Selection::Request { .. } = waiting.id else { continue };
                let said = player.why(&waiting.id).sentence;
                assert!(!said.trim().is_empty(), "scenario {seed} at {now} ms: nothing is told of {}", waiting.id);
                told += 1;
                // Another may come first each time; that is told then.
                if !said.contains("looked at next") || said.contains("served first") {
                    continue;
                }
                let said = format!("{} of {}: {said}", waiting.count, waiting.id);
                let before = since.get(&waiting.id.to_string()).filter(|(_, words)| *words == said);
                let from = before.map_or(now, |(from, _)| *from);
                assert!(now - from < PATIENCE_MS, "scenario {seed} from {from} ms on, for {PATIENCE_MS} ms: {said}");
                still.insert(waiting.id.to_string(), (from, said));
            }
            since = still;
        }
    }
    assert!(told > 1_000, "only {told} requests waited");
}
