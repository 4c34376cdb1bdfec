//! Attempts that end and applications that move (AbstractLeafQueue.removeApplicationAttempt,
//! CapacityScheduler.doneApplicationAttempt, moveApplication; capacity-scheduler.md 4, 5, 11.4).

use super::CapacityScheduler;
use super::books::Accounting;
use crate::journal::{Change, Recorder, UnreserveCause};
use crate::model::{AppId, PartitionId, QueueId, Resource};
use crate::scheduler::app::{ABORTED, AM_KEY, AmRequest, EndCause};
use crate::scheduler::{App, Cluster, ContainerState, Origin, Slot};

impl CapacityScheduler {
    /// Adds an application's next attempt. Returns false if YARN throws: then it asks for no AM.
    pub(crate) fn add_attempt<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        am: Option<&AmRequest>,
        rec: &mut R,
    ) -> bool {
        self.begin_attempt(c, app, am);
        self.start_attempt(c, app, rec)
    }

    /// Begins an attempt, without adding it to any list.
    pub(super) fn begin_attempt(&mut self, c: &mut Cluster, app: AppId, am: Option<&AmRequest>) {
        self.books.leave_behind(c, app);
        c.begin_attempt(app, am);
        let policy = self.queue(c.app(app).queue).conf.sorting_policy.as_deref().map(Box::from);
        let a = c.app_mut(app);
        a.sorting_policy = policy;
        a.priority = a.submitted_priority;
        a.am_partition = am.filter(|am| !am.unlabelled).map_or(PartitionId::DEFAULT, |am| am.partition);
    }

    /// Requests the AM's container and returns its size, which is rounded again and limited by the largest node at the
    /// moment, not by the queue's maximum.
    pub(crate) fn ask_for_am(&mut self, c: &mut Cluster, app: AppId, am: &AmRequest) -> Option<Resource> {
        let size = c.rounded(am.size);
        self.books.update_asks(c, app, AM_KEY, &am.rows(size), am.partition);
        Some(size)
    }

    /// Ends an attempt: its containers and reservations end, its requests leave the pending sums, and it leaves the
    /// leaf. `keep`: running containers stay.
    pub(crate) fn end_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, keep: bool, rec: &mut R) {
        if !c.app(app).alive {
            return;
        }
        let attempt = c.app(app).attempt;
        rec.note(c.now, || Change::AttemptEnded { app, attempt });
        let a = c.app(app);
        let (leaf, runnable) = (a.queue, a.runnable && !a.thought_waiting);
        if runnable {
            self.count_running(c, app, -1);
        } else if a.runnable {
            // Only its leaf counts it as running.
            self.books.count_running_in_leaf(leaf, -1);
        } else {
            self.waiting.retain(|a| *a != app);
        }
        self.books.finish_attempt(c, app, keep, rec);
        if runnable {
            self.after_running_left(c, app, rec);
        }
    }

    /// Removes an application after its last attempt; until now it counts among its user's asking ones.
    pub(crate) fn remove_application(&mut self, c: &mut Cluster, app: AppId) {
        self.books.asks_end(c, app);
        self.books.count_application(c.app(app).queue, -1);
    }

    /// Counts an application that came to (+1) or left (−1) a leaf.
    pub(crate) fn count_application(&mut self, leaf: QueueId, by: i64) {
        self.books.count_application(leaf, by);
    }

    /// Moves an application to another leaf; the caller has checked that it may go there.
    pub(crate) fn move_application<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, to: QueueId, rec: &mut R) {
        let from = c.app(app).queue;
        rec.note(c.now, || Change::Moved { app, from, to });
        // Containers, then reservations: subtract the usage from the source, add it to the destination.
        let mut live: Vec<_> = c.app(app).slots().collect();
        crate::model::order::sort_by_key(&mut live, |s| c.containers.at(*s).state == ContainerState::Reserved);
        for slot in live {
            // From now on its record has its queue's full name, and the new leaf lists the container as it is.
            c.containers.at_mut(slot).origin.unset(Origin::AMBIGUOUS);
            c.containers.at_mut(slot).origin.unset(Origin::OUTDATED);
            list_by_node(c, slot);
            let container = c.containers.at(slot);
            let (size, p) = (container.size, container.partition);
            let reserved = container.state == ContainerState::Reserved;
            for (leaf, plus) in [(from, false), (to, true)] {
                c.app_mut(app).queue = leaf;
                if reserved {
                    self.books.charge_reserved_of_queues(c, leaf, size, p, plus);
                }
                self.books.charge(c, app, size, p, plus);
            }
            c.app_mut(app).queue = from;
            // Each queue above the new leaf enforces its maximum (AbstractParentQueue.attachContainer).
            self.books.kill_beyond_maximum(c, to, p, rec);
        }
        // The usage that moved with the application does not mark it for the order of a fair leaf.
        if let Some(l) = self.books.leaf_mut(c, to) {
            l.marked.retain(|a| *a != app);
        }
        // Finish in the source.
        let a = c.app(app);
        // An attempt for which YARN threw is in no list; a move treats it like a running one.
        let thrown = !a.runnable && !self.waiting.contains(&app);
        let (runnable, thought_waiting) = (a.runnable || thrown, a.thought_waiting);
        let leaving = Leaving::of(a);
        self.books.leave_leaf(c, leaving);
        self.books.activate(c, from, rec);
        // Submit to the destination. The limits of parallel applications are not checked again: an application that
        // waits for them goes on waiting; a running one counts in the new leaf, but still in the queues above the
        // former one (quirk).
        let wanted = c.app(app).wanted();
        let a = c.app_mut(app);
        a.active = false;
        a.queue = to;
        if thrown {
            a.runnable = true;
            self.count_running(c, app, 1);
        } else if runnable {
            self.books.count_running_in_leaf(from, -1);
        }
        if runnable && !thought_waiting {
            if !thrown {
                self.books.count_running_in_leaf(to, 1);
            }
            self.books.submit_attempt(c, app, rec);
            // The application itself moves last: its activation reports the figures of the source.
            if c.app(app).active {
                self.books.note_active_in(c, app, from);
            } else {
                self.books.note_inactive_in(c, app, from);
            }
        } else {
            let a = c.app_mut(app);
            (a.runnable, a.thought_waiting) = (false, false);
            self.wait_for_parallel_limit(c, app);
        }
        // Pending sums, active user.
        c.app_mut(app).queue = from;
        for (p, size, count) in &wanted {
            self.books.change_pending(c, app, *p, *size, -count);
        }
        self.books.asks_end(c, app);
        c.app_mut(app).queue = to;
        for (p, size, count) in &wanted {
            self.books.change_pending(c, app, *p, *size, *count);
        }
        // The pending sums do not mark it for the order of a fair leaf either.
        for leaf in [from, to] {
            if let Some(l) = self.books.leaf_mut(c, leaf) {
                l.marked.retain(|a| *a != app);
            }
        }
        if !c.app(app).asks.open().is_empty() {
            self.books.asks_begin(c, app);
        }
        self.books.count_application(from, -1);
        self.books.count_application(to, 1);
    }

    /// Changes an application's priority, and at once its place in the pending or active list (11.4).
    pub(crate) fn change_priority<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, priority: i32, rec: &mut R) {
        let old = c.app(app).priority;
        if old == priority {
            return;
        }
        rec.note(c.now, || Change::PriorityChanged { app, from: old, to: priority });
        let leaf = c.app(app).queue;
        // A leaf that became a parent and then a leaf again is another queue. The application runs on in the first one
        // and is inserted among the pending ones of the second (quirk).
        let by_name = self.find_queue(&self.queue(leaf).path).filter(|found| *found != leaf);
        if let Some(other) = by_name {
            self.books.disperse(c, leaf, app);
            self.books.crowds_mut(other).into_iter().for_each(|crowds| crowds.disperse(c));
            c.app_mut(app).priority = priority;
            self.books.insert_pending(c, other, app);
            return;
        }
        let was_active = self.books.take_out(c, leaf, app);
        // An application that is in both lists (a quirk of the fair order) keeps its old place among the pending ones.
        if was_active {
            self.books.disperse(c, leaf, app);
        } else {
            self.books.remove_pending(c, leaf, app);
        }
        c.app_mut(app).priority = priority;
        let Some(l) = self.books.leaf_mut(c, leaf) else { return };
        l.marked.retain(|a| *a != app);
        if was_active {
            self.books.insert_active(c, leaf, app);
        } else if c.app(app).alive {
            // An application that waits for a parallel limit becomes pending here (quirk).
            self.books.insert_pending(c, leaf, app);
        }
    }
}

/// An attempt that leaves its leaf, with the AM amount that is charged to the leaf.
#[derive(Clone, Copy)]
struct Leaving {
    leaf: QueueId,
    app: AppId,
    active: bool,
    am_size: Resource,
    am_partition: PartitionId,
}

impl Leaving {
    fn of(a: &App) -> Self {
        Leaving { leaf: a.queue, app: a.id, active: a.active, am_size: a.am_size, am_partition: a.am_partition }
    }
}

impl Accounting {
    /// Ends an attempt's containers, reservations and requests, and removes it from its leaf.
    fn finish_attempt<R: Recorder>(&mut self, c: &mut Cluster, app: AppId, keep: bool, rec: &mut R) {
        let (containers, reservations) = c.live_of(app, keep);
        for id in containers {
            self.end_container(c, id, ABORTED, EndCause::AppOver, rec);
        }
        for slot in reservations {
            self.unreserve(c, slot, UnreserveCause::AttemptEnded, rec);
        }
        // Asks.
        for (partition, size, count) in c.app(app).wanted() {
            self.change_pending(c, app, partition, size, -count);
        }
        let leaving = Leaving::of(c.app(app));
        c.forget_attempt(app);
        // Lists, AM amount, user.
        self.leave_leaf(c, leaving);
        self.activate(c, leaving.leaf, rec);
    }

    /// Removes an attempt from the leaf's lists, gives back its AM amount, and drops the user with the last
    /// application. Headroom that is based on a dropped record keeps its last figures (capacity-scheduler.md 10).
    fn leave_leaf(&mut self, c: &mut Cluster, leaving: Leaving) {
        let Leaving { leaf, app, active, am_size, am_partition } = leaving;
        let user = c.app(app).user;
        let weight = self.queue(leaf).user_weight(c, user);
        // An application that is active and, since a change of its priority, also pending (11.4) stays pending (quirk).
        if active {
            self.disperse(c, leaf, app);
        } else {
            self.remove_pending(c, leaf, app);
        }
        let Some(l) = self.leaf_mut(c, leaf) else { return };
        for list in [&mut l.active, &mut l.not_runnable, &mut l.marked] {
            list.retain(|x| *x != app);
        }
        l.listed.remove(c.app_mut(app));
        let u = l.users.get_or_add(user, weight);
        if active {
            u.active_apps -= 1;
            *u.am_used_mut(am_partition) -= am_size;
        } else {
            u.pending_apps -= 1;
        }
        let dropped = u.active_apps + u.pending_apps == 0;
        let record = if dropped { l.users.drop_user(user) } else { None };
        if active {
            self.charge_am(c, leaf, am_partition, Resource::ZERO - am_size);
        }
        let Some(record) = record else { return };
        let mut others = Vec::new();
        for other in c.apps.iter_mut().filter(|o| o.user == user) {
            if let Some(source) = other.headroom.as_mut().filter(|s| s.queue == leaf) {
                source.dropped_user.get_or_insert_with(|| record.used.clone());
                others.extend((other.queue == leaf && other.id != app).then_some(other.id));
            }
        }
        // The next visit to one of them, even if it has no requests, finds the user's new record.
        for other in others {
            self.list_wanting(c, other);
        }
    }
}

/// Updates whether a container that was asked for without a label counts as on lent room in its new leaf: it does if
/// its node has a label now, and not if it has none (AbstractLeafQueue.attachContainer, allocateResource).
fn list_by_node(c: &mut Cluster, slot: Slot) {
    let partition = c.node(c.containers.at(slot).node).partition;
    let container = c.containers.at_mut(slot);
    if !container.origin.is(Origin::LENT) && !container.made_in.is_default() {
        return;
    }
    container.made_in = partition;
    if partition.is_default() {
        container.origin.unset(Origin::LENT);
    } else {
        container.origin.set(Origin::LENT);
    }
}
