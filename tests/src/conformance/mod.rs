//! Files of cases, the runner over them, and its report.
//!
//! A file is `{"area", "version", "about", "cases": [{"id", "source", "note"?, "given", "expect"}]}`. Only what
//! `expect` lists is asserted. A kind of case without a driver is unsupported and counts as failed; a case that
//! `docs/deviations.md` lists is skipped.

mod command;
pub mod compare;
mod deviations;
mod file;
mod report;

pub use command::{default_files, main};
pub use compare::Difference;
pub use deviations::Deviations;
pub use file::{AREAS, Case, File};
pub use report::{CaseResult, Report};

/// The result of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Everything matches the expectation.
    Passed,
    /// The first difference.
    Failed(Difference),
    /// No driver supports this kind, named as it is to be counted (it may be more specific than the case's own kind).
    Unsupported(String),
}

impl From<Result<(), Difference>> for Outcome {
    fn from(r: Result<(), Difference>) -> Self {
        r.map_or_else(Outcome::Failed, |()| Outcome::Passed)
    }
}

/// Plays a case and compares.
pub type Driver = fn(&Case) -> Outcome;

/// Plays a case of any kind. A panic is a failure of that case alone.
pub fn play(area: &str, case: &Case) -> Outcome {
    let Some(driver) = crate::facts::driver(area, &case.kind) else {
        return Outcome::Unsupported(case.kind.clone());
    };
    if let Some(strange) = crate::facts::unknown_key(area, case) {
        return Outcome::Failed(Difference::new("", "keys that the driver knows", strange));
    }
    std::panic::catch_unwind(|| driver(case)).unwrap_or_else(|cause| {
        let words = cause.downcast_ref::<String>().map(String::as_str).or(cause.downcast_ref::<&str>().copied());
        Outcome::Failed(Difference::new("", "no panic", format!("a panic: {}", words.unwrap_or("without words"))))
    })
}

/// Plays all cases of the files whose `area/id` contains `filter`.
pub fn run(files: &[File], deviations: &Deviations, filter: Option<&str>) -> Report {
    let mut report = Report::default();
    for file in files {
        for case in &file.cases {
            let name = format!("{}/{}", file.area, case.id);
            if filter.is_some_and(|f| !name.contains(f)) {
                continue;
            }
            let skipped = deviations.reason(&name).map(str::to_owned);
            let outcome = if skipped.is_some() { Outcome::Passed } else { play(&file.area, case) };
            report.rows.push(CaseResult { area: file.area.clone(), id: case.id.clone(), skipped, outcome });
        }
    }
    report
}
