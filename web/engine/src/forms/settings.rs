//! Settings: how scheduling is driven, the handler of constraints, yarn-site keys, timing, seed.

use super::Editor;
use super::make::{self, choice, field, put};
use super::queues::said;
use crate::path;
use heddle_core::config::properties;
use heddle_core::config::resource_text::{CALCULATOR, DOMINANT};
use heddle_core::scenario::{Because, Mode, Release, Scenario, units};
use heddle_view::form::{Button, Field, Note, Part, Property, Tone};
use heddle_view::{Change, Edit, How, QueueChange, SchedulerChoice};

/// The property of the handler that places requests with constraints.
pub const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";

/// The yarn-site keys in the form, without `yarn.`, with their defaults and short names.
const SITE: [(&str, &str, &str); 6] = [
    ("scheduler.minimum-allocation-mb", "1024", "smallest container, MB"),
    ("scheduler.maximum-allocation-mb", "8192", "largest container, MB"),
    ("scheduler.minimum-allocation-vcores", "1", "smallest container, vcores"),
    ("scheduler.maximum-allocation-vcores", "4", "largest container, vcores"),
    ("resourcemanager.am.max-attempts", "2", "attempts of an AM"),
    ("resource-types", "", "further resource types"),
];

/// The scenario's timing keys.
const TIMING: [(&str, &str); 7] = [
    ("node_heartbeat", "node heartbeat"),
    ("am_heartbeat", "AM heartbeat"),
    ("launch", "launch"),
    ("am_start", "AM start"),
    ("stop", "stop"),
    ("node_expiry", "node lost after"),
    ("async_interval", "async pause"),
];

pub fn settings(e: &Editor<'_>) -> Vec<Part> {
    let Some(s) = e.of.scenario else { return vec![] };
    let text = |key: &str| e.written.text(&path![key]);
    let select = |key: &str, label: &str, options: &[(&str, &str)]| {
        choice(key, label, &text(key), options, put(key, &path![key], How::Text))
    };
    let line = |id: &str, key: &str, label: &str, hint: &str, how: How| {
        field(id, label, text(key), hint, put(key, &path![key], how))
    };
    let capacity_runs = s.settings.scheduler == SchedulerChoice::Capacity;
    let schedulers = [
        ("", "one of yarn-site.xml"),
        ("capacity", "CapacityScheduler"),
        ("fair", "FairScheduler"),
        ("fifo", "FifoScheduler"),
    ];
    let releases = [("", "not said"), ("3.5", "3.5"), ("3.4", "3.4"), ("3.3", "3.3")];
    let driven = [("", "as the release"), ("heartbeat", "on heartbeats"), ("async", "asynchronously")];
    let handlers = ["disabled", "scheduler", "placement-processor"].map(|h| (h, h));
    let mut fields = vec![select("scheduler", "runs the", &schedulers), select("release", "release", &releases)];
    fields.extend(capacity_runs.then(|| select("scheduling", "schedules", &driven)));
    fields.push(choice("handler", "constraints", &handler(s), &handlers, site("handler", HANDLER)));
    fields.extend(capacity_runs.then(|| calculator(s)));
    let timing = TIMING.iter().map(|(key, name)| {
        let path = path!["timing", *key];
        field(&format!("t-{key}"), name, e.written.text(&path), &default_of(s, key), put(*name, &path, How::Text))
    });
    let mut out: Vec<Part> = capacity_runs.then(|| driven_by(s)).into_iter().collect();
    out.extend([
        Part::Fields(fields),
        Part::Heading("Run".into()),
        Part::Fields(vec![
            line("seed", "seed", "seed", "1", How::Typed),
            line("until", "until", "until", "the end", How::Text),
            line("start", "start_at", "opens at", "0 s", How::Text),
        ]),
        Part::Heading("yarn-site.xml".into()),
    ]);
    out.extend(SITE.iter().map(|(key, default, name)| of_site(s, key, default, name)));
    out.extend([Part::Heading("Timing".into()), Part::Fields(timing.collect())]);
    out
}

/// Returns the handler of constraints that is set.
pub fn handler(s: &Scenario) -> String {
    s.settings.yarn_site.get(HANDLER).cloned().unwrap_or_else(|| "disabled".into())
}

fn site(what: &str, name: &str) -> Edit {
    make::edit(what, Change::Site(name.to_owned()))
}

fn of_site(s: &Scenario, key: &str, default: &str, label: &str) -> Part {
    let name = format!("yarn.{key}");
    let value = s.settings.yarn_site.get(&name).cloned().unwrap_or_default();
    let set = !value.is_empty();
    let what = key.rsplit('.').next().unwrap_or(key);
    let notes = properties::find(&name, &|_| false).map_or(vec![], |row| said(row.property, &value, true));
    let invalid = !notes.is_empty();
    let field = Field { id: format!("s-{key}"), invalid, ..field("", label, value, default, site(what, &name)) };
    Part::Property(Property { field, name, unit: String::new(), set, notes, help: String::new() })
}

fn calculator(s: &Scenario) -> Field {
    let class = s.settings.capacity_scheduler.get(CALCULATOR).map(String::as_str).unwrap_or_default();
    let class = if class.ends_with("DominantResourceCalculator") { class } else { "" };
    let change = QueueChange::Property { name: CALCULATOR.into(), blank: false };
    let edit = make::edit("resource-calculator", Change::Queues { at_ms: None, change });
    choice("calculator", "counts", class, &[("", "memory only"), (DOMINANT, "all resources")], edit)
}

/// Says what drives scheduling; asks if nothing decides it.
fn driven_by(s: &Scenario) -> Part {
    let now = match s.scheduling.mode {
        Mode::Heartbeat => "The scheduler looks at a node when that node sends its heartbeat.",
        Mode::Async => "The scheduler walks over all nodes in threads of its own, all the time.",
    };
    let because = match s.scheduling.because {
        Because::Property => "yarn.scheduler.capacity.schedule-asynchronously.enable says so.",
        Because::Scenario => "The scenario says so.",
        Because::Release => "That is the default of the release named.",
        Because::Default => return ask_release(),
    };
    Part::Note(Note { text: now.into(), tone: Tone::Soft, aside: because.into() })
}

/// The question that an imported file without the property leaves open.
pub fn ask_release() -> Part {
    let answer = |release: &str, label: &str| Button {
        typed: release.into(),
        ..make::button(label, make::edit("release", Change::Release))
    };
    Part::Ask {
        title: "Which Hadoop release is this for?".into(),
        text: "The release decides which settings count, and how the CapacityScheduler is driven where the file does not say it: on heartbeats until 3.4, asynchronously since 3.5.".into(),
        answers: Release::ALL
            .iter()
            .map(|(name, release)| answer(name, if *release == Release::V3_5 { "3.5 or newer" } else { name }))
            .collect(),
    }
}

fn default_of(s: &Scenario, key: &str) -> String {
    let t = &s.timing;
    units::time_text(match key {
        "node_heartbeat" => t.node_heartbeat,
        "am_heartbeat" => t.am_heartbeat,
        "launch" => t.launch,
        "am_start" => t.am_start,
        "stop" => t.stop,
        "node_expiry" => t.node_expiry,
        _ => t.async_interval,
    })
}
