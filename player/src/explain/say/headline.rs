//! The one sentence at the top of the page.

use crate::explain::words;

pub const NO_NODES: &str = "A cluster needs nodes.";
pub const NOTHING_ASKED: &str = "Nothing waits; no container has been asked for yet.";

/// `count`: the outstanding containers of the request.
pub fn waits(name: &str, count: i64, span: &str, because: &str) -> String {
    format!("{} waited {span}: {because}.", who_waits(name, count))
}

pub fn who_waits(name: &str, count: i64) -> String {
    if count > 1 { format!("{count} of {name} have") } else { format!("{name} has") }
}

pub fn failed(app: &str, at: &str, why: &str) -> String {
    format!("{app} failed at {at}: {why}.")
}

/// Describes an application that was ended from outside; `waited`: how long it waited for its AM, if it never had one.
pub fn cut_short(app: &str, at: &str, why: &str, waited: Option<&str>) -> String {
    match waited {
        Some(span) => format!("{app} waited {span} for its AM and never had one: it ended at {at}, since {why}."),
        None => format!("{app} ended at {at}: {why}."),
    }
}

/// What an application lacks without asking YARN for it.
pub fn unasked(app: &str, why: &str) -> String {
    format!("{app}: {why}")
}

pub fn nobody_asks(nodes: i64) -> String {
    format!("{}, nobody asks.", words::count(nodes, "node"))
}

pub fn all_placed(requests: usize, span: &str, over: &str) -> String {
    match requests {
        1 => format!("The only request was placed in {span}{over}."),
        2 => format!("Both requests placed in {span}{over}."),
        _ => format!("All {requests} requests placed in {span}{over}."),
    }
}

/// Points out vcores beyond those of a node, which the calculator does not count.
pub fn more_vcores_than_there_are(host: &str, runs: i64, has: i64) -> String {
    format!("; {host} runs {} and has {has}: the calculator counts memory only", words::vcores(runs))
}

/// `kinds`: "2 applications", "1 call".
pub fn refused(kinds: &[String], at: &str, name: &str, why: &str) -> String {
    let why = if why.is_empty() { String::new() } else { format!(": {why}") };
    format!("{} were refused, the last at {at}: {name}{why}.", words::list(kinds, 6))
}
