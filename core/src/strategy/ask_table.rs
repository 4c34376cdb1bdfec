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

/// What a row is found by, in the order in which rows are sent: priority, allocation request id, place, size.
type Key = (i32, i64, String, Resource);

/// A row that a request counts on.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub priority: i32,
    /// −1 for none.
    pub allocation_request_id: i64,
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

impl Line {
    fn key(&self) -> Key {
        (self.priority, self.allocation_request_id, self.place.clone(), self.size)
    }
}

impl AskTable {
    /// One more or one less on all rows of a request.
    pub fn count(&mut self, lines: &[Line], by: i64) {
        for line in lines {
            let row = self.rows.entry(line.key()).or_default();
            row.count = (row.count + by).max(0);
            row.relax = line.relax;
            if by > 0 {
                row.label.clone_from(&line.label);
            }
            self.changed.insert(line.key());
        }
    }

    /// The rows that wait for the next heartbeat, in the order in which they are sent.
    pub fn waiting(&self) -> impl Iterator<Item = AskRow> + '_ {
        self.changed.iter().filter_map(|key| Some(row(key, self.rows.get(key)?)))
    }

    /// The rows that count something, in the order in which they are sent.
    pub fn wanted(&self) -> impl Iterator<Item = AskRow> + '_ {
        self.rows.iter().filter(|(_, row)| row.count > 0).map(|(key, r)| row(key, r))
    }

    /// What travels with the next heartbeat.
    pub fn call(&mut self) -> AllocateCall {
        let asks = self.waiting().collect();
        for key in std::mem::take(&mut self.changed) {
            if self.rows.get(&key).is_some_and(|row| row.count == 0) {
                self.rows.remove(&key);
            }
        }
        AllocateCall { asks, releases: std::mem::take(&mut self.releases), ..AllocateCall::default() }
    }

    /// A call that has not arrived: its rows wait again, unless they changed meanwhile, and its releases do.
    pub fn take_back(&mut self, call: AllocateCall) {
        for ask in call.asks {
            let key = (ask.priority, ask.allocation_request_id, ask.place, ask.size);
            if !self.changed.contains(&key) {
                self.rows.entry(key.clone()).or_insert(Row { count: ask.count, relax: ask.relax, label: ask.label });
                self.changed.insert(key);
            }
        }
        self.releases.extend(call.releases);
    }

    /// Has the next heartbeat nothing to say?
    pub fn is_quiet(&self) -> bool {
        self.changed.is_empty() && self.releases.is_empty()
    }

    /// How many rows there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

fn row((priority, allocation_request_id, place, size): &Key, row: &Row) -> AskRow {
    AskRow {
        priority: *priority,
        place: place.clone(),
        size: *size,
        count: row.count,
        relax: row.relax,
        label: row.label.clone(),
        allocation_request_id: *allocation_request_id,
    }
}
