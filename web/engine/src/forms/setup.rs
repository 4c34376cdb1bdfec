//! What an import leaves open: the nodes, the release, the load, and the inferred properties, each where it can be changed.

use super::Editor;
use super::make::{self, button, choice, field, put};
use super::queues::property_field;
use crate::edits::load;
use crate::edits::nodes::has;
use crate::path;
use heddle_core::api::NodeLabel;
use heddle_core::config::properties;
use heddle_core::model::Millis;
use heddle_core::scenario::units::{size_text, time_text};
use heddle_core::scenario::{Release, Scenario};
use heddle_view::form::{Chip, Field, Property, Setup};
use heddle_view::{Change, How, Load, QueueChange, RemarkValue};
use std::collections::BTreeSet;

/// The most leaf queues among which one's own case chooses by a list.
const LISTED: usize = 2_000;

pub fn setup(e: &Editor<'_>, wanted: &[RemarkValue]) -> Option<Setup> {
    let s = e.of.scenario?;
    Some(Setup {
        cluster: nodes(s, "", "Cluster"),
        labels: s.settings.labels.iter().map(|label| nodes(s, &label.name, &label.name)).collect(),
        attributes: attributes(s),
        release: release(e),
        loads: loads(s, e.of.given),
        case: case(e, s),
        values: wanted.iter().filter_map(|about| Some((about.clone(), value(s, about)?))).collect(),
        changed: Vec::new(),
    })
}

/// Returns the values that differ from those of another form of the same import.
pub fn changed(first: &Setup, now: &Setup, wanted: &[RemarkValue]) -> Vec<RemarkValue> {
    let text = |setup: &Setup, about: &RemarkValue| -> Vec<String> {
        match about {
            RemarkValue::Release => vec![setup.release.value.clone()],
            RemarkValue::Nodes => {
                std::iter::once(&setup.cluster).chain(&setup.labels).map(|field| field.value.clone()).collect()
            }
            RemarkValue::File => Vec::new(),
            RemarkValue::Site(_) | RemarkValue::Capacity(_) | RemarkValue::Labels | RemarkValue::RunTimes => {
                setup.values.iter().filter(|(of, _)| of == about).map(|(_, field)| field.value.clone()).collect()
            }
        }
    };
    wanted.iter().filter(|about| text(first, about) != text(now, about)).cloned().collect()
}

/// Returns the nodes with a label as one line, which can be typed anew.
fn nodes(s: &Scenario, label: &str, name: &str) -> Field {
    let what = if label.is_empty() { "nodes".to_owned() } else { format!("nodes of {label}") };
    let id = if label.is_empty() { "setup-cluster".to_owned() } else { format!("setup-label-{label}") };
    Field {
        id,
        title: "Write it like 12 × 64 GB/16, 3 racks, os=el9; several kinds with + between them.".into(),
        ..field("", name, line(s, label), "none", make::edit(what, Change::Cluster { label: label.to_owned() }))
    }
}

/// Returns the node attributes that applications name, as choices.
fn attributes(s: &Scenario) -> Vec<Chip> {
    let named: BTreeSet<(&str, &str)> = s.apps.iter().flat_map(|app| app.attributes()).collect();
    let chip = |(name, value): (&str, &str)| {
        let change = Change::Attribute { name: name.to_owned(), value: value.to_owned() };
        let on = s.nodes.iter().any(|node| has(node, name, value));
        Chip { button: button(&format!("{name}={value}"), make::edit(format!("attribute {name}"), change)), on }
    };
    named.into_iter().filter(|(name, _)| !name.is_empty()).map(chip).collect()
}

/// Returns `120 × 128 GB/32, 4 racks`.
pub fn line(s: &Scenario, label: &str) -> String {
    let names = s.resource_types.names();
    let mut kinds: Vec<((String, String), usize, Vec<&str>)> = Vec::new();
    for node in s.nodes.iter().filter(|n| n.spec.label.as_deref().unwrap_or_default() == label) {
        let total = &node.spec.total;
        let more = names.iter().enumerate().skip(2).filter(|(place, _)| total[*place] > 0);
        let more = more.map(|(place, name)| (name.as_str(), total[place]));
        let attributes: String = node.attributes.iter().map(|(name, value)| format!(", {name}={value}")).collect();
        let own = (size_text(total.memory_mb(), total.vcores(), more), attributes);
        let at = kinds.iter().position(|(of, ..)| *of == own).unwrap_or_else(|| {
            kinds.push((own, 0, Vec::new()));
            kinds.len() - 1
        });
        kinds[at].1 += 1;
        if !kinds[at].2.contains(&node.spec.rack.as_str()) {
            kinds[at].2.push(&node.spec.rack);
        }
    }
    let kind = |((size, attributes), count, racks): &((String, String), usize, Vec<&str>)| {
        let racks = if racks.len() > 1 { format!(", {} racks", racks.len()) } else { String::new() };
        format!("{count} × {size}{racks}{attributes}")
    };
    kinds.iter().map(kind).collect::<Vec<_>>().join(" + ")
}

fn release(e: &Editor<'_>) -> Field {
    let names: Vec<&str> = Release::ALL.iter().map(|(name, _)| *name).collect();
    let mut options = vec![("", "not said: 3.5")];
    options.extend(names.iter().map(|name| (*name, *name)));
    let edit = make::edit("release", Change::Release);
    let release = choice("", "Release", &e.written.text(&path!["release"]), &options, edit);
    Field { id: "setup-release".into(), ..release }
}

fn loads(s: &Scenario, given: usize) -> Vec<Chip> {
    let now = load::now(s);
    let there = s.apps.iter().any(|app| app.now.is_some());
    let given_name = match (there, given) {
        (true, 1) => "this minute\u{2019}s application".to_owned(),
        (true, n) => format!("this minute\u{2019}s {n} applications"),
        (false, 1) => "the application of the files".to_owned(),
        (false, n) => format!("the {n} applications of the files"),
    };
    let with = if given > 0 { "and " } else { "" };
    let mut all = vec![
        (Load::FillQueues, format!("{with}fill every queue")),
        (Load::NoisyUser, format!("{with}one noisy user")),
        (Load::MyCase, format!("{with}my case …")),
        (Load::Nothing, "none".to_owned()),
    ];
    if given > 0 {
        all.insert(0, (Load::Given, given_name));
    }
    let chip = |(load, name): (Load, String)| Chip {
        button: button(&name, make::edit(format!("load: {name}"), Change::Load(load))),
        on: load == now,
    };
    all.into_iter().map(chip).collect()
}

/// Returns the fields of one's own case: queue, user, ApplicationMaster, and the containers.
fn case(e: &Editor<'_>, s: &Scenario) -> Vec<Field> {
    let Some(app) = s.apps.iter().find(|app| load::of(app) == Some(Load::MyCase)) else { return Vec::new() };
    let entry = app.entry;
    let of = |id: &str, label: &str, path: &[heddle_view::Step], how: How| {
        let value = e.written.value(path, how);
        Field {
            id: format!("setup-case-{id}"),
            ..field("", label, value, "", put(format!("{label} of my case"), path, how))
        }
    };
    let queue = of("queue", "queue", &path!["apps", entry, "queue"], How::Text);
    let leaves = load::leaves(s);
    let queue = match leaves.len() <= LISTED {
        true => Field {
            control: heddle_view::form::Control::Choice(leaves.into_iter().map(|q| (q.clone(), q)).collect()),
            ..queue
        },
        false => queue,
    };
    vec![
        queue,
        of("user", "user", &path!["apps", entry, "user"], How::Text),
        of("am", "AM", &path!["apps", entry, "am"], How::Text),
        of("count", "containers", &path!["apps", entry, "tasks", 0, "count"], How::Typed),
        of("size", "of", &path!["apps", entry, "tasks", 0, "size"], How::Size),
    ]
}

/// Returns the properties that an answer names, each with its field; a name stands first in its text.
pub fn named<'a>(s: &Scenario, told: impl Iterator<Item = &'a String>) -> Vec<Property> {
    let mut out: Vec<Property> = Vec::new();
    for name in told.filter_map(|text| text.split_whitespace().next()) {
        let Some(row) = properties::find(name, &|_| true).map(|row| row.property) else { continue };
        let about = match row.file {
            properties::File::Site => RemarkValue::Site(name.to_owned()),
            _ => RemarkValue::Capacity(name.to_owned()),
        };
        if out.iter().any(|known| known.name == name) {
            continue;
        }
        let Some((name, field)) = property(s, &about) else { continue };
        let (set, field) = (!field.value.is_empty(), Field { id: format!("why-{name}"), ..field });
        out.push(Property { field, unit: row.unit.into(), set, notes: vec![], help: row.help.into(), name });
    }
    out
}

/// Returns the field of a value that a remark is about, unless that stands elsewhere.
fn value(s: &Scenario, about: &RemarkValue) -> Option<Field> {
    match about {
        RemarkValue::Site(_) | RemarkValue::Capacity(_) => property(s, about).map(|(_, field)| field),
        RemarkValue::Labels => Some(Field { id: "setup-labels".into(), ..labels(s) }),
        RemarkValue::RunTimes => Some(run_times(s)),
        RemarkValue::Release | RemarkValue::Nodes | RemarkValue::File => None,
    }
}

/// Returns the node labels as one line, which can be typed anew.
pub fn labels(s: &Scenario) -> Field {
    let name = |label: &NodeLabel| match label.exclusive {
        true => label.name.clone(),
        false => format!("{}(exclusive=false)", label.name),
    };
    let written: Vec<String> = s.settings.labels.iter().map(name).collect();
    Field {
        title: "With commas; gpu(exclusive=false) lends what is free to applications without the label.".into(),
        ..field("labels", "labels", written.join(", "), "none", make::edit("node labels", Change::NodeLabels))
    }
}

/// Returns how long containers run that are there when the run begins: the last of their ends.
fn run_times(s: &Scenario) -> Field {
    let there = s.apps.iter().filter_map(|app| app.now.as_ref());
    let ends = there.flat_map(|now| {
        let running = now.running.iter().filter(|c| !c.am).map(|c| c.duration);
        running.chain(now.asks.iter().map(|ask| ask.duration))
    });
    // One that runs for ever is later than all others.
    let last = ends.map(|end| end.unwrap_or(Millis::MAX)).max().filter(|end| *end < Millis::MAX);
    Field {
        title: "Such as 10 min. Since when they run is not known, so their ends are spread evenly over that time; those that wait run as long.".into(),
        ..field("setup-run-times", "containers run", last.map(time_text).unwrap_or_default(), "for ever", make::edit("how long containers run", Change::RunTimes))
    }
}

/// Returns the field of a property that a remark is about.
fn property(s: &Scenario, about: &RemarkValue) -> Option<(String, Field)> {
    let (name, set, change) = match about {
        RemarkValue::Site(name) => (name, &s.settings.yarn_site, Change::Site(name.clone())),
        RemarkValue::Capacity(name) => {
            let change = QueueChange::Property { name: name.clone(), blank: false };
            (name, &s.settings.capacity_scheduler, Change::Queues { at_ms: None, change })
        }
        RemarkValue::Release | RemarkValue::Nodes | RemarkValue::Labels | RemarkValue::RunTimes | RemarkValue::File => {
            return None;
        }
    };
    let row = properties::find(name, &|_| true)?.property;
    let value = set.get(name).cloned().unwrap_or_default();
    let edit = make::edit(name.clone(), change);
    Some((name.clone(), property_field(format!("setup-{name}"), name, row, &value, edit)))
}
