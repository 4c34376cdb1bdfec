//! What a pass over a leaf's pending applications came to for all that it refused, so that thousands of them need not be
//! told of one by one. The limits for AMs tell crowds apart, and of a crowd those that stand before or behind one that the
//! pass has activated.

use crate::check::Failure;
use crate::model::{AppId, PartitionId, Resource, UserId};
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

/// What a pass came to.
#[derive(Clone, Copy, Debug)]
pub struct Tried<'a> {
    /// For all whom it refused, sorted by crowd and place.
    pub refused: &'a Arc<Vec<Refused>>,
    /// Those of them who were told of by themselves.
    pub told: &'a [(CrowdId, Rank)],
}

/// What an offer told of applications that the limit of AMs of their leaf stops, all that it has met (FairScheduler;
/// [`Check::AmShare`](crate::check::Check::AmShare)).
#[derive(Clone, Copy, Debug)]
pub struct AmStopped<'a> {
    /// By AMs of the leaf.
    pub used: Resource,
    pub limit: Resource,
    /// Those of them who were told of by themselves.
    pub told: &'a [AppId],
}
