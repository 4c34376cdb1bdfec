//! The outstanding requests, one row each.

use crate::ui::{amount, count, format, since};
use heddle_view::protocol::Frame;
use heddle_view::{Selection, Snapshot};
use yew::prelude::*;

pub fn requests(frame: &Frame) -> Html {
    let snapshot = &frame.snapshot;
    if snapshot.waiting.is_empty() {
        return html! { <div class="empty"><b>{ "Nothing waits." }</b><span>{ "Choose a container to see why it is where it is." }</span></div> };
    }
    html! {
        <>
        <table class="data">
            <thead><tr><th scope="col">{ "request" }</th><th scope="col" class="num">{ "waits" }</th><th scope="col" class="num">{ "count" }</th><th scope="col">{ "size of each" }</th>
                <th scope="col">{ "wants" }</th><th scope="col">{ "partition" }</th><th scope="col">{ "why" }</th></tr></thead>
            <tbody>{ for snapshot.waiting.iter().map(|w| {
                let on = frame.selection.as_ref() == Some(&w.id);
                html! {
                    <tr key={format!("{} {}", w.id, w.name)} aria-selected={on.to_string()}>
                        <td><button type="button" data-sel={w.id.to_string()} data-family={format!("app:{}", w.app)}>{ &w.name }</button></td>
                        <td class="num">{ since(snapshot.time_ms, w.since_ms) }</td><td class="num">{ w.count }</td><td>{ if w.size.memory_mb > 0 { amount(&w.size) } else { String::new() } }</td>
                        <td>{ match (&w.id, w.wants.as_str()) {
                            // YARN is not asked for it.
                            (Selection::App(_), _) => "",
                            (_, "" | "*") => "anywhere",
                            (_, wants) => wants,
                        } }</td><td>{ format::partition(&w.label) }</td>
                        <td class="w">{ w.never.as_deref().unwrap_or(&w.reason) }</td>
                    </tr>
                }
            }) }</tbody>
        </table>
        { unlisted(snapshot) }
        </>
    }
}

/// Draws the line below a table of requests that is incomplete.
pub fn unlisted(snapshot: &Snapshot) -> Html {
    let more = snapshot.unlisted;
    html! {
        if more > 0 { <p class="eyebrow">{ format!("{} more requests wait and are not listed: choose their application to see why.", count(more as i64)) }</p> }
    }
}
