//! More than 300 nodes: a cell for each, by rack, filled as high as its memory is used, in the colour of whoever has most of
//! it. The racks share all the room that there is; the one under the pointer is opened beside them, and stays when chosen.

use super::{Picture, heading, node};
use crate::store::{ColourBy, Go, LookAt, Msg, nth};
use crate::ui::{count, size, vars};
use heddle_view::{NodeView, RackView, Selection, WhyView};
use std::collections::BTreeMap;
use web_sys::Element;
use yew::prelude::*;

/// The most nodes of a rack that are opened.
const OPENED: usize = 300;
/// The distance between cells, and the size drawn; both are stretched to the room of the rack.
const STEP: (usize, usize) = (6, 8);
const CELL: (usize, usize) = (5, 7);

/// Draws all racks, and the opened one beside them: the hovered one, otherwise the chosen one, otherwise the first.
pub fn cells(
    picture: &Picture<'_>,
    why: Option<&WhyView>,
    chosen: Option<&str>,
    hovered: &UseStateHandle<Option<String>>,
    go: &Go,
) -> Html {
    let racks = &picture.snapshot.racks;
    let named = |name: Option<&str>| name.and_then(|name| racks.iter().find(|r| r.name == name));
    let opened = named(hovered.as_deref()).or(named(chosen)).or(racks.first());
    let over = |e: Option<Element>| -> Option<String> { e?.closest(".tile").ok()??.get_attribute("data-rack") };
    let show = {
        let hovered = hovered.clone();
        Callback::from(move |name: Option<String>| {
            if name.is_some() && *hovered != name {
                hovered.set(name);
            }
        })
    };
    let onpointerover = show.reform(move |e: PointerEvent| over(e.target_dyn_into()));
    let onfocusin = show.reform(move |e: FocusEvent| over(e.target_dyn_into()));
    // Back to the chosen one.
    let onpointerleave = {
        let hovered = hovered.clone();
        move |_: PointerEvent| hovered.set(None)
    };
    // Tiles a little wider than high.
    let across = ((racks.len() as f64 * 1.4).sqrt().ceil() as usize).clamp(1, racks.len().max(1));
    let style = vars(&[("across", across as f64), ("down", racks.len().div_ceil(across) as f64)]);
    html! {
        <>
            <div class="tiles" data-vars={style} {onpointerover} {onfocusin} {onpointerleave}>
                { for racks.iter().map(|rack| tile(picture, rack, why, opened.is_some_and(|o| o.name == rack.name), go)) }
            </div>
            { for opened.map(|rack| html! {
                <section class="opened line" tabindex="0" aria-label={format!("rack {}, opened", rack.name)}>
                    { heading(rack, false) }
                    { for rack.nodes.iter().take(OPENED).map(|n| node::node(picture, n)) }
                    if rack.nodes.len() > OPENED { <p class="dim">{ format!("and {} more", rack.nodes.len() - OPENED) }</p> }
                </section>
            }) }
        </>
    }
}

/// Returns the class that most of a node's used memory has.
fn of_most(picture: &Picture<'_>, n: &NodeView) -> &'static str {
    let mut sums: Vec<(&'static str, i64)> = Vec::new();
    for c in &n.containers {
        let class = picture.paint.container(c, n);
        match sums.iter_mut().find(|(has, _)| *has == class) {
            Some((_, sum)) => *sum += c.size.memory_mb,
            None => sums.push((class, c.size.memory_mb)),
        }
    }
    // Of equal shares the first: nodes alike are drawn alike.
    sums.iter().rev().max_by_key(|(_, sum)| *sum).map_or("k0", |(class, _)| class)
}

/// Draws the cells of a rack as one path for each look, so that ten thousand nodes are a few hundred elements.
pub fn tile(picture: &Picture<'_>, rack: &RackView, why: Option<&WhyView>, opened: bool, go: &Go) -> Html {
    let reasons: BTreeMap<&str, usize> = match (picture.paint.by(), why) {
        (ColourBy::Reason, Some(w)) => {
            w.buckets.iter().enumerate().flat_map(|(i, b)| b.nodes.iter().map(move |n| (n.as_str(), i))).collect()
        }
        _ => BTreeMap::new(),
    };
    let nodes = rack.nodes.len();
    let across = ((nodes as f64 * 1.8).sqrt().ceil() as usize).clamp(1, nodes.max(1));
    let (wide, high) = (across * STEP.0, nodes.div_ceil(across).max(1) * STEP.1);
    let at = |i: usize| (i % across * STEP.0, i / across * STEP.1);
    let outline = |i: usize| {
        let (x, y) = at(i);
        format!("M{x} {y}h{}v{}h-{}z", CELL.0, CELL.1, CELL.0)
    };
    let mut paths: BTreeMap<&'static str, String> = BTreeMap::new();
    let (mut frame, mut unlike, mut chosen) = (String::new(), String::new(), String::new());
    for (i, n) in rack.nodes.iter().enumerate() {
        frame.push_str(&outline(i));
        if picture.is_unlike_node(&n.name) {
            unlike.push_str(&outline(i));
        }
        if matches!(picture.selected, Some(Selection::Node(name)) if *name == n.name) {
            chosen.push_str(&outline(i));
        }
        let share = n.used.memory_mb.max(0) as f64 / n.total.memory_mb.max(1) as f64;
        let used = (share.min(1.0) * CELL.1 as f64).ceil();
        let (class, tall) = match reasons.get(n.name.as_str()) {
            _ if n.state != "RUNNING" => ("gone", CELL.1 as f64),
            Some(bucket) => (nth(*bucket), CELL.1 as f64),
            None if picture.paint.by() == ColourBy::Reason => ("k0", used),
            None => (of_most(picture, n), used),
        };
        if tall > 0.0 {
            let (x, y) = at(i);
            let d = format!("M{x} {}h{}v{tall}h-{}z", (y + CELL.1) as f64 - tall, CELL.0, CELL.0);
            paths.entry(class).or_default().push_str(&d);
        }
    }
    let names: Vec<String> = rack.nodes.iter().map(|n| n.name.clone()).collect();
    let at = move |e: &MouseEvent| {
        let r = e.target_dyn_into::<Element>()?.closest("svg").ok()??.get_bounding_client_rect();
        let x = ((f64::from(e.client_x()) - r.left()) * wide as f64 / r.width()) as usize / STEP.0;
        let y = ((f64::from(e.client_y()) - r.top()) * high as f64 / r.height()) as usize / STEP.1;
        names.get(y * across + x.min(across - 1)).cloned()
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
    let total = rack.nodes.iter().map(|n| n.total.memory_mb).sum();
    let mut text = format!("{} nodes, {}, {full} full, {idle} empty", count(nodes as i64), size(total));
    let differ = rack.nodes.iter().filter(|n| picture.is_unlike_node(&n.name)).count();
    if differ > 0 {
        text.push_str(&format!(", {differ} differ"));
    }
    html! {
        <section class={classes!("tile", opened.then_some("open"))} key={rack.name.clone()} data-rack={rack.name.clone()}>
            <h3 title={text.clone()}><button type="button" data-item="" tabindex="-1" aria-label={format!("{name}: {text}")}
                onclick={go.reform(move |_: MouseEvent| Msg::Look(LookAt::Rack(Some(open.clone()))))}>{ name.clone() }</button><span>{ text.clone() }</span></h3>
            <svg viewBox={format!("0 0 {wide} {high}")} preserveAspectRatio="none" aria-hidden="true" {onclick} {onmousemove}>
                <title/>
                <path class="frame" d={frame}/>
                { for paths.into_iter().map(|(class, d)| html! { <path {class} d={d}/> }) }
                if !chosen.is_empty() { <path class="sel" d={chosen}/> }
                if !unlike.is_empty() { <path class="df" d={unlike}/> }
            </svg>
        </section>
    }
}
