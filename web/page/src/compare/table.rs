//! The twin of the pictures: the outcomes of all worlds at the moment and at the end, side by side; rows that are equal in all
//! worlds are faded.

use super::Props;
use crate::store::Msg;
use crate::ui::{format, gb, rich, time, vars};
use heddle_view::{AS_IT_IS, WorldAppView, WorldView};
use yew::prelude::*;

/// The most applications listed, those that differ first.
const APPS: usize = 40;

/// A row: its name, and its value in each world.
struct ComparisonRow {
    name: Html,
    cells: Vec<Html>,
    same: bool,
}

impl ComparisonRow {
    /// Returns a row of texts; `**bold**` marks names.
    fn texts(name: &str, texts: Vec<String>) -> ComparisonRow {
        let same = texts.windows(2).all(|w| w[0] == w[1]);
        ComparisonRow { name: html! { { name } }, cells: texts.iter().map(|t| rich::rich(t)).collect(), same }
    }
}

pub fn table(props: &Props, worlds: &[WorldView]) -> Html {
    let now = props.answers.frame.snapshot.time_ms;
    let each = |f: &dyn Fn(&WorldView) -> String| -> Vec<String> {
        worlds.iter().map(|w| if w.refused.is_empty() { f(w) } else { String::new() }).collect()
    };
    let mut rows = vec![
        ComparisonRow::texts("headline", each(&|w| w.headline.clone())),
        ComparisonRow::texts("applications ended", each(&|w| ended(w))),
        pace(worlds),
    ];
    let first = &worlds[0];
    for queue in &first.queues {
        let name = format!("{} uses", queue.path);
        rows.push(ComparisonRow::texts(
            &name,
            each(&|w| {
                let there = w.queues.iter().find(|q| q.path == queue.path);
                there.map_or_else(String::new, |q| {
                    let share = format::fraction(q.am_used.memory_mb as f64 * 100.0 / q.used.memory_mb.max(1) as f64);
                    let masters = match q.am_used.memory_mb {
                        0 => String::new(),
                        mb => format!(", AMs {} of it ({share} %)", gb(mb)),
                    };
                    format!("{} of {} GB{masters}", gb(q.used.memory_mb), gb(q.guaranteed.memory_mb))
                })
            }),
        ));
    }
    let mut apps: Vec<ComparisonRow> = first.apps.iter().map(|a| app(a, worlds)).collect();
    apps.sort_by_key(|r| r.same);
    let more = apps.len().saturating_sub(APPS);
    rows.extend(apps.into_iter().take(APPS));
    html! {
        <div class="cmp" tabindex="0" role="region" aria-label="Worlds side by side"><table>
            <thead><tr><th scope="col">{ format!("at {}", time(now)) }</th>{ for worlds.iter().map(|w| heading(props, w)) }</tr></thead>
            <tbody>
                <tr><th scope="row">{ "first difference" }</th>{ for worlds.iter().enumerate().map(|(i, w)| html! { <td>{ difference(props, i, w) }</td> }) }</tr>
                { for rows.into_iter().map(|r| html! { <tr class={r.same.then_some("same")}><th scope="row">{ r.name }</th>{ for r.cells.into_iter().map(|c| html! { <td>{ c }</td> }) }</tr> }) }
            </tbody>
        </table>
        if more > 0 { <p class="eyebrow">{ format!("and {more} more applications") }</p> }</div>
    }
}

/// Draws a world's name, and the actions on it.
fn heading(props: &Props, w: &WorldView) -> Html {
    let go = &props.go;
    let trial = props.trying.is_some();
    let open = (w.name != AS_IT_IS && !trial && !w.text.is_empty()).then(|| {
        let (text, what) = (w.text.clone(), w.name.clone());
        let go = go.clone();
        let click = move |_: MouseEvent| {
            go.emit(Msg::Compare(None));
            go.emit(Msg::Edit { text: text.clone(), what: what.clone() });
        };
        html! { <button type="button" class="link" aria-label={format!("Open the world {}", w.name)} onclick={click}>{ "open" }</button> }
    });
    let named = props.doc.about.as_ref().map(|about| about.worlds.as_slice()).unwrap_or_default();
    let remove = named.iter().find(|world| world.name == w.name && !trial).map(|world| {
        let edit = world.remove.clone();
        let click = go.reform(move |_: MouseEvent| Msg::Change { edit: edit.clone(), typed: String::new() });
        html! { <button type="button" class="x" aria-label={format!("Remove the world {}", world.name)} onclick={click}>{ "✕" }</button> }
    });
    html! { <th scope="col">{ &w.name }{ " " }{ for open }{ for remove }
    if !w.refused.is_empty() { <span class="rejected">{ format!(" cannot be run: {}", w.refused) }</span> }
    { for w.odd.iter().filter(|_| w.refused.is_empty()).map(|odd| html! { <p class="rejected odd">{ odd }</p> }) }</th> }
}

fn ended(w: &WorldView) -> String {
    match (w.all_ended_ms, w.ended) {
        (Some(at), (n, _)) => format!("all {n}, the last at **{}**", time(at)),
        (None, (0, of)) => format!("none of {of} by {}", time(w.known_ms)),
        (None, (n, of)) => format!("{n} of {of} by {}", time(w.known_ms)),
    }
}

/// Returns the row of tasks done and tasks a minute, with a bar: the sweep over a setting's values.
fn pace(worlds: &[WorldView]) -> ComparisonRow {
    let paces: Vec<f64> =
        worlds.iter().map(|w| w.done as f64 * 60_000.0 / w.all_ended_ms.unwrap_or(w.known_ms).max(1) as f64).collect();
    let most = paces.iter().copied().fold(0.0, f64::max);
    let cells = worlds.iter().zip(&paces).map(|(w, pace)| {
        let width = if most > 0.0 { pace * 100.0 / most } else { 0.0 };
        html! { <>{ format!("{}, {} a minute", w.done, format::fraction((pace * 10.0).round() / 10.0)) }<i class="pace" data-vars={vars(&[("w", width)])}/></> }
    });
    let same = worlds.windows(2).all(|w| (w[0].done, w[0].all_ended_ms) == (w[1].done, w[1].all_ended_ms));
    ComparisonRow { name: html! { "tasks done" }, cells: cells.collect(), same }
}

/// Returns the row of one application.
fn app(a: &WorldAppView, worlds: &[WorldView]) -> ComparisonRow {
    let text = |w: &WorldView| {
        let Some(a) = w.apps.iter().find(|b| b.name == a.name) else {
            return if w.refused.is_empty() { "not there".to_owned() } else { String::new() };
        };
        let state = match a.state.split_once(": ") {
            Some((state, more)) => format!("{}: {more}", state.to_ascii_lowercase()),
            None => a.state.to_ascii_lowercase(),
        };
        let mut parts = vec![state];
        for (n, word) in [(a.placed, "there"), (a.waiting, "waiting"), (a.rejected, "rejected"), (a.done, "done")] {
            if n > 0 {
                parts.push(format!("{n} {word}"));
            }
        }
        let ended = a.ended_ms.map_or_else(String::new, |at| format!(" · ends {}", time(at)));
        format!("{}{ended}", parts.join(", "))
    };
    let row = ComparisonRow::texts(&a.name, worlds.iter().map(text).collect());
    let sel = format!("app:{}", a.name);
    ComparisonRow { name: html! { <span data-family={sel}>{ &a.name }</span> }, ..row }
}

/// Draws the first event that differs, with a link to it.
fn difference(props: &Props, i: usize, w: &WorldView) -> Html {
    let Some(d) = &w.first else {
        return match i {
            0 => html! {},
            _ if !w.refused.is_empty() => html! {},
            _ if !w.odd.is_empty() => html! { "nothing can be different: see above" },
            _ => html! { "nothing happens otherwise" },
        };
    };
    let said = |text: &str| if text.is_empty() { "nothing".to_owned() } else { text.to_owned() };
    let go = {
        let (go, at, about) = (props.go.clone(), d.time_ms, d.about.clone());
        move |_: MouseEvent| go.emit(Msg::Jump { time_ms: at, about: about.clone() })
    };
    html! {
        <><button type="button" class="link" aria-label={format!("Go to {}, the first difference of {}", time(d.time_ms), w.name)} onclick={go}>{ time(d.time_ms) }</button>
            { " here: " }{ rich::rich(&said(&d.here)) }{ ". There: " }{ rich::rich(&said(&d.there)) }{ "." }</>
    }
}
