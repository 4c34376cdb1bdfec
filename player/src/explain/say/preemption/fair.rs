//! Preemption by the FairScheduler: who is starved since when, what keeps a timeout from passing, who gives resources.

use crate::explain::words;

// ---- conditions

pub const PROMISED: &str = "room that nodes have promised it";

pub fn used_of(used: Option<f32>, threshold: f32) -> String {
    let threshold = words::percent(f64::from(threshold));
    match used {
        Some(used) => format!("{} used; it has to be more than {threshold}", words::percent(f64::from(used))),
        None => format!("there is nothing to use; it has to be more than {threshold}"),
    }
}

pub const NOT_RUNNABLE: &str = "a limit holds it back: it is not runnable";
pub const WANTS_NOTHING: &str = "the latest update counted nothing as wanted by it";
pub const WANTS_MORE: &str = "it is runnable and wants more";

pub fn behind(before: &str) -> String {
    format!("not looked at: the look ends with {before}, which comes first and is not starved of its fair share")
}

pub fn share(used: &str, due: &str, threshold: f32, share: &str) -> String {
    let part = words::percent(f64::from(threshold));
    format!("uses {used}; {due} count: {part} of its fair share of {share}, and no more than it wants")
}

pub fn minimum(lack: Option<&str>, minimum: &str) -> String {
    match lack {
        Some(lack) => format!("{lack} are lacking of {minimum}, as far as it wants them"),
        None => format!("nothing is lacking of {minimum}, as far as it wants it"),
    }
}

/// `until`: `None` if the timeout never passes.
pub fn clock(since: &str, until: Option<&str>) -> String {
    match until {
        Some(until) => format!("since {since}; the time is over at {until}"),
        None => format!("since {since}; without end: no timeout is set"),
    }
}

pub fn clock_over(since: &str) -> String {
    format!("since {since}; the time is over")
}

/// What it lacks of its fair share and of the minimum share, each with since when.
pub fn lacks(fair: Option<(String, String)>, minimum: Option<(String, String)>) -> String {
    let fair = fair.map(|(lack, since)| format!("lacks {lack} of what counts of its fair share, since {since}"));
    let minimum = minimum.map(|(lack, since)| {
        format!(
            "{lack} of its queue's minimum share count as missing, since its queue has been below that since {since}"
        )
    });
    [fair, minimum].into_iter().flatten().collect::<Vec<_>>().join("; ")
}

pub fn searched(at: &str, next: &str) -> String {
    format!("at {at}; not again before {next}")
}

pub fn not_searched_before(next: &str) -> String {
    format!("it is not looked at again before {next}")
}

pub const NOT_SEARCHED: &str = "not yet";

pub fn counted(count: i64, asked: i64) -> String {
    format!("room for {count} of {} was searched for", words::count(asked, "container"))
}

pub fn came_later(at: &str) -> String {
    format!("it came after the search at {at}")
}

pub const NOT_REACHED: &str = "requests before it took up all that is lacking";
pub const NO_SUCH_PLACE: &str = "the cluster does not have the place that it names";
pub const COUNTED_ELSEWHERE: &str = "another request of the same priority and size counts instead of it";

pub fn more_than_lacking(size: &str, lack: &str) -> String {
    format!("one container of {size} is more than the memory that is lacking then: {lack}")
}

pub fn gives(found: i64, given: &[String]) -> String {
    if given.is_empty() {
        return "on no node can enough be taken".to_string();
    }
    format!("{}: {}", words::count(found, "container"), words::list(given, 4))
}

/// `from`: the containers that are taken. `barred`: the request may not go to the node.
pub fn given(node: &str, from: &[String], elsewhere: bool, barred: bool) -> String {
    let instead = if elsewhere { ", to spare ApplicationMasters" } else { "" };
    let instead = if barred { format!("{instead}, where it may not go") } else { instead.to_string() };
    if from.is_empty() {
        return format!("room on {node} is there already{instead}");
    }
    format!("{} on {node}{instead}", words::list(from, 4))
}

/// A row: a node that the search examined.
pub fn node(host: &str, free: &str, gathered: &str, taken: i64, outcome: &str) -> String {
    let with = words::count(taken, "container");
    format!("{host}: {free} free and promised to nobody, {gathered} with {with} taken: {outcome}")
}

pub const BEST: &str = "enough";
pub const NO_FEWER_MASTERS: &str = "it would take no fewer ApplicationMasters than another node";
pub const TOO_LITTLE: &str = "too little";

pub fn warned_until(at: &str, kill_at: &str) -> String {
    format!("warned at {at}, killed at {kill_at}")
}

pub fn promised(node: &str, amount: &str) -> String {
    format!("{amount} on {node}")
}

/// Names nodes on which containers are taken although the request may not go there: a search asks only whether they have room.
pub fn useless(hosts: &[&str]) -> String {
    let hosts = words::list(&words::bold(hosts), 4);
    format!("The request may not go to {hosts}: what is taken there does not help it.")
}

// ---- why containers were spared

pub fn protected(n: i64, queue: &str) -> String {
    format!("{} below **{queue}**, from which nothing is taken (allowPreemptionFrom)", words::count(n, "container"))
}

pub fn masters(n: i64) -> String {
    format!("{} of ApplicationMasters, and these are not taken", words::count(n, "container"))
}

pub fn below_share(n: i64, app: &str, share: &str) -> String {
    format!("{} of **{app}**, which would come below its fair share of {share}", words::count(n, "container"))
}

pub fn over(n: i64) -> String {
    format!("{} already over", words::count(n, "container"))
}

// ---- sentences

pub fn off(app: &str, used: &str, share: &str) -> String {
    format!("Preemption is off: nothing is taken back from anybody. **{app}** uses {used}; its fair share is {share}.")
}

/// `why`: the reason why nothing is taken for it.
pub fn owed(app: &str, used: &str, share: &str, why: &str) -> String {
    format!("**{app}** uses {used}, its fair share is {share}, and {why}")
}

/// `why`: nothing is taken; `queue`: an ancestor of the leaf whose minimum share takes nothing back.
pub fn and_minimum_above(why: &str, queue: &str, minimum: &str) -> String {
    format!("{why} (the minimum share of {queue}, {minimum}, takes nothing back: only that of a leaf does)")
}

pub const OFF: &str = "preemption is off";
/// Turning preemption on alone would take nothing: nobody counts as starved without a timeout.
pub const OFF_AND_NO_TIMEOUT: &str = "preemption is off (no timeout)";
/// Preemption is on, but its queue never counts as starved.
pub const NO_TIMEOUT: &str = "no fairSharePreemptionTimeout is set";

pub fn above_threshold(due: &str, threshold: f32) -> String {
    format!("preemption protects {due} of it (fairSharePreemptionThreshold {threshold})")
}

pub fn starved_from(at: &str) -> String {
    format!("it counts as starved from {at} on (fairSharePreemptionTimeout)")
}

pub fn starved_of_minimum_from(queue: &str, minimum: &str, at: &str) -> String {
    format!("{queue} counts as starved of its minimum share of {minimum} from {at} on (minSharePreemptionTimeout)")
}

/// Shares by a policy that does not count the lacking type.
pub const SHARES_OF_MEMORY: &str = "shares go by memory alone, which is not what is lacking";

/// Describes an application that wants more although it has its share.
pub fn has_its_share(app: &str, used: &str, share: &str) -> String {
    format!("**{app}** uses {used}, and its fair share is {share}")
}

/// `left`: "24 containers below root.dev, from which nothing is taken (allowPreemptionFrom)".
pub fn nobody_gives_of(left: &[String]) -> String {
    format!("no node can give enough: left alone are {}", words::list(left, 4))
}

pub fn idle(used: Option<f32>, threshold: f32) -> String {
    format!("Nobody counts as starved while so little of the cluster is used: {}.", used_of(used, threshold))
}

pub fn not_looked_at(app: &str, why: &str) -> String {
    format!("Nothing is taken for **{app}**: {why}.")
}

pub fn has_share(app: &str, used: &str, due: &str) -> String {
    format!("Nothing is taken for **{app}**: it uses {used}, and {due} of its fair share count. It is not starved.")
}

pub fn share_waits(app: &str, since: &str, until: Option<&str>) -> String {
    let then = match until {
        Some(until) => format!("it counts as starved from {until} on, if that stays so."),
        None => "it never counts as starved for that: fairSharePreemptionTimeout is not set.".to_string(),
    };
    format!(
        "**{app}** counts as below what counts of its fair share since {since}, when an update last found it satisfied; {then}"
    )
}

pub fn minimum_waits(queue: &str, since: &str, until: Option<&str>) -> String {
    let then = match until {
        Some(until) => format!("that counts as starved from {until} on, if it stays so."),
        None => "that never counts as starved: minSharePreemptionTimeout is not set.".to_string(),
    };
    format!(
        "**{queue}** counts as below its minimum share since {since}, when an update last found it satisfied; {then}"
    )
}

pub fn starved(app: &str) -> String {
    format!("**{app}** is starved; the next update searches others for room.")
}

pub fn not_counted(app: &str, at: &str, why: &str, next: &str) -> String {
    format!("**{app}** was found starved at {at}, but not for this request: {why}. No new search for it before {next}.")
}

/// `left`: the spared containers, by reason.
pub fn nobody_gives(app: &str, at: &str, left: &[String], next: &str) -> String {
    let why = if left.is_empty() {
        "what may be taken makes too little room on any node".to_string()
    } else {
        format!("left alone were {}", words::list(left, 4))
    };
    format!(
        "**{app}** is starved, and the search at {at} found no node for it: {why}. No new search for it before {next}."
    )
}

pub fn comes(app: &str, first: &str, node: &str, more: i64, at: &str, kill_at: &str) -> String {
    let (also, are, run) = match more {
        0 => (String::new(), "is", "it still runs"),
        n => (format!(" and {n} more"), "are", "they still run"),
    };
    format!(
        "**{first}** on **{node}**{also} {are} to make room for **{app}**, warned at {at} and killed at {kill_at} if {run} then."
    )
}

pub fn room_there(app: &str, nodes: &[&str], at: &str) -> String {
    let nodes = words::list(&words::bold(nodes), 4);
    format!("The search for **{app}** at {at} took nothing from anybody: {nodes} had room that is promised to nobody.")
}

pub fn is_over(app: &str, at: &str, next: &str) -> String {
    format!("All that were chosen for **{app}** at {at} have ended or been killed. No new search for it before {next}.")
}

pub fn searched_lately(app: &str, next: &str) -> String {
    format!("Others were searched for room for **{app}**; no new search for it before {next}.")
}

pub fn keeps(app: &str, promised: &[String]) -> String {
    format!("**{app}** comes first, as long as it is starved, for what it is promised: {}.", words::list(promised, 4))
}

// ---- a container

/// About the search that chose it; `lack`: what was lacking.
pub fn chosen(at: &str, starved: &str, lack: &str, node: &str) -> String {
    format!(
        "At {at} **{starved}** was found starved: it {lack}. Of the nodes that were looked at, **{node}** could give room \
         with the fewest ApplicationMasters; this container makes room there."
    )
}

/// What it lacked when it was found starved.
pub fn lacked(fair: Option<(String, String)>, minimum: Option<(String, String)>) -> String {
    let fair = fair.map(|(lack, since)| format!("lacked {lack} of what counts of its fair share, since {since}"));
    let minimum = minimum
        .map(|(lack, since)| format!("was to get {lack} of the minimum share that its queue lacked, since {since}"));
    [fair, minimum].into_iter().flatten().collect::<Vec<_>>().join(", and ")
}

pub fn warned(at: &str, kill_at: &str) -> String {
    format!("Its AM is warned of that since {at}. It is killed at {kill_at} if it still runs then.")
}

pub fn was_killed(at: &str) -> String {
    format!("It was killed at {at}.")
}

pub fn ended_before(at: &str) -> String {
    format!("It ended at {at}, before it was to be killed.")
}

pub const NOTHING_TAKEN: &str = "Preemption is off: nothing is taken from anybody.";
pub const NOBODY_STARVED: &str = "Nobody has been found starved so far: nothing was searched for.";

pub fn searched_for(app: &str, at: &str) -> String {
    format!("{app}, at {at}")
}

pub fn came_after(at: &str) -> String {
    format!("It was not there yet at the latest search, at {at}.")
}

pub fn left_alone(at: &str, app: &str, why: &str) -> String {
    format!("The search for **{app}** at {at} left it alone: {why}.")
}

pub fn not_come_to(at: &str, app: &str, why: &str) -> String {
    format!("The search for **{app}** at {at} did not reach it: {why}.")
}

pub const NODE_NOT_REACHED: &str =
    "others gave enough before its node was looked at, or nothing was searched for there";
pub const ENOUGH_BEFORE: &str = "the look at its node ended before it";

pub const OVER: &str = "it is over, and its node has still to say so";
pub const MASTER: &str = "ApplicationMasters of its queue are not taken";

pub fn protected_by(queue: &str) -> String {
    format!("nothing is taken from **{queue}** (allowPreemptionFrom)")
}

pub fn would_be_below(app: &str, used: &str, share: &str) -> String {
    format!("**{app}** would keep {used}, and its fair share is {share}")
}
