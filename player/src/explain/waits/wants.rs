//! What an application wants and lacks that YARN is not asked for, whatever its kind: its AM hangs, its containers were
//! preempted and are not asked for again, Slider or a service holds instances back, Samza is between two requests or has
//! given up. With the outstanding requests ([`super::waiting`]) it is all that waits.

use crate::apps::told_of;
use crate::explain::names::Names;
use crate::explain::say::wants as say;
use crate::explain::waits::away::{Away, How, away};
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::model::{AppId, ContainerId, Millis, RequestKey, Resource};
use heddle_core::scheduler::KeyAsks;
use heddle_core::sim::AppRun;
use heddle_core::strategy::{ApplicationMaster, Master, Raw};

/// Ends of processes that are told, once is a mishap: those of the time in which a node counts its retries.
const RECENT_MS: Millis = 600_000;

/// Something that is wanted and lacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Lack {
    pub app: AppId,
    /// "join 0", "hbase worker", "etl AM".
    pub name: String,
    pub count: i64,
    /// Since when it is wanted.
    pub since: Millis,
    /// Of each; zero where it is not known.
    pub size: Resource,
    /// The check that keeps YARN from being asked for it.
    pub check: Check,
    /// Why, in a sentence.
    pub sentence: String,
}

/// What all applications lack, in the order of their ids.
pub fn all(names: Names<'_>) -> Vec<Lack> {
    let apps = names.rm().apps().iter().filter(|a| !a.state.is_final());
    apps.flat_map(|a| of_app(names, a.id)).collect()
}

/// The node of an application's AM and what is said of it, if it has fallen silent, and its AM with it.
fn silent_node<'n>(names: Names<'n>, run: &AppRun) -> Option<(&'n str, Away)> {
    let am = names.rm().container(run.am?)?;
    let node = names.rm().node(am.node)?;
    let away = away(names, node).filter(|away| away.how == How::Silent)?;
    Some((names.node(am.node), away))
}

/// What an application lacks: what comes to the root of it first.
pub fn of_app(names: Names<'_>, app: AppId) -> Vec<Lack> {
    let Some(run) = names.run(app).filter(|_| names.rm().app(app).is_some_and(|a| !a.state.is_final())) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let name = names.app(app);
    if let Some(missed_at) = run.missed_at() {
        let missed = words::clock(missed_at);
        // An AM that YARN misses has failed; a node that is lost is not its fault.
        let is_last = |more: i32| names.rm().app(app).is_some_and(|a| a.is_over_after(a.failures + more));
        out.push(Lack {
            app,
            name: say::master(name),
            count: 1,
            since: run.heard_at(),
            size: run.am.and_then(|am| names.rm().container(am)).map_or(Resource::ZERO, |c| c.size),
            check: Check::AmCalls,
            sentence: match silent_node(names, run) {
                Some((host, away)) => {
                    // Whichever comes first.
                    let missed = Some(missed.as_str()).filter(|_| away.until.is_none_or(|lost| lost > missed_at));
                    say::master_silent(host, &away.has(), missed, is_last(0))
                }
                None => say::hangs(&words::clock(run.heard_at()), &missed, is_last(1)),
            },
        });
    }
    out.extend(processes(names, app, run));
    match &run.master {
        Some(Master::Raw(raw)) => {
            let (killed, last_ask) = (run.toll.killed, ApplicationMaster::asks(raw).latest());
            // What it asked for after that may be what was lost.
            if let Some((since, last)) = run.toll.killed_at
                && last_ask.is_none_or(|at| at < last)
            {
                let sentence = say::not_asked_again(killed);
                let (count, size) = (killed, Resource::ZERO);
                let check = Check::LossAskedAgain;
                out.push(Lack { app, name: name.to_string(), count, since, size, check, sentence });
            }
            out.extend(without_any(names, app, raw));
        }
        Some(Master::DistributedShell(shell)) => {
            let unsent: Vec<String> = shell.unsent().map(|ask| names.past_request_name(app, ask.key())).collect();
            let unsent: Vec<&str> = unsent.iter().map(String::as_str).collect();
            out.extend(shell.unsent().map(|ask| Lack {
                app,
                name: names.past_request_name(app, ask.key()),
                count: ask.count,
                since: since_asked(names, app, ask.key(), ask.count),
                size: ask.size,
                check: Check::AskDue,
                sentence: say::rejected_and_sent_again(&unsent),
            }));
            let gone = shell.gone();
            let heard = |at: Option<(Millis, Millis)>| at.map(|(first, last)| (first, words::clock(last)));
            let lost = heard(gone.lost_at)
                .map(|(since, at)| (gone.lost, since, say::lost_and_not_asked_again(gone.lost, &at)));
            let killed = heard(gone.preempted_at);
            let killed = killed.map(|(since, _)| (gone.preempted, since, say::not_asked_again(gone.preempted)));
            out.extend(lost.into_iter().chain(killed).map(|(count, since, sentence)| Lack {
                app,
                name: name.to_string(),
                count,
                since,
                size: Resource::ZERO,
                check: Check::LossAskedAgain,
                sentence,
            }));
        }
        Some(_) => out.extend(told_of(names, app).lacks(names, app)),
        None => {}
    }
    out
}

/// What an application asked for on hosts and racks without the row for any place, which is what YARN counts: it never
/// serves them (LocalityAppPlacementAllocator).
fn without_any(names: Names<'_>, app: AppId, master: &Raw) -> Vec<Lack> {
    let Some(asks) = names.rm().scheduled(app).map(|app| &app.asks) else { return Vec::new() };
    let of_key = |key: &KeyAsks| {
        let rows: Vec<_> = key.rows().filter(|(_, row)| row.count > 0).collect();
        // A host counts in its rack too.
        let is_rack = |place| names.rm().cluster().place_name(place).starts_with('/');
        let sum =
            |racks: bool| rows.iter().filter(|(place, _)| is_rack(*place) == racks).map(|(_, row)| row.count).sum();
        let count = i64::max(sum(true), sum(false));
        let size = rows.first()?.1.size;
        let places: Vec<&str> = rows.iter().map(|(place, _)| names.rm().cluster().place_name(*place)).collect();
        let name = names.past_request_name(app, key.key);
        let sentence = say::without_any(names.app(app), count, &places);
        let since = master.rows_since().unwrap_or(names.now);
        // Its AM may have been asked for under the same key.
        let never = key.outstanding() <= 0 && ApplicationMaster::asks(master).since(key.key, 1).is_none();
        never.then_some(Lack { app, name, count, since, size, check: Check::RequestPending, sentence })
    };
    asks.keys().iter().filter_map(of_key).collect()
}

fn since_asked(names: Names<'_>, app: AppId, key: RequestKey, count: i64) -> Millis {
    let master = names.run(app).and_then(|run| run.master.as_ref());
    master.and_then(|m| m.asks().since(key, count)).unwrap_or(names.now)
}

/// Since when a part of an application is wanted that lacks beyond the `before` that YARN is asked for.
pub fn since_wanted(names: Names<'_>, app: AppId, part: u32, before: i64) -> Millis {
    names.run(app).and_then(|run| run.wants.since(part, before).or(run.wants.since(part, 0))).unwrap_or(names.now)
}

/// The processes of an application that end again and again and are started again by their nodes.
fn processes(names: Names<'_>, app: AppId, run: &AppRun) -> Vec<Lack> {
    let lack = |container: ContainerId, ends: &[Millis]| {
        // Ends that are long over are no matter any more.
        let recent = ends.iter().position(|at| names.now - at <= RECENT_MS)?;
        let [since, .., last] = ends.get(recent..)? else { return None };
        let name = names.container_name(container);
        let sentence = say::ends_again(&name, ends.len() as i64, &words::clock(*last));
        let size = names.rm().container(container)?.size;
        Some(Lack { app, name, count: 1, since: *since, size, check: Check::ProcessStays, sentence })
    };
    run.relaunched().filter_map(|(container, retries)| lack(container, &retries.at)).collect()
}

/// The sentences of what an application lacks, each once.
pub fn sentences(names: Names<'_>, app: AppId) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for lack in of_app(names, app) {
        if !out.contains(&lack.sentence) {
            out.push(lack.sentence);
        }
    }
    out
}
