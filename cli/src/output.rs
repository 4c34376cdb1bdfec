//! Standard output that ends quietly when its reader is gone (`heddle run … | head`).

use crate::input::ProblemRow;
use heddle_core::model::names;
use heddle_view::bidi;
use serde::Serialize;
use std::io::{self, BufWriter, ErrorKind, StdoutLock, Write};

/// The reason why a command ends early.
pub enum EarlyEnd {
    /// The reader of standard output is gone.
    PipeClosed,
    /// The command line or an input is wrong; the message goes to standard error, and the status is 2.
    Told(String),
    /// An input has problems, given as a message and individually for `--json`.
    Wrong(String, Vec<ProblemRow>),
}

/// The output of `--json` when a command ends early.
#[derive(Serialize)]
pub struct Failure<'a> {
    pub error: &'a str,
    pub problems: Vec<ProblemRow>,
}

impl From<io::Error> for EarlyEnd {
    fn from(e: io::Error) -> Self {
        if e.kind() == ErrorKind::BrokenPipe {
            EarlyEnd::PipeClosed
        } else {
            EarlyEnd::Told(format!("standard output: {e}"))
        }
    }
}

/// Writes a line to standard error, and ignores failures. Characters that would reverse the line, or that are invisible,
/// are escaped, since they may come from other people's files.
pub fn warn(line: &str) {
    let mut shown = String::with_capacity(line.len());
    for c in line.chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            c if names::hidden(c).is_some() => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    let _ = writeln!(io::stderr().lock(), "{shown}");
}

/// Standard output.
pub struct Output(BufWriter<StdoutLock<'static>>);

impl Output {
    pub fn new() -> Self {
        Output(BufWriter::new(io::stdout().lock()))
    }

    /// Writes a text as it is.
    pub fn text(&mut self, text: &str) -> Result<(), EarlyEnd> {
        Ok(self.0.write_all(text.as_bytes())?)
    }

    /// Writes a line of words, with right-to-left names isolated.
    pub fn line(&mut self, line: &str) -> Result<(), EarlyEnd> {
        self.text(&bidi::isolated(line))?;
        self.text("\n")
    }

    /// Writes a JSON document on lines of its own.
    pub fn json<T: Serialize>(&mut self, value: &T) -> Result<(), EarlyEnd> {
        let text = serde_json::to_string_pretty(value).map_err(|e| EarlyEnd::Told(format!("JSON: {e}")))?;
        self.text(&text)?;
        self.text("\n")
    }

    /// Flushes the output.
    pub fn finish(&mut self) -> Result<(), EarlyEnd> {
        Ok(self.0.flush()?)
    }
}
