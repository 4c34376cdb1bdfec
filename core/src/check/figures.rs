//! The figures that a check decided by.

use crate::model::{AppId, ContainerId, Locality, Millis, PartitionId, PlaceId, QueueId, Resource};
use std::sync::Arc;

/// How the two sides of a comparison stand where the check lets pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Less than the limit.
    Below,
    /// No more than the limit.
    Within,
    /// No less than the limit.
    AtLeast,
}

/// A comparison of amounts: `used` and `asked` together against `limit`.
#[derive(Clone, Debug, PartialEq)]
pub struct Amounts {
    /// In use before; zero where only what is asked for counts.
    pub used: Resource,
    /// Asked for; zero where only what is in use counts.
    pub asked: Resource,
    pub relation: Relation,
    pub limit: Resource,
    /// The queue whose limit it is, where that is not what the check is about.
    pub queue: Option<QueueId>,
    /// The application whose request it is, where that is not what the check is about.
    pub app: Option<AppId>,
    /// For [`Check::QueueLimit`](super::Check::QueueLimit) the queue's own maximum, of which the limit may be less. For
    /// [`Check::UserLimit`](super::Check::UserLimit) the reservations without which the user passes.
    pub besides: Option<Box<Resource>>,
}

impl Amounts {
    /// `asked` must fit in `room`.
    pub fn fit(asked: Resource, room: Resource) -> Amounts {
        Amounts { asked, limit: room, ..Amounts::within(Resource::ZERO, Resource::ZERO) }
    }

    /// `used` must be no more than `limit`.
    pub fn within(used: Resource, limit: Resource) -> Amounts {
        let (asked, relation) = (Resource::ZERO, Relation::Within);
        Amounts { used, asked, relation, limit, queue: None, app: None, besides: None }
    }

    /// `used` must be below `limit`.
    pub fn below(used: Resource, limit: Resource) -> Amounts {
        Amounts { relation: Relation::Below, ..Amounts::within(used, limit) }
    }

    /// `asked` must fit beside `used` in `limit`.
    pub fn sum(used: Resource, asked: Resource, limit: Resource) -> Amounts {
        Amounts { asked, ..Amounts::within(used, limit) }
    }

    /// The limit is this queue's.
    pub fn of_queue(self, queue: QueueId) -> Amounts {
        Amounts { queue: Some(queue), ..self }
    }

    /// The request is this application's.
    pub fn of_app(self, app: AppId) -> Amounts {
        Amounts { app: Some(app), ..self }
    }

    /// See [`Amounts::besides`].
    pub fn beside(self, amount: Option<Resource>) -> Amounts {
        Amounts { besides: amount.map(Box::new), ..self }
    }

    /// See [`Amounts::besides`].
    pub fn besides(&self) -> Option<Resource> {
        self.besides.as_deref().copied()
    }
}

/// The figures of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Figures {
    /// Nothing but yes or no.
    None,
    Amounts(Amounts),
    /// A number that is there against one that is needed (or allowed).
    Count {
        have: i64,
        need: i64,
    },
    /// Missed chances against those that have to be missed.
    Missed {
        /// The widest locality that was open.
        level: Locality,
        missed: i64,
        /// More than this are needed.
        needed: f32,
    },
    /// Time waited against the time that has to be waited, ms.
    Waited {
        /// The widest locality that was open.
        level: Locality,
        waited_ms: Millis,
        /// More than this is needed.
        needed_ms: Millis,
    },
    /// Reservations of a request against what it wants.
    Reservations {
        outstanding: i64,
        /// Reservations of the request.
        reserved: i64,
        /// Failed retries.
        rereservations: i64,
    },
    /// Partitions.
    Partition {
        /// The node's, as far as the pass looks.
        node: PartitionId,
        required: PartitionId,
    },
    /// A host, a rack, or any place.
    Place(PlaceId),
    /// The leaf of a constraint that failed, in YARN's words; empty where the evaluation itself failed.
    Unsatisfied(Arc<str>),
    /// A reservation.
    HeldBy(ContainerId),
}

impl Figures {
    /// The compared amounts, if amounts were compared.
    pub fn as_amounts(&self) -> Option<&Amounts> {
        if let Figures::Amounts(amounts) = self { Some(amounts) } else { None }
    }

    /// The number seen and the number needed, where numbers were compared.
    pub fn as_count(&self) -> Option<(i64, i64)> {
        if let Figures::Count { have, need } = self { Some((*have, *need)) } else { None }
    }
}

impl From<Amounts> for Figures {
    fn from(amounts: Amounts) -> Figures {
        Figures::Amounts(amounts)
    }
}
