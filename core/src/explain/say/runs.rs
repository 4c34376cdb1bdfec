//! What a player says of a run: expectations that hold or do not, a broken invariant, where a run was stopped.

use crate::explain::words;
use crate::scenario::units;
use crate::scenario::{Condition, Figure, Words};

pub fn does_not_start(why: &str) -> String {
    format!("The ResourceManager does not start: {why}")
}

pub fn in_yarns_words(mend: &str, yarn: &str) -> String {
    format!("{mend} In YARN's words: {yarn}")
}

pub fn stopped_after(events: u64, at: &str) -> String {
    format!("Stopped after {events} events, at {at}. Everything up to there is exact.")
}

// ---- expectations

/// "etl: placed 3, as expected."
pub fn as_expected(name: &str, wanted: &str) -> String {
    format!("{name}: {wanted}, as expected.")
}

pub fn must_never_be(name: &str, wanted: &str, at: &str) -> String {
    format!("{name}: {wanted} at {at}, which must never be.")
}

/// `seen`: what was seen instead.
pub fn expected_by(name: &str, wanted: &str, at: &str, seen: &str) -> String {
    format!("{name}: {wanted} expected no later than {at}; then {seen}.")
}

pub fn expected_at(name: &str, wanted: &str, at: &str, seen: &str) -> String {
    format!("{name}: {wanted} expected at {at}; {seen}.")
}

pub fn expected_because(why: &str) -> String {
    format!(" Expected because {why}.")
}

pub fn conditions(conditions: &[Condition]) -> String {
    conditions.iter().map(condition).collect::<Vec<_>>().join(", ")
}

fn condition(condition: &Condition) -> String {
    match condition {
        Condition::Number(figure, wanted) if figure.is_memory() => {
            format!("{} {}{}", figure.name(), wanted.compare, units::memory_text(wanted.number))
        }
        Condition::Number(figure, wanted) => format!("{} {wanted}", figure.name()),
        Condition::On(node, wanted) => format!("{wanted} on {node}"),
        Condition::State(state) => format!("state {state}"),
        Condition::Words(Words::Headline, text) => format!("headline with “{text}”"),
        Condition::Words(Words::Reason, text) => format!("reason with “{text}”"),
        Condition::Words(Words::Yarn, text) => format!("YARN's words with “{text}”"),
    }
}

// ---- what was seen instead

pub fn figure_was(figure: Figure, seen: i64) -> String {
    let seen = if figure.is_memory() { units::memory_text(seen) } else { seen.to_string() };
    format!("{} was {seen}", figure.name())
}

pub fn were_on(seen: i64, node: &str) -> String {
    format!("{seen} were on {node}")
}

pub fn state_was(state: &str) -> String {
    format!("the state was {state}")
}

pub fn words_were(texts: &[String]) -> String {
    format!("the words were “{}”", texts.join("” “"))
}

pub const ON_IS_OF_APPLICATIONS: &str = "`on` is about an application";
pub const NO_STATE: &str = "the subject has no state";
pub const NOT_SUBMITTED: &str = "not submitted";

pub fn no_node(name: &str) -> String {
    format!("there was no node {name}")
}

pub fn no_queue(name: &str) -> String {
    format!("there was no queue {name}")
}

pub fn too_many_moments(most: usize) -> String {
    format!("there were more than {most} moments, and the rest was not looked at")
}

// ---- invariants

fn books(what: &str, sum: i64, books: i64) -> String {
    format!("{what} {}, the books say {}.", words::memory(sum), words::memory(books))
}

/// Sums and what the books say, MiB.
pub fn node_and_books(host: &str, sum: i64, said: i64) -> String {
    books(&format!("The containers on {host} hold"), sum, said)
}

pub fn node_holds_more(host: &str, holds: i64, total: i64) -> String {
    format!("{host} holds {} of {}.", words::memory(holds), words::memory(total))
}

pub fn on_no_node(container: impl std::fmt::Display, app: &str) -> String {
    format!("Container {container} of {app} is on no node.")
}

pub fn app_and_books(app: &str, sum: i64, said: i64) -> String {
    books(&format!("The containers of {app} hold"), sum, said)
}

pub fn pending_and_books(app: &str, sum: i64, said: i64) -> String {
    books(&format!("{app} waits for"), sum, said)
}

/// `leaf`: of its applications, else of its children.
pub fn queue_and_books(queue: &str, leaf: bool, sum: i64, said: i64) -> String {
    let what = if leaf { "applications" } else { "children" };
    books(&format!("The {what} of {queue} use"), sum, said)
}
