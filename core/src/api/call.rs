//! What reaches a ResourceManager from outside, one call at a time.

use super::{AllocateCall, NodeReport, NodeSpec, Properties, Submission};
use crate::constraint::{AttributeChange, Constraint};
use crate::model::{AppId, AttemptId, ContainerId, Millis, NodeId, Resource};

/// A call of a ResourceManager, or something that one of its own threads does at that moment. All calls of a run, each at
/// its time, are everything that its decisions depend on beside its settings.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// A NodeManager registers, empty.
    AddNode(NodeSpec),
    /// Attributes of a host change; an attribute that goes is named alone.
    Attributes {
        host: String,
        how: AttributeChange,
        attributes: Vec<(String, String)>,
    },
    /// A node is lost: it was silent for too long, was taken away, or comes back empty.
    RemoveNode(NodeId),
    /// The administrator gives a node another size.
    ResizeNode {
        node: NodeId,
        total: Resource,
        overcommit_timeout_ms: i64,
    },
    /// Graceful decommissioning begins.
    DecommissionNode {
        node: NodeId,
        timeout_s: i64,
    },
    /// It is called off.
    RecommissionNode(NodeId),
    /// The watcher of decommissioning nodes looks at a silent one.
    PollDecommissioning(NodeId),
    /// A node's label is replaced; `""` takes it away.
    LabelNode {
        node: NodeId,
        label: String,
    },
    /// A node's heartbeat, on which the scheduler works where it does not walk by itself.
    Heartbeat {
        node: NodeId,
        report: NodeReport,
    },
    /// A client submits an application; it gets this number unless the call is refused.
    Submit {
        app: AppId,
        submission: Box<Submission>,
    },
    /// An ApplicationMaster registers.
    Register(AppId),
    /// An ApplicationMaster calls.
    Allocate {
        app: AppId,
        call: Box<AllocateCall>,
    },
    /// An ApplicationMaster says that it is done.
    Unregister(AppId),
    KillApp(AppId),
    MoveApp {
        app: AppId,
        queue: String,
    },
    SetPriority {
        app: AppId,
        priority: i32,
    },
    /// An ApplicationMaster was not heard of for too long.
    ExpireAm(AttemptId),
    /// A container was given and never started.
    ExpireContainer(ContainerId),
    /// The monitor of lifetimes looks at an application.
    CheckLifetime(AppId),
    /// A constraint is registered: for tags of an application, or of all of them.
    PutConstraint {
        app: Option<AppId>,
        tags: Vec<String>,
        constraint: Box<Constraint>,
    },
    /// Settings of the CapacityScheduler are loaded anew: the whole file.
    Refresh(Properties),
    /// The FairScheduler loads an allocation file.
    RefreshFair(String),
    /// QueueManagementDynamicEditPolicy has a round.
    ManageQueues,
    /// AutoCreatedQueueDeletionPolicy has a round.
    RemoveIdleQueues,
    /// ProportionalCapacityPreemptionPolicy has a round.
    Preempt,
    /// The asynchronous scheduling thread walks over the nodes from this one, committing at once.
    Walk {
        start: u64,
    },
    /// The FairScheduler's update thread, and then its preemption thread. `left_out`: the latest update before, if it was
    /// left out since it could change nothing.
    FairUpdate {
        left_out: Option<Millis>,
    },
    /// Containers that the FairScheduler warned of are killed.
    FairKills,
    /// The FairScheduler's file watcher looks for queues to remove or to change.
    CheckQueues,
    /// A pass of continuous scheduling.
    ContinuousPass,
}
