//! What a scenario expects of its run, and whether it holds.

use super::Selection;
use serde::{Deserialize, Serialize};

/// One expectation of the scenario.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExpectationView {
    /// When it must hold: "at 20 s", "never from 0 s to the end".
    pub when: String,
    /// The line of the scenario that it begins in.
    pub line: usize,
    /// The moment that decided, or, until it is judged, the last one that it is about.
    pub at_ms: i64,
    /// `None`: the run is not known that far.
    pub holds: Option<bool>,
    /// What is expected and, where it does not hold, what was seen.
    pub what: String,
    /// Why it is expected, as its author says: empty where it holds, and where the author said it of another scenario.
    pub reason: String,
    /// What to look at, at that moment.
    pub about: Option<Selection>,
}
