//! What each container that a Samza job lacks, or that does not process yet, waits for, from Samza's own state.

use super::say;
use crate::explain::away::away;
use crate::explain::names::Names;
use crate::explain::say::wants as say_wants;
use crate::explain::view::{FactView, ProcessesView};
use crate::explain::waits::wants::{Lack, since_wanted};
use crate::explain::words;
use heddle_core::apps::samza::strategy::attempt::Attempt;
use heddle_core::apps::samza::strategy::client::Client;
use heddle_core::apps::samza::strategy::master::{SamzaMaster, is_missing};
use heddle_core::apps::samza::strategy::{Request, Wish};
use heddle_core::check::Check;
use heddle_core::model::{AppId, ContainerId, RequestKey};
use heddle_core::scheduler::Node;
use heddle_core::sim::{Phase, SamzaProcess};
use std::collections::BTreeSet;

/// The most containers shown.
const CONTAINERS: usize = 60;

/// Something that waits, with its sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SamzaWait {
    /// The key of YARN's request.
    pub key: Option<RequestKey>,
    pub processor: String,
    /// The requested host; `None` for any.
    pub host: Option<String>,
    /// The check that stops it, Samza's own or YARN's, if known.
    pub check: Option<Check>,
    /// Whether it has its container and only restores its state.
    pub restores: bool,
    pub sentence: String,
}

/// Returns the one that a request is about, which may still go to `places`; otherwise the first.
pub fn about<'t>(told: &'t [SamzaWait], places: &[String]) -> Option<&'t SamzaWait> {
    told.iter().find(|t| t.host.as_ref().is_none_or(|host| places.contains(host))).or(told.first())
}

/// Returns everything that a Samza job waits for.
pub fn of_app(names: Names<'_>, app: AppId) -> Vec<SamzaWait> {
    let place = names.sim.place_of(app);
    let mut out = Vec::new();
    let attempt = place.and_then(|place| names.sim.samza(place)).and_then(|m| m.attempt());
    if let Some(attempt) = attempt {
        out.extend(attempt.samza().requests().queue().map(|r| asked(names, attempt, r)));
        out.extend(attempt.samza().requests().delayed().map(delayed));
    }
    let master = place.and_then(|place| names.sim.samza(place));
    if let (Some(master), Some(attempt)) = (master, attempt) {
        out.extend(missing(master, attempt));
    }
    let state = names.sim.samza_state();
    for (container, process) in state.processes().iter().filter(|(_, p)| Some(p.app) == place) {
        if let Phase::Restoring(since) = process.phase {
            let left = state.remaining(*container, names.now);
            let (reads, host) = (process.reads, process.host.as_str());
            let sentence = say::restores(&process.processor, host, left, reads, names.now - since);
            out.push(SamzaWait {
                key: None,
                processor: process.processor.clone(),
                host: None,
                check: None,
                restores: true,
                sentence,
            });
        }
    }
    out
}

/// Returns the job's containers that neither run nor are requested, including those that it continues without.
fn missing<'a>(master: &'a SamzaMaster, attempt: &'a Attempt) -> impl Iterator<Item = SamzaWait> + 'a {
    let (samza, model) = (attempt.samza(), master.model());
    let requests = samza.requests();
    let asked: BTreeSet<&str> = requests.queue().chain(requests.delayed()).map(|r| r.processor.as_str()).collect();
    let lacks = move |p: &&str| !asked.contains(p) && is_missing(attempt, p);
    model.order().into_iter().filter(lacks).map(move |p| {
        let tasks = model.containers.get(p).map_or(0, |c| c.tasks.len());
        let sentence = match samza.given_up().get(p) {
            Some(exit) => say::given_up(p, *exit, samza.settings().retries, tasks),
            None => say::not_asked(p),
        };
        SamzaWait {
            key: None,
            processor: p.to_string(),
            host: None,
            check: Some(samza.not_asked_by(p)),
            restores: false,
            sentence,
        }
    })
}

/// Returns what a job lacks without a request to YARN: given up, between two requests, or with an allocated container whose
/// turn has not come.
pub fn lacks(names: Names<'_>, app: AppId) -> Vec<Lack> {
    let master = names.sim.place_of(app).and_then(|place| names.sim.samza(place));
    let Some((master, attempt)) = master.and_then(|m| Some((m, m.attempt()?))) else { return Vec::new() };
    let samza = attempt.samza();
    let gone = missing(master, attempt).map(|told| {
        let check = samza.not_asked_by(&told.processor);
        (told, check)
    });
    let behind = samza.requests().queue().filter(|r| samza.requests().there_for(r).is_some());
    let behind = behind.map(|r| (asked(names, attempt, r), Check::RequestTurn));
    let later = samza.requests().delayed().map(|r| (delayed(r), Check::RetryDelay));
    let part_of = |processor: &str| master.model().containers.keys().position(|p| p == processor);
    let lack = |(told, check): (SamzaWait, Check)| {
        let part = part_of(&told.processor).and_then(|part| u32::try_from(part).ok()).unwrap_or(u32::MAX);
        Lack {
            app,
            name: say_wants::part(names.app(app), &told.processor),
            count: 1,
            since: since_wanted(names, app, part, 0),
            size: samza.settings().size,
            check,
            sentence: told.sentence,
        }
    };
    gone.chain(later).chain(behind).map(lack).collect()
}

fn delayed(r: &Request) -> SamzaWait {
    let sentence = say::delayed(&r.processor, &r.wish, r.at);
    SamzaWait {
        key: None,
        processor: r.processor.clone(),
        host: None,
        check: Some(Check::RetryDelay),
        restores: false,
        sentence,
    }
}

/// Returns the hosts of other containers that have a copy of the container's state.
fn of_copies<'a>(attempt: &'a Attempt, processor: &str) -> Vec<&'a str> {
    let samza = attempt.samza();
    let base = |p: &str| p.split('-').next().unwrap_or_default().to_string();
    let copies =
        samza.running().iter().chain(samza.pending()).filter(|(p, _)| *p != processor && base(p) == base(processor));
    let mut hosts: Vec<&str> = copies.map(|(_, x)| x.host.as_str()).collect();
    hosts.sort_unstable();
    hosts.dedup();
    hosts
}

/// Returns where a container's copies run, where it may not go, and what other nodes have, if none of them has room for it.
fn no_other_host(names: Names<'_>, attempt: &Attempt, processor: &str) -> Option<String> {
    let (samza, forbidden) = (attempt.samza(), of_copies(attempt, processor));
    let (cluster, size) = (names.rm().cluster(), samza.settings().size);
    let others = || cluster.nodes.iter().filter(|n| !forbidden.contains(&n.host.as_str()));
    let fits = |n: &Node| away(names, n).is_none() && names.rm().scheduler().fits_in_room(cluster, &size, &n.free());
    if forbidden.is_empty() || others().any(fits) {
        return None;
    }
    let has = others().map(|n| match away(names, n) {
        Some(away) => format!("{} {}", n.host, away.has()),
        None => format!("{} has {} free", n.host, words::counted(n.free(), cluster.calculator, &cluster.types)),
    });
    Some(say::no_other_host(&forbidden, &has.collect::<Vec<_>>()))
}

fn asked(names: Names<'_>, attempt: &Attempt, r: &Request) -> SamzaWait {
    let samza = attempt.samza();
    let key = RequestKey { priority: Client::priority(samza.mode(), &r.wish), allocation_request_id: -1 };
    let head = samza.requests().head().filter(|head| head.id != r.id).map(|head| head.processor.as_str());
    let there = samza.requests().there_for(r).map(|x| x.host.as_str());
    let sentence = match (head, there) {
        (Some(head), Some(host)) => say::waits_behind(&r.processor, &r.wish, head, host),
        (None, Some(host)) if !samza.settings().fault_domains && !of_copies(attempt, &r.processor).contains(&host) => {
            say::starts_next(&r.processor, host)
        }
        (_, _) => {
            let affinity = samza.settings().host_affinity;
            say::waits_for(&r.processor, &r.wish, r.at, attempt.expires_at(r), affinity)
        }
    };
    let key = Some(key).filter(|_| there.is_none());
    let forbidden = samza.course(&r.processor).map(|c| &c.forbidden).filter(|(n, _)| *n > 0);
    let sentence = match forbidden {
        Some((n, host)) => {
            let racks = samza.settings().fault_domains;
            let told = say::forbidden(*n, host, racks);
            let told = match no_other_host(names, attempt, &r.processor).filter(|_| !racks) {
                Some(more) => crate::explain::say::then(&told, &more),
                None => told,
            };
            crate::explain::say::then(&told, &sentence)
        }
        None => sentence,
    };
    let host = if let Wish::Host(host) = &r.wish { Some(host.clone()) } else { None };
    SamzaWait { key, processor: r.processor.clone(), host, check: samza.kept_by(r), restores: false, sentence }
}

/// Returns what a Samza job waits for, as facts.
pub fn facts(told: &[SamzaWait]) -> Vec<FactView> {
    let fact =
        |t: &SamzaWait| FactView { name: say::outstanding(&t.processor), value: t.sentence.clone(), formula: vec![] };
    told.iter().map(fact).collect()
}

/// Returns the state of a job's containers in numbers.
pub fn in_short(names: Names<'_>, place: usize) -> ProcessesView {
    let state = names.sim.samza_state();
    let mut view = ProcessesView::default();
    for process in state.processes().values().filter(|p| p.app == place) {
        match process.phase {
            Phase::Processing(_) => view.processing += 1,
            Phase::Restoring(_) => view.restoring += 1,
            Phase::Starting => {}
        }
    }
    view.restored_mb = (state.read(place, names.now) >> 20) as i64;
    view
}

/// Returns a fact for each of the job's containers, and Samza's counters; nothing for other applications.
pub fn books(names: Names<'_>, app: AppId) -> Vec<FactView> {
    let place = names.sim.place_of(app);
    let Some((place, master)) = place.and_then(|place| Some((place, names.sim.samza(place)?))) else {
        return Vec::new();
    };
    let Some(attempt) = master.attempt() else { return Vec::new() };
    let (samza, state) = (attempt.samza(), names.sim.samza_state());
    let fact = |name: String, value: String| FactView { name, value, formula: vec![] };
    let mut out = Vec::new();
    for processor in master.model().order().into_iter().take(CONTAINERS) {
        let requests = samza.requests();
        let asked = requests.queue().chain(requests.delayed()).find(|r| r.processor == processor).map(|r| &r.wish);
        let process = state.processes().iter().find(|(_, p)| p.app == place && p.processor == processor);
        let here = match process {
            Some((id, p)) => Some((p.host.as_str(), phase(names, p, state.remaining(*id, names.now)))),
            None => silent(names, attempt, processor),
        };
        let tasks = master.model().containers.get(processor).map_or(0, |c| c.tasks.len());
        let value = say::container(samza.stream().last_host(processor), asked, here, tasks);
        out.push(fact(say::container_named(processor), value));
    }
    let c = samza.counters();
    let counts = (c.matched, c.preferred_host_requests, c.any_host_requests, c.expired_preferred, c.expired_any);
    out.push(fact(say::COUNTERS.into(), say::counters(counts)));
    let read = state.read(place, names.now);
    out.push(FactView {
        name: say::READ_SO_FAR.into(),
        value: say::amount(read),
        formula: say::ASSUMED.map(String::from).to_vec(),
    });
    for system in state.systems() {
        let bandwidth = names.scenario().shared.samza.bandwidth(system);
        let value = say::load(state.load(system), bandwidth);
        out.push(FactView { name: say::changelog(system), value, formula: say::ASSUMED.map(String::from).to_vec() });
    }
    out
}

/// Returns the silent host of a container that Samza still counts as running.
fn silent<'n>(names: Names<'n>, attempt: &Attempt, processor: &str) -> Option<(&'n str, String)> {
    let held = attempt.samza().running().get(processor)?.container;
    let node = names.rm().node(names.rm().container(held)?.node)?;
    names.is_silent(node).then(|| (node.host.as_str(), say::silent(&words::clock(node.last_heartbeat))))
}

/// Returns the facts about the process in a container.
pub fn of_container(names: Names<'_>, id: ContainerId) -> Vec<FactView> {
    let state = names.sim.samza_state();
    let Some(process) = state.processes().get(&id) else { return Vec::new() };
    let fact = |name: &str, value: String| FactView { name: name.into(), value, formula: vec![] };
    let left = state.remaining(id, names.now);
    let mut out = vec![fact(say::PROCESSOR, process.processor.clone()), fact(say::STATE, phase(names, process, left))];
    if process.reads > 0 {
        out.push(FactView {
            name: say::READS.into(),
            value: say::amount(process.reads),
            formula: say::ASSUMED.map(String::from).to_vec(),
        });
    }
    out
}

fn phase(names: Names<'_>, process: &SamzaProcess, left: u64) -> String {
    match process.phase {
        Phase::Starting => say::STARTING.to_string(),
        Phase::Restoring(since) => say::restoring_for(names.now - since, left),
        Phase::Processing(since) => say::processing_since(since),
    }
}
