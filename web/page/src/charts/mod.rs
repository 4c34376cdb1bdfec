//! Queue usage over time against guarantee and maximum, drawn by plotters on a canvas.

mod draw;

use crate::store::{Answers, Go, LookAt, Msg, Palette, Shared, View};
use crate::ui::{Segment, dom, format, gb, time};
use heddle_view::SchedulerChoice;
use heddle_view::{Selection, Series, SeriesPoint};
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

#[derive(Properties, PartialEq)]
pub struct Props {
    pub view: Shared<View>,
    pub answers: Shared<Answers>,
    /// The colours assigned so far.
    pub palette: Shared<Palette>,
    /// The callback for messages.
    pub go: Go,
}

fn name(s: &Series) -> String {
    let of = if s.partition.is_empty() { s.name.clone() } else { format!("{} on {}", s.name, s.partition) };
    if s.resource.is_empty() { of } else { format!("{of}, {}", s.resource) }
}

/// Returns the recorded amount for one unit of the axis: memory is recorded in MiB and drawn in GB.
fn unit(s: &Series) -> f64 {
    if s.resource.is_empty() { 1024.0 } else { 1.0 }
}

/// Returns an amount of the line with its unit.
fn amount(s: &Series, n: i64) -> String {
    if s.resource.is_empty() { format!("{} GB", gb(n)) } else { format!("{n} {}", s.resource) }
}

/// Returns the largest share of the whole that was ever used; without a root line, of the line's own maximum.
fn busiest(s: &Series, all: &[Series]) -> f64 {
    let same = |r: &&Series| r.name == "root" && (&r.partition, &r.resource) == (&s.partition, &s.resource);
    let whole = all.iter().find(same).unwrap_or(s);
    let most = |s: &Series, of: fn(&SeriesPoint) -> i64| s.points.iter().map(of).max().unwrap_or(0) as f64;
    most(s, |p| p.used) / most(whole, |p| p.maximum).max(1.0)
}

/// Returns the leaf queue of the selection: itself, or the one of its application.
fn queue_of(props: &Props) -> Option<&str> {
    match props.view.selection.as_ref()? {
        Selection::Queue(path) => Some(path),
        about => {
            let app = about.app()?;
            props.answers.frame.snapshot.apps.iter().find(|a| a.name == app).map(|a| a.queue.as_str())
        }
    }
}

/// Returns all lines as rows, for a file: memory in MiB, times in ms.
pub fn rows(all: &[Series]) -> Vec<Vec<String>> {
    if all.is_empty() {
        return Vec::new();
    }
    const COLUMNS: [&str; 10] =
        ["queue", "partition", "resource", "time_ms", "used", "reserved", "waiting", "guaranteed", "steady", "maximum"];
    let head = COLUMNS.map(str::to_owned).to_vec();
    let line = |s: &Series, p: &SeriesPoint| {
        let resource = if s.resource.is_empty() { "memory_mb" } else { &s.resource };
        let figures = [p.time_ms, p.used, p.reserved, p.pending, p.guaranteed, p.steady, p.maximum];
        let names = [s.name.clone(), s.partition.clone(), resource.to_owned()];
        names.into_iter().chain(figures.map(|n| n.to_string())).collect()
    };
    std::iter::once(head).chain(all.iter().flat_map(|s| s.points.iter().map(move |p| line(s, p)))).collect()
}

/// The most points that the table lists; the file has all.
const LISTED: usize = 500;

/// Draws the line as a table: a row for each change.
fn table(s: &Series, share: &str) -> Html {
    let cell = |n: i64| html! { <td class="num">{ amount(s, n) }</td> };
    let more = s.points.len().saturating_sub(LISTED);
    html! {
        <div class="rows" tabindex="0" role="region" aria-label={format!("{} over time, as a table", name(s))}>
            <table class="data">
                <thead><tr><th scope="col">{ "time" }</th><th scope="col" class="num">{ "used" }</th><th scope="col" class="num">{ "reserved" }</th><th scope="col" class="num">{ "waiting" }</th><th scope="col" class="num">{ share }</th><th scope="col" class="num">{ "maximum" }</th></tr></thead>
                <tbody>{ for s.points.iter().take(LISTED).map(|p| html! {
                    <tr key={p.time_ms}><td class="num">{ time(p.time_ms) }</td>{ cell(p.used) }{ cell(p.reserved) }{ cell(p.pending) }{ cell(p.guaranteed) }{ cell(p.maximum) }</tr>
                }) }</tbody>
            </table>
            if more > 0 { <p class="eyebrow">{ format!("and {more} more, in the CSV file") }</p> }
        </div>
    }
}

#[component]
pub fn Charts(props: &Props) -> Html {
    let canvas = use_node_ref();
    let all = props.answers.charts.as_deref().unwrap_or_default();
    let picked = props.view.chart.as_ref().and_then(|c| all.iter().find(|s| name(s) == *c));
    let of_selection = || all.iter().find(|s| s.name == queue_of(props).unwrap_or_default());
    let chosen = picked.or_else(of_selection).or_else(|| {
        // The busiest leaf, in its dominant resource, until one is chosen.
        let leaves = all.iter().filter(|s| s.name != "root");
        leaves.rev().max_by(|a, b| busiest(a, all).total_cmp(&busiest(b, all))).or(all.first())
    });
    let now = props.answers.frame.snapshot.time_ms;
    // The scrubber's, so that both have the same ticks.
    let end = props.answers.frame.timeline.end_ms.max(props.answers.frame.snapshot.end_ms).max(1);
    let colour = chosen.map_or("k0", |s| props.palette.queue(&s.name));
    let as_table = use_state(|| false);
    {
        let canvas = canvas.clone();
        let series = chosen.cloned();
        let theme = props.view.theme;
        use_effect_with(
            (series, now, end, theme.name(), colour, *as_table),
            move |(series, now, end, _, colour, _)| {
                let watch = canvas.cast::<HtmlCanvasElement>().zip(series.clone()).and_then(|(canvas, series)| {
                    let (now, end, colour) = (*now, *end, *colour);
                    draw::draw(&canvas, &series, (now, end), colour);
                    let again = {
                        let canvas = canvas.clone();
                        Closure::<dyn FnMut()>::new(move || draw::draw(&canvas, &series, (now, end), colour))
                    };
                    let observer = web_sys::ResizeObserver::new(again.as_ref().unchecked_ref()).ok()?;
                    observer.observe(&canvas);
                    // The system's theme may change under a chart that is drawn.
                    let dark = dom::window().match_media("(prefers-color-scheme: dark)").ok().flatten();
                    if let Some(dark) = &dark {
                        let _ = dark.add_event_listener_with_callback("change", again.as_ref().unchecked_ref());
                    }
                    Some((observer, dark, again))
                });
                // Runs before the next drawing, and when the chart is removed.
                move || {
                    if let Some((observer, dark, again)) = watch {
                        observer.disconnect();
                        if let Some(dark) = dark {
                            let _ = dark.remove_event_listener_with_callback("change", again.as_ref().unchecked_ref());
                        }
                    }
                }
            },
        );
    }
    let Some(chosen) = chosen else {
        return html! { <div class="empty"><b>{ if props.answers.charts.is_some() { "No queue has used anything yet." } else { "Drawing…" } }</b></div> };
    };
    let last = chosen.points.iter().rev().find(|p| p.time_ms <= now);
    let share = match props.answers.frame.snapshot.scheduler {
        SchedulerChoice::Fair => "fair share",
        _ => "guaranteed",
    };
    let fair = share == "fair share";
    let label = match last {
        Some(p) => format!(
            "{} over time. At {}: {} used, {} of it reserved, {} {}{}, at most {}, {} waiting.",
            name(chosen),
            time(now),
            amount(chosen, p.used),
            amount(chosen, p.reserved),
            amount(chosen, p.guaranteed),
            share,
            if fair { format!(" ({} steady)", amount(chosen, p.steady)) } else { String::new() },
            amount(chosen, p.maximum),
            amount(chosen, p.pending)
        ),
        None => format!("{}: nothing yet.", name(chosen)),
    };
    // The share that is only reserved, now and at most.
    let reserved = chosen.points.iter().map(|p| p.reserved).max().filter(|most| *most > 0).map(|most| {
        let share = |p: &SeriesPoint| format::fraction((p.reserved as f64 * 100.0 / p.maximum.max(1) as f64).round());
        let now = last.map_or_else(String::new, |p| {
            format!(" {} % of the maximum now, {} at most", share(p), amount(chosen, most))
        });
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
            if *as_table { { table(chosen, share) } } else { <figure>
                <canvas ref={canvas} role="img" aria-label={label}/>
                <figcaption aria-hidden="true">
                    <span><i class={classes!("lg", "us", colour)}/>{ "used" }</span><span><i class="lg gu"/>{ share }</span>if fair { <span><i class="lg st"/>{ "steady share" }</span> }<span><i class="lg mx"/>{ "maximum" }</span><span><i class="lg pe"/>{ "used and waiting" }</span>{ for reserved }
                    <span class="dim">{ format!("{} · at {}", if chosen.resource.is_empty() { "GB" } else { &chosen.resource }, format::tick(now)) }</span>
                </figcaption>
            </figure> }
            <div class="as"><Segment label="Show the chart as" options={vec!["chart", "table"]} chosen={usize::from(*as_table)}
                on={let as_table = as_table.clone(); Callback::from(move |i| as_table.set(i == 1))}/></div>
        </div>
    }
}
