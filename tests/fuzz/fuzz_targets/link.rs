//! A link is opened.
#![no_main]

use heddle_core::scenario::link;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let opened = link::open(text);
    assert!(opened.text.is_some() || !opened.problems.is_empty());
});
