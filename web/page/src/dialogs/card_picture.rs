//! The picture of a gallery card: what waits at the left, the nodes beside it, drawn as a few paths.

use heddle_view::{Bar, CardPicture};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use yew::prelude::*;

/// The size of the picture, and of the part in which requests stand.
const WIDTH: f64 = 240.0;
const HEIGHT: f64 = 76.0;
const LANE: f64 = 60.0;
const GAP: f64 = 8.0;

/// The most nodes in a column of a picture.
const COLUMN: usize = 4;
const COLUMNS: usize = 4;

/// A box with its class; boxes of one class share a path.
#[derive(Default)]
struct Boxes(BTreeMap<String, String>);

impl Boxes {
    fn put(&mut self, class: &str, (x, y, width, height): (f64, f64, f64, f64)) {
        let path = self.0.entry(class.to_owned()).or_default();
        let _ = write!(path, "M{x:.1} {y:.1}h{width:.1}v{height:.1}h-{width:.1}z");
    }
}

/// Draws it; it repeats the answer, so that screen readers skip it.
pub fn picture(told: &CardPicture) -> Html {
    let mut boxes = Boxes::default();
    let left = if told.waiting.is_empty() { 0.0 } else { LANE + GAP };
    let columns = told.nodes.len().div_ceil(COLUMN).clamp(1, COLUMNS);
    let rows = told.nodes.len().div_ceil(columns).max(1);
    let width = (WIDTH - left - GAP * (columns - 1) as f64) / columns as f64;
    let pitch = (HEIGHT / rows as f64).min(24.0);
    let height = (pitch * 0.72).max(4.0);
    let scale = |length: u16| f64::from(length) * width / 1000.0;
    let top = (HEIGHT - pitch * rows as f64 + pitch - height) / 2.0;
    for (i, node) in told.nodes.iter().enumerate() {
        let (x, y) = ((i / rows) as f64 * (width + GAP), top + (i % rows) as f64 * pitch);
        boxes.put("free", (left + x, y, scale(node.length), height));
        let mut at = left + x;
        for Bar { fill, length } in &node.containers {
            let long = scale(*length);
            boxes.put(&format!("k{fill}"), (at, y, (long - 1.0).max(1.0), height));
            at += long;
        }
    }
    let pitch = (HEIGHT / told.waiting.len().max(1) as f64).min(height + 6.0);
    let top = (HEIGHT - pitch * told.waiting.len() as f64) / 2.0;
    for (i, Bar { fill, length }) in told.waiting.iter().enumerate() {
        let long = scale(*length).clamp(4.0, LANE - 2.0);
        let place = (1.0, top + i as f64 * pitch + 1.0, long, (height - 1.0).min(pitch - 3.0));
        boxes.put(&format!("wait k{fill}"), place);
    }
    html! {
        <svg class="pic" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} aria-hidden="true">
            // What is free lies below the containers.
            { for boxes.0.iter().filter(|(class, _)| *class == "free").chain(boxes.0.iter().filter(|(class, _)| *class != "free"))
                .map(|(class, path)| html! { <path class={class.clone()} d={path.clone()}/> }) }
        </svg>
    }
}
