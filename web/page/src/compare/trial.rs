//! The change that is tried: what it is, how it leaves the page, and the button that makes it.

use super::{Props, result};
use crate::store::{Effect, Msg, Trial, Trying};
use crate::ui::rich;
use heddle_view::Edit;
use yew::prelude::*;

/// Draws what is tried above the worlds.
pub fn lead(props: &Props) -> Html {
    match &props.trying {
        None => html! {},
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
        </div>
    }
}

/// Draws an edit with its changed lines, the button that makes it, and how it leaves the page.
fn tried(props: &Props, edit: &Edit, typed: &str) -> Html {
    let go = &props.go;
    let name = format!("`{}` = `{}`", edit.what, if typed.trim().is_empty() { "not set" } else { typed.trim() });
    let tried = match &props.answers.tried {
        Some(Err(why)) => {
            return html! { <div class="trial"><p class="rejected" role="alert">{ rich::rich(&format!("{name} cannot be set: {why}")) }</p></div> };
        }
        Some(Ok(tried)) => Some(tried),
        None => None,
    };
    let refused = result(&props.answers, &edit.tried_as(typed)).map_or("", |w| w.refused.as_str());
    let apply = {
        let (go, edit, typed) = (go.clone(), edit.clone(), typed.to_owned());
        move |_: MouseEvent| {
            go.emit(Msg::Compare(None));
            go.emit(Msg::Change { edit: edit.clone(), typed: typed.clone() });
        }
    };
    let act = |label: &'static str, effect: Effect| {
        let onclick = go.reform(move |_: MouseEvent| Msg::Do(effect.clone()));
        html! { <button type="button" class="btn edge sm" {onclick}>{ label }</button> }
    };
    let copy = |label: &'static str, text: &str| act(label, Effect::Copy { text: text.into(), what: label.into() });
    html! {
        <div class="trial">
            <p>{ rich::rich(&name) }{ " is tried beside the scenario; nothing is changed until it is applied." }</p>
            if !refused.is_empty() { <p class="rejected" role="alert">{ "It cannot be run: " }{ rich::rich(refused) }</p> }
            if let Some(tried) = tried {
                if !tried.lines.is_empty() { <pre class="snip" id="trial-lines" tabindex="0" role="region" aria-label="Changed lines">{ tried.lines.join("\n") }</pre> }
                <div class="acts2">
                    <button type="button" class="btn prim" id="take-over" disabled={!refused.is_empty()} onclick={apply}>{ "Apply" }</button>
                    { act("Save capacity-scheduler.xml", Effect::Save { name: "capacity-scheduler.xml".into(), text: tried.file.clone() }) }
                    if let Some((json, xml)) = &tried.change { { copy("Copy JSON for schedulerconf", json) }{ copy("Copy XML for schedulerconf", xml) } }
                </div>
            }
        </div>
    }
}
