//! Adds a yarnfile as one more application of the scenario.

use crate::document::added::{Listed, another, bare, checked, with_types};
use crate::document::import::{ImportResult, unknown};
use crate::edits;
use heddle_core::apps::service::scenario::file as yarnfile;
use heddle_core::model::Problem;
use heddle_core::scenario;
use heddle_player::explain::words;
use heddle_view::Report;

/// Adds the application.
pub fn add(name: &str, text: &str, current: &str) -> ImportResult {
    let text = bare(text);
    let mut found = yarnfile::import(text);
    // An unknown resource type would be an error of the scenario.
    let known = scenario::read(current).scenario;
    let apps = known.as_ref().map(|s| s.apps.as_slice()).unwrap_or_default();
    (found.name, found.entry) = another(found.name, found.entry, apps);
    let mut listed = Listed::default();
    let added = found.entry.as_deref().map(|entry| {
        let (next, set) = with_types(edits::push(current, "apps", entry)?, known.as_ref(), &found.types)?;
        listed = set;
        Ok::<String, String>(next)
    });
    let (next, refused) = match added {
        Some(Ok(next)) => match checked(current, next) {
            Ok(next) => (next, None),
            Err(why) => return unknown(&found.name, text, why),
        },
        Some(Err(why)) => (current.to_owned(), Some(why)),
        None => (current.to_owned(), None),
    };
    let (components, constraints) = found.counts;
    let report = Report {
        name: if name.is_empty() { "yarnfile".into() } else { name.into() },
        what: match found.entry {
            Some(_) => format!(
                "A YARN service: {} with {}.",
                words::count(components as i64, "component"),
                words::count(constraints as i64, "placement constraint")
            ),
            None => "This service does not run, for the errors below. Nothing was added.".to_owned(),
        },
        facts: refused
            .into_iter()
            .chain(
                found
                    .entry
                    .is_some()
                    .then(|| format!("Its first requests were added as the application `{}`.", found.name)),
            )
            .chain(listed.facts())
            .collect(),
        problems: Problem::placed(found.problems, text),
        taken: next != current,
        ..Report::default()
    };
    match found.entry {
        Some(_) => ImportResult::File { text: next, report: Box::new(report) },
        None => ImportResult::Unknown(Box::new(report)),
    }
}
