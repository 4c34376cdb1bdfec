//! Why a check failed: our words with the figures, and YARN's. Each check has one arm, and no other place has words for checks.

use crate::explain::names::Names;
use crate::explain::words;
use heddle_core::check::{About, Amounts, Check, Checked, Failure, Figures};
use heddle_core::journal::{Entry, Finding, VisitEnd};
use heddle_core::model::{NodeId, PartitionId, Resource};
use heddle_core::{commit_checks, front_door_checks, master_checks, preemption_checks, turn_checks};

/// YARN's words for a request that does not fit in its queue's headroom.
pub const HEADROOM: &str = Check::Headroom.row().yarn;

/// The leaf's words, which name the application.
pub fn headroom_of(application: &str) -> String {
    format!("{HEADROOM} from {application}")
}

/// Returns YARN's words for a check that failed.
pub fn yarn(names: Names<'_>, checked: &Checked) -> String {
    // The FairScheduler has no words for a request that it then tries to reserve for.
    if checked.check == Check::NodeFree && names.rm().fair().is_some() {
        return String::new();
    }
    match checked.figures.as_amounts().and_then(|amounts| amounts.app) {
        Some(app) => headroom_of(&names.rm().application_id(app)),
        None => checked.check.row().yarn.to_string(),
    }
}

/// Returns the words for a check that failed, with its figures; empty for checks that other sentences describe.
pub fn failed(names: Names<'_>, checked: &Checked) -> String {
    CheckWords::new(names, checked).words()
}

/// Returns the words for a failure.
pub fn failure(names: Names<'_>, why: &Failure, about: About) -> String {
    failed(names, &why.clone().about(about))
}

/// Returns the heading of a check's link in the chain of limits, and the words for it where it stops a request.
const fn headings(check: Check) -> (&'static str, &'static str) {
    match check {
        Check::QueueParallelApps | Check::UserParallelApps | Check::UserParallelLimitReadable => {
            ("parallel applications", "too many applications")
        }
        Check::ClusterResources => ("cluster", "no nodes"),
        Check::QueueAmLimit => ("AM limit", "AM limit"),
        Check::UserAmLimit => ("user AM limit", "user AM limit"),
        Check::PartitionAccess => ("label", "label not allowed"),
        Check::QueueLimit | Check::MaxResources => ("queue limit", "queue at its limit"),
        Check::UserLimit => ("user limit", "user at its limit"),
        Check::Headroom => ("headroom", "no headroom"),
        Check::InDemand => ("demand", "not counted yet"),
        Check::AmShare => ("AM share", "AM share"),
        Check::MaxShare => ("max share", "queue at its limit"),
        Check::ReservationsNeeded => ("turn", "enough is held"),
        Check::ConstraintErrors => ("turn", "not tried any more"),
        Check::SubmissionTags
        | Check::SubmissionLifetime
        | Check::PlacementRule
        | Check::SubmissionQueue
        | Check::AskTypes
        | Check::AskBlacklist
        | Check::AskRelease
        | Check::ConstraintHandler
        | Check::ConstraintAsk
        | Check::SettingsValid
        | Check::MoveState
        | Check::MoveSupported
        | Check::MoveLimits
        | Check::PriorityChange => ("refusal", "refused"),
        Check::QueueRunning => ("queue state", "queue not RUNNING"),
        Check::SubmitPermission => ("permission", "not permitted"),
        Check::PriorityPermission => ("priority", "priority not permitted"),
        Check::SystemApplications | Check::QueueApplications => ("maximum-applications", "too many applications"),
        Check::UserApplications => ("applications of a user", "too many applications"),
        Check::AskSize => ("maximum allocation", "ask too large"),
        Check::AskLabel => ("label access", "label not allowed"),
        Check::RegisteredSize => ("minimum allocation", "below the minimum"),
        Check::ProcessorPlaced => ("placement", "no node found"),
        Check::MonitorsOn => ("monitor on", "left alone"),
        Check::PreemptionListed => ("policy listed", "left alone"),
        Check::RoundMade => ("round", "left alone"),
        Check::RoundActs => ("observe only", "left alone"),
        Check::PendingCounted => ("pending counted", "left alone"),
        Check::QueueOwed => ("its queue owed", "left alone"),
        Check::OverGuarantee => ("over guarantee", "left alone"),
        Check::QueuePreemptable => ("preemptable", "left alone"),
        Check::QueueGives => ("to give", "left alone"),
        Check::BeyondDeadZone => ("dead zone", "left alone"),
        Check::RoundBudget => ("round cap", "left alone"),
        Check::NaturalTermination => ("natural termination", "left alone"),
        Check::ContainersChosen => ("containers", "left alone"),
        Check::KillWait => ("grace", "left alone"),
        Check::MasterSpared => ("an AM", "left alone"),
        Check::OthersOwed => ("others owed", "left alone"),
        Check::FairPreemptionOn => ("preemption is on", "left alone"),
        Check::ClusterBusy => ("enough of the cluster is used", "left alone"),
        Check::StarvationLooked => ("updates look at the application", "left alone"),
        Check::BelowShare => ("it is below its fair share", "left alone"),
        Check::ShareTimeout => ("for as long as fairSharePreemptionTimeout", "left alone"),
        Check::BelowMinimum => ("its queue is below its minimum share", "left alone"),
        Check::MinimumTimeout => ("for as long as minSharePreemptionTimeout", "left alone"),
        Check::VictimsFound => ("a node can give the room", "left alone"),
        Check::FairKillWait => ("wait before the kill", "left alone"),
        Check::SomebodyStarved => ("a starved application is searched for", "left alone"),
        Check::VictimAlive => ("its node was looked at", "left alone"),
        Check::LeafGives => ("its queue may give", "left alone"),
        Check::GiverShare => ("its application keeps its fair share", "left alone"),
        Check::IntraOn
        | Check::IntraLooked
        | Check::IntraOwed
        | Check::IntraUserLimit
        | Check::IntraThreshold
        | Check::IntraSeveral
        | Check::IntraEnabled => ("within its queue", "left alone"),
        Check::ReservationSelector
        | Check::ReservationAge
        | Check::ReservationGuarantee
        | Check::ReservationNeedsRoom
        | Check::ReservationServable => ("for its reservation", "left alone"),
        Check::StillWanted
        | Check::NotYetKillable
        | Check::SelectorPartition
        | Check::WantedTypes
        | Check::LowersWanted => ("its turn", "left alone"),
        Check::StarvedCounted | Check::StarvedPlace | Check::StarvedOnce | Check::StarvedLack => {
            ("the request counts in the search", "left alone")
        }
        Check::DependenciesReady
        | Check::AffinityOneByOne
        | Check::AffinityHost
        | Check::StandbyHost
        | Check::RequestTurn
        | Check::PlacementStopped
        | Check::SlowStart
        | Check::ReduceRoom => ("not asked yet", "held back by its AM"),
        Check::RetryDelay | Check::AskDue => ("not asked yet", "asked for soon"),
        Check::RequestMade => ("not asked yet", "not asked for"),
        Check::RetriesLeft => ("retries", "given up"),
        Check::CallTaken => ("call", "call refused"),
        Check::LossAskedAgain => ("lost containers", "not asked again"),
        Check::AmCalls => ("AM", "its AM hangs"),
        Check::ProcessStays => ("process", "ends again and again"),
        Check::ProcessorCommitted => ("placement", "not committed"),
        commit_checks!() => ("turn", "refused at commit"),
        Check::NonPartitionedFirst => ("label", "other nodes first"),
        Check::LeafHeadroom | turn_checks!() => ("turn", "behind another"),
        Check::QueuePending | Check::AppPending | Check::RequestPending | Check::RequestKept => {
            ("demand", "nothing wanted")
        }
        Check::NodeUnreserved
        | Check::NodeRoom
        | Check::NodeMinimum
        | Check::AmExclusivity
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
        | Check::ReservableNodes => ("node", "no node fits"),
    }
}

/// Returns the heading of a check's link in the chain of limits: "queue limit".
pub const fn heading(check: Check) -> &'static str {
    headings(check).0
}

/// Returns three words for a check that stops a request: "queue at its limit".
pub fn short(checked: &Checked) -> &'static str {
    let amounts = checked.figures.as_amounts();
    match amounts.filter(|_| checked.check == Check::QueueLimit) {
        Some(limit) if limit.limit.is_zero() && limit.besides().is_none_or(|maximum| maximum.is_zero()) => "no share",
        Some(limit) if is_left_by_parent(limit) => headings(Check::Headroom).1,
        Some(_) | None => headings(checked.check).1,
    }
}

/// Returns three words for a check without its figures.
pub const fn short_of(check: Check) -> &'static str {
    headings(check).1
}

/// Returns whether a queue's limit is what its parent leaves, which is less than its own maximum.
pub fn is_left_by_parent(amounts: &Amounts) -> bool {
    amounts.besides().is_some_and(|maximum| maximum != amounts.limit)
}

/// The inputs of the words for one check.
struct CheckWords<'a> {
    names: Names<'a>,
    checked: &'a Checked,
    used: String,
    asked: String,
    limit: String,
}

impl<'a> CheckWords<'a> {
    fn new(names: Names<'a>, checked: &'a Checked) -> Self {
        let amounts = checked.figures.as_amounts();
        let cluster = names.rm().cluster();
        // Only the figures that decide are shown.
        let deciding = amounts.map_or(Vec::new(), |a| a.deciding(cluster.calculator, &cluster.total));
        let text = |of: fn(&Amounts) -> Resource| {
            amounts.map_or(String::new(), |a| words::those(of(a), &deciding, &cluster.types))
        };
        CheckWords { names, checked, used: text(Amounts::used), asked: text(Amounts::asked), limit: text(|a| a.limit) }
    }

    /// Returns the queue that the limit belongs to, else the application's.
    fn queue(&self) -> &'a str {
        let of_app = || {
            let app = self.checked.about.app()?;
            Some(self.names.rm().scheduled(app)?.queue)
        };
        self.checked.queue().or_else(of_app).map_or("its queue", |queue| self.names.queue(queue))
    }

    fn user(&self) -> &'a str {
        if let About::User(user) = self.checked.about {
            return self.names.rm().cluster().user_name(user);
        }
        let app = self.checked.about.app().and_then(|app| self.names.rm().app(app));
        app.map_or("", |app| app.submission.user.as_str())
    }

    fn host(&self) -> &'a str {
        match self.checked.about {
            About::Node(node) | About::OnNode(_, _, node) => self.names.node(node),
            About::Cluster | About::Queue(_) | About::User(_) | About::App(_) | About::Request(..) => "the node",
        }
    }

    /// Returns the actual and the required number.
    fn counts(&self) -> (i64, i64) {
        self.checked.figures.as_count().unwrap_or_default()
    }

    fn label(&self, partition: PartitionId) -> String {
        match self.names.partition(partition) {
            "" => "no label".to_string(),
            label => format!("label {label}"),
        }
    }

    fn words(&self) -> String {
        let CheckWords { used, asked, limit, .. } = self;
        let host = self.host();
        match self.checked.check {
            Check::QueuePending | Check::AppPending | Check::RequestPending | Check::OfferGave => String::new(),
            Check::QueueParallelApps | Check::UserParallelApps => {
                let (running, most) = self.counts();
                format!("{running} of at most {most} run.")
            }
            Check::UserParallelLimitReadable => "The limit of the user's applications is no number.".to_string(),
            Check::ClusterResources => "The cluster has no nodes.".to_string(),
            Check::QueueAmLimit | Check::UserAmLimit => {
                format!("AMs use {used}; {asked} more would pass the limit of {limit}.")
            }
            Check::PartitionAccess => format!("{} may not use this node's label.", self.queue()),
            Check::NodeUnreserved => "The node is reserved.".to_string(),
            Check::NodeRoom | Check::NodeMinimum => {
                format!("The node has {limit} free, less than the smallest container of {asked}.")
            }
            Check::QueueLimit => self.queue_limit(),
            Check::LeafHeadroom => {
                let app = self.checked.figures.as_amounts().and_then(|amounts| amounts.app);
                let app = app.map_or("An application", |app| self.names.app(app));
                format!("{app} needs {asked}; {} may still take {limit}.", self.queue())
            }
            Check::MaxResources => format!("{} uses {used}, its maximum is {limit}.", self.queue()),
            Check::UserLimit => {
                let cluster = self.names.rm().cluster();
                let amounts = self.checked.figures.as_amounts();
                let within = amounts.is_some_and(|a| cluster.calculator.fits_in(&a.used(), &a.limit));
                let kept = if within { " YARN keeps the answer of an earlier check." } else { "" };
                format!("User {} uses {used}, the limit is {limit}.{kept}", self.user())
            }
            Check::InDemand => "What it asks for came after the last update of demand and fair shares.".to_string(),
            Check::AmShare => {
                format!("AMs of its queue use {used}; {asked} more would pass their limit of {limit}.")
            }
            Check::RequestKept => "It was taken back; its reservation goes.".to_string(),
            Check::AmExclusivity => "An AM does not borrow room of a labelled node.".to_string(),
            Check::ReservationsNeeded => self.reservations(),
            Check::Headroom => format!("Needs {asked}; its queue may still take {limit}."),
            Check::NonPartitionedFirst => {
                let (missed, needed) = self.counts();
                format!("Borrows a labelled node after {needed} missed chances; {missed} so far.")
            }
            Check::NodePartition => self.partition(),
            Check::Constraint => format!("Its placement constraint does not hold on {host}."),
            Check::ConstraintErrors => {
                let (errors, _) = self.counts();
                format!("Its placement constraint could not be evaluated {errors} times; it is not tried any more.")
            }
            Check::CandidateUnreserved => format!("{host} is reserved."),
            Check::Blacklist => self.blacklist(),
            Check::LocalityDelay | Check::LocalityDelayTime => self.delay(),
            Check::MaxShare => {
                format!("{} uses {used}; {asked} more would pass its maximum of {limit}.", self.queue())
            }
            Check::RelaxLocality => "It asked for other places only.".to_string(),
            Check::LocalityRow => "No request of it fits this place.".to_string(),
            Check::NodeTotal => format!("Needs {asked}; {host} has {limit} in all."),
            Check::NodeFree => format!("Needs {asked}; {host} has {limit} free."),
            Check::Unreserve => self.give_up(),
            Check::BelowFairShare => {
                let types = &self.names.rm().cluster().types;
                let share = self.checked.figures.as_amounts().map_or(Resource::ZERO, |amounts| amounts.limit);
                let share = words::fair_share(share, types);
                format!(
                    "{host} has too little room and is not reserved: it uses {used}, no less than its fair share of {share}."
                )
            }
            Check::ReservationThreshold => {
                format!("{host} has too little room and is not reserved: only {limit} or more are reserved for.")
            }
            Check::RoomNotPromised => {
                format!(
                    "{host} has too little room and is not reserved: {asked} of it is promised to it already, which others give up."
                )
            }
            Check::ReservableNodes => {
                let (held, most) = self.counts();
                format!(
                    "{host} has too little room and is not reserved: it has reserved {held} of at most {}.",
                    words::count(most, "node")
                )
            }
            Check::CommitNodeRunning => "The node takes nothing more.".to_string(),
            Check::CommitKillable => {
                "What was to be killed for it is dead already; its node has not said so.".to_string()
            }
            Check::CommitUnreserved => "Another application has reserved the node.".to_string(),
            Check::CommitUserLimit => format!("The user uses {used}, limit {limit}."),
            Check::CommitQueueMaximum => {
                format!("{} uses {used}; {asked} more would pass its maximum of {limit}.", self.queue())
            }
            Check::CommitConstraint => "Its placement constraint holds no more.".to_string(),
            Check::CommitSupported => {
                "Only the CapacityScheduler takes what the placement processor proposes.".to_string()
            }
            Check::CommitWanted => "Nothing more is wanted of it there.".to_string(),
            Check::CommitReservation => "Its reservation is gone.".to_string(),
            Check::CommitNodeFree => "It does not fit on the node any more.".to_string(),
            Check::TurnUnreserved => "a node that is reserved is offered to nobody else".to_string(),
            Check::MultipleAssignments => {
                let key =
                    if self.names.rm().fair().is_some() { "assignmultiple" } else { "multiple-assignments-enabled" };
                format!("a heartbeat gives 1 container ({key} is false)")
            }
            Check::OffSwitchAssignments => {
                let (_, most) = self.counts();
                format!(
                    "a heartbeat gives {} (maximum-offswitch-assignments)",
                    words::count(most, "off-switch container")
                )
            }
            Check::AssignmentsPerHeartbeat => {
                let (_, most) = self.counts();
                let key = if self.names.rm().fair().is_some() { "max.assign" } else { "maximum-container-assignments" };
                format!("a heartbeat gives {} ({key})", words::count(most, "container"))
            }
            Check::HalfOfFreeRoom => {
                format!("a heartbeat gives no more than half of the free room, {limit} (dynamic.max.assign)")
            }
            Check::ProcessorPlaced => "no node was found in the last attempt.".to_string(),
            Check::ProcessorCommitted => {
                "a node was found, but the scheduler refused it in the last attempt.".to_string()
            }
            // A refusal is described with the figures of its rule (`say::refusals`).
            front_door_checks!() => String::new(),
            // Described with the figures of the round (`say::preemption`, `say::ledger`).
            preemption_checks!() => String::new(),
            // Described in the words of each kind of application (`crate::apps`).
            master_checks!() => String::new(),
        }
    }

    fn queue_limit(&self) -> String {
        let CheckWords { used, limit, .. } = self;
        let amounts = self.checked.figures.as_amounts();
        let own = amounts.is_none_or(|a| a.besides().is_none_or(|maximum| maximum == a.limit));
        match self.checked.about {
            About::App(_) => format!("Its queue uses {used} of {limit}."),
            _ if own => format!("{} uses {used}, its maximum is {limit}.", self.queue()),
            _ => format!("{} uses {used}; its parent leaves it {limit}.", self.queue()),
        }
    }

    fn reservations(&self) -> String {
        let Figures::Reservations { outstanding, reserved, .. } = self.checked.figures else { return String::new() };
        format!(
            "{reserved} reserved for {outstanding} outstanding: it looks at no other node yet (reservations-continue-look-all-nodes is false)."
        )
    }

    fn give_up(&self) -> String {
        let Figures::GiveUp { amount, fails } = &self.checked.figures else { return String::new() };
        let cluster = self.names.rm().cluster();
        let amount = words::counted(*amount, cluster.calculator, &cluster.types);
        let why = if let Figures::Reservations { outstanding, reserved, .. } = fails.figures {
            format!("{reserved} reserved for {outstanding} outstanding.")
        } else {
            failure(self.names, fails, self.checked.about)
        };
        format!("{why} A reservation of {amount} would have to be given up, and none is that large.")
    }

    fn partition(&self) -> String {
        let Figures::Partition { node, required } = self.checked.figures else { return String::new() };
        format!("Needs a node with {}; {} has {}.", self.label(required), self.host(), self.label(node))
    }

    fn blacklist(&self) -> String {
        let Figures::Place(place) = self.checked.figures else { return String::new() };
        format!("The application has blacklisted {}.", self.names.rm().cluster().place_name(place))
    }

    fn delay(&self) -> String {
        match self.checked.figures {
            Figures::Missed { missed, needed, .. } => {
                format!("Waits for a nearer node: {missed} chances missed, goes further after more than {needed}.")
            }
            Figures::Waited { waited_ms, needed_ms, .. } => {
                let (waited, needed) = (words::span(waited_ms), words::span(needed_ms));
                format!("Waits for a nearer node: {waited} at this level, goes further after more than {needed}.")
            }
            _ => String::new(),
        }
    }
}

/// Returns the words for a reservation that was retried and stays.
pub fn kept(names: Names<'_>, about: About, end: VisitEnd) -> Option<String> {
    let VisitEnd::ReReserved { need, free } = end else { return None };
    Some(match about {
        About::Queue(queue) => format!("The reservation of {} stays.", names.queue(queue)),
        About::OnNode(_, _, node) => reserved(names, node, need, free),
        About::Cluster | About::Node(_) | About::User(_) | About::App(_) | About::Request(..) => return None,
    })
}

/// Returns the words for a node that is reserved because the container does not fit.
pub fn reserved(names: Names<'_>, node: NodeId, need: Resource, free: Resource) -> String {
    let cluster = names.rm().cluster();
    let text = |r: Resource| words::counted(r, cluster.calculator, &cluster.types);
    format!("Reserved; needs {}, {} has {} free.", text(need), names.node(node), text(free))
}

/// Returns a queue or an application that has nothing pending for the offered node, with YARN's words.
pub fn wants_nothing<'a>(names: Names<'a>, entry: &Entry) -> Option<(&'a str, &'static str)> {
    let Entry::Found(Finding::Checked(checked)) = entry else { return None };
    if !checked.fails() || !matches!(checked.check, Check::QueuePending | Check::AppPending | Check::RequestPending) {
        return None;
    }
    let name = match checked.about {
        About::Queue(queue) => names.queue(queue),
        about => names.app(about.app()?),
    };
    Some((name, checked.check.row().yarn))
}
