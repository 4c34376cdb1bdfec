//! The headroom that an AM receives (AbstractLeafQueue.getHeadroom, CapacityHeadroomProvider; capacity-scheduler.md
//! section 10).

use super::CapacityScheduler;
use crate::model::{AppId, PartitionId, QueueId, Resource};
use crate::scheduler::Cluster;

impl CapacityScheduler {
    /// Returns an application's headroom over the partitions that it ever requested; zero before its first visit.
    pub fn headroom(&mut self, c: &Cluster, app: AppId) -> Resource {
        let Some(a) = c.apps.get(app.index()) else { return Resource::ZERO };
        let Some(source) = &a.headroom else { return Resource::ZERO };
        self.books.make_up(c, source.queue);
        let default = [PartitionId::DEFAULT];
        let partitions: &[PartitionId] =
            if a.requested_partitions.is_empty() { &default } else { &a.requested_partitions };
        let calc = c.calculator;
        let mut sum = Resource::ZERO;
        // A label that no node and no queue has adds nothing.
        for p in partitions.iter().copied().filter(|p| p.index() < c.partitions.len()) {
            let root_used = self.queue(QueueId(0)).part(p).used;
            let Some(user_limit) = self.books.told_user_limit(c, source.queue, a.user, p) else { continue };
            let Some(l) = &self.queue(source.queue).leaf else { continue };
            let user_used = match &source.dropped_user {
                Some(used) => used[p.index()],
                None => l.users.get(a.user).map_or(Resource::ZERO, |u| u.used[p.index()]),
            };
            let current_limit = l.current_limit;
            let part = self.queue(source.queue).part(p);
            let queue_limit = if p.is_default() { current_limit } else { part.shares.effective_max };
            let left =
                user_limit.minus_not_below_zero(user_used).component_min(queue_limit.minus_not_below_zero(part.used));
            let free = *c.partition_total(p) - root_used;
            sum += *calc.min(c.partition_total(p), &free, &calc.round_down(&left, &c.minimum));
        }
        if sum.memory_mb() < 0 {
            sum[crate::model::resource::MEMORY] = 0;
        }
        sum
    }
}
