//! The allocator: how one pass handles requests and containers (samza-host-affinity.md sections 9 and 10).

use super::decision::{AskReason, Decision, Fallback, Hit, Operation, ReleaseReason, Report, SamzaException};
use super::job::standby::is_standby;
use super::requests::{Allocated, Request, RequestMode, Wish};
use super::{Missed, Samza};
use crate::model::Millis;
use std::collections::BTreeSet;

/// The age at which a granted container is no longer used: YARN's ten minutes minus half a minute. The cluster's setting is not
/// read.
const ALLOCATION_EXPIRY_MS: Millis = 600_000 - 30_000;

impl Samza {
    /// Serves the queue, sends the requests that are due, and gives back spare containers.
    pub(super) fn tick(&mut self, now: Millis, report: &mut Report) -> Result<(), SamzaException> {
        self.serve(now, report)?;
        self.requests.send_due(now, report);
        self.requests.release_spare(report);
        Ok(())
    }

    /// Serves the head of the queue until one has to wait: requests behind it are not considered.
    fn serve(&mut self, now: Millis, report: &mut Report) -> Result<(), SamzaException> {
        while let Some(r) = self.requests.head().cloned() {
            let affinity = self.settings.host_affinity;
            let at = if affinity { r.wish.clone() } else { Wish::AnyHost };
            if let Some(x) = self.requests.peek(&at).cloned() {
                if affinity {
                    self.counters.matched += 1;
                }
                if !self.offer(now, &r, &at, &x, report)? {
                    return Ok(());
                }
                continue;
            }
            let (age, timeout) = (now - r.at, self.timeout(r.id));
            if age <= timeout {
                let behind = self.requests.queue().count().saturating_sub(1);
                let (request, processor, wish) = (r.id, r.processor, r.wish);
                report.decisions.push(Decision::Waits { request, processor, wish, age, timeout, behind });
                return Ok(());
            }
            if !self.expired(now, &r, (age, timeout), report)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Offers a container to the head of the queue. Returns false if the tick ends.
    fn offer(
        &mut self,
        now: Millis,
        r: &Request,
        at: &Wish,
        x: &Allocated,
        report: &mut Report,
    ) -> Result<bool, SamzaException> {
        if let Some(goes_on) = self.offer_to_action(now, r, at, x, report)? {
            return Ok(goes_on);
        }
        if self.settings.standby() {
            self.check_and_launch(now, r, at, x, report)?;
        } else {
            self.launch(now, r, at, report)?;
        }
        Ok(true)
    }

    /// Uses the first container of a place for a request.
    pub(super) fn launch(
        &mut self,
        now: Millis,
        r: &Request,
        at: &Wish,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        let x = self.requests.peek(at).cloned().ok_or(SamzaException::NoContainer(r.id))?;
        let age = now - x.at;
        if age > ALLOCATION_EXPIRY_MS {
            self.requests.give_back(at, x.container, ReleaseReason::TooOld { age }, report);
            self.requests.withdraw(r, report);
            let again = self.make(now, &r.processor, r.wish.clone(), 0, BTreeSet::new());
            if self.action(&r.processor).is_some()
                && let Some(action) = self.actions.get_mut(&r.processor)
            {
                action.requests.insert(again.id);
            }
            self.issue(now, again, AskReason::TooOld(r.id), report);
            return Ok(());
        }
        self.requests.assigned(r, at, x.container);
        self.given_up.remove(&r.processor);
        if let Some(course) = self.courses.get_mut(&r.processor) {
            course.got = Some(x.container);
        }
        let (request, processor, container) = (r.id, r.processor.clone(), x.container);
        report.operations.push(Operation::Launch { container, processor: processor.clone(), request });
        let how = match (&r.wish, at) {
            (Wish::AnyHost, _) => Hit::Any,
            (Wish::Host(host), _) if *host == x.host => Hit::Wanted,
            _ => Hit::Spare,
        };
        report.decisions.push(Decision::Launched { request, processor, container, host: x.host.clone(), how });
        self.pending.insert(r.processor.clone(), x);
        Ok(())
    }

    /// Gives back a container that the request cannot use, and withdraws the request.
    pub(super) fn give_back(&mut self, r: &Request, at: &Wish, x: &Allocated, report: &mut Report) {
        self.requests.give_back(at, x.container, ReleaseReason::Forbidden, report);
        self.requests.withdraw(r, report);
    }

    /// Handles an expired request. Returns false if it stays, which ends the tick.
    fn expired(
        &mut self,
        now: Millis,
        r: &Request,
        (age, timeout): (Millis, Millis),
        report: &mut Report,
    ) -> Result<bool, SamzaException> {
        match r.wish {
            Wish::AnyHost => self.counters.expired_any += 1,
            _ => self.counters.expired_preferred += 1,
        }
        if !r.racks.is_empty() {
            self.counters.rack_expired += 1;
        }
        let p = &r.processor;
        let spare = self.requests.peek(&Wish::AnyHost).cloned();
        let then = match (self.action(p), &spare) {
            (Some(action), _) => Fallback::ActionFailed(action.message.id),
            _ if !self.settings.host_affinity => Fallback::Nothing,
            _ if self.settings.standby() && !is_standby(p) => Fallback::Failover,
            (_, Some(x)) => Fallback::Spare(x.container),
            (_, None) if self.mode == RequestMode::Relaxed => Fallback::Trusts,
            (_, None) => Fallback::AnyHost,
        };
        let (request, processor, wish) = (r.id, p.clone(), r.wish.clone());
        if let Some(course) = self.courses.get_mut(p) {
            course.missed.get_or_insert_with(|| Missed { wish: wish.clone(), at: now, age, timeout });
        }
        report.decisions.push(Decision::Expired { request, processor, wish, age, timeout, then });
        match (then, spare) {
            (Fallback::ActionFailed(_), _) => {
                self.requests.withdraw(r, report);
                let text =
                    "failed the ContainerPlacement action because request for resources to ClusterManager expired";
                self.fail_action(p, text.into(), report);
            }
            (Fallback::Nothing | Fallback::Trusts, _) => return Ok(false),
            (Fallback::Failover, _) => self.active_expired(now, r, report)?,
            (_, Some(x)) if is_standby(p) && self.settings.standby() => {
                self.check_and_launch(now, r, &Wish::AnyHost, &x, report)?;
            }
            (_, Some(_)) => self.launch(now, r, &Wish::AnyHost, report)?,
            (_, None) => {
                self.requests.withdraw(r, report);
                let why = AskReason::Expired(r.id);
                if self.settings.standby() {
                    self.ask_standby(now, p, Wish::AnyHost, 0, self.active_host(p), why, report);
                } else {
                    self.ask(now, p, Wish::AnyHost, why, report);
                }
            }
        }
        Ok(self.settings.host_affinity)
    }
}
