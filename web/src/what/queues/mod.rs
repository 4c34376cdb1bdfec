//! Queues: the tree with its shares, the selected queue's properties from the one table of descriptors, and the same as
//! capacity-scheduler.xml.

mod child;
mod fair;
mod named;
mod property;
mod share;
mod target;
mod text;

use super::Editor;
use crate::ui::{format, vars};
use crate::why::app_of;
use heddle_core::config::capacity::{PREFIX, ROOT};
use heddle_core::config::check::Report;
use heddle_core::config::properties::{self, File, Property};
use heddle_view::{QueueView, Selection};
use property::Of;
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
/// Properties that say something of a leaf only.
const OF_LEAVES: [&str; 3] = ["user-limit-factor", "minimum-user-limit-percent", "maximum-applications"];

/// `capacity-scheduler.xml` or the scenario.
pub fn text_name(e: &Editor<'_>) -> &'static str {
    if e.props.doc.scenario.is_some() { FILE } else { "scenario" }
}

/// The tree and the form of the selected queue.
pub fn queues(e: &Editor<'_>) -> Html {
    let frame = &e.props.answers.frame;
    let list = &frame.snapshot.queues;
    // The selected queue, or the one of the selected application.
    let path = match e.props.view.selection.as_ref() {
        Some(Selection::Queue(path)) => Some(path),
        about => app_of(about).and_then(|app| frame.snapshot.apps.iter().find(|a| a.name == app)).map(|a| &a.queue),
    };
    let chosen = path.and_then(|path| list.iter().find(|q| q.path == *path)).or_else(|| list.iter().find(|q| q.leaf));
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
            if let Some(q) = chosen { { form(e, q, &target, text::found(e, &text).as_deref()) } }
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

fn form(e: &Editor<'_>, q: &QueueView, target: &Target, found: Option<&Report>) -> Html {
    let of = Of { e, target, queue: Some(q), found };
    let all = Of { queue: None, ..of };
    let shown = |p: &&'static Property| q.leaf || !OF_LEAVES.contains(&p.name) || !of.value(p.name).is_empty();
    let table = properties::table(File::Queue, false);
    let first: Vec<&'static Property> =
        FIRST.iter().filter_map(|name| table.iter().copied().find(|p| p.name == *name)).filter(shown).collect();
    let rest: Vec<&'static Property> =
        table.iter().copied().filter(|p| !FIRST.contains(&p.name)).filter(shown).collect();
    let set = rest.iter().filter(|p| !of.value(p.name).is_empty()).count();
    let known = &e.props.answers.frame.snapshot.queues;
    html! {
        <>
            <div class="sub"><h3 class="h3">{ &q.path }</h3>{ child::remove(e, q, target) }</div>
            { child::add(e, q, target) }
            { share::slider(e, q, target) }
            { of.plain(&first) }
            { of.named(&named::given(&of, q, known)) }
            <details key={q.path.clone()}><summary class="h3">{ if set > 0 { format!("More, {set} set") } else { "More".to_owned() } }</summary>
                { of.plain(&rest) }
            </details>
            { named::add(&of) }
            if q.path == ROOT {
                <details key="scheduler"><summary class="h3">{ "For all queues" }</summary>
                    { all.plain(&properties::table(File::Scheduler, false)) }
                    { all.named(&named::of_all(&target.properties)) }
                    { named::add(&all) }
                </details>
            }
        </>
    }
}
