//! The answer to "why?" as plain data; the crate's documentation describes the conventions.

use super::{EventOutcome, Selection};
use serde::{Deserialize, Serialize};

/// The answer to "why?" for one thing. Parts that do not apply are empty.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct WhyView {
    pub about: Option<Selection>,
    /// The name: "zk-3".
    pub title: String,
    /// The status: "waiting 22 s", "placed at 0:09".
    pub status: String,
    /// The shape.
    pub fate: Option<EventOutcome>,
    /// The breadcrumb: "2 GB · 1 vcore · default › zk".
    pub crumb: String,
    /// The answer as a sentence; `**bold**` marks names.
    pub sentence: String,
    /// The time at which the scheduler last considered it, and the node: the answer was recorded then. `None`: never yet.
    pub looked: Option<(i64, String)>,
    /// The chain of limits in the order in which the scheduler checked them; those after the first failed one were not
    /// reached.
    pub limits: Vec<LimitView>,
    /// The nodes, each counted once by its first failed check; the counts add up to the number of nodes.
    pub buckets: Vec<BucketView>,
    /// The matrix of nodes × checks.
    pub matrix: MatrixView,
    /// The sort keys that decided between queues, applications and requests at this step.
    pub orders: Vec<OrderView>,
    /// The containers that got resources the request could have used while it waited, with the reasons for their
    /// precedence; no rows: none.
    pub taken: OrderView,
    /// The blocking checks over time, from the start of the wait until now. Empty: always the same.
    pub over_time: Vec<StretchView>,
    /// Pairs of facts: "guaranteed", "4 GB".
    pub facts: Vec<FactView>,
    /// Sets of checks; lifting all checks of one set is enough ("any one of these lifted is enough").
    pub blocking: Vec<String>,
    /// Waits between applications: applications that hold what a request needs, and those that one of their tasks waits for
    /// in turn.
    pub waits_for: Vec<(String, Selection, String)>,
    /// The free memory on the candidate nodes: MiB with the number of nodes, most first.
    pub free: Vec<(i64, i64)>,
    /// Containers being preempted for it, and why not more; or why it is not preempted. `None`: preemption is irrelevant.
    pub preemption: Option<PreemptionView>,
    /// Changes that would help, each found by running it.
    pub help: Vec<HelpView>,
    /// YARN's diagnostics, with the number of nodes.
    pub yarn: Vec<(String, usize)>,
    /// The sections of the reference or the classes that decide this.
    pub sources: Vec<String>,
}

/// One link of the chain of limits.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LimitView {
    /// The name of the check: "UserLimit". Empty for nodes, for refusals, and for anything that is not a check but an
    /// order.
    pub check: String,
    /// The label: "queue limit", "user limit", "AM limit", "headroom", "node".
    pub name: String,
    /// The owner of the limit: the queue's path, the user.
    pub of: String,
    /// Whether the check passes.
    pub passes: bool,
    /// Whether the scheduler reached the check. It stops at the first that fails.
    pub reached: bool,
    /// The comparison: "232 + 16 ≤ 448".
    pub text: String,
    /// The usage for the meter, in `unit`.
    pub used: f64,
    /// The request for the meter, in `unit`.
    pub asked: f64,
    /// The limit for the meter, in `unit`.
    pub limit: f64,
    /// The unit of the meter: "GB", "vcores".
    pub unit: String,
    /// The calculation with its values, one line per step.
    pub formula: Vec<String>,
    /// The properties that set it, with file and line if known.
    pub properties: Vec<String>,
}

/// An interval with the same blocking checks.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct StretchView {
    pub from_ms: i64,
    /// The end; `None`: now.
    pub to_ms: Option<i64>,
    /// The names of the checks that failed.
    pub checks: Vec<String>,
    /// The checks in a few words: "AM limit", "no room".
    pub text: String,
    /// The events at its start, and changes of nodes and settings during it: "db ended at 0:57".
    pub happened: Vec<String>,
    /// The number of intervals left out before it.
    pub left_out: usize,
}

/// The nodes that fail the same check first.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct BucketView {
    /// The text: "2 run zk".
    pub text: String,
    pub count: usize,
    pub nodes: Vec<String>,
    /// The column of the matrix; `None` for nodes that pass all checks.
    pub check: Option<usize>,
}

/// The matrix of nodes × checks.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct MatrixView {
    /// The columns; a clause carries its number.
    pub checks: Vec<CheckView>,
    /// The rows, nearest miss first.
    pub rows: Vec<MatrixRow>,
    /// For a placed container: the moment just before its placement, which the matrix shows; `None`: now.
    pub at_ms: Option<i64>,
}

/// A column of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CheckView {
    /// The heading: "partition", "no zk", "2 GB free".
    pub title: String,
    /// The number of the clause.
    pub clause: Option<usize>,
    /// YARN's diagnostics when it fails.
    pub yarn: String,
    /// The clause in English.
    pub words: String,
}

/// A row of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct MatrixRow {
    pub node: String,
    /// Further nodes of the rack with the same results.
    pub alike: Vec<String>,
    pub rack: String,
    /// Whether a single check blocks the request.
    pub near: bool,
    /// One cell per check.
    pub cells: Vec<CellView>,
}

/// A cell of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CellView {
    /// Whether the check passes.
    pub passes: bool,
    /// Whether it is the first that fails on this node.
    pub first: bool,
    /// The actual value compared with the bound: "1 > 0", "5".
    pub text: String,
}

/// An order with its sort keys.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct OrderView {
    /// The title: "children of root", "applications of root.a".
    pub title: String,
    /// The names of the keys, in the order in which they are compared.
    pub keys: Vec<String>,
    /// The name and the values of each row, in the order tried.
    pub rows: Vec<(String, Vec<String>)>,
    /// For each row the key that put it after the previous row; `None` for the first row, and if no key did.
    pub decided: Vec<Option<usize>>,
}

/// A fact with its formula.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct FactView {
    /// The name: "user limit".
    pub name: String,
    /// The value: "12 GB".
    pub value: String,
    /// The calculation, one line per step.
    pub formula: Vec<String>,
}

/// Preemption as far as it concerns one thing.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct PreemptionView {
    /// The title: "Why not more, why not sooner", "Why it is not preempted".
    pub title: String,
    /// The containers being preempted and their times, or the reason why there are none.
    pub sentence: String,
    /// The containers being preempted, in a few words. Empty: none.
    pub short: String,
    /// The round that this is based on. `None`: there was none.
    pub round_ms: Option<i64>,
    /// The name of the failed check. `None`: resources are being freed, or nothing prevents it.
    pub check: Option<String>,
    /// The containers being preempted, the soonest first.
    pub freeing: Vec<FreeingView>,
    /// All conditions, in the order in which the monitor evaluates them.
    pub conditions: Vec<ConditionView>,
}

/// A container that is being preempted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FreeingView {
    pub who: Selection,
    /// The name: "etl-3".
    pub name: String,
    pub node: String,
    /// The size: "1 GB · 1 vcore".
    pub size: String,
    /// The time of its kill if nothing changes. `None`: it is killable, or its mark will be dropped.
    pub killed_ms: Option<i64>,
    /// Whether it is killable already.
    pub killable: bool,
    /// The text: "marked at 0:30, killed at 0:45".
    pub text: String,
}

/// The result of a preemption condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Met {
    /// It does not limit preemption.
    Yes,
    /// It reduces or delays preemption.
    Slows,
    /// It prevents preemption.
    No,
    /// The monitor did not evaluate it.
    #[default]
    Unreached,
}

/// A condition of preemption.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ConditionView {
    /// The name of its check.
    pub check: String,
    /// The label: "monitor on", "queue preemptable".
    pub name: String,
    pub met: Met,
    /// The comparison: "root.a uses 8 GB, more than 4.4 GB".
    pub value: String,
    /// The calculation, one line per step.
    pub formula: Vec<String>,
    /// The properties that set it, with file and line if known.
    pub properties: Vec<String>,
}

/// A change and its effect: the run with the change compared to the run without.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct HelpView {
    /// The change: "root.a.user-limit-factor = 2".
    pub change: String,
    /// The effect: "All 12 are placed by 0:41, not only 8. b waits up to 12 s longer."
    pub effect: String,
    /// Whether the change helps.
    pub helps: bool,
    /// The figures of the effect.
    pub promise: PromiseView,
    /// The applications that it harms.
    pub worse: Vec<WorseView>,
    /// The scenario's text with the change, if it can be tried with one click.
    pub scenario: Option<String>,
}

/// The outcome of a whole request in two runs: without a change, and with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PromiseView {
    /// The number of containers requested in total with the change, including allocated ones.
    pub of: i64,
    /// The number by which the change reduces the request.
    pub fewer: i64,
    /// The moment of the question.
    pub at_ms: i64,
    /// Containers placed up to that moment, without and with.
    pub at: (i64, i64),
    /// Containers placed up to the end of the run, or to `known_ms`, without and with.
    pub end: (i64, i64),
    /// For an ApplicationMaster: the other containers of its application up to the end, without and with; `None`: it is not
    /// one.
    pub tasks: Option<(i64, i64)>,
    /// The time at which the last container was placed, without and with; `None`: not all are placed.
    pub all_ms: (Option<i64>, Option<i64>),
    /// The time up to which the runs were compared, if not to their ends.
    pub known_ms: Option<i64>,
}

/// An application that a change harms: figures without and with it, AMs not counted.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorseView {
    pub app: String,
    /// The text: "b gets 2 of 10 containers".
    pub text: String,
    /// Containers up to the moment.
    pub at: (i64, i64),
    /// Containers up to the end.
    pub end: (i64, i64),
    /// The largest additional delay of a container.
    pub later_ms: i64,
    /// Whether it starts, or gets containers, only without the change.
    pub starved: bool,
    /// Refused requests.
    pub refused: (i64, i64),
}
