//! Writes a scenario as a trace: all calls to its ResourceManager, one step each, with Heddle's decisions. The real classes
//! play it (`cargo xtask prove`, `tests/oracle/hadoop/README.md`, "Calls"), and their decisions are compared step by step.
//!
//! [`calls`] writes the steps, and [`decided`] the decisions; [`trace`] plays the scenario and combines them; [`compare`]
//! compares the trace with the answer of the real classes.

mod calls;
mod compare;
mod decided;

use crate::trace::settings::ASYNCHRONOUS;
use crate::trace::texts;
use calls::Writer;
pub use compare::{Compared, StepDifference, compare};
use decided::ReservationStates;
use heddle_core::api::Call;
use heddle_core::journal::{Change, Entry, Fingerprinted, Recorder};
use heddle_core::model::{AppId, Millis};
use heddle_core::rm::{Properties, Refusal, RmSettings};
use heddle_core::scenario::Scenario;
use heddle_core::sim::{Simulation, Tried, TriedOutcome};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Records calls, and the changes that they cause.
#[derive(Default)]
struct Tape {
    told: Vec<RecordedCall>,
}

/// A call with its changes.
struct RecordedCall {
    at: Millis,
    call: Call,
    changes: Vec<Change>,
}

impl Recorder for Tape {
    fn on(&self) -> bool {
        true
    }

    fn details(&self) -> bool {
        false
    }

    fn hears_calls(&self) -> bool {
        true
    }

    fn called(&mut self, at: Millis, call: Call) {
        self.told.push(RecordedCall { at, call, changes: Vec::new() });
    }

    fn keep(&mut self, _at: Millis, entry: Entry) {
        match entry {
            Entry::Changed(change) => {
                if let Some(told) = self.told.last_mut() {
                    told.changes.push(change);
                }
            }
            Entry::Found(_) | Entry::Processed(_) | Entry::Acted(_) => {}
        }
    }
}

/// Returns the trace of a scenario, played to its end: `id`, `given` with the steps, and `expect` with Heddle's decisions
/// in each. Errors: the ResourceManager refuses the settings.
pub fn trace(id: &str, scenario: &Arc<Scenario>) -> Result<Value, Refusal> {
    trace_with_fingerprint(id, scenario).map(|(trace, _)| trace)
}

/// Returns [`trace`], and the fingerprint of the run.
pub fn trace_with_fingerprint(id: &str, scenario: &Arc<Scenario>) -> Result<(Value, u64), Refusal> {
    let mut sim = Simulation::new(scenario.clone())?;
    let mut tape = Fingerprinted::new(Tape::default());
    let mut writer = Writer::new(scenario.settings.capacity_scheduler.clone());
    let (mut books, mut steps, mut outcomes) = (ReservationStates::default(), Vec::new(), Vec::new());
    loop {
        let noticed = sim.notices().len();
        if sim.step(&mut tape).is_none() {
            break;
        }
        let mut made = Vec::new();
        for told in std::mem::take(&mut tape.inner.told) {
            if let Call::FairUpdate { left_out: Some(at) } = told.call
                && let Some(place) = place_of_update(&steps, at)
            {
                steps.insert(place, json!({ "at": at, "op": "update" }));
                outcomes.insert(place, Map::new());
            }
            steps.push(writer.step(&told, &sim));
            outcomes.push(books.decided(&told, &writer, &sim));
            made.push((outcomes.len() - 1, told.call));
        }
        if let [(place, Call::Preempt)] = made[..]
            && sim.latest_preemption().is_some_and(|round| round.failed.is_some())
        {
            outcomes[place].insert("round_failed".into(), json!(true));
        }
        refusals(&sim, noticed, &made, &mut outcomes);
        headroom(&sim, &made, &mut outcomes);
    }
    let mut given = given(&scenario.settings);
    given["steps"] = steps.into();
    let outcomes: Vec<Value> = outcomes.into_iter().map(Value::Object).collect();
    Ok((json!({ "id": id, "given": given, "expect": { "steps": outcomes } }), tape.value()))
}

/// Steps that follow an update of the same moment in the canonical order.
const AFTER_UPDATES: [&str; 9] = [
    "kills",
    "heartbeat",
    "continuous_pass",
    "check_queues",
    "refresh",
    "lifetime",
    "expire_am",
    "expire_container",
    "poll_decommissioning",
];

/// Returns the place of an update that was skipped because it could change nothing: the real scheduler performs it, before
/// the kills and heartbeats of its moment. `None`: there was an update at that moment, or the run had not begun.
fn place_of_update(steps: &[Value], at: Millis) -> Option<usize> {
    let then = |step: &Value| step["at"].as_i64().unwrap_or(0);
    let mut of_the_moment = steps.iter().rev().skip_while(|s| then(s) > at).take_while(|s| then(s) == at);
    if at < 0 || of_the_moment.any(|s| s["op"] == "update") {
        return None;
    }
    let before =
        |step: &Value| then(step) < at || then(step) == at && !AFTER_UPDATES.iter().any(|op| step["op"] == *op);
    Some(steps.iter().rposition(before).map_or(0, |last| last + 1))
}

/// Returns the settings that the ResourceManager is started with.
fn given(settings: &RmSettings) -> Value {
    let scheduler = settings.scheduler.text();
    let properties = |p: &Properties| p.iter().map(|(k, v)| (k.clone(), json!(v))).collect::<Map<_, _>>();
    let mut capacity = properties(&settings.capacity_scheduler);
    if !settings.yarn_site.contains_key(ASYNCHRONOUS) {
        // On by default in 3.5.0, but off by default in a trace.
        capacity.entry(ASYNCHRONOUS).or_insert_with(|| json!("true"));
    }
    let labels: Vec<Value> =
        settings.labels.iter().map(|l| json!({ "name": l.name, "exclusive": l.exclusive })).collect();
    let mut given = json!({
        "kind": "trace",
        "driven": "calls",
        "scheduler": scheduler,
        "yarn_site": properties(&settings.yarn_site),
        "capacity_scheduler": capacity,
        "labels": labels,
        "groups": settings.groups,
    });
    if let Some(text) = &settings.fair_allocations {
        given["fair_allocations"] = json!(text);
    }
    given
}

/// Adds recent refusals to the calls that were refused.
fn refusals(sim: &Simulation, noticed: usize, made: &[(usize, Call)], outcomes: &mut [Map<String, Value>]) {
    for notice in sim.notices().iter().skip(noticed) {
        let TriedOutcome::Refused(refusal) = &notice.outcome else { continue };
        let id = |app: usize| sim.apps().get(app).and_then(|run| run.id);
        let of = |call: &Call| match (&notice.tried, call) {
            (Tried::Submission(_), Call::Submit { .. }) | (Tried::Node(_), Call::AddNode(_)) => true,
            (Tried::Registration(app), Call::Register(called)) => id(*app) == Some(*called),
            (Tried::Call(app), Call::Allocate { app: called, .. }) => id(*app) == Some(*called),
            (Tried::Happening(_), call) => matches!(
                call,
                Call::LabelNode { .. }
                    | Call::MoveApp { .. }
                    | Call::SetPriority { .. }
                    | Call::Refresh(_)
                    | Call::RefreshFair(_)
                    | Call::PutConstraint { .. }
            ),
            (
                Tried::Submission(_) | Tried::Node(_) | Tried::Registration(_) | Tried::Call(_) | Tried::Request { .. },
                _,
            ) => false,
        };
        let Some((place, call)) = made.iter().rev().find(|(_, call)| of(call)) else { continue };
        // A FairScheduler that cannot load a file only logs that.
        if !matches!(call, Call::RefreshFair(_)) {
            outcomes[*place].insert("refused".into(), json!(texts::message(&refusal.message)));
        }
    }
}

/// Adds the headroom that an AM received in the only call of this interval.
fn headroom(sim: &Simulation, made: &[(usize, Call)], outcomes: &mut [Map<String, Value>]) {
    let calls = made.iter().filter_map(|(place, call)| match call {
        Call::Allocate { app, .. } => Some((*place, *app)),
        _ => None,
    });
    let calls: Vec<(usize, AppId)> = calls.collect();
    if let [(place, app)] = calls[..]
        && !outcomes[place].contains_key("refused")
        && let Some(run) = sim.place_of(app).and_then(|i| sim.apps().get(i))
    {
        let headroom = run.headroom;
        outcomes[place].insert("headroom".into(), json!([headroom.memory_mb(), headroom.vcores_32()]));
    }
}
