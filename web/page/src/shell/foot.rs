//! The foot: version, seed, fingerprint, invariants, scheduling mode, what is not modelled.

use crate::store::{Answers, Dialog, Doc, Effect, Go, Msg, Shared};
use crate::ui::mark::{Mark, mark};
use heddle_view::EventOutcome;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub doc: Shared<Doc>,
    pub answers: Shared<Answers>,
    /// Whether the page is in another page's frame.
    pub embed: bool,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn Foot(props: &Props) -> Html {
    let snapshot = &props.answers.frame.snapshot;
    let about = props.doc.about.as_ref();
    let print = &snapshot.fingerprint;
    let grouped: Vec<&str> =
        (0..print.len()).step_by(4).filter_map(|i| print.get(i..(i + 4).min(print.len()))).collect();
    let invariants = &snapshot.invariants;
    html! {
        <footer class="foot">
            <span>{ concat!("core ", env!("CARGO_PKG_VERSION")) }</span>
            if let Some(about) = about { <span>{ format!("seed {}", about.seed) }</span> }
            if !print.is_empty() { <span>{ "fingerprint " }<span class="mono">{ grouped.join(" ") }</span></span> }
            if let Some(broken) = &invariants.broken {
                <span class="rejected">{ mark(EventOutcome::Rejected) }{ " an invariant broke" }</span>
                <button type="button" onclick={report(props, broken)}>{ "save the report" }</button>
            } else if invariants.watched > 0 {
                <span>{ mark(Mark::Pass) }{ format!(" {} invariants hold", invariants.watched) }</span>
            }
            if let Some(about) = about { <span class="hide-m">{ &about.driven }</span> }
            if let Some(import) = props.doc.import() {
                <button type="button" id="report-again" onclick={props.go.reform(|_: MouseEvent| Msg::Report(true))}>{ format!("{} inferred, {} unknown", import.report.inferred.len(), import.report.unknown.len()) }</button>
            }
            <button type="button" onclick={props.go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Limits)))}>{ "what is not modelled" }</button>
            // The version that is one file has no pages beside it.
            if !props.embed && !is_file() { <a class="hide-m" href="conformance.html">{ "compared with YARN" }</a><a class="hide-m" href="privacy.html">{ "privacy" }</a> }
            <span class="sp"/>
            if props.embed { <a href={full()} target="_blank" rel="noopener">{ "Open it in full" }</a> }
            if let Some(lacks) = crate::share::drafts::lacks() {
                <span class="rejected">{ mark(EventOutcome::Rejected) }{ " " }{ lacks }</span>
            } else {
                <span class="hide-m">{ "Read and run in this tab. Nothing is sent." }</span>
            }
        </footer>
    }
}

/// Reports a broken invariant with the scenario, which is all that is needed to reproduce it.
fn report(props: &Props, broken: &str) -> Callback<MouseEvent> {
    let at = props.answers.frame.snapshot.time_ms;
    let text = format!("# {broken}, at {at} ms, core {}\n{}", env!("CARGO_PKG_VERSION"), props.doc.running);
    props
        .go
        .reform(move |_: MouseEvent| Msg::Do(Effect::Save { name: "heddle-report.toml".into(), text: text.clone() }))
}

fn is_file() -> bool {
    crate::ui::dom::window().location().protocol().is_ok_and(|protocol| protocol == "file:")
}

/// Returns the address of the full page.
fn full() -> String {
    let address = crate::ui::dom::window().location().href().unwrap_or_default();
    address.replacen("#embed/", "#", 1).replacen("#embed", "#", 1)
}
