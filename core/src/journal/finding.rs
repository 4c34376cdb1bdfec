//! The steps of an offer of a node.

use super::{AppOrder, ChildOrder, RequestOrder, ShareOrder};
use crate::check::{About, Checked};
use crate::model::{AppId, ContainerId, Locality, NodeId, PartitionId, QueueId, Resource};

/// A step of an offer. The steps come in this order: first [`Finding::Offer`]; then visits of queues, applications,
/// requests and nodes, each between its [`Finding::Enter`] and its [`Finding::Leave`] with its checks and the visits
/// below it in between; then [`Finding::OfferOver`]; after the last offer of a heartbeat [`Finding::TurnOver`].
/// [`super::tree`] parses this nesting. Orders list their first [`super::ORDER_SHOWN`] members as they are tried, and
/// count the `others` after these.
///
/// Recorders without details ([`super::Recorder::details`]) get no enter and leave steps, no orders and no checks that
/// passed.
#[derive(Clone, Debug, PartialEq)]
pub enum Finding {
    /// A node is offered.
    Offer {
        node: NodeId,
        partition: PartitionId,
        total: Resource,
        free: Resource,
        /// The reservation on it, which is the only candidate.
        reserved: Option<ContainerId>,
    },
    /// The pass begins in which requests of the default partition may use the idle resources of a non-exclusive
    /// partition.
    IgnoreExclusivity,
    /// The order in which a parent tries its children, with their sort keys.
    Children { queue: QueueId, order: Vec<ChildOrder>, others: usize },
    /// The order in which a queue of the FairScheduler tries its children, with their sort keys.
    Shares { queue: QueueId, order: Vec<ShareOrder>, others: usize },
    /// The order in which a leaf tries its active applications, with their sort keys (11.5).
    Apps { queue: QueueId, order: Vec<AppOrder>, others: usize },
    /// The order in which an application's open request keys are tried: lower priority number first, then lower
    /// allocation request id (8.3).
    Requests { app: AppId, order: Vec<RequestOrder>, others: usize },
    /// A visit begins.
    Enter(About),
    /// A check of the visited subject, or of one that a visit skips.
    Checked(Checked),
    /// Other requests of the application, equal to the last visited one, had the same outcome. Only recorders that get
    /// these requests in common ([`super::Recorder::alike`]) and keep no more record it.
    Alike { app: AppId, others: usize },
    /// A visit ends.
    Leave { about: About, end: VisitEnd },
    /// The result of the offer.
    OfferOver { result: OfferResult },
    /// No further offer of the node follows: the check that decided it.
    TurnOver { by: Checked },
}

/// The end of a visit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VisitEnd {
    /// It gave nothing; the next sibling is visited.
    Next,
    /// It gave nothing, and no further sibling is visited.
    Last,
    /// Something below it got a container or a reservation; no further sibling is visited.
    Served,
    /// A container is allocated on the node.
    Allocated {
        locality: Locality,
        /// Missed opportunities, including this one.
        missed: i64,
    },
    /// The node is reserved, since it has too little free.
    Reserved { need: Resource, free: Resource },
    /// The reservation on the node stays.
    ReReserved { need: Resource, free: Resource },
}

impl VisitEnd {
    /// Returns whether something was allocated or reserved, so that no sibling is visited.
    pub fn gives(self) -> bool {
        match self {
            VisitEnd::Next | VisitEnd::Last => false,
            VisitEnd::Served | VisitEnd::Allocated { .. } | VisitEnd::Reserved { .. } | VisitEnd::ReReserved { .. } => {
                true
            }
        }
    }
}

/// The result of an offer, with YARN's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OfferResult {
    /// No result was set.
    Default,
    /// A container was allocated.
    Allocated,
    /// Resources were reserved.
    Reserved,
    /// The reservation became an allocated container.
    AllocatedFromReserved,
    /// Nothing was allocated or reserved.
    Skipped,
}
