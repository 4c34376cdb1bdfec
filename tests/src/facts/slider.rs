//! Small facts about Slider: orders, counters, priorities, sizes, configuration (area slider).

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::apps::slider::strategy::ending::{ContainerOutcome as Ending, charge};
use heddle_core::apps::slider::strategy::nodes::{Node, NodeEntry, most_active, preferred};
use heddle_core::apps::slider::strategy::requests::{Ask, AskId, component_of, priority};
use heddle_core::apps::slider::strategy::settings::{Keys, default, time_range};
use heddle_core::apps::slider::strategy::{
    Component, Counters, Definition, Event, Files, Limits, NodeState, Policy, Settings, Slider, SliderException, Start,
    Version,
};
use heddle_core::model::Resource;
use serde_json::{Map, Value, json};
use std::cmp::Ordering;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "sort_nodes" => sort_nodes,
        "compare_nodes" => compare_nodes,
        "node_entry" => node_entry,
        "component_failure" => component_failure,
        "priority" => |case| {
            let (id, located) = (int(&case.given["id"]) as i32, case.given["located"] == true);
            holds(&case.expect, &json!({ "decoded_id": component_of(priority(id, located)) })).into()
        },
        "request_validation" => request_validation,
        "resource" => resource,
        "config" => config,
        "flex_config" => flex_config,
        "resolve" => resolve,
        "time_range" => time,
        "policy_table" => policy_table,
        "defaults" => |case| {
            let got = json!({
                "yarn.placement.escalate.seconds": default::ESCALATE,
                "escalation.check.interval.seconds": default::ESCALATION_CHECK,
            });
            holds(&case.expect, &got).into()
        },
        _ => return None,
    })
}

/// Reads a node of the corpus: its host and its state.
pub(super) fn node(v: &Value) -> (String, Node) {
    let mut node = Node {
        state: NodeState::of(v["state"].as_str().unwrap_or("RUNNING")).unwrap_or_default(),
        label: text(&v["label"]).into(),
        ..Node::default()
    };
    for (id, e) in v["entries"].as_object().into_iter().flatten() {
        let entry = NodeEntry {
            last_used: int(&e["last_used"]),
            live: int(&e["live"]),
            failed_recently: int(&e["failed_recently"]),
            ..NodeEntry::default()
        };
        node.entries.insert(id.parse().unwrap_or(-1), entry);
    }
    (text(&v["host"]).into(), node)
}

/// Reads a component of the corpus.
pub(super) fn component(v: &Value) -> Component {
    let plain = Settings::new(int(&v["id"]) as i32);
    let seconds = |key: &str, default: i32| v[key].as_i64().map_or(default, |n| n as i32);
    let settings = Settings {
        policy: Policy(int(&v["policy"]) as i32),
        escalate_seconds: seconds("escalate_seconds", plain.escalate_seconds),
        node_failure_threshold: seconds("node_failure_threshold", plain.node_failure_threshold),
        label: v["label"].as_str().map(String::from),
        ..plain
    };
    Component::new(text(&v["name"]), text(&v["name"]), settings)
}

/// Returns the counters of an entry, under the keys of the format.
pub(super) fn entry_json(e: &NodeEntry) -> Value {
    json!({
        "starting": e.starting, "live": e.live, "releasing": e.releasing, "requested": e.requested,
        "start_failed": e.start_failed, "failed": e.failed, "failed_recently": e.failed_recently,
        "preempted": e.preempted, "last_used": e.last_used, "active": e.active(), "available": e.available(),
    })
}

fn comparison(order: &str) -> Option<fn(&Node, &Node, i32) -> Ordering> {
    match order {
        "preferred" => Some(preferred),
        "most_active" => Some(most_active),
        _ => None,
    }
}

fn sort_nodes(case: &Case) -> Outcome {
    let g = &case.given;
    let Some(compare) = comparison(text(&g["order"])) else {
        return Outcome::Failed(Difference::new("order", "preferred or most_active", &g["order"]));
    };
    let id = int(&g["component_id"]) as i32;
    let mut nodes: Vec<_> = list(&g["nodes"]).iter().map(node).collect();
    nodes.sort_by(|a, b| compare(&a.1, &b.1, id));
    let hosts: Vec<&str> = nodes.iter().map(|(host, _)| host.as_str()).collect();
    let first = case.expect.get("first_hosts").map_or(0, |v| list(v).len()).min(hosts.len());
    holds(&case.expect, &json!({ "hosts": hosts, "first_hosts": hosts[..first] })).into()
}

fn compare_nodes(case: &Case) -> Outcome {
    let g = &case.given;
    let Some(compare) = comparison(text(&g["order"])) else {
        return Outcome::Failed(Difference::new("order", "preferred or most_active", &g["order"]));
    };
    let id = int(&g["component_id"]) as i32;
    let sign = |pair: &Value| compare(&node(&pair[0]).1, &node(&pair[1]).1, id) as i8;
    holds(&case.expect, &json!({ "results": list(&g["pairs"]).iter().map(sign).collect::<Vec<_>>() })).into()
}

fn node_entry(case: &Case) -> Outcome {
    let mut entry = NodeEntry::default();
    let initially = entry.available();
    let mut available_after = Vec::new();
    for event in list(&case.given["events"]) {
        let (name, with) = match event {
            Value::Object(o) => o.iter().next().map(|(k, v)| (k.as_str(), v.clone())).unwrap_or_default(),
            other => (text(other), Value::Null),
        };
        match name {
            "assigned" | "starting" => entry.assigned(),
            "started" => entry.started(),
            "start_failed" => _ = entry.start_failed(),
            "release" | "released" => entry.release(),
            "requested" => entry.requested += 1,
            "completed" => match Ending::named(text(&with["outcome"])) {
                Some(outcome) => _ = entry.completed(with["was_released"] == true, outcome),
                None => return Outcome::Failed(Difference::new("events", "a known outcome", &with["outcome"])),
            },
            other => return Outcome::Failed(Difference::new("events", "a known event", other)),
        }
        available_after.push(entry.available());
    }
    let last = entry;
    entry.failed_recently = 0;
    let got = json!({
        "final": entry_json(&last), "after_reset": entry_json(&entry), "available_initially": initially,
        "available_after": available_after,
    });
    holds(&case.expect, &got).into()
}

fn component_failure(case: &Case) -> Outcome {
    let Some(outcome) = Ending::named(text(&case.given["outcome"])) else {
        return Outcome::Failed(Difference::new("outcome", "a known one", &case.given["outcome"]));
    };
    let mut counters = Counters::default();
    charge(&mut counters, case.given["startup_failure"] == true, outcome, true);
    let shown = |c: &Counters| {
        json!({
            "failed": c.failed, "failed_recently": c.failed_recently, "start_failed": c.start_failed,
            "limits_exceeded": c.limits_exceeded, "preempted": c.preempted, "node_failed": c.node_failed,
        })
    };
    let last = shown(&counters);
    counters.failed_recently = 0;
    holds(&case.expect, &json!({ "final": last, "after_reset": shown(&counters) })).into()
}

fn request_validation(case: &Case) -> Outcome {
    let g = &case.given;
    let ask = Ask {
        id: AskId(0),
        component: 1,
        hosts: list(&g["hosts"]).iter().map(|h| text(h).to_string()).collect(),
        relax: g["relax_locality"] == true,
        label: g["label"].as_str().map(String::from),
        size: Resource::new(1, 1),
    };
    holds(&case.expect, &json!({ "valid": ask.validate().is_ok() })).into()
}

fn keys(v: &Value) -> Keys {
    v.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), text(v).to_string())).collect()
}

fn limits(v: &Value) -> Limits {
    let of = |key: &str, default: i64| v[key].as_i64().unwrap_or(default);
    Limits {
        min: Resource::new(of("min_memory", 1), of("min_vcores", 1)),
        max: Resource::new(of("max_memory", i64::from(i32::MAX)), of("max_vcores", i64::from(i32::MAX))),
    }
}

fn definition(global: &Value, components: &Value) -> Definition {
    let components = components.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), keys(v))).collect();
    Definition { global: keys(global), components }
}

fn resource(case: &Case) -> Outcome {
    let definition = definition(&Value::Null, &json!({ "c": case.given["component"] }));
    match definition.size("c", &limits(&case.given["limits"])) {
        Ok(size) => holds(&case.expect, &json!({ "memory": size.memory_mb(), "vcores": size.vcores() })).into(),
        Err(refused) => Outcome::Failed(Difference::new("", "a size", refused.what)),
    }
}

fn start(definition: Definition, limits: Limits) -> Result<Slider, SliderException> {
    let (version, files) = (Version::V092, Files::default());
    let start = Start { version, limits, definition, files, check_seconds: None, nodes: Vec::new(), live: Vec::new() };
    Slider::start(1, start).map(|(slider, _)| slider)
}

/// Returns the components, by name.
fn shown(slider: &Slider) -> Value {
    let one = |c: &Component| {
        json!({
            "id": c.id(), "desired": c.counters.desired, "memory": c.size.memory_mb(), "vcores": c.size.vcores(),
            "strict": c.settings.policy.strict(), "node_failure_threshold": c.settings.node_failure_threshold,
        })
    };
    Value::Object(slider.components().map(|c| (c.name.clone(), one(c))).collect())
}

fn config(case: &Case) -> Outcome {
    let g = &case.given;
    let all = definition(&g["global"], &g["components"]);
    let slider = if g["added_in_sequence"] == true {
        start(Definition { global: all.global.clone(), ..Definition::default() }, limits(&Value::Null)).and_then(|s| {
            let mut slider = s;
            for count in 1..=all.components.len() {
                let components = all.components.clone().into_iter().take(count).collect();
                let event = Event::Flex(Definition { global: all.global.clone(), components });
                if let Some(refused) = slider.handle(1, event).refused {
                    return Err(refused);
                }
            }
            Ok(slider)
        })
    } else {
        start(all, limits(&Value::Null))
    };
    let got = match slider {
        Ok(slider) => json!({ "components": shown(&slider), "error": false }),
        Err(_) => json!({ "error": true }),
    };
    holds(&case.expect, &got).into()
}

fn flex_config(case: &Case) -> Outcome {
    let g = &case.given;
    let mut definition = definition(&g["global"], &g["initial_components"]);
    let mut slider = match start(definition.clone(), limits(&g["limits"])) {
        Ok(slider) => slider,
        Err(refused) => return Outcome::Failed(Difference::new("initial_components", "accepted", refused.what)),
    };
    for (name, v) in g["flex_add"].as_object().into_iter().flatten() {
        definition.components.insert(name.clone(), keys(v));
    }
    for name in list(&g["flex_remove"]) {
        definition.components.shift_remove(text(name));
    }
    let refused = slider.handle(1, Event::Flex(definition)).refused;
    let wanted = |key: &str| list(&case.expect[key]).to_vec();
    let known = |id: &Value| slider.component(int(id) as i32).is_some();
    let got = json!({
        "components": shown(&slider), "error": refused.is_some(),
        "ids_known": wanted("ids_known").into_iter().filter(known).collect::<Value>(),
        "ids_unknown": wanted("ids_unknown").into_iter().filter(|id| !known(id)).collect::<Value>(),
    });
    holds(&case.expect, &got).into()
}

fn resolve(case: &Case) -> Outcome {
    let definition = definition(&case.given["global"], &case.given["components"]);
    let mut components = Map::new();
    for name in definition.components.keys() {
        let values = definition.resolved(name).unwrap_or_default();
        let wanted = list(&case.expect["components"][name]["has"]);
        let has: Value = wanted.iter().filter(|k| values.contains_key(text(k))).cloned().collect();
        components.insert(name.clone(), json!({ "size": values.len(), "has": has, "values": values }));
    }
    holds(&case.expect, &json!({ "global": definition.global, "components": components })).into()
}

fn time(case: &Case) -> Outcome {
    let g = &case.given;
    let defaults = ["days", "hours", "minutes", "seconds"].map(|part| int(&g["defaults"][part]));
    match time_range(&keys(&g["values"]), text(&g["prefix"]), defaults) {
        Ok(seconds) => holds(&case.expect, &json!({ "seconds": seconds })).into(),
        Err(refused) => Outcome::Failed(Difference::new("", "a time", refused.what)),
    }
}

fn policy_table(case: &Case) -> Outcome {
    let row = |wanted: &Value| {
        let p = Policy(int(&wanted["value"]) as i32);
        json!({
            "value": p.0, "name": p.named().to_string(), "uses_history": p.uses_history(), "escalates": p.escalates(),
            "co_location_allowed": !p.anti_affine(), "one_request_at_a_time": p.anti_affine(),
            "uses_unreliable_hosts": p.strict(),
        })
    };
    holds(&case.expect, &json!({ "policies": list(&case.expect["policies"]).iter().map(row).collect::<Value>() }))
        .into()
}
