//! What a round tells of itself: each step with the figures that it was decided by.

use crate::check::Check;
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::{AppId, Calculator, ContainerId, Millis, NodeId, PartitionId, QueueId, Resource, Selector, UserId};
use std::ops::Deref;
use std::sync::Arc;

/// One round. What it chooses stands in its [`Choice`], and is read as its own.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Round {
    /// When.
    pub at: Millis,
    /// Which of the monitor's rounds it is, from 1; those that were not played are counted.
    pub number: u64,
    /// When the round before it was, played or not.
    pub before: Option<Millis>,
    /// What it chooses, and why. Rounds that see the same share it.
    pub choice: Arc<Choice>,
    /// What becomes of each chosen one.
    pub acts: Vec<Act>,
    /// Marks that are forgotten: not chosen again for too long.
    pub forgotten: Vec<ContainerId>,
}

/// What a round chooses: a function of what it sees.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Choice {
    /// The settings that it went by.
    pub conf: PreemptionConf,
    /// Total of all nodes.
    pub cluster: Resource,
    /// What the whole round may choose, over all partitions.
    pub budget: Resource,
    /// What was left of it.
    pub budget_left: Resource,
    /// What the active applications of leaves want.
    pub wants: Vec<AppWants>,
    /// Ideal assignments, in the order of the selectors that had them worked out.
    pub passes: Vec<IdealPass>,
    /// What queues that wanted more were found to owe within themselves.
    pub intra: Vec<IntraPass>,
    /// The chosen ones, in the order of choice.
    pub chosen: Vec<Chosen>,
    /// Containers that were looked at and left alone, where that is recorded.
    pub spared: Vec<Spared>,
    /// Leaves whose containers were gone through, in order.
    pub walks: Vec<Walk>,
    /// Reservations for which nothing was chosen.
    pub unserved: Vec<Unserved>,
    /// Reservations that the round drops, in order.
    pub drops: Vec<ContainerId>,
    /// Reservations that it moves, in order.
    pub moves: Vec<Move>,
    /// The round ended with an error: nothing is marked, killed or forgotten.
    pub failed: Option<Failure>,
}

impl Deref for Round {
    type Target = Choice;
    fn deref(&self) -> &Choice {
        &self.choice
    }
}

impl Round {
    /// Does it change anything outside of the monitor? A container that only goes on waiting does not.
    pub fn changes_anything(&self) -> bool {
        let acts = self.acts.iter().any(|a| a.deed != Deed::Wait);
        acts || !self.drops.is_empty() || !self.moves.is_empty()
    }

    /// Does another round tell the same, but for its time?
    pub fn finds_the_same(&self, other: &Round) -> bool {
        let Round { at: _, number: _, before: _, choice, acts, forgotten } = self;
        (acts, forgotten) == (&other.acts, &other.forgotten)
            && (Arc::ptr_eq(choice, &other.choice) || *choice == other.choice)
    }
}

/// What an active application of a leaf wants in a partition, and what counts of it: as much as its user may still get
/// when those before it have had theirs (A3). Each pair: with what it has reserved, and less that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AppWants {
    /// Which.
    pub app: AppId,
    /// Its user.
    pub user: UserId,
    /// Its leaf.
    pub queue: QueueId,
    /// Where.
    pub partition: PartitionId,
    /// Wanted.
    pub wanted: [Resource; 2],
    /// What its user may still get.
    pub left: [Resource; 2],
    /// What counts.
    pub counted: [Resource; 2],
}

/// The ideal assignment for one selector (A4, A5).
#[derive(Clone, Debug, PartialEq)]
pub struct IdealPass {
    /// For whom.
    pub selector: Selector,
    /// Does what is reserved count as wanted?
    pub counts_reserved: bool,
    /// May leaves get more than their guarantee from each other?
    pub balances: bool,
    /// A line for each queue and partition.
    pub lines: Vec<Line>,
    /// What was offered, in order.
    pub offers: Vec<Offer>,
    /// How far the budget scaled what siblings owe.
    pub scalings: Vec<Scaling>,
}

/// A queue in a partition (A4.1, A4.2 step 5, A5). Guarantee, use and what is wanted are those of the snapshot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Which.
    pub queue: QueueId,
    /// The queue above it.
    pub parent: Option<QueueId>,
    /// Where.
    pub partition: PartitionId,
    /// Is it a leaf?
    pub leaf: bool,
    /// May nothing be taken from it?
    pub disabled: bool,
    /// Guarantee.
    pub guaranteed: Resource,
    /// Maximum.
    pub maximum: Resource,
    /// Used, reservations counted.
    pub used: Resource,
    /// Of `used`, what is only reserved.
    pub reserved: Resource,
    /// Wanted, as this pass counts it.
    pub pending: Resource,
    /// Wanted, with what is reserved: what counts for `keep`.
    pub pending_in_all: Resource,
    /// Taken by killable containers.
    pub killable: Resource,
    /// Beyond its guarantee, and nobody may take it.
    pub untouchable: Resource,
    /// Beyond its guarantee, and others may take it.
    pub preemptable: Resource,
    /// What it is left with before anything is offered.
    pub start: Resource,
    /// What it should have.
    pub ideal: Resource,
    /// What it keeps: its ideal, at least what it uses or wants of its guarantee.
    pub keep: Resource,
    /// What it uses beyond that, as far as the budget allows.
    pub owed: Resource,
    /// End of the dead zone: nothing is taken up to this use.
    pub dead_zone: Resource,
    /// Is its use beyond the dead zone?
    pub beyond_dead_zone: bool,
    /// What this round takes of what is owed: the part that natural termination leaves.
    pub damped: Resource,
    /// The same, less what earlier selectors have chosen.
    pub wanted: Resource,
}

/// An offer to a queue that wants more (A4.3, A4.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Offer {
    /// To whom.
    pub queue: QueueId,
    /// Where.
    pub partition: PartitionId,
    /// Round of offers among these siblings, from 0: those of one round are offered parts of the same amount.
    pub turn: u32,
    /// What was unassigned at the beginning of the turn.
    pub unassigned: Resource,
    /// Its part of the memory, among those that still wanted more.
    pub weight: f32,
    /// What it had: its ideal until then.
    pub before: Resource,
    /// What it was offered.
    pub offered: Resource,
    /// What it took.
    pub accepted: Resource,
}

/// Siblings that together owe more than the round may still choose (A4.2 step 4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scaling {
    /// Their parent.
    pub parent: QueueId,
    /// Where.
    pub partition: PartitionId,
    /// What they use beyond their ideals.
    pub need: Resource,
    /// What the round may still choose.
    pub budget: Resource,
    /// The part of it that each owes.
    pub scale: f32,
}

impl Line {
    /// Does it use more than its maximum, and should have that? Nobody need be owed what it uses beyond.
    pub fn is_beyond_maximum(&self, calc: Calculator) -> bool {
        (0..calc.types).any(|i| self.used[i] > self.maximum[i] && self.ideal[i] == self.maximum[i])
    }
}

/// A container, or a reservation, that was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen {
    /// Which.
    pub container: ContainerId,
    /// Where.
    pub node: NodeId,
    /// The node's partition.
    pub partition: PartitionId,
    /// Its leaf; `None` where its record names none for certain.
    pub queue: Option<QueueId>,
    /// Its size.
    pub size: Resource,
    /// An ApplicationMaster's?
    pub am: bool,
    /// Only reserved?
    pub reserved: bool,
    /// It was found as the reservation that it was: its kill comes to nothing.
    pub outdated: bool,
    /// By whom.
    pub selector: Selector,
    /// Why.
    pub because: Because,
    /// What the round may still choose after it.
    pub budget_left: Resource,
}

/// Why a container was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Because {
    /// It is on room lent by a partition; `wanted`, `left`: from its queue there, before and after it.
    Lent { wanted: Resource, left: Resource },
    /// The next one of its application.
    Next { wanted: Resource, left: Resource },
    /// A reservation of its application.
    Reservation { wanted: Resource, left: Resource },
    /// The ApplicationMasters that were put aside use more than the queue's maximum for them.
    Am { wanted: Resource, left: Resource, am_used: Resource, am_maximum: Resource },
    /// A reservation fits on its node without it; `cost`: what is chosen for it by its size.
    MakesRoom { reservation: ContainerId, cost: f32 },
    /// A reservation of a queue with a higher priority fits on its node without it.
    Priority { reservation: ContainerId },
    /// Its application owes others of its queue.
    WithinQueue { wanted: Resource, left: Resource },
}

/// A container that was looked at and left alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spared {
    /// Which.
    pub container: ContainerId,
    /// By whom.
    pub selector: Selector,
    /// Why.
    pub why: SparedBy,
}

/// Why a container was left alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SparedBy {
    /// It is killable already.
    Killable,
    /// An ApplicationMaster's own: those within the maximum, and all within a queue, are spared.
    Am,
    /// Nothing is wanted from its queue in the partition of its node.
    OtherPartition,
    /// It is larger than what the round may still choose.
    Budget { left: Resource },
    /// A type of which nothing is wanted any more stops everything (conservative-drf).
    TypeUsedUp { wanted: Resource },
    /// Taking it would not lower what is wanted most.
    NoUse { wanted: Resource },
    /// Its user would come down to its limit.
    UserLimit { used: Resource, limit: Resource },
}

impl SparedBy {
    /// The check that failed; these are its figures.
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

/// A leaf whose containers were gone through, the most dispensable first.
#[derive(Clone, Debug, PartialEq)]
pub struct Walk {
    /// Which.
    pub queue: QueueId,
    /// By whom.
    pub selector: Selector,
    /// What was still wanted of it at the end, by partition. Nothing: enough was chosen, and what would have come next was
    /// not looked at.
    pub left: Vec<(PartitionId, Resource)>,
}

/// A reservation for which nothing was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unserved {
    /// Which.
    pub reservation: ContainerId,
    /// By whom.
    pub selector: Selector,
    /// Why.
    pub why: UnservedBy,
}

/// Why nothing was chosen for a reservation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum UnservedBy {
    /// It is younger than the delay that such reservations have.
    Young { age: Millis, delay: Millis },
    /// Its queue uses its guarantee without it.
    AtGuarantee { used: Resource, guaranteed: Resource },
    /// It fits on its node without the end of any other.
    Fits,
    /// What may be taken on its node is not enough for it.
    NotEnough,
}

impl UnservedBy {
    /// The check that failed; these are its figures.
    pub fn check(&self) -> Check {
        match self {
            UnservedBy::Young { .. } => Check::ReservationAge,
            UnservedBy::AtGuarantee { .. } => Check::ReservationGuarantee,
            UnservedBy::Fits => Check::ReservationNeedsRoom,
            UnservedBy::NotEnough => Check::ReservationServable,
        }
    }
}

/// What a leaf was found to owe within itself in a partition (A8.1).
#[derive(Clone, Debug, PartialEq)]
pub struct IntraPass {
    /// Which.
    pub queue: QueueId,
    /// Where.
    pub partition: PartitionId,
    /// Why nothing is moved within it.
    pub stop: Option<IntraStop>,
    /// What there was to be assigned anew.
    pub reassign: Resource,
    /// What may be taken in this round.
    pub limit: Resource,
    /// Applications, most important first.
    pub apps: Vec<LeafApp>,
    /// Users.
    pub users: Vec<IntraUser>,
}

/// Why nothing is moved within a queue.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IntraStop {
    /// It uses too small a part of its guarantee.
    BelowThreshold { used_capacity: f32, threshold: f32 },
    /// It has one application.
    OnlyOne,
    /// Its settings forbid it.
    Disabled,
}

impl IntraStop {
    /// The check that failed; these are its figures.
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
    /// Which.
    pub app: AppId,
    /// Its user.
    pub user: UserId,
    /// Its priority.
    pub priority: i32,
    /// Used.
    pub used: Resource,
    /// Of that, its ApplicationMaster's.
    pub am: Resource,
    /// Wanted.
    pub pending: Resource,
    /// Chosen of it before.
    pub selected: Resource,
    /// What there was to be assigned when its turn came; nothing, if it did not come.
    pub unassigned: Resource,
    /// What its user could still get then.
    pub user_left: Resource,
    /// What it should have, its ApplicationMaster left out.
    pub ideal: Resource,
    /// What others are to give it, where nobody is found to.
    pub from_others: Resource,
    /// What may be taken from it.
    pub owed: Resource,
    /// What is to be taken from it.
    pub wanted: Resource,
}

/// A user within a queue. All but `am` leave ApplicationMasters out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IntraUser {
    /// Who.
    pub user: UserId,
    /// Used.
    pub used: Resource,
    /// Its ApplicationMasters use.
    pub am: Resource,
    /// The limit.
    pub limit: Resource,
    /// What its applications should have together.
    pub ideal: Resource,
    /// Chosen of it before.
    pub selected: Resource,
    /// Was it taken down to its limit?
    pub capped: bool,
}

/// A reservation that goes to another node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Which.
    pub reservation: ContainerId,
    /// From where.
    pub from: NodeId,
    /// To where.
    pub to: NodeId,
}

/// What becomes of a chosen container.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Act {
    /// Which.
    pub container: ContainerId,
    /// By whom it was chosen.
    pub selector: Selector,
    /// What.
    pub deed: Deed,
    /// Since when it has been marked.
    pub since: Millis,
    /// From when on it is killed, if it is chosen then.
    pub deadline: Millis,
    /// The first round from then on, as rounds are scheduled now: that one kills it. `None`: its mark is forgotten before,
    /// or its kill comes to nothing.
    pub killed_at: Option<Millis>,
}

/// What is done with a chosen container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Its ApplicationMaster is told.
    Mark,
    /// It was told; nothing yet.
    Wait,
    /// It is killed (or, with lazy preemption, made killable).
    Kill,
    /// Its kill comes to nothing: what is killed is the reservation that it was.
    Void,
}

/// Why a round ended with an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Settings that cannot be read.
    Settings(String),
    /// A partition was done while others were still to be gone through (A12).
    PartitionDone(QueueId),
    /// A container's record names no queue for certain (A3).
    UnknownQueue(ContainerId),
}
