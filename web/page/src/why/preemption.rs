//! Preemption: what is being freed and when, and folded below every condition in the monitor's order.

use super::fold::{Texts, fold, part};
use crate::store::Go;
use crate::ui::mark::Mark;
use crate::ui::{mark, popover, rich, terms};
use heddle_view::form::Property;
use heddle_view::{ConditionView, EventOutcome, FreeingView, Met, PreemptionView, WhyView};
use yew::prelude::*;

/// The most ending containers listed.
const LISTED: usize = 8;

pub fn preemption(why: &WhyView, settings: &[Property], go: &Go) -> Html {
    let Some(told) = &why.preemption else { return html! {} };
    let round = told.round_ms.map(|at| format!("round at {}", crate::ui::time(at)));
    let stop = told.conditions.iter().find(|c| c.met == Met::No);
    let says = match stop {
        Some(stop) => format!("{}: {}", stop.name, stop.value),
        None => rich::plain(&told.sentence),
    };
    let body = html! {
        <>
            if !told.sentence.is_empty() { <p class="because">{ terms::sentence(&told.sentence, go) }</p> }
            { freeing(told) }
            if let Some(stop) = stop { <ol class="chain met">{ condition(stop, settings, go) }</ol> }
        </>
    };
    part("preemption", Texts { title: &told.title, aside: round.as_deref().unwrap_or_default(), says: &says }, body)
}

/// Draws all conditions; the line says which are met.
pub fn conditions(why: &WhyView, go: &Go) -> Html {
    let Some(told) = why.preemption.as_ref().filter(|told| !told.conditions.is_empty()) else { return html! {} };
    let met = told.conditions.iter().filter(|c| matches!(c.met, Met::Yes | Met::Slows)).count();
    let says = format!("{met} of {} hold", told.conditions.len());
    let body = html! { <ol class="chain met">{ for told.conditions.iter().map(|c| condition(c, &[], go)) }</ol> };
    fold("conditions", "Conditions of preemption", &says, body)
}

fn freeing(told: &PreemptionView) -> Html {
    if told.freeing.is_empty() {
        return html! {};
    }
    let row = |f: &FreeingView| {
        html! {
            <li><button type="button" class="link" data-sel={f.who.to_string()}>{ &f.name }</button>
                { format!(" on {}, {}", f.node, f.size) }<small>{ &f.text }</small></li>
        }
    };
    let more = told.freeing.len().saturating_sub(LISTED);
    html! {
        <ul class="arrows">{ for told.freeing.iter().take(LISTED).map(row) }
            if more > 0 { <li><small>{ format!("and {more} more") }</small></li> }</ul>
    }
}

fn condition(c: &ConditionView, settings: &[Property], go: &Go) -> Html {
    let (sign, class, said) = match c.met {
        Met::Yes => (mark(Mark::Pass), None, ": holds"),
        Met::Slows => (mark(EventOutcome::Waiting), None, ": leaves less, or later"),
        Met::No => (mark(EventOutcome::Rejected), Some("stop"), ": stops it"),
        Met::Unreached => (html! { <span aria-hidden="true">{ "·" }</span> }, Some("dim"), ": not reached"),
    };
    let mut lines = c.formula.clone();
    if !c.properties.is_empty() {
        lines.push(format!("set by {}", c.properties.join(", ")));
    }
    html! {
        <li {class}>
            { sign }<span>{ &c.name }<span class="vh">{ said }</span></span>
            <span class="says">{ popover::number(go, html! { { &c.value } }, &c.name, &lines) }</span>
            if c.met == Met::No { { for c.properties.iter().map(|p| super::chain::setting(p, settings, go)) } }
        </li>
    }
}
