//! The room of the stage, shared by up to 30 nodes: their bars grow and shrink with it. What would scroll with bars at their
//! smallest is drawn tighter, step by step, as far as that is needed.

use crate::ui::{css, dom};
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement};

/// The attributes of the stage: how tight it is, which the style sheet reads, and what that was found for.
const TIGHTNESS: &str = "data-fit";
const FOUND_FOR: &str = "data-fit-for";

/// The least height of bars in pixels for each tightness: as it is; less air and more racks side by side; without reasons; a
/// line for each node, whose height the style sheet gives.
const LEAST: [f64; 4] = [12.0, 10.0, 10.0, 10.0];
const MOST: f64 = 150.0;

/// The most racks side by side where it is tight.
const COLUMNS: usize = 4;

/// Gives the bars the height with which all nodes fill the stage. It depends on the nodes and the window only, so that it stays
/// while time passes.
pub fn fit(stage: &HtmlElement) {
    let style = stage.style();
    // On phones the racks are as high as they like.
    let racks = stage.query_selector(".racks.full").ok().flatten().filter(|_| !dom::media("(max-width: 719px)"));
    let Some(racks) = racks else {
        let _ = style.remove_property("--bar");
        let _ = stage.remove_attribute(TIGHTNESS);
        let _ = stage.remove_attribute(FOUND_FOR);
        return;
    };
    css::apply(&racks);
    let sections = all(&racks, ".rack");
    let counts: Vec<usize> = sections.iter().map(|rack| all(rack, ".node").len()).collect();
    let rows_of_more = all(&racks, ".more").len();
    let key = format!("{}×{} {counts:?} {rows_of_more}", racks.client_width(), racks.client_height());
    if stage.get_attribute(FOUND_FOR).as_ref() == Some(&key) {
        return;
    }
    let _ = style.set_property("--tight", &sections.len().clamp(1, COLUMNS).to_string());
    for (tightness, least) in LEAST.into_iter().enumerate() {
        let _ = stage.set_attribute(TIGHTNESS, &tightness.to_string());
        let Some(bar) = bar(&racks, &sections) else { return };
        let _ = style.set_property("--bar", &format!("{}px", bar.floor().clamp(least, MOST)));
        if bar >= least {
            break;
        }
    }
    let _ = stage.set_attribute(FOUND_FOR, &key);
}

fn all(inside: &Element, css: &str) -> Vec<HtmlElement> {
    let Ok(list) = inside.query_selector_all(css) else { return Vec::new() };
    (0..list.length()).filter_map(|i| list.get(i)?.dyn_into().ok()).collect()
}

/// Returns the height of bars with which everything is as high as the racks' room.
fn bar(racks: &Element, sections: &[HtmlElement]) -> Option<f64> {
    // Racks side by side share a line, nodes side by side a row. A line is as high as its rack with the most rows; the others
    // are stretched to it.
    let mut lines: Vec<(i32, usize, f64)> = Vec::new();
    for section in sections {
        let mut tops: Vec<i32> = all(section, ".node").iter().map(|n| n.offset_top()).collect();
        tops.dedup();
        let Ok(Some(bar)) = section.query_selector(".bar") else { continue };
        let without = f64::from(section.offset_height()) - tops.len() as f64 * bar.get_bounding_client_rect().height();
        let top = section.offset_top();
        match lines.iter_mut().find(|(at, ..)| *at == top) {
            Some((_, rows, fixed)) if *rows < tops.len() => (*rows, *fixed) = (tops.len(), without),
            Some(_) => {}
            None => lines.push((top, tops.len(), without)),
        }
    }
    let rows: usize = lines.iter().map(|(_, rows, _)| rows).sum();
    let gaps = 8.0 * lines.len() as f64;
    let fixed: f64 = lines.iter().map(|(.., fixed)| fixed).sum();
    (rows > 0).then(|| (f64::from(racks.client_height()) - fixed - gaps) / rows as f64)
}
