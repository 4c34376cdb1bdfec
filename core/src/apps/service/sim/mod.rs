//! What users do to YARN services, what can be observed of these from outside, and what nodes do for them on their own.

mod played;

use crate::apps::service::journal::Decision;
use crate::apps::service::scenario::Upgrade;
use crate::apps::service::strategy::plan::{RELAUNCH_AFTER_MS, RELAUNCH_WINDOW_MS, RELAUNCHES, RestartPolicy};
use crate::apps::service::strategy::{store_count, store_upgrade, stored_count};
use crate::journal::{MasterAct, Recorder, ServiceAct};
use crate::model::{ContainerId, Millis};
use crate::rm::{AppState, Refusal, RefusalRule};
use crate::scenario::ServiceApp;
use crate::sim::Simulation;
use crate::sim::act::not_there;
use crate::sim::nm_container::{Retry, RetryPolicy};
use crate::sim::queue::Event;
use crate::strategy::{Master, Order, ServiceMaster};

#[cfg(test)]
mod tests;

impl Simulation {
    /// Returns the ApplicationMaster of a YARN service, by its place in the scenario, while it runs.
    pub fn service(&self, place: usize) -> Option<&ServiceMaster> {
        match self.apps().get(place)?.master.as_ref()? {
            Master::Service(master) => Some(&**master),
            _ => None,
        }
    }

    /// Returns how many containers each component of a YARN service should have, by its users' last change.
    pub fn service_counts(&self, place: usize) -> Vec<(&str, i64)> {
        let service = self.scenario().apps.get(place).and_then(|app| app.kind.get::<ServiceApp>());
        let (Some(service), Some(run)) = (service, self.apps().get(place)) else { return Vec::new() };
        let count = |name: &str, written| stored_count(&run.store, name).unwrap_or(written);
        service.components.iter().map(|c| (c.name.as_str(), count(&c.name, c.count))).collect()
    }

    /// Like [`Self::slider_disagrees`], for a YARN service.
    pub fn service_disagrees(&self, place: usize) -> Option<ContainerId> {
        let master = self.service(place)?;
        self.disagrees(place, |id| master.knows(id), || master.live().keys().copied())
    }

    pub(crate) fn service_place(&self, name: &str) -> Option<usize> {
        self.scenario().apps.iter().position(|a| a.name == name && a.kind.is::<ServiceApp>())
    }

    /// Stores the numbers as the client does, and notifies the ApplicationMaster, which has to run.
    pub(crate) fn flex_service<R: Recorder>(
        &mut self,
        i: usize,
        counts: &[(String, i64)],
        rec: &mut R,
    ) -> Result<(), Refusal> {
        if self.apps[i].id.is_none() {
            return Err(not_there("it is not submitted at that time"));
        }
        for (component, count) in counts {
            store_count(&mut self.apps[i].store, component, *count);
        }
        self.tell_service(i, Order::Flex, "flex can only be invoked when service is running", rec)
    }

    pub(crate) fn upgrade_service<R: Recorder>(&mut self, upgrade: &Upgrade, rec: &mut R) -> Result<(), Refusal> {
        let i = self.service_place(&upgrade.app).ok_or_else(|| not_there("there is no such YARN service"))?;
        store_upgrade(&mut self.apps[i].store, &upgrade.components);
        self.tell_service(i, Order::Upgrade, "upgrade can only be initiated when service is STABLE", rec)
    }

    /// Sends an order to a service whose ApplicationMaster runs; for others the client refuses, in its own words.
    fn tell_service<R: Recorder>(&mut self, i: usize, order: Order, but: &str, rec: &mut R) -> Result<(), Refusal> {
        let known = self.apps[i].id.and_then(|id| self.rm.app(id));
        let state = known.map_or("NEW", |app| app.state.text());
        if known.is_none_or(|app| app.state != AppState::Running) {
            let name = self.scenario.apps.get(i).map_or("", |app| app.name.as_str());
            return Err(Refusal::of(RefusalRule::Client, format!("{name} is at {state} state, {but}")));
        }
        match self.order(i, order, rec) {
            Some(Err(words)) => Err(Refusal::of(RefusalRule::Client, words)),
            _ => Ok(()),
        }
    }

    /// Restarts a process in its container.
    pub(crate) fn reinitialize(&mut self, i: usize, container: ContainerId, run: Option<(Millis, i32)>) {
        let launch_ms = self.scenario.apps.get(i).map_or(0, |a| a.am.launch.max(0));
        self.begin_again(container, launch_ms, run);
    }

    /// Restarts a process, which is up after the given time.
    fn begin_again(&mut self, container: ContainerId, after: Millis, run: Option<(Millis, i32)>) {
        let now = self.now;
        let Some(process) = self.processes.get_mut(&container).filter(|process| !process.stopping) else { return };
        if let Some((before, _)) = process.end.take() {
            self.queue.remove(before, Event::ProcessEnds(container));
        }
        (process.launched_at, process.up_at) = (now, now.saturating_add(after));
        if let Some((ms, code)) = run {
            let at = process.up_at.saturating_add(ms.max(0));
            process.end = Some((at, code));
            self.queue.add(at, Event::ProcessEnds(container));
        }
    }

    /// Restarts a failed process of a component whose policy lets its node do so (ContainerImpl, RetryContext). Returns whether
    /// it did.
    pub(crate) fn relaunched<R: Recorder>(&mut self, container: ContainerId, rec: &mut R) -> bool {
        let Some(i) = self.place_of(container.app) else { return false };
        let scenario = self.scenario.clone();
        let Some(service) = scenario.apps.get(i).and_then(|app| app.kind.get::<ServiceApp>()) else { return false };
        let got = self.apps.get(i).and_then(|run| run.containers.iter().find(|got| got.id == container));
        let spec = got.and_then(|got| service.component(got.key?.priority));
        let Some((process, spec)) = self.processes.get(&container).zip(spec) else { return false };
        let exit_code = process.end.map_or(0, |(_, code)| code);
        // An exit code below 0 means that YARN ended the process.
        if process.stopping || exit_code < 0 {
            return false;
        }
        let policy =
            if spec.restart_policy == RestartPolicy::Never { RetryPolicy::Never } else { RetryPolicy::AllErrors };
        let retry = Retry { policy, most: RELAUNCHES, window: Some(RELAUNCH_WINDOW_MS) };
        let now = self.now;
        let retries = self.apps[i].relaunches.entry(container).or_insert_with(|| retry.begin());
        if !retry.again(retries, exit_code, now) {
            self.apps[i].relaunches.remove(&container);
            return false;
        }
        let (attempt, most) = (retries.at.len(), RELAUNCHES as usize);
        self.stir();
        let run = spec.work.run_ms.map(|ms| (ms, spec.work.exit_code));
        self.begin_again(container, RELAUNCH_AFTER_MS, run);
        rec.note(now, || {
            let decision = Decision::Relaunched { container, exit_code, attempt, most };
            let component = Some(spec.name.as_str().into());
            MasterAct::Service(Box::new(ServiceAct { app: container.app, component, key: None, decision }))
        });
        true
    }
}
