//! What an application lacks that YARN is not asked for.

use crate::explain::words;

/// `heard`: when YARN last heard of the AM; `missed`: when its attempt is ended for that.
pub fn hangs(heard: &str, missed: &str) -> String {
    format!(
        "Its AM has made no call since {heard} and asks for nothing; its process is still there. YARN misses it at {missed} and \
         ends the attempt (yarn.am.liveness-monitor.expiry-interval-ms)."
    )
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
