//! Nodes as the scheduler knows them (SchedulerNode, FiCaSchedulerNode, RMNodeImpl; capacity-scheduler.md 11.3).

use super::cluster::PlaceId;
use super::container::Slot;
use crate::model::{AppId, Millis, NodeId, PartitionId, Resource};

pub use crate::api::NodeState;

/// A node. One that goes keeps its place, and takes it again when it comes back.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub id: NodeId,
    pub host: String,
    pub port: i32,
    /// The host's name as a place to ask for.
    pub host_place: PlaceId,
    /// The rack's name as a place to ask for.
    pub rack: PlaceId,
    /// Its size now.
    pub total: Resource,
    /// Taken by containers, those included that are over but not yet reported so by the node.
    pub allocated: Resource,
    pub partition: PartitionId,
    /// Has it ever been given a label (the empty one included)?
    pub labelled: bool,
    /// Partitions in whose lists of nodes YARN's tracker has it: after a change of its label not only its own
    /// (ClusterNodeTracker.nodesPerLabel). Multi-node placement takes its candidates from there.
    pub listed_in: Vec<PartitionId>,
    pub state: NodeState,
    /// Is it among the scheduler's nodes?
    pub in_scheduler: bool,
    /// Containers that take room on it, in the order of allocation.
    pub containers: Vec<Slot>,
    /// The reservation on it.
    pub reserved: Option<Slot>,
    /// When containers beyond a lowered size are killed; `None`: never.
    pub overcommit_deadline: Option<Millis>,
    /// Size to go back to when decommissioning is called off.
    pub size_before_decommission: Option<Resource>,
    /// First heartbeat of its graceful decommissioning: patience with it counts from then.
    pub decommission_began: Option<Millis>,
    /// Patience with its graceful decommissioning; `None`: for ever.
    pub decommission_timeout: Option<Millis>,
    /// Applications that it has reported a container of, until they are over.
    pub running_apps: Vec<AppId>,
    /// Its last heartbeat (or registration).
    pub last_heartbeat: Millis,
    /// Order of registration: the later the higher, renewed when it comes back.
    pub registration: u64,
}

impl Node {
    /// Room left; below zero when the node was made smaller than what it runs.
    #[inline]
    pub fn free(&self) -> Resource {
        self.total - self.allocated
    }
}
