//! How the FairScheduler divides, compares and waits: headings of its ledger, and how its figures come about.

use crate::explain::words;
use heddle_core::config::fair::Policy;
use heddle_core::scheduler::fair::KeyPart;
use heddle_core::scheduler::fair::shares::ShareReason;

pub const LAW: &str = "FairScheduler.update";
pub const NONE_YET: &str =
    "The FairScheduler runs, and its first update is still to come: nobody has a fair share yet.";

/// "update at 0:33"; `same`: later updates had the same findings.
pub fn title(at: &str, same: bool) -> String {
    format!("update at {at}{}", if same { ", and the same since" } else { "" })
}

// ---- the result

pub const NO_PREEMPTION: &str = "Preemption is off (yarn.scheduler.fair.preemption), so no clock of starvation runs.";

pub fn too_little_used(used: Option<f32>, threshold: f32) -> String {
    let used = used.map_or("nothing".to_string(), |used| words::percent(f64::from(used)));
    let threshold = words::percent(f64::from(threshold));
    format!(
        "{used} of the cluster is used, and clocks are looked at above {threshold} only \
         (yarn.scheduler.fair.preemption.cluster-utilization-threshold): nobody counts as starved."
    )
}

pub fn starved(apps: &[String]) -> String {
    match apps {
        [] => "Nobody is starved.".to_string(),
        [one] => format!("{one} is starved."),
        _ => format!("{} are starved.", words::list(apps, 6)),
    }
}

pub fn minimum_lacks(queue: &str) -> String {
    format!(
        "**{queue}** lacks its minimum share for longer than it has patience; room was looked for before, or nobody in it wants any."
    )
}

pub const ANY_TWO: &str = "Of any two in a table of keys the first column from the left that differs decides.";
pub const UTILIZATION: &str = "cluster used";
pub const PREEMPTION: &str = "preemption";
pub const INTERVAL: &str = "from update to update";

pub fn on_above(threshold: f32) -> String {
    format!("on, above {} used", words::percent(f64::from(threshold)))
}

pub const OFF: &str = "off";

// ---- shares

/// "Fair shares, memory"
pub fn shares(kind: &str) -> String {
    format!("Fair shares, {kind}")
}

pub fn shares_of_apps(kind: &str) -> String {
    format!("Fair shares of applications, {kind}")
}

pub const MEMORY: &str = "memory";
pub const QUEUE: &str = "queue";
pub const APP: &str = "application";
pub const OF_SHARES: [&str; 7] = ["weight", "minimum", "maximum", "demand", "used now", "fair share", "steady share"];
pub const SET_BY: &str = "set by";
pub const OF_APPS: [&str; 4] = ["weight", "demand", "used now", "fair share"];

/// What decided a share, in a few words.
pub fn how(how: ShareReason) -> &'static str {
    match how {
        ShareReason::NoMaximum => "maximum 0",
        ShareReason::Idle => "nothing ran",
        ShareReason::NoWeight => "weight 0",
        ShareReason::Minimum => "its minimum",
        ShareReason::Maximum => "its maximum",
        ShareReason::Weight => "its weight",
    }
}

/// Describes how a parent's share is divided among `among` of its `all` children.
pub fn divided(total: &str, of: &str, steady: bool, among: usize, all: usize) -> String {
    let who = match (steady, all) {
        (_, 1) => "its only child".to_string(),
        (true, _) => format!("its {all} children, whether anything of them runs or not"),
        _ if among == all => format!("its {all} children: each had an application that ran"),
        _ => format!("{among} of its {all} children: those with an application that ran"),
    };
    format!("{total} of {of} are divided among {who}")
}

pub fn divided_among_apps(total: &str, of: &str, apps: usize) -> String {
    format!("{total} of {of} are divided among {}", words::count(apps as i64, "runnable application"))
}

pub fn rest(rest: &str) -> String {
    format!("{rest} of that are for those whose share depends on their weight, which get their maxima at most")
}

/// `sum`: the sum of the shares by weight.
pub fn worth(worth: &str, sum: &str) -> String {
    format!("a weight of 1 is worth {worth}: found by halving, so that the shares come to {sum}")
}

pub fn too_many_minima(minima: &str, rest: &str) -> String {
    format!("their minima alone come to {minima}, more than the {rest} that there are: a weight is worth nothing")
}

/// The last step. `by_weight`: the share by weight.
pub fn share(how: ShareReason, weight: &str, worth: &str, by_weight: &str, share: &str) -> String {
    match how {
        ShareReason::NoMaximum => "its maximum is 0, and so is its share".to_string(),
        ShareReason::Idle => "no application of it ran at the update: its share is 0".to_string(),
        ShareReason::NoWeight => format!("its weight is 0: it gets its minimum of {share} and no more"),
        ShareReason::Minimum => {
            format!("weight {weight} × {worth} = {by_weight} is less than its minimum: it gets the minimum of {share}")
        }
        ShareReason::Maximum => {
            format!(
                "weight {weight} × {worth} = {by_weight} is no less than its maximum: it gets the maximum of {share}"
            )
        }
        ShareReason::Weight => format!("weight {weight} × {worth} = {share}"),
    }
}

pub fn whole(total: &str) -> String {
    format!("root has the whole cluster: {total}")
}

pub fn not_divided(policy: Policy, parent: &str) -> String {
    match policy {
        Policy::Fifo => format!(
            "{parent} has the policy fifo: the first application has its whole share, others keep what they had"
        ),
        _ => {
            format!("{parent} has the policy {}, which divides memory only: what there was before stays", policy.text())
        }
    }
}

pub const CAME_LATER: &str = "it was not there, or held back, at the update: it has no share yet";

// ---- keys

pub fn children(queue: &str, policy: Policy) -> String {
    format!("Children of {queue} as they would be asked now, {}", policy.text())
}

pub fn applications(queue: &str, policy: Policy) -> String {
    format!("Applications of {queue} as they would be asked now, {}", policy.text())
}

pub use super::orders::WANTS;
pub const BELOW_MINIMUM: &str = "below its minimum";
pub const OF_MINIMUM: &str = "used of minimum";
pub const BY_WEIGHT: &str = "used ÷ weight";
pub const STARTED: &str = "started";
pub const NAME: &str = "name";
pub const BEHIND: &str = "behind the one above by";

/// The headings of DRF's figures: the type with the largest share first.
pub fn by_share(place: usize, last: bool) -> String {
    match place {
        0 => "dominant share ÷ weight".to_string(),
        1 if last => "other share ÷ weight".to_string(),
        n => format!("share {} ÷ weight", n + 1),
    }
}

pub fn of_minimum(percent: &str) -> String {
    format!("{percent} of minimum")
}

/// Names what puts one behind another; `None`: nothing in the key does.
pub fn part(policy: Policy, part: Option<KeyPart>, apps: bool) -> String {
    let word = match (part, policy) {
        (Some(KeyPart::Idle), _) => WANTS,
        (Some(KeyPart::Minimum), _) => BELOW_MINIMUM,
        (Some(KeyPart::Figure(0)), Policy::Fair) => OF_MINIMUM,
        (Some(KeyPart::Figure(1)), Policy::Fair) => "having no weight",
        (Some(KeyPart::Figure(_)), Policy::Fair) => BY_WEIGHT,
        (Some(KeyPart::Figure(n)), _) => return by_share(n, n == 1),
        (None, _) if apps => "start, then number",
        (None, _) => NAME,
    };
    word.to_string()
}

// ---- clocks

pub const CLOCKS: &str = "Clocks of starvation";
pub const WHOSE: &str = "of";
pub const OF_CLOCKS: [&str; 5] = ["used", "entitled to", "lacks", "patience", "what comes of it"];

pub fn minimum_of(queue: &str) -> String {
    format!("minimum share of {queue}")
}

pub fn due(share: &str, threshold: f32, demand: &str, due: &str) -> String {
    format!("fair share {share} × fairSharePreemptionThreshold {threshold}, at most its demand of {demand}: {due}")
}

pub fn due_of_minimum(minimum: &str, demand: &str, due: &str) -> String {
    format!("minResources {minimum}, at most its demand of {demand}: {due}")
}

pub const NO_TIMEOUT: &str = "not set";
pub const HAS_IT: &str = "has it: the clock stands";

pub fn runs(since: &str, until: Option<&str>) -> String {
    match until {
        Some(until) => format!("running since {since}: starved from {until} on"),
        None => format!("running since {since}, without end: no timeout is set"),
    }
}

pub fn starved_since(since: &str) -> String {
    format!("starved: it has lacked it since {since}")
}

pub const WANTS_NOTHING: &str = "wants nothing more: not looked at";

pub fn looked_at_from(at: &str) -> String {
    format!("room was looked for: not looked at before {at}")
}

pub fn behind(app: &str) -> String {
    format!("not looked at: {app} stands before it and is not starved, which ends the look at this leaf")
}

// ---- searches

pub fn searches(at: &str) -> String {
    format!("Room looked for at {at}")
}

pub const OF_SEARCHES: [&str; 4] = ["lacks", "requests counted", "chosen", "looked at again"];

/// "a-job-3, killed at 0:45"
pub fn chosen(container: &str, at: &str) -> String {
    format!("{container}, killed at {at}")
}

/// "2 of 3"
pub fn counted(room_for: i64, asked: i64) -> String {
    format!("{room_for} of {asked}")
}

pub const NOBODY: &str = "nobody can give room";

/// "b-job: 2 chosen"
pub fn stop(app: &str, chosen: usize) -> String {
    format!("{app} starved, {chosen} chosen")
}
