//! Updates after a change of the cluster's resources or of the settings: capacities, limits of applications,
//! activation, user limits, top down (AbstractParentQueue.updateClusterResource,
//! AbstractLeafQueue.updateClusterResource; capacity-scheduler.md 3, 5).

use super::CapacityScheduler;
use super::offer::{Candidates, Limits, Terms};
use super::users::Mode;
use crate::journal::Recorder;
use crate::model::{NodeId, PartitionId, QueueId, Resource, java};
use crate::scheduler::Cluster;

impl CapacityScheduler {
    /// Updates the queue tree after a change of the cluster.
    pub(crate) fn update_cluster<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        self.update_below(c, QueueId(0), rec);
    }

    /// Computes the capacities again after a change below a queue, and updates the queue's leaves.
    pub(super) fn update_below<R: Recorder>(&mut self, c: &mut Cluster, queue: QueueId, rec: &mut R) {
        // Before anything is computed from the new totals, resting leaves publish the limits that they missed.
        self.books.tree_mut(c);
        self.books.count_owed(c);
        self.compute_capacities(c);
        self.count_limits(c);
        self.note_template_guarantees(c);
        for q in self.books.tree_mut(c) {
            for (partition, part) in c.partitions.iter().zip(&mut q.parts) {
                part.update_ratios(c.calculator, &partition.total, &c.minimum);
            }
        }
        self.update_queue(c, queue, c.total, rec);
    }

    fn update_queue<R: Recorder>(&mut self, c: &mut Cluster, queue: QueueId, limit: Resource, rec: &mut R) {
        if self.queue(queue).is_leaf() {
            return self.update_leaf(c, queue, limit, rec);
        }
        for i in 0..self.queue(queue).children.len() {
            let child = self.queue(queue).children[i];
            let mut limits = Limits::of(limit);
            let limit = self.books.child_limit(c, queue, child, &mut limits, PartitionId::DEFAULT, false);
            self.update_queue(c, child, limit, rec);
        }
    }

    /// Publishes the limit, then updates ratios, activates with the old count of users, invalidates user limits and
    /// computes them for all active applications.
    fn update_leaf<R: Recorder>(&mut self, c: &mut Cluster, leaf: QueueId, limit: Resource, rec: &mut R) {
        self.books.note_limit(c, leaf, &limit);
        let totals: Vec<Resource> = c.partitions.iter().map(|p| p.total).collect();
        self.books.publish_limit(leaf);
        if let Some(l) = self.books.leaf_mut(c, leaf) {
            l.users.rebase(c.calculator, &totals, |user| java::string_hash(c.user_name(user)));
        }
        self.books.activate(c, leaf, rec);
        let active = match self.books.leaf_mut(c, leaf) {
            Some(l) => {
                l.users.invalidate();
                l.active.clone()
            }
            None => return,
        };
        let terms = Terms {
            node: NodeId(0),
            partition: PartitionId::DEFAULT,
            mode: Mode::Respect,
            candidates: Candidates::One,
            listed: false,
        };
        for app in active {
            self.books.tell_user_limit(c, leaf, app, &terms);
        }
    }
}
