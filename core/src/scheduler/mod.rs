//! The schedulers: a folder each, [`Scheduler`] in front of them, and the accounting of nodes, applications and
//! containers that they share ([`Cluster`]).

pub mod app;
pub mod asks;
pub mod capacity;
mod choice;
mod chosen;
pub mod cluster;
pub mod container;
pub mod fair;
pub mod fifo;
mod life;
pub mod live;
pub mod node;
mod short_cuts;

/// The largest number of children whose usage is summed in assertions that queues add up.
const CHILDREN_SUMMED: usize = 64;

pub use app::{AmStatus, App, Inactive};
pub use asks::{Asks, KeyAsks, RequestRow, TaggedAsk};
pub use choice::Scheduler;
pub use chosen::{ChosenBy, QueueChoice};
pub use cluster::{Cluster, Partition, PlaceId};
pub use container::{Container, ContainerState, Containers, Locality, Origin, Slot};
pub use node::{Node, NodeState, Reported, Stale};
pub use short_cuts::ShortCuts;
