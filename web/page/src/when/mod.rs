//! WHEN: transport, clock, scrubber, step, speed; below it events, requests, charts, tables.

mod clock;
mod events;
mod expectations;
mod ledger;
mod requests;
mod scrubber;
mod table;
mod transport;

pub use requests::unlisted;
pub use scrubber::ticks;
pub use transport::STEPS;

use crate::charts::Charts;
use crate::compare::gains;
use crate::store::{Answers, Effect, Go, LookAt, Msg, Notice, Palette, Shared, Under, View};
use crate::ui::{count, csv};
use yew::prelude::*;

/// Saves rows as a file, or says that there are none.
pub fn save(go: &Go, what: &str, rows: &[Vec<String>]) {
    let name = format!("heddle-{}.csv", what.to_lowercase().replace([' ', ','], "-"));
    go.emit(match rows {
        [] => Msg::Notice(Some(Notice { text: format!("{what} has no rows to save."), act: None })),
        rows => Msg::Do(Effect::Save { name, text: csv::text(rows) }),
    });
}

#[derive(Properties, PartialEq)]
pub struct Props {
    pub view: Shared<View>,
    pub answers: Shared<Answers>,
    /// The colours assigned so far.
    pub palette: Shared<Palette>,
    pub playing: bool,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn When(props: &Props) -> Html {
    let (view, go) = (&props.view, &props.go);
    let frame = &props.answers.frame;
    let number = |u: Under| match u {
        Under::Events => Some(count(frame.events_total as i64)),
        Under::Requests => Some(count((frame.snapshot.waiting.len() + frame.snapshot.unlisted) as i64)),
        Under::Expectations => Some(expectations::number(&props.answers.expectations)),
        _ => None,
    };
    let selected = props.view.selection.as_ref().or(frame.selection.as_ref());
    let tab = |u: Under| {
        let on = u == view.under;
        html! {
            <button type="button" role="tab" data-item="" id={format!("tab-{}", u.name())} aria-controls="under" aria-selected={on.to_string()}
                tabindex={if on { "0" } else { "-1" }} onclick={go.reform(move |_: MouseEvent| Msg::Look(LookAt::Under(u)))}>
                { u.name() }if let Some(n) = number(u) { <span class="n">{ n }</span> }
            </button>
        }
    };
    // The application's state is offered if one has tables, expectations if the scenario has some.
    let shown = |u: Under| match u {
        _ if u == view.under => true,
        Under::Service => frame.snapshot.apps.iter().any(|a| a.service),
        Under::Expectations => !props.answers.expectations.is_empty(),
        Under::Gains => view.compare.is_some(),
        Under::Events | Under::Requests | Under::Ledger | Under::Charts | Under::Table => true,
    };
    let csv = {
        let (go, under, answers) = (go.clone(), view.under, props.answers.clone());
        move |_: MouseEvent| {
            let rows = match under {
                Under::Charts => crate::charts::rows(answers.charts.as_deref().unwrap_or_default()),
                Under::Events
                | Under::Requests
                | Under::Ledger
                | Under::Service
                | Under::Expectations
                | Under::Table
                | Under::Gains => csv::of_tables("#under"),
            };
            save(&go, under.name(), &rows);
        }
    };
    html! {
        <section class="when" id="when" aria-label="When" tabindex="-1">
            <div class="tp">
                <span class="axis hide-p">{ "When" }</span>
                { transport::transport(props) }
                { clock::clock(frame) }
                <scrubber::Scrubber view={view.clone()} answers={props.answers.clone()} palette={props.palette.clone()} go={go.clone()}/>
                { transport::step_and_speed(view, go) }
            </div>
            if !props.answers.expectations.is_empty() { <span class="vh" id={expectations::SAID}>{ expectations::spoken(&props.answers.expectations) }</span> }
            <nav>
                <div class="tabs" role="tablist" aria-label="Under the scrubber" data-roving="press">{ for Under::ALL.iter().filter(|u| shown(**u)).map(|u| tab(*u)) }</div>
                <div class="tools">
                    if view.under == Under::Events { { events::only(view, selected, go) }{ events::search(view, go) } }
                    <button type="button" class="btn sm edge" id="csv" title="Save what is listed below as comma-separated values" onclick={csv}>{ "CSV" }</button>
                </div>
                if let (Under::Ledger | Under::Service, Some(ledger)) = (view.under, &props.answers.ledger) { <span class="eyebrow hide-p hide-m">{ &ledger.law }</span> }
            </nav>
            <div class="tbl" id="under" role="tabpanel" aria-labelledby={format!("tab-{}", view.under.name())} tabindex="0">
                { match view.under {
                    Under::Events => events::events(frame, view, selected, go),
                    Under::Requests => requests::requests(frame),
                    Under::Ledger | Under::Service => ledger::ledger(&props.answers, selected, go),
                    Under::Charts => html! { <Charts view={view.clone()} answers={props.answers.clone()} palette={props.palette.clone()} go={go.clone()}/> },
                    Under::Expectations => expectations::expectations(&props.answers.expectations, selected, go),
                    Under::Table => table::table(frame, &props.palette, view.colours(&props.palette)),
                    Under::Gains => gains::gained(&props.answers, go),
                } }
            </div>
        </section>
    }
}
