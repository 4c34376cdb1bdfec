//! Why a queue, an application, a request or a node was passed over: our words with the numbers, and YARN's.

use crate::explain::names::Names;
use crate::explain::words;
use heddle_core::journal::{
    AppVerdict, CommitRefusal, Entry, Finding, NodeVerdict, QueueVerdict, RequestVerdict, ReservationStop,
};
use heddle_core::model::{AppId, NodeId, Resource};
use heddle_core::scheduler::app::AmLimit;

/// YARN's words where a request does not fit in what its queue may still take.
pub const HEADROOM: &str = "Queue does not have enough headroom for inner highest-priority request";

/// The leaf's words: whose request it was.
pub fn headroom_of(application: &str) -> String {
    format!("{HEADROOM} from {application}")
}

/// What came of a queue, in words; `None` where it is nothing to tell.
pub fn queue_words(names: Names<'_>, path: &str, verdict: &QueueVerdict) -> Option<String> {
    let cluster = names.rm().cluster();
    let text = |r: &Resource| words::counted(*r, cluster.calculator, &cluster.types);
    Some(match verdict {
        QueueVerdict::MaxCapacity { used, limit, maximum } if limit == maximum => {
            format!("{path} uses {}, its maximum is {}.", text(used), text(maximum))
        }
        QueueVerdict::MaxCapacity { used, limit, .. } => {
            format!("{path} uses {}; its parent leaves it {}.", text(used), text(limit))
        }
        QueueVerdict::Headroom { app, need, headroom } => {
            let app = names.app(*app);
            format!("{app} needs {}; {path} may still take {}.", text(need), text(headroom))
        }
        QueueVerdict::NoAccess => format!("{path} may not use this node's label."),
        QueueVerdict::NodeTooFull { free, minimum } | QueueVerdict::NodeBelowMinimum { free, minimum } => {
            format!("The node has {} free, less than the smallest container of {}.", text(free), text(minimum))
        }
        QueueVerdict::NodeReserved => "The node is reserved.".to_string(),
        QueueVerdict::ReReserved => format!("The reservation of {path} stays."),
        QueueVerdict::Accepted | QueueVerdict::NothingBelow | QueueVerdict::NoPending => return None,
    })
}

/// YARN's words for it.
pub fn queue_yarn(verdict: &QueueVerdict) -> &'static str {
    match verdict {
        QueueVerdict::MaxCapacity { .. } => "Queue hits max-capacity limit",
        QueueVerdict::Headroom { .. } => HEADROOM,
        QueueVerdict::NoAccess => "Queue is not able to access partition",
        QueueVerdict::NoPending => "Queue does not need more resource",
        QueueVerdict::NodeReserved => "Queue skipped because node has been reserved",
        QueueVerdict::NodeTooFull { .. } => "Queue skipped because node resource is insufficient",
        QueueVerdict::NodeBelowMinimum { .. } => "Initial check: node resource is insufficient for minimum allocation",
        QueueVerdict::Accepted | QueueVerdict::ReReserved | QueueVerdict::NothingBelow => "",
    }
}

/// What came of an application, in words.
pub fn app_words(names: Names<'_>, app: AppId, verdict: &AppVerdict) -> Option<String> {
    let cluster = names.rm().cluster();
    let text = |r: &Resource| words::counted(*r, cluster.calculator, &cluster.types);
    Some(match verdict {
        AppVerdict::NoPending => return None,
        AppVerdict::QueueMaxCapacity { used, limit } => {
            format!("Its queue uses {} of {}.", text(used), text(limit))
        }
        AppVerdict::UserLimit { used, limit } => {
            let user = names.rm().app(app).map_or("", |a| a.submission.user.as_str());
            let within = cluster.calculator.fits_in(used, limit);
            let kept = if within { " YARN keeps the answer of an earlier check." } else { "" };
            format!("User {user} uses {}, the limit is {}.{kept}", text(used), text(limit))
        }
        AppVerdict::NotInDemand => "What it asks for came after the last update of demand and fair shares.".to_string(),
        AppVerdict::AmShare { asked, used, limit } => format!(
            "AMs of its queue use {}; {} more would pass their limit of {}.",
            text(used),
            text(asked),
            text(limit)
        ),
    })
}

/// YARN's words for it.
pub fn app_yarn(verdict: &AppVerdict) -> &'static str {
    match verdict {
        AppVerdict::NoPending => "Application does not need more resource",
        AppVerdict::QueueMaxCapacity { .. } => "Queue hits max-capacity limit",
        AppVerdict::UserLimit { .. } => "Queue hits user max-capacity limit",
        AppVerdict::NotInDemand => "",
        AppVerdict::AmShare { .. } => "exceeds maximum AM resource allowed",
    }
}

/// YARN's words where an application is not activated.
pub fn activation_yarn(limit: AmLimit) -> &'static str {
    match limit {
        AmLimit::EmptyCluster => "Skipping AM assignment as cluster resource is empty. ",
        AmLimit::Queue => "Queue's AM resource limit exceeded. ",
        AmLimit::User => "User's AM resource limit exceeded. ",
    }
}

/// What came of a request, in words.
pub fn request_words(names: Names<'_>, verdict: &RequestVerdict) -> Option<String> {
    let cluster = names.rm().cluster();
    let text = |r: &Resource| words::counted(*r, cluster.calculator, &cluster.types);
    Some(match verdict {
        RequestVerdict::NoNeed => return None,
        RequestVerdict::Withdrawn => "It was taken back; its reservation goes.".to_string(),
        RequestVerdict::AmIgnoreExclusivity => "An AM does not borrow room of a labelled node.".to_string(),
        RequestVerdict::ReservationAlgorithm { outstanding, reserved, .. } => {
            format!(
                "{reserved} reserved for {outstanding} outstanding: it looks at no other node yet (reservations-continue-look-all-nodes is false)."
            )
        }
        RequestVerdict::Headroom { need, headroom } => {
            format!("Needs {}; its queue may still take {}.", text(need), text(headroom))
        }
        RequestVerdict::NonPartitionedFirst { missed, needed } => {
            format!("Borrows a labelled node after {needed} missed chances; {missed} so far.")
        }
    })
}

/// YARN's words for it.
pub fn request_yarn(verdict: &RequestVerdict) -> &'static str {
    match verdict {
        RequestVerdict::NoNeed => "Request does not need more resource",
        RequestVerdict::Withdrawn => "Request skipped because off-switch request is null",
        RequestVerdict::AmIgnoreExclusivity => "Request skipped in Ignore Exclusivity mode for AM allocation",
        RequestVerdict::ReservationAlgorithm { .. } => "Request skipped based on reservation algo",
        RequestVerdict::Headroom { .. } => HEADROOM,
        RequestVerdict::NonPartitionedFirst { .. } => {
            "Request skipped because non-partitioned resource request should be scheduled to non-partitioned partition first"
        }
    }
}

/// Why the placement processor gave a request up, and the reason that its AM is told.
pub fn rejection_words(placed: bool) -> (&'static str, &'static str) {
    if placed {
        ("a node was found, but the scheduler refused it in the last attempt.", "COULD_NOT_SCHEDULE_ON_NODE")
    } else {
        ("no node was found in the last attempt.", "COULD_NOT_PLACE_ON_NODE")
    }
}

/// Why a proposal was refused when it was to be committed, in words.
pub fn commit_words(names: Names<'_>, why: &CommitRefusal) -> String {
    let cluster = names.rm().cluster();
    let counted = |r: &Resource| words::counted(*r, cluster.calculator, &cluster.types);
    match why {
        CommitRefusal::NodeNotRunning => "The node takes nothing more.".to_string(),
        CommitRefusal::UserLimit { used, limit } => {
            format!("The user uses {}, limit {}.", counted(used), counted(limit))
        }
        CommitRefusal::QueueMaximum { queue, used, asked, maximum } => format!(
            "{} uses {}; {} more would pass its maximum of {}.",
            names.queue(*queue),
            counted(used),
            counted(asked),
            counted(maximum)
        ),
        CommitRefusal::Constraint => "Its placement constraint holds no more.".to_string(),
        CommitRefusal::NotSupported => {
            "Only the CapacityScheduler takes what the placement processor proposes.".to_string()
        }
        CommitRefusal::NodeReserved => "Another application has reserved the node.".to_string(),
        CommitRefusal::KilledAlready => {
            "What was to be killed for it is dead already; its node has not said so.".to_string()
        }
        CommitRefusal::NotWanted => "Nothing more is wanted of it there.".to_string(),
        CommitRefusal::ReservationGone => "Its reservation is gone.".to_string(),
        CommitRefusal::NodeFull { .. } => "It does not fit on the node any more.".to_string(),
    }
}

/// What came of a request on a node, in words.
pub fn node_words(names: Names<'_>, node: NodeId, verdict: &NodeVerdict) -> Option<String> {
    let cluster = names.rm().cluster();
    let host = names.node(node);
    let text = |r: &Resource| words::counted(*r, cluster.calculator, &cluster.types);
    let label = |p| match names.partition(p) {
        "" => "no label".to_string(),
        label => format!("label {label}"),
    };
    Some(match verdict {
        NodeVerdict::Partition { node, required } => {
            format!("Needs a node with {}; {host} has {}.", label(*required), label(*node))
        }
        NodeVerdict::Constraint { .. } => format!("Its placement constraint does not hold on {host}."),
        NodeVerdict::TooManyErrors { errors, .. } => {
            format!("Its placement constraint could not be evaluated {errors} times; it is not tried any more.")
        }
        NodeVerdict::NodeReserved => format!("{host} is reserved."),
        NodeVerdict::Blacklisted { place } => {
            format!("The application has blacklisted {}.", cluster.place_name(*place))
        }
        NodeVerdict::Delay { missed, needed, .. } => {
            format!("Waits for a nearer node: {missed} chances missed, goes further after more than {needed}.")
        }
        NodeVerdict::DelayTime { waited_ms, needed_ms, .. } => {
            let (waited, needed) = (words::span(*waited_ms), words::span(*needed_ms));
            format!("Waits for a nearer node: {waited} at this level, goes further after more than {needed}.")
        }
        NodeVerdict::MaxShare { queue, used, need, maximum } => format!(
            "{} uses {}; {} more would pass its maximum of {}.",
            names.queue(*queue),
            text(used),
            text(need),
            text(maximum)
        ),
        NodeVerdict::NotReserved { need, free, why } => {
            let why = match &**why {
                ReservationStop::NotStarved { used, share } => {
                    let share = words::fair_share(*share, &cluster.types);
                    format!("it uses {}, no less than its fair share of {share}", text(used))
                }
                ReservationStop::TooSmall { threshold } => format!("only {} or more are reserved for", text(threshold)),
                ReservationStop::Promised { promised } => {
                    format!("{} of {host} is promised to it already, which others give up", text(promised))
                }
                ReservationStop::NodeLimit { held, most } => {
                    format!("it has reserved {held} of at most {}", words::count(*most, "node"))
                }
            };
            format!("Needs {}; {host} has {} free. It is not reserved: {why}.", text(need), text(free))
        }
        NodeVerdict::NoRelax { .. } => "It asked for other places only.".to_string(),
        NodeVerdict::NoRow => "No request of it fits this place.".to_string(),
        NodeVerdict::TotalTooSmall { need, total } => {
            format!("Needs {}; {host} has {} in all.", text(need), text(total))
        }
        NodeVerdict::FreeTooSmall { need, free } => format!("Needs {}; {host} has {} free.", text(need), text(free)),
        NodeVerdict::NothingToUnreserve { need } => {
            format!("Would have to give up a reservation of {}, and has none that large.", text(need))
        }
        NodeVerdict::ReReserved { need, free } => {
            format!("Reserved; needs {}, {host} has {} free.", text(need), text(free))
        }
        NodeVerdict::Allocated { .. } | NodeVerdict::Reserved { .. } => return None,
    })
}

/// YARN's words for it.
pub fn node_yarn(verdict: &NodeVerdict) -> &'static str {
    match verdict {
        NodeVerdict::Partition { .. } | NodeVerdict::Constraint { .. } | NodeVerdict::TooManyErrors { .. } => {
            "Node does not match partition or placement constraints"
        }
        NodeVerdict::NodeReserved => "Node has been reserved",
        NodeVerdict::Blacklisted { .. } => "Node is blacklisted",
        NodeVerdict::Delay { .. } => "Node skipped because of off-switch delay",
        NodeVerdict::DelayTime { .. } => "",
        NodeVerdict::MaxShare { .. } => "exceeds current queue or its parents maximum resource allowed",
        NodeVerdict::NotReserved { .. } => {
            "exceeds the available resources of the node and the request cannot be reserved"
        }
        NodeVerdict::NoRelax { .. } => "Node skipped because relax locality is not allowed",
        NodeVerdict::NoRow => "Node skipped because node/rack locality cannot be satisfied",
        NodeVerdict::TotalTooSmall { .. } => "Node's total resource is insufficient for request",
        NodeVerdict::FreeTooSmall { .. } | NodeVerdict::ReReserved { .. } | NodeVerdict::Reserved { .. } => {
            "Node does not have sufficient resource for request"
        }
        NodeVerdict::NothingToUnreserve { .. } => "Node can't find a container to be unreserved when needed",
        NodeVerdict::Allocated { .. } => "",
    }
}

/// A queue, an application or a request that was looked at and asks for nothing on such a node; YARN's words for it.
pub fn wants_nothing<'a>(names: Names<'a>, entry: &Entry) -> Option<(&'a str, &'static str)> {
    match entry {
        Entry::Found(Finding::Queue { queue, verdict: verdict @ QueueVerdict::NoPending }) => {
            Some((names.queue(*queue), queue_yarn(verdict)))
        }
        Entry::Found(Finding::App { app, verdict: verdict @ AppVerdict::NoPending }) => {
            Some((names.app(*app), app_yarn(verdict)))
        }
        Entry::Found(Finding::Request { app, verdict: verdict @ RequestVerdict::NoNeed, .. }) => {
            Some((names.app(*app), request_yarn(verdict)))
        }
        _ => None,
    }
}
