//! The scenario being edited. The text is the truth: nothing that was typed is lost by an error, and the last text
//! that could be read keeps running.

use heddle_core::rm::Properties;
use heddle_core::scenario::{self, Caption, Scenario};
use heddle_view::Problem;
use std::rc::Rc;

/// Edits that can be taken back.
const UNDO_MAX: usize = 200;
/// Typing in one field within this time is one edit.
const BURST_MS: f64 = 1200.0;

/// See the module.
#[derive(Clone, Default)]
pub struct Doc {
    /// The text as it stands in the editor.
    pub text: Rc<str>,
    /// What it says, from the last text that could be read.
    pub scenario: Option<Rc<Scenario>>,
    /// The last text that could be read: what runs.
    pub running: Rc<str>,
    /// What is wrong with `text`.
    pub problems: Rc<[Problem]>,
    /// The text as it was opened.
    pub opened: Rc<str>,
    /// The queues' properties as they were opened or imported: a mutation leads from there to what they are now.
    pub delivered: Rc<Properties>,
    /// The captions as they were opened.
    captions: Rc<[Caption]>,
    undo: Vec<Past>,
    redo: Vec<Past>,
    /// Is it what the page opens with?
    first: bool,
    /// Field and time of the last edit.
    burst: Option<(String, f64)>,
}

/// A text to go back to.
#[derive(Clone)]
struct Past {
    text: Rc<str>,
    /// What the edit that replaced it did.
    what: String,
}

impl Doc {
    /// Something else altogether: undo begins anew.
    pub fn open(&mut self, text: &str) {
        *self = Doc { first: text == crate::share::examples::FIRST, opened: text.into(), ..Doc::default() };
        self.set(text.into());
        if self.running.is_empty() {
            self.running = self.text.clone();
        }
        self.captions = self.scenario.as_ref().map(|s| s.captions.clone()).unwrap_or_default().into();
        self.delivered();
    }

    /// Is what the captions say still about what runs? They were written for the scenario as it was opened, unless somebody
    /// is writing them.
    pub fn captions_hold(&self) -> bool {
        self.running == self.opened || self.scenario.as_ref().is_some_and(|s| *s.captions != *self.captions)
    }

    /// The queues are as somebody delivered them.
    pub fn delivered(&mut self) {
        self.delivered =
            Rc::new(self.scenario.as_ref().map(|s| s.settings.capacity_scheduler.clone()).unwrap_or_default());
    }

    /// An edit. Edits of the same field in quick succession are one. Gives whether anything changed.
    pub fn edit(&mut self, text: String, what: &str, now_ms: f64) -> bool {
        if *self.text == *text {
            return false;
        }
        let joined = self.burst.as_ref().is_some_and(|(field, at)| field == what && now_ms - at < BURST_MS);
        if !joined {
            self.undo.push(Past { text: self.text.clone(), what: what.to_owned() });
            if self.undo.len() > UNDO_MAX {
                self.undo.remove(0);
            }
        }
        self.burst = Some((what.to_owned(), now_ms));
        self.redo.clear();
        self.set(text.into());
        true
    }

    /// Takes the last edit back; gives what it was.
    pub fn undo(&mut self) -> Option<String> {
        let past = self.undo.pop()?;
        self.redo.push(Past { text: self.text.clone(), what: past.what.clone() });
        self.burst = None;
        self.set(past.text);
        Some(past.what)
    }

    /// Does it again; gives what it was.
    pub fn redo(&mut self) -> Option<String> {
        let next = self.redo.pop()?;
        self.undo.push(Past { text: self.text.clone(), what: next.what.clone() });
        self.burst = None;
        self.set(next.text);
        Some(next.what)
    }

    /// What undo would take back.
    pub fn can_undo(&self) -> Option<&str> {
        self.undo.last().map(|p| p.what.as_str())
    }

    /// What redo would do again.
    pub fn can_redo(&self) -> Option<&str> {
        self.redo.last().map(|p| p.what.as_str())
    }

    /// Is it what the page opens with, edited or not?
    pub fn is_first_visit(&self) -> bool {
        self.first
    }

    /// Was anything edited since it was opened?
    pub fn edited(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Does the text have an error, so that the last good one runs?
    pub fn stale(&self) -> bool {
        *self.text != *self.running
    }

    /// The worker found problems that reading alone does not see.
    pub fn refused(&mut self, problems: Vec<Problem>) {
        let mut all = self.problems.to_vec();
        for problem in problems {
            if !all.contains(&problem) {
                all.push(problem);
            }
        }
        self.problems = all.into();
    }

    fn set(&mut self, text: Rc<str>) {
        let read = scenario::read(&text);
        self.text = text;
        self.problems = read.problems.into();
        if let Some(scenario) = read.scenario {
            self.scenario = Some(Rc::new(scenario));
            self.running = self.text.clone();
        }
    }
}
