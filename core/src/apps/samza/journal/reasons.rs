//! The parts of Samza's decisions: reasons, figures, answers.

use crate::model::{ContainerId, Millis};
use std::sync::Arc;

/// Any host, as Samza writes it.
pub const ANY_HOST: &str = "ANY_HOST";

/// A request, numbered in the order in which requests are made, through all attempts.
pub type RequestId = u64;

/// Where a container is wanted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wish {
    /// Anywhere: Samza's ANY_HOST.
    AnyHost,
    /// On a host.
    Host(String),
    /// On a host that nobody knows (a Java null): nothing ever matches it.
    Unknown,
}

impl Wish {
    /// A host by its name, among which ANY_HOST is none.
    pub fn of(host: &str) -> Self {
        if host == ANY_HOST { Wish::AnyHost } else { Wish::Host(host.into()) }
    }

    /// A host, if one is known.
    pub fn known(host: Option<&str>) -> Self {
        host.map_or(Wish::Unknown, Wish::of)
    }

    /// As Samza writes it.
    pub fn name(&self) -> &str {
        match self {
            Wish::AnyHost => ANY_HOST,
            Wish::Host(host) => host,
            Wish::Unknown => "null",
        }
    }
}

/// Why a request is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AskReason {
    /// The ApplicationMaster starts.
    Start,
    /// YARN took the container away, with this exit status: another host is as good.
    TakenAway(i32),
    /// The container failed; a retry.
    Retry,
    /// The request before expired, and nothing spare was there.
    Expired(RequestId),
    /// The container for the request before was granted too long ago.
    TooOld(RequestId),
    /// A NodeManager could not start the container.
    LaunchFailed(ContainerId),
    /// An active container goes where its state is.
    Failover,
    /// A standby container makes room and goes elsewhere.
    GaveWay,
    /// The host that was there for the request before is forbidden.
    Forbidden(RequestId),
    /// A placement message.
    Placement(u64),
    /// A placement message came to nothing: back to where the container was.
    BackToSource(u64),
}

/// Which buffer a container that was handed over goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Buffer {
    /// To its host's: so many are asked for there, so many were there.
    Host {
        /// Requests for the host.
        asked: i64,
        /// Containers in its buffer before.
        held: usize,
    },
    /// To ANY_HOST's: nobody asks for its host.
    NotAsked,
    /// To ANY_HOST's: more than is asked for on its host.
    MoreThanAsked {
        /// Requests for the host.
        asked: i64,
        /// Containers in its buffer.
        held: usize,
    },
    /// To ANY_HOST's: host affinity is off.
    NoAffinity,
}

/// How a container was found for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// On the host that was asked for; whether from the host's own buffer or what is spare.
    Wanted,
    /// Any host was asked for.
    Any,
    /// The request had expired: the first spare one.
    Spare,
}

/// What comes of a request that expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// Nothing: host affinity is off.
    Nothing,
    /// A spare container is taken.
    Spare(ContainerId),
    /// It is withdrawn, and any host asked for.
    AnyHost,
    /// It is withdrawn, and its active container fails over.
    Failover,
    /// Nothing: YARN is trusted to go elsewhere (old releases).
    Trusts,
    /// The placement action that it belongs to has failed.
    ActionFailed(u64),
}

/// Why a host is forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clash {
    /// The other one is on the host.
    Host,
    /// The other one is on the rack.
    Rack,
}

/// Why a container is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseReason {
    /// Nothing is asked for any more.
    Spare,
    /// It was granted too long ago.
    TooOld {
        /// How long ago.
        age: Millis,
    },
    /// Its host is forbidden for what it was to run.
    Forbidden,
    /// It could not be started.
    LaunchFailed,
}

/// Why a container is stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It is of an earlier attempt, and the job has changed.
    JobChanged,
    /// A standby container makes room for this active one.
    GivesWay(String),
    /// A placement message moves it.
    Moves(u64),
    /// A placement message restarts it.
    Restart(u64),
}

/// A failure against its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Failures in a row, this one included; 0 where none are counted.
    pub count: i32,
    /// Retries allowed; below 0: without limit.
    pub of: i32,
    /// Since the last retry.
    pub gap: Millis,
    /// A longer gap makes the count begin anew.
    pub window: Millis,
    /// Did it?
    pub anew: bool,
    /// What follows.
    pub then: AfterFailure,
}

/// What follows a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFailure {
    /// Another try, after so long.
    Retry {
        /// How long.
        delay: Millis,
    },
    /// The job has failed.
    JobFails,
    /// The job goes on without it.
    GoesOn,
}

/// What became of a container that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It is not one that runs: still to be started, stopped before, or given back.
    NotRunning,
    /// It is done: so many of all are.
    Done {
        /// Done.
        completed: i64,
        /// All.
        of: i64,
    },
    /// YARN took it away: no failure.
    TakenAway,
    /// It failed.
    Failed(Failed),
}

/// Where an active container goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailoverTo {
    /// To the host of a standby container that runs there and is stopped first.
    Running {
        /// The standby container.
        standby: String,
        /// Its host.
        host: String,
    },
    /// To the last host of a standby container that does not run.
    LastHost(String),
    /// Anywhere: no host of a standby container is left.
    AnyHost,
}

/// Why a placement message stays unread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// This container has an action under way.
    ActionOf(String),
    /// The container does not run, or is being started.
    NotRunning,
}

/// What one store of a task reads when its container starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreRead {
    pub store: Arc<str>,
    pub task: Arc<str>,
    pub reads: Reads,
}

/// Why there is no job model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoModel {
    /// The job does not start with the value of this property.
    Refused(String),
    /// All partitions to single tasks, and there are no partitions.
    NoPartitions,
    NoTasks,
    NoContainers,
    /// More containers than tasks.
    TooFewTasks {
        tasks: usize,
        containers: i32,
    },
    /// The number of partitions did not become a multiple of what it was.
    NotMultiple {
        stream: String,
        before: usize,
        now: usize,
    },
    /// The task that has to keep a partition is not there any more.
    TaskGone {
        task: String,
        partition: String,
    },
    /// The stored assignment names a task that is not there any more.
    UnknownTask {
        task: String,
    },
}

/// An exception of Samza's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A container that the job model does not have.
    Unknown(String),
    /// A container is to stop that does not run.
    NothingToStop(String),
    /// An active container could not be stopped: nothing is foreseen for that.
    StopFailed(String),
    /// Several replicas of one container ran on this host; all were told to stop.
    Replicas(String),
    /// No container is there for a request that is to be launched.
    NoContainer(RequestId),
}

/// What is said of a placement message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Taken up.
    Accepted,
    /// Refused.
    BadRequest,
    /// Under way.
    InProgress,
    /// Done.
    Succeeded,
    /// It came to nothing.
    Failed,
}

impl Status {
    const ALL: [Status; 5] =
        [Status::Accepted, Status::BadRequest, Status::InProgress, Status::Succeeded, Status::Failed];

    /// Samza's name.
    pub fn name(self) -> &'static str {
        match self {
            Status::Accepted => "ACCEPTED",
            Status::BadRequest => "BAD_REQUEST",
            Status::InProgress => "IN_PROGRESS",
            Status::Succeeded => "SUCCEEDED",
            Status::Failed => "FAILED",
        }
    }

    /// By Samza's name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// Why a copy is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// No copy outlives a start of such a store.
    NotKept,
    /// The configuration says to throw it away.
    Clean,
    /// No offset can be read.
    NoOffset,
    /// Deleted entries may be gone from the changelog.
    Stale {
        /// The copy's age.
        age: Millis,
        /// From which age on it is stale.
        retention: Millis,
    },
}

/// What one start reads for a store, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// All of the changelog: no copy is here.
    NoCopy(u64),
    /// All of it: the copy that is here is of no use.
    Unfit(u64, Unfit),
    /// All of it: the job has no checkpoints, so every directory of it is deleted.
    NoCheckpoints(u64),
    /// What was written since the copy's last commit.
    Delta(u64),
}

impl Reads {
    /// How many bytes.
    pub fn bytes(self) -> u64 {
        match self {
            Reads::NoCopy(b) | Reads::Unfit(b, _) | Reads::NoCheckpoints(b) | Reads::Delta(b) => b,
        }
    }
}
