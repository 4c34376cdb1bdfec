//! Small readers of a case's JSON. A case that lacks what its kind needs is the corpus's fault: reading gives the
//! natural empty value, and the comparison then shows the difference.

use heddle_core::model::{Calculator, CalculatorKind, Resource, ResourceTypes};
use serde_json::Value;

/// `[memory, vcores, …]`.
pub fn resource(v: &Value) -> Resource {
    let mut out = Resource::ZERO;
    for (place, n) in out.0.iter_mut().zip(v.as_array().into_iter().flatten()) {
        *place = n.as_i64().unwrap_or(0);
    }
    out
}

/// A list, empty when it is none.
pub fn list(v: &Value) -> &[Value] {
    v.as_array().map_or(&[], Vec::as_slice)
}

/// A text, empty when it is none.
pub fn text(v: &Value) -> &str {
    v.as_str().unwrap_or("")
}

/// A whole number, 0 when it is none.
pub fn int(v: &Value) -> i64 {
    v.as_i64().unwrap_or(0)
}

/// The resource types that a row of `len` amounts speaks of.
pub fn types(len: usize) -> ResourceTypes {
    ResourceTypes::with((2..len).map(|i| format!("extra{}", i - 1))).unwrap_or_default()
}

/// `default` or `dominant` over `len` types.
pub fn calculator(name: &str, len: usize) -> Calculator {
    let kind = if name == "dominant" { CalculatorKind::Dominant } else { CalculatorKind::Default };
    Calculator::new(kind, &types(len))
}

/// The first `len` amounts as JSON.
pub fn amounts(r: Resource, len: usize) -> Value {
    r.0.iter().take(len).copied().collect()
}
