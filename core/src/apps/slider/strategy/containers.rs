//! The life of containers: grant, launch, start, end (slider-placement.md sections 9 and 10).

use super::component::LastFailure;
use super::decision::{CancelReason, Decision, Ended, Grant, Operation, ReleaseReason, Report};
use super::ending::{ContainerOutcome, charge};
use super::nodes::less;
use super::requests::component_of;
use super::{Instance, Slider, Version};
use crate::model::{ContainerId, Millis, order};

impl Slider {
    /// Returns a batch in the order in which it is processed: first the containers that a request bound to their host waits
    /// for; then by component, hosts used last first.
    pub fn allocation_order(&self, grants: Vec<Grant>) -> Vec<Grant> {
        let id = |g: &Grant| component_of(g.priority);
        let used =
            |g: &Grant| self.history.nodes.get(&g.host).and_then(|n| n.entries.get(&id(g))).map_or(0, |e| e.last_used);
        let mut sorted = grants;
        order::sort_by(&mut sorted, |a, b| id(a).cmp(&id(b)).then(used(b).cmp(&used(a))));
        let wanted = |g: &Grant| self.history.requests.is_placed(id(g), &g.host);
        let (mut first, others): (Vec<Grant>, Vec<Grant>) = sorted.into_iter().partition(wanted);
        first.extend(others);
        first
    }

    /// Processes a batch of grants.
    pub(super) fn granted(&mut self, now: Millis, grants: Vec<Grant>, report: &mut Report) {
        for grant in self.allocation_order(grants) {
            self.grant(now, grant, report);
        }
    }

    fn grant(&mut self, now: Millis, grant: Grant, report: &mut Report) {
        let (id, container) = (component_of(grant.priority), grant.container);
        let Some(component) = self.components.get_mut(&id) else {
            report.decisions.push(Decision::NotOurs { container, component: id });
            return;
        };
        less(&mut component.counters.requested);
        component.counters.actual += 1;
        let (allocated, desired) = (component.counters.actual, component.counters.desired);
        let anti_affine = component.settings.policy.anti_affine();
        let (how, met) = self.history.requests.granted(id, &grant.host, grant.priority, grant.size, self.version);
        let ask = met.and_then(|r| r.ask).map(|a| a.id);
        let used = (allocated <= desired).then_some(how);
        report.decisions.push(Decision::Granted { container, component: id, ask, used });
        if let Some(ask) = ask {
            report.decisions.push(Decision::Cancelled { component: id, ask, why: CancelReason::Met });
            report.operations.push(Operation::Cancel(ask));
        }
        if desired <= allocated {
            self.history.drop_requests(id, &mut report.decisions);
        }
        if used.is_none() {
            report.decisions.push(Decision::Released { container, component: id, why: ReleaseReason::Surplus });
            report.operations.push(Operation::Release(container));
            self.surplus.insert(container);
            self.totals.surplus += 1;
            if let Some(component) = self.components.get_mut(&id) {
                less(&mut component.counters.actual);
            }
            return;
        }
        self.history.entry(&grant.host, id).assigned();
        self.assigned.insert(container, (id, grant.host));
        if anti_affine {
            self.next_anti_affine(id, now, report);
        }
    }

    /// Records that a container's launch was submitted: from now on it is owned.
    pub(super) fn launched(&mut self, now: Millis, container: ContainerId) {
        let Some((component, host)) = self.assigned.remove(&container) else { return };
        self.history.entry(&host, component);
        let instance = Instance { component, host, created: now, started: None, released: false };
        self.starting.insert(container, instance.clone());
        self.owned.insert(container, instance);
    }

    /// Records that a container runs.
    pub(super) fn started(&mut self, now: Millis, container: ContainerId) {
        self.totals.started += 1;
        let Some(instance) = self.owned.get_mut(&container) else { return };
        instance.started = Some(now);
        if self.starting.remove(&container).is_none() {
            return;
        }
        let (id, host) = (instance.component, instance.host.clone());
        if let Some(component) = self.components.get_mut(&id) {
            component.counters.started += 1;
        }
        self.live.insert(container);
        self.history.entry(&host, id).started();
        self.save(now);
    }

    /// Records that a node could not start a container. YARN will still report its end.
    pub(super) fn launch_failed(&mut self, now: Millis, container: ContainerId, report: &mut Report) {
        self.totals.failed += 1;
        self.totals.start_failed += 1;
        self.owned.remove(&container);
        let Some(instance) = self.starting.remove(&container) else { return };
        let (id, host) = (instance.component, instance.host.clone());
        self.failed.insert(container, instance);
        report.decisions.push(Decision::LaunchFailed { container, component: id });
        self.charge(id, true, ContainerOutcome::Failed, LastFailure::AtLaunch);
        self.history.entry(&host, id).start_failed();
        self.save(now);
    }

    fn charge(&mut self, id: i32, startup: bool, outcome: ContainerOutcome, how: LastFailure) {
        let completed_counts = self.version == Version::V092;
        if let Some(component) = self.components.get_mut(&id) {
            component.last_failure = Some(how);
            charge(&mut component.counters, startup, outcome, completed_counts);
        }
    }

    /// Records the end of a container.
    pub(super) fn completed(&mut self, now: Millis, container: ContainerId, exit_status: i32) -> Ended {
        if let Some((id, host)) = self.releasing.remove(&container) {
            if let Some(component) = self.components.get_mut(&id) {
                less(&mut component.counters.releasing);
                less(&mut component.counters.actual);
                component.counters.completed += 1;
            }
            let free = self.history.entry(&host, id).completed(true, ContainerOutcome::Completed);
            self.finished(&host, id, free, now);
            self.forget(container);
            return Ended::Released;
        }
        if self.surplus.remove(&container) {
            return Ended::Surplus;
        }
        let instance = match self.owned.remove(&container) {
            Some(instance) => {
                self.totals.failed += 1;
                self.failed.insert(container, instance.clone());
                instance
            }
            None => match self.failed.get(&container) {
                Some(instance) => instance.clone(),
                None => {
                    self.totals.unknown_completed += 1;
                    self.forget(container);
                    return Ended::Unknown;
                }
            },
        };
        self.forget(container);
        let outcome = ContainerOutcome::of(exit_status);
        let (id, host) = (instance.component, instance.host);
        let short_lived = instance.started.is_none_or(|started| now - started < self.short_life);
        let failures = |slider: &Self| slider.components.get(&id).map_or(0, |c| c.counters.failed_recently);
        let before = failures(self);
        if let Some(component) = self.components.get_mut(&id) {
            less(&mut component.counters.actual);
        }
        self.charge(id, short_lived, outcome, LastFailure::Ended { container, host: host.clone(), exit_status });
        let recent = Some(failures(self)).filter(|now| *now > before);
        let entry = self.history.entry(&host, id);
        let free = if short_lived {
            entry.start_failed();
            false
        } else {
            entry.completed(false, outcome)
        };
        self.finished(&host, id, free, now);
        Ended::Failed { outcome, short_lived, recent }
    }

    /// Records that a container ended on a host, and whether it left the host free.
    fn finished(&mut self, host: &str, id: i32, free: bool, now: Millis) {
        if free {
            self.history.free(host, id, now);
        }
        self.save(now);
    }

    fn forget(&mut self, container: ContainerId) {
        self.live.remove(&container);
        self.owned.remove(&container);
    }

    /// Gives back a container whose agent no longer reports.
    pub(super) fn agent_lost(&mut self, container: ContainerId, report: &mut Report) {
        if !self.owned.contains_key(&container) {
            return;
        }
        match self.submit_release(container, ReleaseReason::AgentLost, report) {
            Ok(()) => report.review = true,
            Err(refused) => report.refused = Some(refused),
        }
    }
}
