//! Checks the properties of a scenario by the rules for the files that they would stand in, and reports problems at their
//! places in the scenario's text. The same check serves all places where settings are written: those that the run starts
//! with, those that a refresh loads, and (`heddle_player::odd_worlds`) those of other worlds.

use super::Scenario;
use super::happening::Act;
use crate::api::{Properties, RmSettings, SchedulerChoice};
use crate::config::check::check;
use crate::config::properties::{self, Support};
use crate::config::xml;
use crate::model::{Problem, Severity, Span, limits};
use std::collections::BTreeSet;

/// The CapacityScheduler's file.
const CAPACITY_FILE: &str = "capacity-scheduler.xml";

const TYPES: &str = "yarn.resource-types";

/// A problem of one property.
#[derive(Clone, Debug, PartialEq)]
pub struct Odd {
    /// The property's full name.
    pub key: String,
    /// Whether the problem is about the name and not the value.
    pub is_name: bool,
    /// The problem, without a place.
    pub problem: Problem,
}

/// Returns warnings about single properties: unknown names, and values that YARN reads differently than they look, or too
/// late. What YARN refuses at a refresh is among them; what it refuses at the start is reported by the caller that starts
/// it.
pub fn odd_settings(scenario: &Scenario) -> Vec<Problem> {
    let (settings, origins) = (&scenario.settings, &scenario.origins);
    let at_start = |odd: Odd| {
        let origin = origins.capacity_scheduler.get(&odd.key).or_else(|| origins.yarn_site.get(&odd.key))?;
        Some(Problem { span: Some(origin.in_scenario), ..odd.problem })
    };
    let start = odd_at_start(scenario);
    let mut known: Vec<String> = start.iter().map(|odd| odd.problem.what.clone()).collect();
    let mut told: BTreeSet<String> =
        start.iter().filter(|o| o.problem.severity > Severity::Note).map(|o| o.key.clone()).collect();
    let warnings = start.into_iter().filter(|odd| odd.problem.severity == Severity::Warning);
    let mut out: Vec<Problem> = warnings.filter_map(at_start).collect();
    // A file may contain properties that are read elsewhere; a property written here is meant to have an effect.
    let by_hand =
        origins.capacity_scheduler.iter().chain(&origins.yarn_site).filter(|(_, o)| o.source.starts_with('['));
    for (key, origin) in by_hand.clone().filter(|(key, _)| !told.contains(*key)) {
        out.extend(unknown_at(key, origin.in_scenario));
    }
    let written =
        by_hand.filter(|(key, _)| !told.contains(*key)).map(|(key, origin)| (key.as_str(), origin.in_scenario));
    out.extend(of_other_schedulers(scenario, written));
    let file = scenario.files.get(CAPACITY_FILE).filter(|_| is_unread(scenario, SchedulerChoice::Capacity));
    out.extend(file.map(|file| {
        let what = format!("The file `{CAPACITY_FILE}` is not used: another scheduler runs.");
        Problem::note("scenario", file.span, what).mend("Write scheduler = \"capacity\".")
    }));
    let types = origins.yarn_site.get(TYPES).filter(|_| settings.scheduler == SchedulerChoice::Fifo);
    out.extend(types.map(|origin| {
        let what = "The FifoScheduler counts memory alone: what is asked for of these types is dropped.";
        Problem::note("scenario", Some(origin.in_scenario), what).mend("Write scheduler = \"capacity\".")
    }));
    let mut looked = 0;
    for happening in &scenario.happenings {
        let Act::Refresh { capacity_scheduler, set_here, .. } = &happening.act else { continue };
        if set_here.is_empty() {
            continue;
        }
        looked += capacity_scheduler.len();
        if looked > limits::SETTINGS_CHECKED {
            let what = "The settings of this refresh and of those after it are not looked over: there are very many.";
            out.push(Problem::note("scenario", happening.span, what));
            break;
        }
        for odd in odd_properties(capacity_scheduler, settings) {
            // Problems that were reported before are skipped. The cause of a refused refresh may stand elsewhere.
            let here = set_here.iter().rev().find(|set| set.key == odd.key).map(|set| set.span);
            let span = here.or((odd.problem.severity == Severity::Error).then_some(happening.span));
            let Some(span) = span.filter(|_| odd.problem.severity > Severity::Note) else { continue };
            if known.contains(&odd.problem.what) {
                continue;
            }
            known.push(odd.problem.what.clone());
            told.insert(odd.key);
            out.push(Problem { span: Some(span), severity: Severity::Warning, ..odd.problem });
        }
        let written = set_here.iter().filter(|set| !set.in_file && !told.contains(&set.key));
        out.extend(of_other_schedulers(scenario, written.map(|set| (set.key.as_str(), set.span))));
        for set in set_here.iter().filter(|set| !set.in_file) {
            if told.insert(set.key.clone()) {
                out.extend(unknown_at(&set.key, set.span));
            }
        }
    }
    out
}

/// Reports settings of schedulers that run neither here nor in a world: each at its place, or all of one table at the first
/// of them.
fn of_other_schedulers<'s>(scenario: &Scenario, written: impl Iterator<Item = (&'s str, Span)>) -> Vec<Problem> {
    let runs = scenario.settings.scheduler;
    let unread = |key: &str| properties::read_by(key).is_some_and(|by| is_unread(scenario, by));
    let (mut queues, others): (Vec<_>, Vec<_>) =
        written.filter(|(key, _)| unread(key)).partition(|(key, _)| key.starts_with(properties::PREFIX));
    queues.sort_by_key(|(_, at)| at.start);
    let mut out: Vec<Problem> = Vec::new();
    if let [(first, at), _, ..] = queues.as_slice() {
        let more = match queues.len() - 1 {
            1 => "another setting".to_string(),
            more => format!("{more} more settings"),
        };
        let what = format!("{first} and {more} of the CapacityScheduler are not read: the {} runs.", runs.class());
        let mend = format!("Take them away, or write scheduler = \"{}\".", SchedulerChoice::Capacity.text());
        out.push(Problem::note("scenario", *at, what).mend(mend));
        queues.clear();
    }
    for (key, at) in queues.into_iter().chain(others) {
        out.extend(not_read(key, runs).map(|p| Problem { span: Some(at), severity: Severity::Note, ..p }));
    }
    out
}

/// Returns whether a scheduler runs neither in a scenario nor in one of its worlds.
fn is_unread(scenario: &Scenario, by: SchedulerChoice) -> bool {
    scenario.settings.scheduler != by && !scenario.worlds.iter().any(|w| w.scheduler.as_deref() == Some(by.text()))
}

/// Returns the problem of a property that the running scheduler does not read, because it belongs to another one.
pub fn not_read(key: &str, runs: SchedulerChoice) -> Option<Problem> {
    let by = properties::read_by(key).filter(|by| *by != runs)?;
    let what = format!("{key} is not read: it is a setting of the {}, and the {} runs.", by.class(), runs.class());
    let mend = format!("Take it away, or write scheduler = \"{}\".", by.text());
    Some(Problem::warning("scenario", None, what).mend(mend))
}

/// Returns the problems of the properties that a scenario starts with, notes and errors included.
pub fn odd_at_start(scenario: &Scenario) -> Vec<Odd> {
    let settings = &scenario.settings;
    let mut out = odd_properties(&settings.capacity_scheduler, settings);
    out.extend(odd_properties(&settings.yarn_site, settings));
    out
}

/// Returns the problem of a property that has no effect here, because its name is unknown or it is not modelled.
pub fn decides_nothing(key: &str) -> Option<Problem> {
    match support(key) {
        Some(Support::Modelled) => None,
        Some(Support::Kept) => {
            let what = format!("{key} is not modelled: nothing can be different by it.");
            Some(Problem::note("scenario", None, what).mend("docs/deviations.md has what is modelled."))
        }
        None => {
            let what = format!("{key} is not a property that is known here: nothing can be different by it.");
            let mend = "Write the full name of a property, such as root.default.capacity or \
                        yarn.scheduler.minimum-allocation-mb.";
            Some(Problem::warning("scenario", None, what).mend(mend))
        }
    }
}

/// Returns whether a property is modelled, or only kept and written back; `None`: its name is unknown.
pub fn support(key: &str) -> Option<Support> {
    let found = properties::find(key, &|_| false)?;
    found.meaning().map(|property| property.support)
}

/// Reports an unknown name in settings that a run has.
fn unknown_at(key: &str, at: Span) -> Option<Problem> {
    let problem = decides_nothing(key).filter(|p| p.severity == Severity::Warning)?;
    Some(Problem { span: Some(at), severity: Severity::Note, ..problem })
}

/// Returns the problems of the properties of one file, on top of a scenario's yarn-site.xml.
fn odd_properties(properties: &Properties, settings: &RmSettings) -> Vec<Odd> {
    let report = check("scenario", &xml::write(properties), &settings.yarn_site, &settings.labels);
    let within = |of: Span, at: Span| of.start <= at.start && at.end <= of.end;
    let of_key = |p: &Problem| {
        let at = p.span?;
        let (key, origin) = report.places.iter().find(|(_, o)| within(o.span, at))?;
        let problem = Problem { span: None, fix: None, ..p.clone() };
        Some(Odd { key: key.clone(), is_name: within(origin.name_span, at), problem })
    };
    report.problems.iter().filter_map(of_key).collect()
}
