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
use heddle_core::config::properties::{self, File, Kind, Property, Support};
use heddle_core::config::xml;
use heddle_core::explain::view::{QueueView, Selection};
use std::rc::Rc;
use yew::prelude::*;

/// The file of queues.
const FILE: &str = "capacity-scheduler.xml";
/// What its properties begin with.
const PREFIX: &str = "yarn.scheduler.capacity.";

/// Properties of a queue that the form shows first; the rest of the table is under "more".
const FIRST: [&str; 8] = [
    "capacity",
    "maximum-capacity",
    "user-limit-factor",
    "minimum-user-limit-percent",
    "maximum-am-resource-percent",
    "ordering-policy",
    "state",
    "accessible-node-labels",
];
/// Properties that only a leaf has.
const OF_LEAVES: [&str; 4] =
    ["user-limit-factor", "minimum-user-limit-percent", "maximum-applications", "default-node-label-expression"];

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
    let value = |key: &str| settings.and_then(|s| s.get(&full(key))).cloned().unwrap_or_default();
    let table: Vec<&Property> = properties::all()
        .filter(|p| p.file == File::Queue && !p.name.contains('<') && p.name != "queues")
        .filter(|p| q.leaf || !OF_LEAVES.contains(&p.name))
        .collect();
    let first = FIRST.iter().filter_map(|name| table.iter().find(|p| p.name == *name).copied());
    let rest: Vec<&Property> = table.iter().copied().filter(|p| !FIRST.contains(&p.name)).collect();
    let set = rest.iter().filter(|p| !value(p.name).is_empty()).count();
    let children = value("queues");
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
            <div class="sub"><h3 class="h3">{ &q.path }</h3><button type="button" class="btn edge sm" onclick={add}>{ "+ Child" }</button></div>
            { for first.map(|p| property(e, q, p, in_file, value(p.name))) }
            <details key={q.path.clone()}><summary class="h3">{ if set > 0 { format!("More, {set} set") } else { "More".to_owned() } }</summary>
                { for rest.iter().map(|p| property(e, q, p, in_file, value(p.name))) }
            </details>
        </>
    }
}

/// One property: its help and default from the table of descriptors, and what is wrong with its value.
fn property(e: &Editor<'_>, q: &QueueView, p: &'static Property, in_file: bool, value: String) -> Html {
    let full = format!("{PREFIX}{}.{}", q.path, p.name);
    let on = {
        let full = full.clone();
        e.edit(&format!("{} of {}", p.name, q.name), move |t, typed| put(t, in_file, &full, typed))
    };
    let id = format!("q-{}", p.name);
    let bad = (!value.is_empty()).then(|| properties::check(p, &value).err()).flatten();
    let field = match p.kind {
        Kind::Choice(words) if value.is_empty() || words.contains(&value.as_str()) => {
            let onchange = Callback::from(move |ev: Event| {
                on.emit(ev.target_unchecked_into::<web_sys::HtmlSelectElement>().value())
            });
            html! {
                <select class="in" id={id.clone()} {onchange}>
                    <option value="" selected={value.is_empty()}>{ if p.default.is_empty() { "not set".to_owned() } else { format!("{} (default)", p.default) } }</option>
                    { for words.iter().map(|w| html! { <option value={*w} selected={*w == value}>{ *w }</option> }) }
                </select>
            }
        }
        _ => html! {
            <input class="in" id={id.clone()} value={value.clone()} placeholder={p.default} spellcheck="false" autocomplete="off"
                aria-invalid={bad.is_some().to_string()} aria-describedby={format!("{id}-help")} onchange={commit(on)}/>
        },
    };
    let since = if p.since.is_empty() { String::new() } else { format!(" Since {}.", p.since) };
    let kept = if p.support == Support::Kept { " Kept, but nothing here hangs on it." } else { "" };
    html! {
        <div class={classes!("prop", (!value.is_empty()).then_some("set"))} key={full.clone()} title={full}>
            <div class="ph"><label for={id.clone()}>{ p.name }</label><span>{ p.unit }</span></div>
            { field }
            if let Some(bad) = bad { <span class="hp rejected">{ bad.what }{ " " }{ bad.mend }</span> }
            <span class="hp" id={format!("{id}-help")}>{ p.help }{ since }{ kept }</span>
        </div>
    }
}
