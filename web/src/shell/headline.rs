//! One sentence, spoken politely when it changes, and the tally beside it.

use crate::store::{Answers, Shared};
use crate::ui::{count, mark, rich};
use heddle_core::explain::view::Fate;
use yew::prelude::*;

/// See the module.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The last answers.
    pub answers: Shared<Answers>,
    /// Why there is no simulation.
    pub broken: Option<String>,
    /// Why the scenario does not run.
    pub refused: Option<String>,
}

/// The headline.
#[component]
pub fn Headline(props: &Props) -> Html {
    let snapshot = &props.answers.frame.snapshot;
    let text = match (&props.broken, &snapshot.invariants.broken) {
        (Some(why), _) => {
            format!("This browser does not run the simulation: {why}. The scenario can still be read and edited.")
        }
        _ if props.refused.is_some() => props.refused.clone().unwrap_or_default(),
        (_, Some(broken)) => format!("Stopped: {broken}. This is our mistake."),
        _ => match &snapshot.cut_off {
            Some(cut) if snapshot.time_ms >= snapshot.end_ms => cut.clone(),
            _ if props.answers.ready => snapshot.headline.clone(),
            _ => "Starting…".to_owned(),
        },
    };
    let tally = snapshot.tally;
    let item = |fate: Fate, n: usize, word: &str| {
        (n > 0).then(|| html! {
            <span>{ mark(fate) }<b>{ count(n as i64) }</b><span class="l">{ format!(" {word}") }</span><span class="vh">{ format!(" {word}") }</span></span>
        })
    };
    html! {
        <section class="head" aria-label="Headline">
            <div role="status"><h1 id="headline">{ rich::rich(&text) }</h1></div>
            <div class="tally">
                { for item(Fate::Placed, tally.running, "running") }
                { for item(Fate::Waiting, tally.waiting, "waiting") }
                { for item(Fate::Reserved, tally.reserved, "held") }
                { for item(Fate::Preempting, tally.preempting, "preempting") }
            </div>
        </section>
    }
}
