//! Consecutive applications, in the order of trial, that a leaf's AM limit stops. It stops them on every node, so an
//! offer skips all of them at once, and they are recorded once for all (FSAppAttempt.isOverAMShareLimit;
//! fair-scheduler.md 15). YARN tries each of them at every offer.

use crate::journal::{AmLimitSkips, Recorder};
use crate::model::{AppId, QueueId, Resource};
use crate::scheduler::app::{FairStop, FairWait};
use crate::scheduler::fair::keys::SortedEntry;
use crate::scheduler::fair::{FairScheduler, fits};
use crate::scheduler::{AmStatus, App, Cluster};
use std::ops::Range;

/// Consecutive applications that the AM limit stops.
pub(in crate::scheduler::fair) struct AmStoppedRange {
    /// Their places in the order of trial.
    pub places: Range<usize>,
    /// The AM usage of the leaf.
    pub used: Resource,
    pub limit: Resource,
}

/// The maximum number of different AM sizes in a row; with more, the row ends.
const SIZES: usize = 16;

/// The longest row in a leaf.
#[derive(Clone, Debug, PartialEq, Default)]
pub(in crate::scheduler::fair) struct AmStoppedRow {
    /// The number of AM statuses set when the row was found; `None`: it has to be found again.
    known: Option<u64>,
    /// Its places in the order of trial.
    row: Range<usize>,
    /// The sizes of its AMs.
    sizes: Vec<Resource>,
    /// The number of the leaf's applications that are recorded in common, and the number of those in the row.
    common: usize,
    common_in_row: usize,
}

impl AmStoppedRow {
    /// Marks the row to be found again when it is next needed.
    pub(in crate::scheduler::fair) fn forget(&mut self) {
        self.known = None;
    }

    /// Updates the row after an application has moved from one place to another.
    pub(in crate::scheduler::fair) fn moved(&mut self, from: usize, to: usize) {
        if self.row.contains(&from) {
            return self.forget();
        }
        let left = usize::from(from < self.row.start);
        let row = self.row.start - left..self.row.end - left;
        self.row = if to <= row.start { row.start + 1..row.end + 1 } else { row.clone() };
        if to > row.start && to < row.end {
            self.forget();
        }
    }
}

/// Returns the size of the AM that an application waits for.
fn awaited(a: &App) -> Option<&Resource> {
    let (_, place) = a.asks.open().first().filter(|_| a.waiting_for_am)?;
    a.asks.at(*place as usize).any().map(|row| &row.size)
}

impl FairScheduler {
    /// Returns the row of applications that the AM limit stops in a leaf whose order is known, with the AM usage and
    /// the limit.
    pub(in crate::scheduler::fair) fn stopped_row(&mut self, c: &Cluster, leaf: QueueId) -> Option<AmStoppedRange> {
        if !c.short_cuts.taken() {
            return None;
        }
        if self.queue(leaf).stopped.known != Some(c.statuses_set) {
            self.find_stopped(c, leaf);
        }
        let q = self.queue(leaf);
        let (row, used) = (q.stopped.row.clone(), q.am_used);
        if row.is_empty() {
            return None;
        }
        let limit = self.am_limit(c, leaf)?;
        if q.stopped.sizes.iter().any(|size| fits(used + *size, limit)) {
            return None;
        }
        debug_assert!(
            q.apps_asked[row.clone()].iter().all(|asked| self.is_stopped(c, asked.who, (used, limit))),
            "who is stopped has changed unheard of"
        );
        Some(AmStoppedRange { places: row, used, limit })
    }

    /// Records a row that an offer skips: those that are not recorded in common yet are recorded by themselves.
    pub(in crate::scheduler::fair) fn pass_stopped<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        row: AmStoppedRange,
        rec: &mut R,
    ) {
        let AmStoppedRange { places: row, used, limit } = row;
        let stopped = &self.queue(leaf).stopped;
        if stopped.common_in_row != stopped.common {
            // Some that are recorded in common are not in the row: all are recorded by themselves again.
            for app in self.queue(leaf).runnable.clone() {
                self.app_mut(app).told_in_common = false;
            }
            self.queue_mut(leaf).stopped.common = 0;
        }
        let known = self.queue(leaf).stopped.common;
        let mut fresh = Vec::new();
        for place in if known < row.len() { row.clone() } else { 0..0 } {
            let app = self.queue(leaf).apps_asked[place].who;
            if std::mem::replace(&mut self.app_mut(app).told_in_common, true) {
                continue;
            }
            let Some(size) = awaited(c.app(app)).copied() else { continue };
            self.note_wait(c, app, FairWait { stop: FairStop::AmShare, leaf, size });
            fresh.push((app, size));
        }
        rec.record(|rec| {
            let with_size = |asked: &SortedEntry<AppId>| awaited(c.app(asked.who)).map(|size| (asked.who, *size));
            let all = || self.queue(leaf).apps_asked[row.clone()].iter().filter_map(with_size).collect();
            rec.stopped_row(c.now, &AmLimitSkips { leaf, used, limit, known, fresh: &fresh, all: &all });
        });
        let stopped = &mut self.queue_mut(leaf).stopped;
        (stopped.common, stopped.common_in_row) = (row.len(), row.len());
        stopped.known = Some(c.statuses_set);
    }

    /// Returns whether an application that is tried now would be stopped on any node.
    fn is_stopped(&self, c: &Cluster, app: AppId, (used, limit): (Resource, Resource)) -> bool {
        let a = c.app(app);
        awaited(a).is_some_and(|size| !fits(used + *size, limit)) && a.avoided().is_empty() && self.has_demand(c, app)
    }

    /// Finds the longest row in a leaf.
    fn find_stopped(&mut self, c: &Cluster, leaf: QueueId) {
        let q = self.queue(leaf);
        let limit = self.am_limit(c, leaf);
        let stopped = |app| limit.is_some_and(|limit| self.is_stopped(c, app, (q.am_used, limit)));
        let (mut longest, mut longest_sizes): (Range<usize>, Vec<Resource>) = (0..0, Vec::new());
        let (mut row, mut sizes): (Range<usize>, Vec<Resource>) = (0..0, Vec::new());
        for (place, asked) in q.apps_asked.iter().enumerate() {
            let size = awaited(c.app(asked.who)).filter(|_| stopped(asked.who));
            if let Some(size) = size.filter(|size| sizes.len() < SIZES || sizes.contains(size)) {
                row.end = place + 1;
                if !sizes.contains(size) {
                    sizes.push(*size);
                }
                continue;
            }
            if row.len() > longest.len() {
                (longest, longest_sizes) = (row, std::mem::take(&mut sizes));
            }
            row = place + 1..place + 1;
            sizes.clear();
        }
        if row.len() > longest.len() {
            (longest, longest_sizes) = (row, sizes);
        }
        let known = |app: AppId| {
            let AmStatus::Fair(wait) = &c.app(app).am_status else { return false };
            let told = |size: &Resource| wait.stop == FairStop::AmShare && wait.size == *size;
            self.apps[app.index()].told_in_common && awaited(c.app(app)).is_some_and(told)
        };
        let (row, sizes, common) = (longest, longest_sizes, q.stopped.common);
        let common_in_row = q.apps_asked[row.clone()].iter().filter(|asked| known(asked.who)).count();
        self.queue_mut(leaf).stopped = AmStoppedRow { known: Some(c.statuses_set), row, sizes, common, common_in_row };
    }

    /// Stops recording an application in common, since it is recorded by itself.
    pub(in crate::scheduler::fair) fn told_alone(&mut self, leaf: QueueId, app: AppId) {
        if std::mem::take(&mut self.app_mut(app).told_in_common) {
            let stopped = &mut self.queue_mut(leaf).stopped;
            stopped.common -= 1;
            stopped.forget();
        }
    }
}
