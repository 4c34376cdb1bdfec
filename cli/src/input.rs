//! Inputs: files and standard input, within the core's limits, and problems as `file:line:column: …`.

use crate::output::Stop;
use heddle_core::model::{Problem, Severity, limits};
use heddle_core::player::Player;
use heddle_core::scenario::{Scenario, read};
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
        let text = String::from_utf8(bytes).map_err(|e| {
            let line = e.as_bytes()[..e.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count() + 1;
            told(&format!("is not a text in UTF-8 (line {line})"))
        })?;
        // A byte order mark is not part of the text.
        let text = text.strip_prefix('\u{feff}').map(String::from).unwrap_or(text);
        Ok(Input { name, text })
    }

    /// A problem as a line.
    pub fn shown(&self, problem: &Problem) -> String {
        Problem { source: self.name.clone(), ..problem.clone() }.render(&self.text)
    }

    /// The scenario. Warnings go to standard error; errors stop the command.
    pub fn scenario(&self) -> Result<Scenario, Stop> {
        let read = read(&self.text);
        self.tell(&read.problems, read.scenario)
    }

    /// A player of the scenario.
    pub fn player(&self) -> Result<Player, Stop> {
        let loaded = Player::load(&self.text);
        self.tell(&loaded.problems, loaded.player)
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
            None => Err(Stop::Told(lines.join("\n"))),
        }
    }
}
