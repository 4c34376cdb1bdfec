//! The checks of one place as a pattern, for code that treats all of them alike. A new check must join one of these
//! groups or get an arm of its own in every match; until then nothing compiles.

/// The checks of queues, users, applications and requests, before any node is compared with a request.
#[macro_export]
macro_rules! way_checks {
    () => {
        $crate::check::Check::QueueParallelApps
            | $crate::check::Check::UserParallelApps
            | $crate::check::Check::UserParallelLimitReadable
            | $crate::check::Check::ClusterResources
            | $crate::check::Check::QueueAmLimit
            | $crate::check::Check::UserAmLimit
            | $crate::check::Check::PartitionAccess
            | $crate::check::Check::QueuePending
            | $crate::check::Check::QueueLimit
            | $crate::check::Check::LeafHeadroom
            | $crate::check::Check::MaxResources
            | $crate::check::Check::AppPending
            | $crate::check::Check::UserLimit
            | $crate::check::Check::InDemand
            | $crate::check::Check::AmShare
            | $crate::check::Check::RequestPending
            | $crate::check::Check::RequestKept
            | $crate::check::Check::AmExclusivity
            | $crate::check::Check::ReservationsNeeded
            | $crate::check::Check::Headroom
            | $crate::check::Check::NonPartitionedFirst
            | $crate::check::Check::Constraint
            | $crate::check::Check::ConstraintErrors
            | $crate::check::Check::MaxShare
    };
}

/// The checks when a proposal is committed.
#[macro_export]
macro_rules! commit_checks {
    () => {
        $crate::check::Check::CommitNodeRunning
            | $crate::check::Check::CommitKillable
            | $crate::check::Check::CommitUnreserved
            | $crate::check::Check::CommitUserLimit
            | $crate::check::Check::CommitQueueMaximum
            | $crate::check::Check::CommitConstraint
            | $crate::check::Check::CommitSupported
            | $crate::check::Check::CommitWanted
            | $crate::check::Check::CommitReservation
            | $crate::check::Check::CommitNodeFree
    };
}

/// The checks that end a heartbeat's allocations.
#[macro_export]
macro_rules! turn_checks {
    () => {
        $crate::check::Check::OfferGave
            | $crate::check::Check::TurnUnreserved
            | $crate::check::Check::MultipleAssignments
            | $crate::check::Check::OffSwitchAssignments
            | $crate::check::Check::AssignmentsPerHeartbeat
            | $crate::check::Check::HalfOfFreeRoom
    };
}

/// The checks of the ResourceManager's front door.
#[macro_export]
macro_rules! front_door_checks {
    () => {
        $crate::check::Check::SubmissionTags
            | $crate::check::Check::SubmissionLifetime
            | $crate::check::Check::PlacementRule
            | $crate::check::Check::SubmissionQueue
            | $crate::check::Check::QueueRunning
            | $crate::check::Check::SubmitPermission
            | $crate::check::Check::PriorityPermission
            | $crate::check::Check::SystemApplications
            | $crate::check::Check::QueueApplications
            | $crate::check::Check::UserApplications
            | $crate::check::Check::AskSize
            | $crate::check::Check::AskTypes
            | $crate::check::Check::AskLabel
            | $crate::check::Check::AskBlacklist
            | $crate::check::Check::AskRelease
            | $crate::check::Check::ConstraintHandler
            | $crate::check::Check::ConstraintAsk
            | $crate::check::Check::RegisteredSize
            | $crate::check::Check::SettingsValid
            | $crate::check::Check::MoveState
            | $crate::check::Check::MoveSupported
            | $crate::check::Check::MoveLimits
            | $crate::check::Check::PriorityChange
    };
}

/// The checks of preemption, in a round or for a starved application.
#[macro_export]
macro_rules! preemption_checks {
    () => {
        $crate::check::Check::MonitorsOn
            | $crate::check::Check::PreemptionListed
            | $crate::check::Check::RoundMade
            | $crate::check::Check::RoundActs
            | $crate::check::Check::PendingCounted
            | $crate::check::Check::QueueOwed
            | $crate::check::Check::OthersOwed
            | $crate::check::Check::OverGuarantee
            | $crate::check::Check::QueuePreemptable
            | $crate::check::Check::QueueGives
            | $crate::check::Check::BeyondDeadZone
            | $crate::check::Check::NaturalTermination
            | $crate::check::Check::ContainersChosen
            | $crate::check::Check::StillWanted
            | $crate::check::Check::KillWait
            | $crate::check::Check::ReservationSelector
            | $crate::check::Check::IntraOn
            | $crate::check::Check::IntraLooked
            | $crate::check::Check::IntraOwed
            | $crate::check::Check::FairPreemptionOn
            | $crate::check::Check::ClusterBusy
            | $crate::check::Check::StarvationLooked
            | $crate::check::Check::BelowShare
            | $crate::check::Check::ShareTimeout
            | $crate::check::Check::BelowMinimum
            | $crate::check::Check::MinimumTimeout
            | $crate::check::Check::StarvedCounted
            | $crate::check::Check::VictimsFound
            | $crate::check::Check::FairKillWait
            | $crate::check::Check::SomebodyStarved
            | $crate::check::Check::VictimAlive
            | $crate::check::Check::LeafGives
            | $crate::check::Check::GiverShare
            | $crate::check::Check::NotYetKillable
            | $crate::check::Check::MasterSpared
            | $crate::check::Check::SelectorPartition
            | $crate::check::Check::RoundBudget
            | $crate::check::Check::WantedTypes
            | $crate::check::Check::LowersWanted
            | $crate::check::Check::IntraUserLimit
            | $crate::check::Check::ReservationAge
            | $crate::check::Check::ReservationGuarantee
            | $crate::check::Check::ReservationNeedsRoom
            | $crate::check::Check::ReservationServable
            | $crate::check::Check::IntraThreshold
            | $crate::check::Check::IntraSeveral
            | $crate::check::Check::IntraEnabled
            | $crate::check::Check::StarvedPlace
            | $crate::check::Check::StarvedOnce
            | $crate::check::Check::StarvedLack
    };
}

/// The checks of an ApplicationMaster, for what it wants and does not request from YARN.
#[macro_export]
macro_rules! master_checks {
    () => {
        $crate::check::Check::DependenciesReady
            | $crate::check::Check::AffinityOneByOne
            | $crate::check::Check::AffinityHost
            | $crate::check::Check::StandbyHost
            | $crate::check::Check::RequestTurn
            | $crate::check::Check::RetryDelay
            | $crate::check::Check::RetriesLeft
            | $crate::check::Check::PlacementStopped
            | $crate::check::Check::SlowStart
            | $crate::check::Check::ReduceRoom
            | $crate::check::Check::AskDue
            | $crate::check::Check::RequestMade
            | $crate::check::Check::CallTaken
            | $crate::check::Check::LossAskedAgain
            | $crate::check::Check::AmCalls
            | $crate::check::Check::ProcessStays
    };
}
