//! Adds a resources.json as one more application of the scenario.

use crate::document::added::{another, with_entry};
use crate::document::import::{ImportResult, unknown};
use heddle_core::apps::slider::scenario::file as slider_file;
use heddle_core::model::Problem;
use heddle_core::scenario;
use heddle_player::explain::words;
use heddle_view::Report;

/// Adds the application.
pub fn add(name: &str, text: &str, current: &str) -> ImportResult {
    let found = slider_file::import(text);
    let apps = scenario::read(current).scenario.map(|s| s.apps).unwrap_or_default();
    let (app, entry) = another(found.name, found.entry, &apps);
    let file = if name.is_empty() { "resources.json" } else { name };
    let mut report = Report { name: file.into(), problems: Problem::placed(found.problems, text), ..Report::default() };
    let Some(entry) = entry else {
        report.what = "Slider refuses this definition, for the errors below. Nothing was added.".to_owned();
        return ImportResult::Unknown(Box::new(report));
    };
    let next = match with_entry(current, &entry) {
        Ok(next) => next,
        Err(why) => return unknown(file, text, why),
    };
    let (components, instances) = found.counts;
    report.what = format!(
        "A Slider application: {} with {}.",
        words::count(components as i64, "component"),
        words::count(instances, "instance")
    );
    report.facts.push(format!("It was added as the application `{app}`; the file stands in it letter for letter."));
    report.taken = true;
    ImportResult::File { text: next, report: Box::new(report) }
}
