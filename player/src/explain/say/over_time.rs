//! What stopped something when, and what happened in the meantime.

use super::verdicts;
use crate::explain::over_time::WaitCause;
use crate::explain::words;
use heddle_core::check::Check;

/// Why it waited, in a few words: "AM limit", "no room and constraint"; `master`: the words are about the AM of the application
/// in question.
pub fn cause(cause: &WaitCause, master: bool) -> String {
    let cause = match cause {
        WaitCause::Checks(checks) => {
            let mut out: Vec<&str> = Vec::new();
            for check in checks {
                let words = short(*check);
                if !out.contains(&words) {
                    out.push(words);
                }
            }
            words::list(&out, 3)
        }
        WaitCause::Behind => "behind another".to_string(),
        WaitCause::OwnNodes => "waits for the nodes held for it".to_string(),
        WaitCause::Refused => "refused at commit".to_string(),
        WaitCause::Served => "it was served".to_string(),
        WaitCause::Turn => "at its next turn".to_string(),
        WaitCause::NoSuchLabel => "no node has its label".to_string(),
        WaitCause::NotAsked => "not asked for".to_string(),
        WaitCause::Unasked => "not activated yet".to_string(),
    };
    if master { format!("its AM: {cause}") } else { cause }
}

fn short(check: Check) -> &'static str {
    match check {
        Check::NodeFree | Check::NodeRoom | Check::NodeMinimum => "no room",
        Check::NodeUnreserved | Check::CandidateUnreserved => "nodes held for others",
        Check::NodePartition | Check::AmExclusivity => "label",
        Check::Constraint => "constraint",
        Check::Blacklist => "blacklist",
        Check::LocalityDelay | Check::LocalityDelayTime | Check::RelaxLocality | Check::LocalityRow => {
            "waits for its places"
        }
        Check::NodeTotal => "nodes too small",
        Check::CommitNodeRunning => "nodes away",
        Check::Unreserve => "no reservation to give up",
        // The request that comes first in the leaf may belong to the application itself.
        Check::LeafHeadroom => "no headroom",
        check => verdicts::short_of(check),
    }
}

pub fn joined(node: &str, at: &str) -> String {
    format!("{node} joined at {at}")
}

pub fn lost(node: &str, at: &str) -> String {
    format!("{node} was lost at {at}")
}

pub fn unhealthy(node: &str, at: &str) -> String {
    format!("{node} was unhealthy at {at}")
}

pub fn left(node: &str, at: &str) -> String {
    format!("{node} left at {at}")
}

pub fn decommissioning(node: &str, at: &str) -> String {
    format!("{node} was draining from {at} on")
}

pub fn taken_back(node: &str, at: &str) -> String {
    format!("{node} takes containers again since {at}")
}

pub fn relabelled(node: &str, at: &str) -> String {
    format!("{node} got another label at {at}")
}

pub fn unlabelled(node: &str, at: &str) -> String {
    format!("{node} lost its label at {at}")
}

pub fn resized(node: &str, at: &str) -> String {
    format!("{node} was resized at {at}")
}

/// "n2 has been silent since 0:30 and counts as lost at 10:00"
pub fn node(node: &str, has: &str) -> String {
    format!("{node} {has}")
}

pub fn refreshed(at: &str) -> String {
    format!("settings were refreshed at {at}")
}

pub fn ended(app: &str, at: &str) -> String {
    format!("{app} ended at {at}")
}

pub fn moved(queue: &str, at: &str) -> String {
    format!("it was moved to {queue} at {at}")
}

pub fn attempt(attempt: i64, at: &str) -> String {
    format!("attempt {attempt} began at {at}")
}

/// The number of containers that it got while the same limit kept it from more.
pub fn given(n: usize) -> String {
    format!("{n} given in the meantime")
}

/// The number of happenings beyond those shown.
pub fn more(n: usize) -> String {
    format!("{n} more")
}
