//! The decisions of a YARN service's ApplicationMaster with their reasons, and the sentences in its tables.

use crate::explain::say::events::Tone;
use crate::explain::words;
use heddle_core::apps::service::journal::{AskReason, Decision, Need, Then};
use heddle_core::apps::service::scenario::Upgrade;
use heddle_core::apps::service::strategy::{Component, MOST_FAILURES, RestartPolicy};
use heddle_core::journal::ServiceAct;

pub const LAW: &str = "YARN service";
pub const OF_COMPONENTS: [(&str, bool); 8] = [
    ("id", true),
    ("wanted", true),
    ("ready", true),
    ("in containers", true),
    ("waiting", true),
    ("over", true),
    ("restart policy", false),
    ("waits for", false),
];

/// What somebody does to a service, in words.
pub fn happening(upgrade: &Upgrade) -> String {
    format!("{} of {} gets upgraded", upgrade.components.join(", "), upgrade.app)
}

/// Returns the decision's tone, verb and reason; `None` if another entry covers it.
pub fn decided(act: &ServiceAct) -> Option<(Tone, &'static str, String)> {
    let who = act.component.as_deref().unwrap_or("the service");
    let name = |instance: &i64| format!("{who}-{instance}");
    Some(match &act.decision {
        Decision::Held { needs } => {
            (Tone::Waits, "holds back", format!("{who} starts when those it depends on are ready: {}.", lacks(needs)))
        }
        Decision::Asked { count, why } => {
            let count = words::count(*count, "container");
            let why = match why {
                AskReason::Start => format!("{who} starts: {count} asked for."),
                AskReason::StartAgain => format!(
                    "{who} starts in this attempt: {count} asked for. What succeeded or failed in an earlier attempt is not \
                     known to it, and runs once more."
                ),
                AskReason::Flex => format!("{who} is to have more instances: {count} asked for."),
                AskReason::NotRecovered => {
                    format!(
                        "YARN did not hand over the container of an instance of {who} in two minutes: another one is asked for."
                    )
                }
            };
            (Tone::Waits, "asks", why)
        }
        Decision::FlexDeferred { to, needs } => {
            let why = format!(
                "{who} is to have {}, and {}: this ApplicationMaster puts the change aside and does not come back to \
                 it. Flex it again when they are ready.",
                words::count(*to, "instance"),
                lacks(needs)
            );
            (Tone::Bad, "puts a flex aside", why)
        }
        Decision::FlexTooEarly { to, starts_with } => {
            let why =
                format!("{who} had not started: it starts now with {starts_with}, and not with {to}. Flex it again.");
            (Tone::Bad, "loses a flex", why)
        }
        Decision::Shrunk { from, to } => {
            let why = format!(
                "{who} goes from {from} to {}: the newest go first. What was asked for and has not come stays asked \
                 for, and is given back when it comes.",
                words::count(*to, "instance")
            );
            (Tone::Over, "shrinks", why)
        }
        Decision::Assigned { instance, .. } => {
            (Tone::Placed, "takes", format!("{} had waited longest.", name(instance)))
        }
        Decision::Surplus { .. } => {
            (Tone::Over, "refuses", format!("No instance of {who} waits for a container any more."))
        }
        Decision::Recovered { instance, .. } => {
            (Tone::Placed, "takes up", format!("{} goes on in the container that it had.", name(instance)))
        }
        Decision::NotTakenUp { .. } => {
            let why = "The attempt before has not written down an instance for it that is still wanted.";
            (Tone::Over, "gives back", why.to_string())
        }
        Decision::Ready { instance, .. } => {
            (Tone::Joins, "ready", format!("{} passes the readiness check.", name(instance)))
        }
        Decision::Ended { instance, exit_code, then, .. } => ended(&name(instance), *exit_code, *then),
        Decision::Relaunched { exit_code, attempt, most, .. } => {
            let why = format!(
                "Its process ended with {exit_code}: the node starts it again in 30 s, {attempt} of at most {most} times in \
                 10 min. The ApplicationMaster is not told."
            );
            (Tone::Joins, "started again", why)
        }
        Decision::HostAvoided { host, failures, most } => {
            let why = format!(
                "{who} failed {failures} times on {host}, more than {most}: YARN is to avoid it for this service."
            );
            (Tone::Bad, "avoids a host", why)
        }
        Decision::HostsBack { hosts } => (
            Tone::Joins,
            "takes hosts back",
            format!("Six hours are over: failures of {who} on {} are forgotten.", words::list(hosts, 3)),
        ),
        Decision::TooManyFailures { failures, most } => {
            let why = format!(
                "{who} failed {failures} times, more than {most}: the ApplicationMaster ends itself. Another attempt, if \
                 YARN gives it one, counts from 0."
            );
            (Tone::Bad, "gives up", why)
        }
        Decision::Done { succeeded: true } => {
            (Tone::Over, "is done", "All instances of all components succeeded.".to_string())
        }
        Decision::Done { succeeded: false } => {
            (Tone::Bad, "is done", "All components are over, and an instance failed: the service fails.".to_string())
        }
        Decision::Upgrading { count } => {
            let why = format!(
                "{} of {who}: the processes start anew in their containers, and nothing is asked of YARN. They are not \
                 asked for readiness for 30 s.",
                words::count(*count, "instance")
            );
            (Tone::Joins, "upgrades", why)
        }
        Decision::Upgraded => (Tone::Joins, "is upgraded", format!("All instances of {who} are ready again.")),
        Decision::NotUpgraded => {
            (Tone::Bad, "is not upgraded", format!("The restart policy of {who} allows no upgrade: only ALWAYS does."))
        }
    })
}

fn ended(who: &str, exit_code: i32, then: Then) -> (Tone, &'static str, String) {
    let why = match then {
        Then::AskedAgain => format!("{who} ended with {exit_code}: another container is asked for, anywhere."),
        Then::Succeeded => format!("{who} ended with 0 and has succeeded."),
        Then::Failed => {
            format!("{who} ended with {exit_code} and has failed: its restart policy asks for no other container.")
        }
        Then::UpgradeFailed => {
            format!(
                "{who} ended with {exit_code} while it was upgraded: no other container is asked for, and the upgrade does not end."
            )
        }
    };
    let tone = if matches!(then, Then::Succeeded) { Tone::Over } else { Tone::Bad };
    (tone, "hears of the end", why)
}

/// "cache has 1 of 2 ready, and db 0 of 1"
pub fn lacks(needs: &[Need]) -> String {
    let each: Vec<String> =
        needs.iter().map(|n| format!("{} has {} of {} ready", n.component, n.ready, n.wanted)).collect();
    words::list(&each, 5)
}

/// "web wants 4 instances; 3 are ready, and 1 over."
pub fn came_to(app: &str, wanted: i64, ready: i64, over: i64) -> String {
    let ended = if over > 0 { format!(", and {over} over") } else { String::new() };
    let are = if ready == 1 { "is" } else { "are" };
    format!("**{app}** wants {}; {ready} {are} ready{ended}.", words::count(wanted, "instance"))
}

/// "front starts when those it depends on are ready: cache has 0 of 2 ready."
pub fn held(component: &str, needs: &[Need]) -> String {
    format!("**{component}** starts when those it depends on are ready: {}.", lacks(needs))
}

/// Its dependencies have become ready since the last check.
pub fn next_check(component: &str) -> String {
    format!("**{component}** starts at the next readiness check: those that it depends on are ready.")
}

/// Instances of the previous attempt.
pub fn unrecovered(component: &str, lost: i64, until: &str) -> String {
    let instances = words::count(lost, "instance");
    let (was, its) = if lost == 1 { ("was", "its container") } else { ("were", "their containers") };
    format!(
        "{instances} of **{component}** {was} not handed to the new AM: it waits for {its} until {until} before it asks again \
         (yarn.service.container-recovery.timeout.ms)."
    )
}

/// Instances wait without a request at YARN.
pub fn forgotten(component: &str, missing: i64) -> String {
    let (them, wait) = if missing == 1 { ("it", "waits") } else { ("them", "wait") };
    format!(
        "{} of **{component}** {wait}, and YARN has no request for {them}: a later request under the same id took the \
         place of an earlier one, or one was rejected. The service does not ask again.",
        words::count(missing, "instance")
    )
}

/// Instances wait because the ResourceManager refused the call that asks for them.
pub fn refused(component: &str, missing: i64, at: &str) -> String {
    let (them, wait) = if missing == 1 { ("it", "waits") } else { ("them", "wait") };
    format!(
        "{} of **{component}** {wait}, and YARN has no request for {them}: it refused the call at {at}, and refuses it as often as \
         the service repeats it.",
        words::count(missing, "instance")
    )
}

pub fn put_aside(component: &str, wanted: i64, number: i64) -> String {
    format!(
        "**{component}** was to have {}, and keeps {number}: the change came when what it depends on was not ready. Flex it \
         again.",
        words::count(wanted, "instance")
    )
}

pub fn instead_of(wanted: i64) -> String {
    format!("A user wanted {wanted}; the change came when what it depends on was not ready, and was put aside.")
}

pub const LACKS: &str = "not asked of YARN";

/// Waiting instances, by whether YARN is asked for them.
pub fn waits(asked: bool) -> &'static str {
    if asked { "asked of YARN" } else { "not asked of YARN: the component has not started" }
}

pub fn over(component: &Component) -> String {
    format!("{} succeeded, {} failed", component.succeeded.len(), component.failed.len())
}

pub fn policy(policy: RestartPolicy, failures: i64) -> Vec<String> {
    let what = match policy {
        RestartPolicy::Always => "Whatever ends is asked for again.",
        RestartPolicy::OnFailure => "What ends with another exit code than 0 is asked for again.",
        RestartPolicy::Never => "Nothing is asked for again.",
    };
    vec![
        what.to_string(),
        format!(
            "{failures} of at most {MOST_FAILURES} failures (yarn.service.container-failure-per-component.threshold)"
        ),
    ]
}
