//! The ask table of YARN's client (AMRMClientImpl): it turns requests into rows with absolute counts per priority,
//! place and size, and sends those that changed (lifecycles-and-timing.md section 5).

use crate::api::{AllocateCall, AskRow};
use crate::model::{ContainerId, Resource};
use std::collections::{BTreeMap, BTreeSet};

/// The name of any place.
pub const ANY: &str = "*";
/// The rack of a host whose rack is unknown.
pub const DEFAULT_RACK: &str = "/default-rack";

/// Looks up the rack of a host, if the ApplicationMaster knows it.
pub type RackOf<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The key of a row, in the order in which rows are sent: priority, allocation request id, place, size.
type Key = (i32, i64, String, Resource);

/// A row that counts a request.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedRow {
    pub priority: i32,
    /// Allocation request id; −1 for none.
    pub allocation_request_id: i64,
    pub place: String,
    pub size: Resource,
    /// Whether YARN may relax locality beyond it.
    pub relax: bool,
    pub label: Option<String>,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Default)]
struct AskTableRow {
    count: i64,
    relax: bool,
    label: Option<String>,
}

/// The table, and what else the next call sends.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AskTable {
    rows: BTreeMap<Key, AskTableRow>,
    /// Rows that changed since the last call.
    changed: BTreeSet<Key>,
    pub releases: Vec<ContainerId>,
}

impl CountedRow {
    fn key(&self) -> Key {
        (self.priority, self.allocation_request_id, self.place.clone(), self.size)
    }
}

impl AskTable {
    /// Adds `by` to the counts of all rows of a request.
    pub fn count(&mut self, lines: &[CountedRow], by: i64) {
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

    /// The rows that the next heartbeat sends, in the order in which they are sent.
    pub fn waiting(&self) -> impl Iterator<Item = AskRow> + '_ {
        self.changed.iter().filter_map(|key| Some(row(key, self.rows.get(key)?)))
    }

    /// The rows with a count, in the order in which they are sent.
    pub fn wanted(&self) -> impl Iterator<Item = AskRow> + '_ {
        self.rows.iter().filter(|(_, row)| row.count > 0).map(|(key, r)| row(key, r))
    }

    /// Takes everything that the next heartbeat sends.
    pub fn call(&mut self) -> AllocateCall {
        let asks = self.waiting().collect();
        for key in std::mem::take(&mut self.changed) {
            if self.rows.get(&key).is_some_and(|row| row.count == 0) {
                self.rows.remove(&key);
            }
        }
        AllocateCall { asks, releases: std::mem::take(&mut self.releases), ..AllocateCall::default() }
    }

    /// Puts back a call that has not arrived: its rows and releases are sent again, except rows that have changed
    /// since.
    pub fn take_back(&mut self, call: AllocateCall) {
        for ask in call.asks {
            let key = (ask.priority, ask.allocation_request_id, ask.place, ask.size);
            if !self.changed.contains(&key) {
                self.rows.entry(key.clone()).or_insert(AskTableRow {
                    count: ask.count,
                    relax: ask.relax,
                    label: ask.label,
                });
                self.changed.insert(key);
            }
        }
        self.releases.extend(call.releases);
    }

    /// Returns whether the next heartbeat has nothing to send.
    pub fn is_quiet(&self) -> bool {
        self.changed.is_empty() && self.releases.is_empty()
    }

    /// The number of rows.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }
}

fn row((priority, allocation_request_id, place, size): &Key, row: &AskTableRow) -> AskRow {
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
