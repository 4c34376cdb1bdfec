//! What each container waits for that a Samza job lacks, or that does not process yet: from Samza's own books.

use crate::explain::names::Names;
use crate::explain::say::samza as say;
use crate::explain::view::FactView;
use heddle_core::model::{AppId, ContainerId, RequestKey};
use heddle_core::sim::{Phase, SamzaProcess};
use heddle_core::strategy::samza::Request;
use heddle_core::strategy::samza::attempt::Attempt;
use heddle_core::strategy::samza::client::Client;

/// Something that waits, told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What YARN has of it.
    pub key: Option<RequestKey>,
    pub processor: String,
    pub sentence: String,
}

/// Everything that a Samza job waits for.
pub fn of_app(names: Names<'_>, app: AppId) -> Vec<Told> {
    let place = names.sim.place_of(app);
    let mut out = Vec::new();
    let attempt = place.and_then(|place| names.sim.samza(place)).and_then(|m| m.attempt());
    if let Some(attempt) = attempt {
        out.extend(attempt.samza().requests().queue().map(|r| asked(attempt, r)));
        out.extend(attempt.samza().requests().delayed().map(|r| Told {
            key: None,
            processor: r.processor.clone(),
            sentence: say::delayed(&r.processor, &r.wish, r.at),
        }));
    }
    let state = names.sim.samza_state();
    for (container, process) in state.processes().iter().filter(|(_, p)| Some(p.app) == place) {
        if let Phase::Restoring(since) = process.phase {
            let left = state.remaining(*container, names.now);
            let (reads, host) = (process.reads, process.host.as_str());
            let sentence = say::restores(&process.processor, host, left, reads, names.now - since);
            out.push(Told { key: None, processor: process.processor.clone(), sentence });
        }
    }
    out
}

fn asked(attempt: &Attempt, r: &Request) -> Told {
    let samza = attempt.samza();
    let key = RequestKey { priority: Client::priority(samza.mode(), &r.wish), allocation_request_id: -1 };
    let head = samza.requests().head().filter(|head| head.id != r.id).map(|head| head.processor.as_str());
    let there = samza.requests().peek(&r.wish).map(|x| x.host.as_str());
    let sentence = match (head, there) {
        (Some(head), Some(host)) => say::waits_behind(&r.processor, &r.wish, head, host),
        (_, _) => say::waits_for(&r.processor, &r.wish, r.at, attempt.expires_at(r), samza.settings().host_affinity),
    };
    let key = Some(key).filter(|_| there.is_none());
    Told { key, processor: r.processor.clone(), sentence }
}

/// What a Samza job waits for, as facts.
pub fn facts(told: &[Told]) -> Vec<FactView> {
    let fact = |t: &Told| FactView { name: say::outstanding(&t.processor), value: t.sentence.clone(), formula: vec![] };
    told.iter().map(fact).collect()
}

/// What is known of the process in a container.
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
