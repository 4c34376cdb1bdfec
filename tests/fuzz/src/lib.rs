//! What several targets try.

use heddle_core::model::Problem;
use heddle_core::scenario::read;
use heddle_player::Player;
use heddle_player::explain::view::StepBy;

/// Events that a run is played for.
const EVENTS: u64 = 1_500;

/// What a problem points at lies in its text.
pub fn lies_in(problem: &Problem, text: &str) {
    assert!(problem.span.is_none_or(|s| text.get(s.start..s.end).is_some()), "{problem:?}");
}

/// A scenario's text is read, and played when it can be: forwards, explained, and a step back.
pub fn played(text: &str) {
    let found = read(text);
    found.problems.iter().for_each(|p| lies_in(p, text));
    let Some(scenario) = found.scenario else { return };
    let Ok(mut player) = Player::begin(scenario, text) else { return };
    player.run(EVENTS);
    player.seek(player.progress().known_ms);
    let snapshot = player.snapshot(None);
    assert_eq!(snapshot.invariants.broken, None);
    if let Some(about) = &snapshot.headline_about {
        player.why(about);
    }
    player.step(StepBy::Change, true);
    player.snapshot(None);
}
