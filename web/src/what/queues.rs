//! Queues: the tree with its shares, the selected queue's properties from the one table of descriptors, and the same as
//! capacity-scheduler.xml.

use super::Editor;
use super::code::Code;
use super::field::commit;
use super::problems;
use crate::edits;
use crate::path;
use crate::store::Msg;
use crate::ui::{format, vars};
use heddle_core::config::xml;
use heddle_core::explain::view::{QueueView, Selection};
use std::rc::Rc;
use yew::prelude::*;

/// The file of queues.
const FILE: &str = "capacity-scheduler.xml";
/// What its properties begin with.
const PREFIX: &str = "yarn.scheduler.capacity.";

/// Properties of a queue that the form offers, and what each means.
const OFFERED: [(&str, &str); 11] = [
    ("capacity", "guaranteed share of the parent: 40 (%), 2w (weight), or [memory=8192,vcores=4]"),
    ("maximum-capacity", "most it may take of the parent, in the same form; empty: all"),
    ("user-limit-factor", "how many times its guaranteed share one user may take"),
    ("minimum-user-limit-percent", "share that each of several users gets at least, in %"),
    ("maximum-am-resource-percent", "share of the queue that ApplicationMasters may take, as a fraction"),
    ("maximum-applications", "applications running and waiting, at most"),
    ("max-parallel-apps", "applications running at the same time, at most"),
    ("ordering-policy", "fifo or fair among applications; utilization or priority-utilization among queues"),
    ("state", "RUNNING or STOPPED"),
    ("accessible-node-labels", "labels whose nodes it may use, or *"),
    ("default-node-label-expression", "label of requests that name none"),
];

/// `capacity-scheduler.xml` or the scenario.
pub fn text_name(e: &Editor<'_>) -> &'static str {
    if has_file(e) { FILE } else { "scenario" }
}

fn has_file(e: &Editor<'_>) -> bool {
    !e.written.text(path!["files", FILE]).is_empty()
}

/// The file as text; without one, the scenario and a button that makes the file.
pub fn as_text(e: &Editor<'_>) -> Html {
    let doc = &e.props.doc;
    if has_file(e) {
        let text: Rc<str> = e.written.text(path!["files", FILE]).into();
        let (_, problems) = xml::read(FILE, &text);
        let on = e.edit(FILE, |t, typed| edits::set_file(t, FILE, typed));
        // Problems of the scenario that lie in the file are shown at its own lines.
        let inside = doc.scenario.as_ref().and_then(|s| s.files.get(FILE)).and_then(|f| f.offset).unwrap_or(usize::MAX);
        let mut all = problems;
        for p in doc
            .problems
            .iter()
            .filter(|p| p.span.is_some_and(|s| s.start >= inside && s.end <= inside.saturating_add(text.len())))
        {
            let mut p = p.clone();
            p.span = p.span.map(|s| heddle_core::model::Span::new(s.start - inside, s.end - inside));
            if !all.iter().any(|q| q.what == p.what) {
                all.push(p);
            }
        }
        return html! {
            <div class="wtext">
                <Code label={FILE} text={text.clone()} marks={problems::marks(&all, 0, text.len())} long={true} {on}/>
                { problems::list(&all, &text, None, &e.props.go) }
                if doc.stale() { <p class="eyebrow" role="status">{ "Running: the last scenario without an error." }</p> }
                { save(e, &text) }
            </div>
        };
    }
    let properties = doc.scenario.as_ref().map(|s| s.settings.capacity_scheduler.clone()).unwrap_or_default();
    let write = e.press("write capacity-scheduler.xml", move |t| {
        let file = xml::write(&properties);
        let text = edits::set_file(t, FILE, &file)?;
        edits::remove(&text, path!["capacity-scheduler"])
    });
    html! { <>{ super::whole(e) }<div class="row"><button type="button" class="btn edge sm" onclick={write}>{ "Write as capacity-scheduler.xml" }</button></div></> }
}

fn save(e: &Editor<'_>, text: &str) -> Html {
    let (go, text) = (e.props.go.clone(), text.to_owned());
    html! {
        <div class="row"><button type="button" class="btn edge sm" onclick={move |_| go.emit(Msg::Save { name: FILE.into(), text: text.clone() })}>{ "Save this file" }</button></div>
    }
}

/// The tree and the form of the selected queue.
pub fn queues(e: &Editor<'_>) -> Html {
    let frame = &e.props.answers.frame;
    let list = &frame.snapshot.queues;
    let chosen = match e.props.view.selection.as_ref() {
        Some(Selection::Queue(path)) => list.iter().find(|q| q.path == *path),
        _ => None,
    }
    .or_else(|| list.iter().find(|q| q.leaf));
    html! {
        <>
            if has_file(e) { <p class="eyebrow">{ "From capacity-scheduler.xml; the form changes that file." }</p> }
            <div class="qtree" data-roving="" role="group" aria-label="Queues">{ for list.iter().map(|q| line(q, chosen)) }</div>
            if let Some(q) = chosen { { form(e, q) } }
        </>
    }
}

fn line(q: &QueueView, chosen: Option<&QueueView>) -> Html {
    let id = Selection::Queue(q.path.clone());
    let on = chosen.is_some_and(|c| c.path == q.path);
    let p = q.partitions.iter().find(|p| p.partition.is_empty()).or(q.partitions.first());
    let percent = |f: f32| format!("{} %", format::fraction(f64::from(f) * 100.0));
    html! {
        <button type="button" key={q.path.clone()} data-item="" tabindex="-1" data-sel={id.to_string()} data-family={id.to_string()} aria-pressed={on.to_string()} title={q.path.clone()}>
            <span class="nm" data-vars={vars(&[("d", q.depth as f64)])}>{ &q.name }</span>
            <span class="num">{ p.map(|p| percent(p.absolute.0)).unwrap_or_default() }</span>
            <span class="num dim">{ p.map(|p| format!("≤ {}", percent(p.absolute.1))).unwrap_or_default() }</span>
        </button>
    }
}

/// The text with a property set, wherever properties are written.
pub fn put(text: &str, in_file: bool, property: &str, typed: &str) -> Result<String, String> {
    let typed = typed.trim();
    if in_file {
        let written = edits::Written::new(text).text(path!["files", FILE]);
        let file = if typed.is_empty() { xml::remove(&written, property) } else { xml::set(&written, property, typed) };
        return edits::set_file(text, FILE, &file);
    }
    edits::put_property(text, "capacity-scheduler", property, typed)
}

fn form(e: &Editor<'_>, q: &QueueView) -> Html {
    let settings = e.props.doc.scenario.as_ref().map(|s| &s.settings.capacity_scheduler);
    let in_file = has_file(e);
    let full = |key: &str| format!("{PREFIX}{}.{key}", q.path);
    let fields = OFFERED.iter().filter(|(key, _)| q.leaf || !matches!(*key, "user-limit-factor" | "minimum-user-limit-percent" | "maximum-applications" | "default-node-label-expression")).map(|(key, help)| {
        let property = full(key);
        let value = settings.and_then(|s| s.get(&property)).cloned().unwrap_or_default();
        let on = {
            let property = property.clone();
            e.edit(&format!("{key} of {}", q.name), move |t, typed| put(t, in_file, &property, typed))
        };
        let id = format!("q-{key}");
        html! {
            <div class={classes!("prop", (!value.is_empty()).then_some("set"))} key={property.clone()} title={property.clone()}>
                <div class="ph"><label for={id.clone()}>{ *key }</label></div>
                <input class="in" id={id} value={value} placeholder={default_of(key)} spellcheck="false" autocomplete="off" onchange={commit(on)}/>
                <span class="hp">{ *help }</span>
            </div>
        }
    });
    let children = settings.and_then(|s| s.get(&full("queues"))).cloned().unwrap_or_default();
    let add = {
        let (path, children) = (q.path.clone(), children.clone());
        let taken: Vec<String> = children.split(',').map(|c| c.trim().to_owned()).collect();
        let name = (1..).map(|i| format!("q{i}")).find(|n| !taken.contains(n)).unwrap_or_default();
        e.press(&format!("add queue under {}", q.name), move |t| {
            let list = if children.trim().is_empty() { name.clone() } else { format!("{}, {name}", children.trim()) };
            let t = put(t, in_file, &format!("{PREFIX}{path}.queues"), &list)?;
            let share = if children.trim().is_empty() { "100" } else { "0" };
            put(&t, in_file, &format!("{PREFIX}{path}.{name}.capacity"), share)
        })
    };
    html! {
        <>
            <div class="sub"><h4 class="h3">{ &q.path }</h4><button type="button" class="btn edge sm" onclick={add}>{ "+ Child" }</button></div>
            { for fields }
        </>
    }
}

fn default_of(key: &str) -> &'static str {
    match key {
        "maximum-capacity" | "minimum-user-limit-percent" => "100",
        "user-limit-factor" => "1",
        "maximum-am-resource-percent" => "0.1",
        "state" => "RUNNING",
        "ordering-policy" => "fifo",
        _ => "",
    }
}
