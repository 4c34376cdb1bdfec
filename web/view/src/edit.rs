//! What a form does to the scenario, as plain data: the page sends it with what was typed, the engine writes it.

use crate::Span;
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

impl Edit {
    /// What leaving the names is called.
    pub const LEAVE_NAMES: &str = "leave the names";
    /// What bringing them back is called.
    pub const BRING_NAMES: &str = "bring the names back";

    /// Gives everything another name.
    pub fn leave_names() -> Edit {
        Edit { what: Edit::LEAVE_NAMES.into(), change: Change::LeaveNames }
    }

    /// Gives the old names back: each with the one that stands in the text.
    pub fn bring_names(names: Vec<(String, String)>) -> Edit {
        Edit { what: Edit::BRING_NAMES.into(), change: Change::BringNames(names) }
    }
}

/// A change; most take what was typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Change {
    /// The whole text becomes what was typed.
    Text,
    /// The scenario's title.
    Title,
    /// What was typed is put at a path; nothing typed takes away what is there.
    Put { path: Path, how: How },
    /// Takes away what stands at a path, an entry of a list or a value; nothing there is fine.
    Remove(Path),
    /// One more entry of a list; `entry` is an inline table of TOML.
    Append { list: Path, entry: String },
    /// Something happens: `entry` is an inline table of TOML, and what was typed goes to `put` in it. A happening that says
    /// the same is changed instead.
    Happen { entry: String, put: Path, how: How },
    /// A group of nodes, typed as one line: `12 × 64 GB/16, 3 racks`.
    Nodes,
    /// A node like the last one, under this name, which joins then.
    NodeLikeLast { name: String, at_ms: i64 },
    /// The same on this rack.
    NodeOnRack { name: String, at_ms: i64, rack: String },
    /// The racks of an entry of nodes: how many, their names, or the one.
    Racks { entry: usize },
    /// Other worlds in which this property has other values, typed with commas.
    Worlds { property: String },
    /// Other worlds in which the other schedulers run the same workload.
    Schedulers,
    /// The release of Hadoop, which then decides how the scheduler is driven.
    Release,
    /// A property of yarn-site.xml by its whole name, where such properties are written.
    Site(String),
    /// A file of the scenario becomes `text`, else what was typed.
    File { name: String, text: Option<String> },
    /// The queues; `at_ms`: by a refresh at that moment, else from the start.
    Queues { at_ms: Option<i64>, change: QueueChange },
    /// A part of the constraint of a scheduling request that is written out: the way through its tree, and what changes.
    Constraint { path: Path, part: Vec<usize>, change: PartChange },
    /// The PlacementSpec of an entry of `apps` becomes requests that are written out.
    SpecAsRequests { entry: usize },
    /// Everything gets another name.
    LeaveNames,
    /// The old names come back: each with the one that stands in the text.
    BringNames(Vec<(String, String)>),
    /// The mend of a problem: `new` in place of `was`. Refused when that stands there no more.
    Fix { of: Fixed, span: Span, was: String, new: String },
}

/// How what was typed is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum How {
    /// A whole number as one, everything else as a text.
    Typed,
    /// A text, without blanks around it.
    Text,
    /// A text, letter for letter.
    Letters,
    /// A list of texts, typed with commas.
    List,
    /// A table, typed as `name=value, …`.
    Pairs,
    /// The amount of each resource, as one text: in place of a table, and of the parts beside it.
    Size,
    /// A constraint in YARN's notation.
    Constraint,
}

/// A change of the queues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueueChange {
    /// A property by its whole name; `blank`: one blank is a value of it.
    Property { name: String, blank: bool },
    /// The whole file as typed.
    File,
    /// A queue's share in percent: its siblings give and take.
    Share { queue: String },
    /// A child under the name typed, else under this one.
    Child { parent: String, name: String },
    /// A queue goes, with everything that is set for it and below it.
    Remove { queue: String },
    /// A property with a name in its name.
    Named(Draft),
}

/// A property with a name in its name, as far as it is typed.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Draft {
    /// In the form of this queue; "": of the whole scheduler.
    pub owner: String,
    /// Which kind, as a place in the list of them.
    pub kind: usize,
    /// The queue that it is of, if another one was typed.
    pub queue: Option<String>,
    /// The name in its name.
    pub name: String,
    pub value: String,
}

/// What a mend changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fixed {
    Document,
    /// A text in it.
    At(Path),
    /// capacity-scheduler.xml as it is in force at that moment, or from the start.
    Queues(Option<i64>),
}

/// A change of one part of a constraint. What it does not name is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartChange {
    /// How its parts are joined: `and`, `or`, `delayed`.
    Join,
    /// One part more.
    AddPart,
    RemovePart(usize),
    /// When this part's turn comes.
    Delay(usize),
    /// What it wants: `in`, `notin`, `card`, `eq`, `ne`.
    Kind,
    /// `node` or `rack`.
    Scope,
    Min,
    Max,
    AddTarget,
    /// It becomes the first of two parts.
    Split,
    /// What a target looks at.
    TargetKind(usize),
    /// Which application, application tag or attribute.
    TargetName(usize),
    /// Its values, typed with commas.
    TargetValues(usize),
    RemoveTarget(usize),
}
