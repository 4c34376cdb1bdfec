//! What an offer of a node found.

use super::{AppOrder, ChildOrder, RequestOrder, ShareOrder};
use crate::check::{About, Checked};
use crate::model::{AppId, ContainerId, Locality, NodeId, PartitionId, QueueId, Resource};

/// A step of an offer, in the order in which it happens. First [`Finding::Offer`], then visits of queues, applications,
/// requests and nodes, each between its [`Finding::Enter`] and its [`Finding::Leave`] with the checks and the visits below
/// it in between, then [`Finding::OfferOver`]; after the last offer of a heartbeat [`Finding::TurnOver`].
/// [`super::tree`] reads the brackets. Orders show their first [`super::ORDER_SHOWN`] in the order of trial and tell how
/// many `others` come after these.
///
/// Recorders without details ([`super::Recorder::details`]) get no brackets, no orders and no checks that passed.
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
    /// A visit begins.
    Enter(About),
    /// A check was made of what is visited, or of something that a visit leaves out.
    Checked(Checked),
    /// So many requests of the application, alike to the one visited last, came to what that one came to. Kept by recorders
    /// that hear of them in common ([`super::Recorder::alike`]) and keep no more of them.
    Alike { app: AppId, others: usize },
    /// A visit ends.
    Leave { about: About, end: VisitEnd },
    /// Its result.
    OfferOver { result: OfferResult },
    /// A node's turn ends: the check that made no further offer.
    TurnOver { by: Checked },
}

/// How a visit ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VisitEnd {
    /// Nothing came of it: the next one has its turn.
    Next,
    /// Nothing came of it, and none after it has a turn.
    Last,
    /// Something below it was given a container or a reservation: none after it has a turn.
    Served,
    /// A container is allocated on the node.
    Allocated {
        locality: Locality,
        /// Missed chances, this one counted.
        missed: i64,
    },
    /// The node is reserved, for want of room.
    Reserved { need: Resource, free: Resource },
    /// The reservation on the node stays.
    ReReserved { need: Resource, free: Resource },
}

impl VisitEnd {
    /// Whether something was given or is held, so that no sibling has a turn.
    pub fn gives(self) -> bool {
        match self {
            VisitEnd::Next | VisitEnd::Last => false,
            VisitEnd::Served | VisitEnd::Allocated { .. } | VisitEnd::Reserved { .. } | VisitEnd::ReReserved { .. } => {
                true
            }
        }
    }
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
