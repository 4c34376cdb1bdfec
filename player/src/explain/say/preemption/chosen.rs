//! Why a container was chosen, and what became of it; why another one is not.

use super::Ends;
use crate::explain::words;
use heddle_core::model::Selector;
use heddle_core::preemption::SparedBy;

/// Used, guaranteed, to keep, to be taken; `owed`: the queues that are owed resources.
pub fn chosen_from_queue(
    at: &str,
    queue: &str,
    [used, guaranteed, keep, wanted]: [&str; 4],
    owed: &[String],
) -> String {
    let whom = if owed.is_empty() { String::new() } else { format!(" for {}", words::list(owed, 3)) };
    format!(
        "In the preemption round at {at} **{queue}** used {used}, was guaranteed {guaranteed} and was to keep {keep}. To be \
         taken{whom}: {wanted}."
    )
}

pub fn owed_then(queue: &str, used: &str, ideal: &str) -> String {
    format!("**{queue}**, which used {used} and was to have {ideal}")
}

pub fn owed_now(queue: &str, used: &str, ideal: &str) -> String {
    format!("{queue} uses {used}, is to have {ideal}")
}

pub fn chosen_for_reservation(at: &str, by: Selector, app: &str, queue: &str, host: &str) -> String {
    let whose = if by == Selector::QueuePriority { ", a queue with a higher priority" } else { "" };
    format!(
        "In the preemption round at {at} the reservation of **{app}** ({queue}{whose}) on **{host}** needed its room."
    )
}

pub fn chosen_within(at: &str, queue: &str, app: &str, wanted: &str) -> String {
    format!(
        "In the preemption round at {at} **{app}** was to give to other applications of **{queue}**. Still to be taken there: \
         {wanted}."
    )
}

/// It was the n-th of those that a selector chose from its queue. `lent`: it uses resources that a partition lends.
pub fn in_order(by: Selector, lent: bool, n: i64, of: i64) -> String {
    let order = match by {
        _ if lent => "before all others those on room that the partition lends, the latest first",
        Selector::QueuePriority => "containers of lower queues on the node, the lowest first",
        Selector::Reserved => "the latest containers of the node first, AMs never",
        Selector::Fifo | Selector::Balance => {
            "reservations, then the application that comes last in the queue, its least urgent and latest containers first, AMs \
             at the end"
        }
        Selector::IntraQueue => "the least important application first, AMs never",
    };
    let which = if of == 1 { "only this one".to_string() } else { format!("this one as number {n} of {of}") };
    format!(" {} chose {which}: {order}.", by.class())
}

pub fn an_am_too(used: &str, maximum: &str) -> String {
    format!(" It is an AM: those that were left used {used}, more than the queue's maximum for AMs of {maximum}.")
}

/// An AM cannot give itself back.
pub fn not_given_back(at: &str, am: bool) -> String {
    if am {
        return format!(" It was killed at {at}.");
    }
    format!(" Its AM did not give it back, and it was killed at {at}.")
}

pub fn was_killed(at: &str, why: &str) -> String {
    format!(" It was killed at {at}. {why}")
}

pub fn ended_before(at: &str) -> String {
    format!(" It ended at {at}, before it was killed.")
}

/// `from`: the earliest round that may kill it; `until`: how long its mark is kept.
pub fn marked_still(since: &str, from: &str, until: &str, lazy: bool) -> String {
    let ends = if lazy { "makes it killable" } else { "kills it" };
    format!(
        " It has been marked since {since}: a round from {from} on that chooses it {ends}, and one after {until} that does not \
         forgets the mark."
    )
}

/// Its AM gave it back; `asked`: this very container was asked for.
pub fn given_back_at(at: &str, asked: bool, keeps: bool) -> String {
    let which = if asked { "" } else { " instead of another that was asked back" };
    let work = if keeps { ", and kept its work" } else { "" };
    format!(" Its AM gave it back at {at}{which}{work}.")
}

pub fn killable_since(since: &str) -> String {
    format!(" It has been killable since {since}, and runs on until somebody below its guarantee takes its room.")
}

pub fn will_end(ends: &Ends) -> String {
    format!(" {}", ends.sentence())
}

pub fn next_there(host: &str, next: &str, at: &str) -> String {
    format!(" Next **{host}** gave room to **{next}**, at {at}.")
}

// ---- a container that is not chosen

pub const AM_LAST: &str = "yes: looked at last, and spared within the queue's maximum for AMs";
pub const NO_AM: &str = "no";
pub const NOT_COME_TO: &str = "it was not reached";

pub fn its_number(n: i64, of: i64) -> String {
    format!("chosen, number {n} of {of}")
}

/// `amount`: the amount that the reason names.
pub fn left_alone_since(why: &SparedBy, amount: &str) -> String {
    match why {
        SparedBy::Killable => "it is killable already".to_string(),
        SparedBy::Am => "it is an AM, and AMs of its queue are within their maximum".to_string(),
        SparedBy::OtherPartition => "nothing more is wanted of its queue in the partition of its node".to_string(),
        SparedBy::Budget { .. } => format!("it is larger than the {amount} that the round may still choose"),
        SparedBy::TypeUsedUp { .. } => format!("{amount} are still wanted, and one type is used up (conservative-drf)"),
        SparedBy::NoUse { .. } => format!("its end would not lower the {amount} that are wanted"),
        SparedBy::UserLimit { .. } => format!("its user would come down to its limit of {amount}"),
    }
}

pub fn enough_before(which: &str) -> String {
    if which.is_empty() {
        "enough is taken without it".to_string()
    } else {
        format!("enough was chosen before it: {which}")
    }
}

pub fn enough_within(wanted: &str) -> String {
    format!("its application gives {wanted}, and enough was chosen before it")
}

/// The nodes that a round's figures of a queue are about; the empty label stands for nodes without one.
fn of_label(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!(" of label {label}") }
}

pub fn kept_not_over(at: &str, queue: &str, label: &str) -> String {
    let of = of_label(label);
    format!("It is not chosen: in the preemption round at {at} **{queue}** used no more than its guarantee{of}.")
}

/// `property`: the property that forbids it, as written.
pub fn kept_disabled(queue: &str, property: &str) -> String {
    let by = if property.is_empty() { String::new() } else { format!(": {property}") };
    format!("It is not chosen: **{queue}** is not preemptable{by}.")
}

pub fn kept_nobody_owed(at: &str, label: &str) -> String {
    format!("It is not chosen: in the preemption round at {at} no other queue was owed room{}.", of_label(label))
}

pub fn kept_all(at: &str, queue: &str, label: &str) -> String {
    let of = of_label(label);
    format!("It is not chosen: in the preemption round at {at} **{queue}** was to keep all that it used{of}.")
}

pub fn kept_in_dead_zone(at: &str, queue: &str) -> String {
    format!(
        "It is not chosen: in the preemption round at {at} **{queue}** used too little more than its guarantee \
         (max_ignored_over_capacity)."
    )
}

pub fn kept_nothing_taken(at: &str, queue: &str) -> String {
    format!("It is not chosen: of what **{queue}** owed, the preemption round at {at} took nothing.")
}

pub fn kept_spared(at: &str, why: &str) -> String {
    format!("The preemption round at {at} looked at it and left it alone: {why}.")
}

pub fn kept_enough(at: &str, which: &str) -> String {
    let which = if which.is_empty() { String::new() } else { format!(": {which}") };
    format!("It is not chosen: the preemption round at {at} had enough before its turn{which}.")
}

pub fn kept_void(at: &str) -> String {
    format!(
        "The preemption round at {at} killed it, and that came to nothing: it was reserved on room that its partition lends, \
         and its queue still has it as that reservation (3.5.0). The next round marks it anew if it chooses it."
    )
}

pub fn kept_watched(at: &str) -> String {
    format!("The preemption round at {at} chose it, and only watches (observe_only): it is not marked.")
}

pub fn kept_not_reached(at: &str) -> String {
    format!("The preemption round at {at} did not reach it.")
}
