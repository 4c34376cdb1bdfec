//! The ledger: the figures of a preemption round. Its tables and columns depend on the scheduler; the page draws whatever
//! there is. The accounting of a Slider application has the same form.

use super::{Amount, FactView, Selection};
use serde::{Deserialize, Serialize};

/// The maximum number of stops.
pub const STOPS_MAX: usize = 200;

/// The latest round of preemption at a moment.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerView {
    /// The origin of the rounds or figures, in YARN's or Slider's term.
    pub law: String,
    /// Why there is nothing to show, and how to get something; "" if there is something.
    pub none: String,
    /// The title, such as "round 12 at 0:33", or the short form of `none`.
    pub title: String,
    /// The result, and which rounds were equal.
    pub came_to: Vec<String>,
    /// Figures of the whole round.
    pub facts: Vec<FactView>,
    pub tables: Vec<LedgerTable>,
    /// The rounds that differ from their predecessors, in order: at most [`STOPS_MAX`] around the present one.
    pub stops: Vec<LedgerStop>,
    /// The index of the one that is shown.
    pub here: Option<usize>,
    /// Whether the run is known to its end, so that no later stops exist.
    pub complete: bool,
    /// Whether the page may ask where a user's applications would be placed.
    pub places: bool,
    /// The moments when the selected container was marked and killed.
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
    /// The title: "Queues, default partition".
    pub title: String,
    /// The unit of its amounts: "GB", "GB · vcores".
    pub unit: String,
    /// The heading of the row names.
    pub of: String,
    pub columns: Vec<LedgerColumn>,
    pub rows: Vec<LedgerRow>,
    /// The totals row, with "" where a total has no meaning.
    pub sums: Option<LedgerRow>,
    /// The number of rows that are left out.
    pub more: usize,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerColumn {
    /// The heading: "over by".
    pub name: String,
    /// Whether its cells are numbers.
    pub number: bool,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerRow {
    pub name: String,
    /// The selection that the row is about.
    pub about: Option<Selection>,
    /// The depth in a tree, from 0.
    pub depth: usize,
    /// One cell per column.
    pub cells: Vec<LedgerCell>,
    /// Whether the round takes something here.
    pub taken: bool,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LedgerCell {
    /// The text: "0.8"; `**bold**` marks names.
    pub text: String,
    /// The amount, if the cell has one.
    pub amount: Option<Amount>,
    /// The calculation, one line per step.
    pub formula: Vec<String>,
    /// The containers that it names.
    pub names: Vec<(Selection, String)>,
}
