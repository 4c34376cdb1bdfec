//! What an application lacks without asking YARN for it.

use super::verdicts;
use crate::explain::words;
use heddle_core::check::Check;

/// "etl AM"
pub fn master(app: &str) -> String {
    format!("{app} AM")
}

/// "hbase worker", "join 0"
pub fn part(app: &str, part: &str) -> String {
    format!("{app} {part}")
}

/// Three words for a card: those for the check that keeps it, where that check fails.
pub const fn short(check: Check) -> &'static str {
    verdicts::short_of(check)
}

/// `heard`: the AM's last call; `missed`: when its attempt is ended for that; `last`: the application may have no other
/// attempt.
pub fn hangs(heard: &str, missed: &str, last: bool) -> String {
    let ends = if last { "ends the application, which may have no other attempt" } else { "ends the attempt" };
    format!(
        "Its AM has made no call since {heard} and asks for nothing; its process is still there. YARN misses it at {missed} and \
         {ends} (yarn.am.liveness-monitor.expiry-interval-ms)."
    )
}

/// `has`: "has been silent since 0:30 and counts as lost at 10:30"; `missed`: when its attempt is ended because the AM is
/// silent; `None`: the node counts as lost before. `last`: the application may have no other attempt.
pub fn master_silent(host: &str, has: &str, missed: Option<&str>, last: bool) -> String {
    let then = if last { "the application, which may have no other attempt, ends" } else { "the next attempt begins" };
    let or = missed.map_or(String::new(), |missed| format!(", or at {missed}, when YARN misses the AM"));
    format!("**{host}**, where its AM ran, {has}: {then} then{or}.")
}

pub fn not_asked_again(killed: i64) -> String {
    let (were, them) = if killed == 1 { ("was", "it") } else { ("were", "them") };
    format!(
        "{} of it {were} preempted. YARN does not ask again for what has run once, and its AM has not asked for {them} again.",
        words::count(killed, "container")
    )
}

pub fn ends_again(container: &str, times: i64, last: &str) -> String {
    format!(
        "The process of **{container}** has ended {times} times and been started again by its node each time, the last at \
         {last}; its AM is not told."
    )
}
