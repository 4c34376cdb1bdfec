//! Who took the resources that became free, and by which key.

use crate::explain::words;

pub const KEYS: [&str; 4] = ["containers", "room", "the last at", "why before it"];
pub const ITSELF: &str = "the request itself";
pub const TRIED_FIRST: &str = "it is tried first";

/// `more`: the number of others.
pub fn title(since: &str, more: usize) -> String {
    match more {
        0 => format!("who took the room since {since}"),
        more => format!("who took the room since {since}, and {more} more"),
    }
}

/// Another request of the waiting application.
pub fn own_request(priority: i32) -> String {
    format!("its own request of priority {priority}")
}

/// "priority: 10 before 0", "root.a before root.b by used of guaranteed: 20 % before 80 %". `who`: the queues, if queues are
/// compared; `key`: its name and both values, empty if all keys are equal.
pub fn goes_first(who: [&str; 2], [key, first, own]: [&str; 3]) -> String {
    match (who, key) {
        (["", ""], "") => TRIED_FIRST.to_string(),
        ([a, b], "") => format!("{a} is tried before {b}"),
        (["", ""], key) => format!("{key}: {first} before {own}"),
        ([a, b], key) => format!("{a} before {b} by {key}: {first} before {own}"),
    }
}

/// `why`: what stopped the waiting request at that moment.
pub fn stopped(why: &str) -> String {
    format!("it was passed over: {why}")
}

/// The node served a reservation and nothing else.
pub fn held(node: &str, container: &str) -> String {
    format!("{node} was held for {container}")
}

/// "Since 0:20 **vip** was given 46 containers first (priority: 10 before 0)."
pub fn took(since: &str, who: &str, containers: i64, why: &str) -> String {
    let who = crate::explain::say::capital(who);
    format!("{who} has gone first since {since} and was given {} ({why}).", words::count(containers, "container"))
}

/// Adds since when a reason holds, if it has not held all along.
pub fn since(reason: &str, at: &str) -> String {
    format!("{reason}, since {at}")
}

/// Describes an application whose containers fit where this one does not.
pub fn took_smaller(since: &str, who: &str, containers: i64) -> String {
    format!(
        "**{who}**, whose containers are smaller, was given {} since {since}.",
        words::count(containers, "container")
    )
}

/// Describes resources that preemption freed for an application, under the FairScheduler.
pub fn promised(host: &str) -> String {
    format!("preemption made room on {host} for it, and promised it that")
}

/// Describes an application whose priority the cluster's maximum has cut.
pub fn priority_cut(asked: i32, most: i32) -> String {
    format!("It asked for priority {asked}; yarn.cluster.max-application-priority cuts it to {most}.")
}

/// Describes an application that asked for a priority under a scheduler that gives every application priority 0.
pub fn priority_unknown(asked: i32, scheduler: &str) -> String {
    format!("It asked for priority {asked}; the {scheduler} knows no priorities of applications.")
}
