//! The tables of the orders in which queues, applications and requests were tried: titles and headings of the sort keys.

pub fn children(queue: &str, node: &str) -> String {
    format!("children of {queue} for {node}")
}

pub fn applications(queue: &str, node: &str) -> String {
    format!("applications of {queue} for {node}")
}

pub fn requests(app: &str, node: &str) -> String {
    format!("requests of {app} for {node}")
}

pub const MAY_USE_LABEL: &str = "may use the label";
/// A column that is not a key: the reserved part, which counts as used.
pub const ONLY_RESERVED: &str = "of it only reserved";

pub const OF_QUEUES: [&str; 3] = ["used of guaranteed", "guaranteed of partition", "wants room"];

pub fn priority(counts: bool) -> &'static str {
    if counts { "priority" } else { "priority (not compared)" }
}

pub const WANTS: &str = "wants something";

pub fn of_shares(dominant: bool) -> [&'static str; 5] {
    let by = if dominant { "dominant share ÷ weight" } else { "used ÷ weight" };
    ["below its minimum", by, "used", "weight", "demand"]
}

/// The list is the value of `queues`.
pub fn place_in_list(parent: &str) -> String {
    format!("place in {parent}.queues")
}

pub const NAME: &str = "name";

pub fn share_of_application(weighed: bool, dominant: bool) -> &'static str {
    match (weighed, dominant) {
        (_, true) => "dominant share",
        (true, false) => "MB used ÷ weight",
        (false, false) => "MB used",
    }
}

pub const PRIORITY: &str = "priority";
pub const ATTEMPT_BEGAN: &str = "attempt began";
pub const DEMANDS: &str = "uses or wants memory";
pub const SUBMITTED_AS: &str = "submitted as";
pub const WANTS_ROOM: &str = "wants room";
pub const OF_REQUESTS: [&str; 3] = ["priority (lower first)", "request id", "outstanding"];

/// "40 % of it"
pub fn part_of_minimum(percent: &str) -> String {
    format!("{percent} of it")
}

/// A share of memory, MiB: "1024", "853.333".
pub fn figure(share: f64) -> String {
    let text = format!("{share:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

pub fn yes(it: bool) -> String {
    if it { "yes" } else { "no" }.to_string()
}
