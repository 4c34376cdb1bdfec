//! The results of a scenario and its other worlds, side by side.

use super::{Amount, Selection};
use serde::{Deserialize, Serialize};

/// The result of one world, at a moment and at the end.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct WorldView {
    /// The name.
    pub name: String,
    /// The scenario's text, for opening it.
    pub text: String,
    /// The reason why it cannot be run; then everything else is empty.
    pub refused: String,
    /// Problems of its settings, or reasons why they have no effect, in sentences.
    pub odd: Vec<String>,
    /// The headline at the moment.
    pub headline: String,
    /// Applications at the moment, in the order of submission.
    pub apps: Vec<WorldAppView>,
    /// Leaf queues at the moment, all partitions together.
    pub queues: Vec<WorldQueueView>,
    /// The number of applications that ended by the end of the run, in any way, and of all applications.
    pub ended: (usize, usize),
    /// The end of the last application; `None`: none has ended, or one never does.
    pub all_ended_ms: Option<i64>,
    /// The number of containers that finished their work by the end of the run, without ApplicationMasters.
    pub done: i64,
    /// The time up to which it was run; less than the scenario's end if that would take too long.
    pub known_ms: i64,
    /// The first difference from the first world.
    pub first: Option<Difference>,
}

/// One application in one world.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldAppView {
    pub name: String,
    /// The state: "RUNNING".
    pub state: String,
    /// Live containers, without the AM.
    pub placed: i64,
    /// Containers that finished their work.
    pub done: i64,
    /// Containers requested but not allocated, including the AM.
    pub waiting: i64,
    pub rejected: i64,
    /// The end, at the moment or later; `None`: not within the run.
    pub ended_ms: Option<i64>,
}

/// One leaf queue in one world.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorldQueueView {
    pub path: String,
    /// The usage, including reservations.
    pub used: Amount,
    /// The part that ApplicationMasters use.
    pub am_used: Amount,
    pub guaranteed: Amount,
}

/// The first difference between two worlds.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Difference {
    pub time_ms: i64,
    /// The next event in the first world: "placed job-1 on n1"; "" if there is none.
    pub here: String,
    /// The event in the other world instead.
    pub there: String,
    pub about: Option<Selection>,
}
