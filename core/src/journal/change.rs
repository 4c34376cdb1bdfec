//! What became of nodes, applications, containers and settings: what changed, and what was kept from changing.

use crate::check::{Checked, Failure};
use crate::model::{
    AppId, ContainerId, EndCause, Locality, Millis, NodeId, PartitionId, PreemptedFor, QueueId, RequestKey, Resource,
    Selector, UserId,
};

/// Something that happened outside of a look at a node, or came of one. Amounts are as they are afterwards.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A node is in the scheduler from now on.
    NodeAdded { node: NodeId, total: Resource, partition: PartitionId },
    /// A node left the scheduler.
    NodeRemoved { node: NodeId, why: NodeGone },
    /// A node has another size.
    NodeResized { node: NodeId, from: Resource, to: Resource },
    /// Graceful decommissioning of a node began.
    NodeDecommissioning { node: NodeId },
    /// A node is in another partition.
    NodeRelabelled { node: NodeId, from: PartitionId, to: PartitionId },
    /// An application was accepted in a queue.
    Submitted { app: AppId, queue: QueueId, user: UserId },
    /// An application was rejected after its submission; the words are in its diagnostics.
    Rejected { app: AppId },
    /// The scheduler threw an exception while it took the application in: it is neither accepted nor rejected.
    Unanswered { app: AppId },
    /// An attempt, counted from 1, came to its leaf's pending applications.
    AttemptAdded { app: AppId, attempt: u32 },
    /// An attempt waits for a limit of parallel applications.
    NotRunnable { app: AppId, why: Checked },
    /// An application became active in its leaf.
    Activated {
        app: AppId,
        /// What the queue's AMs use with it.
        am_used: Resource,
        /// The queue's limit for AMs.
        am_limit: Resource,
        /// Beyond a limit, because one AM may always start.
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
        /// Was it reserved before?
        from_reservation: bool,
        /// The AM's own?
        am: bool,
    },
    /// Room was reserved; `free`: what the node has.
    Reserved {
        /// Which number the container will have.
        container: ContainerId,
        node: NodeId,
        size: Resource,
        key: RequestKey,
        free: Resource,
    },
    /// A reservation is gone.
    Unreserved { container: ContainerId, node: NodeId, size: Resource, why: UnreserveCause },
    /// A reservation is on another node from now on.
    ReservationMoved { container: ContainerId, from: NodeId, to: NodeId },
    /// A round of the preemption monitor chose a container to be given back.
    Marked {
        container: ContainerId,
        node: NodeId,
        size: Resource,
        by: Selector,
        /// From when on it is killed, if it is chosen then.
        deadline: Millis,
        /// The first round from then on, as rounds are scheduled now. `None`: the mark is forgotten before.
        killed_at: Option<Millis>,
        /// What it was chosen by. `None`: the round told no steps.
        because: Option<Box<MarkedBecause>>,
    },
    /// An AM is told how many of its containers were marked since its last call.
    AskedBack { app: AppId, containers: u32 },
    /// Whoever is owed the room of a container may have it at any moment (lazy preemption).
    MadeKillable { container: ContainerId, node: NodeId, size: Resource, because: KillableBecause },
    /// A container is killed for others: its end follows.
    Preempted { container: ContainerId, node: NodeId, size: Resource, what_for: PreemptedFor },
    /// An application is starved, and others were searched for what they can give up for it (FairScheduler).
    Starved {
        app: AppId,
        /// What it lacks of the part of its fair share that counts.
        fair: Resource,
        /// When it last did not.
        fair_since: Millis,
        /// What it is to get of what its queue lacks of the minimum share.
        minimum: Resource,
        /// When the queue last had its minimum share.
        minimum_since: Millis,
        /// How many containers of others were chosen.
        chosen: usize,
        /// It is not looked at again before.
        next_check: Millis,
    },
    /// A container will be killed at `kill_at` whatever happens until then, and its room is promised to a starved
    /// application (FairScheduler).
    Warned { container: ContainerId, node: NodeId, size: Resource, starved: AppId, kill_at: Millis },
    /// A proposal did not pass the second check (capacity-scheduler.md 9).
    CommitRefused { app: AppId, key: RequestKey, node: NodeId, size: Resource, why: Box<Failure> },
    /// A container ended.
    Completed {
        container: ContainerId,
        node: NodeId,
        size: Resource,
        exit_code: i32,
        why: EndCause,
        /// Does the node still hold its room until it reports the end?
        room_kept: bool,
    },
    /// An attempt is over.
    AttemptEnded { app: AppId, attempt: u32 },
    /// An application is over.
    AppEnded { app: AppId },
    /// An application moved to another leaf.
    Moved { app: AppId, from: QueueId, to: QueueId },
    /// An application has another priority.
    PriorityChanged { app: AppId, from: i32, to: i32 },
    /// The settings were read anew.
    Refreshed,
}

/// Why a container became killable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KillableBecause {
    /// A round of the monitor chose it, as it did in every round since it was marked. `beyond_maximum`: its queue uses more
    /// than its maximum, which nobody need be owed.
    Round { by: Selector, since: Millis, beyond_maximum: bool },
    /// Its node was made smaller than what it runs.
    Overcommit,
}

/// The figures of its round by which a container was chosen.
#[derive(Clone, Debug, PartialEq)]
pub enum MarkedBecause {
    /// Its queue uses more than it should have.
    Owes {
        queue: QueueId,
        used: Resource,
        /// Does it use more than its maximum? Nobody need be owed that.
        beyond_maximum: bool,
        /// Its guarantee; that maximum, if it uses more.
        bound: Resource,
        owed: Resource,
        /// What this round takes of it.
        taken: Resource,
    },
    /// Room is made for a reservation of this application.
    MakesRoom { reserved_for: AppId },
    /// Its application owes others of its queue: what is still to be taken of it.
    OwesWithin { wanted: Resource },
}

impl MarkedBecause {
    /// Did its queue use more than its maximum?
    pub fn is_beyond_maximum(&self) -> bool {
        matches!(self, MarkedBecause::Owes { beyond_maximum: true, .. })
    }
}

/// Why a node left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeGone {
    /// Removed or lost.
    Lost,
    /// It reported itself unhealthy.
    Unhealthy,
    /// Its decommissioning is done.
    Decommissioned,
    /// It was out of step, and has to register anew.
    Rebooted,
    /// Its NodeManager said goodbye.
    Shutdown,
}

/// Why a reservation went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnreserveCause {
    /// It became a container.
    Converted,
    /// Nothing is outstanding any more.
    Excess,
    /// Another node had room.
    OtherNode,
    /// Its attempt ended.
    AttemptEnded,
    /// Its node went, was resized or relabelled.
    NodeChanged,
    /// Released by the AM.
    Released,
    /// Dropped by a round of the preemption monitor.
    Preempted,
}
