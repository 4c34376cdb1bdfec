//! Everything that waits: every outstanding request of every application, including those inside the placement processor,
//! longest wait first.

use crate::explain::names::{Names, is_am_request};
use crate::explain::say;
use crate::explain::waits::story::{self, Rank};
use heddle_core::constraint::Constraint;
use heddle_core::model::{AppId, Millis, NodeId, PartitionId, RequestKey, Resource};
use heddle_core::rm::Stage;
use heddle_core::sim::Simulation;
use heddle_core::strategy::Master;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An outstanding request.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    pub app: AppId,
    pub key: RequestKey,
    /// The number of outstanding containers.
    pub count: i64,
    pub size: Resource,
    /// Whether it is for the ApplicationMaster's own container.
    pub am: bool,
    /// Since when the oldest of them is wanted; a repeated request does not count as a new one.
    pub since: Millis,
    /// Since when YARN is asked for it.
    pub asked_at: Millis,
    /// The hosts and racks that it names.
    pub places: Vec<String>,
    pub partition: PartitionId,
    pub tags: Vec<String>,
    pub constraint: Option<Arc<Constraint>>,
    /// The state of its parts in the placement processor; empty for a request in the scheduler.
    pub placing: Vec<InProcessor>,
    /// Whether its application has all that this was for, without having withdrawn it: nobody waits for it.
    pub left_over: bool,
}

impl Waiting {
    /// Returns whether it may go to nodes of a label that lends its idle resources. ApplicationMasters may only if a setting
    /// allows it.
    pub fn borrows(&self, names: Names<'_>) -> bool {
        let masters = || names.rm().capacity().is_some_and(|s| s.conf().am_allow_non_exclusive);
        self.partition.is_default() && (!self.am || masters())
    }
}

/// A part of a request inside the placement processor.
#[derive(Clone, Debug, PartialEq)]
pub struct InProcessor {
    pub count: i64,
    /// The number of the attempt, from 1.
    pub attempt: i32,
    pub stage: Stage,
    /// The nodes barred in its next attempt.
    pub barred: Vec<NodeId>,
}

/// Returns every request that waits, in the order in which it is shown ([`super::story`]).
pub fn waiting(sim: &Simulation) -> Vec<Waiting> {
    let names = Names::new(sim);
    let cluster = sim.rm().cluster();
    let mut out = Vec::new();
    for app in cluster.apps.iter().filter(|a| a.alive) {
        let first = out.len();
        let asks = names.run(app.id).and_then(|r| r.master.as_ref()).map(|m| m.asks());
        for (key, place) in app.asks.open() {
            let wanted = app.asks.at(*place as usize);
            let count = wanted.outstanding();
            let Some(any) = wanted.any().filter(|_| count > 0) else { continue };
            let am = is_am_request(app, *key);
            let asked_at = match asks.and_then(|log| log.since(*key, count)) {
                Some(at) if !am => at,
                _ => app.started_at,
            };
            let tagged = wanted.tagged.as_ref();
            let tags = tagged.and_then(|t| cluster.tag_sets.get_index(t.tags as usize)).cloned();
            let rows = wanted.rows().skip(1).filter(|(_, r)| r.count > 0);
            out.push(Waiting {
                app: app.id,
                key: *key,
                count,
                size: any.size,
                am,
                since: asked_at,
                asked_at,
                places: rows.map(|(name, _)| cluster.place_name(name).to_string()).collect(),
                partition: wanted.partition,
                tags: tags.unwrap_or_default(),
                constraint: tagged.and_then(|t| t.constraint.clone()),
                placing: Vec::new(),
                left_over: false,
            });
        }
        let placing = sim.rm().placing(app.id);
        let mut by_key: BTreeMap<RequestKey, usize> = BTreeMap::new();
        if !placing.is_empty() {
            by_key.extend(out.iter().enumerate().skip(first).map(|(i, w)| (w.key, i)));
        }
        for p in placing {
            let r = p.request;
            let key = RequestKey { priority: r.priority, allocation_request_id: r.allocation_request_id };
            let count = if let Stage::Proposed(nodes) = &p.stage { nodes.len() as i64 } else { r.count };
            if count <= 0 {
                continue;
            }
            let part = InProcessor { count, attempt: p.attempt, stage: p.stage, barred: p.barred };
            if let Some(known) = by_key.get(&key).and_then(|i| out.get_mut(*i)) {
                known.count += count;
                known.placing.push(part);
                continue;
            }
            by_key.insert(key, out.len());
            let asked_at = asks.and_then(|log| log.since(key, count)).unwrap_or(app.started_at);
            out.push(Waiting {
                app: app.id,
                key,
                count,
                size: r.size,
                am: false,
                since: asked_at,
                asked_at,
                places: Vec::new(),
                partition: PartitionId::DEFAULT,
                tags: r.tags.to_vec(),
                constraint: r.constraint.clone(),
                placing: vec![part],
                left_over: false,
            });
        }
        if let Some(master) = names.run(app.id).and_then(|r| r.master.as_ref()) {
            want_since(names, master, out.get_mut(first..).unwrap_or_default());
        }
    }
    let mut ranked: Vec<(Rank, Waiting)> = out.into_iter().map(|w| (story::rank(names, &w), w)).collect();
    heddle_core::model::order::sort_by_key(&mut ranked, |(rank, w)| (*rank, w.since, w.app, w.key));
    ranked.into_iter().map(|(_, w)| w).collect()
}

/// Sets since when the requests of an application are wanted, if it knows that for its parts: for one part, the earliest
/// requests are for the earliest needs, and requests beyond the needs are left over.
fn want_since(names: Names<'_>, master: &Master, requests: &mut [Waiting]) {
    requests.sort_by_key(|w| (w.asked_at, w.key));
    let mut before: BTreeMap<u32, i64> = BTreeMap::new();
    for w in requests.iter_mut().filter(|w| !w.am) {
        let wants = |part: u32, before: i64| names.run(w.app).and_then(|run| run.wants.since(part, before));
        let parts = master.parts_of(w.key);
        w.left_over = !parts.is_empty();
        for part in parts {
            let known = before.entry(part).or_default();
            let wanted = wants(part, *known);
            w.left_over &= wanted.is_none();
            w.since = wanted.map_or(w.since, |at| at.min(w.since));
            *known += w.count;
        }
    }
}

/// Returns the state of a request inside the placement processor, in a few words.
pub fn stage_short(names: Names<'_>, part: &InProcessor) -> String {
    let of = names.rm().placement().settings.retry_attempts;
    match &part.stage {
        Stage::Again => say::attempt_of("batch", part.attempt, of),
        Stage::Proposed(_) => say::attempt_of("proposed", part.attempt, of),
        Stage::NotPlaced if part.attempt < of => say::attempt_of("no node", part.attempt, of),
        Stage::NotPlaced | Stage::Refused => say::ABOUT_TO_BE_REJECTED.to_string(),
    }
}

/// Returns the state of all parts of a request inside the placement processor.
pub fn stage(names: Names<'_>, w: &Waiting) -> String {
    let of = names.rm().placement().settings.retry_attempts;
    let parts: Vec<String> = w
        .placing
        .iter()
        .map(|part| {
            let (n, attempt) = (part.count, part.attempt);
            let words = match &part.stage {
                Stage::Again => say::in_next_batch(attempt, of),
                Stage::Proposed(nodes) => {
                    let mut hosts: Vec<&str> = nodes.iter().map(|n| names.node(*n)).collect();
                    hosts.dedup();
                    say::batch_proposes(&hosts, attempt, of)
                }
                Stage::NotPlaced => say::found_no_node(attempt, of),
                Stage::Refused => say::refused_attempt(attempt, of),
            };
            if w.placing.len() > 1 { say::part_of(n, w.count, &words) } else { words }
        })
        .collect();
    parts.join(". ")
}
