//! Single rules of the FairScheduler (area fair-scheduler): limits, headroom, locality, names, permissions, corrected
//! requests.

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::config::fair::{FairConf, Policy, queue_name};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, RequestKey, Resource, ResourceTypes};
use heddle_core::rm::{
    AllocateCall, AskRow, NodeReport, NodeSpec, Properties, ResourceManager, RmSettings, SchedulerChoice, Submission,
};
use heddle_core::scheduler::Locality;
use heddle_core::scheduler::fair::{
    Level, Sortable, am_limit, clean, headroom, is_legal, is_path, next_level, ratios, rooted,
};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "am_limit" => |case| played(Ok(limit_of_masters(case)), case),
        "headroom" => |case| played(Ok(room(case)), case),
        "drf_ratios" | "drf_min_ratios" => |case| played(Ok(ratios_of(case)), case),
        "locality_level" | "locality_level_by_time" => |case| played(levels(case), case),
        "locality_timer_start" => |case| played(timer_start(case), case),
        "clean_name" => |case| played(Ok(json!({ "names": names(case, |n| json!(clean(n))) })), case),
        "assure_root" => |case| played(Ok(json!({ "names": names(case, assured) })), case),
        "valid_requested_queue" => |case| played(Ok(json!({ "valid": names(case, |n| json!(is_legal(n))) })), case),
        "queue_name_part_valid" => {
            |case| played(Ok(json!({ "valid": names(case, |n| json!(is_path(&format!("root.{n}")))) })), case)
        }
        "trim_queue_name" => |case| played(Ok(json!({ "trimmed": names(case, |n| json!(queue_name(n))) })), case),
        "acl_admin" => |case| played(administrators(case), case),
        "queue_max_container" => |case| played(largest(case), case),
        "refresh_maximum" => |case| played(refreshed(case), case),
        "autocorrect" => |case| played(corrected(case), case),
        _ => return None,
    })
}

/// Turns a failure to play into a difference.
fn played(result: Result<Value, String>, case: &Case) -> Outcome {
    match result {
        Ok(got) => holds(&case.expect, &got).into(),
        Err(why) => Outcome::Failed(Difference::new("", "to be played", why)),
    }
}

fn names(case: &Case, of: impl Fn(&str) -> Value) -> Vec<Value> {
    list(&case.given["names"]).iter().map(|n| of(text(n))).collect()
}

/// Returns the full name; an empty one stays empty, since other rules place such a submission.
fn assured(name: &str) -> Value {
    if name.is_empty() { json!("") } else { json!(rooted(name)) }
}

fn site(v: &Value) -> Properties {
    let pairs = v.as_object().into_iter().flatten();
    pairs.map(|(k, v)| (k.clone(), v.as_str().map_or_else(|| v.to_string(), str::to_owned))).collect()
}

/// Returns the types that an amount names.
fn types(v: &Value) -> ResourceTypes {
    let further = v.as_object().into_iter().flatten().map(|(k, _)| k.clone());
    ResourceTypes::with(further.filter(|k| k != "memory_mb" && k != "vcores")).unwrap_or_default()
}

fn key(types: &ResourceTypes, i: usize) -> String {
    if i == 0 { "memory_mb".into() } else { types.names()[i].clone() }
}

fn amount(v: &Value, types: &ResourceTypes) -> Resource {
    let mut out = Resource::ZERO;
    (0..types.len()).for_each(|i| out[i] = v[key(types, i)].as_i64().unwrap_or(0));
    out
}

fn shown(r: Resource, types: &ResourceTypes) -> Value {
    (0..types.len()).map(|i| (key(types, i), json!(r[i]))).collect::<Map<_, _>>().into()
}

fn limit_of_masters(case: &Case) -> Value {
    let given = &case.given;
    let types = types(&given["queue_fair_share"]);
    let of = |name: &str| amount(&given[name], &types);
    let part = given["max_am_share"].as_f64().unwrap_or(0.5) as f32;
    let limit = am_limit(of("queue_fair_share"), of("cluster_available"), of("queue_max"), part);
    let with = of("am_used") + of("am_request");
    let may_run = (0..types.len()).all(|i| with[i] <= limit[i]);
    json!({ "limit": shown(limit, &types), "may_run": may_run })
}

fn room(case: &Case) -> Value {
    let given = &case.given;
    let types = types(&given["cluster"]);
    let of = |name: &str| amount(&given[name], &types);
    let policy = Policy::read(text(&given["policy"])).unwrap_or_default();
    let used = of("queue_used");
    let left = of("cluster") - of("cluster_used");
    let got = headroom(policy, types.len(), left, of("queue_max") - used, of("queue_fair_share") - used);
    json!({ "headroom": shown(got, &types) })
}

fn ratios_of(case: &Case) -> Value {
    let given = &case.given;
    let types = types(&given["usage"]);
    let of = |name: &str| amount(&given[name], &types);
    let weight = given["weight"].as_f64().unwrap_or(1.0) as f32;
    let item = Sortable { used: of("usage"), minimum: of("min"), demand: Resource::ZERO, weight };
    let (rows, dominant) = ratios(of("cluster"), types.len(), &item);
    let column = if given["cluster"].is_null() { 2 } else { 1 };
    let one = |x: f32| if x.is_infinite() { json!("infinity") } else { json!((f64::from(x) * 1e6).round() / 1e6) };
    let all: Map<_, _> = (0..types.len()).map(|i| (key(&types, i), one(rows[i][column]))).collect();
    json!({ "ratios": all, "dominant": key(&types, dominant) })
}

fn level_name(level: Locality) -> &'static str {
    match level {
        Locality::NodeLocal => "node_local",
        Locality::RackLocal => "rack_local",
        Locality::OffSwitch => "off_switch",
    }
}

/// Returns settings with these delays, by offers or by time.
fn delays(given: &Value) -> Result<FairConf, String> {
    let mut site = Properties::default();
    for (name, property) in [
        ("node_threshold", "locality.threshold.node"),
        ("rack_threshold", "locality.threshold.rack"),
        ("node_delay_ms", "locality-delay-node-ms"),
        ("rack_delay_ms", "locality-delay-rack-ms"),
    ] {
        if !given[name].is_null() {
            site.insert(format!("yarn.scheduler.fair.{property}"), given[name].to_string());
        }
    }
    let by_time = !given["node_delay_ms"].is_null();
    site.insert("yarn.scheduler.fair.continuous-scheduling-enabled".into(), by_time.to_string());
    FairConf::read(&site).map_err(|e| e.message)
}

fn levels(case: &Case) -> Result<Value, String> {
    let conf = delays(&case.given)?;
    let nodes = case.given["nodes"].as_u64().unwrap_or(0) as usize;
    let (mut level, mut offers, mut now): (Option<Level>, i64, i64) = (None, 0, 0);
    let mut out = Vec::new();
    for step in list(&case.given["steps"]) {
        match text(&step["op"]) {
            "query" => {
                let next = next_level(&conf, level, offers, nodes, now);
                out.push(level_name(next.map_or(Locality::OffSwitch, |(level, _)| level.allowed)));
                level = next.map(|(level, _)| level);
                if next.is_some_and(|(_, anew)| anew) {
                    offers = 0;
                }
            }
            "opportunity" => offers += 1,
            "reset_opportunities" => offers = 0,
            "advance_ms" => now += int(&step["ms"]),
            "set_level" => {
                let allowed = match text(&step["level"]) {
                    "node_local" => Locality::NodeLocal,
                    "rack_local" => Locality::RackLocal,
                    _ => Locality::OffSwitch,
                };
                level = Some(Level { allowed, since: now });
            }
            other => return Err(format!("no step {other}")),
        }
    }
    Ok(json!({ "levels": out }))
}

fn timer_start(case: &Case) -> Result<Value, String> {
    let conf = delays(&case.given)?;
    let first = next_level(&conf, None, 0, 0, int(&case.given["first_offer_ms"]));
    Ok(json!({ "waiting_counted_from_ms": first.map(|(level, _)| level.since) }))
}

fn start(allocation: &Value, yarn_site: Properties) -> Result<ResourceManager, String> {
    let fair_allocations = allocation.as_str().map(str::to_owned);
    let scheduler = SchedulerChoice::Fair;
    let settings = RmSettings { scheduler, yarn_site, fair_allocations, ..RmSettings::default() };
    ResourceManager::new(settings).map_err(|e| e.message)
}

fn administrators(case: &Case) -> Result<Value, String> {
    let rm = start(&case.given["allocation"], Properties::default())?;
    let fair = rm.fair().ok_or("it is no FairScheduler")?;
    let may = |check: &Value| {
        let groups: Vec<String> = list(&check["groups"]).iter().map(|g| text(g).to_owned()).collect();
        fair.may_administer(text(&check["queue"]), text(&check["user"]), &groups)
    };
    let may: Vec<bool> = list(&case.given["checks"]).iter().map(may).collect();
    Ok(json!({ "may_administer": may }))
}

fn largest(case: &Case) -> Result<Value, String> {
    let rm = start(&case.given["allocation"], site(&case.given["yarn_site"]))?;
    let fair = rm.fair().ok_or("it is no FairScheduler")?;
    let mut out = Map::new();
    for (path, _) in case.expect["max_container"].as_object().into_iter().flatten() {
        let queue = fair.find_queue(path).ok_or_else(|| format!("no queue {path}"))?;
        let most = fair.largest_container(rm.cluster(), Some(queue));
        out.insert(path.clone(), shown(most, &rm.cluster().types));
    }
    Ok(json!({ "max_container": out }))
}

fn refreshed(case: &Case) -> Result<Value, String> {
    let mut rm = start(&Value::Null, site(&case.given["before"]))?;
    let most = |rm: &ResourceManager| shown(rm.cluster().maximum, &rm.cluster().types);
    let before = most(&rm);
    rm.refresh_maximum(&site(&case.given["after"])).map_err(|e| e.message)?;
    Ok(json!({ "maximum": [before, most(&rm)] }))
}

/// Allocates containers that the AM has not received, then sends a call with requests.
fn corrected(case: &Case) -> Result<Value, String> {
    let switch = "yarn.resourcemanager.scheduler.autocorrect.container.allocation";
    let on = case.given["enabled"] == json!(true);
    let mut rm = start(&Value::Null, Properties::from_iter([(switch.to_string(), on.to_string())]))?;
    let total = Resource::new(1 << 20, 1000);
    let spec = NodeSpec { host: "host1".into(), port: 1, rack: "/r".into(), total, label: None };
    let node = rm.add_node(spec, &mut Silent).map_err(|e| e.message)?;
    let submission = Submission { queue: "root.a".into(), user: "user".into(), ..Submission::default() };
    let app = rm.submit(submission, &mut Silent).map_err(|e| e.message)?;
    rm.register(app, &mut Silent).map_err(|e| e.message)?;
    let row = |v: &Value| -> Result<AskRow, String> {
        if v["execution_type"] != json!("guaranteed") {
            return Err(format!("there are no containers of type {}", v["execution_type"]));
        }
        Ok(AskRow {
            priority: int(&v["priority"]) as i32,
            place: v["resource"].as_str().unwrap_or("*").into(),
            size: Resource::new(int(&v["memory_mb"]), int(&v["vcores"])),
            count: int(&v["containers"]),
            relax: true,
            label: None,
            allocation_request_id: int(&v["allocation_id"]),
        })
    };
    let asks = list(&case.given["not_yet_handed_over"]).iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let wanted: i64 = asks.iter().map(|r| r.count).sum();
    rm.allocate(app, AllocateCall { asks, ..AllocateCall::default() }, &mut Silent).map_err(|e| e.message)?;
    rm.update();
    for _ in 0..wanted {
        rm.heartbeat(node, NodeReport::default(), &mut Silent);
    }
    let asks = list(&case.given["asks"]).iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let call = AllocateCall { asks: asks.clone(), ..AllocateCall::default() };
    let answer = rm.allocate(app, call, &mut Silent).map_err(|e| e.message)?;
    let asked: Vec<i64> = asks.iter().map(|r| count(&rm, app, r)).collect();
    Ok(json!({ "asked": asked, "handed_over": answer.allocated.len() }))
}

/// Returns the present count of a row.
fn count(rm: &ResourceManager, app: AppId, row: &AskRow) -> i64 {
    let key = RequestKey { priority: row.priority, allocation_request_id: row.allocation_request_id };
    let asks = rm.scheduled(app).map(|a| &a.asks);
    let found = asks.and_then(|asks| Some(asks.at(asks.find(key)?)));
    let place = rm.cluster().find_place(&row.place);
    found.zip(place).and_then(|(asks, place)| asks.row(place)).map_or(0, |row| row.count)
}
