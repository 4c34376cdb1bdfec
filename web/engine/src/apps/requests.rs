//! Applications with hand-written allocate calls: the scheduling requests, each with its constraint as a form.

use super::KindForm;
use crate::forms::Editor;
use crate::forms::constraint;
use crate::forms::make::{self, cross, field, put, remove, small};
use crate::path;
use heddle_core::scenario::{App, Call};
use heddle_view::form::{GroupShape, Head, Part};
use heddle_view::{Change, How, Step};
use toml_edit::Value;

pub struct Requests;

impl KindForm for Requests {
    fn button(&self) -> &'static str {
        "+ Requests"
    }

    fn stem(&self) -> &'static str {
        "tagged"
    }

    fn entry(&self, name: &str, queue: &Value) -> String {
        format!(
            "{{ name = \"{name}\", kind = \"requests\", queue = {queue}, user = \"user\", calls = [{{ scheduling = [{{ id = 1, tags = [\"{name}\"], count = 2, size = \"1 GB/1\", constraint = \"NOTIN,NODE,{name}\" }}] }}] }}"
        )
    }

    fn is_constrained(&self) -> bool {
        true
    }

    fn parts(&self, e: &Editor<'_>, app: &App) -> Vec<Part> {
        calls(e, app, app.kind.calls())
    }
}

/// Returns the application's calls.
fn calls(e: &Editor<'_>, app: &App, calls: &[Call]) -> Vec<Part> {
    // Reading sorts the calls by time; a form needs the order in the text.
    let as_written = calls.windows(2).all(|w| w[0].span.start < w[1].span.start);
    if !as_written {
        let n = calls.len();
        return vec![small(format!(
            "{n} allocate calls, not written in the order of their times: change them in the text"
        ))];
    }
    calls.iter().enumerate().map(|(c, call)| of_call(e, app, c, call)).collect()
}

fn of_call(e: &Editor<'_>, app: &App, c: usize, call: &Call) -> Part {
    let i = app.entry;
    let ordinary = call.asks.len();
    let head = Head {
        title: format!("Call {}", c + 1),
        note: if ordinary > 0 { format!("{ordinary} ordinary requests, in the text") } else { String::new() },
        ..Head::default()
    };
    let at = path!["apps", i, "calls", c, "at"];
    let at = field(&format!("a{i}c{c}"), "at", e.written.text(&at), "0 s", put("time of a call", &at, How::Text));
    let next = call.scheduling.iter().map(|s| s.allocation_request_id).max().unwrap_or(0) + 1;
    let add = Change::Append {
        list: path!["apps", i, "calls", c, "scheduling"].to_vec(),
        entry: format!("{{ id = {next}, tags = [\"tag\"], count = 1, size = \"1 GB/1\" }}"),
    };
    let mut parts = vec![Part::Fields(vec![at])];
    parts.extend((0..call.scheduling.len()).map(|s| request(e, app, call, c, s)));
    parts.push(Part::Button(make::button("+ Request", make::edit(format!("add a request to {}", app.name), add))));
    make::group(c.to_string(), GroupShape::Plain, Some(head), parts)
}

fn request(e: &Editor<'_>, app: &App, call: &Call, c: usize, s: usize) -> Part {
    let i = app.entry;
    let ask = &call.scheduling[s];
    let id = ask.allocation_request_id;
    let path = |key: &str| -> Vec<Step> { path!["apps", i, "calls", c, "scheduling", s, key].to_vec() };
    let what = |key: &str| format!("{key} of request {id} of {}", app.name);
    let of = |k: &str, label: &str, key: &str, hint: &str, how: How| {
        let path = path(key);
        field(&format!("a{i}c{c}s{s}{k}"), label, e.written.value(&path, how), hint, put(what(key), &path, how))
    };
    let entry = path!["apps", i, "calls", c, "scheduling", s];
    let head = Head {
        note: format!("request {id}"),
        button: Some(cross(format!("Remove request {id}"), remove(what("removal"), &entry))),
        ..Head::default()
    };
    let fields = vec![
        of("t", "tags", "tags", "none", How::List),
        of("n", "count", "count", "1", How::Typed),
        of("z", "size", "size", "1 GB/1", How::Size),
        of("d", "lasts", "duration", "for ever", How::Text),
        of("p", "priority", "priority", "0", How::Typed),
        of("i", "id", "id", "0", How::Typed),
    ];
    let tree = ask.constraint.as_ref().and_then(|c| c.tree.as_ref());
    let own = ask.tags.first().map(String::as_str);
    let built = constraint::form(path("constraint"), tree, own, what("constraint"));
    make::group(s.to_string(), GroupShape::Frame, Some(head), vec![Part::Fields(fields), built])
}
