//! What page and engine say to each other: postcard bytes of these.

use crate::form::{Button, Form, Show};
use crate::{
    DocView, Edit, EventView, ExampleView, ExpectationView, HelpView, LedgerView, LinkFor, LinkView, LinkedView,
    NamesView, NodeOffer, Opened, Opening, Problem, Report, Said, Selection, Series, Snapshot, Source, StepBy,
    Timeline, WhyView, WorldView,
};
use serde::{Deserialize, Serialize};

/// A numbered request. The numbers grow; an answer carries the number of its request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    pub id: u32,
    pub request: Request,
}

/// What the page wants.
///
/// The engine's document is a text and the last one before it that could be read, which runs. Requests change it in their
/// order. Each that gives it another text has a number for that text, its `version`: the page counts them, and by them it
/// knows whether an answer is about what stands on the screen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Open another scenario.
    Open {
        /// Where it comes from.
        source: Source,
        how: Opening,
        /// Number of the new text.
        version: u32,
    },
    /// This text was typed, or brought back by undo.
    Write { text: String, version: u32 },
    /// Make a change to the text.
    Edit {
        edit: Edit,
        /// What was typed for it.
        typed: String,
        /// Number of the new text.
        version: u32,
    },
    /// Find out what a file or a pasted text is, and take it in.
    Import {
        /// The file's name, "" for pasted text.
        name: String,
        text: String,
        /// Further files that came with it, each with its name: they are one import.
        more: Vec<(String, String)>,
        /// Number of the new text.
        version: u32,
    },
    /// Everything that an engine before this one knew.
    Restore {
        /// The text as it was opened.
        opened: String,
        /// The text in which the queues stand as somebody delivered them.
        delivered: String,
        /// Of which scenario each of the author's words was said.
        said: Vec<Said>,
        /// The last text that could be read.
        running: String,
        text: String,
        version: u32,
        /// Where to go.
        at_ms: Option<i64>,
        /// What is looked at.
        selection: Option<Selection>,
    },
    /// The form that WHAT shows from now on.
    Show(Show),
    /// Write a link to a text.
    Link {
        text: String,
        /// What is looked at.
        view: LinkView,
        /// What it is for.
        purpose: LinkFor,
    },
    /// The cards of the gallery.
    Gallery,
    /// What is not modelled, and where the model deviates: docs/deviations.md.
    Limits,
    /// Go to a moment. A later `Seek` or `Step` overtakes one that is still under way.
    Seek {
        time_ms: i64,
        /// What is looked at.
        selection: Option<Selection>,
    },
    Step {
        by: StepBy,
        back: bool,
        /// What is looked at.
        selection: Option<Selection>,
    },
    /// Look at something else at the same moment.
    Look {
        /// At what.
        selection: Option<Selection>,
    },
    /// Answer "why?" for something else than what is looked at.
    Why {
        /// For what.
        selection: Selection,
    },
    /// What would help: found by running it, told as it is found. Whatever moves time or looks at something else ends it.
    Help {
        /// What it should help.
        selection: Selection,
    },
    /// The lines of the charts.
    Charts,
    /// Which tables are shown from now on: they are told with each frame, and at once.
    Ledger(Books),
    /// Run the other worlds that the scenario names, and the one it was edited from.
    Compare,
    /// Run this one other world.
    Try {
        /// What it is called.
        name: String,
        text: String,
    },
    /// The other worlds are no longer wanted.
    LeaveWorlds,
    /// Stop what is under way.
    Stop,
    /// Say that the engine is there.
    Listen,
}

/// Tables that are told with each frame while they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Books {
    #[default]
    Nothing,
    /// The latest round of preemption.
    Rounds,
    /// What the ApplicationMaster of a long-running application knows and waits for.
    Service,
}

impl Request {
    /// Does it move time, so that a later one of its kind replaces it?
    pub fn moves(&self) -> bool {
        matches!(self, Request::Seek { .. } | Request::Step { .. })
    }

    /// The number of the text that it gives the document.
    pub fn version(&self) -> Option<u32> {
        match self {
            Request::Open { version, .. }
            | Request::Write { version, .. }
            | Request::Edit { version, .. }
            | Request::Import { version, .. }
            | Request::Restore { version, .. } => Some(*version),
            _ => None,
        }
    }

    /// The same with another number for that text.
    pub fn numbered(mut self, number: u32) -> Self {
        match &mut self {
            Request::Open { version, .. }
            | Request::Write { version, .. }
            | Request::Edit { version, .. }
            | Request::Import { version, .. }
            | Request::Restore { version, .. } => *version = number,
            _ => {}
        }
        self
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Number of the request.
    pub id: u32,
    pub reply: Reply,
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    /// The worker listens.
    Ready,
    /// A scenario was opened.
    Opened(Box<Opened>),
    /// None was: what was open stays.
    NotOpened {
        /// Number that its text would have had.
        version: u32,
        /// Why not.
        why: String,
    },
    /// The change was made.
    Edited {
        /// Number of the new text.
        version: u32,
        text: String,
        /// What the change did, for undo.
        what: String,
    },
    /// The names that the next change leaves.
    NamesLeft(NamesView),
    /// It cannot be made.
    NotEdited {
        /// Number that the new text would have had.
        version: u32,
        /// Why not.
        why: String,
    },
    /// A file was read.
    Imported {
        /// Number of the new text.
        version: u32,
        /// All of it; `None`: the file changes nothing.
        text: Option<String>,
        /// What was found in the file.
        report: Box<Report>,
    },
    /// What the document says now.
    Document(Box<DocView>),
    /// What WHAT shows: told when it differs from what was told before.
    Form(Box<Form>),
    /// The link, with its `#`, or why there is none.
    Link {
        /// What it is for.
        purpose: LinkFor,
        link: Result<String, String>,
    },
    /// The cards of the gallery.
    Gallery(Vec<ExampleView>),
    /// What is not modelled, in Markdown.
    Limits(String),
    /// The scenario could not be run; the one before goes on.
    Refused {
        /// Why, with positions in the scenario's text.
        problems: Vec<Problem>,
    },
    /// Everything to be drawn at a moment.
    Frame(Box<Frame>),
    /// Still under way.
    Progress {
        /// Simulated up to here.
        time_ms: i64,
        /// Going to here.
        goal_ms: i64,
    },
    /// The answer to [`Request::Why`].
    Why(Box<WhyView>),
    /// There is no answer to [`Request::Why`]: says what the scenario has not.
    NoWhy(String),
    /// What was found so far for [`Request::Help`].
    Help {
        /// What it is to help.
        about: Selection,
        found: Vec<HelpView>,
        /// Changes that were tried, and those known to be tried.
        tried: (usize, usize),
        /// Is the search over?
        done: bool,
    },
    /// The lines of the charts.
    Charts(Vec<Series>),
    /// What the scenario expects of its run, and what became of it; told anew when more of it is judged.
    Expectations(Vec<ExpectationView>),
    /// The engine is there: the answer to [`Request::Listen`].
    Listening,
    /// The tables that are shown, at the moment of the latest frame.
    Ledger(Box<LedgerView>),
    /// Worlds that have been run for [`Request::Compare`] or [`Request::Try`], and all of them.
    Running {
        /// That have been run.
        ran: usize,
        /// All.
        of: usize,
    },
    /// The answer to [`Request::Compare`] and [`Request::Try`]: what became of each world, the scenario itself first.
    Worlds(Vec<WorldView>),
    /// Something went wrong that is our mistake; says what.
    Failed(String),
    /// Every request up to this number is answered, and nothing is being played ahead.
    Idle,
}

/// Everything to be drawn at a moment.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Frame {
    pub snapshot: Snapshot,
    /// What is looked at, for which `why` answers; the headline's subject when nothing was chosen.
    pub selection: Option<Selection>,
    /// The answer for it.
    pub why: Option<WhyView>,
    pub timeline: Timeline,
    /// What happened up to now, the latest first, at most [`EVENTS_MAX`].
    pub events: Vec<EventView>,
    /// How many there are in all up to now.
    pub events_total: usize,
    /// So many events have happened, where more of them happen at that moment.
    pub event: Option<u64>,
    /// Is it the first of another scenario or of another text?
    pub loaded: bool,
    /// What the scenario's caption says at the moment, while it is about what runs.
    pub caption: Option<String>,
    /// What the link says that this was opened from.
    pub linked: Option<LinkedView>,
    /// A node like the last one, which may be added.
    pub offer: Option<NodeOffer>,
    /// What a person can do at this moment to what is looked at.
    pub acts: Vec<Button>,
    /// After a step of one heartbeat: the stretch whose heartbeats were passed over, since none could change anything.
    pub skipped: Option<(i64, i64)>,
}

/// Rows of the events table that a frame carries.
pub const EVENTS_MAX: usize = 300;
/// Requests that wait which one picture lists.
pub const REQUESTS_MAX: usize = 1_000;

pub fn to_bytes<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain data into a growing vector: nothing that could fail.
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
