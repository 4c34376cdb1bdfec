//! A short cut: an offer that came to nothing before any node was looked at (a queue at its maximum, users at their
//! limits, headroom too small) comes to nothing on every node of the partition, for the same reasons, until the books
//! change. Most heartbeats of a busy cluster are such.

use super::Books;
use crate::journal::Recorder;
use crate::model::PartitionId;
use crate::scheduler::Cluster;

/// What is known of the last offer.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    /// Nodes of this partition come to nothing; the recorder's ticket for the reasons.
    pub(super) nothing: Option<(PartitionId, u64)>,
    /// Did the present offer look at its node, or leave behind anything that another one would find different?
    pub(super) looked: bool,
}

/// What is known follows from the books: two schedulers with the same books are equal.
impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Books {
    /// The books have changed: what came to nothing may come to something.
    #[inline]
    pub(super) fn forget(&mut self) {
        self.fruitless.nothing = None;
        self.by_node.books_changed();
    }

    /// The present offer depends on its node, or counts something.
    #[inline]
    pub fn node_matters(&mut self) {
        self.fruitless.looked = true;
        self.by_node.spoil();
    }

    /// An offer begins. True: it comes to what the last one came to, and that is recorded.
    pub fn repeats<R: Recorder>(&mut self, c: &Cluster, p: PartitionId, rec: &mut R) -> bool {
        self.fruitless.looked = false;
        match self.fruitless.nothing {
            Some((of, ticket)) => of == p && !rec.details() && rec.repeat(c.now, ticket),
            None => false,
        }
    }

    /// The offer came to a proposal: even if that is refused, limits were published.
    pub fn came_to_something(&mut self) {
        self.forget();
    }

    /// The offer came to nothing.
    pub fn came_to_nothing<R: Recorder>(&mut self, p: PartitionId, rec: &mut R) {
        self.fruitless.nothing = None;
        if !self.fruitless.looked && !rec.details() {
            self.fruitless.nothing = rec.remember().map(|ticket| (p, ticket));
        }
    }
}
