//! The messages between page and engine, encoded as postcard bytes.

use crate::form::{Form, Part, Property, Show};
use crate::{
    AgreementView, BesideView, Comparison, DocView, Edit, EventView, ExampleView, ExpectationView, HelpView,
    ImportTarget, LedgerView, LinkFor, LinkView, LinkedView, NamesView, NodeOffer, Opened, Opening, Problem, Report,
    ScenarioSource, Selection, Series, Snapshot, StepBy, StoriesView, Timeline, TrialView, WhyView, WordsOrigin,
    WorldView,
};
use serde::{Deserialize, Serialize};

/// A numbered request. The numbers grow; a reply carries the number of its request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    pub id: u32,
    pub request: Request,
}

/// A request of the page.
///
/// The engine's document consists of its text and the last text that was valid, which runs. Requests change it in their
/// order. Each request that changes the text carries a number for the new text, its `version`; the page assigns these
/// numbers, and recognises by them whether a reply is about the displayed text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Opens another scenario.
    Open {
        /// The origin of the scenario.
        source: ScenarioSource,
        how: Opening,
        /// The version of the new text.
        version: u32,
    },
    /// Replaces the text by what was typed, or by a text from undo.
    Write { text: String, version: u32 },
    /// Changes the text.
    Edit {
        edit: Edit,
        /// The text typed for the edit.
        typed: String,
        /// The version of the new text.
        version: u32,
    },
    /// Recognises a file or a pasted text, and adds it to the scenario.
    Import {
        /// The file's name; "" for pasted text.
        name: String,
        text: String,
        /// Further files of the same import, each with its name.
        more: Vec<(String, String)>,
        /// The place where it goes.
        target: ImportTarget,
        /// The files of the import whose report is open: cluster files and settings are read together with these.
        with: Vec<(String, String)>,
        /// The version of the new text.
        version: u32,
    },
    /// Imports files whose contents travel beside the request, as the browser's own objects: the engine reads them.
    ImportFiles {
        /// The number under which the page keeps them.
        key: u32,
        /// The place where they go.
        target: ImportTarget,
        /// The files of the import whose report is open: what they are more of the same is imported with them.
        with: Vec<(String, String)>,
        /// The version of the new text.
        version: u32,
    },
    /// Restores the state of an earlier engine.
    Restore {
        /// The text when it was opened.
        opened: String,
        /// The text with the queues as they were delivered.
        delivered: String,
        /// The scenarios that the author's words belong to.
        said: Vec<WordsOrigin>,
        /// The last valid text.
        running: String,
        text: String,
        version: u32,
        /// The moment to go to.
        at_ms: Option<i64>,
        /// The selection.
        selection: Option<Selection>,
    },
    /// Selects the form that WHAT shows from now on.
    Show(Show),
    /// Writes a link to a text.
    Link {
        text: String,
        /// The view in the link.
        view: LinkView,
        /// The worlds that are compared.
        comparison: Option<Comparison>,
        /// The purpose of the link.
        purpose: LinkFor,
    },
    /// Asks for the cards of the gallery.
    Gallery,
    /// Asks for the parts that are not modelled, and the deviations: docs/deviations.md.
    Limits,
    /// Goes to a moment. A later `Seek` or `Step` replaces a running one.
    Seek {
        time_ms: i64,
        /// The selection.
        selection: Option<Selection>,
    },
    Step {
        by: StepBy,
        back: bool,
        /// The selection.
        selection: Option<Selection>,
    },
    /// Selects something else at the same moment.
    Look {
        /// The selection.
        selection: Option<Selection>,
    },
    /// Answers "why?" for something other than the selection.
    Why {
        /// The subject.
        selection: Selection,
    },
    /// Searches for helpful changes by running them, and reports each as it is found. A request that moves time or changes
    /// the selection ends the search.
    Help {
        /// The subject to help.
        selection: Selection,
    },
    /// Asks for the lines of the charts.
    Charts,
    /// Selects the tables to show: they are sent at once, and with each frame.
    Ledger(ShownTables),
    /// Runs other worlds: those that the scenario names, the one it was edited from, and those given. From then on the
    /// pictures of the drawn ones come with each frame.
    Compare(Comparison),
    /// Runs the world in which an edit is made, without making it here, as one more world of a comparison.
    TryEdit {
        edit: Edit,
        /// The text typed for the edit.
        typed: String,
        comparison: Comparison,
    },
    /// Stops running and drawing the other worlds.
    LeaveWorlds,
    /// Stops the current work.
    Stop,
    /// Asks whether the engine is there.
    Listen,
}

/// The tables that are sent with each frame while they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ShownTables {
    #[default]
    Nothing,
    /// The latest round of preemption.
    Rounds,
    /// The state of a long-running application's ApplicationMaster, and what it waits for.
    Service,
}

impl Request {
    /// Returns whether the request moves time, so that a later one of its kind replaces it.
    pub fn moves(&self) -> bool {
        matches!(self, Request::Seek { .. } | Request::Step { .. })
    }

    /// Returns the version of the text that the request creates.
    pub fn version(&self) -> Option<u32> {
        match self {
            Request::Open { version, .. }
            | Request::Write { version, .. }
            | Request::Edit { version, .. }
            | Request::Import { version, .. }
            | Request::ImportFiles { version, .. }
            | Request::Restore { version, .. } => Some(*version),
            _ => None,
        }
    }

    /// Returns the request with another version for that text.
    pub fn numbered(mut self, number: u32) -> Self {
        match &mut self {
            Request::Open { version, .. }
            | Request::Write { version, .. }
            | Request::Edit { version, .. }
            | Request::Import { version, .. }
            | Request::ImportFiles { version, .. }
            | Request::Restore { version, .. } => *version = number,
            _ => {}
        }
        self
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The number of the request.
    pub id: u32,
    pub reply: Reply,
}

/// A reply of the worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The worker is ready.
    Ready,
    /// A scenario was opened.
    Opened(Box<Opened>),
    /// A scenario could not be opened; the open one stays.
    NotOpened {
        /// The version that its text would have had.
        version: u32,
        /// The reason.
        why: String,
    },
    /// The change was applied.
    Edited {
        /// The version of the new text.
        version: u32,
        text: String,
        /// The name of the change, for undo.
        what: String,
    },
    /// The mapping of names that the next change replaces.
    NamesLeft(NamesView),
    /// The change cannot be applied.
    NotEdited {
        /// The version that the new text would have had.
        version: u32,
        /// The reason.
        why: String,
    },
    /// A file was read.
    Imported {
        /// The version of the new text.
        version: u32,
        /// The whole new text; `None`: the file changes nothing.
        text: Option<String>,
        /// The report on the file.
        report: Box<Report>,
    },
    /// The texts of imported files, each with its name, unless they are large.
    Given { version: u32, files: Vec<(String, String)> },
    /// Progress of [`Request::ImportFiles`], in bytes.
    Reading { done: u64, of: u64 },
    /// What the dump of the open scenario says, compared with what is computed from it.
    Agreement(AgreementView),
    /// The present view of the document.
    Document(Box<DocView>),
    /// The contents of WHAT: sent when they differ from the ones sent before.
    Form(Box<Form>),
    /// The link with its `#`, or the reason why there is none.
    Link {
        /// The purpose of the link.
        purpose: LinkFor,
        link: Result<String, String>,
        /// Whether the worlds that are compared are too long for it.
        left_out: bool,
    },
    /// The cards of the gallery.
    Gallery(Vec<ExampleView>),
    /// The parts that are not modelled, in Markdown.
    Limits(String),
    /// The scenario could not be run; the previous one continues.
    Refused {
        /// The reasons, with positions in the scenario's text.
        problems: Vec<Problem>,
    },
    /// Everything to draw at a moment.
    Frame(Box<Frame>),
    /// The work continues.
    Progress {
        /// The simulated time so far.
        time_ms: i64,
        /// The time to reach.
        goal_ms: i64,
    },
    /// The answer to [`Request::Why`].
    Why(Box<WhyView>),
    /// No answer to [`Request::Why`]: the text says what the scenario lacks.
    NoWhy(String),
    /// The results so far of [`Request::Help`].
    Help {
        /// The subject to help.
        about: Selection,
        found: Vec<HelpView>,
        /// The numbers of changes tried, and known to be tried.
        tried: (usize, usize),
        /// Whether the search is finished.
        done: bool,
    },
    /// The change of [`Request::TryEdit`], as it would leave the page, or why it cannot be made.
    Tried(Result<TrialView, String>),
    /// The lines of the charts.
    Charts(Vec<Series>),
    /// The expectations of the scenario, with results; sent again when more of them are evaluated.
    Expectations(Vec<ExpectationView>),
    /// The engine is there: the reply to [`Request::Listen`].
    Listening,
    /// The selected tables, at the moment of the latest frame.
    Ledger(Box<LedgerView>),
    /// Progress of [`Request::Compare`] or [`Request::TryEdit`].
    Running {
        /// The number of worlds that have been run.
        ran: usize,
        /// The number of all worlds.
        of: usize,
    },
    /// The reply to [`Request::Compare`] and [`Request::TryEdit`]: the result of each world, the baseline first.
    Worlds(Vec<WorldView>),
    /// The compared worlds at the moment of the latest frame.
    Beside(Box<BesideView>),
    /// An internal error, in words.
    Failed(String),
    /// Every request up to this number is answered, and nothing is simulated ahead.
    Idle,
}

/// Everything to draw at a moment.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Frame {
    pub snapshot: Snapshot,
    /// The selection that `why` answers for; the headline's subject if nothing was chosen.
    pub selection: Option<Selection>,
    /// The answer for the selection.
    pub why: Option<WhyView>,
    /// The properties that the answer names, with their fields, by their full names.
    pub settings: Vec<Property>,
    /// What matters most at the moment.
    pub stories: StoriesView,
    pub timeline: Timeline,
    /// The events up to now, latest first, at most [`EVENTS_MAX`].
    pub events: Vec<EventView>,
    /// The number of all events up to now.
    pub events_total: usize,
    /// The number of events that have happened, if several happen at that moment.
    pub event: Option<u64>,
    /// Whether this is the first frame of another scenario or of another text.
    pub loaded: bool,
    /// The scenario's caption at the moment, while it applies to the running scenario.
    pub caption: Option<String>,
    /// The message of the link that this was opened from.
    pub linked: Option<LinkedView>,
    /// A node like the last one, which may be added.
    pub offer: Option<NodeOffer>,
    /// The actions that are possible on the selection at this moment.
    pub acts: Vec<Part>,
    /// After a step of one heartbeat: the interval whose heartbeats were skipped, since none could change anything.
    pub skipped: Option<(i64, i64)>,
}

/// The maximum number of rows of the events table in a frame.
pub const EVENTS_MAX: usize = 300;
/// The maximum number of waiting requests listed in a picture.
pub const REQUESTS_MAX: usize = 1_000;

pub fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // Serialising plain data into a growing vector cannot fail.
    postcard::to_allocvec(value).unwrap_or_default()
}

pub fn from_bytes<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<T, String> {
    postcard::from_bytes(bytes).map_err(|e| format!("a message between page and worker could not be read: {e}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Amount, NodeView, RackView};

    #[test]
    fn messages_come_out_as_they_went_in() {
        let ask =
            Ask { id: 7, request: Request::Step { by: StepBy::Change, back: true, selection: "app:zk".parse().ok() } };
        assert_eq!(from_bytes(&to_bytes(&ask)), Ok(ask));
        let node = NodeView {
            name: "n1".into(),
            total: Amount { memory_mb: 8192, vcores: 4, more: vec![("gpu".into(), 1)] },
            used: Amount { memory_mb: -1, vcores: 0, more: vec![] },
            ..NodeView::default()
        };
        let frame = Frame {
            snapshot: Snapshot {
                racks: vec![RackView { name: "/r1".into(), nodes: vec![node] }],
                headline: "zk-3 waits".into(),
                headline_about: "request:zk/1_-1".parse().ok(),
                ..Snapshot::default()
            },
            events_total: 3,
            ..Frame::default()
        };
        let answer = Answer { id: 1, reply: Reply::Frame(Box::new(frame)) };
        assert_eq!(from_bytes(&to_bytes(&answer)), Ok(answer));
        assert!(from_bytes::<Answer>(&[255, 255]).is_err());
    }
}
