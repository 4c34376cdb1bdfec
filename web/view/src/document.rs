//! The document: the open scenario. Its text is the source of truth; these types are what the page shows of it.

use crate::{CardPicture, Comparison, Edit, Problem, Report, SchedulerChoice};
use serde::{Deserialize, Serialize};

/// The origin of a scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ScenarioSource {
    /// The scenario that the page opens first.
    First,
    /// An empty scenario.
    Empty,
    /// A scenario of the gallery, by its name.
    Example(String),
    /// A text as it is, with any errors.
    Text(String),
    /// A text that is refused if it has an error.
    Sound(String),
    /// A link: a whole address or its fragment.
    Link(String),
    /// A text that is newer than the link in the address, shown with that link's view.
    Draft {
        text: String,
        /// The link; "" for none.
        link: String,
        /// The scenarios that the author's words belong to, for a text that was left before its words were marked.
        said: Vec<WordsOrigin>,
    },
}

/// The reason for opening a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Opening {
    /// The page starts. If the scenario cannot be opened, that is reported, and the first scenario opens instead.
    Start,
    /// The address changed.
    Address,
    /// The user chose it: this adds an entry to the browser's history.
    Chosen,
}

/// A scenario that was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// The version of the text.
    pub version: u32,
    pub text: String,
    pub how: Opening,
    /// Whether it is the scenario that the page opens first.
    pub first: bool,
    /// The view that a link contains.
    pub view: Option<LinkView>,
    /// The worlds that the link compares.
    pub comparison: Option<Comparison>,
    /// A notice about it.
    pub notice: Option<String>,
    /// The report on the files that it was made of.
    pub report: Option<Box<Report>>,
}

/// The view of a scenario in a link.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LinkView {
    /// The moment.
    pub time_ms: Option<i64>,
    /// The number of events that have happened, if several happen at that moment.
    pub event: Option<u64>,
    /// The selection, as `kind:name`.
    pub select: Option<String>,
    /// The open panel or tab.
    pub panel: Option<String>,
    /// The attribute that colours the containers.
    pub colour_by: Option<String>,
    /// The worlds that it is compared with, as the engine writes them.
    pub compare: Option<String>,
    /// The sender's message.
    pub caption: Option<String>,
    /// Checkpoints of the run as it was when the link was made.
    pub marks: Vec<RunMark>,
}

/// A checkpoint of a run: a moment, and half of the fingerprint then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunMark {
    pub time_ms: i64,
    /// The number of events that had happened.
    pub events: u64,
    pub print: u32,
}

/// A link's message, while the linked scenario runs.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LinkedView {
    /// The sender's message, with its moment.
    pub caption: Option<(i64, String)>,
    /// Whether the run equals the one when the link was made, and a sentence about that.
    pub proof: Option<(bool, String)>,
}

/// The purpose of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkFor {
    /// The address of the page.
    Address {
        /// Whether it becomes a new entry of the browser's history.
        push: bool,
    },
    /// Sharing.
    Sharing,
}

/// The page's view of the document.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct DocView {
    /// The version of the text.
    pub version: u32,
    /// Whether the text has an error, so that an earlier one runs.
    pub stale: bool,
    /// The text's problems, with places in it.
    pub problems: Vec<Problem>,
    /// The summary of the last valid text; `None`: there was none.
    pub about: Option<AboutView>,
    /// The text as it leaves the page; `None`: unchanged and without remarks.
    pub leaving: Option<Leaving>,
    /// The scenarios that the author's words belong to, for another engine.
    pub said: Vec<WordsOrigin>,
}

/// The mapping of a scenario's names, for the page alone, which keeps it as long as its tab is open.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NamesView {
    /// Pairs of old and new names.
    pub names: Vec<(String, String)>,
    /// Remarks on what is not kept, or remains in the text.
    pub remarks: Vec<String>,
}

/// The scenario that an author's words belong to. Both are stored as fingerprints, not as texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WordsOrigin {
    /// The fingerprint of the words.
    pub words: u64,
    /// The fingerprint of all that can happen in the scenario in which they were first seen.
    pub of: u64,
    /// Whether they were typed here, after the scenario was opened.
    pub typed: bool,
}

/// A text as it leaves the page: in a link, a draft, a file, an answer to a script.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Leaving {
    /// The text with its secrets masked; `None`: it has no unmasked secret.
    pub masked: Option<String>,
    /// The text as it is passed on if its author's words belong to an earlier version of the scenario: marked accordingly,
    /// and masked. `None`: the masked text is passed on.
    pub passed: Option<String>,
    /// Remarks about that, a sentence each.
    pub said: Vec<String>,
}

/// A summary of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AboutView {
    /// The title as written.
    pub title: String,
    /// Whether the title was written for the scenario before it was edited.
    pub edited: bool,
    /// The title as shown: marked if the scenario was edited since.
    pub told: String,
    /// The seed of all randomness.
    pub seed: u64,
    /// The scheduling mode: "schedules on node heartbeats".
    pub driven: String,
    /// The scheduler that runs.
    pub scheduler: SchedulerChoice,
    /// Whether it names the release of its settings.
    pub release: bool,
    /// The question that it answers.
    pub card: Option<CardView>,
    /// The other worlds that it can be compared with.
    pub worlds: Vec<WorldLine>,
    /// The parts that its author's words had when it was opened. The page keeps space for them, even if the words no longer
    /// apply.
    pub room: ReservedParts,
}

/// The parts of the page that an author's words fill, besides the headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReservedParts {
    /// Whether there are captions.
    pub captions: bool,
    /// Whether there is a question, or other worlds to compare with.
    pub card: bool,
}

/// A world that the scenario names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldLine {
    pub name: String,
    /// The edit that removes it from the scenario.
    pub remove: Edit,
}

/// A question that somebody asked, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CardView {
    /// A short id such as `Q39`.
    pub id: String,
    /// The question in the asker's words, or the title if there is no question.
    pub question: String,
    /// The answer in one or two sentences.
    pub answer: String,
    /// What to look at on the page.
    pub look: String,
    /// Where it was asked.
    pub source: String,
    /// The group of the gallery.
    pub topic: String,
}

/// A scenario of the gallery.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExampleView {
    /// Its name: the file's, without the extension.
    pub name: String,
    pub card: CardView,
    /// The number of steps that the real schedulers of Hadoop 3.5.0 decided alike; 0: not proved in its present form.
    pub proved_steps: u64,
    /// YARN's words in its run, without their figures.
    pub words: String,
    /// How its run ends.
    pub picture: CardPicture,
    /// Whether it is a worked example of one of the documents that describe YARN, Slider and Samza.
    pub documented: bool,
}

/// A node that may be added.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NodeOffer {
    /// Its name, which no node has yet.
    pub name: String,
    /// The node that it copies.
    pub like: String,
    pub memory_mb: i64,
    pub vcores: i64,
    /// The rack on which it would help waiting requests, if not any: its name, and whether it is new.
    pub rack: Option<(String, bool)>,
}
