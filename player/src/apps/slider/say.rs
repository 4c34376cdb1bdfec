//! Slider's decisions with their reasons: a sentence for each entry of its journal.

use crate::explain::say::events::Tone;
use crate::explain::say::verdicts;
use crate::explain::words;
use heddle_core::apps::slider::journal::{
    CancelReason, ContainerOutcome, Decision, Ended, LeftOut, Match, NodeChange, ReleaseReason, Skip, Stopped,
    TargetChoice,
};
use heddle_core::apps::slider::scenario::HistoryEdit;
use heddle_core::apps::slider::strategy::outstanding::{Cause, Wait};
use heddle_core::check::{Check, Failure, Figures};
use heddle_core::journal::SliderAct;
use heddle_core::model::{ContainerId, Millis, Resource};

/// What somebody does to history files, in words.
pub fn happening(edit: &HistoryEdit) -> String {
    format!("the history of {} is changed", edit.app)
}

/// Returns the decision's tone, verb and reason; `None` if another entry covers it.
pub fn decided(act: &SliderAct, container: &dyn Fn(ContainerId) -> String) -> Option<(Tone, &'static str, String)> {
    let who = component(act);
    let on = act.host.as_deref().map_or(String::new(), |host| format!(" on {host}"));
    let (tone, verb, why) = match &act.decision {
        Decision::Asked { why, .. } => (Tone::Waits, "asks", asked(&who, why)),
        Decision::Replaced { .. } => {
            let why =
                format!("A second request of {who} for the same host: Slider forgets the first, YARN keeps both.");
            (Tone::Waits, "forgets", why)
        }
        Decision::Escalated { host, since, .. } => {
            let why = format!(
                "{who} has waited for {host} since {}: the request is withdrawn, and made anew so that YARN may place \
                 it elsewhere.",
                words::clock(*since)
            );
            (Tone::Joins, "relaxes", why)
        }
        Decision::Cancelled { why: CancelReason::Met | CancelReason::Escalated, .. } => return None,
        Decision::Cancelled { why: CancelReason::Shrinking, .. } => {
            (Tone::Waits, "withdraws", format!("Fewer instances of {who} are wanted than were asked for."))
        }
        Decision::Cancelled { why: CancelReason::ClusterChanged, .. } => {
            let why = format!("The cluster changed: the hosts for the next instance of {who} are listed anew.");
            (Tone::Waits, "withdraws", why)
        }
        Decision::Dropped { .. } => {
            let why = format!(
                "All instances of {who} that are wanted are there: the request is forgotten without being withdrawn, so \
                 YARN may still grant it."
            );
            (Tone::Waits, "forgets", why)
        }
        Decision::Pending { count, why, .. } => (Tone::Waits, "holds back", not_asked(&who, *count, why)),
        Decision::Granted { used: Some(how), .. } => {
            (Tone::Placed, "takes", format!("For {who}{on}: {}.", matched(*how)))
        }
        Decision::Granted { used: None, .. } => {
            (Tone::Over, "refuses", format!("More instances of {who} were granted than are wanted."))
        }
        Decision::NotOurs { component, .. } => {
            (Tone::Over, "refuses", format!("No component has the id {component}, which its priority stands for."))
        }
        Decision::Released { why: ReleaseReason::Shrinking, .. } => {
            let why =
                format!("Fewer instances of {who} are wanted: those created last go first, this one{on} among them.");
            (Tone::Over, "gives back", why)
        }
        Decision::Released { why: ReleaseReason::Surplus, .. } => {
            (Tone::Over, "gives back", format!("More instances of {who} were granted than are wanted."))
        }
        Decision::Released { why: ReleaseReason::AgentLost, .. } => {
            (Tone::Over, "gives back", "Its agent is not heard from any more.".to_string())
        }
        Decision::TooFewToRelease { missing, .. } => {
            let why = format!("{} more of {who} should go than can be given back.", words::count(*missing, "instance"));
            (Tone::Waits, "finds too few", why)
        }
        Decision::LaunchFailed { .. } => {
            let why = format!(
                "The instance of {who}{on} could not be started. Its host is charged with a failure, and once more when \
                 YARN reports the container's end; only then is it asked for again."
            );
            (Tone::Over, "cannot be launched", why)
        }
        Decision::Ended { how, .. } => (Tone::Over, "hears of the end", ended(&who, &on, *how)),
        Decision::Blacklisted { host, failures, threshold, .. } => {
            (Tone::Joins, "blacklists", blacklisted(&who, host, *failures, *threshold))
        }
        Decision::Restored { host } => {
            let why = format!("No component exceeds its threshold of failures on {host} any more.");
            (Tone::Joins, "restores", why)
        }
        Decision::ClusterChanged { host, why } => {
            let why = match why {
                NodeChange::New => format!("{host} is new to Slider."),
                NodeChange::Back => format!("{host} can be used again."),
                NodeChange::Relabelled => format!("{host} has another label."),
            };
            (Tone::Joins, "hears of a node", why)
        }
        Decision::HistoryLoaded { name, saved, discarded } => {
            (Tone::Joins, "takes up its history", history_loaded(name, *saved, *discarded))
        }
        Decision::HistorySkipped { name, fault } => {
            let why = format!("{name} cannot be read: {}, at byte {}.", fault.what, fault.at);
            (Tone::Joins, "skips a file", why)
        }
        Decision::Flexed { from, to, .. } => {
            (Tone::Joins, "flexes", format!("{} of {who} wanted; before {from}.", words::count(*to, "instance")))
        }
        Decision::HistoryMissing { skipped } => {
            let why = match skipped {
                0 => "There is no history file: its components have no host to return to.",
                _ => "No history file is left that can be read: its components have no host to return to.",
            };
            (Tone::Joins, "starts without a history", why.to_string())
        }
        Decision::FailuresReset => {
            (Tone::Joins, "forgets failures", "Recent failures of all components and nodes count from 0.".to_string())
        }
        Decision::Stopped(stopped) => (Tone::Bad, "stops", stopped_for(stopped)),
        Decision::DefinitionRefused { what, flex: true } => {
            (Tone::Joins, "refuses to flex", format!("The new definition is not taken: {what}."))
        }
        Decision::DefinitionRefused { what, flex: false } => {
            (Tone::Joins, "cannot start", format!("Its definition is refused: {what}."))
        }
    };
    Some((tone, verb, named(act, why, container)))
}

/// Returns the reason; for an application's stop, with the container that failed last.
fn named(act: &SliderAct, why: String, container: &dyn Fn(ContainerId) -> String) -> String {
    use heddle_core::apps::slider::journal::LastFailure;
    match &act.decision {
        Decision::Stopped(Stopped { last: Some(LastFailure::Ended { container: id, host, exit_status }), .. }) => {
            format!("{why} The last was {} on {host}, exit status {exit_status}.", container(*id))
        }
        _ => why,
    }
}

fn component(act: &SliderAct) -> String {
    act.component.as_deref().map_or("a component".to_string(), str::to_string)
}

fn asked(who: &str, why: &TargetChoice) -> String {
    match why {
        TargetChoice::NoHistoryWanted => {
            format!("One instance of {who}, anywhere: its policy does not look at where it ran before.")
        }
        TargetChoice::Recent { host, last_used, skipped } => {
            let used = match last_used {
                0 => String::new(),
                before if *before < 0 => " (used before this run)".to_string(),
                at => format!(" (used until {})", words::clock(*at)),
            };
            format!(
                "One instance of {who} on {host} and nowhere else: the first host of its recent list that will \
                 do{used}.{}",
                passed_over(skipped)
            )
        }
        TargetChoice::NoRecent { skipped } if skipped.is_empty() => {
            format!("One instance of {who}, anywhere: no host is left in its recent list.")
        }
        TargetChoice::NoRecent { skipped } => {
            format!("One instance of {who}, anywhere: no host of its recent list will do.{}", passed_over(skipped))
        }
        TargetChoice::Eligible { hosts, left_out } => format!(
            "One instance of {who} on any of {}{}.",
            words::count(*hosts as i64, "host"),
            left_out_words(*left_out).map_or(String::new(), |w| format!("; left out: {w}"))
        ),
    }
}

fn passed_over(skipped: &[(String, Skip)]) -> String {
    if skipped.is_empty() {
        return String::new();
    }
    let one = |(host, why): &(String, Skip)| match why {
        Skip::Active(_) => format!("{host} (an instance is there)"),
        Skip::Offline(state) => format!("{host} ({})", state.name()),
        Skip::Failures(failures, threshold) => format!("{host} ({failures} recent failures, threshold {threshold})"),
    };
    let all: Vec<String> = skipped.iter().map(one).collect();
    format!(" Passed over: {}.", words::list(&all, 6))
}

/// Hosts that cannot take an anti-affine instance; `None` if all can.
pub fn left_out_words(left_out: LeftOut) -> Option<String> {
    let LeftOut { offline, label, occupied } = left_out;
    let parts = [(occupied, "with an instance"), (label, "without its label"), (offline, "not usable")];
    let parts: Vec<String> = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// Why instances are not asked for.
pub fn not_asked(who: &str, count: i64, why: &Failure) -> String {
    let more = words::count(count, "instance");
    match why.check {
        Check::AffinityOneByOne => {
            format!("{more} of {who} not asked for yet: instances that must not share a host are asked for one by one.")
        }
        Check::AffinityHost => {
            let left_out = if let Figures::LeftOut(left_out) = why.figures { left_out } else { LeftOut::default() };
            format!(
                "{more} of {who} not asked for: no host can take one{}. YARN sees no demand for {}.",
                left_out_words(left_out).map_or(String::new(), |w| format!(" ({w})")),
                if count == 1 { "it" } else { "them" }
            )
        }
        Check::AskDue => format!("Slider asks for {who} at its next review."),
        Check::RequestMade => {
            format!("Slider counts a request of {who} as made and has forgotten it; YARN may still have it.")
        }
        check => format!("{more} of {who}: {}.", verdicts::short_of(check)),
    }
}

fn matched(how: Match) -> &'static str {
    match how {
        Match::Placed => "it meets the request for this host",
        Match::Escalated => "it meets the request that was relaxed",
        Match::Open => "it meets the oldest open request of its priority and size",
        Match::Unallocated => "it meets no request that Slider knows of, and an instance is missing",
    }
}

fn ended(who: &str, on: &str, how: Ended) -> String {
    match how {
        Ended::Released => "It was given back.".to_string(),
        Ended::Surplus => "It was surplus.".to_string(),
        Ended::Unknown => "Slider does not know it: nothing changes.".to_string(),
        Ended::Failed { outcome, short_lived, recent } => {
            let charged = match (short_lived, outcome) {
                (true, _) => "it was short-lived, so its host is charged with a failure whatever the cause",
                (false, ContainerOutcome::Failed | ContainerOutcome::NodeFailure) => {
                    "its host is charged with a failure"
                }
                (false, ContainerOutcome::Preempted) => "nobody is charged with a failure",
                (false, ContainerOutcome::Completed | ContainerOutcome::LimitsExceeded) => "its host is not charged",
            };
            let counts =
                recent.map_or(String::new(), |n| format!(", and {who} counts {}", words::count(n, "recent failure")));
            format!("An instance of {who}{on} ended that was to stay (outcome {}): {charged}{counts}.", outcome.name())
        }
    }
}

fn blacklisted(who: &str, host: &str, failures: i64, threshold: i32) -> String {
    if threshold < 0 {
        return format!(
            "The threshold of {who}, {threshold}, is always exceeded: {host} is withheld from the whole application."
        );
    }
    format!(
        "{who} failed {} recently on {host}, and its threshold is {threshold}: the host is withheld from the whole \
         application.",
        words::count(failures, "time")
    )
}

fn history_loaded(name: &str, saved: Millis, discarded: usize) -> String {
    let when = if saved < 0 { "before this run".to_string() } else { format!("at {}", words::clock(saved)) };
    let rest = match discarded {
        0 => String::new(),
        n => format!(" {} of components that there are not discarded.", words::count(n as i64, "record")),
    };
    format!("{name}, saved {when}, is the newest file that can be read.{rest}")
}

fn stopped_for(stopped: &Stopped) -> String {
    if let Some(count) = stopped.negative {
        return format!(
            "{} is to have {count} instances, less than none: the application ends as failed.",
            stopped.component
        );
    }
    format!(
        "{} failed {} recently ({} in all, {} of them at the start), and its threshold is {}: the application ends as \
         failed.",
        stopped.component,
        words::count(stopped.failed_recently, "time"),
        stopped.failed,
        stopped.start_failed,
        stopped.threshold
    )
}

// ---- outstanding requests

/// The text for a wait that has none of the manual's causes.
pub const NO_CAUSE: &str = "none of the manual's causes";

/// "worker: 2 instances outstanding"
pub fn outstanding(component: &str, count: i64) -> String {
    format!("{component}: {} outstanding", words::count(count, "instance"))
}

/// What Slider waits for. `ignored`: the scheduler ignores hosts. `in_run` converts Slider's times to those of the run.
pub fn waits_for(component: &str, count: i64, wait: &Wait, ignored: bool, in_run: &dyn Fn(Millis) -> Millis) -> String {
    let clock = |at: &Millis| words::clock(in_run(*at));
    let said = match wait {
        Wait::Host { host, state, relaxes_after } => {
            let down = if state.usable() { String::new() } else { format!(", which is {},", state.name()) };
            let then = match relaxes_after {
                Some(at) => format!("relaxed by its first check after {}", clock(at)),
                None => "never relaxed (strict placement)".to_string(),
            };
            format!("Slider asks for {component} on {host}{down} and nowhere else; {then}.")
        }
        Wait::Relaxed { host, since } => format!(
            "Slider wanted {component} on {host}, and relaxed the request at {}: YARN may place it anywhere.",
            clock(since)
        ),
        Wait::Anywhere => format!("Slider asks for {component} anywhere."),
        Wait::OneOf(hosts) if hosts.len() == 1 => {
            format!("Slider asks for {component} on the only host without an instance of it.")
        }
        Wait::OneOf(hosts) => format!(
            "Slider asks for {component} on any of {} without an instance of it.",
            words::count(hosts.len() as i64, "host")
        ),
        Wait::NotAsked(why) => not_asked(component, count, why),
    };
    let bound = matches!(wait, Wait::Host { .. } | Wait::OneOf(_));
    if ignored && bound { format!("{said} {PLACES_IGNORED}") } else { said }
}

pub fn unknown_host(host: &str) -> String {
    format!("YARN knows no host {host}.")
}

/// A request for hosts with a label carries no label.
pub fn label_not_sent(hosts: &[&str], label: &str) -> String {
    let have = if hosts.len() == 1 { "has" } else { "have" };
    let hosts = words::list(hosts, 3);
    format!("A label is never sent with hosts: YARN gives it nothing on {hosts}, which {have} the label {label}.")
}

/// How the FifoScheduler treats a request that is bound to hosts.
pub const PLACES_IGNORED: &str = "The FifoScheduler takes no notice of that: it may place it on any node.";

/// Returns the number of a cause in the manual's list.
fn number(cause: &Cause) -> usize {
    match cause {
        Cause::ClusterTooSmall { .. } => 1,
        Cause::NoSpace { .. } => 2,
        Cause::BehindOthers { .. } => 3,
        Cause::StrictHostGone { .. } => 4,
        Cause::AntiAffinity { .. } => 5,
        Cause::TooLarge { .. } => 6,
        Cause::Label { .. } => 7,
    }
}

/// "cause 4 of Slider's manual: strict placement, and the host is gone"
pub fn numbered(cause: &Cause) -> String {
    let short = match cause {
        Cause::ClusterTooSmall { .. } => "more containers than the cluster has room for",
        Cause::NoSpace { .. } => "not enough space, given everything else that runs",
        Cause::BehindOthers { .. } => "there is space, and others come first",
        Cause::StrictHostGone { .. } => "strict placement, and the host is gone",
        Cause::AntiAffinity { .. } => "anti-affinity, and no host is left with room",
        Cause::TooLarge { .. } => "too much memory or too many cores for any node",
        Cause::Label { .. } => "only the nodes with its label count",
    };
    format!("cause {} of Slider's manual: {short}", number(cause))
}

/// A cause with its figures.
pub fn cause(cause: &Cause) -> String {
    let nodes = |n: usize| words::count(n as i64, "node");
    let figures = match cause {
        Cause::ClusterTooSmall { room, wanted } => {
            format!("even when nothing else runs, there is room for {room} of the {wanted} that are wanted")
        }
        Cause::NoSpace { nodes: n } => {
            format!("{} that it may use would be large enough, and what runs leaves no room", nodes(*n))
        }
        Cause::BehindOthers { nodes: n } => {
            format!("{} with room, kept from it by a limit of its queue or user, or by who comes first", nodes(*n))
        }
        Cause::StrictHostGone { host, state } => {
            let is = state.map_or("not in the cluster", |state| state.name());
            format!("{host} is {is}, and strict placement waits for it")
        }
        Cause::AntiAffinity { left: 0, left_out } => {
            format!("no host is left{}", left_out_words(*left_out).map_or(String::new(), |w| format!(": {w}")))
        }
        Cause::AntiAffinity { left: 1, .. } => "1 host is without an instance, and it has no room".to_string(),
        Cause::AntiAffinity { left, .. } => {
            format!("{} without an instance, and none of them has room", words::count(*left as i64, "host"))
        }
        Cause::TooLarge { size, largest } => format!(
            "{} is asked for, and the most that a node has is {}",
            memory_and_vcores(*size),
            memory_and_vcores(*largest)
        ),
        Cause::Label { label, nodes: 0 } => format!("no usable node has the label {label}"),
        Cause::Label { label, nodes: n } => {
            format!("{} with the label {label}, without room; room elsewhere does not count", nodes(*n))
        }
    };
    format!("Cause {} of Slider's manual: {figures}.", number(cause))
}

fn memory_and_vcores(size: Resource) -> String {
    format!("{} and {}", words::memory(size.memory_mb()), words::vcores(size.vcores()))
}

/// Returns the cure of a cause.
pub fn cure(cause: &Cause) -> &'static str {
    match cause {
        Cause::ClusterTooSmall { .. } => {
            "More nodes would help, or fewer or smaller instances; Slider itself does its part."
        }
        Cause::NoSpace { .. } => "It comes when others end, or with a smaller size; Slider itself does its part.",
        Cause::BehindOthers { .. } => {
            "A queue or a user with a larger share would help, or patience; Slider itself does its part."
        }
        Cause::StrictHostGone { .. } => {
            "Bring the host back, or set the policy to 0 and start the ApplicationMaster anew."
        }
        Cause::AntiAffinity { left_out: LeftOut { label: 1.., .. }, .. } => {
            "More hosts with its label would help, or fewer instances: Slider never puts two on one host."
        }
        Cause::AntiAffinity { .. } => "More hosts would help, or fewer instances: Slider never puts two on one host.",
        Cause::TooLarge { .. } => "Ask for less, or bring a larger node.",
        Cause::Label { .. } => {
            "Label more nodes, or change yarn.label.expression and start the ApplicationMaster anew."
        }
    }
}

/// The ResourceManager and Slider count a component's containers differently; `sum` is YARN's count.
pub fn component_differs(app: &str, id: i32, sum: i64, books: i64) -> String {
    format!("YARN gives component {id} of {app} {}, and its Slider counts {books}.", words::count(sum, "container"))
}
