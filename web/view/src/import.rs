//! The report on an import: what was given, what was read of it, what is inferred and what is not known.

use crate::form::Part;
use crate::{Problem, SchedulerChoice};
use serde::{Deserialize, Serialize};

/// The place where an import goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ImportTarget {
    /// What it is decides. Settings and clusters open a new scenario; lines, changes of queues and applications join the
    /// open one.
    #[default]
    Fitting,
    /// Like `Fitting`, but settings replace those of the open scenario, which was imported before.
    FittingImported,
    /// A new scenario.
    New,
    /// The open scenario.
    Open,
}

/// The report on an import.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Report {
    /// The file's name, or the number of files.
    pub name: String,
    /// One sentence on what it is.
    pub what: String,
    /// Facts about it, one per line.
    pub facts: Vec<String>,
    /// The files of an import that became a scenario, each with what was read of it.
    pub files: Vec<FileView>,
    /// The values that were inferred.
    pub inferred: Vec<RemarkView>,
    /// The values that are not known, for which a default stands.
    pub unknown: Vec<RemarkView>,
    /// Its text, if it is a scenario that may be opened for correction.
    pub mendable: Option<String>,
    /// Its problems, with places in it.
    pub problems: Vec<Problem>,
    /// The properties that are kept but not modelled, with their values.
    pub kept: Vec<(String, String)>,
    /// The problems, ready to be drawn.
    pub list: Option<Part>,
    /// The question about its release, if that matters, or about switching to its scheduler.
    pub ask: Option<Part>,
    /// The scheduler that the question is about.
    pub switch: Option<SchedulerChoice>,
    /// The other place where it could go.
    pub other: Option<ImportTarget>,
    /// Whether it was added to the scenario.
    pub taken: bool,
    /// Whether it became a scenario of its own.
    pub opened: bool,
}

/// A file of an import.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct FileView {
    /// Its name; "" for a pasted text.
    pub name: String,
    /// Its kind in words.
    pub kind: String,
    /// A summary of its contents.
    pub holds: String,
    pub status: ReadStatus,
    /// Its problems, ready to be drawn.
    pub problems: Option<Part>,
    /// The numbers of its errors and of its warnings.
    pub counts: (usize, usize),
    /// The properties that are kept but not modelled, with their values.
    pub kept: Vec<(String, String)>,
}

/// The extent to which a file was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ReadStatus {
    #[default]
    Read,
    /// A part of it could not be read.
    Partly,
    NotRead,
}

/// A value that was inferred, or that is not known.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RemarkView {
    /// One sentence.
    pub what: String,
    /// Where it comes from, or what would give it.
    pub source: String,
    /// The values that the sentence is about, which can be changed where it stands.
    pub about: Vec<RemarkValue>,
}

/// A value of the scenario that a remark is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RemarkValue {
    /// The Hadoop release.
    Release,
    /// A property of yarn-site.xml, by its full name.
    Site(String),
    /// A property of the CapacityScheduler, by its full name.
    Capacity(String),
    /// The nodes, which have a line of their own.
    Nodes,
    /// The node labels.
    Labels,
    /// How long containers run that were there at the beginning, or were asked for then.
    RunTimes,
    /// A file that was not given.
    File,
}

/// What a dump says, compared with what Heddle computes from it.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgreementView {
    /// The number of applications whose diagnostics were compared.
    pub compared: usize,
    /// Those that say the same with the figures of an earlier moment.
    pub older: usize,
    pub differ: Vec<DifferenceView>,
    /// The number of hosts whose latest offers were compared.
    pub offers: usize,
    /// Those all of whose offers agree.
    pub offers_same: usize,
    /// The number of hosts that were left out, since the cluster is large.
    pub hosts_left_out: usize,
    pub offers_differ: Vec<DifferenceView>,
}

/// Words of a dump that differ from those here.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DifferenceView {
    /// The application or the queue, and for an offer the host.
    pub about: String,
    pub host: String,
    /// YARN's words in the dump; "" for none.
    pub dump: String,
    /// YARN's words as computed here; "" for none.
    pub here: String,
}
