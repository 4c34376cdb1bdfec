//! Racks as fault domains, as last read by Samza (samza-host-affinity.md 12.1).

use std::collections::{BTreeMap, BTreeSet};

/// The running nodes with their racks, and the list as Samza last read it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Racks {
    /// The current list.
    running: BTreeMap<String, String>,
    /// The list when it was last read.
    known: BTreeMap<String, String>,
    /// The number of times that it was read again.
    refreshes: u32,
}

impl Racks {
    /// Reads the list for the first time.
    pub fn new(running: BTreeMap<String, String>) -> Self {
        Racks { known: running.clone(), running, refreshes: 0 }
    }

    /// Changes the list; what was read stays.
    pub fn set_running(&mut self, running: BTreeMap<String, String>) {
        self.running = running;
    }

    /// Returns how often the list was read again.
    pub fn refreshes(&self) -> u32 {
        self.refreshes
    }

    fn refresh(&mut self) {
        self.known = self.running.clone();
        self.refreshes += 1;
    }

    /// Returns all racks, as last read.
    pub fn all(&self) -> BTreeSet<String> {
        self.known.values().cloned().collect()
    }

    /// Returns the rack of a host. Reads the list again if the host is unknown.
    pub fn of(&mut self, host: &str) -> Option<&str> {
        if !self.known.contains_key(host) {
            self.refresh();
        }
        self.known.get(host).map(String::as_str)
    }

    /// Returns whether two hosts are on one rack. Two hosts that are unknown even after reading the list are.
    pub fn same(&mut self, a: &str, b: &str) -> bool {
        if !self.known.contains_key(a) || !self.known.contains_key(b) {
            self.refresh();
        }
        self.known.get(a) == self.known.get(b)
    }
}
