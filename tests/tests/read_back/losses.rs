//! Sentences about losses of applications: containers that preemption took or is to take, that failed or went with their
//! nodes, or that were killed on nodes that shrank. Compared with the recorded ends, and with the latest round.

use super::form::{bold, bolds, clock, number};
use super::tape::{Ended, Tape};
use heddle_core::model::{AppId, EndCause, Millis, NodeId, PartitionId};
use heddle_core::preemption::PreemptionStep;
use heddle_core::scheduler::{Container, ContainerState};
use heddle_player::explain::Names;

type Read = Result<(), String>;

fn so(it: bool, why: impl FnOnce() -> String) -> Read {
    if it { Ok(()) } else { Err(why()) }
}

/// Returns the applications of a list, and how many more there are.
fn apps(names: Names<'_>, list: &str) -> Result<(Vec<AppId>, i64), String> {
    let (named, more) = bolds(list).ok_or("no list")?;
    let all: Option<Vec<AppId>> = named.iter().map(|name| names.find_app(name)).collect();
    Ok((all.ok_or("no such application")?, more))
}

/// Checks that preemption killed so many containers of these applications from one moment to another, without their AMs.
pub fn has_taken(names: Names<'_>, tape: &Tape, [n, who, from, to]: [&str; 4]) -> Read {
    let (apps, more) = apps(names, who)?;
    let mine = |e: &&Ended| e.why == EndCause::Preempted && !e.am && apps.contains(&e.app);
    let ends: Vec<&Ended> = tape.ended.iter().filter(mine).collect();
    let (first, last) = (ends.first().map(|e| e.at), ends.last().map(|e| e.at));
    // If some applications are not named, there are more.
    let told = number(n).unwrap_or(0);
    let all = if more == 0 { told == ends.len() as i64 } else { told > ends.len() as i64 };
    so(all && (more > 0 || first == clock(from) && last == clock(to)), || {
        format!("{} were taken from {first:?} to {last:?}", ends.len())
    })
}

/// Returns the live marked containers of these applications, with the times of their kills.
fn marked<'a>(names: Names<'a>, apps: &[AppId]) -> Vec<(&'a Container, Option<Millis>)> {
    let rm = names.rm();
    let live = apps.iter().flat_map(|app| rm.containers_of(*app));
    let live = live.filter(|c| !matches!(c.state, ContainerState::Over | ContainerState::Reserved));
    let round = names.sim.latest_preemption();
    let ends = |c: &Container| match rm.fair() {
        Some(_) => rm.killed_at(c.id),
        None => {
            let mut acts = round.into_iter().flat_map(|round| &round.acts);
            acts.find(|act| act.container == c.id && !matches!(act.deed, PreemptionStep::Kill | PreemptionStep::Void))?
                .killed_at
        }
    };
    live.filter_map(|c| Some((c, Some(ends(c)?)))).collect()
}

/// Checks that so many containers of these applications are marked, and end "at 3:03" or "from 3:03 to 3:18".
pub fn is_to_take(names: Names<'_>, [n, who, when]: [&str; 3]) -> Read {
    let (apps, more) = apps(names, who)?;
    let all = marked(names, &apps);
    so(more > 0 || number(n) == Some(all.len() as i64), || format!("{} are marked", all.len()))?;
    let (first, last) = (all.iter().filter_map(|m| m.1).min(), all.iter().filter_map(|m| m.1).max());
    let times: Vec<Millis> = when.split(' ').filter_map(clock).collect();
    let is = |at: Option<Millis>| at.is_some_and(|at| times.contains(&at));
    so(more > 0 || is(first) && is(last), || format!("they end from {first:?} to {last:?}"))?;
    let lazy = names.rm().capacity().is_some_and(|s| s.conf().lazy_preemption);
    let fair = names.rm().fair().is_some();
    so(when.contains("killable") == lazy && when.contains("still chosen") != fair, || when.to_string())
}

/// Checks that so many containers of these applications are killable.
pub fn are_killable(names: Names<'_>, [n, who]: [&str; 2]) -> Read {
    let (apps, more) = apps(names, who)?;
    let killable = names.rm().capacity().into_iter().flat_map(|s| s.preemption().killable());
    let live = killable.filter_map(|id| names.rm().container(id)).filter(|c| c.state != ContainerState::Over);
    let count = live.filter(|c| apps.contains(&c.id.app)).count() as i64;
    so(more > 0 || number(n) == Some(count), || format!("{count} are killable"))
}

/// Checks that preemption killed the last AMs of these applications then, and that they have none.
pub fn has_taken_masters(names: Names<'_>, tape: &Tape, [who, from, to]: [&str; 3]) -> Read {
    let (apps, more) = apps(names, who)?;
    let mut times: Vec<Option<Millis>> = Vec::new();
    for id in apps {
        let its = tape.ended.iter().rev().find(|e| e.app == id && e.am && e.why == EndCause::Preempted);
        let has = names.rm().containers_of(id).any(|c| c.am && c.state != ContainerState::Reserved);
        so(its.is_some() && !has, || format!("{its:?}, it has an AM: {has}"))?;
        times.push(its.map(|e| e.at));
    }
    let (first, last) = (times.iter().min().copied().flatten(), times.iter().max().copied().flatten());
    so(more > 0 || first == clock(from) && last == clock(to), || format!("from {first:?} to {last:?}"))
}

/// Checks that an application lost so many containers since it last got one, the last on this node then.
pub fn has_lost(names: Names<'_>, tape: &Tape, [n, app, how, host, at]: [&str; 5]) -> Read {
    let id = bold(app).and_then(|name| names.find_app(name)).ok_or("no such application")?;
    let since = tape.given.iter().rev().find(|g| g.app == id).map_or(Millis::MIN, |g| g.at);
    let counts = |e: &&Ended| {
        let by = match e.why {
            EndCause::Completed => ![0, -100, -102, -105, -106].contains(&e.exit_code) && how == "failed",
            EndCause::LostNode => how == "lost",
            EndCause::Vanished(_) => how == "lists",
            EndCause::Expired => how == "launched",
            EndCause::Released | EndCause::AppOver | EndCause::Preempted | EndCause::Overcommit => false,
        };
        by && e.app == id && !e.am && e.at >= since
    };
    let ends: Vec<&Ended> = tape.ended.iter().filter(counts).collect();
    let last = ends.last().ok_or("it lost none")?;
    so(bold(host) == Some(names.node(last.node)) && clock(at) == Some(last.at), || format!("the last was {last:?}"))?;
    // Containers that ended at the very moment of the allocation may have ended before it.
    let sure = ends.iter().filter(|e| e.at > since).count() as i64;
    so(number(n).is_some_and(|n| (sure..=ends.len() as i64).contains(&n)), || format!("it lost {}", ends.len()))
}

/// Checks that so many containers of an application ended with its AM, which was on that node, when its next attempt began.
pub fn with_its_master(names: Names<'_>, tape: &Tape, [app, n, host, at]: [&str; 4]) -> Read {
    let id = bold(app).and_then(|name| names.find_app(name)).ok_or("no such application")?;
    let at = clock(at).ok_or("no time")?;
    let mine = || tape.ended.iter().filter(|e| e.app == id && e.at <= at);
    let master = mine().rfind(|e| e.am).ok_or("it lost no AM")?;
    let on_its_node = |why| why == EndCause::LostNode;
    let went = |e: &&Ended| match e.why {
        EndCause::AppOver => e.at >= master.at,
        why => on_its_node(why) && (e.at, e.node) == (master.at, master.node),
    };
    let with_it = mine().filter(|e| !e.am).filter(went).count() as i64;
    so(bold(host) == Some(names.node(master.node)) && number(n) == Some(with_it), || {
        format!("{with_it} went with {master:?}")
    })
}

/// Checks that this application was moved then into a queue that exceeds its maximum.
pub fn moved_beyond_maximum(names: Names<'_>, tape: &Tape, [app, queue, at]: [&str; 3]) -> Read {
    let rm = names.rm();
    let id = bold(app).and_then(|name| names.find_app(name)).ok_or("no such application")?;
    let queue = rm.queue(queue).ok_or("no such queue")?;
    let part = rm.queues().get(queue.index()).ok_or("no such queue")?.part(PartitionId::DEFAULT);
    let beyond = !rm.cluster().calculator.fits_in(&part.used, &part.shares.effective_max);
    let came = tape.moved.iter().any(|(when, app, to)| (Some(*when), *app, *to) == (clock(at), id, queue));
    so(beyond && came, || format!("beyond its maximum: {beyond}, moved: {came}"))
}

/// Checks that this application got a container on that node then.
pub fn was_given(names: Names<'_>, tape: &Tape, [app, host, at]: [&str; 3]) -> Read {
    let id = bold(app).and_then(|name| names.find_app(name)).ok_or("no such application")?;
    let on = |node: NodeId| bold(host) == Some(names.node(node));
    so(clock(at).is_some_and(|at| tape.gave(at, id, on)), || format!("{app} was given nothing on {host} at {at}"))
}

/// Checks that so many containers of this application, or on this node, were killed since their node shrank.
pub fn by_smaller_nodes(
    names: Names<'_>,
    tape: &Tape,
    n: &str,
    (app, host): (Option<&str>, &str),
    [from, to]: [&str; 2],
) -> Read {
    let mine = |e: &&Ended| {
        let of_app = app.is_none_or(|app| bold(app) == Some(names.app(e.app)));
        e.why == EndCause::Overcommit && of_app && names.node(e.node) == host
    };
    let (Some(from), Some(to)) = (clock(from), clock(to)) else { return Err("no time".into()) };
    let ends: Vec<&Ended> = tape.ended.iter().filter(mine).filter(|e| (from..=to).contains(&e.at)).collect();
    let (first, last) = (ends.first().map(|e| e.at), ends.last().map(|e| e.at));
    // Those that were killed as soon as they were placed are counted separately.
    so(number(n) <= Some(ends.len() as i64) && first == Some(from) && last == Some(to), || {
        format!("{} from {first:?} to {last:?}", ends.len())
    })
}
