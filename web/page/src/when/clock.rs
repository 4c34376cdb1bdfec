//! The clock: simulated time from the scenario's start.

use crate::ui::{format, time};
use heddle_view::protocol::Frame;
use yew::prelude::*;

/// Draws `3:27.0` of `5:00`.
pub fn clock(frame: &Frame) -> Html {
    let snapshot = &frame.snapshot;
    html! {
        <div class="clock" title="simulated time since the start">{ time(snapshot.time_ms) }
            <small>{ format!("of {}", format::tick(snapshot.end_ms.max(frame.timeline.end_ms))) }</small></div>
    }
}
