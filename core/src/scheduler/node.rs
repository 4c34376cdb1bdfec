//! Nodes as the scheduler knows them (SchedulerNode, FiCaSchedulerNode, RMNodeImpl; capacity-scheduler.md 11.3).

use super::cluster::PlaceId;
use super::container::Slot;
use crate::api::HeartbeatAnswer;
use crate::model::{AppSet, ContainerId, Millis, NodeId, PartitionId, Resource};

pub use crate::api::NodeState;

/// What a node has newly reported of containers (UpdatedContainerInfo).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reported {
    pub running: Vec<ContainerId>,
    /// With their exit codes.
    pub completed: Vec<(ContainerId, i32)>,
    /// It listed them before, and does not any more.
    pub vanished: Vec<ContainerId>,
}

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
    /// What other lists still have of it from before it was unhealthy.
    pub stale: Option<Stale>,
    pub state: NodeState,
    /// Since when it is in this state.
    pub state_since: Millis,
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
    pub running_apps: AppSet,
    /// Its last heartbeat (or registration).
    pub last_heartbeat: Millis,
    /// Number of the answer that it heard last.
    pub response_id: i32,
    /// What its next answer will say.
    pub waiting: HeartbeatAnswer,
    /// What its last answer said: said again when it repeats a heartbeat.
    pub answered: HeartbeatAnswer,
    /// What it reported of containers and the scheduler has not taken up yet.
    pub updates: Vec<Reported>,
    /// Is the scheduler to look at it (RMNodeImpl.nextHeartBeat is off)?
    pub update_sent: bool,
    /// Port of its web server.
    pub http_port: i32,
    /// Since when it is out and in no list of hosts.
    pub untracked_since: Option<Millis>,
    /// Is it out, and not listed any more?
    pub forgotten: bool,
    /// Order of registration: the later the higher, renewed when it comes back or gets another size.
    pub registration: u64,
}

/// A node as it was before it was unhealthy. Leaving takes it out of its own partition's list alone, so that others go on
/// naming it as that (ClusterNodeTracker.removeNode; quirk).
#[derive(Clone, Debug, PartialEq)]
pub struct Stale {
    /// Its partition then.
    pub partition: PartitionId,
    /// The partitions whose lists name it.
    pub lists: Vec<PartitionId>,
    /// Its last heartbeat then.
    pub heartbeat: Millis,
}

impl Node {
    /// What the list of a partition has of it, unless it is the node as it is now.
    pub fn stale_in(&self, list: PartitionId) -> Option<&Stale> {
        self.stale.as_ref().filter(|s| s.lists.contains(&list) && !self.listed_in.contains(&list))
    }

    /// Its partition as a candidate from the list of one.
    pub fn partition_in(&self, list: PartitionId) -> PartitionId {
        self.stale_in(list).map_or(self.partition, |s| s.partition)
    }

    /// Changes its state at this moment.
    pub fn enter_state(&mut self, state: NodeState, now: Millis) {
        if self.state != state {
            (self.state, self.state_since) = (state, now);
        }
    }

    /// Room left; below zero when the node was made smaller than what it runs.
    #[inline]
    pub fn free(&self) -> Resource {
        self.total - self.allocated
    }
}
