//! A component's state in the ApplicationMaster of a YARN service (Component, the restart policies and ContainerFailureTracker
//! of hadoop-yarn-services-core).

use super::plan::{ComponentSpec, RestartPolicy};
use crate::api::{AskRow, SchedulingAsk};
use crate::model::RequestKey;
use crate::strategy::ask_table::ANY;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// `yarn.service.container-failure-per-component.threshold`.
pub const MOST_FAILURES: i64 = 10;
/// `yarn.service.node-blacklist.threshold`.
pub const MOST_ON_HOST: i64 = 3;

/// A component.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Component {
    /// `number_of_containers` of the definition that the ApplicationMaster has.
    pub number: i64,
    /// The number that a user last asked for.
    pub desired: i64,
    /// Whether it has left INIT, in which no container is requested.
    pub begun: bool,
    /// The number of the next new instance.
    next: i64,
    /// All instances.
    instances: BTreeSet<i64>,
    /// Instances without a container, in the order in which they get one.
    pub pending: VecDeque<i64>,
    pub succeeded: BTreeSet<i64>,
    pub failed: BTreeSet<i64>,
    /// Failures that count against the limit.
    pub failures: i64,
    on_host: BTreeMap<String, i64>,
    /// Hosts that it asks YARN to avoid.
    pub avoided: BTreeSet<String>,
    /// Containers that YARN's client still requests (without constraints), and whether the number has to be sent.
    outstanding: i64,
    changed: bool,
    /// Requests with constraints to be sent, by their counts.
    requests: Vec<i64>,
    /// Containers requested since the last call.
    fresh: i64,
}

impl Component {
    /// Creates a component with `number` instances, all of them pending.
    pub fn new(number: i64) -> Self {
        let mut out = Component { number, desired: number, ..Component::default() };
        out.make(number);
        out
    }

    fn make(&mut self, count: i64) {
        for _ in 0..count {
            self.instances.insert(self.next);
            self.pending.push_back(self.next);
            self.next += 1;
        }
    }

    /// Returns whether this is still an instance.
    pub fn has(&self, instance: i64) -> bool {
        self.instances.contains(&instance)
    }

    /// Removes an instance from the pending ones. Returns whether it was one.
    pub fn take(&mut self, instance: i64) -> bool {
        let at = self.pending.iter().position(|i| *i == instance);
        at.is_some_and(|at| self.pending.remove(at).is_some())
    }

    /// Requests containers (requestContainers).
    pub fn ask(&mut self, count: i64, constraints: bool) {
        if count <= 0 {
            return;
        }
        self.fresh += count;
        if constraints {
            self.requests.push(count);
        } else {
            self.outstanding += count;
            self.changed = true;
        }
    }

    /// Adds instances.
    pub fn grow(&mut self, by: i64, constraints: bool) {
        self.ask(by, constraints);
        self.make(by);
    }

    /// Removes the newest instances, and returns their numbers. Outstanding requests stay.
    pub fn shrink(&mut self, by: i64) -> Vec<i64> {
        let gone: Vec<i64> = (0..by).map_while(|_| self.instances.pop_last()).collect();
        for instance in &gone {
            self.take(*instance);
            self.next -= 1;
        }
        gone
    }

    /// Records that a container was granted, which meets one request. Returns the oldest pending instance, if there is one.
    pub fn granted(&mut self) -> Option<i64> {
        if self.outstanding > 0 {
            self.outstanding -= 1;
            self.changed = true;
        }
        self.pending.pop_front()
    }

    /// Records a failure that is blamed on the component and its host. Returns the number of failures on the host if it is
    /// avoided from now on.
    pub fn blamed(&mut self, host: &str) -> Option<i64> {
        self.failures += 1;
        let there = self.on_host.entry(host.to_string()).or_default();
        *there += 1;
        let there = *there;
        (there > MOST_ON_HOST && self.avoided.insert(host.to_string())).then_some(there)
    }

    /// Ends the failure window. Returns the hosts that were avoided.
    pub fn forget_failures(&mut self) -> BTreeSet<String> {
        self.failures = 0;
        self.on_host.clear();
        std::mem::take(&mut self.avoided)
    }

    /// Returns how many instances count as ready for components that depend on it.
    pub fn counts_as_ready(&self, policy: RestartPolicy, ready: i64) -> i64 {
        match policy {
            RestartPolicy::Always => ready,
            _ => ready + self.done(),
        }
    }

    /// Returns the number of instances that are over and not requested again.
    pub fn done(&self) -> i64 {
        (self.succeeded.len() + self.failed.len()) as i64
    }

    /// Returns whether all its instances have succeeded (hasCompletedSuccessfully).
    pub fn has_succeeded(&self, policy: RestartPolicy) -> bool {
        !policy.is_long_lived() && self.succeeded.len() as i64 == self.number
    }

    /// Returns whether nothing is left to do for it.
    pub fn is_over(&self, policy: RestartPolicy) -> bool {
        match policy {
            RestartPolicy::Always => false,
            RestartPolicy::OnFailure => self.succeeded.len() as i64 >= self.number,
            RestartPolicy::Never => self.done() >= self.number,
        }
    }

    pub fn ended(&mut self, instance: i64, failed: bool) {
        let (to, from) = match failed {
            true => (&mut self.failed, &mut self.succeeded),
            false => (&mut self.succeeded, &mut self.failed),
        };
        from.remove(&instance);
        to.insert(instance);
    }

    /// Returns whether the next call has nothing to send for it.
    pub fn is_quiet(&self) -> bool {
        !self.changed && self.requests.is_empty()
    }

    /// Adds its requests to the next call. Returns how many containers were requested since the last one.
    pub fn call(
        &mut self,
        spec: &ComponentSpec,
        key: RequestKey,
        asks: &mut Vec<AskRow>,
        scheduling: &mut Vec<SchedulingAsk>,
    ) -> i64 {
        if std::mem::take(&mut self.changed) {
            asks.push(AskRow {
                priority: key.priority,
                place: ANY.into(),
                size: spec.size,
                count: self.outstanding,
                relax: true,
                label: None,
                allocation_request_id: key.allocation_request_id,
            });
        }
        scheduling.extend(std::mem::take(&mut self.requests).into_iter().map(|count| spec.scheduling_ask(key, count)));
        std::mem::take(&mut self.fresh)
    }
}
