//! What the CapacityScheduler's offers leave out because it is known (see [`crate::scheduler::ShortCuts`], the switch):
//! offers that come to what an earlier one came to (`repeats`), constraints that were just evaluated (`answers`), and,
//! where nothing is recorded, children and applications that want nothing (`children`, `listed`), applications whose user
//! is at its limit (`aside`) and leaves that have no others (`resting`). Everything is known as of a [`Version`], or until a
//! door of the books is used ([`super`]).

mod answers;
mod aside;
mod children;
mod listed;
mod repeats;
mod resting;

pub use answers::Unmet;
pub use aside::{PASSED_OVER, may_be_set_aside};
pub use children::{Children, ChildrenOrder};
pub use listed::Listed;
pub use resting::{GoneThrough, Passed};

use super::Books;
use crate::model::QueueId;
use crate::scheduler::Cluster;

/// What is known holds as long as this is the same: how often the accounting, and what constraints look at, has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Version {
    books: u64,
    placement: u64,
}

/// What is kept of offers.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// How often the books have changed.
    books: u64,
    repeats: repeats::Repeats,
    answers: answers::Answers,
    /// Constraints evaluated so far.
    evaluations: u64,
}

/// What is known follows from the books: two schedulers with the same books are equal.
impl PartialEq for Offers {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Offers {
    /// The books have changed: what came to nothing may come to something.
    #[inline]
    pub fn books_changed(&mut self) {
        self.books += 1;
    }
}

impl Books {
    fn version(&self, c: &Cluster) -> Version {
        Version { books: self.offers.books, placement: c.placement_changes }
    }
}

impl Books {
    /// Does what is put off, and keeps nothing that is not on its way: every leaf is awake, every application stands
    /// among those that may want something, and each pending one is on its own.
    pub(in crate::scheduler) fn settle(&mut self, c: &mut Cluster) {
        self.count_owed(c);
        c.apps.iter_mut().for_each(|app| app.asks.part());
        for leaf in (0..self.queues.len()).map(QueueId::from) {
            self.wake(c, leaf);
            self.let_all_go(c, leaf);
            self.crowds_mut(leaf).into_iter().for_each(|crowds| crowds.disperse(c));
        }
        self.offers = Offers { evaluations: self.offers.evaluations, ..Offers::default() };
    }

    /// Drops what is kept of queues and leaves, for a comparison.
    pub(in crate::scheduler) fn forget_kept(&mut self) {
        for queue in &mut self.queues {
            (queue.place, queue.passed) = (0, Passed::default());
            queue.orders.iter_mut().for_each(|order| *order = ChildrenOrder::new());
            if let Some(leaf) = &mut queue.leaf {
                (leaf.listed, leaf.crowds) = (Listed::default(), Default::default());
            }
        }
    }
}
