//! The scenario's expectations of its run: when, whether each holds, and in words. A button goes to the moment that decided.

use crate::store::{Go, Msg};
use crate::ui::mark::{Mark, mark};
use crate::ui::time;
use heddle_view::{EventOutcome, ExpectationView, Selection};
use yew::prelude::*;

/// Returns the shape and the word of an expectation's result.
fn came(e: &ExpectationView) -> (Mark, &'static str) {
    match e.holds {
        Some(true) => (Mark::Pass, "holds"),
        Some(false) => (Mark::Of(EventOutcome::Rejected), "fails"),
        None => (Mark::Of(EventOutcome::Waiting), "not judged yet"),
    }
}

/// The id of the summary, which describes the track.
pub const SAID: &str = "expectations-said";

/// Returns "3 of 4", counting those that hold.
pub fn number(all: &[ExpectationView]) -> String {
    format!("{} of {}", all.iter().filter(|e| e.holds == Some(true)).count(), all.len())
}

/// Returns "3 of 4 expectations hold, 1 fails."
pub fn spoken(all: &[ExpectationView]) -> String {
    if all.is_empty() {
        return String::new();
    }
    let of = |holds| all.iter().filter(|e| e.holds == holds).count();
    let mut out = format!("{} expectations hold", number(all));
    for (n, one, more) in [(of(Some(false)), "fails", "fail"), (of(None), "is not judged yet", "are not judged yet")] {
        if n > 0 {
            out.push_str(&format!(", {n} {}", if n == 1 { one } else { more }));
        }
    }
    out + "."
}

/// Draws the table, in the order of the scenario.
pub fn expectations(all: &[ExpectationView], selected: Option<&Selection>, go: &Go) -> Html {
    if all.is_empty() {
        return html! { <div class="empty"><b>{ "The scenario expects nothing." }</b><span>{ "Add [[expect]] to its text: `heddle check` and this list then say whether it holds." }</span></div> };
    }
    let row = |e: &ExpectationView| {
        let (shape, word) = came(e);
        let (at, about) = (e.at_ms, e.about.clone());
        let jump = go.reform(move |_: MouseEvent| Msg::Jump { time_ms: at, about: about.clone() });
        let on = e.about.is_some() && e.about.as_ref() == selected;
        let label = format!("Go to {}: {} {}", time(at), word, e.what);
        html! {
            <tr class={(e.holds == Some(false)).then_some("failed")} aria-selected={on.to_string()}>
                <td class="nw">{ mark(shape) }{ " " }{ word }</td>
                <td class="nw">{ &e.when }</td>
                <td><button type="button" data-item="" tabindex="-1" class="num" aria-label={label} onclick={jump}>{ time(at) }</button></td>
                <td class="w wrap">{ &e.what }if !e.reason.is_empty() { { " " }{ &e.reason } }</td>
                <td class="num dim">{ e.line }</td>
            </tr>
        }
    };
    html! {
        <table class="data" data-roving="">
            <caption class="vh">{ spoken(all) }</caption>
            <thead><tr><th scope="col">{ "holds" }</th><th scope="col">{ "when" }</th><th scope="col">{ "look at" }</th><th scope="col">{ "what" }</th><th scope="col" class="num">{ "line" }</th></tr></thead>
            <tbody>{ for all.iter().map(row) }</tbody>
        </table>
    }
}

/// Draws the marks on the track; a click on one goes to its moment, as everywhere on the track.
pub fn marks(all: &[ExpectationView], x: &impl Fn(i64) -> f64) -> Html {
    // For several at one moment the failing one is shown, with the words of all.
    let mut moments: Vec<i64> = all.iter().map(|e| e.at_ms).collect();
    moments.sort_unstable();
    moments.dedup();
    let one = |at: i64| {
        let here: Vec<&ExpectationView> = all.iter().filter(|e| e.at_ms == at).collect();
        let rank = |e: &&&ExpectationView| match e.holds {
            Some(false) => 0,
            None => 1,
            Some(true) => 2,
        };
        let (shape, _) = here.iter().min_by_key(rank).map_or((Mark::Pass, ""), |e| came(e));
        let words =
            here.iter().map(|e| format!("{} {}: {}", time(at), came(e).1, e.what)).collect::<Vec<_>>().join("\n");
        let at = crate::ui::vars(&[("x", x(at))]);
        html! { <span class={classes!("ex", shape.class())} title={words} data-vars={at}>{ mark(shape) }</span> }
    };
    html! { { for moments.into_iter().map(one) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_many_hold_is_said_in_one_sentence() {
        let of = |holds: &[Option<bool>]| {
            let all: Vec<ExpectationView> =
                holds.iter().map(|h| ExpectationView { holds: *h, ..ExpectationView::default() }).collect();
            spoken(&all)
        };
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[Some(true)]), "1 of 1 expectations hold.");
        assert_eq!(
            of(&[Some(true), Some(false), None, None]),
            "1 of 4 expectations hold, 1 fails, 2 are not judged yet."
        );
    }
}
