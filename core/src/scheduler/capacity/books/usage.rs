//! Usage: the charges of containers, reservations and requests to a leaf, its users and every ancestor
//! (AbstractLeafQueue.allocateResource, ResourceUsage; capacity-scheduler.md 3.4, 6, 10).

use super::Accounting;
use crate::model::{AppId, PartitionId, QueueId, Resource};
use crate::scheduler::capacity::queue::{Queue, user_weight};
use crate::scheduler::{CHILDREN_SUMMED, Cluster};

impl Accounting {
    /// Charges a container or reservation of an application (`plus`), or takes the charge back: leaf, user, ancestors,
    /// fair order.
    pub fn charge(&mut self, c: &Cluster, app: AppId, size: Resource, p: PartitionId, plus: bool) {
        let (leaf, user) = (c.app(app).queue, c.app(app).user);
        debug_assert!(self.use_adds_up(leaf, p), "before a charge");
        self.app_changes(c, leaf);
        let (calc, total) = (c.calculator, c.partition_total(p));
        let by = if plus { size } else { Resource::ZERO - size };
        let Queue { leaf: books, conf, .. } = &mut self.queues[leaf.index()];
        if let Some(l) = books {
            l.users.charge(calc, total, user, || user_weight(conf, c, user), p, &by);
        }
        let mut at = Some(leaf);
        while let Some(id) = at {
            let q = &mut self.queues[id.index()];
            let part = &mut q.parts[p.index()];
            part.used += by;
            part.touched = true;
            part.update_ratios(calc, total, &c.minimum);
            let (place, wants) = (q.place, !part.pending.is_zero());
            at = q.parent;
            if let Some(parent) = at {
                self.queues[parent.index()].orders[p.index()].use_changed(place, wants);
            }
        }
        debug_assert!(self.use_adds_up(leaf, p), "after a charge");
        self.mark(leaf, app);
    }

    /// Returns whether the usage and the reservations of each queue above a leaf are the sums of its children's,
    /// including leaves that were its children. Asserted before and after each change, unless there are too many
    /// children.
    fn use_adds_up(&self, leaf: QueueId, p: PartitionId) -> bool {
        let few = |q: &&Queue| q.children.len() <= CHILDREN_SUMMED;
        self.path_up(leaf).skip(1).map(|id| self.queue(id)).filter(few).all(|q| {
            let children = || q.children.iter().chain(&q.replaced).map(|child| self.queue(*child).part(p));
            children().fold(Resource::ZERO, |sum, part| sum + part.used) == q.part(p).used
                && children().fold(Resource::ZERO, |sum, part| sum + part.reserved) == q.part(p).reserved
        })
    }

    /// Adds (`plus`) or subtracts a reservation of an application: the reserved amounts of application, leaf and
    /// ancestors.
    pub fn charge_reserved(&mut self, c: &mut Cluster, app: AppId, size: Resource, p: PartitionId, plus: bool) {
        let app = c.app_mut(app);
        let of_app = &mut app.reserved[p.index()];
        *of_app = if plus { *of_app + size } else { *of_app - size };
        let (id, leaf) = (app.id, app.queue);
        self.list_wanting(c, id);
        self.charge_reserved_of_queues(c, leaf, size, p, plus);
    }

    /// Like [`Self::charge_reserved`], without the application.
    pub fn charge_reserved_of_queues(
        &mut self,
        c: &Cluster,
        leaf: QueueId,
        size: Resource,
        p: PartitionId,
        plus: bool,
    ) {
        debug_assert!(self.use_adds_up(leaf, p), "before a charge of reservations");
        self.app_changes(c, leaf);
        let mut at = Some(leaf);
        while let Some(id) = at {
            let q = &mut self.queues[id.index()];
            let reserved = &mut q.parts[p.index()].reserved;
            *reserved = if plus { *reserved + size } else { *reserved - size };
            let place = q.place;
            at = q.parent;
            if let Some(parent) = at {
                self.queues[parent.index()].orders.iter_mut().for_each(|order| order.need_changed(place));
            }
        }
        debug_assert!(self.use_adds_up(leaf, p), "after a charge of reservations");
    }

    /// Adds to (or subtracts from) an application's pending containers of this size.
    pub fn change_pending(&mut self, c: &mut Cluster, app: AppId, p: PartitionId, size: Resource, count: i64) {
        // Requests in a partition that the cluster does not have are in no sum.
        if count == 0 || p.index() >= c.partitions.len() {
            return;
        }
        self.forget();
        let amount = size.times(count);
        let a = c.app_mut(app);
        a.pending[p.index()].add_to_32_bits(amount);
        let leaf = a.queue;
        self.preemption.changed.note(leaf);
        // A leaf without pending requests would not be visited.
        let left = self.queue(leaf).part(p).pending + amount;
        if self.queue(leaf).rests() && (left.is_zero() || left.is_negative()) {
            self.wake(c, leaf);
        }
        let mut at = Some(leaf);
        while let Some(id) = at {
            let q = &mut self.queues[id.index()];
            let part = &mut q.parts[p.index()];
            part.touched = true;
            let pending = &mut part.pending;
            let wanted = !pending.is_zero();
            pending.add_to_32_bits(amount);
            let (place, changed) = (q.place, wanted == pending.is_zero());
            at = q.parent;
            if let (true, Some(parent)) = (changed, at) {
                self.queues[parent.index()].orders[p.index()].need_changed(place);
            }
        }
        self.list_wanting(c, app);
    }
}
