//! The WHAT panel: forms and texts of the scenario, ready to be drawn. What each of them does is an [`Edit`].

use crate::{Draft, Edit, Selection, Severity};
use serde::{Deserialize, Serialize};

/// What the panel shows.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Show {
    pub tab: Tab,
    /// Text instead of the form?
    pub as_text: bool,
    /// Do changes of queues go into a refresh at the current time?
    pub refresh: bool,
    /// Properties that are being typed, at most one an owner.
    pub drafts: Vec<Draft>,
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
    /// In the order shown.
    pub const ALL: [Tab; 4] = [Tab::Cluster, Tab::Queues, Tab::Apps, Tab::Settings];

    /// Its name on the page.
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
    /// Is it the text? A text with an error cannot be shown as a form.
    pub as_text: bool,
    pub parts: Vec<Part>,
    /// A number for the errors of the document, 0 for none: with another one they have to be seen.
    pub alarm: u64,
}

/// A piece of a form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Part {
    Note(Note),
    Heading(String),
    /// In place of a list without entries.
    Empty {
        title: String,
        text: String,
    },
    /// Labels and fields in columns.
    Fields(Vec<Field>),
    /// Parts that belong together; `key` tells it from others.
    Group {
        key: String,
        shape: Shape,
        head: Option<Head>,
        parts: Vec<Part>,
    },
    /// A heading with what belongs into its line.
    Head(Head),
    /// Buttons in a row, with a note after them.
    Row {
        buttons: Vec<Button>,
        note: String,
    },
    Button(Button),
    /// A field and the button that takes what was typed into it.
    Line {
        field: Field,
        button: String,
        /// Is the field emptied then?
        clear: bool,
    },
    Property(Property),
    /// Parts that unfold.
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
        /// Those that are not listed.
        more: usize,
    },
    Queues(Vec<QueueLine>),
    /// When changes of queues apply, and the refreshes that there are.
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
        /// What they are of, for those who do not see where they stand.
        of: String,
        list: Vec<ProblemLine>,
        /// Those that are not listed.
        more: usize,
    },
    /// Properties that are kept, but decide nothing here.
    Kept(Vec<(String, String)>),
    /// A constraint in English.
    Reads(Vec<ReadLine>),
    /// What a constraint looks at: fields without labels in one line.
    Target {
        fields: Vec<Field>,
        remove: Button,
    },
    Export(Export),
}

/// How a [`Part::Group`] looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// A frame; its head is the frame's legend.
    Legend,
    Frame,
    /// Nothing around.
    Plain,
    /// A constraint.
    Build,
    /// A part of a constraint.
    Part,
    /// A text that takes the panel's height.
    Text,
}

/// A line of words. `**bold**` and `` `code` `` are marked so.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Note {
    pub text: String,
    pub tone: Tone,
    /// Said on, more softly.
    pub aside: String,
}

/// How words look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Tone {
    #[default]
    Small,
    /// Small, and said to screen readers when it comes.
    Status,
    /// As large as the rest, softer.
    Soft,
    /// In bold, for a value that cannot be seen.
    Strong,
    Rejected,
    Waiting,
}

/// A field. Its id stands in the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    pub id: String,
    /// Beside it, else only for screen readers.
    pub label: String,
    pub value: String,
    pub placeholder: String,
    /// What the pointer on it says.
    pub title: String,
    pub control: Control,
    /// Calls with each letter, instead of when it is left?
    pub live: bool,
    /// Can the value not stand so?
    pub invalid: bool,
    pub edit: Edit,
}

/// What a field is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Control {
    Line,
    /// A line over the whole width.
    Wide,
    /// So many lines.
    Lines(usize),
    /// Values and their names.
    Choice(Vec<(String, String)>),
    /// From 0 to 100, with a thumb.
    Range,
}

/// The first line of a group.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Head {
    pub title: String,
    pub note: String,
    /// The name, which can be changed.
    pub name: Option<Field>,
    pub fields: Vec<Field>,
    pub button: Option<Button>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Button {
    /// "" for a cross.
    pub text: String,
    /// For screen readers, where the text does not say it all.
    pub label: String,
    pub edit: Edit,
    /// In place of what is typed elsewhere.
    pub typed: String,
    /// What is looked at then.
    pub select: Option<Selection>,
}

/// A property of Hadoop's as a field with its help.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Property {
    pub field: Field,
    /// Its whole name.
    pub name: String,
    pub unit: String,
    pub set: bool,
    /// What is wrong with its value.
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
    /// Why it was refused; "" when it was not.
    pub refused: String,
    /// Containers that it waits for.
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
    /// The same of each label.
    pub labels: Vec<(String, String, String)>,
}

/// A refresh of the queues.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Refresh {
    pub at_ms: i64,
    pub label: String,
    pub remove: Edit,
    /// The ResourceManager's words when it refused it, and what to do.
    pub refused: Option<(String, String)>,
}

/// A form for a property with a name in its name. The page sends what is typed into it as a [`Draft`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Adder {
    pub id: String,
    pub summary: String,
    /// What is typed so far, from which the rest is made.
    pub draft: Draft,
    pub kinds: Vec<String>,
    /// The queue that it is of, if that can be another one.
    pub queue: Option<String>,
    /// What the name is of: "label".
    pub named_by: String,
    pub names: Vec<String>,
    pub property: Property,
    /// Is one blank a value of it?
    pub blank: bool,
    /// The edit's name for undo.
    pub what: String,
    /// Where it goes.
    pub at_ms: Option<i64>,
}

/// A text to be edited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Code {
    pub label: String,
    pub text: Source,
    /// In order, the outer before the inner; they may lie in each other but not across.
    pub marks: Vec<Stretch>,
    /// No wrapping of lines, else as high as its text.
    pub long: bool,
    pub error: bool,
    pub edit: Edit,
}

/// The text that a form shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// The scenario itself, which the page has; the marks belong to the one with this [`fingerprint`].
    Document(u64),
    Text(String),
}

/// Tells texts apart (FNV-1a).
pub fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, b| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// A stretch of a text, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    pub start: usize,
    /// One past the last.
    pub end: usize,
    pub kind: Ink,
    /// Of a clause of a spec.
    pub number: Option<usize>,
}

/// How a stretch looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ink {
    Error,
    Warning,
    /// Tag and count of a spec.
    Tag,
    /// A word of its grammar.
    Word,
    Clause,
    /// A clause at which nodes stop.
    Stops,
}

/// A problem with its place worked out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemLine {
    pub severity: Severity,
    /// Line and column, from 1.
    pub place: Option<(usize, usize)>,
    pub what: String,
    pub mend: String,
    /// The button that mends it.
    pub fix: Option<Button>,
}

/// A line of a constraint in English.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ReadLine {
    pub depth: usize,
    /// Number of the clause; none in a line that joins others.
    pub clause: Option<usize>,
    pub words: String,
    /// Said softly?
    pub dim: bool,
    /// A button that selects the clause, if that can be selected.
    pub button: Option<Option<Selection>>,
    /// Nodes that stop at it.
    pub stops: String,
}

/// The queues to be taken away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// capacity-scheduler.xml.
    pub file: String,
    /// The change since it was opened, as JSON and as XML.
    pub change: Option<(String, String)>,
}
