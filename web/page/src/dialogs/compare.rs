//! The scenario beside other worlds: with another setting, or as it was before editing. The outcomes at the moment and at the
//! end stand side by side; rows that are equal in all worlds are faded.

use super::{Props, gains};
use crate::store::{Dialog, Effect, Msg, Trial};
use crate::ui::{format, gb, rich, time, vars};
use heddle_view::{Change, Edit, WorldAppView, WorldView};
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The most applications listed, those that differ first.
const APPS: usize = 40;

pub fn body(props: &Props) -> Html {
    let worlds = match &props.answers.worlds {
        Some(worlds) if worlds.len() > 1 => {
            html! { <>{ table(props, worlds) }{ gained(props, worlds) }</> }
        }
        Some(_) => html! {
            <p>{ "Nothing to compare with yet. Name a property and the values that it has in other worlds, or edit the scenario: then it stands beside what was opened." }</p>
        },
        None => waiting(props, "Running the other worlds…"),
    };
    html! { <>{ worlds }{ adder(props) }</> }
}

/// Shows the progress; closing the dialog cancels the comparison.
fn waiting(props: &Props, what: &str) -> Html {
    let far = props.answers.running.map_or_else(String::new, |(ran, of)| format!(" {ran} of {of}"));
    html! { <p class="soft" role="status">{ what }{ far }</p> }
}

/// Draws the dialog of one change: before and after, and a button that adopts it.
pub fn trial(props: &Props, trial: &Trial) -> Html {
    let worlds = beside(props);
    let (go, text, what) = (props.go.clone(), trial.text.clone(), trial.change.clone());
    let take = move |_: MouseEvent| {
        go.emit(Msg::Dialog(None));
        go.emit(Msg::Edit { text: text.clone(), what: what.clone() });
    };
    html! {
        <>
            <p>{ rich::rich(&trial.effect) }</p>
            { worlds }
            <p class="row"><button type="button" class="btn" id="take-over" onclick={take}>{ "Take it over" }</button></p>
        </>
    }
}

/// Draws who gains and who loses in each other world; of several worlds the first is unfolded.
fn gained(props: &Props, worlds: &[WorldView]) -> Html {
    let one = |(i, w): (usize, &WorldView)| {
        let (from, to, told) = gains::pair(&worlds[0].name, w)?;
        let table = gains::table(&from, &to, &told, w.first.as_ref(), &props.go);
        Some(match worlds.len() {
            2 => table,
            _ => {
                html! { <details class="fold" open={i == 0}><summary><span class="h3">{ format!("Who gains, who loses: {to}") }</span></summary>{ table }</details> }
            }
        })
    };
    html! { <>{ for worlds.iter().skip(1).enumerate().filter_map(one) }</> }
}

/// Draws who gains and who loses by a change, and the outcomes beside each other.
fn beside(props: &Props) -> Html {
    let Some(worlds) = &props.answers.worlds else { return waiting(props, "Running it…") };
    html! {
        <>
            { gained(props, worlds) }
            <details class="fold"><summary><span class="h3">{ "All figures side by side" }</span></summary>{ table(props, worlds) }</details>
        </>
    }
}

/// Draws the dialog of an edit that is tried: who gains and who loses, the button that makes it, and how it leaves the page.
pub fn edit(props: &Props, edit: &Edit, typed: &str) -> Html {
    let go = &props.go;
    let name = format!("`{}` = `{}`", edit.what, if typed.trim().is_empty() { "not set" } else { typed.trim() });
    let tried = match &props.answers.tried {
        Some(Err(why)) => {
            return html! { <p class="rejected" role="alert">{ rich::rich(&format!("{name} cannot be set: {why}")) }</p> };
        }
        Some(Ok(tried)) => Some(tried),
        None => None,
    };
    let world = props.answers.worlds.as_ref().and_then(|worlds| worlds.get(1));
    let refused = world.map_or("", |w| w.refused.as_str());
    let apply = {
        let (go, edit, typed) = (go.clone(), edit.clone(), typed.to_owned());
        move |_: MouseEvent| {
            go.emit(Msg::Dialog(None));
            go.emit(Msg::Change { edit: edit.clone(), typed: typed.clone() });
        }
    };
    let act = |label: &'static str, effect: Effect| {
        let onclick = go.reform(move |_: MouseEvent| Msg::Do(effect.clone()));
        html! { <button type="button" class="btn edge sm" {onclick}>{ label }</button> }
    };
    let copy = |label: &'static str, text: &str| act(label, Effect::Copy { text: text.into(), what: label.into() });
    html! {
        <>
            <p>{ rich::rich(&name) }{ " is tried beside the scenario; nothing is changed until it is applied." }</p>
            if !refused.is_empty() { <p class="rejected" role="alert">{ "It cannot be run: " }{ rich::rich(refused) }</p> }
            { beside(props) }
            if let Some(tried) = tried {
                if !tried.lines.is_empty() { <pre class="snip" id="trial-lines" tabindex="0" role="region" aria-label="Changed lines">{ tried.lines.join("\n") }</pre> }
                <div class="acts2">
                    <button type="button" class="btn prim" id="take-over" disabled={!refused.is_empty()} onclick={apply}>{ "Apply" }</button>
                    { act("Save capacity-scheduler.xml", Effect::Save { name: "capacity-scheduler.xml".into(), text: tried.file.clone() }) }
                    if let Some((json, xml)) = &tried.change { { copy("Copy JSON for schedulerconf", json) }{ copy("Copy XML for schedulerconf", xml) } }
                </div>
            }
        </>
    }
}

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

fn table(props: &Props, worlds: &[WorldView]) -> Html {
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
            <thead><tr><th scope="col">{ format!("at {}", time(now)) }</th>{ for worlds.iter().enumerate().map(|(i, w)| heading(props, worlds, i, w)) }</tr></thead>
            <tbody>
                <tr><th scope="row">{ "first difference" }</th>{ for worlds.iter().enumerate().map(|(i, w)| html! { <td>{ difference(props, i, w) }</td> }) }</tr>
                { for rows.into_iter().map(|r| html! { <tr class={r.same.then_some("same")}><th scope="row">{ r.name }</th>{ for r.cells.into_iter().map(|c| html! { <td>{ c }</td> }) }</tr> }) }
            </tbody>
        </table>
        if more > 0 { <p class="eyebrow">{ format!("and {more} more applications") }</p> }</div>
    }
}

/// Draws a world's name, and the actions on it.
fn heading(props: &Props, worlds: &[WorldView], i: usize, w: &WorldView) -> Html {
    let go = &props.go;
    let trial = matches!(props.dialog, Some(Dialog::Try(_) | Dialog::TryEdit { .. }));
    let open = (i > 0 && !trial && !w.text.is_empty()).then(|| {
        let (text, what) = (w.text.clone(), w.name.clone());
        let go = go.clone();
        let click = move |_: MouseEvent| {
            go.emit(Msg::Dialog(None));
            go.emit(Msg::Edit { text: text.clone(), what: what.clone() });
        };
        html! { <button type="button" class="link" aria-label={format!("Open the world {}", w.name)} onclick={click}>{ "open" }</button> }
    });
    // The scenario's own worlds come last, in its order.
    let named = props.doc.about.as_ref().map(|about| about.worlds.as_slice()).unwrap_or_default();
    let mine = i.checked_sub(worlds.len().saturating_sub(named.len())).filter(|_| i > 0 && !trial);
    let remove = mine.and_then(|k| named.get(k)).map(|world| {
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
        move |_: MouseEvent| {
            go.emit(Msg::Dialog(None));
            go.emit(Msg::Select(about.clone()));
            go.emit(Msg::Seek(at));
        }
    };
    html! {
        <><button type="button" class="link" aria-label={format!("Go to {}, the first difference of {}", time(d.time_ms), w.name)} onclick={go}>{ time(d.time_ms) }</button>
            { " here: " }{ rich::rich(&said(&d.here)) }{ ". There: " }{ rich::rich(&said(&d.there)) }{ "." }</>
    }
}

/// Draws the line that adds worlds.
fn adder(props: &Props) -> Html {
    let go = props.go.clone();
    let onsubmit = Callback::from(move |e: SubmitEvent| {
        e.prevent_default();
        let Some(form) = e.target_dyn_into::<web_sys::Element>() else { return };
        let typed = |id: &str| {
            let input = form.query_selector(id).ok().flatten()?;
            Some(wasm_bindgen::JsCast::unchecked_into::<HtmlInputElement>(input).value().trim().to_owned())
        };
        let (property, values) = (typed("#w-property").unwrap_or_default(), typed("#w-values").unwrap_or_default());
        let edit = Edit { what: "add worlds".into(), change: Change::Worlds { property } };
        go.emit(Msg::Change { edit, typed: values });
    });
    // Offers the other schedulers' worlds by name until they are added.
    let named = props.doc.about.as_ref().map(|about| about.worlds.as_slice()).unwrap_or_default();
    let there = named.iter().filter(|w| w.name.ends_with("Scheduler")).count() > 1;
    let edit = Edit { what: "compare schedulers".into(), change: Change::Schedulers };
    let all = props.go.reform(move |_: MouseEvent| Msg::Change { edit: edit.clone(), typed: String::new() });
    let wrong = props.field.as_ref();
    let invalid = wrong.map(|_| "true");
    let described = wrong.map(|_| "w-wrong");
    html! {
        <form class="row cmpadd" {onsubmit}>
            <input class="in" id="w-property" aria-invalid={invalid} aria-describedby={described} aria-label="Property that is different in other worlds" placeholder="root.default.user-limit-factor" spellcheck="false" autocomplete="off"/>
            <input class="in" id="w-values" aria-label="Its values there, with commas" placeholder="1, 2, 4" spellcheck="false" autocomplete="off"/>
            <button type="submit" class="btn edge sm">{ "Compare with these" }</button>
            if !there { <button type="button" class="btn edge sm" id="w-schedulers" onclick={all}>{ "Capacity, Fair and FIFO" }</button> }
            if let Some(wrong) = wrong { <p class="rejected" id="w-wrong" role="alert">{ wrong }</p> }
        </form>
    }
}

/// Draws the button that opens the dialog, with the names of the scenario's other worlds.
pub fn invitation(names: &[&str], go: &crate::store::Go) -> Html {
    let text = match names {
        [] => return html! {},
        [one] => format!("Compare with {one}"),
        [first, ..] => format!("Compare with {first} and {} more", names.len() - 1),
    };
    html! { <button type="button" class="link" id="compare" onclick={go.reform(|_: MouseEvent| Msg::Dialog(Some(Dialog::Compare)))}>{ text }</button> }
}
