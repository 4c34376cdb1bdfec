//! `heddle import`: builds one scenario from what people have of a cluster. Reads files, folders, archives and standard
//! input, writes the scenario to standard output, and reports found, inferred and unknown values on standard error.

use crate::given::GivenFiles;
use crate::input::{Input, ProblemRow, decode, masked_text};
use crate::link::without_names;
use crate::output::{EarlyEnd, Output, warn};
use heddle_core::import::{self, FileReport, Given, Import, Importer, Moment, Remark, Status, alike, folder_of};
use heddle_core::model::Problem;
use heddle_core::scenario::Release;
use heddle_player::agreement::{Agreement, Difference, OfferDifference, OffersAgreement, compare, yarn_words};
use serde::Serialize;
use std::path::PathBuf;

/// The document of `--json`.
#[derive(Serialize)]
struct ImportOutput<'i> {
    files: Vec<File<'i>>,
    scenario: Option<&'i str>,
    inferred: &'i [Remark],
    unknown: &'i [Remark],
    moment: &'i Moment,
}

#[derive(Serialize)]
struct File<'i> {
    name: &'i str,
    what: &'i str,
    status: Status,
    problems: Vec<ProblemRow>,
}

/// Returns a problem with its place, as a row.
fn row(name: &str, problem: &Problem) -> ProblemRow {
    let (line, column) = problem.place.unwrap_or((1, 1));
    let (what, mend) = (problem.what.clone(), problem.mend.clone());
    ProblemRow { file: name.to_owned(), severity: problem.severity, line, column, what, mend }
}

fn or_nothing(words: &str) -> &str {
    if words.is_empty() { "nothing" } else { words }
}

/// Returns the applications whose diagnostics in the dump differ from the ones computed here.
fn differences(agreement: &Agreement) -> impl Iterator<Item = Remark> {
    agreement.differ.iter().map(|Difference { app, dump, here }| Remark {
        what: format!("Why {app} waits is not what the dump says. The dump: {dump} Here: {}", or_nothing(here)),
        source: "diagnostics of the dump".into(),
        about: vec![],
    })
}

/// What the latest offers of hosts found of an application or a queue, where the dump's activities say something else.
fn other_findings(agreement: &OffersAgreement) -> impl Iterator<Item = Remark> {
    agreement.differ.iter().map(|OfferDifference { host, about, dump, here }| Remark {
        what: format!(
            "What an offer of {host} finds of {about} is not what the dump says. The dump: {}. Here: {}.",
            or_nothing(dump),
            or_nothing(here)
        ),
        source: "activities of the dump".into(),
        about: vec![],
    })
}

pub fn import(
    out: &mut Output,
    paths: &[PathBuf],
    release: Option<Release>,
    anonymise: bool,
    json: bool,
) -> Result<u8, EarlyEnd> {
    let mut importer = Importer::of(release);
    let mut given = GivenFiles::default();
    for path in paths {
        given.add(path, &mut |name, bytes| match decode(bytes) {
            Ok(text) => importer.add(&Given { name, text: &masked_text(name, text) }, &mut |_| {}),
            Err(why) => importer.not_text(name, why),
        })?;
    }
    let mut imported = importer.finish();
    imported.check_line(yarn_words);
    let Import { files, scenario, inferred, mut unknown, moment, offers: said, .. } = imported;
    let status = if files.iter().any(|f| f.status != Status::NotRead) { 0 } else { 2 };
    let read = scenario.as_deref().and_then(|text| heddle_core::scenario::read(text).scenario);
    let (agreement, found) = read.as_ref().map(|scenario| compare(scenario, &said)).unwrap_or_default();
    unknown.extend(differences(&agreement));
    unknown.extend(other_findings(&found));
    let unknown = import::fold(unknown);
    if json {
        let rows = |file: &FileReport| file.problems.iter().map(|p| row(&file.name, p)).collect();
        out.json(&ImportOutput {
            files: files
                .iter()
                .map(|f| File { name: &f.name, what: &f.what, status: f.status, problems: rows(f) })
                .collect(),
            scenario: scenario.as_deref(),
            inferred: &inferred,
            unknown: &unknown,
            moment: &moment,
        })?;
        return Ok(status);
    }
    for alike in alike(&files) {
        let file = &files[alike.start];
        if alike.len() > 1 {
            let folder = folder_of(&file.name);
            let what = file.kind.and_then(import::name_of).unwrap_or(&file.what);
            warn(&format!("{folder} ({} files): {what} ({})", alike.len(), file.status.word()));
            continue;
        }
        warn(&format!("{}: {} ({})", file.name, file.what, file.status.word()));
        for problem in &file.problems {
            // It is placed: the text is gone.
            warn(&problem.render(""));
        }
    }
    for (heading, remarks) in [("Inferred:", &inferred), ("Not known:", &unknown)] {
        if !remarks.is_empty() {
            warn(heading);
        }
        for Remark { what, source, .. } in remarks {
            warn(&format!("  {what} ({source})"));
        }
    }
    if agreement.compared > 0 {
        let same = agreement.compared - agreement.older - agreement.differ.len();
        warn(&format!("Diagnostics of waiting applications: {same} of {} are as in the dump.", agreement.compared));
        if agreement.older > 0 {
            warn(&format!("{} more say the same with figures of an earlier moment.", agreement.older));
        }
    }
    if found.compared > 0 {
        let same = found.agreeing();
        warn(&format!(
            "Latest offers of nodes that hold still: {same} of {} find what the activities say.",
            found.compared
        ));
        if found.left_out > 0 {
            warn(&format!("{} more were not compared: the cluster is large.", found.left_out));
        }
    }
    if let Some(scenario) = scenario {
        let input = Input::of("scenario".into(), scenario);
        if anonymise {
            let without = without_names(&input)?;
            warn("Names:");
            without.names.iter().for_each(|(old, new)| warn(&format!("  {old} is {new}")));
            out.text(&without.text)?;
        } else {
            out.text(&input.text)?;
        }
    }
    Ok(status)
}
