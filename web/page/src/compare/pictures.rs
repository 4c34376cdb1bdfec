//! The pictures of the drawn worlds at one moment: nodes and queues of each, to one scale, with what is unequal tinted.

use super::{Props, choose, letter, result};
use crate::store::Msg;
use crate::ui::{rich, time};
use crate::r#where::beside;
use heddle_view::{BesideView, WorldPicture, WorldView};
use yew::prelude::*;

pub fn pictures(props: &Props, worlds: &[WorldView]) -> Html {
    let Some(view) = &props.answers.beside else {
        // The worlds are on their way to the moment shown, unless none can be drawn.
        return if worlds.iter().all(|w| !w.refused.is_empty()) {
            html! {}
        } else {
            super::waiting(props)
        };
    };
    let drawn: Vec<String> = view.worlds.iter().map(|w| w.name.clone()).collect();
    let scale = beside::Scale::of(view);
    html! {
        <div class={classes!("worlds", format!("of{}", view.worlds.len()))}>
            { for view.worlds.iter().enumerate().map(|(i, world)| one(props, view, world, i, &drawn, &scale)) }
        </div>
    }
}

fn one(
    props: &Props,
    view: &BesideView,
    world: &WorldPicture,
    place: usize,
    drawn: &[String],
    scale: &beside::Scale,
) -> Html {
    let said = format!("world-said-{place}");
    let own = world.snapshot.time_ms;
    let late = (own != view.time_ms).then(|| format!("known until {} only", time(own)));
    html! {
        <section class="world" key={world.name.clone()} data-world={letter(place).to_string()} aria-label={format!("World {}: {}", letter(place), world.name)} aria-describedby={said.clone()}>
            <header>
                <span class="wl" aria-hidden="true">{ letter(place) }</span>
                { choose::choice(props, drawn, place) }
                if place == 0 { <span class="eyebrow">{ "baseline" }</span> } else { { first(props, world) } }
            </header>
            <p class="wsum" title={rich::plain(&world.snapshot.headline)}>{ rich::rich(&world.snapshot.headline) }</p>
            <p class="unlike" id={said}>{ differs(view, place) }if let Some(late) = late { { ". " }{ late } }</p>
            { beside::picture(props.view.clone(), props.answers.clone(), &props.palette, (view, place), scale, &props.go) }
        </section>
    }
}

/// Says how much of a world differs from the baseline, and of the baseline from the others.
fn differs(view: &BesideView, place: usize) -> String {
    let Some(world) = view.worlds.get(place) else { return String::new() };
    if view.worlds.len() < 2 {
        return String::new();
    }
    let than = match (place, view.worlds.len()) {
        (0, 2) => "B",
        (0, _) => "B or C",
        _ => "A",
    };
    let s = |n: usize| if n == 1 { "" } else { "s" };
    match (world.unequal.len(), world.nodes.len()) {
        (_, 0) => format!("The same as {than} now"),
        (boxes, nodes) => {
            let differ = if nodes == 1 { "differs" } else { "differ" };
            format!(
                "{nodes} node{} {differ}: {boxes} container{} here that {than} does not have there",
                s(nodes),
                s(boxes)
            )
        }
    }
}

/// Draws the first difference of a world from the baseline, as a button that goes there.
fn first(props: &Props, world: &WorldPicture) -> Html {
    let Some(d) = result(&props.answers, &world.name).and_then(|w| w.first.as_ref()) else {
        return html! { <span class="eyebrow">{ "nothing happens otherwise" }</span> };
    };
    let said = |text: &str| if text.is_empty() { "nothing".to_owned() } else { rich::plain(text) };
    let title = format!("In A: {}. Here: {}.", said(&d.here), said(&d.there));
    let (go, time_ms, about) = (props.go.clone(), d.time_ms, d.about.clone());
    html! {
        <button type="button" class="link" {title} onclick={move |_: MouseEvent| go.emit(Msg::Jump { time_ms, about: about.clone() })}>{ format!("first difference {}", time(time_ms)) }</button>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_said_with_its_world() {
        let world = |nodes: &[&str], boxes: usize| WorldPicture {
            nodes: nodes.iter().map(|n| (*n).to_owned()).collect(),
            unequal: (0..boxes).map(|k| heddle_view::Selection::Container { app: "a".into(), k }).collect(),
            ..WorldPicture::default()
        };
        let view = |worlds: Vec<WorldPicture>| BesideView { time_ms: 0, worlds };
        let two = view(vec![world(&["n1"], 0), world(&["n1"], 1)]);
        assert_eq!(differs(&two, 0), "1 node differs: 0 containers here that B does not have there");
        assert_eq!(differs(&two, 1), "1 node differs: 1 container here that A does not have there");
        let same = view(vec![world(&[], 0), world(&[], 0)]);
        assert_eq!(differs(&same, 1), "The same as A now");
        assert_eq!(differs(&view(vec![world(&[], 0)]), 0), "");
    }
}
