//! The result of a pass over a leaf's pending applications for all that it refused, so that thousands of them need not
//! be recorded one by one. The limits for AMs distinguish groups, and within a group the applications before and after
//! one that the pass has activated.

use super::{Change, Entry, Finding};
use crate::check::{About, Amounts, Check, Checked, Failure};
use crate::model::{AppId, PartitionId, QueueId, Resource, UserId};
use std::cmp::Reverse;
use std::sync::Arc;

/// A pending group: the pending applications of a leaf with AMs of one size, in one partition, of one user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PendingGroupId {
    pub user: UserId,
    pub partition: PartitionId,
    /// Unique in the leaf: a later group with the same properties gets another number.
    pub number: u32,
}

/// The place of a pending application in its leaf: higher priority, then earlier submission (FifoComparator).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(pub Reverse<i32>, pub AppId);

impl Rank {
    /// The place after all others.
    pub const LAST: Rank = Rank(Reverse(i32::MIN), AppId(u32::MAX));
}

/// Why applications of a group were refused: those before this place, and not before that of the previous entry.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedUpTo {
    pub crowd: PendingGroupId,
    pub before: Rank,
    pub why: Failure,
}

impl RefusedUpTo {
    /// Finds the index of the entry for an application among entries that are sorted by group and place.
    pub fn find(all: &[RefusedUpTo], crowd: PendingGroupId, rank: Rank) -> Option<usize> {
        let at = all.partition_point(|r| (r.crowd, r.before) <= (crowd, rank));
        all.get(at).is_some_and(|r| r.crowd == crowd).then_some(at)
    }
}

/// A pass over the pending applications of a leaf, recorded as a whole.
pub struct PendingPass<'a> {
    pub leaf: QueueId,
    /// The applications that it activated, in order.
    pub activated: &'a [(Rank, Change)],
    /// Why it refused the others, sorted by group and place.
    pub refused: &'a Arc<Vec<RefusedUpTo>>,
    /// How many of the refused or activated ones the previous pass had refused too.
    pub known: usize,
    /// The refused ones that the previous pass had not refused, in order.
    pub fresh: &'a [Member],
    /// All refused ones, in order.
    pub all: &'a dyn Fn() -> Vec<Member>,
}

/// A pending application that a pass refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    pub crowd: PendingGroupId,
    pub rank: Rank,
    /// Whether it is active too (11.4 of the reference), so that offers record it as well.
    pub active: bool,
}

impl PendingPass<'_> {
    /// The entries of the pass in the order of the applications: all that it activated, and these members that it
    /// refused.
    pub fn entries(&self, members: &[Member]) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(self.activated.len() + members.len());
        let mut activated = self.activated.iter().peekable();
        for member in members {
            while let Some((_, change)) = activated.next_if(|(rank, _)| *rank < member.rank) {
                entries.push(change.clone().into());
            }
            if let Some(place) = RefusedUpTo::find(self.refused, member.crowd, member.rank) {
                let why = self.refused[place].why.clone();
                entries.push(Change::NotActivated { app: member.rank.1, why }.into());
            }
        }
        entries.extend(activated.map(|(_, change)| change.clone().into()));
        entries
    }
}

/// Applications of a leaf of the FairScheduler that an offer skips because of the leaf's AM limit ([`Check::AmShare`]),
/// recorded as a whole.
pub struct AmLimitSkips<'a> {
    pub leaf: QueueId,
    /// The usage of the leaf's AMs.
    pub used: Resource,
    pub limit: Resource,
    /// The number of them that are recorded as a whole already; 0 if one of those is not in this row.
    pub known: usize,
    /// The others, with the sizes of their AMs.
    pub fresh: &'a [(AppId, Resource)],
    /// All of them, with the sizes of their AMs.
    pub all: &'a dyn Fn() -> Vec<(AppId, Resource)>,
}

impl AmLimitSkips<'_> {
    /// The entry for one application.
    pub fn entry(&self, app: AppId, size: Resource) -> Entry {
        let amounts = Amounts::sum(self.used, size, self.limit).of_queue(self.leaf);
        Finding::Checked(Checked::failed(Check::AmShare, About::App(app), amounts.into())).into()
    }
}
