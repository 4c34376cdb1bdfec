//! The applications of a leaf that an offer visits: all active ones in their order, or, when nothing is recorded, only
//! those that a visit may change.

use super::resting::Resting;
use crate::config::capacity::LeafOrdering;
use crate::model::{AppId, QueueId, UserId};
use crate::scheduler::capacity::books::Accounting;
use crate::scheduler::capacity::ordering::apps_in_order;
use crate::scheduler::capacity::queue::{Leaf, Queue};
use crate::scheduler::{App, Cluster};
use std::cmp::Ordering;

/// The active applications of a leaf that a visit goes through, and whether a visit is needed at all.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Listed {
    /// The active applications, in their order, that a visit may change: any other has no requests and no reservations.
    pub(in crate::scheduler::capacity::books) wanting: Vec<AppId>,
    /// The applications taken out of `wanting` because their user is at its limit, by user.
    pub(in crate::scheduler::capacity::books) aside: Vec<(UserId, Vec<AppId>)>,
    /// Set while the leaf is skipped, until something in it changes.
    pub(in crate::scheduler::capacity::books) resting: Option<Resting>,
}

impl Listed {
    /// Returns the applications that may have requests, in the order of trial, without those on the skip list.
    #[inline]
    pub fn wanting(&self) -> &[AppId] {
        &self.wanting
    }

    /// Returns whether no application may have requests.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.wanting.is_empty() && self.aside.is_empty()
    }

    /// Returns whether the leaf is skipped.
    #[inline]
    pub fn rests(&self) -> bool {
        self.resting.is_some()
    }

    /// Removes an application that has left the leaf.
    pub fn remove(&mut self, app: &mut App) {
        self.wanting.retain(|a| *a != app.id);
        self.let_go(app.user, app.id);
        app.listed = false;
    }
}

/// Puts an application in its place in a list, unless it is there.
fn put(list: &mut Vec<AppId>, app: AppId, order: impl Fn(AppId, AppId) -> Ordering) {
    if !list.contains(&app) {
        let at = list.partition_point(|other| order(*other, app).is_lt());
        list.insert(at, app);
    }
}

impl Accounting {
    /// Compares two applications of a leaf by its ordering policy.
    pub fn app_order(&self, c: &Cluster, leaf: QueueId, a: AppId, b: AppId) -> Ordering {
        apps_in_order(&self.queue(leaf).conf.leaf_ordering, c.app(a), c.app(b))
    }

    /// Inserts an application into the active list and into the list of those that may have requests. (An application
    /// that was active while it waited for a parallel limit, 11.4, is activated again and is listed once.)
    pub fn insert_active(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId) {
        self.app_changes(c, leaf);
        c.app_mut(app).listed = true;
        let queue = &mut self.queues[leaf.index()];
        debug_assert!(queue.is_leaf(), "only leaves list applications");
        let Some(l) = &mut queue.leaf else { return };
        let order = |a, b| apps_in_order(&queue.conf.leaf_ordering, c.app(a), c.app(b));
        l.listed.let_go(c.app(app).user, app);
        put(&mut l.active, app, order);
        put(&mut l.listed.wanting, app, order);
    }

    /// Lists an active application as one that may have requests.
    #[inline]
    pub fn list_wanting(&mut self, c: &mut Cluster, app: AppId) {
        let a = c.app(app);
        if a.active && !a.listed {
            self.list_wanting_now(c, app);
        }
    }

    fn list_wanting_now(&mut self, c: &mut Cluster, app: AppId) {
        let leaf = c.app(app).queue;
        self.app_changes(c, leaf);
        let queue = &mut self.queues[leaf.index()];
        debug_assert!(queue.is_leaf(), "only leaves list applications");
        let Some(l) = &mut queue.leaf else { return };
        put(&mut l.listed.wanting, app, |a, b| apps_in_order(&queue.conf.leaf_ordering, c.app(a), c.app(b)));
        c.app_mut(app).listed = true;
    }

    /// Removes an application without requests from the list of those that may have some, if it is at this index.
    /// Returns whether it was.
    #[inline]
    pub fn unlist(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId, at: usize) -> bool {
        let Some(l) = self.queues[leaf.index()].known_leaf_mut() else { return false };
        let there = l.listed.wanting.get(at) == Some(&app);
        if there {
            l.listed.wanting.remove(at);
            c.app_mut(app).listed = false;
        }
        there
    }

    /// Sorts a leaf's lists again, after its order has changed.
    pub fn sort_anew(&mut self, c: &Cluster, leaf: QueueId) {
        self.app_changes(c, leaf);
        let queue = &mut self.queues[leaf.index()];
        debug_assert!(queue.is_leaf(), "only leaves list applications");
        let Some(l) = &mut queue.leaf else { return };
        let Leaf { active, listed, .. } = &mut **l;
        let freed = listed.let_all_go();
        listed.wanting.extend(freed);
        for list in [active, &mut listed.wanting] {
            crate::model::order::sort_by(list, |a, b| apps_in_order(&queue.conf.leaf_ordering, c.app(*a), c.app(*b)));
        }
    }

    /// Updates the figures that the fair order compares for marked applications (11.5), before a leaf is visited.
    pub fn read_marked(&mut self, c: &mut Cluster, leaf: QueueId) {
        let fair = matches!(self.queue(leaf).conf.leaf_ordering, LeafOrdering::Fair { .. });
        let Some(l) = self.queues[leaf.index()].known_leaf_mut() else { return };
        if l.marked.is_empty() || !fair {
            return;
        }
        let marked = std::mem::take(&mut l.marked);
        for id in marked {
            let was_active = self.take_out(c, leaf, id);
            let app = c.app_mut(id);
            app.fair.used = app.used_total();
            app.fair.pending = app.pending_total();
            // A moved application that waits for its activation and whose container has ended becomes active here
            // (quirk); its AM is not charged.
            if was_active || c.app(id).is_in(leaf) {
                if !c.app(id).active {
                    c.app_mut(id).active = true;
                    self.need_changed(leaf);
                }
                self.insert_active(c, leaf, id);
            }
        }
    }

    /// Removes an application from the lists of active ones, before its sort key changes. Returns whether it was there.
    pub fn take_out(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId) -> bool {
        self.app_changes(c, leaf);
        let place = |list: &[AppId]| {
            let at = list.partition_point(|other| self.app_order(c, leaf, *other, app).is_lt());
            if list.get(at) == Some(&app) { Some(at) } else { list.iter().position(|a| *a == app) }
        };
        let Some(l) = self.queue(leaf).known_leaf() else { return false };
        let (active, wanting) = (place(&l.active), place(&l.listed.wanting));
        let Some(l) = self.queues[leaf.index()].known_leaf_mut() else { return false };
        if let Some(at) = active {
            l.active.remove(at);
        }
        if let Some(at) = wanting {
            l.listed.wanting.remove(at);
        } else {
            l.listed.let_go(c.app(app).user, app);
        }
        c.app_mut(app).listed = false;
        active.is_some()
    }

    /// Marks an application whose place in the fair order has to be computed again.
    #[inline]
    pub fn mark(&mut self, leaf: QueueId, app: AppId) {
        let queue = &mut self.queues[leaf.index()];
        let fair = matches!(queue.conf.leaf_ordering, LeafOrdering::Fair { .. });
        if let (true, Some(l)) = (fair, &mut queue.leaf)
            && !l.marked.contains(&app)
        {
            l.marked.push(app);
            self.need_changed(leaf);
        }
    }

    /// Records that a leaf may need a visit now, or none any more.
    fn need_changed(&mut self, leaf: QueueId) {
        let Queue { place, parent, .. } = self.queues[leaf.index()];
        if let Some(parent) = parent {
            self.queues[parent.index()].orders.iter_mut().for_each(|order| order.need_changed(place));
        }
    }
}
