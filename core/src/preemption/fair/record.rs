//! What the search for one starved application tells of itself: each step with the figures that it was decided by.

use crate::check::Check;
use crate::model::{AppId, ContainerId, Millis, NodeId, QueueId, Resource};

/// The preemption thread's work for one starved application.
#[derive(Clone, Debug, PartialEq)]
pub struct Search {
    /// When.
    pub at: Millis,
    /// For whom.
    pub app: AppId,
    /// Its leaf.
    pub queue: QueueId,
    /// What it lacks.
    pub lack: Lack,
    /// Its requests, in the order in which they were looked at.
    pub wants: Vec<Want>,
    /// One for each container that a counted request is to get, in order.
    pub picks: Vec<Pick>,
    /// When those that were chosen are killed.
    pub kill_at: Millis,
    /// The application is not found starved again before.
    pub next_check: Millis,
}

impl Search {
    /// All that were chosen, in the order of choice.
    pub fn chosen(&self) -> impl Iterator<Item = ContainerId> + '_ {
        self.picks.iter().filter_map(|p| p.choice.as_ref()).flat_map(|c| c.containers.iter().copied())
    }
}

/// What a starved application lacks, and since when.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Lack {
    /// Of the part of its fair share that its queue's threshold names.
    pub fair: Resource,
    /// When it last was not below that.
    pub fair_since: Millis,
    /// Of its queue's minimum share, as far as it is to serve it.
    pub minimum: Resource,
    /// When the queue last was not below its minimum share.
    pub minimum_since: Millis,
}

impl Lack {
    /// Both.
    pub fn total(&self) -> Resource {
        self.fair + self.minimum
    }
}

/// Where a request may be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Where {
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
pub struct Want {
    /// Priority of its key.
    pub priority: i32,
    /// Where.
    pub place: Where,
    /// Size of one container.
    pub size: Resource,
    /// How many it asks for.
    pub asked: i64,
    /// For how many room is made; 0 where there is a reason.
    pub count: i64,
    /// May another place do?
    pub relax: bool,
    /// What was lacking when it was looked at.
    pub lack: Resource,
    /// Why no room is made for it.
    pub refused: Option<Refused>,
}

/// Why no room is made for a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refused {
    /// There is no such place.
    NoSuchPlace,
    /// Another request of the same priority and size, nearer or further, counts in its stead.
    CountedElsewhere,
    /// One of its containers is more than what is lacking.
    MoreThanLacking,
}

impl Refused {
    /// The check that failed.
    pub fn check(self) -> Check {
        match self {
            Refused::NoSuchPlace => Check::StarvedPlace,
            Refused::CountedElsewhere => Check::StarvedOnce,
            Refused::MoreThanLacking => Check::StarvedLack,
        }
    }
}

/// The search for one container.
#[derive(Clone, Debug, PartialEq)]
pub struct Pick {
    /// Place of its request among the wants.
    pub want: usize,
    /// Nodes that were looked at, in order, where that is recorded.
    pub looked: Vec<NodeLook>,
    /// `None`: no node can give room.
    pub choice: Option<Choice>,
}

/// Where room is made, and by whom.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Where.
    pub node: NodeId,
    /// Whose room is taken. None: there is room already, or it is promised to nobody.
    pub containers: Vec<ContainerId>,
    /// How many of them are ApplicationMasters.
    pub masters: usize,
    /// Is it another place than the request names, to spare ApplicationMasters?
    pub elsewhere: bool,
}

/// What a node could give.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLook {
    /// Which.
    pub node: NodeId,
    /// Its room that is promised to nobody.
    pub free: Resource,
    /// That, and what would be taken.
    pub gathered: Resource,
    /// How many containers would be taken.
    pub taken: usize,
    /// How many of them are ApplicationMasters.
    pub masters: usize,
    /// What came of it.
    pub outcome: Outcome,
    /// Containers that were left alone, in order.
    pub spared: Vec<Spared>,
}

/// What came of looking at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It can give room, with fewer ApplicationMasters than any before.
    Best,
    /// It would take no fewer ApplicationMasters than another node.
    NoFewerMasters,
    /// It cannot give enough.
    TooLittle,
}

/// A container that was looked at and left alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spared {
    /// Which.
    pub container: ContainerId,
    /// Why.
    pub why: Why,
}

/// Why a container was left alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Why {
    /// It is over; its node has still to say so.
    Over,
    /// Nothing is taken from this queue, its own or one above it (allowPreemptionFrom).
    Protected { queue: QueueId },
    /// An ApplicationMaster's, and those are not taken.
    Master,
    /// Its application would come below its fair share; `used`: without all that is taken from it already.
    BelowShare { used: Resource, share: Resource },
}

impl Why {
    /// The check that failed; these are its figures.
    pub fn check(&self) -> Check {
        match self {
            Why::Over => Check::VictimAlive,
            Why::Protected { .. } => Check::LeafGives,
            Why::Master => Check::MasterSpared,
            Why::BelowShare { .. } => Check::GiverShare,
        }
    }
}

/// How one stands that wants its share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It has what it is owed.
    Served,
    /// It lacks something since then, and is starved from `until` on.
    Waiting { since: Millis, until: Millis },
    /// It lacks something since then, and has waited long enough.
    Starved { since: Millis },
}
