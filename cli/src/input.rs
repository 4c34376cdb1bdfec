//! Inputs: files and standard input, within the core's limits, and problems as `file:line:column: …`.

use crate::output::Stop;
use encoding_rs::Encoding;
use heddle_core::model::{Problem, Severity, limits};
use heddle_core::scenario::settings_check::odd_settings;
use heddle_core::scenario::{Scenario, read};
use heddle_player::Player;
use heddle_view::encoding;
use serde::Serialize;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// A text that was read.
pub struct Input {
    /// What to call it in messages.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A problem in JSON.
#[derive(Serialize)]
pub struct Row {
    pub file: String,
    pub severity: Severity,
    pub line: usize,
    pub column: usize,
    pub what: String,
    pub mend: String,
}

/// The text of these bytes, in the encoding that they declare, as Hadoop reads them. Errors: they are none.
fn text(bytes: Vec<u8>) -> Result<String, String> {
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

impl Input {
    /// Reads a file, or standard input for `-`.
    pub fn read(path: &Path) -> Result<Input, Stop> {
        let is_stdin = path.as_os_str() == "-";
        let name = if is_stdin { "standard input".to_string() } else { path.display().to_string() };
        let told = |e: &dyn std::fmt::Display| Stop::Told(format!("{name}: {e}"));
        let most = limits::TEXT_BYTES as u64;
        let mut bytes = Vec::new();
        if is_stdin {
            io::stdin().lock().take(most + 1).read_to_end(&mut bytes).map_err(|e| told(&e))?;
        } else {
            let file = File::open(path).map_err(|e| told(&e))?;
            file.take(most + 1).read_to_end(&mut bytes).map_err(|e| told(&e))?;
        }
        if bytes.len() as u64 > most {
            return Err(told(&format!("is longer than {} MB, which is all that can be read", most >> 20)));
        }
        let text = text(bytes).map_err(|why| told(&why))?;
        // A byte order mark is not part of the text.
        let text = text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text);
        if text.trim().is_empty() {
            return Err(told(&"is empty"));
        }
        Ok(Input { name, text })
    }

    /// A problem as a line.
    pub fn shown(&self, problem: &Problem) -> String {
        Problem { source: self.name.clone(), ..problem.clone() }.render(&self.text)
    }

    /// A problem as a row.
    pub fn row(&self, p: &Problem) -> Row {
        let (line, column) = p.span.map_or((1, 1), |s| s.line_col(&self.text));
        let (what, mend) = (p.what.clone(), p.mend.clone());
        Row { file: self.name.clone(), severity: p.severity, line, column, what, mend }
    }

    /// Its problems as rows.
    pub fn rows(&self, problems: &[Problem]) -> Vec<Row> {
        problems.iter().map(|p| self.row(p)).collect()
    }

    /// Is it a scenario? Warnings go to standard error; errors stop the command.
    pub fn scenario(&self) -> Result<Scenario, Stop> {
        let read = read(&self.text);
        self.tell(&read.problems, read.scenario)
    }

    /// A player of the scenario, and what is to be said about its text. Warnings go to standard error; errors stop the command.
    pub fn player(&self) -> Result<(Player, Vec<Row>), Stop> {
        let mut loaded = Player::load(&self.text);
        loaded.problems.extend(loaded.player.iter().flat_map(|player| odd_settings(player.scenario())));
        let player = self.tell(&loaded.problems, loaded.player)?;
        Ok((player, self.rows(&loaded.problems)))
    }

    fn tell<T>(&self, problems: &[Problem], found: Option<T>) -> Result<T, Stop> {
        let lines: Vec<String> = problems.iter().map(|p| self.shown(p)).collect();
        match found {
            Some(found) => {
                for (line, problem) in lines.iter().zip(problems) {
                    if problem.severity > Severity::Note {
                        eprintln!("{line}");
                    }
                }
                Ok(found)
            }
            None => Err(Stop::Wrong(lines.join("\n"), self.rows(problems))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_in_the_encoding_that_they_declare() {
        let file = |name: &str, inside: &[u8]| {
            let start = format!("<?xml version=\"1.0\" encoding=\"{name}\"?><!-- ");
            text([start.as_bytes(), inside, b" --><a/>"].concat())
        };
        assert!(file("GBK", &[0xb6, 0xd3, 0xc1, 0xd0]).is_ok_and(|t| t.contains("队列")));
        assert!(file("ISO-8859-1", &[0xe9]).is_ok_and(|t| t.contains("é")));
        assert!(file("UTF-8", "é".as_bytes()).is_ok_and(|t| t.contains("é")));
        assert!(file("UTF-8", &[0xe9]).is_err_and(|why| why.contains("not a text in UTF-8 (line 1)")));
        assert!(file("klingon", &[0xe9]).is_err_and(|why| why.contains("the encoding klingon, which is not known")));
        assert!(file("GBK", &[0xff]).is_err_and(|why| why.contains("not a text in gbk")));
        assert_eq!(text(b"\xff\xfe<\0a\0/\0>\0".to_vec()).as_deref(), Ok("<a/>"));
    }
}
