//! The state of a Samza job as tables: how each container came to its host and what it read, the changelogs' throughput, the
//! stores on disks, the coordinator stream. Also why a container moved.

use super::say::{ASSUMED, amount, processing_since, restoring_for};
use super::say_books as say;
use super::waits;
use crate::apps::PointOf;
use crate::explain::names::Names;
use crate::explain::shown::books::{cell, head, table, text};
use crate::explain::things;
use crate::explain::view::{FactView, LedgerCell, LedgerRow, LedgerTable, LedgerView, SeriesPoint};
use crate::explain::words;
use heddle_core::apps::samza::strategy::attempt::Attempt;
use heddle_core::apps::samza::strategy::job::{JobModel, standby};
use heddle_core::apps::samza::strategy::state::{Disks, StoreKey};
use heddle_core::apps::samza::strategy::{CoordinatorStream, Wish};
use heddle_core::model::{ContainerId, Millis};
use heddle_core::scenario::SamzaApp;
use heddle_core::sim::{Phase, PlacementRecord, SamzaProcess, Simulation};
use std::collections::BTreeMap;

/// Returns the tables of the job at an index of the scenario.
pub fn books(names: Names<'_>, place: usize) -> LedgerView {
    let Some(app) = names.scenario().apps.get(place) else { return LedgerView::default() };
    let mut view = head(names, &app.name, say::LAW);
    let stream = names.sim.coordinator_stream(place);
    let master = names.sim.samza(place).and_then(|master| Some((master.model(), master.attempt()?)));
    if let Some((model, attempt)) = master {
        let of = NamedSamzaAttempt { names, place, model, attempt };
        view.came_to = of.came_to(&app.name);
        view.facts = things::submitted(names, &app.name);
        view.facts.extend(of.facts());
        view.tables.push(of.containers());
    }
    view.tables.push(changelogs(names));
    view.tables.push(disks(names, place, &stream, master.map(|(model, _)| model)));
    view.tables.push(rows(&stream));
    view.tables.retain(|t| !t.rows.is_empty());
    view
}

/// The state of one attempt.
struct NamedSamzaAttempt<'a> {
    names: Names<'a>,
    place: usize,
    model: &'a JobModel,
    attempt: &'a Attempt,
}

impl<'a> NamedSamzaAttempt<'a> {
    fn process(&self, processor: &str) -> Option<(ContainerId, &'a SamzaProcess)> {
        let mut all = self.names.sim.samza_state().processes().iter();
        all.find(|(_, p)| p.app == self.place && p.processor == processor).map(|(id, p)| (*id, p))
    }

    fn came_to(&self, app: &str) -> Vec<String> {
        let short = waits::in_short(self.names, self.place);
        let order = self.model.order();
        let mut out = vec![say::came_to(app, order.len(), short.processing, short.restoring)];
        let lacks = self.names.find_app(app).map_or(Vec::new(), |id| waits::of_app(self.names, id));
        out.extend(lacks.first().map(|told| told.sentence.clone()));
        out
    }

    fn facts(&self) -> Vec<FactView> {
        let c = self.attempt.samza().counters();
        let fact = |name: &str, value: String, formula| FactView { name: name.to_string(), value, formula };
        let count = |name: &str, counter: &str, n: i64| fact(name, n.to_string(), vec![counter.to_string()]);
        let told = self.model.order().into_iter().filter_map(|p| self.process(p)?.1.course.as_ref().map(|t| (p, t)));
        let had: Vec<(&str, &PlacementRecord)> = told.filter(|(_, t)| t.last_host.is_some()).collect();
        let host = |p: &str| self.process(p).map(|(_, process)| process.host.as_str());
        let stayed = had.iter().filter(|(p, t)| t.last_host.as_deref() == host(p)).count();
        let rate = say::match_rate(stayed, had.len());
        let mut out = Vec::new();
        if !had.is_empty() {
            out.push(fact(say::MATCH_RATE, rate.0, rate.1));
        }
        out.push(count(say::MATCHED, "matched-resource-requests", c.matched));
        out.push(count(say::FOR_HOSTS, "preferred-host-requests", c.preferred_host_requests));
        out.push(count(say::EXPIRED_HOST, "expired-preferred-host-requests", c.expired_preferred));
        out.push(count(say::FOR_ANY, "any-host-requests", c.any_host_requests));
        out.push(count(say::EXPIRED_ANY, "expired-any-host-requests", c.expired_any));
        if self.attempt.samza().settings().standby() {
            out.push(count(say::STANDBY_FORBIDDEN, "failed-standby-allocations", c.failed_standby_allocations));
            out.push(count(say::TO_REPLICA, "failovers-to-standby", c.failovers_to_standby));
            out.push(count(say::TO_ANY, "failovers-to-any-host", c.failovers_to_any));
            out.push(count(say::WITH_RACKS, "fault-domain-aware-container-requests", c.rack_requests));
        }
        out
    }

    fn containers(&self) -> LedgerTable {
        let order = self.model.order();
        let rows = order.into_iter().map(|processor| self.container(processor)).collect();
        table(say::CONTAINERS, say::CONTAINER, &say::OF_CONTAINERS, rows)
    }

    fn container(&self, processor: &str) -> LedgerRow {
        let (names, samza) = (self.names, self.attempt.samza());
        let process = self.process(processor);
        let told = process.and_then(|(_, p)| p.course.as_ref());
        let here = process.map(|(id, p)| (p, names.sim.samza_state().remaining(id, names.now)));
        let course = told.map(|t| &t.course).or_else(|| samza.course(processor).filter(|_| here.is_none()));
        let waiting = samza.requests().delayed().find(|r| r.processor == processor);
        let state = match here {
            Some((p, left)) => match p.phase {
                Phase::Starting => say::LAUNCHED.to_string(),
                Phase::Restoring(since) => restoring_for(names.now - since, left),
                Phase::Processing(since) => processing_since(since),
            },
            None if samza.given_up().contains_key(processor) => say::GIVEN_UP.to_string(),
            None if waiting.is_some() || course.is_some_and(|c| c.got.is_none()) => say::WAITS.to_string(),
            None => String::new(),
        };
        let last = told.map_or_else(|| samza.stream().last_host(processor), |t| t.last_host.as_deref());
        let how = process.map_or(Vec::new(), |(id, _)| came(names, id));
        let tasks: Vec<String> =
            self.model.containers.get(processor).map_or(Vec::new(), |c| c.tasks.keys().cloned().collect());
        let restored = match here {
            Some((p, _)) if p.reads == 0 => String::new(),
            Some((p, left)) => match p.phase {
                Phase::Starting => String::new(),
                Phase::Restoring(since) => say::restoring(names.now - since, left),
                Phase::Processing(since) => words::span(since - p.up_at),
            },
            None => String::new(),
        };
        let settings = samza.settings();
        let failed = samza.failures().get(processor).map_or(LedgerCell::default(), |f| {
            let (n, how) = say::failures(f.count, settings.retries, settings.retry_window_ms);
            cell(n, how)
        });
        let assumed = || ASSUMED.map(String::from).to_vec();
        LedgerRow {
            name: processor.to_string(),
            about: process.map(|(id, _)| names.container(id)),
            cells: vec![
                text(state),
                text(last.unwrap_or_default()),
                cell(course.map_or(String::new(), |c| say::asked_for(&c.first, &c.last)), how),
                text(here.map_or("", |(p, _)| p.host.as_str())),
                cell(tasks.len().to_string(), tasks),
                here.map_or(LedgerCell::default(), |(p, _)| cell(amount(p.reads), assumed())),
                text(told.map_or(String::new(), |t| words::span(t.launched - t.course.since))),
                match restored.as_str() {
                    "" => text(""),
                    _ => cell(restored, assumed()),
                },
                failed,
            ],
            ..LedgerRow::default()
        }
    }
}

/// Returns sentences about why the process in a container is on its host; none if the container has no process.
pub fn came(names: Names<'_>, id: ContainerId) -> Vec<String> {
    let Some(process) = names.sim.samza_state().processes().get(&id) else { return Vec::new() };
    let Some(PlacementRecord { course, last_host, room, launched }) = &process.course else { return Vec::new() };
    let samza = names.scenario().apps.get(process.app).is_some_and(|app| app.kind.is::<SamzaApp>());
    let size = names.rm().container(id).map(|c| c.size).filter(|_| samza);
    let missed = course.missed.as_ref().map(|m| {
        let cluster = names.rm().cluster();
        let counted = |r| words::counted(r, cluster.calculator, &cluster.types);
        let room = room.as_ref().map(|room| {
            let needs = size.unwrap_or_default();
            let fits = room.free.is_some_and(|free| cluster.calculator.fits_in(&needs, &free));
            let beat = names.scenario().timing.node_heartbeat;
            let silent = room.free.and(Some(room.heard)).filter(|heard| room.at - heard > 2 * beat);
            let free = room.free.map(|free| (counted(free), counted(needs)));
            let holder = |(id, size): &(ContainerId, _)| say::holder(&names.container_name(*id), &counted(*size));
            say::FullHost { free, fits, silent, holders: room.holders.iter().map(holder).collect() }
        });
        say::Missed { wish: &m.wish, at: m.at, age: m.age, timeout: m.timeout, room }
    });
    let (wishes, why) = ((&course.first, &course.last), (&course.why, course.since));
    say::course(wishes, why, last_host.as_deref(), missed, (&process.host, *launched))
}

/// Returns whether the process in a container is on another host than its former one, or than the requested one.
pub fn moved(names: Names<'_>, id: ContainerId) -> bool {
    let process = names.sim.samza_state().processes().get(&id);
    process.is_some_and(|p| {
        p.course.as_ref().is_some_and(|t| {
            let elsewhere = matches!(&t.course.first, Wish::Host(host) if *host != p.host);
            elsewhere || t.last_host.as_ref().is_some_and(|last| *last != p.host)
        })
    })
}

fn changelogs(names: Names<'_>) -> LedgerTable {
    let state = names.sim.samza_state();
    let row = |system: &str| {
        let (readers, left, _) = state.lag(system, names.now);
        let bandwidth = names.scenario().shared.samza.bandwidth(system);
        let how = || ASSUMED.map(String::from).to_vec();
        LedgerRow {
            name: system.to_string(),
            cells: vec![
                text(say::a_second(bandwidth)),
                cell(say::a_second(state.load(system)), how()),
                text(readers.to_string()),
                cell(amount(left), how()),
            ],
            ..LedgerRow::default()
        }
    };
    table(say::CHANGELOGS, say::SYSTEM, &say::OF_CHANGELOGS, state.systems().map(row).collect())
}

/// Returns the stores on all hosts, and for this job's stores where their tasks are.
fn disks(names: Names<'_>, place: usize, stream: &CoordinatorStream, model: Option<&JobModel>) -> LedgerTable {
    let all: Disks = names.sim.samza_state().disks(names.now);
    let samza = names.scenario().apps.get(place).and_then(|app| app.kind.get::<SamzaApp>());
    let directory = samza.map_or_else(String::new, |app| app.settings().directory());
    let mut at: BTreeMap<&str, &str> = BTreeMap::new();
    for (processor, container) in model.into_iter().flat_map(|m| &m.containers) {
        if !standby::is_standby(processor) {
            at.extend(container.tasks.keys().map(|task| (task.as_str(), processor.as_str())));
        }
    }
    let mut rows = Vec::new();
    for host in all.hosts() {
        let stores = all.on(&host).count();
        rows.push(LedgerRow {
            name: host.clone(),
            about: names.rm().node_by_host(&host).map(|_| crate::explain::view::Selection::Node(host.clone())),
            cells: vec![text(say::on_disks(all.bytes(&host), stores)), text(""), text("")],
            ..LedgerRow::default()
        });
        for (of, bytes, written) in all.on(&host) {
            let used = match at.get(of.task.as_str()).filter(|_| of.job == directory) {
                Some(processor) => say::task_at(processor, stream.last_host(processor)),
                None if of.job == directory && model.is_some() => say::NOBODY.to_string(),
                None => String::new(),
            };
            rows.push(LedgerRow {
                name: place_of(of),
                depth: 1,
                cells: vec![text(amount(bytes)), text(offset(written, names.now)), text(used)],
                ..LedgerRow::default()
            });
        }
    }
    table(say::DISKS, say::HOST, &say::OF_DISKS, rows)
}

/// Returns a store's path below its directory.
fn place_of(of: &StoreKey) -> String {
    format!("{}/{}/{}", of.job, of.store, of.task.replace(' ', "_"))
}

/// Returns when a store's OFFSET file was written, if it was.
fn offset(written: Option<Millis>, now: Millis) -> String {
    written.map_or(say::NO_OFFSET.to_string(), |at| say::offset_file(at, now))
}

fn rows(stream: &CoordinatorStream) -> LedgerTable {
    let rows = stream.rows().into_iter().map(|row| LedgerRow {
        name: row.key,
        cells: vec![text(row.kind.name()), text(row.value)],
        ..LedgerRow::default()
    });
    table(say::STREAM, say::KEY, &say::OF_STREAM, rows.collect())
}

/// Returns the stores on a host's disks, as a fact.
pub fn on_disks(names: Names<'_>, host: &str) -> Option<FactView> {
    let disks = names.sim.samza_state().disks(names.now);
    let stores = disks.on(host).count();
    let how = disks.on(host).take(20).map(|(of, bytes, written)| {
        format!("{}: {}, offset file {}", place_of(of), amount(bytes), offset(written, names.now))
    });
    (stores > 0).then(|| FactView {
        name: say::ON_DISKS.to_string(),
        value: say::on_disks(disks.bytes(host), stores),
        formula: how.collect(),
    })
}

/// The line of a system's changelog throughput.
pub const RATE: usize = 0;
/// The line of what restoring containers still have to read from it.
const LAG: usize = 1;

/// Returns the points of each system's lines: KB/s of its bandwidth, and MB to be read at starts.
pub(crate) fn points(sim: &Simulation) -> Vec<PointOf> {
    let (state, time_ms) = (sim.samza_state(), sim.now());
    let kb = |bytes: u64| (bytes >> 10) as i64;
    let of = |system: &str| {
        let (_, left, all) = state.lag(system, time_ms);
        let (used, maximum) = (kb(state.load(system)), kb(sim.scenario().shared.samza.bandwidth(system)));
        let rate = SeriesPoint { time_ms, used, maximum, ..SeriesPoint::default() };
        let lag = SeriesPoint { time_ms, used: kb(left) >> 10, maximum: kb(all) >> 10, ..rate };
        [(RATE, rate), (LAG, lag)].map(|(line, point)| PointOf { of: system.to_string(), line, point })
    };
    state.systems().flat_map(of).collect()
}
