//! Who comes first, and what the nodes say.

use crate::explain::words;

pub fn enough_held(reserved: i64, outstanding: i64) -> String {
    format!(
        "{reserved} of {outstanding} outstanding are reserved: no other node is tried yet (reservations-continue-look-all-nodes is false)."
    )
}

pub fn too_many_errors(errors: i64) -> String {
    format!("Its placement constraint could not be evaluated {errors} times; YARN no longer tries it.")
}

/// `own`: the more urgent request, where it is of the same application; `lent`: the label whose room is lent.
pub fn behind(
    queue: &str,
    app: &str,
    own: Option<crate::model::RequestKey>,
    need: &str,
    headroom: &str,
    lent: &str,
) -> String {
    let whose = if own.is_some() { format!("a more urgent request of **{app}**") } else { format!("**{app}**") };
    let of = if lent.is_empty() { String::new() } else { format!(" of the nodes of label {lent}") };
    format!(
        "{queue} waits for {whose}, which comes first and needs {need}: {queue} may still take {headroom}{of}, and nothing behind \
         it is looked at until that fits."
    )
}

pub fn behind_own(app: &str, priority: i32, host: &str, why: &str) -> String {
    format!(
        "A more urgent request of **{app}**, of priority {priority}, comes first, and this one has no turn while that gets \
         nothing. On **{host}**: {why}"
    )
}

pub fn refused_at_commit(host: &str, why: &str) -> String {
    format!("**{host}** is proposed for it and refused at the commit: {why}")
}

pub fn refused_before(app: &str, host: &str, why: &str) -> String {
    format!(
        "**{app}** comes first; **{host}** is proposed for it, refused at the commit, and the look ends there: {why}"
    )
}

pub fn only_held(hosts: &[&str], why: &str) -> String {
    let verb = if hosts.len() == 1 { "is" } else { "are" };
    let hosts = words::list(&words::bold(hosts), 3);
    format!("{hosts} {verb} held for it, and it is looked at nowhere else: {why}")
}

/// "; **n1** is held for it"
pub fn held_for(hosts: &[&str]) -> String {
    let verb = if hosts.len() == 1 { "is" } else { "are" };
    format!("; {} {verb} held for it", words::list(&words::bold(hosts), 3))
}

/// "; **b** was served first on **n1** at 0:09"
pub fn served_first(app: &str, host: &str, at: &str) -> String {
    format!("; **{app}** was served first on **{host}** at {at}")
}

/// The promise is kept: `tests/tests/random.rs` tries it.
pub fn fits_next(hosts: &[&str]) -> String {
    match hosts {
        [one] => format!("**{one}** fits: it is looked at next"),
        _ => format!("{} fit: one of them is looked at next", words::list(&words::bold(hosts), 3)),
    }
}

pub fn all_full(of: usize) -> String {
    if of == 2 { "both nodes are full".to_string() } else { format!("all {of} nodes are full") }
}

/// `other_checks`: there are more than room and this one.
pub fn only_one_comes_near(host: &str, other_checks: bool, has: &str) -> String {
    let rest = if other_checks { "satisfies everything else" } else { "comes near" };
    format!("only **{host}** {rest}, and it {has}")
}

/// "of 5 nodes, 3 are full and **n4** is held for etl"
pub fn of_nodes(of: usize, parts: &[String]) -> String {
    format!("of {of} nodes, {}", words::list(parts, 6))
}

pub fn free_in_pieces(free: &str, of: usize, host: &str, has: &str) -> String {
    format!("{free} are free on {of} nodes in all; the emptiest, **{host}**, {has}")
}

pub fn emptiest(of: usize, host: &str, has: &str) -> String {
    format!("the emptiest of {of} nodes, **{host}**, {has}")
}

/// `kind`: "run zk", "are held for others".
pub fn none_of(of: usize, kind: &str) -> String {
    format!("all {of} nodes {kind}")
}

/// What is said of one node, of several.
pub fn plural(has: &str) -> String {
    let (verb, rest) = has.split_once(' ').unwrap_or((has, ""));
    let verb = match verb {
        "is" => "are",
        "has" => "have",
        "lends" => "lend",
        "cannot" => "cannot",
        other => other,
    };
    if rest.is_empty() { verb.to_string() } else { format!("{verb} {rest}") }
}

/// With a capital letter, but for names.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if !text.starts_with("**") => first.to_uppercase().chain(letters).collect(),
        _ => text.to_string(),
    }
}
