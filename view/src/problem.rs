//! What is wrong with a text, where, and how to mend it. User text never makes the core panic; it gives these.

use serde::{Deserialize, Serialize};
use std::fmt;

/// How bad a [`Problem`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is lost.
    Note,
    /// Accepted, but probably not what was meant.
    Warning,
    /// Refused.
    Error,
}

/// A stretch of a text in bytes, `start` inclusive, `end` exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// From `start` to `end`.
    pub fn new(start: usize, end: usize) -> Self {
        Span { start, end }
    }

    /// The same stretch, `by` bytes further on: for a text inside another one.
    pub fn shift(self, by: usize) -> Self {
        Span { start: self.start + by, end: self.end + by }
    }

    /// Line and column of the start, both from 1; columns count characters.
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

/// One thing that is wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// Which input: a file's name such as `capacity-scheduler.xml`, `scenario`, `placement spec`, `link`.
    pub source: String,
    /// Where in the input's text, when it can be said.
    pub span: Option<Span>,
    /// Line and column of its start, both from 1, where it was [`placed`](Problem::placed).
    pub place: Option<(usize, usize)>,
    /// What is so, with the numbers. One sentence.
    pub what: String,
    /// The one thing to do about it. One sentence, empty when there is none.
    pub mend: String,
    /// What to put in place of `span`, when the mend is mechanical: offered as a button.
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

    /// Something that is refused.
    pub fn error(source: &str, span: impl Into<Option<Span>>, what: impl Into<String>) -> Self {
        Self::new(Severity::Error, source, span, what)
    }

    /// Something accepted that is probably not meant.
    pub fn warning(source: &str, span: impl Into<Option<Span>>, what: impl Into<String>) -> Self {
        Self::new(Severity::Warning, source, span, what)
    }

    /// Something worth knowing.
    pub fn note(source: &str, span: impl Into<Option<Span>>, what: impl Into<String>) -> Self {
        Self::new(Severity::Note, source, span, what)
    }

    /// With the one thing to do.
    pub fn mend(mut self, mend: impl Into<String>) -> Self {
        self.mend = mend.into();
        self
    }

    /// With a text to put in place of the span.
    pub fn fix(mut self, text: impl Into<String>) -> Self {
        self.fix = Some(text.into());
        self
    }

    /// With its line and column in the text that it was found in, for somebody who has not got the text.
    pub fn placed(mut self, text: &str) -> Self {
        self.place = self.span.map(|span| span.line_col(text));
        self
    }

    /// `source:line:column: error: what. mend` for a terminal; the text is the input that the span points into.
    pub fn render(&self, text: &str) -> String {
        let place = match self.span {
            Some(span) => {
                let (line, col) = span.line_col(text);
                format!("{}:{line}:{col}", self.source)
            }
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
}
