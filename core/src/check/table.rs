//! The table of checks: what all code that reports a check has to know about it.

use super::Check;

/// The kind of question that a check asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// Whether anything is pending.
    Want,
    /// A limit of a queue, a user, an application or a request.
    Limit,
    /// Whether a node suits a request.
    Place,
    /// Whether it is the turn of the subject to be served.
    Turn,
    /// The second check of a proposal, or another refusal.
    Refusal,
    /// Whether preemption takes something from others.
    Condition,
    /// Whether an ApplicationMaster requests from YARN what it wants.
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
    /// The name of the variant.
    pub name: &'static str,
    pub kind: CheckKind,
    /// YARN's own message for a failure; empty if YARN has none.
    pub yarn: &'static str,
    /// Hadoop's classes and methods.
    pub hadoop: &'static str,
    /// Whether the log of a run lists a failure on a line of its own.
    pub logged: bool,
}

impl Check {
    /// Returns whether the check is made before an application is active, when neither queues nor nodes matter.
    pub fn is_of_activation(self) -> bool {
        self < Check::PartitionAccess
    }

    /// The Hadoop classes and methods that make the check under a scheduler.
    pub fn sources(self, under: Under) -> Vec<&'static str> {
        const FAIR: [&str; 4] = ["FS", "Fair", "MaxRunningApps", "AllocationFile"];
        let of = |part: &str| match part {
            part if FAIR.iter().any(|fair| part.starts_with(fair)) => Under::Fair,
            part if part.starts_with("FifoScheduler") => Under::Fifo,
            _ => Under::Capacity,
        };
        let all = || self.row().hadoop.split(", ");
        let own: Vec<&str> = all().filter(|part| of(part) == under).collect();
        if !own.is_empty() {
            return own;
        }
        // A part without a scheduler of its own is shared.
        all().filter(|part| of(part) == Under::Capacity).collect()
    }
}

/// The rows: name, kind, YARN's words, and Hadoop's classes and methods; `aside` if the log does not list a failure on
/// a line of its own. `tests/oracle/names` looks the classes and methods up in the real jars.
macro_rules! rows {
    ($($check:ident: $kind:ident, $yarn:literal => $hadoop:literal $(, $aside:ident)?;)*) => {
        impl Check {
            /// All checks, in the order in which they are made.
            pub const ALL: &[Check] = &[$(Check::$check),*];

            /// The description of the check.
            pub const fn row(self) -> CheckRow {
                match self {
                    $(Check::$check => CheckRow {
                        name: stringify!($check),
                        kind: CheckKind::$kind,
                        yarn: $yarn,
                        hadoop: $hadoop,
                        logged: rows!(@logged $($aside)?),
                    },)*
                }
            }
        }
    };
    (@logged) => {
        true
    };
    (@logged aside) => {
        false
    };
}

rows! {
    QueueParallelApps: Limit, ""
        => "CSMaxRunningAppsEnforcer.checkRunnabilityWithUpdate, MaxRunningAppsEnforcer.canAppBeRunnable";
    UserParallelApps: Limit, ""
        => "CSMaxRunningAppsEnforcer.checkRunnabilityWithUpdate, MaxRunningAppsEnforcer.canAppBeRunnable";
    UserParallelLimitReadable: Refusal, "" => "AllocationFileQueueParser, CSMaxRunningAppsEnforcer";
    ClusterResources: Limit, "Skipping AM assignment as cluster resource is empty."
        => "AbstractLeafQueue.activateApplications";
    QueueAmLimit: Limit, "Queue's AM resource limit exceeded." => "AbstractLeafQueue.activateApplications";
    UserAmLimit: Limit, "User's AM resource limit exceeded." => "AbstractLeafQueue.activateApplications";
    PartitionAccess: Limit, "Queue is not able to access partition"
        => "QueueNodeLabelsSettings.isAccessibleToPartition";
    QueuePending: Want, "Queue does not need more resource" => "AbstractCSQueue.hasPendingResourceRequest", aside;
    NodeUnreserved: Turn, "Queue skipped because node has been reserved" => "AbstractParentQueue.canAssign", aside;
    NodeRoom: Place, "Queue skipped because node resource is insufficient" => "AbstractParentQueue.canAssign", aside;
    NodeMinimum: Place, "Initial check: node resource is insufficient for minimum allocation"
        => "CapacityScheduler.allocateContainerOnSingleNode", aside;
    QueueLimit: Limit, "Queue hits max-capacity limit" => "AbstractCSQueue.canAssignToThisQueue";
    LeafHeadroom: Turn, "Queue does not have enough headroom for inner highest-priority request"
        => "AbstractLeafQueue.assignContainers";
    MaxResources: Limit, "" => "FSQueue.assignContainerPreCheck";
    AppPending: Want, "Application does not need more resource" => "FiCaSchedulerApp.assignContainers", aside;
    UserLimit: Limit, "Queue hits user max-capacity limit" => "AbstractLeafQueue.canAssignToUser, UsersManager";
    InDemand: Turn, "" => "FSAppAttempt.updateDemand, FairScheduler.update";
    AmShare: Limit, "exceeds maximum AM resource allowed" => "FSLeafQueue.canRunAppAM";
    RequestPending: Want, "Request does not need more resource" => "RegularContainerAllocator.preCheckRequest", aside;
    RequestKept: Want, "Request skipped because off-switch request is null" => "RegularContainerAllocator.allocate";
    AmExclusivity: Place, "Request skipped in Ignore Exclusivity mode for AM allocation"
        => "RegularContainerAllocator.preCheckRequest";
    ReservationsNeeded: Limit, "Request skipped based on reservation algo"
        => "RegularContainerAllocator.shouldAllocOrReserveNewContainer";
    Headroom: Limit, "Queue does not have enough headroom for inner highest-priority request"
        => "RegularContainerAllocator.checkHeadroom";
    NonPartitionedFirst: Turn, "Request skipped because non-partitioned resource request should be scheduled to non-partitioned partition first"
        => "RegularContainerAllocator.preCheckRequest";
    NodePartition: Place, "Node does not match partition or placement constraints"
        => "LocalityAppPlacementAllocator.precheckNode";
    Constraint: Place, "Node does not match partition or placement constraints"
        => "PlacementConstraintsUtil.canSatisfyConstraints";
    ConstraintErrors: Limit, "Node does not match partition or placement constraints"
        => "SingleConstraintAppPlacementAllocator.precheckNode";
    CandidateUnreserved: Place, "Node has been reserved" => "RegularContainerAllocator.allocate";
    Blacklist: Place, "Node is blacklisted" => "SchedulerAppUtils.isPlaceBlacklisted";
    LocalityDelay: Place, "Node skipped because of off-switch delay"
        => "RegularContainerAllocator.canAssign, FSAppAttempt.getAllowedLocalityLevel";
    LocalityDelayTime: Place, "" => "FSAppAttempt.getAllowedLocalityLevelByTime";
    MaxShare: Limit, "exceeds current queue or its parents maximum resource allowed" => "FSQueue.fitsInMaxShare";
    RelaxLocality: Place, "Node skipped because relax locality is not allowed"
        => "RegularContainerAllocator.assignContainersOnNode, FSAppAttempt.hasContainerForNode";
    LocalityRow: Place, "Node skipped because node/rack locality cannot be satisfied"
        => "RegularContainerAllocator.assignContainersOnNode, FSAppAttempt.hasContainerForNode";
    NodeTotal: Place, "Node's total resource is insufficient for request"
        => "RegularContainerAllocator.assignContainer, FSAppAttempt.hasContainerForNode";
    NodeFree: Place, "Node does not have sufficient resource for request"
        => "RegularContainerAllocator.assignContainer, FSAppAttempt.assignContainer";
    Unreserve: Place, "Node can't find a container to be unreserved when needed"
        => "RegularContainerAllocator.assignContainer";
    BelowFairShare: Limit, "exceeds the available resources of the node and the request cannot be reserved"
        => "FSAppAttempt.isReservable";
    ReservationThreshold: Limit, "exceeds the available resources of the node and the request cannot be reserved"
        => "FSAppAttempt.isReservable";
    RoomNotPromised: Turn, "exceeds the available resources of the node and the request cannot be reserved"
        => "FSAppAttempt.reserve, FSSchedulerNode.addContainersForPreemption";
    ReservableNodes: Limit, "exceeds the available resources of the node and the request cannot be reserved"
        => "FSAppAttempt.reservationExceedsThreshold";
    CommitNodeRunning: Refusal, "" => "FiCaSchedulerApp.commonCheckContainerAllocation";
    CommitKillable: Refusal, "" => "FiCaSchedulerApp.accept";
    CommitUnreserved: Refusal, "" => "FiCaSchedulerApp.commonCheckContainerAllocation";
    CommitUserLimit: Refusal, "" => "AbstractLeafQueue.accept";
    CommitQueueMaximum: Refusal, "" => "AbstractParentQueue.accept, AbstractLeafQueue.accept";
    CommitConstraint: Refusal, "" => "SingleConstraintAppPlacementAllocator.canAllocate";
    CommitSupported: Refusal, "" => "ResourceScheduler.attemptAllocationOnNode";
    CommitWanted: Refusal, "" => "FiCaSchedulerApp.accept";
    CommitReservation: Refusal, "" => "CapacityScheduler.tryCommit";
    CommitNodeFree: Refusal, "" => "FiCaSchedulerApp.commonCheckContainerAllocation";
    OfferGave: Turn, "" => "CapacityScheduler.allocateContainersToNode, FairScheduler.attemptScheduling", aside;
    TurnUnreserved: Turn, "" => "CapacityScheduler.canAllocateMore, FairScheduler.attemptScheduling", aside;
    MultipleAssignments: Turn, ""
        => "CapacityScheduler.canAllocateMore, FairScheduler.shouldContinueAssigning", aside;
    OffSwitchAssignments: Turn, "" => "CapacityScheduler.canAllocateMore", aside;
    AssignmentsPerHeartbeat: Turn, ""
        => "CapacityScheduler.canAllocateMore, FairScheduler.shouldContinueAssigning", aside;
    HalfOfFreeRoom: Turn, "" => "FairScheduler.shouldContinueAssigning", aside;
    SubmissionTags: Refusal, "" => "ClientRMService.checkTags";
    SubmissionLifetime: Refusal, "" => "RMServerUtils.validateApplicationTimeouts";
    PlacementRule: Refusal, "" => "CSMappingPlacementRule.getPlacementForApp, FairScheduler.addApplication";
    SubmissionQueue: Refusal, ""
        => "CapacityScheduler.addApplication, FairScheduler.addApplication, FifoScheduler.addApplication";
    QueueRunning: Refusal, ""
        => "AbstractLeafQueue.validateSubmitApplication, AbstractParentQueue.validateSubmitApplication";
    SubmitPermission: Refusal, "" => "RMAppManager.createAndPopulateNewRMApp, FairScheduler.checkAccess";
    PriorityPermission: Refusal, "" => "AppPriorityACLsManager.checkAccess";
    SystemApplications: Refusal, "" => "CapacityScheduler.addApplication";
    QueueApplications: Refusal, "" => "AbstractLeafQueue.validateSubmitApplication";
    UserApplications: Refusal, "" => "AbstractLeafQueue.validateSubmitApplication";
    AskSize: Refusal, "" => "SchedulerUtils.validateResourceRequest";
    AskTypes: Refusal, "" => "FairScheduler.allocate";
    AskLabel: Refusal, "" => "SchedulerUtils.validateResourceRequest";
    AskBlacklist: Refusal, "" => "RMServerUtils.validateBlacklistRequest";
    AskRelease: Refusal, "" => "RMServerUtils.validateContainerReleaseRequest";
    ConstraintHandler: Refusal, "" => "DisabledPlacementProcessor, SchedulerPlacementProcessor";
    ConstraintAsk: Refusal, "" => "SingleConstraintAppPlacementAllocator.updatePendingAsk";
    ProcessorPlaced: Refusal, "COULD_NOT_PLACE_ON_NODE" => "PlacementConstraintProcessor.handleRejectedRequests";
    ProcessorCommitted: Refusal, "COULD_NOT_SCHEDULE_ON_NODE"
        => "PlacementConstraintProcessor.handleSchedulingResponse";
    RegisteredSize: Refusal, "" => "ResourceTrackerService.registerNodeManager";
    SettingsValid: Refusal, "" => "CapacityScheduler.reinitialize, AllocationFileLoaderService.reloadAllocations";
    MoveState: Refusal, "" => "ClientRMService.moveApplicationAcrossQueues";
    MoveSupported: Refusal, "" => "YarnScheduler.preValidateMoveApplication";
    MoveLimits: Refusal, "" => "FairScheduler.verifyMoveDoesNotViolateConstraints";
    PriorityChange: Refusal, "" => "FairScheduler.updateApplicationPriority";
    MonitorsOn: Condition, "" => "SchedulingMonitorManager.updateSchedulingMonitors";
    PreemptionListed: Condition, "" => "SchedulingMonitorManager.updateSchedulingMonitors";
    RoundMade: Condition, "" => "SchedulingMonitor.invokePolicy, ProportionalCapacityPreemptionPolicy.editSchedule";
    RoundActs: Condition, "" => "ProportionalCapacityPreemptionPolicy.editSchedule";
    PendingCounted: Condition, "" => "AbstractLeafQueue.getTotalPendingResourcesConsideringUserLimit";
    QueueOwed: Condition, "" => "AbstractPreemptableResourceCalculator.computeFixpointAllocation";
    OthersOwed: Condition, "" => "AbstractPreemptableResourceCalculator.computeFixpointAllocation";
    OverGuarantee: Condition, "" => "PreemptableResourceCalculator.calculateResToObtainByPartitionForLeafQueues";
    QueuePreemptable: Condition, "" => "AbstractCSQueue.getPreemptionDisabled";
    QueueGives: Condition, "" => "TempQueuePerPartition.assignPreemption";
    BeyondDeadZone: Condition, "" => "PreemptableResourceCalculator.calculateResToObtainByPartitionForLeafQueues";
    NaturalTermination: Condition, "" => "PreemptableResourceCalculator.calculateResToObtainByPartitionForLeafQueues";
    ContainersChosen: Condition, "" => "FifoCandidatesSelector.selectCandidates";
    StillWanted: Condition, "" => "FifoCandidatesSelector.selectCandidates";
    KillWait: Condition, "" => "ProportionalCapacityPreemptionPolicy.preemptOrkillSelectedContainerAfterWait";
    ReservationSelector: Condition, "" => "ProportionalCapacityPreemptionPolicy.updateConfigIfNeeded";
    IntraOn: Condition, "" => "ProportionalCapacityPreemptionPolicy.updateConfigIfNeeded";
    IntraLooked: Condition, "" => "IntraQueueCandidatesSelector.computeIntraQueuePreemptionDemand";
    IntraOwed: Condition, "" => "FifoIntraQueuePreemptionPlugin.calculateToBePreemptedResourcePerApp";
    NotYetKillable: Condition, "" => "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain";
    MasterSpared: Condition, ""
        => "FifoCandidatesSelector.preemptAMContainers, IntraQueueCandidatesSelector.preemptFromLeastStarvedApp, FSPreemptionThread.identifyContainersToPreemptForOneContainer";
    SelectorPartition: Condition, "" => "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain";
    RoundBudget: Condition, "" => "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain";
    WantedTypes: Condition, "" => "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain";
    LowersWanted: Condition, "" => "CapacitySchedulerPreemptionUtils.tryPreemptContainerAndDeductResToObtain";
    IntraUserLimit: Condition, "" => "FifoIntraQueuePreemptionPlugin.skipContainerBasedOnIntraQueuePolicy";
    ReservationAge: Condition, "" => "QueuePriorityContainerCandidateSelector.selectCandidates";
    ReservationGuarantee: Condition, "" => "QueuePriorityContainerCandidateSelector.isQueueSatisfied";
    ReservationNeedsRoom: Condition, "" => "ReservedContainerCandidatesSelector.getPreemptionCandidatesOnNode";
    ReservationServable: Condition, ""
        => "ReservedContainerCandidatesSelector.getPreemptionCandidatesOnNode, QueuePriorityContainerCandidateSelector.canPreemptEnoughResourceForAsked";
    IntraThreshold: Condition, "" => "IntraQueueCandidatesSelector.computeIntraQueuePreemptionDemand";
    IntraSeveral: Condition, "" => "FifoIntraQueuePreemptionPlugin.computeAppsIdealAllocation";
    IntraEnabled: Condition, "" => "IntraQueueCandidatesSelector.selectCandidates";
    FairPreemptionOn: Condition, "" => "FairScheduler.shouldAttemptPreemption";
    ClusterBusy: Condition, "" => "FairScheduler.shouldAttemptPreemption";
    StarvationLooked: Condition, "" => "FSLeafQueue.updateStarvedApps";
    BelowShare: Condition, "" => "FSAppAttempt.fairShareStarvation";
    ShareTimeout: Condition, "" => "FSAppAttempt.fairShareStarvation";
    BelowMinimum: Condition, "" => "FSLeafQueue.minShareStarvation";
    MinimumTimeout: Condition, "" => "FSLeafQueue.minShareStarvation";
    StarvedCounted: Condition, "" => "FSAppAttempt.getStarvedResourceRequests";
    VictimsFound: Condition, "" => "FSPreemptionThread.identifyContainersToPreemptForOneContainer";
    FairKillWait: Condition, "" => "FSPreemptionThread.preemptContainers";
    SomebodyStarved: Condition, "" => "FSStarvedApps.take, FSAppAttempt.shouldCheckForStarvation";
    VictimAlive: Condition, "" => "FSPreemptionThread.identifyContainersToPreemptOnNode";
    LeafGives: Condition, "" => "FSAppAttempt.canContainerBePreempted, FSQueue.isPreemptable";
    GiverShare: Condition, "" => "FSAppAttempt.canContainerBePreempted";
    StarvedPlace: Condition, "" => "FSAppAttempt.getStarvedResourceRequests";
    StarvedOnce: Condition, "" => "FSAppAttempt.getStarvedResourceRequests, VisitedResourceRequestTracker.visit";
    StarvedLack: Condition, "" => "FSAppAttempt.getStarvedResourceRequests";
    DependenciesReady: Wait, "" => "Component.areDependenciesReady";
    AffinityOneByOne: Wait, "" => "AppState.reviewOneRole";
    AffinityHost: Wait, "" => "RoleHistory.requestContainerForAARole";
    StandbyHost: Wait, "" => "StandbyContainerManager.checkStandbyConstraints";
    RequestTurn: Wait, "" => "ContainerAllocator.assignResourceRequests";
    RetryDelay: Wait, ""
        => "ContainerProcessManager.getRetryDelay, ResourceRequestState.sendPendingDelayedResourceRequests";
    RetriesLeft: Wait, "" => "ContainerProcessManager.onResourceCompletedWithUnknownStatus";
    PlacementStopped: Wait, "" => "ContainerManager.handleContainerLaunch";
    SlowStart: Wait, "" => "RMContainerAllocator.scheduleReduces";
    ReduceRoom: Wait, "" => "RMContainerAllocator.scheduleReduces";
    AskDue: Wait, "" => "AppState.reviewRequestAndReleaseNodes, AMRMClientImpl.allocate";
    RequestMade: Wait, "" => "AMRMClientImpl.allocate";
    CallTaken: Wait, "" => "ApplicationMasterService.allocate";
    LossAskedAgain: Wait, "" => "AbstractYarnScheduler.recoverResourceRequestForContainer";
    AmCalls: Wait, "" => "AMLivelinessMonitor.expire";
    ProcessStays: Wait, "" => "SlidingWindowRetryPolicy.shouldRetry";
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
