//! 301 to 2 000 nodes: a cell for each node, filled by its usage. If the selection waits, a cell has the colour of the reason
//! why its node is not used. A rack opens to its nodes.

use super::Picture;
use crate::store::{Go, LookAt, Msg, nth};
use crate::ui::count;
use heddle_view::{RackView, Selection, WhyView};
use std::collections::BTreeMap;
use web_sys::Element;
use yew::prelude::*;

/// The number of cells side by side.
const ACROSS: usize = 40;
/// The distance between cells, and the size drawn.
const STEP: (usize, usize) = (6, 14);
const CELL: (usize, usize) = (5, 12);

pub fn rack(picture: &Picture<'_>, rack: &RackView, why: Option<&WhyView>, go: &Go) -> Html {
    let reasons: BTreeMap<&str, usize> = why
        .into_iter()
        .flat_map(|w| w.buckets.iter().enumerate().flat_map(|(i, b)| b.nodes.iter().map(move |n| (n.as_str(), i))))
        .collect();
    // One path for each look, so that a thousand nodes are a handful of elements.
    let mut paths: BTreeMap<&'static str, String> = BTreeMap::new();
    let (mut frame, mut unlike) = (String::new(), String::new());
    for (i, node) in rack.nodes.iter().enumerate() {
        let (x, y) = (i % ACROSS * STEP.0, i / ACROSS * STEP.1);
        frame.push_str(&format!("M{x} {y}h{}v{}h-{}z", CELL.0, CELL.1, CELL.0));
        if picture.is_unlike_node(&node.name) {
            unlike.push_str(&format!("M{x} {y}h{}v{}h-{}z", CELL.0, CELL.1, CELL.0));
        }
        let share = node.used.memory_mb.max(0) as f64 / node.total.memory_mb.max(1) as f64;
        let high = (share.min(1.0) * CELL.1 as f64).ceil();
        let class = match reasons.get(node.name.as_str()) {
            _ if node.state != "RUNNING" => "gone",
            Some(bucket) => nth(*bucket),
            None => "u",
        };
        let selected = matches!(picture.selected, Some(Selection::Node(name)) if *name == node.name);
        let class = if selected { "sel" } else { class };
        let high = if class == "u" { high } else { CELL.1 as f64 };
        let d = format!("M{x} {}h{}v{high}h-{}z", (y + CELL.1) as f64 - high, CELL.0, CELL.0);
        paths.entry(class).or_default().push_str(&d);
    }
    let (wide, high) = (rack.nodes.len().clamp(1, ACROSS) * STEP.0, rack.nodes.len().div_ceil(ACROSS) * STEP.1);
    let names: Vec<String> = rack.nodes.iter().map(|n| n.name.clone()).collect();
    let at = move |e: &MouseEvent| {
        let r = e.target_dyn_into::<Element>()?.closest("svg").ok()??.get_bounding_client_rect();
        let x = ((f64::from(e.client_x()) - r.left()) * wide as f64 / r.width()) as usize / STEP.0;
        let y = ((f64::from(e.client_y()) - r.top()) * high as f64 / r.height()) as usize / STEP.1;
        names.get(y * ACROSS + x.min(ACROSS - 1)).cloned()
    };
    let onclick = {
        let (go, at) = (go.clone(), at.clone());
        move |e: MouseEvent| {
            if let Some(node) = at(&e) {
                go.emit(Msg::Select(Some(Selection::Node(node))));
            }
        }
    };
    let onmousemove = move |e: MouseEvent| {
        let svg = e.target_dyn_into::<Element>().and_then(|t| t.closest("svg").ok().flatten());
        if let Some(title) = svg.and_then(|s| s.query_selector("title").ok().flatten()) {
            title.set_text_content(at(&e).as_deref());
        }
    };
    let open = rack.name.clone();
    let name = rack.name.trim_start_matches('/').to_owned();
    let full = rack.nodes.iter().filter(|n| n.used.memory_mb >= n.total.memory_mb).count();
    let idle = rack.nodes.iter().filter(|n| n.used.memory_mb <= 0).count();
    let mut text = format!("{} nodes, {full} full, {idle} empty", count(rack.nodes.len() as i64));
    let differ = rack.nodes.iter().filter(|n| picture.is_unlike_node(&n.name)).count();
    if differ > 0 {
        text.push_str(&format!(", {differ} differ"));
    }
    html! {
        <section class="rack cells" key={rack.name.clone()}>
            <h3><button type="button" data-item="" tabindex="-1" onclick={go.reform(move |_: MouseEvent| Msg::Look(LookAt::Rack(Some(open.clone()))))}>{ format!("rack {name}") }</button><span>{ text }</span></h3>
            <svg viewBox={format!("0 0 {wide} {high}")} width={wide.to_string()} aria-hidden="true" {onclick} {onmousemove}>
                <title/>
                <path class="frame" d={frame}/>
                { for paths.into_iter().map(|(class, d)| html! { <path class={class} d={d}/> }) }
                if !unlike.is_empty() { <path class="df" d={unlike}/> }
            </svg>
        </section>
    }
}
