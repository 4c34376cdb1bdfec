//! Configuration XML, values, resource strings, changes by REST (area formats).

use super::read::{int, list, text};
use crate::conformance::compare::{holds, within};
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::api::{Properties, RmSettings};
use heddle_core::config::capacity::{Capacity, CapacityVector, capacity_of};
use heddle_core::config::mutation::{Mutation, Params, parse_command, parse_json, parse_xml};
use heddle_core::config::node_labels::parse_label_list;
use heddle_core::config::resource_text::{is_type_name, parse_resource};
use heddle_core::config::{properties, units, values, xml};
use heddle_core::journal::Silent;
use heddle_core::model::ResourceTypes;
use heddle_core::rm::ResourceManager;
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "config_xml" => config_xml,
        "config_value" => config_value,
        "resource_pairs" => resource_pairs,
        "resource_type_name" => resource_type_name,
        "unit_convert" => unit_convert,
        "node_label_list" => node_label_list,
        "schedulerconf_cli" => schedulerconf_cli,
        "sched_conf_parse" => sched_conf_parse,
        "sched_conf_json" => sched_conf_json,
        "sched_conf_mutation" => sched_conf_mutation,
        "capacity_vector" => capacity_vector,
        "capacity_legacy" => capacity_legacy,
        "setting_default" => setting_default,
        _ => return None,
    })
}

/// Returns a float with the digits that Java prints, not those of a double.
fn float(f: f32) -> Value {
    f.to_string()
        .parse::<f64>()
        .ok()
        .filter(|double| double.is_finite())
        .map_or_else(|| json!(f.to_string()), |d| json!(d))
}

/// Compares floats as floats: a number of `got` equals the expected one if both are the same float, whatever their digits.
fn floats_hold(expected: &Value, mut got: Value) -> Outcome {
    fn adopt(expected: &Value, got: &mut Value) {
        match (expected, got) {
            (Value::Object(e), Value::Object(g)) => {
                e.iter().for_each(|(key, e)| g.get_mut(key).into_iter().for_each(|g| adopt(e, g)));
            }
            (Value::Array(e), Value::Array(g)) => e.iter().zip(g).for_each(|(e, g)| adopt(e, g)),
            (Value::Number(e), got @ Value::Number(_)) => {
                let same = e.as_f64().zip(got.as_f64()).is_some_and(|(e, g)| e as f32 == g as f32);
                if same && !e.is_i64() {
                    *got = Value::Number(e.clone());
                }
            }
            _ => {}
        }
    }
    adopt(expected, &mut got);
    within(expected, &got, 1e-6).into()
}

fn texts(v: &Value) -> Vec<(String, String)> {
    v.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), text(v).to_string())).collect()
}

fn config_xml(case: &Case) -> Outcome {
    let includes = texts(&case.given["includes"]);
    let files = list(&case.given["files"]).iter().map(|f| ("<the file itself>", text(f)));
    let all: Vec<(&str, &str)> = files.chain(includes.iter().map(|(n, t)| (n.as_str(), t.as_str()))).collect();
    // An include that nothing refers to is not loaded.
    let named = |name: &str| name.starts_with('<') || all.iter().any(|(_, text)| text.contains(&format!("\"{name}\"")));
    let read = |(name, text): &(&str, &str)| xml::read(name, if named(name) { text } else { "<configuration/>" }).0;
    let documents: Vec<xml::Document> = all.iter().map(read).collect();
    let refs: Vec<&xml::Document> = documents.iter().collect();
    let own = all.len() - includes.len();
    let included = |href: &str| includes.iter().position(|(n, _)| n == href).map(|i| own + i);
    let effective = xml::effective(&refs, &included);
    let env = texts(&case.given["env"]);
    let system = texts(&case.given["system"]);
    let of = |list: &[(String, String)], name: &str| list.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    let lookup = |key: &str| of(&system, key).or_else(|| effective.values.get(values::trim(key)).cloned());
    let get = |key: &str| -> Value {
        let raw = effective.values.get(key);
        raw.map_or(Value::Null, |raw| {
            values::substitute_with(raw, &lookup, &|name| of(&env, name)).map_or(json!({"error": true}), |v| json!(v))
        })
    };
    let keys = |part: &str| -> Vec<String> {
        case.expect[part].as_object().into_iter().flatten().map(|(k, _)| k.clone()).collect()
    };
    let map = |part: &str, f: &dyn Fn(&str) -> Value| -> Value {
        Value::Object(keys(part).into_iter().map(|k| (k.clone(), f(&k))).collect())
    };
    let mut got = json!({
        "get": map("get", &get),
        "raw": map("raw", &|k| effective.values.get(k).map_or(Value::Null, |v| json!(v))),
        "sources": map("sources", &|k| effective.sources.get(k).map_or(Value::Null, |v| json!(v))),
        "final": effective.finals.iter().collect::<Vec<_>>(),
        "override_warnings": effective.refused.iter().map(|(k, _)| k).collect::<Vec<_>>(),
    });
    if case.expect.get("error").is_some() {
        let failed = keys("get").is_empty() && effective.values.keys().any(|k| get(k).is_object());
        got["error"] = json!(failed);
    }
    holds(&case.expect, &got).into()
}

fn config_value(case: &Case) -> Outcome {
    let given = &case.given;
    let value = text(&given["text"]);
    let trimmed = values::trim(value);
    let unit = |name: &Value| match text(name) {
        "nanoseconds" => ("ns", 1),
        "microseconds" => ("us", 1_000),
        "milliseconds" => ("ms", 1_000_000),
        "seconds" => ("s", 1_000_000_000),
        "minutes" => ("m", 60_000_000_000),
        "hours" => ("h", 3_600_000_000_000i128),
        _ => ("d", 86_400_000_000_000),
    };
    let read: Option<Value> = match text(&given["type"]) {
        "int" => values::parse_int(trimmed).ok().map(|v| json!(v)),
        "long" => values::parse_long(trimmed).ok().map(|v| json!(v)),
        "size" => values::parse_size(value).ok().map(|v| json!(v)),
        "float" => values::parse_float(value).ok().map(float),
        "boolean" => Some(json!(values::parse_boolean(trimmed).unwrap_or(given["default"].as_bool().unwrap_or(false)))),
        "list" => Some(json!(values::list(value))),
        "trimmed_list" => Some(json!(values::trimmed_list(value))),
        // The values of the enumeration in the corpus.
        "enum" => ["RAB", "FOO"].contains(&trimmed).then(|| json!(trimmed)),
        "time" => properties::time(value, unit(&given["key_unit"]).0)
            .map(|ns| ns / unit(&given["unit"]).1)
            .map(|v| json!(v.clamp(i64::MIN.into(), i64::MAX.into()) as i64)),
        other => return Outcome::Unsupported(other.to_string()),
    };
    let got = read.map_or(json!({"error": true}), |v| json!({ "value": v }));
    floats_hold(&case.expect, got)
}

fn resource_pairs(case: &Case) -> Outcome {
    let types = types(case);
    let got = match parse_resource(text(&case.given["text"]), &types) {
        Ok(resource) => {
            let amounts = types.names().iter().zip(resource.0).map(|(name, amount)| (name.clone(), json!(amount)));
            Value::Object(amounts.collect())
        }
        Err(why) => json!({ "error": why.message }),
    };
    holds(&case.expect, &got).into()
}

fn resource_type_name(case: &Case) -> Outcome {
    holds(&case.expect, &json!({ "valid": is_type_name(text(&case.given["text"])) })).into()
}

fn unit_convert(case: &Case) -> Outcome {
    let g = &case.given;
    let got = match units::convert(int(&g["value"]), text(&g["from"]), text(&g["to"])) {
        Ok(value) => json!({ "value": value }),
        Err(_) => json!({ "error": true }),
    };
    holds(&case.expect, &got).into()
}

fn node_label_list(case: &Case) -> Outcome {
    let got = match parse_label_list(text(&case.given["text"])) {
        Ok(labels) => json!({ "labels": labels.iter().map(|l| json!([l.name, l.exclusive])).collect::<Vec<_>>() }),
        Err(why) if why.message.starts_with("No cluster") => json!({ "error": "none" }),
        Err(_) => json!({ "error": "format" }),
    };
    holds(&case.expect, &got).into()
}

fn shown(mutation: &Mutation) -> Value {
    let params = |p: &Params| -> Value { Value::Object(p.iter().map(|(k, v)| (k.clone(), json!(v))).collect()) };
    let queues = |list: &[(String, Params)]| -> Value {
        list.iter().map(|(path, p)| json!({ "queue-name": path, "params": params(p) })).collect()
    };
    let mut out = Map::new();
    if !mutation.remove.is_empty() {
        out.insert("remove-queue".into(), json!(mutation.remove));
    }
    if !mutation.add.is_empty() {
        out.insert("add-queue".into(), queues(&mutation.add));
    }
    if !mutation.update.is_empty() {
        out.insert("update-queue".into(), queues(&mutation.update));
    }
    if !mutation.global.is_empty() {
        out.insert("global-updates".into(), params(&mutation.global));
    }
    Value::Object(out)
}

/// Compares the whole answer, not only the listed keys.
fn exactly(expected: &Value, got: Value) -> Outcome {
    holds(expected, &got).and_then(|()| holds(&got, expected)).into()
}

fn schedulerconf_cli(case: &Case) -> Outcome {
    let arguments: Vec<&str> = list(&case.given["args"]).iter().map(text).collect();
    match parse_command(&arguments) {
        Ok(mutation) => exactly(&case.expect, shown(&mutation)),
        Err(why) => exactly(&case.expect, json!({ "error": why.message })),
    }
}

fn sched_conf_parse(case: &Case) -> Outcome {
    match parse_xml(text(&case.given["text"])) {
        Ok(mutation) => exactly(&case.expect, shown(&mutation)),
        Err(why) => exactly(&case.expect, json!({ "error": why.message })),
    }
}

fn sched_conf_json(case: &Case) -> Outcome {
    match parse_json(text(&case.given["text"])) {
        Ok((mutation, _)) => exactly(&case.expect, shown(&mutation)),
        Err(why) => exactly(&case.expect, json!({ "error": why.message })),
    }
}

fn sched_conf_mutation(case: &Case) -> Outcome {
    let mut now: Properties = texts(&case.given["base"]).into_iter().collect();
    let assembled = case.expect["assembled"].as_bool() == Some(true);
    let mut got = json!({ "assembled": assembled, "accepted": true });
    let mut manager = (!assembled).then(|| ResourceManager::new(settings(&now)));
    for request in list(&case.given["requests"]) {
        let after = parse_json(&request.to_string()).and_then(|(mutation, _)| mutation.apply(&now));
        let after = match after {
            Ok(after) => after,
            Err(why) => {
                got["error"] = json!(why.message);
                break;
            }
        };
        let refreshed = match &mut manager {
            None => Ok(()),
            Some(Ok(manager)) => manager.refresh(after.clone(), &mut Silent).map_err(|why| why.message),
            Some(Err(why)) => Err(why.message.clone()),
        };
        if let Err(why) = refreshed {
            got["accepted"] = json!(false);
            got["message"] = json!(why);
            break;
        }
        now = after;
    }
    let key = |path: &str, name: &str| format!("yarn.scheduler.capacity.{path}.{name}");
    let map = |part: &str, f: &dyn Fn(&str) -> Value| -> Value {
        Value::Object(case.expect[part].as_object().into_iter().flatten().map(|(k, _)| (k.clone(), f(k))).collect())
    };
    let children = |path: &str| -> Value {
        let list = now.get(&key(path, "queues")).map(|t| values::list(t));
        list.map_or(Value::Null, |l| l.iter().map(|n| values::trim(n).to_string()).collect())
    };
    let number = |path: &str| -> Value {
        now.get(&key(path, "capacity")).and_then(|t| values::parse_float(t).ok()).map_or(Value::Null, float)
    };
    got["queues"] = map("queues", &children);
    got["capacity"] = map("capacity", &number);
    got["get"] = map("get", &|k| now.get(k).map_or(Value::Null, |v| json!(v)));
    let mut expected = case.expect.clone();
    if let Some(part) = expected.as_object_mut().and_then(|o| o.remove("message_contains")) {
        let message = text(&got["message"]).to_string();
        // The end of the text is the root cause; before it stands the chain of Hadoop's exceptions.
        if !text(&part).ends_with(&message) || message.is_empty() {
            return holds(&part, &json!(message)).into();
        }
    }
    holds(&expected, &got).into()
}

/// Returns the settings of a ResourceManager with these CapacityScheduler properties.
fn settings(properties: &Properties) -> RmSettings {
    RmSettings { capacity_scheduler: properties.clone(), ..RmSettings::default() }
}

fn types(case: &Case) -> ResourceTypes {
    ResourceTypes::with(list(&case.given["types"]).iter().skip(2).map(text)).unwrap_or_default()
}

fn vector_json(vector: &CapacityVector, types: &ResourceTypes) -> Value {
    let known = types.names().iter().enumerate().filter_map(|(i, n)| Some((n.clone(), vector.share(i)?)));
    let all = known.chain(vector.unknown().iter().cloned());
    Value::Object(all.map(|(name, s)| (name, json!([float(s.value as f32), s.unit.suffix()]))).collect())
}

/// Returns the vector of a capacity's text as `{type: [number, unit]}`.
pub fn vector_of(case: &Case) -> Value {
    let types = types(case);
    let is_root = case.given["queue"] == "root";
    match CapacityVector::parse(case.given["text"].as_str(), is_root, &types) {
        Ok(vector) => vector_json(&vector, &types),
        Err(why) => json!({ "error": why.message }),
    }
}

fn capacity_vector(case: &Case) -> Outcome {
    let got = vector_of(case);
    if got["error"].is_string() {
        return holds(&case.expect, &got).into();
    }
    // All of the result must be expected, not only the reverse.
    let missing =
        got.as_object().into_iter().flatten().find(|(name, _)| case.expect["vector"][name.as_str()].is_null());
    match missing {
        Some((name, share)) => Outcome::Failed(Difference::new(name, "nothing", share)),
        None => floats_hold(&case.expect, json!({ "vector": got })),
    }
}

fn capacity_legacy(case: &Case) -> Outcome {
    let queue = text(&case.given["queue"]);
    let read = |queue: &str| capacity_of(case.given["text"].as_str(), queue, "", &types(case));
    // Root has 100 % whatever is written; the text is still read as for another queue.
    let root = queue == "root";
    let got = match read(queue).map(|percent| if root { read("root.a").unwrap_or(percent) } else { percent }) {
        Ok(Capacity::Percent(p)) => json!({ "percent": float(if root { 100.0 } else { p }) }),
        Ok(Capacity::Weight(w)) => json!({ "percent": if root { 100.0 } else { 0.0 }, "weight": float(w) }),
        Ok(Capacity::Absolute(r)) => {
            json!({ "percent": if root { 100.0 } else { 0.0 }, "absolute": [r.memory_mb(), r.vcores()] })
        }
        Err(_) => json!({ "error": true }),
    };
    floats_hold(&case.expect, got)
}

fn setting_default(case: &Case) -> Outcome {
    holds(&case.expect, &json!({ "value": properties::default_of(text(&case.given["key"])) })).into()
}
