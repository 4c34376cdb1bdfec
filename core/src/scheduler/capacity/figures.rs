//! Figures that are worked out for people to read; nothing here is part of a decision or changes one.

use super::CapacityScheduler;
use super::users::Mode;
use crate::model::{PartitionId, QueueId, Resource, UserId};
use crate::scheduler::Cluster;
use indexmap::IndexMap;

impl CapacityScheduler {
    /// The limit of a user in a leaf as it would be worked out now (section 6), with respect for partitions.
    pub fn user_limit_of(&self, c: &Cluster, queue: QueueId, user: UserId, p: PartitionId) -> Resource {
        let base = self.queue(queue).limit_base(c, p);
        let Some(leaf) = &self.queue(queue).leaf else { return Resource::ZERO };
        leaf.users.clone().user_limit_or_default(&base, user, p, Mode::Respect)
    }

    /// The limit of a user's ApplicationMasters in a leaf as it would be worked out now (section 5).
    pub fn user_am_limit_of(&self, c: &Cluster, queue: QueueId, user: UserId, p: PartitionId) -> Resource {
        self.books.user_am_limit(c, queue, p, user)
    }

    /// What is wanted below a queue in a partition as far as the limits of users leave room for it: of active
    /// applications, in the order in which assignment tries them (getTotalPendingResourcesConsideringUserLimit).
    /// `deduct_reserved`: what an application has reserved is not wanted any more.
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
