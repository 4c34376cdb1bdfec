//! WHY on one screen: who and since when, the sentence, the limit that stops it, who took the room, what stopped it when, the
//! nodes counted by their first failing check with the matrix, and the advice. What has no room above the first advice is
//! folded where it stands. The supporting detail is folded below: passed limits, preemption's conditions, the order, figures,
//! YARN's own words.

mod chain;
mod facts;
mod fold;
mod help;
mod matrix;
mod preemption;
mod room;
mod stories;

pub use chain::stop;

use crate::store::{Answers, Doc, Go, Palette, Shared, View};
use crate::ui::{mark, names, terms};
use heddle_view::{Selection, WhyView};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub doc: Shared<Doc>,
    pub view: Shared<View>,
    pub answers: Shared<Answers>,
    /// Whether the stories stand in its place.
    pub stories: bool,
    /// The colours assigned so far.
    pub palette: Shared<Palette>,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn Why(props: &Props) -> Html {
    let go = &props.go;
    let frame = &props.answers.frame;
    let panel = use_node_ref();
    // Another subject begins with everything open for which there is room.
    let about = frame.why.as_ref().and_then(|why| why.about.clone());
    room::use_room(&panel, (props.view.selection.clone(), about, props.stories));
    if props.view.compare.is_some() && props.answers.beside.is_some() {
        return crate::compare::why::why(&props.answers, (&props.palette, props.view.colours(&props.palette)), go);
    }
    if props.stories {
        return stories::stories(&props.answers, props.doc.agreement().map(|told| &**told), go);
    }
    let Some(why) = &frame.why else {
        return html! {
            <aside class="why" id="why" aria-label="Why" tabindex="-1">
                <header><span class="axis">{ "Why" }</span></header>
                <p class="because">{ "Select a container, a waiting request, a node, a queue or an application to see why." }</p>
            </aside>
        };
    };
    let clause = match props.view.selection.as_ref() {
        Some(Selection::Clause { n, .. }) => Some(*n),
        _ => None,
    };
    let hosts = names::InCommon::of(frame.snapshot.racks.iter().flat_map(|r| &r.nodes).map(|n| n.name.as_str()));
    let settings = frame.settings.as_slice();
    let by = props.view.colours(&props.palette);
    let swatch = why.about.as_ref().and_then(|about| props.palette.of_thing(by, about));
    // For something that waits the answer is the sentence; for a node or a queue the figures are.
    let waits = why.about.as_ref().is_some_and(|about| props.answers.waits(about));
    html! {
        <aside class="why" id="why" aria-label="Why" tabindex="-1" ref={panel}>
            <header>
                <span class="axis">{ "Why" }</span>
                <h2 class="thing">
                    { for swatch.map(|class| html! { <i class={classes!("sw", class)}/> }) }
                    <span>{ &why.title }</span>
                    if !why.status.is_empty() {
                        <span class={classes!("st", why.fate.map(|f| mark::Mark::from(f).class()))}>
                            { for why.fate.map(mark::mark) }{ " " }{ &why.status }
                        </span>
                    }
                </h2>
            </header>
            if !why.crumb.is_empty() { <p class="crumb">{ &why.crumb }</p> }
            if let Some((at, node)) = &why.looked { <p class="crumb">{ format!("last looked at {} for {node}", crate::ui::time(*at)) }</p> }
            <p class="because">{ terms::sentence(&why.sentence, go) }</p>
            { chain::stop(why, settings, go) }
            { preemption::preemption(why, settings, go) }
            { facts::waits_for(why) }
            { facts::taken(why) }
            { facts::over_time(why) }
            { matrix::nodes(why, hosts, props.view.all_checks, clause, go) }
            { help::help(why, &props.answers, go) }
            { for frame.acts.iter().map(|part| crate::what::alone(part, go)) }
            if !waits { { facts::facts(why, go) }{ facts::users(why, &frame.snapshot) } }
            <div class="folds">
                { chain::limits(why, go) }
                { matrix::blocking(why) }
                { preemption::conditions(why, go) }
                { facts::orders(why) }
                if waits { { facts::figures(why, go) } }
                { facts::free(why) }
                { yarn(why, go) }
            </div>
            { sources(why) }
        </aside>
    }
}

/// Draws YARN's own words, small, selectable, and with a button that copies them.
fn yarn(why: &WhyView, go: &Go) -> Html {
    if why.yarn.is_empty() {
        return html! {};
    }
    let lines: Vec<&str> = why.yarn.iter().map(|(text, _)| text.as_str()).collect();
    let (go, text) = (go.clone(), lines.join("\n"));
    let says = format!("{} string{}", lines.len(), if lines.len() == 1 { "" } else { "s" });
    let body = html! {
        <div class="yarn">
            <div>{ for why.yarn.iter().map(|(text, n)| html! {
                <div><code>{ text }</code>if *n > 0 { { format!(" {n} node{}", if *n == 1 { "" } else { "s" }) } }</div>
            }) }</div>
            <button type="button" class="link" title="Copy YARN's words"
                onclick={move |_| go.emit(crate::store::Msg::Do(crate::store::Effect::Copy { text: text.clone(), what: "YARN's words".into() }))}>{ "copy" }</button>
        </div>
    };
    fold::fold("words", "YARN’s words", &says, body)
}

fn sources(why: &WhyView) -> Html {
    if why.sources.is_empty() {
        return html! {};
    }
    html! { <p class="eyebrow">{ "decided by " }{ why.sources.join(" · ") }</p> }
}
