//! The change that is tried: what it is, how it leaves the page, and the button that makes it.

use super::{Props, result};
use crate::store::{Effect, Msg, Trial, Trying};
use crate::ui::rich;
use heddle_view::Edit;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Draws what is tried above the worlds, and how the change leaves the page.
pub fn lead(props: &Props) -> Html {
    match &props.trying {
        None => html! { <>{ for kept(props).map(|kept| html! { <div class="trial">{ kept }</div> }) }</> },
        Some(Trying::Text(trial)) => advice(props, trial),
        Some(Trying::Edit { edit, typed }) => tried(props, edit, typed),
    }
}

/// Draws an advice with the button that adopts it.
fn advice(props: &Props, trial: &Trial) -> Html {
    let (go, text, what) = (props.go.clone(), trial.text.clone(), trial.change.clone());
    let take = move |_: MouseEvent| {
        go.emit(Msg::Compare(None));
        go.emit(Msg::Edit { text: text.clone(), what: what.clone() });
    };
    html! {
        <div class="trial">
            <p>{ rich::rich(&trial.effect) }</p>
            <div class="acts2"><button type="button" class="btn prim" id="take-over" onclick={take}>{ "Take it over" }</button></div>
            { for kept(props) }
        </div>
    }
}

/// Draws an edit with its value, which can be changed, and the button that makes it.
fn tried(props: &Props, edit: &Edit, typed: &str) -> Html {
    let go = &props.go;
    let wrong = match &props.answers.tried {
        Some(Err(why)) => format!("It cannot be set: {why}"),
        _ => match result(&props.answers, &edit.tried_as(typed)).map_or("", |w| w.refused.as_str()) {
            "" => String::new(),
            why => format!("It cannot be run: {why}"),
        },
    };
    let apply = {
        let (go, edit, typed) = (go.clone(), edit.clone(), typed.to_owned());
        move |_: MouseEvent| {
            go.emit(Msg::Compare(None));
            go.emit(Msg::Change { edit: edit.clone(), typed: typed.clone() });
        }
    };
    let again = {
        let (edit, was) = (edit.clone(), typed.trim().to_owned());
        let go = go.clone();
        move |e: Event| {
            let typed = e.target_unchecked_into::<HtmlInputElement>().value();
            if typed.trim() != was {
                go.emit(Msg::TryEdit { edit: edit.clone(), typed });
            }
        }
    };
    html! {
        <div class="trial">
            <p><label for="trial-value"><code>{ &edit.what }</code></label>{ " " }
                <input class="in" id="trial-value" value={typed.to_owned()} placeholder="not set" spellcheck="false" autocomplete="off" aria-invalid={(!wrong.is_empty()).then_some("true")} onchange={again}/>
                { " is tried beside the scenario; nothing is changed until it is applied." }</p>
            if !wrong.is_empty() { <p class="rejected" role="alert">{ rich::rich(&wrong) }</p> }
            if props.answers.tried.is_some() {
                <div class="acts2"><button type="button" class="btn prim" id="take-over" disabled={!wrong.is_empty()} onclick={apply}>{ "Apply" }</button></div>
            }
            { for kept(props) }
        </div>
    }
}

/// Draws the changed lines, and how the change from the first world to the second leaves the page.
fn kept(props: &Props) -> Option<Html> {
    let change = props.answers.tried.as_ref()?.as_ref().ok().filter(|change| !change.files.is_empty())?;
    let act = |label: String, effect: Effect| {
        let onclick = props.go.reform(move |_: MouseEvent| Msg::Do(effect.clone()));
        html! { <button type="button" class="btn edge sm" {onclick}>{ label }</button> }
    };
    let copy = |label: &'static str, text: &str| {
        act(format!("Copy {label}"), Effect::Copy { text: text.into(), what: label.into() })
    };
    let save = |(name, text): &(String, String)| {
        act(format!("Save {name}"), Effect::Save { name: name.clone(), text: text.clone() })
    };
    Some(html! {
        <>
            <pre class="snip" id="trial-lines" tabindex="0" role="region" aria-label="Changed lines">{ change.lines.join("\n") }</pre>
            <div class="acts2">
                { for change.files.iter().map(save) }
                if let Some(queues) = &change.queues {
                    { copy("JSON for schedulerconf", &queues.json) }{ copy("XML for schedulerconf", &queues.xml) }
                    { for queues.command.iter().map(|command| copy("the command", command)) }
                }
            </div>
        </>
    })
}
