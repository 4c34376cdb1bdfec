//! Drafts kept in this browser.

use super::Props;
use crate::share::{self, drafts};
use crate::store::{Msg, Opening, ScenarioSource};
use yew::prelude::*;

pub fn body(props: &Props) -> Html {
    // Text that was just typed belongs in the list.
    share::flush();
    let list = drafts::list();
    if let Some(lacks) = drafts::lacks().filter(|_| list.is_empty()) {
        return html! { <div class="empty"><b>{ "Nothing is kept here." }</b><span>{ lacks }</span></div> };
    }
    if list.is_empty() {
        return html! { <div class="empty"><b>{ "Nothing is kept yet." }</b><span>{ "Whatever you edit is kept in this browser; the last ten scenarios stand here." }</span></div> };
    }
    html! {
        <table class="data"><thead><tr><th scope="col">{ "scenario" }</th><th scope="col">{ "kept" }</th></tr></thead>
            <tbody>{ for list.into_iter().map(|d| {
                let text = d.text.clone();
                let open = props.go.reform(move |_: MouseEvent| Msg::Open { source: ScenarioSource::Text(text.clone()), how: Opening::Chosen });
                let when = js_sys::Date::new(&d.at.into()).to_locale_string("default", &wasm_bindgen::JsValue::UNDEFINED);
                let title = if d.title.is_empty() { "untitled".to_owned() } else { d.title.clone() };
                html! { <tr><td><button type="button" onclick={open}>{ title }</button></td><td class="soft">{ String::from(when) }</td></tr> }
            }) }</tbody></table>
    }
}
