//! The dialog for going to a time.

use super::Props;
use crate::store::{Msg, Notice};
use crate::ui::{format, time};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};
use yew::prelude::*;

/// Draws its one field.
pub fn body(props: &Props) -> Html {
    let go = props.go.clone();
    let onsubmit = move |e: SubmitEvent| {
        e.prevent_default();
        let input = e.target_dyn_into::<Element>().and_then(|f| f.query_selector("input").ok().flatten());
        let Some(input) = input.and_then(|i| i.dyn_into::<HtmlInputElement>().ok()) else { return };
        match format::read_time(&input.value()) {
            Some(ms) => {
                go.emit(Msg::Dialog(None));
                go.emit(Msg::Seek(ms));
            }
            None => go.emit(Msg::Notice(Some(Notice {
                text: format!("`{}` is not a time: write 90, 1:30 or 5 min.", input.value()),
                act: None,
            }))),
        }
    };
    let snapshot = &props.answers.frame.snapshot;
    html! {
        <form class="row" {onsubmit}>
            <label for="goto">{ "time" }</label>
            <input class="in" id="goto" autofocus={true} placeholder="1:30" autocomplete="off"/>
            <button type="submit" class="btn prim">{ "Go" }</button>
            <span class="dim nw">{ format!("now {}, end {}", time(snapshot.time_ms), time(snapshot.end_ms)) }</span>
        </form>
    }
}
