//! What the FairScheduler's threads do at their times: updates with what preemption makes of them, and the look at the
//! allocation file (fair-scheduler.md 4, 9; preemption.md part B).

use super::monitors::{CHECK_MS, next_of};
use super::run::{Simulation, Tried};
use crate::api::Call;
use crate::journal::Recorder;
use crate::model::Millis;
use crate::preemption::fair::Search;
use crate::scenario::Act;
use std::sync::Arc;

/// A file that was written a shorter time ago may still be being written: the watcher waits.
const SETTLED_MS: Millis = 5_000;

impl Simulation {
    /// Runs an update of the FairScheduler, and its preemption thread after it.
    pub(crate) fn fair_update<R: Recorder>(&mut self, rec: &mut R) {
        let period = self.rm.fair().map(|s| s.conf().update_interval_ms);
        let left_out = period.map(|period| (self.now - 1).div_euclid(period) * period);
        rec.tell_call(self.now, || Call::FairUpdate { left_out });
        if let Some(at) = left_out {
            self.rm.updates_left_out(at);
        }
        self.rm.update();
        let searches = self.rm.serve_starved(rec);
        if !searches.is_empty() {
            self.plans.searches = Arc::new(searches);
            // Applications get the warning with the answers to their next calls.
            self.stir();
        }
    }

    /// Returns the time at which the FairScheduler's file watcher loads a file that is written at `written` and not
    /// changed again.
    pub fn file_is_loaded_at(written: Millis) -> Millis {
        next_of(written.saturating_add(SETTLED_MS), CHECK_MS)
    }

    /// Runs the FairScheduler's file watcher, which loads a new allocation file once it has not changed for a while.
    /// Returns whether it loaded one.
    pub(crate) fn take_file<R: Recorder>(&mut self, rec: &mut R) -> bool {
        let Some((i, at)) = self.plans.written.filter(|(_, at)| self.now > at.saturating_add(SETTLED_MS)) else {
            return false;
        };
        self.plans.written = None;
        let scenario = self.scenario.clone();
        let act = scenario.happenings.get(i).map(|h| &h.act);
        let Some(Act::Refresh { fair_allocations: Some(text), .. }) = act else { return false };
        debug_assert!(at <= self.now);
        rec.tell_call(self.now, || Call::RefreshFair(text.clone()));
        match self.rm.refresh_fair(text, rec) {
            Ok(()) => true,
            Err(refusal) => {
                self.refuse(Tried::Happening(i), refusal);
                false
            }
        }
    }

    /// Returns the searches of the FairScheduler's preemption thread for the starved applications that it served last.
    pub fn latest_searches(&self) -> &[Search] {
        &self.plans.searches
    }
}
