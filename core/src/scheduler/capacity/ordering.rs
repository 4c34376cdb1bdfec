//! The order in which a parent tries its children (PriorityUtilizationQueueOrderingPolicy; capacity-scheduler.md 7.4)
//! and a leaf its applications (FifoOrderingPolicy, FairOrderingPolicy; 11.5).
//!
//! Both policies of a parent are strict orders (the places in its list settle ties), so an order is kept from attempt
//! to attempt and only children whose use changed are moved. All that decides between two children is packed into one
//! number. Two orders are kept: of all children, and of those with something wanted and room below their maximum, which is
//! what an attempt goes through when nobody wants to hear of the others.

use super::CapacityScheduler;
use super::look::Look;
use super::queue::{Leaf, Queue, QueuePart};
use crate::config::capacity::{LeafOrdering, ParentOrdering};
use crate::journal::{AppOrder, ChildOrder, Finding, ORDER_SHOWN, RequestOrder};
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
#[derive(Clone, Debug, Default)]
pub(super) struct ChildrenOrder {
    /// The children by what their use does not change (the last steps of the comparison): a child's rank is its place.
    ranked: Vec<ChildKey>,
    /// Rank of each child by its place in the parent's list.
    ranks: Vec<u32>,
    all: Sorted,
    wanting: Sorted,
    /// Is all of it to be made anew?
    stale: bool,
}

/// Orders follow from the books: two parents with the same books are equal, whatever was sorted when.
impl PartialEq for ChildrenOrder {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Children in order, some or all.
#[derive(Clone, Debug, Default)]
struct Sorted {
    /// Urgency, with the rank in the last 32 bits.
    order: Vec<u128>,
    /// What stands for each rank in `order`; [`ABSENT`] for none.
    placed: Vec<u128>,
    /// Places in the parent's list of children whose key may be another one now.
    changed: Vec<u32>,
    /// Too much has changed to move single children.
    stale: bool,
}

const ABSENT: u128 = u128::MAX;
/// So many changes are noted at most; with more the order is made anew.
const CHANGES: usize = 64;

impl Sorted {
    fn invalidate(&mut self) {
        self.stale = true;
        self.changed.clear();
    }

    #[inline]
    fn changed(&mut self, place: u32) {
        if self.stale || self.changed.last() == Some(&place) {
            return;
        }
        if self.changed.len() == CHANGES {
            self.invalidate();
        } else {
            self.changed.push(place);
        }
    }

    /// The child of a rank has this key from now on.
    fn put(&mut self, rank: usize, key: u128) {
        let old = std::mem::replace(&mut self.placed[rank], key);
        if old == key {
            return;
        }
        let place = |order: &[u128], key| order.partition_point(|k| *k < key);
        // Most often it is the first that was just served.
        let from = if self.order.first() == Some(&old) { 0 } else { place(&self.order, old) };
        match (old != ABSENT, key != ABSENT) {
            // Those between the two places make room.
            (true, true) if key > old => {
                let by = place(&self.order[from + 1..], key);
                self.order.copy_within(from + 1..from + 1 + by, from);
                self.order[from + by] = key;
            }
            (true, true) => {
                let to = place(&self.order[..from], key);
                self.order.copy_within(to..from, to + 1);
                self.order[to] = key;
            }
            (true, false) => _ = self.order.remove(from),
            (false, _) => {
                let to = place(&self.order, key);
                self.order.insert(to, key);
            }
        }
    }
}

impl ChildrenOrder {
    pub(super) fn new() -> Self {
        ChildrenOrder { stale: true, ..ChildrenOrder::default() }
    }

    /// Everything about the children may have changed.
    pub(super) fn invalidate(&mut self) {
        self.stale = true;
        self.all.invalidate();
        self.wanting.invalidate();
    }

    /// The use of the child at a place of the parent's list changed.
    #[inline]
    pub(super) fn use_changed(&mut self, place: u32, wants: bool) {
        self.all.changed(place);
        if wants {
            self.wanting.changed(place);
        }
    }

    /// The child at a place of the parent's list wants something from now on, or nothing any more, or has other
    /// reservations.
    #[inline]
    pub(super) fn need_changed(&mut self, place: u32) {
        self.wanting.changed(place);
    }

    fn sorted(&self, whom: Children) -> &Sorted {
        match whom {
            Children::All => &self.all,
            Children::Wanting => &self.wanting,
        }
    }

    /// The children in the order of trial.
    #[inline]
    pub(super) fn at(&self, whom: Children, i: usize) -> Option<QueueId> {
        let key = self.sorted(whom).order.get(i)?;
        Some(self.ranked[*key as u32 as usize].queue)
    }

    /// What the i-th child is sorted by.
    pub(super) fn key_at(&self, whom: Children, i: usize) -> u128 {
        self.sorted(whom).order.get(i).copied().unwrap_or(ABSENT)
    }

    /// What the child at a place of the parent's list is sorted by among those that want something.
    pub(super) fn wanting_key(&self, place: u32) -> Option<u128> {
        let rank = *self.ranks.get(place as usize)?;
        self.wanting.placed.get(rank as usize).copied().filter(|key| *key != ABSENT)
    }

    pub(super) fn len(&self, whom: Children) -> usize {
        self.sorted(whom).order.len()
    }
}

/// Which children an attempt goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Children {
    /// All.
    All,
    /// Those with something wanted in the partition and room below their maximum: the others are passed over without a
    /// trace.
    Wanting,
}

/// The order of a parent's children under a policy (7.4).
pub fn children_in_order(policy: ParentOrdering) -> impl Fn(&ChildKey, &ChildKey) -> Ordering {
    move |a, b| urgency(policy, a).cmp(&urgency(policy, b)).then_with(|| by_guarantee(a, b))
}

/// Steps 1 to 3 of 7.4 as one number, the most urgent child's the smallest: who may use the partition, who has a
/// guarantee there; under `priority-utilization` who is below its guarantee, and the higher priority; the use.
fn urgency(policy: ParentOrdering, k: &ChildKey) -> u128 {
    let (guaranteed, below) = (k.absolute_capacity > 0.0, k.used < 1.0);
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

/// A float as a number of the same order, as Float.compare has it (what is not a number comes last).
fn ordered_bits(x: f32) -> u32 {
    if x.is_nan() {
        return u32::MAX;
    }
    let bits = x.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 0x8000_0000 }
}

/// Step 4 of 7.4: the configured or relative guarantee, then the place in the list.
fn by_guarantee(a: &ChildKey, b: &ChildKey) -> Ordering {
    if a.configured_min.is_zero() && b.configured_min.is_zero() {
        b.absolute_capacity.total_cmp(&a.absolute_capacity).then(a.place.cmp(&b.place))
    } else {
        b.configured_min.cmp(&a.configured_min).then(a.place.cmp(&b.place))
    }
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
            used: relevant_use(part),
            configured_min: part.configured_min,
        }
    }

    /// Brings a parent's order up to date.
    pub(super) fn sort_children(&mut self, c: &Cluster, parent: QueueId, p: PartitionId, whom: Children) {
        let policy = self.queues[parent.index()].conf.parent_ordering;
        if self.queues[parent.index()].orders[p.index()].stale && self.any_rests_below(parent) {
            self.wake_children(c, parent);
        }
        let mut orders = std::mem::take(&mut self.queues[parent.index()].orders);
        let order = &mut orders[p.index()];
        if order.stale {
            self.rank_children(parent, p, order);
        }
        let ChildrenOrder { ranked, ranks, all, wanting, .. } = order;
        let sorted = if whom == Children::All { all } else { wanting };
        let key_of = |key: &mut ChildKey, rank: usize| {
            let queue = &self.queues[key.queue.index()];
            let part = queue.part(p);
            key.used = relevant_use(part);
            let listed = whom == Children::All || !part.pending.is_zero() && !is_full(c, queue, p) && !queue.rests();
            if listed { urgency(policy, key) << 32 | rank as u128 } else { ABSENT }
        };
        if sorted.stale {
            sorted.placed.clear();
            sorted.placed.extend(ranked.iter_mut().enumerate().map(|(rank, key)| key_of(key, rank)));
            sorted.order.clear();
            sorted.order.extend(sorted.placed.iter().filter(|k| **k != ABSENT));
            sorted.order.sort_unstable();
            sorted.stale = false;
        }
        for i in 0..sorted.changed.len() {
            let Some(rank) = ranks.get(sorted.changed[i] as usize).map(|r| *r as usize) else { continue };
            let key = key_of(&mut ranked[rank], rank);
            sorted.put(rank, key);
        }
        sorted.changed.clear();
        self.queues[parent.index()].orders = orders;
    }

    /// Takes in anew whatever the children of a parent are sorted by.
    fn rank_children(&mut self, parent: QueueId, p: PartitionId, order: &mut ChildrenOrder) {
        order.ranked.clear();
        for place in 0..self.queues[parent.index()].children.len() {
            let child = self.queues[parent.index()].children[place];
            self.queues[child.index()].place = place as u32;
            order.ranked.push(self.child_key(child, place as u32, p));
        }
        crate::model::order::sort_by(&mut order.ranked, by_guarantee);
        order.ranks.clear();
        order.ranks.resize(order.ranked.len(), 0);
        for (rank, key) in order.ranked.iter().enumerate() {
            order.ranks[key.place as usize] = rank as u32;
        }
        order.invalidate();
        order.stale = false;
    }

    /// The order of applications in an active or pending list.
    pub(super) fn app_order(&self, c: &Cluster, leaf: QueueId, a: AppId, b: AppId) -> Ordering {
        apps_in_order(&self.queue(leaf).conf.leaf_ordering, c.app(a), c.app(b))
    }

    /// Puts an application in its place in the active list, and among those that may want something.
    pub(super) fn insert_active(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId) {
        self.books_changed();
        self.wake(c, leaf);
        c.app_mut(app).listed = true;
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.let_go(c.app(app).user, app);
        }
        for list in [Leaf::active_list, Leaf::wanting_list] {
            let Some(l) = &mut self.queues[leaf.index()].leaf else { return };
            // One that was active while it waited for a parallel limit (11.4) is activated again: it is there once.
            if list(l).contains(&app) {
                continue;
            }
            let mut apps = std::mem::take(list(l));
            let at = apps.partition_point(|other| self.app_order(c, leaf, *other, app).is_lt());
            apps.insert(at, app);
            if let Some(l) = &mut self.queues[leaf.index()].leaf {
                *list(l) = apps;
            }
        }
    }

    /// An active application may want something from now on: it has its place among those that are looked at.
    #[inline]
    pub(super) fn list_wanting(&mut self, c: &mut Cluster, app: AppId) {
        let a = c.app(app);
        if a.active && !a.listed {
            self.list_wanting_now(c, app);
        }
    }

    fn list_wanting_now(&mut self, c: &mut Cluster, app: AppId) {
        let leaf = c.app(app).queue;
        self.wake(c, leaf);
        let Some(l) = &mut self.queues[leaf.index()].leaf else { return };
        let mut apps = std::mem::take(&mut l.wanting);
        let at = apps.partition_point(|other| self.app_order(c, leaf, *other, app).is_lt());
        apps.insert(at, app);
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.wanting = apps;
        }
        c.app_mut(app).listed = true;
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
            let was_active = self.take_out(c, leaf, id);
            let app = c.app_mut(id);
            app.fair.used = app.used_total();
            app.fair.pending = app.pending_total();
            // One that only waits for its activation, a moved one whose container ended, comes among the active ones by
            // it (quirk); its AM is not charged.
            if was_active || c.app(id).is_in(leaf) {
                c.app_mut(id).active = true;
                self.insert_active(c, leaf, id);
            }
        }
    }

    /// Takes an application out of the lists of active ones, before what it is sorted by changes. Was it there?
    pub(super) fn take_out(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId) -> bool {
        self.wake(c, leaf);
        let place = |list: &[AppId]| {
            let at = list.partition_point(|other| self.app_order(c, leaf, *other, app).is_lt());
            if list.get(at) == Some(&app) { Some(at) } else { list.iter().position(|a| *a == app) }
        };
        let Some(l) = &self.queue(leaf).leaf else { return false };
        let (active, wanting) = (place(&l.active), place(&l.wanting));
        let Some(l) = &mut self.queues[leaf.index()].leaf else { return false };
        if let Some(at) = active {
            l.active.remove(at);
        }
        if let Some(at) = wanting {
            l.wanting.remove(at);
        } else {
            l.let_go(c.app(app).user, app);
        }
        c.app_mut(app).listed = false;
        self.books_changed();
        active.is_some()
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

/// Has the queue reached its maximum in the partition, with nothing reserved that could be given up? Then 7.3 stops it,
/// whatever its ancestors leave it.
fn is_full(c: &Cluster, queue: &Queue, p: PartitionId) -> bool {
    let part = queue.part(p);
    !c.calculator.lt(&c.total, &part.used, &part.effective_max)
        && part.reserved.is_zero()
        && queue.part(PartitionId::DEFAULT).reserved.is_zero()
}

/// The use that decides among siblings: by guarantee, absolutely where there is none.
fn relevant_use(part: &QueuePart) -> f32 {
    if part.absolute_capacity > 0.0 { part.used_capacity } else { part.absolute_used_capacity }
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
    pub(super) fn children_order(&self, c: &Cluster, queue: QueueId, look: &Look) -> Finding {
        let order = &self.queue(queue).orders[look.partition.index()];
        let sorted = &order.all.order;
        let describe = |key: &ChildKey| ChildOrder {
            queue: key.queue,
            can_access: key.access,
            used_capacity: key.used,
            absolute_capacity: key.absolute_capacity,
            configured_min: key.configured_min,
            priority: key.priority,
            has_pending: self.wants(c, key.queue, look),
        };
        let keys = sorted.iter().map(|key| &order.ranked[*key as u32 as usize]);
        let order: Vec<_> = keys.take(ORDER_SHOWN).map(describe).collect();
        let others = sorted.len() - order.len();
        Finding::Children { queue, order, others }
    }

    pub(super) fn apps_order(&self, c: &Cluster, queue: QueueId, look: &Look) -> Finding {
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
                has_pending: c.calculator.gt(&c.total, &pending, &Resource::ZERO),
            }
        };
        let may_try = |a: &&AppId| c.app(**a).is_in(queue) && self.may_try_on(c, queue, **a, look.partition);
        let tried: Vec<&AppId> = active.iter().filter(may_try).collect();
        let order: Vec<_> = tried.iter().take(ORDER_SHOWN).copied().map(describe).collect();
        let others = tried.len() - order.len();
        Finding::Apps { queue, order, others }
    }

    pub(super) fn requests_order(&self, c: &Cluster, app: AppId) -> Finding {
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
}

#[cfg(test)]
mod tests {
    use crate::journal::{Entry, Finding};
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
        // Whoever is looked at tells the order of its requests.
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
