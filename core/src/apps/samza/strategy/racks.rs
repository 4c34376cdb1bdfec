//! Racks as fault domains, as far as Samza has read of them (samza-host-affinity.md 12.1).

use std::collections::{BTreeMap, BTreeSet};

/// The running nodes with their racks, and what was read of them.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Racks {
    /// As they are.
    running: BTreeMap<String, String>,
    /// As they were when the list was read last.
    known: BTreeMap<String, String>,
    /// How often it was read again.
    refreshes: u32,
}

impl Racks {
    /// Reads the list for the first time.
    pub fn new(running: BTreeMap<String, String>) -> Self {
        Racks { known: running.clone(), running, refreshes: 0 }
    }

    /// The list changes; what was read stays.
    pub fn set_running(&mut self, running: BTreeMap<String, String>) {
        self.running = running;
    }

    /// How often the list was read again.
    pub fn refreshes(&self) -> u32 {
        self.refreshes
    }

    fn refresh(&mut self) {
        self.known = self.running.clone();
        self.refreshes += 1;
    }

    /// All racks, as read.
    pub fn all(&self) -> BTreeSet<String> {
        self.known.values().cloned().collect()
    }

    /// The rack of a host. One that is not known makes the list be read again.
    pub fn of(&mut self, host: &str) -> Option<&str> {
        if !self.known.contains_key(host) {
            self.refresh();
        }
        self.known.get(host).map(String::as_str)
    }

    /// Are two hosts on one rack? Hosts that are unknown even after reading the list are.
    pub fn same(&mut self, a: &str, b: &str) -> bool {
        if !self.known.contains_key(a) || !self.known.contains_key(b) {
            self.refresh();
        }
        self.known.get(a) == self.known.get(b)
    }
}
