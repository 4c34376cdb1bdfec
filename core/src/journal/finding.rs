//! What an offer of a node found.

use super::{
    AppOrder, AppVerdict, ChildOrder, NodeVerdict, Pass, QueueVerdict, RequestOrder, RequestVerdict, ShareOrder,
};
use crate::model::{AppId, ContainerId, NodeId, PartitionId, QueueId, RequestKey, Resource};

/// A step of an offer. First [`Finding::Offer`], then what was looked at in the order in which it was decided
/// (deepest first: node, request, application, queue, its parents), then [`Finding::OfferOver`]. Orders show their
/// first [`super::ORDER_SHOWN`] in the order of trial and tell how many `others` come after these.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// A node is offered.
    Offer {
        node: NodeId,
        partition: PartitionId,
        total: Resource,
        free: Resource,
        /// The reservation on it, which alone is looked at.
        reserved: Option<ContainerId>,
    },
    /// The pass for requests of the default partition on a node whose partition lends its idle room begins.
    IgnoreExclusivity,
    /// The order in which a parent tries its children, with what they were sorted by.
    Children { queue: QueueId, order: Vec<ChildOrder>, others: usize },
    /// The order in which a queue of the FairScheduler asks its children, with what they were sorted by.
    Shares { queue: QueueId, order: Vec<ShareOrder>, others: usize },
    /// The order in which a leaf tries its active applications, with what they were sorted by (11.5).
    Apps { queue: QueueId, order: Vec<AppOrder>, others: usize },
    /// The order in which an application's open request keys are tried: lower priority number first, then lower
    /// allocation request id (8.3).
    Requests { app: AppId, order: Vec<RequestOrder>, others: usize },
    /// A check of a limit let something pass.
    Passed(Pass),
    /// What came of a queue.
    Queue { queue: QueueId, verdict: QueueVerdict },
    /// What came of an application as a whole.
    App { app: AppId, verdict: AppVerdict },
    /// The same of one of which nothing waits: limits are checked before it is looked at what it asks for.
    IdleApp { app: AppId, verdict: AppVerdict },
    /// What came of a request key as a whole.
    Request { app: AppId, key: RequestKey, verdict: RequestVerdict },
    /// What came of a request on the node.
    Node { app: AppId, key: RequestKey, node: NodeId, verdict: NodeVerdict },
    /// Its result.
    OfferOver { result: OfferResult },
}

/// What came of an offer, as YARN names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferResult {
    /// Nobody set one.
    Default,
    /// A container was allocated.
    Allocated,
    /// Room was reserved.
    Reserved,
    /// The reservation became a container.
    AllocatedFromReserved,
    /// Nothing was given.
    Skipped,
}
