//! WHY of the same thing in each drawn world, under one another.

use super::letter;
use crate::store::{Answers, ColourBy, Go, Palette};
use crate::ui::{mark, terms};
use crate::why::stop;
use heddle_view::form::Property;
use heddle_view::{AS_IT_IS, Selection, WorldPicture};
use yew::prelude::*;

pub fn why(answers: &Answers, (palette, by): (&Palette, ColourBy), go: &Go) -> Html {
    let title = answers.frame.why.as_ref().map(|why| why.title.clone()).unwrap_or_default();
    let app = answers.frame.why.as_ref().and_then(|why| why.about.as_ref()).and_then(Selection::app);
    let worlds = answers.beside.iter().flat_map(|beside| beside.worlds.iter().enumerate());
    html! {
        <aside class="why" id="why" aria-label="Why" tabindex="-1">
            <header>
                <span class="axis">{ "Why" }</span>
                <h2 class="thing">if let Some(app) = app { <i class={classes!("sw", palette.of(by, app))}/> }<span>{ title }</span></h2>
            </header>
            { for worlds.map(|(i, world)| one(i, world, if world.name == AS_IT_IS { &answers.frame.settings } else { &[] }, go)) }
        </aside>
    }
}

/// `settings`: the fields of the properties that WHY names, in the scenario itself.
fn one(place: usize, world: &WorldPicture, settings: &[Property], go: &Go) -> Html {
    let body = match &world.why {
        None => html! { <p class="soft">{ "Not there in this world." }</p> },
        Some(why) => html! {
            <>
                <h3 class="thing">
                    <span>{ &why.title }</span>
                    if !why.status.is_empty() {
                        <span class={classes!("st", why.fate.map(|f| mark::Mark::from(f).class()))}>{ for why.fate.map(mark::mark) }{ " " }{ &why.status }</span>
                    }
                </h3>
                <p class="because">{ terms::sentence(&why.sentence, go) }</p>
                { stop(why, settings, go) }
            </>
        },
    };
    html! {
        <section class="wwhy" key={world.name.clone()} data-world={letter(place).to_string()} aria-label={format!("Why in world {}: {}", letter(place), world.name)}>
            <p class="eyebrow"><span class="wl" aria-hidden="true">{ letter(place) }</span>{ " " }{ super::short(&world.name) }</p>
            { body }
        </section>
    }
}
