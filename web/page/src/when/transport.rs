//! Start, back, play, forward, next; the kind of step; the speed.

use super::Props;
use crate::store::{Go, LookAt, Msg, View};
use crate::ui::{format, icon};
use heddle_view::StepBy;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// The kinds of steps and their names, in the order of the keys 1 to 4.
pub const STEPS: [(StepBy, &str); 4] = [
    (StepBy::Decision, "decision"),
    (StepBy::Heartbeat, "heartbeat"),
    (StepBy::Second, "second"),
    (StepBy::Change, "change"),
];

pub fn transport(props: &Props) -> Html {
    let go = &props.go;
    let snapshot = &props.answers.frame.snapshot;
    let (at_start, at_end) = (snapshot.time_ms <= 0, snapshot.time_ms >= snapshot.end_ms);
    let step = STEPS.iter().find(|(s, _)| *s == props.view.step).map_or("", |(_, n)| *n);
    let button = |label: String, path: &'static str, off: bool, msg: Msg| {
        html! { <button type="button" aria-label={label.clone()} title={label} disabled={off} onclick={go.reform(move |_: MouseEvent| msg.clone())}>{ icon::icon(path) }</button> }
    };
    html! {
        <div class="ctl" role="group" aria-label="Time">
            { button("To the start (Home)".into(), icon::START, at_start, Msg::Seek(0)) }
            { button(format!("One {step} back (←)"), icon::BACK, at_start, Msg::Step { back: true }) }
            <button type="button" class="play" id="play" aria-label={if props.playing { "Pause" } else { "Play" }} title="Play or pause (Space)"
                onclick={go.reform(|_: MouseEvent| Msg::Toggle)}>{ icon::icon(if props.playing { icon::PAUSE } else { icon::PLAY }) }</button>
            { button(format!("One {step} on (→)"), icon::ON, at_end, Msg::Step { back: false }) }
            { button("Until something changes (⇧ →)".into(), icon::NEXT, at_end, Msg::Next { back: false }) }
        </div>
    }
}

/// Draws the two choices at the right.
pub fn step_and_speed(view: &View, go: &Go) -> Html {
    let size = go.reform(|e: Event| {
        let chosen = e.target_unchecked_into::<HtmlSelectElement>().value();
        let step = STEPS.iter().find(|(_, n)| *n == chosen).map(|(s, _)| *s).unwrap_or_default();
        Msg::Look(LookAt::StepSize(step))
    });
    let speed = go.reform(|e: Event| {
        Msg::Look(LookAt::Speed(e.target_unchecked_into::<HtmlSelectElement>().selected_index().max(0) as usize))
    });
    html! {
        <div class="by">
            <label><span class="lb">{ "step " }</span>
                <select id="step" aria-label="Step by" onchange={size}>{ for STEPS.iter().map(|(s, name)| html! { <option value={*name} selected={*s == view.step}>{ *name }</option> }) }</select></label>
            <label><span class="vh">{ "speed" }</span>
                <select aria-label="Speed of playing" onchange={speed}>{ for View::SPEEDS.iter().enumerate().map(|(i, s)| html! { <option selected={i == view.speed}>{ format!("{} ×", format::fraction(*s)) }</option> }) }</select></label>
        </div>
    }
}
