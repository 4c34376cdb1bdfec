//! Samza's decisions with their reasons, and what its containers restored: a sentence for each entry of its journal.

use crate::explain::say::events::Tone;
use crate::explain::words;
use heddle_core::apps::samza::journal::{
    AfterFailure, AskReason, Buffer, Clash, Decision, Ended, Failed, FailoverTo, Fallback, Hit, NoModel, Reads,
    ReleaseReason, SamzaException, Status, StopReason, StoreRead, Unfit, Wish,
};
use heddle_core::apps::samza::scenario::SamzaHappening;
use heddle_core::journal::SamzaAct;
use heddle_core::model::ContainerId;
use heddle_core::scenario::units;

/// What somebody does to a job, in words.
pub fn happening(act: &SamzaHappening) -> String {
    match act {
        SamzaHappening::PlaceProcessor { app, message } => {
            format!("container {} of {app} is placed", message.processor)
        }
        SamzaHappening::FinishProcessor { app, processor, .. } => format!("container {processor} of {app} ends"),
        SamzaHappening::WriteStream { app, .. } => format!("the coordinator stream of {app} is changed"),
        SamzaHappening::ClearDisks(node) => format!("the disks of {node} are cleared"),
    }
}

/// Returns the decision's tone, verb and reason; `None` if another entry covers it.
pub fn decided(act: &SamzaAct, container: &dyn Fn(ContainerId) -> String) -> Option<(Tone, &'static str, String)> {
    let who = act.processor.as_deref().map_or("a container".to_string(), |p| format!("container {p}"));
    let (tone, verb, why) = match &act.decision {
        Decision::Asked { wish, due, why, .. } => (Tone::Waits, "asks", asked(&who, wish, *due, why, container)),
        Decision::Sent { .. } => {
            (Tone::Waits, "asks", "The delay of a last retry is over: its request is sent.".into())
        }
        Decision::Buffered { host, buffer: Buffer::NotAsked, .. } => {
            let why = format!("Nobody asks for {host}: it is kept for whoever wants any host.");
            (Tone::Waits, "spare", why)
        }
        Decision::Buffered { host, buffer: Buffer::MoreThanAsked { asked, held }, .. } => {
            let why = format!(
                "{} asked for on {host}, {held} there already: it is kept for whoever wants any host.",
                words::count(*asked, "container")
            );
            (Tone::Waits, "spare", why)
        }
        // The launch covers the others; WHY covers those that only repeat that nothing changes.
        Decision::Buffered { .. }
        | Decision::Waits { .. }
        | Decision::WaitsForStop { .. }
        | Decision::Unread { .. }
        | Decision::Started { .. } => return None,
        Decision::Launched { host, how, .. } => {
            let why = match how {
                Hit::Wanted => format!("{who} has the host that it asked for, {host}."),
                Hit::Any => format!("{who} asked for any host."),
                Hit::Spare => format!("The request of {who} had expired: it takes what was spare, on {host}."),
            };
            (Tone::Placed, "launched", why)
        }
        Decision::Expired { wish, age, timeout, then, .. } => {
            (Tone::Bad, "expires", expired(&who, wish, &words::span(*age), &words::span(*timeout), *then))
        }
        Decision::Forbidden { host, by, at, clash, .. } => {
            let same = if *clash == Clash::Host { "the same host" } else { "the same rack" };
            let why = format!("{who} may not run on {host}: {by} is on {at}, {same}.");
            (Tone::Waits, "forbids a host", why)
        }
        Decision::Released { why, .. } => (Tone::Over, "given back", released(*why)),
        Decision::Stopping { why, .. } => (Tone::Over, "told to stop", stopping(&who, why)),
        Decision::Ended { how: Ended::NotRunning, .. } => return None,
        Decision::Ended { exit, how, .. } => (Tone::Over, "hears of the end", ended(&who, *exit, *how)),
        Decision::Failover { to, .. } => (Tone::Joins, "fails over", failover(&who, to)),
        Decision::Answered { status, text, .. } => {
            let tone = if matches!(status, Status::Failed | Status::BadRequest) { Tone::Bad } else { Tone::Joins };
            (tone, "answers a placement message", format!("{}: {text}.", status.name()))
        }
        Decision::NotOurs { .. } => {
            let why = "A placement message names another deployment: it is deleted without a word.";
            (Tone::Over, "deletes a message", why.to_string())
        }
        Decision::NoModel(why) => (Tone::Bad, "cannot start", no_model(why)),
        Decision::TooLarge => {
            let why = "Its containers are larger than any that YARN gives: the job fails.";
            (Tone::Bad, "cannot run", why.to_string())
        }
        Decision::TasksChanged { before, now } => {
            let why = format!(
                "{} instead of {before}: the stored assignment is dropped, and keys may go to tasks that do not have \
                 their state.",
                words::count(*now as i64, "task")
            );
            (Tone::Bad, "finds other tasks", why)
        }
        Decision::Threw { fault, fatal } => {
            let end = if *fatal { " The ApplicationMaster ends of it." } else { "" };
            (Tone::Bad, "throws an exception", format!("{}{end}", threw(fault)))
        }
        Decision::Up { host, recorded, reads, .. } => (Tone::Joins, "comes up", up(host, *recorded, reads)),
        Decision::Restored { bytes, took, .. } => {
            let why = match bytes {
                0 => format!("{who} had nothing to read, and processes at once."),
                _ => format!("{who} has read {} in {}, and processes.", amount(*bytes), words::span(*took)),
            };
            (Tone::Placed, "processes", why)
        }
        Decision::CleanedUp { host, store, task, age } => {
            (Tone::Over, "cleaned up", cleaned_up(host, store, task, *age))
        }
    };
    // A sentence may begin with its container.
    let begins = ["container ", "a container "].iter().any(|start| why.starts_with(start));
    let first = why.chars().next().filter(|_| begins);
    Some((tone, verb, first.map_or(why.clone(), |first| first.to_uppercase().to_string() + &why[1..])))
}

/// Bytes as a scenario has them.
pub fn amount(bytes: u64) -> String {
    let kb = bytes >> 10;
    match bytes {
        0..1024 => format!("{bytes} B"),
        _ if bytes < 1 << 20 => format!("{kb} KB"),
        _ => units::memory_text(i64::try_from(bytes >> 20).unwrap_or(i64::MAX)),
    }
}

pub fn place(wish: &Wish) -> String {
    match wish {
        Wish::AnyHost => "any host".into(),
        Wish::Host(host) => host.clone(),
        Wish::Unknown => "a host that nobody knows".into(),
    }
}

fn asked(
    who: &str,
    wish: &Wish,
    due: Option<i64>,
    why: &AskReason,
    container: &dyn Fn(ContainerId) -> String,
) -> String {
    let place = place(wish);
    let when = due.map_or(String::new(), |at| format!(" The request is sent after {}.", words::clock(at)));
    let why = match (why, wish) {
        (AskReason::Start, Wish::Host(_)) => format!("{who} was on {place} last: Samza asks for that host."),
        (AskReason::Start, _) => format!("No host of {who} is written down, or none counts: any will do."),
        (AskReason::TakenAway(exit), _) => {
            format!("YARN took {who} away (exit status {exit}), which is no failure: Samza asks for {place}.")
        }
        (AskReason::Retry, _) => format!("{who} failed: a retry on {place}."),
        (AskReason::Expired(_), _) => {
            format!("The request of {who} expired and nothing was spare: {place} from now on.")
        }
        (AskReason::TooOld(_), _) => {
            format!("The container that was granted for {who} was too old to be launched: {place} is asked for anew.")
        }
        (AskReason::LaunchFailed(id), _) => {
            format!("The start of {} failed: {who} asks for {place}.", container(*id))
        }
        (AskReason::Failover, _) => format!("{who} goes where a replica has its state: {place}."),
        (AskReason::GaveWay, _) => {
            format!("{who} has made room for its active container, and goes elsewhere: {place}.")
        }
        (AskReason::Forbidden(_), _) => format!("The host that was granted is forbidden for {who}: {place}."),
        (AskReason::Placement(_), _) => {
            format!("A placement message wants {who} on {place}: a container is reserved before the old one stops.")
        }
        (AskReason::BackToSource(_), _) => format!("The placement of {who} came to nothing: back to {place}."),
    };
    format!("{why}{when}")
}

fn expired(who: &str, wish: &Wish, age: &str, timeout: &str, then: Fallback) -> String {
    let place = place(wish);
    let then = match then {
        Fallback::Nothing => "Host affinity is off: it goes on waiting.",
        Fallback::Spare(_) => "A spare container is taken.",
        Fallback::AnyHost if *wish == Wish::AnyHost => "It is withdrawn and made anew, and loses its place in YARN.",
        Fallback::AnyHost => "It is withdrawn, and any host asked for.",
        Fallback::Failover => "It is withdrawn, and a replica's host looked for.",
        Fallback::Trusts => "YARN is trusted to go elsewhere.",
        Fallback::ActionFailed(_) => "The placement action has failed; what runs stays as it is.",
    };
    format!("{who} has waited for {place} for {age}, more than {timeout}. {then}")
}

fn released(why: ReleaseReason) -> String {
    match why {
        ReleaseReason::Spare => "Nothing is asked for any more, so what is unused goes back.".into(),
        ReleaseReason::TooOld { age } => {
            format!("It was granted {} ago: YARN may take it back at any moment.", words::span(age))
        }
        ReleaseReason::Forbidden => "A replica of the same tasks is too near its host.".into(),
        ReleaseReason::LaunchFailed => "It could not be started.".into(),
    }
}

fn stopping(who: &str, why: &StopReason) -> String {
    match why {
        StopReason::JobChanged => format!("{who} is of an earlier attempt, and the job has changed."),
        StopReason::GivesWay(active) => format!("{who} makes room for {active}, whose state it has."),
        StopReason::Moves(_) => format!("{who} is moved: its new container is reserved."),
        StopReason::Restart(_) => format!("A placement message restarts {who}; it counts as a failure."),
    }
}

fn ended(who: &str, exit: i32, how: Ended) -> String {
    match how {
        Ended::NotRunning => String::new(),
        Ended::Done { completed, of } => format!("{who} is done: {completed} of {of}."),
        Ended::TakenAway => {
            format!("{who}: exit status {exit}, preempted, lost or released: no failure.")
        }
        Ended::Failed(failed) => format!("{who}: exit status {exit}, a failure. {}", after(failed)),
    }
}

fn after(failed: Failed) -> String {
    let Failed { count, of, gap, window, anew, then } = failed;
    let n = match (of, anew) {
        (..0, _) => "Retries have no limit.".to_string(),
        (0, _) => "Retries are switched off.".to_string(),
        (_, true) => {
            format!(
                "The last retry was {} ago, not within {}: the count begins anew.",
                words::span(gap),
                words::span(window)
            )
        }
        (1, _) => format!("Failure {count} in a row; 1 is retried."),
        _ => format!("Failure {count} in a row; {of} are retried."),
    };
    let then = match then {
        AfterFailure::Retry { delay: 0 } => "It is retried at once.".to_string(),
        AfterFailure::Retry { delay } => format!("The last retry on its host waits for {}.", words::span(delay)),
        // The process leaves without a final status; YARN counts a failed attempt.
        AfterFailure::JobFails if of == 0 => "The ApplicationMaster ends, and does not say how.".to_string(),
        AfterFailure::JobFails => "The job fails.".to_string(),
        AfterFailure::GoesOn => "The job goes on without it.".to_string(),
    };
    format!("{n} {then}")
}

fn failover(who: &str, to: &FailoverTo) -> String {
    match to {
        FailoverTo::Running { standby, host } => {
            format!("{who} takes the place of {standby} on {host}, which is stopped first.")
        }
        FailoverTo::LastHost(host) => format!("{who} goes to {host}, where a replica was last."),
        FailoverTo::AnyHost => format!("No host of a replica is left for {who}: any host."),
    }
}

fn no_model(why: &NoModel) -> String {
    match why {
        NoModel::Refused(key) => format!("The job does not start with its value of {key}."),
        NoModel::NoPartitions => "All partitions are to go to single tasks, and there are no partitions.".into(),
        NoModel::NoTasks => "The input streams have no partitions: no tasks.".into(),
        NoModel::NoContainers => "No containers are wanted.".into(),
        NoModel::TooFewTasks { tasks, containers } => {
            format!("{} for {containers} containers: each needs one.", words::count(*tasks as i64, "task"))
        }
        NoModel::NotMultiple { stream, before, now } => {
            format!("{stream} has {now} partitions and had {before}: it has to be a multiple.")
        }
        NoModel::TaskGone { task, partition } => {
            format!("{partition} has to stay with {task}, which is not there any more.")
        }
        NoModel::UnknownTask { task } => format!("The stored assignment names {task}, which is not there any more."),
    }
}

fn threw(fault: &SamzaException) -> String {
    match fault {
        SamzaException::Unknown(id) => format!("The job has no container {id}."),
        SamzaException::NothingToStop(id) => format!("Container {id} is to stop and does not run."),
        SamzaException::StopFailed(id) => {
            format!("Container {id} could not be stopped, for which nothing is foreseen.")
        }
        SamzaException::Replicas(host) => {
            format!("Several replicas of one container ran on {host}: all were told to stop.")
        }
        SamzaException::NoContainer(_) => "No container is there for a request that is to be launched.".into(),
    }
}

fn up(host: &str, recorded: bool, reads: &[StoreRead]) -> String {
    let written = if recorded { format!("Its last host is {host} from now on. ") } else { String::new() };
    let bytes: u64 = reads.iter().map(|r| r.reads.bytes()).sum();
    if reads.is_empty() {
        return format!("{written}It has no stores.");
    }
    let sum = |of: &dyn Fn(&Reads) -> bool| {
        let mine: Vec<u64> = reads.iter().filter(|r| of(&r.reads)).map(|r| r.reads.bytes()).collect();
        (mine.len() as i64, mine.iter().sum::<u64>())
    };
    let mut parts = Vec::new();
    let mut part = |(n, bytes): (i64, u64), what: &str| {
        if n > 0 {
            parts.push(format!("{} {what} ({})", words::count(n, "store"), amount(bytes)));
        }
    };
    part(sum(&|r| matches!(r, Reads::Delta(0))), "up to date here");
    part(sum(&|r| matches!(r, Reads::Delta(1..))), "here without what came since");
    part(sum(&|r| matches!(r, Reads::NoCopy(_))), "without a copy here");
    part(sum(&|r| matches!(r, Reads::Unfit(_, Unfit::Stale { .. }))), "too old, deleted");
    part(sum(&|r| matches!(r, Reads::Unfit(_, Unfit::NoOffset))), "never committed here, deleted");
    part(sum(&|r| matches!(r, Reads::Unfit(_, Unfit::Clean))), "thrown away at each start");
    part(sum(&|r| matches!(r, Reads::Unfit(_, Unfit::NotKept))), "not kept on disk");
    part(sum(&|r| matches!(r, Reads::NoCheckpoints(_))), "anew, for there are no checkpoints");
    format!("{written}{} to read: {}.", amount(bytes), parts.join(", "))
}

/// The clean-up of orphaned stores deletes first the offset file and in the next round the directory.
fn cleaned_up(host: &str, store: &str, task: &str, age: Option<i64>) -> String {
    let whose = format!("{store} of {task} on {host} is not used there");
    match age {
        Some(age) => format!(
            "{whose}, and its offset file is {} old: the file is deleted, the store with the next round.",
            words::span(age)
        ),
        None => format!("{whose}, and has no offset file: the store is deleted."),
    }
}

// ---- what waits

pub const PROCESSOR: &str = "runs";
pub const STATE: &str = "state of its stores";
pub const READS: &str = "reads at its start";
pub const STARTING: &str = "its process is on its way";
/// How a restore's time is computed.
pub const ASSUMED: [&str; 2] = [
    "An assumption: Samza has no such figure.",
    "All restores share what the changelog's system delivers, evenly, each up to its own limit.",
];

/// "container 0 waits"
pub fn outstanding(processor: &str) -> String {
    format!("container {processor} waits")
}

pub fn waits_for(processor: &str, wish: &Wish, since: i64, expires: Option<i64>, affinity: bool) -> String {
    let (place, since) = (place(wish), words::clock(since));
    let then = match (wish, expires) {
        (_, None) => String::new(),
        (_, Some(_)) if !affinity => String::new(),
        (Wish::AnyHost, Some(at)) => format!(", and asks anew at {}", words::clock(at)),
        (_, Some(at)) => format!(", and goes elsewhere if it is not there by {}", words::clock(at)),
    };
    format!("Samza has asked for container {processor} on {place} since {since}{then}.")
}

/// A container is allocated for it, but the head of the queue must be served first.
pub fn waits_behind(processor: &str, wish: &Wish, head: &str, host: &str) -> String {
    let place = place(wish);
    format!(
        "A container on {host} is there for container {processor}, which asked for {place}; Samza serves only the head of \
         its queue, container {head}."
    )
}

/// A container is allocated for it, and its request is served next.
pub fn starts_next(processor: &str, host: &str) -> String {
    format!("A container on {host} is there for container {processor}; Samza starts it there with its next look.")
}

/// Containers that Samza released because YARN does not know where a replica may not be.
pub fn forbidden(n: usize, host: &str, racks: bool) -> String {
    let (what, were) = (words::count(n as i64, "container"), if n == 1 { "was" } else { "were" });
    let what = if n == 1 { what } else { format!("{what}, the last one on {host},") };
    let on = if n == 1 { format!(" on {host}") } else { String::new() };
    let place = if racks { "host or rack" } else { "host" };
    format!("{what}{on} {were} given back: a copy of the same state is on that {place}, which YARN is not told.")
}

/// No other host has room for a container that may not go to its copies' hosts; `has` is what each other node has.
pub fn no_other_host(forbidden: &[&str], others: &[String]) -> String {
    let forbidden = words::list(forbidden, 3);
    match others {
        [] => format!("There is no host but {forbidden}."),
        others => format!("No host but {forbidden} has room for it: {}.", words::list(others, 4)),
    }
}

/// A container that the job continues without; `retries` were made, and it has `tasks` tasks.
pub fn given_up(processor: &str, exit: i32, retries: i32, tasks: usize) -> String {
    let retried = match retries {
        ..=0 => "it is not retried".to_string(),
        n => format!("its {} used up", if n == 1 { "retry is".to_string() } else { format!("{n} retries are") }),
    };
    let lost = match (processor.contains('-'), tasks) {
        (true, _) => "that copy of the state is not kept".to_string(),
        (false, 1) => "nobody processes its task".to_string(),
        (false, n) => format!("nobody processes its {}", words::count(n as i64, "task")),
    };
    format!(
        "Container {processor} is given up: it ended with exit status {exit}, {retried} (cluster-manager.container.retry.count), and \
         the job goes on without it (fail.job.after.retries is false): {lost}."
    )
}

/// A container that does not run and is not requested now.
pub fn not_asked(processor: &str) -> String {
    format!("Container {processor} does not run, and Samza asks for nothing for it now.")
}

pub fn delayed(processor: &str, wish: &Wish, at: i64) -> String {
    format!("The last retry of container {processor} on {} is asked for after {}.", place(wish), words::clock(at))
}

pub fn restores(processor: &str, host: &str, left: u64, of: u64, since: i64) -> String {
    format!(
        "Container {processor} restores its state on {host} for {}: {} of {} are still to be read.",
        words::span(since),
        amount(left),
        amount(of)
    )
}

pub fn restoring_for(since: i64, left: u64) -> String {
    format!("restoring for {}, {} left", words::span(since), amount(left))
}

pub fn processing_since(since: i64) -> String {
    format!("complete: it processes since {}", words::clock(since))
}

// ---- the tables

pub const COUNTERS: &str = "requests that Samza counts as placed where they asked";
pub const READ_SO_FAR: &str = "read at starts so far";

pub fn container_named(processor: &str) -> String {
    format!("container {processor}")
}

/// "on n3: complete, …; last on n1, asked for on n1; 4 tasks"
pub fn container(last: Option<&str>, asked: Option<&Wish>, here: Option<(&str, String)>, tasks: usize) -> String {
    let mut parts = vec![match here {
        Some((host, phase)) => format!("on {host}, {phase}"),
        None => "nowhere".to_string(),
    }];
    parts.push(last.map_or("no last host".to_string(), |host| format!("last host {host}")));
    parts.extend(asked.map(|wish| format!("asked for on {}", place(wish))));
    parts.push(words::count(tasks as i64, "task"));
    parts.join("; ")
}

/// Addition for a host that is not known to be lost.
pub fn silent(since: &str) -> String {
    format!("which has been silent since {since}: YARN and Samza count it as running")
}

/// Counts of requests: matched, for hosts, for any host, and the expired ones of both.
pub fn counters((matched, preferred, any, expired, expired_any): (i64, i64, i64, i64, i64)) -> String {
    format!(
        "{matched} of {} ({preferred} for a host, which expired {}; {any} for any host, which expired {})",
        preferred + any,
        words::count(expired, "time"),
        words::count(expired_any, "time")
    )
}

pub fn changelog(system: &str) -> String {
    format!("changelogs of {system} deliver")
}

pub fn load(now: u64, of: u64) -> String {
    format!("{} a second, of {}", amount(now), amount(of))
}

/// The job's own state is inconsistent.
pub fn shares(app: &str) -> String {
    format!("A task of {app}, or its state on a disk, belongs to two containers, or one of its containers to no task.")
}
