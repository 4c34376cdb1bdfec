//! The key `why`: the scheduler's own record of the first assignment attempt of a heartbeat.

use super::Listener;
use super::play::{Stop, TracePlayer};
use heddle_core::journal::{Entry, Finding, Full};
use heddle_core::model::NodeId;
use heddle_core::scheduler::capacity::activities;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The nodes whose activities were requested, and the recorded activities: the next offer of a node is recorded, even in a
/// later heartbeat, and kept until it is read (ActivitiesManager.recordNextNodeUpdateActivities).
#[derive(Default)]
pub(crate) struct Activities {
    asked: BTreeSet<NodeId>,
    recorded: BTreeMap<NodeId, Vec<Value>>,
}

impl Activities {
    /// Requests a record of a node's next offer.
    pub(crate) fn ask(&mut self, node: NodeId) {
        self.asked.insert(node);
    }

    /// Returns whether the node's next offer is to be recorded.
    pub(crate) fn waits_for(&self, node: NodeId) -> bool {
        self.asked.contains(&node)
    }

    /// Ends a heartbeat; `passes`: those of its first offer, if there was one.
    pub(crate) fn offered(&mut self, node: NodeId, passes: Vec<Value>) {
        if !passes.is_empty() {
            self.asked.remove(&node);
            self.recorded.insert(node, passes);
        }
    }

    /// Returns the record of a node, and removes it.
    pub(crate) fn answer(&mut self, node: NodeId) -> Vec<Value> {
        self.recorded.remove(&node).unwrap_or_default()
    }
}

/// Returns the record of a heartbeat, from its journal.
pub(crate) fn read<R: Listener>(player: &TracePlayer<R>, journal: &Full) -> Result<Vec<Value>, Stop> {
    let entries: Vec<Entry> = journal.entries.iter().map(|(_, e)| e.clone()).collect();
    let begins = |e: &Entry| matches!(e, Entry::Found(Finding::Offer { .. }));
    let Some(from) = entries.iter().position(begins) else { return Ok(Vec::new()) };
    let to = entries[from + 1..].iter().position(begins).map_or(entries.len(), |n| from + 1 + n);
    let app_name = |id| {
        let index = player.apps.iter().position(|a| a.id == Some(id));
        index.map_or_else(String::new, |i| format!("app {i}"))
    };
    let Some(scheduler) = player.rm.capacity() else { return Ok(Vec::new()) };
    let passes = activities(scheduler, player.rm.cluster(), &entries[from..to], app_name);
    let passes = passes.into_iter().map(|pass| {
        let rows = pass.rows.into_iter().map(|r| json!([r.depth, r.name, r.state, r.diagnostic]));
        json!({ "result": pass.result, "tree": rows.collect::<Vec<_>>() })
    });
    Ok(passes.collect())
}
