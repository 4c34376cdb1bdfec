//! What a player says about a run: expectations that hold or do not, a broken invariant, where a run was stopped.

use crate::apps::told_at;
use crate::explain::{Names, words};
use heddle_core::model::{ContainerId, Millis};
use heddle_core::scenario::units;
use heddle_core::scenario::{Condition, Figure, When, Words};
use heddle_core::sim::Broken;

pub fn does_not_start(why: &str) -> String {
    format!("The ResourceManager does not start: {why}")
}

/// YARN's words about the value of a property that they do not name.
pub fn of_property(key: &str, yarn: &str) -> String {
    format!("{key}: {yarn}.")
}

pub fn in_yarns_words(mend: &str, yarn: &str) -> String {
    format!("{mend} In YARN's words: {yarn}")
}

pub fn stopped_after(events: u64, at: &str) -> String {
    format!("Stopped after {events} events, at {at}. Everything up to there is exact.")
}

/// `bytes`: the size of the run and its record.
pub fn stopped_for_memory(events: u64, at: &str, bytes: usize) -> String {
    let mb = bytes >> 20;
    format!(
        "Stopped after {events} events, at {at}: the run and what is recorded of it take {mb} MB, and more is not kept. Everything up to there is exact."
    )
}

/// An ApplicationMaster and YARN disagree about a container.
fn master_and_books(app: &str, container: u64) -> String {
    format!("Container {container} of {app} is known to its ApplicationMaster and not to YARN, or the other way round.")
}

// ---- links

pub fn plays_the_same(core: &str) -> String {
    format!("Plays as when the link was made (core {core}).")
}

/// `at`: how far it was played.
pub fn plays_the_same_so_far(core: &str, at: &str) -> String {
    format!("Plays as when the link was made (core {core}), as far as it was played here: to {at}.")
}

/// `same`: the time up to which it is the same; `by`: the time by which it differs.
pub fn plays_otherwise(core: &str, here: &str, same: &str, by: &str) -> String {
    let cores = if core == here { format!("core {core}, as here") } else { format!("core {core}; here {here}") };
    format!("Plays differently from when the link was made ({cores}): the same up to {same}, different by {by}.")
}

/// `about`: for example `app:zkk`; `near`: the name that was probably meant.
pub fn none_of_this_name(about: &str, near: Option<&str>) -> String {
    let near = near.map(|near| format!(" Did you mean {near}?")).unwrap_or_default();
    format!("{about}: the scenario has none of this name.{near}")
}

/// `has`: the number of containers that it has had so far.
pub fn no_such_container(about: &str, has: usize) -> String {
    match has {
        0 => format!("{about}: the application has had no container so far."),
        1 => format!("{about}: the application has had one container so far, number 0."),
        has => format!("{about}: the application has had {has} containers so far, number 0 to {}.", has - 1),
    }
}

/// `about`: for example `request:zk/0_1`.
pub fn no_such_request(about: &str) -> String {
    format!("{about}: the application has had no such request so far.")
}

// ---- expectations

/// "at 20 s", "always from 0 s to the end".
pub fn when(when: &When) -> String {
    let span = |from: Millis, to: Option<Millis>| {
        let to = to.map_or("the end".to_string(), units::time_text);
        format!("from {} to {to}", units::time_text(from))
    };
    match when {
        When::At(ms) => format!("at {}", units::time_text(*ms)),
        When::End => "at the end".into(),
        When::By(ms) => format!("by {}", units::time_text(*ms)),
        When::Always(from, to) => format!("always {}", span(*from, *to)),
        When::Never(from, to) => format!("never {}", span(*from, *to)),
    }
}

/// "etl: placed 3.", for an expectation that is not judged yet.
pub fn wanted(name: &str, wanted: &str) -> String {
    format!("{name}: {wanted}.")
}

/// "etl: placed 3, as expected."
pub fn as_expected(name: &str, wanted: &str) -> String {
    format!("{name}: {wanted}, as expected.")
}

/// `nobody`: for example `app:etl`.
pub fn about_nobody(name: &str, wanted: &str, nobody: &str) -> String {
    let (kind, nobody) = nobody.split_once(':').unwrap_or(("", nobody));
    let kind = if kind == "app" { "application" } else { kind };
    format!("{name}: {wanted} expected, but the scenario has no {kind} {nobody}.")
}

/// `why`: how the run was stopped before the time of the expectation.
pub fn not_judged(name: &str, wanted: &str, why: &str) -> String {
    format!("{name}: {wanted} expected, and the run does not come that far: {why}")
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
    format!("Expected because {why}.")
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

/// The invariant that does not hold: a mistake in this program, and described as one.
pub fn broken(names: Names<'_>, broken: &Broken) -> String {
    let host = |node| names.node(node);
    let number = |c: &ContainerId| (c.seq, names.app(c.app));
    match broken {
        Broken::Node { node, sum, books } => differ(&format!("The containers on {} hold", host(*node)), *sum, *books),
        Broken::RoomForNobody { node } => format!("{} keeps room for a reservation that is gone.", host(*node)),
        Broken::Overfull { node, held, total } => {
            format!("{} holds {} of {}.", host(*node), words::memory(*held), words::memory(*total))
        }
        Broken::ReservationNowhere(c) => {
            let (seq, app) = number(c);
            format!("Reservation {seq} of {app} is on no node.")
        }
        Broken::ContainerNowhere(c) => {
            let (seq, app) = number(c);
            format!("Container {seq} of {app} is on no node.")
        }
        Broken::Application { app, sum, books } => {
            differ(&format!("The containers of {} hold", names.app(*app)), *sum, *books)
        }
        Broken::Pending { app, sum, books } => differ(&format!("{} waits for", names.app(*app)), *sum, *books),
        Broken::Queue { queue, leaf, sum, books } => {
            let parts = if *leaf { "applications" } else { "children" };
            differ(&format!("The {parts} of {} use", names.queue(*queue)), *sum, *books)
        }
        Broken::Component { place, .. } | Broken::Shares { place } => {
            let app = names.scenario().apps.get(*place).map_or("an application", |app| app.name.as_str());
            told_at(names.scenario(), *place).broken(app, broken)
        }
        Broken::Books { place, container } => {
            let app = names.scenario().apps.get(*place).map_or("an application", |app| app.name.as_str());
            master_and_books(app, container.seq)
        }
    }
}

/// A sum and the accounted value, in MiB.
fn differ(what: &str, sum: i64, books: i64) -> String {
    format!("{what} {}, the books say {}.", words::memory(sum), words::memory(books))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Player;
    use heddle_core::model::{AppId, NodeId};

    #[test]
    fn what_is_broken_is_told_with_its_name() {
        let text = include_str!("../../../../scenarios/q39-anti-affinity.toml");
        let player = Player::load(text).player.expect("a player");
        let names = Names::new(player.simulation());
        let (node, app) = (names.node(NodeId(0)), names.app(AppId(0)));
        let books = Broken::Node { node: NodeId(0), sum: 1_024, books: 2_048 };
        assert_eq!(broken(names, &books), format!("The containers on {node} hold 1 GB, the books say 2 GB."));
        let nowhere = Broken::ReservationNowhere(ContainerId { app: AppId(0), attempt: 1, seq: 2 });
        assert_eq!(broken(names, &nowhere), format!("Reservation 2 of {app} is on no node."));
        assert!(!node.is_empty() && !app.is_empty());
    }
}
