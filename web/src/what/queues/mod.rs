//! Queues: the tree with its shares, the selected queue's properties from the one table of descriptors, and the same as
//! capacity-scheduler.xml.

mod fair;
mod share;
mod target;
mod text;

use super::Editor;
use super::field::commit;
use crate::ui::{format, vars};
use heddle_core::config::capacity::{PREFIX, ROOT};
use heddle_core::config::properties::{self, File, Kind, Property, Support};
use heddle_core::explain::view::{QueueView, Selection};
use heddle_core::scenario::edit::Change;
use target::Target;
use yew::prelude::*;

pub use text::as_text;

/// The file of queues.
const FILE: &str = "capacity-scheduler.xml";

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
    if e.props.doc.scenario.is_some() { FILE } else { "scenario" }
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
    if let Some(scheduler) = fair::other(e) {
        return html! {
            <>
                <div class="qtree" data-roving="" role="group" aria-label="Queues">{ for list.iter().map(|q| line(q, chosen)) }</div>
                { fair::file(e, scheduler) }
            </>
        };
    }
    let target = Target::of(e);
    let text = target.text();
    html! {
        <>
            { target::choice(e) }
            if target.file.is_some() { <p class="eyebrow">{ "From capacity-scheduler.xml; the form changes that file." }</p> }
            <div class="qtree" data-roving="" role="group" aria-label="Queues">{ for list.iter().map(|q| line(q, chosen)) }</div>
            if let Some(q) = chosen { { form(e, q, &target) } }
            { text::wrong(e, &target, &text) }
            { text::export(e, &target, &text) }
        </>
    }
}

fn line(q: &QueueView, chosen: Option<&QueueView>) -> Html {
    let id = Selection::Queue(q.path.clone());
    let on = chosen.is_some_and(|c| c.path == q.path);
    let p = q.partitions.iter().find(|p| p.partition.is_empty()).or(q.partitions.first());
    let percent = |f: f32| format!("{} %", format::fraction(f64::from(f) * 100.0));
    let labels = q.partitions.iter().filter(|p| !p.partition.is_empty());
    html! {
        <>
        <button type="button" key={q.path.clone()} data-item="" tabindex="-1" data-sel={id.to_string()} data-family={id.to_string()} aria-pressed={on.to_string()} title={q.path.clone()}>
            <span class="nm" data-vars={vars(&[("d", q.depth as f64)])}>{ &q.name }</span>
            <span class="num">{ p.map(|p| percent(p.absolute.0)).unwrap_or_default() }</span>
            <span class="num dim">{ p.map(|p| format!("≤ {}", percent(p.absolute.1))).unwrap_or_default() }</span>
        </button>
        { for labels.map(|p| html! {
            <p key={format!("{} {}", q.path, p.partition)}><span class="nm" data-vars={vars(&[("d", q.depth as f64 + 1.0)])}>{ "label " }{ &p.partition }</span>
                <span class="num">{ percent(p.absolute.0) }</span><span class="num">{ format!("≤ {}", percent(p.absolute.1)) }</span></p>
        }) }
        </>
    }
}

fn form(e: &Editor<'_>, q: &QueueView, target: &Target) -> Html {
    let value = |key: &str| target.properties.get(&format!("{PREFIX}{}.{key}", q.path)).cloned().unwrap_or_default();
    let table: Vec<&Property> = properties::all()
        .filter(|p| p.file == File::Queue && !p.name.contains('<') && p.name != "queues")
        .filter(|p| q.leaf || !OF_LEAVES.contains(&p.name))
        .collect();
    // Its shares of each label that it may use.
    let labelled: Vec<(String, &Property)> = q
        .partitions
        .iter()
        .filter(|p| !p.partition.is_empty())
        .flat_map(|p| {
            properties::all()
                .filter(|d| d.file == File::Queue && d.name.contains("<l>"))
                .map(|d| (d.name.replace("<l>", &p.partition), d))
        })
        .collect();
    let root = q.path == ROOT;
    let whole = properties::all().filter(|p| root && p.file == File::Scheduler && !p.name.contains('<'));
    let first = FIRST.iter().filter_map(|name| table.iter().find(|p| p.name == *name).copied());
    let rest: Vec<&Property> = table.iter().copied().filter(|p| !FIRST.contains(&p.name)).collect();
    let set = rest.iter().filter(|p| !value(p.name).is_empty()).count();
    let children = value("queues");
    let add = {
        let (path, children, to) = (q.path.clone(), children.clone(), target.clone());
        let taken: Vec<String> = children.split(',').map(|c| c.trim().to_owned()).collect();
        let name = (1..).map(|i| format!("q{i}")).find(|n| !taken.contains(n)).unwrap_or_default();
        e.press(&target.called(&format!("add queue under {}", q.name)), move |t| {
            let list = if children.trim().is_empty() { name.clone() } else { format!("{}, {name}", children.trim()) };
            let t = to.put(t, Change::Property(&format!("{PREFIX}{path}.queues"), &list))?;
            let share = if children.trim().is_empty() { "100" } else { "0" };
            to.put(&t, Change::Property(&format!("{PREFIX}{path}.{name}.capacity"), share))
        })
    };
    html! {
        <>
            <div class="sub"><h3 class="h3">{ &q.path }</h3><button type="button" class="btn edge sm" onclick={add}>{ "+ Child" }</button></div>
            { share::slider(e, q, target) }
            { for first.map(|p| property(e, Some(q), p, p.name, target)) }
            { for labelled.iter().map(|(name, p)| property(e, Some(q), p, name, target)) }
            <details key={q.path.clone()}><summary class="h3">{ if set > 0 { format!("More, {set} set") } else { "More".to_owned() } }</summary>
                { for rest.iter().map(|p| property(e, Some(q), p, p.name, target)) }
            </details>
            if root {
                <details key="scheduler"><summary class="h3">{ "For all queues" }</summary>{ for whole.map(|p| property(e, None, p, p.name, target)) }</details>
            }
        </>
    }
}

/// One property, of a queue or of the whole scheduler: its help and default from the table of descriptors, and what is
/// wrong with its value.
fn property(e: &Editor<'_>, q: Option<&QueueView>, p: &'static Property, name: &str, target: &Target) -> Html {
    let (full, of) = match q {
        Some(q) => (format!("{PREFIX}{}.{name}", q.path), q.name.as_str()),
        None => (format!("{PREFIX}{name}"), "all queues"),
    };
    let value = target.properties.get(&full).cloned().unwrap_or_default();
    let on = {
        let (full, to) = (full.clone(), target.clone());
        e.edit(&target.called(&format!("{name} of {of}")), move |t, typed| to.put(t, Change::Property(&full, typed)))
    };
    let id = format!("{}-{name}", if q.is_some() { "q" } else { "all" });
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
            <div class="ph"><label for={id.clone()}>{ name.to_owned() }</label><span>{ p.unit }</span></div>
            { field }
            if let Some(bad) = bad { <span class="hp rejected">{ bad.what }{ " " }{ bad.mend }</span> }
            <span class="hp" id={format!("{id}-help")}>{ p.help }{ since }{ kept }</span>
        </div>
    }
}
