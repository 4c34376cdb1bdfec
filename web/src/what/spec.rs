//! The PlacementSpec: text with numbered, underlined clauses; its errors with a caret; each clause read back in English
//! with the count of nodes that stop at it.

use super::Editor;
use super::code::{Code, Stretch};
use super::field::choice;
use super::problems::{self, Fix};
use crate::edits;
use crate::path;
use crate::store::Msg;
use heddle_core::constraint::{self, spec::Spec};
use heddle_core::scenario::edit::Setting;
use heddle_core::scenario::{App, AppKind, ConstraintText};
use heddle_view::Problem;
use heddle_view::Selection;
use std::rc::Rc;
use yew::prelude::*;

/// The handlers and what each does with a request that has a constraint.
const HANDLERS: [(&str, &str); 3] = [
    ("disabled", "every call with such a request is refused"),
    ("scheduler", "the CapacityScheduler places them one by one; what fits nowhere waits"),
    ("placement-processor", "placed in batches before the scheduler; what fits nowhere is rejected"),
];

/// Words of the grammar.
const WORDS: [&str; 8] = ["NOTIN", "IN", "CARDINALITY", "AND", "OR", "NODE", "RACK", "DELAYED_OR"];

/// The editor of one application's spec.
pub fn editor(e: &Editor<'_>, app: &App, spec: Option<&ConstraintText>) -> Html {
    let i = app.entry;
    let text: Rc<str> = e.written.text(path!["apps", i, "spec"]).into();
    let read = (!text.trim().is_empty()).then(|| constraint::spec::parse_spec(&text));
    let on = e.edit(&format!("spec of {}", app.name), move |t, typed| {
        if typed.trim().is_empty() {
            edits::remove(t, path!["apps", i, "spec"])
        } else {
            edits::set(t, path!["apps", i, "spec"], Setting::Text(typed.to_owned()))
        }
    });
    let handler = e
        .props
        .doc
        .scenario
        .as_ref()
        .and_then(|s| s.settings.yarn_site.get("yarn.resourcemanager.placement-constraints.handler").cloned())
        .unwrap_or_else(|| "disabled".into());
    let mut handlers: Vec<(&str, &str)> = HANDLERS.map(|(name, _)| (name, name)).to_vec();
    if handlers.iter().all(|(name, _)| *name != handler) {
        handlers.push((&handler, &handler));
    }
    let to = e.edit("handler of constraints", |t, typed| {
        edits::put_property(t, "yarn-site", "yarn.resourcemanager.placement-constraints.handler", typed)
    });
    let (marks, problems): (Vec<Stretch>, Vec<Problem>) = match &read {
        Some(Ok(read)) => (clauses(e, app, read, &text), told(e, spec, read)),
        Some(Err(error)) => {
            let problem = vec![error.problem.clone()];
            (problems::marks(&problem, 0, text.len()), problem)
        }
        None => (vec![], vec![]),
    };
    let bad = matches!(read, Some(Err(_)));
    let tagged = matches!(&read, Some(Ok(read)) if read.entries.iter().any(|entry| entry.source.is_some()));
    let ignored = tagged && !e.written.text(path!["apps", i, "containers"]).is_empty();
    let fix: Fix = {
        let (text, document) = (text.clone(), e.props.doc.text.clone());
        Rc::new(move |p| {
            let (span, new) = (p.span?, p.fix.as_ref()?);
            let fixed = format!("{}{new}{}", text.get(..span.start)?, text.get(span.end..)?);
            let text = edits::set(&document, path!["apps", i, "spec"], Setting::Text(fixed)).ok()?;
            Some(Msg::Edit { text, what: "fix of the spec".into() })
        })
    };
    html! {
        <div>
            <div class="sub"><h3 class="h3">{ "PlacementSpec" }</h3></div>
            <div class="fields">{ choice(&format!("a{i}h"), "handler", &handler, &handlers, to) }</div>
            <p class="eyebrow">{ HANDLERS.iter().find(|(name, _)| *name == handler).map_or("an unknown name: no handler, such requests reach the scheduler", |h| h.1) }</p>
            <Code label={format!("PlacementSpec of {}", app.name)} {text} {marks} fit={true} error={bad} {on}/>
            if let Some(Err(error)) = &read {
                { caret(error.problem.span, &e.written.text(path!["apps", i, "spec"])) }
            }
            { problems::list("PlacementSpec", &problems, &e.written.text(path!["apps", i, "spec"]), Some(&fix), &e.props.go) }
            if bad { <p class="eyebrow">{ "Running: the last good spec." }</p> }
            if let Some(Ok(spec)) = &read {
                if ignored { <p class="eyebrow">{ "containers (-num_containers) is ignored: the spec says how many of each tag" }</p> }
                { reads(e, app, spec) }
                { super::requests::from_spec(e, app) }
            }
        </div>
    }
}

/// The line of the error with a caret under the character.
fn caret(span: Option<heddle_view::Span>, text: &str) -> Html {
    let Some(span) = span else { return html! {} };
    let (line, col) = span.line_col(text);
    let shown = text.lines().nth(line - 1).unwrap_or_default();
    // Long lines: only the neighbourhood.
    let from = col.saturating_sub(30);
    let near: String = shown.chars().skip(from).take(40).collect();
    let blanks = " ".repeat((col - 1).saturating_sub(from));
    html! { <pre class="caret mono" aria-hidden="true">{ format!("{near}\n{blanks}") }<b>{ "^" }</b></pre> }
}

fn within(p: &Problem, place: heddle_view::Span) -> bool {
    p.span.is_some_and(|s| place.start <= s.start && s.end <= place.end)
}

/// Is this problem told at the spec of the application that the form shows, and need not be told again under it?
pub fn tells(e: &Editor<'_>, app: &App, p: &Problem) -> bool {
    let AppKind::DistributedShell(shell) = &app.kind else { return false };
    let text = &e.props.doc.text;
    // One with an error is not the one that runs: what it says is known by its words.
    let typed = e.written.text(path!["apps", app.entry, "spec"]);
    if let Some(Err(error)) = (!typed.trim().is_empty()).then(|| constraint::spec::parse_spec(&typed)) {
        return p.what == error.problem.what;
    }
    shell
        .spec
        .as_ref()
        .is_some_and(|w| text.get(w.span.start..w.span.end) == Some(w.text.as_str()) && within(p, w.span))
}

/// What is said of a spec that YARN accepts: the document's problems at its place, which hold the proofs that something
/// can never be placed; of a spec that is not yet read with the document, its own.
fn told(e: &Editor<'_>, written: Option<&ConstraintText>, read: &Spec) -> Vec<Problem> {
    let doc = &e.props.doc;
    let place = written.map(|w| w.span).filter(|s| doc.text.get(s.start..s.end) == written.map(|w| w.text.as_str()));
    let Some(place) = place else { return read.warnings.clone() };
    let inside = |p: &&Problem| within(p, place);
    let here = |p: &Problem| {
        let span = p.span.map(|s| heddle_view::Span::new(s.start - place.start, s.end - place.start));
        Problem { span, ..p.clone() }
    };
    doc.problems.iter().filter(inside).map(here).collect()
}

/// Requests of this application in the answer, to know which nodes stop at which clause.
fn stopped(e: &Editor<'_>, app: &App, clause: usize) -> usize {
    let Some(why) = &e.props.answers.frame.why else { return 0 };
    let mine = matches!(&why.about, Some(Selection::Request { app: a, .. } | Selection::Clause { app: a, .. }) if *a == app.name);
    if !mine {
        return 0;
    }
    let column = why.matrix.checks.iter().position(|c| c.clause == Some(clause));
    why.buckets.iter().filter(|b| b.check.is_some() && b.check == column).map(|b| b.count).sum()
}

fn clauses(e: &Editor<'_>, app: &App, spec: &Spec, text: &str) -> Vec<Stretch> {
    let mut out = Vec::new();
    for entry in &spec.entries {
        if let Some(source) = &entry.source {
            out.push(Stretch { start: source.span.start, end: source.span.end, class: "tag", number: None });
        }
    }
    for clause in &spec.clauses {
        let class = if stopped(e, app, clause.number) > 0 { "cl bad" } else { "cl" };
        out.push(Stretch { start: clause.span.start, end: clause.span.end, class, number: Some(clause.number) });
    }
    // Words of the grammar, in clauses and around them.
    let mut at = 0;
    for word in text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
        let start = text[at..].find(word).map_or(at, |o| at + o);
        if WORDS.iter().any(|w| w.eq_ignore_ascii_case(word)) {
            out.push(Stretch { start, end: start + word.len(), class: "kw", number: None });
        }
        at = start + word.len();
    }
    out
}

/// Each clause in English, with the nodes that stop at it.
fn reads(e: &Editor<'_>, app: &App, spec: &Spec) -> Html {
    let about = match &e.props.answers.frame.why.as_ref().and_then(|w| w.about.clone()) {
        Some(Selection::Request { app: a, key } | Selection::Clause { app: a, key, .. }) if *a == app.name => {
            Some(key.clone())
        }
        _ => None,
    };
    let several = spec.entries.len() > 1;
    html! {
        <ul class="reads" aria-label="Read back">
            { for spec.entries.iter().map(|entry| {
                let containers = match &entry.source {
                    Some(s) => format!("{} container{} tagged {}", s.count, if s.count == 1 { "" } else { "s" }, s.tag.trim()),
                    None => "containers".to_owned(),
                };
                html! {
                    <>
                        <li><span/><span>{ containers }</span><span/></li>
                        { for entry.constraint.iter().map(|c| {
                            let own = entry.source.as_ref().map(|s| s.tag.trim());
                            super::constraint::tree(c, own, &mut entry.clauses.start.clone(), 0, &|n, words| {
                                let stops = stopped(e, app, n);
                                let sel = about.as_ref().filter(|_| !several).map(|key| Selection::Clause { app: app.name.clone(), key: key.clone(), n }.to_string());
                                html! {
                                    <>
                                        <button type="button" data-sel={sel} aria-label={format!("clause {n}")}><span class="no">{ n }</span></button>
                                        <span>{ crate::ui::rich::rich(&words) }</span>
                                        <span class="blk">{ if stops > 0 { format!("{stops} node{}", if stops == 1 { "" } else { "s" }) } else { String::new() } }</span>
                                    </>
                                }
                            })
                        }) }
                    </>
                }
            }) }
        </ul>
    }
}
