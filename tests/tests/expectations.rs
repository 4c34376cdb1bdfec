//! The expectations of the gallery's and the samples' scenarios hold. Judging at once, as `heddle check` does, and moment by
//! moment, as the page does, gives the same results.
#![cfg(not(target_arch = "wasm32"))]

mod corpus;

use heddle_player::{Player, Verdict};

/// The least number of the gallery's expectations; without any the test would prove nothing.
const OF_GALLERY: usize = 350;

fn player(name: &str, text: &str) -> Player {
    let loaded = Player::load(text);
    let problems: Vec<String> = loaded.problems.iter().map(|p| p.render(text)).collect();
    loaded.player.unwrap_or_else(|| panic!("{name}: {problems:#?}"))
}

#[test]
fn all_that_is_expected_holds() {
    let (mut judged, mut wrong) = (0, Vec::new());
    for (name, text) in corpus::gallery().into_iter().chain(corpus::samples()) {
        let mut player = player(&name, &text);
        let verdicts = player.verdicts();
        assert_eq!(verdicts.len(), player.scenario().expectations.len(), "{name}: each is judged");
        judged += verdicts.len();
        wrong.extend(verdicts.iter().filter(|v| !v.passed).map(|v| format!("{name}: {}", v.what)));
    }
    assert!(judged >= OF_GALLERY, "only {judged} expectations were found");
    assert!(wrong.is_empty(), "{} of {judged} do not hold:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_scenario_of_the_gallery_expects_something() {
    for (name, text) in corpus::gallery() {
        assert!(!player(&name, &text).scenario().expectations.is_empty(), "{name} expects nothing");
    }
}

/// Judges one moment at a time while the player is at another moment, with a pause before the run is known.
#[test]
fn judged_moment_by_moment_it_comes_to_the_same_and_nobody_is_moved() {
    for (name, text) in corpus::gallery().into_iter().step_by(6) {
        // Adds an expectation that fails.
        let text = format!("{text}\n[[expect]]\nat = \"end\"\nplaced = 987654\n");
        let mut whole = player(&name, &text);
        let verdicts: Vec<Verdict> = whole.verdicts();
        let mut sliced = player(&name, &text);
        let here = (sliced.position(), sliced.now());
        let mut judging = sliced.judging();
        assert!(sliced.expectations(&judging).iter().all(|e| e.holds.is_none()), "{name}: nothing is judged yet");
        while !sliced.judge(&mut judging, 1) {}
        sliced.run_to_end();
        while !sliced.judge(&mut judging, 1) {}
        assert_eq!((sliced.position(), sliced.now()), here, "{name}: the present moment stays");
        let shown = sliced.expectations(&judging);
        assert_eq!(shown.len(), verdicts.len(), "{name}");
        for (e, v) in shown.iter().zip(&verdicts) {
            let seen = (e.holds, e.at_ms, &e.what, &e.about);
            assert_eq!(seen, (Some(v.passed), v.at_ms, &v.what, &v.about), "{name}");
            assert!(e.line > 1 && !e.when.is_empty(), "{name}: {e:?}");
        }
        assert_eq!(shown.last().and_then(|e| e.holds), Some(false), "{name}");
    }
}
