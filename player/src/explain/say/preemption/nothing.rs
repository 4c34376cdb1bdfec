//! Why nothing is taken for a request.

use crate::explain::words;

/// The usage and guarantee of its own queue, and the other queues, which give nothing back.
pub fn off(queue: &str, used: &str, guaranteed: &str, over: &[&str]) -> String {
    let (use_, give) = if over.len() == 1 {
        ("uses more than its guarantee", "gives")
    } else {
        ("use more than their guarantees", "give")
    };
    let over = words::list(&words::bold(over), 4);
    format!(
        "Preemption is off: **{queue}** uses {used} of the {guaranteed} that it is guaranteed, {over} {use_} and {give} nothing \
         back."
    )
}

/// A queue below its guarantee while others are above theirs; `why`: the reason why nothing is taken back.
pub fn owed(queue: &str, used: &str, guaranteed: &str, over: &[&str], why: &str) -> String {
    let use_ = if over.len() == 1 { "uses more than its guarantee" } else { "use more than their guarantees" };
    let over = words::list(&words::bold(over), 4);
    format!("**{queue}** uses {used} of the {guaranteed} that it is guaranteed, {over} {use_}, and {why}")
}

/// "; 5 GB of **root.b** is only reserved", after what a queue uses.
pub fn is_only_reserved(queue: &str, reserved: &str) -> String {
    format!("; {reserved} of **{queue}** is only reserved")
}

pub fn owed_and_off() -> String {
    "preemption is off".to_string()
}

/// `why`: what is switched off; `budget`: what a round may take at most, which is less than any container there.
pub fn and_takes_too_little(why: &str, budget: &str) -> String {
    format!("{why} (a round may take {budget}, less than one container: total_preemption_per_round)")
}

pub fn owed_and_not_listed() -> String {
    "the preemption policy is not among the monitors".to_string()
}

pub fn owed_and_no_rounds() -> String {
    "the preemption monitor has no rounds".to_string()
}

pub fn owed_and_disabled(queues: &[&str]) -> String {
    format!("nothing may be taken from {} (disable_preemption)", words::list(&words::bold(queues), 4))
}

/// Further queues that use more than their guarantees: "; nothing may be taken from **root.b**, …". Empty if there are none.
pub fn beside_disabled(queues: &[&str]) -> String {
    if queues.is_empty() {
        return String::new();
    }
    let use_ = if queues.len() == 1 { "uses more than its guarantee" } else { "use more than their guarantees" };
    format!("; {}, which {use_} too", owed_and_disabled(queues))
}

pub fn owed_and_too_little() -> String {
    "that is too little for preemption (max_ignored_over_capacity)".to_string()
}

/// `unit`: "1 gpu"
pub fn owed_and_cut(unit: &str) -> String {
    format!("a round of preemption may take less than {unit} of it (total_preemption_per_round)")
}

/// `budget`: what a round may take.
pub fn owed_and_too_large(budget: &str) -> String {
    format!("a round of preemption may take {budget}, less than one container (total_preemption_per_round)")
}

pub fn owed_and_hidden() -> String {
    "preemption, which compares dominant shares, does not see it".to_string()
}

pub fn owed_and_watched() -> String {
    "the preemption monitor only watches (observe_only)".to_string()
}

/// `user`: the user whose limit leaves nothing.
pub fn owed_and_not_counted(user: Option<&str>, queue: &str) -> String {
    match user {
        Some(user) => format!("preemption takes nothing for {user}, who is at the user limit of {queue}"),
        None => "preemption counts nothing as wanted here within the limits of users".to_string(),
    }
}

pub const NOT_LISTED: &str = "Monitors are on, and the preemption policy is not among them: nothing is taken back.";

pub fn never_runs(interval: i64) -> String {
    format!("The preemption monitor has no rounds: its interval is {interval} ms.")
}

pub fn not_yet(next: Option<&str>) -> String {
    match next {
        Some(next) => format!("No round of the preemption monitor has seen it yet; the next one is at {next}."),
        None => "No round of the preemption monitor has seen it yet.".to_string(),
    }
}

pub fn failed(at: &str, why: &str) -> String {
    format!("The preemption monitor's round at {at} ended with an error, and nothing was marked or killed: {why}.")
}

pub fn settings_unreadable(yarn: &str) -> String {
    format!("its settings cannot be read ({yarn})")
}

pub fn partition_done(queue: &str) -> String {
    format!(
        "{queue} had given enough of one partition while another was still to come (a ConcurrentModificationException)"
    )
}

pub fn unknown_queue(container: &str) -> String {
    format!("the queue of {container} is not known, since several have the same short name")
}

pub fn watched(at: &str, chosen: i64) -> String {
    let were = if chosen == 1 { "it is" } else { "they are" };
    format!(
        "The preemption monitor only watches (observe_only): its round at {at} chose {}, and {were} not marked.",
        words::count(chosen, "container")
    )
}

pub fn not_counted(at: &str, queue: &str) -> String {
    format!(
        "Nothing is taken for it: the preemption round at {at} counted nothing as wanted by **{queue}**. Only active \
         applications count, within the limits of their users."
    )
}

/// A short form for the first sentence of all: how much, for whom, from when on; `fits`: whether one container fits then.
pub fn comes_short(size: &str, whom: &[&str], first: Option<&str>, fits: bool) -> String {
    let whom = words::list(&words::bold(whom), 4);
    let from = first.map_or(String::new(), |at| format!(", from {at} on"));
    let node = if fits { "" } else { ", enough on no single node" };
    format!("Preemption is to free {size} for {whom}{from}{node}.")
}

pub fn has_enough(at: &str, queue: &str, used: &str, ideal: &str) -> String {
    format!("Nothing is taken for it: **{queue}** uses {used} and is to have {ideal}, by the preemption round at {at}.")
}

/// What an application uses within its queue beside its AM, and what it is to have there. `gives`: the latter is more; what
/// others are to give, "1638 MB of old", and the spared containers, by reason.
pub fn own_share(app: &str, used: &str, ideal: &str, gives: Option<(&[String], &str)>) -> String {
    let more = match gives {
        None => String::new(),
        Some(([], _)) => ", and no other application gives it".to_string(),
        Some((givers, spared)) => {
            let spared = if spared.is_empty() { String::new() } else { format!("; left alone: {spared}") };
            format!("; {} is to be taken, and no container is marked for that{spared}", words::list(givers, 4))
        }
    };
    format!(" Within the queue **{app}** uses {used} beside its AM and is to have {ideal}{more}.")
}

pub fn nobody_over(at: &str) -> String {
    format!("Nothing is taken for it: no other queue used more than its guarantee in the preemption round at {at}.")
}

pub fn room_there(at: &str, queue: &str, free: &str) -> String {
    format!(
        "Nothing is taken for it: {free} was free in the preemption round at {at}, which counts free room for **{queue}** on \
         whatever nodes it is."
    )
}

/// A queue that uses more of one type than it is to keep, though not by dominant share; `by`: the type that decides the share
/// of what it keeps.
pub fn hidden_surplus(
    (at, queue): (&str, &str),
    [used, keep]: [&str; 2],
    share: &str,
    (kept, by): (&str, &str),
) -> String {
    format!(
        "Nothing is taken for it: **{queue}** uses {used} and is to keep {keep}, but the preemption round at {at} compares \
         dominant shares, and its {share} is not above the {kept} ({by}) that it is to keep."
    )
}

pub fn disabled(queues: &[&str]) -> String {
    let (use_, them) = if queues.len() == 1 {
        ("uses more than its guarantee", "it")
    } else {
        ("use more than their guarantees", "them")
    };
    let queues = words::list(&words::bold(queues), 4);
    format!("Nothing is taken for it: {queues} {use_}, and nothing may be taken from {them} (disable_preemption).")
}

pub fn in_dead_zone(at: &str, queues: &[&str]) -> String {
    let use_ = if queues.len() == 1 { "uses" } else { "use" };
    let queues = words::list(&words::bold(queues), 4);
    format!(
        "Nothing is taken for it: {queues} {use_} more than guaranteed, but too little more for the preemption round at {at} \
         (max_ignored_over_capacity)."
    )
}

/// `beyond`: a queue's usage beyond what it keeps; `part`: the part of that which may be taken.
pub fn cut_to_nothing(at: &str, queue: &str, beyond: &str, part: &str) -> String {
    format!(
        "Nothing is taken for it: **{queue}** uses {beyond} beyond what it is to keep, and the preemption round at {at} may take \
         {part} of that, which rounds down to nothing (total_preemption_per_round)."
    )
}

pub fn taken_nothing(at: &str) -> String {
    format!("Nothing is taken for it: of what others owe, the preemption round at {at} takes nothing.")
}

/// `which`: the spared containers, by reason.
pub fn left_alone(at: &str, which: &str) -> String {
    let which = if which.is_empty() { String::new() } else { format!(": {which}") };
    format!(
        "Nothing is taken for it: the preemption round at {at} looked at the containers of others and left them alone{which}."
    )
}

pub const NO_ROOM_NOW: &str = " No node that it may go to has room for it now.";

/// How many containers the round killed, how many reservations it dropped, how many of those it chose have ended since; `whom`:
/// the beneficiaries.
pub fn done(at: &str, [killed, dropped, gone]: [i64; 3], whom: &[&str]) -> String {
    let whom = words::list(&words::bold(whom), 4);
    let mut parts = Vec::new();
    if killed > 0 {
        parts.push(format!("killed {}", words::count(killed, "container")));
    }
    if dropped > 0 {
        parts.push(format!("dropped {}", words::count(dropped, "reservation")));
    }
    if gone > 0 {
        let have = if gone == 1 { "that has" } else { "that have" };
        parts.push(format!("chose {} {have} ended since", words::count(gone, "container")));
    }
    format!("The preemption round at {at} {} for {whom}; nothing more is marked.", words::list(&parts, 3))
}

/// `smallest`: the smallest container that the round considered; `left`: what the round might still choose then.
pub fn larger_than_cap(at: &str, budget: &str, left: &str, smallest: &str) -> String {
    let left = if left == budget { String::new() } else { format!(", of which {left} was left by then") };
    format!(
        "Nothing is taken for it: the preemption round at {at} may choose {budget} in all (total_preemption_per_round){left}, and \
         the smallest container that it looked at is larger, {smallest}."
    )
}

/// `hosts`: the nodes reserved for it; `makes_room`: rounds make room for reservations; `young`: its age, and the age from
/// which they do (reserved-container-delay-ms).
pub fn reserved(at: &str, queue: &str, hosts: &[&str], makes_room: bool, young: Option<[&str; 2]>) -> String {
    let hosts = words::list(&words::bold(hosts), 3);
    let and = match young {
        Some([age, delay]) => format!(", and room is made on its node only when it is {delay} old; it was {age}"),
        None if makes_room => String::new(),
        None => ", and no room is made on its node (select_based_on_reserved_containers)".to_string(),
    };
    format!(
        "Nothing is taken for it: it has reserved {hosts}. In the preemption round at {at} that counts as used by **{queue}**, and \
         not as wanted{and}."
    )
}

/// Describes resources that are to be freed for an application that is not active; `again`: the application that got back the
/// resources freed so far, how often, and since when.
pub fn freed_in_vain(comes: &str, app: &str, again: Option<(&str, i64, &str)>) -> String {
    let comes = comes.trim_end_matches('.');
    match again {
        None => format!("{comes}, in vain: **{app}** may not start and gets nothing of it."),
        Some((who, times, since)) => format!(
            "{comes}, in vain: **{app}** may not start, and **{who}** has got such room again {} since {since}.",
            words::count(times, "time")
        ),
    }
}

/// What the FairScheduler has freed for an application that got nothing from it, when nothing is being freed now; `taker`: the
/// application that got most of it, and how often.
pub fn freed_for_nothing(app: &str, killed: i64, since: &str, taker: Option<(&str, i64)>) -> String {
    let killed = format!("Since {since} preemption has killed {} for **{app}**", words::count(killed, "container"));
    match taker {
        None => format!("{killed}, which has got nothing of it."),
        Some((who, times)) => format!("{killed}; **{who}** has got such room {}.", words::count(times, "time")),
    }
}

/// Names the application that got what the FairScheduler freed so far for an application that got nothing; `comes`: the
/// sentence on what is to be freed.
pub fn freed_before(comes: &str, who: &str, times: i64, since: &str) -> String {
    let comes = comes.trim_end_matches('.');
    format!("{comes}; so far **{who}** has got such room, {} since {since}.", words::count(times, "time"))
}
