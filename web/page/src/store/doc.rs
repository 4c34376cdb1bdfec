//! The scenario being edited: its texts, from the one that was opened to the one that undo would take back, and what the
//! engine says of the latest. Each text that goes to the engine or comes from it has a number, by which its answers are
//! told apart.

use heddle_view::protocol::Request;
use heddle_view::{AboutView, DocView, Edit, Leaving, NamesView, Problem, Said, Source, secrets};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// Edits that can be taken back.
const UNDO_MAX: usize = 200;
/// Typing in one field within this time is one edit.
const BURST_MS: f64 = 1200.0;

#[derive(Clone, Default)]
pub struct Doc {
    /// The text as it stands in the editor.
    pub text: Rc<str>,
    /// The last text that could be read: what runs.
    pub running: Rc<str>,
    /// The text as it was opened.
    pub opened: Rc<str>,
    /// What is wrong with the text.
    pub problems: Rc<[Problem]>,
    /// What the scenario says about itself, from the last text that could be read.
    pub about: Option<Rc<AboutView>>,
    /// The text that was told last as it leaves the page; `None`: as it is.
    leaving: Option<Rc<Leaving>>,
    /// Of which scenario each of the author's words was said, for another engine.
    said: Vec<Said>,
    /// A text of which the engine has told nothing yet, and the same without its secrets: looking for them takes long.
    masked: RefCell<Option<(Rc<str>, Rc<str>)>>,
    /// The text that the engine told of last.
    told_of: Rc<str>,
    /// The text in which the queues stand as they were opened or imported.
    delivered_in: Rc<str>,
    undo: Vec<Past>,
    redo: Vec<Past>,
    /// The names that were left last, and what is not kept: they are nowhere else.
    names: Option<Rc<NamesView>>,
    /// Does the text have other names?
    without_names: bool,
    /// Is it what the page opens with?
    first: bool,
    /// Field and time of the last edit.
    burst: Option<(String, f64)>,
    /// Number of the latest text that the engine was told or asked for.
    version: u32,
    /// Number of the latest text that was typed and sent.
    written: u32,
    /// Was anything typed that the engine has not heard of?
    typed: bool,
    /// Texts that the engine has, until it has told which of them runs.
    sent: VecDeque<(u32, Rc<str>)>,
    /// Changes that the engine was asked for, until it answers.
    asked: VecDeque<Request>,
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
    pub fn open(&mut self, text: &str, version: u32, first: bool) {
        let text: Rc<str> = text.into();
        let asked = std::mem::take(&mut self.asked).into_iter().filter(|r| r.version() > Some(version)).collect();
        *self = Doc {
            opened: text.clone(),
            delivered_in: text.clone(),
            running: text.clone(),
            first,
            version: self.version,
            written: self.written,
            // What was typed meanwhile stands in the engine's document: it has to be told once more.
            typed: self.written > version,
            asked,
            ..Doc::default()
        };
        self.set(text);
        self.came(version);
    }

    /// The queues are as somebody delivered them.
    pub fn delivered(&mut self) {
        self.delivered_in = self.text.clone();
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
        self.typed = true;
        true
    }

    /// A change that the engine has made.
    pub fn made(&mut self, text: String, version: u32, what: &str) -> bool {
        let changed = self.edit(text, what, f64::NEG_INFINITY);
        self.renamed(what, false);
        self.burst = None;
        self.typed = false;
        self.came(version);
        changed
    }

    /// Takes the last edit back; gives what it was.
    pub fn undo(&mut self) -> Option<String> {
        let past = self.undo.pop()?;
        self.redo.push(Past { text: self.text.clone(), what: past.what.clone() });
        self.renamed(&past.what, true);
        Some(self.back(past))
    }

    /// Does it again; gives what it was.
    pub fn redo(&mut self) -> Option<String> {
        let next = self.redo.pop()?;
        self.undo.push(Past { text: self.text.clone(), what: next.what.clone() });
        self.renamed(&next.what, false);
        Some(self.back(next))
    }

    fn back(&mut self, past: Past) -> String {
        self.burst = None;
        self.set(past.text);
        self.typed = true;
        past.what
    }

    /// Keeps whether the text has other names, by a change that was made or taken back.
    fn renamed(&mut self, what: &str, back: bool) {
        match what {
            Edit::LEAVE_NAMES => self.without_names = !back,
            Edit::BRING_NAMES => self.without_names = back,
            _ => {}
        }
    }

    /// The names that the next change leaves.
    pub fn leaves(&mut self, names: NamesView) {
        self.names = Some(Rc::new(names));
    }

    /// What became of the names, while the text has other ones.
    pub fn names(&self) -> Option<&NamesView> {
        self.names.as_deref().filter(|_| self.without_names)
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

    /// The title as it is written.
    pub fn title(&self) -> &str {
        self.about.as_ref().map_or("", |about| about.title.as_str())
    }

    /// The title as it is told: that of an edited scenario says so.
    pub fn told_title(&self) -> &str {
        self.about.as_ref().map_or("", |about| about.told.as_str())
    }

    /// Returns whether the title was written for the scenario before it was edited.
    pub fn is_title_old(&self) -> bool {
        self.about.as_ref().is_some_and(|about| about.edited)
    }

    /// The engine says what it makes of a text.
    pub fn told(&mut self, view: DocView) {
        while let Some((version, text)) = self.sent.front().filter(|(v, _)| *v <= view.version) {
            if *version == view.version {
                self.told_of = text.clone();
                if !view.stale && view.about.is_some() {
                    self.running = text.clone();
                }
            }
            self.sent.pop_front();
        }
        self.leaving = view.leaving.map(Rc::new);
        self.said = view.said;
        self.problems = view.problems.into();
        self.about = view.about.map(Rc::new);
    }

    /// Returns how the text leaves the page, if the engine has told that of this very text.
    fn leaving(&self) -> Option<&Leaving> {
        self.leaving.as_deref().filter(|_| self.is_told())
    }

    /// Returns whether the engine has told of the text as it stands.
    fn is_told(&self) -> bool {
        Rc::ptr_eq(&self.told_of, &self.text)
    }

    /// What is said of the text when it is passed on: what is masked in it, and what is marked.
    pub fn left_out(&self) -> &[String] {
        self.leaving().map_or(&[], |leaving| &leaving.said)
    }

    /// The text as it is passed on: without secrets, and with what was said of another scenario marked as such.
    pub fn passed_on(&self) -> String {
        self.leaving().and_then(|leaving| leaving.passed.clone()).unwrap_or_else(|| self.masked())
    }

    /// Of which scenario the author's words were said, as long as the text as it stands is not marked by that: what was typed a
    /// moment ago. None where it is.
    pub fn said_before(&self) -> &[Said] {
        if self.is_told() { &[] } else { &self.said }
    }

    /// The text without secrets.
    pub fn masked(&self) -> String {
        if self.is_told() {
            return self.leaving().and_then(|leaving| leaving.masked.clone()).unwrap_or_else(|| self.text.to_string());
        }
        let mut kept = self.masked.borrow_mut();
        let known = kept.take().filter(|(of, _)| Rc::ptr_eq(of, &self.text));
        let (of, masked) = known.unwrap_or_else(|| (self.text.clone(), secrets::masked(&self.text).into()));
        let out = masked.to_string();
        *kept = Some((of, masked));
        out
    }

    fn set(&mut self, text: Rc<str>) {
        self.text = text;
    }

    // ---- numbers

    /// Asks for a change, under a number of its own.
    pub fn ask(&mut self, request: Request) -> Request {
        self.version += 1;
        let request = request.numbered(self.version);
        self.asked.push_back(request.clone());
        request
    }

    /// What was typed and not told to the engine yet.
    pub fn write(&mut self) -> Option<Request> {
        if !std::mem::take(&mut self.typed) {
            return None;
        }
        self.version += 1;
        self.written = self.version;
        self.sent.push_back((self.version, self.text.clone()));
        Some(Request::Write { text: self.text.to_string(), version: self.version })
    }

    /// The answer to a change that was asked for arrives: what was asked, unless it does not count any more.
    pub fn answered(&mut self, version: u32) -> Option<Request> {
        let place = self.asked.iter().position(|r| r.version() == Some(version))?;
        self.asked.remove(place)
    }

    /// Was anything typed after this was asked for? Then the engine's answer lacks it.
    pub fn typed_since(&self, version: u32) -> bool {
        self.typed || self.written > version
    }

    /// All that is asked for, to be asked for once more.
    pub fn again(&mut self, first: Request) -> Vec<Request> {
        let rest = std::mem::take(&mut self.asked);
        std::iter::once(first).chain(rest).map(|request| self.ask(request)).collect()
    }

    /// Nothing that was asked for will be answered.
    pub fn forget(&mut self) {
        self.asked.clear();
    }

    /// Is a change asked for and not made yet?
    pub fn waits(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Is the engine busy with a text of which it has told nothing yet?
    pub fn reads(&self) -> bool {
        self.waits() || !self.sent.is_empty()
    }

    /// The text that is being opened, or else the one that stands in the editor.
    pub fn unread(&self) -> String {
        let opened = self.asked.iter().find_map(|r| match r {
            Request::Open { source: Source::Text(text) | Source::Draft { text, .. }, .. } => Some(text.clone()),
            _ => None,
        });
        opened.unwrap_or_else(|| self.text.to_string())
    }

    /// The engine is ended while it reads. What was typed stays, and is told to the next one when it is asked for; gives
    /// whether there is such a text.
    pub fn stop(&mut self) -> bool {
        self.asked.clear();
        self.typed |= !self.sent.is_empty();
        self.sent.clear();
        self.typed
    }

    /// The text came from the engine under this number.
    fn came(&mut self, version: u32) {
        self.sent.push_back((version, self.text.clone()));
    }

    /// Everything that another engine has to know, and then the changes that were asked for and not made.
    pub fn restore(&mut self, at_ms: Option<i64>, selection: Option<heddle_view::Selection>) -> Vec<Request> {
        let asked = std::mem::take(&mut self.asked);
        self.sent.clear();
        self.version += 1;
        self.written = self.version;
        // What is not told yet comes by itself.
        let text = if self.typed { self.running.clone() } else { self.text.clone() };
        self.sent.push_back((self.version, text.clone()));
        let restore = Request::Restore {
            opened: self.opened.to_string(),
            delivered: self.delivered_in.to_string(),
            said: self.said.clone(),
            running: self.running.to_string(),
            text: text.to_string(),
            version: self.version,
            at_ms,
            selection,
        };
        // Before anything was opened there is nothing to go on with.
        let restore = (!self.opened.is_empty() || !text.is_empty()).then_some(restore);
        restore.into_iter().chain(asked.into_iter().map(|request| self.ask(request))).collect()
    }
}
