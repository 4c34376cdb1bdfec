//! Compares results with expectations; only what is expected is compared.

use serde_json::Value;
use std::fmt;

/// A difference: its place and both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The place: a path such as `queues.root.a.used`, or `step 12 heartbeat n1: allocated`. Empty: the whole.
    pub at: String,
    pub expected: String,
    /// The actual value.
    pub got: String,
}

impl Difference {
    /// Creates a difference at this place, with both sides as text.
    pub fn new(at: impl Into<String>, expected: impl fmt::Display, got: impl fmt::Display) -> Self {
        Difference { at: at.into(), expected: expected.to_string(), got: got.to_string() }
    }

    /// Prefixes the place with that of an enclosing part.
    pub fn inside(mut self, outer: impl fmt::Display) -> Self {
        let gap = if self.at.is_empty() { "" } else { ": " };
        self.at = format!("{outer}{gap}{}", self.at);
        self
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let gap = if self.at.is_empty() { "" } else { ": " };
        write!(f, "{}{gap}expected {} got {}", self.at, self.expected, self.got)
    }
}

/// Compares `got` with everything that `expected` lists. For objects, each key of `expected` is compared, recursively;
/// everything else must be equal. An expected null matches a value that is absent or null.
pub fn holds(expected: &Value, got: &Value) -> Result<(), Difference> {
    within(expected, got, 0.0)
}

/// Like [`holds`]; numbers may differ by `tolerance`.
pub fn within(expected: &Value, got: &Value, tolerance: f64) -> Result<(), Difference> {
    walk(expected, got, tolerance, &mut String::new())
}

fn walk(expected: &Value, got: &Value, tolerance: f64, at: &mut String) -> Result<(), Difference> {
    let differs = |at: &str| Err(Difference::new(at, expected, got));
    match (expected, got) {
        (Value::Object(e), Value::Object(g)) => {
            for (key, value) in e {
                let len = at.len();
                if len > 0 {
                    at.push('.');
                }
                at.push_str(key);
                match g.get(key) {
                    Some(other) => walk(value, other, tolerance, at)?,
                    None if value.is_null() => {}
                    None => return Err(Difference::new(at.as_str(), value, "nothing")),
                }
                at.truncate(len);
            }
            Ok(())
        }
        (Value::Array(e), Value::Array(g)) => {
            if e.len() != g.len() {
                return differs(at);
            }
            for (i, (value, other)) in e.iter().zip(g).enumerate() {
                let len = at.len();
                at.push_str(&format!("[{i}]"));
                walk(value, other, tolerance, at)?;
                at.truncate(len);
            }
            Ok(())
        }
        (Value::Number(e), Value::Number(g)) => {
            let equal = e == g
                || match (e.as_f64(), g.as_f64()) {
                    (Some(x), Some(y)) => (x - y).abs() <= tolerance,
                    _ => false,
                };
            if equal { Ok(()) } else { differs(at) }
        }
        _ if expected == got => Ok(()),
        _ => differs(at),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_is_expected_is_looked_at() {
        assert_eq!(holds(&json!({"a": 1}), &json!({"a": 1, "b": 2})), Ok(()));
        assert_eq!(holds(&json!({"a": null}), &json!({})), Ok(()));
        assert_eq!(holds(&json!({"a": 1}), &json!({"a": 1.0})), Ok(()));
        assert!(within(&json!([1.0]), &json!([1.05]), 0.1).is_ok());
    }

    #[test]
    fn the_first_difference_is_named_with_both_sides() {
        let d = holds(&json!({"q": {"used": [1, 2]}}), &json!({"q": {"used": [1, 3]}})).expect_err("differs");
        assert_eq!(d.to_string(), "q.used[1]: expected 2 got 3");
        let d = holds(&json!({"q": 1}), &json!({})).expect_err("differs");
        assert_eq!(d.to_string(), "q: expected 1 got nothing");
    }
}
