//! The scenario being edited: its texts from the opened one to the present one, for undo and redo, and the engine's view of
//! the latest. Each text that goes to or comes from the engine has a number, which matches answers to texts.

use heddle_view::protocol::Request;
use heddle_view::{
    AboutView, AgreementView, DocView, Edit, Leaving, NamesView, Problem, Report, ScenarioSource, Selection,
    WordsOrigin, secrets,
};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// The most edits that can be undone.
const UNDO_MAX: usize = 200;
/// The time within which typing in one field counts as one edit.
const BURST_MS: f64 = 1200.0;

#[derive(Clone, Default)]
pub struct Doc {
    /// The text in the editor.
    pub text: Rc<str>,
    /// The last readable text, which runs.
    pub running: Rc<str>,
    /// The text as it was opened.
    pub opened: Rc<str>,
    /// The problems of the text.
    pub problems: Rc<[Problem]>,
    /// What the scenario says about itself, from the last readable text.
    pub about: Option<Rc<AboutView>>,
    /// The form in which the text that the engine last answered about leaves the page; `None` if unchanged.
    leaving: Option<Rc<Leaving>>,
    /// For which scenario each of the author's words was written; a new engine needs it.
    said: Vec<WordsOrigin>,
    /// A text that the engine has not answered about yet, with a copy without its secrets, because searching for them takes
    /// long.
    masked: RefCell<Option<(Rc<str>, Rc<str>)>>,
    /// The text that the engine last answered about.
    told_of: Rc<str>,
    /// The text with the queues as opened or imported.
    delivered_in: Rc<str>,
    undo: Vec<Past>,
    redo: Vec<Past>,
    /// The names removed last, and what is lost with them; they are stored nowhere else.
    names: Option<Rc<NamesView>>,
    /// Whether the text has other names.
    without_names: bool,
    /// Whether it is the scenario that the page opens with.
    first: bool,
    /// The import that it came from.
    import: Option<Rc<Imported>>,
    /// How far the dump that was imported agrees with what comes of it.
    agreement: Option<Rc<AgreementView>>,
    /// The field and time of the last edit.
    burst: Option<(String, f64)>,
    /// The number of the latest text sent to or requested from the engine.
    version: u32,
    /// The number of the latest typed text that was sent.
    written: u32,
    /// Whether there is typed text that was not sent yet.
    typed: bool,
    /// Texts sent to the engine, until it answers which of them runs.
    sent: VecDeque<(u32, Rc<str>)>,
    /// Changes requested from the engine, until it answers.
    asked: VecDeque<Request>,
}

/// A text to go back to.
#[derive(Clone)]
struct Past {
    text: Rc<str>,
    /// The name of the edit that replaced it.
    what: String,
    /// The scenario that it belongs to, if that is another one.
    origin: Option<Box<Origin>>,
}

/// What belongs to an opened scenario besides its text.
#[derive(Clone)]
struct Origin {
    opened: Rc<str>,
    running: Rc<str>,
    delivered_in: Rc<str>,
    said: Vec<WordsOrigin>,
    import: Option<Rc<Imported>>,
    agreement: Option<Rc<AgreementView>>,
    first: bool,
    view: Place,
}

/// Where a scenario was looked at: the moment and the selection.
pub type Place = (Option<i64>, Option<Selection>);

/// An import with its report.
#[derive(Debug, PartialEq)]
pub struct Imported {
    pub report: Report,
    /// Its files, by name; none after a reload.
    pub files: Vec<(String, String)>,
}

/// What is kept of an import over a reload.
#[derive(Clone, Debug)]
pub struct ImportBefore {
    /// The text of its scenario when it was kept.
    pub text: String,
    pub report: Report,
    pub agreement: Option<AgreementView>,
}

/// A step of undo or redo.
pub struct HistoryStep {
    /// The name of the edit.
    pub what: String,
    /// For another scenario: the request that gives it to the engine, and where it was looked at.
    pub other: Option<(Request, Place)>,
}

impl Doc {
    /// Opens another scenario; undo starts afresh.
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
            // Text typed meanwhile is in the engine's document; it must be sent again.
            typed: self.written > version,
            asked,
            ..Doc::default()
        };
        self.set(text);
        self.came(version);
    }

    /// Opens another scenario in place of the present one, which undo brings back.
    pub fn open_over(&mut self, text: &str, version: u32, (what, view): (&str, Place), first: bool) {
        if self.opened.is_empty() {
            return self.open(text, version, first);
        }
        let past = Past { text: self.text.clone(), what: what.to_owned(), origin: Some(Box::new(self.origin(view))) };
        let mut undo = std::mem::take(&mut self.undo);
        undo.push(past);
        if undo.len() > UNDO_MAX {
            undo.remove(0);
        }
        self.open(text, version, first);
        self.undo = undo;
    }

    fn origin(&self, view: Place) -> Origin {
        Origin {
            opened: self.opened.clone(),
            running: self.running.clone(),
            delivered_in: self.delivered_in.clone(),
            said: self.said.clone(),
            import: self.import.clone(),
            agreement: self.agreement.clone(),
            first: self.first,
            view,
        }
    }

    /// Sets the import that the scenario came from.
    pub fn came_of(&mut self, import: Rc<Imported>) {
        self.import = Some(import);
    }

    /// The import that the scenario came from.
    pub fn import(&self) -> Option<&Rc<Imported>> {
        self.import.as_ref()
    }

    /// Sets how far the dump agrees.
    pub fn agrees(&mut self, told: AgreementView) {
        self.agreement = Some(Rc::new(told));
    }

    /// How far the dump that was imported agrees with what comes of it, once that is known.
    pub fn agreement(&self) -> Option<&Rc<AgreementView>> {
        self.agreement.as_ref()
    }

    /// Records the queues as the delivered ones.
    pub fn delivered(&mut self) {
        self.delivered_in = self.text.clone();
    }

    /// Makes an edit; quick edits of one field become one. Returns whether anything changed.
    pub fn edit(&mut self, text: String, what: &str, now_ms: f64) -> bool {
        if *self.text == *text {
            return false;
        }
        let joined = self.burst.as_ref().is_some_and(|(field, at)| field == what && now_ms - at < BURST_MS);
        if !joined {
            self.undo.push(Past { text: self.text.clone(), what: what.to_owned(), origin: None });
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

    /// Takes over a change that the engine has made.
    pub fn made(&mut self, text: String, version: u32, what: &str) -> bool {
        let changed = self.edit(text, what, f64::NEG_INFINITY);
        self.renamed(what, false);
        self.burst = None;
        self.typed = false;
        self.came(version);
        changed
    }

    /// Undoes the last edit, or the opening of another scenario; `view`: where the present one is looked at.
    pub fn undo(&mut self, view: Place) -> Option<HistoryStep> {
        let past = self.undo.pop()?;
        let here = self.here(&past, view);
        self.redo.push(here);
        self.renamed(&past.what, true);
        Some(self.back(past))
    }

    /// Redoes an edit, or the opening of another scenario.
    pub fn redo(&mut self, view: Place) -> Option<HistoryStep> {
        let next = self.redo.pop()?;
        let here = self.here(&next, view);
        self.undo.push(here);
        self.renamed(&next.what, false);
        Some(self.back(next))
    }

    /// Returns the way back from a step to the present text.
    fn here(&self, step: &Past, view: Place) -> Past {
        let origin = step.origin.as_ref().map(|_| Box::new(self.origin(view)));
        Past { text: self.text.clone(), what: step.what.clone(), origin }
    }

    fn back(&mut self, past: Past) -> HistoryStep {
        self.burst = None;
        self.set(past.text);
        self.typed = past.origin.is_none();
        let Some(origin) = past.origin else { return HistoryStep { what: past.what, other: None } };
        let Origin { opened, running, delivered_in, said, import, agreement, first, view } = *origin;
        (self.opened, self.running, self.delivered_in) = (opened, running, delivered_in);
        (self.said, self.import, self.agreement, self.first) = (said, import, agreement, first);
        let (at_ms, selection) = view.clone();
        let other = self.restore(at_ms, selection).into_iter().next().map(|request| (request, view));
        HistoryStep { what: past.what, other }
    }

    /// Records whether the text has other names after a change or its undo.
    fn renamed(&mut self, what: &str, back: bool) {
        match what {
            Edit::LEAVE_NAMES => self.without_names = !back,
            Edit::BRING_NAMES => self.without_names = back,
            _ => {}
        }
    }

    /// Sets the names that the next change removes.
    pub fn leaves(&mut self, names: NamesView) {
        self.names = Some(Rc::new(names));
    }

    /// Returns the removed names, while the text has other ones.
    pub fn names(&self) -> Option<&NamesView> {
        self.names.as_deref().filter(|_| self.without_names)
    }

    /// The name of the edit that undo would revert.
    pub fn can_undo(&self) -> Option<&str> {
        self.undo.last().map(|p| p.what.as_str())
    }

    /// The name of the edit that redo would repeat.
    pub fn can_redo(&self) -> Option<&str> {
        self.redo.last().map(|p| p.what.as_str())
    }

    /// Returns whether the page opened with this scenario, edited or not.
    pub fn is_first_visit(&self) -> bool {
        self.first
    }

    /// Returns whether anything was edited since it was opened.
    pub fn edited(&self) -> bool {
        self.undo.last().is_some_and(|past| past.origin.is_none())
    }

    /// The title as written.
    pub fn title(&self) -> &str {
        self.about.as_ref().map_or("", |about| about.title.as_str())
    }

    /// The title as shown: an edited scenario's says so.
    pub fn told_title(&self) -> &str {
        self.about.as_ref().map_or("", |about| about.told.as_str())
    }

    /// Returns whether the title was written for the scenario before it was edited.
    pub fn is_title_old(&self) -> bool {
        self.about.as_ref().is_some_and(|about| about.edited)
    }

    /// Handles the engine's view of a text.
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

    /// Returns how the text leaves the page, if the engine has answered about this very text.
    fn leaving(&self) -> Option<&Leaving> {
        self.leaving.as_deref().filter(|_| self.is_told())
    }

    /// Returns whether the engine has answered about the present text.
    fn is_told(&self) -> bool {
        Rc::ptr_eq(&self.told_of, &self.text)
    }

    /// Sentences about what is masked and what is marked when the text is shared.
    pub fn left_out(&self) -> &[String] {
        self.leaving().map_or(&[], |leaving| &leaving.said)
    }

    /// The text for sharing: without secrets, and with words about another scenario marked.
    pub fn passed_on(&self) -> String {
        self.leaving().and_then(|leaving| leaving.passed.clone()).unwrap_or_else(|| self.masked())
    }

    /// For which scenario the author's words were written, unless the present text already marks them, which a text typed a
    /// moment ago does not.
    pub fn said_before(&self) -> &[WordsOrigin] {
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

    // ---- numbering

    /// Gives a requested change its own number.
    pub fn ask(&mut self, request: Request) -> Request {
        self.version += 1;
        let request = request.numbered(self.version);
        self.asked.push_back(request.clone());
        request
    }

    /// Returns the request that sends typed text to the engine, if there is any.
    pub fn write(&mut self) -> Option<Request> {
        if !std::mem::take(&mut self.typed) {
            return None;
        }
        self.version += 1;
        self.written = self.version;
        self.sent.push_back((self.version, self.text.clone()));
        Some(Request::Write { text: self.text.to_string(), version: self.version })
    }

    /// Returns the request of a change that has been answered, unless it is obsolete.
    pub fn answered(&mut self, version: u32) -> Option<Request> {
        let place = self.asked.iter().position(|r| r.version() == Some(version))?;
        self.asked.remove(place)
    }

    /// Returns whether anything was typed since a change was requested; the engine's answer then lacks it.
    pub fn typed_since(&self, version: u32) -> bool {
        self.typed || self.written > version
    }

    /// Returns all requested changes again, after `first`.
    pub fn again(&mut self, first: Request) -> Vec<Request> {
        let rest = std::mem::take(&mut self.asked);
        std::iter::once(first).chain(rest).map(|request| self.ask(request)).collect()
    }

    /// Drops all requests, because none will be answered.
    pub fn forget(&mut self) {
        self.asked.clear();
    }

    /// Returns whether a requested change is outstanding.
    pub fn waits(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Returns whether the engine is busy with a text that it has not answered about yet.
    pub fn reads(&self) -> bool {
        self.waits() || !self.sent.is_empty()
    }

    /// The text that is being opened, otherwise the one in the editor.
    pub fn unread(&self) -> String {
        let opened = self.asked.iter().find_map(|r| match r {
            Request::Open { source: ScenarioSource::Text(text) | ScenarioSource::Draft { text, .. }, .. } => {
                Some(text.clone())
            }
            _ => None,
        });
        opened.unwrap_or_else(|| self.text.to_string())
    }

    /// Records the texts of files whose import is outstanding: from now on it is one of texts.
    pub fn given(&mut self, of: u32, files: Vec<(String, String)>) {
        let mut files = files.into_iter();
        let Some((name, text)) = files.next() else { return };
        let asked = self.asked.iter_mut().find(|request| request.version() == Some(of));
        if let Some(request) = asked
            && let Request::ImportFiles { target, with, version, .. } = request
        {
            let (target, with, version) = (*target, std::mem::take(with), *version);
            *request = Request::Import { name, text, more: files.collect(), target, with, version };
        }
    }

    /// Prepares for terminating an engine that is busy reading. Typed text stays and is sent to the next one on request.
    /// Returns whether there is any.
    pub fn stop(&mut self) -> bool {
        self.asked.clear();
        self.typed |= !self.sent.is_empty();
        self.sent.clear();
        self.typed
    }

    /// Records a text that came from the engine.
    fn came(&mut self, version: u32) {
        self.sent.push_back((version, self.text.clone()));
    }

    /// Returns the requests that give a new engine all it must know, and then the outstanding changes.
    pub fn restore(&mut self, at_ms: Option<i64>, selection: Option<heddle_view::Selection>) -> Vec<Request> {
        let asked = std::mem::take(&mut self.asked);
        self.sent.clear();
        self.version += 1;
        self.written = self.version;
        // Unsent text is sent later by itself.
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
        // There is nothing to restore before the first scenario was opened.
        let restore = (!self.opened.is_empty() || !text.is_empty()).then_some(restore);
        restore.into_iter().chain(asked.into_iter().map(|request| self.ask(request))).collect()
    }
}
