//! More than 2 000 nodes: a line for each rack, in four bands of usage. A rack opens to its nodes.

use super::Picture;
use crate::store::{Go, LookAt, Msg};
use crate::ui::{count, vars};
use heddle_view::RackView;
use yew::prelude::*;

/// Draws all racks.
pub fn bands(picture: &Picture<'_>, go: &Go) -> Html {
    let racks = &picture.snapshot.racks;
    let nodes: usize = racks.iter().map(|r| r.nodes.len()).sum();
    html! {
        <div>
            <p class="soft">{ format!("{} nodes: drawn by rack. Choose a rack to see its nodes.", count(nodes as i64)) }</p>
            <p class="eyebrow">{ "share of nodes full, over half, under half, empty" }</p>
            <div class="bands">
                { for racks.iter().map(|rack| line(picture, rack, go)) }
            </div>
        </div>
    }
}

fn line(picture: &Picture<'_>, rack: &RackView, go: &Go) -> Html {
    let mut n = [0usize; 4];
    for node in &rack.nodes {
        let (used, total) = (node.used.memory_mb, node.total.memory_mb);
        n[match () {
            () if used <= 0 => 3,
            () if used >= total => 0,
            () if used * 2 >= total => 1,
            () => 2,
        }] += 1;
    }
    let name = rack.name.trim_start_matches('/').to_owned();
    let open = rack.name.clone();
    let reasons = rack.nodes.iter().filter(|n| n.reason.as_ref().is_some_and(|r| r.near)).count();
    let differ = rack.nodes.iter().filter(|n| picture.is_unlike_node(&n.name)).count();
    let tally = match reasons {
        _ if differ > 0 => format!("{} · {differ} differ", rack.nodes.len()),
        0 => rack.nodes.len().to_string(),
        near => format!("{} · {near} near", rack.nodes.len()),
    };
    // Begins with the visible words.
    let label = format!(
        "{name} {tally}, nodes of this rack: {} full, {} over half, {} under half, {} empty",
        n[0], n[1], n[2], n[3]
    );
    html! {
        <button type="button" data-item="" tabindex="-1" key={rack.name.clone()} aria-label={label}
            onclick={go.reform(move |_: MouseEvent| Msg::Look(LookAt::Rack(Some(open.clone()))))}>
            <span class="b">{ name }</span>
            <span class="bd" aria-hidden="true">
                { for n.iter().enumerate().filter(|(_, k)| **k > 0).map(|(i, k)| html! { <i class={format!("b{i}")} data-vars={vars(&[("n", *k as f64)])}/> }) }
            </span>
            <span class="dim num">{ tally }</span>
        </button>
    }
}
