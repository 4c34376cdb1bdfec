//! What a run of cases gave, as text and as JSON.

use super::Outcome;
use indexmap::IndexMap;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// One case of a run.
#[derive(Clone, Debug)]
pub struct Row {
    pub area: String,
    pub id: String,
    /// Listed in `docs/deviations.md`: why it was not played.
    pub skipped: Option<String>,
    /// What became of it.
    pub outcome: Outcome,
}

/// A run of cases.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// All cases in the order played.
    pub rows: Vec<Row>,
}

impl Report {
    /// Cases that were played and agreed.
    pub fn passed(&self) -> usize {
        self.rows.iter().filter(|r| r.skipped.is_none() && r.outcome == Outcome::Passed).count()
    }

    /// Cases that differed, and cases that nobody could play.
    pub fn failed(&self) -> usize {
        self.rows.len() - self.passed() - self.skipped()
    }

    /// Cases that `docs/deviations.md` lists.
    pub fn skipped(&self) -> usize {
        self.rows.iter().filter(|r| r.skipped.is_some()).count()
    }

    /// How many cases of each `area/kind` have no driver.
    pub fn unsupported(&self) -> IndexMap<String, usize> {
        let mut counts = IndexMap::new();
        for row in &self.rows {
            if let Outcome::Unsupported(kind) = &row.outcome {
                *counts.entry(format!("{}/{kind}", row.area)).or_default() += 1;
            }
        }
        counts
    }

    /// The last line: `12 passed, 3 failed, 0 skipped`.
    pub fn summary(&self) -> String {
        format!("{} passed, {} failed, {} skipped", self.passed(), self.failed(), self.skipped())
    }

    /// A line for each case that differs, a line for each kind without a driver, and the summary.
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

    /// The same as one JSON document.
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
