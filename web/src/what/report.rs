//! What was found in an imported file: counts, problems with line and mend, what is kept but not modelled.

use crate::share::import::Report;
use heddle_core::config::xml;
use heddle_core::scenario;

/// The report of a file, which stands in `scenario` already.
pub fn of_file(name: &str, text: &str, scenario: &str) -> Report {
    let (document, problems) = xml::read(name, text);
    let properties = document.properties();
    let mut report = Report {
        name: name.to_owned(),
        what: format!("{name} was read here, in this tab. Nothing was sent."),
        text: text.to_owned(),
        problems,
        ..Report::default()
    };
    if name == "capacity-scheduler.xml" {
        let queues: usize = properties
            .iter()
            .filter(|(k, _)| k.starts_with("yarn.scheduler.capacity.") && k.ends_with(".queues"))
            .map(|(_, v)| v.split(',').filter(|q| !q.trim().is_empty()).count())
            .sum();
        report.facts.push(format!("{queues} queue{}", if queues == 1 { "" } else { "s" }));
    }
    if !properties.is_empty() {
        report.facts.push(format!("{} properties", properties.len()));
    }
    // What reading the whole scenario finds in this file.
    let read = scenario::read(scenario);
    if let Some(inside) = scenario.find(text) {
        for mut p in read.problems {
            let Some(span) = p.span.filter(|s| s.start >= inside && s.end <= inside + text.len()) else { continue };
            p.span = Some(heddle_core::model::Span::new(span.start - inside, span.end - inside));
            if !report.problems.iter().any(|q| q.what == p.what) {
                report.problems.push(p);
            }
        }
    }
    report
}
