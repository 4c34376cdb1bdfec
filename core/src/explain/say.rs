//! The sentences of "why does it wait", in one place: templates with their cases. What goes into them comes from the record
//! of the decision; nothing is decided here. `**` marks names.

use super::words;

/// Before the first node.
pub const NO_NODE: &str = "No node is registered.";
/// Where the limit of AMs does not bind.
pub const ONE_AM_MAY_START: &str = "Beyond the limit, one AM may start when no other of the queue is active.";
pub const ONE_AM_OF_USER_MAY_START: &str =
    "Beyond the user's limit, one AM may start when no other of the queue is active.";
/// The FairScheduler.
pub const NOT_IN_DEMAND: &str = "It was asked for after the last update of demand; the next update counts it.";

// ---- limits of applications and their masters

pub fn runs_of_at_most(whose: &str, running: i64, maximum: i64) -> String {
    format!("running applications of {whose}: {running}, at most {maximum}")
}

pub fn parallel_stop(whose: &str, running: i64, maximum: i64) -> String {
    format!("{whose} runs {} and may run {maximum} at a time.", words::count(running, "application"))
}

/// `over`: they use more than the limit allows by now.
pub fn am_limit_stop(whose: &str, masters: &[&str], used: &str, asked: &str, limit: &str, over: bool) -> String {
    let who = if masters.is_empty() { String::new() } else { format!(" ({})", words::list(masters, 3)) };
    if over {
        return format!("AMs of {whose}{who} use {used}, more than the limit of {limit}; this one needs {asked}.");
    }
    format!("AMs of {whose}{who} use {used}; {asked} more would pass the limit of {limit}.")
}

/// An application whose AM runs, moved to a queue where that would be one AM too many.
pub fn not_active(app: &str, queue: &str, stop: &str) -> String {
    format!("**{app}** is not active in {queue}, and nothing is placed for it until it is: {stop}")
}

pub fn am_share_stop(leaf: &str, used: &str, asked: &str, limit: &str) -> String {
    format!("AMs of {leaf} use {used}; {asked} more would pass the limit of {limit} (maxAMShare).")
}

pub fn am_share_formula(percent: &str, share: &str) -> String {
    format!("{percent} of its fair share of {share}; of what is free where that is 0")
}

// ---- labels

pub fn no_node_with_label(label: &str) -> String {
    format!("No node has label {label}.")
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

// ---- queues

pub fn queue_max_stop(queue: &str, used: &str, maximum: &str, masters: &str, label: &str) -> String {
    if used == maximum {
        return format!("{queue} uses all of its maximum of {maximum}{label}{masters}.");
    }
    format!("{queue} uses {used}{masters}; its maximum{label} is {maximum}.")
}

pub fn headroom_stop(queue: &str, used: &str, asked: &str, maximum: &str, masters: &str, label: &str) -> String {
    format!("{queue} uses {used}{masters}; {asked} more would pass its maximum of {maximum}{label}.")
}

pub fn larger_than_maximum(queue: &str, label: &str, maximum: &str, ask: &str) -> String {
    format!("{queue} may use at most {maximum}{label}; one container asks for {ask}.")
}

pub fn left_by_parent(queue: &str, used: &str, left: &str, kept: &str) -> String {
    format!("{queue} uses {used}, and its parent leaves it {left} for now{kept}.")
}

pub fn above_is_full(queue: &str, used: &str, reserved: &str) -> String {
    format!("; {queue} uses all of its {used}{reserved}")
}

pub fn parent_leaves(maximum: &str, limit: &str) -> String {
    format!("its maximum is {maximum}; its parent leaves it {limit}")
}

pub fn kept_stop(queue: &str, headroom: &str, need: &str, kept: &str) -> String {
    format!("{queue} may still take {headroom}; the request needs {need}{kept}.")
}

pub fn room_kept(whom: &str) -> String {
    format!("; room is kept for {whom}")
}

pub fn waits_for(queue: &str, app: &str, need: &str) -> String {
    format!("{queue}, where {app} waits for {need}")
}

pub fn headroom_formula(queue: &str, headroom: &str) -> String {
    format!("the least of maximum − used from root to {queue}: {headroom}")
}

pub fn max_share_stop(queue: &str, used: &str, asked: &str, maximum: &str) -> String {
    format!("{queue} uses {used}; {asked} more would pass its maximum of {maximum} (maxResources).")
}

/// "The cluster has", "The nodes of label x have".
pub fn nodes_of(label: &str, labelled: bool) -> String {
    match label {
        "" if labelled => "The nodes without a label have".to_string(),
        "" => "The cluster has".to_string(),
        label => format!("The nodes of label {label} have"),
    }
}

pub fn partition_full(whose: &str, free: &str, total: &str, held: &str, need: &str) -> String {
    format!("{whose} {free} free of {total}{held}; the request needs {need}.")
}

pub fn only_reserved(amount: &str, by: &str) -> String {
    format!(", {amount} of it only reserved{by}")
}

pub fn masters_hold(amount: &str, share: Option<&str>) -> String {
    let share = share.map_or(String::new(), |s| format!(" ({s})"));
    format!(", {amount} of it{share} in ApplicationMasters")
}

// ---- users

pub fn user_limit_stop(user: &str, queue: &str, used: &str, limit: &str) -> String {
    format!("{user} uses {used} in {queue}; the user limit is {limit}.")
}

/// Less is used than the limit by now, and YARN does not notice (`CachedUserLimit`).
pub fn user_stopped_before(user: &str, queue: &str, used: &str, limit: &str) -> String {
    format!(
        "{user} was over the user limit of {queue} when YARN last compared; by now {used} of {limit} are used, but YARN keeps \
         its answer until the queue's limits change."
    )
}

pub const STOPPED_BEFORE: &str = "the answer of an earlier check, which YARN keeps until the queue's limits change";

/// Why more is used than the limit.
pub const CHECKED_BEFORE: &str = "checked before a container is given: the last one may pass it";

pub fn dominant_shares(used: &str, limit: &str) -> String {
    format!("used {used}, limit {limit}: the largest share of the cluster that each takes is compared")
}

pub fn limit_then_and_now(then: &str, now: &str) -> String {
    format!("{then} when the scheduler last looked; by now it would be {now}:")
}

pub fn gives_back(app: &str, amount: &str) -> String {
    format!("without {amount} that {app} has reserved and may give up")
}

// ---- turns

pub fn enough_held(reserved: i64, outstanding: i64) -> String {
    format!(
        "{reserved} of {outstanding} outstanding are reserved: no other node is tried yet (reservations-continue-look-all-nodes is false)."
    )
}

pub fn too_many_errors(errors: i64) -> String {
    format!("Its placement constraint could not be evaluated {errors} times; YARN no longer tries it.")
}

/// `own`: the more urgent request, where it is of the same application; `lent`: the label whose room is lent.
pub fn behind(
    queue: &str,
    app: &str,
    own: Option<crate::model::RequestKey>,
    need: &str,
    headroom: &str,
    lent: &str,
) -> String {
    let whose = if own.is_some() { format!("a more urgent request of **{app}**") } else { format!("**{app}**") };
    let of = if lent.is_empty() { String::new() } else { format!(" of the nodes of label {lent}") };
    format!(
        "{queue} waits for {whose}, which comes first and needs {need}: {queue} may still take {headroom}{of}, and nothing behind \
         it is looked at until that fits."
    )
}

pub fn behind_own(app: &str, priority: i32, host: &str, why: &str) -> String {
    format!(
        "A more urgent request of **{app}**, of priority {priority}, comes first, and this one has no turn while that gets \
         nothing. On **{host}**: {why}"
    )
}

pub fn refused_at_commit(host: &str, why: &str) -> String {
    format!("**{host}** is proposed for it and refused at the commit: {why}")
}

pub fn refused_before(app: &str, host: &str, why: &str) -> String {
    format!(
        "**{app}** comes first; **{host}** is proposed for it, refused at the commit, and the look ends there: {why}"
    )
}

pub fn only_held(hosts: &[&str], why: &str) -> String {
    let verb = if hosts.len() == 1 { "is" } else { "are" };
    let hosts = words::list(&words::bold(hosts), 3);
    format!("{hosts} {verb} held for it, and it is looked at nowhere else: {why}")
}

/// "; **n1** is held for it"
pub fn held_for(hosts: &[&str]) -> String {
    let verb = if hosts.len() == 1 { "is" } else { "are" };
    format!("; {} {verb} held for it", words::list(&words::bold(hosts), 3))
}

/// "; **b** was served first on **n1** at 0:09"
pub fn served_first(app: &str, host: &str, at: &str) -> String {
    format!("; **{app}** was served first on **{host}** at {at}")
}

// ---- nodes

/// The promise is kept: `tests/tests/random.rs` tries it.
pub fn fits_next(hosts: &[&str]) -> String {
    match hosts {
        [one] => format!("**{one}** fits: it is looked at next"),
        _ => format!("{} fit: one of them is looked at next", words::list(&words::bold(hosts), 3)),
    }
}

pub fn all_full(of: usize) -> String {
    if of == 2 { "both nodes are full".to_string() } else { format!("all {of} nodes are full") }
}

/// `other_checks`: there are more than room and this one.
pub fn only_one_comes_near(host: &str, other_checks: bool, has: &str) -> String {
    let rest = if other_checks { "satisfies everything else" } else { "comes near" };
    format!("only **{host}** {rest}, and it {has}")
}

/// "of 5 nodes, 3 are full and **n4** is held for etl"
pub fn of_nodes(of: usize, parts: &[String]) -> String {
    format!("of {of} nodes, {}", words::list(parts, 6))
}

pub fn free_in_pieces(free: &str, of: usize, host: &str, has: &str) -> String {
    format!("{free} are free on {of} nodes in all; the emptiest, **{host}**, {has}")
}

pub fn emptiest(of: usize, host: &str, has: &str) -> String {
    format!("the emptiest of {of} nodes, **{host}**, {has}")
}

/// `kind`: "run zk", "are held for others".
pub fn none_of(of: usize, kind: &str) -> String {
    format!("all {of} nodes {kind}")
}

/// What is said of one node, of several.
pub fn plural(has: &str) -> String {
    let (verb, rest) = has.split_once(' ').unwrap_or((has, ""));
    let verb = match verb {
        "is" => "are",
        "has" => "have",
        "lends" => "lend",
        "cannot" => "cannot",
        other => other,
    };
    if rest.is_empty() { verb.to_string() } else { format!("{verb} {rest}") }
}

/// With a capital letter, but for names.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !text.starts_with("**") => first.to_uppercase().chain(letters).collect(),
        _ => text.to_string(),
    }
}

// ---- what would help

pub fn fair_element(queue: &str, element: &str, value: &str) -> String {
    format!("{element} of {queue} = {value}")
}

pub fn property(name: &str, value: &str) -> String {
    format!("{name} = {value}")
}

/// Changes that are made together.
pub fn together(changes: &[String]) -> String {
    words::list(changes, 8)
}

pub fn whose_ask(app: &str, copies: usize) -> String {
    if copies > 1 { format!("{app} and its {} copies", copies - 1) } else { app.to_string() }
}

pub fn smaller(am: bool, size: &str, whose: &str) -> String {
    if am { format!("An AM of {size} for {whose}") } else { format!("Containers of {size} for {whose}") }
}

pub fn relaxed(whose: &str) -> String {
    format!("relaxLocality = true for {whose}")
}

pub fn unlabelled(whose: &str) -> String {
    format!("No label for {whose}")
}

pub fn without_clause(number: &str, title: &str) -> String {
    format!("Without clause {number} {title}")
}

/// `like`: the node that it is like; `label`: its label, "" for none.
pub fn one_more_node(like: Option<&str>, size: &str, label: &str) -> String {
    let label = if label.is_empty() { String::new() } else { format!(", label {label}") };
    match like {
        Some(like) => format!("One more node like {like} ({size}{label})"),
        None => format!("One more node ({size}{label})"),
    }
}

pub const WAITING: &str = "Waiting";

/// How many of a request are placed by when: `of` in all, `placed` in the end, the last of them at `last`.
fn placed(of: i64, placed: i64, last: &str) -> String {
    match (of, placed) {
        (1, 0) => "It is not placed".to_string(),
        (1, _) => format!("Placed at {last}"),
        (_, 0) => "None is placed".to_string(),
        (2, placed) if placed >= 2 => format!("Both are placed by {last}"),
        (of, placed) if placed >= of => format!("All {of} are placed by {last}"),
        (of, 1) => format!("1 of {of} is placed"),
        (of, placed) => format!("{placed} of {of} are placed"),
    }
}

/// What becomes of a request without a change.
pub fn waiting_effect(of: i64, now: i64, end: i64, last: &str, until: &str) -> String {
    match end {
        end if end >= of => format!("{}.", placed(of, end, last)),
        end if of == 1 || end == 0 || end == now => format!("{}{until}.", placed(of, end, last)),
        end => format!("{}{until}, the last at {last}.", placed(of, end, last)),
    }
}

/// What a change does for a request; `before`: without it, `sooner`: how much sooner the last one comes, where as many
/// come without it.
pub fn help_effect(of: i64, before: i64, after: i64, last: &str, sooner: Option<&str>) -> String {
    let with = placed(of, after, last);
    match sooner {
        Some(span) if after >= of => format!("{with}, {span} sooner."),
        Some(span) => format!("{with}, the last {span} sooner."),
        None if of == 1 => format!("{with}; without it never."),
        None if before == 0 => format!("{with}; without it none."),
        None => format!("{with}, not only {before}."),
    }
}

/// The same where it does not help; `sooner`: by less than counts.
pub fn no_help_effect(of: i64, before: i64, after: i64, last: &str, sooner: bool) -> String {
    match (before, after) {
        (before, after) if after < before => format!("{}; without it {before}.", placed(of, after, last)),
        (_, after) if after >= of && sooner => format!("{}, less than a second sooner.", placed(of, after, last)),
        (_, after) if after >= of => format!("{}, no sooner than without it.", placed(of, after, last)),
        (_, after) => format!("{} either way.", placed(of, after, last)),
    }
}

pub fn at_the_moment(at: &str, before: i64, after: i64) -> String {
    format!(" At {at} {after} instead of {before}.")
}

pub fn compared_up_to(at: &str) -> String {
    format!(" Compared up to {at}.")
}

pub const NOBODY_WORSE: &str = " Nobody is worse off.";

pub fn worse_off(all: &[String]) -> String {
    format!(" But {}.", words::list(all, 3))
}

pub fn others_of(app: &str) -> String {
    format!("what else {app} asks for")
}

pub fn harmed_refused(app: &str, more: i64) -> String {
    format!("**{app}** has {} refused", words::count(more, "request"))
}

pub fn harmed_unstarted(app: &str) -> String {
    format!("**{app}** does not start")
}

pub fn harmed_fewer(app: &str, before: i64, after: i64) -> String {
    format!("**{app}** gets {after} of {}", words::count(before, "container"))
}

pub fn harmed_now(app: &str, at: &str, before: i64, after: i64, later: &str) -> String {
    format!("**{app}** waits up to {later} longer (at {at} it has been given {after} instead of {before})")
}

pub fn harmed_later(app: &str, later: &str) -> String {
    format!("**{app}** waits up to {later} longer")
}

pub fn harmed_master(app: &str, later: &str) -> String {
    format!("the AM of **{app}** waits {later} longer")
}

pub fn harmed_end(app: &str, later: Option<&str>) -> String {
    match later {
        Some(later) => format!("**{app}** ends {later} later"),
        None => format!("**{app}** does not end"),
    }
}
