//! The simulation itself: its state, and one step of it.

use super::calls::Timer;
use super::machine::{Machine, Process};
use super::monitors::Plans;
use super::queue::{Event, EventQueue};
use super::toll::PreemptionCost;
use super::wants::Wants;
use crate::api::Call;
use crate::apps::sim as masters;
use crate::journal::{Fingerprinted, Folded, GiveUp, Recorder};
use crate::model::{AppId, ContainerId, Millis, NodeId, RequestKey, Resource, limits};
use crate::rm::{Cut, Refusal, ResourceManager};
use crate::scenario::Scenario;
use crate::scheduler::{QueueChoice, ShortCuts};
use crate::strategy::{Master, SpecAsks, Store};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A container that an application got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Got {
    pub id: ContainerId,
    /// Whether it is an ApplicationMaster's.
    pub am: bool,
    /// The key that it was asked under.
    pub key: Option<RequestKey>,
    pub node: NodeId,
    /// The tag that it is counted under, where the application has several, or its component.
    pub tag: Option<String>,
    /// Its number among those of its application (or tag, or component) that are no AMs, from 1; 0 for an AM.
    pub number: usize,
}

/// An application of the scenario as it runs.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct AppRun {
    /// Its number in the ResourceManager, once it was submitted and not refused.
    pub id: Option<AppId>,
    /// Whether the call that submitted it was refused.
    pub refused: bool,
    /// Whether a call of its AM was refused.
    pub call_refused: bool,
    /// The success that its AM reported when it unregistered.
    pub succeeded: Option<bool>,
    /// Why its AM gave up although nothing failed.
    pub gave_up: Option<GiveUp>,
    /// Its master, from registration to the end of the attempt.
    pub master: Option<Master>,
    /// The requests of the latest master, where they are sent one by one.
    pub(crate) spec: Option<Arc<SpecAsks>>,
    /// The present attempt, from 1.
    pub attempt: u32,
    /// Container of the present attempt's AM.
    pub am: Option<ContainerId>,
    /// The time of the AM's registration or latest call.
    pub(crate) heard_at: Millis,
    /// The time at which the ResourceManager expires its AM, which hangs.
    pub(crate) missed_at: Option<Millis>,
    /// The time at which the ResourceManager checks its lifetime.
    pub(crate) lifetime_check: Option<Millis>,
    /// Timers and ticks of its AM; ticks have a period.
    pub(crate) timers: Vec<Timer>,
    /// The store that outlives the attempts of its AM.
    pub store: Store,
    /// The delay after its end at which it is submitted again.
    pub(crate) restart: Option<Millis>,
    /// The time of the AM's next heartbeat, while it sends any.
    pub next_heartbeat: Option<Millis>,
    /// All containers that it got, in that order, AMs included: the k-th has number k.
    pub containers: Vec<Got>,
    /// The number of AMs among `containers`.
    pub(crate) ams: usize,
    /// The value of `Simulation::stirs` at its latest empty heartbeat: if it is still the same, nothing has happened
    /// since.
    pub(crate) calm: u64,
    /// The sums of [`Progress`](crate::strategy::Progress) over the attempts before the present one.
    pub before: crate::strategy::Progress,
    /// The headroom in the latest answer to its AM.
    pub headroom: Resource,
    /// The containers whose processes their nodes started again, with the times.
    pub(crate) relaunches: BTreeMap<ContainerId, super::nm_container::Retries>,
    /// What preemption has cost it.
    pub toll: PreemptionCost,
    /// The times since which it wants what it lacks, by part; empty for kinds that ask for everything at once.
    pub wants: Wants,
    /// The containers of the latest preemption message to its AM.
    pub(crate) warned_of: Vec<ContainerId>,
}

impl AppRun {
    /// Returns the time of the AM's registration or latest call.
    pub fn heard_at(&self) -> Millis {
        self.heard_at
    }

    /// Returns the time at which the ResourceManager expires its AM; `None`: the AM does not hang.
    pub fn missed_at(&self) -> Option<Millis> {
        self.missed_at
    }

    /// Returns the containers whose processes their nodes started again, with the times.
    pub fn relaunched(&self) -> impl Iterator<Item = (ContainerId, &super::nm_container::Retries)> {
        self.relaunches.iter().map(|(container, retries)| (*container, retries))
    }

    /// Returns the name of a container that the application gets now: its tag (if it has several) or its component, and
    /// its number. `ahead`: the keys of the containers that are numbered before it.
    pub fn number(&self, key: RequestKey, ahead: impl Iterator<Item = RequestKey>) -> (Option<String>, usize) {
        let master = self.master.as_ref();
        if let Some(numbered) = master.and_then(|m| m.numbered(key)) {
            return numbered;
        }
        let component = |key| master.and_then(|m| m.component(key));
        match component(key) {
            Some(name) => {
                let before = self.containers.iter().filter(|got| got.tag.as_deref() == Some(name)).count();
                let ahead = ahead.filter(|key| component(*key) == Some(name)).count();
                (Some(name.to_string()), before + ahead + 1)
            }
            None => (None, self.containers.len() - self.ams + ahead.count() + 1),
        }
    }

    /// Returns the sums over all attempts.
    pub fn progress(&self) -> crate::strategy::Progress {
        let now = self.master.as_ref().map(|m| m.progress()).unwrap_or_default();
        crate::strategy::Progress {
            asked: self.before.asked + now.asked,
            done: self.before.done + now.done,
            failed: self.before.failed + now.failed,
            rejected: self.before.rejected + now.rejected,
            begun_again: self.before.begun_again + now.begun_again,
            resumed: self.before.resumed + now.resumed,
        }
    }
}

/// Something that was refused, or cut, and is not in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    pub at: Millis,
    pub tried: Tried,
    /// The result.
    pub outcome: TriedOutcome,
    /// How the queue of a submission was chosen, up to the rule at which the ResourceManager stopped.
    pub choice: Option<Arc<QueueChoice>>,
}

/// Something that was tried. Applications are named by their place in the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// An application is submitted.
    Submission(usize),
    Registration(usize),
    /// Its AM makes an allocate call.
    Call(usize),
    /// A request of the application is to be placed.
    Request {
        app: usize,
        allocation_request_id: i64,
        /// The number of containers of the request.
        count: i64,
    },
    /// The machine of this place registers as a node.
    Node(usize),
    /// The happening of this place in the scenario.
    Happening(usize),
}

impl Tried {
    /// Returns the application's place in the scenario; `None`: it is about none.
    pub fn app(&self) -> Option<usize> {
        match self {
            Tried::Submission(app) | Tried::Registration(app) | Tried::Call(app) | Tried::Request { app, .. } => {
                Some(*app)
            }
            Tried::Node(_) | Tried::Happening(_) => None,
        }
    }
}

/// The result of something that was tried.
#[derive(Clone, Debug, PartialEq)]
pub enum TriedOutcome {
    Refused(Refusal),
    /// The size was lowered.
    Cut(Cut),
    /// It changed nothing.
    Nothing,
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
    pub at: Millis,
    pub event: Event,
    /// Whether it was more than an empty heartbeat.
    pub stirred: bool,
}

/// A run of a scenario. Plain data: a clone is a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    pub(crate) scenario: Arc<Scenario>,
    pub(crate) rm: ResourceManager,
    pub(crate) now: Millis,
    pub(crate) queue: EventQueue,
    pub(crate) machines: Vec<Machine>,
    pub(crate) machine_of: Vec<usize>,
    pub(crate) apps: Vec<AppRun>,
    pub(crate) run_of: Vec<usize>,
    /// A tree, since thousands come and go in the middle.
    pub(crate) processes: BTreeMap<ContainerId, Process>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) events: u64,
    pub(crate) event_limit: u64,
    pub(crate) ended: Option<Ended>,
    /// The number of events that were no empty heartbeat. A node or AM whose latest heartbeat is later than the last of
    /// them, and was empty, is calm.
    pub(crate) stirs: u64,
    pub(crate) stirred_at: Millis,
    /// The number of empty heartbeats since the last check that everything is calm.
    pub(crate) empty_beats: usize,
    pub(crate) plans: Plans,
    pub(crate) walk_at: Option<Millis>,
    pub(crate) walked_at: Option<Millis>,
    pub(crate) fruitless: u64,
    pub(crate) random: u64,
    pub(crate) asynchronous: bool,
    /// Whether the applications that run already at the start (`[apps.now]`) were taken in.
    pub(crate) begun: bool,
    /// Whether any task lasts until another application is over.
    pub(crate) nested: bool,
    /// What kinds of applications keep of processes and disks.
    pub(crate) kinds: masters::States,
    /// Stands in for the master of every application.
    #[cfg(test)]
    pub(crate) probe: Option<crate::strategy::probe::Probe>,
}

impl Simulation {
    /// Sets up a scenario without applying any event. Errors: the ResourceManager refuses the settings; the message is
    /// Hadoop's.
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
            plans: Plans::of(rm.scheduler()),
            walk_at: None,
            walked_at: None,
            fruitless: 0,
            random: scenario.seed,
            asynchronous,
            begun: false,
            nested: scenario.apps.iter().flat_map(|a| a.kind.tasks()).any(|g| g.until.is_some()),
            kinds: masters::States::default(),
            #[cfg(test)]
            probe: None,
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
            masters::played(&app.kind).before(&mut sim, i);
            sim.queue.add(app.at.max(0), Event::Submit(i));
        }
        sim.plan_of_kinds();
        Ok(sim)
    }

    /// Makes every round of the preemption monitor an event, also where it would repeat the latest one. Tests compare
    /// such a run with one that leaves these rounds out.
    pub fn with_every_round(mut self) -> Self {
        self.plans.every_round = true;
        self
    }

    /// Takes these short cuts. Tests compare runs with and without them.
    pub fn with_short_cuts(mut self, short_cuts: ShortCuts) -> Self {
        self.rm.take_short_cuts(short_cuts);
        self
    }

    /// Sets the limit of events, which cannot exceed [`limits::EVENTS`].
    pub fn with_event_limit(mut self, events: u64) -> Self {
        self.event_limit = events.min(limits::EVENTS);
        self
    }

    // ---- reading

    /// Returns the scenario that is played.
    pub fn scenario(&self) -> &Arc<Scenario> {
        &self.scenario
    }

    pub fn rm(&self) -> &ResourceManager {
        &self.rm
    }

    pub fn now(&self) -> Millis {
        self.now
    }

    /// Returns the number of events so far.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Returns why the run is over; `None`: it goes on.
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    /// Returns the machines: those of the scenario's nodes in their order, then those that joined later.
    pub fn machines(&self) -> &[Machine] {
        &self.machines
    }

    /// Returns the machine of a node.
    pub fn machine(&self, node: NodeId) -> Option<&Machine> {
        self.machine_of.get(node.index()).and_then(|m| self.machines.get(*m))
    }

    /// Returns the applications in the scenario's order.
    pub fn apps(&self) -> &[AppRun] {
        &self.apps
    }

    /// Returns the place of an application in the scenario.
    pub fn place_of(&self, app: AppId) -> Option<usize> {
        self.run_of.get(app.index()).copied()
    }

    /// Like [`Self::place_of`], but asserts that the application was submitted by this run.
    pub(crate) fn known_place(&self, app: AppId) -> Option<usize> {
        let place = self.place_of(app);
        debug_assert!(place.is_some_and(|i| i < self.apps.len()), "whatever runs was submitted");
        place
    }

    /// Returns the tag (if the application has several) and the number of a request's container. Known for requests
    /// that are sent one by one, also after the AM is gone.
    pub fn numbered(&self, app: AppId, key: RequestKey) -> Option<(Option<String>, usize)> {
        let place = self.place_of(app)?;
        let run = self.apps.get(place)?;
        match (&run.master, &run.spec) {
            (Some(master), _) => master.numbered(key),
            (None, Some(spec)) => spec.numbered(key),
            (None, None) => {
                let app = self.scenario.apps.get(place)?;
                masters::master(&self.scenario, app, &[], self.rm.maximum_capability()).numbered(key)
            }
        }
    }

    /// Counts the chances missed in attempts that were repeated.
    #[cfg(test)]
    pub(crate) fn count_chances(&mut self) {
        self.rm.count_chances();
    }

    /// Returns the process of a container.
    pub fn process(&self, container: ContainerId) -> Option<&Process> {
        self.processes.get(&container)
    }

    /// Estimates the memory of a copy, bytes: what grows with the cluster, its applications and its containers.
    pub fn weight(&self) -> usize {
        let got: usize = self.apps.iter().map(|run| run.containers.len()).sum();
        let kept: usize = self.apps.iter().map(|run| run.store.weight()).sum();
        let (nodes, apps, queues) = (self.machines.len(), self.apps.len(), self.rm.queues().len());
        4_096
            + nodes * 1_024
            + apps * 2_048
            + queues * 1_536
            + self.processes.len() * 512
            + got * size_of::<Got>()
            + kept
            + self.kinds.weight()
    }

    /// Returns what was refused or lowered and is not in the journal.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Returns whether scheduling is asynchronous.
    pub fn is_asynchronous(&self) -> bool {
        self.asynchronous
    }

    /// Skips an idle stretch and returns the time of the next event; `None`: the run is over.
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

    /// Applies exactly one event. Returns `None` once the run is over; [`Self::ended`] says why.
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
        self.plan_rounds(event);
        Some(Stepped { at, event, stirred: self.stirs != stirs })
    }

    /// Returns a copy. Compiled in this crate, and so with its optimisation level, whoever calls it.
    #[inline(never)]
    pub fn checkpoint(&self) -> Self {
        self.clone()
    }

    /// Like [`Self::step`], for the recorder of the page; compiled in this crate together with the recorder's methods.
    #[inline(never)]
    pub fn step_told(&mut self, rec: &mut Fingerprinted<Folded>) -> Option<Stepped> {
        self.step_for(rec)
    }

    /// Like [`Self::step`], with a recorder that is chosen at run time. All callers share one instance of the
    /// scheduler's code, compiled in this crate: slower than a recorder that is known when compiling, and a smaller
    /// program.
    #[inline(never)]
    pub fn step_for(&mut self, mut rec: &mut dyn Recorder) -> Option<Stepped> {
        self.step(&mut rec)
    }

    /// Applies events until the next one would be later than `time`, or the run is over.
    pub fn run_until<R: Recorder>(&mut self, time: Millis, rec: &mut R) {
        while self.next_at().is_some_and(|at| at <= time) {
            if self.step(rec).is_none_or(|s| s.at > time) {
                break;
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
            Event::ProcessEnds(container) => self.process_ends(container, rec),
            Event::ProcessUp(container) => self.process_up(container, rec),
            Event::RestoreEnds => self.restored(rec),
            Event::CleanUp => self.clean_hosts(rec),
            Event::Submit(i) => self.submit(i, rec),
            Event::Register(attempt) => self.register(attempt, rec),
            Event::AmHeartbeat(attempt) => self.am_heartbeat(attempt, rec),
            Event::AmTimer(attempt, timer) | Event::AmTick(attempt, timer) => self.am_timer(attempt, timer, rec),
            Event::NodeHeartbeat(machine) => self.node_heartbeat(machine, rec),
            Event::Walk => self.walk(rec),
            Event::Round(monitor) => self.round(monitor, rec),
            Event::NodeExpiry(machine) => self.node_expiry(machine, rec),
            Event::AmExpiry(attempt) => {
                self.stir();
                rec.tell_call(self.now, || Call::ExpireAm(attempt));
                self.rm.expire_am(attempt, rec);
            }
            Event::AllocationExpiry(container) => self.allocation_expiry(container, rec),
            Event::DecommissionPoll(m) => {
                if let Some(id) = self.machines.get(m).filter(|m| !m.alive).and_then(|m| m.id) {
                    self.stir();
                    rec.tell_call(self.now, || Call::PollDecommissioning(id));
                    self.rm.poll_decommissioning(id, rec);
                }
            }
            Event::LifetimeCheck(app) => self.check_lifetime(app, rec),
        }
    }

    /// Records that something other than an empty heartbeat happened.
    pub(crate) fn stir(&mut self) {
        self.stirs += 1;
        self.stirred_at = self.now;
        self.empty_beats = 0;
        if self.asynchronous {
            self.fruitless = 0;
            self.plan_walk();
        }
    }

    pub(crate) fn refuse(&mut self, tried: Tried, refusal: Refusal) {
        self.notices.push(Notice { at: self.now, tried, outcome: TriedOutcome::Refused(refusal), choice: None });
    }
}
