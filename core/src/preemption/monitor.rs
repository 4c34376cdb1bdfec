//! The state between rounds: settings as last read, marks with their times, and the time of the next round (A1, A9;
//! SchedulingMonitor).

use super::marks::{Marks, TakenIn};
use super::record::{Failure, PreemptionAction, PreemptionStep, Round, RoundSelection};
use super::snapshot::{Snapshot, Stock};
use super::work::{Cells, choose};
use crate::config::capacity::CapacityConf;
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::{Cache, ContainerId, Millis, Selector, order};
use std::sync::Arc;

/// The effect of a wake-up of the monitor's thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// A round runs.
    Round,
    /// The interval has changed: the thread is rescheduled, with a wake-up at once.
    Rescheduled,
}

/// The monitor between rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    conf: PreemptionConf,
    /// Whether the scheduler's settings were replaced since they were read.
    stale: bool,
    marks: Marks,
    /// Whether the latest round dropped a mark, which the next one may set again.
    forgot: bool,
    interval: Millis,
    next: Option<Millis>,
    /// The number of rounds, skipped ones included.
    number: u64,
    latest: Option<Millis>,
    /// The time of the round before the latest.
    before: Option<Millis>,
    /// The buffers of the latest round, for the next one.
    cells: Cache<Cells>,
    /// The selection of the latest round.
    latest_choice: Cache<Option<LatestChoice>>,
}

/// A round's selection, for a later round with the same input.
struct LatestChoice {
    choice: Arc<RoundSelection>,
    /// The indices of the selected containers, sorted by container.
    by_container: Vec<usize>,
    /// Whether it records each step.
    detail: bool,
}

impl Default for Monitor {
    fn default() -> Self {
        Monitor::new(PreemptionConf::default(), 0)
    }
}

impl Monitor {
    /// Creates a monitor whose first round is due at once.
    pub fn new(conf: PreemptionConf, at: Millis) -> Self {
        let interval = conf.monitoring_interval_ms;
        // Java refuses to schedule at such a rate: no round ever runs.
        let next = (interval > 0).then_some(at);
        Monitor {
            conf,
            stale: false,
            marks: Marks::default(),
            forgot: false,
            interval,
            next,
            number: 0,
            latest: None,
            before: None,
            cells: Cache::default(),
            latest_choice: Cache::default(),
        }
    }

    /// The settings in effect.
    pub fn conf(&self) -> &PreemptionConf {
        &self.conf
    }

    /// Sets the settings as if a round had read them.
    #[cfg(test)]
    pub(super) fn set_conf(&mut self, conf: PreemptionConf) {
        self.conf = conf;
    }

    /// The containers that were asked back, until their marks are dropped.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// The time from which a marked container is killed, if a round selects it.
    pub fn deadline(&self, container: ContainerId) -> Option<Millis> {
        let mark = self.marks.get(container)?;
        Some(mark.since.saturating_add(self.wait(mark.selector)))
    }

    /// The round that kills a marked container if it selects it, as rounds are scheduled now.
    pub fn killed_from(&self, container: ContainerId) -> Option<Millis> {
        let deadline = self.deadline(container)?;
        Some(self.wake_from(deadline).unwrap_or(deadline))
    }

    /// The time after which a round that does not select a marked container drops its mark.
    pub fn kept_until(&self, container: ContainerId) -> Option<Millis> {
        Some(self.marks.get(container)?.since.saturating_add(self.patience()))
    }

    /// Returns whether the next round has settings to read.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Notes that the scheduler's settings have changed; the next round reads them.
    pub fn settings_changed(&mut self) {
        self.stale = true;
    }

    /// The next wake-up of the thread; `None`: never.
    pub fn next_wake(&self) -> Option<Millis> {
        self.next
    }

    /// The first wake-up at or after a time, if earlier ones find nothing. `None`: there is none.
    pub fn wake_from(&self, time: Millis) -> Option<Millis> {
        let next = self.next?;
        let interval = self.conf.monitoring_interval_ms;
        let missed = time.saturating_sub(next).max(0);
        if missed == 0 || interval <= 0 {
            return (missed == 0).then_some(next);
        }
        let steps = missed.div_euclid(interval) + i64::from(missed.rem_euclid(interval) > 0);
        Some(next.saturating_add(steps.saturating_mul(interval)))
    }

    /// The number and time of the latest round at or before a time, including rounds that are skipped because they
    /// would find the same. `None`: there was none.
    pub fn latest_at(&self, time: Millis) -> Option<(u64, Millis)> {
        let known = self.latest.map(|at| (self.number, at));
        // A changed interval counts from the next wake-up on.
        let interval = self.conf.monitoring_interval_ms;
        let Some(next) = self.next.filter(|next| *next <= time && interval > 0) else { return known };
        let more = (time - next).div_euclid(interval);
        Some((self.number + 1 + more as u64, next.saturating_add(more.saturating_mul(interval))))
    }

    /// Returns whether the next round would find what the latest one found if only time passes. False while a mark is
    /// pending, one was just dropped, settings are to be read, or a reservation may still reach its minimum age.
    pub fn is_settled(&self, oldest_change: Millis, now: Millis, reservations: impl FnOnce() -> bool) -> bool {
        let of_age = now.saturating_sub(oldest_change) > self.conf.priority_reservation_delay_ms;
        !self.stale
            && !self.forgot
            && self.marks.is_empty()
            && (!self.conf.priority_queues || of_age || !reservations())
    }

    /// Handles a wake-up of the thread. An interval that a round has just read counts from the next wake-up on.
    pub fn wake(&mut self, now: Millis) -> Wake {
        self.pass_over(now);
        if self.interval != self.conf.monitoring_interval_ms {
            self.interval = self.conf.monitoring_interval_ms;
            self.next = (self.interval > 0).then_some(now);
            return Wake::Rescheduled;
        }
        self.before = self.latest.replace(now);
        self.number += 1;
        self.next = Some(now.saturating_add(self.interval));
        Wake::Round
    }

    /// Skips the wake-ups before a time: they would have found what the latest round found.
    fn pass_over(&mut self, now: Millis) {
        let interval = self.conf.monitoring_interval_ms;
        if interval <= 0 || self.next.is_none_or(|next| next >= now) {
            return;
        }
        if let Some((number, at)) = self.latest_at(now - 1) {
            (self.number, self.latest, self.interval) = (number, Some(at), interval);
            self.next = Some(at.saturating_add(interval));
        }
    }

    /// A round that fails before it begins.
    pub fn lost(&self, failure: Failure, now: Millis) -> Round {
        let choice = RoundSelection { conf: self.conf.clone(), failed: Some(failure), ..RoundSelection::default() };
        Round { at: now, number: self.number, before: self.before, choice: Arc::new(choice), ..Round::default() }
    }

    /// Reads settings that were replaced. Errors: they cannot be read; this round fails, and so does every later one.
    pub fn reread(&mut self, conf: &CapacityConf) -> Result<(), Failure> {
        if self.stale {
            conf.reread_preemption(&mut self.conf).map_err(|e| Failure::Settings(e.message))?;
            self.stale = false;
        }
        Ok(())
    }

    /// Runs a round: selects containers and decides what happens to each. `detail`: whether each step is recorded.
    pub fn round(&mut self, shot: &Snapshot, stock: &mut dyn Stock, now: Millis, detail: bool) -> Round {
        let choice = choose(shot, stock, &self.conf, now, detail, &mut self.cells);
        let by_container = order::places(&choice.chosen, |a, b| a.container.cmp(&b.container));
        let latest = LatestChoice { choice: Arc::new(choice), by_container, detail };
        let round = self.act_on(&latest, now);
        *self.latest_choice = Some(latest);
        round
    }

    /// Runs a round with the same input as the latest one: it selects the same, and only time has passed. `None`: the
    /// selection may differ because of the age of a reservation, of nodes, or of its own effects; or more is to be
    /// recorded.
    pub(crate) fn round_again(&mut self, now: Millis, detail: bool) -> Option<Round> {
        let latest = self.latest_choice.take()?;
        let RoundSelection { conf, drops, moves, failed, .. } = &*latest.choice;
        let alone = drops.is_empty() && moves.is_empty() && failed.is_none();
        let by_queues = !conf.priority_queues && !conf.select_reserved;
        if latest.detail != detail || *conf != self.conf || !alone || !by_queues {
            return None;
        }
        let round = self.act_on(&latest, now);
        *self.latest_choice = Some(latest);
        Some(round)
    }

    /// Decides what happens to the selected containers.
    fn act_on(&mut self, latest: &LatestChoice, now: Millis) -> Round {
        let LatestChoice { choice, by_container, .. } = latest;
        let mut round =
            Round { at: now, number: self.number, before: self.before, choice: choice.clone(), ..Round::default() };
        self.forgot = false;
        if choice.failed.is_some() || choice.conf.observe_only {
            return round;
        }
        let (conf, patience) = (&self.conf, self.patience());
        let stale = |since: Millis| since.saturating_add(patience) < now;
        let TakenIn { deeds, forgotten } =
            self.marks.take_in(&choice.chosen, by_container, now, |by| wait(conf, by), |mark| stale(mark.since));
        self.forgot = !forgotten.is_empty();
        round.forgotten = forgotten;
        round.acts.reserve_exact(deeds.len());
        // Most have the same deadline as the previous one.
        let mut latest = None;
        for (c, (deed, since)) in choice.chosen.iter().zip(deeds) {
            let (container, selector) = (c.container, c.selector);
            let deadline = since.saturating_add(self.wait(selector));
            let killed_at = match latest {
                Some((known, at)) if known == (since, deadline) => at,
                _ => self.killed_at(since, deadline),
            };
            latest = Some(((since, deadline), killed_at));
            let killed_at = killed_at.filter(|_| !c.outdated);
            round.acts.push(PreemptionAction { container, selector, deed, since, deadline, killed_at });
        }
        round
    }

    /// The indices of the latest round's acts that change anything, sorted by container: the order in which they are
    /// carried out.
    pub(crate) fn due(&self, round: &Round) -> Vec<usize> {
        let places = self.latest_choice.iter().flat_map(|latest| &latest.by_container).copied();
        let due = |place: &usize| {
            round.acts.get(*place).is_some_and(|a| matches!(a.deed, PreemptionStep::Mark | PreemptionStep::Kill))
        };
        places.filter(due).collect()
    }

    /// How long a mark is kept if its container is not selected again.
    fn patience(&self) -> Millis {
        self.conf.max_wait_before_kill_ms.saturating_mul(2)
    }

    /// The first round after a mark's deadline, unless the mark is dropped before.
    fn killed_at(&self, since: Millis, deadline: Millis) -> Option<Millis> {
        let at = self.wake_from(deadline)?;
        (at.saturating_sub(self.interval) <= since.saturating_add(self.patience())).then_some(at)
    }

    /// The time from a mark to the kill.
    fn wait(&self, selector: Selector) -> Millis {
        wait(&self.conf, selector)
    }
}

fn wait(conf: &PreemptionConf, selector: Selector) -> Millis {
    match selector {
        Selector::Balance if conf.balance_max_wait_ms > 0 => conf.balance_max_wait_ms,
        _ => conf.max_wait_before_kill_ms,
    }
}
