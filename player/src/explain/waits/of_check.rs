//! What WHY needs to know about each check besides its words: its column in the matrix, the function that adds its link to the
//! chain of limits, what may be changed about it, and, for a condition of preemption, the properties that decide it. A new
//! check needs an arm in each, or it does not compile.

use super::chain::{Chain, ChainBuilder};
use crate::explain::checks::NodeCheck as Column;
use crate::explain::record::PassRecord;
use crate::explain::verdicts::is_left_by_parent;
use heddle_core::check::{Check, Checked, Figures};
use heddle_core::model::{AppId, QueueId};
use heddle_core::{commit_checks, front_door_checks, master_checks, preemption_checks, turn_checks, way_checks};

/// Something that keeps a request waiting and may be changed. Without a queue it is about the application's own leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockingCondition {
    /// A queue runs as many applications as it may.
    Parallel(QueueId),
    ParallelOfUser,
    AmLimit,
    /// The limit of its user's AMs.
    UserAmLimit,
    /// No node has the label, or its queue may not use it.
    Label,
    UserLimit,
    /// The maximum of a queue.
    QueueMax(QueueId),
    /// What the parent leaves a queue.
    LeftByParent(QueueId),
    /// Its leaf's headroom, whichever queue on its path limits that.
    Headroom,
    /// Its leaf waits for a request of this application.
    Behind(AppId),
    /// It has reserved enough nodes.
    EnoughHeld,
    /// The FairScheduler's limit of AMs.
    AmShare,
    /// The FairScheduler's maximum of a queue.
    MaxShare(QueueId),
    /// It was requested after the FairScheduler's last update.
    Demand,
    /// It waits for a nearer node.
    Delay,
    /// It may only go to the places that it requested.
    NoRelax,
    /// Its application has blacklisted nodes.
    Blacklist,
    Constraint,
    /// No node has room.
    Room,
}

/// Returns the column of a check; `None`: it has none, or the X-ray finds the right one.
pub fn column(check: Check) -> Option<Column> {
    Some(match check {
        Check::NodePartition => Column::Partition,
        Check::CandidateUnreserved | Check::NodeUnreserved => Column::NotHeld,
        Check::Blacklist => Column::Allowed,
        Check::LocalityDelay | Check::LocalityDelayTime | Check::RelaxLocality | Check::LocalityRow => Column::Near,
        Check::NodeTotal => Column::Total,
        Check::NodeFree
        | Check::BelowFairShare
        | Check::ReservationThreshold
        | Check::RoomNotPromised
        | Check::ReservableNodes => Column::Free,
        Check::Unreserve => Column::GivesUp,
        Check::NodeRoom | Check::NodeMinimum => Column::NotFull,
        way_checks!()
        | Check::ProcessorPlaced
        | Check::ProcessorCommitted
        | commit_checks!()
        | turn_checks!()
        | front_door_checks!()
        | preemption_checks!()
        | master_checks!() => return None,
    })
}

/// Adds the link of a check, as a look recorded it, to the chain of limits; if the check failed, also its sentence.
pub type Tell<'m> = fn(&ChainBuilder<'m>, &mut Chain, &PassRecord, &Checked);

/// Returns the function that adds a check's link to the chain once the application is active. `None`: the check stops nothing
/// before a node, or is shown elsewhere: for a request behind another, or for a commit.
pub fn teller<'m>(check: Check) -> Option<Tell<'m>> {
    Some(match check {
        Check::UserLimit => ChainBuilder::tell_user_limit,
        Check::QueueLimit => ChainBuilder::tell_queue_limit,
        Check::PartitionAccess => ChainBuilder::tell_access,
        Check::Headroom => ChainBuilder::tell_headroom,
        Check::ReservationsNeeded => ChainBuilder::tell_reservations,
        Check::ConstraintErrors => ChainBuilder::tell_errors,
        Check::InDemand => ChainBuilder::tell_demand,
        Check::AmShare => ChainBuilder::tell_am_share,
        Check::MaxShare => ChainBuilder::tell_max_share,
        Check::MaxResources => ChainBuilder::tell_max_resources,
        Check::QueueParallelApps
        | Check::UserParallelApps
        | Check::UserParallelLimitReadable
        | Check::ClusterResources
        | Check::QueueAmLimit
        | Check::UserAmLimit
        | Check::QueuePending
        | Check::NodeUnreserved
        | Check::NodeRoom
        | Check::NodeMinimum
        | Check::LeafHeadroom
        | Check::AppPending
        | Check::RequestPending
        | Check::RequestKept
        | Check::AmExclusivity
        | Check::NonPartitionedFirst
        | Check::NodePartition
        | Check::Constraint
        | Check::CandidateUnreserved
        | Check::Blacklist
        | Check::LocalityDelay
        | Check::LocalityDelayTime
        | Check::RelaxLocality
        | Check::LocalityRow
        | Check::NodeTotal
        | Check::NodeFree
        | Check::Unreserve
        | Check::BelowFairShare
        | Check::ReservationThreshold
        | Check::RoomNotPromised
        | Check::ReservableNodes
        | Check::ProcessorPlaced
        | Check::ProcessorCommitted
        | commit_checks!()
        | turn_checks!()
        | front_door_checks!()
        | preemption_checks!()
        | master_checks!() => return None,
    })
}

/// Returns what a failed check keeps waiting and may be changed. `None`: no change of settings or of the request would help.
pub fn hold(check: Check, queue: Option<QueueId>, figures: &Figures) -> Option<BlockingCondition> {
    let amounts = figures.as_amounts();
    let of_queue = |hold: fn(QueueId) -> BlockingCondition| amounts.and_then(|a| a.queue).or(queue).map(hold);
    Some(match check {
        Check::QueueParallelApps => return queue.map(BlockingCondition::Parallel),
        Check::UserParallelApps | Check::UserParallelLimitReadable => BlockingCondition::ParallelOfUser,
        Check::ClusterResources => BlockingCondition::Room,
        Check::QueueAmLimit => BlockingCondition::AmLimit,
        Check::UserAmLimit => BlockingCondition::UserAmLimit,
        Check::PartitionAccess => BlockingCondition::Label,
        Check::QueueLimit => match queue {
            Some(queue) if amounts.is_some_and(is_left_by_parent) => BlockingCondition::LeftByParent(queue),
            Some(queue) => BlockingCondition::QueueMax(queue),
            None => BlockingCondition::Headroom,
        },
        Check::MaxResources => return of_queue(BlockingCondition::QueueMax),
        Check::LeafHeadroom => BlockingCondition::Behind(amounts?.app?),
        Check::UserLimit | Check::CommitUserLimit => BlockingCondition::UserLimit,
        Check::InDemand => BlockingCondition::Demand,
        Check::AmShare => BlockingCondition::AmShare,
        Check::ReservationsNeeded => BlockingCondition::EnoughHeld,
        Check::Headroom => {
            amounts.and_then(|a| a.queue).map_or(BlockingCondition::Headroom, BlockingCondition::QueueMax)
        }
        Check::Constraint | Check::ConstraintErrors => BlockingCondition::Constraint,
        Check::Unreserve => {
            let Figures::GiveUp { fails, .. } = figures else { return None };
            return hold(fails.check, queue, &fails.figures);
        }
        Check::LocalityDelay | Check::LocalityDelayTime => BlockingCondition::Delay,
        Check::Blacklist => BlockingCondition::Blacklist,
        Check::RelaxLocality => BlockingCondition::NoRelax,
        Check::MaxShare => return of_queue(BlockingCondition::MaxShare),
        Check::CommitQueueMaximum => return of_queue(BlockingCondition::QueueMax),
        Check::NodeTotal
        | Check::NodeFree
        | Check::BelowFairShare
        | Check::ReservationThreshold
        | Check::RoomNotPromised
        | Check::ReservableNodes => BlockingCondition::Room,
        // Nothing is requested, or it is the turn of another.
        Check::QueuePending
        | Check::AppPending
        | Check::RequestPending
        | Check::RequestKept
        | Check::NodeUnreserved
        | Check::NodeRoom
        | Check::NodeMinimum
        | Check::CandidateUnreserved
        | turn_checks!() => return None,
        // A refused request does not wait; `player/src/mend.rs` knows what would have prevented the refusal.
        Check::ProcessorPlaced
        | Check::ProcessorCommitted
        | front_door_checks!()
        | preemption_checks!()
        | master_checks!() => return None,
        // Only time or another request can change these.
        Check::AmExclusivity
        | Check::NonPartitionedFirst
        | Check::NodePartition
        | Check::LocalityRow
        | Check::CommitNodeRunning
        | Check::CommitKillable
        | Check::CommitUnreserved
        | Check::CommitConstraint
        | Check::CommitSupported
        | Check::CommitWanted
        | Check::CommitReservation
        | Check::CommitNodeFree => return None,
    })
}

/// Returns the properties that decide a condition: of the CapacityScheduler's monitor, or of yarn-site.xml under the
/// FairScheduler. Empty: there are none, or they belong to queues (`disable_preemption`, a share, a timeout).
pub fn keys(check: Check) -> &'static [&'static str] {
    match check {
        Check::MonitorsOn => &["yarn.resourcemanager.scheduler.monitor.enable"],
        Check::PreemptionListed => &["yarn.resourcemanager.scheduler.monitor.policies"],
        Check::RoundMade => &["yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval"],
        Check::RoundActs => &["yarn.resourcemanager.monitor.capacity.preemption.observe_only"],
        Check::BeyondDeadZone => &["yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity"],
        Check::RoundBudget => &["yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round"],
        Check::NaturalTermination => &["yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor"],
        Check::KillWait => &["yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill"],
        Check::IntraOn => &["yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.enabled"],
        Check::IntraThreshold => {
            &["yarn.resourcemanager.monitor.capacity.preemption.intra-queue-preemption.minimum-threshold"]
        }
        Check::ReservationSelector
        | Check::ReservationAge
        | Check::ReservationGuarantee
        | Check::ReservationNeedsRoom
        | Check::ReservationServable => {
            &["yarn.resourcemanager.monitor.capacity.preemption.select_based_on_reserved_containers"]
        }
        Check::FairPreemptionOn => &["yarn.scheduler.fair.preemption"],
        Check::ClusterBusy => &["yarn.scheduler.fair.preemption.cluster-utilization-threshold"],
        Check::FairKillWait => &["yarn.scheduler.fair.waitTimeBeforeKill"],
        // Decided by properties of queues, or by figures of the round.
        Check::PendingCounted
        | Check::QueueOwed
        | Check::OthersOwed
        | Check::OverGuarantee
        | Check::QueuePreemptable
        | Check::QueueGives
        | Check::ContainersChosen
        | Check::StillWanted
        | Check::IntraLooked
        | Check::IntraOwed
        | Check::NotYetKillable
        | Check::MasterSpared
        | Check::SelectorPartition
        | Check::WantedTypes
        | Check::LowersWanted
        | Check::IntraUserLimit
        | Check::IntraSeveral
        | Check::IntraEnabled
        | Check::StarvationLooked
        | Check::BelowShare
        | Check::ShareTimeout
        | Check::BelowMinimum
        | Check::MinimumTimeout
        | Check::StarvedCounted
        | Check::VictimsFound
        | Check::SomebodyStarved
        | Check::VictimAlive
        | Check::LeafGives
        | Check::GiverShare
        | Check::StarvedPlace
        | Check::StarvedOnce
        | Check::StarvedLack => &[],
        // Not conditions of preemption.
        way_checks!()
        | Check::NodeUnreserved
        | Check::NodeRoom
        | Check::NodeMinimum
        | Check::NodePartition
        | Check::CandidateUnreserved
        | Check::Blacklist
        | Check::LocalityDelay
        | Check::LocalityDelayTime
        | Check::RelaxLocality
        | Check::LocalityRow
        | Check::NodeTotal
        | Check::NodeFree
        | Check::Unreserve
        | Check::BelowFairShare
        | Check::ReservationThreshold
        | Check::RoomNotPromised
        | Check::ReservableNodes
        | Check::ProcessorPlaced
        | Check::ProcessorCommitted
        | commit_checks!()
        | turn_checks!()
        | front_door_checks!()
        | master_checks!() => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::keys;
    use heddle_core::check::{Check, CheckKind};
    use heddle_core::config::properties::find;

    #[test]
    fn every_key_of_a_condition_is_a_property_that_is_known() {
        let mut known = 0;
        for check in Check::ALL {
            for key in keys(*check) {
                assert!(find(key, &|_| false).is_some(), "{check:?}: {key}");
                assert_eq!(check.row().kind, CheckKind::Condition, "{check:?}");
                known += 1;
            }
        }
        assert!(known > 15, "{known} keys");
    }
}
