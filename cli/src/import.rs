//! `heddle import`: builds one scenario from what people have of a cluster. Reads files, folders, archives and standard
//! input, writes the scenario to standard output, and reports found, inferred and unknown values on standard error.

use crate::input::{Input, Row, masked_text};
use crate::link::without_names;
use crate::output::{Output, Stop, warn};
use crate::packed::{self, Text};
use heddle_core::import::{self, FileReport, Given, Import, Moment, Remark, Status};
use heddle_core::model::Problem;
use heddle_player::agreement::{Agreement, Difference, agreement};
use serde::Serialize;
use std::path::PathBuf;

/// The document of `--json`.
#[derive(Serialize)]
struct Document<'i> {
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
    problems: Vec<Row>,
}

/// Returns a problem with its place, as a row.
fn row(name: &str, problem: &Problem) -> Row {
    let (line, column) = problem.place.unwrap_or((1, 1));
    let (what, mend) = (problem.what.clone(), problem.mend.clone());
    Row { file: name.to_owned(), severity: problem.severity, line, column, what, mend }
}

/// Returns the applications whose diagnostics in the dump differ from the ones computed here.
fn differences(agreement: &Agreement) -> impl Iterator<Item = Remark> {
    agreement.differ.iter().map(|Difference { app, dump, here }| Remark {
        what: format!("Why {app} waits is not what the dump says. The dump: {dump} Here: {here}"),
        source: "diagnostics of the dump".into(),
    })
}

/// Reads all paths, in their order.
fn texts(paths: &[PathBuf]) -> Result<Vec<Text>, Stop> {
    let mut out = packed::Texts::default();
    for path in paths {
        out.add(path)?;
    }
    Ok(out.texts)
}

pub fn import(out: &mut Output, paths: &[PathBuf], anonymise: bool, json: bool) -> Result<u8, Stop> {
    let mut texts = texts(paths)?;
    for text in &mut texts {
        if let Ok(read) = &mut text.text {
            *read = masked_text(&text.name, std::mem::take(read));
        }
    }
    let good: Vec<Given<'_>> =
        texts.iter().filter_map(|t| Some(Given { name: &t.name, text: t.text.as_ref().ok()? })).collect();
    let Import { files, scenario, inferred, mut unknown, moment } = import::import(&good);
    // The report of a file that is not text stands in its place among the others.
    let mut read = files.into_iter();
    let files: Vec<FileReport> = texts
        .iter()
        .filter_map(|text| match &text.text {
            Ok(_) => read.next(),
            Err(why) => Some(FileReport {
                name: text.name.clone(),
                kind: None,
                what: "not a text".into(),
                status: Status::NotRead,
                problems: vec![Problem::error(&text.name, None, why.clone())],
            }),
        })
        .collect();
    let status = if files.iter().any(|f| f.status != Status::NotRead) { 0 } else { 2 };
    let read = scenario.as_deref().and_then(|text| heddle_core::scenario::read(text).scenario);
    let agreement = read.as_ref().map(agreement).unwrap_or_default();
    unknown.extend(differences(&agreement));
    if json {
        let rows = |file: &FileReport| file.problems.iter().map(|p| row(&file.name, p)).collect();
        out.json(&Document {
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
    for (file, text) in files.iter().zip(&texts) {
        warn(&format!("{}: {} ({})", file.name, file.what, file.status.word()));
        for problem in &file.problems {
            warn(&problem.render(text.text.as_deref().unwrap_or_default()));
        }
    }
    for (heading, remarks) in [("Inferred:", &inferred), ("Not known:", &unknown)] {
        if !remarks.is_empty() {
            warn(heading);
        }
        for Remark { what, source } in remarks {
            warn(&format!("  {what} ({source})"));
        }
    }
    if agreement.compared > 0 {
        let same = agreement.compared - agreement.differ.len();
        warn(&format!("Diagnostics of waiting applications: {same} of {} are as in the dump.", agreement.compared));
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
