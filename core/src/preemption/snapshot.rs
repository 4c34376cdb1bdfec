//! The input of a round (A3).

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
    /// Partitions in the order in which a round processes them.
    pub partition_order: Vec<PartitionId>,
    /// Queues: root first, parents before their children.
    pub queues: Vec<QueueShot>,
    /// The places of the leaves, in the order in which a round processes them.
    pub leaves: Vec<usize>,
    /// The demands of the active applications of leaves, if they are recorded.
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
    /// The queue.
    pub id: QueueId,
    /// The place of its parent.
    pub parent: Option<usize>,
    /// The places of its children, in list order.
    pub children: Vec<usize>,
    /// Whether it holds applications.
    pub leaf: bool,
    /// Its priority; 0 if its parent does not order by priorities.
    pub priority: i32,
    /// Whether `disable_preemption` is in effect: other queues take nothing from it.
    pub disabled: bool,
    /// Whether its applications take nothing from each other.
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
    /// Usage by guarantee, as the queue publishes it.
    pub used_capacity: f32,
    /// Guarantee.
    pub guaranteed: Resource,
    /// Maximum.
    pub maximum: Resource,
    /// Usage, including reservations.
    pub used: Resource,
    /// The reserved part of `used`.
    pub reserved: Resource,
    /// The amount wanted by active applications, within the limits of their users.
    pub pending: Resource,
    /// `pending`, less what each application has reserved.
    pub pending_not_reserved: Resource,
    /// The usage of killable containers.
    pub killable: Resource,
}

/// A container or a reservation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// Its id.
    pub id: ContainerId,
    /// The node.
    pub node: NodeId,
    /// The node's present partition.
    pub partition: PartitionId,
    /// The requested partition.
    pub asked: PartitionId,
    /// The place of its leaf; `None` if it is recorded under a short name that several queues have.
    pub queue: Option<usize>,
    /// Its size.
    pub size: Resource,
    /// The key of its request.
    pub key: RequestKey,
    /// Whether it is the ApplicationMaster's.
    pub am: bool,
    /// Whether it is only reserved.
    pub reserved: bool,
    /// Whether it is killable already.
    pub killable: bool,
    /// Whether the list in which it is found still has it as a reservation, so that its kill has no effect.
    pub outdated: bool,
    /// Whether it is a reservation that may still be moved.
    pub movable: bool,
    /// The time of its creation.
    pub made_at: Millis,
    /// The order of creation: earlier is less.
    pub age_order: Millis,
}

/// Compares by dispensability: the least important request first, then the latest container (A6.1).
pub fn taking_order(a: &(RequestKey, ContainerId), b: &(RequestKey, ContainerId)) -> Ordering {
    let rank = |(key, id): &(RequestKey, ContainerId)| Reverse((key.priority, key.allocation_request_id, *id));
    rank(a).cmp(&rank(b))
}

/// A node as the selectors for reservations see it.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeShot {
    /// The node.
    pub id: NodeId,
    /// Its partition.
    pub partition: PartitionId,
    /// Its size less its usage.
    pub free: Resource,
    /// The reservation on it.
    pub reservation: Option<Piece>,
}

/// The applications of a leaf in one partition, and the limits of its users (A8.1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demand {
    /// Active and pending applications.
    pub apps: Vec<AppDemand>,
    /// Their users, by number.
    pub users: Vec<UserShare>,
    /// The AM requests of all active applications there.
    pub am_of_active: Resource,
    /// Whether the leaf's ordering policy is fair.
    pub fair: bool,
}

/// An application of a leaf in one partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppDemand {
    /// The application.
    pub app: AppId,
    /// Its present attempt.
    pub attempt: u32,
    /// Its user.
    pub user: UserId,
    /// Its priority; higher is more important.
    pub priority: i32,
    /// The usage of its containers.
    pub used: Resource,
    /// The part of it that its ApplicationMaster uses; 0 until that runs.
    pub am: Resource,
    /// The amount wanted.
    pub pending: Resource,
    /// Its place in the fair order of the leaf.
    pub fair_rank: usize,
}

/// A user of a leaf in one partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserShare {
    /// The user.
    pub user: UserId,
    /// Usage, including ApplicationMasters and reservations.
    pub used: Resource,
    /// The usage that is charged as ApplicationMasters.
    pub am: Resource,
    /// The limit over all users of the leaf, including ApplicationMasters.
    pub limit: Resource,
}

/// Gives the containers that a round asks for. A leaf may recompute what it computes on demand only (the order of its
/// applications, limits of users), as the real one does; a round changes nothing else.
pub trait Stock {
    /// Updates the order of a leaf.
    fn put_in_order(&mut self, _leaf: QueueId) {}
    /// The applications of a leaf in the order of its ordering policy, which this updates.
    fn apps_in_order(&mut self, leaf: QueueId) -> Vec<AppId>;
    /// The running and future containers of an application, most dispensable first ([`taking_order`]). Usually a round
    /// reads few of many.
    fn containers(&mut self, app: AppId) -> Box<dyn Iterator<Item = Piece> + '_>;
    /// Reservations of an application, in the order in which they are dropped.
    fn reservations(&mut self, app: AppId) -> Vec<Piece>;
    /// Containers and reservations of a leaf in this partition that did not ask for it, in any order.
    fn on_lent_room(&mut self, leaf: QueueId, partition: PartitionId) -> Vec<Piece>;
    /// The nodes, in the order in which a round processes them.
    fn nodes(&mut self) -> Vec<NodeShot>;
    /// The containers that still count as usage of the node, in any order.
    fn on_node(&mut self, node: NodeId) -> Vec<Piece>;
    /// Moves a reservation to another node at once: later steps of the round find it there.
    fn move_reservation(&mut self, reservation: ContainerId, to: NodeId);
    /// Whether other queues have the same short name as this leaf.
    fn shares_its_name(&mut self, _leaf: QueueId) -> bool {
        false
    }
    /// The usage and demand of a leaf's applications in a partition.
    fn demand(&mut self, leaf: QueueId, partition: PartitionId) -> Demand;
}

impl Snapshot {
    /// The figures of a queue in a partition.
    pub fn figures(&self, queue: usize, p: PartitionId) -> &Figures {
        &self.queues[queue].parts[p.index()]
    }
}
