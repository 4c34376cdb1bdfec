//! A yarnfile, Slider's resources.json, and a change of queues in JSON.
#![no_main]

use heddle_core::config::mutation::parse_json;
use heddle_core::apps::{service::scenario::file as yarnfile, slider::scenario::file as slider_file};
use heddle_fuzz::lies_in;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    yarnfile::import(text).problems.iter().for_each(|p| lies_in(p, text));
    slider_file::import(text).problems.iter().for_each(|p| lies_in(p, text));
    let _ = parse_json(text);
});
