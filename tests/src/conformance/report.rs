//! The results of a run of cases, as text and as JSON.

use super::Outcome;
use indexmap::IndexMap;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// One case of a run.
#[derive(Clone, Debug)]
pub struct CaseResult {
    pub area: String,
    pub id: String,
    /// The reason from `docs/deviations.md` why it was not played.
    pub skipped: Option<String>,
    /// The result.
    pub outcome: Outcome,
}

/// A run of cases.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// All cases, in the order played.
    pub rows: Vec<CaseResult>,
}

impl Report {
    /// Returns the number of cases that passed.
    pub fn passed(&self) -> usize {
        self.rows.iter().filter(|r| r.skipped.is_none() && r.outcome == Outcome::Passed).count()
    }

    /// Returns the number of cases that differed or are unsupported.
    pub fn failed(&self) -> usize {
        self.rows.len() - self.passed() - self.skipped()
    }

    /// Returns the number of cases that `docs/deviations.md` lists.
    pub fn skipped(&self) -> usize {
        self.rows.iter().filter(|r| r.skipped.is_some()).count()
    }

    /// Returns the number of cases without a driver, for each `area/kind`.
    pub fn unsupported(&self) -> IndexMap<String, usize> {
        let mut counts = IndexMap::new();
        for row in &self.rows {
            if let Outcome::Unsupported(kind) = &row.outcome {
                *counts.entry(format!("{}/{kind}", row.area)).or_default() += 1;
            }
        }
        counts
    }

    /// Returns the last line: `12 passed, 3 failed, 0 skipped`.
    pub fn summary(&self) -> String {
        format!("{} passed, {} failed, {} skipped", self.passed(), self.failed(), self.skipped())
    }

    /// Returns a line for each case that differs, a line for each kind without a driver, and the summary.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for row in &self.rows {
            if let (None, Outcome::Failed(d)) = (&row.skipped, &row.outcome) {
                let _ = writeln!(out, "FAIL {}/{}: {d}", row.area, row.id);
            }
        }
        for (kind, n) in self.unsupported() {
            let _ = writeln!(out, "UNSUPPORTED {kind}: {n} cases");
        }
        let _ = writeln!(out, "{}", self.summary());
        out
    }

    /// Returns the report as one JSON document.
    pub fn json(&self) -> Value {
        let failed: Vec<Value> = self
            .rows
            .iter()
            .filter_map(|row| match (&row.skipped, &row.outcome) {
                (None, Outcome::Failed(d)) => Some(json!({
                    "area": row.area, "id": row.id, "at": d.at, "expected": d.expected, "got": d.got,
                })),
                _ => None,
            })
            .collect();
        let unsupported: Vec<Value> =
            self.unsupported().into_iter().map(|(kind, n)| json!({"kind": kind, "cases": n})).collect();
        let skipped: Vec<Value> = self
            .rows
            .iter()
            .filter_map(|r| Some(json!({"area": r.area, "id": r.id, "reason": r.skipped.as_ref()?})))
            .collect();
        json!({
            "passed": self.passed(), "failed": self.failed(), "skipped": self.skipped(),
            "failures": failed, "unsupported": unsupported, "skips": skipped,
        })
    }
}
