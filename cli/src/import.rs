//! `heddle import`: what a configuration file holds, and what is wrong with it.

use crate::input::Input;
use crate::output::{Output, Stop};
use heddle_core::config::xml;
use heddle_core::model::Severity;
use serde::Serialize;
use std::path::Path;

#[derive(Serialize)]
struct Report {
    file: String,
    properties: usize,
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
    let (document, problems) = xml::read(&input.name, &input.text);
    let properties = document.properties();
    let errors = problems.iter().filter(|p| p.severity == Severity::Error).count();
    if json {
        let row = |p: &heddle_core::model::Problem| {
            let (line, column) = p.span.map_or((1, 1), |s| s.line_col(&input.text));
            Row { severity: p.severity, line, column, what: p.what.clone(), mend: p.mend.clone() }
        };
        let problems = problems.iter().map(row).collect();
        out.json(&Report { file: input.name.clone(), properties: properties.len(), problems })?;
    } else {
        for problem in &problems {
            out.line(&input.shown(problem))?;
        }
        out.line(&format!("{}: {} properties, {} problems", input.name, properties.len(), problems.len()))?;
    }
    Ok(if errors > 0 { 2 } else { 0 })
}
