//! The orders of trial, with what they were sorted by.

use crate::model::{AppId, Millis, PartitionId, QueueId, RequestKey, Resource};

/// So many places of an order are recorded at most.
pub const ORDER_SHOWN: usize = 64;

/// A child in the order of trial, with its sort keys (7.4). The parent's policy says which count: `utilization` goes by
/// access, having a guarantee, use, then guarantee; `priority-utilization` puts the priority before the use where both
/// are below their guarantee or neither is.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildOrder {
    pub queue: QueueId,
    /// May it use the partition?
    pub can_access: bool,
    /// Used by guarantee; by the whole partition where there is no guarantee.
    pub used_capacity: f32,
    /// Guarantee of the whole partition.
    pub absolute_capacity: f32,
    /// Guarantee configured as an amount, else zero: where a sibling has one, the larger goes first among equals.
    pub configured_min: Resource,
    /// Its priority (policy priority-utilization).
    pub priority: i32,
    /// Does anything below it want room in this partition?
    pub has_pending: bool,
}

/// A child in the order of trial under the FairScheduler (fair-scheduler.md 10): whoever is below its minimum share goes
/// first, then whoever uses less for its weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareOrder {
    pub queue: QueueId,
    pub used: Resource,
    pub minimum: Resource,
    /// Demand as of the last update.
    pub demand: Resource,
    pub weight: f32,
}

/// An application in the order of trial, with its sort keys (11.5). Fifo orders go by priority (higher first) and
/// number of submission (lower first); fair ones by share (smaller first), start, demand, number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppOrder {
    /// Which; its number is the order of submission.
    pub app: AppId,
    pub priority: i32,
    /// What the fair order goes by: MiB used as last read, by size-based weight over the weight; under the FairScheduler's
    /// drf the dominant share by weight. 0 in a fifo leaf.
    pub share: f64,
    pub started_at: Millis,
    /// Does it use or want memory, as last read?
    pub demands: bool,
    /// Does it want room in this partition?
    pub has_pending: bool,
}

/// A request key in the order of trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestOrder {
    /// Which: priority and allocation request id are what the order goes by.
    pub key: RequestKey,
    pub outstanding: i64,
    pub size: Resource,
    pub partition: PartitionId,
}
