//! An application whose allocate calls are written out: its scheduling requests, each with its constraint as a form.

use super::Editor;
use super::constraint;
use super::field::field;
use crate::edits::{self, Key};
use heddle_core::scenario::{App, Call};
use yew::prelude::*;

/// The calls of an application.
pub fn calls(e: &Editor<'_>, app: &App, calls: &[Call]) -> Html {
    let i = app.entry;
    // The calls are sorted by time when read; a form needs them as written.
    let as_written = calls.windows(2).all(|w| w[0].span.start < w[1].span.start);
    if !as_written {
        return html! { <p class="eyebrow">{ format!("{} allocate calls, not written in the order of their times: change them in the text", calls.len()) }</p> };
    }
    html! {
        <>
            { for calls.iter().enumerate().map(|(c, call)| {
                let path = move |key: &str| vec![Key::from("apps"), i.into(), "calls".into(), c.into(), key.into()];
                let at = path("at");
                let add_to = path("scheduling");
                let next = call.scheduling.iter().map(|s| s.allocation_request_id).max().unwrap_or(0) + 1;
                let add = e.press(&format!("add a request to {}", app.name), move |t| {
                    heddle_core::scenario::edit::append(t, &add_to, &format!("{{ id = {next}, tags = [\"tag\"], count = 1, size = \"1 GB/1\" }}"))
                });
                html! {
                    <div key={c}>
                        <div class="sub"><h3 class="h3">{ format!("Call {}", c + 1) }</h3>
                            if !call.asks.is_empty() { <span class="eyebrow">{ format!("{} ordinary requests, in the text", call.asks.len()) }</span> }</div>
                        <div class="fields">{ field(&format!("a{i}c{c}"), "at", e.written.text(&at), "0 s", e.edit("time of a call", {
                            let at = at.clone();
                            move |t, typed| edits::put_text(t, &at, typed)
                        })) }</div>
                        { for (0..call.scheduling.len()).map(|s| request(e, app, call, c, s)) }
                        <button type="button" class="btn edge sm" onclick={add}>{ "+ Request" }</button>
                    </div>
                }
            }) }
        </>
    }
}

fn request(e: &Editor<'_>, app: &App, call: &Call, c: usize, s: usize) -> Html {
    let i = app.entry;
    let ask = &call.scheduling[s];
    let entry = vec![Key::from("apps"), i.into(), "calls".into(), c.into(), "scheduling".into(), s.into()];
    let path = |key: &str| {
        let mut path = entry.clone();
        path.push(key.into());
        path
    };
    let what = |key: &str| format!("{key} of request {} of {}", ask.allocation_request_id, app.name);
    let text = |key: &str| e.written.text(&path(key));
    let put = |key: &str, f: fn(&str, &[Key], &str) -> Result<String, String>| {
        let path = path(key);
        e.edit(&what(key), move |t, typed| f(t, &path, typed))
    };
    let id = |k: &str| format!("a{i}c{c}s{s}{k}");
    let remove = {
        let entry = entry.clone();
        e.press(&what("removal"), move |t| heddle_core::scenario::edit::take_away(t, &entry))
    };
    let tree = ask.constraint.as_ref().and_then(|c| c.tree.as_ref());
    html! {
        <fieldset class="group" key={s}>
            <div class="sub"><span class="eyebrow">{ format!("request {}", ask.allocation_request_id) }</span>
                <button type="button" class="x" aria-label={format!("Remove request {}", ask.allocation_request_id)} onclick={remove}>{ "✕" }</button></div>
            <div class="fields">
                { field(&id("t"), "tags", text("tags"), "none", put("tags", edits::put_list)) }
                { field(&id("n"), "count", text("count"), "1", put("count", edits::put)) }
                { field(&id("z"), "size", text("size"), "1 GB/1", put("size", edits::put_text)) }
                { field(&id("d"), "lasts", text("duration"), "for ever", put("duration", edits::put_text)) }
                { field(&id("p"), "priority", text("priority"), "0", put("priority", edits::put)) }
                { field(&id("i"), "id", text("id"), "0", put("id", edits::put)) }
            </div>
            { constraint::form(e, path("constraint"), tree, ask.tags.first().map(String::as_str), &what("constraint")) }
        </fieldset>
    }
}

/// Turns a PlacementSpec into requests that this form can change.
pub fn from_spec(e: &Editor<'_>, app: &App) -> Html {
    let i = app.entry;
    let convert =
        e.press(&format!("requests of {}", app.name), move |t| heddle_core::scenario::edit::spec_as_requests(t, i));
    html! {
        <div class="row"><button type="button" class="btn edge sm" onclick={convert}>{ "Build with a form" }</button>
            <span class="eyebrow">{ "for what text cannot say" }</span></div>
    }
}
