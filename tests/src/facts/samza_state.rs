//! Facts about the state of Samza's tasks: offset files, restores, the clean-up of orphans.

use super::samza::against;
use crate::conformance::Driver;
use crate::facts::read::{int, list, text};
use crate::trace::samza::config;
use heddle_core::apps::samza::strategy::Settings;
use heddle_core::apps::samza::strategy::state::disks::{Disks, StoreKey, Volume, Wanted};
use heddle_core::apps::samza::strategy::state::monitor::{self, CleanUp};
use heddle_core::apps::samza::strategy::state::paths;
use heddle_core::apps::samza::strategy::state::restore::{self, Checkpoint, Copy, Offsets, Store};
use heddle_core::model::Millis;
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "restore_plain" => |c| against(c, plain(&c.given)),
        "restore_transactional" => |c| against(c, transactional(&c.given, &c.expect)),
        "restore_start" => |c| against(c, start(&c.given, &c.expect)),
        "read_offset_file" => |c| against(c, offset_file(&c.given)),
        "container_storage_start" => |c| against(c, storage_start(&c.given)),
        "local_store_monitor" => |c| against(c, local_store_monitor(&c.given)),
        "offset_file_path" => |c| against(c, path(&c.given)),
        _ => return None,
    })
}

/// The present time, long after the epoch.
const NOW: Millis = 1_700_000_000_000;
const DAY: Millis = 86_400_000;

fn offsets(v: &Value) -> Offsets {
    Offsets { oldest: v["oldest"].as_i64(), newest: v["newest"].as_i64() }
}

fn store(given: &Value) -> Store {
    let flag = |key: &str| given[key] == true;
    Store {
        logged: flag("logged"),
        persistent: flag("persisted"),
        clean: flag("clean_on_container_start") || flag("stores.store1.clean.on.container.start"),
        retention_ms: DAY,
        compaction_lag_ms: 14_400_000,
    }
}

/// Returns when a file was written, from its age or its time.
fn modified(v: &Value, prefix: &str) -> Option<Millis> {
    let age = v[format!("{prefix}age_ms")].as_i64().map(|age| NOW - age);
    age.or_else(|| v[format!("{prefix}mtime_ms")].as_i64()).or_else(|| v[format!("{prefix}time_ms")].as_i64())
}

fn plain(given: &Value) -> Result<Value, String> {
    let (store, changelog) = (store(given), offsets(&given["changelog"]));
    let file = &given["file_offset"];
    let offset = match file.as_str() {
        Some("unreadable") => None,
        // Any other text is an offset of a changelog without numeric offsets.
        Some(other) => Some(other.parse().unwrap_or(1)),
        None => file.as_i64(),
    };
    let written = modified(given, "offset_file_").unwrap_or(NOW);
    let there = !file.is_null() || given.get("directory").is_some();
    let copy = there.then_some(Copy { offset, modified: written });
    let plan = restore::plain(store, copy, changelog, NOW);
    let commits = store.logged && store.persistent && changelog.newest.is_some();
    let event = text(&given["event"]);
    let committed = event.contains("commit") && !event.contains("without");
    let exists = if committed { commits } else { offset.is_some() };
    Ok(json!({
        "directory_deleted": plan.deleted.is_some(), "restore_from": plan.from,
        "offset_file_written_on_commit": commits, "offset_file_exists": exists,
    }))
}

fn transactional(given: &Value, expect: &Value) -> Result<Value, String> {
    let store = store(given);
    let retain = given["task.transactional.state.retain.existing.state"] != false;
    let dirs = list(&given["checkpoint_dirs"]);
    let copies: Vec<Option<i64>> = dirs.iter().map(|d| d["offset"].as_i64().filter(|_| d["valid"] != false)).collect();
    let checkpoint = Checkpoint {
        offset: given["checkpointed_offset"].as_i64(),
        age: NOW - modified(given, "checkpoint_").unwrap_or(NOW),
    };
    let plan = restore::transactional(store, retain, &copies, checkpoint, offsets(&given["changelog"]));
    let names: Vec<&str> = dirs.iter().map(|d| text(&d["dir"])).collect();
    let mut delete: Vec<&str> = if store.persistent { vec!["current"] } else { Vec::new() };
    delete.extend(names.iter().enumerate().filter(|(i, _)| plan.kept != Some(*i)).map(|(_, n)| *n));
    let kept = plan.kept.and_then(|i| names.get(i));
    let includes: Vec<&Value> = list(&expect["delete_includes"]).iter().filter(|d| delete.contains(&text(d))).collect();
    let one_of = list(&expect["retain_one"]).iter().any(|n| kept == Some(&text(n)));
    let retain_one =
        if expect["retain_one"].is_array() && one_of { expect["retain_one"].clone() } else { json!(kept.is_some()) };
    let restore = (plan.rule != restore::Rule::NotLogged).then(|| json!({ "from": plan.from, "to": plan.to }));
    // Unnamed bounds of a range are null.
    let (from, to) = (plan.from, plan.to);
    if let Some(wanted) = expect["restore"].as_object()
        && (wanted.get("from").is_some_and(Value::is_null) != from.is_none()
            || wanted.get("to").is_some_and(Value::is_null) != to.is_none())
    {
        return Err(format!("restored from {from:?} to {to:?}"));
    }
    if expect.get("retain").is_some_and(Value::is_null) && kept.is_some() {
        return Err(format!("kept {kept:?}"));
    }
    Ok(json!({
        "delete": delete, "delete_count": delete.len(), "delete_includes": includes, "retain": kept,
        "retain_one": retain_one, "restore": restore,
    }))
}

fn start(given: &Value, expect: &Value) -> Result<Value, String> {
    let range = &given["restore"];
    match restore::first_read(given["oldest"].as_i64(), int(&range["from"]), range["to"].as_i64()) {
        Ok(first) => Ok(json!({ "first_offset_read": first })),
        Err(_) => Ok(json!({ "error": expect["error"] })),
    }
}

fn offset_file(given: &Value) -> Result<Value, String> {
    let file = |name: &str| given["files"][name].as_str();
    Ok(json!({ "offset": paths::offset(file(paths::OFFSETS), file(paths::OFFSET), text(&given["changelog"])) }))
}

const VOLUME: Volume = Volume { size: 1, rate: 0, overhead: 1000 };

fn place(store: &str) -> StoreKey {
    StoreKey { job: "job-1".into(), store: store.into(), task: "Partition 0".into() }
}

fn storage_start(given: &Value) -> Result<Value, String> {
    let mut disks = Disks::default();
    let names: Vec<&str> = list(&given["job_store_directories"]).iter().map(text).collect();
    for name in &names {
        disks.commit("host", place(name), VOLUME, 0, NOW);
    }
    let kept = Store { logged: true, persistent: true, clean: false, retention_ms: DAY, compaction_lag_ms: 14_400_000 };
    let checkpoints = given["checkpoints_read"].as_object().is_some_and(|read| !read.is_empty());
    let wanted: Vec<Wanted> =
        names.iter().map(|n| Wanted { place: place(n), store: kept, volume: VOLUME, processed: 0 }).collect();
    disks.start("host", &wanted, checkpoints, NOW);
    let after: Vec<&String> = disks.on("host").map(|(p, ..)| &p.store).collect();
    Ok(json!({ "job_store_directories_after": after }))
}

fn local_store_monitor(given: &Value) -> Result<Value, String> {
    let mut disks = Disks::default();
    for (store, directory) in given["directories"].as_object().into_iter().flatten() {
        match modified(directory, "offset_file_") {
            Some(written) => disks.commit("host", place(store), VOLUME, 0, written),
            None => disks.restored("host", place(store), VOLUME),
        }
    }
    let started = text(&given["job_status"]) == "STARTED";
    let here = given["preferred_host"] == given["host"];
    let known: Vec<&str> = list(&given["task_stores"]).iter().map(text).collect();
    let (mut files, mut stores) = (Vec::new(), Vec::new());
    for _ in 0..given["runs"].as_u64().unwrap_or(1) {
        let used = |p: &StoreKey| (started, known.contains(&p.store.as_str()), here);
        for (place, what) in disks.clean_up("host", used, NOW, monitor::OFFSET_TTL_MS) {
            match what {
                CleanUp::OffsetFile(_) => files.push(place.store),
                CleanUp::Directory => stores.push(place.store),
                CleanUp::InUse | CleanUp::Fresh(_) => {}
            }
        }
    }
    Ok(json!({ "offset_file_deleted": files, "store_deleted": stores }))
}

fn path(given: &Value) -> Result<Value, String> {
    let mut properties = config(&json!({ "job.name": given["job.name"], "job.id": given["job.id"] }));
    properties.retain(|_, v| v != "null");
    let settings = Settings::of(&properties).map_err(|r| format!("{r:?}"))?;
    let base = given["env"]["LOGGED_STORE_BASE_DIR"].as_str().or(given["LOGGED_STORE_BASE_DIR"].as_str());
    let base = paths::base(base, &settings).ok_or("no directory outlives the application")?;
    let directory = paths::directory(&base, text(&given["store"]), text(&given["task"]));
    Ok(json!({ "path": format!("{directory}/{}", paths::OFFSET) }))
}
