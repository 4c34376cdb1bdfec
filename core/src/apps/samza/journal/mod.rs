//! The decisions of a Samza ApplicationMaster and their reasons, and what its containers restored, recorded by the code that
//! decides ([`crate::apps::samza::strategy`], and [`crate::sim`] for the processes).

mod reasons;

pub use reasons::*;

use crate::check::Check;
use crate::model::{AppId, ContainerId, Millis, RequestKey};
use std::sync::Arc;

/// A decision of a Samza job, as recorded in the journal.
#[derive(Clone, Debug, PartialEq)]
pub struct SamzaAct {
    /// The application.
    pub app: AppId,
    /// The processor that it is about: `3`, or `3-0` for a standby container.
    pub processor: Option<Arc<str>>,
    /// YARN's key of the request, if it is about one.
    pub key: Option<RequestKey>,
    pub decision: Decision,
}

/// A decision with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A request was made.
    Asked {
        /// The request.
        request: RequestId,
        /// The processor.
        processor: String,
        /// The host that is wanted.
        wish: Wish,
        /// The time at which it is sent, if not at once.
        due: Option<Millis>,
        /// The reason.
        why: AskReason,
    },
    /// A delayed request was sent.
    Sent {
        /// The request.
        request: RequestId,
    },
    /// A container was granted.
    Buffered {
        /// The container.
        container: ContainerId,
        /// The host.
        host: String,
        /// The buffer that keeps it.
        buffer: Buffer,
    },
    /// The head of the queue waits, and so do all requests behind it.
    Waits {
        /// The request.
        request: RequestId,
        /// The processor.
        processor: String,
        /// The host that is wanted.
        wish: Wish,
        /// Its age.
        age: Millis,
        /// The age at which it expires.
        timeout: Millis,
        /// Requests behind it.
        behind: usize,
    },
    /// The head of the queue has its container, but waits for another one to stop; all requests behind it wait.
    WaitsForStop {
        /// The request.
        request: RequestId,
        /// The processor.
        processor: String,
        /// The placement message.
        action: u64,
        /// Requests behind it.
        behind: usize,
    },
    /// A container was launched.
    Launched {
        /// The request.
        request: RequestId,
        /// The processor that runs in it.
        processor: String,
        /// The container.
        container: ContainerId,
        /// The host.
        host: String,
        /// How it was found.
        how: Hit,
    },
    /// A request expired.
    Expired {
        /// The request.
        request: RequestId,
        /// The processor.
        processor: String,
        /// The host that is wanted.
        wish: Wish,
        /// Its age.
        age: Millis,
        /// The age at which it expires.
        timeout: Millis,
        /// The consequence.
        then: Fallback,
    },
    /// A host is forbidden.
    Forbidden {
        /// The container for which it is forbidden.
        processor: String,
        /// The host.
        host: String,
        /// The conflicting container, which is or will be there.
        by: String,
        /// The host of the conflicting container.
        at: String,
        /// The kind of conflict.
        clash: Clash,
    },
    /// A container was given back.
    Released {
        /// The container.
        container: ContainerId,
        /// The reason.
        why: ReleaseReason,
    },
    /// A container is to stop.
    Stopping {
        /// The container.
        container: ContainerId,
        /// The processor that runs in it.
        processor: String,
        /// The reason.
        why: StopReason,
    },
    /// A container runs.
    Started {
        /// The processor.
        processor: String,
        /// The container.
        container: ContainerId,
        /// The number of containers that are still missing.
        needed: i64,
    },
    /// A container ended.
    Ended {
        /// The container.
        container: ContainerId,
        /// The processor that ran in it.
        processor: Option<String>,
        /// Its exit status.
        exit: i32,
        /// How Samza treats it.
        how: Ended,
    },
    /// An active container fails over.
    Failover {
        /// The processor.
        processor: String,
        /// Its target.
        to: FailoverTo,
    },
    /// A placement message was answered.
    Answered {
        /// Its id.
        id: u64,
        /// The answer.
        status: Status,
        /// Samza's words.
        text: String,
    },
    /// A placement message stays unread.
    Unread {
        /// Its id.
        id: u64,
        /// Its processor.
        processor: String,
        /// The reason.
        why: Unread,
    },
    /// A placement message of another deployment was deleted.
    NotOurs {
        /// Its id.
        id: u64,
    },
    /// There is no job model: the ApplicationMaster cannot start.
    NoModel(NoModel),
    /// The containers are larger than YARN's maximum: the job fails at its start.
    TooLarge,
    /// The number of tasks has changed: the stored assignment is dropped.
    TasksChanged {
        /// The previous number.
        before: usize,
        /// The current number.
        now: usize,
    },
    /// An exception ended the handling of an event.
    Threw {
        fault: SamzaException,
        /// Whether it ends the ApplicationMaster.
        fatal: bool,
    },
    /// The process of a container is up: it has recorded its host, if host affinity is on, and checked the stores on disk.
    Up {
        container: ContainerId,
        host: String,
        /// Whether the coordinator stream now has the host.
        recorded: bool,
        /// The data that each store of each task has to read.
        reads: Vec<StoreRead>,
    },
    /// A container has restored all its state, and processes.
    Restored {
        container: ContainerId,
        host: String,
        /// The bytes that it read.
        bytes: u64,
        /// The time since its process was up.
        took: Millis,
    },
    /// The clean-up found an unused store on a host.
    CleanedUp {
        host: String,
        store: Arc<str>,
        task: Arc<str>,
        /// The age of its offset file, which is deleted; `None`: it had none, and the directory is deleted.
        age: Option<Millis>,
    },
}

impl Decision {
    /// Returns the check that keeps a container from its host, or from being requested, if the decision records one.
    pub fn check(&self) -> Option<Check> {
        match self {
            Decision::Forbidden { .. } => Some(Check::StandbyHost),
            Decision::Waits { behind, .. } => (*behind > 0).then_some(Check::RequestTurn),
            Decision::WaitsForStop { .. } => Some(Check::PlacementStopped),
            Decision::Asked { due, .. } => due.is_some().then_some(Check::RetryDelay),
            Decision::Ended { how: Ended::Failed(failed), .. } => match failed.then {
                AfterFailure::Retry { .. } => None,
                AfterFailure::JobFails | AfterFailure::GoesOn => Some(Check::RetriesLeft),
            },
            Decision::Ended { .. }
            | Decision::Sent { .. }
            | Decision::Buffered { .. }
            | Decision::Launched { .. }
            | Decision::Expired { .. }
            | Decision::Released { .. }
            | Decision::Stopping { .. }
            | Decision::Started { .. }
            | Decision::Failover { .. }
            | Decision::Answered { .. }
            | Decision::Unread { .. }
            | Decision::NotOurs { .. }
            | Decision::NoModel(_)
            | Decision::TooLarge
            | Decision::TasksChanged { .. }
            | Decision::Threw { .. }
            | Decision::Up { .. }
            | Decision::Restored { .. }
            | Decision::CleanedUp { .. } => None,
        }
    }

    /// Returns the container that it is about.
    pub fn container(&self) -> Option<ContainerId> {
        match self {
            Decision::Buffered { container, .. }
            | Decision::Launched { container, .. }
            | Decision::Released { container, .. }
            | Decision::Stopping { container, .. }
            | Decision::Started { container, .. }
            | Decision::Ended { container, .. }
            | Decision::Up { container, .. }
            | Decision::Restored { container, .. } => Some(*container),
            _ => None,
        }
    }

    /// Returns the processor that it names.
    pub fn processor(&self) -> Option<&str> {
        match self {
            Decision::Asked { processor, .. }
            | Decision::Waits { processor, .. }
            | Decision::WaitsForStop { processor, .. }
            | Decision::Launched { processor, .. }
            | Decision::Expired { processor, .. }
            | Decision::Forbidden { processor, .. }
            | Decision::Stopping { processor, .. }
            | Decision::Started { processor, .. }
            | Decision::Failover { processor, .. }
            | Decision::Unread { processor, .. } => Some(processor),
            Decision::Ended { processor, .. } => processor.as_deref(),
            _ => None,
        }
    }

    /// Returns the host that its request wants.
    pub fn wish(&self) -> Option<&Wish> {
        match self {
            Decision::Asked { wish, .. } | Decision::Waits { wish, .. } | Decision::Expired { wish, .. } => Some(wish),
            _ => None,
        }
    }

    /// Returns whether it only repeats that something stays as it is.
    pub fn repeats(&self) -> bool {
        matches!(self, Decision::Waits { .. } | Decision::WaitsForStop { .. } | Decision::Unread { .. })
    }
}
