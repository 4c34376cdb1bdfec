//! Nodes that take nothing: why, since when, and until when.

use crate::explain::names::Names;
use crate::explain::say::nodes as say;
use crate::explain::words;
use heddle_core::model::Millis;
use heddle_core::scheduler::{Node, NodeState};
use heddle_core::sim::Simulation;

/// Returns whether the scheduler regards the state of a node. The other schedulers allocate what is freed on a draining node,
/// until its size follows its usage.
pub fn states_count(names: Names<'_>) -> bool {
    names.rm().capacity().is_some()
}

/// Returns whether a decommissioning node still gets containers for what is freed on it.
pub fn drains(names: Names<'_>, node: &Node) -> bool {
    let silent = || names.is_silent(node);
    node.in_scheduler && node.state == NodeState::Decommissioning && !states_count(names) && !silent()
}

/// Why a node takes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeAbsence {
    pub how: AbsenceKind,
    /// Since when; for a silent node, its last heartbeat.
    pub since: Millis,
    /// When that ends, if known: a silent node counts as lost then, a decommissioning one must have left.
    pub until: Option<Millis>,
}

/// In which way a node is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbsenceKind {
    /// It is silent, which YARN does not know yet.
    Silent,
    State(NodeState),
}

/// Returns why a node takes nothing. `None`: it takes containers.
pub fn away(names: Names<'_>, node: &Node) -> Option<NodeAbsence> {
    if names.is_silent(node) {
        let lost = Simulation::check_time(node.last_heartbeat, names.scenario().timing.node_expiry);
        return Some(NodeAbsence { how: AbsenceKind::Silent, since: node.last_heartbeat, until: Some(lost) });
    }
    let until = match node.state {
        NodeState::Running => return None,
        NodeState::Decommissioning => names
            .rm()
            .decommission_deadline(node.id)
            .or_else(|| node.decommission_timeout.map(|patience| node.state_since.saturating_add(patience))),
        NodeState::Decommissioned
        | NodeState::Unhealthy
        | NodeState::Lost
        | NodeState::New
        | NodeState::Rebooted
        | NodeState::Shutdown => None,
    };
    Some(NodeAbsence { how: AbsenceKind::State(node.state), since: node.state_since, until })
}

impl NodeAbsence {
    fn times(&self) -> (String, Option<String>) {
        (words::clock(self.since), self.until.map(words::clock))
    }

    /// Returns the end of a sentence after the node's name.
    pub fn has(&self) -> String {
        let (since, until) = self.times();
        say::has_been(self.how, &since, until.as_deref())
    }

    /// Returns a short form, for use after a number of nodes.
    pub fn in_short(&self) -> String {
        let (since, until) = self.times();
        say::away(self.how, &since, until.as_deref())
    }
}
