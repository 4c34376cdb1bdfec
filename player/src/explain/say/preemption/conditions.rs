//! The conditions of preemption, and what each found.

use super::fair;
use crate::explain::say::verdicts;
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::preemption::{IntraStop, SparedBy};

pub const WHY_NOT_MORE: &str = "Preemption: why not more, why not sooner";
pub const WHY_NOT_IT: &str = "Preemption: why it is not preempted";
pub const WHY_IT: &str = "Preemption: why it is chosen";

/// A condition's name: the heading of its check, except for two that have another name in other views.
pub fn name(check: Check) -> &'static str {
    match check {
        Check::NodeFree => "fits",
        Check::RoomNotPromised => fair::PROMISED,
        check => verdicts::heading(check),
    }
}

/// Describes a queue that gives what it uses beyond its maximum.
pub fn nobody_and_beyond(queue: &str, maximum: &str) -> String {
    format!("nobody need be: {queue} uses more than its maximum of {maximum}")
}

/// A queue that gives nothing because its dominant share is no larger than that of what it keeps: both amounts of the lacking
/// type, then each share with its type.
pub fn hides_surplus(
    queue: &str,
    [used, keep]: [&str; 2],
    (share, kind): (&str, &str),
    (kept, by): (&str, &str),
) -> String {
    format!(
        "nobody: {queue} uses {used} and is to keep {keep}; by dominant share {share} ({kind}), is to keep {kept} ({by})"
    )
}

pub fn yes_no(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_string()
}

pub fn no_rounds(interval: i64) -> String {
    format!("none, with an interval of {interval} ms")
}

/// `next`: `None` if it would find the same.
pub fn rounds(at: &str, next: Option<&str>, every: &str) -> String {
    match next {
        Some(next) => format!("at {at}, the next at {next}, every {every}"),
        None => format!("at {at}, every {every}; since then nothing has changed"),
    }
}

pub fn round_then(at: &str) -> String {
    format!("that at {at}")
}

pub fn round_failed(at: &str, why: &str) -> String {
    format!("at {at}, with an error: {why}")
}

pub fn no_round_yet(next: Option<&str>) -> String {
    next.map_or("none yet".to_string(), |next| format!("none yet, the next at {next}"))
}

pub fn observes(chosen: i64) -> String {
    format!("yes: {} chosen, none is marked", words::count(chosen, "container"))
}

pub fn counted_pending(pending: &str, queue: &str) -> String {
    format!("{pending} of {queue}")
}

pub const PENDING_IS: &str =
    "what active applications of the queue want, for each user no more than its limit leaves it, less what is reserved";

/// "4 GB (3 GB of it only reserved)"
pub fn used_and_reserved(used: &str, reserved: &str) -> String {
    format!("{used} ({reserved} of it only reserved)")
}

pub fn is_to_have(queue: &str, used: &str, ideal: &str, guaranteed: &str) -> String {
    format!("{queue} uses {used}, is to have {ideal}, guaranteed {guaranteed}")
}

pub fn offer(turn: i64, weight: &str, whole: &str, offered: &str, accepted: &str) -> String {
    format!("turn {turn}: {weight} of {whole} unassigned = {offered} offered, {accepted} taken")
}

pub const NOBODY: &str = "nobody";

pub const NOTHING: &str = "nothing";

pub fn of_guarantee(queue: &str, used: &str, guaranteed: &str) -> String {
    format!("{queue} uses {used}, guaranteed {guaranteed}")
}

pub fn not_preemptable(queue: &str) -> String {
    format!("not {queue}")
}

pub fn all_keep(free: &str) -> String {
    format!("nobody: all keep what they use; free: {free}")
}

/// `killable`: the killable containers of queues above their guarantees.
pub fn all_killable(killable: &str) -> String {
    format!("nobody: of what others use too much, {killable} are killable already")
}

/// `beyond`: its usage beyond what it keeps, if a round's budget allows less to be taken.
pub fn owes(queue: &str, keep: &str, owed: &str, beyond: Option<&str>) -> String {
    match beyond {
        None => format!("{queue} is to keep {keep}, owes {owed}"),
        Some(beyond) => {
            format!("{queue} is to keep {keep}, uses {beyond} beyond that: this round may take {owed} of it")
        }
    }
}

pub fn dead_zone(queue: &str, used: &str, zone: &str, beyond: bool) -> String {
    format!("{queue} uses {used} {} {zone}", if beyond { ">" } else { "≤" })
}

/// Describes what the siblings below `parent` owe.
pub fn scaled(parent: &str, need: &str, budget: &str, scale: &str) -> String {
    format!("queues of {parent} owe {need}, the round may choose {budget}: each owes {scale} of its part")
}

pub fn round_cap(budget: &str, left: &str) -> String {
    format!("{budget} a round, {left} left")
}

pub fn natural_termination(factor: f64, damped: &str, owed: &str) -> String {
    format!("{factor}: {damped} of {owed} in this round")
}

/// `left`: the spared containers, by reason.
pub fn chosen(chosen: i64, left: &str) -> String {
    let left = if left.is_empty() { String::new() } else { format!("; left alone: {left}") };
    format!("{chosen} chosen{left}")
}

/// The spared containers, by reason: "2 AMs, 1 that would serve nothing".
pub fn spared(all: &[SparedBy]) -> String {
    let mut kinds: Vec<(&str, i64)> = Vec::new();
    for why in all {
        let kind = spared_kind(why);
        match kinds.iter_mut().find(|(k, _)| *k == kind) {
            Some((_, n)) => *n += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    words::list(&kinds, 6)
}

fn spared_kind(why: &SparedBy) -> &'static str {
    match why {
        SparedBy::Killable => "killable already",
        SparedBy::Am => "AM",
        SparedBy::OtherPartition => "of another partition",
        SparedBy::Budget { .. } => "larger than what the round may still choose",
        SparedBy::TypeUsedUp { .. } => "after one resource type was used up",
        SparedBy::NoUse { .. } => "that would not lower what is wanted",
        SparedBy::UserLimit { .. } => "whose user would come down to its limit",
    }
}

pub fn comes_free(host: &str, room: &str, asked: &str) -> String {
    format!("{host} comes to {room} free, {asked} asked")
}

pub const FITS_IS: &str = "containers are chosen by queue, whatever node they are on; only reservations choose by node";

pub fn grace(wait: &str, first: Option<&str>) -> String {
    first.map_or_else(
        || format!("{wait} from mark to kill"),
        |at| format!("{wait} from mark to kill: the first at {at}"),
    )
}

// ---- within a queue, and for reservations

pub const WITHIN_OFF: &str = "off: applications of one queue take nothing from each other";
pub const WITHIN_NOT_LOOKED: &str = "not looked at: the queue wanted nothing beyond what it is to have";
/// Why nothing is moved within a queue.
pub fn intra_stop(stop: &IntraStop) -> String {
    match stop {
        IntraStop::BelowThreshold { used_capacity, threshold } => {
            let [used, least] = [used_capacity, threshold].map(|part| words::percent(f64::from(*part)));
            format!("the queue uses {used} of its guarantee, less than {least}")
        }
        IntraStop::OnlyOne => "the queue has one application".to_string(),
        IntraStop::Disabled => "forbidden for this queue".to_string(),
    }
}

pub fn app_gives(app: &str, wanted: &str) -> String {
    format!("{wanted} of {app}")
}

pub fn app_is_to_have(used: &str, ideal: &str, from: &[String]) -> String {
    let from = if from.is_empty() {
        "nobody may give it".to_string()
    } else {
        format!("to be taken: {}", words::list(from, 4))
    };
    format!("uses {used}, is to have {ideal}; {from}")
}

pub fn app_has_enough(used: &str, ideal: &str) -> String {
    format!("uses {used}, is to have {ideal}")
}

/// Why nothing is taken of what an application uses beyond its ideal assignment.
pub const NOBODY_MAY_TAKE: &str = "; no application that may take the rest wants it";
pub const SMALLEST_LEFT: &str = "; one smallest container more is left to it";
pub const NOTHING_THIS_ROUND: &str = "; nothing of the rest may be taken in this round";

pub const ROOM_IS_MADE: &str = "room is made on its node";
pub const RESERVED_OFF: &str = "off: no room is made on the node of a reservation";
pub const RESERVATION_FITS: &str = "it fits on its node with what is free and killable there";
pub const NOT_ENOUGH_ON_NODE: &str = "what may be taken on its node is not enough";

pub fn young(age: &str, delay: &str) -> String {
    format!("{age} old, {delay} are needed")
}

pub fn at_guarantee(used: &str, guaranteed: &str) -> String {
    format!("its queue uses {used} without it, guaranteed {guaranteed}")
}
