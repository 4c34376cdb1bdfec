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
pub const OF_QUEUES: [&str; 3] = ["used of guaranteed", "guaranteed of partition", "wants room"];

pub fn priority(counts: bool) -> &'static str {
    if counts { "priority" } else { "priority (not compared)" }
}

pub const WANTS: &str = "wants something";

pub fn of_shares(dominant: bool) -> [&'static str; 5] {
    let by = if dominant { "dominant share ÷ weight" } else { "used ÷ weight" };
    ["below its minimum", by, "used", "weight", "demand"]
}

pub fn of_applications_by_share(dominant: bool) -> [&'static str; 3] {
    [if dominant { "dominant share" } else { "MB used" }, "attempt began", "wants room"]
}

pub const OF_APPLICATIONS: [&str; 3] = ["priority", "submitted as", "wants room"];
pub const OF_REQUESTS: [&str; 3] = ["priority (lower first)", "request id", "outstanding"];

pub fn yes(it: bool) -> String {
    if it { "yes" } else { "no" }.to_string()
}
