//! What a request needs and what the nodes have, who comes first, and its state in the placement processor.

use crate::explain::checks::NodeCheck;
use crate::explain::words;
use heddle_core::constraint::Scope;

pub const NEEDS_A_NODE: &str = "Needs a node.";
/// "no node takes containers: **n1** and **n2** have been unhealthy since 0:40, **n3** has been lost since 10:00"
pub fn none_takes(states: &[(String, Vec<&str>)]) -> String {
    let each = states.iter().map(|(has, hosts)| nodes_have(hosts, &[has]));
    format!("no node takes containers: {}", each.collect::<Vec<_>>().join(", "))
}

/// "; **n3** has been unhealthy since 0:40 and takes nothing"
pub fn takes_nothing(hosts: &[&str], has: &str) -> String {
    let takes = if hosts.len() == 1 { "takes" } else { "take" };
    format!("; {} and {takes} nothing", nodes_have(hosts, &[has]))
}

/// "; 5 others take nothing: 3 lost, 2 unhealthy"
pub fn others_take_nothing(states: &[(&str, usize)]) -> String {
    let all: usize = states.iter().map(|(_, n)| n).sum();
    let each: Vec<String> = states.iter().map(|(state, n)| format!("{n} {state}")).collect();
    format!("; {all} others take nothing: {}", each.join(", "))
}

pub const NO_NODE_REGISTERED: &str = "no node is registered";

pub fn needs(what: &str) -> String {
    format!("Needs {what}.")
}

/// `wanted`: "without zk", "with 2 GB free".
pub fn needs_a_node(wanted: &[String]) -> String {
    format!("Needs a node {}.", words::list(wanted, 8))
}

/// Joins two sentences.
pub fn then(first: &str, second: &str) -> String {
    format!("{first} {second}")
}

pub fn full_stop(clause: &str) -> String {
    format!("{clause}.")
}

/// Names applications that a limit of parallel applications counts although they have no AM yet.
pub fn counts_and_waits(apps: &[&str]) -> String {
    let who = words::list(&words::bold(apps), 3);
    match apps.len() {
        1 => format!("{who} counts as running, and waits for its AM itself"),
        _ => format!("{who} count as running, and wait for their AMs themselves"),
    }
}

/// "**root.svc** gives label ssd to requests that name none (default-node-label-expression)."
pub fn gives_label(queue: &str, label: &str) -> String {
    format!("**{queue}** gives label {label} to requests that name none (default-node-label-expression).")
}

/// "; besides, all 4 nodes are full", after the check that stops it first.
pub fn besides(why: &str) -> String {
    format!("; besides, {why}")
}

/// "; besides, root.a uses all of its maximum of 16 GB, and all 4 nodes are full"
pub fn besides_both(limit: &str, nodes: &str) -> String {
    besides(&format!("{limit}, and {nodes}"))
}

/// "; maximum-capacity was set to 50 by the refresh at 0:40"
pub fn set_by_refresh(property: &str, value: &str, at: &str) -> String {
    let value = if value.trim().is_empty() { "nothing" } else { value };
    format!("; {property} was set to {value} by the refresh at {at}")
}

/// `written`: the scheduler finds the file by itself, without a refresh.
pub fn set_by_file(element: &str, value: &str, at: &str, written: bool) -> String {
    let by = if written { "the file written" } else { "the refresh" };
    format!("; {element} was set to {value} by {by} at {at}")
}

/// "; **nightly** has 12 GB of 16 GB"
pub fn has_most(app: &str, used: &str, of: &str) -> String {
    format!("; **{app}** has {used} of {of}")
}

/// "; ApplicationMasters have 14 GB of 16 GB"
pub fn masters_have_most(used: &str, of: &str) -> String {
    format!("; ApplicationMasters have {used} of {of}")
}

/// "; **fill** has 7 GB of 8 GB on **n2**"
pub fn has_most_on(app: &str, used: &str, of: &str, hosts: &[&str]) -> String {
    format!("{} on {}", has_most(app, used, of), words::list(&words::bold(hosts), 3))
}

/// "; preemption has taken 2 containers of **etl**"
pub fn taken_back(app: &str, killed: i64) -> String {
    format!("; preemption has taken {} of **{app}**", words::count(killed, "container"))
}

/// "; **old-15** has been stopped and holds its room until **n2** reports its end"
pub fn not_reported(container: &str, host: &str) -> String {
    format!("; **{container}** has been stopped and holds its room until **{host}** reports its end")
}

pub fn several_not_reported(n: usize) -> String {
    format!("; {n} containers have been stopped and hold their room until their nodes report their ends")
}

/// Describes an AM that hangs and holds what another request waits for.
pub fn hangs_and_holds(app: &str, heard: &str, missed: &str) -> String {
    format!("The AM of **{app}** has made no call since {heard} and holds its room until {missed}")
}

/// A cause and its symptom.
pub fn so_that(cause: &str, symptom: &str) -> String {
    format!("{cause}; {symptom}")
}

/// Adds to a sentence before its full stop.
pub fn and(sentence: &str, more: &str) -> String {
    format!("{}{more}.", sentence.trim_end_matches('.'))
}

/// "waiting 4 s, not looked at yet"
pub fn waiting(span: &str, how: Option<&str>) -> String {
    how.map_or_else(|| format!("waiting {span}"), |how| format!("waiting {span}, {how}"))
}

pub const NOT_LOOKED_AT: &str = "not looked at yet";

// ---- never on this cluster

pub fn no_node_of_label(name: &str, label: &str) -> String {
    match label {
        "" => format!("{name} asks for a node without a label; every node has one."),
        label => format!("{name} asks for a node with label {label}; no node has it."),
    }
}

pub fn larger_than_nodes(name: &str, asked: &str, largest: &str) -> String {
    format!("{name} asks for {asked}; the largest node has {largest}.")
}

// ---- in three words

pub const NO_SUCH_LABEL: &str = "no such label";
pub const BEHIND_ANOTHER: &str = "behind another";
pub const WAITS_FOR_ITS_NODE: &str = "waits for its node";
pub const NOT_ACTIVATED_YET: &str = "not activated yet";
pub const SHORT_NO_NODES: &str = "no nodes";
pub const SHORT_NEXT: &str = "at the next look";
pub const SHORT_REFUSED: &str = "refused at commit";
pub const SHORT_LEFT_OVER: &str = "left over";

/// The check that all nodes fail; `None`: there is not one for all.
pub fn short_check(check: Option<&NodeCheck>) -> &'static str {
    match check {
        Some(NodeCheck::Free | NodeCheck::NotFull) => "no room",
        Some(NodeCheck::Total) => "no node large enough",
        Some(NodeCheck::Clause(_, _, leaf)) if leaf.scope == Scope::Rack => "no rack allowed",
        Some(NodeCheck::Clause(..) | NodeCheck::Never(..)) => "no node allowed",
        Some(NodeCheck::Partition) => "no such label",
        Some(NodeCheck::Near) => "waits for its places",
        Some(NodeCheck::NotHeld) => "all nodes held",
        _ => "no node fits",
    }
}

// ---- in the placement processor

/// `stage`: "batch", "proposed", "no node".
pub fn attempt_of(stage: &str, attempt: i32, of: i32) -> String {
    format!("{stage}, attempt {attempt} of {of}")
}

pub const ABOUT_TO_BE_REJECTED: &str = "about to be rejected";

pub fn in_next_batch(attempt: i32, of: i32) -> String {
    format!("It goes into the placement processor's next batch, attempt {attempt} of {of}")
}

pub fn batch_proposes(hosts: &[&str], attempt: i32, of: i32) -> String {
    let hosts = words::list(&words::bold(hosts), 3);
    format!("The batch proposes {hosts} in attempt {attempt} of {of}; the scheduler has yet to accept")
}

pub fn found_no_node(attempt: i32, of: i32) -> String {
    match attempt {
        last if last >= of => format!("Attempt {attempt} of {of} found no node: the next call rejects it"),
        _ => format!("Attempt {attempt} of {of} found no node; the AM's next calls bring the next attempt"),
    }
}

pub fn refused_attempt(attempt: i32, of: i32) -> String {
    format!("The scheduler refused attempt {attempt} of {of}: the next call rejects it")
}

pub fn part_of(n: i64, of: i64, words: &str) -> String {
    format!("{n} of {of}: {words}")
}

// ---- the applications that it waits for

pub const COUNTS_AS_RUNNING: &str = "it counts as running until it ends";
pub const COMES_FIRST: &str = "its request comes before this one in the queue";
pub const ROOM_KEPT_FOR: &str = "room is kept for its request";
pub const USES_ROOM: &str = "it uses room of that queue";

/// `size`: `None` if it has no AM yet; `limit`: "AM limit".
pub fn master_holds(size: Option<&str>, limit: &str) -> String {
    match size {
        Some(size) => format!("its AM holds {size} of the {limit} until it ends"),
        None => format!("its AM is promised its share of the {limit}"),
    }
}

pub fn task_works_until(task: &str, app: &str) -> String {
    format!("its task {task} works until {app} is over")
}

/// All applications in the way, if there are more than are listed one by one.
pub const HOLDERS: &str = "applications in the way";

// ---- figures of a request

pub const LARGEST_THAT_FITS: &str = "the most that is free on one of the nodes that it could go to";

/// "rack1 × 2, relaxLocality false"
pub fn row_of(place: &str, count: i64, relax: bool) -> String {
    let place = if place == "*" { "any place" } else { place };
    format!("{place} × {count}{}", if relax { "" } else { ", relaxLocality false" })
}

pub fn missed_so_far(chances: i64) -> String {
    format!("missed chances so far: {chances}")
}

pub fn by_namespace(tag: &str) -> String {
    format!("{tag}, by namespace")
}

pub fn self_and_not_self(own: &[String], others: &[String]) -> String {
    let listed = |who: &[String]| if who.is_empty() { "none".to_string() } else { words::list(who, 3) };
    format!("self: {} · not-self: {}", listed(own), listed(others))
}

// ---- who comes first

pub fn enough_held(reserved: i64, outstanding: i64) -> String {
    format!(
        "{reserved} of {outstanding} outstanding are reserved: no other node is tried yet (reservations-continue-look-all-nodes is false)."
    )
}

pub fn too_many_errors(errors: i64) -> String {
    format!("Its placement constraint could not be evaluated {errors} times; YARN no longer tries it.")
}

/// `own`: the more urgent request, if it belongs to the same application; `lent`: the label whose resources are lent.
pub fn behind(
    queue: &str,
    app: &str,
    own: Option<heddle_core::model::RequestKey>,
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

/// Describes a request behind another whose queue's headroom is not known any more; `full`: "both nodes are full".
pub fn behind_since(
    queue: &str,
    app: &str,
    own: Option<heddle_core::model::RequestKey>,
    need: &str,
    full: Option<&str>,
) -> String {
    let whose = if own.is_some() { format!("a more urgent request of **{app}**") } else { format!("**{app}**") };
    let full = full.map_or(String::new(), |full| format!("{full}, and "));
    format!(
        "{queue} waits for {whose}, which comes first and needs {need}: {full}nothing behind it is looked at until that fits."
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

/// `why`: the limit of its queue; `own`: the application's own reservations, which that limit counts.
pub fn with_own_reserved(why: &str, own: &str) -> String {
    format!("{} ({own} of that is reserved by itself)", why.trim_end_matches('.'))
}

pub fn only_held(hosts: &[&str], why: &str) -> String {
    let verb = if hosts.len() == 1 { "is" } else { "are" };
    let hosts = words::list(&words::bold(hosts), 3);
    format!("{hosts} {verb} held for it, and it is looked at nowhere else: {why}")
}

/// A leaf's maximum is checked with what the first of its applications could give up.
pub fn first_gives_up_nothing(first: &str) -> String {
    format!("; **{first}** is tried first, and has nothing reserved to give up")
}

/// "; **n1** is held for it"
pub fn held_for(hosts: &[&str]) -> String {
    let verb = if hosts.len() == 1 { "is" } else { "are" };
    format!("; {} {verb} held for it", words::list(&words::bold(hosts), 3))
}

/// "**b** went first on **n1** at 0:09 (priority: 5 before 0); a heartbeat gives 1 container"
pub fn went_first(who: &str, key: Option<[String; 3]>, host: &str, at: &str, turn_over: &str) -> String {
    let by = key.map_or(String::new(), |[key, first, own]| format!(" ({key}: {first} before {own})"));
    let over = if turn_over.is_empty() { String::new() } else { format!("; {turn_over}") };
    format!("{who} went first on **{host}** at {at}{by}{over}")
}

/// "It was served last on **n1** at 0:09; a heartbeat gives 1 container"
pub fn is_served(host: &str, at: &str, turn_over: &str) -> String {
    format!("It was served last on **{host}** at {at}; {turn_over}")
}

/// `dropped`: "2 gpu".
pub fn types_dropped(app: &str, dropped: &str) -> String {
    format!("The FifoScheduler counts memory alone: **{app}** asks for {dropped} and is given none.")
}

pub const RELAX_IGNORED: &str = "The FifoScheduler does not look at relaxLocality: it goes to other places too.";

/// Another request of the same application that went first.
pub fn own_request(priority: i32) -> String {
    format!("Its application's own request of priority {priority}")
}

/// Describes a request for a component that already has as many instances as are wanted.
pub fn left_over(app: &str, component: &str, count: i64) -> String {
    let over = match count {
        1 => "a request for 1 more is left over, and a container that YARN gives for it goes back at once".to_string(),
        n => format!("requests for {n} more are left over, and containers that YARN gives for them go back at once"),
    };
    format!("**{app}** has all the {component} that it wants: {over}.")
}

/// This must come true: `tests/tests/random.rs` tests it.
pub fn fits_next(hosts: &[&str]) -> String {
    match hosts {
        [one] => format!("**{one}** fits: it is looked at next"),
        _ => format!("{} fit: one of them is looked at next", words::list(&words::bold(hosts), 3)),
    }
}

/// `left`: there were others, which are gone; `label`: the nodes' label, "" if none is requested.
pub fn all_full(of: usize, left: bool, label: &str) -> String {
    let label = super::of_label(label);
    match (of, left) {
        (1, true) => format!("the only node{label} that is left is full"),
        (2, true) => format!("both nodes{label} that are left are full"),
        (of, true) => format!("all {of} nodes{label} that are left are full"),
        (1, false) => format!("the only node{label} is full"),
        (2, false) => format!("both nodes{label} are full"),
        (of, false) => format!("all {of} nodes{label} are full"),
    }
}

/// `other_checks`: there are more checks than free resources and this one.
pub fn only_one_comes_near(host: &str, other_checks: bool, has: &[&str]) -> String {
    let (rest, has) = (if other_checks { "satisfies everything else" } else { "comes near" }, has.iter());
    format!("only **{host}** {rest}, and it {}", all_of(has.map(|has| has.to_string())))
}

/// "**n1** has 2 GB free"
pub fn one_node(host: &str, has: &[&str]) -> String {
    format!("**{host}** {}", all_of(has.iter().map(|has| has.to_string())))
}

/// "**n1** and **n2** have 2 GB free"; `has`: the words about a single node.
pub fn nodes_have(hosts: &[&str], has: &[&str]) -> String {
    match hosts {
        [one] => one_node(one, has),
        hosts => format!("{} {}", words::list(&words::bold(hosts), 3), all_of(has.iter().map(|has| plural(has)))),
    }
}

/// "**n1** has been silent since 0:30 and counts as lost at 10:00", before the symptom.
pub fn fallen_silent(hosts: &[&str], has: &str) -> String {
    match hosts {
        [_] => nodes_have(hosts, &[has]),
        hosts => nodes_have(hosts, &[&has.replace(" and counts as ", " and count as ")]),
    }
}

/// Joins several facts about the same nodes: "has zk-1 and no hb", "has zk-1 and is in a rack with no hb".
fn all_of(has: impl Iterator<Item = String>) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut before = String::new();
    for has in has {
        let (verb, rest) = has.split_once(' ').unwrap_or((&has, ""));
        // A fact shares the verb only with the fact before it: "has 1 GB free, is held for etl-9 and has no hb".
        let said = std::mem::replace(&mut before, verb.to_string()) == verb;
        // The verb is repeated so that it is clear what "no" belongs to: "has no web and has zk-1".
        let none = |text: &str| text.split_once(' ').is_some_and(|(_, rest)| rest.starts_with("no "));
        let same = said && matches!(verb, "has" | "have") && (none(&has) || !out.iter().any(|other| none(other)));
        out.push(if same { rest.to_string() } else { has.clone() });
    }
    words::list(&out, out.len())
}

/// "of 5 nodes, 3 are full and **n4** is held for etl"
pub fn of_nodes(of: usize, parts: &[String]) -> String {
    format!("of {of} nodes, {}", words::list(parts, 6))
}

/// "rack r1 runs zk-1", "racks r1 and r2 run no web", "racks r1 and r2 each run 2 zk"
pub fn racks_have(racks: &[&str], has: &str) -> String {
    let named: Vec<String> = racks.iter().map(|rack| format!("**{}**", rack.trim_start_matches('/'))).collect();
    match named.as_slice() {
        [one] => format!("rack {one} {has}"),
        _ => {
            // Without "each", a number might be read as the racks' sum.
            let is_number = |c: char| c.is_ascii_digit();
            let each =
                if has.strip_prefix("runs ").is_some_and(|what| what.starts_with(is_number)) { "each " } else { "" };
            format!("racks {} {each}{}", words::list(&named, 6), has.replacen("runs ", "run ", 1))
        }
    }
}

/// The beginning of what a clause about racks needs.
const OF_RACK: &str = "in a rack ";

pub fn is_of_rack(wanted: &str) -> bool {
    wanted.starts_with(OF_RACK)
}

/// "Needs a rack without zk."; `wanted`: "in a rack without zk".
pub fn needs_a_rack(wanted: &str) -> String {
    format!("Needs a rack {}.", wanted.strip_prefix(OF_RACK).unwrap_or(wanted))
}

pub fn namely(counts: &str, one: &str) -> String {
    format!("{counts}: {one}")
}

pub fn free_in_pieces(free: &str, of: usize, host: &str, has: &[&str]) -> String {
    let has = all_of(has.iter().map(|has| has.to_string()));
    format!("{free} is free on {of} nodes in all; the emptiest, **{host}**, {has}")
}

pub fn emptiest(of: usize, host: &str, has: &[&str]) -> String {
    format!("the emptiest of {of} nodes, **{host}**, {}", all_of(has.iter().map(|has| has.to_string())))
}

/// `kind`: "run zk", "are held for others".
pub fn none_of(of: usize, kind: &str) -> String {
    if of == 2 { format!("both nodes {kind}") } else { format!("all {of} nodes {kind}") }
}

/// Turns the words about one node into words about several.
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

/// The words other than names with which our sentences begin.
const OPENERS: [&str; 13] =
    ["A", "All", "Another", "Both", "Containers", "Instances", "It", "Its", "No", "None", "One", "Only", "The"];

/// Returns a text as it stands after a colon: in lower case if it begins with a word of ours.
pub fn after_colon(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if OPENERS.contains(&first) || text.starts_with("Room is ") { no_capital(text) } else { text.to_string() }
}

/// Returns a sentence without its first capital letter; names and abbreviations keep theirs.
pub fn no_capital(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), text.chars().nth(1)) {
        (Some(first), Some(second)) if !second.is_uppercase() && !text.starts_with("**") && !is_name(text) => {
            first.to_lowercase().chain(letters).collect()
        }
        _ => text.to_string(),
    }
}

/// Returns whether a text begins with the name of a program.
fn is_name(text: &str) -> bool {
    crate::apps::all().flat_map(|kind| kind.capitals()).any(|name| text.starts_with(name))
}

/// Returns a text with a first capital letter, except if it begins with a name.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !text.starts_with("**") => first.to_uppercase().chain(letters).collect(),
        _ => text.to_string(),
    }
}
