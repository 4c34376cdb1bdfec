//! The lane at the left edge: what waits, drawn to scale, the longest wait first.

use super::Picture;
use crate::ui::{count, gb, since, vars};
use heddle_core::explain::view::{Selection, WaitingView};
use yew::prelude::*;

/// Ghosts that are drawn; the rest is counted.
const SHOWN: usize = 6;

/// The lane; nothing when nothing waits.
pub fn lane(picture: &Picture<'_>) -> Html {
    let waiting = &picture.snapshot.waiting;
    if waiting.is_empty() {
        return html! {};
    }
    let now = picture.snapshot.time_ms;
    let all: i64 = waiting.iter().map(|w| w.count).sum();
    let mut shown: Vec<&WaitingView> = waiting.iter().take(SHOWN).collect();
    // The selected one is always there.
    if let Some(w) = waiting.iter().skip(SHOWN).find(|w| is_selected(picture, w)) {
        shown.push(w);
    }
    let rest = waiting.len() - shown.len();
    html! {
        <div class="lane">
            <h3 class="h3">{ format!("{} waiting", count(all)) }</h3>
            <ul class="ghosts" data-roving="" aria-label="Waiting requests, the longest wait first">
                { for shown.into_iter().map(|w| html! { <li key={w.id.to_string()}>{ ghost(picture, w, now) }</li> }) }
            </ul>
            if rest > 0 { <p class="more">{ format!("and {rest} more, in the table") }</p> }
        </div>
    }
}

/// Is this request selected, or a clause of it?
pub fn is_selected(picture: &Picture<'_>, w: &WaitingView) -> bool {
    match (picture.selected, &w.id) {
        (Some(Selection::Clause { app, key, .. }), Selection::Request { app: a, key: k }) => app == a && key == k,
        (Some(s), id) => s == id,
        (None, _) => false,
    }
}

fn ghost(picture: &Picture<'_>, w: &WaitingView, now: i64) -> Html {
    let class = picture.paint.app(&w.app);
    let many = if w.count > 1 { format!(" × {}", w.count) } else { String::new() };
    let wants = if w.wants.is_empty() || w.wants == "*" { String::new() } else { format!("wants {}", w.wants) };
    let waited = since(now, w.since_ms);
    let size = format!("{} GB · {} vc{many}", gb(w.size.memory_mb), w.size.vcores);
    let why = if w.never.is_some() { "can never run" } else { &w.reason };
    // Begins with the words that are seen, so that it can be called by them.
    let seen: Vec<&str> = [&w.name, &waited, &size, &wants, why].into_iter().filter(|s| !s.is_empty()).collect();
    let label = format!(
        "{}, waiting{}{}",
        seen.join(" "),
        if w.label.is_empty() { String::new() } else { format!(", partition {}", w.label) },
        w.never.as_ref().map(|never| format!(": {never}")).unwrap_or_default(),
    );
    html! {
        <button type="button" class={classes!("gh", class)} data-item="" tabindex="-1" data-sel={w.id.to_string()} data-family={format!("app:{}", w.app)}
            aria-pressed={is_selected(picture, w).to_string()} aria-label={label.clone()} title={label}>
            <span class="t"><span>{ &w.name }</span>{ " " }<span class="num">{ waited }</span></span>{ " " }
            <span class={classes!("box", (w.count > 1).then_some("many"))} data-vars={vars(&[("mb", w.size.memory_mb as f64)])}/>
            <span class="w">{ size }</span>{ " " }
            if !wants.is_empty() { <span class="w">{ wants }</span>{ " " } }
            <span class={classes!("w", w.never.is_some().then_some("never"))}>{ why.to_owned() }</span>
        </button>
    }
}
