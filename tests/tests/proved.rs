//! What the real classes of Hadoop did with whole scenarios, kept in `tests/proofs`: the trace of each is still the same,
//! step by step. `cargo run -p heddle-cli -- trace FILE.toml | tests/oracle/hadoop/run serve > FILE.json` writes the answer
//! again.
#![cfg(not(target_arch = "wasm32"))]

use heddle_core::scenario::read;
use heddle_tests::project::{files, root};
use heddle_tests::prove::{Compared, compare, trace};
use serde_json::Value;
use std::fs;
use std::sync::Arc;

#[test]
fn traces_of_scenarios_are_what_the_real_classes_did() {
    let mut seen = 0;
    for path in files().iter().filter(|path| path.starts_with("tests/proofs/") && path.ends_with(".toml")) {
        let path = root().join(path);
        let text = fs::read_to_string(&path).expect("a scenario");
        let scenario = read(&text).scenario.unwrap_or_else(|| panic!("{} cannot be read", path.display()));
        let ours = trace("-", &Arc::new(scenario)).expect("its settings are taken");
        let kept = fs::read_to_string(path.with_extension("json")).expect("the answer of the real classes");
        let theirs: Value = serde_json::from_str(&kept).expect("JSON");
        assert_eq!(ours["given"], theirs["given"], "{}: another trace than was played", path.display());
        match compare(&ours, &theirs) {
            Compared::Alike(steps) => assert!(steps > 10, "{}: hardly anything happens", path.display()),
            other => panic!("{}: {other:?}", path.display()),
        }
        seen += 1;
    }
    assert!(seen >= 3, "only {seen} proofs were found");
}
