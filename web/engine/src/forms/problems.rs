//! The problems of a text: where, what, the one thing to do, and a button if that can be done automatically.

use super::make;
use crate::edits::FormText;
use crate::path;
use heddle_core::model::order;
use heddle_view::form::{CodeSpan, Field, Ink, Part, ProblemLine};
use heddle_view::{Change, Fixed, Problem, Severity};

/// The most problems listed.
const SHOWN: usize = 60;

/// Returns wavy lines under the problems of a text.
pub fn marks(problems: &[Problem], text: &str) -> Vec<CodeSpan> {
    let mut out: Vec<CodeSpan> = problems
        .iter()
        .filter(|p| p.severity != Severity::Note)
        .filter_map(|p| Some((p.span?, p.severity)))
        .filter(|(s, _)| s.start <= text.len())
        .map(|(s, severity)| CodeSpan {
            start: s.start,
            // An empty place must still be visible.
            end: s.end.max(s.start + 1).min(text.len()),
            kind: if severity == Severity::Error { Ink::Error } else { Ink::Warning },
            number: None,
        })
        .collect();
    order::sort_by_key(&mut out, |s| s.start);
    // Overlapping lines cannot be drawn.
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

/// Returns the problems of a text, the worst first; `of` names the text, `mend` says what their buttons change and what that
/// is called.
pub fn list(of: &str, problems: &[Problem], text: &str, mend: Option<&(Fixed, &str)>) -> Option<Part> {
    if problems.is_empty() {
        return None;
    }
    let mut sorted: Vec<&Problem> = problems.iter().collect();
    order::sort_by_key(&mut sorted, |p| std::cmp::Reverse(p.severity));
    let more = sorted.len().saturating_sub(SHOWN);
    let shown = sorted.into_iter().take(SHOWN).cloned().collect();
    // The text of a large file is gone; its problems have their places.
    let placed = if text.is_empty() { shown } else { Problem::placed(shown, text) };
    let list = placed.iter().map(|p| line(p, text, mend)).collect();
    Some(Part::Problems { of: of.to_owned(), list, more })
}

/// Marks fields with wrong values and adds the reasons below them. Returns the problems that are not shown yet.
pub fn at_fields(written: &FormText, parts: &mut Vec<Part>, mut list: Vec<Problem>, text: &str) -> Vec<Problem> {
    let mut at = 0;
    while at < parts.len() && list.iter().any(|p| p.severity == Severity::Error) {
        let told = match &mut parts[at] {
            Part::Fields(fields) => of_fields(written, fields, &mut list, text),
            Part::Group { head, parts, .. } => {
                let head = head.as_mut().map(|h| h.name.iter_mut().chain(&mut h.fields));
                let told = head.and_then(|fields| of_fields(written, fields, &mut list, text));
                list = at_fields(written, parts, list, text);
                parts.splice(0..0, told);
                None
            }
            Part::Details { parts, .. } => {
                list = at_fields(written, parts, list, text);
                None
            }
            _ => None,
        };
        at += 1;
        if let Some(told) = told {
            parts.insert(at, told);
            at += 1;
        }
    }
    list
}

/// Adds the errors in the values of some fields.
fn of_fields<'f>(
    written: &FormText,
    fields: impl IntoIterator<Item = &'f mut Field>,
    list: &mut Vec<Problem>,
    text: &str,
) -> Option<Part> {
    let (mut of, mut here) = (String::new(), Vec::new());
    for field in fields {
        let place = match &field.edit.change {
            Change::Put { path, .. } => written.span(path),
            Change::Racks { entry } => {
                ["racks", "rack"].iter().find_map(|key| written.span(&path!["nodes", *entry, *key]))
            }
            _ => None,
        };
        let Some(place) = place else { continue };
        let wrong = |p: &Problem| {
            let inside = p.span.is_some_and(|s| place.start <= s.start && s.end <= place.end);
            inside && p.severity == Severity::Error
        };
        field.invalid = list.iter().any(wrong);
        if field.invalid {
            // Ids contain no blanks.
            of = field.label.replace(' ', "-");
            let (told, rest): (Vec<_>, _) = std::mem::take(list).into_iter().partition(wrong);
            *list = rest;
            let words: String = told.iter().map(|p| format!("{} {} ", p.what, p.mend)).collect();
            words.trim_end().clone_into(&mut field.title);
            here.extend(told);
        }
    }
    self::list(&of, &here, text, Some(&(Fixed::Document, "fix")))
}

fn line(p: &Problem, text: &str, mend: Option<&(Fixed, &str)>) -> ProblemLine {
    let fix = mend.zip(p.span).zip(p.fix.as_ref()).map(|(((of, what), span), new)| {
        let was = text.get(span.start..span.end).unwrap_or_default().to_owned();
        let label = if new.is_empty() { "Take it out".to_owned() } else { format!("Replace with {new}") };
        make::button(&label, make::edit(*what, Change::Fix { of: of.clone(), span, was, new: new.clone() }))
    });
    ProblemLine { severity: p.severity, place: p.place, what: p.what.clone(), mend: p.mend.clone(), fix }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_view::Span;

    #[test]
    fn the_worst_stands_first_with_its_place_and_its_button() {
        let text = "a\nbad here";
        let note = Problem::note("x", None, "n");
        let error = Problem::error("x", Span::new(2, 5), "e").mend("m").fix("good");
        let list = list("file", &[note, error], text, Some(&(Fixed::Document, "fix")));
        let Some(Part::Problems { list, more: 0, .. }) = list else { panic!("{list:?}") };
        assert_eq!((list[0].severity, list[0].place, list[1].place), (Severity::Error, Some((2, 1)), None));
        let fix = list[0].fix.as_ref().unwrap();
        assert_eq!(fix.text, "Replace with good");
        assert!(matches!(&fix.edit.change, Change::Fix { was, new, .. } if was == "bad" && new == "good"));
        assert!(list[1].fix.is_none());
    }

    #[test]
    fn stretches_do_not_cross_and_can_be_seen() {
        let at = |start, end| Problem::error("x", Span::new(start, end), "e");
        let note = Problem::note("x", Span::new(0, 9), "n");
        let marks = marks(&[at(4, 6), at(1, 1), note, at(5, 9), at(7, 99)], "0123456789");
        assert_eq!(marks.iter().map(|m| (m.start, m.end)).collect::<Vec<_>>(), [(1, 2), (4, 6), (7, 10)]);
    }
}
