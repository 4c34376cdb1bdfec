//! The picture of one of several worlds side by side: its nodes and its queues, to the scale of all of them.

use super::paint::Paint;
use super::{Density, Picture, cells, density_class, heading, more_max, node, strip};
use crate::store::{Answers, Go, LookAt, Msg, Palette, Shared, View};
use crate::ui::names;
use heddle_view::{BesideView, NodeView, RackView, Selection, Snapshot, StoriesView};
use std::collections::BTreeSet;
use yew::prelude::*;

/// What is unequal in a picture.
pub struct Unlike<'a> {
    /// The containers that the other world does not have on that node.
    pub boxes: BTreeSet<&'a Selection>,
    /// The nodes that hold something else.
    pub nodes: BTreeSet<&'a str>,
    /// The world to compare the queues with.
    pub with: Option<&'a Snapshot>,
}

/// The largest sizes of all worlds, so that their pictures have one scale.
pub struct Scale {
    memory: i64,
    vcores: i64,
    more: Vec<(String, i64)>,
    density: Density,
}

impl Scale {
    pub fn of(view: &BesideView) -> Scale {
        let nodes = || view.worlds.iter().flat_map(|w| &w.snapshot.racks).flat_map(|r| &r.nodes);
        let largest = |of: fn(&NodeView) -> i64| nodes().map(of).max().unwrap_or(1).max(1);
        let most = view.worlds.iter().map(|w| Density::of(&w.snapshot)).max().unwrap_or(Density::Full);
        Scale {
            memory: largest(|n| n.total.memory_mb.max(n.used.memory_mb)),
            vcores: largest(|n| n.total.vcores.max(n.used.vcores)),
            more: more_max(nodes()),
            density: most.max(Density::Full),
        }
    }
}

/// Draws the world at a place of the view.
pub fn picture(
    view: Shared<View>,
    answers: Shared<Answers>,
    palette: &Palette,
    (beside, place): (&BesideView, usize),
    scale: &Scale,
    go: &Go,
) -> Html {
    let world = &beside.worlds[place];
    // The baseline's queues are compared with those of the second world.
    let with = beside.worlds.get(usize::from(place == 0)).map(|other| &other.snapshot);
    let picture = Picture {
        snapshot: &world.snapshot,
        selected: view.selection.as_ref().or(answers.frame.selection.as_ref()),
        paint: Paint::new(view.colours(palette), palette, world.why.as_ref()),
        memory_max: scale.memory,
        vcores_max: scale.vcores,
        more_max: scale.more.clone(),
        density: scale.density,
        hosts: names::InCommon::of(world.snapshot.racks.iter().flat_map(|r| &r.nodes).map(|n| n.name.as_str())),
        unlike: Some(Unlike {
            boxes: world.unequal.iter().collect(),
            nodes: world.nodes.iter().map(String::as_str).collect(),
            with,
        }),
    };
    let letter = crate::compare::letter(place);
    html! {
        <>
            <div class={classes!("racks", density_class(picture.density))} data-roving="">{ racks(&picture, letter, view.rack.as_deref(), world.why.as_ref(), go) }</div>
            { strip::strip(&picture, &StoriesView::default()) }
        </>
    }
}

fn racks(picture: &Picture<'_>, letter: char, open: Option<&str>, why: Option<&heddle_view::WhyView>, go: &Go) -> Html {
    let racks = &picture.snapshot.racks;
    let line = picture.density == Density::Cells;
    let rows = |rack: &RackView| {
        html! {
            <section class={classes!("rack", line.then_some("line"))} key={rack.name.clone()} aria-label={format!("rack {} of world {letter}", rack.name)}>
                { heading(rack, false) }
                { for rack.nodes.iter().take(300).map(|n| node::node(picture, n)) }
            </section>
        }
    };
    let opened = open.and_then(|name| racks.iter().find(|r| r.name == name));
    match (picture.density, opened) {
        (Density::Block | Density::Full | Density::Line, _) => html! { { for racks.iter().map(rows) } },
        (Density::Cells, Some(rack)) => html! {
            <>
                <button type="button" class="btn sm edge" onclick={go.reform(|_: MouseEvent| Msg::Look(LookAt::Rack(None)))}>{ "All racks" }</button>
                { rows(rack) }
            </>
        },
        (Density::Cells, None) => {
            html! { <div class="tiles">{ for racks.iter().map(|rack| cells::tile(picture, rack, why, false, go)) }</div> }
        }
    }
}
