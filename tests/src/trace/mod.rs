//! Traces: long scripts, played step by step on the ResourceManager and compared with the real classes' behaviour.
//! `tests/conformance/README.md` describes the steps and keys.
//!
//! [`play`] carries out steps and what follows each of them; [`asks`] reads the calls; [`observe`] and [`why`] read the
//! ResourceManager; [`constraints`] has the parts for placement constraints only; [`texts`] makes message texts comparable;
//! [`scenario`] turns traces into scenarios.

pub(crate) mod asks;
pub(crate) mod constraints;
pub mod dump;
mod observe;
mod play;
pub(crate) mod samza;
mod samza_model;
pub(crate) mod samza_view;
pub mod scenario;
pub(crate) mod settings;
pub(crate) mod slider;
mod slider_view;
pub(crate) mod texts;
mod why;

use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use crate::facts::read::{list, text};
use heddle_core::journal::{Full, Recorder, Silent};
use play::{Stop, TracePlayer};
use serde_json::{Map, Value, json};

/// The results of a step, under the keys of the format.
pub(crate) type StepResult = Map<String, Value>;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    match kind {
        "trace" => Some(trace),
        "dump" => Some(dump::dump),
        other => constraints::driver(other)
            .or_else(|| slider::driver(other))
            .or_else(|| samza::driver(other))
            .or_else(|| samza_model::driver(other)),
    }
}

/// The message of ResourceManager and players about unimplemented parts.
const NOT_YET: &str = "not modelled yet";

/// Keys of events: if one is absent, the event must not have happened.
const HAPPENINGS: [&str; 12] = [
    "allocated",
    "completed",
    "reserved",
    "marked",
    "refused",
    "rejected",
    "queue",
    "rejected_requests",
    "register_refused",
    "killable",
    "round_failed",
    "waiting",
];

/// A recorder that the player can empty after each step.
pub(crate) trait Listener: Recorder + Default {
    /// Returns what was recorded since the last call.
    fn take(&mut self) -> Full;
}

impl Listener for Silent {
    fn take(&mut self) -> Full {
        Full::default()
    }
}

impl Listener for Full {
    fn take(&mut self) -> Full {
        std::mem::take(self)
    }
}

fn trace(case: &Case) -> Outcome {
    let steps = list(&case.given["steps"]);
    if steps.iter().any(|s| s["why"] == json!(true)) { run::<Full>(case, steps) } else { run::<Silent>(case, steps) }
}

fn unsupported(case: &Case, what: &str) -> Outcome {
    Outcome::Unsupported(format!("trace ({}{what})", text(&case.given["scheduler"])))
}

fn run<R: Listener>(case: &Case, steps: &[Value]) -> Outcome {
    let refused = case.expect.get("refused");
    let mut player = match (TracePlayer::<R>::new(&case.given), refused) {
        (Err(e), _) if e.contains(NOT_YET) => return unsupported(case, ""),
        (Err(e), Some(expected)) => {
            return holds(expected, &json!(texts::message(&e))).map_err(|d| d.inside("settings refused")).into();
        }
        (Err(e), None) => return Outcome::Failed(Difference::new("settings", "accepted", format!("refused: {e}"))),
        (Ok(_), Some(expected)) => {
            return Outcome::Failed(Difference::new("settings", format!("refused: {expected}"), "accepted"));
        }
        (Ok(player), None) => player,
    };
    go_through(&mut player, case, (steps, "expect.steps"), list(&case.expect["steps"]))
}

/// Plays steps one by one, and compares each with its expectation; `key` is the place of the expectations.
fn go_through<R: Listener>(
    player: &mut TracePlayer<R>,
    case: &Case,
    (steps, key): (&[Value], &str),
    expected: &[Value],
) -> Outcome {
    if expected.len() != steps.len() {
        let what = format!("{} steps", steps.len());
        return Outcome::Failed(Difference::new(key, what, format!("{} outcomes", expected.len())));
    }
    for (i, (step, expected)) in steps.iter().zip(expected).enumerate() {
        let at = || format!("step {i} {}", texts::step(step));
        let got = match player.step(step) {
            Ok(got) => got,
            Err(Stop::NotYet(what)) => return unsupported(case, &format!(", {what}")),
            Err(Stop::Malformed(what)) => {
                return Outcome::Failed(Difference::new(at(), "a step that can be played", what));
            }
        };
        if let Err(d) = outcome(expected, got) {
            return Outcome::Failed(d.inside(at()));
        }
    }
    Outcome::Passed
}

/// Compares one step: every expected key, and that nothing else happened.
fn outcome(expected: &Value, got: StepResult) -> Result<(), Difference> {
    for key in HAPPENINGS {
        if expected.get(key).is_none()
            && let Some(value) = got.get(key)
        {
            return Err(Difference::new(key, "nothing", value));
        }
    }
    holds(expected, &Value::Object(got))
}
