//! The parts for traces with placement constraints only: constraints as data, node attributes, tags; and the kind
//! `constraint-text`, which tests the parser and the printer alone.

use super::asks::strings;
use super::play::{Stop, TracePlayer, told};
use super::{Listener, StepResult};
use crate::conformance::{Case, Difference, Driver, Outcome};
use crate::facts::read::{list, text};
use heddle_core::constraint::print::yarn_text;
use heddle_core::constraint::spec::SpecException;
use heddle_core::constraint::{
    AttributeChange, AttributeOp, Constraint, Scope, Single, Target, Timed, parse_expression, parse_spec,
};
use heddle_core::scheduler::NodeState;
use serde_json::{Map, Value, json};

/// Returns the driver for kinds other than `trace`.
pub(crate) fn driver(kind: &str) -> Option<Driver> {
    (kind == "constraint-text").then_some(texts as Driver)
}

// ---- constraint-text

/// Runs both parsers on each text.
fn texts(case: &Case) -> Outcome {
    let results = list(&case.expect["results"]);
    for (given, expected) in list(&case.given["texts"]).iter().zip(results) {
        let written = text(given);
        let spec = match parse_spec(written) {
            Ok(spec) => spec.entries.iter().map(entry).collect::<Vec<_>>().into(),
            Err(e) => refused(e.refused),
        };
        let expression = match parse_expression(written) {
            Ok(read) => printed(&read.constraint),
            Err(e) => refused(e.refused),
        };
        let got = sorted(&json!({"spec": spec, "expression": expression}));
        let expected = sorted(expected);
        if got != expected {
            return Outcome::Failed(Difference::new(format!("{written:?}"), expected, got));
        }
    }
    Outcome::Passed
}

fn entry(entry: &heddle_core::constraint::spec::SpecEntry) -> Value {
    let mut out = json!({"tag": entry.tag(), "count": entry.count()});
    if let Some(constraint) = &entry.constraint {
        out["constraint"] = printed(constraint);
    }
    out
}

fn refused(how: SpecException) -> Value {
    json!({"refused": match how {
        SpecException::Parse => "parse",
        SpecException::NoSuchElement => "NoSuchElementException",
    }})
}

/// Returns a constraint with YARN's text, unless a leaf has several targets (whose order is arbitrary).
fn printed(constraint: &Constraint) -> Value {
    let mut out = data(constraint);
    if constraint.leaves().iter().all(|leaf| leaf.targets.len() <= 1) {
        out["text"] = json!(yarn_text(constraint));
    }
    out
}

/// Returns a constraint in the form of the format.
pub(crate) fn data(constraint: &Constraint) -> Value {
    let all = |children: &[Constraint]| children.iter().map(data).collect::<Vec<_>>();
    match constraint {
        Constraint::And(children) => json!({"and": all(children)}),
        Constraint::Or(children) => json!({"or": all(children)}),
        Constraint::DelayedOr(children) => {
            json!({"delayed_or": children.iter().map(|t| data(&t.constraint)).collect::<Vec<_>>()})
        }
        Constraint::Single(leaf) => {
            let targets: Vec<Value> = leaf
                .targets
                .iter()
                .map(|t| match t {
                    Target::Tags { namespace, values } => json!({"namespace": namespace, "values": values}),
                    Target::Attribute { name, values } => json!({"attribute": name, "values": values}),
                    Target::Partition { values } => json!({"partition": true, "values": values}),
                })
                .collect();
            json!({"scope": leaf.scope, "min": leaf.min, "max": leaf.max, "op": leaf.op, "targets": targets})
        }
    }
}

/// Sorts sets (targets, values) by their text.
fn sorted(v: &Value) -> Value {
    match v {
        Value::Object(o) => {
            let pair = |(key, value): (&String, &Value)| {
                let mut value = sorted(value);
                if let (true, Some(set)) = (key == "targets" || key == "values", value.as_array_mut()) {
                    set.sort_by_key(Value::to_string);
                }
                (key.clone(), value)
            };
            Value::Object(o.iter().map(pair).collect())
        }
        Value::Array(a) => a.iter().map(sorted).collect(),
        other => other.clone(),
    }
}

// ---- constraints in steps

/// Reads a constraint of a trace: a text, or an object. `id` returns the id of application number k, if it has one.
pub(crate) fn constraint(v: &Value, id: &dyn Fn(usize) -> Option<String>) -> Result<Constraint, Stop> {
    if let Some(written) = v.as_str() {
        let read = parse_expression(written);
        return read.map(|r| r.constraint).map_err(|e| Stop::Malformed(format!("constraint {written}: {}", e.problem)));
    }
    let children = |v: &Value| list(v).iter().map(|c| constraint(c, id)).collect::<Result<Vec<_>, _>>();
    if v.get("and").is_some() {
        return Ok(Constraint::And(children(&v["and"])?));
    }
    if v.get("or").is_some() {
        return Ok(Constraint::Or(children(&v["or"])?));
    }
    if let Some(timed) = v.get("delayed_or") {
        let child = |t: &Value| {
            Ok(Timed {
                constraint: constraint(&t["constraint"], id)?,
                delay: t["ms"].as_i64().or(t["opportunities"].as_i64()).unwrap_or(0),
                opportunities: t["opportunities"].is_i64(),
            })
        };
        return list(timed).iter().map(child).collect::<Result<Vec<_>, Stop>>().map(Constraint::DelayedOr);
    }
    let scope = match text(&v["scope"]) {
        "node" => Scope::Node,
        "rack" => Scope::Rack,
        other => return Err(Stop::NotYet(format!("scope {other}"))),
    };
    let op = match v["op"].as_str() {
        Some("EQ") => AttributeOp::Eq,
        Some("NE") => AttributeOp::Ne,
        _ => AttributeOp::NoOp,
    };
    let targets = list(&v["targets"]).iter().map(|t| {
        let values = strings(&t["values"]);
        if t.get("partition").is_some() {
            Target::Partition { values }
        } else if let Some(name) = t["attribute"].as_str() {
            Target::Attribute { name: name.into(), values }
        } else {
            Target::Tags { namespace: with_ids(t["namespace"].as_str().unwrap_or("self"), id), values }
        }
    });
    let bound = |key: &str, default: i32| v[key].as_i64().map_or(default, |n| n as i32);
    Ok(Constraint::Single(Single::new(scope, bound("min", 0), bound("max", i32::MAX), op, targets)))
}

/// Replaces `<app:3>` by the id of application 3, or by an id that nobody has if it was not submitted yet.
fn with_ids(written: &str, id: &dyn Fn(usize) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = written;
    while let Some((before, after)) = rest.split_once("<app:") {
        let (number, behind) = after.split_once('>').unwrap_or((after, ""));
        let id = number.parse::<usize>().ok().and_then(id);
        out.push_str(before);
        out.push_str(id.as_deref().unwrap_or("application_1_999999"));
        rest = behind;
    }
    out.push_str(rest);
    out
}

impl<R: Listener> TracePlayer<R> {
    /// Reads a constraint of a step.
    pub(crate) fn constraint(&self, v: &Value) -> Result<Constraint, Stop> {
        constraint(v, &|k| Some(self.rm.application_id(self.apps.get(k)?.id?)))
    }
}

/// Plays the step `node_attributes`.
pub(crate) fn node_attributes<R: Listener>(
    player: &mut TracePlayer<R>,
    step: &Value,
    _out: &mut StepResult,
) -> Result<(), Stop> {
    let how = match text(&step["how"]) {
        "add" => AttributeChange::Add,
        "remove" => AttributeChange::Remove,
        "replace" => AttributeChange::Replace { prefix: step["prefix"].as_str().unwrap_or("rm.yarn.io").into() },
        other => return Err(Stop::Malformed(format!("node_attributes: how {other}"))),
    };
    for (host, attributes) in step["nodes"].as_object().into_iter().flatten() {
        let attributes: Vec<(String, String)> =
            attributes.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), text(v).into())).collect();
        player.rm.set_node_attributes(host, &how, &attributes);
    }
    Ok(())
}

/// Plays the step `constraint`.
pub(crate) fn change<R: Listener>(player: &mut TracePlayer<R>, step: &Value, out: &mut StepResult) -> Result<(), Stop> {
    let app = step.get("app").filter(|a| !a.is_null()).map(|a| player.app_id(a)).transpose()?;
    let sent = step.get("constraint").filter(|c| !c.is_null()).map(|c| player.constraint(c)).transpose()?;
    let replace = step["replace"].as_bool().unwrap_or(false);
    let r = player.rm.put_constraint(app, &strings(&step["tags"]), sent, replace);
    told(r, out)
}

/// Returns the live tags of nodes that were not lost: node, tag, count.
pub(crate) fn tags<R: Listener>(player: &TracePlayer<R>) -> Map<String, Value> {
    let mut out = Map::new();
    for node in player.rm.nodes().iter().filter(|n| n.state != NodeState::Lost) {
        let counts = player.rm.tags_on(node.id);
        if !counts.is_empty() {
            out.insert(node.host.clone(), counts.into_iter().map(|(t, n)| (t.to_string(), json!(n))).collect());
        }
    }
    out
}
