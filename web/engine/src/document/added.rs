//! Files that become one more application of the scenario: a yarnfile, Slider's resources.json, and the .properties file of a
//! Samza job.

use super::import::{Found, unknown};
use crate::edits;
use heddle_core::apps::distributed_shell::scenario::file as shell_file;
use heddle_core::apps::{
    samza::scenario::file as job_file, service::scenario::file as yarnfile, slider::scenario::file as slider_file,
};
use heddle_core::config::resource_text::{CALCULATOR, DOMINANT, TYPES};
use heddle_core::model::{Problem, Severity};
use heddle_core::scenario::{self, Scenario};
use heddle_player::explain::words;
use heddle_view::{Change, Edit, QueueChange, Report, SchedulerChoice};
use toml_edit::Value;

/// The name of an application that is added, and its entry: two applications of one name would be an error.
fn another(was: String, entry: Option<String>, apps: &[scenario::App]) -> (String, Option<String>) {
    let taken = |name: &str| apps.iter().any(|a| a.name == name);
    if !taken(&was) {
        return (was, entry);
    }
    let name = (2..).map(|n| format!("{was}-{n}")).find(|name| !taken(name)).unwrap_or_default();
    let entry = entry.map(|entry| entry.replacen(&format!("\"{was}\""), &format!("\"{name}\""), 1));
    (name, entry)
}

/// A Samza job becomes one more application of the scenario.
pub fn job(name: &str, text: &str, current: &str) -> Found {
    let found = job_file::import(text);
    let apps = scenario::read(current).scenario.map(|s| s.apps).unwrap_or_default();
    let (app, entry) = another(found.name, found.entry, &apps);
    let file = if name.is_empty() { "job.properties" } else { name };
    let mut report = Report { name: file.into(), problems: Problem::placed(found.problems, text), ..Report::default() };
    let Some(mut entry) = entry else {
        report.what = "Samza refuses this job, for the errors below. Nothing was added.".to_owned();
        return Found::Unknown(Box::new(report));
    };
    // Where the scenario has no such queue, the job goes where the others are.
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
    Found::File { text: next, report: Box::new(report) }
}

/// The scenario with one more application. Errors: the entry has no place, or see [`checked`].
fn with_entry(current: &str, entry: &str) -> Result<String, String> {
    checked(current, edits::push(current, "apps", entry)?)
}

/// `next`, if it can follow `current`. Errors: it has an error, and `current` has none.
fn checked(current: &str, next: String) -> Result<String, String> {
    match first_error(&next).filter(|_| first_error(current).is_none()) {
        Some(why) => Err(format!("The scenario would have an error with it: {why}")),
        None => Ok(next),
    }
}

/// Slider's resources.json becomes one more application of the scenario.
pub fn slider(name: &str, text: &str, current: &str) -> Found {
    let found = slider_file::import(text);
    let apps = scenario::read(current).scenario.map(|s| s.apps).unwrap_or_default();
    let (app, entry) = another(found.name, found.entry, &apps);
    let file = if name.is_empty() { "resources.json" } else { name };
    let mut report = Report { name: file.into(), problems: Problem::placed(found.problems, text), ..Report::default() };
    let Some(entry) = entry else {
        report.what = "Slider refuses this definition, for the errors below. Nothing was added.".to_owned();
        return Found::Unknown(Box::new(report));
    };
    let next = match with_entry(current, &entry) {
        Ok(next) => next,
        Err(why) => return unknown(file, text, why),
    };
    let (components, instances) = found.counts;
    report.what = format!(
        "A Slider application: {} with {}.",
        words::count(components as i64, "component"),
        words::count(instances, "instance")
    );
    report.facts.push(format!("It was added as the application `{app}`; the file stands in it letter for letter."));
    report.taken = true;
    Found::File { text: next, report: Box::new(report) }
}

/// A placement spec, or the command that runs it, becomes one more application of the scenario: a distributed shell, of what the
/// command says.
pub fn shell(spec: &str, current: &str) -> Found {
    let name = "placement spec";
    let known = scenario::read(current).scenario;
    let apps = known.as_ref().map(|s| s.apps.as_slice()).unwrap_or_default();
    let found = shell_file::import(spec);
    let (app, entry) = another(found.name, Some(found.entry), apps);
    let types = found.types;
    let added = edits::push(current, "apps", &entry.unwrap_or_default());
    let (next, listed) = match added.and_then(|next| with_types(next, known.as_ref(), &types)) {
        Ok(next) => next,
        Err(why) => return unknown(name, spec, why),
    };
    if let Some(why) = first_error(&next).filter(|_| first_error(current).is_none()) {
        return unknown(
            name,
            spec,
            format!("This is a placement spec that cannot be read, and nothing was added. {why}"),
        );
    }
    let mut facts = vec![format!("It was added as the application `{app}`, with containers of {}.", found.size)];
    facts.extend(listed.facts());
    facts.extend(found.ignored.iter().map(|what| format!("`{what}` is not taken over.")));
    let scenario = scenario::read(&next).scenario;
    let constrained = scenario.as_ref().and_then(|s| s.apps.last()).is_some_and(|app| app.kind.sends_constraints());
    if constrained && scenario.is_none_or(|s| !s.settings.yarn_site.contains_key(HANDLER)) {
        facts.push(format!(
            "No handler of constraints is set, so YARN refuses its calls: set {HANDLER}, under Settings."
        ));
    }
    let what = match found.spec {
        false => "A command of the distributed shell.",
        true => "A placement spec of the distributed shell.",
    };
    Found::File {
        text: next,
        report: Box::new(Report { name: name.into(), what: what.to_owned(), facts, taken: true, ..Report::default() }),
    }
}

/// Which handler places requests with constraints; none, unless it is set.
const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";

/// A YARN service becomes one more application of the scenario.
pub fn service(name: &str, text: &str, current: &str) -> Found {
    let mut found = yarnfile::import(text);
    // A resource type that it does not know would be an error of the scenario.
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
        Some(_) => Found::File { text: next, report: Box::new(report) },
        None => Found::Unknown(Box::new(report)),
    }
}

/// What was set for resource types besides memory and vcores that an application asks for.
#[derive(Default)]
struct Listed {
    /// Those that are listed from now on.
    types: Vec<String>,
    /// Whether the CapacityScheduler counts all resources from now on.
    dominant: bool,
}

impl Listed {
    /// Says so.
    fn facts(&self) -> Vec<String> {
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

/// Lists resource types that `text` does not know, and has the CapacityScheduler count them. `was`: the scenario before.
fn with_types(text: String, was: Option<&Scenario>, types: &[String]) -> Result<(String, Listed), String> {
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

/// The first error of a scenario, with its mend.
fn first_error(scenario: &str) -> Option<String> {
    let found = scenario::read(scenario).problems.into_iter().find(|p| p.severity == Severity::Error)?;
    Some(format!("{} {}", found.what, found.mend))
}
