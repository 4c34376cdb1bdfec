//! The attributes of a node, which do not depend on what runs there, and the constraints of a request on them.

use crate::explain::names::Names;
use crate::explain::waiting::Waiting;
use heddle_core::constraint::xray::{Clause, ClauseResult, clauses, look};
use heddle_core::constraint::{Site, Target};
use heddle_core::scheduler::Node;

/// Returns whether a node's attributes let a request go there; each clause about tags counts as satisfied.
pub fn has_attributes(names: Names<'_>, w: &Waiting, node: &Node) -> bool {
    let state = names.rm().placement();
    let applying = state.constraints.applying(w.app, &w.tags, w.constraint.as_deref());
    let (parts, formula) = clauses(applying, 0);
    let site = Site { node: node.id, host: &node.host, rack: node.rack.0, partition: names.partition(node.partition) };
    formula.holds(&|i| match parts.get(i) {
        Some((_, Clause::Leaf(leaf))) if leaf.targets.iter().any(|t| matches!(t, Target::Attribute { .. })) => {
            look(state, w.app, leaf, site).outcome
        }
        Some(_) | None => ClauseResult::Holds,
    })
}
