//! Lengths and positions under a content security policy without inline styles.
//!
//! `style-src 'self'` forbids `style` attributes, but not custom properties set through the CSSOM. Components write
//! `data-vars="x:12.5;w:25"`, and one observer turns each into `--x` and `--w` before the next paint.

use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, MutationObserver, MutationObserverInit, MutationRecord, Node};

/// The attribute that is watched.
const ATTRIBUTE: &str = "data-vars";

/// Returns `x:12.5;w:25` from names and numbers.
pub fn vars(list: &[(&str, f64)]) -> String {
    let mut out = String::new();
    for (name, value) in list {
        if !out.is_empty() {
            out.push(';');
        }
        let value = if value.is_finite() { (value * 1000.0).round() / 1000.0 } else { 0.0 };
        out.push_str(name);
        out.push(':');
        out.push_str(&value.to_string());
    }
    out
}

/// Sets the properties of one element, for whoever measures it before they are set by themselves.
pub fn apply(element: &Element) {
    let (Some(html), Some(text)) = (element.dyn_ref::<HtmlElement>(), element.get_attribute(ATTRIBUTE)) else { return };
    let style = html.style();
    for pair in text.split(';') {
        if let Some((name, value)) = pair.split_once(':') {
            let _ = style.set_property(&format!("--{name}"), value);
        }
    }
}

fn apply_below(node: &Node) {
    let Some(element) = node.dyn_ref::<Element>() else { return };
    apply(element);
    if let Ok(list) = element.query_selector_all("[data-vars]") {
        for i in 0..list.length() {
            if let Some(element) = list.get(i).and_then(|n| n.dyn_into::<Element>().ok()) {
                apply(&element);
            }
        }
    }
}

/// Watches everything below `root` for as long as the page lives.
pub fn watch_vars(root: &Element) {
    let callback = Closure::<dyn FnMut(js_sys::Array)>::new(|records: js_sys::Array| {
        for record in records.iter() {
            let record: MutationRecord = record.unchecked_into();
            if record.type_() == "attributes" {
                if let Some(element) = record.target().and_then(|t| t.dyn_into::<Element>().ok()) {
                    apply(&element);
                }
            } else {
                let added = record.added_nodes();
                for i in 0..added.length() {
                    if let Some(node) = added.get(i) {
                        apply_below(&node);
                    }
                }
            }
        }
    });
    let Ok(observer) = MutationObserver::new(callback.as_ref().unchecked_ref()) else { return };
    callback.forget();
    let what = MutationObserverInit::new();
    what.set_attributes(true);
    what.set_child_list(true);
    what.set_subtree(true);
    what.set_attribute_filter(&js_sys::Array::of1(&ATTRIBUTE.into()));
    let _ = observer.observe_with_options(root, &what);
    apply_below(root);
}
