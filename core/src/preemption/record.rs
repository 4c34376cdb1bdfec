//! The record of a round: each step with the figures that decided it.

use crate::check::Check;
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::{AppId, Calculator, ContainerId, Millis, NodeId, PartitionId, QueueId, Resource, Selector, UserId};
use std::ops::Deref;
use std::sync::Arc;

/// A round. Its selection is in its [`RoundSelection`], to which it dereferences.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Round {
    /// The time.
    pub at: Millis,
    /// Its number among the monitor's rounds, from 1, skipped ones included.
    pub number: u64,
    /// The time of the previous round, skipped or not.
    pub before: Option<Millis>,
    /// What it selects, and why. Rounds with the same input share it.
    pub choice: Arc<RoundSelection>,
    /// What happens to each selected container.
    pub acts: Vec<PreemptionAction>,
    /// Marks that are dropped: not selected again for too long.
    pub forgotten: Vec<ContainerId>,
}

/// A round's selection: a function of its input.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct RoundSelection {
    /// The settings of the round.
    pub conf: PreemptionConf,
    /// Total of all nodes.
    pub cluster: Resource,
    /// The maximum of what the whole round may select, over all partitions.
    pub budget: Resource,
    /// The rest of the budget.
    pub budget_left: Resource,
    /// The demands of the active applications of leaves.
    pub wants: Vec<AppWants>,
    /// Ideal assignments, in the order of the selectors that had them computed.
    pub passes: Vec<IdealPass>,
    /// The results of the search within queues that wanted more.
    pub intra: Vec<IntraPass>,
    /// The selected containers, in the order of selection.
    pub chosen: Vec<Chosen>,
    /// Containers that were considered and spared, if that is recorded.
    pub spared: Vec<Spared>,
    /// Leaves whose containers were considered, in order.
    pub walks: Vec<ConsideredLeaf>,
    /// Reservations for which nothing was selected.
    pub unserved: Vec<Unserved>,
    /// Reservations that the round drops, in order.
    pub drops: Vec<ContainerId>,
    /// Reservations that it moves, in order.
    pub moves: Vec<Move>,
    /// The error that ended the round: nothing is marked, killed or dropped.
    pub failed: Option<Failure>,
}

impl Deref for Round {
    type Target = RoundSelection;
    fn deref(&self) -> &RoundSelection {
        &self.choice
    }
}

impl Round {
    /// Returns whether it changes anything outside of the monitor. A container that only goes on waiting does not.
    pub fn changes_anything(&self) -> bool {
        let acts = self.acts.iter().any(|a| a.deed != PreemptionStep::Wait);
        acts || !self.drops.is_empty() || !self.moves.is_empty()
    }

    /// Returns whether another round equals this one except for its time.
    pub fn finds_the_same(&self, other: &Round) -> bool {
        let Round { at: _, number: _, before: _, choice, acts, forgotten } = self;
        (acts, forgotten) == (&other.acts, &other.forgotten)
            && (Arc::ptr_eq(choice, &other.choice) || *choice == other.choice)
    }
}

/// What an active application of a leaf wants in a partition, and how much of it counts: as much as its user may still
/// get after the applications before it (A3). Each pair: with its reservations, and without them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppWants {
    /// The application.
    pub app: AppId,
    /// Its user.
    pub user: UserId,
    /// Its leaf.
    pub queue: QueueId,
    /// The partition.
    pub partition: PartitionId,
    /// The amount wanted.
    pub wanted: [Resource; 2],
    /// The amount that its user may still get.
    pub left: [Resource; 2],
    /// The amount that counts.
    pub counted: [Resource; 2],
}

/// The ideal assignment for one selector (A4, A5).
#[derive(Clone, Debug, PartialEq)]
pub struct IdealPass {
    /// The selector.
    pub selector: Selector,
    /// Whether reserved amounts count as wanted.
    pub counts_reserved: bool,
    /// Whether leaves may get more than their guarantee from each other.
    pub balances: bool,
    /// A line for each queue and partition.
    pub lines: Vec<QueueIdeal>,
    /// The offers, in order.
    pub offers: Vec<Offer>,
    /// The scaling of siblings' debts to the budget.
    pub scalings: Vec<Scaling>,
}

/// A queue in a partition (A4.1, A4.2 step 5, A5). Guarantee, usage and demand are those of the snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QueueIdeal {
    /// The queue.
    pub queue: QueueId,
    /// The parent queue.
    pub parent: Option<QueueId>,
    /// The partition.
    pub partition: PartitionId,
    /// Whether it is a leaf.
    pub leaf: bool,
    /// Whether preemption from it is disabled.
    pub disabled: bool,
    /// Guarantee.
    pub guaranteed: Resource,
    /// Maximum.
    pub maximum: Resource,
    /// Usage, including reservations.
    pub used: Resource,
    /// The reserved part of `used`.
    pub reserved: Resource,
    /// The amount wanted, as this pass counts it.
    pub pending: Resource,
    /// The amount wanted, including reserved amounts; it counts for `keep`.
    pub pending_in_all: Resource,
    /// The usage of killable containers.
    pub killable: Resource,
    /// Usage beyond its guarantee that nobody may take.
    pub untouchable: Resource,
    /// Usage beyond its guarantee that others may take.
    pub preemptable: Resource,
    /// Its ideal assignment before any offer.
    pub start: Resource,
    /// Its ideal assignment.
    pub ideal: Resource,
    /// The amount that it keeps: its ideal, or its usage and demand within its guarantee if that is more.
    pub keep: Resource,
    /// The usage beyond that, as far as the budget allows.
    pub owed: Resource,
    /// The end of the dead zone: nothing is taken up to this usage.
    pub dead_zone: Resource,
    /// Whether its usage exceeds the dead zone.
    pub beyond_dead_zone: bool,
    /// How much of `owed` this round takes, after natural termination.
    pub damped: Resource,
    /// `damped` less what earlier selectors have selected.
    pub wanted: Resource,
}

/// An offer to a queue that wants more (A4.3, A4.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// The queue that gets it.
    pub queue: QueueId,
    /// The partition.
    pub partition: PartitionId,
    /// The turn of offers among these siblings, from 0; the offers of one turn are parts of the same amount.
    pub turn: u32,
    /// The unassigned amount at the beginning of the turn.
    pub unassigned: Resource,
    /// Its share of the memory, among those that still wanted more.
    pub weight: f32,
    /// Its ideal assignment before the offer.
    pub before: Resource,
    /// The offered amount.
    pub offered: Resource,
    /// The accepted amount.
    pub accepted: Resource,
}

/// Siblings that together owe more than the round may still select (A4.2 step 4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// Their parent.
    pub parent: QueueId,
    /// The partition.
    pub partition: PartitionId,
    /// Their usage beyond their ideals.
    pub need: Resource,
    /// The amount that the round may still select.
    pub budget: Resource,
    /// The fraction of its excess that each owes.
    pub scale: f32,
}

impl QueueIdeal {
    /// Returns whether it uses more than its maximum, which is also its ideal assignment. It owes the excess even if no
    /// queue has a claim to it.
    pub fn is_beyond_maximum(&self, calc: Calculator) -> bool {
        (0..calc.types).any(|i| self.used[i] > self.maximum[i] && self.ideal[i] == self.maximum[i])
    }
}

/// A container, or a reservation, that was selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// The container.
    pub container: ContainerId,
    /// The node.
    pub node: NodeId,
    /// The node's partition.
    pub partition: PartitionId,
    /// Its leaf; `None` if its record does not identify one.
    pub queue: Option<QueueId>,
    /// Its size.
    pub size: Resource,
    /// Whether it is an ApplicationMaster's.
    pub am: bool,
    /// Whether it is only reserved.
    pub reserved: bool,
    /// Whether it was found as the reservation that it once was, so that its kill has no effect.
    pub outdated: bool,
    /// The selector.
    pub selector: Selector,
    /// The reason.
    pub because: Because,
    /// The amount that the round may still select after it.
    pub budget_left: Resource,
}

/// Why a container was selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Because {
    /// It runs in a partition that it did not ask for; `wanted`, `left`: what is wanted from its queue there, before
    /// and after it.
    Lent { wanted: Resource, left: Resource },
    /// It is the next one of its application.
    Next { wanted: Resource, left: Resource },
    /// It is a reservation of its application.
    Reservation { wanted: Resource, left: Resource },
    /// The ApplicationMasters that are selected last use more than the queue's maximum for them.
    Am { wanted: Resource, left: Resource, am_used: Resource, am_maximum: Resource },
    /// Without it a reservation fits on its node; `cost`: what is selected for the reservation, by its size.
    MakesRoom { reservation: ContainerId, cost: f32 },
    /// Without it a reservation of a queue with a higher priority fits on its node.
    Priority { reservation: ContainerId },
    /// Its application owes resources to others in its queue.
    WithinQueue { wanted: Resource, left: Resource },
}

/// A container that was considered and spared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spared {
    /// The container.
    pub container: ContainerId,
    /// The selector.
    pub selector: Selector,
    /// The reason.
    pub why: SparedBy,
}

/// Why a container was spared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SparedBy {
    /// It is killable already.
    Killable,
    /// It is an ApplicationMaster's: those within the maximum, and all in preemption within a queue, are spared.
    Am,
    /// Nothing is wanted from its queue in the partition of its node.
    OtherPartition,
    /// It is larger than what the round may still select.
    Budget { left: Resource },
    /// Nothing more is wanted of one type, which stops everything (conservative-drf).
    TypeUsedUp { wanted: Resource },
    /// Selecting it would not reduce what is wanted.
    NoUse { wanted: Resource },
    /// Its user would fall to its limit.
    UserLimit { used: Resource, limit: Resource },
}

impl SparedBy {
    /// The check that failed, with these figures.
    pub fn check(&self) -> Check {
        match self {
            SparedBy::Killable => Check::NotYetKillable,
            SparedBy::Am => Check::MasterSpared,
            SparedBy::OtherPartition => Check::SelectorPartition,
            SparedBy::Budget { .. } => Check::RoundBudget,
            SparedBy::TypeUsedUp { .. } => Check::WantedTypes,
            SparedBy::NoUse { .. } => Check::LowersWanted,
            SparedBy::UserLimit { .. } => Check::IntraUserLimit,
        }
    }
}

/// A leaf whose containers were considered, the most dispensable first.
#[derive(Clone, Debug, PartialEq)]
pub struct ConsideredLeaf {
    /// The leaf.
    pub queue: QueueId,
    /// The selector.
    pub selector: Selector,
    /// What was still wanted from it at the end, by partition. Empty: enough was selected, and the remaining containers
    /// were not considered.
    pub left: Vec<(PartitionId, Resource)>,
}

/// A reservation for which nothing was selected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unserved {
    /// The reservation.
    pub reservation: ContainerId,
    /// The selector.
    pub selector: Selector,
    /// The reason.
    pub why: UnservedBy,
}

/// Why nothing was selected for a reservation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnservedBy {
    /// It is younger than the configured delay.
    Young { age: Millis, delay: Millis },
    /// Its queue uses its whole guarantee without it.
    AtGuarantee { used: Resource, guaranteed: Resource },
    /// It fits on its node already.
    Fits,
    /// The preemptable containers on its node do not free enough for it.
    NotEnough,
}

impl UnservedBy {
    /// The check that failed, with these figures.
    pub fn check(&self) -> Check {
        match self {
            UnservedBy::Young { .. } => Check::ReservationAge,
            UnservedBy::AtGuarantee { .. } => Check::ReservationGuarantee,
            UnservedBy::Fits => Check::ReservationNeedsRoom,
            UnservedBy::NotEnough => Check::ReservationServable,
        }
    }
}

/// The search for preemption within a leaf in a partition (A8.1).
#[derive(Clone, Debug, PartialEq)]
pub struct IntraPass {
    /// The leaf.
    pub queue: QueueId,
    /// The partition.
    pub partition: PartitionId,
    /// Why nothing is preempted within it.
    pub stop: Option<IntraStop>,
    /// The amount to be reassigned.
    pub reassign: Resource,
    /// The amount that may be taken in this round.
    pub limit: Resource,
    /// Applications, most important first.
    pub apps: Vec<LeafApp>,
    /// Users.
    pub users: Vec<IntraUser>,
}

/// Why nothing is preempted within a queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntraStop {
    /// It uses too small a fraction of its guarantee.
    BelowThreshold { used_capacity: f32, threshold: f32 },
    /// It has one application.
    OnlyOne,
    /// Its settings disable it.
    Disabled,
}

impl IntraStop {
    /// The check that failed, with these figures.
    pub fn check(&self) -> Check {
        match self {
            IntraStop::BelowThreshold { .. } => Check::IntraThreshold,
            IntraStop::OnlyOne => Check::IntraSeveral,
            IntraStop::Disabled => Check::IntraEnabled,
        }
    }
}

/// An application within its queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafApp {
    /// The application.
    pub app: AppId,
    /// Its user.
    pub user: UserId,
    /// Its priority.
    pub priority: i32,
    /// Its usage.
    pub used: Resource,
    /// The part of it that its ApplicationMaster uses.
    pub am: Resource,
    /// The amount wanted.
    pub pending: Resource,
    /// The amount selected from it before.
    pub selected: Resource,
    /// The amount that was unassigned at its turn; nothing if it had no turn.
    pub unassigned: Resource,
    /// The amount that its user could still get then.
    pub user_left: Resource,
    /// Its ideal assignment, without its ApplicationMaster.
    pub ideal: Resource,
    /// The amount that others are to give it, as far as no giver is found.
    pub from_others: Resource,
    /// The amount that may be taken from it.
    pub owed: Resource,
    /// The amount that the round wants from it.
    pub wanted: Resource,
}

/// A user within a queue. All fields except `am` exclude ApplicationMasters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntraUser {
    /// The user.
    pub user: UserId,
    /// Its usage.
    pub used: Resource,
    /// The usage of its ApplicationMasters.
    pub am: Resource,
    /// The limit.
    pub limit: Resource,
    /// The ideal assignment of all its applications.
    pub ideal: Resource,
    /// The amount selected from it before.
    pub selected: Resource,
    /// Whether it was reduced to its limit.
    pub capped: bool,
}

/// A reservation that moves to another node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// The reservation.
    pub reservation: ContainerId,
    /// The node that it leaves.
    pub from: NodeId,
    /// The node that it moves to.
    pub to: NodeId,
}

/// What happens to a selected container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PreemptionAction {
    /// The container.
    pub container: ContainerId,
    /// The selector that selected it.
    pub selector: Selector,
    /// The action.
    pub deed: PreemptionStep,
    /// The time of its mark.
    pub since: Millis,
    /// The time from which it is killed, if a round selects it.
    pub deadline: Millis,
    /// The first round after that, as rounds are scheduled now, which kills it. `None`: its mark is dropped before, or
    /// its kill has no effect.
    pub killed_at: Option<Millis>,
}

/// The action on a selected container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PreemptionStep {
    /// Asks its ApplicationMaster to give it back.
    Mark,
    /// Nothing yet: its ApplicationMaster was asked before.
    Wait,
    /// Kills it (or, with lazy preemption, makes it killable).
    Kill,
    /// A kill without effect: it is aimed at the reservation that the container once was.
    Void,
}

/// Why a round ended with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Settings that cannot be read.
    Settings(String),
    /// A partition was finished while others were still to be processed (A12).
    PartitionDone(QueueId),
    /// The record of a container does not identify its queue (A3).
    UnknownQueue(ContainerId),
}
