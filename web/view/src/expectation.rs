//! The expectations of a scenario, and their results.

use super::Selection;
use serde::{Deserialize, Serialize};

/// One expectation of the scenario.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExpectationView {
    /// The time clause: "at 20 s", "never from 0 s to the end".
    pub when: String,
    /// The line of the scenario in which it begins.
    pub line: usize,
    /// The moment that decided the result, or, until then, the last moment that it is about.
    pub at_ms: i64,
    /// The result; `None`: the run is not known that far.
    pub holds: Option<bool>,
    /// The expectation, and, if it fails, the actual value.
    pub what: String,
    /// The author's reason; empty if it holds, and if the author wrote it about another scenario.
    pub reason: String,
    /// The selection to show at that moment.
    pub about: Option<Selection>,
}
