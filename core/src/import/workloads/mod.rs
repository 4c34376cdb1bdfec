//! Traces of applications from other simulators: each application becomes a batch application of the scenario.
//!
//! | file | what |
//! |---|---|
//! | `sls` | jobs and nodes of YARN's Scheduler Load Simulator |
//! | `synth` | its synthetic workloads |
//! | `samples` | values drawn from a distribution |
//! | `dynoyarn` | workloads of DynoYARN |
//! | `write` | the entries of a scenario |
//! | `generate` | generated workloads for a cluster |

pub mod dynoyarn;
pub mod generate;
pub mod samples;
pub mod sls;
pub mod synth;
mod write;

pub use write::Largest;
pub(super) use write::{add, entries, nodes};

use super::InputText;
use super::json::Loose;
use crate::api::NodeLabel;
use crate::client::json::Node;
use crate::model::{Millis, Problem, Span};
use crate::scenario::units::Size;

/// An application of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Job {
    pub id: Option<String>,
    pub submit_ms: Millis,
    pub queue: Option<String>,
    pub user: Option<String>,
    /// The type in the trace: `MAPREDUCE`.
    pub kind: Option<String>,
    pub label: Option<String>,
    pub tags: Vec<String>,
    /// The size of its ApplicationMaster, as far as the trace gives it.
    pub am: Size,
    /// The number of identical applications submitted at once.
    pub copies: i64,
    pub stages: Vec<Stage>,
}

/// Containers of an application that are requested together.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    pub name: Option<String>,
    pub count: i64,
    pub runs: Runs,
    pub priority: i64,
    /// The size of each container, as far as the trace gives it.
    pub size: Size,
    /// The requested hosts; empty: anywhere.
    pub places: Vec<String>,
    /// The delay before its request.
    pub delay_ms: Millis,
    /// The stages that have to finish before its request, by index.
    pub after: Vec<usize>,
}

/// The run times of a stage's containers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Runs {
    /// The same run time for all.
    All(Millis),
    /// A run time for each container.
    Each(Vec<Millis>),
}

/// A node of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceNode {
    /// The rack, with a leading slash.
    pub rack: String,
    pub host: String,
    /// The size, as far as the trace gives it.
    pub size: Size,
    /// The labels, with their exclusivity.
    pub labels: Vec<NodeLabel>,
}

/// The problems of a trace, with positions.
pub(super) struct Report<'t> {
    name: &'t str,
    pub problems: Vec<Problem>,
}

impl<'t> Report<'t> {
    pub fn new(name: &'t str) -> Self {
        Report { name, problems: Vec::new() }
    }

    pub fn error(&mut self, at: Span, what: impl Into<String>, mend: impl Into<String>) {
        self.problems.push(Problem::error(self.name, at, what).mend(mend));
    }

    pub fn warning(&mut self, at: Span, what: impl Into<String>, mend: impl Into<String>) {
        self.problems.push(Problem::warning(self.name, at, what).mend(mend));
    }

    /// Returns the whole number of a field, which may be written as a text.
    pub fn number(&mut self, node: &Node, name: &str) -> Option<i64> {
        let value = node.get(name)?;
        let number = value.int();
        if number.is_none() {
            self.error(value.span, format!("`{name}` is no whole number."), "Write a whole number.");
        }
        number
    }

    /// Returns the number of a field if it is not negative.
    pub fn natural(&mut self, node: &Node, name: &str) -> Option<i64> {
        let number = self.number(node, name)?;
        if number < 0
            && let Some(value) = node.get(name)
        {
            self.error(value.span, format!("`{name}` is negative."), "Write 0 or more.");
            return None;
        }
        Some(number)
    }
}

/// Returns the objects of a text: one after the other, or in a list. Leaves out one that is cut off by a fault.
pub(super) fn objects<'l>(look: &'l InputText<'_>) -> Vec<&'l Node> {
    let Some(documents) = look.json() else { return Vec::new() };
    let mut all: Vec<&Node> = documents.values.iter().flat_map(|v| v.list(&[])).collect();
    if documents.fault.is_some() {
        all.pop();
    }
    all
}

/// Reports the fault that ended reading a text, and skipped parts that are not JSON.
pub(super) fn form(look: &InputText<'_>, report: &mut Report<'_>) {
    let Some(documents) = look.json() else { return };
    if let Some(fault) = &documents.fault {
        let what = format!("This is not JSON from here on: {}. What stands before it was read.", fault.what);
        report.error(Span::new(fault.at, fault.at), what, "Give the whole text.");
    }
    if let Some(comment) = documents.comments.first() {
        report.warning(*comment, "A comment is not JSON; it was overlooked.", "Take comments out.");
    }
}
