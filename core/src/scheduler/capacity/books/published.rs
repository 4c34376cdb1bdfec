//! What a look leaves behind in a leaf: the limit that its parent gives it and the limits of its users. Another look would
//! find the same, so nothing is to be looked at again for it.

use super::Books;
use crate::model::{AppId, PartitionId, QueueId, Resource, UserId};
use crate::scheduler::app::HeadroomSource;
use crate::scheduler::capacity::offer::Terms;
use crate::scheduler::capacity::queue::{Queue, user_weight};
use crate::scheduler::capacity::users::{Mode, UserStop, weighted};
use crate::scheduler::{App, Cluster};

/// From now on the application's AM is told its headroom in the leaf (capacity-scheduler.md 10).
pub fn tell_headroom(app: &mut App, leaf: QueueId) {
    match &mut app.headroom {
        Some(source) if source.queue == leaf && source.dropped_user.is_none() => {}
        other => *other = Some(HeadroomSource { queue: leaf, dropped_user: None }),
    }
}

impl Books {
    /// 8.1(1): the limit given by the parent, to be published when a user's limit is next worked out.
    #[inline(always)] // at every visit of a leaf
    pub fn note_limit(&mut self, c: &Cluster, leaf: QueueId, limit: &Resource) {
        let q = &mut self.queues[leaf.index()];
        let own = c.calculator.round_down(&q.part(PartitionId::DEFAULT).shares.effective_max, &c.minimum);
        if let Some(l) = &mut q.leaf {
            l.noted_limit = *c.calculator.min(&c.total, &own, limit);
        }
    }

    /// The limit given by the parent, as noted last, is what headroom and the AM limit go by from now on.
    pub fn publish_limit(&mut self, leaf: QueueId) {
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.current_limit = l.noted_limit;
        }
    }

    /// Works out a user's limit, and publishes the limit given by the parent. `None`: the leaf does not know the user.
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

    /// Works out a user's limit for an application of the leaf: publishes the limit given by the parent, and from
    /// now on the application's AM is told its headroom (capacity-scheduler.md 10). The limit; `None`: the leaf does not know the user.
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

    /// A user's limit for what an AM is told; one whom the leaf does not know has a weight of 1.
    pub fn told_user_limit(&mut self, c: &Cluster, leaf: QueueId, user: UserId, p: PartitionId) -> Option<Resource> {
        let (base, l) = self.queues[leaf.index()].users_limits(c, p)?;
        Some(l.users.user_limit_or_default(&base, user, p, Mode::Respect))
    }

    /// An application is measured by the limit of its user, whom the leaf knows.
    pub(in crate::scheduler::capacity) fn note_visit(&mut self, leaf: QueueId, terms: &Terms) {
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.users.visit(terms.partition, terms.mode);
        }
    }

    /// An application of a user was passed over for the user's limit. `known`: does the leaf know the user (still)? If not,
    /// what it was measured by before that is kept (CachedUserLimit), else that it has no limit.
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

    /// The limit of a user over all users of a leaf; one whom it does not know has none.
    pub fn limit_over_all_users(&mut self, c: &Cluster, leaf: QueueId, user: UserId, p: PartitionId) -> Resource {
        let Some((base, l)) = self.queues[leaf.index()].users_limits(c, p) else { return Resource::ZERO };
        let limit = l.users.limit_of_all(&base, p);
        l.users.get(user).map_or(Resource::ZERO, |u| weighted(base.calc, limit, u.weight, base.minimum))
    }
}
