//! A Samza job's properties file is read, and kept letter for letter.
#![no_main]

use heddle_core::apps::samza::scenario::file as job_file;
use heddle_core::scenario::{SamzaApp, read};
use heddle_fuzz::lies_in;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let found = job_file::import(text);
    found.problems.iter().for_each(|p| lies_in(p, text));
    let Some(entry) = found.entry else { return };
    let scenario = read(&format!("heddle = 1\n[[apps]]\n{entry}")).scenario;
    let app = scenario.and_then(|mut s| s.apps.pop()).map(|app| app.kind);
    if let Some(app) = app.as_ref().and_then(|kind| kind.get::<SamzaApp>()) {
        assert_eq!(app.properties, text, "letter for letter");
    }
});
