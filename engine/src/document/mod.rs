//! The document: the text, the last text before it that could be read, which runs, and what is wrong with it. Nothing that
//! was typed is lost by an error.

mod added;
pub mod gallery;
mod import;
mod mutation;
mod open;
mod view;

pub use import::Found;
pub use open::{NewText, found};

use heddle_core::model::limits;
use heddle_core::rm::Properties;
use heddle_core::scenario::settings_check::odd_settings;
use heddle_core::scenario::words::{self, Words};
use heddle_core::scenario::{self, Caption, Scenario};
use heddle_player::{odd_new_worlds, odd_worlds};
use heddle_view::{Change, Edit, Problem, secrets};

#[derive(Default)]
pub struct Document {
    pub version: u32,
    pub text: String,
    /// The text as it was opened.
    pub opened: String,
    /// The last text that could be read: what runs.
    pub running: String,
    /// What that says.
    pub scenario: Option<Scenario>,
    /// What is wrong with the text.
    pub problems: Vec<Problem>,
    /// The queues' properties as they were opened or imported: a mutation leads from there to what they are now.
    pub delivered: Properties,
    /// What its author says of it, and of which scenario each was written: a fingerprint of all that can happen there.
    said: Vec<(Words, u64)>,
    /// That fingerprint of what runs; `None`: nothing is said of it.
    played: Option<u64>,
}

/// Tells that a text has secrets, masked or just typed.
fn secret(text: &str) -> Option<Problem> {
    let found = secrets::find(text);
    let first = found.first()?.span;
    Some(Problem::note("scenario", first, secrets::sentence(&found)))
}

impl Document {
    /// Opens a text without its secrets: see [`found`].
    pub fn open(&mut self, text: String, version: u32) {
        *self = Document { opened: text.clone(), ..Document::default() };
        self.write(text, version);
        self.deliver();
    }

    /// Another text. Gives whether something else runs from now on.
    pub fn write(&mut self, text: String, version: u32) -> bool {
        self.version = version;
        let read = scenario::read(&text);
        let odd = read.scenario.iter().flat_map(odd_settings);
        // Worlds of a long text are looked over when they are compared.
        let worlds = read.scenario.iter().filter(|s| s.worlds.len() * text.len() <= limits::WORLDS_CHECKED_BYTES);
        let worlds = worlds.flat_map(|s| odd_worlds(s, &text));
        let problems = read.problems.into_iter().chain(odd).chain(worlds).chain(secret(&text));
        self.problems = Problem::placed(problems.collect(), &text);
        self.text = text;
        let Some(scenario) = read.scenario else { return false };
        let other = self.scenario.is_none() || self.running != self.text;
        self.hear(&scenario);
        self.scenario = Some(scenario);
        self.running.clone_from(&self.text);
        other
    }

    /// Makes an edit; gives whether something else runs from now on. Errors say why it cannot be made.
    pub fn edit(&mut self, edit: &Edit, typed: &str, version: u32) -> Result<bool, String> {
        let text = secrets::masked(&crate::edits::apply(&self.text, edit, typed, self.scenario.as_ref())?);
        if let Change::Worlds { .. } = edit.change {
            let odd = odd_new_worlds(self.scenario.as_ref(), &text);
            if !odd.is_empty() {
                return Err(odd.join(" "));
            }
        }
        Ok(self.write(text, version))
    }

    /// Finds out what a text is. What belongs into the scenario is put into it; gives then whether something else runs.
    pub fn import(&mut self, name: &str, text: &str, version: u32) -> (Found, bool) {
        let found = import::read(name, text, &self.text);
        let Found::File { text, .. } = &found else { return (found, false) };
        let other = self.write(text.clone(), version);
        self.deliver();
        (found, other)
    }

    /// Everything as an engine before this one knew it.
    pub fn restore(&mut self, opened: String, delivered: &str, running: String, text: String, version: u32) {
        self.open(opened, version);
        if delivered != self.opened {
            let read = scenario::read(delivered).scenario;
            self.delivered = read.map(|s| s.settings.capacity_scheduler).unwrap_or_default();
        }
        if running != self.running {
            self.write(running, version);
        }
        if text != self.text {
            self.write(text, version);
        }
    }

    /// The queues are as somebody delivered them.
    fn deliver(&mut self) {
        self.delivered = self.scenario.as_ref().map(|s| s.settings.capacity_scheduler.clone()).unwrap_or_default();
    }

    /// The settings cannot be run.
    pub fn refused(&mut self, problems: &[Problem]) {
        for problem in Problem::placed(problems.to_vec(), &self.text) {
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }

    /// Has the text an error, so that an earlier one runs?
    pub fn stale(&self) -> bool {
        self.scenario.is_some() && self.text != self.running
    }

    /// What is said for the first time is said of the scenario as it is now.
    fn hear(&mut self, scenario: &Scenario) {
        let words = Words::all(scenario);
        self.played = if words.is_empty() { None } else { words::played(&self.text) };
        let Some(played) = self.played else { return };
        for words in words {
            if !self.said.iter().any(|(said, _)| *said == words) {
                self.said.push((words, played));
            }
        }
    }

    /// Is what these words say about what runs? What was written for another scenario is not.
    pub fn holds(&self, words: &Words) -> bool {
        self.said.iter().any(|(said, of)| said == words && Some(*of) == self.played)
    }

    /// The caption of a moment, while it is about what runs.
    pub fn caption(&self, at: i64) -> Option<&Caption> {
        self.scenario.as_ref()?.caption(at).filter(|caption| self.holds(&Words::of(caption)))
    }

    /// What is said in the text of another scenario than it is, and the text without that; `None`: nothing is.
    pub fn outlived(&self) -> Option<(usize, String)> {
        let scenario = self.scenario.as_ref().filter(|_| !self.stale())?;
        let gone: Vec<Words> = Words::all(scenario).into_iter().filter(|words| !self.holds(words)).collect();
        if gone.is_empty() {
            return None;
        }
        Some((gone.len(), words::without(&self.text, &gone)?))
    }
}
