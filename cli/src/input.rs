//! Reads inputs: files and standard input, within the core's limits. Prints problems as `file:line:column: …`.

use crate::output::{EarlyEnd, warn};
use encoding_rs::Encoding;
use heddle_core::model::{Problem, Severity, Span, limits};
use heddle_core::scenario::files::{TextPlace, WithFiles, put_in, says_nothing};
use heddle_core::scenario::settings_check::odd_settings;
use heddle_core::scenario::{Scenario, read};
use heddle_player::Player;
use heddle_view::{encoding, secrets};
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Component, Path};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// A text that was read.
pub struct Input {
    /// The name in messages.
    pub name: String,
    /// The text; a scenario includes the files that it names by path.
    pub text: String,
    /// The text as written, and the origins of the files put in, if it names any.
    written: Option<(String, WithFiles)>,
}

/// A problem in JSON.
#[derive(Serialize)]
pub struct ProblemRow {
    pub file: String,
    pub severity: Severity,
    pub line: usize,
    pub column: usize,
    pub what: String,
    pub mend: String,
}

/// Decodes bytes in the encoding that they declare, as Hadoop does, and drops a byte order mark. Errors: the bytes are not
/// text.
pub fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let text = in_encoding(bytes)?;
    Ok(text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text))
}

fn in_encoding(bytes: Vec<u8>) -> Result<String, String> {
    let Some(name) = encoding::declared(&bytes) else {
        return String::from_utf8(bytes).map_err(|e| {
            let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
            format!("is not a text in UTF-8 (line {line}), and declares no other encoding: save it in UTF-8, or say its encoding in the first line")
        });
    };
    if let Some(text) = encoding::simple(&name, &bytes) {
        return Ok(text);
    }
    let known = Encoding::for_label(name.as_bytes())
        .ok_or_else(|| format!("declares the encoding {name}, which is not known"))?;
    let (text, wrong) = known.decode_with_bom_removal(encoding::body(&bytes));
    if wrong { Err(format!("is not a text in {name}, which it declares")) } else { Ok(text.into_owned()) }
}

/// Reads a stream up to the maximum length of a text.
fn read_text(from: impl io::Read) -> Result<String, String> {
    let most = limits::TEXT_BYTES as u64;
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > most {
        return Err(format!("is longer than {} MB, which is all that can be read", most >> 20));
    }
    decode(bytes)
}

/// Masks the secrets of a text, and reports that: nothing that is printed, linked or saved from here on contains them.
pub fn masked_text(name: &str, text: String) -> String {
    let Some(masked) = secrets::mask(&text) else { return text };
    warn(&format!("{name}: {}", secrets::sentence(&masked.secrets)));
    masked.text
}

/// Reads a file that a scenario names, beside the scenario or in a folder below it: other people's scenarios must not read
/// any other file of this machine.
fn beside(scenario: &Path, path: &str) -> Result<String, String> {
    let instead = "Or put its text between two lines of '''.";
    if scenario.as_os_str() == "-" {
        return Err(format!(
            "`{path}` cannot be looked for: standard input has no folder. Give the scenario as a file. {instead}"
        ));
    }
    let folder = scenario.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let outside = || {
        format!("`{path}` is outside the scenario's folder, and only files in it are read: copy it there. {instead}")
    };
    let inside = Path::new(path).components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
    let there = folder.join(path);
    if !inside {
        return Err(outside());
    }
    let reason = |e: io::Error| {
        format!("`{path}` was looked for beside the scenario, at {}: {e}. Correct the path. {instead}", there.display())
    };
    let (home, real) = (folder.canonicalize().map_err(reason)?, there.canonicalize().map_err(reason)?);
    if !real.starts_with(home) {
        return Err(outside());
    }
    let text = File::open(&real).map_err(reason)?;
    let text = read_text(text).map_err(|why| format!("`{path}`, at {}: {why}. {instead}", there.display()))?;
    Ok(masked_text(path, text))
}

impl Input {
    /// Creates an input from a generated text, with its name in messages.
    pub fn of(name: String, text: String) -> Input {
        Input { name, text, written: None }
    }

    /// Reads a file, or standard input for `-`.
    pub fn read(path: &Path) -> Result<Input, EarlyEnd> {
        let is_stdin = path.as_os_str() == "-";
        let name = if is_stdin { "standard input".to_string() } else { path.display().to_string() };
        let told = |e: &dyn std::fmt::Display| EarlyEnd::Told(format!("{name}: {e}"));
        let text =
            if is_stdin { read_text(io::stdin().lock()) } else { read_text(File::open(path).map_err(|e| told(&e))?) };
        let text = text.map_err(|why| told(&why))?;
        if text.trim().is_empty() {
            return Err(told(&"is empty"));
        }
        let text = masked_text(&name, text);
        Ok(Input { name, text, written: None })
    }

    /// Reads a scenario, with the files that it names by path.
    pub fn read_scenario(path: &Path) -> Result<Input, EarlyEnd> {
        let mut input = Input::read(path)?;
        if says_nothing(&input.text) {
            return Err(EarlyEnd::Told(format!("{}: has only comments: there is no scenario in it", input.name)));
        }
        let files = put_in(&input.text, &mut |_, named| beside(path, named));
        if !files.missing.is_empty() {
            let problems = files.missing.into_iter().map(|(span, why)| Problem::error("scenario", span, why));
            let problems: Vec<Problem> = problems.collect();
            return input.tell(&problems, None);
        }
        if !files.taken.is_empty() {
            let written = std::mem::replace(&mut input.text, files.text.clone());
            input.written = Some((written, files));
        }
        Ok(input)
    }

    /// Returns where a place of the text was written: the file's name, its text, and the place in it.
    fn written(&self, span: Span) -> (&str, &str, Span) {
        match &self.written {
            None => (&self.name, &self.text, span),
            Some((text, files)) => match files.written(span) {
                TextPlace::Scenario(span) => (&self.name, text, span),
                TextPlace::File(taken, span) => (&taken.path, &taken.text, span),
            },
        }
    }

    /// Returns the line of a place in the given file.
    pub fn line(&self, span: Span) -> usize {
        let (_, text, span) = self.written(span);
        span.line_col(text).0
    }

    /// Returns a problem as a line.
    pub fn shown(&self, problem: &Problem) -> String {
        let (name, text, span) = match problem.span.map(|span| self.written(span)) {
            Some((name, text, span)) => (name, text, Some(span)),
            None => (self.name.as_str(), self.text.as_str(), None),
        };
        Problem { source: name.into(), span, ..problem.clone() }.render(text)
    }

    /// Returns a problem as a row.
    pub fn row(&self, p: &Problem) -> ProblemRow {
        let (file, (line, column)) = match p.span.map(|span| self.written(span)) {
            Some((name, text, span)) => (name, span.line_col(text)),
            None => (self.name.as_str(), (1, 1)),
        };
        let (what, mend) = (p.what.clone(), p.mend.clone());
        ProblemRow { file: file.into(), severity: p.severity, line, column, what, mend }
    }

    /// Returns problems as rows.
    pub fn rows(&self, problems: &[Problem]) -> Vec<ProblemRow> {
        problems.iter().map(|p| self.row(p)).collect()
    }

    /// Reads it as a scenario. Warnings and notes go to standard error; errors stop the command.
    pub fn scenario(&self) -> Result<Scenario, EarlyEnd> {
        let read = read(&self.text);
        self.tell(&read.problems, read.scenario)
    }

    /// Runs `work`, and prints a notice if it takes long.
    pub fn patiently<T>(&self, work: impl FnOnce() -> T) -> T {
        let say = || warn(&format!("{}: this run takes long to play. Ctrl+C ends it.", self.name));
        said_if_long(PATIENCE, say, work)
    }

    /// Returns a player of the scenario, and the notices about its text. Warnings and notes go to standard error; errors
    /// stop the command.
    pub fn player(&self) -> Result<(Player, Vec<ProblemRow>), EarlyEnd> {
        let mut loaded = self.patiently(|| Player::load(&self.text));
        loaded.problems.extend(loaded.player.iter().flat_map(|player| odd_settings(player.scenario())));
        let player = self.tell(&loaded.problems, loaded.player)?;
        Ok((player, self.rows(&loaded.problems)))
    }

    fn tell<T>(&self, problems: &[Problem], found: Option<T>) -> Result<T, EarlyEnd> {
        let lines: Vec<String> = problems.iter().map(|p| self.shown(p)).collect();
        match found {
            Some(found) => {
                lines.iter().for_each(|line| warn(line));
                Ok(found)
            }
            None => Err(EarlyEnd::Wrong(lines.join("\n"), self.rows(problems))),
        }
    }
}

/// The time after which the user is told that a scenario takes long.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs `work`, and calls `say` once if it takes longer than `patience`.
fn said_if_long<T>(patience: Duration, say: impl FnOnce() + Send, work: impl FnOnce() -> T) -> T {
    let (done, waits) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if waits.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                say();
            }
        });
        let out = work();
        drop(done);
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn what_takes_longer_than_patience_is_told() {
        for (patience, takes, told) in [(60_000, 0, false), (1, 200, true)] {
            let said = AtomicBool::new(false);
            let say = || said.store(true, Ordering::Relaxed);
            let out = said_if_long(Duration::from_millis(patience), say, || {
                thread::sleep(Duration::from_millis(takes));
                7
            });
            assert_eq!((out, said.into_inner()), (7, told));
        }
    }

    #[test]
    fn bytes_are_read_in_the_encoding_that_they_declare() {
        let file = |name: &str, inside: &[u8]| {
            let start = format!("<?xml version=\"1.0\" encoding=\"{name}\"?><!-- ");
            decode([start.as_bytes(), inside, b" --><a/>"].concat())
        };
        assert!(file("GBK", &[0xb6, 0xd3, 0xc1, 0xd0]).is_ok_and(|t| t.contains("队列")));
        assert!(file("ISO-8859-1", &[0xe9]).is_ok_and(|t| t.contains("é")));
        assert!(file("UTF-8", "é".as_bytes()).is_ok_and(|t| t.contains("é")));
        assert!(file("UTF-8", &[0xe9]).is_err_and(|why| why.contains("not a text in UTF-8 (line 1)")));
        assert!(file("klingon", &[0xe9]).is_err_and(|why| why.contains("the encoding klingon, which is not known")));
        assert!(file("GBK", &[0xff]).is_err_and(|why| why.contains("not a text in gbk")));
        assert_eq!(decode(b"\xff\xfe<\0a\0/\0>\0".to_vec()).as_deref(), Ok("<a/>"));
    }
}
