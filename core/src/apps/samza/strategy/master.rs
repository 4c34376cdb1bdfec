//! Samza as an ApplicationMaster of the simulation: calls of the simulation become events; Samza's decisions become acts and
//! journal entries. The state that outlives an attempt is in the application's store: the coordinator stream, and the
//! configuration and the streams since the last upgrade.

use super::attempt::{Attempt, Ending, SamzaEffects};
use super::client::Client;
use super::decision::{Decision, Event, Wish};
use super::job::model::{Impossible, build};
use super::job::{JobModel, Mode, Properties, Settings};
use super::requests::{Allocated, RequestMode};
use super::{CoordinatorStream, RequestId, Start};
use crate::api::{AllocateCall, AllocateResponse, NodeUpdate};
use crate::apps::samza::journal::NoModel;
use crate::journal::{GiveUp, MasterAct, SamzaAct};
use crate::model::{ContainerId, Millis, RequestKey};
use crate::strategy::{AmAction, ApplicationMaster, AskLog, Order, Progress, Store, TimerId, Turn};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The key of the configuration in the store, once it was changed.
const CONFIGURATION: &str = "job.properties";
/// The prefix of partition counts in the store, once they were changed.
const STREAMS: &str = "streams/";
/// The number of the next request, across all attempts.
const NEXT_REQUEST: &str = "next-request";
/// The exit code of an ApplicationMaster that cannot start, or ends without a status.
const FAILS: i32 = 1;
/// The deployment of a job that names none: the client that submits a job gives it an id.
pub const RUN: &str = "run";

/// The timer of its threads: the next time at which one of them has work.
const THREADS: TimerId = 1;

/// The description of a job, before it runs.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SamzaPlan {
    /// job.properties, as its first start finds it.
    pub properties: String,
    /// The numbers of partitions of input streams.
    pub streams: BTreeMap<String, u32>,
    pub mode: RequestMode,
    pub heartbeat: Millis,
    /// The racks that its ApplicationMaster sees, where they differ from the ResourceManager's.
    pub racks: BTreeMap<String, String>,
}

impl SamzaPlan {
    /// Returns the current configuration: as changed, or the first one.
    pub fn properties(&self, store: &Store) -> String {
        store.get(CONFIGURATION).unwrap_or(&self.properties).to_string()
    }

    /// Returns the current settings.
    pub fn settings(&self, store: &Store) -> Settings {
        let mut settings = Settings::read(&Properties::read(&self.properties(store)).0.config()).0;
        settings.run_id.get_or_insert_with(|| RUN.into());
        settings
    }

    /// Returns the current partition counts.
    pub fn streams(&self, store: &Store) -> BTreeMap<String, u32> {
        let mut out = self.streams.clone();
        for (key, text) in store.iter() {
            if let (Some(name), Ok(count)) = (key.strip_prefix(STREAMS), text.parse()) {
                out.insert(name.into(), count);
            }
        }
        out
    }
}

/// Stores another configuration, for the next start.
pub fn store_configuration(store: &mut Store, text: &str) {
    store.put(CONFIGURATION, text);
}

/// Stores another number of partitions of an input stream.
pub fn store_partitions(store: &mut Store, stream: &str, count: u32) {
    store.put(format!("{STREAMS}{stream}"), count.to_string());
}

/// A Samza ApplicationMaster.
#[derive(Clone, Debug, PartialEq)]
pub struct SamzaMaster {
    plan: Arc<SamzaPlan>,
    /// The attempt, from its registration on, if it could start.
    attempt: Option<Attempt>,
    model: JobModel,
    asks: AskLog,
    done: i64,
    failed: i64,
}

impl SamzaMaster {
    pub fn new(plan: Arc<SamzaPlan>) -> Self {
        let (attempt, model, asks) = Default::default();
        SamzaMaster { plan, attempt, model, asks, done: 0, failed: 0 }
    }

    /// Returns the attempt's state, once it has started.
    pub fn attempt(&self) -> Option<&Attempt> {
        self.attempt.as_ref()
    }

    /// Returns the containers and their tasks.
    pub fn model(&self) -> &JobModel {
        &self.model
    }

    /// Returns the processor of a running or launched container; `None` for an unused one.
    pub fn runs_in(&self, container: ContainerId) -> Option<&str> {
        let samza = self.attempt.as_ref()?.samza();
        let all = samza.running().iter().chain(samza.pending());
        { all }.find(|(_, x)| x.container == container).map(|(p, _)| p.as_str())
    }

    /// Records the host of a container that has started.
    pub fn write_host(&mut self, processor: &str, host: &str) {
        if let Some(attempt) = &mut self.attempt {
            attempt.samza_mut().write_host(processor, host);
        }
    }

    /// Reads the coordinator stream from the store, after a change from outside.
    pub fn read_stream(&mut self, store: &Store) {
        if let Some(attempt) = &mut self.attempt {
            *attempt.stream_mut() = CoordinatorStream::read(store);
        }
    }

    /// Has the attempt process something, and carries out the results.
    fn with(
        &mut self,
        turn: &mut Turn<'_>,
        call: impl FnOnce(&mut Attempt, Millis, &dyn Fn(&str) -> Option<String>) -> SamzaEffects,
    ) {
        let (now, reports, plan) = (turn.now, turn.reports(), self.plan.clone());
        let Some(attempt) = &mut self.attempt else { return };
        let doings = call(attempt, now, &|host| plan.racks.get(host).cloned().or_else(|| reports.rack(host)));
        self.settle(turn, doings);
    }

    /// Records the decisions, saves the stream, and requests the acts.
    fn settle(&mut self, turn: &mut Turn<'_>, doings: SamzaEffects) {
        let SamzaEffects { launch, stop, end, decisions, faults } = doings;
        let decided = !decisions.is_empty();
        for decision in decisions {
            match &decision {
                Decision::Started { processor, container, .. } => self.write_environment(processor, *container),
                Decision::Ended { how: super::decision::Ended::Failed(_), .. } => self.failed += 1,
                Decision::Ended { how: super::decision::Ended::Done { .. }, .. } => self.done += 1,
                _ => {}
            }
            self.keep(turn, decision);
        }
        let Some(attempt) = &self.attempt else { return };
        let fatal = attempt.samza().ends() == Some(super::End::Exception);
        for fault in faults {
            self.keep(turn, Decision::Threw { fault, fatal });
        }
        if decided && let Some(attempt) = &mut self.attempt {
            attempt.samza_mut().keep_stream(turn.store);
            turn.store.put(NEXT_REQUEST, attempt.samza().next_request().to_string());
        }
        for (container, _) in launch {
            turn.act(AmAction::Launch { container, run_ms: None, exit_code: 0 });
        }
        for container in stop {
            turn.act(AmAction::Stop { container });
        }
        match end {
            Some(Ending::Unregisters { succeeded }) => turn.act(AmAction::Unregister { succeeded }),
            Some(Ending::Dies) => turn.act(AmAction::Fail { exit_code: FAILS }),
            None => self.sleep(turn),
        }
    }

    /// Sets the timer to the next time at which one of its threads has work.
    fn sleep(&self, turn: &mut Turn<'_>) {
        match self.attempt.as_ref().and_then(Attempt::wakes_at) {
            Some(at) => turn.act(AmAction::SetTimer { timer: THREADS, at }),
            None => turn.act(AmAction::CancelTimer { timer: THREADS }),
        }
    }

    /// Records the YARN container of a processor in the stream, with high availability.
    fn write_environment(&mut self, processor: &str, container: ContainerId) {
        if let Some(attempt) = &mut self.attempt
            && attempt.samza().settings().am_ha
        {
            attempt.samza_mut().write_environment(processor, environment(container));
        }
    }

    fn keep(&mut self, turn: &mut Turn<'_>, decision: Decision) {
        let key = decision.wish().map(|wish| key_of(self.plan.mode, wish));
        if let (Decision::Asked { due: None, .. }, Some(key)) = (&decision, key) {
            self.asks.add(turn.now, key, 1);
        }
        let app = turn.attempt.app;
        let of = decision.container().filter(|_| decision.processor().is_none());
        turn.note(|| {
            let processor = decision.processor().or_else(|| self.runs_in(of?)).map(Into::into);
            MasterAct::Samza(Box::new(SamzaAct { app, processor, key, decision }))
        });
    }

    fn cannot_start(&mut self, turn: &mut Turn<'_>, why: NoModel) {
        let app = turn.attempt.app;
        self.keep(turn, Decision::NoModel(why));
        turn.note(|| MasterAct::GaveUp { app, why: GiveUp::Definition });
        turn.act(AmAction::Fail { exit_code: FAILS });
    }
}

/// Returns the requests of an attempt that are not served, including those that are not sent yet.
fn wished(attempt: &Attempt) -> impl Iterator<Item = &super::requests::Request> {
    let requests = attempt.samza().requests();
    requests.queue().chain(requests.delayed())
}

/// Returns whether a container of the job neither runs nor is launched: the job continues without it, or it has yet to be
/// requested. Of completed containers Samza keeps only the number.
pub fn is_missing(attempt: &Attempt, processor: &str) -> bool {
    let samza = attempt.samza();
    let launched = samza.running().contains_key(processor) || samza.pending().contains_key(processor);
    !launched && (samza.given_up().contains_key(processor) || samza.counters().completed == 0)
}

/// Returns YARN's key of a request.
fn key_of(mode: RequestMode, wish: &Wish) -> RequestKey {
    RequestKey { priority: Client::priority(mode, wish), allocation_request_id: -1 }
}

/// Returns the stream's name of a YARN container.
fn environment(container: ContainerId) -> String {
    format!("container_{:02}_{:06}", container.attempt, container.seq)
}

fn nodes(all: &[NodeUpdate], racks: &dyn Fn(&str) -> Option<String>) -> BTreeMap<String, String> {
    all.iter().map(|n| (n.host.clone(), racks(&n.host).unwrap_or_default())).collect()
}

impl From<Impossible> for NoModel {
    fn from(why: Impossible) -> Self {
        match why {
            Impossible::NoPartitions => NoModel::NoPartitions,
            Impossible::NoTasks => NoModel::NoTasks,
            Impossible::NoContainers => NoModel::NoContainers,
            Impossible::TooFewTasks { tasks, containers } => NoModel::TooFewTasks { tasks, containers },
            Impossible::NotMultiple { stream, before, now } => NoModel::NotMultiple { stream, before, now },
            Impossible::TaskGone { task, partition } => NoModel::TaskGone { task, partition: partition.to_string() },
            Impossible::UnknownTask { task } => NoModel::UnknownTask { task },
        }
    }
}

impl ApplicationMaster for SamzaMaster {
    fn first_heartbeat_ms(&self) -> Millis {
        0
    }

    fn heartbeat_ms(&self) -> Millis {
        self.plan.heartbeat
    }

    fn registered(&mut self, turn: &mut Turn<'_>) {
        let (now, app, reports, plan) = (turn.now, turn.attempt.app, turn.reports(), self.plan.clone());
        let config = Properties::read(&plan.properties(turn.store)).0.config();
        if let Some(refused) = Settings::read(&config).1.into_iter().next() {
            return self.cannot_start(turn, NoModel::Refused(refused.key));
        }
        let settings = plan.settings(turn.store);
        let mut stream = CoordinatorStream::read(turn.store);
        let built = match build(&settings, &plan.streams(turn.store), &mut stream) {
            Ok(built) => built,
            Err(why) => return self.cannot_start(turn, why.into()),
        };
        self.model = built.model;
        stream.write(turn.store);
        let (now_tasks, before) = (self.model.tasks(Mode::Active).count(), built.dropped.active.map_or(0, |t| t.len()));
        if before > 0 && before != now_tasks {
            self.keep(turn, Decision::TasksChanged { before, now: now_tasks });
        }
        let max = reports.limits(app).1;
        if settings.size.memory_mb() > max.memory_mb() || settings.size.vcores() > max.vcores() {
            self.keep(turn, Decision::TooLarge);
            return turn.act(AmAction::GiveUp(GiveUp::TooLarge));
        }
        let racks = |host: &str| plan.racks.get(host).cloned().or_else(|| reports.rack(host));
        let of =
            |c: ContainerId| stream.environments.iter().find(|(_, e)| **e == environment(c)).map(|(p, _)| p.clone());
        let kept = reports
            .kept(app)
            .into_iter()
            .filter_map(|g| Some((of(g.id)?, Allocated { container: g.id, host: reports.host(g.node), at: now })));
        let start = Start {
            kept: kept.filter(|(p, _)| self.model.containers.contains_key(p)).collect(),
            settings,
            mode: plan.mode,
            model: self.model.clone(),
            nodes: nodes(&reports.running_nodes(), &racks),
            changed: false,
            next_request: turn.store.get(NEXT_REQUEST).and_then(|n| n.parse::<RequestId>().ok()).unwrap_or(0),
            stream,
        };
        let (attempt, doings) = Attempt::start(now, start, &racks);
        self.attempt = Some(attempt);
        self.settle(turn, doings);
    }

    fn call(&mut self, _turn: &mut Turn<'_>) -> AllocateCall {
        self.attempt.as_mut().map_or_else(AllocateCall::default, Attempt::call)
    }

    /// Ends the ApplicationMaster with its current status: the callback of YARN's client throws.
    fn refused(&mut self, turn: &mut Turn<'_>) {
        let app = turn.attempt.app;
        turn.note(|| MasterAct::GaveUp { app, why: GiveUp::CallRefused });
        turn.act(AmAction::Fail { exit_code: FAILS });
    }

    /// Updates the list of nodes, which Samza reads when it meets an unknown host.
    fn nodes_updated(&mut self, turn: &mut Turn<'_>, _nodes: &[NodeUpdate]) {
        let reports = turn.reports();
        let all = nodes(&reports.running_nodes(), &|host| reports.rack(host));
        self.with(turn, |attempt, now, racks| attempt.handle(now, Some(Event::Nodes(all)), racks));
    }

    fn answer(&mut self, turn: &mut Turn<'_>, answer: &AllocateResponse) {
        let completed: Vec<_> = answer.completed.iter().map(|c| (c.id, c.exit_code)).collect();
        let granted: Vec<_> = answer.allocated.iter().map(|g| (g.id, turn.reports().host(g.node))).collect();
        if !completed.is_empty() || !granted.is_empty() {
            self.with(turn, |attempt, now, racks| attempt.hear(now, completed, granted, racks));
        }
    }

    fn container_started(&mut self, turn: &mut Turn<'_>, container: ContainerId) {
        self.with(turn, |attempt, now, racks| attempt.handle(now, Some(Event::Started(container)), racks));
    }

    fn start_failed(&mut self, turn: &mut Turn<'_>, container: ContainerId) {
        let of = |x: &&Allocated| x.container == container;
        let samza = self.attempt.as_ref().map(Attempt::samza);
        let host = samza.and_then(|s| s.pending().values().find(of)).map(|x| x.host.clone()).unwrap_or_default();
        let failed = Event::LaunchFailed(container, host);
        self.with(turn, |attempt, now, racks| attempt.handle(now, Some(failed), racks));
    }

    fn order(&mut self, turn: &mut Turn<'_>, order: Order) -> Result<(), String> {
        match order {
            Order::Stop => turn.act(AmAction::Unregister { succeeded: true }),
            Order::Upgrade => {}
            // A message was written into the stream: the threads read it when they are due.
            Order::Flex => {
                self.read_stream(turn.store);
                self.sleep(turn);
            }
        }
        Ok(())
    }

    fn timer(&mut self, turn: &mut Turn<'_>, _timer: TimerId) {
        self.with(turn, |attempt, now, racks| attempt.handle(now, None, racks));
    }

    fn is_quiet(&self) -> bool {
        self.attempt.as_ref().is_none_or(Attempt::is_quiet)
    }

    fn lacking(&self) -> Vec<(u32, i64)> {
        let (Some(attempt), mut out) = (&self.attempt, Vec::new()) else { return Vec::new() };
        let asked: BTreeSet<&str> = wished(attempt).map(|r| r.processor.as_str()).collect();
        for (part, p) in (0..).zip(self.model.containers.keys()) {
            out.push((part, i64::from(asked.contains(p.as_str()) || is_missing(attempt, p))));
        }
        out
    }

    fn parts_of(&self, key: RequestKey) -> Vec<u32> {
        let Some(attempt) = &self.attempt else { return Vec::new() };
        let of_key = wished(attempt).filter(|r| key_of(self.plan.mode, &r.wish) == key);
        let of_key: BTreeSet<&str> = of_key.map(|r| r.processor.as_str()).collect();
        (0..)
            .zip(self.model.containers.keys())
            .filter(|(_, p)| of_key.contains(p.as_str()))
            .map(|(part, _)| part)
            .collect()
    }

    fn progress(&self) -> Progress {
        Progress { asked: self.asks.total(), done: self.done, failed: self.failed, ..Progress::default() }
    }

    fn asks(&self) -> &AskLog {
        &self.asks
    }
}
