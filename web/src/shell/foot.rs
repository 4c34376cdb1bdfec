//! The foot: version, seed, fingerprint, invariants, mode of scheduling, what is not modelled.

use crate::app::Go;
use crate::store::{Answers, Dialog, Doc, Msg, Shared};
use crate::ui::mark::{Mark, mark};
use heddle_core::explain::view::Fate;
use heddle_core::scenario::Mode;
use yew::prelude::*;

/// See the module.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The scenario.
    pub doc: Shared<Doc>,
    /// The last answers.
    pub answers: Shared<Answers>,
    /// Where to send messages.
    pub go: Go,
}

/// The foot.
#[component]
pub fn Foot(props: &Props) -> Html {
    let snapshot = &props.answers.frame.snapshot;
    let seed = props.doc.scenario.as_ref().map(|s| s.seed);
    let mode = props.doc.scenario.as_ref().map(|s| match s.scheduling.mode {
        Mode::Heartbeat => "schedules on node heartbeats",
        Mode::Async => "schedules asynchronously",
    });
    let print = &snapshot.fingerprint;
    let grouped: Vec<&str> =
        (0..print.len()).step_by(4).filter_map(|i| print.get(i..(i + 4).min(print.len()))).collect();
    let invariants = &snapshot.invariants;
    html! {
        <footer class="foot">
            <span>{ concat!("core ", env!("CARGO_PKG_VERSION")) }</span>
            if let Some(seed) = seed { <span>{ format!("seed {seed}") }</span> }
            if !print.is_empty() { <span>{ "fingerprint " }<span class="mono">{ grouped.join(" ") }</span></span> }
            if invariants.broken.is_some() {
                <span class="rejected">{ mark(Fate::Rejected) }{ " an invariant broke" }</span>
            } else if invariants.watched > 0 {
                <span>{ mark(Mark::Pass) }{ format!(" {} invariants hold", invariants.watched) }</span>
            }
            if let Some(mode) = mode { <span class="hide-m">{ mode }</span> }
            <button type="button" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Limits)))}>{ "what is not modelled" }</button>
            <span class="sp"/>
            <span class="hide-m">{ "Read and run in this tab. Nothing is sent." }</span>
        </footer>
    }
}
