//! Nodes that take nothing: why, since when, and until when.

use crate::explain::names::Names;
use crate::explain::say::nodes as say;
use crate::explain::words;
use heddle_core::model::Millis;
use heddle_core::scheduler::{Node, NodeState};
use heddle_core::sim::Simulation;

/// Whether the scheduler looks at the state of a node. The others give away what ends on a draining one, until its size has
/// followed what it runs.
pub fn states_count(names: Names<'_>) -> bool {
    names.rm().capacity().is_some()
}

/// Whether a node is being decommissioned and gives away what ends on it all the same.
pub fn drains(names: Names<'_>, node: &Node) -> bool {
    let silent = || names.is_silent(node);
    node.in_scheduler && node.state == NodeState::Decommissioning && !states_count(names) && !silent()
}

/// Why a node takes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Away {
    pub how: How,
    /// Since when; of a silent one when YARN last heard of it.
    pub since: Millis,
    /// When that ends, where it is known: a silent one is taken for lost, one that is decommissioned has to have left.
    pub until: Option<Millis>,
}

/// In which way a node is away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It has fallen silent, which YARN does not know yet.
    Silent,
    State(NodeState),
}

/// Why a node takes nothing. `None`: it takes containers.
pub fn away(names: Names<'_>, node: &Node) -> Option<Away> {
    if names.is_silent(node) {
        let lost = Simulation::check_time(node.last_heartbeat, names.scenario().timing.node_expiry);
        return Some(Away { how: How::Silent, since: node.last_heartbeat, until: Some(lost) });
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
    Some(Away { how: How::State(node.state), since: node.state_since, until })
}

impl Away {
    fn times(&self) -> (String, Option<String>) {
        (words::clock(self.since), self.until.map(words::clock))
    }

    /// The end of a sentence after the node's name.
    pub fn has(&self) -> String {
        let (since, until) = self.times();
        say::has_been(self.how, &since, until.as_deref())
    }

    /// The same after a number of nodes.
    pub fn in_short(&self) -> String {
        let (since, until) = self.times();
        say::away(self.how, &since, until.as_deref())
    }
}
