//! What would help: each line was found by running it, with its side effect; it may also say that something will not.

use crate::store::{Answers, Go, Msg};
use crate::ui::{mark, rich};
use heddle_core::explain::view::{Fate, HelpView, Selection, WhyView};
use yew::prelude::*;

/// The section, for what waits.
pub fn help(why: &WhyView, answers: &Answers, go: &Go) -> Html {
    let about = match &why.about {
        Some(about @ (Selection::Request { .. } | Selection::App(_))) => about,
        _ if why.help.is_empty() => return html! {},
        _ => return html! { <section>{ heading() }{ list(&why.help, go) }</section> },
    };
    if !why.help.is_empty() {
        return html! { <section>{ heading() }{ list(&why.help, go) }</section> };
    }
    let refused = why.fate == Some(Fate::Rejected) && matches!(about, Selection::App(_));
    if why.fate != Some(Fate::Waiting) && !refused {
        return html! {};
    }
    match &answers.help {
        Some((of, Some(found))) if of == about => html! {
            <section>{ heading() }
                if found.is_empty() { <p class="soft">{ "None of the changes tried helps." }</p> } else { { list(found, go) } }
            </section>
        },
        Some((of, None)) if of == about => {
            html! { <section>{ heading() }<p class="soft" role="status">{ "Trying changes…" }</p></section> }
        }
        _ => html! {
            <section>{ heading() }
                <button type="button" class="btn edge sm" onclick={go.reform(|_: MouseEvent| Msg::Help)}>{ "Try some changes" }</button>
            </section>
        },
    }
}

fn heading() -> Html {
    html! { <div class="sec"><h3 class="h3">{ "What would help" }</h3><span class="eyebrow">{ "found by running it" }</span></div> }
}

fn list(found: &[HelpView], go: &Go) -> Html {
    html! {
        <ul class="help">{ for found.iter().map(|h| {
            let action = h.scenario.clone().map(|text| {
                let what = rich::plain(&h.change);
                let click = go.reform(move |_: MouseEvent| Msg::Edit { text: text.clone(), what: what.clone() });
                html! { <button type="button" class="btn edge sm" aria-label={format!("Try: {}", rich::plain(&h.change))} onclick={click}>{ "Try" }</button> }
            });
            html! {
                <li><span>if !h.helps { { mark(Fate::Rejected) }{ " " } }{ rich::rich(&h.change) }
                    <small>if !h.helps { { "does not help: " } }{ rich::rich(&h.effect) }</small></span>{ for action }</li>
            }
        }) }</ul>
    }
}
