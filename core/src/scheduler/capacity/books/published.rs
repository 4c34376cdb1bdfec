//! Results of a visit that it publishes in a leaf: the limit given by its parent and the limits of its users. Another
//! visit would publish the same ones, so they invalidate nothing.

use super::Accounting;
use crate::model::{AppId, PartitionId, QueueId, Resource, UserId};
use crate::scheduler::app::HeadroomSource;
use crate::scheduler::capacity::offer::Terms;
use crate::scheduler::capacity::queue::{Queue, user_weight};
use crate::scheduler::capacity::users::{Mode, UserStop, weighted};
use crate::scheduler::{App, Cluster};

/// Makes the leaf the source of the headroom that the application's AM receives (capacity-scheduler.md 10).
pub fn tell_headroom(app: &mut App, leaf: QueueId) {
    match &mut app.headroom {
        Some(source) if source.queue == leaf && source.dropped_user.is_none() => {}
        other => *other = Some(HeadroomSource { queue: leaf, dropped_user: None }),
    }
}

impl Accounting {
    /// 8.1(1): records the limit given by the parent, to be published when a user's limit is next computed.
    #[inline(always)] // at every visit of a leaf
    pub fn note_limit(&mut self, c: &Cluster, leaf: QueueId, limit: &Resource) {
        let q = &mut self.queues[leaf.index()];
        let own = c.calculator.round_down(&q.part(PartitionId::DEFAULT).shares.effective_max, &c.minimum);
        if let Some(l) = &mut q.leaf {
            l.noted_limit = *c.calculator.min(&c.total, &own, limit);
        }
    }

    /// Publishes the latest recorded limit given by the parent, which headroom and the AM limit use from now on.
    pub fn publish_limit(&mut self, leaf: QueueId) {
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.current_limit = l.noted_limit;
        }
    }

    /// Computes a user's limit, and publishes the limit given by the parent. `None`: the leaf has no record of the
    /// user.
    #[inline]
    pub(in crate::scheduler::capacity) fn work_out_user_limit(
        &mut self,
        c: &Cluster,
        leaf: QueueId,
        user: UserId,
        terms: &Terms,
    ) -> Option<Resource> {
        let (base, l) = self.queues[leaf.index()].users_limits(c, terms.partition)?;
        let limit = l.users.limit(&base, terms.partition, terms.mode);
        let user = l.users.get(user)?;
        let limit = weighted(base.calc, limit, user.weight, base.minimum);
        l.current_limit = l.noted_limit;
        Some(limit)
    }

    /// Computes a user's limit for an application of the leaf: publishes the limit given by the parent, and makes the
    /// leaf the source of the AM's headroom (capacity-scheduler.md 10). Returns the limit; `None`: the leaf has no
    /// record of the user.
    pub(in crate::scheduler::capacity) fn tell_user_limit(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        app: AppId,
        terms: &Terms,
    ) -> Option<Resource> {
        let limit = self.work_out_user_limit(c, leaf, c.app(app).user, terms)?;
        tell_headroom(c.app_mut(app), leaf);
        Some(limit)
    }

    /// Returns a user's limit for an AM's headroom; a user without a record in the leaf has a weight of 1.
    pub fn told_user_limit(&mut self, c: &Cluster, leaf: QueueId, user: UserId, p: PartitionId) -> Option<Resource> {
        let (base, l) = self.queues[leaf.index()].users_limits(c, p)?;
        Some(l.users.user_limit_or_default(&base, user, p, Mode::Respect))
    }

    /// Records that an application is checked by the limit of its user, who has a record in the leaf.
    pub(in crate::scheduler::capacity) fn note_visit(&mut self, leaf: QueueId, terms: &Terms) {
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.users.visit(terms.partition, terms.mode);
        }
    }

    /// Records that an application was skipped for its user's limit. `known`: whether the leaf (still) has a record of
    /// the user. If not, the limit of an earlier check is kept, if there is one (CachedUserLimit).
    #[cold]
    pub(in crate::scheduler::capacity) fn note_stopped(
        &mut self,
        c: &Cluster,
        leaf: QueueId,
        mut stop: UserStop,
        known: bool,
    ) {
        let Queue { leaf: books, conf, .. } = &mut self.queues[leaf.index()];
        if let Some(l) = books {
            if !known && let Some(limit) = l.users.visited_limit(stop.partition, stop.mode) {
                stop.limit = weighted(c.calculator, limit, user_weight(conf, c, stop.user), &c.minimum);
            }
            l.users.stop(c.calculator, stop);
        }
    }

    /// Returns the limit of a user over all users of a leaf; zero for a user without a record.
    pub fn limit_over_all_users(&mut self, c: &Cluster, leaf: QueueId, user: UserId, p: PartitionId) -> Resource {
        let Some((base, l)) = self.queues[leaf.index()].users_limits(c, p) else { return Resource::ZERO };
        let limit = l.users.limit_of_all(&base, p);
        l.users.get(user).map_or(Resource::ZERO, |u| weighted(base.calc, limit, u.weight, base.minimum))
    }
}
