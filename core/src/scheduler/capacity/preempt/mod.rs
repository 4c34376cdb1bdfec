//! Preemption in the CapacityScheduler: the data that the monitor reads (`shot`, `stock`; `kept`, from earlier rounds),
//! the acts on the containers that it chooses (`acts`), and containers that run on until a leaf below its guarantee
//! takes their room (`lazy`; `manager`, their sums in each queue).

mod acts;
mod kept;
mod lazy;
mod manager;
mod shot;
mod stock;
#[cfg(test)]
mod tests;

pub use acts::Preempted;

use super::CapacityScheduler;
use super::books::Accounting;
use super::offer::Terms;
use super::users::Mode;
use crate::api::Refusal;
use crate::config::capacity::CapacityConf;
use crate::config::capacity::monitors::Policy;
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::{AppId, Cache, ContainerId, Millis, QueueId, Resource};
use crate::preemption::{Monitor, Round};
use crate::scheduler::{Cluster, Origin};
use std::collections::{BTreeMap, BTreeSet};

/// The results of the monitor's rounds.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Preemption {
    /// The live containers that are killable.
    killable: BTreeSet<ContainerId>,
    /// Whether any container was ever made killable.
    lazy: bool,
    /// The containers that count as killable in the queues.
    manager: manager::Manager,
    /// The containers that the current proposal counts on being killed.
    to_kill: Vec<ContainerId>,
    /// The sums of preempted containers, by queue.
    preempted: Vec<Preempted>,
    /// Whether each queue shares its short name with another one; outdated if there are more queues now.
    ambiguous: Vec<bool>,
    /// The queues that have changed since the latest round.
    pub(super) changed: Cache<kept::Changed>,
    latest: Cache<Option<kept::LatestShot>>,
    pools: Cache<kept::Pools>,
}

impl Preemption {
    /// Iterates over the live containers that are killable, by id.
    pub fn killable(&self) -> impl Iterator<Item = ContainerId> + '_ {
        self.killable.iter().copied()
    }

    /// Returns whether any container was ever made killable. Then short cuts that ignore killable containers are not
    /// used.
    #[inline]
    pub(super) fn is_lazy(&self) -> bool {
        self.lazy
    }

    /// Takes the containers that the current proposal counts on being killed.
    pub(super) fn take_to_kill(&mut self) -> Vec<ContainerId> {
        std::mem::take(&mut self.to_kill)
    }

    /// Sets the containers that the current proposal counts on being killed.
    pub(super) fn set_to_kill(&mut self, kill: Vec<ContainerId>) {
        self.to_kill = kill;
    }

    /// Clears the containers to be killed, because the current proposal gives nothing.
    pub(super) fn kill_nothing(&mut self) {
        self.to_kill.clear();
    }

    /// Returns the sums of what was preempted in a queue and below.
    pub fn preempted(&self, queue: QueueId) -> Preempted {
        self.preempted.get(queue.index()).copied().unwrap_or_default()
    }
}

/// Returns the monitor that starts with these settings, if they enable one. Errors: its own settings cannot be read.
pub(super) fn start(conf: &CapacityConf, now: Millis) -> Result<Option<Monitor>, Refusal> {
    if !conf.monitors.runs(Policy::Preemption) {
        return Ok(None);
    }
    let mut settings = PreemptionConf::default();
    conf.reread_preemption(&mut settings)?;
    Ok(Some(Monitor::new(settings, now)))
}

impl CapacityScheduler {
    /// Returns the preemption monitor, if it is on.
    pub fn monitor(&self) -> Option<&Monitor> {
        self.monitor.as_ref()
    }

    /// Like [`Self::monitor`], but mutable, to wake it up.
    pub(crate) fn monitor_mut(&mut self) -> Option<&mut Monitor> {
        self.monitor.as_mut()
    }

    /// Returns the results of its rounds.
    pub fn preemption(&self) -> &Preemption {
        &self.books.preemption
    }

    /// Handles new settings of the scheduler: the monitor stops, or reads them in its next round, or `starting` is the
    /// one that starts with them.
    pub(super) fn preemption_settings_changed(&mut self, starting: Option<Monitor>) {
        let running = self.monitor.take().filter(|_| starting.is_some());
        self.monitor = match running {
            Some(mut monitor) => {
                monitor.settings_changed();
                Some(monitor)
            }
            None => starting,
        };
        self.books.preemption.ambiguous.clear();
        self.know_killable_queues();
    }

    /// Adds the current queues to those that killable containers are counted for, after settings were loaded.
    pub(super) fn know_killable_queues(&mut self) {
        let alive: Vec<String> = self.queues().iter().filter(|q| q.alive).map(|q| q.path.clone()).collect();
        for path in alive {
            self.books.preemption.manager.know(&path);
        }
    }

    /// Returns the monitor that a refresh would have. Errors: it starts, and its settings cannot be read; a running one
    /// reads them in its rounds.
    pub(super) fn monitor_after(&self, conf: &CapacityConf, now: Millis) -> Result<Option<Monitor>, Refusal> {
        match &self.monitor {
            Some(running) if conf.monitors.runs(Policy::Preemption) => Ok(Some(running.clone())),
            _ => start(conf, now),
        }
    }

    /// Runs a round of the monitor; `None`: it is off. Moves the reservations that the round moves; the other acts are
    /// left to the caller, in the order of these indices. `detail`: whether each step is recorded.
    pub(crate) fn preemption_round(&mut self, c: &mut Cluster, detail: bool) -> Option<(Round, Vec<usize>)> {
        let now = c.now;
        let mut monitor = self.monitor.take()?;
        let round = match monitor.reread(&self.conf) {
            Err(failure) => (monitor.lost(failure, now), Vec::new()),
            Ok(()) => {
                let again = if self.sees_the_same(c) { monitor.round_again(now, detail) } else { None };
                // Compared as texts: a share of a label without resources is not a number, and equal to none.
                let told = |round: &Round| format!("{:?}", round.choice);
                debug_assert!(
                    again
                        .as_ref()
                        .is_none_or(|again| told(&self.look_anew(c, &mut monitor.clone(), detail)) == told(again)),
                    "a round that sees the same chooses the same"
                );
                let round = again.unwrap_or_else(|| self.look_anew(c, &mut monitor, detail));
                let due = monitor.due(&round);
                (round, due)
            }
        };
        self.monitor = Some(monitor);
        Some(round)
    }

    /// Returns whether everything that decides a round, except for reservations on their nodes, is as in the latest
    /// round.
    fn sees_the_same(&self, c: &Cluster) -> bool {
        let Preemption { changed, latest, manager, .. } = &self.books.preemption;
        let stands = latest.as_ref().is_some_and(|latest| latest.stands_on(c));
        c.short_cuts.taken() && stands && changed.is_none() && manager.is_unused()
    }

    fn look_anew(&mut self, c: &mut Cluster, monitor: &mut Monitor, detail: bool) -> Round {
        let latest = self.books.preemption.latest.take().filter(|_| c.short_cuts.taken());
        let latest = self.take_shot(c, detail, latest);
        if !c.short_cuts.taken() {
            self.books.preemption.pools = Cache::default();
        }
        self.books.preemption.pools.begin();
        let now = c.now;
        let mut stock = stock::LiveContainerSource::new(self, c, &latest);
        let round = monitor.round(&latest.shot, &mut stock, now, detail);
        self.books.preemption.latest = Cache(Some(latest));
        round
    }
}

impl Accounting {
    /// Returns the origin of a container that an offer on these terms places for an application.
    pub(super) fn origin_of(&mut self, c: &Cluster, terms: &Terms, app: AppId) -> Origin {
        let mut out = Origin::default();
        if terms.mode == Mode::Ignore {
            out.set(Origin::LENT);
        }
        if self.shares_its_name(c.app(app).queue) {
            out.set(Origin::AMBIGUOUS);
        }
        out
    }

    /// Returns whether other queues have the same short name.
    #[inline]
    pub(super) fn shares_its_name(&mut self, queue: QueueId) -> bool {
        if self.preemption.ambiguous.len() != self.queues().len() {
            self.note_ambiguous();
        }
        self.preemption.ambiguous.get(queue.index()).is_some_and(|several| *several)
    }

    #[cold]
    fn note_ambiguous(&mut self) {
        let mut names: BTreeMap<&str, u32> = BTreeMap::new();
        for q in self.queues().iter().filter(|q| q.alive) {
            *names.entry(q.name()).or_default() += 1;
        }
        let several = |q: &super::Queue| names.get(q.name()).is_some_and(|n| *n > 1);
        self.preemption.ambiguous = self.queues().iter().map(several).collect();
    }
}

/// Returns the sum of some sizes.
fn sum(sizes: impl Iterator<Item = Resource>) -> Resource {
    sizes.fold(Resource::ZERO, |sum, size| sum + size)
}
