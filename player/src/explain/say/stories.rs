//! The stories of a moment, as cards beside the picture.

use crate::explain::words;

pub const STARVED: &str = "starved";
pub const REFUSED: &str = "refused";
pub const NEVER: &str = "can never be placed";
pub const WAITS: &str = "waits";

/// `fair`: whether the promise is a fair share.
pub fn over(fair: bool) -> &'static str {
    if fair { "over its fair share" } else { "over its guarantee" }
}

/// `used`, `promised` and `waiting` are amounts with the same unit; `why`: what stops its first request, in a few words.
pub fn starved(used: &str, promised: &str, waiting: &str, fair: bool, why: &str) -> String {
    let why = if why.is_empty() { String::new() } else { format!(": {why}") };
    format!("It has {used} of {promised}, its {}; {waiting} wait{why}.", if fair { "fair share" } else { "guarantee" })
}

/// `starving`: the number of queues of its partition that have less than they were promised, and wait.
pub fn over_text(used: &str, promised: &str, fair: bool, starving: i64) -> String {
    let promise = if fair { "fair share" } else { "guarantee" };
    let have = if starving == 1 { "1 queue has" } else { &format!("{starving} queues have") };
    format!("It has {used}; its {promise} is {promised}. Meanwhile {have} less than promised.")
}

/// How many times its promise a queue has.
pub fn factor(tenths: i64) -> String {
    format!("{}.{} ×", tenths / 10, tenths % 10)
}

/// `count`: the containers that wait; `why`: the reason in a few words.
pub fn waiting(count: i64, why: &str) -> String {
    let why = if why.is_empty() { String::new() } else { format!(": {why}") };
    let verb = if count == 1 { "waits" } else { "wait" };
    format!("{} {verb}{why}.", words::count(count, "container"))
}
