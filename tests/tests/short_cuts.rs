//! Short cuts change nothing (`heddle_core::scheduler::ShortCuts`): the gallery, the samples, conformance traces as scenarios
//! and random scenarios are played with all of them and with none. The full record, the folded one and the final state are
//! the same, and so is what the player shows of the gallery. If nothing is recorded, limits that nobody asked for are not
//! computed either; then everything visible of the state is the same.
#![cfg(not(target_arch = "wasm32"))]
mod corpus;

use corpus::seen::seen;
use heddle_core::journal::{Fingerprinted, Folded, Full, Recorder, Silent};
use heddle_core::rm::ResourceManager;
use heddle_core::scheduler::ShortCuts;
use heddle_core::sim::Simulation;
use heddle_player::Player;
use std::sync::Arc;

/// The most events compared of one run.
const EVENTS: u64 = 5_000;

/// The state after a run without the short cuts' caches, and its visible part.
type End = (ResourceManager, String);

/// Plays a run.
fn play<R: Recorder>(start: &Simulation, rec: &mut R, mut begins: impl FnMut(&mut R, u64)) -> End {
    let mut sim = start.clone();
    for event in 0..EVENTS {
        begins(rec, event);
        if sim.step(rec).is_none() {
            break;
        }
    }
    (sim.rm().settled(), seen(&sim))
}

fn assert_same_state(name: &str, recorded: &str, (taken, _): &End, (none, _): &End) {
    if taken == none {
        return;
    }
    // A state with a NaN is not equal to itself; its printed form is compared instead, except for the switch.
    let lines = |state: &ResourceManager| -> Vec<String> {
        format!("{state:#?}")
            .lines()
            .filter(|line| !line.trim_start().starts_with("taken:"))
            .map(String::from)
            .collect()
    };
    let (taken, none) = (lines(taken), lines(none));
    if let Some(at) = taken.iter().zip(&none).position(|(a, b)| a != b) {
        let around = taken[at.saturating_sub(40)..at].join("\n");
        panic!("{name}, {recorded}: with short cuts {:?}, without {:?}, after\n{around}", taken[at], none[at]);
    }
    assert_eq!(taken.len(), none.len(), "{name}, {recorded}");
}

/// Compares the runs of a scenario. Returns the number of entries in the full record.
fn compare(name: &str, text: &str) -> usize {
    let scenario = heddle_core::scenario::read(text).scenario.unwrap_or_else(|| panic!("{name} is no scenario"));
    let Ok(taken) = Simulation::new(Arc::new(scenario)) else { return 0 };
    let none = taken.clone().with_short_cuts(ShortCuts::NONE);

    let (mut full, mut step_by_step) = (Full::default(), Full::default());
    let end = play(&taken, &mut full, |_, _| {});
    assert_same_state(name, "everything recorded", &end, &play(&none, &mut step_by_step, |_, _| {}));
    // A NaN share equals nothing, but prints the same.
    let mut pairs = full.entries.iter().zip(&step_by_step.entries);
    let differs = pairs.find(|(a, b)| a != b && format!("{a:?}") != format!("{b:?}"));
    assert!(differs.is_none(), "{name}: with short cuts, without: {differs:#?}");
    assert_eq!(full.entries.len(), step_by_step.entries.len(), "{name}");

    let begins = |log: &mut Fingerprinted<Folded>, event| log.inner.begin(event);
    let new = || Fingerprinted::new(Folded::new(1_000));
    let (mut folded, mut step_by_step) = (new(), new());
    assert_same_state(name, "reasons folded", &play(&taken, &mut folded, begins), &end);
    assert_same_state(name, "reasons folded, no short cut", &play(&none, &mut step_by_step, begins), &end);
    [&mut folded, &mut step_by_step].into_iter().for_each(|log| log.inner.settle());
    let differs = folded.inner.lines.iter().zip(&step_by_step.inner.lines).find(|(a, b)| a != b);
    assert!(folded.inner.lines == step_by_step.inner.lines, "{name}: with short cuts, without: {differs:#?}");
    assert_eq!((folded.inner.dropped, folded.hex()), (step_by_step.inner.dropped, step_by_step.hex()), "{name}");

    let differs = |taken: &str, none: &str| {
        let differs = taken.lines().zip(none.lines()).find(|(a, b)| a != b);
        assert!(taken == none, "{name}, nothing recorded: with short cuts, without: {differs:#?}");
    };
    differs(&play(&taken, &mut Silent, |_, _| {}).1, &end.1);
    assert_same_state(name, "nothing recorded, no short cut", &play(&none, &mut Silent, |_, _| {}), &end);
    full.entries.len()
}

#[test]
fn short_cuts_change_nothing_in_the_gallery() {
    let entries: usize = corpus::gallery().iter().map(|(name, text)| compare(name, text)).sum();
    assert!(entries > 100_000, "{entries} entries");
}

#[test]
fn short_cuts_change_nothing_in_samples() {
    let entries: usize = corpus::samples().iter().map(|(name, text)| compare(name, text)).sum();
    assert!(entries > 1_000, "{entries} entries");
}

#[test]
fn short_cuts_change_nothing_in_traces() {
    // A few of each family, because a debug build plays each six times: `HEDDLE_TRACES` plays more.
    let entries: usize = corpus::traces(4, 4).iter().map(|(name, text)| compare(name, text)).sum();
    assert!(entries > 1_000, "{entries} entries");
}

#[test]
fn short_cuts_change_nothing_in_scenarios_by_chance() {
    let entries: usize = corpus::random(60).iter().map(|(name, text)| compare(name, text)).sum();
    assert!(entries > 100_000, "{entries} entries");
}

/// Returns what a user sees in the middle and at the end of a run, and the lines of the log.
fn shown(text: &str, short_cuts: ShortCuts) -> Option<Vec<String>> {
    let scenario = heddle_core::scenario::read(text).scenario?;
    let mut player = Player::with_short_cuts(scenario, text, short_cuts).ok()?;
    let last = player.now().max(30_000);
    let mut all = Vec::new();
    for at in [last / 4, last / 2, last] {
        player.seek(at);
        all.push(format!("{:#?}", player.snapshot(None)));
    }
    Some(all)
}

#[test]
fn the_player_shows_the_same() {
    for (name, text) in corpus::gallery() {
        let (taken, none) = (shown(&text, ShortCuts::TAKEN), shown(&text, ShortCuts::NONE));
        let (taken, none) = (taken.unwrap_or_default().join("\n"), none.unwrap_or_default().join("\n"));
        let differs = taken.lines().zip(none.lines()).find(|(a, b)| a != b);
        assert!(taken == none, "{name}: with short cuts, without: {differs:#?}");
        assert!(!taken.is_empty(), "{name} is shown");
    }
}
