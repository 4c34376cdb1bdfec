//! Each rule in words: three for the picture, a clause on the reason, who decides it, and what would help. All sentences about
//! refusals are here.

use crate::explain::names::Names;
use crate::explain::refusal::RefusalNotice;
use crate::explain::refusal::limit::{LimitOwner, not_running, rules_source, share_text};
use crate::explain::stop::under;
use crate::explain::words;
use heddle_core::config::{check, xml};
use heddle_core::model::Resource;
use heddle_core::rm::{ApplicationsBasis, BadConstraint, RefusalRule, SchedulerChoice, TooLarge};
use heddle_core::scenario::Act;
use heddle_core::sim::Tried;

/// A rule that refused something.
#[derive(Clone, Debug, Default)]
pub struct Rule {
    /// A short form: "AM too large".
    pub short: &'static str,
    /// The reason, for use after a colon, without a full stop: "its AM asks for 20 GB, and the largest node has 8 GB".
    pub because: String,
    /// YARN's classes that decide it.
    pub by: Vec<&'static str>,
    /// What would help, as a sentence; empty if nothing is known.
    pub mend: String,
    /// Whether `because` is in YARN's own words, which do not suit a headline.
    pub raw: bool,
}

/// Returns the rule that refused something. Its classes are the entry point, and those of its check.
pub fn rule(names: Names<'_>, told: &RefusalNotice<'_>) -> Rule {
    let mut rule = figures(names, told);
    // If the words name another class than the entry point, that one makes the check.
    let by_entry = rule.by.iter().all(|by| *by == entry(told));
    if let Some(check) = told.refusal.kind.check().filter(|_| by_entry) {
        rule.by.extend(check.sources(under(names.rm().scheduler())));
    }
    rule
}

/// Returns the entry point of requests for containers.
fn entry(told: &RefusalNotice<'_>) -> &'static str {
    match told.tried {
        Tried::Submission(_) => "RMAppManager.validateAndCreateResourceRequest",
        Tried::Registration(_) | Tried::Call(_) | Tried::Request { .. } | Tried::Node(_) | Tried::Happening(_) => {
            "DefaultAMSProcessor.allocate"
        }
    }
}

fn figures(names: Names<'_>, told: &RefusalNotice<'_>) -> Rule {
    let types = &names.rm().cluster().types;
    let kind_name = |i: &usize| types.names().get(*i).map_or("", |n| words::short_type(n));
    let fair = names.rm().fair().is_some();
    let submit = match names.scenario().settings.scheduler {
        SchedulerChoice::Capacity => "CapacityScheduler.addApplication",
        SchedulerChoice::Fair => "FairScheduler.addApplication",
        SchedulerChoice::Fifo => "FifoScheduler.addApplication",
    };
    let submit = match told.tried {
        Tried::Happening(_) => "CapacityScheduler.preValidateMoveApplication",
        _ => submit,
    };
    let asks = entry(told);
    let said = |short, because: String, by: &[&'static str], mend: &str| Rule {
        short,
        because,
        by: by.to_vec(),
        mend: mend.to_string(),
        raw: false,
    };
    match &*told.refusal.kind {
        RefusalRule::Unnamed | RefusalRule::Unevaluable | RefusalRule::Client | RefusalRule::NotThere => unnamed(told),
        RefusalRule::ByClient(r) => Rule {
            short: "client refuses",
            because: r.words().trim_end_matches('.').to_string(),
            by: Vec::new(),
            mend: r.mend.clone(),
            raw: false,
        },
        RefusalRule::NoNode { attempts } => said(
            "no node found",
            format!("the placement processor found no node in {}", words::count(i64::from(*attempts), "attempt")),
            &[],
            "",
        ),
        RefusalRule::NotCommitted { attempts } => said(
            "not committed",
            format!(
                "the placement processor found nodes, and the scheduler refused the last of {}",
                words::count(i64::from(*attempts), "attempt")
            ),
            &[],
            "",
        ),
        RefusalRule::TooLarge(t) => too_large(names, t, &[asks]),
        RefusalRule::Negative(i) => said(
            "less than nothing",
            format!("it asks for less than nothing of {}", kind_name(i)),
            &[asks],
            "Ask for 0 or more.",
        ),
        RefusalRule::NothingOfType { queue, types } => {
            let list: Vec<&str> = types.iter().map(kind_name).collect();
            let list = words::list(&list, 4);
            said(
                "nothing of that type",
                format!("it asks for {list}, and {queue} may have none"),
                &[if told.tried.app().is_some_and(|_| asks.starts_with("RM")) {
                    submit
                } else {
                    "FairScheduler.allocate"
                }],
                &format!("Let {queue} have some of it (maxResources), or ask without {list}."),
            )
        }
        RefusalRule::LabelsOff { label } => said(
            "labels are off",
            format!("it asks for label {label}, and node labels are switched off"),
            &[asks],
            "Set yarn.node-labels.enabled to true.",
        ),
        RefusalRule::LabelAccess { queue, label, open } => said(
            "no access to the label",
            match open.as_slice() {
                [] => format!("it asks for label {label}, and {queue} has access to no label"),
                open => format!("it asks for label {label}, and {queue} has access to {} only", words::list(open, 4)),
            },
            &[asks],
            &format!("Add {label} to {queue}.accessible-node-labels, and give the queue a capacity there."),
        ),
        RefusalRule::LabelUnknown { label } => {
            let by: &[&'static str] = match told.tried {
                Tried::Submission(_) | Tried::Call(_) => &[asks],
                _ => &["CommonNodeLabelsManager.replaceLabelsOnNode"],
            };
            said(
                "no such label",
                format!("the cluster has no label {label}"),
                by,
                "Name a label that is there, or add it.",
            )
        }
        RefusalRule::SeveralLabels { label } => {
            said("several labels", format!("it names more than one label: {label}"), &[asks], "Name one label.")
        }
        RefusalRule::LabelOnPlace { place } => said(
            "a label for one place",
            format!("it names a label for {place}, and a label goes with * only"),
            &[asks],
            "Leave the label out of the rows for hosts and racks.",
        ),
        RefusalRule::ConstraintsOff => said(
            "constraints are off",
            "it comes with placement constraints, and their handler is switched off".to_string(),
            &["DisabledPlacementProcessor"],
            "Set yarn.resourcemanager.placement-constraints.handler to scheduler or placement-processor.",
        ),
        RefusalRule::ConstraintsUnknown { scheduler } => said(
            "no constraints here",
            format!(
                "it comes with placement constraints, and the {} cannot handle them",
                scheduler.rsplit('.').next().unwrap_or_default()
            ),
            &["SchedulerPlacementProcessor"],
            "Use the CapacityScheduler.",
        ),
        RefusalRule::Constraint(bad) => constraint(*bad),
        RefusalRule::MappingRule => said(
            "no queue for it",
            if fair { "the placement rules give it no queue" } else { "a mapping rule rejects it" }.to_string(),
            &[],
            "Change the rule, or submit it to a queue that the rules allow.",
        ),
        RefusalRule::UnknownQueue { queue } => said(
            "no such queue",
            format!("there is no queue {queue}"),
            &[submit],
            "Submit it to a leaf that is there, or add the queue.",
        ),
        RefusalRule::AmbiguousQueue { queue, paths } => said(
            "ambiguous queue",
            format!("more than one queue is called {queue} ({}): the whole path is needed", words::list(paths, 3)),
            &[submit],
            "Write the whole path of the queue.",
        ),
        RefusalRule::NotALeaf { queue } => said(
            "no leaf queue",
            format!("{queue} is a parent, and applications go to leaf queues"),
            &[submit],
            &leaves_below(names, queue),
        ),
        RefusalRule::BelowLeaf { queue, leaf } => said(
            "below a leaf",
            format!("{queue} is not there and cannot be made: {leaf} is a leaf, and has no queues below it"),
            &[submit],
            &format!("Submit it to {leaf}, or mark that as a parent: type=\"parent\"."),
        ),
        RefusalRule::Policy { queue, made, policy, parent, of_parent } => {
            let child =
                format!("{made} has the policy {policy}, and {parent} with {of_parent} may not have such a child");
            let (forbids, mend) = match (of_parent.as_str(), policy.as_str()) {
                ("fifo", _) => (child, format!("Give {parent} the policy drf: below fifo there are no queues.")),
                (_, "fifo") => (
                    format!("{made} would be a parent of policy fifo, below which there are no queues"),
                    format!("Give {made} the policy {of_parent}."),
                ),
                _ => (child, format!("Give {parent} the policy drf, or {made} that of its parent.")),
            };
            said("policy not allowed", format!("{queue} is not there and cannot be made: {forbids}"), &[submit], &mend)
        }
        RefusalRule::NotCreated { queue, reason } => said(
            "queue cannot be made",
            format!("queue {queue} is not there and cannot be made: {reason}"),
            &[submit],
            "Submit it to a leaf that is there, or let the parent make queues.",
        ),
        RefusalRule::MappingOnly { queue } => said(
            "by mapping only",
            format!("{queue} was made for a mapping rule, and is reached by that only"),
            &[submit],
            "Submit it to the queue `default`, so that the rule places it.",
        ),
        RefusalRule::NotRunning { queue, draining } => {
            let leaf =
                names.rm().queue(queue).and_then(|q| names.rm().queues().get(q.index())).is_some_and(|q| q.is_leaf());
            let by = if leaf {
                "AbstractLeafQueue.validateSubmitApplication"
            } else {
                "AbstractParentQueue.validateSubmitApplication"
            };
            // A queue's state follows its parent's, and it cannot run before the parent does.
            let not_running = not_running(names, queue);
            let above = not_running.iter().find(|other| *other != queue);
            let with = above.map_or(String::new(), |above| format!(", and {above} above it does not run either"));
            let states: Vec<String> = not_running.iter().map(|queue| format!("{queue}.state")).collect();
            said(
                if *draining { "queue DRAINING" } else { "queue STOPPED" },
                match draining {
                    true => format!("{queue} is DRAINING: it finishes what it has and takes nothing new{with}"),
                    false => format!("{queue} is STOPPED and takes no applications{with}"),
                },
                &[by],
                &format!("Set {} to RUNNING and refresh the queues.", words::list(&states, states.len())),
            )
        }
        RefusalRule::Permission { user, queue } => said(
            "not permitted",
            format!("{user} may not submit to {queue}"),
            &[],
            &format!("Name {user}, or a group of {user}, in an ACL of {queue} or of a queue above it."),
        ),
        RefusalRule::Priority { user, priority, queue } => said(
            "priority not permitted",
            format!("{user} may not have priority {priority} in {queue}"),
            &[],
            "Ask for a lower priority, or raise max_priority in acl_application_max_priority.",
        ),
        RefusalRule::SystemApplications { there, maximum } => said(
            "cluster has its most",
            format!("the cluster has {}, and {maximum} is its most", words::count(*there, "application")),
            &[submit],
            "Raise yarn.scheduler.capacity.maximum-applications.",
        ),
        RefusalRule::QueueApplications { queue, there, maximum, basis } => Rule {
            because: queue_applications(queue, *there, *maximum, *basis),
            mend: match basis {
                ApplicationsBasis::Every(_) => "Raise global-queue-max-application.".to_string(),
                _ => format!("Raise {queue}.maximum-applications above {maximum}."),
            },
            ..said("queue has its most", String::new(), &[], "")
        },
        RefusalRule::UserApplications { queue, user, there, maximum, .. } => said(
            "user has the most",
            match there {
                0 => format!("no application of one user is let into {queue}: the most is {maximum}"),
                n => format!(
                    "{user} has {} in {queue}, and {maximum} is the most of one user",
                    words::count(*n, "application")
                ),
            },
            &[],
            &format!("Raise {queue}.user-limit-factor, or {queue}.maximum-applications."),
        ),
        RefusalRule::BlacklistsAll => said(
            "every host blacklisted",
            "it blacklists *, and only hosts and racks can be blacklisted".to_string(),
            &[asks],
            "Name the hosts.",
        ),
        RefusalRule::ForeignContainer => said(
            "not its container",
            "it releases a container of an earlier attempt, and the application does not keep containers".to_string(),
            &[asks],
            "Release only what this attempt was given.",
        ),
        RefusalRule::TooManyTags { most } => said(
            "too many tags",
            format!("it has more than {most} application tags"),
            &[],
            "Take some away, or raise yarn.resourcemanager.application.max-tags.",
        ),
        RefusalRule::TagTooLong { tag, most } => said(
            "tag too long",
            format!("the application tag {tag} has more than {most} characters"),
            &[],
            "Shorten it, or raise yarn.resourcemanager.application.max-tag.length.",
        ),
        RefusalRule::TagNotAscii { tag } => said(
            "tag with other characters",
            format!("the application tag {tag} has characters that are not printable ASCII"),
            &[],
            "Write the tag with ASCII letters, digits and signs.",
        ),
        RefusalRule::QueueUnnamed => said(
            "no queue named",
            "the name of its queue is empty".to_string(),
            &["RMAppManager.placeApplication"],
            "Name a queue; without one YARN takes default.",
        ),
        RefusalRule::Lifetime { seconds } => said(
            "lifetime of nothing",
            format!("its lifetime is {seconds} s, and has to be more than 0"),
            &[],
            "Give it a longer lifetime, or none.",
        ),
        RefusalRule::NodeTooSmall { size, minimum } => {
            let i = usize::from(size.memory_mb() >= minimum.memory_mb());
            said(
                "below the minimum",
                format!(
                    "it has {}, and the smallest container takes {}",
                    words::one(*size, i, types),
                    words::one(*minimum, i, types)
                ),
                &[],
                match i {
                    0 => "Make the node larger, or lower yarn.scheduler.minimum-allocation-mb.",
                    _ => "Make the node larger, or lower yarn.scheduler.minimum-allocation-vcores.",
                },
            )
        }
        RefusalRule::Settings(_) => settings(names, told),
        RefusalRule::NotMovable { state } => {
            said("cannot be moved", format!("an application that is {state} cannot be moved"), &[submit], "")
        }
        RefusalRule::PriorityStays { state } => said(
            "priority stays",
            format!("the priority of an application that is {state} cannot be changed"),
            &["ClientRMService.updateApplicationPriority"],
            "",
        ),
        RefusalRule::NoMoves => said("no moves", "this scheduler moves no applications".to_string(), &[submit], ""),
        RefusalRule::NoPriorities => {
            said("no priorities", "the FairScheduler knows no priorities of applications".to_string(), &[], "")
        }
        RefusalRule::MoveLimit { queue, limit } => said(
            "no room to move",
            format!("{queue} would pass its {limit}"),
            &[],
            &format!("Raise {limit} of {queue}, or move it when less runs there."),
        ),
        RefusalRule::Beyond { most } => said("too many", format!("this simulation takes {most} at most"), &[], ""),
    }
}

/// Returns a rule of which only the words are known, some of them ours.
fn unnamed(told: &RefusalNotice<'_>) -> Rule {
    let line = told.refusal.message.lines().next().unwrap_or("").trim();
    let (short, because, by) = match *told.refusal.kind {
        RefusalRule::NotThere => ("not there", line, vec![]),
        RefusalRule::Client => ("client refuses", line, vec![]),
        RefusalRule::Unevaluable => {
            ("cannot be evaluated", "its constraint could not be evaluated, again and again", vec![])
        }
        _ => ("refused", line, vec![]),
    };
    let raw = *told.refusal.kind == RefusalRule::Unnamed;
    Rule { short, because: because.trim_end_matches('.').to_string(), by, raw, ..Rule::default() }
}

/// Names the type that YARN names first, and the other types that are too large: whoever mended only the first would be refused
/// for the next.
fn too_large(names: Names<'_>, t: &TooLarge, by: &[&'static str]) -> Rule {
    let types = &names.rm().cluster().types;
    let one = |r| words::one(r, t.kind, types);
    let kinds: Vec<usize> = (0..types.len()).filter(|i| *i == t.kind || t.asked[*i] > t.maximum[*i]).collect();
    let others: Vec<usize> = kinds.iter().copied().filter(|i| *i != t.kind).collect();
    let all = |r| words::those(r, &kinds, types);
    let who = if t.am { "its AM asks for" } else { "it asks for containers of" };
    let queue = t.of_queue.as_ref().map_or("", |(queue, _)| queue.as_str());
    let most = one(t.maximum);
    let why = match rules_source(t) {
        LimitOwner::Queue => format!("{queue} allows {most} at most"),
        LimitOwner::Cluster => format!("{most} is the most that may be asked for"),
        LimitOwner::Node => format!("the largest node has {most}"),
    };
    let besides = match others.as_slice() {
        [] => String::new(),
        others => {
            let [asked, most] = [t.asked, t.maximum].map(|r| words::those(r, others, types));
            format!("; besides, it asks for {asked}, and {most} is the most")
        }
    };
    // Everything that is too small has to be raised, not only the smallest limit.
    let small = |r: Resource| kinds.iter().any(|i| r[*i] < t.asked[*i]);
    let mut raise = Vec::new();
    if t.of_queue
        .as_ref()
        .is_some_and(|(_, own)| kinds.iter().any(|i| own[*i] < t.asked[*i] && own[*i] < t.configured[*i]))
    {
        raise.push(format!("{queue}'s maximum allocation"));
    }
    if small(t.configured) {
        raise.push("the cluster's maximum allocation".to_string());
    }
    let (most, asked) = (all(t.maximum), all(t.asked));
    let node = t.largest_node.filter(|n| small(*n)).map(|_| format!("a node with {asked}"));
    let mend = match (raise.is_empty(), node) {
        (true, Some(node)) => format!("Ask for {most} or less, or add {node}."),
        (_, None) => format!("Ask for {most} or less, or raise {} to {asked}.", words::list(&raise, 3)),
        (false, Some(node)) => {
            format!("Ask for {most} or less; or raise {} to {asked} and add {node}.", words::list(&raise, 3))
        }
    };
    Rule {
        short: if t.am { "AM too large" } else { "ask too large" },
        because: format!("{who} {}, and {why}{besides}", one(t.asked)),
        by: by.to_vec(),
        mend,
        raw: false,
    }
}

fn constraint(bad: BadConstraint) -> Rule {
    let single = "SingleConstraintAppPlacementAllocator";
    let (because, by, mend) = match bad {
        BadConstraint::KeyOfResourceRequest => (
            "a request without tags has the same priority and allocation request id",
            "LocalityAppPlacementAllocator",
            "Give one of the two another priority or id.",
        ),
        BadConstraint::KeyOfSchedulingRequest => (
            "a request with tags has the same priority and allocation request id",
            single,
            "Give one of the two another priority or id.",
        ),
        BadConstraint::NotGuaranteed => {
            ("only GUARANTEED containers can have constraints", single, "Ask for GUARANTEED ones.")
        }
        BadConstraint::SeveralPartitions => {
            ("a target names more than one node partition", single, "Name one partition in a target.")
        }
        BadConstraint::NothingToCompare => (
            "it changes a request that came without a constraint, which YARN fails to compare",
            single,
            "Cancel the request first, then send a new one.",
        ),
        BadConstraint::OtherThanCount => (
            "it changes something else than the count of a request with tags",
            single,
            "Cancel the request (count 0) first, then send a new one under another priority or id.",
        ),
        BadConstraint::NegativeCount => ("it asks for less than no container", single, "Ask for 0 or more."),
    };
    Rule { short: "bad request", because: because.to_string(), by: vec![by], mend: mend.to_string(), raw: false }
}

fn queue_applications(queue: &str, there: i64, maximum: i64, basis: ApplicationsBasis) -> String {
    let how = match basis {
        ApplicationsBasis::Own(_) => String::new(),
        ApplicationsBasis::Every(_) => ", as of every queue".to_string(),
        ApplicationsBasis::Share { of, share } => format!(" ({of} × {})", share_text(share)),
        ApplicationsBasis::Nothing => ": it has no share of the cluster".to_string(),
    };
    if maximum <= 0 {
        return format!("{queue} takes no application at all: its most is {}{how}", maximum.max(0));
    }
    format!("{queue} has {}, and {maximum} is its most{how}", words::count(there, "application"))
}

fn leaves_below(names: Names<'_>, queue: &str) -> String {
    let path = names.rm().queue(queue).map_or(queue, |q| names.rm().queue_path(q));
    let rm = names.rm();
    let leaves = rm.queues().iter().filter(|q| q.alive && q.is_leaf()).map(|q| q.path.as_str());
    let of_fair = rm.fair().into_iter().flat_map(|s| s.living()).filter(|q| q.leaf).map(|q| q.path.as_str());
    let is_below = |leaf: &&str| leaf.strip_prefix(path).is_some_and(|rest| rest.starts_with('.'));
    let below: Vec<&str> = leaves.chain(of_fair).filter(is_below).collect();
    if below.is_empty() {
        "Name a leaf.".to_string()
    } else {
        format!("Submit it to {}.", words::list(&below, 3).replace(" and ", " or "))
    }
}

/// Returns the rule about refreshed settings, in the plain words of the file's import report if it has some.
fn settings(names: Names<'_>, told: &RefusalNotice<'_>) -> Rule {
    let scenario = names.scenario();
    let yarn = &told.refusal.message;
    let fair = names.rm().fair().is_some();
    let act = if let Tried::Happening(i) = told.tried { scenario.happenings.get(i).map(|h| &h.act) } else { None };
    let report = match act {
        Some(Act::Refresh { capacity_scheduler, .. }) if !fair => {
            let file = xml::write(capacity_scheduler);
            Some(check::check("scenario", &file, &scenario.settings.yarn_site, &scenario.settings.labels))
        }
        _ => None,
    };
    let plain = report.as_ref().filter(|r| r.refusal.as_ref() == Some(yarn)).and_then(|r| r.plainly());
    let because = plain.map_or(yarn.lines().next().unwrap_or(""), |p| p.what.as_str());
    let mend = plain.map_or(check::mend(told.refusal), |p| p.mend.as_str());
    Rule {
        short: "settings refused",
        because: because.trim_end_matches('.').to_string(),
        by: Vec::new(),
        mend: mend.to_string(),
        raw: because.contains(yarn.as_str()),
    }
}
