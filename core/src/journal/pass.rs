//! Checks of limits that were passed.

use crate::model::{AppId, QueueId, RequestKey, Resource, UserId};

/// A check of a limit that was passed, with the figures it was passed with. Told like an order of trial: only to recorders
/// that want details ([`Recorder::orders`](super::Recorder::orders)).
#[derive(Clone, Debug, PartialEq)]
pub enum Pass {
    /// A queue is below its limit (7.3), or would be without what it could unreserve.
    QueueLimit {
        queue: QueueId,
        used: Resource,
        /// The smaller of its maximum and what its parent leaves.
        limit: Resource,
        /// Its own effective maximum.
        maximum: Resource,
    },
    /// A user is within its limit in a leaf (8.2), or would be without the application's reservations.
    UserLimit {
        app: AppId,
        user: UserId,
        used: Resource,
        limit: Resource,
        /// The application's reservations, where it passes only without them. `used` is then of the default partition,
        /// whatever the node's is (8.2, a quirk).
        given_back: Option<Resource>,
    },
    /// A request fits in what is left to its queue (8.3(4)).
    Headroom { app: AppId, key: RequestKey, need: Resource, headroom: Resource },
    /// An AM fits in its leaf's limit for AMs (FairScheduler).
    AmShare { app: AppId, asked: Resource, used: Resource, limit: Resource },
    /// A request fits in the maximum of a queue (FairScheduler).
    MaxShare { app: AppId, key: RequestKey, queue: QueueId, used: Resource, need: Resource, maximum: Resource },
}
