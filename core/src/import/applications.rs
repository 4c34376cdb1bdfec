//! What all files and commands have in common that describe one application. What one kind's files hold is read in its folder
//! (`import`).

use super::{Entry, Gathered, Outcome};
use crate::model::Problem;
use crate::scenario;

/// Takes an entry into the scenario, under a name that is free there.
pub(crate) fn add(gathered: &mut Gathered, was: &str, toml: Option<String>, types: Vec<String>) -> bool {
    let Some(toml) = toml else { return false };
    let name = gathered.free_name(was);
    let toml = if name == was { toml } else { toml.replacen(&format!("\"{was}\""), &format!("\"{name}\""), 1) };
    asked(gathered, &toml);
    gathered.entries.push(Entry { name, toml, types });
    true
}

/// The queue and the labels that an entry asks for, so that they are there where no text tells of them.
fn asked(gathered: &mut Gathered, toml: &str) {
    let apps = scenario::read(&format!("heddle = 1\n[[apps]]\n{toml}")).scenario.map(|s| s.apps).unwrap_or_default();
    for app in &apps {
        gathered.names_queue(Some(app.queue.as_str()).filter(|queue| !queue.is_empty()));
        for label in app.kind.labels().iter().filter(|label| !label.is_empty()) {
            gathered.label(label, None);
        }
    }
}

/// Reports a file of which all or nothing is taken.
pub(crate) fn outcome(taken: bool, holds: String, problems: Vec<Problem>) -> Outcome {
    if taken { Outcome::of(holds, problems) } else { Outcome::not_read(problems) }
}
