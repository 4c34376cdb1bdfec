//! The picture as a table: the same nodes and containers, for reading, copying and screen readers.

use super::Picture;
use crate::store::{Effect, Go, Msg};
use crate::ui::{amount, csv, rich, since, time};
use crate::when::unlisted;
use heddle_view::Selection;
use yew::prelude::*;

pub fn table(picture: &Picture<'_>, go: &Go) -> Html {
    let snapshot = picture.snapshot;
    let now = snapshot.time_ms;
    let pressed = |id: &Selection| (picture.selected == Some(id)).to_string();
    let xray = snapshot.racks.iter().flat_map(|r| &r.nodes).any(|n| n.reason.is_some());
    let csv = go.reform(|_: MouseEvent| {
        Msg::Do(Effect::Save { name: "heddle-nodes.csv".into(), text: csv::text(&csv::of_tables("#where .twin")) })
    });
    html! {
        <div class="twin" tabindex="0" role="region" aria-label="Nodes and containers as a table">
            <button type="button" class="btn sm edge csv" title="Save these tables as comma-separated values" onclick={csv}>{ "CSV" }</button>
            if !snapshot.waiting.is_empty() {
                <table class="data">
                    <caption class="vh">{ "Waiting requests" }</caption>
                    <thead><tr><th>{ "waiting" }</th><th class="num">{ "for" }</th><th class="num">{ "count" }</th><th>{ "size of each" }</th><th>{ "wants" }</th><th>{ "why" }</th></tr></thead>
                    <tbody>{ for snapshot.waiting.iter().map(|w| html! {
                        <tr key={format!("{} {}", w.id, w.name)} aria-selected={pressed(&w.id)}>
                            <td><button type="button" data-sel={w.id.to_string()}>{ &w.name }</button></td>
                            <td class="num">{ since(now, w.since_ms) }</td><td class="num">{ w.count }</td><td>{ if w.size.memory_mb > 0 { amount(&w.size) } else { String::new() } }</td><td>{ &w.wants }</td>
                            <td class="w">{ w.never.as_deref().unwrap_or(&w.reason) }</td>
                        </tr>
                    }) }</tbody>
                </table>
                { unlisted(snapshot) }
            }
            if !snapshot.refused.is_empty() {
                <table class="data">
                    <caption class="vh">{ "What was refused" }</caption>
                    <thead><tr><th>{ "refused" }</th><th class="num">{ "at" }</th><th>{ "why" }</th></tr></thead>
                    <tbody>{ for snapshot.refused.iter().map(|r| html! {
                        <tr aria-selected={pressed(&r.id)}>
                            <td><button type="button" data-sel={r.id.to_string()}>{ &r.name }</button></td>
                            <td class="num">{ time(r.since_ms) }</td><td class="w">{ rich::rich(&r.text) }</td>
                        </tr>
                    }) }</tbody>
                </table>
            }
            <table class="data">
                <caption class="vh">{ "Nodes and their containers" }</caption>
                <thead><tr><th>{ "node" }</th><th>{ "rack" }</th><th>{ "partition" }</th><th>{ "state" }</th><th>{ "free" }</th><th>{ "of" }</th><th>{ "containers" }</th>
                    if xray { <th>{ "why not here" }</th> }</tr></thead>
                <tbody>{ for snapshot.racks.iter().flat_map(|r| &r.nodes).take(2000).map(|n| {
                    let id = Selection::Node(n.name.clone());
                    html! {
                        <tr key={n.name.clone()} aria-selected={pressed(&id)}>
                            <td><button type="button" data-sel={id.to_string()}>{ &n.name }</button></td>
                            <td>{ n.rack.trim_start_matches('/') }</td><td>{ &n.label }</td><td>{ n.state.to_ascii_lowercase() }</td>
                            <td>{ amount(&n.free) }</td><td>{ amount(&n.total) }</td>
                            <td>{ for n.containers.iter().enumerate().map(|(i, c)| html! {
                                <>if i > 0 { { ", " } }<button type="button" data-sel={c.id.to_string()} aria-pressed={pressed(&c.id)} title={super::node::label(c, n)}>{ &c.name }</button></>
                            }) }
                            if let Some(r) = &n.reserved { <span class="reserved">{ format!(" held for {}", r.app) }</span> }</td>
                            if xray { <td>{ n.reason.as_ref().map(|r| crate::ui::rich::plain(&r.text)).unwrap_or_default() }</td> }
                        </tr>
                    }
                }) }</tbody>
            </table>
        </div>
    }
}
