//! The record of the search for one starved application: each step with the figures that decided it.

use crate::check::Check;
use crate::model::{AppId, ContainerId, Millis, NodeId, QueueId, Resource};

/// The preemption thread's work for one starved application.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// The time.
    pub at: Millis,
    /// The application.
    pub app: AppId,
    /// Its leaf.
    pub queue: QueueId,
    /// The missing resources.
    pub lack: Lack,
    /// Its requests, in the order in which they were examined.
    pub wants: Vec<StarvedRequest>,
    /// One for each container that a counted request is to get, in order.
    pub picks: Vec<Pick>,
    /// The time when the selected containers are killed.
    pub kill_at: Millis,
    /// The time before which the application is not found starved again.
    pub next_check: Millis,
}

impl Search {
    /// All selected containers, in the order of selection.
    pub fn chosen(&self) -> impl Iterator<Item = ContainerId> + '_ {
        self.picks.iter().filter_map(|p| p.choice.as_ref()).flat_map(|c| c.containers.iter().copied())
    }
}

/// The missing resources of a starved application, and since when it lacks them.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Lack {
    /// The missing part of the fraction of its fair share that its queue's threshold sets.
    pub fair: Resource,
    /// The last time when it was not below that.
    pub fair_since: Millis,
    /// The missing part of the queue's minimum share that it is to get.
    pub minimum: Resource,
    /// The last time when the queue was not below its minimum share.
    pub minimum_since: Millis,
}

impl Lack {
    /// The sum of both.
    pub fn total(&self) -> Resource {
        self.fair + self.minimum
    }
}

/// The place where a request may be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestPlace {
    /// On any node.
    Anywhere,
    /// In the rack of this name.
    Rack(String),
    /// On this node, which is in the rack of this name.
    Node(NodeId, String),
    /// On a host, or in a rack, that the cluster does not have.
    Unknown(String),
}

/// A request of a starved application.
#[derive(Clone, Debug, PartialEq)]
pub struct StarvedRequest {
    /// Priority of its key.
    pub priority: i32,
    /// The place.
    pub place: RequestPlace,
    /// Size of one container.
    pub size: Resource,
    /// The number of containers that it asks for.
    pub asked: i64,
    /// The number of containers to preempt for; 0 if it is refused.
    pub count: i64,
    /// Whether locality may be relaxed.
    pub relax: bool,
    /// The amount that the application still lacked when the request was examined.
    pub lack: Resource,
    /// Why nothing is preempted for it.
    pub refused: Option<UncountedReason>,
}

/// Why nothing is preempted for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UncountedReason {
    /// The place does not exist.
    NoSuchPlace,
    /// Another request of the same priority and size, at another locality level, counts instead.
    CountedElsewhere,
    /// One of its containers is larger than what is missing.
    MoreThanLacking,
}

impl UncountedReason {
    /// The check that failed.
    pub fn check(self) -> Check {
        match self {
            UncountedReason::NoSuchPlace => Check::StarvedPlace,
            UncountedReason::CountedElsewhere => Check::StarvedOnce,
            UncountedReason::MoreThanLacking => Check::StarvedLack,
        }
    }
}

/// The search for one container.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// The index of its request among the wants.
    pub want: usize,
    /// The nodes that were examined, in order, if that is recorded.
    pub looked: Vec<NodeLook>,
    /// `None`: no node can give enough.
    pub choice: Option<NodeChoice>,
}

/// The node for a container, and the containers to preempt there.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeChoice {
    /// The node.
    pub node: NodeId,
    /// The containers to preempt. Empty: enough is free, and promised to nobody.
    pub containers: Vec<ContainerId>,
    /// The number of ApplicationMasters among them.
    pub masters: usize,
    /// Whether it is another node than the request names, to spare ApplicationMasters.
    pub elsewhere: bool,
}

/// The result of examining a node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLook {
    /// The node.
    pub node: NodeId,
    /// Its free resources that are promised to nobody.
    pub free: Resource,
    /// `free`, plus what would be preempted.
    pub gathered: Resource,
    /// The number of containers that would be preempted.
    pub taken: usize,
    /// The number of ApplicationMasters among them.
    pub masters: usize,
    /// The outcome.
    pub outcome: SearchOutcome,
    /// Containers that were spared, in order.
    pub spared: Vec<Spared>,
}

/// The outcome of examining a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchOutcome {
    /// It can give enough, with fewer ApplicationMasters than any before.
    Best,
    /// It would preempt no fewer ApplicationMasters than another node.
    NoFewerMasters,
    /// It cannot give enough.
    TooLittle,
}

/// A container that was considered and spared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spared {
    /// The container.
    pub container: ContainerId,
    /// The reason.
    pub why: SpareReason,
}

/// Why a container was spared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SpareReason {
    /// It is over, and its node has not reported that yet.
    Over,
    /// Its queue or a parent forbids preemption (allowPreemptionFrom).
    Protected { queue: QueueId },
    /// It is an ApplicationMaster's, and those are not preempted.
    Master,
    /// Its application would fall below its fair share; `used`: without all that is being preempted already.
    BelowShare { used: Resource, share: Resource },
}

impl SpareReason {
    /// The check that failed, with these figures.
    pub fn check(&self) -> Check {
        match self {
            SpareReason::Over => Check::VictimAlive,
            SpareReason::Protected { .. } => Check::LeafGives,
            SpareReason::Master => Check::MasterSpared,
            SpareReason::BelowShare { .. } => Check::GiverShare,
        }
    }
}

/// The standing of a queue or application against its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has its share.
    Served,
    /// It has been below its share since `since`, and is starved from `until` on.
    Waiting { since: Millis, until: Millis },
    /// It has been below its share since `since`, for long enough.
    Starved { since: Millis },
}
