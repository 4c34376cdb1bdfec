//! Figures that are worked out for people to read; nothing here is part of a decision or changes one.

use super::CapacityScheduler;
use super::users::Mode;
use crate::model::{PartitionId, QueueId, Resource, UserId};
use crate::scheduler::Cluster;

impl CapacityScheduler {
    /// The limit of a user in a leaf as it would be worked out now (section 6), with respect for partitions.
    pub fn user_limit_of(&self, c: &Cluster, queue: QueueId, user: UserId, p: PartitionId) -> Resource {
        let base = self.queue(queue).limit_base(c, p);
        let Some(leaf) = &self.queue(queue).leaf else { return Resource::ZERO };
        leaf.users.clone().user_limit_or_default(&base, user, p, Mode::Respect)
    }

    /// The limit of a user's ApplicationMasters in a leaf as it would be worked out now (section 5).
    pub fn user_am_limit_of(&self, c: &Cluster, queue: QueueId, user: UserId, p: PartitionId) -> Resource {
        self.user_am_limit(c, queue, p, user)
    }
}
