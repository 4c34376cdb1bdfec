//! What a Samza ApplicationMaster decided, and why, and what its containers restored: told by the code that takes the
//! decision ([`crate::apps::samza::strategy`], and [`crate::sim`] for the processes).

mod reasons;

pub use reasons::*;

use crate::check::Check;
use crate::model::{AppId, ContainerId, Millis, RequestKey};
use std::sync::Arc;

/// A decision of a Samza, as the journal has it.
#[derive(Clone, Debug, PartialEq)]
pub struct SamzaAct {
    /// The application.
    pub app: AppId,
    /// The processor that it is about: `3`, or `3-0` for a standby container.
    pub processor: Option<Arc<str>>,
    /// What YARN knows the request by, where it is about one.
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
        /// For what.
        processor: String,
        /// Where.
        wish: Wish,
        /// When it is sent, if not at once.
        due: Option<Millis>,
        /// Why.
        why: AskReason,
    },
    /// A delayed request was sent.
    Sent {
        /// The request.
        request: RequestId,
    },
    /// A container was handed over.
    Buffered {
        /// Which.
        container: ContainerId,
        /// Where.
        host: String,
        /// Where it is kept.
        buffer: Buffer,
    },
    /// The head of the queue waits, and all behind it.
    Waits {
        /// The request.
        request: RequestId,
        /// For what.
        processor: String,
        /// Where.
        wish: Wish,
        /// How old it is.
        age: Millis,
        /// When it expires.
        timeout: Millis,
        /// Requests behind it.
        behind: usize,
    },
    /// The head of the queue has its container, and waits for another one to stop; all behind it wait.
    WaitsForStop {
        /// The request.
        request: RequestId,
        /// For what.
        processor: String,
        /// The placement message.
        action: u64,
        /// Requests behind it.
        behind: usize,
    },
    /// A container was used.
    Launched {
        /// For this request.
        request: RequestId,
        /// What runs in it.
        processor: String,
        /// The container.
        container: ContainerId,
        /// Where.
        host: String,
        /// How it was found.
        how: Hit,
    },
    /// A request expired.
    Expired {
        /// The request.
        request: RequestId,
        /// For what.
        processor: String,
        /// Where.
        wish: Wish,
        /// How old it is.
        age: Millis,
        /// How old it may get.
        timeout: Millis,
        /// What comes of it.
        then: Fallback,
    },
    /// A host is forbidden.
    Forbidden {
        /// For this container.
        processor: String,
        /// The host.
        host: String,
        /// By this one, which is or will be there.
        by: String,
        /// On this host.
        at: String,
        /// In what way.
        clash: Clash,
    },
    /// A container was given back.
    Released {
        /// Which.
        container: ContainerId,
        /// Why.
        why: ReleaseReason,
    },
    /// A container is to stop.
    Stopping {
        /// Which.
        container: ContainerId,
        /// What runs in it.
        processor: String,
        /// Why.
        why: StopReason,
    },
    /// A container runs.
    Started {
        /// What.
        processor: String,
        /// In which.
        container: ContainerId,
        /// How many are still missing.
        needed: i64,
    },
    /// A container ended.
    Ended {
        /// Which.
        container: ContainerId,
        /// What ran in it.
        processor: Option<String>,
        /// Its exit status.
        exit: i32,
        /// What became of it.
        how: Ended,
    },
    /// An active container fails over.
    Failover {
        /// Which.
        processor: String,
        /// Where it goes.
        to: FailoverTo,
    },
    /// A placement message was answered.
    Answered {
        /// Its id.
        id: u64,
        /// The answer.
        status: Status,
        /// In words, Samza's.
        text: String,
    },
    /// A placement message stays where it is.
    Unread {
        /// Its id.
        id: u64,
        /// Its container.
        processor: String,
        /// Why.
        why: Unread,
    },
    /// A placement message of another deployment was deleted.
    NotOurs {
        /// Its id.
        id: u64,
    },
    /// There is no job model: the ApplicationMaster cannot start.
    NoModel(NoModel),
    /// Containers are larger than YARN gives any: the job fails at its start.
    TooLarge,
    /// The number of tasks is not what it was: the stored assignment is dropped.
    TasksChanged {
        /// Before.
        before: usize,
        /// Now.
        now: usize,
    },
    /// An exception left the handling of an event.
    Threw {
        fault: Fault,
        /// Does the ApplicationMaster end of it?
        fatal: bool,
    },
    /// The process of a container is up: it has written down its host, where host affinity is on, and looked at the
    /// stores that are there.
    Up {
        container: ContainerId,
        host: String,
        /// Is the host in the coordinator stream now?
        recorded: bool,
        /// What each store of each task has to read.
        reads: Vec<StoreRead>,
    },
    /// A container has all its state, and processes.
    Restored {
        container: ContainerId,
        host: String,
        /// Bytes that it read.
        bytes: u64,
        /// Since its process is up.
        took: Millis,
    },
    /// The clean-up has found a store on a host that nobody uses there.
    CleanedUp {
        host: String,
        store: Arc<str>,
        task: Arc<str>,
        /// So old was its offset file, which is deleted; `None`: it had none, and the directory is deleted.
        age: Option<Millis>,
    },
}

impl Decision {
    /// The check that keeps a container from its host, or from being asked for, if it tells that.
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

    /// The container that it is about.
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

    /// The processor that it names.
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

    /// Where the request that it is about wants its container.
    pub fn wish(&self) -> Option<&Wish> {
        match self {
            Decision::Asked { wish, .. } | Decision::Waits { wish, .. } | Decision::Expired { wish, .. } => Some(wish),
            _ => None,
        }
    }

    /// Does it say again and again that something stays as it is?
    pub fn repeats(&self) -> bool {
        matches!(self, Decision::Waits { .. } | Decision::WaitsForStop { .. } | Decision::Unread { .. })
    }
}
