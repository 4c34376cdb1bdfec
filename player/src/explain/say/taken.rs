//! Who took the room that came free, and by which key.

use crate::explain::words;

pub const KEYS: [&str; 4] = ["containers", "room", "the last at", "why before it"];
pub const ITSELF: &str = "the request itself";
pub const TRIED_FIRST: &str = "it is tried first";

/// `more`: how many others there are.
pub fn title(since: &str, more: usize) -> String {
    match more {
        0 => format!("who took the room since {since}"),
        more => format!("who took the room since {since}, and {more} more"),
    }
}

/// A request of the application that waits.
pub fn own_request(priority: i32) -> String {
    format!("its own request of priority {priority}")
}

/// "priority: 10 before 0", "root.a before root.b by used of guaranteed: 20 % before 80 %". `who`: queues, if it is they that
/// are compared; `key`: its name and both values, empty where all keys are alike.
pub fn goes_first(who: [&str; 2], [key, first, own]: [&str; 3]) -> String {
    match (who, key) {
        (["", ""], "") => TRIED_FIRST.to_string(),
        ([a, b], "") => format!("{a} is tried before {b}"),
        (["", ""], key) => format!("{key}: {first} before {own}"),
        ([a, b], key) => format!("{a} before {b} by {key}: {first} before {own}"),
    }
}

/// `why`: what stopped the request that waits at that moment.
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

/// Of a reason that has not held all along.
pub fn since(reason: &str, at: &str) -> String {
    format!("{reason}, since {at}")
}

/// Of somebody whose containers fit where this one does not.
pub fn took_smaller(since: &str, who: &str, containers: i64) -> String {
    format!(
        "**{who}**, whose containers are smaller, was given {} since {since}.",
        words::count(containers, "container")
    )
}

/// Of room that preemption made for somebody, under the FairScheduler.
pub fn promised(host: &str) -> String {
    format!("preemption made room on {host} for it, and promised it that")
}

/// Of an application that waits: the cluster's maximum is less than the priority that it asked for.
pub fn priority_cut(asked: i32, most: i32) -> String {
    format!("It asked for priority {asked}; yarn.cluster.max-application-priority cuts it to {most}.")
}

/// The same under a scheduler that gives every application 0.
pub fn priority_unknown(asked: i32, scheduler: &str) -> String {
    format!("It asked for priority {asked}; the {scheduler} knows no priorities of applications.")
}
