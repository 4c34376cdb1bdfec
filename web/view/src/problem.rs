//! Problems of a text: what is wrong, where, and how to fix it. User input never makes the core panic; it yields these.

use crate::limits::PROBLEMS;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The severity of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Note,
    /// Accepted, but probably not as intended.
    Warning,
    /// Refused.
    Error,
}

/// A range of a text in bytes, `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// Creates a span from `start` to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// Returns the span moved by `by` bytes, for a text inside another one.
    pub fn shift(self, by: usize) -> Self {
        Span { start: self.start + by, end: self.end + by }
    }

    /// Returns the line and column of the start, both from 1; columns count characters.
    pub fn line_col(self, text: &str) -> (usize, usize) {
        let mut at = self.start.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let col = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, col)
    }
}

/// Computes lines and columns of many places in one text. Work is linear in its length if the places come in order.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    /// The latest place, and its line and column.
    at: usize,
    line: usize,
    column: usize,
}

impl<'t> Lines<'t> {
    /// Creates a counter for this text.
    pub fn of(text: &'t str) -> Self {
        Lines { text, at: 0, line: 1, column: 1 }
    }

    /// Returns the line and column of a span's start, like [`Span::line_col`].
    pub fn place(&mut self, span: Span) -> (usize, usize) {
        let mut to = span.start.min(self.text.len());
        while !self.text.is_char_boundary(to) {
            to -= 1;
        }
        if to < self.at {
            *self = Lines::of(self.text);
        }
        let between = &self.text[self.at..to];
        let breaks = between.bytes().filter(|b| *b == b'\n').count();
        let in_line = between.rsplit('\n').next().unwrap_or("").chars().count();
        self.column = if breaks > 0 { 1 + in_line } else { self.column + in_line };
        self.line += breaks;
        self.at = to;
        (self.line, self.column)
    }
}

/// Collects problems: keeps the first [`PROBLEMS`], errors before all others, and counts the rest.
#[derive(Clone, Debug, Default)]
pub struct CappedProblems {
    kept: Vec<Problem>,
    left_out: usize,
    /// The worst severity among the problems left out.
    worst: Option<Severity>,
}

impl CappedProblems {
    /// Adds a problem.
    pub fn add(&mut self, problem: Problem) {
        let mut out = problem;
        if self.kept.len() < PROBLEMS {
            return self.kept.push(out);
        }
        // An error displaces the last problem that is not an error.
        if out.severity == Severity::Error
            && let Some(place) = self.kept.iter().rposition(|p| p.severity < Severity::Error)
        {
            let less = self.kept.remove(place);
            self.kept.push(std::mem::replace(&mut out, less));
        }
        self.left_out += 1;
        self.worst = self.worst.max(Some(out.severity));
    }

    /// Returns the total number.
    pub fn count(&self) -> usize {
        self.kept.len() + self.left_out
    }

    /// Returns the kept problems, and one that gives the number of the others.
    pub fn into_list(self, source: &str) -> Vec<Problem> {
        let CappedProblems { kept: mut list, left_out, worst } = self;
        if let Some(worst) = worst {
            let are = if left_out == 1 { "is 1 more problem" } else { &format!("are {left_out} more problems") };
            list.push(Problem::new(worst, source, None, format!("There {are}, not listed.")));
        }
        list
    }
}

impl Extend<Problem> for CappedProblems {
    fn extend<I: IntoIterator<Item = Problem>>(&mut self, problems: I) {
        problems.into_iter().for_each(|p| self.add(p));
    }
}

/// A problem of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// The severity.
    pub severity: Severity,
    /// The input: a file's name such as `capacity-scheduler.xml`, `scenario`, `placement spec`, `link`.
    pub source: String,
    /// The place in the input's text, if known.
    pub span: Option<Span>,
    /// The line and column of its start, both from 1, if it was [`placed`](Problem::placed).
    pub place: Option<(usize, usize)>,
    /// The problem in one sentence, with figures.
    pub what: String,
    /// The fix in one sentence; empty if there is none.
    pub mend: String,
    /// The replacement for `span`, if the fix is mechanical: offered as a button.
    pub fix: Option<String>,
}

impl Problem {
    fn new(severity: Severity, source: &str, span: impl Into<Option<Span>>, what: impl Into<String>) -> Self {
        Problem {
            severity,
            source: source.into(),
            span: span.into(),
            place: None,
            what: what.into(),
            mend: String::new(),
            fix: None,
        }
    }

    /// Creates an error, which means that the input is refused.
    pub fn error(source: &str, span: impl Into<Option<Span>>, what: impl Into<String>) -> Self {
        Self::new(Severity::Error, source, span, what)
    }

    /// Creates a warning: the input is accepted, but probably not as intended.
    pub fn warning(source: &str, span: impl Into<Option<Span>>, what: impl Into<String>) -> Self {
        Self::new(Severity::Warning, source, span, what)
    }

    /// Creates a note.
    pub fn note(source: &str, span: impl Into<Option<Span>>, what: impl Into<String>) -> Self {
        Self::new(Severity::Note, source, span, what)
    }

    /// Adds the fix in words.
    pub fn mend(mut self, mend: impl Into<String>) -> Self {
        self.mend = mend.into();
        self
    }

    /// Adds a replacement for the span.
    pub fn fix(mut self, text: impl Into<String>) -> Self {
        self.fix = Some(text.into());
        self
    }

    /// Adds lines and columns in `text`, for recipients who do not have the text.
    pub fn placed(mut problems: Vec<Problem>, text: &str) -> Vec<Problem> {
        let mut order: Vec<(Span, usize)> = (0..).zip(&problems).filter_map(|(n, p)| Some((p.span?, n))).collect();
        order.sort_unstable();
        let mut lines = Lines::of(text);
        for (span, n) in order {
            problems[n].place = Some(lines.place(span));
        }
        problems
    }

    /// Formats the problem for a terminal: `source:line:column: error: what. mend`; `text` is the input that the span
    /// points into, and is not needed for a problem that is placed.
    pub fn render(&self, text: &str) -> String {
        let place = match self.place.or_else(|| Some(self.span?.line_col(text))) {
            Some((line, col)) => format!("{}:{line}:{col}", self.source),
            None => self.source.clone(),
        };
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let gap = if self.mend.is_empty() { "" } else { " " };
        format!("{place}: {severity}: {}{gap}{}", self.what, self.mend)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} {}", self.source, self.what, self.mend)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_counts_lines_and_characters_from_one() {
        let text = "a\nbä c";
        assert_eq!(Span::new(0, 1).line_col(text), (1, 1));
        assert_eq!(Span::new(5, 6).line_col(text), (2, 3));
        assert_eq!(Span::new(4, 6).line_col(text), (2, 2), "inside a character: its start");
        assert_eq!(Span::new(99, 99).line_col(text), (2, 5), "past the end: the end");
    }

    #[test]
    fn places_one_after_the_other_are_those_of_each_by_itself() {
        let text = "a\n\nbä c\r\nlast";
        let mut lines = Lines::of(text);
        for start in (0..=text.len() + 1).chain([3, 0, 9]) {
            let span = Span::new(start, start);
            assert_eq!(lines.place(span), span.line_col(text), "{start}");
        }
        let at = |start: usize| Problem::note("x", Span::new(start, start), "n");
        let placed = Problem::placed(vec![at(10), Problem::note("x", None, "n"), at(0)], text);
        assert_eq!(placed.iter().map(|p| p.place).collect::<Vec<_>>(), [Some((4, 1)), None, Some((1, 1))]);
    }

    #[test]
    fn of_many_problems_the_first_hundred_are_kept_and_errors_before_all_else() {
        let mut few = CappedProblems::default();
        few.extend((0..PROBLEMS).map(|n| Problem::warning("x", None, n.to_string())));
        few.add(Problem::error("x", None, "bad"));
        few.add(Problem::note("x", None, "n"));
        assert_eq!(few.count(), PROBLEMS + 2);
        let list = few.into_list("x");
        assert_eq!(list.len(), PROBLEMS + 1);
        assert_eq!((list[0].what.as_str(), list[PROBLEMS - 1].what.as_str()), ("0", "bad"));
        let last = &list[PROBLEMS];
        assert_eq!((last.severity, last.what.as_str()), (Severity::Warning, "There are 2 more problems, not listed."));
        let mut few = CappedProblems::default();
        few.extend((0..=PROBLEMS).map(|_| Problem::error("x", None, "bad")));
        assert_eq!(few.into_list("x").last().map(|p| p.severity), Some(Severity::Error));
    }
}
