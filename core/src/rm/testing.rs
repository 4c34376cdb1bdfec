//! A small cluster for tests: a ResourceManager with everything recorded, driven in one line a step.

use super::{AllocateCall, AllocateResponse, AmAsk, AskRow, NodeReport, NodeSpec, Properties, Refusal, RmSettings};
use super::{NodeLabel, ResourceManager, Submission};
use crate::journal::{Entry, Full};
use crate::model::{AppId, ContainerId, Millis, NodeId, Resource};

/// Reads properties from `name value` lines; names of the CapacityScheduler without their prefix.
pub(crate) fn properties(lines: &str, prefix: &str) -> Properties {
    let pairs = lines.lines().filter_map(|l| l.trim().split_once(' '));
    pairs.map(|(name, value)| (format!("{prefix}{name}"), value.trim().to_string())).collect()
}

const CAPACITY: &str = "yarn.scheduler.capacity.";

/// A ResourceManager with its journal.
pub(crate) struct Fixture {
    pub(crate) rm: ResourceManager,
    pub(crate) journal: Full,
}

impl Fixture {
    /// Starts it with these properties of capacity-scheduler.xml and of yarn-site.xml (full names there), in heartbeat
    /// mode.
    pub(crate) fn start(capacity: &str, site: &str, labels: &[&str]) -> Result<Fixture, Refusal> {
        let mut settings = RmSettings {
            capacity_scheduler: properties(capacity, CAPACITY),
            yarn_site: properties(site, ""),
            labels: labels.iter().map(|l| NodeLabel { name: l.to_string(), exclusive: true }).collect(),
            ..RmSettings::default()
        };
        settings.capacity_scheduler.insert(format!("{CAPACITY}schedule-asynchronously.enable"), "false".into());
        let wait = "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms";
        settings.yarn_site.insert(wait.into(), "0".into());
        if !labels.is_empty() {
            settings.yarn_site.insert("yarn.node-labels.enabled".into(), "true".into());
        }
        let mut rm = ResourceManager::new(settings)?;
        rm.set_now(1000);
        Ok(Fixture { rm, journal: Full::default() })
    }

    /// Like [`Fixture::start`], but panics where the settings are refused.
    pub(crate) fn new(capacity: &str, site: &str) -> Fixture {
        Fixture::start(capacity, site, &[]).expect("the settings are accepted")
    }

    /// Takes what was recorded since the last call.
    pub(crate) fn entries(&mut self) -> Vec<Entry> {
        std::mem::take(&mut self.journal).entries.into_iter().map(|(_, e)| e).collect()
    }

    /// Registers a node of so many GB.
    pub(crate) fn node(&mut self, host: &str, gb: i64) -> NodeId {
        let total = Resource::new(gb * 1024, gb);
        let spec = NodeSpec { host: host.into(), port: 1, rack: "/r1".into(), total, label: None };
        self.rm.add_node(spec, &mut self.journal).expect("the node is accepted")
    }

    /// Sets the clock.
    pub(crate) fn at(&mut self, now: Millis) {
        self.rm.set_now(now);
    }

    /// Submits an application with an AM of 1 GB.
    pub(crate) fn try_submit(&mut self, queue: &str, user: &str) -> Result<AppId, Refusal> {
        let am = AmAsk { size: Resource::new(1024, 1), ..AmAsk::default() };
        let submission = Submission { queue: queue.into(), user: user.into(), am: Some(am), ..Submission::default() };
        self.rm.submit(submission, &mut self.journal)
    }

    /// Like [`Fixture::try_submit`], but panics where the call is refused.
    pub(crate) fn submit(&mut self, queue: &str, user: &str) -> AppId {
        self.try_submit(queue, user).expect("the call is accepted")
    }

    /// Sends a heartbeat with nothing to report; AMs whose container it allocates register at once.
    pub(crate) fn heartbeat(&mut self, node: NodeId) {
        self.rm.heartbeat(node, NodeReport::default(), &mut self.journal);
        for event in self.rm.take_events() {
            if let super::RmEvent::LaunchAm { attempt, .. } = event {
                self.rm.register(attempt.app, &mut self.journal).expect("it may register");
            }
        }
    }

    /// Reports these containers as running.
    pub(crate) fn running(&mut self, node: NodeId, running: &[ContainerId]) {
        let report = NodeReport { running: running.to_vec(), ..NodeReport::default() };
        self.rm.heartbeat(node, report, &mut self.journal);
    }

    /// Requests containers of 1 GB on any node at a priority. Returns the answer of an empty call after it.
    pub(crate) fn ask(&mut self, app: AppId, priority: i32, count: i64) -> AllocateResponse {
        let ask = AskRow::anywhere(priority, Resource::new(1024, 1), count);
        let call = AllocateCall { asks: vec![ask], ..AllocateCall::default() };
        self.rm.allocate(app, call, &mut self.journal).expect("the call is accepted")
    }

    pub(crate) fn pull(&mut self, app: AppId) -> AllocateResponse {
        self.rm.allocate(app, AllocateCall::default(), &mut self.journal).expect("the call is accepted")
    }

    /// Returns the containers of an application that run or are about to.
    pub(crate) fn containers(&self, app: AppId) -> Vec<ContainerId> {
        self.rm.containers_of(app).map(|c| c.id).collect()
    }
}
