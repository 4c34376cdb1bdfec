//! A scenario's text is read, and played when it can be: forwards, explained, and a step back.
#![no_main]

use heddle_core::scenario::read;
use heddle_player::Player;
use heddle_player::explain::view::StepBy;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = read(text);
    for p in &found.problems {
        assert!(p.span.is_none_or(|s| text.get(s.start..s.end).is_some()), "{p:?}");
    }
    let Some(scenario) = found.scenario else { return };
    let Ok(mut player) = Player::begin(scenario, text) else { return };
    player.run(1_500);
    player.seek(player.progress().known_ms);
    let snapshot = player.snapshot(None);
    assert_eq!(snapshot.invariants.broken, None);
    if let Some(about) = &snapshot.headline_about {
        player.why(about);
    }
    player.step(StepBy::Change, true);
    player.snapshot(None);
});
