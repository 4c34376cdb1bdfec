//! The FairScheduler's own threads: the update of demand and shares, the look for queues that are empty, continuous
//! scheduling (fair-scheduler.md 1, 7, 17). A round that could change nothing is not played: each is planned only when
//! something has happened since the last one.

use super::queue::Event;
use super::run::Simulation;
use crate::journal::Recorder;
use crate::model::Millis;

/// Time between two looks of the file watcher, which also looks for queues to remove.
const CHECK_MS: Millis = 10_000;

/// What is planned, and what has happened by the last round of each.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct FairThreads {
    /// The next update.
    update_at: Option<Millis>,
    /// Stirs before the last update.
    updated: u64,
    /// Nodes at the last look.
    nodes: usize,
    /// The next look for queues.
    check_at: Option<Millis>,
    /// Stirs before the last look.
    checked: u64,
    /// The next pass of continuous scheduling.
    pass_at: Option<Millis>,
    /// When the last one was, and the stirs before it.
    passed: Option<(Millis, u64)>,
    /// Has an update come since the last pass?
    fresh: bool,
}

impl Simulation {
    fn replan(&mut self, planned: Option<Millis>, at: Millis, event: Event) -> Option<Millis> {
        match planned {
            Some(before) if before <= at => return planned,
            Some(before) => self.queue.remove(before, event),
            None => {}
        }
        self.queue.add(at, event);
        Some(at)
    }

    /// After an event: which rounds are due?
    pub(super) fn plan_fair(&mut self, after: Event) {
        let Some(scheduler) = self.rm.fair() else { return };
        let (now, stirs) = (self.now, self.stirs());
        let (interval, sleep) = (scheduler.conf().update_interval_ms, scheduler.conf().continuous_sleep_ms);
        let continuous = scheduler.conf().continuous;
        let wants_checking = scheduler.wants_checking();
        let relaxes_at = scheduler.next_relaxation(self.rm.cluster());
        // A node that comes or goes has the shares updated at once.
        let nodes = self.rm.cluster().node_count;
        if std::mem::replace(&mut self.fair.nodes, nodes) != nodes {
            self.fair.update_at = self.replan(self.fair.update_at, now, Event::FairUpdate);
        } else if self.fair.updated != stirs {
            let this_round = now % interval == 0 && after.comes_before(Event::FairUpdate);
            let at = if this_round { now } else { (now / interval).saturating_add(1).saturating_mul(interval) };
            self.fair.update_at = self.replan(self.fair.update_at, at, Event::FairUpdate);
        }
        if wants_checking && self.fair.checked != stirs {
            let at = (now / CHECK_MS).saturating_add(1).saturating_mul(CHECK_MS);
            self.fair.check_at = self.replan(self.fair.check_at, at, Event::CheckQueues);
        }
        if continuous {
            let earliest = self.fair.passed.map_or(now, |(at, _)| at.saturating_add(sleep)).max(now);
            let stirred = self.fair.passed.is_none_or(|(_, then)| then != stirs) || self.fair.fresh;
            if let Some(at) = if stirred { Some(earliest) } else { relaxes_at.map(|at| at.max(earliest)) } {
                self.fair.pass_at = self.replan(self.fair.pass_at, at, Event::ContinuousPass);
            }
        }
    }

    pub(super) fn fair_update(&mut self) {
        self.fair.update_at = None;
        self.fair.updated = self.stirs();
        self.fair.fresh = true;
        self.rm.update();
    }

    pub(super) fn check_queues(&mut self) {
        self.fair.check_at = None;
        if self.rm.check_queues() {
            self.stir();
        }
        self.fair.checked = self.stirs();
    }

    pub(super) fn continuous_pass<R: Recorder>(&mut self, rec: &mut R) {
        self.fair.pass_at = None;
        self.fair.fresh = self.rm.continuous_pass(rec);
        self.fair.passed = Some((self.now, self.stirs()));
    }
}
