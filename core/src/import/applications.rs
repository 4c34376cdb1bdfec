//! The parts shared by all files and commands that describe one application. The files of one kind are read in its folder
//! (`import`).

use super::{Gathered, GatheredApp, ReadOutcome};
use crate::model::Problem;
use crate::scenario;

/// Adds an entry to the scenario, under a free name.
pub(crate) fn add(gathered: &mut Gathered, was: &str, toml: Option<String>, types: Vec<String>) -> bool {
    let Some(toml) = toml else { return false };
    let name = gathered.free_name(was);
    let toml = if name == was { toml } else { toml.replacen(&format!("\"{was}\""), &format!("\"{name}\""), 1) };
    asked(gathered, &toml);
    gathered.entries.push(GatheredApp { name, toml, types });
    true
}

/// Registers the queue and the labels that an entry requests, in case no other text does.
fn asked(gathered: &mut Gathered, toml: &str) {
    let apps = scenario::read(&format!("heddle = 1\n[[apps]]\n{toml}")).scenario.map(|s| s.apps).unwrap_or_default();
    for app in &apps {
        gathered.names_queue(Some(app.queue.as_str()).filter(|queue| !queue.is_empty()));
        let own = app.kind.labels();
        for label in own.iter().chain(&app.label).chain(&app.am.label).filter(|label| !label.is_empty()) {
            gathered.label(label, None);
        }
    }
}

/// Returns the outcome for a file that is used completely or not at all.
pub(crate) fn outcome(taken: bool, holds: String, problems: Vec<Problem>) -> ReadOutcome {
    if taken { ReadOutcome::of(holds, problems) } else { ReadOutcome::not_read(problems) }
}
