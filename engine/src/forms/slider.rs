//! An application of Slider: its components as fields, and what a user can do to it.

use super::Editor;
use super::make::{self, choice, cross, field, put, remove, small};
use crate::path;
use heddle_core::scenario::{App, SliderApp};
use heddle_core::strategy::slider::settings::key;
use heddle_view::form::{Head, Part, Shape};
use heddle_view::{Change, How, Step};
use toml_edit::Value;

/// Placement policies that have a name.
const POLICIES: [(&str, &str); 4] = [
    ("0", "normal: back to its hosts, relaxed after a while"),
    ("1", "strict: back to its hosts, never relaxed"),
    ("2", "anywhere"),
    ("4", "anti-affinity: one on a host"),
];

/// The components, then the buttons.
pub fn parts(e: &Editor<'_>, app: &App, slider: &SliderApp) -> Vec<Part> {
    let i = app.entry;
    let entries = e.written.len(&path!["apps", i, "components"]);
    let mut out = Vec::new();
    if e.written.text(&path!["apps", i, "resources.json"]).is_empty() {
        out.extend(
            slider.definition.components.keys().take(entries).enumerate().map(|(j, name)| component(e, app, j, name)),
        );
        let id = (1..).find(|id| slider.component(*id).is_none()).unwrap_or(1);
        let entry = format!("{{ name = \"component{id}\", \"{}\" = {id}, \"{}\" = 1 }}", key::PRIORITY, key::INSTANCES);
        let add = Change::Append { list: path!["apps", i, "components"].to_vec(), entry };
        out.push(Part::Button(make::button(
            "+ Component",
            make::edit(format!("add a component to {}", app.name), add),
        )));
    } else {
        out.push(small("Its components stand in resources.json: change them in the text."));
    }
    if !slider.history.is_empty() {
        out.push(small(format!(
            "{} history file{}, in the text.",
            slider.history.len(),
            make::plural(slider.history.len())
        )));
    }
    let now = e.of.snapshot.time_ms;
    let happen = |text: &str, what: &str| {
        let entry = format!("{{ at = \"{now} ms\", do = \"{what}\", app = {} }}", Value::from(app.name.as_str()));
        let add = Change::Append { list: path!["happenings"].to_vec(), entry };
        make::button(text, make::edit(format!("{what} of {}", app.name), add))
    };
    out.push(Part::Row {
        buttons: vec![
            happen("Restart", "restart_app"),
            happen("Damage the history", "damage_history"),
            happen("Delete the history", "delete_history"),
        ],
        note: "at the moment that is shown".to_string(),
    });
    out
}

/// Where a key of a component is written: quoted, or as tables in tables.
fn written_at(e: &Editor<'_>, i: usize, j: usize, key: &str) -> Vec<Step> {
    let entry = path!["apps", i, "components", j];
    let nested: Vec<Step> = entry.iter().cloned().chain(key.split('.').map(Step::from)).collect();
    let quoted: Vec<Step> = entry.iter().cloned().chain([Step::from(key)]).collect();
    if e.written.text(&nested).is_empty() { quoted } else { nested }
}

fn component(e: &Editor<'_>, app: &App, j: usize, name: &str) -> Part {
    let i = app.entry;
    let what = |what: &str| format!("{what} of {name} of {}", app.name);
    let of = |k: &str, label: &str, key: &str, hint: &str| {
        let at = written_at(e, i, j, key);
        field(&format!("a{i}k{j}{k}"), label, e.written.text(&at), hint, put(what(label), &at, How::Typed))
    };
    let own = |k: &str, label: &str, key: &str, hint: &str, how: How| {
        let at = path!["apps", i, "components", j, key];
        field(&format!("a{i}k{j}{k}"), label, e.written.text(&at), hint, put(what(label), &at, how))
    };
    let policy = {
        let at = written_at(e, i, j, key::POLICY);
        let value = e.written.text(&at);
        let value = if value.is_empty() { "0".to_string() } else { value };
        let mut options: Vec<(&str, &str)> = POLICIES.to_vec();
        if options.iter().all(|(known, _)| *known != value) {
            options.push((&value, &value));
        }
        choice(&format!("a{i}k{j}p"), "policy", &value, &options, put(what("policy"), &at, How::Typed))
    };
    let fields = vec![
        of("i", "id", key::PRIORITY, "1"),
        of("n", "instances", key::INSTANCES, "0"),
        policy,
        of("m", "memory, MB", key::MEMORY, "256"),
        of("c", "vcores", key::VCORES, "1"),
        of("l", "label", key::LABEL, "none"),
        of("e", "escalates after, s", key::ESCALATE, "30"),
        of("f", "failures allowed", key::FAILURES, "5"),
        of("h", "failures on a node", key::NODE_FAILURES, "3"),
        own("d", "lasts", "duration", "for ever", How::Text),
        own("x", "exit code", "exit_code", "0", How::Typed),
    ];
    let name = make::bare(
        "Name of the component",
        name,
        "",
        put(what("name"), &path!["apps", i, "components", j, "name"], How::Text),
    );
    let gone = remove(what("removal"), &path!["apps", i, "components", j]);
    let head = Head { name: Some(name), button: Some(cross("Remove the component", gone)), ..Head::default() };
    make::group(format!("component{j}"), Shape::Plain, Some(head), vec![Part::Fields(fields)])
}
