//! What happened to nodes, applications, containers and settings, and what prevented a change.

use crate::check::{Checked, Failure};
use crate::model::{
    AppId, ContainerId, EndCause, Locality, Millis, NodeId, PartitionId, PreemptedFor, QueueId, RequestKey, Resource,
    Selector, UserId,
};

/// Something that happened outside of an offer, or resulted from one. Amounts are as they are afterwards.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A node was added to the scheduler.
    NodeAdded { node: NodeId, total: Resource, partition: PartitionId },
    /// A node left the scheduler.
    NodeRemoved { node: NodeId, why: NodeGone },
    /// A node was resized.
    NodeResized { node: NodeId, from: Resource, to: Resource },
    /// Graceful decommissioning of a node began.
    NodeDecommissioning { node: NodeId },
    /// A node was moved to another partition.
    NodeRelabelled { node: NodeId, from: PartitionId, to: PartitionId },
    /// An application was accepted in a queue.
    Submitted { app: AppId, queue: QueueId, user: UserId },
    /// An application was rejected after its submission; its diagnostics have the message.
    Rejected { app: AppId },
    /// The scheduler threw an exception while adding the application, which is neither accepted nor rejected.
    Unanswered { app: AppId },
    /// An attempt, counted from 1, joined its leaf's pending applications.
    AttemptAdded { app: AppId, attempt: u32 },
    /// An attempt waits for a limit of parallel applications.
    NotRunnable { app: AppId, why: Checked },
    /// An application became active in its leaf.
    Activated {
        app: AppId,
        /// The usage of the queue's AMs, including its own.
        am_used: Resource,
        /// The queue's limit for AMs.
        am_limit: Resource,
        /// Whether it exceeds a limit, because one AM may always start.
        as_only_one: bool,
    },
    /// An application stays pending in its leaf.
    NotActivated { app: AppId, why: Failure },
    /// A container was allocated.
    Allocated {
        container: ContainerId,
        node: NodeId,
        size: Resource,
        key: RequestKey,
        locality: Locality,
        /// Whether it was reserved before.
        from_reservation: bool,
        /// Whether it is the AM's own.
        am: bool,
    },
    /// Resources were reserved; `free`: the node's free resources.
    Reserved {
        /// The id that the container will have.
        container: ContainerId,
        node: NodeId,
        size: Resource,
        key: RequestKey,
        free: Resource,
    },
    /// A reservation is gone.
    Unreserved { container: ContainerId, node: NodeId, size: Resource, why: UnreserveCause },
    /// A reservation moved to another node.
    ReservationMoved { container: ContainerId, from: NodeId, to: NodeId },
    /// A round of the preemption monitor selected a container.
    Marked {
        container: ContainerId,
        node: NodeId,
        size: Resource,
        by: Selector,
        /// The time from which it is killed, if a round still selects it.
        deadline: Millis,
        /// The first round after that, as rounds are scheduled now. `None`: the mark is dropped before.
        killed_at: Option<Millis>,
        /// Why it was selected. `None`: the round recorded no steps.
        because: Option<Box<MarkedBecause>>,
    },
    /// An AM learns how many of its containers were marked since its last call.
    AskedBack { app: AppId, containers: u32 },
    /// A container became killable: whoever is owed its resources may take them at any moment (lazy preemption).
    MadeKillable { container: ContainerId, node: NodeId, size: Resource, because: KillableBecause },
    /// A container is killed for others; its completion follows.
    Preempted { container: ContainerId, node: NodeId, size: Resource, what_for: PreemptedFor },
    /// An application is starved, and a search looked for containers of others to preempt (FairScheduler).
    Starved {
        app: AppId,
        /// The missing part of its protected fair share.
        fair: Resource,
        /// The last time when it did not lack it.
        fair_since: Millis,
        /// Its part of what its queue lacks of the minimum share.
        minimum: Resource,
        /// The last time when the queue had its minimum share.
        minimum_since: Millis,
        /// The number of containers that were selected.
        chosen: usize,
        /// The time before which it is not checked again.
        next_check: Millis,
    },
    /// A container will be killed at `kill_at` unconditionally, and its resources are promised to a starved application
    /// (FairScheduler).
    Warned { container: ContainerId, node: NodeId, size: Resource, starved: AppId, kill_at: Millis },
    /// A proposal failed the check at its commit (capacity-scheduler.md 9).
    CommitRefused { app: AppId, key: RequestKey, node: NodeId, size: Resource, why: Box<Failure> },
    /// A container ended.
    Completed {
        container: ContainerId,
        node: NodeId,
        size: Resource,
        exit_code: i32,
        why: EndCause,
        /// Whether the node still counts its resources as used until it reports the end.
        room_kept: bool,
    },
    /// An attempt ended.
    AttemptEnded { app: AppId, attempt: u32 },
    /// An application ended.
    AppEnded { app: AppId },
    /// An application moved to another leaf.
    Moved { app: AppId, from: QueueId, to: QueueId },
    /// An application's priority changed.
    PriorityChanged { app: AppId, from: i32, to: i32 },
    /// The settings were reloaded.
    Refreshed,
}

/// Why a container became killable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillableBecause {
    /// A round of the monitor selected it, as every round since it was marked did. `beyond_maximum`: its queue uses
    /// more than its maximum, a reason that needs no queue with a claim.
    Round { by: Selector, since: Millis, beyond_maximum: bool },
    /// Its node was resized below its usage.
    Overcommit,
}

/// Why a round selected a container, with the figures.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkedBecause {
    /// Its queue uses more than its ideal assignment.
    Owes {
        queue: QueueId,
        used: Resource,
        /// Whether it uses more than its maximum, a reason that needs no queue with a claim.
        beyond_maximum: bool,
        /// Its guarantee, or its maximum if it exceeds that.
        bound: Resource,
        owed: Resource,
        /// The amount that this round takes from it.
        taken: Resource,
    },
    /// A reservation of this application needs the resources.
    MakesRoom { reserved_for: AppId },
    /// Its application owes resources to others in its queue: the amount that is still to be taken from it.
    OwesWithin { wanted: Resource },
}

impl MarkedBecause {
    /// Returns whether its queue used more than its maximum.
    pub fn is_beyond_maximum(&self) -> bool {
        matches!(self, MarkedBecause::Owes { beyond_maximum: true, .. })
    }
}

/// Why a node left the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeGone {
    /// Removed or lost.
    Lost,
    /// It reported itself unhealthy.
    Unhealthy,
    /// Its decommissioning is done.
    Decommissioned,
    /// It was out of sync, and has to register again.
    Rebooted,
    /// Its NodeManager unregistered.
    Shutdown,
}

/// Why a reservation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnreserveCause {
    /// It became an allocated container.
    Converted,
    /// Its request has nothing outstanding any more.
    Excess,
    /// Another node had free resources.
    OtherNode,
    /// Its attempt ended.
    AttemptEnded,
    /// Its node left, was resized or relabelled.
    NodeChanged,
    /// Released by the AM.
    Released,
    /// Dropped by a round of the preemption monitor.
    Preempted,
}
