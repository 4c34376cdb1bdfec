//! Changes that a form makes to the scenario, as plain data: the page sends one with the typed text, and the engine applies
//! it.

use crate::{Selection, Span};
use serde::{Deserialize, Serialize};

/// A step on the path to a value of the scenario's text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// A key of a table.
    Name(String),
    /// An index of a list of tables, from 0.
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

/// The path to a value, such as `apps`, 2, `spec`.
pub type Path = Vec<Step>;

/// A change of the scenario, with its name for undo.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Edit {
    pub what: String,
    pub change: Change,
}

impl Edit {
    /// Returns the name of the world in which the edit is made with this text.
    pub fn tried_as(&self, typed: &str) -> String {
        format!("{} = {}", self.what, typed.trim())
    }

    /// The undo name of anonymising.
    pub const LEAVE_NAMES: &str = "leave the names";
    /// The undo name of restoring the names.
    pub const BRING_NAMES: &str = "bring the names back";

    /// Anonymises the scenario.
    pub fn leave_names() -> Edit {
        Edit { what: Edit::LEAVE_NAMES.into(), change: Change::LeaveNames }
    }

    /// Restores the old names, given with the present ones.
    pub fn bring_names(names: Vec<(String, String)>) -> Edit {
        Edit { what: Edit::BRING_NAMES.into(), change: Change::BringNames(names) }
    }
}

/// A change; most use the typed text.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Change {
    /// The whole text is replaced.
    #[default]
    Text,
    /// The scenario's title.
    Title,
    /// The typed text is put at a path; an empty text removes the value.
    Put { path: Path, how: How },
    /// The entry or the value at a path is removed, if there is one.
    Remove(Path),
    /// An entry is appended to a list; `entry` is an inline table of TOML.
    Append { list: Path, entry: String },
    /// An application whose requests have constraints is appended, with the handler of constraints that they need.
    AppendConstrained { entry: String },
    /// A happening is added: `entry` is an inline table of TOML, and the typed text goes to `put` in it. If an equal
    /// happening exists, that one is changed instead.
    Happen { entry: String, put: Path, how: How },
    /// A happening of the typed kind is added at this moment, about the selection or the first thing that fits; `queue`: the
    /// one that an application is moved to.
    NewHappening { at_ms: i64, about: Option<Selection>, queue: String },
    /// A group of nodes is added, typed as one line: `12 × 64 GB/16, 3 racks`.
    Nodes,
    /// A node like the last one, with this name, joins at that time.
    NodeLikeLast { name: String, at_ms: i64 },
    /// A node like the last one joins on this rack.
    NodeOnRack { name: String, at_ms: i64, rack: String },
    /// The racks of an entry of nodes are set: their number, their names, or the only one.
    Racks { entry: usize },
    /// The nodes with this label ("" for those without one) are replaced by a typed line: `12 × 64 GB/16, 3 racks`.
    Cluster { label: String },
    /// Half of the nodes get a node attribute, or, if a node has it, all lose it.
    Attribute { name: String, value: String },
    /// The node labels are set: `gpu, ssd(exclusive=false)`.
    NodeLabels,
    /// Containers that are there when the run begins, and those asked for then, run this long.
    RunTimes,
    /// The generated load is replaced by another one.
    Load(Load),
    /// Worlds are added in which this property has other values, typed with commas.
    Worlds { property: String },
    /// Worlds are added in which the other schedulers run the same workload.
    Schedulers,
    /// The Hadoop release is set, which also determines the default scheduling mode.
    Release,
    /// A property of yarn-site.xml, by its full name, is set where such properties are written.
    Site(String),
    /// A file of the scenario is set to `text`, else to the typed text.
    File { name: String, text: Option<String> },
    /// The queues are changed; `at_ms`: by a refresh at that moment, else from the start.
    Queues { at_ms: Option<i64>, change: QueueChange },
    /// A part of the constraint of an explicit scheduling request is changed: the path to the request, the way through the
    /// constraint's tree, and the change.
    Constraint { path: Path, part: Vec<usize>, change: PartChange },
    /// The PlacementSpec of an entry of `apps` is replaced by explicit requests.
    SpecAsRequests { entry: usize },
    /// All names are replaced.
    LeaveNames,
    /// The old names are restored, given with the present ones.
    BringNames(Vec<(String, String)>),
    /// The fix of a problem is applied: `new` replaces `was`. Refused if `was` is no longer there.
    Fix { of: Fixed, span: Span, was: String, new: String },
}

/// The load of an imported cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Load {
    /// The applications that came with it.
    Given,
    /// An application in every queue that asks for the whole cluster.
    FillQueues,
    /// One user with many applications.
    NoisyUser,
    /// One application of a queue and a user of one's choice.
    MyCase,
    /// No application.
    Nothing,
}

/// The form in which the typed text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum How {
    /// A whole number as a number, anything else as a text.
    Typed,
    /// A text, trimmed.
    Text,
    /// A text, verbatim.
    Letters,
    /// A list of texts, typed with commas.
    List,
    /// A table, typed as `name=value, …`.
    Pairs,
    /// A resource amount as one text, which replaces a table and the separate keys beside it.
    Size,
    /// A constraint in YARN's notation.
    Constraint,
}

/// A change of the queues.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QueueChange {
    /// A property, by its full name, is set; `blank`: a single blank is a valid value.
    Property { name: String, blank: bool },
    /// The whole file is replaced by the typed text.
    File,
    /// A queue's share in percent is set; its siblings are adjusted.
    Share { queue: String },
    /// A child is added under the typed name, else under this one.
    Child { parent: String, name: String },
    /// A queue is removed, with its settings and everything below it.
    Remove { queue: String },
    /// A property with a variable part in its name is set.
    Named(Draft),
}

/// A property with a variable part in its name, as typed so far.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Draft {
    /// The queue whose form it is in; "": the scheduler's.
    pub owner: String,
    /// The kind, as an index into the list of kinds.
    pub kind: usize,
    /// The queue that the property belongs to, if another one was typed.
    pub queue: Option<String>,
    /// The variable part of its name.
    pub name: String,
    pub value: String,
}

/// The target of a fix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fixed {
    Document,
    /// A text in the document.
    At(Path),
    /// capacity-scheduler.xml as it is in force at that moment, or from the start.
    Queues(Option<i64>),
}

/// A change of one part of a constraint. Values that it does not contain are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PartChange {
    /// The operator that joins its parts: `and`, `or`, `delayed`.
    Join,
    /// A part is added.
    AddPart,
    RemovePart(usize),
    /// The delay after which this part applies.
    Delay(usize),
    /// The kind of the constraint: `in`, `notin`, `card`, `eq`, `ne`.
    Kind,
    /// `node` or `rack`.
    Scope,
    Min,
    Max,
    AddTarget,
    /// The part becomes the first of two parts.
    Split,
    /// The kind of a target.
    TargetKind(usize),
    /// The application, application tag or attribute of a target.
    TargetName(usize),
    /// The values of a target, typed with commas.
    TargetValues(usize),
    RemoveTarget(usize),
}
