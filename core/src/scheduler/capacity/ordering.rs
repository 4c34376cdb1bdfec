//! The order in which a parent tries its children (PriorityUtilizationQueueOrderingPolicy; capacity-scheduler.md 7.4)
//! and a leaf its applications (FifoOrderingPolicy, FairOrderingPolicy; 11.5).

use super::books::short_cuts::Children;
use super::offer::Offer;
use crate::config::capacity::{LeafOrdering, ParentOrdering};
use crate::journal::{AppOrder, ChildOrder, Finding, ORDER_SHOWN, Rank, RequestOrder};
use crate::model::{AppId, PartitionId, QueueId, RequestKey, Resource};
use crate::scheduler::{App, Cluster};
use std::cmp::{Ordering, Reverse};

/// A child with its sort keys.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildKey {
    pub queue: QueueId,
    /// The place in the parent's list.
    pub place: u32,
    /// Whether it may use the partition. Everybody may use the default one.
    pub access: bool,
    pub priority: i32,
    /// The guarantee as a fraction of the whole partition.
    pub absolute_capacity: f32,
    /// The usage relative to the guarantee, or absolute if the guarantee is 0.
    pub used: f32,
    /// The guarantee configured as an amount, otherwise zero.
    pub configured_min: Resource,
}

/// Returns the order of a parent's children under a policy (7.4).
pub fn children_in_order(policy: ParentOrdering) -> impl Fn(&ChildKey, &ChildKey) -> Ordering {
    move |a, b| urgency(policy, a).cmp(&urgency(policy, b)).then_with(|| by_guarantee(a, b))
}

/// Packs steps 1 to 3 of 7.4 into one number, smallest for the most urgent child: access to the partition, a guarantee
/// there; under `priority-utilization` usage below the guarantee, and priority; usage.
pub(super) fn urgency(policy: ParentOrdering, k: &ChildKey) -> u128 {
    let (guaranteed, below) = (has_guarantee(k.absolute_capacity), k.used < 1.0);
    let class = u128::from(!k.access) << 1 | u128::from(!guaranteed);
    let by_priority = match policy {
        ParentOrdering::Utilization => 0,
        // Priorities decide among those below their guarantee, and among the others.
        ParentOrdering::PriorityUtilization => {
            u128::from(!below) << 32 | u128::from(!(k.priority as u32 ^ 0x8000_0000))
        }
    };
    class << 65 | by_priority << 32 | u128::from(ordered_bits(k.used))
}

/// Returns whether Float.compare orders an absolute capacity above 0. It does so with one that is not a number: of a
/// partition of which the parent has nothing (quirk).
pub(super) fn has_guarantee(absolute_capacity: f32) -> bool {
    absolute_capacity > 0.0 || absolute_capacity.is_nan()
}

/// Maps a float to an integer with the same order as Float.compare (not-a-number comes last).
fn ordered_bits(x: f32) -> u32 {
    if x.is_nan() {
        return u32::MAX;
    }
    let bits = x.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 }
}

/// Compares by step 4 of 7.4: the configured or relative guarantee, then the place in the list.
pub(super) fn by_guarantee(a: &ChildKey, b: &ChildKey) -> Ordering {
    if a.configured_min.is_zero() && b.configured_min.is_zero() {
        b.absolute_capacity.total_cmp(&a.absolute_capacity).then(a.place.cmp(&b.place))
    } else {
        b.configured_min.cmp(&a.configured_min).then(a.place.cmp(&b.place))
    }
}

impl Offer<'_> {
    /// Returns whether an application is tried on nodes of this partition. Under `fifo-with-partitions`, applications
    /// that were submitted with the label of an enforced partition are tried only there, and no others are tried there
    /// (FifoOrderingPolicyWithExclusivePartitions).
    #[cold]
    pub(super) fn may_try_on(&self, c: &Cluster, leaf: QueueId, app: AppId, p: PartitionId) -> bool {
        let LeafOrdering::FifoWithPartitions { partitions } = &self.queue(leaf).conf.leaf_ordering else { return true };
        let group = |p: PartitionId| {
            let enforced = partitions.iter().any(|name| name == c.partition_name(p));
            if enforced { p } else { PartitionId::DEFAULT }
        };
        group(c.app(app).label.unwrap_or(PartitionId::DEFAULT)) == group(p)
    }
}

/// Compares two applications of a leaf under a policy (11.5).
pub fn apps_in_order(policy: &LeafOrdering, a: &App, b: &App) -> Ordering {
    match policy {
        LeafOrdering::Fair { size_based_weight } => by_fairness(a, b, *size_based_weight),
        _ => by_fifo(a, b),
    }
}

/// Compares by higher priority, then by earlier submission.
pub(super) fn by_fifo(a: &App, b: &App) -> Ordering {
    rank(a).cmp(&rank(b))
}

/// Returns an application's place among the pending ones.
pub(super) fn rank(a: &App) -> Rank {
    Rank(Reverse(a.priority), a.id)
}

fn by_fairness(a: &App, b: &App, size_based: bool) -> Ordering {
    (share(a, size_based).total_cmp(&share(b, size_based)))
        .then(a.started_at.cmp(&b.started_at))
        .then(demands(b).cmp(&demands(a)))
        .then(a.id.cmp(&b.id))
}

/// Returns the key of the fair order: the MiB used, or that divided by the weight of the application's size.
fn share(app: &App, size_based: bool) -> f64 {
    let used = app.fair.used.memory_mb() as f64;
    let weight = ((app.fair.used + app.fair.pending).memory_mb() as f64).ln_1p() / 2f64.ln();
    if size_based && used != 0.0 && weight != 0.0 { used / weight } else { used }
}

fn demands(app: &App) -> bool {
    (app.fair.used + app.fair.pending).memory_mb() > 0
}

// The orders as the journal shows them.
impl Offer<'_> {
    pub(super) fn children_order(&self, c: &Cluster, queue: QueueId) -> Finding {
        let order = &self.queue(queue).orders[self.terms.partition.index()];
        let describe = |key: &ChildKey| ChildOrder {
            queue: key.queue,
            can_access: key.access,
            used_capacity: key.used,
            absolute_capacity: key.absolute_capacity,
            configured_min: key.configured_min,
            priority: key.priority,
            has_pending: self.wants(c, key.queue),
        };
        let others = order.len(Children::All).saturating_sub(ORDER_SHOWN);
        let order = order.keys(Children::All).take(ORDER_SHOWN).map(describe).collect();
        Finding::Children { queue, order, others }
    }

    pub(super) fn apps_order(&self, c: &Cluster, queue: QueueId) -> Finding {
        let active = self.queue(queue).leaf.as_ref().map_or(&[][..], |l| &l.active);
        let fair = match self.queue(queue).conf.leaf_ordering {
            LeafOrdering::Fair { size_based_weight } => Some(size_based_weight),
            _ => None,
        };
        let describe = |id: &AppId| {
            let app = c.app(*id);
            let pending = app.pending[self.terms.asked_partition().index()];
            AppOrder {
                app: *id,
                priority: app.priority,
                share: fair.map_or(0.0, |size_based| share(app, size_based)),
                started_at: app.started_at,
                demands: demands(app),
                has_pending: c.calculator.gt(&c.total, &pending, &Resource::ZERO),
            }
        };
        let may_try = |a: &&AppId| c.app(**a).is_in(queue) && self.may_try_on(c, queue, **a, self.terms.partition);
        let tried: Vec<&AppId> = active.iter().filter(may_try).collect();
        let order: Vec<_> = tried.iter().take(ORDER_SHOWN).copied().map(describe).collect();
        let others = tried.len() - order.len();
        Finding::Apps { queue, order, others }
    }
}

pub(super) fn requests_order(c: &Cluster, app: AppId) -> Finding {
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
    Finding::Requests { app, order, others }
}

#[cfg(test)]
mod tests {
    use crate::journal::{Entry, Finding};
    use crate::rm::testing::Fixture;

    #[test]
    fn the_journal_holds_the_keys_of_every_order() {
        let queues = "root.queues a,b\n root.a.capacity 60\n root.b.capacity 40\n root.a.ordering-policy fair\n \
                      maximum-am-resource-percent 1";
        let mut w = Fixture::new(queues, "");
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
            Entry::Found(Finding::Children { order, others: 0, .. }) => Some(order.clone()),
            _ => None,
        });
        let children = children.expect("root's children");
        assert_eq!(children.iter().map(|c| c.used_capacity).collect::<Vec<_>>(), [0.0, 2048.0 / 4915.0]);
        let apps = entries.iter().find_map(|e| match e {
            Entry::Found(Finding::Apps { order, .. }) => Some(order.clone()),
            _ => None,
        });
        let apps = apps.expect("the leaf's applications");
        assert_eq!(apps.iter().map(|a| (a.app, a.share)).collect::<Vec<_>>(), [(one, 1024.0), (two, 1024.0)]);
        // A visited application records the order of its requests.
        w.ask(one, 1, 0);
        w.entries();
        w.heartbeat(n);
        let requests = w.entries().into_iter().find_map(|e| match e {
            Entry::Found(Finding::Requests { app, order, .. }) if app == two => Some(order),
            _ => None,
        });
        let requests = requests.expect("the application's requests");
        assert_eq!(requests.iter().map(|r| (r.key.priority, r.outstanding)).collect::<Vec<_>>(), [(1, 3), (2, 1)]);
    }
}
