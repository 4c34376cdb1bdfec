//! The books of the queue tree. What the short cuts ([`short_cuts`]) keep holds until the books change, so
//! whoever changes a figure of a queue, a user or an application's place in a leaf comes in by one of the doors here,
//! which tell the short cuts first. [`Books::queues`] is not to be had otherwise.
//!
//! | what changes | door |
//! |---|---|
//! | usage, reservations, what is wanted | `usage` |
//! | applications that are active, their order | `short_cuts/listed` |
//! | lists and users of a leaf | [`Books::leaf_mut`] |
//! | what AMs take and may take | [`Books::charge_am`], [`Books::set_am_limit`] |
//! | settings, shares, the tree itself | [`Books::queue_mut`], [`Books::tree_mut`] |
//! | what is known of an application beside the books | [`Books::app_changes`], [`Books::asks_change`] |
//! | what no look at a node goes by | `counts` |
//! | what a look leaves behind, and finds again | `published` |
//!
//! A short cut changes no decision; the tests beside them and `tests/tests/short_cuts.rs` compare with runs that take none.

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

/// The queues, and what is known to come to the same again.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Books {
    queues: Vec<Queue>,
    /// What is kept of offers.
    pub(in crate::scheduler::capacity) offers: Offers,
    /// What rounds of preemption left behind.
    pub(in crate::scheduler::capacity) preemption: Preemption,
}

impl Books {
    /// The books have changed: what came to nothing may come to something.
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

    /// A queue that is new; its parent does not have it among its children yet.
    pub fn add(&mut self, queue: Queue) {
        self.forget();
        self.preemption.changed.note_all();
        self.queues.push(queue);
    }

    /// A leaf's lists, its users and their amounts; `None` for a parent.
    #[inline]
    pub fn leaf_mut(&mut self, c: &Cluster, leaf: QueueId) -> Option<&mut Leaf> {
        self.app_changes(c, leaf);
        self.queues[leaf.index()].known_leaf_mut()
    }

    /// Anything about one queue.
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

    /// Anything about all queues. Also where the cluster changes, that all limits stand on.
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

    /// Something of an application in a leaf changes that limits and lists go by.
    #[inline]
    pub fn app_changes(&mut self, c: &Cluster, leaf: QueueId) {
        self.forget();
        self.preemption.changed.note(leaf);
        self.wake(c, leaf);
    }

    /// Rows of an application's asks change. What is wanted in sum changes by `usage`.
    #[inline]
    pub fn asks_change(&mut self) {
        self.forget();
    }

    /// So much more (or less) of a leaf is charged as AMs.
    pub fn charge_am(&mut self, c: &Cluster, leaf: QueueId, p: PartitionId, by: Resource) {
        self.app_changes(c, leaf);
        self.queues[leaf.index()].part_mut(p).am_used += by;
    }

    /// A leaf's limit for AMs was worked out. No look goes by it.
    pub fn set_am_limit(&mut self, leaf: QueueId, p: PartitionId, limit: Resource) {
        let part = self.queues[leaf.index()].part_mut(p);
        (part.am_limit, part.am_limit_known) = (limit, true);
    }

    /// From the leaf up to root.
    pub fn path_up(&self, leaf: QueueId) -> impl Iterator<Item = QueueId> + '_ {
        let mut at = Some(leaf);
        std::iter::from_fn(move || {
            let id = at?;
            at = self.queue(id).parent;
            Some(id)
        })
    }
}
