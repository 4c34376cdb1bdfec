//! What an application lacks and YARN is not asked for, whatever its kind: its AM hangs, its containers were preempted and
//! are not asked for again, its processes end again and again.

use crate::explain::names::Names;
use crate::explain::say::wants as say;
use crate::explain::words;
use heddle_core::model::AppId;
use heddle_core::strategy::Master;

/// So often a process has to have ended to be told: once is a mishap.
const AGAIN: usize = 2;

/// A sentence each, the gravest first.
pub fn lacks(names: Names<'_>, app: AppId) -> Vec<String> {
    let Some(run) = names.run(app).filter(|_| names.rm().app(app).is_some_and(|a| !a.state.is_final())) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    if let Some(missed) = run.missed_at() {
        out.push(say::hangs(&words::clock(run.heard_at()), &words::clock(missed)));
    }
    let killed = run.toll.killed;
    if killed > 0 && matches!(run.master, Some(Master::Raw(_))) {
        out.push(say::not_asked_again(killed));
    }
    for (container, retries) in run.relaunched().filter(|(_, retries)| retries.at.len() >= AGAIN) {
        let last = retries.at.last().copied().unwrap_or_default();
        out.push(say::ends_again(&names.container_name(container), retries.at.len() as i64, &words::clock(last)));
    }
    out
}
