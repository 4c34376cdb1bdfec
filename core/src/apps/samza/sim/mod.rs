//! The processes of Samza containers: up, restoring, processing; and the contents of the disks of hosts. How restores share a
//! changelog is our own assumption (samza-host-affinity.md section 16).

mod played;

use crate::apps::samza::journal::{Decision, StoreRead};
use crate::apps::samza::strategy::job::{JobModel, Mode, Settings, model, standby};
use crate::apps::samza::strategy::state::disks::Wanted;
use crate::apps::samza::strategy::state::{Changelog, Disks, StoreKey, Volume, paths, restore};
use crate::apps::samza::strategy::stream::StreamMessageKind;
use crate::apps::samza::strategy::{CoordinatorStream, RequestMode};
use crate::journal::{MasterAct, Recorder, SamzaAct};
use crate::model::{ContainerId, Millis, NodeId};
use crate::scenario::SamzaApp;
use crate::sim::Simulation;
use crate::sim::queue::Event;
use crate::strategy::{Master, SamzaMaster};
use std::collections::{BTreeMap, BTreeSet};

mod books;
mod courses;
mod orphans;
#[cfg(test)]
mod tests;
mod users;
mod views;

pub use courses::{HostAtExpiry, PlacementRecord};

/// The phase of a container's process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Localisation and start.
    Starting,
    /// Reading the data that its stores lack, since this time.
    Restoring(Millis),
    /// Processing, or following as standby, since this time.
    Processing(Millis),
}

/// A store that a process has.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Held {
    place: StoreKey,
    rule: restore::Store,
    volume: Volume,
    /// The system of its changelog.
    system: Option<String>,
}

/// The process of a Samza container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamzaProcess {
    /// The application, by its place in the scenario.
    pub app: usize,
    pub processor: String,
    pub host: String,
    pub phase: Phase,
    /// The bytes that its stores lacked at the start.
    pub reads: u64,
    /// The time at which its process is up.
    pub up_at: Millis,
    /// How it came to its host, and the state of the host that it wanted.
    pub course: Option<PlacementRecord>,
    /// Its place among the processes that read at the same time.
    number: u64,
    stores: Vec<Held>,
    /// The systems that it still reads from.
    reading: BTreeSet<String>,
    standby: bool,
    commit_ms: Millis,
    /// Whether its stores outlive it on its host.
    kept: bool,
    /// Whether an orderly end commits (old releases).
    commits_at_end: bool,
}

/// The processing times of a store of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct StoreProgress {
    /// The time up to the start of the process that works on it, or in total if there is none.
    total: Millis,
    /// The time up to the last commit.
    committed: Millis,
}

/// The state of all Samza jobs.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SamzaState {
    disks: Disks,
    changelogs: BTreeMap<String, Changelog>,
    processes: BTreeMap<ContainerId, SamzaProcess>,
    written: BTreeMap<StoreKey, StoreProgress>,
    planned: Option<Millis>,
    next_number: u64,
    /// The bytes that the starts of each application needed, by its place in the scenario.
    wanted: BTreeMap<usize, u64>,
    /// The state of the host when a request expired, by application and processor.
    rooms: BTreeMap<(usize, String), HostAtExpiry>,
}

impl SamzaState {
    /// Returns the approximate size of a copy, in bytes.
    pub fn weight(&self) -> usize {
        let stores: usize = self.processes.values().map(|p| p.stores.len()).sum();
        (self.written.len() + stores + self.rooms.len() + self.processes.len()) * 256
    }

    /// Empties the disks of a host.
    pub(crate) fn lose_disks(&mut self, host: &str) {
        self.disks.lose(host);
    }

    fn total(&self, place: &StoreKey, now: Millis) -> Millis {
        let since = self.processes.values().filter(|p| !p.standby).filter_map(|p| match p.phase {
            Phase::Processing(since) if p.stores.iter().any(|held| held.place == *place) => Some(since),
            _ => None,
        });
        let written = self.written.get(place).copied().unwrap_or_default();
        written.total + since.max().map_or(0, |since| now - since)
    }

    /// Makes the commits of a process up to this time; an orderly end can be one.
    fn commit(&mut self, container: ContainerId, now: Millis, at_end: bool) {
        let Some(process) = self.processes.get(&container).cloned() else { return };
        let Phase::Processing(since) = process.phase else { return };
        let every = process.commit_ms.max(1);
        let last = if at_end { now } else { since + (now - since) / every * every };
        if last <= since {
            return;
        }
        for held in &process.stores {
            let before = self.written.get(&held.place).copied().unwrap_or_default();
            let processed = if process.standby { self.total(&held.place, last) } else { before.total + last - since };
            if !process.standby {
                self.written.entry(held.place.clone()).or_default().committed = processed;
            }
            if process.kept && held.rule.logged && held.rule.persistent {
                self.disks.commit(&process.host, held.place.clone(), held.volume, processed, last);
            }
        }
    }

    /// Returns the earliest end of a restore, if nothing changes before.
    fn next_end(&self) -> Option<Millis> {
        self.changelogs.values().filter_map(|c| c.next_end()).map(|(at, _)| at).min()
    }
}

/// Returns the stores of a container's tasks.
fn stores(app: &SamzaApp, settings: &Settings, model: &JobModel, processor: &str) -> Vec<Held> {
    let job = settings.directory();
    let tasks = model.containers.get(processor).into_iter().flat_map(|c| &c.tasks);
    let mut out = Vec::new();
    for (name, task) in tasks {
        let name = if task.mode == Mode::Standby { standby::active_task(name) } else { name };
        for store in settings.stores.iter().filter(|s| s.factory.is_some()) {
            let place = StoreKey { job: job.clone(), store: store.name.clone(), task: name.into() };
            let rule = restore::Store {
                logged: store.logged(),
                persistent: store.persistent(),
                clean: store.clean_on_start,
                retention_ms: store.retention_ms,
                compaction_lag_ms: store.compaction_lag_ms,
            };
            let system = store.changelog.as_deref().and_then(|c| c.split('.').next()).map(String::from);
            out.push(Held { place, rule, volume: app.volume(&store.name), system });
        }
    }
    out
}

impl Simulation {
    /// Returns the state of Samza jobs.
    pub fn samza_state(&self) -> &SamzaState {
        &self.kinds.samza
    }

    /// Returns the ApplicationMaster of a Samza job, by its place in the scenario, while it runs.
    pub fn samza(&self, place: usize) -> Option<&SamzaMaster> {
        match self.apps().get(place)?.master.as_ref()? {
            Master::Samza(master) => Some(&**master),
            _ => None,
        }
    }

    /// Returns the coordinator stream of a Samza job.
    pub fn coordinator_stream(&self, place: usize) -> CoordinatorStream {
        self.apps().get(place).map_or_else(CoordinatorStream::default, |run| CoordinatorStream::read(&run.store))
    }

    fn samza_spec(&self, place: usize) -> Option<&SamzaApp> {
        self.scenario.apps.get(place)?.kind.get()
    }

    /// Sets up what earlier runs of a job have left: its stream, and its stores on the hosts where it ran.
    pub(crate) fn samza_before(&mut self, place: usize) {
        let scenario = self.scenario.clone();
        let Some(app) = scenario.apps.get(place).and_then(|a| a.kind.get::<SamzaApp>()) else { return };
        if app.before.hosts.is_empty() {
            return;
        }
        let plan = app.plan(0);
        let store = &mut self.apps[place].store;
        let (settings, mut stream) = (plan.settings(store), CoordinatorStream::default());
        let Ok(built) = model::build(&settings, &plan.streams(store), &mut stream) else { return };
        let base = paths::base(scenario.shared.samza.base.as_deref(), &settings);
        for (processor, host) in &app.before.hosts {
            stream.write_host(processor, host);
            let held = stores(app, &settings, &built.model, processor);
            for held in held.into_iter().filter(|h| h.rule.logged && h.rule.persistent && base.is_some()) {
                self.kinds.samza.disks.commit(host, held.place, held.volume, 0, -app.before.stopped);
            }
        }
        stream.write(store);
    }

    /// Records that a container of a job was launched: its process is a Samza process if its master has a processor for it.
    pub(crate) fn samza_launched(&mut self, i: usize, container: ContainerId, node: NodeId) {
        let scenario = self.scenario.clone();
        let (Some(app), Some(master)) = (self.samza_spec(i), self.samza(i)) else { return };
        let Some(processor) = master.runs_in(container).map(String::from) else { return };
        let Some(attempt) = master.attempt() else { return };
        let settings = attempt.samza().settings();
        let host = self.rm.node(node).map_or_else(String::new, |n| n.host.clone());
        let process = SamzaProcess {
            app: i,
            stores: stores(app, settings, master.model(), &processor),
            course: self.course_of(i, &processor, container),
            phase: Phase::Starting,
            reads: 0,
            number: self.kinds.samza.next_number,
            reading: BTreeSet::new(),
            up_at: self.processes.get(&container).map_or(self.now, |p| p.up_at),
            standby: standby::is_standby(&processor),
            commit_ms: settings.commit_ms,
            kept: paths::base(scenario.shared.samza.base.as_deref(), settings).is_some(),
            commits_at_end: app.mode == RequestMode::Relaxed,
            processor,
            host,
        };
        let fails = app.failure_on(&process.host, self.now);
        let up_at = process.up_at;
        self.kinds.samza.next_number += 1;
        let tag = Some(process.processor.clone());
        self.kinds.samza.processes.insert(container, process);
        if let Some(got) = self.apps[i].containers.iter_mut().rev().find(|got| got.id == container) {
            (got.tag, got.number) = (tag, 0);
        }
        self.queue.add(up_at, Event::ProcessUp(container));
        if let Some((after, code)) = fails {
            self.end_process_at(container, up_at.saturating_add(after), code);
        }
    }

    /// Handles the start of a process, which records its host and checks the disks.
    pub(crate) fn samza_up<R: Recorder>(&mut self, container: ContainerId, rec: &mut R) {
        let scenario = self.scenario.clone();
        let now = self.now;
        let Some(process) = self.kinds.samza.processes.get(&container).cloned() else { return };
        let Some(app) = scenario.apps.get(process.app).and_then(|a| a.kind.get::<SamzaApp>()) else { return };
        self.stir();
        let run = &mut self.apps[process.app];
        let settings = app.plan(0).settings(&run.store);
        if settings.host_affinity {
            let row = format!("{}/{}", StreamMessageKind::ContainerHost.name(), process.processor);
            run.store.put(row, process.host.as_str());
            if let Some(Master::Samza(master)) = &mut run.master {
                master.write_host(&process.processor, &process.host);
            }
        }
        self.flow(rec);
        let transactional = settings.transactional_restore;
        let wanted: Vec<Wanted> = process
            .stores
            .iter()
            .map(|held| {
                let processed = match (transactional, self.kinds.samza.written.get(&held.place)) {
                    (true, written) => written.map_or(0, |w| w.committed),
                    (false, _) => self.kinds.samza.total(&held.place, now),
                };
                Wanted { place: held.place.clone(), store: held.rule, volume: held.volume, processed }
            })
            .collect();
        // The standby case of the rule for jobs without checkpoints is left out, as the reference recommends.
        let reads = self.kinds.samza.disks.start(&process.host, &wanted, settings.checkpoints || process.standby, now);
        let mut bytes: BTreeMap<String, u64> = BTreeMap::new();
        for (held, read) in process.stores.iter().zip(&reads) {
            if let Some(system) = held.system.clone().filter(|_| read.bytes() > 0) {
                *bytes.entry(system).or_default() += read.bytes();
            }
            if process.kept && held.rule.logged && held.rule.persistent {
                self.kinds.samza.disks.restored(&process.host, held.place.clone(), held.volume);
            }
        }
        for (system, bytes) in &bytes {
            let capacity = scenario.shared.samza.bandwidth(system);
            let changelog = self.kinds.samza.changelogs.entry(system.clone());
            let changelog = changelog.or_insert_with(|| Changelog::new(capacity, now));
            changelog.start(process.number, *bytes, app.restore_cap);
        }
        if let Some(p) = self.kinds.samza.processes.get_mut(&container) {
            p.reading = bytes.keys().cloned().collect();
            p.reads = bytes.values().sum();
            p.phase = Phase::Restoring(now);
            *self.kinds.samza.wanted.entry(p.app).or_default() += p.reads;
        }
        let reads = || {
            let of = |(held, reads): (&Held, &_)| StoreRead {
                store: held.place.store.as_str().into(),
                task: held.place.task.as_str().into(),
                reads: *reads,
            };
            process.stores.iter().zip(&reads).map(of).collect()
        };
        let (host, recorded) = (process.host.clone(), settings.host_affinity);
        self.note_samza(container, &process.processor, rec, || Decision::Up {
            container,
            host,
            recorded,
            reads: reads(),
        });
        if bytes.is_empty() {
            self.processes_from_now(container, rec);
        }
        self.plan_restores();
    }

    fn note_samza<R: Recorder>(
        &self,
        container: ContainerId,
        processor: &str,
        rec: &mut R,
        make: impl FnOnce() -> Decision,
    ) {
        if rec.on() {
            let act = SamzaAct { app: container.app, processor: Some(processor.into()), key: None, decision: make() };
            rec.keep(self.now, MasterAct::Samza(Box::new(act)).into());
        }
    }

    /// Begins the processing of a process that has restored its state.
    fn processes_from_now<R: Recorder>(&mut self, container: ContainerId, rec: &mut R) {
        let now = self.now;
        let Some(process) = self.kinds.samza.processes.get_mut(&container) else { return };
        process.phase = Phase::Processing(now);
        let process = process.clone();
        let (host, bytes, took) = (process.host.clone(), process.reads, now - process.up_at);
        let Some(app) = self.samza_spec(process.app) else { return };
        let work = app.work.get(&process.processor).or(app.work.get("")).copied().unwrap_or_default();
        self.note_samza(container, &process.processor, rec, || Decision::Restored { container, host, bytes, took });
        let at = work.run_ms.map(|run| now.saturating_add(run));
        let ends = self.processes.get(&container).and_then(|p| p.end).map(|(at, _)| at);
        if let Some(at) = at.filter(|at| ends.is_none_or(|end| *at < end)) {
            self.end_process_at(container, at, work.exit_code);
        }
    }

    /// Advances the restores to now, and finishes those that end.
    fn flow<R: Recorder>(&mut self, rec: &mut R) {
        let now = self.now;
        let mut ended: Vec<(u64, String)> = Vec::new();
        for (system, changelog) in &mut self.kinds.samza.changelogs {
            ended.extend(changelog.advance(now).into_iter().map(|(_, number)| (number, system.clone())));
        }
        ended.sort();
        for (number, system) in ended {
            let found = self.kinds.samza.processes.iter_mut().find(|(_, p)| p.number == number);
            let Some((container, process)) = found else { continue };
            process.reading.remove(&system);
            if process.reading.is_empty() {
                let container = *container;
                self.processes_from_now(container, rec);
            }
        }
    }

    pub(crate) fn restore_ends<R: Recorder>(&mut self, rec: &mut R) {
        self.stir();
        self.kinds.samza.planned = None;
        self.flow(rec);
        self.plan_restores();
    }

    /// Schedules the event of the next end of a restore.
    fn plan_restores(&mut self) {
        let next = self.kinds.samza.next_end().map(|at| at.max(self.now));
        if next == self.kinds.samza.planned {
            return;
        }
        if let Some(at) = std::mem::replace(&mut self.kinds.samza.planned, next) {
            self.queue.remove(at, Event::RestoreEnds);
        }
        if let Some(at) = next {
            self.queue.add(at, Event::RestoreEnds);
        }
    }

    /// Returns the bytes that a process still had to read.
    fn samza_missing(&self, process: &SamzaProcess) -> u64 {
        let of = |system: &String| {
            let mut changelog = self.kinds.samza.changelogs.get(system)?.clone();
            changelog.pass_to(self.now);
            changelog.remaining(process.number)
        };
        process.reading.iter().filter_map(of).sum()
    }

    /// Handles the end of a container's process; `orderly`: it was asked to stop.
    pub(crate) fn samza_gone(&mut self, container: ContainerId, orderly: bool) {
        let now = self.now;
        let Some(process) = self.kinds.samza.processes.get(&container).cloned() else { return };
        self.kinds.samza.commit(container, now, orderly && (process.commits_at_end || process.standby));
        if let (Phase::Processing(since), false) = (process.phase, process.standby) {
            for held in &process.stores {
                self.kinds.samza.written.entry(held.place.clone()).or_default().total += now - since;
            }
        }
        self.kinds.samza.processes.remove(&container);
        if !process.reading.is_empty() {
            let missing = self.samza_missing(&process);
            let wanted = self.kinds.samza.wanted.entry(process.app).or_default();
            *wanted = wanted.saturating_sub(missing);
            // A restore that ends at this very time has ended: its event comes after this one.
            for changelog in self.kinds.samza.changelogs.values_mut() {
                changelog.pass_to(now);
                changelog.cancel(process.number);
            }
            self.plan_restores();
        }
        if process.phase == Phase::Starting {
            self.queue.remove(process.up_at, Event::ProcessUp(container));
        }
    }
}
