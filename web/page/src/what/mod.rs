//! WHAT: the cluster, its queues, the applications and everything else, each as a form and as text. The engine makes both
//! ([`heddle_view::form`]); this module draws them and sends the edits.

mod adder;
mod code;
mod draw;
mod field;
mod first;
mod lists;
mod queues;

pub use code::TYPED_MAX;
pub use draw::alone;
pub use field::control;

use crate::store::{Go, LookAt, Msg, Palette, Shared, Tab, View};
use crate::ui::Segment;
use crate::ui::dom::{sight, unfold};
use draw::Draw;
use heddle_view::Form;
use std::rc::Rc;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    /// The form to draw.
    pub form: Shared<Form>,
    /// The scenario's text, for its editor.
    pub text: Rc<str>,
    pub view: Shared<View>,
    /// The colours assigned so far.
    pub palette: Shared<Palette>,
    /// Whether it is unfolded from its rail.
    pub rail: bool,
    /// Whether it is the scenario of the first visit, whose spec is shown alone.
    pub first: bool,
    /// The callback for messages.
    pub go: Go,
}

/// What tells an error, beside its field or in a list.
const ERROR: &str = ".what :is(.msg:has(.rejected),.hp.rejected)";

#[component]
pub fn What(props: &Props) -> Html {
    let (view, go, form) = (&props.view, &props.go, &props.form);
    // Keeps the selected row of a long list in sight, and a new error with its field.
    use_effect_with((view.selection.clone(), view.what), |_| sight(".qtree [aria-pressed=true]"));
    use_effect_with(form.alarm, |_| {
        unfold(ERROR);
        sight(ERROR);
    });
    let tab = |w: Tab| {
        let on = w == view.what;
        html! {
            <button type="button" role="tab" data-item="" aria-selected={on.to_string()} tabindex={if on { "0" } else { "-1" }}
                onclick={go.reform(move |_: MouseEvent| Msg::Look(LookAt::What(w)))}>{ w.name() }</button>
        }
    };
    let rail = |w: Tab| {
        let on = w == view.what && props.rail;
        let go = go.clone();
        html! {
            <button type="button" aria-expanded={on.to_string()} onclick={move |_| {
                go.emit(Msg::Look(LookAt::What(w)));
                go.emit(Msg::Rail(!on));
            }}>{ w.name() }</button>
        }
    };
    let as_text = go.reform(|i| Msg::Look(LookAt::AsText(i == 1)));
    let draw = Draw { go, text: &props.text, palette: &props.palette, by: props.view.colours(&props.palette) };
    let first =
        (props.first && view.what == Tab::Apps && !form.as_text).then(|| first::form(&draw, &form.parts)).flatten();
    html! {
        <section class="what" id="what" aria-label="What" tabindex="-1">
            <nav class="rail" aria-label="Editors">{ for Tab::ALL.iter().rev().map(|w| rail(*w)) }</nav>
            <header><div class="tabs" role="tablist" aria-label="Editors" data-roving="press"><span class="axis">{ "What" }</span>{ for Tab::ALL.iter().map(|w| tab(*w)) }</div></header>
            <div class="wbody">
                <div class="sub">
                    <h2 class="h3">{ &form.title }</h2>
                    <Segment label="Edit as" options={vec!["form", "text"]} chosen={usize::from(form.as_text)} on={as_text}/>
                </div>
                { first.unwrap_or_else(|| draw.parts(&form.parts)) }
            </div>
        </section>
    }
}
