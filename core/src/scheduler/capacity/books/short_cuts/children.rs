//! The order in which a parent tries its children, kept from offer to offer. Both policies of a parent are strict
//! orders (the places in its list settle ties), so only children whose figures changed are moved. Everything that
//! decides between two children is packed into one number. Two orders are kept: of all children, and of those with
//! pending requests and room below their maximum. Offers use the latter when nothing is recorded.

use crate::model::{PartitionId, QueueId};
use crate::scheduler::Cluster;
use crate::scheduler::capacity::books::Accounting;
use crate::scheduler::capacity::ordering::{ChildKey, by_guarantee, has_guarantee, urgency};
use crate::scheduler::capacity::queue::{Queue, QueuePart};

/// The children of a parent in one partition, in the order of trial.
#[derive(Clone, Debug, Default)]
pub struct ChildrenOrder {
    /// The children sorted by the keys that usage does not change (the last steps of the comparison); a child's rank is
    /// its place here.
    ranked: Vec<ChildKey>,
    /// The rank of each child, by its place in the parent's list.
    ranks: Vec<u32>,
    all: Sorted,
    wanting: Sorted,
    /// Whether all fields have to be computed again.
    stale: bool,
}

/// Orders follow from the accounting: two parents with the same accounting are equal, whatever was sorted when.
impl PartialEq for ChildrenOrder {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Some or all children, in order.
#[derive(Clone, Debug, Default)]
struct Sorted {
    /// Urgency, with the rank in the last 32 bits.
    order: Vec<u128>,
    /// The entry of each rank in `order`; [`ABSENT`] if it has none.
    placed: Vec<u128>,
    /// The places in the parent's list of the children whose key may have changed.
    changed: Vec<u32>,
    /// Whether too much has changed to move single children.
    stale: bool,
}

const ABSENT: u128 = u128::MAX;
/// The maximum number of recorded changes; with more, the order is computed again.
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

    /// Sets the key of the child with this rank.
    fn put(&mut self, rank: usize, key: u128) {
        let old = std::mem::replace(&mut self.placed[rank], key);
        if old == key {
            return;
        }
        let place = |order: &[u128], key| order.partition_point(|k| *k < key);
        // Usually it is the first one, which was just served.
        let from = if self.order.first() == Some(&old) { 0 } else { place(&self.order, old) };
        match (old != ABSENT, key != ABSENT) {
            // The keys between the two places move by one.
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
    pub fn new() -> Self {
        ChildrenOrder { stale: true, ..ChildrenOrder::default() }
    }

    /// Invalidates both orders, since anything about the children may have changed.
    pub(in crate::scheduler::capacity::books) fn invalidate(&mut self) {
        self.stale = true;
        self.all.invalidate();
        self.wanting.invalidate();
    }

    /// Records a change in the usage of the child at a place of the parent's list.
    #[inline]
    pub(in crate::scheduler::capacity::books) fn use_changed(&mut self, place: u32, wants: bool) {
        self.all.changed(place);
        if wants {
            self.wanting.changed(place);
        }
    }

    /// Records that the child at a place of the parent's list has requests from now on, or none any more, or other
    /// reservations.
    #[inline]
    pub(in crate::scheduler::capacity::books) fn need_changed(&mut self, place: u32) {
        self.wanting.changed(place);
    }

    fn sorted(&self, whom: Children) -> &Sorted {
        match whom {
            Children::All => &self.all,
            Children::Wanting => &self.wanting,
        }
    }

    /// Returns the i-th child in the order of trial, and its sort key.
    #[inline]
    pub fn at(&self, whom: Children, i: usize) -> Option<(QueueId, u128)> {
        let key = *self.sorted(whom).order.get(i)?;
        Some((self.ranked[key as u32 as usize].queue, key))
    }

    /// Iterates over the children's keys, in the order of trial.
    pub fn keys(&self, whom: Children) -> impl Iterator<Item = &ChildKey> {
        self.sorted(whom).order.iter().map(|key| &self.ranked[*key as u32 as usize])
    }

    /// Returns the sort key of the child at a place of the parent's list, if it is among the wanting ones.
    pub(in crate::scheduler::capacity::books) fn wanting_key(&self, place: u32) -> Option<u128> {
        let rank = *self.ranks.get(place as usize)?;
        self.wanting.placed.get(rank as usize).copied().filter(|key| *key != ABSENT)
    }

    pub fn len(&self, whom: Children) -> usize {
        self.sorted(whom).order.len()
    }
}

/// The children that an offer goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    All,
    /// Those with pending requests in the partition and room below their maximum: the others are skipped without a
    /// trace. (A full leaf is included if a visit activates an application that was marked while it waited.)
    Wanting,
}

impl Accounting {
    fn child_key(&self, queue: QueueId, place: u32, p: PartitionId) -> ChildKey {
        let q = self.queue(queue);
        let part = q.part(p);
        ChildKey {
            queue,
            place,
            access: p.is_default() || part.access,
            priority: q.conf.priority,
            absolute_capacity: part.shares.absolute_capacity,
            used: relevant_use(part),
            configured_min: part.configured_min,
        }
    }

    /// Brings a parent's order up to date.
    pub fn sort_children(&mut self, c: &Cluster, parent: QueueId, p: PartitionId, whom: Children) {
        let policy = self.queues[parent.index()].conf.parent_ordering;
        if self.queues[parent.index()].orders[p.index()].stale && self.any_rests_below(parent) {
            self.wake_children(c, parent);
        }
        let mut orders = std::mem::take(&mut self.queues[parent.index()].orders);
        let order = &mut orders[p.index()];
        if !c.short_cuts.taken() {
            order.invalidate();
        }
        if order.stale {
            self.rank_children(parent, p, order);
        }
        let ChildrenOrder { ranked, ranks, all, wanting, .. } = order;
        let sorted = if whom == Children::All { all } else { wanting };
        let key_of = |key: &mut ChildKey, rank: usize| {
            let queue = &self.queues[key.queue.index()];
            let part = queue.part(p);
            key.used = relevant_use(part);
            let comes_to_nothing = is_full(c, queue, p) && !queue.leaf.as_ref().is_some_and(|l| l.lets_in_unseen(c));
            let listed = whom == Children::All || !part.pending.is_zero() && !comes_to_nothing && !queue.rests();
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

    /// Reads and sorts the keys of a parent's children again.
    #[cold]
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
}

/// Returns whether the queue has reached its maximum in the partition and has no reservations that it could give up.
/// Then 7.3 stops it, whatever its ancestors leave it.
fn is_full(c: &Cluster, queue: &Queue, p: PartitionId) -> bool {
    let part = queue.part(p);
    !c.calculator.lt(&c.total, &part.used, &part.shares.effective_max)
        && part.reserved.is_zero()
        && queue.part(PartitionId::DEFAULT).reserved.is_zero()
}

/// Returns the usage that decides among siblings: relative to the guarantee, absolute without one.
fn relevant_use(part: &QueuePart) -> f32 {
    if has_guarantee(part.shares.absolute_capacity) { part.used_capacity } else { part.absolute_used_capacity }
}
