//! The chain of limits in the order in which YARN checked them, each with a meter and the formula behind its numbers; the
//! first that stops is red, and those after it were not reached.

use crate::store::{Go, LookAt, Msg, View};
use crate::ui::mark::Mark;
use crate::ui::{mark, popover, terms, vars};
use heddle_view::{Fate, LimitView, WhyView};
use yew::prelude::*;

/// The chain; one line when all pass and nobody asked for more.
pub fn chain(why: &WhyView, view: &View, go: &Go) -> Html {
    if why.limits.is_empty() {
        return html! {};
    }
    let all = why.limits.iter().all(|l| l.passes);
    let toggle = |open: bool| go.reform(move |_: MouseEvent| Msg::Look(LookAt::Limits(open)));
    if all && !view.limits_open {
        let names: Vec<&str> = why.limits.iter().map(|l| l.name.as_str()).collect();
        return html! {
            <p class="all4">{ mark(Mark::Pass) }<span>{ sentence(&names) }</span><span class="sp"/>
                <button type="button" class="link" aria-expanded="false" onclick={toggle(true)}>{ "show" }</button></p>
        };
    }
    let unit = why.limits.iter().map(|l| l.unit.as_str()).find(|u| !u.is_empty()).unwrap_or("GB");
    html! {
        <section>
            <div class="sec"><h3 class="h3">{ "Limits, in YARN’s order" }</h3>
                <span class="eyebrow">{ unit.to_owned() }
                    if all { { " " }<button type="button" class="link" aria-expanded="true" onclick={toggle(false)}>{ "hide" }</button> }</span></div>
            <ol class="chain">{ for why.limits.iter().map(|l| limit(l, unit, go)) }</ol>
        </section>
    }
}

fn sentence(names: &[&str]) -> String {
    match names {
        [one] => format!("{one} passes"),
        [most @ .., last] => format!("{} and {last} all pass", most.join(", ")),
        [] => String::new(),
    }
}

/// The properties that set a limit; where none is set, the first: the engine names that first which decides.
fn set_by(l: &LimitView) -> impl Iterator<Item = &String> {
    let none = l.properties.iter().all(|p| p.ends_with("(not set)"));
    l.properties
        .iter()
        .enumerate()
        .filter(move |(i, p)| if none { *i == 0 } else { !p.ends_with("(not set)") })
        .map(|(_, p)| p)
}

fn limit(l: &LimitView, unit: &str, go: &Go) -> Html {
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
            { if l.passes { mark(Mark::Pass) } else if l.reached { mark(Fate::Rejected) } else { html! { <span aria-hidden="true">{ "·" }</span> } } }
            <span title={title.clone()}>{ terms::sentence(&l.name, go) }<span class="vh">{ if l.passes { ": passed" } else if l.reached { ": stops here" } else { "" } }</span></span>
            if measured {
                <span class="meter" aria-hidden="true" title={title.clone()}><i data-vars={vars(&[("u", used.clamp(0.0, 100.0))])}/>
                    if asked > 0.0 { <em data-vars={vars(&[("u", used.clamp(0.0, 100.0)), ("a", asked.clamp(0.0, 100.0 - used.clamp(0.0, 100.0)))])}/> }</span>
            } else {
                <span class="f" title={l.of.clone()}>{ if l.of.is_empty() { "stops here" } else { l.of.as_str() } }</span>
            }
            <span class="num">{ popover::number(go, html! { { number } }, &title, &lines) }</span>
            if !l.passes && l.reached { { for set_by(l).map(|p| html! { <code class="set">{ p }</code> }) } }
        </li>
    }
}
