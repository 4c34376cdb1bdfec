//! The arguments of the JavaScript API: their values, or sentences about what they must be.

use heddle_view::{Selection, StepBy};
use wasm_bindgen::prelude::*;

/// The latest time to go to, in ms: larger numbers do not have whole milliseconds.
const MOST_MS: f64 = 9e15;

const STEPS: [(&str, StepBy); 5] = [
    ("decision", StepBy::Decision),
    ("heartbeat", StepBy::Heartbeat),
    ("second", StepBy::Second),
    ("change", StepBy::Change),
    ("round", StepBy::Round),
];

/// Returns a value as its author would recognise it: "5", "a list".
fn shown(value: &JsValue) -> String {
    if value.is_undefined() {
        return "nothing".to_owned();
    }
    if js_sys::Array::is_array(value) {
        return "a list".to_owned();
    }
    if value.is_function() {
        return "a function".to_owned();
    }
    if value.is_object() {
        return "an object".to_owned();
    }
    let text = value.as_string().map(|text| {
        let start: String = text.chars().take(40).collect();
        let more = if start.len() < text.len() { "…" } else { "" };
        format!("\u{201c}{start}{more}\u{201d}")
    });
    text.unwrap_or_else(|| format!("{value:?}").trim_start_matches("JsValue(").trim_end_matches(')').to_owned())
}

fn missing(value: &JsValue) -> bool {
    value.is_undefined() || value.is_null()
}

fn wrong(function: &str, wants: &str, value: &JsValue) -> String {
    format!("heddle.{function} takes {wants}; it was given {}.", shown(value))
}

/// Returns a required text.
pub fn text(function: &str, what: &str, value: &JsValue) -> Result<String, String> {
    value.as_string().ok_or_else(|| wrong(function, &format!("{what}, a string"), value))
}

/// Returns an optional flag.
pub fn flag(function: &str, what: &str, value: &JsValue) -> Result<bool, String> {
    match value.as_bool() {
        Some(flag) => Ok(flag),
        None if missing(value) => Ok(false),
        None => Err(wrong(function, &format!("true or false for `{what}`"), value)),
    }
}

/// Returns the kind of step; a heartbeat by default.
pub fn step(value: &JsValue) -> Result<StepBy, String> {
    if missing(value) {
        return Ok(StepBy::Heartbeat);
    }
    let named = value.as_string().and_then(|text| STEPS.into_iter().find(|(name, _)| *name == text));
    let names = STEPS.map(|(name, _)| format!("\"{name}\"")).join(", ");
    named.map(|(_, by)| by).ok_or_else(|| wrong("step", &format!("one of {names}"), value))
}

/// Returns a moment.
pub fn milliseconds(value: &JsValue) -> Result<i64, String> {
    let ms = value.as_f64().filter(|ms| (0.0..MOST_MS).contains(ms));
    ms.map(|ms| ms as i64).ok_or_else(|| wrong("seek", "milliseconds of simulated time, a number from 0 on", value))
}

/// Returns the selection to ask about.
pub fn selection(value: &JsValue) -> Result<Selection, String> {
    let wants = "a selection such as \"app:zk\" or \"node:n1\", a string";
    let text = value.as_string().ok_or_else(|| wrong("why", wants, value))?;
    text.parse().map_err(|why| format!("heddle.why takes {wants}: {why}"))
}
