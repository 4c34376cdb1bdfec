//! Writes the decisions of a call, under the keys of the format.

use super::RecordedCall;
use super::calls::Writer;
use crate::trace::asks::further_columns;
use crate::trace::texts;
use heddle_core::journal::Change;
use heddle_core::model::{AppId, ContainerId, NodeId, Resource};
use heddle_core::sim::Simulation;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The reservations, and their last reported state.
#[derive(Default)]
pub(super) struct ReservationStates {
    /// The node, the size and the priority of each reservation.
    reserved: BTreeMap<ContainerId, (NodeId, Resource, i32)>,
    told: Vec<Value>,
}

impl ReservationStates {
    /// Returns the decisions of a call.
    pub(super) fn decided(&mut self, told: &RecordedCall, writer: &Writer, sim: &Simulation) -> Map<String, Value> {
        let mut out = Map::new();
        let (mut allocated, mut completed) = (BTreeMap::new(), BTreeSet::new());
        let (mut marked, mut killable, mut warned) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        let mut over: BTreeSet<AppId> = BTreeSet::new();
        for change in &told.changes {
            match change {
                Change::Allocated { container, node, size, key, .. } => {
                    self.reserved.remove(container);
                    allocated.insert(*container, (*node, *size, key.priority));
                }
                Change::Completed { container, .. } => {
                    // A container that comes and goes within a step is not visible.
                    if allocated.remove(container).is_none() {
                        completed.insert(*container);
                    }
                }
                Change::Reserved { container, node, size, key, .. } => {
                    self.reserved.insert(*container, (*node, *size, key.priority));
                }
                Change::Unreserved { container, .. } => {
                    self.reserved.remove(container);
                }
                Change::ReservationMoved { container, to, .. } => {
                    if let Some(row) = self.reserved.get_mut(container) {
                        row.0 = *to;
                    }
                }
                Change::Marked { container, .. } => {
                    marked.insert(*container);
                }
                Change::MadeKillable { container, .. } => {
                    killable.insert(*container);
                }
                Change::Warned { container, .. } => {
                    warned.insert(*container);
                }
                Change::AppEnded { app } => {
                    over.insert(*app);
                }
                Change::Rejected { app } => {
                    let words = sim.rm().app(*app).map_or("", |a| a.diagnostics.as_str());
                    out.insert("rejected".into(), json!(texts::apps(words).trim()));
                }
                Change::Submitted { queue, .. } => {
                    out.insert("queue".into(), json!(sim.rm().queue_path(*queue)));
                }
                Change::NodeAdded { .. }
                | Change::NodeRemoved { .. }
                | Change::NodeResized { .. }
                | Change::NodeDecommissioning { .. }
                | Change::NodeRelabelled { .. }
                | Change::Unanswered { .. }
                | Change::AttemptAdded { .. }
                | Change::NotRunnable { .. }
                | Change::Activated { .. }
                | Change::NotActivated { .. }
                | Change::AskedBack { .. }
                | Change::Preempted { .. }
                | Change::Starved { .. }
                | Change::CommitRefused { .. }
                | Change::AttemptEnded { .. }
                | Change::Moved { .. }
                | Change::PriorityChanged { .. }
                | Change::Refreshed => {}
            }
        }
        // Containers of an ended application are not compared.
        allocated.retain(|id, _| !over.contains(&id.app));
        completed.retain(|id: &ContainerId| !over.contains(&id.app));
        self.reserved.retain(|id, _| !over.contains(&id.app));
        let row = |(id, (node, size, priority)): (&ContainerId, &(NodeId, Resource, i32))| {
            let host = sim.rm().node(*node).map_or("", |n| n.host.as_str());
            let mut row = vec![writer.place(id.app), json!(id.attempt), json!(id.seq)];
            row.extend([json!(host), json!(size.memory_mb()), json!(size.vcores_32()), json!(priority)]);
            row.extend(further_columns(*size, &sim.rm().cluster().types));
            Value::from(row)
        };
        let rows: Vec<Value> = allocated.iter().map(row).collect();
        let reserved: Vec<Value> = self.reserved.iter().map(row).collect();
        let ids = |set: &BTreeSet<ContainerId>| set.iter().map(|id| writer.container(*id)).collect::<Vec<_>>();
        for (key, rows) in [
            ("allocated", rows),
            ("completed", ids(&completed)),
            ("marked", ids(&marked)),
            ("killable", ids(&killable)),
            ("warned", ids(&warned)),
        ] {
            if !rows.is_empty() {
                out.insert(key.into(), rows.into());
            }
        }
        if reserved != self.told {
            out.insert("reserved".into(), reserved.clone().into());
            self.told = reserved;
        }
        out
    }
}
