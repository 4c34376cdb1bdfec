//! Pasted lines: a diagnostics text, a row of activities, a log line, a client's message. Recognises the line, reads its
//! figures, and builds the smallest scenario in which Heddle prints that very line (reference/formats.md section 8).
//!
//! | file | what |
//! |---|---|
//! | `clean` | escapes, entities, colours and blanks |
//! | `template` | words with named holes, found anywhere in a text |
//! | `table` | the patterns, a row each: name, words, figures, scenario |
//! | `tables` | tables as the command line prints them |
//! | `deduced` | figures that follow from others |
//! | `joins` | what of the scenario that is open a line is about |
//! | `log` | a log that is longer than what is pasted |
//! | `report` | the report of an application around its diagnostics |
//! | `near` | what comes near to a text that no pattern has |
//! | `build` | the scenarios |

pub mod build;
mod clean;
mod deduced;
pub mod figure;
mod joins;
pub(super) mod log;
mod near;
mod report;
mod row;
mod table;
mod tables;
mod template;

pub use build::{Built, Remarks, build};
pub use figure::{Figure, Figures};
pub use joins::joins;
pub use row::{LinePattern, LineTopic, Ours, Words};
pub use table::rows;
pub(super) use tables::{cell, cells};

use super::{Gathered, InputText, Moment, ReadOutcome, Status};
use crate::model::Problem;
use crate::model::limits::PASTED_BYTES;

/// A recognised text.
#[derive(Clone, Debug, PartialEq)]
pub struct RecognisedLine {
    pub row: &'static LinePattern,
    /// The origin of the wording: the row's, unless the text shows an older release.
    pub words: Words,
    pub figures: Figures,
    /// Whether typing errors were corrected.
    pub mistyped: bool,
}

impl RecognisedLine {
    /// Returns the ids of the patterns: `D09 + D06`; `none` if the notes on formats have no pattern.
    pub fn pattern(&self) -> String {
        if self.row.id == "X" {
            return "none".to_string();
        }
        let mut ids = vec![self.row.id];
        ids.extend(self.row.with);
        ids.sort_by_key(|id| if self.row.id == "D43" { *id } else { "" });
        ids.join(" + ")
    }

    /// Returns whether it is a text that YARN itself prints about an application, a request or an offer, and that the scenario
    /// gives again.
    pub fn is_said(&self) -> bool {
        let said = match self.row.kind {
            LineTopic::Master | LineTopic::Submission | LineTopic::Ask | LineTopic::Ending | LineTopic::Activity => {
                true
            }
            LineTopic::Log | LineTopic::Client | LineTopic::Shown | LineTopic::Elsewhere => false,
        };
        let by_yarn = match self.words {
            Words::Same | Words::Older => true,
            Words::Client | Words::Vendor | Words::Nobody => false,
        };
        said && by_yarn && (self.row.ours == Ours::Yes || self.row.scene == build::Scene::Refused)
    }

    /// Returns whether words of YARN are this line: what it is about and its figures are the same. An older release may tell
    /// figures that this one does not.
    pub fn is_in(&self, words: &str) -> bool {
        self.differences(words).is_some_and(|differences| differences.is_empty())
    }

    /// Returns the figures in which words of YARN differ from this line; `None`: they are about something else.
    pub fn differences(&self, words: &str) -> Option<Vec<String>> {
        let said = recognise(words)?;
        let is_figure = |name: &str| !IDS.contains(&name) && !BESIDE.contains(&name);
        // All refused settings are one scene.
        let is_same_text =
            said.row.scene != build::Scene::Refused || said.row.id == self.row.id || self.words == Words::Older;
        if said.row.scene != self.row.scene || !is_same_text {
            return None;
        }
        let mut out = Vec::new();
        for (name, figure) in self.figures.0.iter().filter(|(name, _)| is_figure(name)) {
            let shown = name.replace('_', " ");
            match said.figures.0.get(name) {
                Some(other) if same_figure(figure, other) => {}
                Some(other) => out.push(format!("{shown} is {} there and {} in the line", other.json(), figure.json())),
                // A name may stand in the report around the line.
                None if self.words != Words::Same || matches!(figure, Figure::Text(_)) => {}
                None => out.push(format!("{shown} is not told there")),
            }
        }
        Some(out)
    }

    /// Returns the sentence about what Heddle does not play, with the figures filled in.
    pub fn say(&self) -> String {
        deduced::sentence(self.row, &self.figures)
    }
}

/// Figures that the scenario has other ones of: ids, and a file's position.
const IDS: [&str; 4] = ["app", "attempt", "container", "reservation"];

/// Figures that stand in the report around a line.
const BESIDE: [&str; 4] = ["app_priority", "mb_seconds", "vcore_seconds", log::NODES];

fn same_figure(one: &Figure, other: &Figure) -> bool {
    match (one, other) {
        (Figure::Real(one), Figure::Real(other)) => *one as f32 == *other as f32,
        (Figure::Text(one), Figure::Text(other)) => one.trim() == other.trim(),
        (one, other) => one == other,
    }
}

/// Recognises a text by the patterns.
pub fn recognise(text: &str) -> Option<RecognisedLine> {
    // A longer text is a file, even if it contains such lines.
    if text.len() > PASTED_BYTES {
        return None;
    }
    let lines = clean::decoded(text);
    let squeezed = clean::squeezed(&lines);
    if squeezed.is_empty() {
        return None;
    }
    if let Some(line) = exactly(&lines, &squeezed) {
        return Some(line);
    }
    let mended = near::mended(&squeezed)?;
    exactly(&lines, &mended).map(|line| RecognisedLine { mistyped: true, ..line })
}

/// Returns the patterns nearest to an unrecognised text, at most three, nearest first.
pub fn near(text: &str) -> Vec<&'static LinePattern> {
    near::nearest(&clean::squeezed(&clean::decoded(text)))
}

/// Reads a line, alone or among other texts: builds its scenario, unless there is one, and sets where WHY opens.
pub(super) fn read(look: &InputText<'_>, gathered: &mut Gathered) -> ReadOutcome {
    let Some(line) = look.line() else {
        return ReadOutcome::not_read(Vec::new());
    };
    let row = line.row;
    let holds = match line.pattern().as_str() {
        "none" => row.what.to_string(),
        pattern => format!("{} ({pattern})", row.what),
    };
    let say = line.say();
    let problem = |words: &str| vec![Problem::warning(look.name, None, words)];
    if row.ours == Ours::No {
        return ReadOutcome { status: Status::NotRead, holds, problems: problem(&say) };
    }
    let mut line = line.clone();
    let beside = log::fill(look.text, &mut line);
    if !beside.taken.is_empty() || !beside.unused.is_empty() {
        for (what, id) in &beside.taken {
            gathered.infer(capital(what), format!("another line of the log ({id})"));
        }
        let unused: usize = beside.unused.values().sum();
        if unused > 0 {
            let named: Vec<String> = beside.unused.iter().map(|(what, n)| format!("{n} \u{d7} {what}")).collect();
            let more = super::count(unused, "more known line");
            gathered.lack(format!("Of {more} nothing is used: {}.", named.join(", ")), "the log");
        }
    }
    match build(&line) {
        Ok(built) => {
            let text = look.text.to_owned();
            let lost = built.remarks.lost.as_ref().map(|why| problem(&not_said(why)));
            let whole = row.ours == Ours::Yes && lost.is_none();
            gathered.lines.push(HeldLine { line, say, text, built });
            let status = if whole { Status::Read } else { Status::Partly };
            ReadOutcome { status, holds, problems: lost.unwrap_or_default() }
        }
        Err(why) => {
            gathered.lack(format!("No scenario is made of the line: {why}."), "the line");
            ReadOutcome { status: Status::Partly, holds, problems: problem(if say.is_empty() { &why } else { &say }) }
        }
    }
}

/// A line that was read; what becomes of it depends on the texts beside it.
#[derive(Clone, Debug)]
pub struct HeldLine {
    line: RecognisedLine,
    say: String,
    text: String,
    built: Built,
}

/// Takes the scenario of the first line, unless the texts beside it say more of the cluster than a line does: then the lines are
/// about that, and are returned for [`join`].
pub(super) fn settle(gathered: &mut Gathered) -> Vec<HeldLine> {
    let mut lines = std::mem::take(&mut gathered.lines);
    let other = gathered.scenario.is_some()
        || gathered.seen.any()
        || gathered.has_capacity_queues()
        || gathered.files.contains_key("fair-scheduler.xml")
        || !gathered.entries.is_empty()
        || !gathered.submissions.is_empty()
        || !gathered.traced.jobs.is_empty();
    if lines.is_empty() || other {
        return lines;
    }
    let HeldLine { line, say, built, .. } = lines.remove(0);
    if line.row.ours == Ours::Partly && !say.is_empty() {
        gathered.lack(&say, "the line itself");
    }
    for (name, figure) in &line.figures.0 {
        if let Figure::Size(_) | Figure::Number(_) | Figure::Real(_) = figure {
            gathered.infer(format!("{name} = {}", figure.json()), "the line");
        }
    }
    let Remarks { assumed, unknown, lost } = &built.remarks;
    assumed.iter().for_each(|what| gathered.infer(capital(what), "assumed: the line does not say it"));
    unknown.iter().for_each(|what| gathered.lack(capital(what), "the line does not say it"));
    if let Some(why) = lost {
        gathered.lack(not_said(why), "the line itself");
    }
    gathered.lists_nodes = line.row.kind == LineTopic::Shown && built.what.starts_with("node:");
    if line.is_said() && built.remarks.lost.is_none() {
        gathered.line_said = Some(line);
    }
    gathered.moment = Moment { at_ms: built.at_ms, what: built.what };
    gathered.scenario = Some(built.scenario);
    lines
}

/// Opens the scenario at what the first line is about that finds it there.
pub(super) fn join(lines: &[HeldLine], scenario: &str, gathered: &mut Gathered) {
    if lines.is_empty() {
        return;
    }
    let open = crate::scenario::read(scenario).scenario;
    let mut found = None;
    for held in lines {
        let joined = open.as_ref().and_then(|open| joins::about(&held.line, &held.text, open));
        if joined.is_none() {
            gathered.lack(
                format!(
                    "The other texts have neither the application nor the queue of the line \"{}\".",
                    held.line.row.what
                ),
                "given alone, it becomes the smallest scenario in which it is said",
            );
        }
        found = found.or(joined);
    }
    if let Some(moment) = found {
        gathered.moment = moment;
    }
}

/// Says why the scenario of a line does not give that very line.
fn not_said(why: &str) -> String {
    format!("In the scenario YARN does not say this very line: {}.", why.trim_end_matches('.'))
}

/// Turns a clause into a sentence.
fn capital(clause: &str) -> String {
    let mut letters = clause.chars();
    let first: String = letters.next().map(|c| c.to_uppercase().collect()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}

fn exactly(lines: &str, squeezed: &str) -> Option<RecognisedLine> {
    for row in table::rows() {
        if !row.also.iter().all(|words| squeezed.contains(words)) {
            continue;
        }
        let Some((mut figures, ..)) = template::find(squeezed, row.template) else { continue };
        for more in row.figures {
            if let Some((found, ..)) = template::find(squeezed, more) {
                found.0.into_iter().for_each(|(name, figure)| figures.put(&name, figure));
            }
        }
        if matches!(row.kind, LineTopic::Shown) {
            tables::read(lines, &mut figures);
        }
        report::read(lines, &mut figures);
        deduced::add(row, squeezed, &mut figures);
        let words = deduced::words(row, squeezed, &figures);
        return Some(RecognisedLine { row, words, figures, mistyped: false });
    }
    None
}

#[cfg(test)]
mod tests;
