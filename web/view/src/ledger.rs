//! The ledger: what a round of preemption found and did, figure by figure. Which tables and columns it has depends on whose
//! rounds they are; the page draws whatever there is. The books of a Slider have the same shape.

use super::{Amount, FactView, Selection};
use serde::{Deserialize, Serialize};

/// Stops that are told at most.
pub const STOPS_MAX: usize = 200;

/// The latest round of preemption at a moment.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerView {
    /// Whose rounds or books they are, in YARN's or Slider's word.
    pub law: String,
    /// Why there is nothing to show, and how there would be; "" where there is something.
    pub none: String,
    /// "round 12 at 0:33"; the short word for `none` where there is that.
    pub title: String,
    /// What it came to, and which rounds were like it.
    pub came_to: Vec<String>,
    /// Figures of the whole round.
    pub facts: Vec<FactView>,
    pub tables: Vec<LedgerTable>,
    /// Rounds that found something else than the one before them, in order: at most [`STOPS_MAX`] about the present one.
    pub stops: Vec<LedgerStop>,
    /// Which of them is shown.
    pub here: Option<usize>,
    /// Is the run known to its end, so that there is no later stop than those told?
    pub complete: bool,
    /// May one ask where a user's applications would land?
    pub places: bool,
    /// Of the container that is looked at: when it was asked back, and when killed.
    pub of: Vec<LedgerStop>,
}

/// A round to go to.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerStop {
    pub time_ms: i64,
    /// "1 marked".
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerTable {
    /// "Queues, default partition".
    pub title: String,
    /// Unit of its amounts: "GB", "GB · vcores".
    pub unit: String,
    /// Heading of the names of its rows.
    pub of: String,
    pub columns: Vec<LedgerColumn>,
    pub rows: Vec<LedgerRow>,
    /// The sums under them, "" where a sum means nothing.
    pub sums: Option<LedgerRow>,
    /// Further rows that are not told.
    pub more: usize,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerColumn {
    /// "over by".
    pub name: String,
    /// Are its cells numbers?
    pub number: bool,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerRow {
    pub name: String,
    /// What it is about.
    pub about: Option<Selection>,
    /// Depth in a tree, the top 0.
    pub depth: usize,
    /// One cell a column.
    pub cells: Vec<LedgerCell>,
    /// Does the round take something here?
    pub taken: bool,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerCell {
    /// "0.8"; `**bold**` marks names.
    pub text: String,
    /// The amount, where it is one.
    pub amount: Option<Amount>,
    /// How it comes about; one line a step.
    pub formula: Vec<String>,
    /// Containers that it names.
    pub names: Vec<(Selection, String)>,
}
