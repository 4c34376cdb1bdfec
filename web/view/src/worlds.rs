//! A scenario beside other worlds: what each came to.

use super::{Amount, Selection};
use serde::{Deserialize, Serialize};

/// What became of one world at a moment, and in the end.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct WorldView {
    /// What it is called.
    pub name: String,
    /// Its scenario's text, to be opened.
    pub text: String,
    /// Why it cannot be run; then everything else is empty.
    pub refused: String,
    /// What is wrong with its settings, or keeps them from deciding anything: sentences.
    pub odd: Vec<String>,
    /// The headline at the moment.
    pub headline: String,
    /// Applications at the moment, in the order of submission.
    pub apps: Vec<WorldAppView>,
    /// Leaf queues at the moment, the partitions together.
    pub queues: Vec<WorldQueueView>,
    /// Applications that had ended at the end of the run, however, and all that there were.
    pub ended: (usize, usize),
    /// When the last of them had ended; `None`: none has, or one never does.
    pub all_ended_ms: Option<i64>,
    /// Containers that did their work up to the end of the run, ApplicationMasters not counted.
    pub done: i64,
    /// Up to where it was run; less than the scenario's end when that would take too long.
    pub known_ms: i64,
    /// The first thing that happens otherwise than in the first world.
    pub first: Option<Difference>,
}

/// One application in one world.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldAppView {
    pub name: String,
    /// State: "RUNNING".
    pub state: String,
    /// Containers that are there, without the AM.
    pub placed: i64,
    /// Containers that did their work.
    pub done: i64,
    /// Containers asked for and not there, the AM included.
    pub waiting: i64,
    pub rejected: i64,
    /// When it ended, at the moment or later; `None`: not within the run.
    pub ended_ms: Option<i64>,
}

/// One leaf queue in one world.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldQueueView {
    pub path: String,
    /// Used, reservations included.
    pub used: Amount,
    /// Of which ApplicationMasters hold.
    pub am_used: Amount,
    pub guaranteed: Amount,
}

/// The first thing that two worlds do differently.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Difference {
    pub time_ms: i64,
    /// What happens next in the first world: "placed job-1 on n1"; "" when nothing more does.
    pub here: String,
    /// What happens instead.
    pub there: String,
    pub about: Option<Selection>,
}
