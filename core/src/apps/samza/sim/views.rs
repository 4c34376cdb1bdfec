//! Queries on the state of Samza jobs.

use super::{SamzaProcess, SamzaState};
use crate::apps::samza::strategy::state::{Changelog, Disks};
use crate::model::{ContainerId, Millis};
use std::collections::BTreeMap;

impl SamzaState {
    /// Returns the processes of Samza containers.
    pub fn processes(&self) -> &BTreeMap<ContainerId, SamzaProcess> {
        &self.processes
    }

    /// Returns the bytes that an application's containers have read at their starts so far, over all starts.
    pub fn read(&self, app: usize, now: Millis) -> u64 {
        let missing: u64 =
            self.processes.iter().filter(|(_, p)| p.app == app).map(|(c, _)| self.remaining(*c, now)).sum();
        self.wanted.get(&app).map_or(0, |all| all.saturating_sub(missing))
    }

    /// Returns the current throughput of a system's changelogs, bytes per second.
    pub fn load(&self, system: &str) -> u64 {
        self.changelogs.get(system).map_or(0, Changelog::load)
    }

    /// Returns the systems that were read from so far.
    pub fn systems(&self) -> impl Iterator<Item = &str> {
        self.changelogs.keys().map(String::as_str)
    }

    /// Returns how many processes read from a system now, the bytes that they still have to read, and the bytes that they read
    /// in total.
    pub fn lag(&self, system: &str, now: Millis) -> (usize, u64, u64) {
        let Some(changelog) = self.changelogs.get(system) else { return (0, 0, 0) };
        let mut changelog = changelog.clone();
        changelog.advance(now);
        let readers = self.processes.values().filter(|p| p.reading.contains(system));
        readers.fold((0, 0, 0), |(n, left, all), p| {
            (n + 1, left + changelog.remaining(p.number).unwrap_or(0), all + p.reads)
        })
    }

    /// Returns the bytes that a process still has to read.
    pub fn remaining(&self, container: ContainerId, now: Millis) -> u64 {
        let Some(process) = self.processes.get(&container) else { return 0 };
        let of = |system: &String| {
            let mut changelog = self.changelogs.get(system)?.clone();
            changelog.advance(now);
            changelog.remaining(process.number)
        };
        process.reading.iter().filter_map(of).sum()
    }

    /// Returns the disks at this time, with the commits of processing containers.
    pub fn disks(&self, now: Millis) -> Disks {
        let mut at = self.clone();
        for container in self.processes.keys() {
            at.commit(*container, now, false);
        }
        at.disks
    }
}
