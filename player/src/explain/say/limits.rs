//! The limits in the order of their checks: parallel applications, ApplicationMasters, labels, queues, users.

use crate::explain::words;

/// The heading of the chain's last link.
pub const NODE: &str = "node";
pub const NO_RESOURCES: &str = "The nodes have no resources.";
/// The note about a limit of AMs that does not bind.
pub const ONE_AM_MAY_START: &str = "Beyond the limit, one AM may start when no other of the queue is active.";
pub const ONE_AM_OF_USER_MAY_START: &str =
    "Beyond the user's limit, one AM may start when no other of the queue is active.";
/// Under the FairScheduler.
pub const NOT_IN_DEMAND: &str = "It was asked for after the last update of demand; the next update counts it.";

pub fn runs_of_at_most(whose: &str, running: i64, maximum: i64) -> String {
    format!("running applications of {whose}: {running}, at most {maximum}")
}

/// The FairScheduler reports this in an application's diagnostics, the CapacityScheduler does not.
pub const HELD_BACK_SILENTLY: &str = "YARN's diagnostics of an application that waits for it are empty.";

/// `name`: the queue or the user.
pub fn parallel_stop(name: &str, running: i64, maximum: i64) -> String {
    format!("{name} runs {} and may run {maximum} at a time.", words::count(running, "application"))
}

/// " on label x"
pub fn on_label(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!(" on label {label}") }
}

pub const WITHOUT_LABEL: &str = " without a label";

/// `over`: the AMs use more than the limit now allows.
pub fn am_limit_stop(whose: &str, masters: &[&str], used: &str, asked: &str, limit: &str, over: bool) -> String {
    let who = if masters.is_empty() { String::new() } else { format!(" ({})", words::list(masters, 3)) };
    if over {
        return format!("AMs of {whose}{who} use {used}, more than the limit of {limit}; this one needs {asked}.");
    }
    format!("AMs of {whose}{who} use {used}; {asked} more would pass the limit of {limit}.")
}

/// Describes an AM that would fit by now, which YARN has not looked at.
pub fn fits_unasked(queue: &str, used: &str, asked: &str, limit: &str) -> String {
    format!(
        "AMs of {queue} use {used} of {limit}, so {asked} more fits, but YARN has not looked since: it does when an application of {queue} comes or ends, or a node joins."
    )
}

/// Describes an application with a running AM that was moved to a queue where this is one AM too many.
pub fn not_active(app: &str, queue: &str, stop: &str) -> String {
    format!("**{app}** is not active in {queue}, and nothing is placed for it until it is: {stop}")
}

/// `part`: "50 %"; `share`: the fair share that it is a part of.
pub fn am_share_stop(leaf: &str, used: &str, asked: &str, limit: &str, part: &str, share: &str) -> String {
    format!(
        "AMs of {leaf} use {used}; {asked} more would pass the limit of {limit} (maxAMShare: {part} of its fair share of {share})."
    )
}

/// Describes a limit in types of which the policy gives the queue no share. `weightless`: the queue whose weight of 0 leaves it
/// none.
pub fn am_share_of_free(
    leaf: &str,
    used: &str,
    asked: &str,
    limit: &str,
    types: &str,
    weightless: Option<&str>,
) -> String {
    let weight = match weightless {
        Some(queue) if queue == leaf => " (its weight is 0)".to_string(),
        Some(queue) => format!(" (the weight of {queue} is 0)"),
        None => String::new(),
    };
    format!(
        "AMs of {leaf} use {used}; {asked} more would pass the limit of {limit}: {leaf} has no share of {types}{weight}, so \
         maxAMShare counts what is free."
    )
}

pub fn am_share_formula(percent: &str, share: &str) -> String {
    format!("{percent} of its fair share of {share}; of what is free where that is 0")
}

pub fn no_node_with_label(label: &str) -> String {
    format!("No node has label {label}.")
}

/// `away`: "d1 has been unhealthy since 0:30 and takes nothing"
pub fn nodes_with_label_away(label: &str, away: &str) -> String {
    format!("No node with label {label} is there: {away}.")
}

pub fn label_forbidden(queue: &str, label: &str) -> String {
    format!("{queue} may not use label {label}.")
}

pub fn no_share_of_label(queue: &str, label: &str) -> String {
    format!("{queue} has no share of label {label}: its maximum there is 0 %.")
}

pub fn lends(label: &str, free: &str) -> String {
    format!(" Label {label} lends its idle room and has {free} free.")
}

pub fn lends_not_to_masters(label: &str) -> String {
    format!(" Label {label} lends its idle room, but not to ApplicationMasters.")
}

pub fn borrows_after(needed: i64, missed: i64) -> String {
    format!(" A request borrows after {needed} missed chances, one for each node; this one has missed {missed}.")
}

pub fn queue_max_stop(queue: &str, used: &str, maximum: &str, masters: &str, label: &str) -> String {
    if used == maximum {
        return format!("{queue} uses all of its maximum of {maximum}{label}{masters}.");
    }
    format!("{queue} uses {used}{masters}; its maximum{label} is {maximum}.")
}

/// ` of label x`, if there is a label.
pub fn of_label(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!(" of label {label}") }
}

/// `beside`: the parts of the usage that AMs have, and that are only reserved.
pub fn headroom_stop(queue: &str, used: &str, asked: &str, maximum: &str, beside: &str, label: &str) -> String {
    format!("{queue} uses {used}{beside}; {asked} more would pass its maximum of {maximum}{label}.")
}

pub fn larger_than_maximum(queue: &str, label: &str, maximum: &str, ask: &str) -> String {
    format!("{queue} may use at most {maximum}{label}; one container asks for {ask}.")
}

pub fn left_by_parent(queue: &str, used: &str, left: &str, above: &str) -> String {
    format!("{queue} uses {used}, and its parent leaves it {left} for now{above}.")
}

/// `used` may exceed the maximum, which shrinks with the cluster.
pub fn above_is_full(queue: &str, used: &str, maximum: &str, reserved: &str) -> String {
    if used == maximum {
        return format!("; {queue} uses all of its {used}{reserved}");
    }
    format!("; {queue} uses {used} of its {maximum}{reserved}")
}

/// The queue that has the most of a full queue.
pub fn of_it_in(amount: &str, queue: &str) -> String {
    format!(", {amount} of it in {queue}")
}

/// An ancestor whose maximum leaves less than the request needs.
pub fn above_has_too_little(queue: &str, used: &str, maximum: &str, reserved: &str) -> String {
    format!("; {queue} uses {used} of its maximum of {maximum}{reserved}")
}

pub fn parent_leaves(maximum: &str, limit: &str) -> String {
    format!("its maximum is {maximum}; its parent leaves it {limit}")
}

pub fn kept_stop(queue: &str, headroom: &str, need: &str) -> String {
    format!("{queue} may still take {headroom}; the request needs {need}.")
}

pub fn owing_stop(queue: &str, over: &str) -> String {
    format!("{queue} uses {over} more than there is for it, so it gets nothing, not even what needs none.")
}

pub fn room_kept(whom: &str) -> String {
    format!("Room is kept for {whom}")
}

/// What stops a request because of blocked headroom: "Room is kept for root.b, where big waits for 7 GB: root.a uses 10 GB, …"
pub fn after_kept(kept: &str, stop: &str) -> String {
    if kept.is_empty() { stop.to_string() } else { format!("{kept}: {stop}") }
}

pub fn waits_for(queue: &str, app: &str, need: &str) -> String {
    format!("{queue}, where {app} waits for {need}")
}

pub fn headroom_formula(queue: &str, headroom: &str) -> String {
    format!("the least of maximum − used from root to {queue}: {headroom}")
}

/// The element that sets the maximum, and the queue it belongs to, if not this one; `beside`: the part that AMs have.
pub fn max_share_stop(
    queue: &str,
    (used, beside): (&str, &str),
    asked: &str,
    maximum: &str,
    (element, of): (&str, Option<&str>),
) -> String {
    let of = of.map_or(String::new(), |of| format!(" of {of}"));
    format!("{queue} uses {used}{beside}; {asked} more would pass its maximum of {maximum} ({element}{of}).")
}

/// Describes a queue that now has more than its maximum.
pub fn max_resources_stop(queue: &str, used: &str, maximum: &str, (element, of): (&str, Option<&str>)) -> String {
    let of = of.map_or(String::new(), |of| format!(" of {of}"));
    format!("{queue} uses {used}, more than its maximum of {maximum} ({element}{of}), and is passed over.")
}

/// "The cluster has", "The nodes of label x have".
pub fn nodes_of(label: &str, labelled: bool) -> String {
    match label {
        "" if labelled => "The nodes without a label have".to_string(),
        "" => "The cluster has".to_string(),
        label => format!("The nodes of label {label} have"),
    }
}

/// "The cluster has 2 GB free of 48 GB"
pub fn partition_full(whose: &str, free: &str, total: &str, masters: &str) -> String {
    format!("{whose} {free} free of {total}{masters}")
}

pub fn needs_more(has: &str, need: &str) -> String {
    format!("{has}; the request needs {need}.")
}

/// `nowhere`: without the reservations, it would find no node either.
pub fn needs_more_than_reserved(has: &str, reserved: &str, whose: &[String], need: &str, nowhere: bool) -> String {
    let nowhere = if nowhere { ", and no node has that much free" } else { "" };
    let has = format!("{has}, but {reserved} is reserved{}", reserved_by(whose));
    needs_more(&has, &format!("{need}{nowhere}"))
}

/// `whose`: "left-2 on n1".
pub fn only_reserved(amount: &str, whose: &[String]) -> String {
    format!(", {amount} of it only reserved{}", reserved_by(whose))
}

fn reserved_by(whose: &[String]) -> String {
    if whose.is_empty() { String::new() } else { format!(" ({})", words::list(whose, 3)) }
}

pub fn on_host(what: &str, host: &str) -> String {
    format!("{what} on {host}")
}

// ---- short texts of the chain's links

pub const NOT_REACHED: &str = "not reached";

/// "would stop it too, 16 ≥ 16": a limit that an earlier one hides.
pub fn would_stop(figures: &str) -> String {
    format!("would stop it too, {figures}")
}

pub const ALL_NODES: &str = "all nodes";
pub const NO_NODES: &str = "0 nodes";
pub const WAITS: &str = "waits";

/// "alice in root.a"
pub fn in_queue(user: &str, queue: &str) -> String {
    format!("{user} in {queue}")
}

pub fn user(name: &str) -> String {
    format!("user {name}")
}

/// "1 + 1 > 1"
pub fn one_more(there: i64, maximum: i64) -> String {
    format!("{there} + 1 > {maximum}")
}

/// "4 + 2 > 5", "20 > 8"; the requested or the used amount may be missing.
pub fn compared(used: &str, asked: Option<&str>, sign: &str, limit: &str) -> String {
    match asked {
        Some(asked) => format!("{used} + {asked} {sign} {limit}"),
        None => format!("{used} {sign} {limit}"),
    }
}

pub fn nodes_with_label(label: &str) -> String {
    format!("nodes with label {label}")
}

pub fn may_use(may: bool) -> &'static str {
    if may { "may use it" } else { "may not use it" }
}

pub fn may_use_share(percent: &str) -> String {
    format!("may use {percent} of it")
}

pub fn reserved_of(reserved: i64, outstanding: i64) -> String {
    format!("{reserved} of {outstanding} reserved")
}

pub fn failed_evaluations(errors: impl std::fmt::Display) -> String {
    format!("{errors} failed evaluations")
}

pub fn updated_every(span: &str) -> String {
    format!("updated every {span}")
}

pub fn fit_of(fits: usize, nodes: usize) -> String {
    format!("{fits} of {}", words::count(nodes as i64, "node"))
}

pub fn masters_hold(amount: &str, share: Option<&str>) -> String {
    let share = share.map_or(String::new(), |s| format!(" ({s})"));
    format!(", {amount} of it{share} in ApplicationMasters")
}

pub fn user_limit_stop(user: &str, queue: &str, used: &str, limit: &str) -> String {
    format!("{user} uses {used} in {queue}; the user limit is {limit}.")
}

/// A limit that fell below what the user already had within it; `until`: when it fell.
pub fn user_limit_was(user: &str, queue: &str, limit: &str, until: &str) -> String {
    format!("The user limit of {user} in {queue} was {limit} until {until}.")
}

/// The usage is now below the limit, and YARN does not notice (`CachedUserLimit`).
pub fn user_stopped_before(user: &str, queue: &str, used: &str, limit: &str) -> String {
    format!(
        "{user} was over the user limit of {queue} when YARN last compared; by now {used} of {limit} are used, but YARN keeps \
         its answer until the queue's limits change."
    )
}

pub const STOPPED_BEFORE: &str = "the answer of an earlier check, which YARN keeps until the queue's limits change";

/// Why the usage exceeds the limit.
pub const CHECKED_BEFORE: &str = "checked before a container is given: the last one may pass it";

/// `equal`: the larger shares, which are equal in both.
pub fn dominant_shares(used: &str, limit: &str, equal: &[String]) -> String {
    let which = match equal {
        [] => "the largest share of the cluster that each takes is compared".to_string(),
        [one] => format!("the largest share of the cluster is {one} of both, so the next one is compared"),
        all => {
            format!("the larger shares of the cluster are {} of both, so the next one is compared", words::list(all, 4))
        }
    };
    format!("used {used}, limit {limit}: {which}")
}

pub fn limit_then_and_now(then: &str, now: &str) -> String {
    format!("{then} when the scheduler last looked; by now it would be {now}:")
}

/// The usage at the check that the figures are from, and now.
pub fn used_then_and_now(then: &str, now: &str) -> String {
    format!("{then} was used when the scheduler last looked; by now {now} is")
}

/// A quirk of YARN on nodes with a label.
pub const COMPARED_WITHOUT_LABEL: &str =
    "where reservations may be given up, YARN compares what the user uses on nodes without a label, on other nodes too";

pub fn gives_back(app: &str, amount: &str) -> String {
    format!("without {amount} that {app} has reserved and may give up")
}
