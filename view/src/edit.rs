//! What a form does to the scenario, as plain data: the page sends it with what was typed, the engine writes it.

use serde::{Deserialize, Serialize};

/// A step on the way to a value of the scenario's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// Into a table.
    Name(String),
    /// Into a list of tables, from 0.
    At(usize),
}

impl From<&str> for Step {
    fn from(name: &str) -> Self {
        Step::Name(name.into())
    }
}

impl From<String> for Step {
    fn from(name: String) -> Self {
        Step::Name(name)
    }
}

impl From<usize> for Step {
    fn from(at: usize) -> Self {
        Step::At(at)
    }
}

/// The way to a value, such as `apps`, 2, `spec`.
pub type Path = Vec<Step>;

/// A change of the scenario, and what it is called when it is taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    pub what: String,
    pub change: Change,
}

/// A change; most take what was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// The scenario's title.
    Title,
    /// Takes away what stands at a path, an entry of a list or a value; nothing there is fine.
    Remove(Path),
    /// A node like the last one, under this name, which joins then.
    NodeLikeLast { name: String, at_ms: i64 },
    /// Other worlds in which this property has other values, typed with commas.
    Worlds { property: String },
    /// The release of Hadoop, which then decides how the scheduler is driven.
    Release,
}
