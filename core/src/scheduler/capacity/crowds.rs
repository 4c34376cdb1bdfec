//! The pending applications of a leaf in groups (crowds): those of one user with AMs of one size in one partition. The
//! AM limits treat a group alike, and usage only grows within a pass, so the refusal of one application holds for all
//! behind it in its group: a pass tries the first of each group, and keeps the result once for all.
//!
//! If the list of pending applications is out of order, or has some that are over or have moved (11.4), the leaf is
//! ungrouped (dispersed): each application is tried by itself until the list is in order again.

use super::ordering::rank;
use crate::journal::{PendingGroupId, Rank, RefusedUpTo};
use crate::model::{AppId, QueueId, Resource, order};
use crate::scheduler::app::Inactive;
use crate::scheduler::{AmStatus, App, Cluster};
use std::sync::Arc;

/// A group.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PendingGroup {
    pub id: PendingGroupId,
    /// The size of each AM.
    pub size: Resource,
    /// The applications, in the order in which activation tries them.
    pub members: Vec<Rank>,
}

/// The groups of a leaf: all of its pending applications, unless it is dispersed.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct PendingGroups {
    pub(super) dispersed: bool,
    /// The groups by id; none is empty.
    pub(super) all: Vec<PendingGroup>,
    /// The applications that came since the latest pass.
    pub(super) fresh: Vec<Rank>,
    /// The number of the next group.
    next: u32,
    /// The number of the latest pass, among those of the cluster.
    pub(super) pass: u64,
    /// The refusals of that pass, by group and place, and the figures of each.
    pub(super) refused: Arc<Vec<RefusedUpTo>>,
    pub(super) figures: Vec<Inactive>,
}

impl PendingGroups {
    fn place(&self, a: &App) -> Result<usize, usize> {
        let whose = |c: &PendingGroup| (c.id.user, c.id.partition);
        let of = (a.user, a.am_partition);
        let from = self.all.partition_point(|c| whose(c) < of);
        let there = self.all[from..].iter().take_while(|c| whose(c) == of);
        let end = from + there.clone().count();
        there.zip(from..).find(|(c, _)| c.size == a.am_size).map(|(_, i)| i).ok_or(end)
    }

    /// Adds an application to its group.
    pub(super) fn add(&mut self, a: &App) {
        if self.dispersed {
            return;
        }
        let place = self.place(a).unwrap_or_else(|end| {
            let id = PendingGroupId { user: a.user, partition: a.am_partition, number: self.next };
            self.next += 1;
            self.all.insert(end, PendingGroup { id, size: a.am_size, members: Vec::new() });
            end
        });
        let (members, rank) = (&mut self.all[place].members, rank(a));
        let at = members.partition_point(|other| *other < rank);
        members.insert(at, rank);
        self.fresh.push(rank);
    }

    /// Removes an application that leaves, or whose group or rank is about to change.
    pub(super) fn remove(&mut self, a: &App) {
        let (Ok(place), rank) = (self.place(a), rank(a)) else { return };
        let members = &mut self.all[place].members;
        let Ok(at) = members.binary_search(&rank) else { return };
        members.remove(at);
        if members.is_empty() {
            self.all.remove(place);
        }
        self.fresh.retain(|other| *other != rank);
    }

    /// Returns the number of applications in all groups.
    pub(super) fn len(&self) -> usize {
        self.all.iter().map(|crowd| crowd.members.len()).sum()
    }

    /// Returns all applications in the order in which activation tries them.
    pub(super) fn in_order(&self) -> Vec<Rank> {
        let mut all = self.all.iter().flat_map(|crowd| &crowd.members).copied().collect();
        order::sort(&mut all);
        all
    }

    /// Removes the first applications of each group, as many as `gone` says. Sorts those that came since the latest
    /// pass.
    pub(super) fn drain(&mut self, gone: &[usize], is_gone: impl Fn(&Rank) -> bool) {
        self.all.iter_mut().zip(gone).for_each(|(crowd, gone)| drop(crowd.members.drain(..*gone)));
        self.all.retain(|crowd| !crowd.members.is_empty());
        self.fresh.retain(|rank| !is_gone(rank));
        order::sort(&mut self.fresh);
    }

    /// Returns an application's group, and the index of the refusal that the latest pass recorded for it.
    pub(super) fn told(&self, a: &App) -> Option<(PendingGroupId, usize)> {
        let (crowd, rank) = (&self.all[self.place(a).ok()?], rank(a));
        crowd.members.binary_search(&rank).ok()?;
        Some((crowd.id, RefusedUpTo::find(&self.refused, crowd.id, rank)?))
    }

    /// Returns the figures of the latest pass for an application, unless its status was set since.
    pub(super) fn figures(&self, a: &App) -> Option<&Inactive> {
        self.told(a).filter(|_| a.am_status_since < self.pass).map(|(_, place)| &self.figures[place])
    }

    /// Copies the figures to an application's own status.
    pub(super) fn tell(&self, c: &mut Cluster, app: AppId) {
        if let Some(figures) = self.figures(c.app(app)).filter(|_| c.app(app).alive) {
            c.set_am_status(app, AmStatus::Inactive(Box::new(figures.clone())));
        }
    }

    /// Ungroups all applications, so that each is tried by itself.
    pub(super) fn disperse(&mut self, c: &mut Cluster) {
        self.all.iter().flat_map(|crowd| &crowd.members).for_each(|rank| self.tell(c, rank.1));
        *self = PendingGroups { dispersed: true, next: self.next, ..PendingGroups::default() };
    }

    /// Groups the applications again, if the list is in order and all of them are in the leaf.
    pub(super) fn gather(&mut self, c: &Cluster, leaf: QueueId, pending: &[AppId]) {
        let in_order = pending.is_sorted_by(|a, b| rank(c.app(*a)) < rank(c.app(*b)));
        if in_order && pending.iter().all(|a| c.app(*a).is_in(leaf)) {
            self.dispersed = false;
            pending.iter().for_each(|a| self.add(c.app(*a)));
            self.fresh.clear();
        }
    }
}

#[cfg(test)]
impl super::CapacityScheduler {
    /// Ungroups all pending applications, so that the next pass tries each by itself.
    pub(crate) fn disperse_pending(&mut self, c: &mut Cluster) {
        for leaf in (0..self.queues().len()).map(QueueId::from) {
            self.books.crowds_mut(leaf).into_iter().for_each(|crowds| crowds.disperse(c));
        }
    }
}
