//! The ask table of YARN's client (AMRMClientImpl): requests become rows with absolute counts per priority, place and
//! size, of which those travel that changed (lifecycles-and-timing.md section 5).

use crate::api::{AllocateCall, AskRow};
use crate::model::{ContainerId, Resource};
use std::collections::{BTreeMap, BTreeSet};

/// Any place.
pub const ANY: &str = "*";
/// What is named where the rack of a host is not known.
pub const DEFAULT_RACK: &str = "/default-rack";

/// The rack of a host as the ApplicationMaster sees it, where it sees one.
pub type RackOf<'a> = &'a dyn Fn(&str) -> Option<String>;

/// What a row is found by, in the order in which rows are sent.
type Key = (i32, String, Resource);

/// A row that a request counts on.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub priority: i32,
    pub place: String,
    pub size: Resource,
    /// May YARN go beyond it?
    pub relax: bool,
    pub label: Option<String>,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Default)]
struct Row {
    count: i64,
    relax: bool,
    label: Option<String>,
}

/// The table, and what else travels with the next call.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AskTable {
    rows: BTreeMap<Key, Row>,
    /// Rows that changed since the last call.
    changed: BTreeSet<Key>,
    pub releases: Vec<ContainerId>,
}

impl AskTable {
    /// One more or one less on all rows of a request.
    pub fn count(&mut self, lines: &[Line], by: i64) {
        for line in lines {
            let key = (line.priority, line.place.clone(), line.size);
            let row = self.rows.entry(key.clone()).or_default();
            row.count = (row.count + by).max(0);
            row.relax = line.relax;
            if by > 0 {
                row.label.clone_from(&line.label);
            }
            self.changed.insert(key);
        }
    }

    /// What travels with the next heartbeat.
    pub fn call(&mut self) -> AllocateCall {
        let mut asks = Vec::new();
        for key in std::mem::take(&mut self.changed) {
            let Some(Row { count, relax, label }) = self.rows.get(&key).cloned() else { continue };
            if count == 0 {
                self.rows.remove(&key);
            }
            let (priority, place, size) = key;
            asks.push(AskRow { priority, place, size, count, relax, label, allocation_request_id: -1 });
        }
        AllocateCall { asks, releases: std::mem::take(&mut self.releases), ..AllocateCall::default() }
    }

    /// Has the next heartbeat nothing to say?
    pub fn is_quiet(&self) -> bool {
        self.changed.is_empty() && self.releases.is_empty()
    }

    /// How many rows there are.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.rows.len()
    }
}
