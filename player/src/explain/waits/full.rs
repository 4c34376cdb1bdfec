//! The one rule for full nodes: less than the smallest container is free.

use super::away::away;
use crate::explain::names::Names;
use crate::explain::say;
use heddle_core::model::PartitionId;
use heddle_core::scheduler::Node;

/// Returns whether the smallest container does not fit in what a node has free.
pub fn is_full(names: Names<'_>, node: &Node) -> bool {
    let cluster = names.rm().cluster();
    !names.rm().scheduler().fits_in_room(cluster, &cluster.minimum, &node.free())
}

/// Returns that all nodes of a partition that take containers are full.
pub fn all_full(names: Names<'_>, partition: PartitionId) -> Option<String> {
    let all = names.rm().nodes().iter().filter(|node| node.partition == partition);
    let (there, gone): (Vec<&Node>, Vec<&Node>) =
        all.partition(|node| node.in_scheduler && away(names, node).is_none());
    let full = !there.is_empty() && there.iter().all(|node| is_full(names, node));
    full.then(|| say::all_full(there.len(), !gone.is_empty(), names.partition(partition)))
}
