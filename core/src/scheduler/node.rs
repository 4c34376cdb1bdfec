//! Nodes in the scheduler and the ResourceManager (SchedulerNode, FiCaSchedulerNode, RMNodeImpl; capacity-scheduler.md
//! 11.3).

use super::cluster::PlaceId;
use super::container::Slot;
use crate::api::HeartbeatAnswer;
use crate::model::{AppSet, ContainerId, Millis, NodeId, PartitionId, Resource};

pub use crate::api::NodeState;

/// New container reports of a node (UpdatedContainerInfo).
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Reported {
    pub running: Vec<ContainerId>,
    /// Ended containers with their exit codes.
    pub completed: Vec<(ContainerId, i32)>,
    /// Containers that it does not list any more.
    pub vanished: Vec<ContainerId>,
}

/// A node. It keeps its place while it is gone, and has it again when it comes back.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    pub id: NodeId,
    pub host: String,
    pub port: i32,
    /// The host's name as a place of requests.
    pub host_place: PlaceId,
    /// The rack's name as a place of requests.
    pub rack: PlaceId,
    /// Its size now.
    pub total: Resource,
    /// The usage of its containers, those included that ended without the node's report.
    pub allocated: Resource,
    pub partition: PartitionId,
    /// Whether it ever got a label (the empty one included).
    pub labelled: bool,
    /// The partitions in whose lists YARN's tracker has the node: after a change of its label not only its own
    /// (ClusterNodeTracker.nodesPerLabel). Multi-node placement takes its candidates from these lists.
    pub listed_in: Vec<PartitionId>,
    /// The outdated record that other lists have of it from before it was unhealthy.
    pub stale: Option<Stale>,
    pub state: NodeState,
    /// The time since which it is in this state.
    pub state_since: Millis,
    /// Whether it is among the scheduler's nodes.
    pub in_scheduler: bool,
    /// The containers that its usage counts, in the order of allocation.
    pub containers: Vec<Slot>,
    /// The reservation on it.
    pub reserved: Option<Slot>,
    /// The time at which containers beyond a lowered size are killed; `None`: never.
    pub overcommit_deadline: Option<Millis>,
    /// The size that it gets back when decommissioning is cancelled.
    pub size_before_decommission: Option<Resource>,
    /// The time of the first heartbeat of its graceful decommissioning, from which the timeout runs.
    pub decommission_began: Option<Millis>,
    /// The timeout of its graceful decommissioning; `None`: none.
    pub decommission_timeout: Option<Millis>,
    /// Applications that it has reported a container of, until they are over.
    pub running_apps: AppSet,
    /// The time of its latest heartbeat or registration.
    pub last_heartbeat: Millis,
    /// The number of the latest answer that it got.
    pub response_id: i32,
    /// The content of its next answer.
    pub waiting: HeartbeatAnswer,
    /// The content of its latest answer, sent again when it repeats a heartbeat.
    pub answered: HeartbeatAnswer,
    /// Container reports that the scheduler has not handled yet.
    pub updates: Vec<Reported>,
    /// Whether an event for the scheduler is pending (RMNodeImpl.nextHeartBeat is off).
    pub update_sent: bool,
    /// The port of its web server.
    pub http_port: i32,
    /// The time since which it is inactive and in no list of hosts.
    pub untracked_since: Option<Millis>,
    /// Whether it is inactive and not listed any more.
    pub forgotten: bool,
    /// Order of registration: the later the higher, renewed when it comes back or gets another size.
    pub registration: u64,
}

/// A node as it was before it was unhealthy. When it leaves, only its own partition's list drops it, so the others go
/// on listing this outdated record (ClusterNodeTracker.removeNode; quirk).
#[derive(Clone, Debug, PartialEq)]
pub struct Stale {
    /// Its partition at that time.
    pub partition: PartitionId,
    /// The partitions whose lists name it.
    pub lists: Vec<PartitionId>,
    /// Its latest heartbeat at that time.
    pub heartbeat: Millis,
}

impl Node {
    /// Returns the outdated record that a partition's list has of it; `None`: the list has the node as it is now.
    pub fn stale_in(&self, list: PartitionId) -> Option<&Stale> {
        self.stale.as_ref().filter(|s| s.lists.contains(&list) && !self.listed_in.contains(&list))
    }

    /// Returns its partition as a candidate from a partition's list.
    pub fn partition_in(&self, list: PartitionId) -> PartitionId {
        self.stale_in(list).map_or(self.partition, |s| s.partition)
    }

    /// Changes its state, and records the time.
    pub fn enter_state(&mut self, state: NodeState, now: Millis) {
        if self.state != state {
            (self.state, self.state_since) = (state, now);
        }
    }

    /// Returns the free resources; negative where the node exceeds its size.
    #[inline]
    pub fn free(&self) -> Resource {
        self.total - self.allocated
    }
}
