//! The containers that count as killable in each queue (PreemptionManager, PreemptableQueue). A container is recorded
//! once for each time that it is made killable, under its leaf and the partition of its node, for queues that existed
//! when settings were last loaded. A container that moves to another queue or partition stays recorded where it was,
//! and is not found there when it ends (quirks).

use crate::model::{ContainerId, NodeId, PartitionId, Resource};
use std::collections::BTreeMap;

/// The queues that existed when settings were loaded, by path.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Manager {
    queues: BTreeMap<String, BTreeMap<PartitionId, Part>>,
    /// The number of queues and partitions that a container is recorded in.
    noted: BTreeMap<ContainerId, u32>,
    /// Whether anything was ever recorded.
    used: bool,
}

#[derive(Clone, Debug, PartialEq, Default)]
struct Part {
    /// The sum; a container that was recorded twice counts twice, and is subtracted once.
    total: Resource,
    containers: BTreeMap<ContainerId, (NodeId, Resource)>,
}

/// Iterates over a queue's path and those of the queues above it.
fn up(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('.').map(|(above, _)| above))
}

impl Manager {
    /// Adds a queue that settings were loaded with.
    pub fn know(&mut self, path: &str) {
        if !self.queues.contains_key(path) {
            self.queues.insert(path.to_string(), BTreeMap::new());
        }
    }

    /// Returns whether nothing was ever recorded.
    #[inline]
    pub fn is_unused(&self) -> bool {
        !self.used
    }

    /// Records a container of a leaf, on a node of this partition, as killable.
    pub fn add(&mut self, leaf: &str, p: PartitionId, (id, node, size): (ContainerId, NodeId, Resource)) {
        if !self.queues.contains_key(leaf) {
            return;
        }
        self.used = true;
        for path in up(leaf) {
            let Some(queue) = self.queues.get_mut(path) else { continue };
            let part = queue.entry(p).or_default();
            part.total += size;
            if part.containers.insert(id, (node, size)).is_none() {
                *self.noted.entry(id).or_default() += 1;
            }
        }
    }

    /// Removes a container that ends in a leaf, on a node of this partition.
    pub fn remove(&mut self, leaf: &str, p: PartitionId, id: ContainerId) {
        if !self.noted.contains_key(&id) || !self.queues.contains_key(leaf) {
            return;
        }
        for path in up(leaf) {
            let Some(part) = self.queues.get_mut(path).and_then(|queue| queue.get_mut(&p)) else { continue };
            let Some((_, size)) = part.containers.remove(&id) else { continue };
            part.total -= size;
            if let Some(times) = self.noted.get_mut(&id) {
                *times -= 1;
                if *times == 0 {
                    self.noted.remove(&id);
                }
            }
        }
    }

    /// Returns whether a container is recorded anywhere.
    pub fn has(&self, id: ContainerId) -> bool {
        self.used && self.noted.contains_key(&id)
    }

    /// Returns the resources that count as killable in a queue and below.
    pub fn total(&self, path: &str, p: PartitionId) -> Resource {
        self.queues.get(path).and_then(|queue| queue.get(&p)).map_or(Resource::ZERO, |part| part.total)
    }

    /// Returns the containers recorded in a queue and below, by id, each with its node.
    pub fn containers(&self, path: &str, p: PartitionId) -> Vec<(ContainerId, NodeId)> {
        let part = self.queues.get(path).and_then(|queue| queue.get(&p));
        part.map_or_else(Vec::new, |part| part.containers.iter().map(|(id, (node, _))| (*id, *node)).collect())
    }
}
