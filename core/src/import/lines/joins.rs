//! A pasted line that is about the cluster of the scenario that is open: the application or the queue there.

use super::RecognisedLine;
use crate::config::properties::PREFIX;
use crate::import::Moment;
use crate::scenario::Scenario;

/// Returns what of the scenario that is open a line is about. Only scenarios of a running cluster are joined: queues of others
/// have common names without being the same ones.
pub fn joins(line: &RecognisedLine, text: &str, scenario: &Scenario) -> Option<Moment> {
    let runs = scenario.apps.iter().any(|app| app.now.is_some());
    if runs { about(line, text, scenario) } else { None }
}

/// Returns what of a scenario of the same cluster a line is about: an application that it names, else its queue.
pub(super) fn about(line: &RecognisedLine, text: &str, scenario: &Scenario) -> Option<Moment> {
    let named = scenario.apps.iter().find(|app| stands_in(&app.name, text) || is_of(text, &app.name));
    if let Some(app) = named {
        return Some(Moment { at_ms: 0, what: format!("app:{}", app.name) });
    }
    let queue = line.figures.text("queue")?.trim_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let paths = paths(scenario);
    let is_whole = |path: &&String| **path == queue;
    let mut short = paths.iter().filter(|path| path.rsplit('.').next() == Some(queue.as_str()));
    // A short name that several queues have is none of them.
    let found = paths.iter().find(is_whole).or_else(|| short.next().filter(|_| short.next().is_none()))?;
    Some(Moment { at_ms: 0, what: format!("queue:{found}") })
}

/// The queues that a scenario names: in the settings of the CapacityScheduler, and among those that the FairScheduler shares to.
fn paths(scenario: &Scenario) -> Vec<String> {
    let lists = scenario.settings.capacity_scheduler.iter().filter_map(|(key, children)| {
        let parent = key.strip_prefix(PREFIX)?.strip_suffix(".queues")?;
        let names = children.split(',').map(str::trim).filter(|name| !name.is_empty());
        Some(names.map(|name| format!("{parent}.{name}")).collect::<Vec<_>>())
    });
    let shares = scenario.shares.iter().map(|share| share.queue.clone());
    lists.flatten().chain(shares).collect()
}

/// Whether a name stands in a text as a word of its own.
fn stands_in(name: &str, text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    text.match_indices(name).any(|(at, _)| {
        let after = text[at + name.len()..].trim_start_matches('.');
        !text[..at].ends_with(part) && !after.starts_with(part)
    })
}

/// Whether a text names an attempt or a container of an application.
fn is_of(text: &str, app: &str) -> bool {
    let Some(number) = app.strip_prefix("application_") else { return false };
    ["appattempt_", "container_"].iter().any(|kind| {
        text.match_indices(kind).any(|(at, _)| {
            let rest = &text[at + kind.len()..];
            // The epoch of a ResourceManager that was restarted.
            let rest = rest.strip_prefix('e').and_then(|r| r.split_once('_')).map_or(rest, |(_, rest)| rest);
            rest.strip_prefix(number).is_some_and(|rest| rest.starts_with('_'))
        })
    })
}
