//! The table of checks: what everybody who tells of a check has to know of it.

use super::Check;

/// The kind of question that a check asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Whether anything is wanted.
    Want,
    /// A limit of a queue, a user, an application or a request.
    Limit,
    /// Whether a node suits a request.
    Place,
    /// Whose turn it is.
    Turn,
    /// The second check of a proposal, or another refusal.
    Refusal,
    /// Whether something is taken from others: preemption.
    Condition,
    /// Whether an ApplicationMaster asks already.
    Wait,
}

/// The scheduler that a check is made under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Under {
    Capacity,
    Fair,
    Fifo,
}

/// The description of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckRow {
    /// Its name, as in the enum.
    pub name: &'static str,
    pub kind: Kind,
    /// YARN's own words where it fails; empty where YARN has none.
    pub yarn: &'static str,
    /// Hadoop's classes and methods.
    pub hadoop: &'static str,
    /// Whether a failure is a line of its own in the log of a run.
    pub logged: bool,
}

impl Check {
    /// All checks, in the order in which they are made.
    pub const ALL: &[Check] = &[
        Check::QueueParallelApps,
        Check::UserParallelApps,
        Check::UserParallelLimitReadable,
        Check::ClusterResources,
        Check::QueueAmLimit,
        Check::UserAmLimit,
        Check::PartitionAccess,
        Check::QueuePending,
        Check::NodeUnreserved,
        Check::NodeRoom,
        Check::NodeMinimum,
        Check::QueueLimit,
        Check::LeafHeadroom,
        Check::MaxResources,
        Check::AppPending,
        Check::UserLimit,
        Check::InDemand,
        Check::AmShare,
        Check::RequestPending,
        Check::RequestKept,
        Check::AmExclusivity,
        Check::ReservationsNeeded,
        Check::Headroom,
        Check::NonPartitionedFirst,
        Check::NodePartition,
        Check::Constraint,
        Check::ConstraintErrors,
        Check::CandidateUnreserved,
        Check::Blacklist,
        Check::LocalityDelay,
        Check::LocalityDelayTime,
        Check::MaxShare,
        Check::RelaxLocality,
        Check::LocalityRow,
        Check::NodeTotal,
        Check::NodeFree,
        Check::Unreserve,
        Check::BelowFairShare,
        Check::ReservationThreshold,
        Check::RoomNotPromised,
        Check::ReservableNodes,
        Check::CommitNodeRunning,
        Check::CommitKillable,
        Check::CommitUnreserved,
        Check::CommitUserLimit,
        Check::CommitQueueMaximum,
        Check::CommitConstraint,
        Check::CommitSupported,
        Check::CommitWanted,
        Check::CommitReservation,
        Check::CommitNodeFree,
        Check::OfferGave,
        Check::TurnUnreserved,
        Check::MultipleAssignments,
        Check::OffSwitchAssignments,
        Check::AssignmentsPerHeartbeat,
        Check::HalfOfFreeRoom,
        Check::SubmissionTags,
        Check::SubmissionLifetime,
        Check::PlacementRule,
        Check::SubmissionQueue,
        Check::QueueRunning,
        Check::SubmitPermission,
        Check::PriorityPermission,
        Check::SystemApplications,
        Check::QueueApplications,
        Check::UserApplications,
        Check::AskSize,
        Check::AskTypes,
        Check::AskLabel,
        Check::AskBlacklist,
        Check::AskRelease,
        Check::ConstraintHandler,
        Check::ConstraintAsk,
        Check::ProcessorPlaced,
        Check::ProcessorCommitted,
        Check::RegisteredSize,
        Check::SettingsValid,
        Check::MoveState,
        Check::MoveSupported,
        Check::MoveLimits,
        Check::PriorityChange,
        Check::NotYetKillable,
        Check::MasterSpared,
        Check::SelectorPartition,
        Check::RoundBudget,
        Check::WantedTypes,
        Check::LowersWanted,
        Check::IntraUserLimit,
        Check::ReservationAge,
        Check::ReservationGuarantee,
        Check::ReservationNeedsRoom,
        Check::ReservationServable,
        Check::IntraThreshold,
        Check::IntraSeveral,
        Check::IntraEnabled,
        Check::StarvedPlace,
        Check::StarvedOnce,
        Check::StarvedLack,
        Check::DependenciesReady,
        Check::AffinityNodes,
        Check::AffinityOneByOne,
        Check::AffinityHost,
        Check::StandbyHost,
    ];

    /// Whether the check is made before an application is active, so that neither queues nor nodes matter yet.
    pub fn is_of_activation(self) -> bool {
        self < Check::PartitionAccess
    }

    /// Hadoop's classes and methods that make the check under a scheduler.
    pub fn sources(self, under: Under) -> Vec<&'static str> {
        const FAIR: [&str; 4] = ["FS", "Fair", "MaxRunningApps", "AllocationFile"];
        let of = |part: &str| match part {
            part if FAIR.iter().any(|fair| part.starts_with(fair)) => Under::Fair,
            part if part.starts_with("Fifo") => Under::Fifo,
            _ => Under::Capacity,
        };
        let all = || self.row().hadoop.split(", ");
        let own: Vec<&str> = all().filter(|part| of(part) == under).collect();
        if !own.is_empty() {
            return own;
        }
        // A part that belongs to no scheduler is shared.
        all().filter(|part| of(part) == Under::Capacity).collect()
    }

    /// The description of the check.
    pub const fn row(self) -> CheckRow {
        use Kind::*;
        let (name, kind, yarn, hadoop, logged) = match self {
            Check::QueueParallelApps => (
                "QueueParallelApps",
                Limit,
                "",
                "CSMaxRunningAppsEnforcer.checkRunnabilityWithUpdate, MaxRunningAppsEnforcer.canAppBeRunnable",
                true,
            ),
            Check::UserParallelApps => (
                "UserParallelApps",
                Limit,
                "",
                "CSMaxRunningAppsEnforcer.checkRunnabilityWithUpdate, MaxRunningAppsEnforcer.canAppBeRunnable",
                true,
            ),
            Check::UserParallelLimitReadable => {
                ("UserParallelLimitReadable", Refusal, "", "AllocationFileQueueParser, CSMaxRunningAppsEnforcer", true)
            }
            Check::ClusterResources => (
                "ClusterResources",
                Limit,
                "Skipping AM assignment as cluster resource is empty.",
                "AbstractLeafQueue.activateApplications",
                true,
            ),
            Check::QueueAmLimit => (
                "QueueAmLimit",
                Limit,
                "Queue's AM resource limit exceeded.",
                "AbstractLeafQueue.activateApplications",
                true,
            ),
            Check::UserAmLimit => (
                "UserAmLimit",
                Limit,
                "User's AM resource limit exceeded.",
                "AbstractLeafQueue.activateApplications",
                true,
            ),
            Check::PartitionAccess => (
                "PartitionAccess",
                Limit,
                "Queue is not able to access partition",
                "AbstractCSQueue.accessibleToPartition",
                true,
            ),
            Check::QueuePending => (
                "QueuePending",
                Want,
                "Queue does not need more resource",
                "AbstractCSQueue.hasPendingResourceRequest",
                false,
            ),
            Check::NodeUnreserved => (
                "NodeUnreserved",
                Turn,
                "Queue skipped because node has been reserved",
                "AbstractParentQueue.canAssign",
                false,
            ),
            Check::NodeRoom => (
                "NodeRoom",
                Place,
                "Queue skipped because node resource is insufficient",
                "AbstractParentQueue.canAssign",
                false,
            ),
            Check::NodeMinimum => (
                "NodeMinimum",
                Place,
                "Initial check: node resource is insufficient for minimum allocation",
                "CapacityScheduler.allocateContainerOnSingleNode",
                false,
            ),
            Check::QueueLimit => {
                ("QueueLimit", Limit, "Queue hits max-capacity limit", "AbstractCSQueue.canAssignToThisQueue", true)
            }
            Check::LeafHeadroom => (
                "LeafHeadroom",
                Turn,
                "Queue does not have enough headroom for inner highest-priority request",
                "AbstractLeafQueue.assignContainers",
                true,
            ),
            Check::MaxResources => ("MaxResources", Limit, "", "FSQueue.assignContainerPreCheck", true),
            Check::AppPending => (
                "AppPending",
                Want,
                "Application does not need more resource",
                "FiCaSchedulerApp.assignContainers",
                false,
            ),
            Check::UserLimit => (
                "UserLimit",
                Limit,
                "Queue hits user max-capacity limit",
                "AbstractLeafQueue.canAssignToUser, UsersManager",
                true,
            ),
            Check::InDemand => ("InDemand", Turn, "", "FSAppAttempt.updateDemand, FairScheduler.update", true),
            Check::AmShare => {
                ("AmShare", Limit, "exceeds maximum AM resource allowed", "FSLeafQueue.canRunAppAM", true)
            }
            Check::RequestPending => (
                "RequestPending",
                Want,
                "Request does not need more resource",
                "RegularContainerAllocator.preCheckForNodeCandidateSet",
                false,
            ),
            Check::RequestKept => (
                "RequestKept",
                Want,
                "Request skipped because off-switch request is null",
                "RegularContainerAllocator.allocate",
                true,
            ),
            Check::AmExclusivity => (
                "AmExclusivity",
                Place,
                "Request skipped in Ignore Exclusivity mode for AM allocation",
                "RegularContainerAllocator.preCheckForNodeCandidateSet",
                true,
            ),
            Check::ReservationsNeeded => (
                "ReservationsNeeded",
                Limit,
                "Request skipped based on reservation algo",
                "RegularContainerAllocator.shouldAllocOrReserveNewContainer",
                true,
            ),
            Check::Headroom => (
                "Headroom",
                Limit,
                "Queue does not have enough headroom for inner highest-priority request",
                "RegularContainerAllocator.checkHeadroom",
                true,
            ),
            Check::NonPartitionedFirst => (
                "NonPartitionedFirst",
                Turn,
                "Request skipped because non-partitioned resource request should be scheduled to non-partitioned partition first",
                "RegularContainerAllocator.preCheckForNodeCandidateSet",
                true,
            ),
            Check::NodePartition => (
                "NodePartition",
                Place,
                "Node does not match partition or placement constraints",
                "LocalityAppPlacementAllocator.precheckNode",
                true,
            ),
            Check::Constraint => (
                "Constraint",
                Place,
                "Node does not match partition or placement constraints",
                "PlacementConstraintsUtil.canSatisfyConstraints",
                true,
            ),
            Check::ConstraintErrors => (
                "ConstraintErrors",
                Limit,
                "Node does not match partition or placement constraints",
                "SingleConstraintAppPlacementAllocator.precheckNode",
                true,
            ),
            Check::CandidateUnreserved => {
                ("CandidateUnreserved", Place, "Node has been reserved", "RegularContainerAllocator.allocate", true)
            }
            Check::Blacklist => {
                ("Blacklist", Place, "Node is blacklisted", "SchedulerAppUtils.isPlaceBlacklisted", true)
            }
            Check::LocalityDelay => (
                "LocalityDelay",
                Place,
                "Node skipped because of off-switch delay",
                "RegularContainerAllocator.canAssign, FSAppAttempt.getAllowedLocalityLevel",
                true,
            ),
            Check::LocalityDelayTime => {
                ("LocalityDelayTime", Place, "", "FSAppAttempt.getAllowedLocalityLevelByTime", true)
            }
            Check::MaxShare => (
                "MaxShare",
                Limit,
                "exceeds current queue or its parents maximum resource allowed",
                "FSQueue.fitsInMaxShare",
                true,
            ),
            Check::RelaxLocality => (
                "RelaxLocality",
                Place,
                "Node skipped because relax locality is not allowed",
                "RegularContainerAllocator.assignContainersOnNode, FSAppAttempt.hasContainerForNode",
                true,
            ),
            Check::LocalityRow => (
                "LocalityRow",
                Place,
                "Node skipped because node/rack locality cannot be satisfied",
                "RegularContainerAllocator.assignContainersOnNode, FSAppAttempt.hasContainerForNode",
                true,
            ),
            Check::NodeTotal => (
                "NodeTotal",
                Place,
                "Node's total resource is insufficient for request",
                "RegularContainerAllocator.assignContainer, FSAppAttempt.hasContainerForNode",
                true,
            ),
            Check::NodeFree => (
                "NodeFree",
                Place,
                "Node does not have sufficient resource for request",
                "RegularContainerAllocator.assignContainer, FSAppAttempt.assignContainer",
                true,
            ),
            Check::Unreserve => (
                "Unreserve",
                Place,
                "Node can't find a container to be unreserved when needed",
                "RegularContainerAllocator.assignContainer",
                true,
            ),
            Check::BelowFairShare => (
                "BelowFairShare",
                Limit,
                "exceeds the available resources of the node and the request cannot be reserved",
                "FSAppAttempt.isReservable",
                true,
            ),
            Check::ReservationThreshold => (
                "ReservationThreshold",
                Limit,
                "exceeds the available resources of the node and the request cannot be reserved",
                "FSAppAttempt.isReservable",
                true,
            ),
            Check::RoomNotPromised => (
                "RoomNotPromised",
                Turn,
                "exceeds the available resources of the node and the request cannot be reserved",
                "FSAppAttempt.reserve, FSSchedulerNode.addContainersForPreemption",
                true,
            ),
            Check::ReservableNodes => (
                "ReservableNodes",
                Limit,
                "exceeds the available resources of the node and the request cannot be reserved",
                "FSAppAttempt.reservationExceedsThreshold",
                true,
            ),
            Check::CommitNodeRunning => {
                ("CommitNodeRunning", Refusal, "", "FiCaSchedulerApp.commonCheckContainerAllocation", true)
            }
            Check::CommitKillable => ("CommitKillable", Refusal, "", "FiCaSchedulerApp.accept", true),
            Check::CommitUnreserved => {
                ("CommitUnreserved", Refusal, "", "FiCaSchedulerApp.commonCheckContainerAllocation", true)
            }
            Check::CommitUserLimit => ("CommitUserLimit", Refusal, "", "AbstractLeafQueue.accept", true),
            Check::CommitQueueMaximum => {
                ("CommitQueueMaximum", Refusal, "", "AbstractParentQueue.accept, AbstractLeafQueue.accept", true)
            }
            Check::CommitConstraint => {
                ("CommitConstraint", Refusal, "", "SingleConstraintAppPlacementAllocator.canAllocate", true)
            }
            Check::CommitSupported => {
                ("CommitSupported", Refusal, "", "ResourceScheduler.attemptAllocationOnNode", true)
            }
            Check::CommitWanted => ("CommitWanted", Refusal, "", "FiCaSchedulerApp.accept", true),
            Check::CommitReservation => ("CommitReservation", Refusal, "", "CapacityScheduler.tryCommit", true),
            Check::CommitNodeFree => {
                ("CommitNodeFree", Refusal, "", "FiCaSchedulerApp.commonCheckContainerAllocation", true)
            }
            Check::OfferGave => (
                "OfferGave",
                Turn,
                "",
                "CapacityScheduler.allocateContainersToNode, FairScheduler.attemptScheduling",
                false,
            ),
            Check::TurnUnreserved => (
                "TurnUnreserved",
                Turn,
                "",
                "CapacityScheduler.canAllocateMore, FairScheduler.attemptScheduling",
                false,
            ),
            Check::MultipleAssignments => (
                "MultipleAssignments",
                Turn,
                "",
                "CapacityScheduler.canAllocateMore, FairScheduler.shouldContinueAssigning",
                false,
            ),
            Check::OffSwitchAssignments => {
                ("OffSwitchAssignments", Turn, "", "CapacityScheduler.canAllocateMore", false)
            }
            Check::AssignmentsPerHeartbeat => (
                "AssignmentsPerHeartbeat",
                Turn,
                "",
                "CapacityScheduler.canAllocateMore, FairScheduler.shouldContinueAssigning",
                false,
            ),
            Check::HalfOfFreeRoom => ("HalfOfFreeRoom", Turn, "", "FairScheduler.shouldContinueAssigning", false),
            Check::SubmissionTags => ("SubmissionTags", Refusal, "", "ClientRMService.checkTags", true),
            Check::SubmissionLifetime => {
                ("SubmissionLifetime", Refusal, "", "RMServerUtils.validateApplicationTimeouts", true)
            }
            Check::PlacementRule => (
                "PlacementRule",
                Refusal,
                "",
                "CSMappingPlacementRule.getPlacementForApp, FairScheduler.addApplication",
                true,
            ),
            Check::SubmissionQueue => (
                "SubmissionQueue",
                Refusal,
                "",
                "CapacityScheduler.addApplication, FairScheduler.addApplication, FifoScheduler.addApplication",
                true,
            ),
            Check::QueueRunning => (
                "QueueRunning",
                Refusal,
                "",
                "AbstractLeafQueue.validateSubmitApplication, AbstractParentQueue.validateSubmitApplication",
                true,
            ),
            Check::SubmitPermission => (
                "SubmitPermission",
                Refusal,
                "",
                "RMAppManager.createAndPopulateNewRMApp, FairScheduler.checkAccess",
                true,
            ),
            Check::PriorityPermission => {
                ("PriorityPermission", Refusal, "", "AppPriorityACLsManager.checkAccess", true)
            }
            Check::SystemApplications => ("SystemApplications", Refusal, "", "CapacityScheduler.addApplication", true),
            Check::QueueApplications => {
                ("QueueApplications", Refusal, "", "AbstractLeafQueue.validateSubmitApplication", true)
            }
            Check::UserApplications => {
                ("UserApplications", Refusal, "", "AbstractLeafQueue.validateSubmitApplication", true)
            }
            Check::AskSize => ("AskSize", Refusal, "", "SchedulerUtils.validateResourceRequest", true),
            Check::AskTypes => ("AskTypes", Refusal, "", "FairScheduler.allocate", true),
            Check::AskLabel => ("AskLabel", Refusal, "", "SchedulerUtils.validateResourceRequest", true),
            Check::AskBlacklist => ("AskBlacklist", Refusal, "", "RMServerUtils.validateBlacklistRequest", true),
            Check::AskRelease => ("AskRelease", Refusal, "", "RMServerUtils.validateContainerReleaseRequest", true),
            Check::ConstraintHandler => {
                ("ConstraintHandler", Refusal, "", "DisabledPlacementProcessor, SchedulerPlacementProcessor", true)
            }
            Check::ConstraintAsk => {
                ("ConstraintAsk", Refusal, "", "SingleConstraintAppPlacementAllocator.updatePendingAsk", true)
            }
            Check::ProcessorPlaced => (
                "ProcessorPlaced",
                Refusal,
                "COULD_NOT_PLACE_ON_NODE",
                "PlacementConstraintProcessor.handleRejectedRequests",
                true,
            ),
            Check::ProcessorCommitted => (
                "ProcessorCommitted",
                Refusal,
                "COULD_NOT_SCHEDULE_ON_NODE",
                "PlacementConstraintProcessor.handleSchedulingResponse",
                true,
            ),
            Check::RegisteredSize => {
                ("RegisteredSize", Refusal, "", "ResourceTrackerService.registerNodeManager", true)
            }
            Check::SettingsValid => (
                "SettingsValid",
                Refusal,
                "",
                "CapacityScheduler.reinitialize, AllocationFileLoaderService.reloadAllocations",
                true,
            ),
            Check::MoveState => ("MoveState", Refusal, "", "ClientRMService.moveApplicationAcrossQueues", true),
            Check::MoveSupported => ("MoveSupported", Refusal, "", "YarnScheduler.preValidateMoveApplication", true),
            Check::MoveLimits => ("MoveLimits", Refusal, "", "FairScheduler.verifyMoveDoesNotViolateConstraints", true),
            Check::PriorityChange => ("PriorityChange", Refusal, "", "FairScheduler.updateApplicationPriority", true),
            Check::NotYetKillable => (
                "NotYetKillable",
                Condition,
                "",
                "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain",
                true,
            ),
            Check::MasterSpared => (
                "MasterSpared",
                Condition,
                "",
                "FifoCandidatesSelector.preemptAMContainers, IntraQueueCandidatesSelector.selectCandidates",
                true,
            ),
            Check::SelectorPartition => (
                "SelectorPartition",
                Condition,
                "",
                "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain",
                true,
            ),
            Check::RoundBudget => (
                "RoundBudget",
                Condition,
                "",
                "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain",
                true,
            ),
            Check::WantedTypes => (
                "WantedTypes",
                Condition,
                "",
                "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain",
                true,
            ),
            Check::LowersWanted => (
                "LowersWanted",
                Condition,
                "",
                "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain",
                true,
            ),
            Check::IntraUserLimit => (
                "IntraUserLimit",
                Condition,
                "",
                "FifoIntraQueuePreemptionPlugin.skipContainerBasedOnIntraQueuePolicy",
                true,
            ),
            Check::ReservationAge => {
                ("ReservationAge", Condition, "", "QueuePriorityContainerCandidateSelector.selectCandidates", true)
            }
            Check::ReservationGuarantee => (
                "ReservationGuarantee",
                Condition,
                "",
                "QueuePriorityContainerCandidateSelector.selectCandidates",
                true,
            ),
            Check::ReservationNeedsRoom => (
                "ReservationNeedsRoom",
                Condition,
                "",
                "ReservedContainerCandidatesSelector.getPreemptionCandidatesOnNode",
                true,
            ),
            Check::ReservationServable => (
                "ReservationServable",
                Condition,
                "",
                "ReservedContainerCandidatesSelector.getPreemptionCandidatesOnNode, QueuePriorityContainerCandidateSelector.canPreemptEnoughResourceForAsked",
                true,
            ),
            Check::IntraThreshold => (
                "IntraThreshold",
                Condition,
                "",
                "IntraQueueCandidatesSelector.computeIntraQueuePreemptionDemand",
                true,
            ),
            Check::IntraSeveral => {
                ("IntraSeveral", Condition, "", "FifoIntraQueuePreemptionPlugin.computeAppsIdealAllocation", true)
            }
            Check::IntraEnabled => {
                ("IntraEnabled", Condition, "", "IntraQueueCandidatesSelector.selectCandidates", true)
            }
            Check::StarvedPlace => ("StarvedPlace", Condition, "", "FSAppAttempt.getStarvedResourceRequests", true),
            Check::StarvedOnce => (
                "StarvedOnce",
                Condition,
                "",
                "FSAppAttempt.getStarvedResourceRequests, VisitedResourceRequestTracker.visit",
                true,
            ),
            Check::StarvedLack => ("StarvedLack", Condition, "", "FSAppAttempt.getStarvedResourceRequests", true),
            Check::DependenciesReady => ("DependenciesReady", Wait, "", "Component.areDependenciesReady", true),
            Check::AffinityNodes => ("AffinityNodes", Wait, "", "AppState.reviewOneRole", true),
            Check::AffinityOneByOne => ("AffinityOneByOne", Wait, "", "AppState.reviewOneRole", true),
            Check::AffinityHost => ("AffinityHost", Wait, "", "RoleHistory.requestContainerForAARole", true),
            Check::StandbyHost => ("StandbyHost", Wait, "", "StandbyContainerManager.checkStandbyConstraints", true),
        };
        CheckRow { name, kind, yarn, hadoop, logged }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_a_row_of_its_own_name_and_a_source() {
        for (i, check) in Check::ALL.iter().enumerate() {
            let row = check.row();
            assert_eq!(row.name, format!("{check:?}"));
            assert_eq!(*check as usize, i, "the list is in the order of the enum");
            assert!(!row.hadoop.is_empty() && row.hadoop.starts_with(char::is_uppercase), "{check:?}");
        }
    }
}
