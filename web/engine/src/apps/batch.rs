//! The form of an application of tasks.

use super::KindForm;
use crate::forms::Editor;
use crate::forms::make::{self, choice, cross, field, put, remove};
use crate::path;
use heddle_core::scenario::{App, TaskGroup};
use heddle_view::form::{Field, GroupShape, Head, Part};
use heddle_view::{Change, How};
use toml_edit::Value;

pub struct Batch;

impl KindForm for Batch {
    fn button(&self) -> &'static str {
        "+ Batch"
    }

    fn stem(&self) -> &'static str {
        "job"
    }

    fn entry(&self, name: &str, queue: &Value) -> String {
        format!(
            "{{ name = \"{name}\", queue = {queue}, user = \"user\", tasks = [{{ count = 4, size = \"1 GB/1\", duration = \"30 s\" }}] }}"
        )
    }

    fn fields(&self, e: &Editor<'_>, app: &App) -> Vec<Field> {
        vec![asked_back(e, app)]
    }

    fn parts(&self, e: &Editor<'_>, app: &App) -> Vec<Part> {
        let groups = app.kind.get::<Vec<TaskGroup>>().map_or(0, Vec::len);
        let mut parts: Vec<Part> = (0..groups).map(|g| tasks(e, app, g)).collect();
        let add = Change::Append {
            list: path!["apps", app.entry, "tasks"].to_vec(),
            entry: "{ count = 2, size = \"1 GB/1\", duration = \"30 s\" }".into(),
        };
        parts.push(Part::Button(make::button("+ Tasks", make::edit(format!("add tasks to {}", app.name), add))));
        parts
    }
}

/// The field for how the ApplicationMaster reacts to preemption.
fn asked_back(e: &Editor<'_>, app: &App) -> Field {
    let at = path!["apps", app.entry, "preemption_policy"];
    let written = e.written.text(&at);
    // Doing nothing is the default, so it may be written or not.
    let none = if written == "none" { "none" } else { "" };
    let options =
        [(none, "nothing"), ("kill", "stop them"), ("cheapest", "stop cheaper ones"), ("checkpoint", "keep work")];
    let edit = put(format!("answer of {} to preemption", app.name), &at, How::Text);
    choice(&format!("a{}b", app.entry), "if asked back", &written, &options, edit)
}

fn tasks(e: &Editor<'_>, app: &App, g: usize) -> Part {
    let i = app.entry;
    let text = |key: &str| e.written.text(&path!["apps", i, "tasks", g, key]);
    let what = |key: &str| format!("{key} of tasks of {}", app.name);
    let of = |k: &str, label: &str, key: &str, hint: &str, how: How| {
        let path = path!["apps", i, "tasks", g, key];
        field(&format!("a{i}g{g}{k}"), label, e.written.value(&path, how), hint, put(what(key), &path, how))
    };
    let name = text("name");
    let head = Head {
        title: if name.is_empty() { format!("Tasks {}", g + 1) } else { name },
        button: Some(cross(format!("Remove tasks {}", g + 1), remove(what("removal"), &path!["apps", i, "tasks", g]))),
        ..Head::default()
    };
    let ends = if text("until").is_empty() { "for ever" } else { "until that is over" };
    let fields = vec![
        of("c", "count", "count", "1", How::Typed),
        of("s", "size", "size", "1 GB/1", How::Size),
        of("d", "lasts", "duration", ends, How::Text),
        of("x", "ends with", "until", "no other", How::Text),
        of("p", "priority", "priority", "20", How::Typed),
        of("w", "wants", "places", "anywhere", How::List),
        of("l", "label", "label", "none", How::Text),
    ];
    make::group(format!("g{g}"), GroupShape::Plain, Some(head), vec![Part::Fields(fields)])
}
