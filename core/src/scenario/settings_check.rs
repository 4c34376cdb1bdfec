//! What is odd about the properties of a scenario: by the rules for the files that they would stand in, at their places in
//! the scenario's text.

use super::Scenario;
use super::document::Origin;
use crate::api::Properties;
use crate::config::check::check;
use crate::config::xml;
use crate::model::{Problem, Severity};
use indexmap::IndexMap;

/// Warnings about single properties: names that nobody knows, values that YARN reads otherwise than they look, or too late.
/// What YARN refuses is told by who starts it.
pub fn odd_settings(scenario: &Scenario) -> Vec<Problem> {
    let (settings, origins) = (&scenario.settings, &scenario.origins);
    let of = |properties: &Properties, places: &IndexMap<String, Origin>| {
        let report = check("scenario", &xml::write(properties), &settings.yarn_site, &settings.labels);
        let of_key = |p: &Problem| {
            let place = places.get(report.key_at(p.span?)?)?;
            Some(Problem { span: Some(place.in_scenario), fix: None, ..p.clone() })
        };
        let odd = report.problems.iter().filter(|p| p.severity == Severity::Warning);
        odd.filter_map(of_key).collect::<Vec<_>>()
    };
    let mut out = of(&settings.capacity_scheduler, &origins.capacity_scheduler);
    out.extend(of(&settings.yarn_site, &origins.yarn_site));
    out
}
