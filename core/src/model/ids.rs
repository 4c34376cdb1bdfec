//! Typed indices. Everything lives in arenas owned by the ResourceManager; an id is an index into one.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A moment or a span of simulated time, in milliseconds.
pub type Millis = i64;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident, $of:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
        pub struct $name(pub $of);
        impl $name {
            /// The index into its arena.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl From<usize> for $name {
            fn from(i: usize) -> Self {
                $name(i as $of)
            }
        }
    };
}

index!(
    /// An application, numbered in the order of submission from 0.
    AppId, u32
);
index!(
    /// A node, numbered in the order of first registration. A node that comes back keeps its number.
    NodeId, u32
);
index!(
    /// A queue of the scheduler's tree; root is 0.
    QueueId, u32
);
index!(
    /// A user, numbered in the order of first appearance.
    UserId, u32
);
index!(
    /// A partition (node label); 0 is the default partition.
    PartitionId, u16
);

/// YARN's name for the default partition.
pub const DEFAULT_PARTITION: &str = "<DEFAULT_PARTITION>";

impl PartitionId {
    /// The default partition: nodes without a label.
    pub const DEFAULT: PartitionId = PartitionId(0);
    /// Returns whether it is the default partition.
    pub fn is_default(self) -> bool {
        self.0 == 0
    }
}

/// One attempt of an application, counted from 1 as YARN does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AttemptId {
    pub app: AppId,
    /// The attempt, from 1.
    pub attempt: u32,
}

/// A container: application, attempt, and its number within the attempt (1 is normally the ApplicationMaster's;
/// a reservation takes a number too). The order is YARN's order of container ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ContainerId {
    pub app: AppId,
    /// The attempt, from 1.
    pub attempt: u32,
    /// The number within the attempt, from 1.
    pub seq: u64,
}

/// YARN's scheduler request key: requests of one application with the same key share their rows.
/// Order: lower priority number first, then lower allocation request id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RequestKey {
    /// Priority; a lower number is more urgent.
    pub priority: i32,
    /// Allocation request id; −1 when the ApplicationMaster gave none.
    pub allocation_request_id: i64,
}

/// A key with outstanding containers, and its place among all keys of its attempt.
pub type OpenKey = (RequestKey, u32);

impl fmt::Display for RequestKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.priority, self.allocation_request_id)
    }
}
