//! Messages, and the effects that they cause outside.

use super::{Dialog, Notice, Panel, Pop, Tab, Theme, Trial, Under};
use heddle_view::protocol::{Reply, Request};
use heddle_view::{Comparison, Draft, Edit, ImportTarget, Opening, ScenarioSource, Selection, StepBy};
use std::rc::Rc;

/// Everything that can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// The scenario's text was typed.
    Edit {
        text: String,
        /// The edit's name, for undo.
        what: String,
    },
    /// A change that the engine makes.
    Change {
        edit: Edit,
        /// The text typed for it.
        typed: String,
    },
    /// Open a whole scenario.
    Open {
        /// The source of its text.
        source: ScenarioSource,
        how: Opening,
    },
    /// Import a file or pasted text.
    Import {
        /// The file's name, "" for pasted text.
        name: String,
        text: String,
        /// Further files that came with it, by name.
        more: Vec<(String, String)>,
    },
    /// Import files that are kept under this number.
    ImportFiles {
        key: u32,
    },
    /// Show these worlds side by side, or none.
    Compare(Option<Comparison>),
    /// Show other worlds of the open comparison; what is tried in it stays.
    Beside(Comparison),
    /// Run an advice beside the scenario, before it is taken over.
    Try(Trial),
    /// Run an edit beside the scenario, before it is made.
    TryEdit {
        edit: Edit,
        /// The text typed for it.
        typed: String,
    },
    /// Put what the open report is about into the other place where it could go.
    Elsewhere(ImportTarget),
    /// Show the report on the import again, or close it.
    Report(bool),
    /// Typing has paused: run what was typed.
    WriteNow,
    /// Undo the last edit.
    Undo,
    /// Redo the last undone edit.
    Redo,
    /// An answer of the worker.
    Worker(u32, Box<Reply>),
    WorkerFailed(String),
    /// The worker is gone without a message: somebody or the browser ended it.
    WorkerGone,
    /// Select this.
    Select(Option<Selection>),
    /// Go to this time.
    Seek(i64),
    /// Go to this time, and select this there if there is something.
    Jump {
        time_ms: i64,
        about: Option<Selection>,
    },
    /// Go to the first difference of the worlds that are compared, and select what it is about.
    FirstDifference,
    /// One step of the chosen kind.
    Step {
        back: bool,
    },
    /// One step of this kind.
    StepBy {
        by: StepBy,
        back: bool,
    },
    /// Send a request to the worker unchanged.
    Ask(Request),
    /// Go to the next or previous change.
    Next {
        back: bool,
    },
    /// Start or stop playing.
    Play(bool),
    /// Play if paused, pause if playing.
    Toggle,
    /// Play faster, or slower.
    Faster(bool),
    /// Focus the search field of the events.
    Search,
    /// Move the focus to a panel.
    Focus(&'static str),
    /// This many milliseconds of wall clock time have passed while playing.
    Tick(f64),
    /// Change how things are shown.
    Look(LookAt),
    /// Search for advice about the selection.
    Help,
    /// Open or close a dialog.
    Dialog(Option<Dialog>),
    /// Open or close a formula.
    Pop(Option<Pop>),
    /// Show or clear the notice.
    Notice(Option<Notice>),
    /// Whether a file is being dragged over the page.
    Dropping(bool),
    /// Unfold WHAT from its rail.
    Rail(bool),
    /// Stop long work.
    Stop,
    /// The engine had time to stop: terminate it if it has not.
    StopNow,
    /// Run an effect: copy, save.
    Do(Effect),
}

/// A change of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum LookAt {
    Colour(super::ColourBy),
    /// Whether only the events of the selection are listed.
    Only(bool),
    StepSize(StepBy),
    Speed(usize),
    Under(Under),
    What(Tab),
    AsText(bool),
    Panel(Panel),
    Twin(bool),
    AllChecks(bool),
    Rack(Option<String>),
    Theme(Theme),
    Find(String),
    Chart(String),
    Refresh(bool),
    Draft(Draft),
}

/// An effect outside the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send a request to the worker.
    Ask(Request),
    /// Send typed text to the engine once typing pauses.
    WriteSoon,
    /// Check in a moment that the engine has stopped.
    StopSoon,
    /// Search for advice if nothing else happens for a moment.
    HelpSoon,
    /// Start another worker in place of a lost one, and restore its state.
    Restart,
    /// Like `Restart`, and repeat unanswered requests, because they did not cause the loss.
    Renew,
    /// Start no more workers: outstanding requests will not be answered.
    End,
    /// Start another worker without restoring anything.
    Start,
    /// Keep the text as a draft and the address up to date, soon.
    Remember,
    /// Keep them now.
    Keep {
        /// Whether to add an entry to the browser's history.
        push: bool,
    },
    /// Put the written link into the address; `None` if there can be none.
    Address {
        /// The link, with its `#`.
        link: Option<String>,
        /// Whether to add an entry to the browser's history.
        push: bool,
    },
    /// Offer the latest draft, if it is another text than this.
    OfferDraft,
    /// The theme changed.
    Theme(Theme),
    /// Copy the text and confirm it.
    Copy { text: String, what: String },
    /// Save as a file.
    Save { name: String, text: String },
    /// Keep a draft of what is about to be replaced.
    Draft { text: String, opened: Rc<str> },
    /// Move the focus to the element with this id.
    Focus(&'static str),
    /// Focus the first element that this selector finds, as soon as there is one.
    FocusNew(String),
    /// There will be none.
    FocusOld,
}
