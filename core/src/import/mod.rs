//! Builds a scenario from what people have of a cluster: settings, answers, files, logs. The page, the command line and the
//! library share this one recogniser.
//!
//! A text is recognised by its content ([`recognise`]); `kinds` has a row for each kind of text. [`import`] reads any
//! number of texts into one [`Gathered`] and writes it as a scenario, with the inferred and the unknown values.

pub(crate) mod applications;
mod changes;
mod commands;
mod flink;
mod gathered;
mod hosts;
pub mod json;
mod kinds;
mod launched;
pub mod lines;
mod look;
mod now;
mod properties;
mod queues;
mod rest;
pub mod seen;
mod settings;
mod shown;
mod spark;
pub mod workloads;
pub(crate) mod write;

pub use gathered::{Gathered, GatheredApp};
pub use kinds::{KINDS, TextFormat, TextKind, name_of};
pub use look::{Form, InputText};

use crate::config::releases::Release;
use crate::model::{Millis, Problem, Severity};
use serde::Serialize;

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
    /// What the latest offers of hosts found, by the activities, as far as it holds still.
    pub offers: Vec<(String, Vec<seen::Said>)>,
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
    let mut gathered = Gathered { release, ..Gathered::default() };
    let mut files: Vec<FileReport> = given.iter().map(|one| read(one, given.len() == 1, &mut gathered)).collect();
    // A line without a scenario is still recognised.
    let silent = |f: &FileReport| f.kind == Some(TextKind::Line) && gathered.scenario.is_none();
    let any = files.iter().any(|f| f.status != Status::NotRead && !silent(f));
    let mut written = any.then(|| write::scenario(&mut gathered));
    if let Some(text) = &mut written {
        for (change, problems) in changes::apply(&mut gathered, text) {
            told_later(&mut files, given, &change.source, problems);
        }
    }
    if let Some(text) = &written {
        tell_unreadable(&mut files, given, text);
    }
    let offers = gathered.seen.offers_that_hold();
    let Gathered { inferred, unknown, moment, .. } = gathered;
    Import { files, scenario: written, inferred: fold(inferred), unknown: fold(unknown), moment, offers }
}

/// Remarks of one kind, at most, before the rest of them are only counted.
const ALIKE: usize = 3;

/// Counts the remarks that differ from earlier ones in numbers only, from the fourth on. The count goes to the first of them.
pub fn fold(remarks: Vec<Remark>) -> Vec<Remark> {
    fn shape(remark: &Remark) -> String {
        let mut out = String::new();
        for c in remark.what.chars() {
            if !c.is_ascii_digit() {
                out.push(c);
            } else if !out.ends_with('#') {
                out.push('#');
            }
        }
        out
    }
    let mut kinds: indexmap::IndexMap<String, Vec<Remark>> = indexmap::IndexMap::new();
    for remark in remarks {
        kinds.entry(shape(&remark)).or_default().push(remark);
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

/// Reports a scenario that cannot be opened, unless a text has an error already. The problem goes to the first text with a
/// character that no name may contain, at that character, else to the first text that was read.
fn tell_unreadable(files: &mut [FileReport], given: &[Given<'_>], scenario: &str) {
    if files.iter().any(|f| f.problems.iter().any(|p| p.severity == Severity::Error)) {
        return;
    }
    let Some(problem) = crate::scenario::read(scenario).problems.into_iter().find(|p| p.severity == Severity::Error)
    else {
        return;
    };
    let mut read = files.iter_mut().zip(given).filter(|(file, _)| file.status != Status::NotRead).collect::<Vec<_>>();
    let hidden = |(_, given): &(&mut FileReport, &Given<'_>)| crate::model::names::hidden_in_file(given.text);
    let (n, span) = read.iter().enumerate().find_map(|(n, one)| Some((n, hidden(one)?.1))).unzip();
    let Some((file, given)) = read.get_mut(n.unwrap_or(0)) else { return };
    let what = format!("The scenario that comes of it can't be opened: {}", problem.what);
    let told = Problem { mend: problem.mend, ..Problem::error(&file.name, span, what) };
    file.status = Status::Partly;
    file.problems.extend(Problem::placed(vec![told], given.text));
}

/// Adds problems found after reading to the report of their text.
fn told_later(files: &mut [FileReport], given: &[Given<'_>], source: &str, mut problems: Vec<Problem>) {
    let Some((file, given)) = files.iter_mut().zip(given).find(|(file, _)| file.name == source) else { return };
    problems.iter_mut().for_each(|p| source.clone_into(&mut p.source));
    if file.status == Status::Read && problems.iter().any(|p| p.severity == Severity::Error) {
        file.status = Status::Partly;
    }
    file.problems.extend(Problem::placed(problems, given.text));
}

fn read(given: &Given<'_>, alone: bool, gathered: &mut Gathered) -> FileReport {
    // A byte order mark is not part of the text.
    let given = &Given { text: given.text.strip_prefix('\u{feff}').unwrap_or(given.text), ..*given };
    let name = given.name.to_owned();
    let not_read = |what: &str, problem: Problem| FileReport {
        name: name.clone(),
        kind: None,
        what: what.into(),
        status: Status::NotRead,
        problems: vec![problem],
    };
    if let Some(problem) = crate::scenario::read::too_long(given.name, given.text.len()) {
        return not_read("a text that is too long", problem);
    }
    if given.text.trim().is_empty() {
        return not_read("an empty text", Problem::error(given.name, None, "It is empty."));
    }
    if crate::scenario::files::says_nothing(given.text) {
        let problem = Problem::error(given.name, None, "It has only comments: there is nothing to import.");
        return not_read("comments only", problem);
    }
    let bare = look::without_lines_before(given.text);
    let before = bare.as_ref().map(|(_, span)| {
        let comments = given.text[span.start..].starts_with(['#', '/']);
        let what = if comments {
            "These lines are comments, which JSON and XML do not have in this form; they were skipped."
        } else {
            "These lines are the command and headers of HTTP; they were skipped."
        };
        Problem::warning(given.name, *span, what).mend("Take them out of the file.")
    });
    let look = InputText::at(given.name, bare.as_ref().map_or(given.text, |(text, _)| text));
    let found = if alone { recognise_alone(&look) } else { recognise(&look) };
    let Some(kind) = found else {
        let (what, problem) = kinds::unrecognised(&look);
        return FileReport { problems: Problem::placed(vec![problem.clone()], given.text), ..not_read(&what, problem) };
    };
    let (mut outcome, what) = match several(&look, kind, gathered) {
        Some(read) => read,
        None => one(&look, kind, gathered),
    };
    outcome.problems.splice(0..0, before);
    outcome.problems.iter_mut().for_each(|p| p.source = name.clone());
    let problems = Problem::placed(outcome.problems, given.text);
    FileReport { name, kind: Some(kind.what), what, status: outcome.status, problems }
}

/// Reads a text of a kind. Returns what came of it, and what it is in words.
fn one(look: &InputText<'_>, kind: &TextFormat, gathered: &mut Gathered) -> (ReadOutcome, String) {
    let outcome = (kind.read)(look, gathered);
    let what = if outcome.holds.is_empty() { kind.name.into() } else { format!("{}: {}", kind.name, outcome.holds) };
    (outcome, what)
}

/// Reads several answers of the ResourceManager that stand in one text, as `curl` with several addresses prints them.
fn several(look: &InputText<'_>, kind: &TextFormat, gathered: &mut Gathered) -> Option<(ReadOutcome, String)> {
    let answers = TextKind::ClusterInfo..=TextKind::AppActivities;
    if !answers.contains(&kind.what) {
        return None;
    }
    let each = look.each();
    if each.len() < 2 {
        return None;
    }
    let mut whole = ReadOutcome::of(String::new(), Vec::new());
    let mut said = Vec::new();
    for look in &each {
        let Some(kind) = recognise(look) else {
            let (what, problem) = kinds::unrecognised(look);
            whole.status = Status::Partly;
            whole.problems.push(problem);
            said.push(what);
            continue;
        };
        let (outcome, what) = one(look, kind, gathered);
        if outcome.status != Status::Read {
            whole.status = Status::Partly;
        }
        whole.problems.extend(outcome.problems);
        said.push(what);
    }
    Some((whole, said.join("; ")))
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
mod tests;
