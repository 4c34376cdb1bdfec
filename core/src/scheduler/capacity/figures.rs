//! Figures that are computed for people to read; nothing here is part of a decision or changes one.

use super::CapacityScheduler;
use super::checks::{queue_limit_allows, user_limit_allows};
use super::offer::Limits;
use super::users::Mode;
use crate::check::{About, Amounts, Check, Checked, Failure};
use crate::model::{AppId, PartitionId, QueueId, RequestKey, Resource, UserId};
use crate::scheduler::app::Inactive;
use crate::scheduler::{App, Cluster};
use indexmap::IndexMap;

impl CapacityScheduler {
    /// Returns the limit of a user in a leaf as it would be computed now (capacity-scheduler.md 6), with partitions
    /// respected.
    pub fn user_limit_of(&self, c: &Cluster, queue: QueueId, user: UserId, p: PartitionId) -> Resource {
        let base = self.queue(queue).limit_base(c, p);
        let Some(leaf) = &self.queue(queue).leaf else { return Resource::ZERO };
        leaf.users.clone().user_limit_or_default(&base, user, p, Mode::Respect)
    }

    /// Returns the limits that would stop a request in its own partition now, before any node: that of the first queue
    /// below root that is at its limit, that of the user, and the headroom of the leaf (7.3, 8.2, 8.3(4)). The claims
    /// of blocked earlier siblings are not known before those are tried; full nodes show that root is full.
    pub fn limits_now(&self, c: &Cluster, app: AppId, key: RequestKey, p: PartitionId) -> Vec<Checked> {
        self.limits_before_nodes(c, (app, key, p), false)
    }

    /// Returns these limits as if the nodes were not full: by the maxima of queues, not by what siblings leave of the
    /// partition.
    pub fn limits_were_nodes_free(&self, c: &Cluster, app: AppId, key: RequestKey, p: PartitionId) -> Vec<Checked> {
        self.limits_before_nodes(c, (app, key, p), true)
    }

    fn limits_before_nodes(
        &self,
        c: &Cluster,
        (app, key, p): (AppId, RequestKey, PartitionId),
        maxima_only: bool,
    ) -> Vec<Checked> {
        let mut out = Vec::new();
        let (a, calc) = (c.app(app), c.calculator);
        let looks_past = self.conf.reservations_continue_look;
        let mut path: Vec<QueueId> = std::iter::successors(Some(a.queue), |q| self.queue(*q).parent).collect();
        path.reverse();
        let whole = *c.partition_total(p);
        let (mut limits, mut headroom) = (Limits::of(whole), whole);
        for (i, queue) in path.iter().copied().enumerate() {
            let part = self.queue(queue).part(p);
            let own = &part.shares.effective_max;
            let cap = *calc.min(&c.total, own, &limits.limit);
            let used = part.used - self.books.killable_below(queue, p);
            let below = path.get(i + 1).copied();
            let reserved = match below {
                Some(_) => self.queue(queue).part(PartitionId::DEFAULT).reserved,
                None => a.reserved.first().copied().unwrap_or_default(),
            };
            // A queue that may have the whole partition is at its maximum when the nodes are full.
            let passed_over = i == 0 || (maxima_only && cap == whole);
            let allowed =
                passed_over || queue_limit_allows(calc, &c.total, &used, &cap, || looks_past.then_some(reserved));
            // The limit that a queue passes down is its own once more; a maximum of a queue below is another one.
            if !allowed && (maxima_only || out.is_empty()) {
                let amounts = Amounts::below(part.used, cap).beside(Some(*own));
                out.push(Failure::amounts(Check::QueueLimit, amounts).about(About::Queue(queue)));
            }
            headroom = match maxima_only {
                true if cap == whole => headroom,
                true => *calc.min(&c.total, &headroom, &(cap - used)),
                false => cap - used,
            };
            if let Some(child) = below.filter(|_| !maxima_only) {
                limits = Limits::of(self.books.child_limit(c, queue, child, &mut limits, p, true));
            }
        }
        let at = |by_partition: &[Resource], p: PartitionId| by_partition.get(p.index()).copied().unwrap_or_default();
        let user = self.queue(a.queue).leaf.as_ref().and_then(|l| l.users.get(a.user));
        let used = |p| user.map_or(Resource::ZERO, |u| at(&u.used, p));
        let reserved = at(&a.reserved, PartitionId::DEFAULT);
        let most = self.user_limit_of(c, a.queue, a.user, p);
        let without = || looks_past.then(|| used(PartitionId::DEFAULT) - reserved);
        if user_limit_allows(calc, &c.total, &used(p), without, &most).is_none() {
            out.push(Failure::amounts(Check::UserLimit, Amounts::within(used(p), most)).about(About::App(app)));
        }
        let any = a.asks.find(key).and_then(|place| a.asks.at(place).any());
        let Some(need) = any.map(|row| row.size) else { return out };
        let own = if looks_past { at(&a.reserved, p) } else { Resource::ZERO };
        let fits = calc.fits_in(&need, &headroom) || calc.fits_in(&need, &(headroom + own));
        if !fits {
            let amounts = Amounts::fit(need, headroom + own);
            out.push(Failure::amounts(Check::Headroom, amounts).about(About::Request(app, key)));
        }
        out
    }

    /// Returns the AM limit of a leaf in a partition as it would be computed now (capacity-scheduler.md 5).
    pub fn am_limit_of(&self, c: &Cluster, queue: QueueId, p: PartitionId) -> Resource {
        self.books.am_limit_of(c, queue, p)
    }

    /// Returns the AM limit of a user in a leaf as it would be computed now (capacity-scheduler.md 5).
    pub fn user_am_limit_of(&self, c: &Cluster, queue: QueueId, user: UserId, p: PartitionId) -> Resource {
        self.books.user_am_limit(c, queue, p, user)
    }

    /// Returns the check that keeps an application pending, with the current figures of its own leaf.
    pub fn inactive_in_its_leaf(&self, c: &Cluster, app: &App, check: Check) -> Inactive {
        self.books.inactive_in_its_leaf(c, app, check)
    }

    /// Returns the pending resources below a queue in a partition, as far as the user limits leave room for them: those
    /// of active applications, in the order in which assignment tries them
    /// (getTotalPendingResourcesConsideringUserLimit). `deduct_reserved`: an application's reservations are subtracted.
    pub fn pending_within_user_limits(
        &self,
        c: &Cluster,
        queue: QueueId,
        p: PartitionId,
        deduct_reserved: bool,
    ) -> Resource {
        let Some(leaf) = &self.queue(queue).leaf else {
            let below = self.queue(queue).children.iter();
            return below.fold(Resource::ZERO, |sum, child| {
                sum + self.pending_within_user_limits(c, *child, p, deduct_reserved)
            });
        };
        let at = |by_partition: &[Resource]| by_partition.get(p.index()).copied().unwrap_or_default();
        let mut room: IndexMap<UserId, Resource> = IndexMap::new();
        let mut wanted = Resource::ZERO;
        for app in leaf.active.iter().map(|app| c.app(*app)) {
            let left = room.entry(app.user).or_insert_with(|| {
                let used = leaf.users.get(app.user).map_or(Resource::ZERO, |u| at(&u.used));
                (self.user_limit_of(c, queue, app.user, p) - used).component_max(Resource::ZERO)
            });
            let reserved = if deduct_reserved { at(&app.reserved) } else { Resource::ZERO };
            let pending = (at(&app.pending) - reserved).component_max(Resource::ZERO);
            let counted = left.component_min(pending);
            wanted += counted;
            *left -= counted;
        }
        wanted
    }
}
