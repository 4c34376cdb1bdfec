//! The WHAT panel: forms and texts of the scenario, ready to be drawn. Each control has an [`Edit`] as its effect.

use crate::{Draft, Edit, RemarkValue, Selection, Severity};
use serde::{Deserialize, Serialize};

/// The state of the panel.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Show {
    pub tab: Tab,
    /// Whether the text is shown instead of the form.
    pub as_text: bool,
    /// Whether changes of queues go into a refresh at the current time.
    pub refresh: bool,
    /// The properties that are being typed, at most one per owner.
    pub drafts: Vec<Draft>,
    /// If the report on an import is shown: the values that its remarks are about.
    pub setup: Option<Vec<RemarkValue>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Tab {
    Cluster,
    Queues,
    #[default]
    Apps,
    Settings,
}

impl Tab {
    /// All tabs, in the order shown.
    pub const ALL: [Tab; 4] = [Tab::Cluster, Tab::Queues, Tab::Apps, Tab::Settings];

    /// Returns the name on the page.
    pub fn name(self) -> &'static str {
        match self {
            Tab::Cluster => "Cluster",
            Tab::Queues => "Queues",
            Tab::Apps => "Apps",
            Tab::Settings => "Settings",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Form {
    pub title: String,
    /// Whether it is shown as text. A text with an error cannot be shown as a form.
    pub as_text: bool,
    pub parts: Vec<Part>,
    /// A number for the document's errors, 0 for none: when it changes, the errors must become visible.
    pub alarm: u64,
    /// What an import leaves open, if its report is shown.
    pub setup: Option<Setup>,
}

/// What an import leaves open: the nodes, the release, the load, and the inferred values, each a field.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Setup {
    /// The nodes without a label, as one line.
    pub cluster: Field,
    /// The nodes of each label.
    pub labels: Vec<Field>,
    /// Node attributes that applications name, to be put onto nodes.
    pub attributes: Vec<Chip>,
    pub release: Field,
    /// The loads to choose from.
    pub loads: Vec<Chip>,
    /// The fields of the load that was chosen.
    pub case: Vec<Field>,
    /// Fields of the values that the report is about and that stand nowhere else.
    pub values: Vec<(RemarkValue, Field)>,
    /// Those of the report's values that were set since.
    pub changed: Vec<RemarkValue>,
}

/// A choice among buttons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chip {
    pub button: Button,
    /// Whether it is chosen.
    pub on: bool,
}

/// A piece of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Part {
    Note(Note),
    Heading(String),
    /// A placeholder for an empty list.
    Empty {
        title: String,
        text: String,
    },
    /// Labels and fields in columns.
    Fields(Vec<Field>),
    /// Parts that belong together; `key` identifies the group.
    Group {
        key: String,
        shape: GroupShape,
        head: Option<Head>,
        parts: Vec<Part>,
    },
    /// A heading with the controls on its line.
    Head(Head),
    /// Buttons in a row, followed by a note.
    Row {
        buttons: Vec<Button>,
        note: String,
    },
    Button(Button),
    /// A field with a button that submits it.
    Line {
        field: Field,
        button: String,
        /// Whether submitting clears the field.
        clear: bool,
    },
    Property(Property),
    /// Parts that can be unfolded.
    Details {
        key: String,
        summary: String,
        parts: Vec<Part>,
    },
    /// A question with an answer on each button.
    Ask {
        title: String,
        text: String,
        answers: Vec<Button>,
    },
    Apps {
        list: Vec<AppLine>,
        /// The number of applications that are not listed.
        more: usize,
    },
    Queues(Vec<QueueLine>),
    /// The choice of when queue changes apply, and the existing refreshes.
    Refreshes {
        refresh: bool,
        note: String,
        list: Vec<Refresh>,
    },
    Adder(Box<Adder>),
    Code(Code),
    /// The end of a line, with a caret under its last but one character.
    Caret(String),
    Problems {
        /// What the problems are about, for users who do not see their position.
        of: String,
        list: Vec<ProblemLine>,
        /// The number of problems that are not listed.
        more: usize,
    },
    /// Properties that are kept, but have no effect here.
    Kept(Vec<(String, String)>),
    /// A constraint in English.
    Reads(Vec<ReadLine>),
    /// A target of a constraint: unlabelled fields on one line.
    Target {
        fields: Vec<Field>,
        remove: Button,
    },
    Export(Export),
}

/// The look of a [`Part::Group`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GroupShape {
    /// A frame; its head is the frame's legend.
    Legend,
    Frame,
    /// Without a frame.
    Plain,
    /// A constraint.
    Build,
    /// A part of a constraint.
    Part,
    /// A text that takes the panel's height.
    Text,
}

/// A line of text. `**bold**` and `` `code` `` are markup.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Note {
    pub text: String,
    pub tone: Tone,
    /// A continuation in a softer tone.
    pub aside: String,
}

/// The look of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Tone {
    #[default]
    Small,
    /// Small, and announced by screen readers when it appears.
    Status,
    /// Normal size, softer.
    Soft,
    /// Bold, for an invisible value.
    Strong,
    Rejected,
    Waiting,
}

/// A field, with its id on the page.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Field {
    pub id: String,
    /// The label beside it, or only for screen readers.
    pub label: String,
    pub value: String,
    pub placeholder: String,
    /// The tooltip.
    pub title: String,
    pub control: Control,
    /// Whether it submits with every keystroke, instead of when it loses focus.
    pub live: bool,
    /// Whether the value is invalid.
    pub invalid: bool,
    pub edit: Edit,
}

/// The kind of a field.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Control {
    #[default]
    Line,
    /// A line over the whole width.
    Wide,
    /// A text area with this many lines.
    Lines(usize),
    /// Values with their names.
    Choice(Vec<(String, String)>),
    /// A slider from 0 to 100.
    Range,
}

/// The first line of a group.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Head {
    pub title: String,
    pub note: String,
    /// The name, if it can be changed.
    pub name: Option<Field>,
    pub fields: Vec<Field>,
    pub button: Option<Button>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Button {
    /// The text; "" for a cross.
    pub text: String,
    /// The label for screen readers, if the text is not enough.
    pub label: String,
    pub edit: Edit,
    /// The value that replaces typed text.
    pub typed: String,
    /// The selection to show then.
    pub select: Option<Selection>,
}

/// A Hadoop property as a field with its help.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Property {
    pub field: Field,
    /// The full name.
    pub name: String,
    pub unit: String,
    pub set: bool,
    /// Problems of its value.
    pub notes: Vec<Note>,
    pub help: String,
}

/// An application in the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppLine {
    pub name: String,
    /// Its queue and user.
    pub whose: String,
    pub chosen: bool,
    pub progress: String,
    /// The reason of a refusal; "" without one.
    pub refused: String,
    /// The number of containers that it waits for.
    pub waiting: i64,
}

/// A queue in the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueueLine {
    pub path: String,
    pub name: String,
    pub depth: usize,
    pub chosen: bool,
    /// Its guarantee and its maximum.
    pub share: (String, String),
    /// The label, the guarantee and the maximum for each label.
    pub labels: Vec<(String, String, String)>,
}

/// A refresh of the queues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refresh {
    pub at_ms: i64,
    pub label: String,
    pub remove: Edit,
    /// The ResourceManager's words if it refused the refresh, and the remedy.
    pub refused: Option<(String, String)>,
}

/// A form for a property with a variable part in its name. The page sends the typed values as a [`Draft`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adder {
    pub id: String,
    pub summary: String,
    /// The values typed so far, which determine the rest.
    pub draft: Draft,
    pub kinds: Vec<String>,
    /// The queue that it belongs to, if that can be another one.
    pub queue: Option<String>,
    /// What the variable part names: "label".
    pub named_by: String,
    pub names: Vec<String>,
    pub property: Property,
    /// Whether a single blank is a valid value.
    pub blank: bool,
    /// The edit's name for undo.
    pub what: String,
    /// The moment of the refresh that it goes into.
    pub at_ms: Option<i64>,
}

/// A text for editing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Code {
    pub label: String,
    pub text: Source,
    /// Highlighted ranges, in order, outer before inner; they may nest but not overlap otherwise.
    pub marks: Vec<CodeSpan>,
    /// Whether lines do not wrap; otherwise the editor is as high as its text.
    pub long: bool,
    pub error: bool,
    pub edit: Edit,
}

/// The origin of the text that a form shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// The scenario itself, which the page has; the marks belong to the text with this [`fingerprint`].
    Document(u64),
    Text(String),
}

/// Returns a fingerprint of a text (FNV-1a).
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// A range of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeSpan {
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    pub kind: Ink,
    /// The number of a spec's clause.
    pub number: Option<usize>,
}

/// The look of a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ink {
    Error,
    Warning,
    /// The tag and the count of a spec.
    Tag,
    /// A keyword of the spec's grammar.
    Word,
    Clause,
    /// A clause that some nodes fail.
    Stops,
}

/// A problem with its resolved place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemLine {
    pub severity: Severity,
    /// Line and column, from 1.
    pub place: Option<(usize, usize)>,
    pub what: String,
    pub mend: String,
    /// The button that applies the fix.
    pub fix: Option<Button>,
}

/// A line of a constraint in English.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ReadLine {
    pub depth: usize,
    /// The number of the clause; `None` for a line that joins others.
    pub clause: Option<usize>,
    pub words: String,
    /// Whether it is dimmed.
    pub dim: bool,
    /// A button that selects the clause, if that can be selected.
    pub button: Option<Option<Selection>>,
    /// The nodes that fail it.
    pub stops: String,
}

/// The queues for export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// The capacity-scheduler.xml.
    pub file: String,
    /// The changes since it was opened, as JSON and as XML.
    pub change: Option<(String, String)>,
}
