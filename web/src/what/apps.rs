//! Applications: the list with what each has and waits for, and the selected one as a form.

use super::Editor;
use super::field::{choice, commit, field};
use super::{requests, spec};
use crate::edits::{self, Key};
use crate::path;
use crate::ui::mark::mark;
use crate::ui::rich;
use heddle_core::scenario::{App, AppKind};
use heddle_view::{Fate, Selection};
use yew::prelude::*;

/// Applications that are listed.
const LISTED: usize = 400;

/// The list and the form.
pub fn apps(e: &Editor<'_>) -> Html {
    let props = e.props;
    let scenario = props.doc.scenario.clone();
    let apps = scenario.as_ref().map(|s| s.apps.as_slice()).unwrap_or_default();
    let chosen = chosen(e);
    html! {
        <>
            if apps.is_empty() {
                <div class="empty"><b>{ "Nobody asks for anything." }</b><span>{ "Add an application." }</span></div>
            }
            <ul class="apps" data-roving="" aria-label="Applications">
                { for apps.iter().take(LISTED).map(|a| line(e, a, chosen)) }
                if apps.len() > LISTED { <li class="eyebrow">{ format!("and {} more", apps.len() - LISTED) }</li> }
            </ul>
            <div class="row">
                <button type="button" class="btn edge sm" onclick={add(e, Kind::Batch)}>{ "+ Batch" }</button>
                <button type="button" class="btn edge sm" onclick={add(e, Kind::Shell)}>{ "+ Distributed shell" }</button>
                <button type="button" class="btn edge sm" onclick={add(e, Kind::Requests)}>{ "+ Requests" }</button>
            </div>
            if let Some(app) = chosen { { form(e, app) } }
        </>
    }
}

/// The application whose form is shown.
pub fn chosen<'a>(e: &'a Editor<'_>) -> Option<&'a App> {
    let apps = e.props.doc.scenario.as_ref()?.apps.as_slice();
    selected_app(e).and_then(|name| apps.iter().find(|a| a.name == name)).or(apps.first())
}

/// The application that the selection belongs to.
fn selected_app(e: &Editor<'_>) -> Option<String> {
    match e.props.view.selection.as_ref().or(e.props.answers.frame.selection.as_ref())? {
        Selection::App(app)
        | Selection::Container { app, .. }
        | Selection::Request { app, .. }
        | Selection::Clause { app, .. } => Some(app.clone()),
        _ => None,
    }
}

fn line(e: &Editor<'_>, a: &App, chosen: Option<&App>) -> Html {
    let id = Selection::App(a.name.clone());
    let on = chosen.is_some_and(|c| c.name == a.name);
    let snapshot = &e.props.answers.frame.snapshot;
    let live = snapshot.apps.iter().find(|l| l.name == a.name);
    let refused = snapshot.refused.iter().find(|r| r.id == id);
    let waiting: i64 = snapshot.waiting.iter().filter(|w| w.app == a.name).map(|w| w.count).sum();
    let queue = live.map(|l| l.queue.as_str()).filter(|q| !q.is_empty()).unwrap_or(&a.queue);
    let queue = queue.rsplit('.').next().unwrap_or(queue);
    html! {
        <li key={a.name.clone()}><button type="button" data-item="" tabindex="-1" data-sel={id.to_string()} data-family={id.to_string()} aria-pressed={on.to_string()}>
            <i class={classes!("sw", e.props.palette.app(&a.name))}/>
            <span class="nm">{ &a.name }<span>{ format!(" {queue} · {}", a.user) }</span></span>
            <span class="num" title={refused.map(|r| rich::plain(&r.text))}>if refused.is_some() { { mark(Fate::Rejected) }{ " " } }{ live.map(|l| l.progress.clone()).unwrap_or_default() }</span>
            <span class="num">{ if waiting > 0 { html! { <>{ mark(Fate::Waiting) }{ format!(" {waiting}") }<span class="vh">{ " waiting" }</span></> } } else { html! {} } }</span>
        </button></li>
    }
}

enum Kind {
    Batch,
    Shell,
    Requests,
}

fn add(e: &Editor<'_>, kind: Kind) -> Callback<MouseEvent> {
    let apps: Vec<String> = e.props.doc.scenario.iter().flat_map(|s| s.apps.iter().map(|a| a.name.clone())).collect();
    let stem = match kind {
        Kind::Batch => "job",
        Kind::Shell => "shell",
        Kind::Requests => "tagged",
    };
    let name = (1..).map(|i| format!("{stem}{i}")).find(|n| !apps.contains(n)).unwrap_or_default();
    let queues: Vec<&str> =
        e.props.answers.frame.snapshot.queues.iter().filter(|q| q.leaf).map(|q| q.name.as_str()).collect();
    let queue = if queues.contains(&"default") { "default" } else { queues.first().copied().unwrap_or("default") };
    let queue = toml_edit::Value::from(queue);
    let toml = match kind {
        Kind::Batch => format!(
            "name = \"{name}\"\nqueue = {queue}\nuser = \"user\"\ntasks = [{{ count = 4, size = \"1 GB/1\", duration = \"30 s\" }}]\n"
        ),
        Kind::Requests => format!(
            "name = \"{name}\"\nkind = \"requests\"\nqueue = {queue}\nuser = \"user\"\ncalls = [{{ scheduling = [{{ id = 1, tags = [\"{name}\"], count = 2, size = \"1 GB/1\", constraint = \"NOTIN,NODE,{name}\" }}] }}]\n"
        ),
        Kind::Shell => format!(
            "name = \"{name}\"\nkind = \"distributed-shell\"\nqueue = {queue}\nuser = \"user\"\nsize = \"1 GB/1\"\nspec = \"{name}(2),NOTIN,NODE,{name}\"\n"
        ),
    };
    let select = Selection::App(name.clone());
    let edit = e.press(&format!("add {name}"), move |t| edits::push(t, "apps", &toml));
    let go = e.props.go.clone();
    Callback::from(move |ev| {
        edit.emit(ev);
        go.emit(crate::store::Msg::Select(Some(select.clone())));
    })
}

fn form(e: &Editor<'_>, app: &App) -> Html {
    let i = app.entry;
    let text = |key: &str| e.written.text(path!["apps", i, key]);
    let put = |key: &'static str, what: &str| {
        e.edit(&format!("{what} of {}", app.name), move |t, typed| edits::put(t, path!["apps", i, key], typed))
    };
    let put_text = |key: &'static str, what: &str| {
        e.edit(&format!("{what} of {}", app.name), move |t, typed| edits::put_text(t, path!["apps", i, key], typed))
    };
    let remove = e.press(&format!("remove {}", app.name), move |t| edits::remove(t, path!["apps", i]));
    let leaves: Vec<(&str, &str)> = e
        .props
        .answers
        .frame
        .snapshot
        .queues
        .iter()
        .filter(|q| q.leaf)
        .map(|q| (q.path.as_str(), q.name.as_str()))
        .collect();
    let queue = text("queue");
    let queue = if queue.is_empty() { "default".to_owned() } else { queue };
    // A queue is written by its path or by its last name; whatever else is typed stays as it is.
    let known = leaves.iter().find(|(path, name)| *path == queue || *name == queue).copied();
    let mut options: Vec<(&str, &str)> = leaves
        .iter()
        .map(|(path, name)| if Some((*path, *name)) == known { (queue.as_str(), *name) } else { (*path, *name) })
        .collect();
    if known.is_none() {
        options.push((queue.as_str(), queue.as_str()));
    }
    html! {
        <fieldset class="group" key={format!("app{i}")}>
            <legend class="sub"><input class="in" aria-label="Name of the application" value={text("name")} onchange={commit(put_text("name", "name"))}/>
                <button type="button" class="x" aria-label={format!("Remove {}", app.name)} onclick={remove}>{ "✕" }</button></legend>
            <div class="fields">
                { choice(&format!("a{i}q"), "queue", &queue, &options, put_text("queue", "queue")) }
                { field(&format!("a{i}u"), "user", text("user"), "user", put_text("user", "user")) }
                { field(&format!("a{i}t"), "at", text("at"), "0 s", put_text("at", "time")) }
                { field(&format!("a{i}p"), "priority", text("priority"), "queue's", put("priority", "priority")) }
                { am(e, app, i) }
                { field(&format!("a{i}l"), "label", text("label"), "none", put_text("label", "label")) }
            </div>
            { match &app.kind {
                AppKind::Batch(groups) => html! { { for (0..groups.len()).map(|g| tasks(e, app, i, g)) } },
                AppKind::DistributedShell(shell) => html! {
                    <>
                        <div class="fields">
                            { field(&format!("a{i}s"), "size", text("size"), "10 MB/1", put_text("size", "size")) }
                            { field(&format!("a{i}d"), "lasts", text("duration"), "for ever", put_text("duration", "duration")) }
                            if shell.spec.is_none() { { field(&format!("a{i}n"), "count", text("containers"), "1", put("containers", "count")) } }
                        </div>
                        { spec::editor(e, app, shell.spec.as_ref()) }
                    </>
                },
                AppKind::Requests(calls) => requests::calls(e, app, calls),
            } }
            if matches!(app.kind, AppKind::Batch(_)) {
                <button type="button" class="btn edge sm" onclick={add_tasks(e, app, i)}>{ "+ Tasks" }</button>
            }
        </fieldset>
    }
}

/// The ApplicationMaster's size, written as a text or in a table.
fn am(e: &Editor<'_>, app: &App, i: usize) -> Html {
    let short = e.written.text(path!["apps", i, "am"]);
    let table = e.written.text(path!["apps", i, "am", "size"]);
    let in_table = short.is_empty() && !e.written.pairs(path!["apps", i, "am"]).is_empty();
    let on = e.edit(&format!("AM of {}", app.name), move |t, typed| {
        if in_table {
            edits::put_text(t, path!["apps", i, "am", "size"], typed)
        } else {
            edits::put_text(t, path!["apps", i, "am"], typed)
        }
    });
    let hint = heddle_core::scenario::units::memory_text(app.am.size.memory_mb());
    field(
        &format!("a{i}m"),
        "AM",
        if in_table { table } else { short },
        &format!("{hint}/{}", app.am.size.vcores()),
        on,
    )
}

fn tasks(e: &Editor<'_>, app: &App, i: usize, g: usize) -> Html {
    let text = |key: &str| e.written.text(&[Key::from("apps"), i.into(), "tasks".into(), g.into(), key.into()]);
    let what = |key: &str| format!("{key} of tasks of {}", app.name);
    let put =
        |key: &'static str| e.edit(&what(key), move |t, typed| edits::put(t, path!["apps", i, "tasks", g, key], typed));
    let put_text = |key: &'static str| {
        e.edit(&what(key), move |t, typed| edits::put_text(t, path!["apps", i, "tasks", g, key], typed))
    };
    let places =
        e.edit(&what("places"), move |t, typed| edits::put_list(t, path!["apps", i, "tasks", g, "places"], typed));
    let remove = e.press(&what("removal"), move |t| edits::remove(t, path!["apps", i, "tasks", g]));
    let id = |k: &str| format!("a{i}g{g}{k}");
    html! {
        <div key={format!("g{g}")}>
            <div class="sub"><h3 class="h3">{ if text("name").is_empty() { format!("Tasks {}", g + 1) } else { text("name") } }</h3>
                <button type="button" class="x" aria-label={format!("Remove tasks {}", g + 1)} onclick={remove}>{ "✕" }</button></div>
            <div class="fields">
                { field(&id("c"), "count", text("count"), "1", put("count")) }
                { field(&id("s"), "size", text("size"), "1 GB/1", put_text("size")) }
                { field(&id("d"), "lasts", text("duration"), if text("until").is_empty() { "for ever" } else { "until that is over" }, put_text("duration")) }
                { field(&id("x"), "ends with", text("until"), "no other", put_text("until")) }
                { field(&id("p"), "priority", text("priority"), "20", put("priority")) }
                { field(&id("w"), "wants", text("places"), "anywhere", places) }
                { field(&id("l"), "label", text("label"), "none", put_text("label")) }
            </div>
        </div>
    }
}

fn add_tasks(e: &Editor<'_>, app: &App, i: usize) -> Callback<MouseEvent> {
    e.press(&format!("add tasks to {}", app.name), move |t| {
        edits::push_tasks(t, i, "count = 2\nsize = \"1 GB/1\"\nduration = \"30 s\"")
    })
}
