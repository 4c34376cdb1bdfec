//! A yarnfile, and a change of queues in JSON.
#![no_main]

use heddle_core::config::mutation::parse_json;
use heddle_core::scenario::yarnfile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for p in yarnfile::import(text).problems {
        assert!(p.span.is_none_or(|s| text.get(s.start..s.end).is_some()), "{p:?}");
    }
    let _ = parse_json(text);
});
