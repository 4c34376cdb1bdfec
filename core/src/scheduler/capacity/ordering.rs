//! The order in which a parent tries its children (PriorityUtilizationQueueOrderingPolicy; capacity-scheduler.md 7.4)
//! and a leaf its applications (FifoOrderingPolicy, FairOrderingPolicy; 11.5).
//!
//! Both policies of a parent are strict orders (the places in its list settle ties), so an order is kept from attempt
//! to attempt and only children whose use changed are moved.

use super::CapacityScheduler;
use super::look::Look;
use crate::config::capacity::{LeafOrdering, ParentOrdering};
use crate::journal::{AppOrder, ChildOrder, Entry, ORDER_SHOWN, RequestOrder};
use crate::model::{AppId, PartitionId, QueueId, RequestKey, Resource};
use crate::scheduler::{App, Cluster};
use std::cmp::Ordering;

/// A child with what it is sorted by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildKey {
    /// Which.
    pub queue: QueueId,
    /// Place in the parent's list.
    pub place: u32,
    /// May it use the partition? Everybody may use the default one.
    pub access: bool,
    /// Its priority.
    pub priority: i32,
    /// Guarantee of the whole partition.
    pub absolute_capacity: f32,
    /// Used by guarantee, or absolutely where the guarantee is 0.
    pub used: f32,
    /// Guarantee configured as an amount, else zero.
    pub configured_min: Resource,
}

/// Children of a parent in one partition, in the order of trial.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct ChildrenOrder {
    sorted: Vec<ChildKey>,
    /// Children whose use changed since.
    changed: Vec<QueueId>,
    /// Is all of it to be made anew?
    stale: bool,
}

impl ChildrenOrder {
    pub(super) fn new() -> Self {
        ChildrenOrder { sorted: Vec::new(), changed: Vec::new(), stale: true }
    }

    /// Everything about the children may have changed.
    pub(super) fn invalidate(&mut self) {
        self.stale = true;
        self.changed.clear();
    }

    /// A child's use changed.
    #[inline]
    pub(super) fn changed(&mut self, child: QueueId) {
        if !self.stale && !self.changed.contains(&child) {
            if self.changed.len() > 8 {
                self.invalidate();
            } else {
                self.changed.push(child);
            }
        }
    }

    /// The children in the order of trial.
    #[inline]
    pub(super) fn at(&self, i: usize) -> Option<QueueId> {
        self.sorted.get(i).map(|k| k.queue)
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }
}

/// The order of a parent's children under a policy.
pub fn children_in_order(policy: ParentOrdering) -> fn(&ChildKey, &ChildKey) -> Ordering {
    match policy {
        ParentOrdering::Utilization => by_utilization,
        ParentOrdering::PriorityUtilization => by_priority,
    }
}

/// Utilization, then the configured or relative guarantee, then the place in the list.
fn by_utilization(a: &ChildKey, b: &ChildKey) -> Ordering {
    by_access(a, b).then_with(|| a.used.total_cmp(&b.used)).then_with(|| by_guarantee(a, b))
}

/// Steps 1 and 2 of 7.4: who may use the partition, then who has a guarantee there.
fn by_access(a: &ChildKey, b: &ChildKey) -> Ordering {
    b.access.cmp(&a.access).then_with(|| (b.absolute_capacity > 0.0).cmp(&(a.absolute_capacity > 0.0)))
}

/// Step 4 of 7.4.
fn by_guarantee(a: &ChildKey, b: &ChildKey) -> Ordering {
    if a.configured_min.is_zero() && b.configured_min.is_zero() {
        b.absolute_capacity.total_cmp(&a.absolute_capacity).then(a.place.cmp(&b.place))
    } else {
        b.configured_min.cmp(&a.configured_min).then(a.place.cmp(&b.place))
    }
}

/// The policy `priority-utilization`.
fn by_priority(a: &ChildKey, b: &ChildKey) -> Ordering {
    let use_and_priority = || {
        let alike = (a.used < 1.0) == (b.used < 1.0);
        if a.priority != b.priority && alike { b.priority.cmp(&a.priority) } else { a.used.total_cmp(&b.used) }
    };
    by_access(a, b).then_with(use_and_priority).then_with(|| by_guarantee(a, b))
}

impl CapacityScheduler {
    fn child_key(&self, queue: QueueId, place: u32, p: PartitionId) -> ChildKey {
        let q = self.queue(queue);
        let part = q.part(p);
        ChildKey {
            queue,
            place,
            access: p.is_default() || part.access,
            priority: q.conf.priority,
            absolute_capacity: part.absolute_capacity,
            used: if part.absolute_capacity > 0.0 { part.used_capacity } else { part.absolute_used_capacity },
            configured_min: part.configured_min,
        }
    }

    /// Brings a parent's order up to date.
    pub(super) fn sort_children(&mut self, parent: QueueId, p: PartitionId) {
        let mut order = std::mem::take(&mut self.queues[parent.index()].orders[p.index()]);
        let compare = children_in_order(self.queues[parent.index()].conf.parent_ordering);
        if order.stale {
            order.sorted.clear();
            for (place, child) in self.queues[parent.index()].children.iter().enumerate() {
                order.sorted.push(self.child_key(*child, place as u32, p));
            }
            order.sorted.sort_by(compare);
            order.stale = false;
        } else {
            for child in std::mem::take(&mut order.changed) {
                let Some(from) = order.sorted.iter().position(|k| k.queue == child) else { continue };
                let key = self.child_key(child, order.sorted[from].place, p);
                order.sorted.remove(from);
                let to = order.sorted.partition_point(|k| compare(k, &key).is_lt());
                order.sorted.insert(to, key);
            }
        }
        order.changed.clear();
        self.queues[parent.index()].orders[p.index()] = order;
    }

    /// The order of applications in an active or pending list.
    pub(super) fn app_order(&self, c: &Cluster, leaf: QueueId, a: AppId, b: AppId) -> Ordering {
        apps_in_order(&self.queue(leaf).conf.leaf_ordering, c.app(a), c.app(b))
    }

    /// Puts an application in its place in the active list.
    pub(super) fn insert_active(&mut self, c: &Cluster, leaf: QueueId, app: AppId) {
        let Some(l) = &self.queue(leaf).leaf else { return };
        let at = l.active.partition_point(|other| self.app_order(c, leaf, *other, app).is_lt());
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.active.insert(at, app);
        }
    }

    /// Is an application tried on nodes of this partition? Under `fifo-with-partitions` those that were submitted with
    /// the label of an enforced partition are tried there only, and there nobody else is
    /// (FifoOrderingPolicyWithExclusivePartitions).
    pub(super) fn may_try_on(&self, c: &Cluster, leaf: QueueId, app: AppId, p: PartitionId) -> bool {
        let LeafOrdering::FifoWithPartitions { partitions } = &self.queue(leaf).conf.leaf_ordering else { return true };
        let group = |p: PartitionId| {
            let enforced = partitions.iter().any(|name| name == c.partition_name(p));
            if enforced { p } else { PartitionId::DEFAULT }
        };
        group(c.app(app).label.unwrap_or(PartitionId::DEFAULT)) == group(p)
    }

    /// The fair order forgets old figures of marked applications (11.5) before a leaf is visited.
    pub(super) fn read_marked(&mut self, c: &mut Cluster, leaf: QueueId) {
        let fair = matches!(self.queue(leaf).conf.leaf_ordering, LeafOrdering::Fair { .. });
        let Some(l) = &mut self.queues[leaf.index()].leaf else { return };
        if l.marked.is_empty() || !fair {
            return;
        }
        for id in std::mem::take(&mut l.marked) {
            let app = c.app_mut(id);
            app.fair.used = app.used_total();
            app.fair.pending = app.pending_total();
            if let Some(l) = &mut self.queues[leaf.index()].leaf {
                let Some(at) = l.active.iter().position(|a| *a == id) else { continue };
                l.active.remove(at);
            }
            self.insert_active(c, leaf, id);
        }
    }

    /// An application's place in the fair order has to be read anew.
    #[inline]
    pub(super) fn mark(&mut self, leaf: QueueId, app: AppId) {
        let queue = &mut self.queues[leaf.index()];
        let fair = matches!(queue.conf.leaf_ordering, LeafOrdering::Fair { .. });
        if let (true, Some(l)) = (fair, &mut queue.leaf)
            && !l.marked.contains(&app)
        {
            l.marked.push(app);
        }
    }
}

/// The order of a leaf's applications under a policy (11.5).
pub fn apps_in_order(policy: &LeafOrdering, a: &App, b: &App) -> Ordering {
    match policy {
        LeafOrdering::Fair { size_based_weight } => by_fairness(a, b, *size_based_weight),
        _ => by_fifo(a, b),
    }
}

/// Higher priority, then earlier submission.
pub(super) fn by_fifo(a: &App, b: &App) -> Ordering {
    b.priority.cmp(&a.priority).then(a.id.cmp(&b.id))
}

fn by_fairness(a: &App, b: &App, size_based: bool) -> Ordering {
    (share(a, size_based).total_cmp(&share(b, size_based)))
        .then(a.started_at.cmp(&b.started_at))
        .then(demands(b).cmp(&demands(a)))
        .then(a.id.cmp(&b.id))
}

/// What the fair order goes by: MiB used, or that over the weight of the application's size.
fn share(app: &App, size_based: bool) -> f64 {
    let used = app.fair.used.memory_mb() as f64;
    let weight = ((app.fair.used + app.fair.pending).memory_mb() as f64).ln_1p() / 2f64.ln();
    if size_based && used != 0.0 && weight != 0.0 { used / weight } else { used }
}

fn demands(app: &App) -> bool {
    (app.fair.used + app.fair.pending).memory_mb() > 0
}

// The orders as the journal shows them.
impl CapacityScheduler {
    pub(super) fn children_entry(&self, c: &Cluster, queue: QueueId, look: &Look) -> Entry {
        let sorted = &self.queue(queue).orders[look.partition.index()].sorted;
        let describe = |key: &ChildKey| ChildOrder {
            queue: key.queue,
            can_access: key.access,
            used_capacity: key.used,
            absolute_capacity: key.absolute_capacity,
            configured_min: key.configured_min,
            priority: key.priority,
            has_pending: self.wants(c, key.queue, look),
        };
        let order: Vec<_> = sorted.iter().take(ORDER_SHOWN).map(describe).collect();
        let others = sorted.len() - order.len();
        Entry::Children { queue, order, others }
    }

    pub(super) fn apps_entry(&self, c: &Cluster, queue: QueueId, look: &Look) -> Entry {
        let active = self.queue(queue).leaf.as_ref().map_or(&[][..], |l| &l.active);
        let fair = match self.queue(queue).conf.leaf_ordering {
            LeafOrdering::Fair { size_based_weight } => Some(size_based_weight),
            _ => None,
        };
        let describe = |id: &AppId| {
            let app = c.app(*id);
            let pending = app.pending[look.asked_partition().index()];
            AppOrder {
                app: *id,
                priority: app.priority,
                share: fair.map_or(0.0, |size_based| share(app, size_based)),
                started_at: app.started_at,
                demands: demands(app),
                has_pending: c.calculator.gt(c.total, pending, Resource::ZERO),
            }
        };
        let tried: Vec<&AppId> = active.iter().filter(|a| self.may_try_on(c, queue, **a, look.partition)).collect();
        let order: Vec<_> = tried.iter().take(ORDER_SHOWN).copied().map(describe).collect();
        let others = tried.len() - order.len();
        Entry::Apps { queue, order, others }
    }

    pub(super) fn requests_entry(&self, c: &Cluster, app: AppId) -> Entry {
        let asks = &c.app(app).asks;
        let describe = |(key, place): &(RequestKey, u32)| {
            let asks = asks.at(*place as usize);
            RequestOrder {
                key: *key,
                outstanding: asks.outstanding(),
                size: asks.any().map_or(Resource::ZERO, |row| row.size),
                partition: asks.partition,
            }
        };
        let order: Vec<_> = asks.open().iter().take(ORDER_SHOWN).map(describe).collect();
        let others = asks.open().len() - order.len();
        Entry::Requests { app, order, others }
    }
}

#[cfg(test)]
mod tests {
    use crate::journal::Entry;
    use crate::rm::testing::World;

    #[test]
    fn the_journal_holds_the_keys_of_every_order() {
        let queues = "root.queues a,b\n root.a.capacity 60\n root.b.capacity 40\n root.a.ordering-policy fair\n \
                      maximum-am-resource-percent 1";
        let mut w = World::new(queues, "");
        let n = w.node("n1", 8);
        let (one, two) = (w.submit("root.a", "u"), w.submit("root.a", "u"));
        w.heartbeat(n);
        w.heartbeat(n);
        w.ask(two, 2, 1);
        w.ask(two, 1, 3);
        w.ask(one, 1, 1);
        w.entries();
        w.heartbeat(n);
        let entries = w.entries();
        let children = entries.iter().find_map(|e| match e {
            Entry::Children { order, others: 0, .. } => Some(order.clone()),
            _ => None,
        });
        let children = children.expect("root's children");
        assert_eq!(children.iter().map(|c| c.used_capacity).collect::<Vec<_>>(), [0.0, 2048.0 / 4915.0]);
        let apps = entries.iter().find_map(|e| match e {
            Entry::Apps { order, .. } => Some(order.clone()),
            _ => None,
        });
        let apps = apps.expect("the leaf's applications");
        assert_eq!(apps.iter().map(|a| (a.app, a.share)).collect::<Vec<_>>(), [(one, 1024.0), (two, 1024.0)]);
        // Whoever is looked at tells the order of its requests.
        w.ask(one, 1, 0);
        w.entries();
        w.heartbeat(n);
        let requests = w.entries().into_iter().find_map(|e| match e {
            Entry::Requests { app, order, .. } if app == two => Some(order),
            _ => None,
        });
        let requests = requests.expect("the application's requests");
        assert_eq!(requests.iter().map(|r| (r.key.priority, r.outstanding)).collect::<Vec<_>>(), [(1, 3), (2, 1)]);
    }
}
