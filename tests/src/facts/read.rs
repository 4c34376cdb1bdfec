//! Small readers of a case's JSON. Missing values are the corpus's fault: the readers return the natural empty value, and
//! the comparison then shows the difference.

use heddle_core::model::{Calculator, CalculatorKind, Resource, ResourceTypes};
use serde_json::Value;

/// Reads `[memory, vcores, …]`.
pub fn resource(v: &Value) -> Resource {
    let mut out = Resource::ZERO;
    for (place, n) in out.0.iter_mut().zip(v.as_array().into_iter().flatten()) {
        *place = n.as_i64().unwrap_or(0);
    }
    out
}

/// Returns a list; empty for other values.
pub fn list(v: &Value) -> &[Value] {
    v.as_array().map_or(&[], Vec::as_slice)
}

/// Returns a text; empty for other values.
pub fn text(v: &Value) -> &str {
    v.as_str().unwrap_or("")
}

/// Returns a whole number; 0 for other values.
pub fn int(v: &Value) -> i64 {
    v.as_i64().unwrap_or(0)
}

/// Returns the resource types of a row with `len` amounts.
pub fn types(len: usize) -> ResourceTypes {
    ResourceTypes::with((2..len).map(|i| format!("extra{}", i - 1))).unwrap_or_default()
}

/// Returns the `default` or `dominant` calculator over `len` types.
pub fn calculator(name: &str, len: usize) -> Calculator {
    let kind = if name == "dominant" { CalculatorKind::Dominant } else { CalculatorKind::Default };
    Calculator::new(kind, &types(len))
}

/// Returns the first `len` amounts as JSON.
pub fn amounts(r: Resource, len: usize) -> Value {
    r.0.iter().take(len).copied().collect()
}
