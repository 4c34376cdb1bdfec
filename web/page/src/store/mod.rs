//! The page's single state, Elm style: [`State::update`] takes a message, changes the state and returns what must be done
//! outside ([`Effect`]). It does not touch the browser, so tests run natively.

mod answer;
mod compare;
mod doc;
mod msg;
mod palette;
mod shared;
#[cfg(test)]
mod tests;
mod update;
mod view;

pub use compare::BEFORE;
pub use doc::{Doc, ImportBefore, Imported};
pub use heddle_view::{Opening, ScenarioSource};
pub use msg::{Effect, LookAt, Msg};
pub use palette::{CATEGORIES, Palette, nth};
pub use shared::Shared;

pub use heddle_view::form::Tab;
pub use view::{ColourBy, Panel, Theme, Under, View};

use heddle_view::RemarkValue;
use heddle_view::form::Show;
use heddle_view::protocol::{Frame, ShownTables};
use heddle_view::{
    BesideView, Edit, EventOutcome, ExampleView, ExpectationView, Form, HelpView, LedgerView, Selection, Series,
    TrialView, WhyView, WorldView,
};
use std::rc::Rc;

/// The callback for the panels' messages.
pub type Go = yew::Callback<Msg>;

/// The page's whole state.
#[derive(Clone, Default)]
pub struct State {
    /// The scenario's text, the engine's view of it, undo and redo.
    pub doc: Shared<Doc>,
    /// The selection and how things are shown.
    pub view: Shared<View>,
    /// The worker's latest answers.
    pub answers: Shared<Answers>,
    /// The colours assigned so far.
    pub palette: Shared<Palette>,
    /// The form in the WHAT panel.
    pub form: Shared<Form>,
    /// The parts shown over the page.
    pub over: Overlays,
    /// The view of WHAT that was last sent to the engine.
    shown: Option<Show>,
    /// The tables that the engine was told to send.
    books: ShownTables,
    /// Messages that wait for changes requested from the engine.
    later: Vec<Msg>,
    /// Whether the engine has sent anything.
    heard: bool,
    /// Whether an engine was lost and its successor has sent nothing yet.
    gone: bool,
    /// The import of the scenario from before the reload, until that is opened.
    pub before_reload: Option<ImportBefore>,
}

/// The worker's latest answers.
#[derive(Clone, Default)]
pub struct Answers {
    /// The last frame.
    pub frame: Frame,
    /// Whether any frame has arrived.
    pub ready: bool,
    /// Whether the opened scenario has not been drawn yet.
    pub loading: bool,
    /// Whether the link in the address is being read, so that the drawing is another scenario's.
    pub awaiting: bool,
    /// Chart lines, fetched when they are viewed.
    pub charts: Option<Vec<Series>>,
    /// The outcomes of the other worlds; `None` while they run.
    pub worlds: Option<Vec<WorldView>>,
    /// The pictures of the worlds that are drawn, at the moment of the frame.
    pub beside: Option<Rc<BesideView>>,
    /// The edit that is tried, as it would leave the page, or why it cannot be made.
    pub tried: Option<Result<TrialView, String>>,
    /// The number of worlds that have been run, and of all.
    pub running: Option<(usize, usize)>,
    /// The scenario's expectations and their results.
    pub expectations: Rc<[ExpectationView]>,
    /// The tables under the scrubber, while they are viewed.
    pub ledger: Option<LedgerView>,
    /// The advice.
    pub help: Option<Helping>,
    /// The link to be shared, or why there is none; `None` until it is written.
    pub link: Option<Result<String, String>>,
    /// Whether that link has no room for what is compared.
    pub link_left_out: bool,
    /// The gallery's cards, fetched when they are first viewed.
    pub gallery: Option<Rc<[ExampleView]>>,
    /// What is not modelled, fetched when it is first viewed.
    pub limits: Option<Rc<str>>,
}

impl Answers {
    /// Returns whether nothing may be drawn because it would be another scenario's.
    pub fn is_loading(&self) -> bool {
        self.loading || self.awaiting
    }

    /// Returns whether something waits now, even if it can never be placed, or was refused.
    pub fn waits(&self, about: &Selection) -> bool {
        // It was refused, or lacks something without a request to YARN.
        let told = |w: &WhyView| {
            w.about.as_ref() == Some(about) && matches!(w.fate, Some(EventOutcome::Rejected | EventOutcome::Waiting))
        };
        let of_app = matches!(about, Selection::App(_)) && self.frame.why.as_ref().is_some_and(told);
        of_app
            || self.frame.snapshot.waiting.iter().any(|w| match about {
                Selection::Request { .. } => w.id == *about,
                Selection::App(app) => w.app == *app,
                _ => false,
            })
    }
}

/// The advice found so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Helping {
    /// The subject of the advice.
    pub about: Selection,
    pub found: Vec<HelpView>,
    /// The number of changes tried, and of all known so far.
    pub tried: (usize, usize),
    /// Whether the search is over.
    pub done: bool,
}

/// A change viewed beside the scenario before it is adopted.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub change: String,
    /// The effect of the change.
    pub effect: String,
    /// The scenario's text with the change.
    pub text: String,
}

/// A change that stands beside the scenario and may be made.
#[derive(Clone, Debug, PartialEq)]
pub enum Trying {
    /// An advice.
    Text(Trial),
    /// An edit, with the text typed for it.
    Edit { edit: Edit, typed: String },
}

/// A setting that was changed and has not run yet.
#[derive(Clone)]
pub struct Changed {
    /// The name of the edit.
    pub what: String,
    /// The text before it.
    pub before: Rc<str>,
}

/// The parts shown over the page.
#[derive(Clone, Default)]
pub struct Overlays {
    /// The change that is tried in the comparison.
    pub trying: Option<Trying>,
    /// The setting that was changed, until the scenario runs with it.
    pub changed: Option<Changed>,
    /// Whether the comparison was opened by a change in a form, which stays beside it.
    pub forming: bool,
    /// Whether a change only offers the comparison with what was opened: nothing was there before, or it was shut by hand.
    pub offers_only: bool,
    pub dialog: Option<Dialog>,
    /// The report on an import, in place of the picture.
    pub report: Option<Rc<Imported>>,
    pub pop: Option<Pop>,
    /// The notice at the bottom.
    pub notice: Option<Notice>,
    /// The worker's progress in long work: present and goal.
    pub progress: Option<(i64, i64)>,
    /// The bytes of files that the engine has read, and of all that it reads.
    pub reading: Option<(u64, u64)>,
    pub playing: bool,
    /// Whether the engine was told to stop and has not confirmed it.
    pub stopping: bool,
    /// Whether a file is being dragged over the page.
    pub dropping: bool,
    /// Whether the WHAT panel is unfolded from its rail.
    pub rail: bool,
    /// The error in the text typed into the open dialog, or for other worlds.
    pub field: Option<String>,
    /// The reason why the scenario cannot be run; the former run continues.
    pub refused: Option<String>,
    /// The reason why the worker cannot be used.
    pub broken: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// The gallery of questions.
    Examples,
    /// Paste or choose a file.
    Import,
    /// A link, a file, an embedded picture.
    Share {
        /// Whether the link includes the view.
        with_view: bool,
    },
    Keys,
    /// What is not modelled.
    Limits,
    /// Earlier drafts.
    Drafts,
    /// Go to a time.
    GoTo,
    /// Where an application would go.
    Landing,
    /// The command palette.
    Commands,
}

/// A formula shown beside a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Pop {
    pub title: String,
    /// Its steps.
    pub lines: Vec<String>,
    /// The horizontal position in pixels of the window.
    pub x: f64,
    /// The vertical position in pixels of the window.
    pub y: f64,
}

/// A short-lived line with at most one button.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub text: String,
    /// The button's text and message.
    pub act: Option<(String, Box<Msg>)>,
}

/// The most leaf queues with which WHY begins with its first subject instead of the stories.
const FEW_QUEUES: usize = 6;

impl State {
    /// Returns whether WHY shows the stories: nothing is selected, and there is more than one subject can tell.
    pub fn tells_stories(&self) -> bool {
        let frame = &self.answers.frame;
        let many = || frame.snapshot.queues.iter().filter(|q| q.leaf).count() > FEW_QUEUES && frame.caption.is_none();
        self.view.selection.is_none()
            && !frame.stories.cards.is_empty()
            && (self.over.report.is_some() || self.doc.import().is_some() || many())
    }

    /// Returns what WHY is about: the selection, what the answer explains, and whether the stories stand in its place.
    pub fn why_subject(&self) -> (Option<Selection>, Option<Selection>, bool) {
        let about = self.answers.frame.why.as_ref().and_then(|why| why.about.clone());
        (self.view.selection.clone(), about, self.tells_stories())
    }

    /// Returns the values that the open report is about, if it is on the open scenario.
    fn setup(&self) -> Option<Vec<RemarkValue>> {
        let report = &self.over.report.as_ref().filter(|shown| shown.report.opened)?.report;
        Some(report.inferred.iter().chain(&report.unknown).flat_map(|remark| remark.about.clone()).collect())
    }

    /// The selection: the chosen one, otherwise the headline's subject.
    pub fn selected(&self) -> Option<&Selection> {
        self.view.selection.as_ref().or(self.answers.frame.selection.as_ref())
    }

    /// Returns whether nothing is shown yet of the opened scenario.
    fn opening(&self) -> bool {
        self.answers.loading || !self.answers.ready
    }

    /// Returns whether the engine is busy reading a text and handles nothing until then.
    pub fn reading(&self) -> bool {
        self.heard && self.over.broken.is_none() && (self.doc.reads() || self.opening() && self.over.progress.is_none())
    }

    /// The present moment, in simulated time.
    pub fn now(&self) -> i64 {
        self.answers.frame.snapshot.time_ms
    }
}
