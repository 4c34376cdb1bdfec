//! How figures come about: one line each, with the values filled in.

use crate::explain::words;

// ---- queues

pub fn queue_maximum(percent: &str, of: &str, maximum: &str) -> String {
    format!("maximum = {percent} of {of} = {maximum}")
}

/// `reserved`: the reserved part, and for whom it is reserved on which node.
pub fn queue_used(used: &str, reserved: Option<(&str, &[String])>) -> String {
    let reserved = reserved.map_or(String::new(), |(amount, whose)| super::only_reserved(amount, whose));
    format!("used = {used}{reserved}")
}

pub fn queue_guaranteed(guaranteed: &str) -> String {
    format!("guaranteed = {guaranteed}")
}

// ---- ApplicationMasters

pub fn am_limit_base(guaranteed: &str, reachable: &str, base: &str) -> String {
    format!(
        "counted on the larger of what is guaranteed, {guaranteed}, and what the queue could reach at its last offer, {reachable}: {base}"
    )
}

pub fn am_limit(percent: &str, base: &str, step: &str, limit: &str) -> String {
    format!("limit of the queue's AMs = {percent} of {base}, rounded up to steps of {step} = {limit}")
}

pub fn am_limit_of_before(percent: &str, limit: &str, now: &str) -> String {
    format!(
        "limit of the queue's AMs = {percent} of what that was when YARN last worked the limit out = {limit}; it would be {now} now"
    )
}

pub fn am_limit_of_user(how: Option<&str>, limit: &str) -> String {
    let how = how.map_or(String::new(), |how| format!("{how} = "));
    format!("limit of one user's AMs = {how}{limit}")
}

/// A limit that YARN computed some time ago, and its value if computed now.
pub fn am_limit_of_user_before(limit: &str, how: &str, now: &str) -> String {
    format!("limit of one user's AMs = {limit} when YARN last worked it out; now it would be {how} = {now}")
}

pub fn no_user_limit_factor(percent: &str, guaranteed: &str) -> String {
    format!("{percent} of the {guaranteed} guaranteed (user-limit-factor −1)")
}

pub fn am_share_of_user(
    percent: &str,
    guaranteed: &str,
    share: &str,
    users: usize,
    factor: f32,
    weight: Option<f32>,
) -> String {
    let weight = weight.map_or(String::new(), |weight| format!(", times the user's weight of {weight}, at most 100 %"));
    format!(
        "{percent} of the {guaranteed} guaranteed × {share} (the larger of minimum-user-limit-percent and 1 ÷ {}{weight}) × \
         user-limit-factor {factor}, at most the queue's limit",
        words::count(users as i64, "user")
    )
}

pub fn am_used(queue: &str, user: &str) -> String {
    format!("used by the queue's AMs = {queue}, by the user's = {user}")
}

pub fn this_am(size: &str) -> String {
    format!("this AM = {size}")
}

/// Before YARN-2637: the figure, and how it came about.
pub fn counted_applications(count: i64, percent: &str, total: &str, smallest: &str) -> (String, Vec<String>) {
    let value = format!("{}, however large their AMs", words::count(count, "active application"));
    let how = format!("counted: {percent} of {total} ÷ the smallest container of {smallest} = {count}");
    (value, vec![how, "2.6.1, 2.7.0 and newer add up the sizes of AMs, as here (YARN-2637)".to_string()])
}

pub const BEFORE_YARN_2637: &str = "Hadoop 2.6.0 and older";

// ---- users

pub fn users_share(current: &str, guaranteed: &str, used: &str) -> String {
    format!("what users share = {current} (guaranteed {guaranteed}, used {used})")
}

pub fn active_users_use(used: &str, step: &str, weights: f32) -> String {
    format!("active users use {used} and one step of {step}, divided by weights of {weights}")
}

pub fn or_percent_of_it(percent: f32) -> String {
    format!("or {percent} % of what users share, whichever is more")
}

pub fn at_most_maximum(maximum: &str) -> String {
    format!("at most the queue's maximum, {maximum}")
}

/// Describes the cap on resources that a label lends.
pub fn at_most_of_label(total: &str, label: &str) -> String {
    format!("at most all of label {label}, {total}: of what is lent no other cap holds")
}

pub fn at_most_times_factor(guaranteed: &str, factor: f32, product: &str) -> String {
    format!("at most {guaranteed} × {factor} = {product}")
}

pub fn times_weight(weight: f32, user: &str) -> String {
    format!("all of that × {weight}, the weight of {user}")
}

pub fn who_counts(active: &[&str], pending: &[&str]) -> String {
    let who = if active.is_empty() { String::new() } else { format!(" ({})", words::list(active, 4)) };
    let (waits, does) = if pending.len() == 1 { ("waits", "does") } else { ("wait", "do") };
    format!(
        "active users: {} of {}{who}; {} only {waits} for activation and {does} not count",
        active.len(),
        active.len() + pending.len(),
        words::list(pending, 4)
    )
}

// ---- properties

pub fn property_at(name: &str, value: &str, place: &str) -> String {
    format!("{name} = {value}{place}")
}

pub fn property_not_set(name: &str) -> String {
    format!("{name} (not set)")
}

/// YARN's default, for a property that is not set.
pub fn property_by_default(name: &str, value: &str) -> String {
    format!("{name} = {value} (not set)")
}

/// The value that every auto-created leaf gets.
pub fn property_given(name: &str, value: &str) -> String {
    format!("{name} = {value} (given to auto-created queues)")
}

pub fn property_refreshed(name: &str, value: &str, at: &str) -> String {
    format!("{name} = {value} (refreshed at {at})")
}

/// " (FILE, line N)"
pub fn place(file: &str, line: Option<usize>) -> String {
    line.map_or_else(|| format!(" ({file})"), |line| format!(" ({file}, line {line})"))
}

// ---- the cost of scheduling

pub fn evaluations(looks: i64, heartbeats: i64) -> String {
    format!("{looks} in the last {}", words::count(heartbeats, "heartbeat"))
}

/// `unmet`: checks that found a constraint that does not hold.
pub fn looks_at_queue(looks: i64, apps: i64, unmet: i64) -> String {
    let unmet = if unmet > 0 { format!(", {unmet} found a constraint that does not hold") } else { String::new() };
    format!("{} at {}{unmet}", words::count(looks, "look"), words::count(apps, "application"))
}

/// `served`: heartbeats that allocated or reserved something.
pub fn looks_a_heartbeat(looks: i64, heartbeats: i64, apps: usize, active: usize, served: usize) -> Vec<String> {
    let tenths = looks * 10 / heartbeats.max(1);
    let each = if tenths % 10 == 0 { (tenths / 10).to_string() } else { format!("{}.{}", tenths / 10, tenths % 10) };
    vec![
        format!("{looks} ÷ {} = {each} a heartbeat", words::count(heartbeats, "heartbeat")),
        format!("active applications with something pending: {apps} of {active}; the others are passed over"),
        format!("heartbeats that gave or reserved room: {served} of {heartbeats}"),
    ]
}

/// "3 of etl and 1 of report on n1 and n2"
pub fn placed_meanwhile(apps: &[(i64, &str)], hosts: &[&str]) -> String {
    let apps: Vec<String> = apps.iter().map(|(n, app)| format!("{n} of {app}")).collect();
    format!("{} on {}", words::list(&apps, 4), words::list(hosts, 6))
}
