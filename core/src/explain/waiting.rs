//! What waits: every outstanding request of every application, those inside the placement processor too, longest wait
//! first.

use super::names::{Names, is_am_request};
use super::words;
use crate::constraint::Constraint;
use crate::model::{AppId, Millis, NodeId, PartitionId, RequestKey, Resource};
use crate::rm::Stage;
use crate::sim::Simulation;
use std::collections::BTreeMap;

/// An outstanding request.
#[derive(Clone, Debug, PartialEq)]
pub struct Waiting {
    /// Whose.
    pub app: AppId,
    /// Its key.
    pub key: RequestKey,
    /// How many containers are outstanding.
    pub count: i64,
    /// Size of each.
    pub size: Resource,
    /// Is it for the ApplicationMaster's own container?
    pub am: bool,
    /// Since when the oldest of them waits.
    pub since: Millis,
    /// Hosts and racks it names.
    pub places: Vec<String>,
    /// Partition it asks for.
    pub partition: PartitionId,
    /// Its allocation tags.
    pub tags: Vec<String>,
    /// Its own constraint.
    pub constraint: Option<Constraint>,
    /// Where its parts stand in the placement processor; empty for a request that the scheduler has.
    pub placing: Vec<InProcessor>,
}

impl Waiting {
    /// May it go to nodes of a label that lends its idle room? ApplicationMasters may only where a setting says so.
    pub fn borrows(&self, names: Names<'_>) -> bool {
        let masters = || names.rm().capacity().is_some_and(|s| s.conf().am_allow_non_exclusive);
        self.partition.is_default() && (!self.am || masters())
    }
}

/// A part of a request inside the placement processor.
#[derive(Clone, Debug, PartialEq)]
pub struct InProcessor {
    /// How many of it.
    pub count: i64,
    /// Which attempt, from 1.
    pub attempt: i32,
    /// Where it stands.
    pub stage: Stage,
    /// Nodes barred in its next attempt.
    pub barred: Vec<NodeId>,
}

/// Everything that waits, longest wait first; of equal waits the earlier application and key.
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
            let since = match asks.and_then(|log| log.since(*key, count)) {
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
                since,
                places: rows.map(|(name, _)| cluster.place_name(name).to_string()).collect(),
                partition: wanted.partition,
                tags: tags.unwrap_or_default(),
                constraint: tagged.and_then(|t| t.constraint.clone()),
                placing: Vec::new(),
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
            out.push(Waiting {
                app: app.id,
                key,
                count,
                size: r.size,
                am: false,
                since: asks.and_then(|log| log.since(key, count)).unwrap_or(app.started_at),
                places: Vec::new(),
                partition: PartitionId::DEFAULT,
                tags: r.tags.clone(),
                constraint: r.constraint.clone(),
                placing: vec![part],
            });
        }
    }
    crate::model::order::sort_by_key(&mut out, |w| (w.since, w.app, w.key));
    out
}

/// Where a request inside the placement processor stands, in a few words.
pub fn stage_short(names: Names<'_>, part: &InProcessor) -> String {
    let of = names.rm().placement().settings.retry_attempts;
    match &part.stage {
        Stage::Again => format!("batch, attempt {} of {of}", part.attempt),
        Stage::Proposed(_) => format!("proposed, attempt {} of {of}", part.attempt),
        Stage::NotPlaced if part.attempt < of => format!("no node, attempt {} of {of}", part.attempt),
        Stage::NotPlaced | Stage::Refused => "about to be rejected".to_string(),
    }
}

/// Where the parts of such a request stand.
pub fn stage(names: Names<'_>, w: &Waiting) -> String {
    let of = names.rm().placement().settings.retry_attempts;
    let parts: Vec<String> = w
        .placing
        .iter()
        .map(|part| {
            let (n, attempt) = (part.count, part.attempt);
            let many = if w.placing.len() > 1 { format!("{n} of {}: ", w.count) } else { String::new() };
            let words = match &part.stage {
                Stage::Again => format!("It goes into the placement processor's next batch, attempt {attempt} of {of}"),
                Stage::Proposed(nodes) => {
                    let mut hosts: Vec<&str> = nodes.iter().map(|n| names.node(*n)).collect();
                    hosts.dedup();
                    let hosts = words::list(&words::bold(&hosts), 3);
                    format!(
                        "The batch proposes {hosts} in attempt {attempt} of {of}; the scheduler has still to accept"
                    )
                }
                Stage::NotPlaced if attempt < of => {
                    format!("Attempt {attempt} of {of} found no node; the AM's next calls bring the next one")
                }
                Stage::NotPlaced => format!("Attempt {attempt} of {of} found no node: the next call rejects it"),
                Stage::Refused => format!("The scheduler refused attempt {attempt} of {of}: the next call rejects it"),
            };
            format!("{many}{words}")
        })
        .collect();
    parts.join(". ")
}
