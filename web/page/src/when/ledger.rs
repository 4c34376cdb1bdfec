//! The ledger of a preemption round: what each queue should have, what it is owed, who pays; and the state of a long-running
//! application. It draws whatever tables the engine makes; each number opens its formula.

use crate::store::{Answers, Go, Msg};
use crate::ui::{format, icon, mark, popover, rich, vars};
use heddle_view::{EventOutcome, LedgerCell, LedgerRow, LedgerTable, LedgerView, Selection, StepBy};
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Draws the rounds to go to: the previous one, any of a list, the next.
fn stops(ledger: &LedgerView, go: &Go) -> Html {
    if ledger.stops.is_empty() {
        return html! {};
    }
    let step = |back: bool, off: bool| {
        let (label, path) = if back {
            ("To the round that differed before", icon::BACK)
        } else {
            ("To the next round that differs", icon::ON)
        };
        let on = go.reform(move |_: MouseEvent| Msg::StepBy { by: StepBy::Round, back });
        html! { <button type="button" aria-label={label} title={label} disabled={off} onclick={on}>{ icon::icon(path) }</button> }
    };
    let times: Vec<i64> = ledger.stops.iter().map(|s| s.time_ms).collect();
    let choose = go.reform(move |e: Event| {
        let at = e.target_unchecked_into::<HtmlSelectElement>().selected_index();
        Msg::Seek(times.get(at.max(0) as usize).copied().unwrap_or_default())
    });
    let last = ledger.complete && ledger.here == ledger.stops.len().checked_sub(1);
    html! {
        <div class="stops ctl" role="group" aria-label="Rounds">
            { step(true, ledger.here.is_none()) }
            <select aria-label="Rounds that found something else" onchange={choose}>
                { for ledger.stops.iter().enumerate().map(|(i, s)| html! {
                    <option selected={ledger.here == Some(i)}>{ format!("{} {}", format::tick(s.time_ms), s.text) }</option>
                }) }
            </select>
            { step(false, last) }
        </div>
    }
}

pub fn ledger(answers: &Answers, selected: Option<&Selection>, go: &Go) -> Html {
    let Some(ledger) = &answers.ledger else { return html! {} };
    if !ledger.none.is_empty() {
        return html! { <div class="empty"><b>{ &ledger.title }</b><span>{ &ledger.none }</span>{ stops(ledger, go) }</div> };
    }
    html! {
        <div class="ledger">
            <div class="sum">
                { stops(ledger, go) }
                <h3 class="h3">{ &ledger.title }</h3>
                { for ledger.came_to.iter().map(|line| html! { <p>{ rich::rich(line) }</p> }) }
                if !ledger.of.is_empty() {
                    <p>{ for ledger.of.iter().map(|s| {
                        let at = s.time_ms;
                        html! { <button type="button" class="link" onclick={go.reform(move |_: MouseEvent| Msg::Seek(at))}>{ format!("{} at {}", s.text, format::tick(at)) }</button> }
                    }) }</p>
                }
                <dl data-roving="">{ for ledger.facts.iter().map(|f| html! {
                    <><dt>{ &f.name }</dt><dd class="num">{ popover::item(go, &f.value, &f.name, &f.formula) }</dd></>
                }) }</dl>
                if ledger.places { { places(go) } }
            </div>
            <div>{ for ledger.tables.iter().map(|t| table(t, selected, go)) }</div>
        </div>
    }
}

/// Draws a field for a user: WHY then shows where the user's applications would land, and by which rule.
fn places(go: &Go) -> Html {
    let ask = go.reform(|e: Event| {
        let user = e.target_unchecked_into::<HtmlInputElement>().value().trim().to_owned();
        Msg::Select((!user.is_empty()).then_some(Selection::User(user)))
    });
    html! { <label class="soft">{ "Where would a user land? " }<input class="in" id="land" placeholder="user" spellcheck="false" autocomplete="off" onchange={ask}/></label> }
}

fn table(t: &LedgerTable, selected: Option<&Selection>, go: &Go) -> Html {
    let line = |row: &LedgerRow| {
        let name = match &row.about {
            Some(about) => {
                html! { <button type="button" data-item="" tabindex="-1" data-sel={about.to_string()} data-family={about.to_string()}>{ &row.name }</button> }
            }
            None => html! { { &row.name } },
        };
        let on = row.about.is_some() && row.about.as_ref() == selected;
        html! {
            <tr class={row.taken.then_some("taken")} aria-selected={on.to_string()}>
                <th scope="row" class="nm" data-vars={vars(&[("d", row.depth as f64)])}>{ name }</th>
                { for t.columns.iter().zip(&row.cells).map(|(column, c)| html! {
                    <td class={if column.number { "num" } else { "t" }}>{ cell(c, &format!("{}: {}", row.name, column.name), go) }</td>
                }) }
            </tr>
        }
    };
    html! {
        <section key={t.title.clone()}>
            <div class="sec"><h3 class="h3">{ &t.title }</h3><span class="eyebrow">{ &t.unit }</span></div>
            <div class="scroll" role="region" aria-label={t.title.clone()} data-roving="">
                <table class="data">
                    <thead><tr><th scope="col">{ &t.of }</th>{ for t.columns.iter().map(|c| html! { <th scope="col" class={c.number.then_some("num")}>{ &c.name }</th> }) }</tr></thead>
                    <tbody>{ for t.rows.iter().map(line) }</tbody>
                    if let Some(sums) = &t.sums { <tfoot>{ line(sums) }</tfoot> }
                </table>
            </div>
            if t.more > 0 { <p class="eyebrow">{ format!("and {} more", t.more) }</p> }
        </section>
    }
}

fn cell(c: &LedgerCell, title: &str, go: &Go) -> Html {
    html! {
        <>
            { for c.names.iter().map(|(id, text)| html! {
                <button type="button" class="preempting" data-item="" tabindex="-1" data-sel={id.to_string()}>{ mark(EventOutcome::Preempting) }{ " " }{ text }</button>
            }) }
            { popover::item(go, &c.text, title, &c.formula) }
        </>
    }
}
