//! A scenario's text is read, and played when it can be.
#![no_main]

use heddle_fuzz::played;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| played(text));
