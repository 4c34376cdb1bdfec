//! The answer to "why?" as plain data; the crate says what all of them have in common.

use super::{Fate, Selection};
use serde::{Deserialize, Serialize};

/// The answer to "why?" for one thing. Parts that do not apply are empty.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct WhyView {
    pub about: Option<Selection>,
    /// Its name: "zk-3".
    pub title: String,
    /// "waiting 22 s", "placed at 0:09".
    pub status: String,
    /// Its shape.
    pub fate: Option<Fate>,
    /// "2 GB · 1 vcore · default › zk".
    pub crumb: String,
    /// The sentence; `**bold**` marks names.
    pub sentence: String,
    /// When the scheduler last looked at it, and at which node: what is told was recorded then. `None`: it has not yet.
    pub looked: Option<(i64, String)>,
    /// The chain of limits in the order in which the scheduler checked them; those after the first that stops were not
    /// reached.
    pub limits: Vec<LimitView>,
    /// Nodes counted once each, by their first failing check; the counts sum to the number of nodes.
    pub buckets: Vec<BucketView>,
    /// The matrix node × check.
    pub matrix: MatrixView,
    /// Sort keys that decided between queues, applications and requests at this step.
    pub orders: Vec<OrderView>,
    /// Who was given the room that the request could have had while it waited, and why before it; without rows: nobody.
    pub taken: OrderView,
    /// What stopped it when, from when it is wanted until now. Empty: the same all the time.
    pub over_time: Vec<StretchView>,
    /// Facts in pairs: "guaranteed", "4 GB".
    pub facts: Vec<FactView>,
    /// Sets of checks of which lifting all of one set is enough ("any one of these lifted is enough").
    pub blocking: Vec<String>,
    /// Who waits for which application, and for what of it: applications that hold what a request needs, and those that a
    /// task of theirs waits for in turn.
    pub waits_for: Vec<(String, Selection, String)>,
    /// What is free on the nodes that it could go to: MiB and how many nodes have so much, the most first.
    pub free: Vec<(i64, i64)>,
    /// What is being freed for it, and why not more; or why it is not preempted. `None`: preemption is of no account.
    pub preemption: Option<PreemptionView>,
    /// What would help, each found by running it.
    pub help: Vec<HelpView>,
    /// YARN's own words and on how many nodes.
    pub yarn: Vec<(String, usize)>,
    /// Sections of the reference or classes that decide this.
    pub sources: Vec<String>,
}

/// One link of the chain of limits.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LimitView {
    /// The name of the check: "UserLimit". Empty of nodes, of refusals, and of what is no check but somebody's turn.
    pub check: String,
    /// "queue max", "user limit", "AM limit", "headroom", "node".
    pub name: String,
    /// Whose: the queue's path, the user.
    pub of: String,
    /// Did it pass?
    pub passes: bool,
    /// Did the scheduler come to it at all? It stops at the first that does not pass.
    pub reached: bool,
    /// "232 + 16 ≤ 448".
    pub text: String,
    /// For the meter, in one unit.
    pub used: f64,
    /// For the meter.
    pub asked: f64,
    /// For the meter.
    pub limit: f64,
    /// Unit of the meter: "GB", "vcores".
    pub unit: String,
    /// How the numbers come about, values filled in; one line a step.
    pub formula: Vec<String>,
    /// Properties that set it, with file and line where the file gives them.
    pub properties: Vec<String>,
}

/// A stretch of time in which the same stopped something.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct StretchView {
    pub from_ms: i64,
    /// `None`: now.
    pub to_ms: Option<i64>,
    /// The names of the checks that failed.
    pub checks: Vec<String>,
    /// The same in a few words: "AM limit", "no room".
    pub text: String,
    /// What happened as it began, and what of nodes and settings while it lasted: "db ended at 0:57".
    pub happened: Vec<String>,
    /// How many stretches before it are left out.
    pub left_out: usize,
}

/// Nodes that stop at one check.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct BucketView {
    /// "2 run zk".
    pub text: String,
    pub count: usize,
    pub nodes: Vec<String>,
    /// Column of the matrix; `None` for nodes that pass all.
    pub check: Option<usize>,
}

/// Nodes × checks.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct MatrixView {
    /// Headings; a clause carries its number.
    pub checks: Vec<CheckView>,
    /// Rows, the nearest first.
    pub rows: Vec<MatrixRow>,
    /// Of a placed container: the moment just before it was placed, which this shows; `None`: now.
    pub at_ms: Option<i64>,
}

/// A column of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CheckView {
    /// "partition", "no zk", "2 GB free".
    pub title: String,
    /// Clause number.
    pub clause: Option<usize>,
    /// YARN's words when it fails.
    pub yarn: String,
    /// A clause in English.
    pub words: String,
}

/// A row of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct MatrixRow {
    pub node: String,
    /// Further nodes of the rack of which all is the same.
    pub alike: Vec<String>,
    pub rack: String,
    /// Does one check alone keep the request away?
    pub near: bool,
    /// One cell a check.
    pub cells: Vec<CellView>,
}

/// A cell of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CellView {
    /// Does the check pass?
    pub passes: bool,
    /// Is it the first that fails on this node?
    pub first: bool,
    /// The value seen against the bound: "1 > 0", "5".
    pub text: String,
}

/// An order that was decided by sort keys.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct OrderView {
    /// "children of root", "applications of root.a".
    pub title: String,
    /// Names of the keys, in the order in which they are compared.
    pub keys: Vec<String>,
    /// Name and values, in the order tried.
    pub rows: Vec<(String, Vec<String>)>,
    /// For each row the key that put it behind the row before it; `None` for the first, and where no key says so.
    pub decided: Vec<Option<usize>>,
}

/// A fact with its formula.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct FactView {
    /// "user limit".
    pub name: String,
    /// "12 GB".
    pub value: String,
    /// How it comes about; one line a step.
    pub formula: Vec<String>,
}

/// Preemption, as far as it is about one thing.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct PreemptionView {
    /// "Why not more, why not sooner", "Why it is not preempted".
    pub title: String,
    /// What is being freed and when, or why nothing is.
    pub sentence: String,
    /// What is being freed, in a few words. Empty: nothing.
    pub short: String,
    /// The round that this is told from. `None`: there has been none.
    pub round_ms: Option<i64>,
    /// The check that failed, by its name. `None`: room comes, or nothing stands in its way.
    pub check: Option<String>,
    /// Containers that end for others, the soonest first.
    pub freeing: Vec<FreeingView>,
    /// Every condition, in the order in which the monitor comes to it.
    pub conditions: Vec<ConditionView>,
}

/// A container that is to end for others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FreeingView {
    pub who: Selection,
    /// "etl-3".
    pub name: String,
    pub node: String,
    /// "1 GB · 1 vcore".
    pub size: String,
    /// When it is killed if nothing changes. `None`: it is killable, or its mark will be forgotten.
    pub killed_ms: Option<i64>,
    /// Is it killable already?
    pub killable: bool,
    /// "marked at 0:30, killed at 0:45".
    pub text: String,
}

/// Does a condition of preemption hold?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Met {
    /// It stands in no way.
    Yes,
    /// It leaves less, or later.
    Slows,
    /// Nothing is taken because of it.
    No,
    /// The monitor did not come to it.
    #[default]
    Unreached,
}

/// A condition of preemption.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ConditionView {
    /// The name of the check that it is.
    pub check: String,
    /// "monitor on", "queue preemptable".
    pub name: String,
    pub met: Met,
    /// "root.a uses 8 GB, more than 4.4 GB".
    pub value: String,
    /// How it comes about; one line a step.
    pub formula: Vec<String>,
    /// Properties that set it, with file and line where the file gives them.
    pub properties: Vec<String>,
}

/// A change that would help, or would not: what the run with it promises, against the run without.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct HelpView {
    /// "root.a.user-limit-factor = 2".
    pub change: String,
    /// "All 12 are placed by 0:41, not only 8. b waits up to 12 s longer."
    pub effect: String,
    /// Does it help?
    pub helps: bool,
    /// The figures of the effect.
    pub promise: PromiseView,
    /// Who is worse off.
    pub worse: Vec<WorseView>,
    /// The scenario text with the change made, when it can be tried with one click.
    pub scenario: Option<String>,
}

/// What becomes of a whole request in two runs: without a change, and with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PromiseView {
    /// How many containers it asks for in all with the change, those that it has had included.
    pub of: i64,
    /// So many fewer are asked for with it than without.
    pub fewer: i64,
    /// The moment at which it was asked.
    pub at_ms: i64,
    /// Placed up to that moment, without and with.
    pub at: (i64, i64),
    /// Placed to the end of the run, or up to `known_ms`, without and with.
    pub end: (i64, i64),
    /// Of an ApplicationMaster: other containers of its application to the end, without and with; `None`: it is none.
    pub tasks: Option<(i64, i64)>,
    /// When the last of them was placed, without and with; `None`: not all of them are.
    pub all_ms: (Option<i64>, Option<i64>),
    /// Up to where the runs were compared, if not to their ends.
    pub known_ms: Option<i64>,
}

/// An application that a change harms: figures without and with it, AMs not counted.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WorseView {
    pub app: String,
    /// "b gets 2 of 10 containers".
    pub text: String,
    /// Containers up to the moment.
    pub at: (i64, i64),
    /// Containers to the end.
    pub end: (i64, i64),
    /// How much longer the one that is delayed most waits.
    pub later_ms: i64,
    /// Whether it starts without the change and with it does not, or gets nothing.
    pub starved: bool,
    /// Requests that are refused.
    pub refused: (i64, i64),
}
