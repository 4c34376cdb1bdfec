//! The one state of the page, Elm style: [`State::update`] takes a message, changes the state and says what has to be
//! done outside ([`Effect`]). It touches no browser, so it is tested natively.

mod answer;
mod doc;
mod msg;
mod palette;
mod shared;
#[cfg(test)]
mod tests;
mod update;
mod view;

pub use doc::Doc;
pub use heddle_view::{Opening, Source};
pub use msg::{Effect, LookAt, Msg};
pub use palette::{CATEGORIES, Palette, nth};
pub use shared::Shared;

pub use heddle_view::form::Tab;
pub use view::{ColourBy, Panel, Theme, Under, View};

use heddle_view::form::Show;
use heddle_view::protocol::{Books, Frame};
use heddle_view::{
    ExampleView, ExpectationView, Fate, Form, HelpView, LedgerView, Report, Selection, Series, WhyView, WorldView,
};
use std::rc::Rc;

/// Where panels send their messages.
pub type Go = yew::Callback<Msg>;

/// Everything the page knows.
#[derive(Clone, Default)]
pub struct State {
    /// The scenario's text, what was read from it, undo and redo.
    pub doc: Shared<Doc>,
    /// What is looked at and how.
    pub view: Shared<View>,
    /// The worker's last answers.
    pub answers: Shared<Answers>,
    /// Colours given so far.
    pub palette: Shared<Palette>,
    /// What the WHAT panel shows.
    pub form: Shared<Form>,
    /// What lies over the page or passes by.
    pub over: Over,
    /// What the engine was told that WHAT shows.
    shown: Option<Show>,
    /// Which tables it was told to tell.
    books: Books,
    /// What waits for the changes that the engine was asked for.
    later: Vec<Msg>,
    /// Has the engine been heard?
    heard: bool,
    /// Was it gone, and is nothing heard of the one that was started then?
    gone: bool,
}

/// The worker's last answers.
#[derive(Clone, Default)]
pub struct Answers {
    /// The last frame.
    pub frame: Frame,
    /// Has any frame arrived?
    pub ready: bool,
    /// Is nothing drawn yet of the scenario that was opened?
    pub loading: bool,
    /// Is the link in the address being read, so that what is drawn is another scenario's?
    pub awaiting: bool,
    /// Lines of the charts, fetched when they are looked at.
    pub charts: Option<Vec<Series>>,
    /// What became of the other worlds; `None` while they are being run.
    pub worlds: Option<Vec<WorldView>>,
    /// How many of them have been run, and how many there are.
    pub running: Option<(usize, usize)>,
    /// What the scenario expects of its run, and what became of it.
    pub expectations: Rc<[ExpectationView]>,
    /// The tables under the scrubber, while they are looked at.
    pub ledger: Option<LedgerView>,
    /// What would help.
    pub help: Option<Helping>,
    /// The link to be shared, or why there is none; `None` until it is written.
    pub link: Option<Result<String, String>>,
    /// The cards of the gallery, fetched when they are first looked at.
    pub gallery: Option<Rc<[ExampleView]>>,
    /// What is not modelled, fetched when it is first looked at.
    pub limits: Option<Rc<str>>,
}

impl Answers {
    /// Must nothing be drawn, since it would be another scenario's?
    pub fn is_loading(&self) -> bool {
        self.loading || self.awaiting
    }

    /// Does this wait at the moment, also what can never be placed, or was it refused?
    pub fn waits(&self, about: &Selection) -> bool {
        // Refused, or lacking what it has not asked YARN for.
        let told =
            |w: &WhyView| w.about.as_ref() == Some(about) && matches!(w.fate, Some(Fate::Rejected | Fate::Waiting));
        let of_app = matches!(about, Selection::App(_)) && self.frame.why.as_ref().is_some_and(told);
        of_app
            || self.frame.snapshot.waiting.iter().any(|w| match about {
                Selection::Request { .. } => w.id == *about,
                Selection::App(app) => w.app == *app,
                _ => false,
            })
    }
}

/// What was found that would help, so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Helping {
    /// What it should help.
    pub about: Selection,
    pub found: Vec<HelpView>,
    /// Changes that were tried, and those known to be tried.
    pub tried: (usize, usize),
    /// Is the search over?
    pub done: bool,
}

/// A change that is looked at beside the scenario as it is, before it is taken over.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub change: String,
    /// What it does.
    pub effect: String,
    /// The scenario's text with it.
    pub text: String,
}

/// What lies over the page or passes by.
#[derive(Clone, Default)]
pub struct Over {
    pub dialog: Option<Dialog>,
    pub pop: Option<Pop>,
    /// The line at the bottom that passes by.
    pub notice: Option<Notice>,
    /// How far the worker has come with something that takes long: now and goal.
    pub progress: Option<(i64, i64)>,
    pub playing: bool,
    /// Was the engine told to stop, and has not said that it did?
    pub stopping: bool,
    /// Is a file being held over the page?
    pub dropping: bool,
    /// Is the WHAT panel unfolded from its rail?
    pub rail: bool,
    /// What is wrong with what was typed into the open dialog.
    pub field: Option<String>,
    /// The scenario cannot be run at all; says why. What ran before goes on.
    pub refused: Option<String>,
    /// The worker cannot be used; says why.
    pub broken: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Dialog {
    /// Questions to start from.
    Examples,
    /// Paste or choose a file.
    Import,
    /// What was found in an imported file.
    Report(Box<Report>),
    /// A link, a file, an embedded picture.
    Share {
        /// Does the link say what is looked at?
        with_view: bool,
    },
    /// The scenario beside other worlds.
    Compare,
    /// The scenario beside itself with a change that may be taken over.
    Try(Trial),
    Keys,
    /// What is not modelled.
    Limits,
    /// Earlier drafts.
    Drafts,
    /// Go to a time.
    GoTo,
    /// Where an application would go.
    Landing,
    /// Every act and every thing by its name.
    Commands,
}

/// A formula to be shown beside a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Pop {
    pub title: String,
    /// Its steps.
    pub lines: Vec<String>,
    /// Where, in pixels of the window.
    pub x: f64,
    /// Where, in pixels of the window.
    pub y: f64,
}

/// A line that passes by, with at most one thing to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub text: String,
    /// Its button, and what that does.
    pub act: Option<(String, Box<Msg>)>,
}

impl State {
    /// What is looked at: what was chosen, else what the headline is about.
    pub fn selected(&self) -> Option<&Selection> {
        self.view.selection.as_ref().or(self.answers.frame.selection.as_ref())
    }

    /// Is nothing shown yet of what was opened?
    fn opening(&self) -> bool {
        self.answers.loading || !self.answers.ready
    }

    /// Is the engine busy with a text, so that it hears nothing until it has read it?
    pub fn reading(&self) -> bool {
        self.heard && self.over.broken.is_none() && (self.doc.reads() || self.opening() && self.over.progress.is_none())
    }

    /// Now, in simulated time.
    pub fn now(&self) -> i64 {
        self.answers.frame.snapshot.time_ms
    }
}
