//! Preemption: who gives what to whom. `nothing` says why nothing is taken, `conditions` what each condition found, [`chosen`]
//! why a container was chosen or is not, [`fair`] all of that under the FairScheduler.

pub(super) mod chosen;
pub(super) mod conditions;
pub mod fair;
pub(super) mod nothing;
pub(super) mod victim;

pub use chosen::*;
pub use conditions::*;
pub use nothing::*;
pub use victim::*;

use crate::explain::view::FreeingView;
use crate::explain::words;
use heddle_core::model::Selector;

// ---- what happened

/// Why a selector takes from a queue, without a full stop.
/// `beyond_maximum`: the queue uses more than its maximum.
pub fn because(by: Selector, queue: &str, beyond_maximum: bool) -> String {
    match by {
        Selector::Fifo | Selector::Balance if beyond_maximum => "its queue uses more than its maximum".to_string(),
        Selector::QueuePriority => "a reservation of a queue with a higher priority needs its room".to_string(),
        Selector::Reserved => "a reservation on its node needs its room".to_string(),
        Selector::Fifo => format!("others are owed room that {queue} uses"),
        Selector::Balance => format!("others that want more are owed room that {queue} uses beyond its guarantee"),
        Selector::IntraQueue => format!("other applications of {queue} are owed its room"),
    }
}

/// "**old**, of a lower priority, uses 7 GB of root.a, and preemption within queues is off"
pub fn outranked(who: &[&str], used: &str, queue: &str) -> String {
    let (of, uses) = if who.len() == 1 { ("a lower priority", "uses") } else { ("lower priorities", "use") };
    let who = words::list(&words::bold(who), 3);
    format!("{who}, of {of}, {uses} {used} of {queue}, and preemption within queues is off")
}

/// Another user above its limit, while preemption within queues is off.
pub fn outspent(user: &str, used: &str, queue: &str, limit: &str) -> String {
    format!("{user} uses {used} in {queue}, beyond the user limit of {limit}, and preemption within queues is off")
}

/// How a mark ends.
pub enum Ends {
    /// A kill at this time; `lazy`: the container becomes killable then.
    At { at: String, lazy: bool },
    /// Expiry of the mark before the kill.
    Forgotten,
    /// A kill that has no effect.
    Void,
}

impl Ends {
    /// Returns it as a sentence.
    pub fn sentence(&self) -> String {
        match self {
            Ends::At { at, lazy } => {
                let ends = if *lazy { "becomes killable" } else { "is killed" };
                format!("It {ends} at {at} {UNLESS}.")
            }
            Ends::Forgotten => FORGOTTEN.to_string(),
            Ends::Void => VOID.to_string(),
        }
    }
}

/// `figures`: those of the round.
pub fn marked(because: &str, figures: &str, ends: &Ends) -> String {
    let because = super::capital(because);
    let figures = if figures.is_empty() { String::new() } else { format!(": {figures}") };
    format!("{because}{figures}. {}", ends.sentence())
}

/// The queue's usage, its maximum, what the budget allows to be taken, and what is to be taken.
pub fn queue_beyond(queue: &str, [used, maximum, owed, taken]: [&str; 4]) -> String {
    format!(
        "{queue} used {used} of at most {maximum}; {owed} of that may be taken in this round, which is to take {taken}"
    )
}

/// The queue's usage, its guarantee, what the budget allows to be taken, and what is to be taken.
pub fn queue_owed(queue: &str, [used, guaranteed, owed, taken]: [&str; 4]) -> String {
    format!(
        "{queue} used {used} of {guaranteed} guaranteed; {owed} of that may be taken in this round, which is to take {taken}"
    )
}

pub fn reserved_by(app: &str, queue: &str) -> String {
    format!("that of {app} in {queue}")
}

pub fn owed_within(wanted: &str) -> String {
    format!("its application still owed {wanted}")
}

/// The conditions on which a marked container is spared.
const UNLESS: &str = "unless its AM gives it back first or it is no longer chosen for that by then";

/// The mark's wait is longer than the mark is kept, which is twice max_wait_before_kill.
const FORGOTTEN: &str = "Its mark is forgotten before its wait is over, and its AM is told anew: it is killed only if another \
                         selector chooses it too.";

const VOID: &str = "Its kill will come to nothing, and its AM is told anew: it was reserved on room that its partition lends, and \
                    its queue still has it as that reservation (3.5.0).";

pub fn asked_back(containers: i64) -> String {
    let those = if containers == 1 { "it" } else { "them" };
    let what = words::count(containers, "marked container");
    format!("Its AM is told of {what}: it may give {those} back, or others of the same amount.")
}

pub fn killable(because: &str, since: &str) -> String {
    format!(
        "Marked since {since}: {because}. It runs on until somebody below its guarantee takes its room (lazy preemption)."
    )
}

pub fn killable_by_overcommit() -> String {
    let kept = "It runs on until somebody below its guarantee takes its room (lazy preemption).";
    format!("Its node was made smaller than what runs there. {kept}")
}

pub fn killed(because: &str, since: &str) -> String {
    format!("Marked since {since} and not given back: {because}.")
}

pub fn killed_for(app: &str) -> String {
    format!("It was killable, and {app} took its room.")
}

pub fn killed_beyond_maximum(queue: &str) -> String {
    format!("It was killable, and {queue} used more than its maximum.")
}

pub fn reservation_moved(from: &str, to: &str) -> String {
    format!("Room can be made for it on {to}, and not on {from}.")
}

// ---- what ends

pub const KILLABLE: &str = "killable: whoever is owed its room may have it";

pub fn marked_until(since: &str, ends: &Ends) -> String {
    match ends {
        Ends::At { at, lazy: true } => format!("marked since {since}, killable from {at} on"),
        Ends::At { at, lazy: false } => format!("marked since {since}, killed at {at}"),
        Ends::Forgotten => format!("marked since {since}; forgotten before its wait is over"),
        Ends::Void => format!("marked since {since}; its kill comes to nothing"),
    }
}

/// The containers that end for `whom`, soonest first, with their total size.
pub fn comes(all: &[FreeingView], size: &str, whom: &[&str], lazy: bool) -> String {
    let whom = words::list(&words::bold(whom), 4);
    let (killable, marked): (Vec<&FreeingView>, Vec<&FreeingView>) = all.iter().partition(|f| f.killable);
    let mut out: Vec<String> = Vec::new();
    let ends = if lazy { "becomes killable" } else { "is killed" };
    let who = |f: &FreeingView| format!("**{}** on **{}**", f.name, f.node);
    match (marked.as_slice(), marked.first().and_then(|f| f.killed_ms), marked.last().and_then(|f| f.killed_ms)) {
        ([], ..) => {}
        ([one], Some(at), _) => out.push(format!(
            "{} ({}) is marked for {whom}: it {ends} at {} {UNLESS}.",
            who(one),
            one.size,
            words::clock(at)
        )),
        ([first, ..], Some(at), last) => {
            let those = words::count(marked.len() as i64, "container");
            let in_all = if killable.is_empty() { format!(" ({size})") } else { String::new() };
            let (first, at) = (who(first), words::clock(at));
            let when = match last.map(words::clock).filter(|last| *last != at) {
                Some(last) => format!("the first, {first}, {ends} at {at}, the last at {last}"),
                None => {
                    let others = if marked.len() == 2 { "the other" } else { "the others" };
                    let end = if lazy { "become killable" } else { "are killed" };
                    format!("{first} and {others} {end} at {at}")
                }
            };
            out.push(format!("{those}{in_all} are marked for {whom}: {when}, each {UNLESS}."));
        }
        (some, None, _) => out.push(format!(
            "{} marked for {whom}, and no mark is kept until its wait is over: nothing is killed unless another selector \
             chooses it too.",
            are(some.len(), "container")
        )),
    }
    if let [first, ..] = killable.as_slice() {
        out.push(format!(
            "{} killable, {} among them: they run on until {whom} takes their room.",
            are(killable.len(), "container"),
            who(first)
        ));
    }
    out.join(" ")
}

/// "1 container is", "3 containers are"
fn are(n: usize, what: &str) -> String {
    format!("{} {}", words::count(n as i64, what), if n == 1 { "is" } else { "are" })
}

pub const ON_NO_NODE: &str = " That makes room for it on no single node yet.";

/// Settings were refreshed after the round in question. `next`: the round that reads them.
pub fn not_read_yet(next: Option<&str>) -> String {
    let next = next.map_or(String::new(), |at| format!(", at {at},"));
    format!(" Settings were refreshed since that round; the next one{next} goes by them.")
}

// ---- preemption without effect

/// The killed containers, the rounds that killed them, and how often the giving queue got the resources back.
pub fn livelock(gives: &str, owed: &str, from: &str, [killed, rounds, back]: [i64; 3], every: &str) -> String {
    format!(
        "Preemption goes in circles: since {from} {rounds} rounds have killed {} of **{gives}**, {} every {every}. **{gives}** \
         got that room again {back} times; **{owed}**, which is owed room, got nothing.",
        words::count(killed, "container"),
        each_time(killed, rounds)
    )
}

/// The number killed in each round: "one", "three", "3 to 4".
fn each_time(killed: i64, rounds: i64) -> String {
    let rounds = rounds.max(1);
    match (killed / rounds, killed % rounds) {
        (1, 0) => "one".to_string(),
        (2, 0) => "two".to_string(),
        (3, 0) => "three".to_string(),
        (n, 0) => n.to_string(),
        (n, _) => format!("{} to {}", n.max(1), n + 1),
    }
}

pub fn ping_pong(a: &str, b: &str, from: &str, [killed, turns]: [i64; 2], every: &str) -> String {
    format!(
        "Preemption goes to and fro: since {from} **{a}** and **{b}** have taken the same room from each other {turns} times, \
         back and forth in {every}; {} {} killed.",
        words::count(killed, "container"),
        if killed == 1 { "was" } else { "were" }
    )
}

pub fn in_vain(gives: &[&str], owed: &str, from: &str, to: &str, killed: i64) -> String {
    let gives = words::list(&words::bold(gives), 3);
    let when = if from == to { format!("at {from}") } else { format!("from {from} to {to}") };
    let were = if killed == 1 { "was" } else { "were" };
    format!(
        "{} of {gives} {were} killed {when}, and **{owed}**, which waits for room, has been given nothing since.",
        words::count(killed, "container")
    )
}

pub fn preempted_at(at: &str) -> String {
    format!("preempted at {at}")
}
