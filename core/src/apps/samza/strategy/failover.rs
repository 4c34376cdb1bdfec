//! Standby containers: the hosts that they forbid, and how an active container replaces one (samza-host-affinity.md section
//! 12).

use super::Samza;
use super::decision::{AskReason, Clash, Decision, FailoverTo, Operation, Report, SamzaException, StopReason};
use super::job::standby::{active_of, is_standby};
use super::requests::{Allocated, Request, RequestId, Wish};
use crate::model::{ContainerId, Millis};
use std::collections::{BTreeMap, BTreeSet};

/// The cause of a failover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailoverOf {
    /// This container ended, or could not be started.
    Container(ContainerId),
    /// A request of this active container failed, which no failover had made.
    Unknown(String),
}

/// The record of a failover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failover {
    /// Its cause.
    pub cause: FailoverOf,
    /// The active container.
    pub active: String,
    /// Standby containers that were stopped for it, with their hosts.
    pub stopped: BTreeMap<ContainerId, String>,
    /// Requests made for it, with their hosts.
    pub requests: BTreeMap<RequestId, Wish>,
}

impl Failover {
    fn used(&self, host: &str) -> bool {
        let wish = Wish::Host(host.into());
        self.stopped.values().any(|h| h == host) || self.requests.values().any(|w| *w == wish)
    }
}

/// The container that forbids a host.
pub(super) struct Forbids {
    by: String,
    at: String,
    clash: Clash,
}

impl Samza {
    pub(super) fn constraints_of(&self, processor: &str) -> Result<&[String], SamzaException> {
        self.constraints.get(processor).map(Vec::as_slice).ok_or_else(|| SamzaException::Unknown(processor.into()))
    }

    /// Returns the container that forbids a host to another one: the first that is, or is about to be, too near.
    pub(super) fn clash(&mut self, processor: &str, host: &str) -> Result<Option<Forbids>, SamzaException> {
        let others = self.constraints_of(processor)?.to_vec();
        for other in others {
            for there in [&self.pending, &self.running].map(|m| m.get(&other).map(|x| x.host.clone())) {
                let Some(at) = there else { continue };
                let rack = self.settings.fault_domains && self.racks.same(host, &at);
                if rack && is_standby(processor) {
                    self.counters.rack_failed += 1;
                }
                if rack || at == host {
                    let clash = if at == host { Clash::Host } else { Clash::Rack };
                    return Ok(Some(Forbids { by: other, at, clash }));
                }
            }
        }
        Ok(None)
    }

    /// Returns whether a host is forbidden, and records the decision if it is.
    pub(super) fn forbidden(
        &mut self,
        processor: &str,
        host: &str,
        report: &mut Report,
    ) -> Result<bool, SamzaException> {
        let Some(Forbids { by, at, clash }) = self.clash(processor, host)? else { return Ok(false) };
        let (processor, host) = (processor.to_string(), host.to_string());
        report.decisions.push(Decision::Forbidden { processor, host, by, at, clash });
        Ok(true)
    }

    /// Uses a container for a request if its host is allowed.
    pub(super) fn check_and_launch(
        &mut self,
        now: Millis,
        r: &Request,
        at: &Wish,
        x: &Allocated,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        let p = &r.processor;
        if !self.forbidden(p, &x.host, report)? {
            self.launch(now, r, at, report)?;
            if self.settings.fault_domains && is_standby(p) {
                self.counters.rack_starts += 1;
            }
            return Ok(());
        }
        self.give_back(r, at, x, report);
        if let Some(course) = self.courses.get_mut(p) {
            course.forbidden = (course.forbidden.0 + 1, x.host.clone());
        }
        if is_standby(p) {
            self.ask_standby(now, p, Wish::AnyHost, 0, self.active_host(p), AskReason::Forbidden(r.id), report);
        } else {
            let cause = self.cause_of(r);
            self.fail_over(now, p, cause, report)?;
        }
        self.counters.failed_standby_allocations += 1;
        Ok(())
    }

    /// Returns the cause of the failover that made a request, or a cause of its own.
    fn cause_of(&self, r: &Request) -> FailoverOf {
        let of = self.failovers.iter().find(|f| f.requests.contains_key(&r.id));
        of.map_or_else(|| FailoverOf::Unknown(r.processor.clone()), |f| f.cause.clone())
    }

    fn failover(&mut self, active: &str, cause: FailoverOf) -> &mut Failover {
        let at = self.failovers.iter().position(|f| f.cause == cause).unwrap_or_else(|| {
            let (stopped, requests) = (BTreeMap::new(), BTreeMap::new());
            self.failovers.push(Failover { cause, active: active.into(), stopped, requests });
            self.failovers.len() - 1
        });
        &mut self.failovers[at]
    }

    /// Returns the failover that a standby container was stopped for.
    fn stopped_for(&self, container: ContainerId) -> Option<&Failover> {
        self.failovers.iter().find(|f| f.stopped.contains_key(&container))
    }

    /// Returns where an active container goes: to the host of a running standby container, to the last host of one, or
    /// anywhere.
    fn choose(&self, active: &str, cause: &FailoverOf) -> Result<Option<String>, SamzaException> {
        let standby = self.constraints_of(active)?;
        let earlier = self.failovers.iter().find(|f| f.cause == *cause);
        let running = standby.iter().filter_map(|s| self.running.get(s));
        let fresh = |x: &&Allocated| earlier.is_none_or(|f| !f.stopped.contains_key(&x.container));
        if let Some(x) = running.clone().find(fresh) {
            return Ok(Some(x.host.clone()));
        }
        let mut last = standby.iter().filter_map(|s| self.stream.last_host(s));
        Ok(last.find(|host| earlier.is_none_or(|f| !f.used(host))).map(str::to_string))
    }

    pub(super) fn fail_over(
        &mut self,
        now: Millis,
        p: &str,
        cause: FailoverOf,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        let told = |to: FailoverTo| Decision::Failover { processor: p.into(), to };
        let Some(host) = self.choose(p, &cause)? else {
            report.decisions.push(told(FailoverTo::AnyHost));
            self.counters.failovers_to_any += 1;
            self.ask(now, p, Wish::AnyHost, AskReason::Failover, report);
            return Ok(());
        };
        let standby = self.constraints_of(p)?.iter();
        let there: Vec<(String, ContainerId)> = standby
            .filter_map(|s| Some((s.clone(), self.running.get(s).filter(|x| x.host == host)?.container)))
            .collect();
        if there.is_empty() {
            report.decisions.push(told(FailoverTo::LastHost(host.clone())));
            let request = self.make(now, p, Wish::of(&host), 0, BTreeSet::new());
            self.failover(p, cause).requests.insert(request.id, request.wish.clone());
            self.issue(now, request, AskReason::Failover, report);
            self.counters.failovers_to_standby += 1;
            return Ok(());
        }
        for (standby, container) in &there {
            report.decisions.push(told(FailoverTo::Running { standby: standby.clone(), host: host.clone() }));
            self.failover(p, cause.clone()).stopped.insert(*container, host.clone());
            self.counters.failovers_to_standby += 1;
            report.operations.push(Operation::Stop(*container));
            let (processor, why) = (standby.clone(), StopReason::GivesWay(p.into()));
            report.decisions.push(Decision::Stopping { container: *container, processor, why });
        }
        if there.len() > 1 { Err(SamzaException::Replicas(host)) } else { Ok(()) }
    }

    /// Handles the stop of a container of a job with standby containers. `wish` and `delay`: where and when it is requested
    /// again.
    pub(super) fn standby_stop(
        &mut self,
        now: Millis,
        p: &str,
        container: ContainerId,
        (wish, delay): (Wish, Millis),
        why: AskReason,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        if is_standby(p) {
            self.replica_stopped(now, p, container, (wish, delay), why, report);
            return Ok(());
        }
        let cause = FailoverOf::Container(container);
        if matches!(why, AskReason::TakenAway(_)) {
            return self.fail_over(now, p, cause, report);
        }
        let request = self.make(now, p, wish, delay, BTreeSet::new());
        self.failover(p, cause).requests.insert(request.id, request.wish.clone());
        self.issue(now, request, why, report);
        Ok(())
    }

    fn replica_stopped(
        &mut self,
        now: Millis,
        p: &str,
        container: ContainerId,
        (wish, delay): (Wish, Millis),
        why: AskReason,
        report: &mut Report,
    ) {
        let Some(failover) = self.stopped_for(container) else {
            self.ask_standby(now, p, wish, delay, self.active_host(p), why, report);
            return;
        };
        let (active, cause) = (failover.active.clone(), failover.cause.clone());
        let host = failover.stopped.get(&container).cloned().unwrap_or_default();
        let request = self.make(now, &active, Wish::of(&host), delay, BTreeSet::new());
        self.failover(&active, cause).requests.insert(request.id, request.wish.clone());
        self.issue(now, request, AskReason::Failover, report);
        self.ask_standby(now, p, Wish::AnyHost, 0, Some(host), AskReason::GaveWay, report);
    }

    pub(super) fn standby_launch_failed(
        &mut self,
        now: Millis,
        p: &str,
        container: ContainerId,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        if is_standby(p) {
            let why = AskReason::LaunchFailed(container);
            self.ask_standby(now, p, Wish::AnyHost, 0, self.active_host(p), why, report);
            return Ok(());
        }
        self.fail_over(now, p, FailoverOf::Container(container), report)
    }

    pub(super) fn standby_stop_failed(
        &mut self,
        now: Millis,
        p: &str,
        container: ContainerId,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        if !is_standby(p) {
            return Err(SamzaException::StopFailed(p.into()));
        }
        match self.stopped_for(container).map(|f| (f.active.clone(), f.cause.clone())) {
            Some((active, cause)) => self.fail_over(now, &active, cause, report),
            None => Ok(()),
        }
    }

    /// Fails the active container over after its request has expired.
    pub(super) fn active_expired(
        &mut self,
        now: Millis,
        r: &Request,
        report: &mut Report,
    ) -> Result<(), SamzaException> {
        let cause = self.cause_of(r);
        self.requests.withdraw(r, report);
        self.fail_over(now, &r.processor, cause, report)
    }

    /// Returns the host of a container's active container, if that starts or runs.
    pub(super) fn active_host(&self, p: &str) -> Option<String> {
        let active = active_of(p);
        self.pending.get(active).or(self.running.get(active)).map(|x| x.host.clone())
    }

    /// Requests a standby container; with racks as fault domains on all racks but that of the host to avoid.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn ask_standby(
        &mut self,
        now: Millis,
        p: &str,
        wish: Wish,
        delay: Millis,
        avoid: Option<String>,
        why: AskReason,
        report: &mut Report,
    ) {
        let mut racks = BTreeSet::new();
        if self.settings.fault_domains && is_standby(p) {
            racks = self.racks.all();
            if let Some(rack) = avoid.and_then(|host| self.racks.of(&host).map(str::to_string)) {
                racks.remove(&rack);
            }
        }
        let request = self.make(now, p, wish, delay, racks);
        self.issue(now, request, why, report);
    }
}
