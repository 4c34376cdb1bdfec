//! Which rule chose an application's queue, from the record of the rules that were tried; and where any application would go,
//! tried on a copy of the ResourceManager.

use crate::explain::names::Names;
use crate::explain::say::landing as say;
use crate::explain::things::{fact, formula};
use crate::explain::view::{EventOutcome, FactView, WhyView};
use crate::explain::words;
use heddle_core::journal::{Change, Entry};
use heddle_core::model::{AppId, Millis};
use heddle_core::rm::{Landing, RmApp, Submitter};
use heddle_core::scheduler::capacity::mapping::{FallenBack, MappingOutcome};
use heddle_core::scheduler::{ChosenBy, QueueChoice};

/// The queue of a submission that names none.
const DEFAULT_QUEUE: &str = "default";
/// The number of queues that are tried for a user.
const LANDINGS: usize = 6;
/// The number of nodes above which only one queue is tried, because each try copies all state.
const LARGE: usize = 1_000;

/// A rule that was tried.
struct TriedRule {
    /// "mapping rule 2".
    name: String,
    /// "user bob to root.a".
    text: String,
    /// Its result.
    outcome: String,
    /// The queue that it gave.
    gave: Option<String>,
}

/// The user that rules are tried for.
struct RulesUser<'a> {
    user: &'a str,
    groups: Vec<String>,
}

impl<'a> RulesUser<'a> {
    fn of(names: Names<'_>, user: &'a str) -> Self {
        RulesUser { user, groups: names.rm().cluster().groups_of(user) }
    }
}

fn asked(choice: &QueueChoice, whose: &RulesUser<'_>) -> Vec<TriedRule> {
    let user = choice.on_behalf_of.as_deref().unwrap_or(whose.user);
    match &choice.by {
        ChosenBy::OnlyQueue | ChosenBy::Submission => Vec::new(),
        ChosenBy::Mapping(looks) => {
            let one = |(i, look): (usize, &heddle_core::scheduler::capacity::mapping::MappingLook)| TriedRule {
                name: say::mapping_rule(i + 1),
                text: say::mapping(&look.rule),
                outcome: say::mapping_outcome(&look.rule, &look.outcome, (user, &whose.groups)),
                gave: match &look.outcome {
                    MappingOutcome::Gives(queue)
                    | MappingOutcome::Unusable { came_to: FallenBack::ToDefault(queue), .. } => Some(queue.clone()),
                    MappingOutcome::OfOthers
                    | MappingOutcome::SetsDefault(_)
                    | MappingOutcome::Rejects
                    | MappingOutcome::Unusable { .. } => None,
                },
            };
            looks.iter().enumerate().map(one).collect()
        }
        ChosenBy::Fair(looks) => {
            let one = |(i, look): (usize, &heddle_core::scheduler::fair::RuleLook)| TriedRule {
                name: say::placement_rule(i + 1),
                text: say::placement(&look.rule),
                outcome: say::placement_outcome(&look.outcome),
                gave: look.outcome.as_ref().ok().cloned(),
            };
            looks.iter().enumerate().map(one).collect()
        }
    }
}

/// Returns each rule that was tried, with its result.
fn steps(choice: &QueueChoice, whose: &RulesUser<'_>, queue_asked: &str) -> Vec<String> {
    let rules = asked(choice, whose);
    let mut out: Vec<String> = choice.on_behalf_of.iter().map(|user| say::on_behalf_of(user)).collect();
    out.extend(rules.iter().enumerate().map(|(i, rule)| say::rule(i + 1, &rule.text, &rule.outcome)));
    match &choice.by {
        ChosenBy::OnlyQueue => out.push(say::ONLY_QUEUE.to_string()),
        ChosenBy::Submission => out.push(say::names_its_queue(queue_asked)),
        ChosenBy::Mapping(looks) if looks.is_empty() => out.push(say::NO_RULES.to_string()),
        ChosenBy::Mapping(looks) if rules.iter().all(|rule| rule.gave.is_none()) => {
            let rejects = |outcome: &MappingOutcome| {
                matches!(
                    outcome,
                    MappingOutcome::Rejects
                        | MappingOutcome::Unusable { came_to: FallenBack::Rejects | FallenBack::NoDefault { .. }, .. }
                )
            };
            if !looks.iter().any(|look| rejects(&look.outcome)) {
                out.push(say::NO_RULE_APPLIES.to_string());
            }
        }
        ChosenBy::Mapping(_) | ChosenBy::Fair(_) => {}
    }
    out
}

/// Returns how a submitted application came to its queue: by which rule, which rules were tried before, and when it was moved.
pub fn of_app<'e>(
    names: Names<'_>,
    known: &RmApp,
    lines: impl Iterator<Item = (Millis, &'e Entry)> + Clone,
) -> Vec<FactView> {
    let moves = moves(names, known.id, lines);
    let first = moves.first().map_or_else(|| known.queue.clone(), |(_, from, _)| from.clone());
    let mut out = vec![of_choice(names, &known.choice, (&known.submission.user, &known.submission.queue), &first)];
    out.extend(moves.iter().map(|(at, from, to)| fact(say::MOVED, say::moved(from, to, &words::clock(*at)))));
    out
}

/// Returns how the queue of a submission was chosen, even if it was refused. `queue`: the queue that it went to, if any.
pub fn of_choice(names: Names<'_>, choice: &QueueChoice, (user, wanted): (&str, &str), queue: &str) -> FactView {
    let whose = RulesUser::of(names, user);
    let rule = asked(choice, &whose).into_iter().rev().find(|rule| rule.gave.is_some());
    let value = match (&rule, &choice.by) {
        (Some(TriedRule { name, gave: Some(queue), .. }), _) => say::chosen_by(queue, Some(name)),
        (_, ChosenBy::Fair(_)) => say::NO_QUEUE.to_string(),
        (_, ChosenBy::OnlyQueue) => queue.to_string(),
        (_, ChosenBy::Submission | ChosenBy::Mapping(_)) => say::chosen_by(queue, None),
    };
    formula(say::CHOSEN, value, steps(choice, &whose, wanted))
}

/// Returns when an application was moved, from where, and to where.
fn moves<'e>(
    names: Names<'_>,
    id: AppId,
    lines: impl Iterator<Item = (Millis, &'e Entry)>,
) -> Vec<(Millis, String, String)> {
    let moved = lines.filter_map(|(at, entry)| match entry {
        Entry::Changed(Change::Moved { app, from, to }) if *app == id => {
            Some((at, names.queue(*from).to_string(), names.queue(*to).to_string()))
        }
        _ => None,
    });
    moved.collect()
}

/// Returns a sentence, with a space before it, if a rule placed an application in another queue than it asked for; else an
/// empty text. The FairScheduler gives a queue to every application that names none, which is not mentioned.
pub fn sentence(names: Names<'_>, choice: &QueueChoice, whose: (&str, &str)) -> String {
    match &choice.by {
        ChosenBy::Fair(_) if whose.1 == DEFAULT_QUEUE => String::new(),
        ChosenBy::Fair(_) | ChosenBy::Mapping(_) | ChosenBy::Submission | ChosenBy::OnlyQueue => {
            of_refused(names, choice, whose)
        }
    }
}

/// Returns this sentence for an application that was refused, whatever it named.
pub fn of_refused(names: Names<'_>, choice: &QueueChoice, (user, wanted): (&str, &str)) -> String {
    let whose = RulesUser::of(names, user);
    let rule = asked(choice, &whose).into_iter().rev().find(|rule| rule.gave.is_some());
    let Some(TriedRule { name, text, gave: Some(queue), .. }) = rule else { return String::new() };
    let is_it = queue == wanted || queue.strip_prefix("root.") == Some(wanted);
    let by_short_name = !wanted.contains('.') && queue.rsplit('.').next() == Some(wanted);
    // A mapping rule overrides the queue that was asked for by name.
    let overridden = (wanted != DEFAULT_QUEUE && matches!(choice.by, ChosenBy::Mapping(_))).then_some(wanted);
    if is_it || by_short_name { String::new() } else { say::placed_by(&name, &text, &queue, overridden) }
}

/// Returns why the rules rejected an application: the result of each, in brackets; empty if nothing is known about them.
pub fn rejected(names: Names<'_>, choice: &QueueChoice, user: &str) -> String {
    let whose = RulesUser::of(names, user);
    let rules = asked(choice, &whose);
    let told: Vec<String> = rules.iter().map(|rule| format!("{}: {}", rule.text, rule.outcome)).collect();
    if told.is_empty() { String::new() } else { say::rejected_by(&told) }
}

fn ask(names: Names<'_>, user: &str, groups: &[String], queue: &str, application: &str) -> Landing {
    let groups = (!groups.is_empty()).then(|| groups.to_vec());
    names.rm().would_land(&Submitter {
        user: user.to_string(),
        groups,
        queue: queue.to_string(),
        application: application.to_string(),
    })
}

/// Returns where a user's applications would land, and by which rule: one that asks for no queue, and those that ask for the
/// queues which the scenario's applications of that user name.
pub fn of_user(names: Names<'_>, user: &str) -> Vec<FactView> {
    let mut queues = vec![DEFAULT_QUEUE];
    // Each try copies all state.
    let most = if names.rm().nodes().len() > LARGE { 1 } else { LANDINGS };
    for app in names.scenario().apps.iter().filter(|a| a.user == user) {
        if !queues.contains(&app.queue.as_str()) && queues.len() < most {
            queues.push(&app.queue);
        }
    }
    let whose = RulesUser::of(names, user);
    let told = |queue: &str| {
        let landing = ask(names, user, &[], queue, "");
        let value = match &landing.outcome {
            Ok(Some(path)) => say::lands(path, landing.made),
            Ok(None) => say::NO_ANSWER.to_string(),
            Err(refusal) => say::not_taken(refusal),
        };
        let rules = landing.choice.as_deref().map_or_else(Vec::new, |choice| steps(choice, &whose, queue));
        formula(&say::asking_for(queue), value, rules)
    };
    queues.into_iter().map(told).collect()
}

/// Returns where any application would go.
pub fn why(names: Names<'_>, user: &str, groups: &[String], queue: &str, application: &str) -> WhyView {
    let queue = if queue.is_empty() { DEFAULT_QUEUE } else { queue };
    let landing = ask(names, user, groups, queue, application);
    let who = say::who(user, application);
    let (fate, sentence) = match &landing.outcome {
        Ok(Some(path)) => (EventOutcome::Placed, say::would_go(&who, queue, path, landing.made)),
        Ok(None) => (EventOutcome::Waiting, say::would_hang(&who, queue)),
        Err(refusal) => (EventOutcome::Rejected, say::would_be_refused(&who, queue, refusal)),
    };
    let mut whose = RulesUser::of(names, user);
    if !groups.is_empty() {
        whose.groups = groups.to_vec();
    }
    let mut facts = vec![fact("groups", whose.groups.join(", "))];
    if let Some(choice) = landing.choice.as_deref() {
        let chosen = landing.outcome.as_ref().ok().and_then(Option::as_deref).unwrap_or(say::NO_QUEUE);
        let rule = asked(choice, &whose).into_iter().rev().find(|rule| rule.gave.is_some());
        let value = match &rule {
            Some(rule) => say::chosen_by(rule.gave.as_deref().unwrap_or(chosen), Some(&rule.name)),
            None if landing.outcome.is_ok() => say::chosen_by(chosen, None),
            None => say::NO_QUEUE.to_string(),
        };
        facts.push(formula(say::CHOSEN, value, steps(choice, &whose, queue)));
    }
    let yarn = landing.outcome.err().map(|refusal| (refusal.message, 0)).into_iter().collect();
    WhyView { title: words::plain(&who), fate: Some(fate), sentence, facts, yarn, ..WhyView::default() }
}
