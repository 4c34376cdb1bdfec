//! `heddle import`: what a capacity-scheduler.xml holds, and what is wrong with it.

use crate::input::Input;
use crate::output::{Output, Stop};
use heddle_core::config::check::check;
use heddle_core::model::{Problem, Severity};
use heddle_core::rm::Properties;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Document {
    file: String,
    summary: String,
    queues: usize,
    leaves: usize,
    labels: usize,
    properties: usize,
    modelled: usize,
    kept: usize,
    /// Hadoop's own words, if the ResourceManager would refuse the file.
    refusal: Option<String>,
    /// Is asynchronous scheduling switched on or off, or left to the release?
    asynchronous: Option<bool>,
    problems: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    severity: Severity,
    line: usize,
    column: usize,
    what: String,
    mend: String,
}

pub fn import(out: &mut Output, file: &Path, json: bool) -> Result<u8, Stop> {
    let input = Input::read(file)?;
    let report = check(&input.name, &input.text, &Properties::new(), &[]);
    let errors = report.problems.iter().any(|p| p.severity == Severity::Error) || report.refusal.is_some();
    if json {
        let row = |p: &Problem| {
            let (line, column) = p.span.map_or((1, 1), |s| s.line_col(&input.text));
            Row { severity: p.severity, line, column, what: p.what.clone(), mend: p.mend.clone() }
        };
        let c = &report.counts;
        out.json(&Document {
            file: input.name.clone(),
            summary: report.summary(),
            queues: c.queues,
            leaves: c.leaves,
            labels: c.labels,
            properties: c.properties,
            modelled: c.modelled,
            kept: c.kept,
            refusal: report.refusal.clone(),
            asynchronous: report.asynchronous,
            problems: report.problems.iter().map(row).collect(),
        })?;
    } else {
        for problem in &report.problems {
            out.line(&input.shown(problem))?;
        }
        if let Some(words) = &report.refusal {
            out.line(&format!("The ResourceManager would refuse this file: {words}"))?;
        }
        out.line(&format!("{}: {}", input.name, report.summary()))?;
        if report.asynchronous.is_none() {
            out.line("Whether scheduling is asynchronous is left to the release: it is from 3.5.0 on, and was not until 3.4.")?;
        }
    }
    Ok(if errors { 2 } else { 0 })
}
