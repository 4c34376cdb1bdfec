//! What follows from a change of the cluster's resources or of the settings: capacities, limits of applications,
//! activation, user limits, top down (AbstractParentQueue.updateClusterResource,
//! AbstractLeafQueue.updateClusterResource; capacity-scheduler.md 3, 5).

use super::CapacityScheduler;
use super::look::{Limits, Look};
use super::users::Mode;
use crate::config::capacity::Capacity;
use crate::journal::Recorder;
use crate::model::{NodeId, PartitionId, QueueId, Resource, java};
use crate::scheduler::Cluster;

impl CapacityScheduler {
    /// The cluster has changed.
    pub(crate) fn update_cluster<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        self.compute_capacities(c);
        self.count_limits(c);
        for q in &mut self.queues {
            q.orders.iter_mut().for_each(super::ordering::ChildrenOrder::invalidate);
        }
        self.update_queue(c, QueueId(0), c.total, rec);
    }

    fn update_queue<R: Recorder>(&mut self, c: &mut Cluster, queue: QueueId, limit: Resource, rec: &mut R) {
        if self.queue(queue).is_leaf() {
            return self.update_leaf(c, queue, limit, rec);
        }
        for i in 0..self.queue(queue).children.len() {
            let child = self.queue(queue).children[i];
            let mut limits = Limits::of(limit);
            let limit = self.child_limit(c, queue, child, &mut limits, PartitionId::DEFAULT, false);
            self.update_queue(c, child, limit, rec);
        }
    }

    /// Publishes the limit; ratios, activation with the old count of users, invalidation, user limits of all active
    /// applications.
    fn update_leaf<R: Recorder>(&mut self, c: &mut Cluster, leaf: QueueId, limit: Resource, rec: &mut R) {
        self.note_limit(c, leaf, limit);
        let totals: Vec<Resource> = c.partitions.iter().map(|p| p.total).collect();
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.current_limit = l.noted_limit;
            l.users.rebase(c.calculator, &totals, |user| java::string_hash(c.user_name(user)));
        }
        self.activate(c, leaf, rec);
        let active = match &mut self.queues[leaf.index()].leaf {
            Some(l) => {
                l.users.invalidate();
                l.active.clone()
            }
            None => return,
        };
        let look = Look { node: NodeId(0), partition: PartitionId::DEFAULT, mode: Mode::Respect };
        for app in active {
            self.work_out_user_limit(c, leaf, app, &look);
        }
    }

    /// Applications at most, of a leaf and of one user (3.5).
    fn count_limits(&mut self, c: &Cluster) {
        let system = self.conf.maximum_applications;
        let global = self.conf.global_queue_max_applications;
        let base = global.map_or(system, |g| g.min(system));
        for q in self.queues.iter_mut().filter(|q| q.alive) {
            let Some(l) = &mut q.leaf else { continue };
            let absolute = q.conf.partition("").is_some_and(|p| matches!(p.capacity, Capacity::Absolute(_)));
            let by_share = || {
                let configured = c.partitions.iter().zip(&q.parts).filter(|(p, _)| q.conf.partition(&p.name).is_some());
                configured.map(|(_, part)| (base as f32 * part.absolute_capacity) as i64).max().unwrap_or(0)
            };
            l.max_applications = match q.conf.maximum_applications {
                Some(n) if n >= 0 => i64::from(n),
                _ if global.is_some() && !absolute => i64::from(base),
                _ if !self.conf.legacy_queue_mode && c.total.is_zero() => i64::from(base),
                _ => by_share(),
            };
            let (percent, factor) = (q.conf.user_limit_percent, q.conf.user_limit_factor);
            l.max_applications_per_user = if factor == -1.0 {
                l.max_applications
            } else {
                l.max_applications.min((l.max_applications as f32 * (percent / 100.0) * factor) as i64)
            };
        }
    }
}
