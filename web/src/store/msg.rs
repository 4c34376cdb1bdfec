//! Messages, and what has to be done outside on account of them.

use super::{Dialog, Notice, Panel, Pop, Theme, Under, View, WhatTab};
use heddle_view::protocol::{Reply, Request};
use heddle_view::{Draft, Edit, Selection, StepBy};

/// Where a whole new scenario comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// The page's own start, or the address bar.
    Start,
    /// Somebody chose it: a new entry in the browser's history.
    Chosen,
}

/// Everything that can happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// The scenario's text was edited.
    Edit {
        /// All of it.
        text: String,
        /// What the edit did, for undo.
        what: String,
    },
    /// A form was used: an edit, with what was typed.
    Change {
        /// What it changes.
        edit: Edit,
        /// What was typed.
        typed: String,
    },
    /// A whole scenario is opened.
    Open {
        /// Its text.
        text: String,
        /// Where it comes from.
        how: Opening,
        /// What is to be looked at in it.
        view: Option<Box<View>>,
    },
    /// A file or pasted text: whatever it is.
    Import {
        /// The file's name, "" for pasted text.
        name: String,
        /// Its text.
        text: String,
    },
    /// Typing has paused: run what was typed.
    LoadNow,
    /// Take back the last edit.
    Undo,
    /// Do it again.
    Redo,
    /// An answer of the worker.
    Worker(u32, Box<Reply>),
    /// The worker failed.
    WorkerFailed(String),
    /// Look at this.
    Select(Option<Selection>),
    /// Go to this time.
    Seek(i64),
    /// One step of the chosen size.
    Step {
        /// Backwards?
        back: bool,
    },
    /// One step of this size.
    StepBy {
        /// How far.
        by: StepBy,
        /// Backwards?
        back: bool,
    },
    /// A request to the worker as it is.
    Ask(Request),
    /// Until something changes.
    Next {
        /// Backwards?
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
    /// Do something outside the page: copy, save.
    Do(Effect),
}

/// A change of the view.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum LookAt {
    Colour(super::ColourBy),
    StepSize(StepBy),
    Speed(usize),
    Under(Under),
    What(WhatTab),
    AsText(bool),
    Panel(Panel),
    Twin(bool),
    AllChecks(bool),
    Rack(Option<String>),
    Limits(bool),
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
    /// Load the running text when typing pauses.
    LoadSoon,
    /// Look for what would help when nothing else happens for a moment.
    HelpSoon,
    /// The worker is gone: start another.
    Restart,
    /// Keep the text as a draft, and the address up to date.
    Remember,
    /// A new entry in the browser's history.
    Push,
    /// The theme changed.
    Theme(Theme),
    /// Copy and say so.
    Copy {
        /// The text.
        text: String,
        /// What it is.
        what: String,
    },
    /// Save as a file.
    Save {
        /// Name.
        name: String,
        /// Text.
        text: String,
    },
    /// Keep a draft of what is about to be replaced.
    Draft(String),
    /// Move the focus to the element of this id.
    Focus(&'static str),
}
