//! Compares the results of a Slider fact's steps: besides plain values, expectations have words for sets, orders and
//! forbidden values.

use super::read::{list, text};
use crate::conformance::Difference;
use crate::conformance::compare::holds;
use serde_json::{Map, Value};

/// The result of each step, by its id.
pub(super) type Results = Map<String, Value>;

/// Compares the results of the steps with all expectations.
pub(super) fn judge(expected: &Value, got: &Results) -> Result<(), Difference> {
    for (key, wanted) in expected.as_object().into_iter().flatten() {
        match key.as_str() {
            "distinct_hosts" => {
                let mut hosts: Vec<&str> = list(wanted).iter().map(|id| host_of(got, text(id))).collect();
                let count = hosts.len();
                hosts.sort_unstable();
                hosts.dedup();
                if hosts.len() != count || hosts.contains(&"") {
                    return Err(Difference::new(key, "hosts that differ", hosts.join(", ")));
                }
            }
            "hosts_found" => {
                for (id, found) in wanted.as_object().into_iter().flatten() {
                    let has = !host_of(got, id).is_empty();
                    if found != has {
                        return Err(Difference::new(format!("{key}.{id}"), found, has));
                    }
                }
            }
            _ => {
                let Some(value) = got.get(key) else {
                    return Err(Difference::new(key, wanted, "no such step"));
                };
                value_holds(wanted, value).map_err(|d| d.inside(key))?;
            }
        }
    }
    Ok(())
}

fn host_of<'r>(got: &'r Results, id: &str) -> &'r str {
    got.get(id).map_or("", |v| text(&v["host"]))
}

/// Compares the result of one step.
fn value_holds(expected: &Value, got: &Value) -> Result<(), Difference> {
    let Some(expected) = expected.as_object() else { return holds(expected, got) };
    for (key, wanted) in expected {
        let differs = |got: &Value| Err(Difference::new(key, wanted, got));
        match key.as_str() {
            "order" => {
                let mut rest = list(&got["hosts"]).iter();
                if !list(wanted).iter().all(|host| rest.any(|other| other == host)) {
                    return differs(&got["hosts"]);
                }
            }
            "host_in" => {
                if !list(wanted).contains(&got["host"]) {
                    return differs(&got["host"]);
                }
            }
            "hosts_present" => {
                if !list(wanted).iter().all(|host| list(&got["hosts"]).contains(host)) {
                    return differs(&got["hosts"]);
                }
            }
            "outcome_not" => {
                if got["outcome"] == *wanted || got["outcome"].is_null() {
                    return Err(Difference::new(key, "another outcome", &got["outcome"]));
                }
            }
            "hosts_any_order" => {
                let sorted = |v: &Value| {
                    let mut hosts: Vec<String> = list(v).iter().map(|h| text(h).to_string()).collect();
                    hosts.sort();
                    hosts
                };
                if sorted(wanted) != sorted(&got["hosts"]) {
                    return differs(&got["hosts"]);
                }
            }
            "operations" => {
                let (wanted, ops) = (list(wanted), list(&got[key]));
                if wanted.len() != ops.len() {
                    return differs(&got[key]);
                }
                for (i, (wanted, op)) in wanted.iter().zip(ops).enumerate() {
                    let at = format!("{key}[{i}]");
                    match wanted {
                        Value::String(kind) if op["type"] == **kind => {}
                        Value::String(kind) => return Err(Difference::new(at, kind, op)),
                        wanted => value_holds(wanted, op).map_err(|d| d.inside(at))?,
                    }
                }
            }
            _ => match got.get(key) {
                Some(value) => holds(wanted, value).map_err(|d| d.inside(key))?,
                None if wanted.is_null() => {}
                None => return Err(Difference::new(key, wanted, "nothing")),
            },
        }
    }
    Ok(())
}
