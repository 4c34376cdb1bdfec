//! The accounting of the queue tree. The results that the short cuts ([`short_cuts`]) keep are valid until the
//! accounting changes, so every change to a figure of a queue, a user or an application's place in a leaf goes through
//! one of the mutators here, which invalidate the short cuts first. There is no other way to change [`Accounting::queues`].
//!
//! | what changes | mutator |
//! |---|---|
//! | usage, reservations, pending requests | `usage` |
//! | active applications, their order | `short_cuts/listed` |
//! | lists and users of a leaf | [`Accounting::leaf_mut`] |
//! | AM usage and AM limits | [`Accounting::charge_am`], [`Accounting::set_am_limit`] |
//! | settings, shares, the tree itself | [`Accounting::queue_mut`], [`Accounting::tree_mut`] |
//! | state of applications outside the accounting | [`Accounting::app_changes`], [`Accounting::asks_change`] |
//! | figures that no visit depends on | `counts` |
//! | figures that a visit publishes, and the next one would too | `published` |
//!
//! A short cut changes no decision; the tests beside them and `tests/tests/short_cuts.rs` compare with runs without
//! short cuts.

mod counts;
mod published;
pub mod short_cuts;
#[cfg(test)]
mod tests;
mod usage;

pub use published::tell_headroom;

use self::short_cuts::{ChildrenOrder, Offers};
use super::preempt::Preemption;
use super::queue::{Leaf, Queue};
use crate::model::{PartitionId, QueueId, Resource};
use crate::scheduler::Cluster;

/// The queues, and the kept results of offers and of rounds of preemption.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Accounting {
    queues: Vec<Queue>,
    /// The kept results of offers.
    pub(in crate::scheduler::capacity) offers: Offers,
    /// The kept results of rounds of preemption.
    pub(in crate::scheduler::capacity) preemption: Preemption,
}

impl Accounting {
    /// Invalidates the kept results: an offer that gave nothing may give something now.
    #[inline]
    pub(in crate::scheduler::capacity) fn forget(&mut self) {
        self.offers.books_changed();
    }

    /// Queues, root first.
    #[inline]
    pub fn queues(&self) -> &[Queue] {
        &self.queues
    }

    #[inline]
    pub fn queue(&self, id: QueueId) -> &Queue {
        &self.queues[id.index()]
    }

    /// Adds a new queue; its parent does not have it among its children yet.
    pub fn add(&mut self, queue: Queue) {
        self.forget();
        self.preemption.changed.note_all();
        self.queues.push(queue);
    }

    /// Returns a leaf's lists, its users and their amounts for a change; `None` for a parent.
    #[inline]
    pub fn leaf_mut(&mut self, c: &Cluster, leaf: QueueId) -> Option<&mut Leaf> {
        self.app_changes(c, leaf);
        self.queues[leaf.index()].known_leaf_mut()
    }

    /// Returns one queue for any change.
    pub fn queue_mut(&mut self, c: &Cluster, id: QueueId) -> &mut Queue {
        self.app_changes(c, id);
        self.preemption.changed.note_all();
        self.wake_children(c, id);
        if let Some(parent) = self.queue(id).parent {
            self.queues[parent.index()].orders.iter_mut().for_each(ChildrenOrder::invalidate);
        }
        let queue = &mut self.queues[id.index()];
        queue.orders.iter_mut().for_each(ChildrenOrder::invalidate);
        queue
    }

    /// Returns all queues for any change; also for changes of the cluster, which all limits depend on.
    #[cold]
    pub fn tree_mut(&mut self, c: &Cluster) -> &mut [Queue] {
        self.forget();
        self.preemption.changed.note_all();
        for i in 0..self.queues.len() {
            self.wake(c, QueueId::from(i));
        }
        for q in &mut self.queues {
            q.orders.iter_mut().for_each(ChildrenOrder::invalidate);
        }
        &mut self.queues
    }

    /// Records a change of an application in a leaf that limits and lists depend on.
    #[inline]
    pub fn app_changes(&mut self, c: &Cluster, leaf: QueueId) {
        self.forget();
        self.preemption.changed.note(leaf);
        self.wake(c, leaf);
    }

    /// Records a change of an application's request rows. Pending sums change by `usage`.
    #[inline]
    pub fn asks_change(&mut self) {
        self.forget();
    }

    /// Adds to (or subtracts from) the AM usage of a leaf.
    pub fn charge_am(&mut self, c: &Cluster, leaf: QueueId, p: PartitionId, by: Resource) {
        self.app_changes(c, leaf);
        self.queues[leaf.index()].part_mut(p).am_used += by;
    }

    /// Sets a leaf's computed AM limit. No visit depends on it.
    pub fn set_am_limit(&mut self, leaf: QueueId, p: PartitionId, limit: Resource) {
        let part = self.queues[leaf.index()].part_mut(p);
        (part.am_limit, part.am_limit_known) = (limit, true);
    }

    /// Iterates over the queues from the leaf up to root.
    pub fn path_up(&self, leaf: QueueId) -> impl Iterator<Item = QueueId> + '_ {
        let mut at = Some(leaf);
        std::iter::from_fn(move || {
            let id = at?;
            at = self.queue(id).parent;
            Some(id)
        })
    }
}
