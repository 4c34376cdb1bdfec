//! The common parts of adding a file as one more application of the scenario; the kinds of applications read and report each
//! ([`crate::apps`]).

use crate::edits;
use heddle_core::config::resource_text::{CALCULATOR, DOMINANT, TYPES};
use heddle_core::model::Severity;
use heddle_core::scenario::{self, Scenario};
use heddle_view::{Change, Edit, QueueChange, SchedulerChoice};

/// Returns a text without surrounding blanks and its byte order mark.
pub fn bare(text: &str) -> &str {
    text.trim().trim_start_matches('\u{feff}')
}

/// Returns an unused name for an added application, and its entry: two applications with one name would be an error.
pub fn another(was: String, entry: Option<String>, apps: &[scenario::App]) -> (String, Option<String>) {
    let taken = |name: &str| apps.iter().any(|a| a.name == name);
    if !taken(&was) {
        return (was, entry);
    }
    let name = (2..).map(|n| format!("{was}-{n}")).find(|name| !taken(name)).unwrap_or_default();
    let entry = entry.map(|entry| entry.replacen(&format!("\"{was}\""), &format!("\"{name}\""), 1));
    (name, entry)
}

/// Returns the scenario with one more application. Errors: the entry has no place, or see [`checked`].
pub fn with_entry(current: &str, entry: &str) -> Result<String, String> {
    checked(current, edits::push(current, "apps", entry)?)
}

/// Returns `next` if it may replace `current`. Errors: it has an error and `current` has none.
pub fn checked(current: &str, next: String) -> Result<String, String> {
    match first_error(&next).filter(|_| first_error(current).is_none()) {
        Some(why) => Err(format!("The scenario would have an error with it: {why}")),
        None => Ok(next),
    }
}

/// The settings for resource types besides memory and vcores that an application asks for.
#[derive(Default)]
pub struct Listed {
    /// The newly listed types.
    types: Vec<String>,
    /// Whether the CapacityScheduler newly counts all resources.
    dominant: bool,
}

impl Listed {
    /// Returns the sentences about these settings.
    pub fn facts(&self) -> Vec<String> {
        let mut out = Vec::new();
        if !self.types.is_empty() {
            let names = self.types.join(", ");
            let it = if self.types.len() == 1 { "it" } else { "them" };
            out.push(format!("It asks for {names}: {TYPES} lists {it} now. No node has any yet: give nodes some."));
        }
        if self.dominant {
            out.push(format!(
                "{CALCULATOR} is DominantResourceCalculator now: with the default one the ResourceManager does not start where \
                 there are more resources than memory and vcores."
            ));
        }
        out
    }
}

/// Lists resource types that `text` does not know, and makes the CapacityScheduler count them; `was` is the scenario before.
pub fn with_types(text: String, was: Option<&Scenario>, types: &[String]) -> Result<(String, Listed), String> {
    let known = was.map(|s| s.resource_types.names()).unwrap_or_default();
    let more: Vec<String> = types.iter().filter(|t| !known.contains(t)).cloned().collect();
    if more.is_empty() {
        return Ok((text, Listed::default()));
    }
    let all: Vec<&str> = known.iter().skip(2).chain(&more).map(String::as_str).collect();
    let text = edits::put_site(&text, TYPES, &all.join(","))?;
    let capacity = was.is_none_or(|s| s.settings.scheduler == SchedulerChoice::Capacity);
    let set = was.and_then(|s| s.settings.capacity_scheduler.get(CALCULATOR));
    if !capacity || set.is_some_and(|class| class.trim().ends_with("DominantResourceCalculator")) {
        return Ok((text, Listed { types: more, dominant: false }));
    }
    let change = QueueChange::Property { name: CALCULATOR.into(), blank: false };
    let edit = Edit { what: String::new(), change: Change::Queues { at_ms: None, change } };
    let text = edits::apply(&text, &edit, DOMINANT, was)?;
    Ok((text, Listed { types: more, dominant: true }))
}

/// Returns the first error of a scenario, with its remedy.
pub fn first_error(scenario: &str) -> Option<String> {
    let found = scenario::read(scenario).problems.into_iter().find(|p| p.severity == Severity::Error)?;
    Some(format!("{} {}", found.what, found.mend))
}
