//! What an application wants and lacks without asking YARN for it, whatever its kind: its AM hangs, its containers were
//! preempted and are not requested again, Slider or a service holds instances back, Samza is between two requests or has given
//! up. Together with the outstanding requests ([`super::waiting`]), this is everything that waits.

use crate::apps::told_of;
use crate::explain::names::Names;
use crate::explain::say::wants as say;
use crate::explain::waits::away::{AbsenceKind, NodeAbsence, away};
use crate::explain::words;
use heddle_core::check::Check;
use heddle_core::model::{AppId, ContainerId, Millis, RequestKey, Resource};
use heddle_core::sim::AppRun;

/// How long ends of processes count, since a single one is a mishap: the time in which a node counts its retries.
const RECENT_MS: Millis = 600_000;

/// Something that is wanted and lacking.
#[derive(Clone, Debug, PartialEq)]
pub struct Lack {
    pub app: AppId,
    /// "join 0", "hbase worker", "etl AM".
    pub name: String,
    pub count: i64,
    /// Since when it is wanted.
    pub since: Millis,
    /// The size of each; zero if it is not known.
    pub size: Resource,
    /// The check that keeps the application from asking YARN.
    pub check: Check,
    /// The reason, as a sentence.
    pub sentence: String,
}

/// Returns what all applications lack, in the order of their ids.
pub fn all(names: Names<'_>) -> Vec<Lack> {
    let apps = names.rm().apps().iter().filter(|a| !a.state.is_final());
    apps.flat_map(|a| of_app(names, a.id)).collect()
}

/// Returns the node of an application's AM, and why it takes nothing, if the node is silent and the AM with it.
fn silent_node<'n>(names: Names<'n>, run: &AppRun) -> Option<(&'n str, NodeAbsence)> {
    let am = names.rm().container(run.am?)?;
    let node = names.rm().node(am.node)?;
    let away = away(names, node).filter(|away| away.how == AbsenceKind::Silent)?;
    Some((names.node(am.node), away))
}

/// Returns what an application lacks, the root cause first.
pub fn of_app(names: Names<'_>, app: AppId) -> Vec<Lack> {
    let Some(run) = names.run(app).filter(|_| names.rm().app(app).is_some_and(|a| !a.state.is_final())) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let name = names.app(app);
    if let Some(missed_at) = run.missed_at() {
        let missed = words::clock(missed_at);
        // A missed AM counts as failed; a lost node does not count as the AM's failure.
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
    if run.master.is_some() {
        out.extend(told_of(names, app).lacks(names, app));
    }
    out
}

/// Returns since when an application has asked for this many containers under a key.
pub(crate) fn since_asked(names: Names<'_>, app: AppId, key: RequestKey, count: i64) -> Millis {
    let master = names.run(app).and_then(|run| run.master.as_ref());
    master.and_then(|m| m.asks().since(key, count)).unwrap_or(names.now)
}

/// Returns since when a part of an application is wanted that is lacking beyond the `before` that YARN is asked for.
pub fn since_wanted(names: Names<'_>, app: AppId, part: u32, before: i64) -> Millis {
    names.run(app).and_then(|run| run.wants.since(part, before).or(run.wants.since(part, 0))).unwrap_or(names.now)
}

/// Returns the processes of an application that end again and again and are restarted by their nodes.
fn processes(names: Names<'_>, app: AppId, run: &AppRun) -> Vec<Lack> {
    let lack = |container: ContainerId, ends: &[Millis]| {
        // Older ends do not matter any more.
        let recent = ends.iter().position(|at| names.now - at <= RECENT_MS)?;
        let [since, .., last] = ends.get(recent..)? else { return None };
        let name = names.container_name(container);
        let sentence = say::ends_again(&name, ends.len() as i64, &words::clock(*last));
        let size = names.rm().container(container)?.size;
        Some(Lack { app, name, count: 1, since: *since, size, check: Check::ProcessStays, sentence })
    };
    run.relaunched().filter_map(|(container, retries)| lack(container, &retries.at)).collect()
}

/// Returns the sentences on what an application lacks, each once.
pub fn sentences(names: Names<'_>, app: AppId) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for lack in of_app(names, app) {
        if !out.contains(&lack.sentence) {
            out.push(lack.sentence);
        }
    }
    out
}
