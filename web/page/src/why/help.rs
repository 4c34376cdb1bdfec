//! The advice: each line was found by running it, with who is worse off. A line may also say that a change does not help.

use crate::store::{Answers, Go, Helping, Msg, Trial};
use crate::ui::{mark, rich};
use heddle_view::{EventOutcome, HelpView, Selection, WhyView};
use yew::prelude::*;

/// Draws the section for something that waits.
pub fn help(why: &WhyView, answers: &Answers, go: &Go) -> Html {
    let Some(about @ (Selection::Request { .. } | Selection::App(_))) = &why.about else { return html! {} };
    if !answers.waits(about) {
        return html! {};
    }
    let body = match &answers.help {
        Some(helping) if helping.about == *about => html! { <>{ list(&helping.found, go) }{ state(helping, go) }</> },
        _ => html! {
            <button type="button" class="btn edge sm" onclick={go.reform(|_: MouseEvent| Msg::Help)}>{ "Try some changes" }</button>
        },
    };
    html! {
        <section class="helps">
            <div class="sec"><h3 class="h3">{ "What would help" }</h3><span class="eyebrow">{ "found by running it" }</span></div>
            { body }
        </section>
    }
}

/// Draws the progress of the search.
fn state(helping: &Helping, go: &Go) -> Html {
    let (tried, of) = helping.tried;
    if helping.done {
        let none = helping.found.iter().all(|h| !h.helps || h.scenario.is_none());
        let said = if helping.found.is_empty() { "Nothing was tried." } else { "None of the changes tried helps." };
        return html! { if none { <p class="soft">{ said }</p> } };
    }
    let progress = if of > 0 { format!("Trying changes… {tried} of {of}") } else { "Trying changes…".to_owned() };
    html! {
        <p class="soft" role="status">{ progress }{ " " }
            <button type="button" class="link" onclick={go.reform(|_: MouseEvent| Msg::Stop)}>{ "stop" }</button></p>
    }
}

fn list(found: &[HelpView], go: &Go) -> Html {
    html! {
        <ul class="help">{ for found.iter().map(|h| {
            let action = h.scenario.clone().filter(|_| h.helps).map(|text| {
                let change = rich::plain(&h.change);
                let trial = Trial { change: change.clone(), effect: h.effect.clone(), text };
                let click = go.reform(move |_: MouseEvent| Msg::Try(trial.clone()));
                html! { <button type="button" class="btn edge sm" aria-label={format!("Try: {change}")} onclick={click}>{ "Try" }</button> }
            });
            html! {
                <li key={rich::plain(&h.change)}><span>if !h.helps { { mark(EventOutcome::Rejected) }{ " " } }{ rich::rich(&h.change) }
                    <small>if !h.helps { { "does not help: " } }{ rich::rich(&h.effect) }</small></span>{ for action }</li>
            }
        }) }</ul>
    }
}
