//! WHY: who and since when, the sentence, the chain of limits, what preemption does about it, the nodes counted by their first failing check, the
//! matrix, the order that was decided, YARN's own words, and what would help. Each part proves the one above it.

mod chain;
mod facts;
mod help;
mod matrix;
mod preemption;

use crate::store::{Answers, Doc, Go, Palette, Shared, View};
use crate::ui::{mark, terms};
use heddle_view::form::Part;
use heddle_view::{Selection, WhyView};
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub doc: Shared<Doc>,
    pub view: Shared<View>,
    pub answers: Shared<Answers>,
    /// Colours given so far.
    pub palette: Shared<Palette>,
    /// Where to send messages.
    pub go: Go,
}

#[component]
pub fn Why(props: &Props) -> Html {
    let go = &props.go;
    let frame = &props.answers.frame;
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
    html! {
        <aside class="why" id="why" aria-label="Why" tabindex="-1">
            <header>
                <span class="axis">{ "Why" }</span>
                <h2 class="thing">
                    if let Some(app) = why.about.as_ref().and_then(Selection::app) { <i class={classes!("sw", props.palette.app(app))}/> }
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
            if !frame.acts.is_empty() { { crate::what::alone(&Part::Row { buttons: frame.acts.clone(), note: String::new() }, go) } }
            { chain::chain(why, &props.view, go) }
            { preemption::preemption(why, go) }
            { facts::waits_for(why) }
            { facts::taken(why) }
            { facts::over_time(why) }
            { matrix::nodes(why, props.view.all_checks, clause, go) }
            { yarn(why, go) }
            { facts::free(why) }
            { facts::facts(why, go) }
            { facts::users(why, &frame.snapshot) }
            { facts::orders(why) }
            { help::help(why, &props.answers, go) }
            { sources(why) }
        </aside>
    }
}

/// YARN's own words, small, selectable, and to be copied in one go.
fn yarn(why: &WhyView, go: &Go) -> Html {
    if why.yarn.is_empty() {
        return html! {};
    }
    let lines: Vec<&str> = why.yarn.iter().map(|(text, _)| text.as_str()).collect();
    let (go, text) = (go.clone(), lines.join("\n"));
    html! {
        <div class="yarn">
            <div>{ for why.yarn.iter().map(|(text, n)| html! {
                <div><code>{ text }</code>if *n > 0 { { format!(" {n} node{}", if *n == 1 { "" } else { "s" }) } }</div>
            }) }</div>
            <button type="button" class="link" title="Copy YARN's words"
                onclick={move |_| go.emit(crate::store::Msg::Do(crate::store::Effect::Copy { text: text.clone(), what: "YARN's words".into() }))}>{ "copy" }</button>
        </div>
    }
}

fn sources(why: &WhyView) -> Html {
    if why.sources.is_empty() {
        return html! {};
    }
    html! { <p class="eyebrow">{ "decided by " }{ why.sources.join(" · ") }</p> }
}
