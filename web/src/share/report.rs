//! What was found in an imported file: counts, problems with line and mend, what is kept but not modelled.

use super::import::Report;
use heddle_core::config::{check, xml};
use heddle_core::scenario;

/// The report of a file, which stands in `scenario` already.
pub fn of_file(name: &str, text: &str, scenario: &str) -> Report {
    let settings = scenario::read(scenario).scenario.map(|s| s.settings).unwrap_or_default();
    let site = if name == "capacity-scheduler.xml" { settings.yarn_site } else { Default::default() };
    let found = check::check(name, text, &site, &settings.labels);
    let mut problems = found.problems.clone();
    // Fails to read at all: said once, with its place.
    let (_, broken) = xml::read(name, text);
    for p in broken {
        if !problems.iter().any(|q| q.what == p.what) {
            problems.push(p);
        }
    }
    Report {
        name: name.to_owned(),
        what: "read here, in this tab. Nothing was sent.".to_owned(),
        taken: true,
        facts: vec![found.summary()],
        text: text.to_owned(),
        problems,
        kept: found.kept,
        // Nothing in the file says how the scheduler is driven: the release decides.
        ask_release: found.recognised == check::Recognised::CapacityScheduler && found.asynchronous.is_none(),
    }
}
