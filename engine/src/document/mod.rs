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

use heddle_core::rm::Properties;
use heddle_core::scenario::settings_check::odd_settings;
use heddle_core::scenario::{self, Caption, Scenario};
use heddle_view::{Edit, Problem};

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
    /// The captions as they were opened.
    captions: Vec<Caption>,
}

impl Document {
    pub fn open(&mut self, text: String, version: u32) {
        *self = Document { opened: text.clone(), ..Document::default() };
        self.write(text, version);
        self.captions = self.scenario.as_ref().map(|s| s.captions.clone()).unwrap_or_default();
        self.deliver();
    }

    /// Another text. Gives whether something else runs from now on.
    pub fn write(&mut self, text: String, version: u32) -> bool {
        self.version = version;
        let read = scenario::read(&text);
        let odd = read.scenario.iter().flat_map(odd_settings);
        self.problems = Problem::placed(read.problems.into_iter().chain(odd).collect(), &text);
        self.text = text;
        let Some(scenario) = read.scenario else { return false };
        let other = self.scenario.is_none() || self.running != self.text;
        self.scenario = Some(scenario);
        self.running.clone_from(&self.text);
        other
    }

    /// Makes an edit; gives whether something else runs from now on. Errors say why it cannot be made.
    pub fn edit(&mut self, edit: &Edit, typed: &str, version: u32) -> Result<bool, String> {
        let text = crate::edits::apply(&self.text, edit, typed, self.scenario.as_ref())?;
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

    /// Is what the captions say still about what runs? They were written for the scenario as it was opened, unless somebody
    /// is writing them.
    fn captions_hold(&self) -> bool {
        self.running == self.opened || self.scenario.as_ref().is_some_and(|s| s.captions != self.captions)
    }

    /// The caption of a moment, while it is about what runs.
    pub fn caption(&self, at: i64) -> Option<String> {
        let scenario = self.scenario.as_ref().filter(|_| self.captions_hold())?;
        scenario.caption(at).map(|caption| caption.text.clone())
    }
}
