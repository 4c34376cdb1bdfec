//! Messages, and what has to be done outside on account of them.

use super::{Dialog, Notice, Panel, Pop, Tab, Theme, Under};
use heddle_view::protocol::{Reply, Request};
use heddle_view::{Draft, Edit, Opening, Selection, Source, StepBy};
use std::rc::Rc;

/// Everything that can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// The scenario's text was typed.
    Edit {
        text: String,
        /// What the edit did, for undo.
        what: String,
    },
    /// A change that the engine makes.
    Change {
        edit: Edit,
        /// What was typed for it.
        typed: String,
    },
    /// A whole scenario is to be opened.
    Open {
        /// Where it comes from.
        source: Source,
        how: Opening,
    },
    /// A file or pasted text: whatever it is.
    Import {
        /// The file's name, "" for pasted text.
        name: String,
        text: String,
        /// Further files that came with it, each with its name.
        more: Vec<(String, String)>,
    },
    /// Typing has paused: run what was typed.
    WriteNow,
    /// Take back the last edit.
    Undo,
    /// Do it again.
    Redo,
    /// An answer of the worker.
    Worker(u32, Box<Reply>),
    WorkerFailed(String),
    /// The worker is gone, and said nothing: somebody or the browser ended it.
    WorkerGone,
    /// Look at this.
    Select(Option<Selection>),
    /// Go to this time.
    Seek(i64),
    /// Go to this time, and look at this there, if it is about something.
    Jump {
        time_ms: i64,
        about: Option<Selection>,
    },
    /// One step of the chosen size.
    Step {
        back: bool,
    },
    /// One step of this size.
    StepBy {
        by: StepBy,
        back: bool,
    },
    /// A request to the worker as it is.
    Ask(Request),
    /// Until something changes.
    Next {
        back: bool,
    },
    /// Let time run, or stop it.
    Play(bool),
    /// Play if paused, pause if playing.
    Toggle,
    /// Play faster, or slower.
    Faster(bool),
    /// To the search field of the events.
    Search,
    /// Move the focus to a panel.
    Focus(&'static str),
    /// So many milliseconds of the wall clock have passed while playing.
    Tick(f64),
    /// Change how things are looked at.
    Look(LookAt),
    /// Look for what would help the selected thing.
    Help,
    /// Open or close a dialog.
    Dialog(Option<Dialog>),
    /// Open or close a formula.
    Pop(Option<Pop>),
    /// Show or clear the passing line.
    Notice(Option<Notice>),
    /// A file is held over the page.
    Dropping(bool),
    /// Unfold WHAT from its rail.
    Rail(bool),
    /// Stop what takes long.
    Stop,
    /// The engine had time to stop: if it did not hear it, it is ended.
    StopNow,
    /// Do something outside the page: copy, save.
    Do(Effect),
}

/// A change of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum LookAt {
    Colour(super::ColourBy),
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

/// What has to be done outside the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send a request to the worker.
    Ask(Request),
    /// Tell the engine what was typed when typing pauses.
    WriteSoon,
    /// See to it in a moment that the engine has stopped.
    StopSoon,
    /// Look for what would help when nothing else happens for a moment.
    HelpSoon,
    /// The worker is gone: start another, which goes on where it was.
    Restart,
    /// The same, and nothing is wrong with what it was asked for: what it has not answered is asked for once more.
    Renew,
    /// No worker is started any more: what it was asked for will not be answered.
    End,
    /// Start another worker, which knows nothing.
    Start,
    /// Keep the text as a draft, and the address up to date: soon.
    Remember,
    /// Keep them now.
    Keep {
        /// As a new entry of the browser's history?
        push: bool,
    },
    /// The link for the address is written; `None`: there can be none.
    Address {
        /// With its `#`.
        link: Option<String>,
        /// As a new entry of the browser's history?
        push: bool,
    },
    /// Offer what was worked on here before, if it is another text than this.
    OfferDraft,
    /// The theme changed.
    Theme(Theme),
    /// Copy and say so.
    Copy { text: String, what: String },
    /// Save as a file.
    Save { name: String, text: String },
    /// Keep a draft of what is about to be replaced.
    Draft { text: String, opened: Rc<str> },
    /// Move the focus to the element of this id.
    Focus(&'static str),
}
