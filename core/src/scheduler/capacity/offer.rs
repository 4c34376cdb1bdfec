//! An offer of a node to the queue tree: its candidates, its limits and its results (ResourceLimits, CandidateNodeSet,
//! CSAssignment).

use super::books::Accounting;
use super::multi_node::SortedNodes;
use super::queue::Queue;
use super::users::Mode;
use crate::config::capacity::CapacityConf;
use crate::journal::VisitEnd;
use crate::model::{AppId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource};
use crate::scheduler::life::Grant;
use crate::scheduler::{Cluster, Locality, Origin, PlaceId, Slot};

/// The nodes that an offer may choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidates {
    /// Only the node that is offered.
    One,
    /// Those of the partition (multi-node placement).
    Several,
}

/// The terms of an offer: the node, the partition, the candidates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// The node (with multi-node placement, the first candidate).
    pub node: NodeId,
    pub partition: PartitionId,
    /// Whether the node comes from the list of its partition (multi-node placement), which may have an outdated record
    /// of it.
    pub listed: bool,
    /// Whether the offer is for requests of that partition or for those of the default one.
    pub mode: Mode,
    /// The nodes to choose from.
    pub candidates: Candidates,
}

impl Terms {
    /// Returns the same offer for one of its candidates, whose label may have changed since it was listed.
    pub fn at(&self, c: &Cluster, node: NodeId) -> Terms {
        Terms { node, partition: c.node(node).partition, ..*self }
    }

    /// Returns the partition of the node as the offer sees it.
    pub fn own_partition(&self, c: &Cluster) -> PartitionId {
        let node = c.node(self.node);
        if self.listed { node.partition_in(self.partition) } else { node.partition }
    }

    /// Returns the partition whose pending requests count.
    pub fn asked_partition(&self) -> PartitionId {
        match self.mode {
            Mode::Respect => self.partition,
            Mode::Ignore => PartitionId::DEFAULT,
        }
    }
}

/// A node that is offered to the queue tree, and the proposal for it.
pub(super) struct Offer<'a> {
    pub conf: &'a CapacityConf,
    pub books: &'a mut Accounting,
    /// The latest orders of nodes by the sorting policies.
    pub sorted: &'a mut Vec<SortedNodes>,
    /// The time without a heartbeat after which a node is no candidate, ms.
    pub silent_after_ms: Millis,
    /// Whether proposals are committed at the end of a walk.
    pub commits_late: bool,
    /// Whether visits are skipped that would leave a trace only in a record.
    pub skips: bool,
    pub terms: Terms,
    pub proposal: Option<Proposal>,
}

impl Offer<'_> {
    #[inline]
    pub fn queue(&self, id: QueueId) -> &Queue {
        self.books.queue(id)
    }
}

/// A container to be placed, of a key of an application.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyTry {
    pub app: AppId,
    /// The place of its key among the application's requests.
    pub place: usize,
    /// The reservation that is retried.
    pub from: Option<Slot>,
    /// Whether no other candidate node follows.
    pub last: bool,
}

impl KeyTry {
    /// Returns a new container of a key.
    pub fn new(app: AppId, place: usize) -> Self {
        KeyTry { app, place, from: None, last: true }
    }
}

/// The row of a key to be served, with its level of locality.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearby {
    /// The name of the row.
    pub row: PlaceId,
    pub locality: Locality,
}

/// The limits that a parent passes to its children.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// The limit that the parent set.
    pub limit: Resource,
    /// The rest of the queue's own limit (capacity-scheduler.md 7.3).
    pub headroom: Resource,
    /// The amount of its reservations that the user has to give up (capacity-scheduler.md 8.2).
    pub need_unreserve: Resource,
    /// The sum of the claims of blocked earlier siblings (capacity-scheduler.md 7.2(6)).
    pub blocked: Resource,
    /// Whether any sibling was blocked.
    pub has_blocked: bool,
}

impl Limits {
    pub fn of(limit: Resource) -> Self {
        Limits { limit, ..Limits::default() }
    }
}

/// A proposed container or reservation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proposal {
    pub app: AppId,
    /// The place of its key among the application's requests.
    pub key: usize,
    pub node: NodeId,
    pub size: Resource,
    /// Whether it is a reservation.
    pub reserve: bool,
    /// The locality that was tried.
    pub locality: Locality,
    /// The reservation that is retried.
    pub from: Option<Slot>,
    /// A reservation to give up for it.
    pub unreserve: Option<Slot>,
    /// Whether the user was within its limit for this very node, with nothing to unreserve. Then the commit does not
    /// check again, since nothing has changed.
    pub user_has_room: bool,
}

/// The kind of a proposal, as a node's turn counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proposed {
    pub reserve: bool,
    pub locality: Locality,
}

impl Proposal {
    pub fn kind(&self) -> Proposed {
        Proposed { reserve: self.reserve, locality: self.locality }
    }

    /// Returns what it allocates or reserves, for a key with this set of tags.
    pub fn grant(&self, terms: &Terms, key: RequestKey, tags: u32, origin: Origin) -> Grant {
        let Proposal { app, key: place, node, size, locality, from, .. } = *self;
        Grant { app, place, key, tags, node, partition: terms.partition, size, locality, from, origin }
    }
}

/// The result of a queue's visit. The proposal itself is in the [`Offer`], since it is too large to be returned from
/// step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueueOutcome {
    Nothing,
    /// A request did not fit the headroom ("queue limit"): siblings must leave that much for it.
    Blocked,
    Proposal,
}

impl QueueOutcome {
    /// Returns how the queue's visit ends. After a blocked leaf the offer continues with its siblings.
    pub fn end(self) -> VisitEnd {
        match self {
            QueueOutcome::Nothing | QueueOutcome::Blocked => VisitEnd::Next,
            QueueOutcome::Proposal => VisitEnd::Served,
        }
    }
}

/// The result of the visit to an application, a key or a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AppOutcome {
    /// Continue with the next key.
    KeySkipped,
    /// Continue with the next key that has another constraint, since this one does not hold on the node.
    ConstraintUnmet,
    /// Continue with the next application.
    AppSkipped,
    /// Skip the other applications of the leaf.
    QueueSkipped,
    /// Continue with the next, wider locality.
    LocalitySkipped,
    /// Drop the reservation, which is not needed any more.
    Excess,
    Proposal,
}

impl AppOutcome {
    /// Returns how a request's visit ends.
    pub fn end_of_request(self) -> VisitEnd {
        match self {
            AppOutcome::KeySkipped | AppOutcome::ConstraintUnmet => VisitEnd::Next,
            AppOutcome::AppSkipped | AppOutcome::QueueSkipped | AppOutcome::LocalitySkipped | AppOutcome::Excess => {
                VisitEnd::Last
            }
            AppOutcome::Proposal => VisitEnd::Served,
        }
    }

    /// Returns how an application's visit ends.
    pub fn end_of_app(self) -> VisitEnd {
        match self {
            AppOutcome::KeySkipped
            | AppOutcome::ConstraintUnmet
            | AppOutcome::AppSkipped
            | AppOutcome::LocalitySkipped
            | AppOutcome::Excess => VisitEnd::Next,
            AppOutcome::QueueSkipped => VisitEnd::Last,
            AppOutcome::Proposal => VisitEnd::Served,
        }
    }
}
