//! The simulation itself: its state, and one step of it.

use super::fair::FairThreads;
use super::machine::{Machine, Process};
use super::masters;
use super::queue::{Event, EventQueue};
use crate::journal::Recorder;
use crate::model::{AppId, AttemptId, ContainerId, Millis, NodeId, RequestKey, Resource, limits};
use crate::rm::{AppState, Refusal, ResourceManager, RmEvent};
use crate::scenario::{Phases, Scenario};
use crate::strategy::{Act, ApplicationMaster, Master, exit};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How long a run without `until` goes on when nothing changes any more while something still waits.
const STALL_MS: Millis = 60_000;
/// Fruitless asynchronous walks after which the scheduler is taken to be idle, besides those that opportunities
/// counted by requests need.
const FRUITLESS_WALKS: u64 = 3;

/// A container that an application got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Got {
    /// Which.
    pub id: ContainerId,
    /// Is it an ApplicationMaster's?
    pub am: bool,
    /// The key that it was asked under.
    pub key: Option<RequestKey>,
    /// Where it is.
    pub node: NodeId,
    /// The tag that it is counted under, where the application has several.
    pub tag: Option<String>,
    /// Its number among those of its application (or tag) that are no AMs, from 1; 0 for an AM.
    pub number: usize,
}

/// An application of the scenario as it runs.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AppRun {
    /// Its number in the ResourceManager, once it was submitted and not refused.
    pub id: Option<AppId>,
    /// The call that submitted it was refused, with these words.
    pub refused: Option<String>,
    /// Its master, from registration to the end of the attempt.
    pub master: Option<Master>,
    /// The present attempt, from 1.
    pub attempt: u32,
    /// Container of the present attempt's AM.
    pub am: Option<ContainerId>,
    /// When the ResourceManager last heard of its AM: its registration or its latest call.
    heard_at: Millis,
    /// When the ResourceManager will miss its AM, which hangs.
    missed_at: Option<Millis>,
    /// When the ResourceManager will look whether its lifetime is over.
    lifetime_check: Option<Millis>,
    /// When its AM beats next, while it does.
    pub next_heartbeat: Option<Millis>,
    /// Containers that it ever got, in the order in which it got them, AMs included: the k-th has number k.
    pub containers: Vec<Got>,
    /// How many of them were AMs.
    ams: usize,
    /// The last time that its heartbeat was an empty one: the number of the calm (see `Simulation`).
    calm: u64,
    /// Counts of the masters of earlier attempts.
    pub before: crate::strategy::Progress,
    /// What its AM was last told that it may still get.
    pub headroom: Resource,
    /// A call of its AM was refused, with these words; the latest one.
    pub call_refused: Option<(Millis, String)>,
}

impl AppRun {
    /// What a container that the application gets now is called: its tag, if it has several, and its number. `ahead`
    /// is how many others come before it.
    pub fn number(&self, key: RequestKey, ahead: usize) -> (Option<String>, usize) {
        let numbered = self.master.as_ref().and_then(|m| m.numbered(key));
        numbered.unwrap_or_else(|| (None, self.containers.len() - self.ams + ahead + 1))
    }

    /// Counts of all attempts.
    pub fn progress(&self) -> crate::strategy::Progress {
        let now = self.master.as_ref().map(|m| m.progress()).unwrap_or_default();
        crate::strategy::Progress {
            asked: self.before.asked + now.asked,
            done: self.before.done + now.done,
            failed: self.before.failed + now.failed,
            rejected: self.before.rejected + now.rejected,
        }
    }
}

/// What a [`Notice`] calls a refresh of the queues.
pub const REFRESH: &str = "new settings";

/// Something that was refused and has no place elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// When.
    pub at: Millis,
    /// What was tried: "node n1 registers", "application a is moved to root.b".
    pub what: String,
    /// The real system's words.
    pub words: String,
    /// The application that it is about, by its place in the scenario.
    pub app: Option<usize>,
}

/// Why a run is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The scenario's `until` is reached.
    Until,
    /// Nothing more can happen.
    Idle,
    /// Something waits, and nothing that could help is going to happen.
    Stalled,
    /// The limit of events is reached.
    CutOff,
}

/// One step that was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stepped {
    /// When.
    pub at: Millis,
    /// What happened.
    pub event: Event,
    /// Was it more than an empty heartbeat?
    pub stirred: bool,
}

/// A scenario in play. Plain data: a clone is a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    pub(super) scenario: Arc<Scenario>,
    pub(super) rm: ResourceManager,
    pub(super) now: Millis,
    pub(super) queue: EventQueue,
    pub(super) machines: Vec<Machine>,
    pub(super) machine_of: Vec<usize>,
    pub(super) apps: Vec<AppRun>,
    pub(super) run_of: Vec<usize>,
    /// Thousands of them come and go in the middle: a tree.
    pub(super) processes: BTreeMap<ContainerId, Process>,
    pub(super) notices: Vec<Notice>,
    events: u64,
    event_limit: u64,
    ended: Option<Ended>,
    /// Counts whatever happened but empty heartbeats: what beat emptily since the last such thing is calm.
    stirs: u64,
    stirred_at: Millis,
    /// Empty heartbeats since the last look whether everything is calm.
    empty_beats: usize,
    /// Are there monitors of the scheduler at all?
    monitors: bool,
    /// When each monitor of made queues looks next.
    monitors_at: [Option<Millis>; 2],
    pub(super) fair: FairThreads,
    walk_at: Option<Millis>,
    walked_at: Option<Millis>,
    fruitless: u64,
    random: u64,
    asynchronous: bool,
}

impl Simulation {
    /// A scenario at its start: nothing has happened yet. Errors: the ResourceManager refuses the settings; the
    /// message is Hadoop's.
    pub fn new(scenario: Arc<Scenario>) -> Result<Self, Refusal> {
        let rm = ResourceManager::new(scenario.settings.clone())?;
        let asynchronous = rm.is_asynchronous();
        let mut sim = Simulation {
            now: 0,
            queue: EventQueue::default(),
            machines: Vec::new(),
            machine_of: Vec::new(),
            apps: vec![AppRun::default(); scenario.apps.len()],
            run_of: Vec::new(),
            processes: BTreeMap::new(),
            notices: Vec::new(),
            events: 0,
            event_limit: limits::EVENTS,
            ended: None,
            stirs: 1,
            stirred_at: 0,
            empty_beats: 0,
            monitors: {
                let enabled = scenario.settings.yarn_site.get("yarn.resourcemanager.scheduler.monitor.enable");
                enabled.is_some_and(|v| v.trim().eq_ignore_ascii_case("true"))
            },
            monitors_at: [None; 2],
            fair: FairThreads::default(),
            walk_at: None,
            walked_at: None,
            fruitless: 0,
            random: scenario.seed,
            asynchronous,
            rm,
            scenario,
        };
        let scenario = sim.scenario.clone();
        for (i, node) in scenario.nodes.iter().enumerate() {
            sim.machines.push(Machine::new(node.spec.clone(), node.attributes.clone()));
            sim.queue.add(node.at.max(0), Event::Join(i));
        }
        for (i, happening) in scenario.happenings.iter().enumerate() {
            sim.queue.add(happening.at.max(0), Event::Happening(i));
        }
        for (i, app) in scenario.apps.iter().enumerate() {
            sim.queue.add(app.at.max(0), Event::Submit(i));
        }
        Ok(sim)
    }

    /// The same with another limit of events.
    pub fn with_event_limit(mut self, events: u64) -> Self {
        self.event_limit = events.min(limits::EVENTS);
        self
    }

    // ---- reading

    /// The scenario that is played.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    /// The ResourceManager.
    pub fn rm(&self) -> &ResourceManager {
        &self.rm
    }

    /// Now.
    pub fn now(&self) -> Millis {
        self.now
    }

    /// How many events have happened.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Why the run is over, if it is.
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// The machines: those of the scenario's nodes in their order, then those that joined later.
    pub fn machines(&self) -> &[Machine] {
        &self.machines
    }

    /// The machine of a node.
    pub fn machine(&self, node: NodeId) -> Option<&Machine> {
        self.machine_of.get(node.index()).and_then(|m| self.machines.get(*m))
    }

    /// The applications of the scenario in its order.
    pub fn apps(&self) -> &[AppRun] {
        &self.apps
    }

    /// Place in the scenario of an application.
    pub fn place_of(&self, app: AppId) -> Option<usize> {
        self.run_of.get(app.index()).copied()
    }

    /// What the container of a request is called: its tag, if several are told apart by it, and its number. Known for
    /// requests that are sent one by one, also when the AM is gone.
    pub fn numbered(&self, app: AppId, key: RequestKey) -> Option<(Option<String>, usize)> {
        let place = self.place_of(app)?;
        match &self.apps.get(place)?.master {
            Some(master) => master.numbered(key),
            None => masters::master(&self.scenario, self.scenario.apps.get(place)?, 0, &[]).numbered(key),
        }
    }

    /// A process on a machine.
    pub fn process(&self, container: ContainerId) -> Option<&Process> {
        self.processes.get(&container)
    }

    /// What a copy of it takes, in bytes, roughly: what grows with the cluster, its applications and its containers.
    pub fn weight(&self) -> usize {
        let got: usize = self.apps.iter().map(|run| run.containers.len()).sum();
        let (nodes, apps, queues) = (self.machines.len(), self.apps.len(), self.rm.queues().len());
        4_096 + nodes * 1_024 + apps * 2_048 + queues * 1_536 + self.processes.len() * 512 + got * size_of::<Got>()
    }

    /// What was refused and has no place elsewhere.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Does the scheduler walk by itself (asynchronous scheduling)?
    pub fn is_asynchronous(&self) -> bool {
        self.asynchronous
    }

    /// When the next event comes, if the run goes on. An idle stretch before it is jumped over now.
    pub fn next_at(&mut self) -> Option<Millis> {
        if self.ended.is_none() {
            self.jump_over_idle();
        }
        if self.ended.is_some() {
            return None;
        }
        self.queue.next().map(|(at, _)| at)
    }

    // ---- stepping

    /// Applies exactly one event. `None`: the run is over, [`Self::ended`] says why.
    pub fn step<R: Recorder>(&mut self, rec: &mut R) -> Option<Stepped> {
        if self.ended.is_some() {
            return None;
        }
        if self.events >= self.event_limit {
            self.ended = Some(Ended::CutOff);
            return None;
        }
        self.jump_over_idle();
        if self.ended.is_some() {
            return None;
        }
        let Some((at, event)) = self.queue.next() else { return self.end(Ended::Idle) };
        if self.scenario.until.is_some_and(|until| at > until) {
            self.now = self.scenario.until.unwrap_or(self.now).max(self.now);
            return self.end(Ended::Until);
        }
        self.queue.remove(at, event);
        self.now = at;
        self.rm.set_now(at);
        self.events += 1;
        let stirs = self.stirs;
        self.apply(event, rec);
        self.drain(rec);
        self.plan_monitors();
        self.plan_fair(event);
        Some(Stepped { at, event, stirred: self.stirs != stirs })
    }

    /// Steps until the next event would be later than `time`, or the run is over.
    pub fn run_until<R: Recorder>(&mut self, time: Millis, rec: &mut R) {
        while self.next_at().is_some_and(|at| at <= time) {
            if self.step(rec).is_none_or(|s| s.at > time) {
                break;
            }
        }
    }

    /// Monitors of the scheduler that look after made queues are only played when there is something for them to do.
    fn plan_monitors(&mut self) {
        if !self.monitors {
            return;
        }
        let events = [Event::ManageQueues, Event::RemoveIdleQueues];
        for ((event, due), planned) in events.into_iter().zip(self.rm.next_queue_monitors()).zip(&mut self.monitors_at)
        {
            if let (Some(at), None) = (due, &planned) {
                self.queue.add(at, event);
                *planned = Some(at);
            }
        }
    }

    fn end(&mut self, why: Ended) -> Option<Stepped> {
        self.ended = Some(why);
        None
    }

    fn apply<R: Recorder>(&mut self, event: Event, rec: &mut R) {
        match event {
            Event::Join(machine) => self.join(machine, rec),
            Event::Happening(i) => self.happen(i, rec),
            Event::ProcessEnds(container) => self.process_ends(container),
            Event::Submit(i) => self.submit(i, rec),
            Event::Register(attempt) => self.register(attempt, rec),
            Event::AmHeartbeat(attempt) => self.am_heartbeat(attempt, rec),
            Event::NodeHeartbeat(machine) => self.node_heartbeat(machine, rec),
            Event::Walk => self.walk(rec),
            Event::ManageQueues => {
                self.monitors_at[0] = None;
                if self.rm.manage_queues() {
                    self.stir();
                }
            }
            Event::RemoveIdleQueues => {
                self.monitors_at[1] = None;
                if self.rm.remove_idle_queues(rec) {
                    self.stir();
                }
            }
            Event::FairUpdate => self.fair_update(),
            Event::ContinuousPass => self.continuous_pass(rec),
            Event::CheckQueues => self.check_queues(),
            Event::NodeExpiry(machine) => self.node_expiry(machine, rec),
            Event::AmExpiry(attempt) => {
                self.stir();
                self.rm.expire_am(attempt, rec);
            }
            Event::AllocationExpiry(container) => self.allocation_expiry(container, rec),
            Event::DecommissionPoll(m) => {
                if let Some(id) = self.machines.get(m).filter(|m| !m.alive).and_then(|m| m.id) {
                    self.stir();
                    self.rm.poll_decommissioning(id, rec);
                }
            }
            Event::LifetimeCheck(app) => {
                self.stir();
                self.rm.check_lifetime(app, rec);
            }
        }
    }

    /// How often something happened that is more than an empty heartbeat.
    pub(super) fn stirs(&self) -> u64 {
        self.stirs
    }

    /// Something happened that is more than an empty heartbeat.
    pub(super) fn stir(&mut self) {
        self.stirs += 1;
        self.stirred_at = self.now;
        self.empty_beats = 0;
        if self.asynchronous {
            self.fruitless = 0;
            self.plan_walk();
        }
    }

    // ---- nodes

    /// A machine registers, empty.
    pub(super) fn join<R: Recorder>(&mut self, m: usize, rec: &mut R) {
        self.stir();
        let Some(machine) = self.machines.get_mut(m) else { return };
        // Attributes belong to the host: they stay when its node registers again.
        let (spec, attributes) = (machine.spec.clone(), std::mem::take(&mut machine.attributes));
        let host = spec.host.clone();
        let id = match self.rm.add_node(spec, rec) {
            Ok(id) => id,
            Err(refusal) => return self.notice(format!("node {host} registers"), refusal.message),
        };
        self.set_attributes(&host, &attributes);
        if self.machine_of.len() <= id.index() {
            self.machine_of.resize(id.index() + 1, usize::MAX);
        }
        self.machine_of[id.index()] = m;
        let phase = self.phase(m);
        let machine = &mut self.machines[m];
        machine.clear();
        machine.id = Some(id);
        machine.alive = true;
        machine.last_heartbeat = self.now;
        machine.next_heartbeat = self.now.saturating_add(phase);
        self.queue.add(machine.next_heartbeat, Event::NodeHeartbeat(m));
    }

    fn phase(&mut self, m: usize) -> Millis {
        let interval = self.scenario.timing.node_heartbeat.max(1);
        match self.scenario.timing.phases {
            Phases::Aligned => 0,
            Phases::Spread => {
                let n = self.scenario.nodes.len().max(1) as i64;
                (m as i64 % n) * interval / n
            }
            Phases::Seeded => (self.next_random() % interval as u64) as Millis,
        }
    }

    /// The machine falls silent: it no longer beats, what runs on it is gone.
    pub(super) fn fall_silent(&mut self, m: usize) {
        let Some(machine) = self.machines.get_mut(m) else { return };
        if machine.alive {
            machine.alive = false;
            self.queue.remove(machine.next_heartbeat, Event::NodeHeartbeat(m));
        }
        machine.clear();
        let gone: Vec<ContainerId> = self.processes.iter().filter(|(_, p)| p.machine == m).map(|(id, _)| *id).collect();
        for container in gone {
            self.drop_process(container);
        }
    }

    fn node_heartbeat<R: Recorder>(&mut self, m: usize, rec: &mut R) {
        let now = self.now;
        let interval = self.scenario.timing.node_heartbeat.max(1);
        let Some(machine) = self.machines.get_mut(m) else { return };
        let Some(id) = machine.id else { return };
        let quiet = machine.is_quiet();
        // The answer is filled before the status is processed: what is decided now leaves with the next one.
        let orders = std::mem::take(&mut machine.orders);
        let report = machine.report();
        machine.last_heartbeat = now;
        machine.next_heartbeat = now.saturating_add(interval);
        self.queue.add(machine.next_heartbeat, Event::NodeHeartbeat(m));
        self.rm.heartbeat(id, report, rec);
        if quiet {
            self.machines[m].calm = self.stirs;
            self.empty_beats += 1;
        } else {
            self.stir();
        }
        self.drain(rec);
        for container in orders {
            self.stop_process(container);
        }
        let state = self.rm.node(id).map(|n| n.state);
        if state == Some(crate::scheduler::NodeState::Decommissioned) {
            // The answer was SHUTDOWN.
            self.fall_silent(m);
            self.stir();
        }
    }

    fn node_expiry<R: Recorder>(&mut self, m: usize, rec: &mut R) {
        let Some(machine) = self.machines.get(m) else { return };
        if machine.alive {
            return;
        }
        if let Some(id) = machine.id {
            self.stir();
            self.rm.remove_node(id, rec);
        }
    }

    /// The time at which a monitor that looks every third of `expiry` finds something expired that was last
    /// heard of at `last` (2.4: strictly more than the expiry, at fixed times).
    pub(super) fn check_time(last: Millis, expiry: Millis) -> Millis {
        let period = (expiry / 3).max(1);
        last.saturating_add(expiry).div_euclid(period).saturating_add(1).saturating_mul(period)
    }

    // ---- processes

    /// A process starts on its way: localisation, then work for `run_ms`.
    fn launch(&mut self, container: ContainerId, node: NodeId, launch_ms: Millis, run: Option<(Millis, i32)>) {
        let Some(m) = self.machine_of.get(node.index()).copied() else { return };
        let Some(machine) = self.machines.get_mut(m).filter(|machine| machine.alive) else {
            return self.expect_expiry(container);
        };
        machine.started.push(container);
        let up_at = self.now.saturating_add(launch_ms.max(0));
        let end = run.map(|(ms, code)| (up_at.saturating_add(ms.max(0)), code));
        if let Some((at, _)) = end {
            self.queue.add(at, Event::ProcessEnds(container));
        }
        let process = Process { machine: m, launched_at: self.now, up_at, end, stopping: false };
        self.processes.insert(container, process);
    }

    /// The container was handed out and never starts: its timer will run out.
    fn expect_expiry(&mut self, container: ContainerId) {
        let at = Self::check_time(self.now, self.scenario.timing.allocation_expiry);
        self.queue.add(at, Event::AllocationExpiry(container));
    }

    fn allocation_expiry<R: Recorder>(&mut self, container: ContainerId, rec: &mut R) {
        self.stir();
        self.rm.expire_container(container, rec);
    }

    /// The order to stop has arrived on the node.
    fn stop_process(&mut self, container: ContainerId) {
        let stop = self.scenario.timing.stop.max(0);
        let Some(process) = self.processes.get(&container) else { return };
        if process.stopping {
            return;
        }
        let at = self.now.saturating_add(stop);
        match process.end {
            // A process that ends by itself before it is killed keeps its own code.
            Some((end, _)) if end <= at => {}
            _ => self.end_process_at(container, at, exit::KILLED_BY_RM),
        }
        if let Some(process) = self.processes.get_mut(&container) {
            process.stopping = true;
        }
    }

    /// The process is going to end then.
    pub(super) fn end_process_at(&mut self, container: ContainerId, at: Millis, code: i32) {
        let Some(process) = self.processes.get_mut(&container) else { return };
        if let Some((before, _)) = process.end.replace((at, code)) {
            self.queue.remove(before, Event::ProcessEnds(container));
        }
        self.queue.add(at, Event::ProcessEnds(container));
    }

    fn process_ends(&mut self, container: ContainerId) {
        let Some(process) = self.processes.remove(&container) else { return };
        self.stir();
        self.silence_am(container);
        let code = process.end.map_or(0, |(_, code)| code);
        let Some(machine) = self.machines.get_mut(process.machine).filter(|m| m.alive) else { return };
        machine.started.retain(|c| *c != container);
        machine.ended.push((container, code));
        if self.scenario.timing.extra_heartbeat && machine.next_heartbeat > self.now {
            // The end of a container wakes the heartbeat thread; the following wait starts afresh.
            self.queue.remove(machine.next_heartbeat, Event::NodeHeartbeat(process.machine));
            machine.next_heartbeat = self.now;
            self.queue.add(self.now, Event::NodeHeartbeat(process.machine));
        }
    }

    /// The process is gone with its machine.
    fn drop_process(&mut self, container: ContainerId) {
        if let Some(process) = self.processes.remove(&container) {
            if let Some((at, _)) = process.end {
                self.queue.remove(at, Event::ProcessEnds(container));
            }
            let own = self.place_of(container.app).filter(|i| self.apps[*i].am == Some(container));
            own.into_iter().for_each(|i| self.hang_am(i));
        }
    }

    // ---- applications

    fn submit<R: Recorder>(&mut self, i: usize, rec: &mut R) {
        self.stir();
        let scenario = self.scenario.clone();
        let Some(app) = scenario.apps.get(i) else { return };
        let submission = match masters::submission(&scenario, app) {
            Ok(submission) => submission,
            Err(words) => {
                self.notice_of(i, "refused", words.clone());
                self.apps[i].refused = Some(words);
                return;
            }
        };
        match self.rm.submit(submission, rec) {
            Ok(id) => {
                self.apps[i].id = Some(id);
                self.apps[i].attempt = 1;
                if self.run_of.len() <= id.index() {
                    self.run_of.resize(id.index() + 1, usize::MAX);
                }
                self.run_of[id.index()] = i;
                if let Some(at) = self.rm.lifetime_check(id) {
                    self.queue.add(at, Event::LifetimeCheck(id));
                    self.apps[i].lifetime_check = Some(at);
                }
                if app.am.unmanaged && self.rm.app(id).is_some_and(|a| a.state == AppState::Accepted) {
                    let at = self.now.saturating_add(app.am.start.max(0));
                    self.queue.add(at, Event::Register(AttemptId { app: id, attempt: 1 }));
                }
            }
            Err(refusal) => {
                self.notice_of(i, "refused", refusal.message.clone());
                self.apps[i].refused = Some(refusal.message);
            }
        }
    }

    fn register<R: Recorder>(&mut self, attempt: AttemptId, rec: &mut R) {
        let scenario = self.scenario.clone();
        let Some(i) = self.place_of(attempt.app) else { return };
        let (Some(app), Some(run)) = (scenario.apps.get(i), self.apps.get(i)) else { return };
        // Its process must still be there.
        let process_up = app.am.unmanaged || run.am.is_some_and(|c| self.processes.contains_key(&c));
        if run.attempt != attempt.attempt || !process_up {
            return;
        }
        self.stir();
        if let Err(refusal) = self.rm.register(attempt.app, rec) {
            return self.notice(format!("the ApplicationMaster of {} registers", app.name), refusal.message);
        }
        let master = masters::master(
            &scenario,
            app,
            self.now,
            &self.apps[i].containers.iter().map(|c| c.id).collect::<Vec<_>>(),
        );
        let first = self.now.saturating_add(master.first_heartbeat_ms());
        let run = &mut self.apps[i];
        run.master = Some(master);
        run.heard_at = self.now;
        run.next_heartbeat = Some(first);
        self.queue.add(first, Event::AmHeartbeat(attempt));
        if let (Some((after, code)), Some(am)) = (app.am.fails_after, run.am) {
            let at = self.now.saturating_add(after.max(0));
            self.end_process_at(am, at, code);
        }
    }

    fn am_heartbeat<R: Recorder>(&mut self, attempt: AttemptId, rec: &mut R) {
        let now = self.now;
        let Some(i) = self.place_of(attempt.app) else { return };
        let Some(run) = self.apps.get_mut(i) else { return };
        let Some(master) = &mut run.master else { return };
        let quiet_before = master.is_quiet() && master.wakes_at().is_none_or(|at| at > now);
        let call = master.call(now);
        let empty_call = call == crate::rm::AllocateCall::default();
        let next = now.saturating_add(master.heartbeat_ms().max(1));
        run.next_heartbeat = Some(next);
        run.heard_at = now;
        self.queue.add(next, Event::AmHeartbeat(attempt));
        let answer = match self.rm.allocate(attempt.app, call, rec) {
            Ok(answer) => answer,
            Err(refusal) => {
                self.stir();
                self.notice_of(i, "call refused", refusal.message.clone());
                if let Some(run) = self.apps.get_mut(i) {
                    run.call_refused = Some((now, refusal.message));
                    if let Some(master) = &mut run.master {
                        master.refused(now);
                    }
                }
                return;
            }
        };
        let news = !answer.allocated.is_empty()
            || !answer.completed.is_empty()
            || !answer.preempt.is_empty()
            || !answer.rejected.is_empty();
        let placing = self.rm.is_placing(attempt.app);
        // The placement processor records its rejections itself.
        let recorded = self.rm.placement().settings.handler == crate::constraint::Handler::Processor;
        let Some(run) = self.apps.get_mut(i) else { return };
        run.headroom = answer.headroom;
        for g in &answer.allocated {
            let key = RequestKey { priority: g.priority, allocation_request_id: g.allocation_request_id };
            let (tag, number) = run.number(key, 0);
            run.containers.push(Got { id: g.id, am: false, key: Some(key), node: g.node, tag, number });
        }
        let Some(master) = &mut run.master else { return };
        let acts = master.answer(now, &answer);
        for r in answer.rejected.iter().filter(|_| !recorded) {
            let what = if r.count == 1 { "1 container".to_string() } else { format!("{} containers", r.count) };
            let words = format!("{what} of request {}: {}", r.allocation_request_id, r.reason);
            // YARN tells of it at every call; once is enough for whoever reads.
            if !self.notices.iter().any(|n| n.app == Some(i) && n.words == words) {
                self.notices.push(Notice { at: now, what: "rejected".to_string(), words, app: Some(i) });
            }
        }
        if quiet_before && empty_call && !news && !placing && acts.is_empty() {
            run.calm = self.stirs;
            self.empty_beats += 1;
            return;
        }
        self.stir();
        let launch_ms = self.scenario.apps.get(i).map_or(0, |a| a.am.launch);
        // Containers are launched in the order of their granting, mostly: each is looked for behind the last one.
        let mut granted = answer.allocated.iter().cycle();
        for act in acts {
            match act {
                Act::Launch { container, run_ms, exit_code } => {
                    let each_once = granted.by_ref().take(answer.allocated.len());
                    let Some(grant) = { each_once }.find(|g| g.id == container) else { continue };
                    let key =
                        RequestKey { priority: grant.priority, allocation_request_id: grant.allocation_request_id };
                    let run_ms = run_ms.or_else(|| self.nothing_to_wait_for(i, key).then_some(0));
                    self.launch(container, grant.node, launch_ms, run_ms.map(|ms| (ms, exit_code)));
                }
                Act::Unregister { .. } => self.unregister(i, attempt, rec),
            }
        }
    }

    /// The AM is done: it says so and exits at once.
    fn unregister<R: Recorder>(&mut self, i: usize, attempt: AttemptId, rec: &mut R) {
        self.rm.unregister(attempt.app, rec);
        self.silence(i);
        if let Some(am) = self.apps.get(i).and_then(|run| run.am) {
            self.end_process_at(am, self.now, 0);
        }
    }

    /// The process of an AM is gone: it beats no more.
    fn silence_am(&mut self, container: ContainerId) {
        let Some(i) = self.place_of(container.app) else { return };
        if self.apps.get(i).is_some_and(|run| run.am == Some(container)) {
            self.silence(i);
        }
    }

    /// An AM beats no more, and nobody tells the ResourceManager: it will miss it.
    pub(super) fn hang_am(&mut self, i: usize) {
        let Some(run) = self.apps.get(i) else { return };
        let (Some(app), Some(_)) = (run.id, &run.master) else { return };
        let attempt = AttemptId { app, attempt: run.attempt };
        let at = Self::check_time(run.heard_at, self.scenario.timing.am_expiry);
        self.silence(i);
        let at = at.max(self.now);
        self.queue.add(at, Event::AmExpiry(attempt));
        self.apps[i].missed_at = Some(at);
    }

    /// The attempt of a hanging AM is over.
    fn forget_hanging(&mut self, i: usize, attempt: AttemptId) {
        if let Some(at) = self.apps.get_mut(i).and_then(|run| run.missed_at.take()) {
            self.queue.remove(at, Event::AmExpiry(attempt));
        }
    }

    /// An AM beats no more.
    fn silence(&mut self, i: usize) {
        let Some(run) = self.apps.get_mut(i) else { return };
        let (Some(id), Some(at)) = (run.id, run.next_heartbeat.take()) else { return };
        self.queue.remove(at, Event::AmHeartbeat(AttemptId { app: id, attempt: run.attempt }));
        run.before = run.progress();
        run.master = None;
    }

    // ---- what the ResourceManager wants done

    fn drain<R: Recorder>(&mut self, rec: &mut R) {
        // Handling one may bring up others; each is handled in the order in which it came up.
        loop {
            let events = self.rm.take_events();
            if events.is_empty() {
                return;
            }
            self.stir();
            for event in events {
                self.handle(event, rec);
            }
        }
    }

    fn handle<R: Recorder>(&mut self, event: RmEvent, _rec: &mut R) {
        match event {
            RmEvent::LaunchAm { attempt, container, node } => {
                let Some(i) = self.place_of(attempt.app) else { return };
                let scenario = self.scenario.clone();
                let Some(app) = scenario.apps.get(i) else { return };
                let run = &mut self.apps[i];
                run.attempt = attempt.attempt;
                run.am = Some(container);
                run.containers.push(Got { id: container, am: true, key: None, node, tag: None, number: 0 });
                run.ams += 1;
                self.launch(container, node, app.am.launch, None);
                let at = self.now.saturating_add(app.am.launch.max(0)).saturating_add(app.am.start.max(0));
                self.queue.add(at, Event::Register(attempt));
            }
            RmEvent::StopContainer { node, container } => {
                let machine = self.machine_of.get(node.index()).copied();
                if let Some(machine) = machine.and_then(|m| self.machines.get_mut(m))
                    && machine.alive
                    && !machine.orders.contains(&container)
                {
                    machine.orders.push(container);
                }
            }
            RmEvent::AttemptOver { attempt, .. } => {
                let Some(i) = self.place_of(attempt.app) else { return };
                if self.apps.get(i).is_some_and(|run| run.attempt == attempt.attempt) {
                    self.silence(i);
                    self.forget_hanging(i, attempt);
                    self.queue_register_of_unmanaged(i, attempt);
                }
            }
            RmEvent::AppOver { app, .. } => {
                if let Some(i) = self.place_of(app) {
                    self.end_of(i);
                    self.silence(i);
                    if let Some(at) = self.apps.get_mut(i).and_then(|run| run.lifetime_check.take()) {
                        self.queue.remove(at, Event::LifetimeCheck(app));
                    }
                }
            }
        }
    }

    /// An unmanaged AM is not launched by YARN; a further attempt of it registers by itself.
    fn queue_register_of_unmanaged(&mut self, i: usize, over: AttemptId) {
        let Some(app) = self.scenario.apps.get(i) else { return };
        let next = self.rm.scheduled(over.app).map_or(0, |a| a.attempt);
        let goes_on = self.rm.app(over.app).is_some_and(|a| !a.state.is_final());
        if app.am.unmanaged && goes_on && next > over.attempt {
            let at = self.now.saturating_add(app.am.start.max(0));
            self.apps[i].attempt = next;
            self.queue.add(at, Event::Register(AttemptId { app: over.app, attempt: next }));
        }
    }

    // ---- asynchronous scheduling

    /// The scheduler's thread walks again as soon as its pause is over.
    fn plan_walk(&mut self) {
        let interval = self.scenario.timing.async_interval.max(1);
        let earliest = self.walked_at.map_or(self.now, |at| at.saturating_add(interval));
        let at = earliest.max(self.now);
        if self.walk_at.is_none_or(|planned| planned > at) {
            if let Some(planned) = self.walk_at {
                self.queue.remove(planned, Event::Walk);
            }
            self.walk_at = Some(at);
            self.queue.add(at, Event::Walk);
        }
    }

    fn walk<R: Recorder>(&mut self, rec: &mut R) {
        self.walk_at = None;
        self.walked_at = Some(self.now);
        let start = self.next_random() as usize;
        if self.rm.async_walk(start, rec) {
            self.stir();
        } else {
            self.fruitless += 1;
            if self.fruitless < FRUITLESS_WALKS + self.opportunities_needed() {
                self.plan_walk();
            }
        }
    }

    /// How many walks it may take until requests that name places may go anywhere (capacity-scheduler.md 8.4).
    fn opportunities_needed(&self) -> u64 {
        let nodes = self.rm.cluster().node_count.max(1) as u64;
        let apps = &self.rm.cluster().apps;
        let named = apps
            .iter()
            .filter(|a| a.alive)
            .flat_map(|a| a.asks.open().iter().map(|(_, place)| a.asks.at(*place as usize)));
        named.filter(|k| k.unique_names() > 1).map(|k| k.outstanding() as u64 / nodes + 2).max().unwrap_or(0)
    }

    fn next_random(&mut self) -> u64 {
        // SplitMix64 (Steele, Lea, Flood 2014).
        self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    // ---- idle stretches

    /// Does anything wait that a heartbeat could serve?
    fn anything_waits(&self) -> bool {
        self.rm.cluster().apps.iter().any(|a| a.alive && !a.asks.open().is_empty())
            || self.rm.reservations().next().is_some()
    }

    /// When every node and every AM has beaten emptily since the last real event, and nothing waits, heartbeats up to
    /// the next real event change nothing: they are left out, but for the last one of each.
    fn jump_over_idle(&mut self) {
        let beaters = self.machines.len() + self.apps.len();
        if self.empty_beats < beaters.max(2) {
            return;
        }
        self.empty_beats = 0;
        let stirs = self.stirs;
        let calm = self.machines.iter().all(|m| !m.alive || m.calm == stirs && m.is_quiet())
            && self.apps.iter().all(|a| a.master.is_none() || a.calm == stirs);
        let waits = !self.asynchronous && self.anything_waits();
        let wakes = self.apps.iter().filter_map(|a| a.master.as_ref()?.wakes_at()).min();
        let other = self.queue.next_but_heartbeats();
        let deadline = self.rm.next_node_deadline().map(|at| at.max(self.now.saturating_add(1)));
        let next = [other, wakes, deadline].into_iter().flatten().min();
        if next.is_none() && self.scenario.until.is_none() {
            // Locality delays may need one round of heartbeats for each of the outstanding containers.
            let patience = STALL_MS.saturating_add(self.opportunities_needed() as i64 * 1_000);
            if calm && !self.anything_waits() {
                self.ended = Some(Ended::Idle);
            } else if self.now.saturating_sub(self.stirred_at) >= patience {
                self.ended = Some(Ended::Stalled);
            }
            return;
        }
        if !calm || waits {
            return;
        }
        let until = self.scenario.until.map(|u| u.saturating_add(1));
        let Some(to) = [next, until].into_iter().flatten().min() else { return };
        let beats: Vec<(Millis, Event)> = self.queue.heartbeats().take_while(|(at, _)| *at < to).collect();
        for (at, event) in beats {
            let interval = match event {
                Event::AmHeartbeat(a) => self
                    .place_of(a.app)
                    .and_then(|i| self.apps.get(i)?.master.as_ref().map(|m| m.heartbeat_ms()))
                    .unwrap_or(1),
                _ => self.scenario.timing.node_heartbeat,
            }
            .max(1);
            let later = at + (to - 1 - at) / interval * interval;
            if later > at {
                self.queue.remove(at, event);
                self.queue.add(later, event);
                match event {
                    Event::NodeHeartbeat(m) => self.machines[m].next_heartbeat = later,
                    Event::AmHeartbeat(a) => {
                        if let Some(i) = self.place_of(a.app) {
                            self.apps[i].next_heartbeat = Some(later);
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    pub(super) fn notice(&mut self, what: String, words: String) {
        self.notices.push(Notice { at: self.now, what, words, app: None });
    }

    fn notice_of(&mut self, app: usize, what: &str, words: String) {
        self.notices.push(Notice { at: self.now, what: what.to_string(), words, app: Some(app) });
    }
}
