//! What reaches a ResourceManager from outside, one call at a time.

use super::{AllocateCall, NodeReport, NodeSpec, Properties, Submission};
use crate::constraint::{AttributeChange, Constraint};
use crate::model::{AppId, AttemptId, ContainerId, Millis, NodeId, Resource};

/// A call to a ResourceManager, or an act of one of its own threads at that moment. Its decisions depend on its
/// settings and on all calls of a run with their times, and on nothing else.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// A NodeManager that runs nothing registers.
    AddNode(NodeSpec),
    /// Attributes of a host change; an attribute to remove stands without a value.
    Attributes {
        host: String,
        how: AttributeChange,
        attributes: Vec<(String, String)>,
    },
    /// A node is lost: it was silent for too long, was removed, or comes back with no containers.
    RemoveNode(NodeId),
    /// The administrator resizes a node.
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
    /// Graceful decommissioning is cancelled.
    RecommissionNode(NodeId),
    /// The watcher of decommissioning nodes checks a silent one.
    PollDecommissioning(NodeId),
    /// A node's label is replaced; `""` removes it.
    LabelNode {
        node: NodeId,
        label: String,
    },
    /// A node's heartbeat, which triggers scheduling unless the scheduler is asynchronous.
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
    /// An ApplicationMaster unregisters.
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
    /// An ApplicationMaster missed its heartbeats for too long.
    ExpireAm(AttemptId),
    /// A container was allocated and never launched.
    ExpireContainer(ContainerId),
    /// The lifetime monitor checks an application.
    CheckLifetime(AppId),
    /// A constraint is registered, for tags of one application or of all.
    PutConstraint {
        app: Option<AppId>,
        tags: Vec<String>,
        constraint: Box<Constraint>,
    },
    /// The CapacityScheduler's settings are reloaded: the whole file.
    Refresh(Properties),
    /// The FairScheduler loads an allocation file.
    RefreshFair(String),
    /// QueueManagementDynamicEditPolicy runs a round.
    ManageQueues,
    /// AutoCreatedQueueDeletionPolicy runs a round.
    RemoveIdleQueues,
    /// ProportionalCapacityPreemptionPolicy runs a round.
    Preempt,
    /// The asynchronous scheduling thread visits the nodes from this one on, committing at once.
    Walk {
        start: u64,
    },
    /// The FairScheduler's update thread runs, then its preemption thread. `left_out`: the latest update before, if it
    /// was skipped because it could change nothing.
    FairUpdate {
        left_out: Option<Millis>,
    },
    /// The FairScheduler kills containers that it warned of.
    FairKills,
    /// The FairScheduler's file watcher checks for queues to remove or to change.
    CheckQueues,
    /// A pass of continuous scheduling.
    ContinuousPass,
}
