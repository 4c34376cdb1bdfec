//! The sentences in a Slider application's tables.

use crate::explain::words;
use heddle_core::apps::slider::strategy::Policy;
use heddle_core::apps::slider::strategy::nodes::NodeEntry;
use heddle_core::apps::slider::strategy::outstanding::Wait;
use heddle_core::check::Check;

pub const REQUESTS: &str = "Requests";
pub const ROLE_HISTORY: &str = "Role history: who ran where";
pub const FILES: &str = "History files";
pub const HOST: &str = "host";
pub const FILE: &str = "file";
/// The columns' names, and whether they are numbers.
pub const OF_REQUESTS: [(&str, bool); 7] = [
    ("count", true),
    ("priority", true),
    ("kind", false),
    ("host", false),
    ("asked at", false),
    ("relaxed", false),
    ("cause in the manual", false),
];
pub const OF_COMPONENTS: [(&str, bool); 9] = [
    ("id", true),
    ("wanted", true),
    ("there", true),
    ("asked", true),
    ("held back", true),
    ("failed recently", true),
    ("policy", false),
    ("label", false),
    ("recent list", false),
];
pub const OF_HOSTS: [(&str, bool); 2] = [("state", false), ("label", false)];
pub const OF_FILES: [(&str, bool); 4] = [("bytes", true), ("hosts", true), ("saved", false), ("the next start", false)];
pub const HISTORY_TAKEN: &str = "history taken up";
pub const NO_HISTORY: &str = "none";
pub const CHECKS: &str = "escalation check every";
pub const CHECKS_ARE: &str =
    "escalation.check.interval.seconds of internal.json, from the start of its ApplicationMaster";
pub const ASKED: &str = "requests that YARN has";
pub const FAILED: &str = "instances that failed";
pub const BEFORE: &str = "before this run";
pub const ANYWHERE: &str = "anywhere";
pub const NEVER: &str = "never";
pub const STRICT: &str = "Strict placement is never relaxed.";
pub const APART: &str = "A request with anti-affinity is never relaxed: it names every host that will do.";
pub const UNKNOWN_HOST: &str = "not in the cluster";
pub const NOT_LOOKED_AT: &str = "does not look at it: no name of a history file";
pub const EMPTY: &str = "does not look at it: it is empty";
pub const NEXT_START: &str = "takes it up";
pub const WISHES_FOR_EVER: &str = "waits for this host and no other";

/// "Apache Slider 0.92"
pub fn law(snapshot: bool) -> String {
    format!("Apache Slider 0.9{}", if snapshot { 3 } else { 2 })
}

pub fn satisfied(app: &str, wanted: i64, there: i64) -> String {
    let them = if wanted == 1 { "it is" } else { "they are" };
    match wanted - there {
        missing if missing > 0 => {
            let is = if missing == 1 { "is" } else { "are" };
            format!("**{app}** wants {}; {missing} {is} outstanding.", words::count(wanted, "instance"))
        }
        0 if wanted > 0 => format!("**{app}** wants {}, and {them} there.", words::count(wanted, "instance")),
        0 => format!("**{app}** wants no instance."),
        _ => format!("**{app}** wants {}, and has {there}.", words::count(wanted, "instance")),
    }
}

/// "saved at 1:30"
pub fn saved(at: &str) -> String {
    if at == BEFORE { format!("saved {at}") } else { format!("saved at {at}") }
}

/// Returns Slider's own word for a request.
pub fn kind(wait: &Wait) -> &'static str {
    match wait {
        Wait::Host { relaxes_after: Some(_), .. } => "placed",
        Wait::Host { relaxes_after: None, .. } => "placed, strict",
        Wait::Relaxed { .. } => "escalated",
        Wait::Anywhere => "unplaced",
        Wait::OneOf(_) => "anti-affine",
        Wait::NotAsked(why) if why.check == Check::AskDue => "asked for at the next review",
        Wait::NotAsked(why) if why.check == Check::RequestMade => "forgotten, YARN may still have it",
        Wait::NotAsked(_) => "pending: not asked for",
    }
}

pub fn priority(id: i32, located: bool) -> String {
    match located {
        true => format!(
            "The id of the component, {id}: bound to hosts. Such requests come before all that may go anywhere."
        ),
        false => format!("The id of the component, {id}, and bit 30 (1073741824): YARN may place it anywhere."),
    }
}

pub fn relaxed_in(left: &str) -> String {
    format!("in {left}")
}

pub fn relaxed_since(at: &str) -> String {
    format!("since {at}")
}

/// How the time at which a request is relaxed is computed.
pub fn relaxed_how(asked: &str, delay: &str, every: &str, after: &str, at: &str) -> Vec<String> {
    vec![
        format!("asked at {asked} + {delay} (yarn.placement.escalate.seconds) = {after}"),
        format!("checked every {every}: the first check after {after} is at {at}"),
    ]
}

/// How often a component failed, and how often it may.
pub fn failures(all: i64, recently: i64, limit: i32, window: &str) -> Vec<String> {
    let limit = match limit {
        ..=0 => "no limit (yarn.container.failure.threshold)".to_string(),
        n => format!("{recently} of at most {n} recent ones (yarn.container.failure.threshold)"),
    };
    let reset = match window {
        "0 s" => "never forgotten".to_string(),
        window => format!("forgotten every {window}"),
    };
    vec![format!("{} since the start of its ApplicationMaster", words::count(all, "failure")), limit, reset]
}

pub fn policy(policy: Policy) -> String {
    match policy {
        p if p.excluded() => "excluded from flexing".to_string(),
        p if p.anti_affine() => "anti-affinity".to_string(),
        p if p.anywhere() => "anywhere".to_string(),
        p if p.strict() => "strict".to_string(),
        _ => "normal".to_string(),
    }
}

/// "RUNNING, withheld"
pub fn withheld(state: &str) -> String {
    format!("{state}, withheld (blacklist)")
}

pub fn live(n: i64) -> String {
    format!("{n} there")
}

pub fn starting(n: i64) -> String {
    format!("{n} starting")
}

pub fn releasing(n: i64) -> String {
    format!("{n} given back")
}

pub fn used_until(at: &str) -> String {
    if at == BEFORE { at.to_string() } else { format!("until {at}") }
}

pub fn failed(n: i64) -> String {
    format!("{n} failed recently")
}

/// The position in the recent list.
pub fn next(place: usize) -> String {
    format!("next {}", place + 1)
}

/// All counters of an entry.
pub fn entry(e: &NodeEntry, used: Option<&str>, threshold: i32) -> Vec<String> {
    let mut out = vec![
        format!("{} there, {} starting, {} being given back", e.live, e.starting, e.releasing),
        format!(
            "{} failed, {} of them recently; avoided above {threshold} (yarn.node.failure.threshold)",
            e.failed, e.failed_recently
        ),
        format!("{} failed at the start, {} preempted", e.start_failed, e.preempted),
    ];
    out.extend(used.map(|at| if at == BEFORE { format!("last used {at}") } else { format!("last used until {at}") }));
    out
}

pub fn unreadable(what: &str, at: usize) -> String {
    format!("skips it: {what}, at byte {at}")
}

pub fn wishes_until(at: &str) -> String {
    format!("waits for this host, relaxed at {at}")
}

pub fn wished(since: &str) -> String {
    format!("wanted to be here, relaxed at {since}")
}

/// "kafka broker"
pub fn component_of(app: &str, component: &str) -> String {
    format!("{app} {component}")
}
