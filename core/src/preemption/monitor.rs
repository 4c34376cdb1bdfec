//! What is kept from round to round: settings as last read, marks with their times, and when the next round is due (A1,
//! A9; SchedulingMonitor).

use super::record::{Act, Deed, Failure, Round, Selector};
use super::snapshot::{Snapshot, Stock};
use super::work::round;
use crate::config::capacity::CapacityConf;
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::{ContainerId, Millis};
use std::collections::BTreeMap;

/// A container that its ApplicationMaster was asked to give back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Since when.
    pub since: Millis,
    /// By whom it was chosen last.
    pub selector: Selector,
}

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
    marks: BTreeMap<ContainerId, Mark>,
    interval: Millis,
    next: Option<Millis>,
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
        Monitor { conf, stale: false, marks: BTreeMap::new(), interval, next }
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
    pub fn marks(&self) -> &BTreeMap<ContainerId, Mark> {
        &self.marks
    }

    /// When a marked container is killed if it is chosen then.
    pub fn deadline(&self, container: ContainerId) -> Option<Millis> {
        let mark = self.marks.get(&container)?;
        Some(mark.since.saturating_add(self.wait(mark.selector)))
    }

    /// The scheduler has other settings: the next round reads them.
    pub fn settings_changed(&mut self) {
        self.stale = true;
    }

    /// When the thread wakes up next; `None`: never.
    pub fn next_wake(&self) -> Option<Millis> {
        self.next
    }

    /// The thread wakes up. An interval that a round has read anew counts from the next wake-up on.
    pub fn wake(&mut self, now: Millis) -> Wake {
        if self.interval != self.conf.monitoring_interval_ms {
            self.interval = self.conf.monitoring_interval_ms;
            self.next = (self.interval > 0).then_some(now);
            return Wake::Rescheduled;
        }
        self.next = Some(now.saturating_add(self.interval));
        Wake::Round
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
        let mut round = round(shot, stock, &self.conf, now, detail);
        if round.failed.is_some() || round.observe_only {
            return round;
        }
        for c in &round.chosen {
            let (container, selector, wait) = (c.container, c.selector, self.wait(c.selector));
            let (deed, since) = match self.marks.get_mut(&container) {
                None => {
                    self.marks.insert(container, Mark { since: now, selector });
                    (Deed::Mark, now)
                }
                Some(mark) if mark.since.saturating_add(wait) <= now => {
                    let since = mark.since;
                    self.marks.remove(&container);
                    (Deed::Kill, since)
                }
                Some(mark) => {
                    mark.selector = selector;
                    (Deed::Wait, mark.since)
                }
            };
            round.acts.push(Act { container, selector, deed, since, deadline: since.saturating_add(wait) });
        }
        let patience = self.conf.max_wait_before_kill_ms.saturating_mul(2);
        self.marks.retain(|container, mark| {
            let stays = mark.since.saturating_add(patience) >= now;
            if !stays {
                round.forgotten.push(*container);
            }
            stays
        });
        round
    }

    /// From a mark to the kill.
    fn wait(&self, selector: Selector) -> Millis {
        match selector {
            Selector::Balance if self.conf.balance_max_wait_ms > 0 => self.conf.balance_max_wait_ms,
            _ => self.conf.max_wait_before_kill_ms,
        }
    }
}
