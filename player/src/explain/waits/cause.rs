//! What keeps a request waiting, as a typed kind from the decision to the screen: what it is called in three words, the
//! class that decides it, and what may be changed about it. No code compares the words that a person reads.

use crate::explain::view::LimitKind;
use heddle_core::model::{AppId, QueueId};

/// A limit, or another reason before any node, that stops a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A queue runs as many applications as it may.
    ParallelOfQueue(QueueId),
    /// A user runs as many applications as it may.
    ParallelOfUser,
    NoNodes,
    /// The limit of a queue's AMs.
    AmLimit(QueueId),
    /// The limit of a user's AMs in a queue.
    UserAmLimit(QueueId),
    /// No node has the label.
    NoSuchLabel,
    /// The queue may not use the label.
    LabelForbidden(QueueId),
    /// A queue's share of the label is nothing.
    NoShareOfLabel(QueueId),
    /// A queue uses its maximum.
    QueueMax(QueueId),
    /// A queue uses what its parent leaves it.
    LeftByParent(QueueId),
    /// The user's limit in a queue.
    UserLimit(QueueId),
    /// What is asked does not fit in what a queue may still take.
    Headroom(QueueId),
    /// What is asked does not fit in the least that is left to the queue, since room is kept for others.
    KeptForOthers(QueueId),
    /// It has reserved enough for the time being.
    EnoughHeld,
    /// The request of another application goes before it.
    Behind(AppId),
    /// A more urgent request of its own application goes before it.
    BehindOwn,
    /// All of it is reserved; nothing else is looked at for it.
    OnlyHeld,
    /// Its proposal was refused at the commit.
    Refused,
    /// Its constraint could not be evaluated too often.
    TooManyErrors,
    /// The last update of demand came before it.
    NotInDemand,
    /// The FairScheduler's limit of a queue's AMs.
    AmShare(QueueId),
    /// The FairScheduler's maximum of a queue.
    MaxShare(QueueId),
}

impl Cause {
    /// In three words.
    pub fn short(self) -> &'static str {
        crate::explain::say::short_cause(self)
    }

    /// The class and method that decide it.
    pub fn decided_by(self) -> &'static str {
        match self {
            Cause::ParallelOfQueue(_) | Cause::ParallelOfUser => "CSMaxRunningAppsEnforcer",
            Cause::NoNodes | Cause::AmLimit(_) | Cause::UserAmLimit(_) => "AbstractLeafQueue.activateApplications",
            Cause::NoSuchLabel => "AbstractCSQueue.accessibleToPartition",
            Cause::LabelForbidden(_) => "AbstractCSQueue.accessibleToPartition",
            Cause::NoShareOfLabel(_) | Cause::QueueMax(_) | Cause::LeftByParent(_) => {
                "AbstractCSQueue.canAssignToThisQueue"
            }
            Cause::UserLimit(_) => "AbstractLeafQueue.canAssignToUser, UsersManager",
            Cause::Headroom(_) | Cause::KeptForOthers(_) => "RegularContainerAllocator.checkHeadroom",
            Cause::EnoughHeld => "RegularContainerAllocator.shouldAllocOrReserveNewContainer",
            Cause::Behind(_) => "AbstractLeafQueue.assignContainers",
            Cause::BehindOwn | Cause::OnlyHeld => "FiCaSchedulerApp.assignContainers",
            Cause::Refused => "FiCaSchedulerApp.accept, AbstractCSQueue.accept",
            Cause::TooManyErrors => "SingleConstraintAppPlacementAllocator.precheckNode",
            Cause::NotInDemand => "FairScheduler.update",
            Cause::AmShare(_) => "FSLeafQueue.canRunAppAM",
            Cause::MaxShare(_) => "FSQueue.fitsInMaxShare",
        }
    }

    /// Does it stop an application before it is active, so that queues and nodes do not matter yet?
    pub fn is_of_activation(self) -> bool {
        matches!(
            self,
            Cause::ParallelOfQueue(_)
                | Cause::ParallelOfUser
                | Cause::NoNodes
                | Cause::AmLimit(_)
                | Cause::UserAmLimit(_)
        )
    }

    /// The link of the chain that it stops at.
    pub fn kind(self) -> LimitKind {
        match self {
            Cause::ParallelOfQueue(_) | Cause::ParallelOfUser => LimitKind::ParallelApps,
            Cause::NoNodes => LimitKind::Cluster,
            Cause::AmLimit(_) => LimitKind::AmLimit,
            Cause::UserAmLimit(_) => LimitKind::UserAmLimit,
            Cause::NoSuchLabel | Cause::LabelForbidden(_) | Cause::NoShareOfLabel(_) => LimitKind::Label,
            Cause::QueueMax(_) | Cause::LeftByParent(_) => LimitKind::QueueMax,
            Cause::UserLimit(_) => LimitKind::UserLimit,
            Cause::Headroom(_) | Cause::KeptForOthers(_) => LimitKind::Headroom,
            Cause::EnoughHeld
            | Cause::Behind(_)
            | Cause::BehindOwn
            | Cause::OnlyHeld
            | Cause::Refused
            | Cause::TooManyErrors => LimitKind::Turn,
            Cause::NotInDemand => LimitKind::Demand,
            Cause::AmShare(_) => LimitKind::AmShare,
            Cause::MaxShare(_) => LimitKind::MaxShare,
        }
    }
}
