//! The words of the events table and the scrubber: a verb, and why.

use crate::explain::words;
use heddle_core::journal::{NodeGone, UnreserveCause};
use heddle_core::scenario::Act;
use heddle_core::scheduler::app::EndCause;
use heddle_core::strategy::exit::KILLED_BY_APPMASTER;
use std::fmt::Write as _;

/// The outcome of a decision for its subject; the page colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// A change that lasts from this moment on.
    Joins,
    Waits,
    Placed,
    Over,
    Bad,
}

pub const DRAINING: &str = "Runs what it has, gets nothing more.";
/// Under schedulers that ignore the state of a node.
pub const DRAINING_BY_SIZE: &str = "Its size follows what it runs; what ends there may be given away before that.";
pub const REFRESHED: &str = "The changed settings are loaded.";
pub const NO_CHANGE: &str = "no change";

/// Why an act changed nothing: "etl is killed, and is over already".
pub fn changed_nothing(act: &Act) -> String {
    let so_already = match act {
        Act::KillApp(_) => "it is over already",
        Act::MoveApp { .. } => "it is there already",
        Act::SetPriority { .. } => "it has that priority already",
        Act::RemoveNode(_) => "it is gone already",
        Act::Unhealthy(_) | Act::Healthy(_) => "it is so already",
        Act::Recommission(_) => "it is not decommissioning",
        Act::Resize { .. } => "it has that size already",
        Act::LabelNode { .. } => "it has that label already",
        Act::AddNode(_)
        | Act::CrashNode(_)
        | Act::ReturnNode(_)
        | Act::Decommission { .. }
        | Act::Attributes { .. }
        | Act::HangAm(_)
        | Act::FinishContainer { .. }
        | Act::Flex { .. }
        | Act::Restart { .. }
        | Act::OfKind(_)
        | Act::Refresh { .. }
        | Act::PutConstraint { .. } => "all is as it was",
    };
    format!("{}: nothing changes, {so_already}", super::refused::of_act(act))
}

pub const FALLS_SILENT: &str =
    "It sends no more heartbeats; YARN counts its containers as running until it takes the node for lost.";
pub const HANGS: &str = "Its AM makes no more calls; YARN misses it when its heartbeats expire.";

/// `kept`: "disk=hdd"; `given`: "disk=ssd", which is ignored.
pub fn attributes_kept(kept: &str, given: &str) -> String {
    format!(
        "It keeps {kept}, and {given} is ignored: YARN's scheduler keeps the first value of an attribute until it is removed or \
         replaced."
    )
}

/// The ignored attributes, on the page of the node.
pub fn attributes_ignored(at: &str, kept: &str, given: &str) -> String {
    format!("At {at} {given} was ignored: it keeps {kept}, the first value, until that is removed or replaced.")
}

pub const NO_CLUSTER: &str = "The cluster has no nodes.";

pub fn node_joined(size: &str, label: &str) -> String {
    if label.is_empty() { size.to_string() } else { format!("{size}, label {label}") }
}

/// Verb and reason.
pub fn node_gone(why: NodeGone) -> (&'static str, &'static str) {
    match why {
        NodeGone::Lost => ("lost", "Its containers ended with it."),
        NodeGone::Unhealthy => ("unhealthy", "It reported itself unhealthy."),
        NodeGone::Decommissioned => ("left", "Its decommissioning is done."),
        NodeGone::Rebooted => ("lost", "Its heartbeats are out of step: it has to register anew."),
        NodeGone::Shutdown => ("left", "Its NodeManager was shut down."),
    }
}

pub fn instead_of(now: &str, before: &str) -> String {
    format!("{now} instead of {before}")
}

/// "label x", "no label".
pub fn label(name: &str) -> String {
    if name.is_empty() { "no label".to_string() } else { format!("label {name}") }
}

pub fn submitted(queue: &str, user: &str) -> String {
    format!("to {queue} by {user}")
}

pub fn attempt(n: u32) -> String {
    format!("attempt {n}")
}

/// A row as a sentence without its full stop: "etl was killed at 0:09: its lifetime was over"; `active`: "etl failed …".
pub fn surprise(name: &str, active: bool, verb: &str, at: &str, why: &str) -> String {
    let was = if active { "" } else { "was " };
    format!("{name} {was}{verb} at {at}{}", after_colon(why))
}

/// A row in one line: "etl-2 placed on n1: 2 GB".
pub fn row(name: &str, verb: &str, node: &str, why: &str) -> String {
    let on = if node.is_empty() { String::new() } else { format!(" on {node}") };
    format!("{name} {verb}{on}{}", after_colon(why))
}

fn after_colon(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!(": {}", why.trim_end_matches('.')) }
}

pub fn moved(from: &str, to: &str) -> String {
    format!("from {from} to {to}")
}

pub fn held_back(whose: &str, running: i64, maximum: i64) -> String {
    format!("{whose} runs {}, at most {maximum} at a time.", words::count(running, "application"))
}

/// An exception while a queue is created for an application.
pub const UNANSWERED: &str =
    "Making its queue throws an exception: the application gets no answer, and the ResourceManager ends.";

pub fn unanswered_here() -> String {
    format!("{UNANSWERED} Here it goes on without this application.")
}

/// The maximum of parallel applications is not a number.
pub fn no_number(user: &str) -> String {
    format!(
        "How many applications {user} may run is no number: adding the attempt throws an exception, and the ResourceManager ends."
    )
}

pub fn no_number_here(user: &str) -> String {
    format!("{} Here it goes on without this attempt; only a move to another queue adds it.", no_number(user))
}

/// `only_one`: activated although it exceeds a limit; `within`: the limit is the user's, not the queue's.
pub fn activated(used: &str, limit: &str, only_one: bool, within: bool) -> String {
    match (only_one, within) {
        (false, _) => format!("AMs use {used} of {limit}."),
        (true, true) => format!("AMs use {used} of {limit}; one AM may start beyond the limit of its user."),
        (true, false) => format!("AMs use {used}, beyond the limit of {limit}: one AM may always start."),
    }
}

/// `whose`: "the queue", "the user".
pub fn not_activated(whose: &str, used: &str, asked: &str, limit: &str) -> String {
    format!("AMs of {whose} use {used}; {asked} more would pass the limit of {limit}.")
}

/// The reason of a placement: which request, which of its rows, and what that row goes before.
///
/// `near`: 0 the host, 1 the rack, 2 neither; `priority`: the request's, `None` for the AM's.
pub fn placed(size: &str, near: usize, from_reservation: bool, priority: Option<i32>) -> String {
    let request = priority.map_or("the request for its AM".to_string(), |p| format!("its request of priority {p}"));
    let near = [
        "names this host, which goes before its rack and before any node",
        "names this rack, which goes before any node",
        "takes any node",
    ][near.min(2)];
    let from = if from_reservation { "; the room was reserved" } else { "" };
    format!("{size}: {request} {near}{from}.")
}

pub fn reserved(need: &str, host: &str, free: &str) -> String {
    format!("Needs {need}; {host} has {free} free.")
}

/// `None`: it became a container, which has its own row.
pub fn unreserved(why: UnreserveCause) -> Option<&'static str> {
    Some(match why {
        UnreserveCause::Converted => return None,
        UnreserveCause::Excess => "Nothing is outstanding any more, or it may not be served there now.",
        UnreserveCause::OtherNode => "Another node had room.",
        UnreserveCause::AttemptEnded => "Its application's attempt ended.",
        UnreserveCause::NodeChanged => "Its node went or changed.",
        UnreserveCause::Released => "It was given back.",
        UnreserveCause::Preempted => "The preemption monitor dropped it: others are owed its room.",
    })
}

/// Why an ApplicationMaster stops a container after some work, when preemption asked for resources back.
pub fn given_back(asked: bool, worked: &str, keeps: bool) -> String {
    let which = if asked { "It was asked back" } else { "Another was asked back, and this one goes instead" };
    let work = if keeps { "the work of {} is kept" } else { "the work of {} is lost" };
    format!("{which}; {}.", work.replace("{}", worked))
}

/// What an application lacks of its fair share and counts of its queue's minimum share, each with since when; `chosen`: the
/// number of containers of others that were chosen for it.
pub fn starved(fair: Option<(String, String)>, minimum: Option<(String, String)>, chosen: usize) -> String {
    let fair =
        fair.map(|(lack, since)| format!("It lacks {lack} of what its fair share entitles it to, since {since}."));
    let minimum = minimum.map(|(lack, since)| {
        format!("Its queue has been below its minimum share since {since}: {lack} of that count for it.")
    });
    let given = match chosen {
        0 => "Others give up nothing for it.".to_string(),
        1 => "Others give up one container for it.".to_string(),
        n => format!("Others give up {n} containers for it."),
    };
    [fair, minimum, Some(given)].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

pub fn warned(starved: &str, kill_at: &str) -> String {
    format!("Its room is promised to {starved}. It is killed at {kill_at} if it still runs then.")
}

/// Verb and reason of a container's end.
pub fn ended(why: EndCause, exit_code: i32) -> (&'static str, String) {
    let (verb, why) = match why {
        EndCause::Completed if exit_code == 0 => ("ended", "Its work is done."),
        EndCause::Completed if exit_code == KILLED_BY_APPMASTER => {
            ("stopped", "Its ApplicationMaster had its node stop it.")
        }
        EndCause::Completed => return ("failed", format!("Exit code {exit_code}.")),
        EndCause::Released => ("released", "Its application gave it back."),
        EndCause::LostNode => ("lost", "Its node is gone."),
        EndCause::Vanished(_) => ("lost", "Its node ran it and does not list it any more."),
        EndCause::AppOver => ("ended", "Its application is over."),
        EndCause::Expired => ("expired", "It was never started."),
        EndCause::Preempted => ("preempted", "Others were owed its room."),
        EndCause::Overcommit => ("killed", "Its node was made smaller."),
    };
    (verb, why.to_string())
}

/// The result of the placement processor's algorithm for a batch. `met`: what requests without a node met, with the number of
/// tries and the first node.
pub fn batch(attempt: i32, placed: usize, waiting: i64, died: bool, met: &[(String, i64, &str)]) -> String {
    if died {
        return "A request of the batch has no tag: YARN's run ends in an error, and nothing of it is placed."
            .to_string();
    }
    let mut text = format!("Attempt {attempt}: the placement algorithm found nodes for {placed}, none for {waiting}.");
    for (what, looks, node) in met {
        let _ = write!(text, " {}, first at {node}: {what}.", words::count(*looks, "look"));
    }
    text
}

/// What the placement algorithm found at a node.
pub fn met_blacklisted() -> String {
    "the scheduler refused these tags there before".to_string()
}

pub fn met_no_room() -> String {
    "too little room".to_string()
}

/// `words`: YARN's words for the expression.
pub fn met_unsatisfied(words: &str) -> String {
    format!("the constraint does not hold ({words})")
}

pub fn met_error(words: &str) -> String {
    format!("the constraint cannot be evaluated ({})", words.trim_end_matches('.'))
}

pub fn met_dropped() -> String {
    "found, and taken back, since a later proposal broke its constraint".to_string()
}

pub fn rejected(count: i64, attempts: i32, why: &str) -> String {
    format!("{count} rejected after {}: {why}", words::count(i64::from(attempts), "attempt"))
}
