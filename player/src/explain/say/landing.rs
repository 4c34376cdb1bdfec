//! Which rule chose an application's queue, and why the rules before it did not apply; where an application would go.

use crate::explain::words;
use heddle_core::config::capacity::{Action, MappingRule, Matcher};
use heddle_core::config::fair::Rule;
use heddle_core::rm::{Refusal, RefusalRule};
use heddle_core::scheduler::capacity::mapping::{FallenBack, MappingOutcome, Unusable};
use heddle_core::scheduler::fair::NoQueueReason;

/// The number of a user's groups that are listed.
const GROUPS: usize = 4;

/// "**etl** of bob", "an application of bob"
pub fn who(user: &str, application: &str) -> String {
    if application.is_empty() { format!("an application of {user}") } else { format!("**{application}** of {user}") }
}

/// "asking for no queue", "asking for root.a"
pub fn asking_for(queue: &str) -> String {
    if queue == "default" { "asking for no queue".to_string() } else { format!("asking for {queue}") }
}

/// `made`: the queue does not exist yet.
pub fn lands(queue: &str, made: bool) -> String {
    if made { format!("{queue}, which is made for it") } else { queue.to_string() }
}

pub const NO_ANSWER: &str = "it stays without an answer: making the queue raises an error in YARN";

/// Why it would not be accepted: the words after its name.
pub fn not_taken(refusal: &Refusal) -> String {
    match &*refusal.kind {
        RefusalRule::MappingRule => "rejected by the rules".to_string(),
        RefusalRule::Permission { user, queue } => {
            format!("rejected: {user} may submit neither to {queue} nor to a queue above it")
        }
        RefusalRule::UnknownQueue { queue } => format!("rejected: there is no queue {queue}"),
        RefusalRule::NotALeaf { queue } => format!("rejected: {queue} is not a leaf queue, nor can it become one"),
        RefusalRule::BelowLeaf { queue, leaf } => format!("rejected: {queue} cannot be made, since {leaf} is a leaf"),
        RefusalRule::Policy { queue, made, .. } if queue == made => {
            format!("rejected: {queue} cannot be made, since its policy is not allowed below its parent")
        }
        RefusalRule::Policy { queue, made, .. } => {
            format!("rejected: {queue} cannot be made, since the policy of {made} is not allowed there")
        }
        _ => format!("not taken: {}", refusal.message),
    }
}

/// "An application of **bob** that asks for no queue goes to **root.a**"; `made`: the queue does not exist yet.
pub fn would_go(who: &str, asked: &str, queue: &str, made: bool) -> String {
    let made = if made { ", which is made for it" } else { "" };
    format!("{} goes to **{queue}**{made}.", subject(who, asked))
}

/// Describes an application that YARN never answers.
pub fn would_hang(who: &str, asked: &str) -> String {
    format!("{}: {NO_ANSWER}.", subject(who, asked))
}

/// Describes an application that would be refused.
pub fn would_be_refused(who: &str, asked: &str, refusal: &Refusal) -> String {
    format!("{} is {}.", subject(who, asked), not_taken(refusal).trim_end_matches('.'))
}

fn subject(who: &str, asked: &str) -> String {
    let asked = if asked == "default" { "no queue".to_string() } else { asked.to_string() };
    let mut subject = format!("{who} that asks for {asked}");
    if let Some(first) = subject.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    subject
}

// ---- what chose the queue

pub const CHOSEN: &str = "queue chosen";
pub const MOVED: &str = "moved";

/// "root.a, by mapping rule 2"
pub fn chosen_by(queue: &str, rule: Option<&str>) -> String {
    match rule {
        Some(rule) => format!("{queue}, by {rule}"),
        None => format!("{queue}, as it was submitted"),
    }
}

pub const NO_QUEUE: &str = "none";
pub const ONLY_QUEUE: &str = "the FifoScheduler has this queue only";
pub const NO_RULES: &str = "there are no mapping rules: the queue that was asked for stands";
pub const NO_RULE_APPLIES: &str = "no mapping rule gives a queue: the one that was asked for stands";

/// Why no mapping rule is tried.
pub fn names_its_queue(queue: &str) -> String {
    format!("it names {queue}, and queue-mappings-override.enable is false: no mapping rule is asked")
}

/// The user for whom the rules were tried.
pub fn on_behalf_of(user: &str) -> String {
    format!("the tag userid={user} is in force: the rules are asked for {user}")
}

/// "from root.a to root.b at 0:40"
pub fn moved(from: &str, to: &str, at: &str) -> String {
    format!("from {from} to {to} at {at}")
}

/// A sentence about a queue other than the requested one: "Mapping rule 2 (user bob to root.a) sends it to root.a."
///
/// `overridden`: the requested queue, if the rule overrode it.
pub fn placed_by(rule: &str, text: &str, queue: &str, overridden: Option<&str>) -> String {
    let mut rule = rule.to_string();
    if let Some(first) = rule.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    let overridden = overridden.map_or(String::new(), |asked| {
        format!(", though it asked for {asked} (queue-mappings-override.enable is true)")
    });
    format!(" {rule} ({text}) sends it to {queue}{overridden}.")
}

/// "mapping rule 2"
pub fn mapping_rule(number: usize) -> String {
    format!("mapping rule {number}")
}

/// "placement rule 2"
pub fn placement_rule(number: usize) -> String {
    format!("placement rule {number}")
}

/// "user bob to root.a"
pub fn mapping(rule: &MappingRule) -> String {
    let whom = match &rule.matcher {
        Matcher::Anything => "any user".to_string(),
        Matcher::User(user) => format!("user {user}"),
        Matcher::Group(group) => format!("group {group}"),
        Matcher::Application(name) => format!("application {name}"),
    };
    match &rule.action {
        Action::Place { path, create } => format!("{whom} to {path}{}", if *create { "" } else { ", create false" }),
        Action::Reject => format!("{whom} rejected"),
        Action::SetDefault(queue) => format!("{whom}: %default is {queue}"),
    }
}

/// "primaryGroup", "user below primaryGroup".
pub fn placement(rule: &Rule) -> String {
    let below = rule.parent.as_ref().map_or(String::new(), |p| format!(" below {}", p.kind.name()));
    format!("{}{below}", rule.kind.name())
}

const NEXT: &str = "; the next rule is asked";

/// The result of a mapping rule for an application of a user with these groups.
pub fn mapping_outcome(rule: &MappingRule, outcome: &MappingOutcome, (user, groups): (&str, &[String])) -> String {
    match outcome {
        MappingOutcome::OfOthers => match &rule.matcher {
            Matcher::Group(_) if groups.is_empty() => format!("{user} has no groups{NEXT}"),
            Matcher::Group(_) => format!("{user} is in {}{NEXT}", words::list(groups, GROUPS)),
            Matcher::Anything | Matcher::User(_) => format!("the user is {user}{NEXT}"),
            Matcher::Application(_) => format!("the application has another name{NEXT}"),
        },
        MappingOutcome::SetsDefault(queue) => format!("sets %default to {queue}{NEXT}"),
        MappingOutcome::Gives(queue) => format!("gives {queue}"),
        MappingOutcome::Rejects => "rejects it".to_string(),
        MappingOutcome::Unusable { path, why, came_to } => {
            let why = unusable(path, *why);
            match came_to {
                FallenBack::NextRule => format!("{why}{NEXT}"),
                FallenBack::Rejects => format!("{why}; it is rejected (fallbackResult)"),
                FallenBack::ToDefault(queue) => format!("{why}; it falls back to %default, {queue}"),
                FallenBack::NoDefault { path, why: no } => {
                    format!("{why}; it falls back to %default, and {}: it is rejected", unusable(path, *no))
                }
            }
        }
    }
}

fn unusable(path: &str, why: Unusable) -> String {
    match why {
        Unusable::EmptyPart => format!("a part of {path} is empty"),
        Unusable::NotThere => match path.split_once('.') {
            Some((first, _)) => format!("it means {path}, and there is no queue {first}"),
            None => format!("there is no queue {path}"),
        },
        Unusable::Ambiguous => format!("several queues have the name of {path}"),
        Unusable::MayNotCreate => format!("there is no queue {path}, and create is false"),
        Unusable::ParentCreatesNone => format!("there is no queue {path}, and its parent makes none"),
        Unusable::NotALeaf => format!("{path} is not a leaf queue"),
    }
}

/// The result of a placement rule for an application.
pub fn placement_outcome(outcome: &Result<String, NoQueueReason>) -> String {
    match outcome {
        Ok(queue) => format!("gives {queue}"),
        Err(NoQueueReason::NotNamed) => format!("no queue was asked for{NEXT}"),
        Err(NoQueueReason::NotThere { queue }) => {
            format!("{queue} is not in the allocation file, and create is false{NEXT}")
        }
        Err(NoQueueReason::NoGroup) => format!("no further group has a queue in the allocation file{NEXT}"),
        Err(NoQueueReason::NoParent) => format!("the rule for its parent gives no queue{NEXT}"),
        Err(NoQueueReason::ParentIsLeaf { queue }) => format!("{queue} is a leaf{NEXT}"),
        Err(NoQueueReason::Rejects) => "gives no queue to anybody".to_string(),
        Err(NoQueueReason::Refuses) => "refuses the submission".to_string(),
    }
}

/// "rule 1, user bob to root.a: gives root.a"
pub fn rule(number: usize, text: &str, outcome: &str) -> String {
    format!("rule {number}, {text}: {outcome}")
}

/// Why the rules reject an application; `rules`: those that could have given a queue.
pub fn rejected_by(rules: &[String]) -> String {
    let why: Vec<&str> = rules.iter().map(|rule| rule.trim_end_matches(NEXT)).collect();
    format!(" ({})", why.join("; "))
}
