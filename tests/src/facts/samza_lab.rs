//! A job's ApplicationMaster and a cluster that behaves as a case says, for playing facts about Samza.

use crate::facts::read::{int, list, text};
use crate::trace::samza::{config, one_task_each};
use heddle_core::apps::samza::strategy::{
    CoordinatorStream, Decision, Event, JobModel, Operation, Report, RequestMode, Samza, Settings, Start, Wish,
};
use heddle_core::model::{AppId, ContainerId, Millis};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};

/// The start of a lab: late enough for earlier events.
const BEGIN: Millis = 100_000_000_000;

/// The cluster's reaction to a request for a host.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) enum Cluster {
    /// It does nothing.
    #[default]
    Silent,
    /// It allocates a container there at once; `None`: on any host, else on these only.
    Grants(Option<Vec<String>>),
}

impl Cluster {
    /// Reads the reaction that a case describes in words.
    pub(super) fn of(words: &str) -> Self {
        match words.strip_prefix("grants only ") {
            Some(hosts) => {
                Cluster::Grants(Some(hosts.split([' ', ',']).filter(|h| h.contains('-')).map(str::to_string).collect()))
            }
            None if words.starts_with("grants every ask") => Cluster::Grants(None),
            None => Cluster::Silent,
        }
    }

    fn grants(&self, wish: &Wish) -> Option<String> {
        match (self, wish) {
            (Cluster::Grants(None), Wish::AnyHost) => Some("some-host".into()),
            (Cluster::Grants(only), Wish::Host(host)) => {
                only.as_ref().is_none_or(|o| o.contains(host)).then(|| host.clone())
            }
            _ => None,
        }
    }
}

/// A job and its cluster.
pub(super) struct Lab {
    pub(super) samza: Samza,
    pub(super) now: Millis,
    pub(super) cluster: Cluster,
    /// The exit status of containers if nodes start and stop them as ordered; `None`: nodes do not react.
    pub(super) nodes: Option<i32>,
    pub(super) launch_fails_on: Vec<String>,
    names: Vec<String>,
    hosts: Vec<String>,
    /// The wishes of the requests that were sent.
    pub(super) asks: Vec<Wish>,
    asked: BTreeMap<u64, Wish>,
    pub(super) cancelled: Vec<Wish>,
    pub(super) released: Vec<String>,
    pub(super) launched: BTreeMap<String, ContainerId>,
    pub(super) stopped: Vec<ContainerId>,
    pub(super) decisions: Vec<Decision>,
    queue: VecDeque<Event>,
}

impl Lab {
    /// Creates a lab with the settings of a case, on top of these; a host of `None` is unknown.
    pub(super) fn new(
        given: &Value,
        settings: &[(&str, &str)],
        model: JobModel,
        hosts: &Value,
    ) -> Result<Self, String> {
        let mut config = config(&given["config"]);
        config.extend(settings.iter().map(|(k, v)| (k.to_string(), v.to_string())));
        config.insert("job.host-affinity.enabled".into(), (given["host_affinity"] == true).to_string());
        if given["standby"] == true && !config.contains_key("job.standbytasks.replication.factor") {
            let factor = given["replication_factor"].as_i64().unwrap_or(2);
            config.insert("job.standbytasks.replication.factor".into(), factor.to_string());
        }
        let settings = Settings::of(&config).map_err(|r| format!("refused: {r:?}"))?;
        let stream = CoordinatorStream { hosts: crate::trace::samza::texts(hosts), ..CoordinatorStream::default() };
        let (nodes, kept, changed) = (BTreeMap::new(), Vec::new(), false);
        let start = Start { settings, mode: RequestMode::Strict, model, stream, nodes, kept, changed, next_request: 0 };
        Ok(Self::start(start))
    }

    pub(super) fn start(start: Start) -> Self {
        let (samza, report) = Samza::start(BEGIN, start);
        let mut lab = Lab {
            samza,
            now: BEGIN,
            cluster: Cluster::Silent,
            nodes: None,
            launch_fails_on: Vec::new(),
            names: Vec::new(),
            hosts: Vec::new(),
            asks: Vec::new(),
            asked: BTreeMap::new(),
            cancelled: Vec::new(),
            released: Vec::new(),
            launched: BTreeMap::new(),
            stopped: Vec::new(),
            decisions: Vec::new(),
            queue: VecDeque::new(),
        };
        lab.hear(report);
        lab
    }

    /// Returns a model of these active containers, with replicas.
    pub(super) fn model(actives: usize, given: &Value) -> JobModel {
        let replicas = if given["standby"] == true { given["replication_factor"].as_i64().unwrap_or(2) } else { 1 };
        one_task_each(actives as i32, replicas as i32)
    }

    pub(super) fn container(&mut self, name: &str, host: &str) -> ContainerId {
        self.names.push(name.into());
        self.hosts.push(host.into());
        ContainerId { app: AppId(0), attempt: 1, seq: self.names.len() as u64 - 1 }
    }

    /// Returns the container that last got a name.
    pub(super) fn by_name(&self, name: &str) -> ContainerId {
        let seq = self.names.iter().rposition(|n| n == name).map_or(u64::MAX, |i| i as u64);
        ContainerId { app: AppId(0), attempt: 1, seq }
    }

    pub(super) fn name(&self, c: ContainerId) -> String {
        self.names.get(c.seq as usize).cloned().unwrap_or_default()
    }

    pub(super) fn host(&self, c: ContainerId) -> String {
        self.hosts.get(c.seq as usize).cloned().unwrap_or_default()
    }

    pub(super) fn grant(&mut self, name: &str, host: &str, age: Millis) {
        let container = self.container(name, host);
        let event = Event::Granted(vec![(container, host.into())]);
        let report = self.samza.handle(self.now - age, event);
        self.hear(report);
    }

    pub(super) fn ask(&mut self, processor: &str, host: &Value) {
        let wish = match host.as_str() {
            Some(host) if self.samza.settings().host_affinity => Wish::of(host),
            _ => Wish::AnyHost,
        };
        let report = self.samza.ask_for(self.now, processor, wish);
        self.hear(report);
    }

    pub(super) fn handle(&mut self, event: Event) {
        self.queue.push_back(event);
        // The answers of the cluster and its nodes arrive in the order of the questions.
        for _ in 0..10_000 {
            let Some(event) = self.queue.pop_front() else { return };
            let report = self.samza.handle(self.now, event);
            self.hear(report);
        }
    }

    /// Processes a report: counts its operations, and lets cluster and nodes answer.
    fn hear(&mut self, report: Report) {
        for op in report.operations {
            match op {
                Operation::Request(r) => {
                    self.asks.push(r.wish.clone());
                    self.asked.insert(r.id, r.wish.clone());
                    if let Some(host) = self.cluster.grants(&r.wish) {
                        let name = format!("granted-{}", self.names.len());
                        let container = self.container(&name, &host);
                        self.queue.push_back(Event::Granted(vec![(container, host)]));
                    }
                }
                Operation::Withdraw(id) => self.cancelled.extend(self.asked.get(&id).cloned()),
                Operation::Launch { container, processor, request } => {
                    self.cancelled.extend(self.asked.get(&request).cloned());
                    self.launched.insert(processor.clone(), container);
                    let host = self.host(container);
                    if self.nodes.is_some() && self.launch_fails_on.contains(&host) {
                        self.queue.push_back(Event::LaunchFailed(container, host));
                    } else if self.nodes.is_some() {
                        self.queue.push_back(Event::Started(container));
                        self.samza.stream_mut().write_host(&processor, &host);
                    }
                }
                Operation::Release(container) => self.released.push(self.name(container)),
                Operation::Stop(container) => {
                    self.stopped.push(container);
                    if let Some(code) = self.nodes {
                        self.queue.push_back(Event::Completed(vec![(container, code)]));
                    }
                }
            }
        }
        self.decisions.extend(report.decisions);
    }

    /// Runs a pass of the allocator, reads the messages, and waits for the pause.
    pub(super) fn tick(&mut self) {
        self.handle(Event::Tick);
        self.handle(Event::ReadPlacements);
        self.now += self.samza.settings().allocator_sleep_ms.max(1);
    }

    /// Ticks until a condition holds, for at most a minute.
    pub(super) fn until(&mut self, so: impl Fn(&Lab) -> bool) {
        let end = self.now + 60_000;
        while !so(self) && self.now < end {
            self.tick();
        }
    }

    /// Returns the running processors with their hosts.
    pub(super) fn running(&self) -> Value {
        self.samza.running().iter().map(|(p, x)| (p.clone(), json!(x.host))).collect()
    }

    pub(super) fn pending(&self) -> usize {
        self.samza.requests().queue().count()
    }

    pub(super) fn idle(&self) -> bool {
        self.pending() == 0 && self.samza.requests().delayed().count() == 0
    }

    /// Returns the number of requests for each place.
    pub(super) fn counts(&self) -> Value {
        self.samza.requests().counts().iter().map(|(w, n)| (w.name().to_string(), json!(n))).collect()
    }

    /// Returns the buffers, with the names of the containers in them.
    pub(super) fn buffers(&self) -> Map<String, Value> {
        let names = |b: &Vec<_>| {
            b.iter().map(|x: &heddle_core::apps::samza::strategy::Allocated| json!(self.name(x.container))).collect()
        };
        self.samza.requests().buffers().iter().map(|(w, b)| (w.name().to_string(), Value::Array(names(b)))).collect()
    }

    /// Returns the counters under the names of the facts.
    pub(super) fn counters(&self) -> Value {
        let c = self.samza.counters();
        json!({
            "preferred_host_requests": c.preferred_host_requests, "any_host_requests": c.any_host_requests,
            "matched_resource_requests": c.matched, "expired_preferred_host_requests": c.expired_preferred,
            "failed_standby_allocations": c.failed_standby_allocations, "cancelled_asks": self.cancelled.len(),
        })
    }

    /// Plays the allocations and requests of a case.
    pub(super) fn take(&mut self, given: &Value) {
        let grants = |lab: &mut Lab, all: &Value| {
            for a in list(all) {
                lab.grant(text(&a["container"]), text(&a["host"]), int(&a["age_ms"]));
            }
        };
        grants(self, &given["allocated_before_requests"]);
        for r in list(&given["requests"]) {
            self.ask(text(&r["processor"]), &r["host"]);
        }
        grants(self, &given["allocated"]);
        // Events that the cluster produced meanwhile.
        while let Some(event) = self.queue.pop_front() {
            let report = self.samza.handle(self.now, event);
            self.hear(report);
        }
    }
}
