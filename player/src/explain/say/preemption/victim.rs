//! What preemption takes, in words about those who lose it.

use crate::explain::words;

/// What happens to a marked container at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ToEnd {
    /// It is killed in any case (FairScheduler).
    Killed,
    /// It is killed if the round at that time still chooses it.
    KilledIfChosen,
    /// If the round at that time still chooses it, it only becomes killable (lazy preemption).
    BecomesKillable,
}

/// "Preemption has taken 6 containers of **a1** from 1:10 to 2:45."
pub fn has_taken(killed: i64, who: &str, [from, to]: [String; 2]) -> String {
    let when = if from == to { format!("at {from}") } else { format!("from {from} to {to}") };
    format!("Preemption has taken {} of {who} {when}.", words::count(killed, "container"))
}

/// "1 container of **a1** is marked and is killed at 3:03 if it is still chosen then."
pub fn is_to_take(marked: i64, who: &str, [from, to]: [String; 2], how: ToEnd) -> String {
    let when = if from == to { format!("at {from}") } else { format!("from {from} to {to}") };
    let (is, they, becomes) = if marked == 1 { ("is", "it is", "becomes") } else { ("are", "they are", "become") };
    let what = words::count(marked, "container");
    match how {
        ToEnd::Killed => format!("{what} of {who} {is} marked and {is} killed {when}."),
        ToEnd::KilledIfChosen => {
            format!("{what} of {who} {is} marked and {is} killed {when} if {they} still chosen then.")
        }
        ToEnd::BecomesKillable => {
            format!("{what} of {who} {is} marked and {becomes} killable {when} if {they} still chosen then.")
        }
    }
}

/// "2 containers of **a1** are killable: whoever is owed room may take theirs at any moment."
pub fn are_killable(killable: i64, who: &str) -> String {
    let (is, theirs) = if killable == 1 { ("is", "its") } else { ("are", "theirs") };
    format!(
        "{} of {who} {is} killable: whoever is owed room may take {theirs} at any moment.",
        words::count(killable, "container")
    )
}

/// "Preemption killed the AM of **s5** at 1:03."
pub fn has_taken_masters(apps: usize, who: &str, [from, to]: [String; 2]) -> String {
    let when = if from == to { format!("at {from}") } else { format!("from {from} to {to}") };
    let masters = if apps == 1 { "AM" } else { "AMs" };
    format!("Preemption killed the {masters} of {who} {when}.")
}

/// "root.a uses 16 GB, and 6553 MB is guaranteed."
pub fn uses_beyond_guarantee(queue: &str, used: &str, guaranteed: &str) -> String {
    format!("**{queue}** uses {used}, and {guaranteed} is guaranteed.")
}

/// "root.a uses 16 GB, and its fair share is 8 GB."
pub fn uses_beyond_share(queue: &str, used: &str, share: &str) -> String {
    format!("**{queue}** uses {used}, and its fair share is {share}.")
}

/// Names the application for which the latest container was chosen, under the FairScheduler.
pub fn was_promised(app: &str) -> String {
    format!("The room that was chosen last was promised to **{app}**.")
}
