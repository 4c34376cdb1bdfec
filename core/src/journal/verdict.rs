//! What an offer decided about a queue, an application, a request and a request on a node.
//!
//! In all of them `used` and `need` are amounts as they were at that moment, `limit`, `maximum` and `most` what they may
//! not pass, `free` is the room of the node.

use crate::model::{AppId, Locality, Millis, PartitionId, PlaceId, QueueId, Resource};
use std::sync::Arc;

/// What came of a queue in an offer.
#[derive(Clone, Debug, PartialEq)]
pub enum QueueVerdict {
    /// It gave something.
    Accepted,
    /// Its reservation on the node was retried and stays.
    ReReserved,
    /// Nothing below it gave anything.
    NothingBelow,
    /// Nothing below it wants room in this partition.
    NoPending,
    /// It may not use the partition.
    NoAccess,
    /// It has reached its limit (7.3).
    MaxCapacity {
        used: Resource,
        /// The smaller of its maximum and what its parent leaves.
        limit: Resource,
        /// Its own effective maximum.
        maximum: Resource,
    },
    /// The most urgent request of an application does not fit in what is left to the queue (8.3(4)).
    Headroom {
        app: AppId,
        need: Resource,
        /// What is left.
        headroom: Resource,
    },
    /// The node has been reserved meanwhile.
    NodeReserved,
    /// The node's room is below the minimum allocation.
    NodeTooFull { free: Resource, minimum: Resource },
    /// The node's room is not enough for one minimum allocation (7.1(3), at root).
    NodeBelowMinimum { free: Resource, minimum: Resource },
}

/// What came of an application in an offer.
#[derive(Clone, Debug, PartialEq)]
pub enum AppVerdict {
    /// It asks for nothing in this partition.
    NoPending,
    /// Its queue has reached its limit.
    QueueMaxCapacity { used: Resource, limit: Resource },
    /// Its user has reached the limit in this queue (8.2).
    UserLimit { used: Resource, limit: Resource },
    /// What it asks for came after the FairScheduler's last update, and is not seen before the next one.
    NotInDemand,
    /// Its AM would pass its leaf's limit for AMs (FairScheduler).
    AmShare { asked: Resource, used: Resource, limit: Resource },
}

/// What came of a request key in an offer.
#[derive(Clone, Debug, PartialEq)]
pub enum RequestVerdict {
    /// Nothing is outstanding.
    NoNeed,
    /// The AM took the request back, and a reservation of it was retried on several nodes.
    Withdrawn,
    /// An AM does not go to a foreign partition.
    AmIgnoreExclusivity,
    /// Its reservations are enough for the time being (8.6).
    ReservationAlgorithm {
        outstanding: i64,
        /// Reservations of the key.
        reserved: i64,
        /// Failed retries.
        rereservations: i64,
    },
    /// It does not fit in what is left to the queue.
    Headroom {
        need: Resource,
        /// What is left.
        headroom: Resource,
    },
    /// Not yet enough opportunities missed for a foreign partition.
    NonPartitionedFirst {
        missed: i64,
        /// Needed: the number of nodes.
        needed: i64,
    },
}

/// What came of a request on a node.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeVerdict {
    /// The request is for another partition.
    Partition {
        /// Of the node, as far as this pass looks.
        node: PartitionId,
        required: PartitionId,
    },
    /// Its placement constraint does not hold here.
    Constraint {
        /// The leaf that failed last, in YARN's words; empty where the evaluation itself failed.
        unsatisfied: Arc<str>,
    },
    /// Its constraint could not be evaluated so often that it is not tried any more.
    TooManyErrors { errors: i32, limit: i32 },
    /// Passed over because of a reservation on it (multi-node placement).
    NodeReserved,
    /// Host or rack is blacklisted.
    Blacklisted { place: PlaceId },
    /// Rack-local or off-switch not before more opportunities are missed.
    Delay {
        /// The widest locality that was open to it.
        level: Locality,
        missed: i64,
        /// More than this are needed.
        needed: f32,
    },
    /// Further out not before more time has passed (FairScheduler with continuous scheduling).
    DelayTime {
        /// The widest locality that was open to it.
        level: Locality,
        /// Waited at this level, ms.
        waited_ms: Millis,
        /// More than this is needed, ms.
        needed_ms: Millis,
    },
    /// The maximum of a queue (FairScheduler).
    MaxShare { queue: QueueId, used: Resource, need: Resource, maximum: Resource },
    /// Larger than the node's room, and the node is not reserved for it (FairScheduler).
    NotReserved {
        need: Resource,
        free: Resource,
        /// Why not.
        why: Box<ReservationStop>,
    },
    /// A row forbids going further out.
    NoRelax { place: PlaceId },
    /// No row applies.
    NoRow,
    /// Larger than the whole node.
    TotalTooSmall { need: Resource, total: Resource },
    /// Larger than the node's room.
    FreeTooSmall { need: Resource, free: Resource },
    /// A reservation would have to be given up, and none is large enough.
    NothingToUnreserve { need: Resource },
    /// Allocated.
    Allocated {
        locality: Locality,
        /// Missed opportunities, this one counted.
        missed: i64,
    },
    /// Reserved, for want of room.
    Reserved { need: Resource, free: Resource },
    /// The reservation stays.
    ReReserved { need: Resource, free: Resource },
}

/// Why the FairScheduler does not reserve a node for what does not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum ReservationStop {
    /// The application is not below its fair share.
    NotStarved { used: Resource, share: Resource },
    /// Less than what a node is reserved for.
    TooSmall {
        /// No less than this.
        threshold: Resource,
    },
    /// Room of the node is promised to the application: what others had to give up for it.
    Promised {
        /// What it still waits for.
        promised: Resource,
    },
    /// It has reserved as many nodes as it may.
    NodeLimit {
        /// Reserved, on the rack or anywhere.
        held: i64,
        most: i64,
    },
}
