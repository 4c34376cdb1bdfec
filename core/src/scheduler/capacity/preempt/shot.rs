//! The figures that a round reads, taken from the accounting (preemption.md A3; TempQueuePerPartition).

use super::kept::LatestShot;
use crate::config::capacity::{LeafOrdering, ParentOrdering};
use crate::model::{PartitionId, QueueId, Resource, UserId, java};
use crate::preemption::{AppWants, Figures, PartitionShot, QueueShot, Snapshot};
use crate::scheduler::Cluster;
use crate::scheduler::capacity::CapacityScheduler;

const ROOT: QueueId = QueueId(0);

impl CapacityScheduler {
    /// Returns the figures of the queues for a round; those of the latest round for queues that have not changed. User
    /// limits that are not known are computed for it. `detail`: whether the record has the requests of each
    /// application.
    pub(super) fn take_shot(&mut self, c: &Cluster, detail: bool, latest: Option<LatestShot>) -> LatestShot {
        let queues = self.books.queues().len();
        let changed = self.books.preemption.changed.begin(queues);
        let mut shot = match (latest, changed) {
            (Some(mut latest), Some(changed)) if latest.stands_on(c) => {
                self.renew(c, &mut latest, &changed);
                debug_assert!(self.is_as_anew(c, &latest), "figures that were kept are as they would be anew");
                latest
            }
            _ => self.shot_anew(c),
        };
        shot.shot.wants = if detail { shot.told_wants() } else { Vec::new() };
        shot
    }

    fn is_as_anew(&mut self, c: &Cluster, latest: &LatestShot) -> bool {
        let anew = self.shot_anew(c);
        // Some ratios are not-a-number.
        let text = |shot: &LatestShot| format!("{:?}", (&shot.shot.queues, &shot.shot.leaves, &shot.wants));
        text(&anew) == text(latest)
    }

    /// Updates the figures of queues that have changed, and of all parents.
    fn renew(&mut self, c: &Cluster, latest: &mut LatestShot, changed: &[QueueId]) {
        let LatestShot { shot, places, wants, .. } = latest;
        let per = shot.queues.len();
        let changed = changed.iter().filter_map(|q| places.get(q.index()).copied().flatten());
        let parents = (0..per).filter(|place| !shot.queues[*place].leaf);
        let stale: Vec<usize> = parents.chain(changed.filter(|place| shot.queues[*place].leaf)).collect();
        for p in shot.partition_order.iter().copied() {
            for place in stale.iter().copied() {
                let wants = &mut wants[p.index() * per + place];
                wants.clear();
                let new = self.figures_in(c, shot.queues[place].id, p, wants);
                let old = std::mem::replace(&mut shot.queues[place].parts[p.index()], new);
                let leaf = shot.queues[place].leaf;
                let now = &mut shot.queues[place].parts[p.index()];
                now.killable = old.killable;
                if !leaf {
                    (now.pending, now.pending_not_reserved) = (old.pending, old.pending_not_reserved);
                    continue;
                }
                let pending = new.pending - old.pending;
                let not_reserved = new.pending_not_reserved - old.pending_not_reserved;
                let mut above = shot.queues[place].parent;
                while let Some(parent) = above.filter(|_| !pending.is_zero() || !not_reserved.is_zero()) {
                    let figures = &mut shot.queues[parent].parts[p.index()];
                    figures.pending += pending;
                    figures.pending_not_reserved += not_reserved;
                    above = shot.queues[parent].parent;
                }
            }
        }
        self.count_killable(latest);
    }

    fn shot_anew(&mut self, c: &Cluster) -> LatestShot {
        let mut ids = Vec::new();
        self.list_below(ROOT, &mut ids);
        let mut places = vec![None; self.queues().len()];
        ids.iter().enumerate().for_each(|(place, id)| places[id.index()] = Some(place));
        let place = |id: &QueueId| places[id.index()];
        let names: Vec<&str> = c.partitions.iter().map(|p| p.name.as_str()).collect();
        let order: Vec<PartitionId> = java::set_walk(&names).into_iter().filter_map(|name| c.partition(name)).collect();
        let mut queues: Vec<QueueShot> = ids
            .iter()
            .map(|id| {
                let q = self.queue(*id);
                let ranked = |p: QueueId| self.queue(p).conf.parent_ordering == ParentOrdering::PriorityUtilization;
                QueueShot {
                    id: *id,
                    parent: q.parent.as_ref().and_then(place),
                    children: q.children.iter().filter_map(place).collect(),
                    leaf: q.is_leaf(),
                    priority: if q.parent.is_some_and(ranked) { q.conf.priority } else { 0 },
                    disabled: q.conf.preemption_disabled,
                    intra_disabled: q.conf.intra_queue_preemption_disabled,
                    am_maximum: q
                        .part(PartitionId::DEFAULT)
                        .shares
                        .effective_min
                        .multiply_round_down(q.conf.am_percent),
                    parts: vec![Figures::default(); c.partitions.len()],
                }
            })
            .collect();
        let mut wants = vec![Vec::new(); c.partitions.len() * queues.len()];
        for p in order.iter().copied() {
            for (place, id) in ids.iter().enumerate() {
                let wants = &mut wants[p.index() * ids.len() + place];
                queues[place].parts[p.index()] = self.figures_in(c, *id, p, wants);
            }
        }
        for place in (1..queues.len()).rev() {
            let Some(parent) = queues[place].parent else { continue };
            for p in 0..c.partitions.len() {
                let below = queues[place].parts[p];
                let above = &mut queues[parent].parts[p];
                above.pending += below.pending;
                above.pending_not_reserved += below.pending_not_reserved;
            }
        }
        let mut leaves = self.leaves_below(ROOT);
        let leaves = leaves.drain(..).filter_map(|id| place(&id)).collect();
        let shot = Snapshot {
            calculator: c.calculator,
            minimum: c.minimum,
            cluster: c.total,
            partitions: c.partitions.iter().map(|p| PartitionShot { total: p.total }).collect(),
            partition_order: order,
            queues,
            leaves,
            wants: Vec::new(),
        };
        let leaf_is_fair = |id: &QueueId| matches!(self.queue(*id).conf.leaf_ordering, LeafOrdering::Fair { .. });
        let fair = ids.iter().any(leaf_is_fair);
        let lending = c.partitions.iter().map(|p| !p.exclusive).collect();
        let mut out = LatestShot { shot, places, lending, wants, fair };
        self.count_killable(&mut out);
        out
    }

    /// Lists each queue, followed by all below it.
    fn list_below(&self, queue: QueueId, out: &mut Vec<QueueId>) {
        out.push(queue);
        for child in &self.queue(queue).children {
            self.list_below(*child, out);
        }
    }

    /// Returns the leaves in the order of a Java set of their paths, into which each parent puts those of its children.
    fn leaves_below(&self, queue: QueueId) -> Vec<QueueId> {
        if self.queue(queue).is_leaf() {
            return vec![queue];
        }
        let below: Vec<QueueId> = self.queue(queue).children.iter().flat_map(|k| self.leaves_below(*k)).collect();
        java::walk_by(&below, |id| &self.queue(id).path)
    }

    /// Returns a queue's figures, except for the killable resources and the sums of parents.
    fn figures_in(&mut self, c: &Cluster, queue: QueueId, p: PartitionId, wants: &mut Vec<AppWants>) -> Figures {
        let [pending, pending_not_reserved] = self.pending_within_limits(c, queue, p, wants);
        let part = self.queue(queue).part(p);
        let partition = &c.partitions[p.index()];
        let guaranteed = if part.shares.effective_min.is_zero() {
            partition.total.multiply_round_down(part.shares.absolute_capacity)
        } else {
            part.shares.effective_min
        };
        let maximum = if part.shares.effective_max.is_zero() {
            // In a partition that lends its room, a queue without a maximum may have all of it.
            let lends = !p.is_default() && !partition.exclusive;
            partition.total.multiply_round_down(if lends { 1.0 } else { part.shares.absolute_max_capacity })
        } else {
            part.shares.effective_max
        };
        Figures {
            absolute_capacity: part.shares.absolute_capacity,
            used_capacity: part.used_capacity,
            guaranteed,
            maximum,
            used: part.used,
            reserved: part.reserved,
            pending,
            pending_not_reserved,
            killable: Resource::ZERO,
        }
    }

    /// Returns the pending resources of a leaf's active applications within the limits of their users, and the same
    /// minus what each has reserved (AbstractLeafQueue.getTotalPendingResourcesConsideringUserLimit).
    fn pending_within_limits(
        &mut self,
        c: &Cluster,
        leaf: QueueId,
        p: PartitionId,
        out: &mut Vec<AppWants>,
    ) -> [Resource; 2] {
        let Some(l) = &self.queue(leaf).leaf else { return Default::default() };
        let apps: Vec<_> = l.active.iter().copied().filter(|a| c.app(*a).is_in(leaf)).collect();
        let mut left: Vec<(UserId, [Resource; 2])> = Vec::new();
        let mut sums = [Resource::ZERO; 2];
        for app in apps {
            let a = c.app(app);
            let at = match left.iter().position(|(user, _)| *user == a.user) {
                Some(at) => at,
                None => {
                    left.push((a.user, [self.user_has_left(c, leaf, a.user, p); 2]));
                    left.len() - 1
                }
            };
            let pending = a.pending[p.index()];
            let wanted = [pending, pending - a.reserved[p.index()]].map(|r| r.component_max(Resource::ZERO));
            let left = &mut left[at].1;
            let counted = [0, 1].map(|i| wanted[i].component_min(left[i]));
            if !pending.is_zero() {
                let (user, queue, partition) = (a.user, leaf, p);
                out.push(AppWants { app, user, queue, partition, wanted, left: *left, counted });
            }
            for (i, counted) in counted.into_iter().enumerate() {
                sums[i] += counted;
                left[i] -= counted;
            }
        }
        sums
    }

    fn user_has_left(&mut self, c: &Cluster, leaf: QueueId, user: UserId, p: PartitionId) -> Resource {
        self.know_user(c, leaf, user);
        let limit = self.books.told_user_limit(c, leaf, user, p).unwrap_or_default();
        let used = self
            .queue(leaf)
            .leaf
            .as_ref()
            .and_then(|l| l.users.get(user))
            .map_or(Resource::ZERO, |u| u.used[p.index()]);
        (limit - used).component_max(Resource::ZERO)
    }

    /// Gives a leaf that has dropped its record of a user a new one.
    pub(super) fn know_user(&mut self, c: &Cluster, leaf: QueueId, user: UserId) {
        if self.queue(leaf).leaf.as_ref().is_some_and(|l| l.users.get(user).is_none()) {
            let weight = self.queue(leaf).user_weight(c, user);
            if let Some(l) = self.books.leaf_mut(c, leaf) {
                l.users.get_or_add(user, weight);
            }
        }
    }

    /// Sets the killable resources of each queue.
    fn count_killable(&self, latest: &mut LatestShot) {
        let manager = &self.books.preemption.manager;
        if manager.is_unused() {
            return;
        }
        for queue in &mut latest.shot.queues {
            let path = &self.queue(queue.id).path;
            for (p, figures) in queue.parts.iter_mut().enumerate() {
                figures.killable = manager.total(path, PartitionId::from(p));
            }
        }
    }

    /// Returns the limit of a user over all users of the leaf.
    pub(super) fn limit_over_all_users(
        &mut self,
        c: &Cluster,
        leaf: QueueId,
        user: UserId,
        p: PartitionId,
    ) -> Resource {
        self.know_user(c, leaf, user);
        self.books.limit_over_all_users(c, leaf, user, p)
    }
}
