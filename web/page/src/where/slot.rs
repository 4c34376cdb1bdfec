//! A slot for one more node, the empty cluster, and suggestions after the first visit.

use crate::shell::first::{self, Seen};
use crate::store::{Dialog, Doc, Go, LookAt, Msg, Tab};
use crate::ui::gb;
use heddle_view::protocol::Frame;
use heddle_view::{Change, Edit, NodeOffer, Snapshot};
use yew::prelude::*;

/// Draws the dashed slot with its button: another node like the last one.
pub fn slot(doc: &Doc, frame: &Frame, go: &Go) -> Html {
    let Some(NodeOffer { name, like, memory_mb, vcores, rack }) = frame.offer.clone() else { return html! {} };
    let snapshot = &frame.snapshot;
    // The page's only filled button, and only while pressing it is the obvious next act.
    let first = doc.is_first_visit() && !snapshot.waiting.is_empty();
    let text = format!("{name} · {} GB, {vcores} vcores, like {like}", gb(memory_mb));
    let (what, at_ms) = (format!("add node {name}"), snapshot.time_ms);
    let (label, change) = match rack {
        Some((rack, true)) => ("Add a node on another rack".to_owned(), Change::NodeOnRack { name, at_ms, rack }),
        Some((rack, false)) => {
            (format!("Add a node on rack {}", rack.trim_start_matches('/')), Change::NodeOnRack { name, at_ms, rack })
        }
        None => ("Add a node".to_owned(), Change::NodeLikeLast { name, at_ms }),
    };
    let edit = Edit { what, change };
    let click = go.reform(move |_: MouseEvent| Msg::Change { edit: edit.clone(), typed: String::new() });
    let class = if first { classes!("btn", "prim", "big", "pulse") } else { classes!("btn", "edge") };
    html! { <div class="slot"><button type="button" id="add-node" {class} onclick={click}>{ label }</button><small>{ text }</small></div> }
}

/// The nodes that the button of an empty cluster adds, in the words of WHAT.
const FIRST_NODES: &str = "4 × 8 GB/8, 2 racks";

/// Draws the empty cluster.
pub fn no_nodes(doc: &Doc, go: &Go) -> Html {
    // An unreadable scenario may well have nodes.
    if doc.about.is_none() && !doc.text.trim().is_empty() {
        return html! { <div class="empty"><b>{ "Nothing runs." }</b><span>{ "The scenario has an error, which stands under its text." }</span></div> };
    }
    let edit = Edit { what: format!("add {FIRST_NODES}"), change: Change::Nodes };
    let add = go.reform(move |_: MouseEvent| Msg::Change { edit: edit.clone(), typed: FIRST_NODES.to_owned() });
    html! {
        <div class="empty">
            <b>{ "A cluster needs nodes." }</b>
            <span>{ "Add four, or write " }<code>{ "12 × 64 GB/16, 3 racks" }</code>{ " under " }<button type="button" class="link" onclick={go.reform(|_: MouseEvent| Msg::Look(LookAt::What(Tab::Cluster)))}>{ "Cluster" }</button>{ "." }</span>
            <button type="button" class="btn edge" id="first-nodes" onclick={add}>{ format!("Add {FIRST_NODES}") }</button>
        </div>
    }
}

/// Draws the suggestions of the first visit: its next act, then what is beyond it.
pub fn then_try(doc: &Doc, snapshot: &Snapshot, go: &Go) -> Html {
    let act = Seen::of(snapshot).filter(|_| doc.edited()).and_then(|seen| first::act(&doc.text, seen));
    let next = act.and_then(|act| act.next).map(|(words, text)| {
        let edit = Msg::Edit { text, what: words.clone() };
        html! { <button type="button" class="link" id="next-act" onclick={go.reform(move |_: MouseEvent| edit.clone())}>{ words }</button> }
    });
    html! {
        <p class="trynext">
            <span>{ "Then try" }</span>
            { for next }
            <button type="button" class="link" onclick={go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Examples)))}>{ "another question" }</button>
            <button type="button" class="link" onclick={go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Import)))}>{ "your own capacity-scheduler.xml" }</button>
        </p>
    }
}
