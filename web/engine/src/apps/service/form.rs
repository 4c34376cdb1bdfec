//! The form of a YARN service: its components as fields, and what a user can do to it.

use crate::forms::Editor;
use crate::forms::acts::{at_the_moment, flex, happening, quoted};
use crate::forms::make::{self, choice, cross, field, put, remove};
use crate::path;
use heddle_core::apps::service::strategy::RestartPolicy;
use heddle_core::scenario::{App, ServiceApp};
use heddle_view::form::{GroupShape, Head, Part};
use heddle_view::{Change, How};

/// Returns the components, then the buttons.
pub fn parts(e: &Editor<'_>, app: &App, service: &ServiceApp) -> Vec<Part> {
    let i = app.entry;
    let mut out: Vec<Part> = (0..service.components.len()).map(|j| component(e, app, j)).collect();
    let entry = format!("{{ name = \"component{}\", count = 1, size = \"1 GB/1\" }}", service.components.len() + 1);
    let add = Change::Append { list: path!["apps", i, "components"].to_vec(), entry };
    out.push(Part::Button(make::button("+ Component", make::edit(format!("add a component to {}", app.name), add))));
    out.push(acts(e, app));
    out
}

fn component(e: &Editor<'_>, app: &App, j: usize) -> Part {
    let at = |key: &str| path!["apps", app.entry, "components", j, key];
    let text = |key: &str| e.written.text(&at(key));
    let what = |key: &str| format!("{key} of {} of {}", text("name"), app.name);
    let of = |label: &str, key: &str, hint: &str, how: How| {
        field(
            &format!("a{}y{j}{key}", app.entry),
            label,
            e.written.value(&at(key), how),
            hint,
            put(what(key), &at(key), how),
        )
    };
    let policies = RestartPolicy::ALL.map(|(name, _)| name);
    let policy = text("restart_policy");
    let always = if policy == policies[0] { policies[0] } else { "" };
    let options = [(always, policies[0]), (policies[1], policies[1]), (policies[2], policies[2])];
    let id = format!("a{}y{j}r", app.entry);
    let mut fields = vec![
        of("name", "name", "", How::Text),
        of("count", "count", "1", How::Typed),
        of("size", "size", "1 GB/1", How::Size),
        choice(&id, "restart policy", &policy, &options, put(what("restart policy"), &at("restart_policy"), How::Text)),
        of("depends on", "dependencies", "nothing", How::List),
        of("lasts", "duration", "for ever", How::Text),
        of("ends with", "exit_code", "0", How::Typed),
    ];
    // A constraint that is not a text is a table, which can be edited only as text.
    if e.written.pairs(&at("constraint")).is_empty() {
        fields.push(of("constraint", "constraint", "none", How::Text));
    }
    let head = Head {
        title: text("name"),
        button: Some(cross(
            format!("Remove {}", text("name")),
            remove(what("removal"), &path!["apps", app.entry, "components", j]),
        )),
        ..Head::default()
    };
    make::group(format!("y{j}"), GroupShape::Plain, Some(head), vec![Part::Fields(fields)])
}

/// Returns what a user can do to it at the moment shown.
fn acts(e: &Editor<'_>, app: &App) -> Part {
    let (now, of) = (e.of.snapshot.time_ms, format!("app = {}", quoted(&app.name)));
    let mut out = Vec::new();
    let run = e.running(app);
    for (name, wanted) in run.map_or(Vec::new(), |(run, place)| run.service_counts(place)) {
        out.push(flex(e, app, name, wanted));
        let upgrade = happening(now, "upgrade_app", &format!("{of}, components = [{}]", quoted(name)));
        let upgrade = make::edit(format!("upgrade of {name} of {}", app.name), upgrade);
        out.push(Part::Button(make::button(&format!("Upgrade {name}"), upgrade)));
    }
    at_the_moment(e, app, out)
}
