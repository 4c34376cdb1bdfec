//! Reviews: how many requests are made or withdrawn, and how many containers are given back; the check for requests that have
//! waited long enough (slider-placement.md sections 7, 8 and 11).

use super::decision::{CancelReason, Decision, Operation, ReleaseReason, Report, Stopped, TargetChoice};
use super::outstanding::{no_host, one_by_one};
use super::requests::{AskId, Request, Target};
use super::settings::{Exception, SliderException, refuse};
use super::{Component, Slider, Version};
use crate::check::Failure;
use crate::model::{ContainerId, Millis, order};

/// The reason why a review ends early.
enum Halt {
    /// The application is stopped.
    Stopped(Stopped),
    /// The threshold is not a number: Slider reads it at each review.
    Refused(SliderException),
}

/// Returns the record of a stop that a component caused.
fn stopped(c: &Component, negative: Option<i64>, threshold: i32) -> Stopped {
    Stopped {
        component: c.name.clone(),
        negative,
        failed: c.counters.failed,
        start_failed: c.counters.start_failed,
        failed_recently: c.counters.failed_recently,
        threshold,
        last: c.last_failure.clone(),
    }
}

impl Slider {
    /// Reviews all components. A component that has failed too often stops the application: then nothing is requested from YARN
    /// and no decision is recorded, but counters keep their changes.
    pub(super) fn review(&mut self, now: Millis, report: &mut Report) {
        let decided = report.decisions.len();
        self.blacklist(report);
        for id in self.components.keys().copied().collect::<Vec<_>>() {
            if self.components.get(&id).is_none_or(|c| c.settings.policy.excluded()) {
                continue;
            }
            if let Err(halt) = self.review_component(id, now, report) {
                report.operations.clear();
                report.decisions.truncate(decided);
                match halt {
                    Halt::Stopped(stopped) => report.stopped = Some(stopped),
                    Halt::Refused(refused) => report.refused = Some(refused),
                }
                return;
            }
        }
    }

    /// Recomputes the blacklist.
    pub(super) fn blacklist(&mut self, report: &mut Report) {
        let (add, remove) = self.history.update_blacklist(self.components.values(), &mut report.decisions);
        if !add.is_empty() || !remove.is_empty() {
            report.operations.push(Operation::Blacklist { add, remove });
        }
    }

    fn review_component(&mut self, id: i32, now: Millis, report: &mut Report) -> Result<(), Halt> {
        self.check_failures(id)?;
        let Some(component) = self.components.get_mut(&id) else { return Ok(()) };
        if component.counters.desired < 0 {
            return Err(Halt::Stopped(stopped(component, Some(component.counters.desired), 0)));
        }
        match component.counters.delta() {
            0 => component.counters.pending_aa = 0,
            more if more > 0 => {
                if component.settings.policy.anti_affine() {
                    self.grow_anti_affine(id, more, now, report);
                } else {
                    for _ in 0..more {
                        self.request(id, now, report);
                    }
                }
            }
            fewer => self.shrink(id, -fewer, report),
        }
        Ok(())
    }

    fn check_failures(&self, id: i32) -> Result<(), Halt> {
        let Some(c) = self.components.get(&id) else { return Ok(()) };
        if self.version == Version::V093 && self.definition.health_monitored(&c.group) {
            return Ok(());
        }
        let threshold = self.definition.failure_threshold(&c.group, self.failure_threshold).map_err(Halt::Refused)?;
        if threshold <= 0 || c.counters.failed_recently <= i64::from(threshold) {
            return Ok(());
        }
        Err(Halt::Stopped(stopped(c, None, threshold)))
    }

    /// Makes one request for a component without anti-affinity, as a review does for each missing container.
    pub fn request(&mut self, id: i32, now: Millis, report: &mut Report) {
        let Some(component) = self.components.get_mut(&id) else { return };
        component.counters.ask();
        let (host, why) = self.history.find_host(component);
        let target = match host {
            Some(host) => {
                self.history.entry(&host, id);
                Target::Host(host)
            }
            None => Target::Anywhere,
        };
        self.issue(id, target, why, now, report);
    }

    /// Issues a request. Returns its number.
    fn issue(&mut self, id: i32, target: Target, why: TargetChoice, now: Millis, report: &mut Report) -> Option<AskId> {
        let component = self.components.get(&id)?;
        let number = AskId(self.next_ask);
        self.next_ask += 1;
        let mut request = Request::new(id, target);
        let ask = request.issue(number, &component.settings, component.size, now).clone();
        report.operations.push(Operation::Request(ask));
        report.decisions.push(Decision::Asked { component: id, ask: number, why });
        if let Some(ask) = self.history.requests.add(request).and_then(|r| r.ask) {
            report.decisions.push(Decision::Replaced { component: id, ask: ask.id });
        }
        Some(number)
    }

    fn grow_anti_affine(&mut self, id: i32, delta: i64, now: Millis, report: &mut Report) {
        let Some(component) = self.components.get(&id) else { return };
        let mut pending = delta;
        let why = if component.aa_outstanding.is_some() {
            one_by_one()
        } else {
            match self.ask_anti_affine(id, now, report) {
                Ok(()) => {
                    pending -= 1;
                    one_by_one()
                }
                Err(why) => why,
            }
        };
        self.pend(id, pending, why, report);
    }

    /// Sets the number of pending anti-affine instances.
    fn pend(&mut self, id: i32, count: i64, why: Failure, report: &mut Report) {
        if let Some(component) = self.components.get_mut(&id) {
            component.counters.pending_aa = count;
        }
        if count > 0 {
            report.decisions.push(Decision::Pending { component: id, count, why });
        }
    }

    /// Makes one request for all hosts that can take an instance.
    fn ask_anti_affine(&mut self, id: i32, now: Millis, report: &mut Report) -> Result<(), Failure> {
        let Some(component) = self.components.get_mut(&id) else { return Ok(()) };
        let (hosts, left_out) = self.history.eligible(id, component.settings.label.as_deref());
        let why = TargetChoice::Eligible { hosts: hosts.len(), left_out };
        let Some(target) = Target::one_of(hosts) else { return Err(no_host(left_out)) };
        component.counters.ask();
        let ask = self.issue(id, target, why, now, report);
        if let Some(component) = self.components.get_mut(&id) {
            component.aa_outstanding = ask;
        }
        Ok(())
    }

    /// Requests the next anti-affine instance after one was granted.
    pub(super) fn next_anti_affine(&mut self, id: i32, now: Millis, report: &mut Report) {
        let Some(component) = self.components.get_mut(&id) else { return };
        component.aa_outstanding = None;
        let pending = component.counters.pending_aa;
        if pending > 0 {
            match self.ask_anti_affine(id, now, report) {
                Ok(()) => self.pend(id, pending - 1, one_by_one(), report),
                Err(why) => self.pend(id, pending, why, report),
            }
        }
    }

    fn shrink(&mut self, id: i32, mut excess: i64, report: &mut Report) {
        let Some(component) = self.components.get(&id) else { return };
        let waiting = component.counters.requested + component.counters.pending_aa;
        if waiting > 0 {
            let count = waiting.min(excess);
            if component.settings.policy.anti_affine() {
                self.cancel_anti_affine(id, count, report);
            } else {
                for request in self.history.requests.cancel(id, count as usize) {
                    cancelled(id, request, report);
                }
            }
            if let Some(component) = self.components.get_mut(&id) {
                component.counters.requested = (component.counters.requested - count).max(0);
            }
            excess -= count;
        }
        if excess > 0 {
            self.release(id, excess, report);
        }
    }

    fn cancel_anti_affine(&mut self, id: i32, mut count: i64, report: &mut Report) {
        let Some(component) = self.components.get_mut(&id) else { return };
        let pending = component.counters.pending_aa.min(count);
        component.counters.pending_aa -= pending;
        count -= pending;
        if count > 0
            && let Some(ask) = component.forget_aa()
        {
            // The real one does not distinguish requests without a host: it finds the oldest. It withdraws the request even if
            // it was dropped before.
            let ask = self.history.requests.first_open(id).unwrap_or(ask);
            self.history.requests.take_ask(ask);
            let why = CancelReason::Shrinking;
            report.decisions.push(Decision::Cancelled { component: id, ask, why });
            report.operations.push(Operation::Cancel(ask));
            count -= 1;
        }
        for request in self.history.requests.take_placed(id, count.max(0) as usize) {
            cancelled(id, request, report);
        }
    }

    /// Gives containers back, the most recently created first.
    fn release(&mut self, id: i32, count: i64, report: &mut Report) {
        let of = self.owned.iter().filter(|(_, i)| i.component == id && !i.released);
        let mut candidates: Vec<(ContainerId, Millis)> = of.map(|(c, i)| (*c, i.created)).collect();
        order::sort_by(&mut candidates, |a, b| b.1.cmp(&a.1));
        let missing = count - candidates.len() as i64;
        for (container, _) in candidates.into_iter().take(count as usize) {
            // Candidates are owned and not being released, so nothing is refused.
            let _ = self.submit_release(container, ReleaseReason::Shrinking, report);
        }
        if missing > 0 {
            report.decisions.push(Decision::TooFewToRelease { component: id, missing });
        }
    }

    pub(super) fn submit_release(
        &mut self,
        container: ContainerId,
        why: ReleaseReason,
        report: &mut Report,
    ) -> Result<(), SliderException> {
        let Some(instance) = self.owned.get_mut(&container) else {
            return refuse(Exception::InternalState, "the container is not owned");
        };
        if self.releasing.contains_key(&container) {
            return refuse(Exception::InternalState, "the container is being released already");
        }
        instance.released = true;
        let id = instance.component;
        self.releasing.insert(container, (id, instance.host.clone()));
        self.history.entry(&instance.host, id).release();
        if let Some(component) = self.components.get_mut(&id) {
            component.counters.releasing += 1;
        }
        report.decisions.push(Decision::Released { container, component: id, why });
        report.operations.push(Operation::Release(container));
        Ok(())
    }

    /// Relaxes the requests that have waited long enough for their host.
    pub(super) fn escalate(&mut self, now: Millis, report: &mut Report) {
        for relaxed in self.history.requests.escalate(now, &mut self.next_ask, self.version) {
            let (component, old) = (relaxed.ask.component, relaxed.old);
            report.decisions.push(Decision::Cancelled { component, ask: old, why: CancelReason::Escalated });
            report.decisions.push(Decision::Escalated {
                component,
                old,
                new: relaxed.ask.id,
                host: relaxed.host,
                since: relaxed.since,
            });
            report.operations.push(Operation::Cancel(old));
            report.operations.push(Operation::Request(relaxed.ask));
        }
    }
}

fn cancelled(id: i32, request: Request, report: &mut Report) {
    let Some(ask) = request.ask else { return };
    report.decisions.push(Decision::Cancelled { component: id, ask: ask.id, why: CancelReason::Shrinking });
    report.operations.push(Operation::Cancel(ask.id));
}
