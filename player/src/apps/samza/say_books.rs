//! The sentences in a Samza job's tables: how its containers came to their hosts, what is on disks, the coordinator stream.

use super::say::{amount, place};
use crate::explain::words;
use heddle_core::apps::samza::journal::{AskReason, Wish};

pub const LAW: &str = "Apache Samza";
pub const CONTAINERS: &str = "Containers";
pub const CHANGELOGS: &str = "Changelogs";
pub const DISKS: &str = "Disks: stores that outlive containers";
pub const STREAM: &str = "Coordinator stream";
pub const CONTAINER: &str = "container";
pub const SYSTEM: &str = "system";
pub const HOST: &str = "host";
pub const KEY: &str = "key";
pub const OF_CONTAINERS: [(&str, bool); 9] = [
    ("state", false),
    ("last host", false),
    ("asked for", false),
    ("got", false),
    ("tasks", true),
    ("read", true),
    ("waited", true),
    ("restored in", true),
    ("failures", true),
];
pub const OF_CHANGELOGS: [(&str, bool); 4] =
    [("delivers at most", true), ("delivers now", true), ("containers read", true), ("lag: still to read", true)];
pub const OF_DISKS: [(&str, bool); 3] = [("holds", true), ("offset file", false), ("task is at", false)];
pub const OF_STREAM: [(&str, bool); 2] = [("message", false), ("value", false)];
pub const WAITS: &str = "waits for a container";
pub const LAUNCHED: &str = "launched";
pub const GIVEN_UP: &str = "given up";
pub const NO_OFFSET: &str = "none: of no use to a start";
pub const NOBODY: &str = "nobody's";
pub const ON_DISKS: &str = "stores on its disks";
/// Samza's counters by their meaning.
pub const MATCHED: &str = "requests that were served";
pub const FOR_HOSTS: &str = "requests for a host";
pub const FOR_ANY: &str = "requests for any host";
pub const EXPIRED_HOST: &str = "expired, for a host";
pub const EXPIRED_ANY: &str = "expired, for any host";
pub const MATCH_RATE: &str = "match rate";
pub const STANDBY_FORBIDDEN: &str = "hosts forbidden to replicas";
pub const TO_REPLICA: &str = "failovers to a replica";
pub const TO_ANY: &str = "failovers to any host";
pub const WITH_RACKS: &str = "requests with racks";

/// "join wants 4 containers: 3 process, 1 restores."
pub fn came_to(app: &str, wanted: usize, processing: i64, restoring: i64) -> String {
    let s = |n: i64| if n == 1 { "s" } else { "" };
    let mut parts = vec![format!("{processing} process{}", if processing == 1 { "es" } else { "" })];
    if restoring > 0 {
        parts.push(format!("{restoring} restore{}", s(restoring)));
    }
    let missing = wanted as i64 - processing - restoring;
    if missing > 0 {
        parts.push(format!("{missing} {} not there yet", if missing == 1 { "is" } else { "are" }));
    }
    format!("**{app}** wants {}: {}.", words::count(wanted as i64, "container"), parts.join(", "))
}

/// How many of the containers with a former host got it again.
pub fn match_rate(got: usize, of: usize) -> (String, Vec<String>) {
    let share = words::percent(got as f64 / of.max(1) as f64);
    (
        share,
        vec![format!(
            "{got} of {} with a last host came to it at their latest start",
            words::count(of as i64, "container")
        )],
    )
}

/// "n1, then any host"
pub fn asked_for(first: &Wish, last: &Wish) -> String {
    match first == last {
        true => place(first),
        false => format!("{}, then {}", place(first), place(last)),
    }
}

/// A request for a host that was not satisfied.
pub struct Missed<'a> {
    pub wish: &'a Wish,
    pub at: i64,
    pub age: i64,
    pub timeout: i64,
    /// What the host had free, what was needed and whose containers were there; `None` if nobody looked.
    pub room: Option<FullHost>,
}

/// A host without room.
pub struct FullHost {
    /// The free and the needed amount; `None` if the host was not there.
    pub free: Option<(String, String)>,
    pub fits: bool,
    /// Since when it was silent.
    pub silent: Option<i64>,
    /// "etl task-1 (3 GB)".
    pub holders: Vec<String>,
}

fn clock(at: i64) -> String {
    words::clock(at)
}

/// The first request for a container, and the reason for it.
fn wanted(first: &Wish, why: &AskReason, since: i64, last: Option<&str>) -> String {
    let (wish, since) = (place(first), clock(since));
    match (why, first, last) {
        (AskReason::Start, Wish::Host(_), _) => {
            format!("The coordinator stream had {wish} as its last host: Samza asked for it at {since}.")
        }
        (AskReason::Start, _, None) => {
            format!("The coordinator stream had no last host of it: Samza asked for any at {since}.")
        }
        (AskReason::Start, _, Some(last)) => {
            format!("It was on {last} last, and host affinity is off: Samza asked for any host at {since}.")
        }
        (AskReason::TakenAway(exit), _, last) => {
            let on = last.map_or(String::new(), |last| format!(" on {last}"));
            format!(
                "YARN took it away{on} (exit status {exit}). That is no failure, and Samza asked for {wish} at {since}, not \
                 for its last host."
            )
        }
        (AskReason::Retry, ..) => format!("It failed, and was asked for again on {wish} at {since}."),
        (AskReason::Failover, ..) => format!("It failed over: Samza asked for {wish} at {since}."),
        (AskReason::GaveWay, ..) => {
            format!("It made room for its active container: Samza asked for {wish} at {since}.")
        }
        (AskReason::Placement(_), ..) => format!("A placement message wanted it on {wish} at {since}."),
        (AskReason::BackToSource(_), ..) => {
            format!("Its placement came to nothing: Samza asked for {wish}, where it was, at {since}.")
        }
        _ => format!("Samza asked for {wish} at {since}."),
    }
}

/// Why a container is on its host and not on the former one: which request, what expired when, who took the room.
pub fn course(
    (first, last): (&Wish, &Wish),
    (why, since): (&AskReason, i64),
    last_host: Option<&str>,
    missed: Option<Missed<'_>>,
    (got, launched): (&str, i64),
) -> Vec<String> {
    let mut out = vec![wanted(first, why, since, last_host)];
    if let Some(missed) = missed {
        out.push(format!(
            "That request expired at {}: it was {} old, more than {}.",
            clock(missed.at),
            words::span(missed.age),
            words::span(missed.timeout)
        ));
        out.extend(missed.room.as_ref().map(|room| had_room(&place(missed.wish), room)));
        if last != first {
            out.push(format!("Samza asked for {} then.", place(last)));
        }
    }
    let moved = last_host.is_some_and(|last| last != got);
    let stays = if moved { "moved to" } else { "got" };
    out.push(format!("It {stays} {got} at {}, after {}.", clock(launched), words::span(launched - since)));
    out
}

fn had_room(host: &str, room: &FullHost) -> String {
    let Some((free, needed)) = &room.free else { return format!("{host} was not there then.") };
    if let Some(since) = room.silent {
        return format!("{host} had been silent since {}, and YARN did not know yet that it was gone.", clock(since));
    }
    if room.fits {
        return format!("{host} had {free} free then, enough for {needed}: it was not for want of room.");
    }
    let there = match room.holders.as_slice() {
        [] => String::new(),
        holders => format!(" {} had the room.", words::list(holders, 4)),
    };
    format!("{host} had {free} of {needed} free then.{there}")
}

/// "etl task-1 (3 GB)"
pub fn holder(name: &str, size: &str) -> String {
    format!("{name} ({size})")
}

/// "of 0:12, 3 min old"
pub fn offset_file(written: i64, now: i64) -> String {
    let age = words::span(now - written);
    if written < 0 { format!("{age} old, of an earlier run") } else { format!("of {}, {age} old", clock(written)) }
}

/// "container 2 on n3"
pub fn task_at(processor: &str, host: Option<&str>) -> String {
    match host {
        Some(host) => format!("container {processor} on {host}"),
        None => format!("container {processor}, no host known"),
    }
}

pub fn restoring(for_ms: i64, left: u64) -> String {
    format!("{} so far, {} left", words::span(for_ms), amount(left))
}

/// "12 GB in 8 stores"
pub fn on_disks(bytes: u64, stores: usize) -> String {
    format!("{} in {}", amount(bytes), words::count(stores as i64, "store"))
}

pub fn a_second(bytes: u64) -> String {
    format!("{}/s", amount(bytes))
}

/// "2 of 8", with what the window does.
pub fn failures(count: i32, retries: i32, window: i64) -> (String, Vec<String>) {
    let how = format!(
        "{count} in a row; {retries} are retried (cluster-manager.container.retry.count), and a quiet time of {} begins anew",
        words::span(window)
    );
    (count.to_string(), vec![how])
}

/// The unit of the line.
pub const RATE: &str = "KB/s";

/// The chart line: "changelogs of kafka".
pub fn line(system: &str) -> String {
    format!("changelogs of {system}")
}

/// The chart line of the lag.
pub fn lag_line(system: &str) -> String {
    format!("{}, still to read", line(system))
}
