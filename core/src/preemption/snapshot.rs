//! What a round sees (A3).

use super::record::AppWants;
use crate::model::{
    AppId, Calculator, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource, UserId,
};
use std::cmp::{Ordering, Reverse};

/// The figures of the queues, taken once a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// Calculator of the scheduler.
    pub calculator: Calculator,
    /// Minimum allocation.
    pub minimum: Resource,
    /// Total of all nodes.
    pub cluster: Resource,
    /// Partitions by number.
    pub partitions: Vec<PartitionShot>,
    /// Partitions in the order in which a round goes through them.
    pub partition_order: Vec<PartitionId>,
    /// Queues: root first, parents before their children.
    pub queues: Vec<QueueShot>,
    /// Places of the leaves, in the order in which a round goes through them.
    pub leaves: Vec<usize>,
    /// What the active applications of leaves want, where that is told.
    pub wants: Vec<AppWants>,
}

/// A partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionShot {
    /// Total of its nodes.
    pub total: Resource,
}

/// A queue.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueShot {
    /// Which.
    pub id: QueueId,
    /// Place of its parent.
    pub parent: Option<usize>,
    /// Places of its children, in list order.
    pub children: Vec<usize>,
    /// Does it hold applications?
    pub leaf: bool,
    /// Its priority, 0 where its parent does not order by priorities.
    pub priority: i32,
    /// `disable_preemption` in force: other queues take nothing from it.
    pub disabled: bool,
    /// Its applications take nothing from each other.
    pub intra_disabled: bool,
    /// ApplicationMasters that together use no more than this are spared.
    pub am_maximum: Resource,
    /// Figures by partition.
    pub parts: Vec<Figures>,
}

/// A queue's figures in a partition.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Absolute capacity as a fraction.
    pub absolute_capacity: f32,
    /// Used by guarantee, as the queue publishes it.
    pub used_capacity: f32,
    /// Guarantee.
    pub guaranteed: Resource,
    /// Maximum.
    pub maximum: Resource,
    /// Used, reservations counted.
    pub used: Resource,
    /// Of `used`, what is only reserved.
    pub reserved: Resource,
    /// Wanted by active applications, within the limits of their users.
    pub pending: Resource,
    /// The same, less what each application has reserved.
    pub pending_not_reserved: Resource,
    /// Taken by containers that are killable already.
    pub killable: Resource,
}

/// A container or a reservation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Which.
    pub id: ContainerId,
    /// Where.
    pub node: NodeId,
    /// The node's partition at present.
    pub partition: PartitionId,
    /// The partition that was asked for.
    pub asked: PartitionId,
    /// Place of its leaf; `None` where it is recorded under a short name that several queues have.
    pub queue: Option<usize>,
    /// Its size.
    pub size: Resource,
    /// The key it was asked under.
    pub key: RequestKey,
    /// The ApplicationMaster's own?
    pub am: bool,
    /// Only reserved?
    pub reserved: bool,
    /// Killable already?
    pub killable: bool,
    /// Does the list that it is found in have it as the reservation that it was? Its kill comes to nothing then.
    pub outdated: bool,
    /// May it still be moved, being a reservation?
    pub movable: bool,
    /// When it was made.
    pub made_at: Millis,
    /// Order of making: earlier is less.
    pub age_order: Millis,
}

/// Most dispensable first: the least important request, then the latest container (A6.1).
pub fn taking_order(a: &(RequestKey, ContainerId), b: &(RequestKey, ContainerId)) -> Ordering {
    let rank = |(key, id): &(RequestKey, ContainerId)| Reverse((key.priority, key.allocation_request_id, *id));
    rank(a).cmp(&rank(b))
}

/// A node as the selectors for reservations see it.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeShot {
    /// Which.
    pub id: NodeId,
    /// Its partition.
    pub partition: PartitionId,
    /// Its size less what takes room on it.
    pub free: Resource,
    /// The reservation on it.
    pub reservation: Option<Piece>,
}

/// The applications of a leaf in one partition, and what its users may have (A8.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demand {
    /// Active and pending applications.
    pub apps: Vec<AppDemand>,
    /// Their users, by number.
    pub users: Vec<UserShare>,
    /// What the ApplicationMasters of all active applications ask for there.
    pub am_of_active: Resource,
    /// Does the leaf order its applications fairly?
    pub fair: bool,
}

/// An application of a leaf in one partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppDemand {
    /// Which.
    pub app: AppId,
    /// Its present attempt.
    pub attempt: u32,
    /// Its user.
    pub user: UserId,
    /// Its priority; higher is more important.
    pub priority: i32,
    /// Used by its containers.
    pub used: Resource,
    /// Of that, its ApplicationMaster's; 0 while that is to come.
    pub am: Resource,
    /// Wanted.
    pub pending: Resource,
    /// Place in the fair order of the leaf.
    pub fair_rank: usize,
}

/// A user of a leaf in one partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserShare {
    /// Who.
    pub user: UserId,
    /// Used, ApplicationMasters and reservations counted.
    pub used: Resource,
    /// Charged as ApplicationMasters.
    pub am: Resource,
    /// The limit over all users of the leaf, ApplicationMasters counted.
    pub limit: Resource,
}

/// Gives the containers that a round asks for. What a leaf works out only when it is asked (the order of its
/// applications, limits of users) may be worked out anew by it, as in the real one; a round changes nothing else.
pub trait Stock {
    /// A leaf brings its order up to date.
    fn put_in_order(&mut self, _leaf: QueueId) {}
    /// Applications of a leaf in the order of its ordering policy, which is brought up to date by that.
    fn apps_in_order(&mut self, leaf: QueueId) -> Vec<AppId>;
    /// Containers of an application that run or are to run, most dispensable first ([`taking_order`]). Few of many are
    /// asked for, as a rule.
    fn containers(&mut self, app: AppId) -> Box<dyn Iterator<Item = Piece> + '_>;
    /// Reservations of an application, in the order in which they are dropped.
    fn reservations(&mut self, app: AppId) -> Vec<Piece>;
    /// Containers and reservations of a leaf that came to this partition without asking for it, in any order.
    fn on_lent_room(&mut self, leaf: QueueId, partition: PartitionId) -> Vec<Piece>;
    /// Nodes, in the order in which a round goes through them.
    fn nodes(&mut self) -> Vec<NodeShot>;
    /// Containers whose room on the node has not been given back, in any order.
    fn on_node(&mut self, node: NodeId) -> Vec<Piece>;
    /// A reservation goes to another node, at once: what comes later in the round finds it there.
    fn move_reservation(&mut self, reservation: ContainerId, to: NodeId);
    /// Whether other queues have the same short name as this leaf.
    fn shares_its_name(&mut self, _leaf: QueueId) -> bool {
        false
    }
    /// What the applications of a leaf have and want in a partition.
    fn demand(&mut self, leaf: QueueId, partition: PartitionId) -> Demand;
}

impl Snapshot {
    /// The figures of a queue in a partition.
    pub fn figures(&self, queue: usize, p: PartitionId) -> &Figures {
        &self.queues[queue].parts[p.index()]
    }
}
