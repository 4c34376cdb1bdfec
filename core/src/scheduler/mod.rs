//! What every scheduler shares: the books of nodes, applications and containers ([`Cluster`]). One folder for each
//! scheduler; [`capacity`] is the CapacityScheduler.

pub mod app;
pub mod asks;
pub mod capacity;
pub mod cluster;
pub mod container;
pub mod node;

pub use app::{AmStatus, App};
pub use asks::{Asks, KeyAsks, Row, TaggedAsk};
pub use cluster::{Cluster, Partition, PlaceId};
pub use container::{Container, ContainerState, Containers, Locality, Slot};
pub use node::{Node, NodeState};
