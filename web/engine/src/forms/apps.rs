//! Applications: the list with what each has and waits for, and the form of the selected one.

use super::Editor;
use super::make::{self, choice, cross, field, put, remove};
use super::settings::HANDLER;
use crate::apps::{KindForm, kinds, own};
use crate::edits::PROCESSOR;
use crate::path;
use heddle_core::scenario::{App, units};
use heddle_view::form::{AppLine, Button, Field, GroupShape, Head, Part};
use heddle_view::{Change, How, Selection};
use std::collections::BTreeSet;
use toml_edit::Value;

/// The most applications listed.
const LISTED: usize = 400;

/// Returns the list and the form.
pub fn apps(e: &Editor<'_>) -> Vec<Part> {
    let apps = e.of.scenario.map(|s| s.apps.as_slice()).unwrap_or_default();
    let chosen = chosen(e);
    let mut out = Vec::new();
    if apps.is_empty() {
        out.push(Part::Empty { title: "Nobody asks for anything.".into(), text: "Add an application.".into() });
    }
    out.push(Part::Apps {
        list: apps.iter().take(LISTED).map(|a| line(e, a, chosen)).collect(),
        more: apps.len().saturating_sub(LISTED),
    });
    let buttons = kinds().map(|kind| add(e, kind)).collect();
    out.push(Part::Row { buttons, note: String::new() });
    out.extend(chosen.map(|app| form(e, app)));
    out
}

/// Returns the application whose form is shown.
pub fn chosen<'a>(e: &Editor<'a>) -> Option<&'a App> {
    let apps = e.of.scenario?.apps.as_slice();
    e.of.chosen
        .or(e.of.about)
        .and_then(Selection::app)
        .and_then(|name| apps.iter().find(|a| a.name == name))
        .or(apps.first())
}

fn line(e: &Editor<'_>, a: &App, chosen: Option<&App>) -> AppLine {
    let id = Selection::App(a.name.clone());
    let snapshot = e.of.snapshot;
    let live = snapshot.apps.iter().find(|l| l.name == a.name);
    let refused = snapshot.refused.iter().find(|r| r.id == id);
    let queue = live.map(|l| l.queue.as_str()).filter(|q| !q.is_empty()).unwrap_or(&a.queue);
    let queue = queue.rsplit('.').next().unwrap_or(queue);
    AppLine {
        name: a.name.clone(),
        whose: format!("{queue} · {}", a.user),
        chosen: chosen.is_some_and(|c| c.name == a.name),
        progress: live.map(|l| l.progress.clone()).unwrap_or_default(),
        refused: refused.map(|r| r.text.clone()).unwrap_or_default(),
        waiting: snapshot.waiting.iter().filter(|w| w.app == a.name).map(|w| w.count).sum(),
    }
}

fn add(e: &Editor<'_>, kind: &dyn KindForm) -> Button {
    let taken: BTreeSet<&str> = e.of.scenario.iter().flat_map(|s| &s.apps).map(|a| a.name.as_str()).collect();
    let name = (1..).map(|i| format!("{}{i}", kind.stem())).find(|n| !taken.contains(n.as_str())).unwrap_or_default();
    let leaves: Vec<&str> = e.of.snapshot.queues.iter().filter(|q| q.leaf).map(|q| q.name.as_str()).collect();
    let queue = if leaves.contains(&"default") { "default" } else { leaves.first().copied().unwrap_or("default") };
    let queue = Value::from(queue);
    let entry = kind.entry(&name, &queue);
    let unhandled = e.of.scenario.is_none_or(|s| !s.settings.yarn_site.contains_key(HANDLER));
    let edit = if kind.is_constrained() && unhandled {
        let what = format!("add {name}, with the handler {PROCESSOR} that its constraint needs");
        make::edit(what, Change::AppendConstrained { entry })
    } else {
        make::edit(format!("add {name}"), Change::Append { list: path!["apps"].to_vec(), entry })
    };
    Button { select: Some(Selection::App(name)), ..make::button(kind.button(), edit) }
}

fn form(e: &Editor<'_>, app: &App) -> Part {
    let i = app.entry;
    let text = |key: &str| e.written.text(&path!["apps", i, key]);
    let of = |k: &str, label: &str, key: &str, hint: &str, how: How, what: &str| {
        let path = path!["apps", i, key];
        let edit = put(format!("{what} of {}", app.name), &path, how);
        field(&format!("a{i}{k}"), label, e.written.value(&path, how), hint, edit)
    };
    let name = put(format!("name of {}", app.name), &path!["apps", i, "name"], How::Text);
    let head = Head {
        name: Some(make::bare("Name of the application", text("name"), "", name)),
        button: Some(cross(format!("Remove {}", app.name), remove(format!("remove {}", app.name), &path!["apps", i]))),
        ..Head::default()
    };
    // The client's default where the entry has no value.
    let priority = app.priority.map_or_else(|| "queue's".to_owned(), |p| p.to_string());
    let label = app.label.clone().filter(|label| !label.is_empty()).unwrap_or_else(|| "none".into());
    let mut fields = vec![
        queue(e, app),
        of("u", "user", "user", "user", How::Text, "user"),
        of("t", "at", "at", "0 s", How::Text, "time"),
        of("p", "priority", "priority", &priority, How::Typed, "priority"),
        am(e, app),
        of("l", "label", "label", &label, How::Text, "label"),
    ];
    let own = own(&app.kind);
    fields.extend(own.fields(e, app));
    let mut parts = vec![Part::Fields(fields)];
    parts.extend(own.parts(e, app));
    make::group(format!("app{i}"), GroupShape::Legend, Some(head), parts)
}

fn queue(e: &Editor<'_>, app: &App) -> Field {
    let i = app.entry;
    let written = e.written.text(&path!["apps", i, "queue"]);
    let queue = if written.is_empty() { app.queue.clone() } else { written };
    let leaves = e.of.snapshot.queues.iter().filter(|q| q.leaf);
    let mut options: Vec<(&str, &str)> = leaves.map(|q| (q.path.as_str(), q.path.as_str())).collect();
    // A queue is given by its path or its last name; other text is shown as typed.
    let last = |path: &str| path.rsplit('.').next() == Some(queue.as_str());
    match options.iter_mut().find(|(path, _)| *path == queue || last(path)) {
        Some(known) => known.0 = &queue,
        None => options.push((&queue, &queue)),
    }
    let edit = put(format!("queue of {}", app.name), &path!["apps", i, "queue"], How::Text);
    choice(&format!("a{i}q"), "queue", &queue, &options, edit)
}

/// Returns the field of the ApplicationMaster's size, which is written as a text or in a table.
fn am(e: &Editor<'_>, app: &App) -> Field {
    let i = app.entry;
    let (short, long) = (path!["apps", i, "am"], path!["apps", i, "am", "size"]);
    let in_table = e.written.text(&short).is_empty() && !e.written.pairs(&short).is_empty();
    let path: &[_] = if in_table { &long } else { &short };
    let hint = format!("{}/{}", units::memory_text(app.am.size.memory_mb()), app.am.size.vcores());
    let how = if in_table { How::Size } else { How::Text };
    field(&format!("a{i}m"), "AM", e.written.value(path, how), &hint, put(format!("AM of {}", app.name), path, how))
}
