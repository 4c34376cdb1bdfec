//! Copies of stores on the disks of hosts: written at commits, used or deleted at starts (samza-host-affinity.md 15 and 16). It
//! uses amounts instead of offsets: a copy lacks what was written since its last commit.

use super::monitor::{self, CleanUp, StoreDirectory};
use super::restore::{self, Copy, Store};
pub use crate::apps::samza::journal::Reads;
use crate::model::Millis;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A store of a task of a job. Replicas have the active task's name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StoreKey {
    /// The job, with its id.
    pub job: String,
    /// The store.
    pub store: String,
    /// The task.
    pub task: String,
}

/// The size of a task's store, and its rate of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Volume {
    /// Bytes of live data.
    pub size: u64,
    /// Bytes written per second of processing.
    pub rate: u64,
    /// The ratio of the changelog's length to the live data, in thousandths, at least 1000.
    pub overhead: u64,
}

impl Volume {
    /// Returns the bytes of the whole changelog.
    pub fn whole(self) -> u64 {
        u64::try_from(u128::from(self.size) * u128::from(self.overhead.max(1000)) / 1000).unwrap_or(u64::MAX)
    }

    /// Returns the bytes written in a time of processing, at most the whole.
    pub fn since(self, processed: Millis) -> u64 {
        let bytes = u128::try_from(processed).unwrap_or(0) * u128::from(self.rate) / 1000;
        self.whole().min(u64::try_from(bytes).unwrap_or(u64::MAX))
    }
}

/// A store that a start restores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The store's place.
    pub place: StoreKey,
    /// The store's settings.
    pub store: Store,
    /// The store's volume.
    pub volume: Volume,
    /// The total time that it has been processed for, up to the time that is restored: the last commit anywhere
    /// (transactional), or the end of processing (plain).
    pub processed: Millis,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StoreOnDisk {
    /// The processing time at its commit; `None`: no offset file.
    processed: Option<Millis>,
    /// The time at which the offset file was written.
    modified: Millis,
    bytes: u64,
}

/// All copies on all hosts.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Disks {
    hosts: BTreeMap<String, BTreeMap<StoreKey, StoreOnDisk>>,
}

impl Disks {
    /// Records a commit of a task: its copy on the host is as new as now. `processed`: the total time that the store has been
    /// processed for.
    pub fn commit(&mut self, host: &str, place: StoreKey, volume: Volume, processed: Millis, now: Millis) {
        let kept = StoreOnDisk { processed: Some(processed), modified: now, bytes: volume.size };
        self.hosts.entry(host.into()).or_default().insert(place, kept);
    }

    /// Records that a restore has copied a store here; until the first commit a later start cannot use the copy.
    pub fn restored(&mut self, host: &str, place: StoreKey, volume: Volume) {
        let host = self.hosts.entry(host.into()).or_default();
        host.entry(place).or_insert(StoreOnDisk { processed: None, modified: 0, bytes: volume.size }).bytes =
            volume.size;
    }

    /// Removes a host and its disks.
    pub fn lose(&mut self, host: &str) {
        self.hosts.remove(host);
    }

    /// Returns the copies on a host: place, bytes, and the time at which the offset file was written.
    pub fn on(&self, host: &str) -> impl Iterator<Item = (&StoreKey, u64, Option<Millis>)> {
        let all = self.hosts.get(host).into_iter().flatten();
        all.map(|(place, kept)| (place, kept.bytes, kept.processed.map(|_| kept.modified)))
    }

    /// Returns the hosts with copies on their disks, in order.
    pub fn hosts(&self) -> Vec<String> {
        self.hosts.iter().filter(|(_, all)| !all.is_empty()).map(|(host, _)| host.clone()).collect()
    }

    /// Returns the bytes on a host.
    pub fn bytes(&self, host: &str) -> u64 {
        self.on(host).map(|(_, bytes, _)| bytes).fold(0, u64::saturating_add)
    }

    /// Starts a container on a host. Returns what it has to read for each store. Copies that cannot be used are deleted;
    /// without any checkpoint all copies of the job are.
    pub fn start(&mut self, host: &str, wanted: &[Wanted], checkpoints: bool, now: Millis) -> Vec<Reads> {
        let here = self.hosts.entry(host.into()).or_default();
        if !checkpoints && let Some(first) = wanted.first() {
            here.retain(|place, _| place.job != first.place.job);
        }
        let read = |w: &Wanted| {
            let whole = if w.store.logged { w.volume.whole() } else { 0 };
            if !checkpoints {
                return Reads::NoCheckpoints(whole);
            }
            let Some(kept) = here.get(&w.place).copied() else { return Reads::NoCopy(whole) };
            let copy = Copy { offset: kept.processed, modified: kept.modified };
            match restore::fit(w.store, copy, now) {
                Ok(processed) => Reads::Delta(w.volume.since(w.processed - processed)),
                Err(why) => {
                    here.remove(&w.place);
                    Reads::Unfit(whole, why)
                }
            }
        };
        wanted.iter().map(read).collect()
    }

    /// Runs one round of the clean-up on a host. `used` returns whether the job runs, whether store and task belong together,
    /// and whether the task belongs here.
    pub fn clean_up(
        &mut self,
        host: &str,
        used: impl Fn(&StoreKey) -> (bool, bool, bool),
        now: Millis,
        ttl_ms: Millis,
    ) -> Vec<(StoreKey, CleanUp)> {
        let Some(here) = self.hosts.get_mut(host) else { return Vec::new() };
        let mut out = Vec::new();
        here.retain(|place, kept| {
            let (job_started, known, to_run_here) = used(place);
            let offset_file = kept.processed.map(|_| kept.modified);
            let found = StoreDirectory { job_started, known, here: to_run_here, offset_file };
            let what = monitor::clean_up(found, now, ttl_ms);
            if matches!(what, CleanUp::OffsetFile(_)) {
                kept.processed = None;
            }
            out.push((place.clone(), what));
            what != CleanUp::Directory
        });
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apps::samza::journal::Unfit;

    const DAY: Millis = 86_400_000;
    const STORE: Store =
        Store { logged: true, persistent: true, clean: false, retention_ms: DAY, compaction_lag_ms: 14_400_000 };
    const VOLUME: Volume = Volume { size: 1_000_000, rate: 100, overhead: 1500 };

    fn place(task: &str) -> StoreKey {
        StoreKey { job: "j-1".into(), store: "s".into(), task: task.into() }
    }

    fn wanted(task: &str, processed: Millis) -> Wanted {
        Wanted { place: place(task), store: STORE, volume: VOLUME, processed }
    }

    #[test]
    fn on_the_same_host_only_what_came_since_is_read() {
        let mut disks = Disks::default();
        disks.commit("a", place("t"), VOLUME, 60_000, 60_000);
        assert_eq!(disks.start("a", &[wanted("t", 60_000)], true, 61_000), [Reads::Delta(0)]);
        assert_eq!(disks.start("b", &[wanted("t", 60_000)], true, 61_000), [Reads::NoCopy(1_500_000)]);
        // After some time elsewhere it is back: the delta was written there.
        assert_eq!(disks.start("a", &[wanted("t", 160_000)], true, 200_000), [Reads::Delta(10_000)]);
        assert_eq!(disks.start("a", &[wanted("t", DAY)], true, DAY), [Reads::Delta(1_500_000)], "never more than all");
    }

    #[test]
    fn a_day_old_copy_is_deleted() {
        let mut disks = Disks::default();
        disks.commit("a", place("t"), VOLUME, 0, 0);
        let stale = Unfit::Stale { age: DAY, retention: DAY };
        assert_eq!(disks.start("a", &[wanted("t", 0)], true, DAY), [Reads::Unfit(1_500_000, stale)]);
        assert_eq!(disks.bytes("a"), 0);
    }

    #[test]
    fn a_copy_without_a_commit_is_of_no_use() {
        let mut disks = Disks::default();
        disks.restored("a", place("t"), VOLUME);
        assert_eq!(disks.bytes("a"), 1_000_000);
        assert_eq!(disks.start("a", &[wanted("t", 5)], true, 5), [Reads::Unfit(1_500_000, Unfit::NoOffset)]);
        // An older copy that a restore works on stays as it was.
        disks.commit("a", place("t"), VOLUME, 1000, 1000);
        disks.restored("a", place("t"), VOLUME);
        assert_eq!(disks.start("a", &[wanted("t", 2000)], true, 2000), [Reads::Delta(100)]);
    }

    #[test]
    fn without_checkpoints_the_whole_job_goes_and_nothing_else() {
        let mut disks = Disks::default();
        let other = StoreKey { job: "k-1".into(), ..place("t") };
        for p in [place("t"), place("u"), other.clone()] {
            disks.commit("a", p, VOLUME, 0, 0);
        }
        assert_eq!(disks.start("a", &[wanted("t", 0)], false, 1), [Reads::NoCheckpoints(1_500_000)]);
        assert_eq!(disks.on("a").map(|(p, ..)| p.clone()).collect::<Vec<_>>(), [other]);
    }

    #[test]
    fn orphans_go_in_two_rounds_and_what_is_in_use_stays() {
        let mut disks = Disks::default();
        disks.commit("a", place("t"), VOLUME, 0, 0);
        disks.commit("a", place("u"), VOLUME, 0, 0);
        let in_use = |p: &StoreKey| (true, true, p.task == "t");
        let mut round = |now| disks.clean_up("a", in_use, now, DAY).into_iter().map(|(_, w)| w).collect::<Vec<_>>();
        assert_eq!(round(DAY - 1), [CleanUp::InUse, CleanUp::Fresh(DAY - 1)]);
        assert_eq!(round(DAY), [CleanUp::InUse, CleanUp::OffsetFile(DAY)]);
        assert_eq!(round(DAY + 1), [CleanUp::InUse, CleanUp::Directory]);
        assert_eq!(round(DAY + 2), [CleanUp::InUse]);
        assert_eq!(disks.bytes("a"), 1_000_000);
    }
}
