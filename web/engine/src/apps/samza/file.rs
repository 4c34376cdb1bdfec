//! Adds a job's .properties file as one more application of the scenario.

use crate::document::added::{another, with_entry};
use crate::document::import::{ImportResult, unknown};
use crate::edits;
use heddle_core::apps::samza::scenario::file as job_file;
use heddle_core::model::Problem;
use heddle_core::scenario;
use heddle_player::explain::words;
use heddle_view::Report;
use toml_edit::Value;

/// Adds the application.
pub fn add(name: &str, text: &str, current: &str) -> ImportResult {
    let found = job_file::import(text);
    let apps = scenario::read(current).scenario.map(|s| s.apps).unwrap_or_default();
    let (app, entry) = another(found.name, found.entry, &apps);
    let file = if name.is_empty() { "job.properties" } else { name };
    let mut report = Report { name: file.into(), problems: Problem::placed(found.problems, text), ..Report::default() };
    let Some(mut entry) = entry else {
        report.what = "Samza refuses this job, for the errors below. Nothing was added.".to_owned();
        return ImportResult::Unknown(Box::new(report));
    };
    // If the scenario does not have the job's queue, the job goes where the others are.
    let told =
        |entry: &str| edits::push(current, "apps", entry).map_or(usize::MAX, |t| scenario::read(&t).problems.len());
    let (queue, other) = (found.queue.as_deref().unwrap_or("default"), apps.last().map_or("default", |a| &a.queue));
    let there = format!("{entry}queue = {}\n", Value::from(other));
    if queue != other && told(&there) < told(&entry) {
        report.facts.push(format!("There is no queue `{queue}` here: it runs in `{other}`, by `queue`."));
        entry = there;
    }
    let next = match with_entry(current, &entry) {
        Ok(next) => next,
        Err(why) => return unknown(file, text, why),
    };
    let (containers, stores) = found.counts;
    report.what = format!(
        "A Samza job: {} with {}.",
        words::count(containers, "container"),
        words::count(stores as i64, "store")
    );
    report.facts.push(format!("It was added as the application `{app}`; the file stands in it letter for letter."));
    report.taken = true;
    ImportResult::File { text: next, report: Box::new(report) }
}
