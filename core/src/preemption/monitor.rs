//! What is kept from round to round: settings as last read, marks with their times, and when the next round is due (A1,
//! A9; SchedulingMonitor).

use super::marks::{Marks, TakenIn};
use super::record::{Act, Choice, Deed, Failure, Round};
use super::snapshot::{Snapshot, Stock};
use super::work::{Cells, choose};
use crate::config::capacity::CapacityConf;
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::{ContainerId, Kept, Millis, Selector, order};
use std::sync::Arc;

/// What a wake-up of the monitor's thread comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// A round.
    Round,
    /// The interval is another one: the thread is scheduled anew, with a wake-up at once.
    Rescheduled,
}

/// The monitor between rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    conf: PreemptionConf,
    /// The scheduler's settings were replaced since they were read.
    stale: bool,
    marks: Marks,
    /// Did the latest round forget a mark? Then the next one may set it anew.
    forgot: bool,
    interval: Millis,
    next: Option<Millis>,
    /// How many rounds there have been, those that were not played counted, and when the latest was.
    number: u64,
    latest: Option<Millis>,
    /// When the one before the latest was.
    before: Option<Millis>,
    /// Room of the latest round's figures, for the next one.
    cells: Kept<Cells>,
    /// What the latest round chose.
    latest_choice: Kept<Option<LatestChoice>>,
}

/// What a round chose, for one that sees the same.
struct LatestChoice {
    choice: Arc<Choice>,
    /// The places of the chosen ones by container.
    by_container: Vec<usize>,
    /// Is each step told in it?
    detail: bool,
}

impl Default for Monitor {
    fn default() -> Self {
        Monitor::new(PreemptionConf::default(), 0)
    }
}

impl Monitor {
    /// A monitor that starts: its first round is due at once.
    pub fn new(conf: PreemptionConf, at: Millis) -> Self {
        let interval = conf.monitoring_interval_ms;
        // Java refuses to schedule at such a rate: there is no round at all.
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
            cells: Kept::default(),
            latest_choice: Kept::default(),
        }
    }

    /// The settings in force.
    pub fn conf(&self) -> &PreemptionConf {
        &self.conf
    }

    /// Settings as a round would read them.
    #[cfg(test)]
    pub(super) fn set_conf(&mut self, conf: PreemptionConf) {
        self.conf = conf;
    }

    /// Containers that were asked back, and not forgotten.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// When a marked container is killed if it is chosen then.
    pub fn deadline(&self, container: ContainerId) -> Option<Millis> {
        let mark = self.marks.get(container)?;
        Some(mark.since.saturating_add(self.wait(mark.selector)))
    }

    /// The round that kills a marked container if it chooses it, as rounds are scheduled now.
    pub fn killed_from(&self, container: ContainerId) -> Option<Millis> {
        let deadline = self.deadline(container)?;
        Some(self.wake_from(deadline).unwrap_or(deadline))
    }

    /// A round after this time that does not choose a marked container forgets its mark.
    pub fn kept_until(&self, container: ContainerId) -> Option<Millis> {
        Some(self.marks.get(container)?.since.saturating_add(self.patience()))
    }

    /// Are there settings that the next round is to read?
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// The scheduler has other settings: the next round reads them.
    pub fn settings_changed(&mut self) {
        self.stale = true;
    }

    /// When the thread wakes up next; `None`: never.
    pub fn next_wake(&self) -> Option<Millis> {
        self.next
    }

    /// The first of its wake-ups at or after a time; those before it are taken to find nothing. `None`: there is none.
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

    /// Number and time of the latest round at or before a time, those counted that are not played since they would find
    /// the same. `None`: there has been none.
    pub fn latest_at(&self, time: Millis) -> Option<(u64, Millis)> {
        let known = self.latest.map(|at| (self.number, at));
        // Another interval counts from the next wake-up on.
        let interval = self.conf.monitoring_interval_ms;
        let Some(next) = self.next.filter(|next| *next <= time && interval > 0) else { return known };
        let more = (time - next).div_euclid(interval);
        Some((self.number + 1 + more as u64, next.saturating_add(more.saturating_mul(interval))))
    }

    /// Would the next round find what the latest one found, if nothing changes but the time? Not while a mark runs out,
    /// one was just forgotten, settings are to be read, or a reservation may still come of age.
    pub fn is_settled(&self, oldest_change: Millis, now: Millis, reservations: impl FnOnce() -> bool) -> bool {
        let of_age = now.saturating_sub(oldest_change) > self.conf.priority_reservation_delay_ms;
        !self.stale
            && !self.forgot
            && self.marks.is_empty()
            && (!self.conf.priority_queues || of_age || !reservations())
    }

    /// The thread wakes up. An interval that a round has read anew counts from the next wake-up on.
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

    /// The wake-ups before a time were not played: they would have found what the latest round found.
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

    /// A round that is lost before it begins.
    pub fn lost(&self, failure: Failure, now: Millis) -> Round {
        let choice = Choice { conf: self.conf.clone(), failed: Some(failure), ..Choice::default() };
        Round { at: now, number: self.number, before: self.before, choice: Arc::new(choice), ..Round::default() }
    }

    /// Settings that were replaced are read. Errors: they cannot be; the round is lost, and so is each one after it.
    pub fn reread(&mut self, conf: &CapacityConf) -> Result<(), Failure> {
        if self.stale {
            conf.reread_preemption(&mut self.conf).map_err(|e| Failure::Settings(e.message))?;
            self.stale = false;
        }
        Ok(())
    }

    /// One round: containers are chosen, and what becomes of each is decided. `detail`: is each step told?
    pub fn round(&mut self, shot: &Snapshot, stock: &mut dyn Stock, now: Millis, detail: bool) -> Round {
        let choice = choose(shot, stock, &self.conf, now, detail, &mut self.cells);
        let by_container = order::places(&choice.chosen, |a, b| a.container.cmp(&b.container));
        let latest = LatestChoice { choice: Arc::new(choice), by_container, detail };
        let round = self.act_on(&latest, now);
        *self.latest_choice = Some(latest);
        round
    }

    /// A round that sees what the latest one saw: it chooses the same, and only time has passed. `None`: it may choose
    /// otherwise, by the age of a reservation, by nodes, or by what it did itself; or more is to be told.
    pub(crate) fn round_again(&mut self, now: Millis, detail: bool) -> Option<Round> {
        let latest = self.latest_choice.take()?;
        let Choice { conf, drops, moves, failed, .. } = &*latest.choice;
        let alone = drops.is_empty() && moves.is_empty() && failed.is_none();
        let by_queues = !conf.priority_queues && !conf.select_reserved;
        if latest.detail != detail || *conf != self.conf || !alone || !by_queues {
            return None;
        }
        let round = self.act_on(&latest, now);
        *self.latest_choice = Some(latest);
        Some(round)
    }

    /// What becomes of the chosen ones.
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
        // Most have the deadline of the one before.
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
            round.acts.push(Act { container, selector, deed, since, deadline, killed_at });
        }
        round
    }

    /// The places of the acts of the latest round that change anything, by container: the order in which they are carried
    /// out.
    pub(crate) fn due(&self, round: &Round) -> Vec<usize> {
        let places = self.latest_choice.iter().flat_map(|latest| &latest.by_container).copied();
        let due = |place: &usize| round.acts.get(*place).is_some_and(|a| matches!(a.deed, Deed::Mark | Deed::Kill));
        places.filter(due).collect()
    }

    /// How long a mark is kept that nothing comes of.
    fn patience(&self) -> Millis {
        self.conf.max_wait_before_kill_ms.saturating_mul(2)
    }

    /// The round that finds a mark's deadline over, unless one before it forgets the mark.
    fn killed_at(&self, since: Millis, deadline: Millis) -> Option<Millis> {
        let at = self.wake_from(deadline)?;
        (at.saturating_sub(self.interval) <= since.saturating_add(self.patience())).then_some(at)
    }

    /// From a mark to the kill.
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
