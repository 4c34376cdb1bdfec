//! Visits that the CapacityScheduler's offers skip because their result is known (see [`crate::scheduler::ShortCuts`],
//! the switch): offers with the same result as an earlier one (`repeats`), constraints that were just evaluated
//! (`answers`), and, when nothing is recorded, children and applications without requests (`children`, `listed`),
//! applications whose user is at its limit (`aside`) and leaves without any others (`resting`). A result is valid for a
//! [`Version`], or until a mutator of the accounting is called ([`super`]).

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
pub use resting::{GoneThrough, OffersPastResting};

use super::Accounting;
use crate::model::QueueId;
use crate::scheduler::Cluster;

/// The version that a result is valid for: the numbers of changes to the accounting and to the data that constraints
/// evaluate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Version {
    books: u64,
    placement: u64,
}

/// The kept results of offers.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    /// The number of changes to the accounting.
    books: u64,
    repeats: repeats::Repeats,
    answers: answers::Answers,
    /// The number of constraints evaluated so far.
    evaluations: u64,
}

/// Kept results follow from the accounting: two schedulers with the same accounting are equal.
impl PartialEq for Offers {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Offers {
    /// Records a change of the accounting: an offer that gave nothing may give something now.
    #[inline]
    pub fn books_changed(&mut self) {
        self.books += 1;
    }
}

impl Accounting {
    fn version(&self, c: &Cluster) -> Version {
        Version { books: self.offers.books, placement: c.placement_changes }
    }
}

impl Accounting {
    /// Finishes postponed work and drops kept results: every leaf is awake, every application is listed among those
    /// that may have requests, and each pending one is ungrouped.
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

    /// Drops the kept results of queues and leaves, before a comparison.
    pub(in crate::scheduler) fn forget_kept(&mut self) {
        for queue in &mut self.queues {
            (queue.place, queue.passed) = (0, OffersPastResting::default());
            queue.orders.iter_mut().for_each(|order| *order = ChildrenOrder::new());
            if let Some(leaf) = &mut queue.leaf {
                (leaf.listed, leaf.crowds) = (Listed::default(), Default::default());
            }
        }
    }
}
