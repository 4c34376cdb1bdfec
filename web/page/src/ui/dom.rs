//! Access to the document: focus, copying, saving a file.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Document, HtmlElement, Window};

/// The window; the page is the only caller, never the worker.
pub fn window() -> Window {
    web_sys::window().expect_throw("the page runs in a window")
}

pub fn document() -> Document {
    window().document().expect_throw("a window has a document")
}

/// Returns the element with an id.
pub fn by_id(id: &str) -> Option<HtmlElement> {
    document().get_element_by_id(id).and_then(|e| e.dyn_into().ok())
}

/// Moves the focus to the element with an id on the next turn, after it has been drawn.
pub fn focus_soon(id: &'static str) {
    gloo::timers::callback::Timeout::new(0, move || {
        if let Some(element) = by_id(id) {
            let _ = element.focus();
        }
    })
    .forget();
}

/// Scrolls the first matching element into view, no further than necessary.
pub fn sight(css: &str) {
    if let Ok(Some(element)) = document().query_selector(css) {
        let options = web_sys::ScrollIntoViewOptions::new();
        options.set_block(web_sys::ScrollLogicalPosition::Nearest);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }
}

/// Opens what the first matching element is folded in.
pub fn unfold(css: &str) {
    let mut inside = document().query_selector(css).ok().flatten();
    while let Some(folded) = inside.and_then(|e| e.closest("details:not([open])").ok().flatten()) {
        let _ = folded.set_attribute("open", "");
        inside = folded.parent_element();
    }
}

/// Copies a text to the clipboard. Returns `false` if the browser forbids it.
pub async fn copy(text: &str) -> bool {
    let clipboard = window().navigator().clipboard();
    // Without a secure context there is no clipboard.
    if clipboard.is_undefined() {
        return false;
    }
    JsFuture::from(clipboard.write_text(text)).await.is_ok()
}

/// Returns an address from which a text can be saved.
pub fn blob_url(mime: &str, text: &str) -> Result<String, JsValue> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(mime);
    let parts = js_sys::Array::of1(&text.into());
    let blob = web_sys::Blob::new_with_str_sequence_and_options(&parts, &options)?;
    web_sys::Url::create_object_url_with_blob(&blob)
}

/// Saves a text as a file.
pub fn download(name: &str, mime: &str, text: &str) -> Result<(), JsValue> {
    let url = blob_url(mime, text)?;
    let link: web_sys::HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&url)
}

/// Returns the text in lower case through the browser; Rust's own function would bring its Unicode tables.
pub fn lower(text: &str) -> String {
    js_sys::JsString::from(text).to_lower_case().into()
}

/// Makes each list of choices show the one that is marked. Firefox stops following the marks once it has moved a choice by
/// itself; a list that has the focus is left to whoever is choosing.
pub fn show_choices() {
    let Ok(all) = document().query_selector_all("select:not(:focus)") else { return };
    for select in (0..all.length()).filter_map(|i| all.get(i)?.dyn_into::<web_sys::HtmlSelectElement>().ok()) {
        let Ok(options) = select.query_selector_all("option") else { continue };
        let marked = (0..options.length()).find(|i| {
            options
                .get(*i)
                .and_then(|o| o.dyn_into::<web_sys::Element>().ok())
                .is_some_and(|o| o.has_attribute("selected"))
        });
        if let Some(at) = marked.map(|at| at as i32).filter(|at| select.selected_index() != *at) {
            select.set_selected_index(at);
        }
    }
}

/// Returns whether a media query matches.
pub fn media(query: &str) -> bool {
    window().match_media(query).ok().flatten().is_some_and(|m| m.matches())
}

/// Returns whether the page was reloaded, not opened by a link or a typed address.
pub fn is_reload() -> bool {
    let kind = || {
        let performance = window().performance()?;
        let list: js_sys::Function =
            js_sys::Reflect::get(&performance, &"getEntriesByType".into()).ok()?.dyn_into().ok()?;
        let entries = js_sys::Array::from(&list.call1(&performance, &"navigation".into()).ok()?);
        js_sys::Reflect::get(&entries.get(0), &"type".into()).ok()?.as_string()
    };
    kind().is_some_and(|kind| kind != "navigate")
}
