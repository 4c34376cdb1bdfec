//! The gallery's scenarios give the same run, event for event, natively, in a page and in a worker: the fingerprint of each
//! is in `tests/fingerprints.txt`; YARN's words in it are in `scenarios/words.txt`, the picture of its end in
//! `scenarios/pictures.txt`. After a change that is meant to alter runs: `HEDDLE_BLESS=1 cargo test -p heddle-tests --test gallery`.

use heddle_core::model::{Severity, without_figures};
use heddle_player::{EventFilter, Player};
use std::collections::BTreeSet;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

/// All scenarios: name and text.
const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));

const GOLDEN: &str = include_str!("../fingerprints.txt");

/// YARN's words in each run, which the search of the examples finds.
const WORDS: &str = include_str!("../../scenarios/words.txt");

/// The pictures of the cards.
const PICTURES: &str = include_str!("../../scenarios/pictures.txt");

/// Plays a scenario to its end. Returns the run's fingerprint, YARN's words in it, each once, and the picture of its end.
fn run(name: &str, text: &str) -> [String; 3] {
    let loaded = Player::load(text);
    let errors: Vec<String> =
        loaded.problems.iter().filter(|p| p.severity == Severity::Error).map(|p| p.render(text)).collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
    let mut player = loaded.player.unwrap_or_else(|| panic!("{name}: no player and no error"));
    let opens_ms = player.now();
    let progress = player.run_to_end();
    assert!(progress.events > 1, "{name}: nothing happened");
    let events = player.events(&EventFilter { skips: true, ..EventFilter::default() });
    let words: BTreeSet<String> =
        events.iter().filter(|event| !event.yarn.is_empty()).map(|event| without_figures(&event.yarn)).collect();
    let words = words.into_iter().collect::<Vec<_>>().join(" | ").replace('\n', " ");
    let fingerprint = player.fingerprint();
    let picture = heddle_picture::card(&mut player, opens_ms);
    [format!("{name} {fingerprint:016x}"), format!("{name} {words}"), format!("{name} {picture}")]
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn runs_are_the_same_everywhere() {
    let (mut runs, mut words, mut pictures) = (Vec::new(), Vec::new(), Vec::new());
    for (name, text) in GALLERY {
        let [fingerprint, said, picture] = run(name, text);
        runs.push(fingerprint);
        words.push(said);
        pictures.push(picture);
    }
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("HEDDLE_BLESS").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fingerprints.txt");
        std::fs::write(&path, format!("{}\n", runs.join("\n"))).expect("the golden file");
        let path = path.with_file_name("../scenarios/words.txt");
        std::fs::write(&path, format!("{}\n", words.join("\n"))).expect("the words");
        let path = path.with_file_name("pictures.txt");
        std::fs::write(path, format!("{}\n", pictures.join("\n"))).expect("the pictures");
        return;
    }
    let golden: Vec<&str> = GOLDEN.lines().collect();
    let differ: Vec<&String> = runs.iter().filter(|r| !golden.contains(&r.as_str())).collect();
    assert!(differ.is_empty(), "other runs than in tests/fingerprints.txt (see the top of this file): {differ:#?}");
    assert_eq!(runs.len(), golden.len(), "tests/fingerprints.txt names scenarios that are gone");
    let differ: Vec<_> = words.iter().zip(WORDS.lines()).filter(|(now, then)| now != then).collect();
    assert!(differ.is_empty(), "other words than in scenarios/words.txt (see the top of this file): {differ:#?}");
    assert_eq!(words.len(), WORDS.lines().count());
    let differ: Vec<_> = pictures.iter().zip(PICTURES.lines()).filter(|(now, then)| now != then).collect();
    assert!(differ.is_empty(), "other ends than in scenarios/pictures.txt (see the top of this file): {differ:#?}");
    assert_eq!(pictures.len(), PICTURES.lines().count());
}

/// Going back and forth gives exactly the same as going forward.
#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn going_back_gives_the_state_that_was_there() {
    for (name, text) in GALLERY {
        let mut player = Player::load(text).player.unwrap_or_else(|| panic!("{name}: no player"));
        player.run_to_end();
        let last = player.progress().events;
        for event in [last / 2, last, 1, last / 3, last - 1] {
            player.seek_event(event);
            let there = format!("{:?}", player.snapshot(None));
            player.seek_event(0);
            player.seek_event(last);
            player.seek_event(event);
            assert_eq!(there, format!("{:?}", player.snapshot(None)), "{name}: event {event} of {last}");
        }
    }
}
