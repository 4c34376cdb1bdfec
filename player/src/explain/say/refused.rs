//! What was refused, and what followed: the sentences of the answers. The rules themselves are in [`super::refusals`].

use crate::apps;
use crate::explain::words;
use heddle_core::model::Millis;
use heddle_core::rm::AmEnd;
use heddle_core::scenario::Act;
use heddle_core::scheduler::app::EndCause;

pub const NEW_SETTINGS: &str = "new settings";
pub const SETTINGS_REFUSED: &str = "The new settings were refused";
pub const WHAT_WOULD_HELP: &str = "what would help";

// ---- what was tried, and that it was refused

pub fn submission(app: &str) -> String {
    format!("**{app}** was refused")
}

pub fn not_submitted(app: &str) -> String {
    format!("The client of **{app}** refused to submit it")
}

pub fn registration(app: &str) -> String {
    format!("The AM of **{app}** was not let in")
}

pub fn call(app: &str) -> String {
    format!("A call of **{app}** was refused")
}

pub fn requests(containers: i64, app: &str) -> String {
    format!("{} of **{app}** {} rejected", words::count(containers, "container"), was(containers))
}

/// Describes all rejected containers of an application; the time of the last one follows.
pub fn several_requests(containers: i64, app: &str) -> String {
    format!("{} of **{app}** were rejected, the last", words::count(containers, "container"))
}

/// `why`: the outcome of its requests.
pub fn failed_since(app: &str, why: &str) -> String {
    format!("**{app}** failed: {why}")
}

pub fn node(host: &str) -> String {
    format!("Node **{host}** was refused")
}

pub fn nothing_came_of(act: &str) -> String {
    format!("Nothing came of \"{act}\"")
}

pub fn act(act: &str) -> String {
    format!("Refused: \"{act}\"")
}

fn was(n: i64) -> &'static str {
    if n == 1 { "was" } else { "were" }
}

/// What somebody does to the cluster.
pub fn of_act(act: &Act) -> String {
    match act {
        Act::AddNode(node) => format!("node {} joins", node.spec.host),
        Act::RemoveNode(node) => format!("node {node} is removed"),
        Act::CrashNode(node) => format!("node {node} crashes"),
        Act::ReturnNode(node) => format!("node {node} returns"),
        Act::Unhealthy(node) => format!("node {node} becomes unhealthy"),
        Act::Healthy(node) => format!("node {node} becomes healthy"),
        Act::Decommission { node, .. } => format!("node {node} is decommissioned"),
        Act::Recommission(node) => format!("node {node} is recommissioned"),
        Act::Resize { node, .. } => format!("node {node} is resized"),
        Act::LabelNode { node, label } => format!("node {node} gets label {label}"),
        Act::Attributes { node, .. } => format!("node {node} gets other attributes"),
        Act::KillApp(app) => format!("{app} is killed"),
        Act::HangAm(app) => format!("the AM of {app} falls silent"),
        Act::MoveApp { app, queue } => format!("{app} moves to {queue}"),
        Act::SetPriority { app, priority } => format!("{app} gets priority {priority}"),
        Act::FinishContainer { app, container, .. } => format!("container {container} of {app} ends"),
        Act::PutConstraint { tags, .. } => format!("a constraint is set for {}", tags.join(", ")),
        Act::Refresh { written: true, .. } => "the written allocation file is found".to_string(),
        Act::Flex { app, .. } => format!("{app} is flexed"),
        Act::Restart { app, .. } => format!("{app} is restarted"),
        Act::OfKind(act) => apps::happening(act),
        Act::Refresh { .. } => "the settings are refreshed".to_string(),
    }
}

/// "**etl** was refused at 0:05: there is no queue x"; without a full stop.
pub fn at_because(what: &str, at: &str, because: &str) -> String {
    let because = if because.is_empty() { String::new() } else { format!(": {because}") };
    format!("{what} at {at}{because}")
}

pub fn refused_at(at: &str) -> String {
    format!("refused at {at}")
}

pub fn not_submitted_at(at: &str) -> String {
    format!("not submitted at {at}")
}

pub fn by_its_client(because: &str) -> String {
    format!("its client refuses: {because}")
}

pub fn rejected_at(at: &str) -> String {
    format!("rejected at {at}")
}

// ---- the consequence, after the sentence

pub const NO_APPLICATION: &str = ". No application appears";
pub const NEVER_AN_ATTEMPT: &str = ". The application is FAILED and never had an attempt";
pub const SHUTS_DOWN: &str = ". The NodeManager is told to shut down";
pub const CALL_LOST: &str = ". Nothing of that call counts";
pub const NEVER_ASKS: &str = ". So it never asks for anything";
pub const OLD_SETTINGS_STAY: &str = ". The old ones stay";

// ---- sizes that were cut

pub fn one_instead_of(given: &str, asked: &str) -> String {
    format!("{given} instead of {asked}")
}

pub fn cut(amounts: &[String]) -> String {
    format!(
        "Asked for with {}: a request with tags is cut, without a word, to the most that a container may have",
        words::list(amounts, 4)
    )
}

pub fn cut_at(at: &str) -> String {
    format!("size cut at {at}")
}

// ---- how an application ended

pub const KILLED: &str = "somebody killed it";

/// `by`: the queue that set or cut the lifetime, and the property.
pub fn lifetime_over(span: &str, by: Option<(&str, &str)>) -> String {
    let by = by.map_or(String::new(), |(queue, property)| format!(" ({property} of {queue})"));
    format!("its lifetime of {span} was over{by}")
}

/// Why an application failed with its AM; `window`: older failures do not count.
pub fn am_failed(why: &AmEnd, attempts: i32, window: Option<Millis>) -> String {
    let how = match why {
        AmEnd::Exited(code) => format!("its AM exited with code {code}"),
        AmEnd::TimedOut => "its AM was not heard from for too long".to_string(),
        AmEnd::Container(EndCause::LostNode) => "the node of its AM was lost".to_string(),
        AmEnd::Container(EndCause::Expired) => "its AM was never started".to_string(),
        AmEnd::Container(_) => "its AM's container was taken away".to_string(),
    };
    match attempts {
        1 => format!("{how}, and it may have no other attempt"),
        n => match window {
            None => format!("{how}, the last of {n} attempts"),
            Some(ms) => format!("{how}, the last of {n} failed attempts within {}", words::span(ms)),
        },
    }
}

/// A refusal and the end to which it led.
pub fn so(refused: &str, end: &str) -> String {
    format!("{refused}; {end}")
}

pub fn gave_up(failed: i64) -> String {
    match failed {
        0 => "its AM gave up".to_string(),
        n => format!("{n} of its containers failed, and its AM gave up"),
    }
}

pub const TOO_LARGE: &str = "its containers are larger than any that YARN gives, and its AM gave up";

pub const OWN_CALL: &str = "a call of it was refused";
pub const OWN_REGISTRATION: &str = "its AM was not let in";
pub const OWN: &str = "it was refused";

pub fn several_own_requests(containers: i64) -> String {
    format!("{} of it were rejected, the last", words::count(containers, "container"))
}

pub fn own_requests(containers: i64) -> String {
    format!("{} of it {} rejected", words::count(containers, "container"), was(containers))
}

// ---- what is not there

pub const NOT_THERE: &str = "It is not there at this moment.";
pub const NOTHING_REFRESHED: &str = "Nothing is refreshed at that time.";

pub fn comes(what: &str, verb: &str, at: &str) -> String {
    format!("**{what}** {verb} at {at}.")
}

pub fn refreshed(at: &str) -> String {
    format!("The new settings took effect at {at}.")
}

pub fn no_such_app(app: &str) -> String {
    format!("The scenario has no application **{app}**.")
}

pub fn no_such_node(host: &str) -> String {
    format!("The scenario has no node **{host}**.")
}

pub fn no_such_queue(queue: &str) -> String {
    format!("There is no queue **{queue}** at this moment.")
}

// ---- the limit that refuses

pub const THE_CLUSTER: &str = "the cluster";
pub const THE_LARGEST_NODE: &str = "the largest node";
pub const ROOM_FOR_SMALLEST: &str = "a node must have room for the smallest container";
pub const RUNNING_AND_ABOVE: &str = "a queue takes applications while it and all queues above it are RUNNING";
pub const SUBMIT_OR_ADMINISTER: &str = "submit or administer, of the queue or of any queue above it, is enough";

pub fn of_the_queue(how: &str) -> String {
    format!("of the queue: {how}")
}

pub fn of_one_user(of_queue: i64, percent: f32, factor: f32, maximum: i64) -> String {
    if factor == -1.0 {
        return format!("without a user-limit-factor as many as the queue: {maximum}");
    }
    format!(
        "of one user: {of_queue} × {percent} % (minimum-user-limit-percent) × {factor} (user-limit-factor), rounded down, at \
         most {of_queue}: {maximum}"
    )
}

pub fn not_named(user: &str) -> String {
    format!("{user} is not named")
}

pub fn acls_of_allocation_file(queue: &str) -> String {
    format!("aclSubmitApps and aclAdministerApps of {queue} and the queues above it (allocation file)")
}

pub fn may_not_have(user: &str, priority: i32) -> String {
    format!("{user} may not have {priority}")
}

pub fn open_labels(label: &str, open: &[String]) -> String {
    if open.is_empty() { format!("{label}: none is open") } else { format!("{label}: only {}", words::list(open, 4)) }
}

pub fn configured_for(whom: &str, amount: &str) -> String {
    format!("configured for {whom} = {amount}")
}

pub fn largest_node_has(amount: &str) -> String {
    format!("the most that one registered node has = {amount}")
}

pub fn least_of_these(amount: &str) -> String {
    format!("the least of these = {amount}")
}

pub fn max_container_allocation(queue: &str) -> String {
    format!("maxContainerAllocation of {queue} or a queue above it (allocation file)")
}

pub const NO_SHARE: &str = "it has no share of the cluster";

pub fn own_maximum(n: i64) -> String {
    format!("its own maximum-applications = {n}")
}

pub fn maximum_of_every(n: i64) -> String {
    format!("the same for every queue = {n}")
}

/// `exact`: nothing is rounded.
pub fn share_of_maximum(of: i64, share: &str, exact: bool, maximum: i64) -> String {
    let down = if exact { "" } else { ", rounded down" };
    format!("maximum-applications × its share of the cluster = {of} × {share}{down} = {maximum}")
}
