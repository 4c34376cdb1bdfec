//! The gallery's scenarios give the same run, event for event, natively, in a page and in a worker: the fingerprint of
//! each stands in `tests/fingerprints.txt`. After a change that is meant to alter runs:
//! `HEDDLE_BLESS=1 cargo test -p heddle-tests --test gallery`.

use heddle_core::model::Severity;
use heddle_core::player::Player;

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

macro_rules! gallery {
    ($($name:literal,)*) => {
        /// All scenarios: name and text. A browser can read no folder, so they are named here; a native test sees to
        /// it that none is left out.
        const GALLERY: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../scenarios/", $name, ".toml")))),*];
    };
}

gallery! {
    "q01-stuck-in-accepted",
    "q02-no-node-yet",
    "q03-no-nodemanagers",
    "q04-49-percent",
    "q05-masters-fill-the-cluster",
    "q05b-limit-for-masters",
    "q06-am-limit-full-parent",
    "q07a-large-am",
    "q07b-finer-accepted",
    "q19-user-limit-factor",
    "q20-user-limit-table",
    "q21-one-user-fifo-or-fair",
    "q22-pending-users",
    "q23-headroom-too-large",
    "q24-nested-jobs",
    "q25-one-at-a-time",
    "q26-parallel-apps",
    "q27-reservation",
    "q28-two-reservations",
    "q29-reservations-everywhere",
    "q30-200-gb-free",
    "q31-two-executors-one-node",
    "q32-vcores-do-not-count",
    "q32b-dominant-resource",
    "q33-label-without-capacity",
    "q35-label-capacity-without-access",
    "q36-borrowing-a-label",
    "q37-host-and-label",
    "q38a-handler-scheduler",
    "q38b-handler-processor",
    "q38c-handler-disabled",
    "q39-anti-affinity",
    "q40-chicken-and-egg",
    "q41-cardinality-counts-before",
    "q42-another-applications-tag",
    "q43-near-far-spread",
    "q44-host-then-rack-then-anywhere",
    "q45-am-on-a-rack",
    "q46-many-constraints",
}

const GOLDEN: &str = include_str!("../fingerprints.txt");

/// Plays a scenario to its end and gives the run's fingerprint.
fn fingerprint(name: &str, text: &str) -> String {
    let loaded = Player::load(text);
    let errors: Vec<String> =
        loaded.problems.iter().filter(|p| p.severity == Severity::Error).map(|p| p.render(text)).collect();
    assert!(errors.is_empty(), "{name}: {errors:#?}");
    let mut player = loaded.player.unwrap_or_else(|| panic!("{name}: no player and no error"));
    let progress = player.run_to_end();
    assert!(progress.events > 1, "{name}: nothing happened");
    format!("{name} {:016x}", player.fingerprint())
}

#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn runs_are_the_same_everywhere() {
    let runs: Vec<String> = GALLERY.iter().map(|(name, text)| fingerprint(name, text)).collect();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("HEDDLE_BLESS").is_some() {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fingerprints.txt");
        std::fs::write(path, format!("{}\n", runs.join("\n"))).expect("the golden file");
        return;
    }
    assert_eq!(runs, GOLDEN.lines().collect::<Vec<_>>(), "see the top of tests/tests/gallery.rs");
}

/// What every scenario promises to show holds.
#[cfg_attr(not(target_arch = "wasm32"), test)]
#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
fn expectations_hold() {
    let mut broken = Vec::new();
    for (name, text) in GALLERY {
        let mut player = Player::load(text).player.unwrap_or_else(|| panic!("{name}: no player"));
        player.run_to_end();
        assert!(!player.scenario().expectations.is_empty(), "{name}: expects nothing");
        broken.extend(player.verdicts().into_iter().filter(|v| !v.passed).map(|v| format!("{name}: {}", v.what)));
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Going back and forth gives exactly what going forward gave.
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

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn every_scenario_is_played_here() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .expect("the gallery")
        .flatten()
        .filter_map(|e| e.file_name().to_str().and_then(|n| n.strip_suffix(".toml")).map(str::to_owned))
        .collect();
    files.sort();
    let mut named: Vec<&str> = GALLERY.iter().map(|(name, _)| *name).collect();
    named.sort_unstable();
    assert_eq!(files, named, "name every file of scenarios/ in tests/tests/gallery.rs");
}
