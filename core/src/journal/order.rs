//! The orders in which children, applications and requests are tried, with their sort keys.

use crate::model::{AppId, Millis, PartitionId, QueueId, RequestKey, Resource};

/// The maximum number of recorded members of an order.
pub const ORDER_SHOWN: usize = 64;

/// A child in the order of trial, with its sort keys (7.4). The parent's policy decides which count: `utilization`
/// sorts by access, having a guarantee, usage, then guarantee; `priority-utilization` sorts by priority before usage if
/// both are below their guarantee or neither is.
#[derive(Clone, Debug, PartialEq)]
pub struct ChildOrder {
    pub queue: QueueId,
    /// Whether it may use the partition.
    pub can_access: bool,
    /// Usage by guarantee; by the whole partition if there is no guarantee.
    pub used_capacity: f32,
    /// The guarantee as a share of the whole partition.
    pub absolute_capacity: f32,
    /// A guarantee that is configured as an amount, else zero: if a sibling has one, the larger goes first among
    /// equals.
    pub configured_min: Resource,
    /// Its priority (policy priority-utilization).
    pub priority: i32,
    /// Whether anything below it has pending requests in this partition.
    pub has_pending: bool,
}

/// A child in the order of trial under the FairScheduler (fair-scheduler.md 10): children below their minimum share
/// first, then by usage for their weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShareOrder {
    pub queue: QueueId,
    pub used: Resource,
    pub minimum: Resource,
    /// The demand at the last update.
    pub demand: Resource,
    pub weight: f32,
}

/// An application in the order of trial, with its sort keys (11.5). Fifo orders sort by priority (higher first) and
/// number of submission (lower first); fair ones by share (smaller first), start, demand, number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppOrder {
    /// The application; its number is the order of submission.
    pub app: AppId,
    pub priority: i32,
    /// The key of the fair order: MiB used as last read, by size-based weight over the weight; under the
    /// FairScheduler's drf the dominant share by weight. 0 in a fifo leaf.
    pub share: f64,
    pub started_at: Millis,
    /// Whether it uses or wants memory, as last read.
    pub demands: bool,
    /// Whether it has pending requests in this partition.
    pub has_pending: bool,
}

/// A request key in the order of trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RequestOrder {
    /// The key; the order goes by its priority and allocation request id.
    pub key: RequestKey,
    pub outstanding: i64,
    pub size: Resource,
    pub partition: PartitionId,
}
