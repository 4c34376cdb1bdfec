//! What counts as killable in each queue (PreemptionManager, PreemptableQueue). A container is noted once for each time
//! that it is made killable, under its leaf and the partition of its node, for queues that the latest loading of the
//! settings has seen. What moves to another queue or partition stays noted where it was, and is not found there when it
//! ends (quirks).

use crate::model::{ContainerId, NodeId, PartitionId, Resource};
use std::collections::BTreeMap;

/// The queues that were there when settings were loaded, by path.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Manager {
    queues: BTreeMap<String, BTreeMap<PartitionId, Part>>,
    /// In how many queues and partitions a container is noted.
    noted: BTreeMap<ContainerId, u32>,
    /// Whether anything was ever noted.
    used: bool,
}

#[derive(Clone, Debug, PartialEq, Default)]
struct Part {
    /// The sum; a container that was noted twice is in it twice, and taken out of it once.
    total: Resource,
    containers: BTreeMap<ContainerId, (NodeId, Resource)>,
}

/// A queue's path and those of the queues above it.
fn up(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| path.rsplit_once('.').map(|(above, _)| above))
}

impl Manager {
    /// Settings were loaded with this queue.
    pub fn know(&mut self, path: &str) {
        if !self.queues.contains_key(path) {
            self.queues.insert(path.to_string(), BTreeMap::new());
        }
    }

    /// Returns whether nothing was ever noted.
    #[inline]
    pub fn is_unused(&self) -> bool {
        !self.used
    }

    /// A container of a leaf, on a node of this partition, is made killable.
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

    /// A container ends in a leaf, on a node of this partition.
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

    /// Returns whether a container is noted anywhere.
    pub fn has(&self, id: ContainerId) -> bool {
        self.used && self.noted.contains_key(&id)
    }

    /// How much counts as killable in a queue and below.
    pub fn total(&self, path: &str, p: PartitionId) -> Resource {
        self.queues.get(path).and_then(|queue| queue.get(&p)).map_or(Resource::ZERO, |part| part.total)
    }

    /// What is noted in a queue and below, by number, and where it runs.
    pub fn containers(&self, path: &str, p: PartitionId) -> Vec<(ContainerId, NodeId)> {
        let part = self.queues.get(path).and_then(|queue| queue.get(&p));
        part.map_or_else(Vec::new, |part| part.containers.iter().map(|(id, (node, _))| (*id, *node)).collect())
    }
}
