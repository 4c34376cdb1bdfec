//! The chain of limits in YARN's order of checks, each with a meter and the formula of its numbers: the one that stops the
//! request, and folded below those passed and those not reached.

use super::fold::fold;
use crate::store::{Go, Msg};
use crate::ui::mark::Mark;
use crate::ui::{mark, popover, terms, vars};
use crate::what::control;
use heddle_view::form::Property;
use heddle_view::{EventOutcome, LimitView, WhyView};
use yew::prelude::*;

/// Returns whether the chain ends at a limit.
fn stops(l: &LimitView) -> bool {
    !l.passes && l.reached
}

/// Returns the unit of most figures.
fn unit(why: &WhyView) -> &str {
    why.limits.iter().map(|l| l.unit.as_str()).find(|u| !u.is_empty()).unwrap_or("GB")
}

/// Draws the limit that stops it; nothing if all are passed.
pub fn stop(why: &WhyView, settings: &[Property], go: &Go) -> Html {
    let rows: Vec<Html> = why.limits.iter().filter(|l| stops(l)).map(|l| limit(l, unit(why), settings, go)).collect();
    if rows.is_empty() {
        return html! {};
    }
    html! { <section class="stopl"><ol class="chain">{ for rows }</ol></section> }
}

/// Draws all limits, folded, without fields, which stand above; the line has those passed with their figures, and the number of those not reached.
pub fn limits(why: &WhyView, go: &Go) -> Html {
    // The one that stops it is drawn above.
    if why.limits.iter().all(stops) {
        return html! {};
    }
    let passed: Vec<String> =
        why.limits.iter().filter(|l| l.passes).map(|l| format!("{} {}", l.name, l.text)).collect();
    let unreached = why.limits.iter().filter(|l| !l.passes && !l.reached).count();
    let title = match (passed.len(), why.limits.iter().any(stops)) {
        (0, _) => "Limits".to_owned(),
        (1, true) => "1 limit passed".to_owned(),
        (1, false) => "The limit is passed".to_owned(),
        (n, true) => format!("{n} limits passed"),
        (n, false) => format!("All {n} limits passed"),
    };
    let unreached = (unreached > 0).then(|| format!("{unreached} not reached"));
    let says: Vec<String> = passed.into_iter().chain(unreached).collect();
    let body = html! {
        <>
            <p class="eyebrow">{ format!("in YARN’s order, {}", unit(why)) }</p>
            <ol class="chain">{ for why.limits.iter().map(|l| limit(l, unit(why), &[], go)) }</ol>
        </>
    };
    fold("limits", &title, &says.join(" · "), body)
}

/// Returns the properties that set a limit; if none is set, the first, which is the one that decides.
fn set_by(l: &LimitView) -> impl Iterator<Item = &String> {
    let none = l.properties.iter().all(|p| p.ends_with("(not set)"));
    l.properties
        .iter()
        .enumerate()
        .filter(move |(i, p)| if none { *i == 0 } else { !p.ends_with("(not set)") })
        .map(|(_, p)| p)
}

/// Draws the text that names a property, with the field in which it can be tried with another value.
pub fn setting(text: &str, settings: &[Property], go: &Go) -> Html {
    let name = text.split_whitespace().next().unwrap_or_default();
    let Some(p) = settings.iter().find(|p| p.name == name) else { return html! { <code class="set">{ text }</code> } };
    let (edit, help) = (p.field.edit.clone(), format!("{}-help", p.field.id));
    let on = go.reform(move |typed: String| Msg::TryEdit { edit: edit.clone(), typed });
    html! {
        <div class="set"><code>{ text }</code>
            <span class="try"><label for={p.field.id.clone()}>{ "try" }</label>{ control(&p.field, Some(help.clone()), on) }
                if !p.unit.is_empty() { <span class="dim">{ &p.unit }</span> }</span>
            <span class="vh" id={help}>{ &p.help }</span></div>
    }
}

fn limit(l: &LimitView, unit: &str, settings: &[Property], go: &Go) -> Html {
    let mut lines = l.formula.clone();
    if !l.properties.is_empty() {
        lines.push(format!("set by {}", l.properties.join(", ")));
    }
    let number = if l.unit.is_empty() || l.unit == unit || l.text.ends_with(l.unit.as_str()) {
        l.text.clone()
    } else {
        format!("{} {}", l.text, l.unit)
    };
    let title = if l.of.is_empty() { l.name.clone() } else { format!("{} of {}", l.name, l.of) };
    let scale = l.limit.max(l.used + l.asked).max(f64::MIN_POSITIVE);
    let (used, asked) = (100.0 * l.used / scale, 100.0 * l.asked / scale);
    let measured = l.asked > 0.0 || l.used > 0.0;
    html! {
        <li class={if l.passes { None } else if l.reached { Some("stop") } else { Some("dim") }}>
            { if l.passes { mark(Mark::Pass) } else if l.reached { mark(EventOutcome::Rejected) } else { html! { <span aria-hidden="true">{ "·" }</span> } } }
            <span title={title.clone()}>{ terms::sentence(&l.name, go) }<span class="vh">{ if l.passes { ": passed" } else if l.reached { ": stops here" } else { "" } }</span></span>
            if measured {
                <span class="meter" aria-hidden="true" title={title.clone()}><i data-vars={vars(&[("u", used.clamp(0.0, 100.0))])}/>
                    if asked > 0.0 { <em data-vars={vars(&[("u", used.clamp(0.0, 100.0)), ("a", asked.clamp(0.0, 100.0 - used.clamp(0.0, 100.0)))])}/> }</span>
            } else {
                <span class="f" title={l.of.clone()}>{ if l.of.is_empty() { "stops here" } else { l.of.as_str() } }</span>
            }
            <span class="num">{ popover::number(go, html! { { number } }, &title, &lines) }</span>
            if !l.passes && l.reached { { for set_by(l).map(|p| setting(p, settings, go)) } }
        </li>
    }
}
