//! What a pass over a leaf's pending applications came to for all that it refused, so that thousands of them need not be
//! told of one by one. The limits for AMs tell crowds apart, and of a crowd those that stand before or behind one that the
//! pass has activated.

use super::{Change, Entry, Finding};
use crate::check::{About, Amounts, Check, Checked, Failure};
use crate::model::{AppId, PartitionId, QueueId, Resource, UserId};
use std::cmp::Reverse;
use std::sync::Arc;

/// A crowd: pending applications of a leaf with AMs of one size, in one partition, of one user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CrowdId {
    pub user: UserId,
    pub partition: PartitionId,
    /// Each crowd of a leaf has another one, also where there was one like it before.
    pub number: u32,
}

/// The place of a pending application in its leaf: higher priority, then earlier submission (FifoComparator).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank(pub Reverse<i32>, pub AppId);

impl Rank {
    /// Behind all others.
    pub const LAST: Rank = Rank(Reverse(i32::MIN), AppId(u32::MAX));
}

/// Why applications of a crowd were refused: those of them that stand before this place, and not before that of the entry
/// ahead of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Refused {
    pub crowd: CrowdId,
    pub before: Rank,
    pub why: Failure,
}

impl Refused {
    /// What was told of an application: its place among entries that are sorted by crowd and place.
    pub fn find(all: &[Refused], crowd: CrowdId, rank: Rank) -> Option<usize> {
        let at = all.partition_point(|r| (r.crowd, r.before) <= (crowd, rank));
        all.get(at).is_some_and(|r| r.crowd == crowd).then_some(at)
    }
}

/// A pass over the pending applications of a leaf, told in common.
pub struct PendingPass<'a> {
    pub leaf: QueueId,
    /// Those that it activated, in their order.
    pub activated: &'a [(Rank, Change)],
    /// Why it refused the others, sorted by crowd and place.
    pub refused: &'a Arc<Vec<Refused>>,
    /// How many of those that were refused or activated the latest pass had refused too.
    pub known: usize,
    /// Those refused that it had not, in their order.
    pub fresh: &'a [Member],
    /// All that were refused, in their order.
    pub all: &'a dyn Fn() -> Vec<Member>,
}

/// A pending application that a pass refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    pub crowd: CrowdId,
    pub rank: Rank,
    /// It is active too (11.4 of the reference), so that offers tell of it as well.
    pub active: bool,
}

impl PendingPass<'_> {
    /// The entries of the pass in the order of the applications: of all that it activated, and of these that it refused.
    pub fn entries(&self, members: &[Member]) -> Vec<Entry> {
        let mut entries = Vec::with_capacity(self.activated.len() + members.len());
        let mut activated = self.activated.iter().peekable();
        for member in members {
            while let Some((_, change)) = activated.next_if(|(rank, _)| *rank < member.rank) {
                entries.push(change.clone().into());
            }
            if let Some(place) = Refused::find(self.refused, member.crowd, member.rank) {
                let why = self.refused[place].why.clone();
                entries.push(Change::NotActivated { app: member.rank.1, why }.into());
            }
        }
        entries.extend(activated.map(|(_, change)| change.clone().into()));
        entries
    }
}

/// Applications of a leaf of the FairScheduler that an offer passes over because of the leaf's limit of AMs
/// ([`Check::AmShare`]), told in common.
pub struct StoppedRow<'a> {
    pub leaf: QueueId,
    /// By AMs of the leaf.
    pub used: Resource,
    pub limit: Resource,
    /// How many of them were in the row that was told before, all of it.
    pub known: usize,
    /// Those that were not, with the size of their AM.
    pub fresh: &'a [(AppId, Resource)],
    /// All of them.
    pub all: &'a dyn Fn() -> Vec<(AppId, Resource)>,
}

impl StoppedRow<'_> {
    /// The entry of one of them.
    pub fn entry(&self, app: AppId, size: Resource) -> Entry {
        let amounts = Amounts::sum(self.used, size, self.limit).of_queue(self.leaf);
        Finding::Checked(Checked::failed(Check::AmShare, About::App(app), amounts.into())).into()
    }
}
