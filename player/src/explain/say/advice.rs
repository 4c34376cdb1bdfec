//! The sentences on what would help, and who would be worse off.

use crate::explain::words;

pub fn fair_element(queue: &str, element: &str, value: &str) -> String {
    if queue.is_empty() { format!("{element} = {value}") } else { format!("{element} of {queue} = {value}") }
}

pub fn property(name: &str, value: &str) -> String {
    if value.is_empty() { format!("{name} empty") } else { format!("{name} = {value}") }
}

/// Joins changes that are made together.
pub fn together(changes: &[String]) -> String {
    // These begin in lower case in the middle of a sentence; names keep their case.
    const BEGIN: [&str; 9] =
        ["Without ", "One more ", "Containers ", "Label ", "Resize ", "No label ", "Bring ", "Mend ", "Recommission "];
    let first = |i: usize, change: &String| match BEGIN.iter().any(|begin| change.starts_with(begin)) && i > 0 {
        true => super::waits::no_capital(change),
        false => change.clone(),
    };
    let changes: Vec<String> = changes.iter().enumerate().map(|(i, change)| first(i, change)).collect();
    words::list(&changes, 8)
}

pub fn whose_ask(app: &str, copies: usize) -> String {
    match copies {
        0 | 1 => app.to_string(),
        2 => format!("{app} and its copy"),
        copies => format!("{app} and its {} copies", copies - 1),
    }
}

pub fn smaller(am: bool, size: &str, whose: &str) -> String {
    if am { format!("An AM of {size} for {whose}") } else { format!("Containers of {size} for {whose}") }
}

pub fn relaxed(whose: &str) -> String {
    format!("relaxLocality = true for {whose}")
}

pub fn unlabelled(am: bool, whose: &str) -> String {
    if am { format!("No label for the AM of {whose}") } else { format!("No label for {whose}") }
}

/// "worker of kafka"
pub fn component_of(component: &str, whose: &str) -> String {
    format!("{component} of {whose}")
}

/// A key of resources.json: "yarn.component.placement.policy = 0 for worker of kafka".
pub fn key_of_component(key: &str, value: i64, whose: &str) -> String {
    format!("{key} = {value} for {whose}")
}

/// "yarn.component.instances = 3 for rs of hbase in the flex at 1:00"
pub fn in_the_flex(change: &str, at: &str) -> String {
    format!("{change} in the flex at {at}")
}

pub fn take_label_off(label: &str, node: &str) -> String {
    format!("{node} without label {label}")
}

pub fn label_a_node(node: &str, label: &str) -> String {
    format!("Label {label} for {node}")
}

pub fn without_clause(number: &str, title: &str) -> String {
    format!("Without clause {number} {title}")
}

/// "Clause ① rack: ≤ 3 zk instead of rack: ≤ 2 zk"
pub fn clause_instead(number: &str, title: &str, to: &str) -> String {
    format!("Clause {number} {to} instead of {title}")
}

pub fn labelled(label: &str, whose: &str) -> String {
    format!("Label {label} for {whose}")
}

/// "the requests of priority 1 of etl"
pub fn requests_of(priority: i32, whose: &str) -> String {
    format!("the requests of priority {priority} of {whose}")
}

pub fn unblacklisted(hosts: &[String], whose: &str, at: &str) -> String {
    format!("Without {} on the blacklist of {whose} from {at} on", words::list(hosts, 3))
}

/// A flag in a Samza job's file.
pub fn flag_of_job(key: &str, value: &str, whose: &str) -> String {
    format!("{key} = {value} for {whose}")
}

pub fn grow_node(node: &str, size: &str) -> String {
    format!("Resize {node} to {size}")
}

pub const ON_ANOTHER_RACK: &str = " on another rack";

pub fn on_rack(rack: &str) -> String {
    format!(" on rack {rack}")
}

pub fn priority(value: i64, whose: &str) -> String {
    format!("priority = {value} for {whose}")
}

pub fn recommission(node: &str) -> String {
    format!("Recommission {node}")
}

pub fn bring_back(node: &str) -> String {
    format!("Bring {node} back")
}

/// A change of settings that a refresh makes at a moment, instead of from the start.
pub fn set_at(change: &str, at: &str) -> String {
    format!("{change}, set at {at}")
}

/// A flex by the client of a service, upon which its AM asks again.
pub fn flex(app: &str, component: &str, to: i64) -> String {
    format!("Flex {component} of {app} to {to}")
}

pub fn mend(node: &str) -> String {
    format!("Mend {node}")
}

/// `like`: the node that it resembles; `label`: its label, "" for none; `on`: the rack, where it matters.
pub fn one_more_node(like: Option<&str>, size: &str, label: &str, on: &str) -> String {
    let label = if label.is_empty() { String::new() } else { format!(", label {label}") };
    match like {
        Some(like) => format!("One more node like {like}{on} ({size}{label})"),
        None => format!("One more node{on} ({size}{label})"),
    }
}

/// "root.a.maximum-capacity = 75 in the refresh at 0:40"
pub fn in_the_refresh(change: &str, at: &str) -> String {
    format!("{change} in the refresh at {at}")
}

/// "weight of root.a = 2 in the file written at 0:40"
pub fn in_the_file(change: &str, at: &str) -> String {
    format!("{change} in the file written at {at}")
}

pub const WAITING: &str = "Waiting";

/// Describes a request that needs fewer containers in the end than now.
pub fn waits_no_more() -> String {
    " In the end it wants no more.".to_string()
}

/// How many of a request's `of` containers run in the end: `placed`, the last of them at `last`. `lost`: some are lost again,
/// so the sentence counts those that run in the end.
fn placed(of: i64, placed: i64, last: &str, lost: bool) -> String {
    match (of, placed) {
        (1, 0) if lost => "It does not run in the end".to_string(),
        (1, _) if lost => format!("It runs in the end, since {last}"),
        (_, 0) if lost => "None runs in the end".to_string(),
        (2, placed) if lost && placed >= 2 => format!("Both run in the end, since {last}"),
        (of, placed) if lost && placed >= of => format!("All {of} run in the end, since {last}"),
        (of, 1) if lost => format!("1 of {of} runs in the end"),
        (of, placed) if lost => format!("{placed} of {of} run in the end"),
        (1, 0) => "It is not placed".to_string(),
        (1, _) => format!("Placed at {last}"),
        (_, 0) => "None is placed".to_string(),
        (2, placed) if placed >= 2 => format!("Both are placed by {last}"),
        (of, placed) if placed >= of => format!("All {of} are placed by {last}"),
        (of, 1) => format!("1 of {of} is placed"),
        (of, placed) => format!("{placed} of {of} are placed"),
    }
}

/// The outcome for a request without a change.
pub fn waiting_effect(of: i64, now: i64, end: i64, last: &str, lost: bool, until: &str) -> String {
    let (placed, until) = (placed(of, end, last, lost), if lost { "" } else { until });
    match end {
        end if end >= of => format!("{placed}."),
        end if of == 1 || end == 0 || end == now => format!("{placed}{until}."),
        _ if lost => format!("{placed}, the last since {last}."),
        _ => format!("{placed}{until}, the last at {last}."),
    }
}

/// Says that none of the changes tried helps; `tried`: how many.
pub fn nothing_helps(tried: usize) -> String {
    match tried {
        0 => " No setting changes what stops it.".to_string(),
        1 => " One change was tried, and it does not help.".to_string(),
        n => format!(" {n} changes were tried, and none helps."),
    }
}

/// Describes the effect on the AM of the next attempt.
pub fn of_next_am(effect: &str) -> String {
    let mut effect = effect.to_string();
    if let Some(first) = effect.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    format!("Its next AM: {effect}")
}

pub fn up_to(at: &str) -> String {
    format!(" up to {at}")
}

pub const EVER: &str = ", ever";

// ---- against a refusal

fn aside(new: &[String]) -> String {
    if new.is_empty() { String::new() } else { format!("; {}", words::list(new, 3)) }
}

/// `new`: those refused as a consequence.
pub fn let_in(at: &str, new: &[String]) -> String {
    format!("it would have been let in at {at}{}", aside(new))
}

pub fn call_taken(at: &str, new: &[String]) -> String {
    format!("the call would have been taken at {at}{}", aside(new))
}

pub fn no_lifetime(app: &str) -> String {
    format!("No lifetime for {app}")
}

/// Describes an application that is over at this moment.
pub fn not_over(at: &str) -> String {
    format!("it would not be over at {at}")
}

pub fn refused_instead(name: &str) -> String {
    format!("**{name}** is refused instead")
}

pub fn refused_still(because: &str) -> String {
    format!("still refused: {because}")
}

// ----

/// The effect of a change on a request. `before`: how many come without it; `sooner`: how much earlier the last one comes, if
/// as many come without it.
pub fn help_effect(of: i64, before: i64, after: i64, last: &str, lost: bool, sooner: Option<&str>) -> String {
    let with = placed(of, after, last, lost);
    match sooner {
        Some(span) if after >= of => format!("{with}, {span} sooner."),
        Some(span) => format!("{with}, the last {span} sooner."),
        None if of == 1 => format!("{with}; without it never."),
        None if before == 0 => format!("{with}; without it none."),
        None => format!("{with}, not only {before}."),
    }
}

/// Describes a request for fewer containers, all of which come.
pub fn all_of_fewer(of: i64, last: &str) -> String {
    match of {
        1 => format!("The only one it then wants runs by {last}, and nothing waits."),
        2 => format!("Both that it then wants run by {last}, and nothing waits."),
        of => format!("All {of} that it then wants run by {last}, and nothing waits."),
    }
}

pub fn fewer_not_enough(of: i64, placed: i64) -> String {
    format!("It then wants {of} and gets {placed}, and something still waits.")
}

/// The effect of a change that does not help; `sooner`: an improvement that is too small, "" for less than a second.
pub fn no_help_effect(of: i64, before: i64, after: i64, last: &str, lost: bool, sooner: Option<&str>) -> String {
    let with = placed(of, after, last, lost);
    match (before, after, sooner) {
        (before, after, _) if after < before => format!("{with}; without it {before}."),
        (_, after, Some("")) if after >= of => format!("{with}, less than a second sooner."),
        (_, after, Some(by)) if after >= of => format!("{with}, only {by} sooner."),
        (_, after, None) if after >= of => format!("{with}, no sooner than without it."),
        _ => format!("{with} either way."),
    }
}

/// Describes a single container that runs at `at`, is lost again, and comes for good at the same time with and without the
/// change.
pub fn there_meanwhile(at: &str, last: &str) -> String {
    format!("It runs at {at} and is lost again; it runs in the end either way, since {last}.")
}

/// Describes a change with which as many come, the last of them no sooner, and `n` of the others up to `by` sooner.
pub fn some_sooner(of: i64, after: i64, last: &str, lost: bool, n: usize, by: &str) -> String {
    let with = placed(of, after, last, lost);
    match n {
        1 => format!("{with} either way, 1 of them {by} sooner."),
        n => format!("{with} either way, {n} of them up to {by} sooner."),
    }
}

/// Describes a setting that helps from the start but not from now on; `stops`: what prevents it then.
pub fn helps_no_more(at: &str, stops: Option<&str>) -> String {
    let stops = stops.map_or(String::new(), |stops| format!(": {stops}"));
    format!(" Set only at {at}, it does not help{stops}.")
}

/// Describes a setting that helps from the start, and from now on brings only as many as come without it, no sooner.
pub fn comes_anyway(at: &str, last: &str) -> String {
    format!(" Set only at {at}, the last comes at {last}, no sooner than without it.")
}

/// Describes something that can only be changed from the start, if all of its effect comes before this moment.
pub fn nothing_more(at: &str) -> String {
    format!(" All of that comes before {at}, and nothing after.")
}

/// "at 1:00 root.a uses all of its maximum of 10 GB"
pub fn stopped_at(at: &str, stop: &str) -> String {
    format!("at {at} {}", super::waits::no_capital(stop.trim_end_matches('.')))
}

/// "It is not placed either way: at 1:00 root.a uses all of its maximum of 10 GB."
pub fn since_stopped_next(effect: &str, stops: &str) -> String {
    format!("{}: {stops}.", effect.trim_end_matches('.'))
}

/// Describes the effect from now on of a setting that does more from the start.
///
/// `change`: the stronger change that is needed then.
pub fn set_only_now(at: &str, change: Option<&str>, of: i64, after: i64, last: &str, lost: bool) -> String {
    let placed = super::waits::no_capital(&placed(of, after, last, lost));
    match change {
        Some(change) => format!(" Set only at {at}, it takes {change}: {placed}."),
        None => format!(" Set only at {at}: {placed}."),
    }
}

pub fn at_the_moment(at: &str, before: i64, after: i64) -> String {
    format!(" At {at}: {after} instead of {before}.")
}

pub fn compared_up_to(at: &str) -> String {
    format!(" Compared up to {at}.")
}

/// The other containers of an application that come when a change starts its AM.
pub fn its_tasks(n: i64) -> String {
    match n {
        0 => " Nothing else of it comes.".to_string(),
        1 => " Then 1 container of it comes.".to_string(),
        n => format!(" Then {n} containers of it come."),
    }
}

pub const NOBODY_WORSE: &str = " Nobody is worse off.";

pub fn worse_off(all: &[String]) -> String {
    format!(" But {}.", words::list(all, 3))
}

pub fn others_of(app: &str) -> String {
    format!("what else {app} asks for")
}

pub fn harmed_refused(app: &str, more: i64) -> String {
    format!("**{app}** has {} refused", words::count(more, "request"))
}

pub fn harmed_unstarted(app: &str) -> String {
    format!("**{app}** does not start")
}

/// Describes an application whose AM starts, is preempted and does not come back.
pub fn harmed_ended(app: &str) -> String {
    format!("**{app}** does not run in the end")
}

pub fn harmed_fewer(app: &str, before: i64, after: i64) -> String {
    format!("**{app}** gets {after} of {}", words::count(before, "container"))
}

pub fn harmed_meanwhile(app: &str, before: i64, after: i64) -> String {
    format!("**{app}** keeps {after} of {} on average", words::count(before, "container"))
}

pub fn harmed_at(app: &str, at: &str, before: i64, after: i64) -> String {
    format!("**{app}** has {} instead of {before} at {at}", words::count(after, "container"))
}

pub fn harmed_sooner(app: &str, by: &str) -> String {
    format!("**{app}** loses containers up to {by} sooner")
}

pub fn harmed_killed(app: &str, before: i64, after: i64) -> String {
    format!("preemption takes {} of **{app}** instead of {before}", words::count(after, "container"))
}

pub fn harmed_now(app: &str, at: &str, before: i64, after: i64, later: &str) -> String {
    format!("**{app}** waits up to {later} longer (at {at} it has been given {after} instead of {before})")
}

pub fn harmed_later(app: &str, later: &str) -> String {
    format!("**{app}** waits up to {later} longer")
}

pub fn harmed_master(app: &str, later: &str) -> String {
    format!("the AM of **{app}** waits {later} longer")
}

pub fn harmed_end(app: &str, later: Option<&str>) -> String {
    match later {
        Some(later) => format!("**{app}** ends {later} later"),
        None => format!("**{app}** does not end"),
    }
}
