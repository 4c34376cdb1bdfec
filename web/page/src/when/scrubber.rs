//! The scrubber: a histogram of placements, a shape for each rarer event, a black line up to the present, and an amber
//! stretch since the selected thing began to wait.

use super::expectations;
use crate::store::{Answers, Go, Msg, Palette, Shared, View};
use crate::ui::mark::mark;
use crate::ui::{format, time, vars};
use heddle_view::protocol::Frame;
use heddle_view::{EventOutcome, Mark, Selection};
use web_sys::HtmlElement;
use yew::prelude::*;

/// Marks closer than this many percent would hide each other; the later one is dropped, unless it is a refusal.
const MARK_GAP: f64 = 0.9;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub view: Shared<View>,
    pub answers: Shared<Answers>,
    /// The colours assigned so far.
    pub palette: Shared<Palette>,
    /// The callback for messages.
    pub go: Go,
}

#[component]
pub fn Scrubber(props: &Props) -> Html {
    let node = use_node_ref();
    let dragging = use_mut_ref(|| false);
    let frame = &props.answers.frame;
    let now = frame.snapshot.time_ms;
    let end = frame.timeline.end_ms.max(frame.snapshot.end_ms).max(1);
    let x = |ms: i64| (ms as f64 * 100.0 / end as f64).clamp(0.0, 100.0);
    let seek = {
        let (go, node) = (props.go.clone(), node.clone());
        move |client_x: i32| {
            let Some(track) = node.cast::<HtmlElement>() else { return };
            let r = track.get_bounding_client_rect();
            if r.width() > 0.0 {
                let part = ((f64::from(client_x) - r.left()) / r.width()).clamp(0.0, 1.0);
                go.emit(Msg::Seek((part * end as f64) as i64));
            }
        }
    };
    let onpointerdown = {
        let (seek, dragging, node, go) = (seek.clone(), dragging.clone(), node.clone(), props.go.clone());
        move |e: PointerEvent| {
            *dragging.borrow_mut() = true;
            if let Some(track) = node.cast::<HtmlElement>() {
                let _ = track.set_pointer_capture(e.pointer_id());
            }
            go.emit(Msg::Play(false));
            seek(e.client_x());
        }
    };
    let onpointermove = {
        let dragging = dragging.clone();
        move |e: PointerEvent| {
            if *dragging.borrow() {
                seek(e.client_x());
            }
        }
    };
    let onpointerup = move |_: PointerEvent| *dragging.borrow_mut() = false;
    let onkeydown = {
        let (go, timeline) = (props.go.clone(), props.answers.clone());
        move |e: KeyboardEvent| {
            let marks = timeline.frame.timeline.marks.iter().map(|m| m.time_ms);
            let marks = marks.chain(timeline.expectations.iter().map(|e| e.at_ms));
            let marks = marks.chain(crate::compare::first_differences(&timeline).into_iter().map(|(_, at)| at));
            let to = match e.key().as_str() {
                // With Shift to the next mark; without it the page's own arrow keys step.
                "ArrowRight" if e.shift_key() => marks.filter(|t| *t > now).min(),
                "ArrowLeft" if e.shift_key() => marks.filter(|t| *t < now).max(),
                "PageUp" => Some(now + end / 10),
                "PageDown" => Some(now - end / 10),
                _ => return,
            };
            e.prevent_default();
            e.stop_propagation();
            if let Some(to) = to {
                go.emit(Msg::Seek(to));
            }
        }
    };
    let selected = props.view.selection.as_ref().or(frame.selection.as_ref());
    let differences =
        if props.view.compare.is_some() { crate::compare::first_differences(&props.answers) } else { vec![] };
    let since = frame.snapshot.waiting.iter().find(|w| same_request(selected, &w.id)).map(|w| w.since_ms);
    html! {
        <div class="track" role="slider" id="scrubber" ref={node} tabindex="0" aria-label="Time" aria-valuemin="0" aria-valuemax={end.to_string()} aria-valuenow={now.to_string()}
            aria-valuetext={spoken(now, end)} aria-describedby={(!props.answers.expectations.is_empty()).then_some(expectations::SAID)} {onpointerdown} {onpointermove} onpointerup={onpointerup.clone()} onpointercancel={onpointerup} {onkeydown}>
            { histogram(&frame.timeline.placements) }
            <i class="ax"/>
            <i class="known" data-vars={vars(&[("t", x(frame.timeline.known_ms))])}/>
            <i class="done" data-vars={vars(&[("t", x(now))])}/>
            if let Some(from) = since { <i class="since" data-vars={vars(&[("x", x(from)), ("w", (x(now) - x(from)).max(0.0))])}/> }
            { for selected.map(|s| own(frame, s, props.palette.of_thing(props.view.colours(&props.palette), s), &x)) }
            { marks(&frame.timeline.marks, &x) }
            { expectations::marks(&props.answers.expectations, &x) }
            { for differences.iter().map(|(letter, at)| html! {
                <span class={classes!("flag", (x(*at) > 75.0).then_some("back"))} data-world={letter.to_string()} aria-hidden="true" data-at={at.to_string()} data-vars={vars(&[("x", x(*at))])}><b>{ format!("{letter} differs from {}", time(*at)) }</b></span>
            }) }
            { for ticks(end).into_iter().enumerate().map(|(i, t)| html! { <span class={classes!("tk", (i % 2 == 1).then_some("odd"))} aria-hidden="true" data-vars={vars(&[("x", x(t))])}>{ format::tick(t) }</span> }) }
            <i class="hd" data-vars={vars(&[("t", x(now))])}/>
        </div>
    }
}

fn same_request(selected: Option<&Selection>, id: &Selection) -> bool {
    match (selected, id) {
        (Some(Selection::Clause { app, key, .. }), Selection::Request { app: a, key: k }) => app == a && key == k,
        (s, id) => s == Some(id),
    }
}

fn spoken(now: i64, end: i64) -> String {
    format!("{} of {}", time(now), time(end))
}

fn histogram(placements: &[u32]) -> Html {
    let most = placements.iter().copied().max().unwrap_or(0);
    if most == 0 {
        return html! {};
    }
    // One path with a bar for each stretch, 16 high.
    let mut d = String::new();
    for (i, n) in placements.iter().enumerate().filter(|(_, n)| **n > 0) {
        let h = 3.0 + 13.0 * f64::from(*n) / f64::from(most);
        d.push_str(&format!("M{i} 16v-{h:.1}h.7v{h:.1}z"));
    }
    html! { <svg class="hist" aria-hidden="true" viewBox={format!("0 0 {} 16", placements.len())} preserveAspectRatio="none"><path d={d}/></svg> }
}

fn marks(list: &[Mark], x: &impl Fn(i64) -> f64) -> Html {
    let mut shown: Vec<&Mark> = Vec::new();
    for m in list {
        let hides = |before: &&Mark| x(m.time_ms) - x(before.time_ms) < MARK_GAP;
        match shown.last().copied().filter(hides) {
            // A refusal replaces another event beside it.
            Some(before) if m.fate == EventOutcome::Rejected && before.fate != EventOutcome::Rejected => {
                shown.pop();
                shown.push(m);
            }
            Some(_) => {}
            None => shown.push(m),
        }
    }
    let mut out = Vec::new();
    for m in shown {
        let at = x(m.time_ms);
        let class = crate::ui::Mark::from(m.fate).class();
        let title = format!("{} {}", time(m.time_ms), m.text);
        let sel = m.about.as_ref().map(ToString::to_string);
        out.push(html! { <span class={classes!("ev", class)} {title} data-sel={sel} data-vars={vars(&[("x", at)])}>{ mark(m.fate) }</span> });
    }
    html! { { for out } }
}

/// Draws when the selection had events, in its colour.
fn own(frame: &Frame, selected: &Selection, class: Option<&'static str>, x: &impl Fn(i64) -> f64) -> Html {
    let of = super::events::concerns(frame, selected);
    let mut at: Vec<i64> = frame.events.iter().filter(|e| of(e)).map(|e| e.time_ms).collect();
    at.dedup();
    // As many as are told apart.
    at.truncate(200);
    html! { { for at.into_iter().map(|at| html! { <i class={classes!("own", class)} data-vars={vars(&[("x", x(at))])}/> }) } }
}

/// Returns three to six round times.
pub fn ticks(end: i64) -> Vec<i64> {
    const DAY: i64 = 86_400_000;
    const STEPS: [i64; 21] = [
        100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000,
        1_800_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000, 43_200_000, DAY,
    ];
    let days = || (end / 5).div_euclid(DAY).max(1).saturating_add(1).saturating_mul(DAY);
    let step = STEPS.iter().copied().find(|s| end / s <= 5).unwrap_or_else(days);
    (0..=end / step).map(|i| i * step).collect()
}

#[cfg(test)]
mod tests {
    use super::ticks;

    #[test]
    fn ticks_are_few_and_round() {
        assert_eq!(ticks(60_000), [0, 15_000, 30_000, 45_000, 60_000]);
        assert_eq!(ticks(9 * 3_600_000), [0, 1, 2, 3, 4].map(|n| n * 7_200_000));
        let days = ticks(12 * 86_400_000);
        assert!(days.len() >= 3 && days.iter().all(|t| t % 86_400_000 == 0), "{days:?}");
        assert!(ticks(1).len() <= 6 && ticks(i64::MAX / 2).len() <= 7);
    }
}
