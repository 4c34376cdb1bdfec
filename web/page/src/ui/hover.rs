//! Highlights whatever belongs to the hovered thing: one rule in the page's own style sheet, without redrawing.
//!
//! Elements that belong to a thing have `data-family="app:zk"` (or `node:n1`, `queue:root.a`); while the pointer is on one,
//! all of them get an outline. Hovering `data-clause="2"` leaves only the reasons of that clause.

use super::dom::document;
use std::cell::RefCell;
use wasm_bindgen::JsCast;
use web_sys::{CssStyleSheet, Element};

thread_local! {
    static SHEET: RefCell<Option<CssStyleSheet>> = const { RefCell::new(None) };
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

fn sheet() -> Option<CssStyleSheet> {
    SHEET.with_borrow_mut(|slot| {
        if slot.is_none() {
            let class = js_sys::Reflect::get(&js_sys::global(), &"CSSStyleSheet".into()).ok()?;
            let class: js_sys::Function = class.dyn_into().ok()?;
            let sheet: CssStyleSheet = js_sys::Reflect::construct(&class, &js_sys::Array::new()).ok()?.unchecked_into();
            let document = document();
            let adopted = js_sys::Reflect::get(&document, &"adoptedStyleSheets".into()).ok()?;
            let list = js_sys::Array::from(&adopted);
            list.push(&sheet);
            js_sys::Reflect::set(&document, &"adoptedStyleSheets".into(), &list).ok()?;
            *slot = Some(sheet);
        }
        slot.clone()
    })
}

/// Handles the pointer or the focus moving to `target`.
pub fn on(target: Option<Element>) {
    let find = |attribute: &str| {
        let element = target.as_ref()?.closest(&format!("[{attribute}]")).ok()??;
        element.get_attribute(attribute)
    };
    let rule = if let Some(clause) = find("data-clause") {
        of_clause(&clause)
    } else if let Some(family) = find("data-family") {
        format!(
            "[data-family=\"{0}\"]:is(.c,.gh .box,.qb .u,.res){{box-shadow:inset 0 0 0 1.5px var(--ink-2)}}\
             [data-family=\"{0}\"]:is(.nm,.nn,td,.who){{text-decoration:underline;text-underline-offset:3px}}",
            quoted(&family)
        )
    } else {
        String::new()
    };
    apply(rule);
}

/// Returns the rules that highlight a clause: its words everywhere, the reasons that name it, and the nodes that it alone
/// blocks.
fn of_clause(clause: &str) -> String {
    let clause = quoted(clause);
    format!(
        ".rsn:not([data-no=\"{clause}\"]){{visibility:hidden}}\
         .xray .node:not([data-alone~=\"{clause}\"]){{opacity:.45}}\
         .xray .node[data-alone~=\"{clause}\"]{{outline:2px solid var(--rejected);outline-offset:3px;border-radius:2px}}\
         :is(.cl,.reads li,.mx th)[data-clause=\"{clause}\"]{{background:var(--accent-soft)}}"
    )
}

/// Handles the pointer over a text whose coloured layer is behind it.
pub fn under(x: i32, y: i32) {
    let there = document().elements_from_point(x as f32, y as f32);
    let clause = there.iter().find_map(|e| e.dyn_into::<Element>().ok()?.get_attribute("data-clause"));
    apply(clause.map(|c| of_clause(&c)).unwrap_or_default());
}

/// Handles the caret moving into a clause.
pub fn clause(n: Option<usize>) {
    apply(n.map(|n| of_clause(&n.to_string())).unwrap_or_default());
}

fn apply(rule: String) {
    let changed = LAST.with_borrow_mut(|last| {
        let changed = *last != rule;
        last.clone_from(&rule);
        changed
    });
    if !changed {
        return;
    }
    let Some(sheet) = sheet() else { return };
    while sheet.css_rules().map(|r| r.length()).unwrap_or(0) > 0 {
        if sheet.delete_rule(0).is_err() {
            return;
        }
    }
    for part in rule.split_inclusive('}') {
        let end = sheet.css_rules().map(|r| r.length()).unwrap_or(0);
        let _ = sheet.insert_rule_with_index(part, end);
    }
}

/// Escapes a user's name for a CSS string.
fn quoted(text: &str) -> String {
    text.chars()
        .flat_map(|c| if c == '"' || c == '\\' || c == '{' || c == '}' { vec!['\\', c] } else { vec![c] })
        .filter(|c| !c.is_control())
        .collect()
}

/// Handles an event's target.
pub fn from_event(target: Option<web_sys::EventTarget>) {
    on(target.and_then(|t| t.dyn_into::<Element>().ok()));
}
