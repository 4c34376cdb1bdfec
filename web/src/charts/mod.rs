//! Queue use over time against guaranteed and maximum, drawn by plotters on a canvas.

mod draw;

use crate::store::{Answers, Go, LookAt, Msg, Shared, View};
use crate::ui::{format, gb, time};
use heddle_core::explain::view::{Series, SeriesPoint};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

/// See the module.
#[derive(Properties, PartialEq)]
pub struct Props {
    /// The view.
    pub view: Shared<View>,
    /// The last answers.
    pub answers: Shared<Answers>,
    /// Where to send messages.
    pub go: Go,
}

fn name(s: &Series) -> String {
    if s.partition.is_empty() { s.name.clone() } else { format!("{} on {}", s.name, s.partition) }
}

/// The tab.
#[component]
pub fn Charts(props: &Props) -> Html {
    let canvas = use_node_ref();
    let all = props.answers.charts.as_deref().unwrap_or_default();
    let chosen = props.view.chart.as_ref().and_then(|c| all.iter().find(|s| name(s) == *c)).or_else(|| {
        // The busiest leaf, as long as nobody chose.
        all.iter().filter(|s| s.name != "root").max_by_key(|s| s.points.iter().map(|p| p.used).max()).or(all.first())
    });
    let now = props.answers.frame.snapshot.time_ms;
    let end = props.answers.frame.snapshot.end_ms.max(1);
    {
        let canvas = canvas.clone();
        let series = chosen.cloned();
        let watch = use_mut_ref(|| None::<(web_sys::ResizeObserver, Closure<dyn FnMut()>)>);
        let theme = props.view.theme;
        use_effect_with((series, now, end, theme.name()), move |(series, now, end, _)| {
            let (Some(canvas), Some(series)) = (canvas.cast::<HtmlCanvasElement>(), series.clone()) else { return };
            let (now, end) = (*now, *end);
            draw::draw(&canvas, &series, now, end);
            let again = {
                let canvas = canvas.clone();
                Closure::<dyn FnMut()>::new(move || draw::draw(&canvas, &series, now, end))
            };
            if let Ok(observer) = web_sys::ResizeObserver::new(again.as_ref().unchecked_ref()) {
                observer.observe(&canvas);
                if let Some((old, _)) = watch.borrow_mut().replace((observer, again)) {
                    old.disconnect();
                }
            }
        });
    }
    let Some(chosen) = chosen else {
        return html! { <div class="empty"><b>{ if props.answers.charts.is_some() { "No queue has used anything yet." } else { "Drawing…" } }</b></div> };
    };
    let last = chosen.points.iter().rev().find(|p| p.time_ms <= now);
    let label = match last {
        Some(p) => format!(
            "Queue {} over time. At {}: {} GB used, {} GB of it reserved, {} GB guaranteed, at most {} GB, {} GB waiting.",
            name(chosen),
            time(now),
            gb(p.used),
            gb(p.reserved),
            gb(p.guaranteed),
            gb(p.maximum),
            gb(p.pending)
        ),
        None => format!("Queue {}: nothing yet.", name(chosen)),
    };
    // The share that is only reserved, now and at most.
    let reserved = chosen.points.iter().map(|p| p.reserved).max().filter(|most| *most > 0).map(|most| {
        let share = |p: &SeriesPoint| format::fraction((p.reserved as f64 * 100.0 / p.maximum.max(1) as f64).round());
        let now =
            last.map_or_else(String::new, |p| format!(" {} % of the maximum now, {} GB at most", share(p), gb(most)));
        html! { <span><i class="lg re"/>{ "reserved" }{ now }</span> }
    });
    html! {
        <div class="charts">
            <ul data-roving="" aria-label="Queues">{ for all.iter().map(|s| {
                let n = name(s);
                let on = std::ptr::eq(s, chosen);
                let click = props.go.reform({ let n = n.clone(); move |_: MouseEvent| Msg::Look(LookAt::Chart(n.clone())) });
                html! { <li key={n.clone()}><button type="button" data-item="" tabindex={if on { "0" } else { "-1" }} aria-pressed={on.to_string()} onclick={click}>{ n }</button></li> }
            }) }</ul>
            <figure>
                <canvas ref={canvas} role="img" aria-label={label}/>
                <figcaption aria-hidden="true">
                    <span><i class="lg us"/>{ "used" }</span><span><i class="lg gu"/>{ "guaranteed" }</span><span><i class="lg mx"/>{ "maximum" }</span><span><i class="lg pe"/>{ "used and waiting" }</span>{ for reserved }
                    <span class="dim">{ format!("GB · at {}", format::tick(now)) }</span>
                </figcaption>
            </figure>
        </div>
    }
}
