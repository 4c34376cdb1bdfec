//! Computes the shares of the queue tree, top down, and stores them in the accounting (capacity-scheduler.md section 3;
//! the arithmetic is in `shares`).

use super::CapacityScheduler;
use super::shares::{self, ApplicationCounts, Child, Parent, ShareBasis};
use crate::config::capacity::{Capacity, PartitionConf, QueueKind, Unit};
use crate::model::{PartitionId, QueueId};
use crate::scheduler::Cluster;

impl CapacityScheduler {
    /// Computes every queue's capacities in every partition.
    pub(super) fn compute_capacities(&mut self, c: &Cluster) {
        for p in c.partition_ids() {
            let basis = ShareBasis {
                calculator: c.calculator,
                cluster: c.total,
                partition: *c.partition_total(p),
                legacy: self.conf.legacy_queue_mode,
            };
            let root = self.queue(QueueId(0));
            let root = shares::of_root(&basis, root.conf.partition(c.partition_name(p)), &root.part(p).shares);
            self.books.queue_mut(c, QueueId(0)).part_mut(p).shares = root;
            let mut todo = vec![QueueId(0)];
            while let Some(parent) = todo.pop() {
                self.compute_children(c, &basis, parent, p);
                todo.extend(self.queue(parent).children.iter().filter(|q| !self.queue(**q).is_leaf()));
            }
        }
    }

    /// Sets a queue's shares before any are computed: its capacity and maximum by the settings. In legacy mode its
    /// former weight relative to its siblings' still counts: a queue that a refresh leaves without a weight keeps its
    /// former share (quirk; CSQueueUtils).
    pub(super) fn load_shares(&mut self, c: &Cluster, id: QueueId) {
        let legacy = self.conf.legacy_queue_mode;
        for p in c.partition_ids() {
            let q = self.queue(id);
            let above = q.parent.map(|parent| *self.queue(parent).part(p));
            let conf = q.conf.partition(c.partition_name(p));
            let maximum = conf.map_or(0.0, |conf| conf.maximum.fraction());
            let capacity = conf.map_or(0.0, |conf| conf.capacity.fraction().max(q.part(p).shares.normalized_weight));
            let of = |own: f32, above: f32| if own > 0.0 { own * above } else { 0.0 };
            let part = self.books.queue_mut(c, id).part_mut(p);
            part.shares.absolute_max_capacity = of(maximum, above.map_or(1.0, |a| a.shares.absolute_max_capacity));
            if let (true, Some(above)) = (legacy, above) {
                part.shares.absolute_capacity = of(capacity, above.shares.absolute_capacity);
            }
        }
    }

    fn compute_children(&mut self, c: &Cluster, basis: &ShareBasis, id: QueueId, p: PartitionId) {
        let label = c.partition_name(p);
        let q = self.queue(id);
        let above = q.part(p).shares;
        let parent = Parent {
            is_root: q.parent.is_none(),
            conf: q.conf.partition(label),
            shares: &above,
            managed: q.conf.kind == QueueKind::ManagedParent,
            children_use_weights: q.children_use_weights,
        };
        let children: Vec<Child<'_>> = q
            .children
            .iter()
            .map(|child| {
                let child = self.queue(*child);
                Child {
                    conf: child.conf.partition(label),
                    has_figures: child.has_figures(p),
                    dynamic: child.conf.dynamic,
                    entitlement: child.part(p).entitlement,
                    before: child.part(p).shares,
                }
            })
            .collect();
        let computed = shares::of_children(basis, &parent, &children);
        let ids = q.children.clone();
        for (child, shares) in ids.into_iter().zip(computed) {
            self.books.queue_mut(c, child).part_mut(p).shares = shares;
        }
    }

    /// Computes the maximum number of applications of each leaf, and of one user in it (3.5).
    pub(super) fn count_limits(&mut self, c: &Cluster) {
        let legacy = self.conf.legacy_queue_mode;
        let shares_unknown = !legacy && c.total.is_zero();
        // In the newer mode a queue is absolute if all its types are.
        let is_absolute = |p: &PartitionConf| match legacy {
            true => matches!(p.capacity, Capacity::Absolute(_)),
            false => p.capacity_vector.sole_unit() == Some(Unit::Absolute),
        };
        for q in self.books.tree_mut(c).iter_mut().filter(|q| q.alive) {
            let Some(l) = &mut q.leaf else { continue };
            let counts = ApplicationCounts {
                system: self.conf.maximum_applications,
                global: self.conf.global_queue_max_applications,
                own: q.conf.maximum_applications.filter(|n| *n >= 0),
                is_absolute: q.conf.partition("").is_some_and(is_absolute),
                shares_unknown,
                user_limit_percent: q.conf.user_limit_percent,
                user_limit_factor: q.conf.user_limit_factor,
            };
            let configured = c.partitions.iter().zip(&q.parts).filter(|(p, _)| q.conf.partition(&p.name).is_some());
            (l.max_applications, l.max_applications_per_user) =
                counts.limits(configured.map(|(_, part)| part.shares.absolute_capacity));
        }
    }
}
