//! Builds a scenario from what people have of a cluster: settings, answers, files, logs. The page, the command line and the
//! library share this one recogniser.
//!
//! A text is recognised by its content ([`recognise`]); `kinds` has a row for each kind of text. [`import`] reads any
//! number of texts into one [`Gathered`] and writes it as a scenario, with the inferred and the unknown values.

pub(crate) mod applications;
mod calculator;
mod changes;
mod commands;
mod demands;
mod drift;
mod flink;
mod gathered;
mod hosts;
pub mod json;
mod kinds;
mod launched;
pub mod lines;
mod look;
mod now;
pub mod packed;
mod parts;
mod properties;
mod queues;
mod rest;
pub mod seen;
mod settings;
mod shown;
mod spark;
mod sums;
pub mod workloads;
pub(crate) mod write;

pub use gathered::{Gathered, GatheredApp};
pub use kinds::{KINDS, TextFormat, TextKind, name_of};
pub use look::{Form, InputText};

use crate::config::releases::Release;
use crate::model::{Millis, Problem, Severity, without_figures};
use serde::Serialize;
use std::ops::Range;

/// A given text, under its name in problems.
#[derive(Clone, Copy, Debug)]
pub struct Given<'t> {
    pub name: &'t str,
    pub text: &'t str,
}

/// The extent to which a text was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Status {
    #[serde(rename = "read")]
    Read,
    /// A part of it could not be read; its problems say which.
    #[serde(rename = "partly read")]
    Partly,
    #[serde(rename = "not read")]
    NotRead,
}

impl Status {
    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Status::Read => "read",
            Status::Partly => "partly read",
            Status::NotRead => "not read",
        }
    }
}

/// The result of one text.
#[derive(Clone, Debug, PartialEq)]
pub struct FileReport {
    pub name: String,
    /// The kind of the text; `None`: it was not recognised.
    pub kind: Option<TextKind>,
    /// The kind in words, with a summary of the contents.
    pub what: String,
    pub status: Status,
    /// The problems, with lines and columns.
    pub problems: Vec<Problem>,
}

/// A value of the scenario that was inferred, or that is unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remark {
    /// One sentence.
    pub what: String,
    /// The text and field that it comes from, or that would give it.
    pub source: String,
    /// What it is about, if a form can change that.
    #[serde(skip)]
    pub about: Vec<RemarkAbout>,
}

/// The subject of a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkAbout {
    /// The Hadoop release.
    Release,
    /// How many nodes there are, and of which size.
    Nodes,
    /// A property; one of the CapacityScheduler may lack its prefix.
    Property(String),
    /// Which node labels there are, and whether they are exclusive.
    Labels,
    /// How long containers run that were there when the run began, or were asked for then.
    RunTimes,
}

/// The moment and the selection that WHY shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Moment {
    pub at_ms: Millis,
    /// A selection such as `app:zk`; empty: the subject of the headline.
    pub what: String,
}

/// The result of all texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    pub files: Vec<FileReport>,
    /// The text of the scenario; `None`: nothing was read.
    pub scenario: Option<String>,
    pub inferred: Vec<Remark>,
    pub unknown: Vec<Remark>,
    pub moment: Moment,
    /// Whether the moment is that of a list of nodes, which is about all of them.
    pub lists_nodes: bool,
    /// What the latest offers of hosts found, by the activities, as far as it holds still.
    pub offers: Vec<(String, Vec<seen::Said>)>,
    /// The pasted line that the scenario was made of, if YARN says it in there.
    pub line: Option<lines::RecognisedLine>,
}

impl Import {
    /// Checks whether YARN says the line that the scenario was made of, and records it if not; `said` returns YARN's words about
    /// something at a moment of a scenario, `None` if that cannot be played.
    pub fn check_line(&mut self, said: impl FnOnce(&str, Millis, &str) -> Option<Vec<String>>) {
        let (Some(line), Some(scenario)) = (&self.line, &self.scenario) else { return };
        // A scenario that cannot be played has its own problem.
        let Some(said) = said(scenario, self.moment.at_ms, &self.moment.what) else { return };
        let nearest = said.iter().filter_map(|words| line.differences(words)).min_by_key(Vec::len);
        let words = match nearest {
            Some(differences) if differences.is_empty() => return,
            Some(differences) => {
                format!("In the scenario YARN says this line with other figures: {}.", differences.join("; "))
            }
            None => "In the scenario YARN does not say this very line: its figures do not go together here.".to_owned(),
        };
        self.unknown.push(Remark { what: words.clone(), source: "the scenario, played".to_owned(), about: vec![] });
        let of_lines = [Some(TextKind::Line), Some(TextKind::Log), Some(TextKind::Shown)];
        if let Some(file) = self.files.iter_mut().find(|file| of_lines.contains(&file.kind)) {
            if file.status == Status::Read {
                file.status = Status::Partly;
            }
            file.problems.push(Problem::warning(&file.name, None, words));
        }
    }
}

/// A reader's result for one text.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOutcome {
    pub status: Status,
    /// A short summary of the contents: "2 components with 4 instances". Empty: nothing to add to the kind.
    pub holds: String,
    pub problems: Vec<Problem>,
}

impl ReadOutcome {
    /// Creates an outcome with the status that the problems imply: an error means that a part is missing.
    pub fn of(holds: String, problems: Vec<Problem>) -> ReadOutcome {
        let faulty = problems.iter().any(|p| p.severity == Severity::Error);
        ReadOutcome { status: if faulty { Status::Partly } else { Status::Read }, holds, problems }
    }

    /// Creates the outcome of a text that cannot be used at all.
    pub fn not_read(problems: Vec<Problem>) -> ReadOutcome {
        ReadOutcome { status: Status::NotRead, holds: String::new(), problems }
    }
}

/// Recognises a text by its content.
pub fn recognise(look: &InputText<'_>) -> Option<&'static TextFormat> {
    KINDS.iter().find(|kind| (kind.is)(look))
}

/// Recognises a text that is given alone. Cluster metrics add nothing to other answers, but alone they are the subject.
fn recognise_alone(look: &InputText<'_>) -> Option<&'static TextFormat> {
    let kind = recognise(look)?;
    let line = || KINDS.iter().find(|kind| kind.what == TextKind::Line && (kind.is)(look));
    // A list or a report says little alone, unless it has the sizes of nodes.
    let little = kind.what == TextKind::Shown && !shown::has_sizes(look);
    if kind.what == TextKind::ClusterMetrics || little { line().or(Some(kind)) } else { Some(kind) }
}

/// Reads all texts, in their order.
pub fn import(given: &[Given<'_>]) -> Import {
    import_of(given, None)
}

/// Like [`import`], for a cluster of this release, whatever the texts say.
pub fn import_of(given: &[Given<'_>], release: Option<Release>) -> Import {
    let mut importer = Importer::of(release);
    given.iter().for_each(|one| importer.add(one, &mut |_| {}));
    importer.finish()
}

/// Reads texts one after the other, so that none need be kept.
#[derive(Default)]
pub struct Importer {
    gathered: Gathered,
    files: Vec<FileReport>,
    /// The first character of each text that no name may contain, with its place.
    hidden: Vec<Option<Problem>>,
    /// The first text, if it is read in another way where it stays the only one.
    held: Option<(String, String)>,
}

impl Importer {
    /// Begins an import; `release` is that of the cluster, whatever the texts say.
    pub fn of(release: Option<Release>) -> Importer {
        Importer { gathered: Gathered { release, ..Gathered::default() }, ..Importer::default() }
    }

    /// Reads a text; `progress` hears up to which byte, from time to time.
    pub fn add(&mut self, given: &Given<'_>, progress: &mut dyn FnMut(usize)) {
        if self.files.is_empty() && self.held.is_none() && given.text.len() <= HELD_BYTES {
            self.held = Some((given.name.to_owned(), given.text.to_owned()));
            return;
        }
        self.read_held(false);
        self.read(given, false, progress);
    }

    /// Reads the text that was held, if there is one.
    fn read_held(&mut self, alone: bool) {
        if let Some((name, text)) = self.held.take() {
            self.read(&Given { name: &name, text: &text }, alone, &mut |_| {});
        }
    }

    /// Reports a file that is not a text, for this reason.
    pub fn not_text(&mut self, name: &str, why: String) {
        self.read_held(false);
        self.files.push(not_read(name, "not a text", Problem::error(name, None, why)));
        self.hidden.push(None);
    }

    fn read(&mut self, given: &Given<'_>, alone: bool, progress: &mut dyn FnMut(usize)) {
        self.files.push(read(given, alone, &mut self.gathered, progress));
        let hidden = crate::model::names::hidden_in_file(given.text);
        let hidden = hidden.map(|(_, span)| Problem::error(given.name, span, ""));
        self.hidden.push(Problem::placed(hidden.into_iter().collect(), given.text).pop());
    }

    /// Writes the scenario of all texts.
    pub fn finish(mut self) -> Import {
        self.read_held(true);
        let Importer { mut gathered, mut files, hidden, .. } = self;
        let lines = lines::settle(&mut gathered);
        // A line without a scenario is still recognised.
        let of_lines = [Some(TextKind::Line), Some(TextKind::Log)];
        let silent = |f: &FileReport| of_lines.contains(&f.kind) && lines.is_empty() && gathered.scenario.is_none();
        let any = files.iter().any(|f| f.status != Status::NotRead && !silent(f));
        let mut written = any.then(|| write::scenario(&mut gathered));
        if let Some(text) = &mut written {
            for (change, problems) in changes::apply(&mut gathered, text) {
                told_later(&mut files, &change, problems);
            }
        }
        if let Some(text) = &written {
            tell_unreadable(&mut files, &hidden, text);
        }
        if let Some(text) = &written {
            lines::join(&lines, text, &mut gathered);
        }
        let offers = gathered.seen.offers_that_hold();
        let Gathered { inferred, unknown, moment, lists_nodes, line_said: line, .. } = gathered;
        let (inferred, unknown) = (fold(inferred), fold(unknown));
        Import { files, scenario: written, inferred, unknown, moment, lists_nodes, offers, line }
    }
}

/// The most bytes of a text that is held until another one comes: lists, reports and lines are short.
const HELD_BYTES: usize = 1 << 20;

/// Remarks of one kind, at most, before the rest of them are only counted.
const ALIKE: usize = 3;

/// Counts the remarks that differ from earlier ones in numbers only, from the fourth on. The count goes to the first of them.
pub fn fold(remarks: Vec<Remark>) -> Vec<Remark> {
    let mut kinds: indexmap::IndexMap<String, Vec<Remark>> = indexmap::IndexMap::new();
    for remark in remarks {
        kinds.entry(without_figures(&remark.what)).or_default().push(remark);
    }
    let mut out = Vec::new();
    for mut alike in kinds.into_values() {
        let more = alike.len() - 1;
        if more >= ALIKE {
            alike.truncate(1);
            alike[0].what.push_str(&format!(" {more} more like this."));
        }
        out.extend(alike);
    }
    out
}

/// The number of alike files in a folder from which on one line stands for all.
const FILES_ALIKE: usize = 4;

/// Returns the folder of a file's name; "" for none.
pub fn folder_of(name: &str) -> &str {
    name.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Splits the reports into those that one line tells: files of one folder and kind, one after the other, that were read without a
/// problem.
pub fn alike(files: &[FileReport]) -> Vec<Range<usize>> {
    let same = |a: &FileReport, b: &FileReport| {
        let plain = |f: &FileReport| f.status == Status::Read && f.problems.is_empty() && f.kind.is_some();
        plain(a) && plain(b) && a.kind == b.kind && folder_of(&a.name) == folder_of(&b.name)
    };
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    for group in files.chunk_by(same) {
        let end = at + group.len();
        if group.len() >= FILES_ALIKE {
            out.push(at..end);
        } else {
            out.extend((at..end).map(|i| i..i + 1));
        }
        at = end;
    }
    out
}

/// Reports a scenario that cannot be opened, unless a text has an error already. The problem goes to the first text with a
/// character that no name may contain, at that character, else to the first text that was read.
fn tell_unreadable(files: &mut [FileReport], hidden: &[Option<Problem>], scenario: &str) {
    if files.iter().any(|f| f.problems.iter().any(|p| p.severity == Severity::Error)) {
        return;
    }
    let Some(problem) = crate::scenario::read(scenario).problems.into_iter().find(|p| p.severity == Severity::Error)
    else {
        return;
    };
    let mut read = files.iter_mut().zip(hidden).filter(|(file, _)| file.status != Status::NotRead).collect::<Vec<_>>();
    let n = read.iter().position(|(_, hidden)| hidden.is_some()).unwrap_or(0);
    let Some((file, hidden)) = read.get_mut(n) else { return };
    let what = format!("The scenario that comes of it can't be opened: {}", problem.what);
    let placed = hidden.clone().unwrap_or_else(|| Problem::error(&file.name, None, ""));
    file.status = Status::Partly;
    file.problems.push(Problem { what, mend: problem.mend, ..placed });
}

/// Adds problems found after reading to the report of their text, a change of queues.
fn told_later(files: &mut [FileReport], change: &changes::Change, mut problems: Vec<Problem>) {
    let Some(file) = files.iter_mut().find(|f| f.name == change.source) else { return };
    problems.iter_mut().for_each(|p| change.source.clone_into(&mut p.source));
    if file.status == Status::Read && problems.iter().any(|p| p.severity == Severity::Error) {
        file.status = Status::Partly;
    }
    file.problems.extend(Problem::placed(problems, &change.text));
}

/// Returns the report on a file that nothing was read of.
fn not_read(name: &str, what: &str, problem: Problem) -> FileReport {
    let (name, what) = (name.to_owned(), what.to_owned());
    FileReport { name, kind: None, what, status: Status::NotRead, problems: vec![problem] }
}

fn read(given: &Given<'_>, alone: bool, gathered: &mut Gathered, progress: &mut dyn FnMut(usize)) -> FileReport {
    // A byte order mark is not part of the text.
    let given = &Given { text: given.text.strip_prefix('\u{feff}').unwrap_or(given.text), ..*given };
    let name = given.name.to_owned();
    let not_read = |what: &str, problem: Problem| not_read(&name, what, problem);
    gathered.tallies.clear();
    let bare = look::without_lines_before(given.text);
    let text = bare.as_ref().map_or(given.text, |(text, _)| text);
    let in_parts = text.len() > parts::BYTES && look::opens_json(text.trim_start());
    let is_log = !in_parts && lines::log::is_log(text);
    if !in_parts
        && !is_log
        && let Some(problem) = crate::scenario::read::too_long(given.name, given.text.len())
    {
        return not_read("a text that is too long", problem);
    }
    if given.text.trim().is_empty() {
        return not_read("an empty text", Problem::error(given.name, None, "It is empty."));
    }
    if crate::scenario::files::says_nothing(given.text) {
        let problem = Problem::error(given.name, None, "It has only comments: there is nothing to import.");
        return not_read("comments only", problem);
    }
    let before = bare.as_ref().map(|(_, span)| {
        let comments = given.text[span.start..].starts_with(['#', '/']);
        let what = if comments {
            "These lines are comments, which JSON and XML do not have in this form; they were skipped."
        } else {
            "These lines are a command, its progress or headers of HTTP; they were skipped."
        };
        Problem::warning(given.name, *span, what).mend("Take them out of the file.")
    });
    let mut answers = parts::Answers::default();
    let look = if in_parts {
        match answers.read_parts(given, text, gathered, progress) {
            Ok(rest) => rest,
            Err(problem) => {
                return not_read("a text that is too long", problem);
            }
        }
    } else {
        InputText::at(given.name, text)
    };
    let found = match answers.kind() {
        Some(kind) => Some(kind),
        // A log can be too long for the other kinds to look at it.
        None if is_log => KINDS.iter().find(|kind| kind.what == TextKind::Log),
        None if alone => recognise_alone(&look),
        None => recognise(&look),
    };
    let Some(kind) = found else {
        let (what, problem) = kinds::unrecognised(&look);
        return FileReport { problems: Problem::placed(vec![problem.clone()], given.text), ..not_read(&what, problem) };
    };
    let (mut outcome, what) = if parts::is_answer(kind.what) && (answers.kind().is_some() || look.values() > 1) {
        answers.read_rest(look, gathered);
        answers.told()
    } else {
        let outcome = (kind.read)(&look, gathered);
        let what = kinds::in_words(kind, &outcome.holds);
        (outcome, what)
    };
    outcome.problems.splice(0..0, before);
    outcome.problems.iter_mut().for_each(|p| p.source = name.clone());
    let problems = Problem::placed(outcome.problems, given.text);
    FileReport { name, kind: Some(kind.what), what, status: outcome.status, problems }
}

/// Prints a count with its noun: `1 node`, `2 nodes`.
pub(crate) fn count(n: usize, one: &str) -> String {
    match one.strip_suffix('y') {
        _ if n == 1 => format!("1 {one}"),
        Some(stem) if !one.ends_with("ay") => format!("{n} {stem}ies"),
        _ => format!("{n} {one}s"),
    }
}

#[cfg(test)]
mod answers_tests;
#[cfg(test)]
mod tests;
