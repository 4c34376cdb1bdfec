//! What goes into Samza's ApplicationMaster and what comes out: events, operations, and the reasons of every decision,
//! told by the code that takes it.

use super::placements::Status;
use super::requests::{Request, RequestId, Wish};
use crate::model::{ContainerId, Millis};
use std::collections::BTreeMap;

/// Something that reaches the ApplicationMaster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The allocator's thread passes once.
    Tick,
    /// YARN hands over containers, each with its host.
    Granted(Vec<(ContainerId, String)>),
    /// A NodeManager has started a container.
    Started(ContainerId),
    /// A NodeManager could not start a container on this host.
    LaunchFailed(ContainerId, String),
    /// A NodeManager could not stop a container.
    StopFailed(ContainerId),
    /// YARN reports containers that ended, with their exit statuses.
    Completed(Vec<(ContainerId, i32)>),
    /// The placement messages are read once.
    ReadPlacements,
    /// The running nodes are these now, each with its rack. Samza sees it when it reads the list the next time.
    Nodes(BTreeMap<String, String>),
}

/// What Samza asks of YARN, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// One container.
    Request(Request),
    /// The request is withdrawn, unserved.
    Withdraw(RequestId),
    /// A container is used for a request, which is withdrawn: its start is sent to the NodeManager.
    Launch {
        /// The container.
        container: ContainerId,
        /// What is to run in it.
        processor: String,
        /// The request.
        request: RequestId,
    },
    /// Give a container back.
    Release(ContainerId),
    /// Have the NodeManager stop a container.
    Stop(ContainerId),
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

/// What came of an event.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Report {
    /// For YARN.
    pub operations: Vec<Operation>,
    /// Every decision, in order.
    pub decisions: Vec<Decision>,
    /// An exception that left the event's handling: what came before it is done.
    pub fault: Option<Fault>,
}

impl Report {
    pub(super) fn release(&mut self, container: ContainerId, why: ReleaseReason) {
        self.operations.push(Operation::Release(container));
        self.decisions.push(Decision::Released { container, why });
    }
}
