//! Import: drop, choose, paste.

use super::Props;
use crate::share::files;
use crate::store::{Dialog, Msg};
use web_sys::{HtmlInputElement, HtmlTextAreaElement};
use yew::prelude::*;

/// Draws the ways to choose or paste.
pub fn body(props: &Props) -> Html {
    let chosen = {
        let go = props.go.clone();
        move |e: Event| {
            let input: HtmlInputElement = e.target_unchecked_into();
            if let Some(files) = input.files() {
                files::read(&go, &files);
            }
            input.set_value("");
        }
    };
    let area = NodeRef::default();
    let paste = {
        let (go, area) = (props.go.clone(), area.clone());
        move |_: MouseEvent| {
            if let Some(text) = area.cast::<HtmlTextAreaElement>().map(|a| a.value()).filter(|t| !t.trim().is_empty()) {
                go.emit(Msg::Import { name: String::new(), text, more: vec![] });
            }
        }
    };
    html! {
        <>
            <p>{ "Drop files anywhere on the page, choose them, or paste a text: settings of YARN in any form, answers of the ResourceManager, output of the yarn command, an application's file, a trace, a line of a log, a scenario, a link. Several files at once are one import. Read here, in this tab. Nothing is sent." }</p>
            <label class="check"><span>{ "Files" }</span><input type="file" id="import-file" multiple={true} onchange={chosen}/></label>
            <textarea class="in" id="import-text" ref={area} aria-label="Text of a file, or a link" spellcheck="false" placeholder="<configuration> … or heddle = 1 … or https://…#1.…"/>
            <div class="acts2">
                <button type="button" class="btn prim" id="import-read" onclick={paste}>{ "Read it" }</button>
                <button type="button" class="btn" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Drafts)))}>{ "Drafts kept here" }</button>
            </div>
        </>
    }
}
