//! What is known about a container, a node, a queue, an application, a user.

use crate::explain::away::AbsenceKind;
use crate::explain::words;
use heddle_core::model::Millis;
use heddle_core::scheduler::Locality;

pub const NOT_RECORDED: &str = "How it came here is not recorded.";
pub const OVER: &str = "over";
/// The heading of how a Samza container came to its host.
pub const CAME: &str = "came here";
pub const DIAGNOSTICS_EMPTY: &str = "empty while a limit of parallel applications holds it back";
pub const LABEL_OF_ALL: &str =
    "the application's: YARN gives it to its AM and to every request for any node that names none";
pub const HEADROOM_TOLD: [&str; 2] = [
    "the least of user limit − used and maximum − used of its queue and those above, as its leaf was last offered a node",
    "in the whole partition: nodes that the application itself refuses count too",
];
pub const HEADROOM_OF_FAIR: [&str; 2] = [
    "the least of fair share − used of its queue, maximum − used of its queue, and what the cluster has free",
    "of the fair share only types that the queue's policy divides count; what nodes have free that the application itself refuses is taken off",
];
pub const HEADROOM_OF_FIFO: [&str; 1] = ["what the cluster had free when a node with room was last served"];

/// After what has the label: ", label x".
pub fn and_label(label: &str) -> String {
    if label.is_empty() { String::new() } else { format!(", label {label}") }
}

/// "4 GB · root.a › etl"
pub fn crumb_of_container(size: &str, queue: &str, app: &str) -> String {
    format!("{size} · {queue} › {app}")
}

/// "16 GB · /rack1 · label x"
pub fn crumb_of_node(size: &str, rack: &str, label: &str) -> String {
    let label = if label.is_empty() { String::new() } else { format!(" · label {label}") };
    format!("{size} · {rack}{label}")
}

/// "root.a › alice"
pub fn crumb_of_app(queue: &str, user: &str) -> String {
    format!("{queue} › {user}")
}

/// "3 × 2 GB · a › etl › alice", with the last part of the queue's path.
pub fn crumb_of_request(count: i64, size: &str, queue: &str, app: &str, user: &str) -> String {
    let many = if count > 1 { format!("{count} × ") } else { String::new() };
    format!("{many}{size} · {} › {app} › {user}", queue.rsplit('.').next().unwrap_or(queue))
}

pub fn rounded_up(from: &str, to: &str, step: &str) -> String {
    format!(" · {}", asked_and_rounded_up(from, to, step))
}

pub fn asked_and_rounded_up(from: &str, to: &str, step: &str) -> String {
    format!("asked {from}, rounded up to {to} in steps of {step}")
}

// ---- containers

pub fn borrowed(label: &str) -> (String, Vec<String>) {
    let value = format!("room of label {label}; where preemption is on, it is preempted first");
    let how = format!("its request names no label, and label {label} is not exclusive");
    (value, vec![how, "before any container that asked for the label".to_string()])
}

/// The first sentence: the node that was offered, what was free there, how near it is. `label`: the one that it asked for; "" for
/// none.
pub fn looked_and_placed(
    at: &str,
    host: &str,
    free: Option<&str>,
    locality: Locality,
    from_reservation: bool,
    label: &str,
) -> String {
    let free = free.map_or(String::new(), |free| format!(", which had {free} free"));
    let near = match (locality, from_reservation) {
        (_, true) => ": the room reserved for it had become enough.".to_owned(),
        (Locality::NodeLocal, _) => ": a host that it asked for.".to_owned(),
        (Locality::RackLocal, _) => ": a rack that it asked for.".to_owned(),
        (Locality::OffSwitch, _) if label.is_empty() => "; it may go anywhere.".to_owned(),
        (Locality::OffSwitch, _) => format!("; it may go to any node with label {label}."),
    };
    format!("At {at} the scheduler looked at **{host}**{free}{near}")
}

pub fn came_before(requests: usize) -> String {
    let (who, were) = (words::count(requests as i64, "request"), if requests == 1 { "was" } else { "were" });
    format!(" {who} came before it and {were} passed over.")
}

pub fn passed_over_before(hosts: &[&str]) -> String {
    format!(" Passed over before: {}.", words::list(hosts, 4))
}

pub fn before_it(n: usize) -> String {
    format!("before it, {n}")
}

pub fn passed_over(host: &str) -> String {
    format!("passed over: {host}")
}

pub fn reserved_for(span: &str) -> String {
    format!("reserved for {span}")
}

pub fn not_heard_of(span: &str) -> String {
    format!("placed {span} ago; its AM is not told yet")
}

pub fn starting(span: &str) -> String {
    format!("placed {span} ago, starting")
}

pub fn running_since(at: &str) -> String {
    format!("placed at {at}, running")
}

pub const NOT_REPORTED: &str = "over; its node has yet to report it";

/// What the scheduler counts.
pub const MEMORY_ONLY: &str = "memory only (DefaultResourceCalculator)";

/// `fair`: the FairScheduler compares all types to see what fits, and divides by its policies.
pub fn counts(types: &[&str], fair: bool) -> String {
    let how = if fair { "what fits" } else { "DominantResourceCalculator" };
    format!("{} ({how})", words::list(types, 6).replace("memory-mb", "memory"))
}

// ---- nodes

/// `memory` and `vcores`: allocated, and in total.
pub fn node_runs(host: &str, containers: i64, memory: (&str, &str), vcores: (i64, i64)) -> String {
    format!(
        "**{host}** runs {}: {} of {} and {} of {} are taken.",
        words::count(containers, "container"),
        memory.0,
        memory.1,
        vcores.0,
        words::vcores(vcores.1)
    )
}

/// Describes a node that sends no heartbeats any more.
pub fn node_silent(host: &str, since: &str, containers: i64, memory: (&str, &str)) -> String {
    format!(
        "**{host}** has been silent since {since}, and nothing runs on it. YARN counts {} there until it takes the node for lost: {} of {}.",
        words::count(containers, "container"),
        memory.0,
        memory.1
    )
}

/// YARN's word for a node's state, and since when; for a silent node, what YARN does not know yet.
pub fn state_since(state: &str, how: AbsenceKind, since: &str) -> String {
    match how {
        AbsenceKind::Silent => format!("{state}, {since}"),
        AbsenceKind::State(_) => {
            let (_, since) = since.split_once(" since ").unwrap_or_default();
            format!("{state} since {since}")
        }
    }
}

/// The heading of the reason why a node takes nothing.
pub const TAKES_NOTHING: &str = "takes nothing";

/// The heading of the state of a node whose freed resources may be allocated again.
pub const DRAINS: &str = "state";

/// "… It has been decommissioning since 0:20 and leaves by 5:20: it gets nothing more."
pub fn node_takes_no_more(first: &str, has: &str) -> String {
    if has.is_empty() { first.to_string() } else { format!("{first} It {has}: it gets nothing more.") }
}

/// "… It has been decommissioning since 0:20: its size follows what it runs." Under schedulers that ignore the state of a node.
pub fn node_shrinks(first: &str, has: &str) -> String {
    format!("{first} It {has}: its size follows what it runs, and what ends there may be given away before that.")
}

pub fn no_node_of_scheduler(host: &str) -> String {
    format!("**{host}** is not among the scheduler's nodes.")
}

pub fn node_is_held(who: &str, needs: &str) -> String {
    format!(" It is held for {who}, which needs {needs}.")
}

/// The outcome of the latest offer of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatestOffer {
    Nothing,
    Reserved,
    Given,
}

pub fn last_looked_at(at: &str, came: LatestOffer) -> String {
    let came = match came {
        LatestOffer::Nothing => "nobody took room",
        LatestOffer::Reserved => "room was reserved",
        LatestOffer::Given => "room was given",
    };
    format!(" When the scheduler last looked at it, at {at}, {came}.")
}

pub fn looked_at(n: usize) -> String {
    format!("looked at, {n}")
}

// ---- queues

pub fn queue_uses(queue: &str, used: &str, guaranteed: &str, maximum: &str) -> String {
    format!("**{queue}** uses {used}; {guaranteed} is guaranteed, {maximum} at most.")
}

/// Describes a queue that uses or wants resources of a label too, which further sentences describe.
pub fn queue_uses_outside_labels(queue: &str, used: &str, guaranteed: &str, maximum: &str) -> String {
    format!("**{queue}** uses {used} outside labels; {guaranteed} is guaranteed there, {maximum} at most.")
}

/// Describes a queue's usage of a label, after its usage outside labels.
pub fn queue_uses_of_label(label: &str, used: &str, guaranteed: &str, maximum: &str) -> String {
    format!(" Of label {label} it uses {used}; {guaranteed} is guaranteed there, {maximum} at most.")
}

pub fn queue_is_asked_for_there(pending: &str) -> String {
    format!(" {pending} is asked for there.")
}

/// `by`: the refresh that set it.
pub fn queue_takes_none(state: &str, by: &str) -> String {
    format!(" It is {state} and takes no more applications{by}.")
}

pub fn queue_is_asked_for(pending: &str) -> String {
    format!(" {pending} is asked for.")
}

pub fn queue_masters_hold(masters: &str, share: &str, tasks: &str) -> String {
    format!(" ApplicationMasters hold {masters} of it, {share}; tasks hold {tasks}.")
}

/// "guaranteed", "guaranteed, label x"
pub fn figure_of_label(figure: &str, label: &str) -> String {
    format!("{figure}{}", and_label(label))
}

pub fn share_of(percent: &str, of: &str) -> String {
    format!("{percent} of {of}")
}

pub fn used_of(guarantee: &str, partition: &str) -> String {
    format!("{guarantee} of its guarantee, {partition} of the partition")
}

pub fn last_stopped(at: &str, host: &str) -> String {
    format!("last stopped at {at}, for {host}")
}

/// The longest wait of a queue or a user, after the words about it.
pub fn longest_waits(name: &str, because: &str) -> String {
    format!(" {name} waits: {because}.")
}

pub fn fair_queue_uses(queue: &str, used: &str, share: &str, maximum: &str) -> String {
    format!("**{queue}** uses {used}; its fair share is {share}, its maximum {maximum}.")
}

pub fn fair_queue_made(dynamic: bool) -> &'static str {
    if dynamic { "made for its applications" } else { "in the allocation file" }
}

pub fn fifo_queue_uses(queue: &str, used: &str, total: &str) -> String {
    format!(
        "**{queue}** uses {used} of {total}. Applications are served in the order of their submission, without limits."
    )
}

/// "2 of at most 3"
pub fn running_of(running: i64, most: Option<i64>) -> String {
    most.map_or_else(|| running.to_string(), |most| format!("{running} of at most {most}"))
}

/// "2 of at most 3 in all queues, 1 held back"
pub fn running_of_user(running: usize, most: Option<i64>, held: usize) -> String {
    let most = most.map_or(String::new(), |n| format!(" of at most {n} in all queues"));
    let held = if held > 0 { format!(", {held} held back") } else { String::new() };
    format!("{running}{most}{held}")
}

// ---- applications

fn did_work(done: i64) -> String {
    format!("{} did {} work", words::count(done, "container"), if done == 1 { "its" } else { "their" })
}

pub fn app_failed(app: &str, after: &str, why: &str, done: i64) -> String {
    format!("**{app}** failed after {after}: {why}. {}.", did_work(done))
}

/// `after`: `None` while it exits.
pub fn app_done(app: &str, after: Option<&str>, done: i64) -> String {
    match after {
        Some(after) => format!("**{app}** finished after {after}: {}.", did_work(done)),
        None => format!("**{app}** has finished and exits: {}.", did_work(done)),
    }
}

pub fn app_over(app: &str, why: &str) -> String {
    format!("**{app}** is over: {why}.")
}

/// Describes an application that is over and never ran.
pub fn never_active(why: &str) -> String {
    format!("It never ran: {why}.")
}

pub fn app_waits_for_am(app: &str, span: &str, because: &str) -> String {
    format!("**{app}** has waited {span} for its AM: {because}.")
}

/// Describes an application with waiting containers. If they have several sizes, `because` is about the first; `part`: how many
/// of that size it is about, if others of that size are requested elsewhere.
pub fn app_runs_and_waits(
    app: &str,
    running: i64,
    waits: &[(i64, String)],
    part: Option<i64>,
    because: &str,
) -> String {
    let each: Vec<String> = waits.iter().map(|(count, size)| format!("{count} of {size}")).collect();
    let of = match waits {
        [(count, size), _, ..] => format!("; for {count} of {size}"),
        [_] => part.map_or(String::new(), |part| format!("; for {part} of them")),
        [] => String::new(),
    };
    let waits = words::list(&each, 3);
    format!("**{app}** runs {} and waits for {waits}{of}: {because}.", words::count(running, "container"))
}

pub fn move_refused(queue: &str, at: &str, why: &str) -> String {
    format!("Its move to {queue} was refused at {at}: {why}.")
}

/// How an application lost a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostBy {
    /// Its process ended with an exit code other than 0.
    Failure,
    /// Its node is gone.
    Node,
    /// Its node ran it but no longer lists it.
    NotListed,
    /// It was not launched in time.
    NoLaunch,
}

/// Containers that an application lost since it last got one: the latest on `host` at `at`. `next`: the application of the
/// container that was placed there next, and when.
pub fn has_lost(count: i64, app: &str, by: LostBy, (host, at): (&str, &str), next: Option<(&str, &str)>) -> String {
    let (were, the_last, them) = if count == 1 { ("was", "", "it") } else { ("were", ", the last", "them") };
    let what = match by {
        LostBy::Failure => format!("failed{the_last} on **{host}** at {at}"),
        LostBy::Node if count == 1 => format!("was lost with **{host}** at {at}"),
        LostBy::Node => format!("{were} lost with nodes{the_last} with **{host}** at {at}"),
        LostBy::NotListed => format!("{were} lost{the_last} on **{host}** at {at}, which lists {them} no more"),
        LostBy::NoLaunch => format!("{were} not launched in time{the_last} on **{host}** until {at}"),
    };
    let next = next.map_or(String::new(), |(other, at)| format!("; **{other}** was given the next one there, at {at}"));
    format!("{} of **{app}** {what}{next}.", words::count(count, "container"))
}

/// The containers that ended with an AM on `host`.
pub fn lost_with_master(count: i64, app: &str, host: &str, at: &str) -> String {
    format!("**{app}** lost {} with its AM, which was on **{host}**, at {at}.", words::count(count, "container"))
}

pub fn moved_beyond_maximum(app: &str, queue: &str, at: &str) -> String {
    format!("**{app}** was moved into {queue} at {at}, which no maximum keeps from coming.")
}

/// Containers that were killed because their node became smaller. `app`: their application; `None`: the words are about the
/// node. `at_once`: at the moment when they were placed, on a decommissioning node.
pub fn killed_by_its_size(count: i64, app: Option<&str>, host: &str, [from, to]: [String; 2], at_once: bool) -> String {
    let when = if from == to { format!("at {from}") } else { format!("from {from} to {to}") };
    let were = if count == 1 { "was" } else { "were" };
    let containers = words::count(count, "container");
    let who = match app {
        Some(app) => format!("{containers} of **{app}** {were} killed on **{host}** {when}"),
        None => format!("{containers} {were} killed there {when}"),
    };
    let (placed, them) = if count == 1 { ("it was placed", "it") } else { ("each was placed", "them") };
    match at_once {
        true => format!(
            "{who}, at once after {placed}: the size of a node that is being decommissioned follows what it ran before, which left \
             no room for {them}."
        ),
        false => format!("{who}: the node was made smaller than what it ran."),
    }
}

/// Other requests of an application behind one that does not fit.
pub fn stand_behind(others: i64) -> String {
    match others {
        1 => "1 more stands behind that request and is not looked at before it fits.".to_string(),
        n => format!("{n} more stand behind that request and are not looked at before it fits."),
    }
}

pub fn am_cannot_register(app: &str) -> String {
    format!("**{app}**'s AM has a container and cannot register.")
}

pub fn am_starts(app: &str) -> String {
    format!("**{app}**'s AM has a container and is starting.")
}

/// `has`: "has been silent since 0:30 and counts as lost at 10:30".
pub fn counted_on(containers: i64, host: &str, has: &str) -> String {
    format!("YARN counts {containers} of its containers on **{host}**, which {has}: nothing runs there.")
}

/// `has`: "has been decommissioning since 0:30 and leaves by 1:30".
pub fn leaves_with(containers: i64, host: &str, has: &str) -> String {
    let run = if containers == 1 { "runs" } else { "run" };
    format!(
        "**{host}**, where {} of it {run}, {has}: what runs there then is killed.",
        words::count(containers, "container")
    )
}

/// Describes the leaving node that an application's ApplicationMaster runs on.
pub fn master_leaves_with(host: &str, has: &str) -> String {
    format!("**{host}**, where its AM runs, {has}: its attempt ends with the node.")
}

/// Describes an unmanaged AM that has not registered yet.
pub fn am_unmanaged(app: &str) -> String {
    format!("**{app}**'s AM is unmanaged: YARN starts none, and it has still to register.")
}

/// Describes an application between two attempts.
pub fn am_to_come(app: &str) -> String {
    format!("**{app}** has no AM: its attempt has ended, and the next one has not begun.")
}

pub fn app_runs(app: &str, running: i64) -> String {
    format!("**{app}** runs {}; nothing of it waits.", words::count(running, "container"))
}

/// Describes an application that lacks something without having asked YARN for it.
pub fn app_has(app: &str, running: i64) -> String {
    format!("**{app}** runs {}.", words::count(running, "container"))
}

/// YARN's name of the state, with the final status, which says more.
pub fn final_status_failed(state: &str) -> String {
    format!("{state}, final status FAILED")
}

pub fn n_of(n: impl std::fmt::Display, of: impl std::fmt::Display) -> String {
    format!("{n} of {of}")
}

/// Which attempt of an application it is, and how many failures end the application. `window`: older failures do not count.
pub fn attempt(n: u32, most: i32, window: Option<Millis>) -> String {
    match window.filter(|ms| *ms > 0 && most > 1) {
        None => n_of(n, most),
        Some(ms) => format!("{n}; {most} failures within {} end the application", words::span(ms)),
    }
}

/// The states that an application goes through, finer than YARN's.
pub const REJECTED: &str = "FAILED: rejected";
pub const NOT_SUBMITTED: &str = "not submitted yet";
pub const REFUSED_AT_SUBMISSION: &str = "refused at submission";
pub const NOT_ADDED: &str = "ACCEPTED: not added, by an exception of the scheduler";
pub const HELD_BACK: &str = "ACCEPTED: held back by a limit of parallel applications";
pub const HELD_BACK_BEFORE: &str = "ACCEPTED: held back by a limit of parallel applications, which lets it run by now";
pub const ADDED: &str = "ACCEPTED: added, not activated";
pub const ADDED_NO_NODES: &str = "ACCEPTED: added, not activated: the cluster has no nodes";
pub const ACTIVATED: &str = "ACCEPTED: activated, waits for its AM container";
pub const ACTIVATED_UNMANAGED: &str = "RUNNING: activated; its AM is unmanaged and runs elsewhere";
pub const LAUNCHED: &str = "ACCEPTED: AM container launched, not registered yet";
pub const AM_PLACED: &str = "AM container placed, nothing else given yet";
pub const GETS_CONTAINERS: &str = "RUNNING: gets containers";

pub fn state_for(state: &str, span: &str) -> String {
    format!("{state}, for {span}")
}

/// The state of an application, beside its name.
pub fn from_time(at: &str) -> String {
    format!("from {at}")
}

pub const CALL_REFUSED: &str = "call refused";

pub fn done(n: i64) -> String {
    format!("{n} done")
}

pub fn placed_and_done(placed: i64, asked: i64, done: i64) -> String {
    if done > 0 { format!("{placed} of {asked}, {done} done") } else { format!("{placed} of {asked}") }
}

/// The progress of an application that is there when the run begins.
pub fn runs_and_done(placed: i64, done: i64) -> String {
    if done > 0 { format!("{placed} run, {done} done") } else { format!("{placed} run") }
}

// ---- users

pub fn user_uses(user: &str, used: &str, apps: i64) -> String {
    format!("**{user}** uses {used} with {}.", words::count(apps, "application"))
}

/// "limit in root.a, label x"
pub fn figure_in(figure: &str, queue: &str, label: &str) -> String {
    format!("{figure} in {queue}{}", and_label(label))
}

// ---- nodes that do not answer

pub fn silent(state: &str) -> String {
    format!("{state}, silent")
}

pub fn also(what: &str) -> String {
    format!(" {what}.")
}

/// Preempted containers of an application.
pub fn preempted(killed: i64, masters: i64) -> String {
    match masters {
        0 => killed.to_string(),
        1 => format!("{killed}, and its AM"),
        _ => format!("{killed}, and {masters} of its AMs"),
    }
}

/// Work: memory and vcores times time.
pub fn work(mb_s: i64, vcore_s: i64) -> String {
    format!("{mb_s} MB·s, {vcore_s} vcore·s")
}

/// `asked`: the priority that it was submitted with.
pub fn priority_lowered(most: i32, asked: i32) -> String {
    format!("{most}; it asked for {asked}, and yarn.cluster.max-application-priority is {most}")
}

/// Describes an application's priority under a scheduler that gives every application priority 0.
pub fn priority_not_known(asked: i32, scheduler: &str) -> String {
    format!("0; it asked for {asked}, and the {scheduler} knows no priorities of applications")
}

/// `why`: the check that failed, without a full stop.
pub fn last_refused(at: &str, why: &str) -> String {
    format!("The scheduler last refused a node that was proposed for it at {at}: {why}.")
}
