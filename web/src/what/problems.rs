//! What is wrong with a text: position, what is so, the one thing to do, and a button where that is mechanical.

use super::Editor;
use super::code::Stretch;
use crate::store::{Go, Msg, WhatTab};
use crate::ui::{mark, rich};
use heddle_view::Fate;
use heddle_view::{Problem, Severity};
use std::rc::Rc;
use yew::prelude::*;

/// Problems that are listed.
const SHOWN: usize = 60;

/// Wavy lines under the problems of a text that stands at `from..to` of the one they were found in.
pub fn marks(problems: &[Problem], from: usize, to: usize) -> Vec<Stretch> {
    let mut out: Vec<Stretch> = problems
        .iter()
        .filter(|p| p.severity != Severity::Note)
        .filter_map(|p| Some((p.span?, p.severity)))
        .filter(|(s, _)| s.start >= from && s.start <= to)
        .map(|(s, severity)| Stretch {
            start: s.start - from,
            // A place of no length still has to be seen.
            end: s.end.max(s.start + 1).min(to) - from,
            class: if severity == Severity::Error { "squig" } else { "squig warn" },
            number: None,
        })
        .collect();
    heddle_core::model::order::sort_by_key(&mut out, |s| s.start);
    // Across each other they could not be drawn.
    let mut end = 0;
    out.retain(|s| {
        let keep = s.start >= end;
        if keep {
            end = s.end;
        }
        keep
    });
    out
}

/// What the fix button does: the new text.
pub type Fix = Rc<dyn Fn(&Problem) -> Option<Msg>>;

/// The problems of the scenario's text, with fixes.
pub fn of_doc(editor: &Editor<'_>) -> Html {
    let doc = &editor.props.doc;
    let view = &editor.props.view;
    // What the form says at its place is not said again.
    let form = view.what == WhatTab::Apps && !view.as_text;
    let shown = super::apps::chosen(editor).filter(|_| form);
    let problems: Vec<Problem> =
        doc.problems.iter().filter(|p| !shown.is_some_and(|a| super::spec::tells(editor, a, p))).cloned().collect();
    let text = doc.text.clone();
    let fix: Fix = Rc::new(move |p| {
        let (span, new) = (p.span?, p.fix.as_ref()?);
        let (before, after) = (text.get(..span.start)?, text.get(span.end..)?);
        Some(Msg::Edit { text: format!("{before}{new}{after}"), what: "fix".into() })
    });
    html! {
        <>
            { list("scenario", &problems, &doc.text, Some(&fix), &editor.props.go) }
            if doc.stale() { <p class="eyebrow" role="status">{ "Running: the last scenario without an error." }</p> }
        </>
    }
}

/// A list of problems; `of` says of what, for those who do not see where it stands.
pub fn list(of: &str, problems: &[Problem], text: &str, fix: Option<&Fix>, go: &Go) -> Html {
    if problems.is_empty() {
        return html! {};
    }
    let mut sorted: Vec<&Problem> = problems.iter().collect();
    heddle_core::model::order::sort_by_key(&mut sorted, |p| std::cmp::Reverse(p.severity));
    let rest = sorted.len().saturating_sub(SHOWN);
    html! {
        <div class="problems" role="region" aria-label={format!("Problems of the {of}")} tabindex="0">
            { for sorted.into_iter().take(SHOWN).map(|p| one(p, text, fix, go)) }
            if rest > 0 { <p class="eyebrow">{ format!("and {rest} more") }</p> }
        </div>
    }
}

/// One problem.
pub fn one(p: &Problem, text: &str, fix: Option<&Fix>, go: &Go) -> Html {
    let shape = match p.severity {
        Severity::Error => mark(Fate::Rejected),
        Severity::Warning => mark(Fate::Waiting),
        Severity::Note => mark(crate::ui::Mark::Outside),
    };
    let word = match p.severity {
        Severity::Error => "error: ",
        Severity::Warning => "warning: ",
        Severity::Note => "note: ",
    };
    let place = p.place.or_else(|| p.span.map(|s| s.line_col(text)));
    let place = place.map(|(line, col)| format!("Line {line}, column {col}: "));
    let button = fix.filter(|_| p.fix.is_some()).map(|f| {
        let (f, p, go) = (f.clone(), p.clone(), go.clone());
        let new = p.fix.clone().unwrap_or_default();
        let label = if new.is_empty() { "Take it out".to_owned() } else { format!("Replace with {new}") };
        html! { <div class="fixes"><button type="button" class="btn edge sm" onclick={move |_| if let Some(msg) = f(&p) { go.emit(msg) }}>{ label }</button></div> }
    });
    html! {
        <div class="msg">{ shape }<div><span class="vh">{ word }</span><b>{ place }{ rich::rich(&p.what) }</b>
            if !p.mend.is_empty() { <div class="mend">{ rich::rich(&p.mend) }</div> }{ for button }</div></div>
    }
}
