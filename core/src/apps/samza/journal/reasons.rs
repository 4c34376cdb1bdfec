//! The parts of Samza's decisions: reasons, figures, answers.

use crate::model::{ContainerId, Millis};
use std::sync::Arc;

/// Samza's name for any host.
pub const ANY_HOST: &str = "ANY_HOST";

/// A request's number, in the order in which requests are made, across all attempts.
pub type RequestId = u64;

/// The host where a container is wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wish {
    /// Any host: Samza's ANY_HOST.
    AnyHost,
    /// A named host.
    Host(String),
    /// An unknown host (a Java null), which nothing ever matches.
    Unknown,
}

impl Wish {
    /// Returns the wish for a host by its name; ANY_HOST is any host.
    pub fn of(host: &str) -> Self {
        if host == ANY_HOST { Wish::AnyHost } else { Wish::Host(host.into()) }
    }

    /// Returns the wish for a host, if one is known.
    pub fn known(host: Option<&str>) -> Self {
        host.map_or(Wish::Unknown, Wish::of)
    }

    /// Returns Samza's name of the host.
    pub fn name(&self) -> &str {
        match self {
            Wish::AnyHost => ANY_HOST,
            Wish::Host(host) => host,
            Wish::Unknown => "null",
        }
    }
}

/// The reason why a request is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskReason {
    /// The ApplicationMaster starts.
    Start,
    /// YARN took the container away, with this exit status; any other host will do.
    TakenAway(i32),
    /// The container failed, and is retried.
    Retry,
    /// The previous request expired, and no spare container was there.
    Expired(RequestId),
    /// The container for the previous request was granted too long ago.
    TooOld(RequestId),
    /// A NodeManager could not start the container.
    LaunchFailed(ContainerId),
    /// An active container moves to a host with its state.
    Failover,
    /// A standby container is stopped for an active one, and moves elsewhere.
    GaveWay,
    /// The granted host of the previous request is forbidden.
    Forbidden(RequestId),
    /// A placement message asks for it.
    Placement(u64),
    /// A placement message failed: the container returns to its former host.
    BackToSource(u64),
}

/// The buffer that a granted container is put into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// The host's buffer.
    Host {
        /// Requests for the host.
        asked: i64,
        /// Containers that were in its buffer before.
        held: usize,
    },
    /// ANY_HOST's buffer: no request asks for the host.
    NotAsked,
    /// ANY_HOST's buffer: the host's buffer has as many as are asked for.
    MoreThanAsked {
        /// Requests for the host.
        asked: i64,
        /// Containers in the host's buffer.
        held: usize,
    },
    /// ANY_HOST's buffer: host affinity is off.
    NoAffinity,
}

/// How a container was found for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// On the requested host, from the host's own buffer or from the spare ones.
    Wanted,
    /// For a request for any host.
    Any,
    /// The first spare one, since the request had expired.
    Spare,
}

/// The consequence of a request's expiry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// None: host affinity is off.
    Nothing,
    /// A spare container is taken.
    Spare(ContainerId),
    /// The request is withdrawn, and any host is requested.
    AnyHost,
    /// The request is withdrawn, and its active container fails over.
    Failover,
    /// None: old releases rely on YARN to go elsewhere.
    Trusts,
    /// The placement action of the request has failed.
    ActionFailed(u64),
}

/// The reason why a host is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// The other container is on the host.
    Host,
    /// The other container is on the rack.
    Rack,
}

/// The reason why a container is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseReason {
    /// No request is left.
    Spare,
    /// It was granted too long ago.
    TooOld {
        /// The time since the grant.
        age: Millis,
    },
    /// Its host is forbidden for the container that it was granted for.
    Forbidden,
    /// It could not be started.
    LaunchFailed,
}

/// The reason why a container is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It belongs to an earlier attempt, and the job has changed.
    JobChanged,
    /// It is a standby container that is stopped for this active one.
    GivesWay(String),
    /// A placement message moves it.
    Moves(u64),
    /// A placement message restarts it.
    Restart(u64),
}

/// A failure and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The number of failures in a row, this one included; 0 where they are not counted.
    pub count: i32,
    /// Retries allowed; below 0: without limit.
    pub of: i32,
    /// The time since the last retry.
    pub gap: Millis,
    /// The gap after which the count starts again.
    pub window: Millis,
    /// Whether the count started again.
    pub anew: bool,
    /// The consequence.
    pub then: AfterFailure,
}

/// The consequence of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// Another try after a delay.
    Retry {
        /// The delay.
        delay: Millis,
    },
    /// The job has failed.
    JobFails,
    /// The job continues without the container.
    GoesOn,
}

/// How a container that ended is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was not running: not started yet, stopped before, or given back.
    NotRunning,
    /// It completed.
    Done {
        /// The number of completed containers.
        completed: i64,
        /// The number of all containers.
        of: i64,
    },
    /// YARN took it away, which is no failure.
    TakenAway,
    /// It failed.
    Failed(Failed),
}

/// The target of a failover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailoverTo {
    /// The host of a running standby container, which is stopped first.
    Running {
        /// The standby container.
        standby: String,
        /// Its host.
        host: String,
    },
    /// The last host of a standby container that does not run.
    LastHost(String),
    /// Any host, since no host of a standby container is left.
    AnyHost,
}

/// The reason why a placement message stays unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// This container has an action in progress.
    ActionOf(String),
    /// The container does not run, or is starting.
    NotRunning,
}

/// The data that one store of a task reads when its container starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRead {
    pub store: Arc<str>,
    pub task: Arc<str>,
    pub reads: Reads,
}

/// The reason why there is no job model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoModel {
    /// The job cannot start with the value of this property.
    Refused(String),
    /// The grouper is `AllToSingleTask`, and there are no partitions.
    NoPartitions,
    NoTasks,
    NoContainers,
    /// There are more containers than tasks.
    TooFewTasks {
        tasks: usize,
        containers: i32,
    },
    /// The number of partitions is not a multiple of the previous one.
    NotMultiple {
        stream: String,
        before: usize,
        now: usize,
    },
    /// The task that has to keep a partition no longer exists.
    TaskGone {
        task: String,
        partition: String,
    },
    /// The stored assignment names a task that no longer exists.
    UnknownTask {
        task: String,
    },
}

/// An exception of Samza.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SamzaException {
    /// The job model does not have the container.
    Unknown(String),
    /// The container to stop does not run.
    NothingToStop(String),
    /// An active container could not be stopped, a case that Samza does not handle.
    StopFailed(String),
    /// Several replicas of one container ran on this host; all were told to stop.
    Replicas(String),
    /// A request to be launched has no container.
    NoContainer(RequestId),
}

/// The status of a placement message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Accepted.
    Accepted,
    /// Refused.
    BadRequest,
    /// In progress.
    InProgress,
    /// Done.
    Succeeded,
    /// Failed.
    Failed,
}

impl Status {
    const ALL: [Status; 5] =
        [Status::Accepted, Status::BadRequest, Status::InProgress, Status::Succeeded, Status::Failed];

    /// Returns Samza's name.
    pub fn name(self) -> &'static str {
        match self {
            Status::Accepted => "ACCEPTED",
            Status::BadRequest => "BAD_REQUEST",
            Status::InProgress => "IN_PROGRESS",
            Status::Succeeded => "SUCCEEDED",
            Status::Failed => "FAILED",
        }
    }

    /// Returns the status of Samza's name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// The reason why a copy cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The store keeps no copy across starts.
    NotKept,
    /// The configuration requires it to be deleted.
    Clean,
    /// Its offset cannot be read.
    NoOffset,
    /// Deleted entries may no longer be in the changelog.
    Stale {
        /// The copy's age.
        age: Millis,
        /// The age from which on it is stale.
        retention: Millis,
    },
}

/// The data that one start reads for a store, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// The whole changelog: there is no copy.
    NoCopy(u64),
    /// The whole changelog: the copy cannot be used.
    Unfit(u64, Unfit),
    /// The whole changelog: the job has no checkpoints, so all its directories are deleted.
    NoCheckpoints(u64),
    /// The entries written since the copy's last commit.
    Delta(u64),
}

impl Reads {
    /// Returns the number of bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Reads::NoCopy(b) | Reads::Unfit(b, _) | Reads::NoCheckpoints(b) | Reads::Delta(b) => b,
        }
    }
}
