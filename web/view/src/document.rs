//! The document: the scenario that is open. Its text is the truth; here is what the page shows of what it says.

use crate::form::Part;
use crate::{Edit, Problem, SchedulerChoice};
use serde::{Deserialize, Serialize};

/// Where a scenario comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Source {
    /// What the page opens with.
    First,
    /// A scenario with nothing in it.
    Empty,
    /// A scenario of the gallery, by its name.
    Example(String),
    /// A text as it is, errors and all.
    Text(String),
    /// A text that is refused if it has an error.
    Sound(String),
    /// A link: a whole address or its fragment.
    Link(String),
    /// A text that is newer than the link in the address, looked at as that link says.
    Draft {
        text: String,
        /// The link, "" for none.
        link: String,
        /// Of which scenario each of the author's words was said, where the text was left before it was marked by that.
        said: Vec<Said>,
    },
}

/// Why a scenario is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Opening {
    /// The page begins. What cannot be opened is told, and the first scenario opens instead.
    Start,
    /// The address was changed.
    Address,
    /// Somebody chose it: a new entry in the browser's history.
    Chosen,
}

/// A scenario was opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// Number of the text.
    pub version: u32,
    pub text: String,
    pub how: Opening,
    /// Is it what the page opens with?
    pub first: bool,
    /// What a link says to look at.
    pub view: Option<LinkView>,
    /// What has to be said about it.
    pub notice: Option<String>,
    /// What was read of the files that it was made of.
    pub report: Option<Box<Report>>,
}

/// What a link shows of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LinkView {
    /// The moment.
    pub time_ms: Option<i64>,
    /// So many events have happened, where more of them happen at that moment.
    pub event: Option<u64>,
    /// What is selected, as `kind:name`.
    pub select: Option<String>,
    /// The open panel or tab.
    pub panel: Option<String>,
    /// What containers are coloured by.
    pub colour_by: Option<String>,
    /// What it is compared with.
    pub compare: Option<String>,
    /// A sentence of the sender.
    pub caption: Option<String>,
    /// Moments of the run as it came out where the link was made.
    pub marks: Vec<RunMark>,
}

/// A moment of a run, and half of its fingerprint there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunMark {
    pub time_ms: i64,
    /// So many events had happened.
    pub events: u64,
    pub print: u32,
}

/// What a link says of itself, while what runs is what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct LinkedView {
    /// A sentence of the sender, and the moment that it is about.
    pub caption: Option<(i64, String)>,
    /// Whether it plays as when the link was made, in a sentence, and whether it does.
    pub proof: Option<(bool, String)>,
}

/// What a link is written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkFor {
    /// The address of the page.
    Address {
        /// As a new entry of the browser's history?
        push: bool,
    },
    /// To be passed on.
    Sharing,
}

/// What the page shows of the document.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct DocView {
    /// Number of the text.
    pub version: u32,
    /// Has the text an error, so that an earlier one runs?
    pub stale: bool,
    /// What is wrong with the text, with places in it.
    pub problems: Vec<Problem>,
    /// What the last text says that could be read; `None`: none could.
    pub about: Option<AboutView>,
    /// The text as it leaves the page; `None`: as it is, and there is nothing to say of it.
    pub leaving: Option<Leaving>,
    /// Of which scenario each of the author's words was said: what another engine has to know.
    pub said: Vec<Said>,
}

/// What became of the names of a scenario: for the page alone, which keeps it as long as its tab is open.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NamesView {
    /// Each old name with the new one.
    pub names: Vec<(String, String)>,
    /// What is not kept, or still stands in the text, in words.
    pub remarks: Vec<String>,
}

/// Words of an author, and of which scenario they were said. The texts themselves are not repeated: these are fingerprints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// Of the words.
    pub words: u64,
    /// Of all that can happen in the scenario in which they were first seen.
    pub of: u64,
    /// Whether they were typed here, after the scenario was opened.
    pub typed: bool,
}

/// A text as it leaves the page: in a link, a draft, a file, an answer to a script.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Leaving {
    /// The text with its secrets masked; `None`: none stands in it unmasked.
    pub masked: Option<String>,
    /// The text as it is passed on, where its author says something in it of another scenario than it is by now: marked as
    /// such, and masked. `None`: as it is when masked.
    pub passed: Option<String>,
    /// What is said of that, a sentence each.
    pub said: Vec<String>,
}

/// What a scenario says about itself.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AboutView {
    /// As it is written.
    pub title: String,
    /// Whether the title was written for the scenario before it was edited.
    pub edited: bool,
    /// The title as it is told: with a mark if the scenario was edited since.
    pub told: String,
    /// Seed of everything left to chance.
    pub seed: u64,
    /// How its scheduler is driven: "schedules on node heartbeats".
    pub driven: String,
    /// What runs.
    pub scheduler: SchedulerChoice,
    /// Does it name the release that its settings are for?
    pub release: bool,
    /// The question that it answers.
    pub card: Option<CardView>,
    /// The other worlds that it can be compared with.
    pub worlds: Vec<WorldLine>,
    /// What its author said when it was opened. The page keeps room for that, whatever has become untrue of it since.
    pub room: Room,
}

/// What an author says beside the headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Room {
    /// Captions of moments.
    pub captions: bool,
    /// A question, or other worlds to compare with.
    pub card: bool,
}

/// A world that the scenario names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorldLine {
    pub name: String,
    /// Takes it out of the scenario.
    pub remove: Edit,
}

/// A question that somebody asked, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CardView {
    /// Short id such as `Q39`.
    pub id: String,
    /// The question in the asker's voice; the title where none is written.
    pub question: String,
    /// The answer in one or two sentences.
    pub answer: String,
    /// What to look at on the page.
    pub look: String,
    /// Where it was asked.
    pub source: String,
    /// Group of the gallery.
    pub topic: String,
}

/// A scenario of the gallery.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ExampleView {
    /// Its name: that of its file, without the ending.
    pub name: String,
    pub card: CardView,
    /// How many steps the real schedulers of Hadoop 3.5.0 decided alike; 0: not proved as it runs now.
    pub proved_steps: u64,
}

/// The node that may be added.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NodeOffer {
    /// Its name, which no node has yet.
    pub name: String,
    /// The node that it is like.
    pub like: String,
    pub memory_mb: i64,
    pub vcores: i64,
    /// The rack on which it would help what waits, where that is not any: its name, and whether it is a new one.
    pub rack: Option<(String, bool)>,
}

/// What was found in a file.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Report {
    /// The file's name in the scenario.
    pub name: String,
    /// One sentence: what it is.
    pub what: String,
    /// Facts about it, one a line.
    pub facts: Vec<String>,
    /// Its text, where it is a scenario that may be opened to be mended.
    pub mendable: Option<String>,
    /// What is wrong with it, with places in it.
    pub problems: Vec<Problem>,
    /// Properties that are kept but not modelled, with their values.
    pub kept: Vec<(String, String)>,
    /// The problems, to be drawn.
    pub list: Option<Part>,
    /// Asks which release it is for, where that decides, or whether its scheduler is to run.
    pub ask: Option<Part>,
    /// The scheduler that is asked about.
    pub switch: Option<SchedulerChoice>,
    /// Was it taken into the scenario?
    pub taken: bool,
    /// Did it become a scenario of its own?
    pub opened: bool,
}
