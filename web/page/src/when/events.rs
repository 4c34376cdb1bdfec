//! The events: time, shape and verb, who, where, why, YARN's words, how many times in a row.

use crate::store::{Go, LookAt, Msg, View};
use crate::ui::dom::lower;
use crate::ui::names::InCommon;
use crate::ui::{count, mark, rich, time};
use heddle_view::protocol::Frame;
use heddle_view::{EventView, Selection};
use std::collections::BTreeSet;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Draws the search field.
pub fn search(view: &View, go: &Go) -> Html {
    let oninput =
        go.reform(|e: InputEvent| Msg::Look(LookAt::Find(e.target_unchecked_into::<HtmlInputElement>().value())));
    html! { <input class="in find" id="find" type="search" placeholder="Search (/)" aria-label="Search the events" value={view.find.clone()} {oninput}/> }
}

/// Draws the button that leaves only the events of what is selected.
pub fn only(view: &View, selected: Option<&Selection>, go: &Go) -> Html {
    let on = view.only;
    let click = go.reform(move |_: MouseEvent| Msg::Look(LookAt::Only(!on)));
    html! { <button type="button" class="btn sm edge" id="only" aria-pressed={on.to_string()} disabled={selected.is_none()} title="Only the events of what is selected" onclick={click}>{ "Of the selection" }</button> }
}

/// Returns the test for events of what is selected: its own, under its present and former name, and those of what is in it.
pub fn concerns<'a>(frame: &'a Frame, selected: &Selection) -> impl Fn(&EventView) -> bool + 'a {
    let about = match selected {
        Selection::Clause { app, key, .. } => Selection::Request { app: app.clone(), key: key.clone() },
        other => other.clone(),
    };
    // A container has the name that its request had.
    let own = |e: &&EventView| e.who.as_ref() == Some(&about);
    let names: BTreeSet<&str> = frame.events.iter().filter(own).map(|e| e.name.as_str()).collect();
    let inside =
        |queue: &str, path: &str| queue.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let apps = frame.snapshot.apps.iter().filter(|a| match &about {
        Selection::App(name) => a.name == *name,
        Selection::User(user) | Selection::Landing { user, .. } => a.user == *user,
        Selection::Queue(path) => inside(&a.queue, path),
        Selection::Node(_)
        | Selection::Refresh(_)
        | Selection::Container { .. }
        | Selection::Request { .. }
        | Selection::Clause { .. } => false,
    });
    let apps: BTreeSet<&str> = apps.map(|a| a.name.as_str()).collect();
    move |e| {
        let who = e.who.as_ref();
        who == Some(&about)
            || matches!(&about, Selection::Node(node) if *node == e.node)
            || who.and_then(Selection::app).is_some_and(|app| apps.contains(app))
            || names.contains(e.name.as_str())
    }
}

fn found(e: &EventView, words: &[String]) -> bool {
    let text = lower(&format!("{} {} {} {} {}", e.verb, e.name, e.node, e.why, e.yarn));
    words.iter().all(|w| text.contains(w.as_str()))
}

/// Draws the table, the latest first.
pub fn events(frame: &Frame, view: &View, selected: Option<&Selection>, go: &Go) -> Html {
    let words: Vec<String> = lower(&view.find).split_whitespace().map(str::to_owned).collect();
    let of = selected.filter(|_| view.only).map(|s| concerns(frame, s));
    let rows: Vec<&EventView> =
        frame.events.iter().filter(|e| found(e, &words) && of.as_ref().is_none_or(|of| of(e))).collect();
    if rows.is_empty() && of.is_some() {
        let all = go.reform(|_: MouseEvent| Msg::Look(LookAt::Only(false)));
        return html! { <div class="empty"><b>{ "No event of the selection up to now." }</b><button type="button" class="btn edge sm" onclick={all}>{ "Show all events" }</button></div> };
    }
    if rows.is_empty() {
        return html! { <div class="empty"><b>{ if words.is_empty() { "Nothing has happened yet." } else { "No event has these words." } }</b>
        <span>{ if words.is_empty() { "Step on, or play." } else { "Only what happened up to now is searched." } }</span></div> };
    }
    let hosts = InCommon::of(frame.snapshot.racks.iter().flat_map(|r| &r.nodes).map(|n| n.name.as_str()));
    let shared = InCommon::of(rows.iter().map(|e| e.name.as_str()));
    let words_of_yarn = rows.iter().any(|e| !e.yarn.is_empty());
    let more = frame.events_total.saturating_sub(frame.events.len());
    html! {
        <>
            <table class="data" data-roving="">
                <thead><tr><th scope="col">{ "time" }</th><th scope="col"><span class="vh">{ "what" }</span></th><th scope="col">{ "who" }</th><th scope="col">{ "where" }</th><th scope="col">{ "why" }</th>
                    if words_of_yarn { <th scope="col" class="hide-m">{ "in YARN’s words" }</th> }<th scope="col" class="num">{ "times" }</th></tr></thead>
                <tbody>{ for rows.iter().map(|e| row(e, (shared, hosts), selected, words_of_yarn, frame.snapshot.time_ms)) }</tbody>
            </table>
            if more > 0 { <p class="eyebrow">{ format!("{} earlier events are not shown: go back in time to see them.", count(more as i64)) }</p> }
        </>
    }
}

fn row(
    e: &EventView,
    (shared, hosts): (InCommon, InCommon),
    selected: Option<&Selection>,
    yarn: bool,
    now: i64,
) -> Html {
    let on = e.who.is_some() && e.who.as_ref() == selected;
    let who = match &e.who {
        Some(id) => {
            html! { <button type="button" class="who" data-item="" tabindex="-1" data-sel={id.to_string()} title={e.name.clone()}>{ shared.name(&e.name) }</button> }
        }
        None => html! { <b title={e.name.clone()}>{ shared.name(&e.name) }</b> },
    };
    let node = if e.node.is_empty() {
        html! {}
    } else {
        html! { <button type="button" class="who" data-item="" tabindex="-1" data-sel={Selection::Node(e.node.clone()).to_string()} data-family={format!("node:{}", e.node)} title={e.node.clone()}>{ hosts.rest(&e.node) }</button> }
    };
    // A folded row may continue after the present moment; how often it occurred until now is then unknown here.
    let times = match e.times {
        0 | 1 => String::new(),
        _ if e.last_ms > now => "continues".to_owned(),
        n => format!("× {}", count(n as i64)),
    };
    let since = (e.times > 1).then(|| format!("first at {}", time(e.time_ms)));
    html! {
        <tr aria-selected={on.to_string()}>
            <td class="num soft" title={since}>{ time(if e.last_ms > now { e.time_ms } else { e.last_ms.max(e.time_ms) }) }</td>
            <td class={classes!("nw", crate::ui::Mark::from(e.fate).class())}>{ mark(e.fate) }{ " " }{ &e.verb }</td>
            <td>{ who }</td><td>{ node }</td>
            <td class="w" title={rich::plain(&e.why)}>{ rich::rich(&e.why) }</td>
            if yarn { <td class="hide-m dim words" title={e.yarn.clone()}><code>{ &e.yarn }</code></td> }
            <td class="num dim">{ times }</td>
        </tr>
    }
}
