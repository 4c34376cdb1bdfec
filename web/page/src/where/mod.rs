//! WHERE: racks, nodes and containers to scale, what waits at the left edge, the queues below; and all of it as a table. The
//! number of nodes determines how much of each is drawn.

pub mod beside;
mod cells;
mod fit;
mod lane;
mod node;
mod paint;
mod slot;
mod strip;
mod twin;

use crate::store::{Answers, ColourBy, Doc, Go, LookAt, Msg, Palette, Shared, View};
use crate::ui::{Segment, count, gb, names, of_size, vars};
use heddle_view::{NodeView, RackView, Selection, Snapshot};
use paint::Paint;
use wasm_bindgen::prelude::*;
use web_sys::HtmlElement;
use yew::prelude::*;

/// The level of detail of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Density {
    /// Up to 6: high blocks, and a slot for one more.
    Block,
    /// Up to 30: heading, bars, a reason.
    Full,
    /// Up to 300: one line each.
    Line,
    /// More: a cell each, and one rack opened.
    Cells,
}

impl Density {
    /// Returns the density for the number of nodes.
    pub fn of(snapshot: &Snapshot) -> Density {
        match snapshot.racks.iter().map(|r| r.nodes.len()).sum::<usize>() {
            0..=6 => Density::Block,
            7..=30 => Density::Full,
            31..=300 => Density::Line,
            _ => Density::Cells,
        }
    }
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub doc: Shared<Doc>,
    pub view: Shared<View>,
    pub answers: Shared<Answers>,
    /// The colours assigned so far.
    pub palette: Shared<Palette>,
    /// The callback for messages.
    pub go: Go,
}

/// The data that the parts of the picture need.
pub struct Picture<'a> {
    pub snapshot: &'a Snapshot,
    pub selected: Option<&'a Selection>,
    pub paint: Paint<'a>,
    /// The memory of the largest node, for the scale.
    pub memory_max: i64,
    /// The vcores of the largest node, for the scale.
    pub vcores_max: i64,
    /// The largest amount of each further resource type, for the scale.
    pub more_max: Vec<(String, i64)>,
    /// The level of detail of nodes.
    pub density: Density,
    /// What the hosts' names have in common.
    pub hosts: names::InCommon,
    /// What is unequal to another world beside this one.
    pub unlike: Option<beside::Unlike<'a>>,
}

impl Picture<'_> {
    /// Returns whether a container is unequal to what another world has there.
    fn is_unlike(&self, container: &Selection) -> bool {
        self.unlike.as_ref().is_some_and(|unlike| unlike.boxes.contains(container))
    }

    /// Returns whether a node holds something else than in another world.
    fn is_unlike_node(&self, name: &str) -> bool {
        self.unlike.as_ref().is_some_and(|unlike| unlike.nodes.contains(name))
    }
}

#[component]
pub fn Where(props: &Props) -> Html {
    let view = &props.view;
    let frame = &props.answers.frame;
    let snapshot = &frame.snapshot;
    let stage = use_node_ref();
    use_scale(&stage);
    let go = &props.go;
    let nodes = || snapshot.racks.iter().flat_map(|r| &r.nodes);
    let picture = Picture {
        snapshot,
        selected: view.selection.as_ref().or(frame.selection.as_ref()),
        paint: Paint::new(view.colours(&props.palette), &props.palette, frame.why.as_ref()),
        memory_max: nodes().map(|n| n.total.memory_mb.max(n.used.memory_mb)).max().unwrap_or(1).max(1),
        vcores_max: nodes().map(|n| n.total.vcores.max(n.used.vcores)).max().unwrap_or(1).max(1),
        more_max: more_max(nodes()),
        density: Density::of(snapshot),
        hosts: names::InCommon::of(nodes().map(|n| n.name.as_str())),
        unlike: None,
    };
    let xray = matches!(picture.selected, Some(Selection::Request { .. } | Selection::Clause { .. }))
        && nodes().any(|n| n.reason.is_some());
    let legend = picture.paint.legend(snapshot);
    let hovered = use_state(|| None::<String>);
    let colours = go.clone();
    let twin = go.clone();
    html! {
        <main class="where" id="where" aria-label="Where" tabindex="-1">
            <header>
                <h2 class="axis">{ "Where" }</h2>
                <Segment label="Colour by" options={ColourBy::names()} chosen={view.colours(&props.palette).place()}
                    on={Callback::from(move |i| colours.emit(Msg::Look(LookAt::Colour(ColourBy::at(i)))))}/>
                <div class="legend" role="group" aria-label="What colours and marks mean" tabindex="0">
                    { for nodes().find_map(|n| picture.hosts.told(&n.name)).map(|told| html! { <span class="hosts">{ "hosts " }<code>{ told }</code></span> }) }{ legend }</div>
                <Segment label="Show as" options={vec!["picture", "table"]} chosen={usize::from(view.twin)}
                    on={Callback::from(move |i| twin.emit(Msg::Look(LookAt::Twin(i == 1))))}/>
            </header>
            if view.twin {
                { twin::table(&picture, go) }
            } else {
                <div class="stage" ref={stage}>
                    { lane::lane(&picture) }
                    <div class={classes!("racks", xray.then_some("xray"), density_class(picture.density))}
                        data-roving="" data-vars={vars(&[("cols", columns(snapshot, picture.density))])}>
                        { racks(&picture, props, &hovered) }
                    </div>
                </div>
            }
            { strip::strip(&picture, &frame.stories) }
        </main>
    }
}

/// Returns the largest amount that a node has of each further resource type.
fn more_max<'n>(nodes: impl Iterator<Item = &'n NodeView>) -> Vec<(String, i64)> {
    let mut out: Vec<(String, i64)> = Vec::new();
    for (name, amount) in nodes.flat_map(|n| n.total.more.iter().chain(&n.used.more)) {
        match out.iter_mut().find(|(has, _)| has == name) {
            Some((_, most)) => *most = (*most).max(*amount),
            None => out.push((name.clone(), *amount)),
        }
    }
    out
}

/// Returns how many racks fit side by side at a sufficient width.
fn columns(snapshot: &Snapshot, density: Density) -> f64 {
    let most = if density == Density::Line { 4 } else { 3 };
    snapshot.racks.len().clamp(1, most) as f64
}

fn racks(picture: &Picture<'_>, props: &Props, hovered: &UseStateHandle<Option<String>>) -> Html {
    let snapshot = picture.snapshot;
    let go = &props.go;
    if snapshot.racks.iter().all(|r| r.nodes.is_empty()) {
        return if props.answers.ready {
            slot::no_nodes(&props.doc, go)
        } else {
            html! {}
        };
    }
    match picture.density {
        Density::Block => html! {
            <>
                { for snapshot.racks.iter().enumerate().map(|(i, rack)| html! {
                    <section class="rack" key={rack.name.clone()} aria-label={format!("rack {}", rack.name)}>
                        { heading(rack, true) }
                        <div class="three">
                            { for rack.nodes.iter().map(|n| node::node(picture, n)) }
                            if i + 1 == snapshot.racks.len() { { slot::slot(&props.doc, &props.answers.frame, go) } }
                        </div>
                    </section>
                }) }
                if props.doc.is_first_visit() { { slot::then_try(&props.doc, snapshot, go) } }
            </>
        },
        Density::Full | Density::Line => html! {
            { for snapshot.racks.iter().map(|rack| html! {
                <section class="rack" key={rack.name.clone()} aria-label={format!("rack {}", rack.name)}>
                    { heading(rack, false) }
                    { for rack.nodes.iter().map(|n| node::node(picture, n)) }
                </section>
            }) }
        },
        Density::Cells => {
            cells::cells(picture, props.answers.frame.why.as_ref(), props.view.rack.as_deref(), hovered, go)
        }
    }
}

/// Returns the class by which the style sheet lays racks out.
fn density_class(density: Density) -> Option<&'static str> {
    match density {
        Density::Block => None,
        Density::Full => Some("full"),
        Density::Line => Some("line"),
        Density::Cells => Some("cells"),
    }
}

/// `rack r1 — 3 nodes · 232 of 256 GB`.
fn heading(rack: &RackView, block: bool) -> Html {
    let total: i64 = rack.nodes.iter().map(|n| n.total.memory_mb).sum();
    let used: i64 = rack.nodes.iter().map(|n| n.used.memory_mb).sum();
    let first = rack.nodes.first();
    let alike = first.is_some_and(|f| rack.nodes.iter().all(|n| n.total == f.total));
    let plural = if rack.nodes.len() == 1 { "" } else { "s" };
    let text = match first {
        Some(f) if alike && block => {
            let more: String =
                f.total.more.iter().map(|(name, n)| format!(", {n} {}", node::short_type(name))).collect();
            format!(
                "{} node{plural} · {} GB, {} vcores{more} each",
                rack.nodes.len(),
                gb(f.total.memory_mb),
                f.total.vcores
            )
        }
        _ => format!("{} node{plural} · {}", count(rack.nodes.len() as i64), of_size(used, total)),
    };
    let name = format!("rack {}", rack.name.trim_start_matches('/'));
    html! { <h3><b title={name.clone()}>{ name }</b><span title={text.clone()}>{ text }</span></h3> }
}

/// Returns the scale of ghosts, which is that of the bars: pixels for each MiB, measured when the stage is resized.
#[hook]
fn use_scale(stage: &NodeRef) {
    let stage = stage.clone();
    let watching = use_mut_ref(|| None::<(HtmlElement, web_sys::ResizeObserver, Closure<dyn FnMut()>)>);
    // The picture may go, for worlds side by side: nothing may call its closure then.
    use_effect_with((), {
        let watching = watching.clone();
        move |()| {
            move || {
                if let Some((_, observer, _)) = watching.borrow_mut().take() {
                    observer.disconnect();
                }
            }
        }
    });
    use_effect(move || {
        let Some(element) = stage.cast::<HtmlElement>() else { return };
        measure(&element);
        let mut slot = watching.borrow_mut();
        if slot.as_ref().is_some_and(|(e, ..)| e == &element) {
            return;
        }
        let closure = {
            let element = element.clone();
            Closure::<dyn FnMut()>::new(move || measure(&element))
        };
        if let Ok(observer) = web_sys::ResizeObserver::new(closure.as_ref().unchecked_ref()) {
            observer.observe(&element);
            if let Some((_, old, _)) = slot.take() {
                old.disconnect();
            }
            *slot = Some((element, observer, closure));
        }
    });
}

fn measure(stage: &HtmlElement) {
    fit::fit(stage);
    let Ok(Some(bar)) = stage.query_selector(".bar[data-mb]") else { return };
    let mb = bar.get_attribute("data-mb").and_then(|m| m.parse::<u64>().ok()).unwrap_or(0) as f64;
    let width = bar.get_bounding_client_rect().width();
    if mb > 0.0 && width > 0.0 {
        let _ = stage.style().set_property("--px-mb", &(width / mb).to_string());
    }
}
