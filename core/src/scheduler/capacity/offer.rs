//! What one offer to place a container carries along, and what comes back (ResourceLimits, CandidateNodeSet,
//! CSAssignment).

use super::books::Books;
use super::multi_node::SortedNodes;
use super::queue::Queue;
use super::users::Mode;
use crate::config::capacity::CapacityConf;
use crate::journal::VisitEnd;
use crate::model::{AppId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource};
use crate::scheduler::life::Grant;
use crate::scheduler::{Cluster, Locality, Origin, PlaceId, Slot};

/// How many nodes an offer may choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidates {
    /// Only the one.
    One,
    /// Those of the partition (multi-node placement).
    Several,
}

/// On what terms a node is offered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// The node (with multi-node placement: the one that stands for the candidates).
    pub node: NodeId,
    pub partition: PartitionId,
    /// Whether the node comes from the list of its partition (multi-node placement), which may have it as it was
    /// before.
    pub listed: bool,
    /// For requests of that partition, or for those of the default one.
    pub mode: Mode,
    /// Whether the node is the only candidate.
    pub candidates: Candidates,
}

impl Terms {
    /// The same offer at one of its candidates, which may have been given another label since it was listed.
    pub fn at(&self, c: &Cluster, node: NodeId) -> Terms {
        Terms { node, partition: c.node(node).partition, ..*self }
    }

    /// The partition of the node, as the offer has it.
    pub fn own_partition(&self, c: &Cluster) -> PartitionId {
        let node = c.node(self.node);
        if self.listed { node.partition_in(self.partition) } else { node.partition }
    }

    /// The partition whose pending asks count.
    pub fn asked_partition(&self) -> PartitionId {
        match self.mode {
            Mode::Respect => self.partition,
            Mode::Ignore => PartitionId::DEFAULT,
        }
    }
}

/// A node that is offered to the queue tree, and what is proposed for it.
pub(super) struct Offer<'a> {
    pub conf: &'a CapacityConf,
    pub books: &'a mut Books,
    /// Orders of nodes as sorting policies last made them.
    pub sorted: &'a mut Vec<SortedNodes>,
    /// A node that was silent for longer is no candidate, ms.
    pub silent_after_ms: Millis,
    /// Whether proposals are committed at the end of a walk.
    pub commits_late: bool,
    /// Whether visits are skipped whose only trace is in a record.
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

/// What is to be placed: one container of a key of an application.
#[derive(Clone, Copy, Debug)]
pub(super) struct Want {
    pub app: AppId,
    /// Place of its key among the application's asks.
    pub place: usize,
    /// The reservation that is retried.
    pub from: Option<Slot>,
    /// Whether no other candidate node follows.
    pub last: bool,
}

impl Want {
    /// A new container of a key.
    pub fn new(app: AppId, place: usize) -> Self {
        Want { app, place, from: None, last: true }
    }
}

/// The row of a key that is to be served, and how near that is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearby {
    /// The name of the row.
    pub row: PlaceId,
    pub locality: Locality,
}

/// Limits that are handed down the tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Limits {
    /// Given by the parent.
    pub limit: Resource,
    /// What is left of the queue's own limit (7.3).
    pub headroom: Resource,
    /// What the user would have to give up of its reservations (8.2).
    pub need_unreserve: Resource,
    /// Headroom that earlier siblings are blocked with (7.2(6)).
    pub blocked: Resource,
    /// Whether any sibling was blocked.
    pub has_blocked: bool,
}

impl Limits {
    pub fn of(limit: Resource) -> Self {
        Limits { limit, ..Limits::default() }
    }
}

/// A container, or a reservation, that is proposed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Proposal {
    pub app: AppId,
    /// Place of its key among the application's asks.
    pub key: usize,
    pub node: NodeId,
    pub size: Resource,
    /// Whether only reservations may be made.
    pub reserve: bool,
    /// The locality that was tried.
    pub locality: Locality,
    /// The reservation that it comes from.
    pub from: Option<Slot>,
    /// A reservation to give up for it.
    pub unreserve: Option<Slot>,
    /// Was the user found within its limit, with nothing to be given up, for this very node? Then the commit does not
    /// ask again: nothing has changed since.
    pub user_has_room: bool,
}

/// What a turn of a node counts of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proposed {
    pub reserve: bool,
    pub locality: Locality,
}

impl Proposal {
    pub fn kind(&self) -> Proposed {
        Proposed { reserve: self.reserve, locality: self.locality }
    }

    /// What it gives or reserves, for a key with this set of tags.
    pub fn grant(&self, terms: &Terms, key: RequestKey, tags: u32, origin: Origin) -> Grant {
        let Proposal { app, key: place, node, size, locality, from, .. } = *self;
        Grant { app, place, key, tags, node, partition: terms.partition, size, locality, from, origin }
    }
}

/// What came of a queue. A proposal itself is in the [`Offer`]: it is too large to be handed up from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QueueOutcome {
    Nothing,
    /// A request did not fit in the headroom ("queue limit"): siblings must leave it its room.
    Blocked,
    Proposal,
}

impl QueueOutcome {
    /// How the queue's visit ends. A blocked leaf leaves its siblings their turn.
    pub fn end(self) -> VisitEnd {
        match self {
            QueueOutcome::Nothing | QueueOutcome::Blocked => VisitEnd::Next,
            QueueOutcome::Proposal => VisitEnd::Served,
        }
    }
}

/// What came of an application, a key, a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AppOutcome {
    /// Next key.
    KeySkipped,
    /// Next key, since the constraint does not hold on the node: nor does that of keys that are alike.
    ConstraintUnmet,
    /// Next application.
    AppSkipped,
    /// No further application of the leaf.
    QueueSkipped,
    /// Next, wider locality.
    LocalitySkipped,
    /// The reservation is not needed any more.
    Excess,
    Proposal,
}

impl AppOutcome {
    /// How a request's visit ends.
    pub fn end_of_request(self) -> VisitEnd {
        match self {
            AppOutcome::KeySkipped | AppOutcome::ConstraintUnmet => VisitEnd::Next,
            AppOutcome::AppSkipped | AppOutcome::QueueSkipped | AppOutcome::LocalitySkipped | AppOutcome::Excess => {
                VisitEnd::Last
            }
            AppOutcome::Proposal => VisitEnd::Served,
        }
    }

    /// How an application's visit ends.
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
