//! Facts about Slider's history files (area slider).

use super::read::{int, list, text};
use super::slider::entry_json;
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::apps::slider::strategy::files::{self, compare};
use heddle_core::apps::slider::strategy::records::{self, Record, Records};
use heddle_core::apps::slider::strategy::{
    Component, Decision, Definition, Files, History, Limits, Report, Settings, Slider, Version,
};
use heddle_core::model::{Millis, Resource};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "history_read" => read,
        "history_dir" => dir,
        "history_purge" => purge,
        "history_list" => |case| {
            let mut files = Files::default();
            for name in list(&case.given["files"]) {
                files.put(text(name), "x");
            }
            let names: Vec<&str> = files.candidates().collect();
            holds(&case.expect, &json!({ "entries_in_order": names })).into()
        },
        "history_file_name" => |case| {
            let saved = int(&case.given["saved"]);
            holds(&case.expect, &json!({ "name": files::name(saved), "savedx": format!("{saved:x}") })).into()
        },
        "history_record" => record,
        "history_roundtrip" => roundtrip,
        "sort_names" => |case| {
            let mut names: Vec<&str> = list(&case.given["names"]).iter().map(text).collect();
            names.sort_by(|a, b| compare(a, b));
            holds(&case.expect, &json!({ "names": names })).into()
        },
        "compare_names" => |case| {
            let sign = |pair: &Value| compare(text(&pair[0]), text(&pair[1])) as i8;
            let signs: Vec<i8> = list(&case.given["pairs"]).iter().map(sign).collect();
            holds(&case.expect, &json!({ "signs": signs })).into()
        },
        _ => return None,
    })
}

/// Builds a history with these components from records. Returns the number of discarded records too.
fn rebuild(ids: &[i32], records: &Records) -> (History, usize) {
    let mut history = History { roles: ids.len() as i32, ..History::default() };
    let discarded = history.rebuild(records, |id| ids.contains(&id));
    history.build_recent();
    (history, discarded)
}

fn ids(v: &Value) -> Vec<i32> {
    list(v).iter().map(|id| int(id) as i32).collect()
}

fn read(case: &Case) -> Outcome {
    let got = match records::read(text(&case.given["text"])) {
        Ok(records) => {
            let (_, discarded) = rebuild(&ids(&case.given["known_ids"]), &records);
            json!({
                "node_records": records.nodes.len(), "discarded": discarded, "role_map_size": records.mapping.len(),
            })
        }
        Err(fault) => json!({ "error": fault.what }),
    };
    holds(&case.expect, &got).into()
}

fn record(case: &Case) -> Outcome {
    let got = match records::read_one(text(&case.given["text"])) {
        Ok(Record::Header { version, saved, roles }) => {
            json!({ "type": "header", "version": version, "saved": saved, "roles": roles })
        }
        Ok(Record::Mapping(pairs)) => json!({ "type": "mapping", "roles": pairs.len() }),
        Ok(Record::Node(node)) => json!({ "type": "entry", "host": node.host }),
        Ok(Record::Footer(count)) => json!({ "type": "footer", "count": count }),
        Err(fault) => json!({ "error": fault.what }),
    };
    holds(&case.expect, &got).into()
}

/// Returns the records that an ApplicationMaster with these components writes.
fn saved(ids: &[i32], save: &Value) -> Records {
    let mut history = History { roles: ids.len() as i32, ..History::default() };
    for n in list(&save["nodes"]) {
        let entry = history.entry(text(&n["host"]), int(&n["id"]) as i32);
        (entry.live, entry.releasing) = (int(&n["live"]), int(&n["releasing"]));
        entry.last_used = int(&n["last_used"]);
    }
    let mapping = ids.iter().map(|id| (format!("role{id}"), *id)).collect();
    history.records(int(&save["time"]), mapping)
}

fn dir(case: &Case) -> Outcome {
    let known = ids(&case.given["known_ids"]);
    let mut files = Files::default();
    for f in list(&case.given["files"]) {
        let content = match f.get("save") {
            Some(save) => records::write(&saved(&known, save)),
            None => text(&f["text"]).to_string(),
        };
        files.put(text(&f["name"]), content);
    }
    let before: Vec<String> = files.iter().map(|(name, _)| name.to_string()).collect();
    let limits = Limits { min: Resource::ZERO, max: Resource::ZERO };
    let slider = Slider::new(Version::V092, limits, Definition::default(), files.clone()).and_then(|mut slider| {
        for id in &known {
            slider.add(Component::new(format!("role{id}"), format!("role{id}"), Settings::new(*id)))?;
        }
        Ok(slider)
    });
    let mut slider = match slider {
        Ok(slider) => slider,
        Err(refused) => return Outcome::Failed(Difference::new("known_ids", "accepted", refused.what)),
    };
    let found = files.load().taken;
    let mut report = Report::default();
    slider.load(&mut report);
    let loaded = report.decisions.iter().find_map(|d| match d {
        Decision::HistoryLoaded { name, .. } => Some(name.as_str()),
        _ => None,
    });
    let history = slider.history();
    let left = |name: &&String| slider.files().text(name).is_some();
    let recent = |id: &i32| {
        let hosts: Vec<&str> = history.recent(*id).collect();
        (id.to_string(), json!({ "id": id, "count": hosts.len(), "hosts": hosts }))
    };
    let lists: Map<String, Value> = known.iter().map(recent).collect();
    let wanted_lists = &case.expect["recent_lists"];
    let recent_lists = match wanted_lists {
        Value::Array(wanted) => wanted.iter().map(|w| lists.get(&int(&w["id"]).to_string()).cloned()).collect(),
        Value::Object(wanted) => {
            let plain = |id: &String, w: &Value| match w {
                Value::Array(_) => lists.get(id).map(|l| l["hosts"].clone()),
                Value::Number(_) => lists.get(id).map(|l| l["count"].clone()),
                _ => lists.get(id).cloned(),
            };
            json!(wanted.iter().map(|(id, w)| (id.clone(), plain(id, w))).collect::<Vec<_>>())
        }
        _ => Value::Null,
    };
    // Lists by id are compared as pairs.
    let mut expect = case.expect.clone();
    if let Value::Object(wanted) = wanted_lists {
        expect["recent_lists"] = json!(wanted.iter().collect::<Vec<_>>());
    }
    let entry = |e: &Value| {
        let (host, id) = (text(&e["host"]), int(&e["id"]) as i32);
        let mut shown = history.nodes.get(host).and_then(|n| n.entries.get(&id)).map(entry_json)?;
        shown["host"] = json!(host);
        shown["id"] = json!(id);
        Some(shown)
    };
    let entries = |key: &str| list(&case.expect[key]).iter().map(entry).collect::<Value>();
    let thawed: Option<Millis> = history.thawed;
    let got = json!({
        "loaded": loaded, "readable": loaded.is_some(), "thawed_time": thawed,
        "node_records": found.map(|(_, records)| records.nodes.len()),
        "deleted": before.iter().filter(|n| !left(n)).collect::<Vec<_>>(),
        "kept": before.iter().filter(left).collect::<Vec<_>>(),
        "cluster_size": history.nodes.len(), "entries": entries("entries"),
        "entries_present": entries("entries_present"), "recent_lists": recent_lists,
    });
    holds(&expect, &got).into()
}

fn purge(case: &Case) -> Outcome {
    let mut files = Files::default();
    for name in list(&case.given["files"]) {
        files.put(text(name), "x");
    }
    let count = |name: &Value| files.purge(text(name)).map_or(json!("error"), |n| json!(n));
    let counts: Vec<Value> = list(&case.given["keep_sequence"]).iter().map(count).collect();
    holds(&case.expect, &json!({ "deleted_counts": counts })).into()
}

fn roundtrip(case: &Case) -> Outcome {
    let g = &case.given;
    let start = ids(&g["component_ids_at_start"]);
    let mut history = History { roles: start.len() as i32, ..History::default() };
    for live in list(&g["live"]) {
        for i in 0..int(&live["instances"]) {
            history.entry(&format!("host{i}"), int(&live["id"]) as i32).live = 1;
        }
    }
    // Components that a flex adds only extend the mapping: the hosts' records depend on the start.
    let mut mapping = start.clone();
    if g["saved_before_flex"] != true {
        mapping.extend(ids(&g["flex_adds_ids"]));
    }
    let mapping = mapping.iter().map(|id| (format!("role{id}"), *id)).collect();
    let text = records::write(&history.records(1, mapping));
    match records::read(&text) {
        Ok(records) => {
            let (_, discarded) = rebuild(&ids(&g["reload_known_ids"]), &records);
            holds(&case.expect, &json!({ "discarded": discarded })).into()
        }
        Err(fault) => Outcome::Failed(Difference::new("", "a file that is read", fault.what)),
    }
}
