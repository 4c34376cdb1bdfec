//! The lane at the left edge: what waits, drawn to scale, in the order of the headline.

use super::Picture;
use crate::ui::{count, gb, mark, names, rich, since, time, vars};
use heddle_view::{EventOutcome, Selection, WaitingView};
use yew::prelude::*;

/// The most ghosts drawn; the others are counted.
const SHOWN: usize = 6;

/// Draws the lane, also when nothing waits, so that what comes and goes in it moves no node.
pub fn lane(picture: &Picture<'_>) -> Html {
    let waiting = &picture.snapshot.waiting;
    let now = picture.snapshot.time_ms;
    let all = picture.snapshot.tally.waiting as i64;
    let mut shown: Vec<&WaitingView> = waiting.iter().take(SHOWN).collect();
    // The selected one is always shown.
    if let Some(w) = waiting.iter().skip(SHOWN).find(|w| is_selected(picture, w)) {
        shown.push(w);
    }
    let shared = names::InCommon::of(shown.iter().map(|w| w.name.as_str()));
    let rest = waiting.len() + picture.snapshot.unlisted - shown.len();
    html! {
        <div class="lane">
            if waiting.is_empty() {
                if picture.snapshot.refused.is_empty() { <h3 class="h3 dim">{ "Nothing waits" }</h3> }
            } else {
                <h3 class="h3">{ format!("{} waiting", count(all)) }</h3>
                <ul class="ghosts" data-roving="" aria-label="What waits, broken promises first">
                    { for shown.into_iter().map(|w| html! { <li key={format!("{} {}", w.id, w.name)}>{ ghost(picture, w, shared, now) }</li> }) }
                </ul>
                if rest > 0 { <p class="more">{ format!("and {} more, in the table", count(rest as i64)) }</p> }
            }
            { refused(picture) }
        </div>
    }
}

/// Draws what was refused, the latest first.
fn refused(picture: &Picture<'_>) -> Html {
    let all = &picture.snapshot.refused;
    if all.is_empty() {
        return html! {};
    }
    let rest = all.len().saturating_sub(SHOWN);
    html! {
        <>
            <h3 class="h3">{ format!("{} refused", count(all.len() as i64)) }</h3>
            <ul class="ghosts" data-roving="" aria-label="What was refused, the last first">
                { for all.iter().rev().take(SHOWN).map(|r| {
                    let id = r.id.to_string();
                    let label = format!("{} {} {}: {}", r.name, time(r.since_ms), r.short, rich::plain(&r.text));
                    html! {
                        <li key={format!("{id} {}", r.since_ms)}><button type="button" class="gh" data-item="" tabindex="-1" data-sel={id.clone()} data-family={id}
                            aria-pressed={(picture.selected == Some(&r.id)).to_string()} aria-label={label.clone()} title={label}>
                            <span class="t"><span>{ mark(EventOutcome::Rejected) }{ " " }{ names::name(&r.name) }</span>{ " " }<span class="num">{ time(r.since_ms) }</span></span>{ " " }
                            <span class="w never">{ &r.short }</span>
                        </button></li>
                    }
                }) }
            </ul>
            if rest > 0 { <p class="more">{ format!("and {rest} more, in the events") }</p> }
        </>
    }
}

/// Returns whether this request, or a clause of it, is selected.
pub fn is_selected(picture: &Picture<'_>, w: &WaitingView) -> bool {
    match (picture.selected, &w.id) {
        (Some(Selection::Clause { app, key, .. }), Selection::Request { app: a, key: k }) => app == a && key == k,
        (Some(s), id) => s == id,
        (None, _) => false,
    }
}

fn ghost(picture: &Picture<'_>, w: &WaitingView, shared: names::InCommon, now: i64) -> Html {
    let class = picture.paint.app(&w.app);
    let many = if w.count > 1 { format!(" × {}", w.count) } else { String::new() };
    let wants = if w.wants.is_empty() || w.wants == "*" { String::new() } else { format!("wants {}", w.wants) };
    let waited = since(now, w.since_ms);
    // The size may be unknown for what an AM does not request.
    let size = match w.size.memory_mb {
        0 => many.trim_start().to_string(),
        mb => format!("{} GB · {} vc{many}", gb(mb), w.size.vcores),
    };
    let why = if w.never.is_some() { "can never run" } else { &w.reason };
    // Begins with the visible words, so that speech control can use them.
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
            <span class="t"><span>{ shared.name(&w.name) }</span>{ " " }<span class="num">{ waited }</span></span>{ " " }
            <span class={classes!("box", (w.count > 1).then_some("many"))} data-vars={vars(&[("mb", w.size.memory_mb as f64)])}/>
            if !size.is_empty() { <span class="w">{ size }</span>{ " " } }
            if !wants.is_empty() { <span class="w">{ wants }</span>{ " " } }
            <span class={classes!("w", w.never.is_some().then_some("never"))}>{ why.to_owned() }</span>
        </button>
    }
}
