//! One tab stop for each panel, arrow keys inside: in an element with `data-roving`, arrows move the focus to the nearest
//! `data-item` in their direction. `data-roving="press"` also presses it (tabs, radio groups).

use super::dom::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

fn items(group: &Element) -> Vec<HtmlElement> {
    let Ok(list) = group.query_selector_all("[data-item]") else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.get(i)?.dyn_into().ok()).collect()
}

/// Handles an arrow, Home or End. Returns whether the focus moved.
pub fn on_key(target: &Element, key: &str) -> bool {
    let Ok(Some(item)) = target.closest("[data-item]") else { return false };
    let Ok(Some(group)) = item.closest("[data-roving]") else { return false };
    let list = items(&group);
    let here = item.get_bounding_client_rect();
    let (x, y) = (here.x() + here.width() / 2.0, here.y() + here.height() / 2.0);
    let next = match key {
        "Home" => list.first(),
        "End" => list.last(),
        _ => {
            // The nearest in this direction; sideways distance counts double, so that rows and columns are kept.
            let mut best: Option<(f64, &HtmlElement)> = None;
            for other in &list {
                let r = other.get_bounding_client_rect();
                if r.width() == 0.0 || other.is_same_node(Some(&item)) {
                    continue;
                }
                let (dx, dy) = (r.x() + r.width() / 2.0 - x, r.y() + r.height() / 2.0 - y);
                let (ahead, aside) = match key {
                    "ArrowRight" => (dx, dy),
                    "ArrowLeft" => (-dx, dy),
                    "ArrowDown" => (dy, dx),
                    "ArrowUp" => (-dy, dx),
                    _ => return false,
                };
                if ahead <= 0.5 {
                    continue;
                }
                let far = ahead + 2.0 * aside.abs();
                if best.is_none_or(|(least, _)| far < least) {
                    best = Some((far, other));
                }
            }
            best.map(|(_, e)| e)
        }
    };
    let Some(next) = next else { return false };
    stop_here(next);
    let _ = next.focus();
    if group.get_attribute("data-roving").as_deref() == Some("press") {
        next.click();
    }
    true
}

/// Makes an item the tab stop of its group.
pub fn stop_here(item: &HtmlElement) {
    if let Ok(Some(group)) = item.closest("[data-roving]") {
        for other in items(&group) {
            other.set_tab_index(-1);
        }
    }
    item.set_tab_index(0);
}

/// Ensures after drawing that each group has a tab stop, even if its item is gone.
pub fn mend() {
    let Ok(groups) = document().query_selector_all("[data-roving]") else { return };
    for i in 0..groups.length() {
        let Some(group) = groups.get(i).and_then(|n| n.dyn_into::<Element>().ok()) else { continue };
        let list = items(&group);
        if !list.iter().any(|e| e.tab_index() == 0)
            && let Some(first) = list.first()
        {
            first.set_tab_index(0);
        }
    }
}
