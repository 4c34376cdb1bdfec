//! Facts about Samza's ApplicationMaster: requests, buffers, the allocator, failures, racks.

use super::samza_lab::{Cluster, Lab};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use crate::facts::read::{int, list, text};
use crate::trace::samza::{one_task_each, texts};
use heddle_core::apps::samza::strategy::decision::AskReason;
use heddle_core::apps::samza::strategy::job::ContainerModel;
use heddle_core::apps::samza::strategy::requests::{Request, RequestMode, Requests};
use heddle_core::apps::samza::strategy::{
    Allocated, Decision, Event, Failure, JobModel, Racks, Report, Settings, Start, Status, Wish,
};
use heddle_core::model::{AppId, ContainerId, Millis};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "request_state" => |c| against(c, request_state(&c.given, &c.expect)),
        "request_queue_order" => |c| against(c, order(&c.given, false)),
        "delayed_queue_order" => |c| against(c, order(&c.given, true)),
        "initial_requests" => |c| against(c, initial_requests(&c.given)),
        "allocator_run" => |c| against(c, allocator_run(&c.given, &c.expect)),
        "allocation_expired" => |c| against(c, allocation_expired(&c.given)),
        "job_start" => |c| against(c, job_start(&c.given)),
        "launch_failure" => |c| against(c, launch_failure(&c.given)),
        "failure_counter" => |c| against(c, failure_counter(&c.given)),
        "failure_sequence" => |c| against(c, failure_sequence(&c.given, &c.expect)),
        "fault_domain" => |c| against(c, fault_domain(&c.given)),
        _ => return None,
    })
}

/// Keys whose named entries must be complete.
const WHOLE: [&str; 10] = [
    "host_request_counts",
    "launched",
    "launched_hosts",
    "running",
    "groups",
    "tasks",
    "containers",
    "read",
    "processor_locality",
    "task_locality",
];

pub(super) fn against(case: &Case, got: Result<Value, String>) -> Outcome {
    let got = got.unwrap_or_else(|what| json!({ "cannot be played": what }));
    let extra = |key: &&str| match (&case.expect[*key], &got[*key]) {
        (Value::Object(expected), Value::Object(got)) => got.keys().any(|k| !expected.contains_key(k)),
        _ => false,
    };
    match WHOLE.iter().find(|key| extra(key)) {
        Some(key) => Outcome::Failed(Difference::new(*key, &case.expect[*key], &got[*key])),
        None => holds(&case.expect, &got).into(),
    }
}

fn container(seq: usize) -> ContainerId {
    ContainerId { app: AppId(0), attempt: 1, seq: seq as u64 }
}

fn request(id: usize, processor: &str, wish: Wish, at: Millis) -> Request {
    Request { id: id as u64, processor: processor.into(), wish, at, racks: BTreeSet::new() }
}

fn request_state(given: &Value, expect: &Value) -> Result<Value, String> {
    let affinity = given["host_affinity"] == true;
    let (mut requests, mut report) = (Requests::new(affinity, RequestMode::Strict), Report::default());
    let (mut made, mut names): (Vec<(String, Request)>, Vec<String>) = (Vec::new(), Vec::new());
    for s in list(&given["steps"]) {
        match text(&s["do"]) {
            "request" => {
                let wish = s["host"].as_str().map_or(Wish::AnyHost, Wish::of);
                let r = request(made.len(), text(&s["processor"]), wish, int(&s["delay_ms"]));
                made.push((text(&s["request"]).into(), r.clone()));
                requests.add(0, r, &mut report);
            }
            "allocate" => {
                names.push(text(&s["container"]).into());
                requests.granted(0, container(names.len() - 1), text(&s["host"]), &mut report);
            }
            "assign" => {
                let name = text(&s["request"]);
                let (_, r) = made.iter().find(|(n, _)| n == name).ok_or("no such request")?;
                let at = names.iter().position(|n| *n == text(&s["container"])).ok_or("no such container")?;
                requests.assigned(r, &Wish::of(text(&s["buffer"])), container(at));
            }
            "drop_from_buffers" => {
                let at = names.iter().position(|n| *n == text(&s["container"])).ok_or("no such container")?;
                requests.forget(container(at));
            }
            other => return Err(format!("unknown step {other}")),
        }
    }
    let buffers: Map<String, Value> = requests
        .buffers()
        .iter()
        .map(|(w, b)| (w.name().into(), b.iter().map(|x| json!(names[x.container.seq as usize])).collect()))
        .collect();
    let sent =
        report.operations.iter().filter(|o| matches!(o, heddle_core::apps::samza::strategy::Operation::Request(_)));
    let name_of = |r: &Request| made.iter().find(|(_, m)| m.id == r.id).map(|(n, _)| n.clone());
    Ok(json!({
        "asks_sent": sent.count(),
        "pending": requests.queue().count(),
        "delayed": requests.delayed().count(),
        "head": requests.head().and_then(name_of),
        "host_request_counts": requests.counts().iter().map(|(w, n)| (w.name().into(), json!(n))).collect::<Map<_, _>>(),
        "absent_buffers": absent(&buffers, expect),
        "buffers": buffers,
    }))
}

/// Returns the places that should have no buffer and have none.
fn absent(buffers: &Map<String, Value>, expect: &Value) -> Vec<Value> {
    list(&expect["absent_buffers"]).iter().filter(|h| !buffers.contains_key(text(h))).cloned().collect()
}

fn order(given: &Value, delayed: bool) -> Result<Value, String> {
    let (mut requests, mut report) = (Requests::new(false, RequestMode::Strict), Report::default());
    let all = list(&given["requests"]);
    for (i, r) in all.iter().enumerate() {
        let at = int(&r["t_s"]) * 1000;
        requests.add(
            if delayed { -1 } else { 1_000_000 },
            request(i, text(&r["processor"]), Wish::AnyHost, at),
            &mut report,
        );
    }
    let name = |r: &Request| all[r.id as usize]["request"].clone();
    let order: Vec<Value> =
        if delayed { requests.delayed().map(name).collect() } else { requests.queue().map(name).collect() };
    Ok(json!({ "order": order }))
}

/// Returns a model of these ids; the contents of the containers do not matter.
fn ids(of: &Value) -> JobModel {
    let containers = of.as_object().into_iter().flatten().map(|(id, _)| (id.clone(), ContainerModel::default()));
    JobModel { containers: containers.collect() }
}

fn initial_requests(given: &Value) -> Result<Value, String> {
    let lab = Lab::new(given, &[], ids(&given["last_seen"]), &given["last_seen"])?;
    let keys: Vec<String> = lab.samza.requests().counts().keys().map(|w| w.name().to_string()).collect();
    Ok(json!({
        "asks_sent": lab.asks.len(), "pending": lab.pending(), "delayed": lab.samza.requests().delayed().count(),
        "host_request_counts": lab.counts(), "host_request_count_keys": keys, "counters": lab.counters(),
    }))
}

fn allocator_run(given: &Value, expect: &Value) -> Result<Value, String> {
    let last_seen = &given["last_seen"];
    let model = if last_seen.is_object() { ids(last_seen) } else { JobModel::default() };
    let mut lab = if given["assume_every_request_expired"] == true {
        if given["host_affinity"] == true {
            return Err("every request expired, with host affinity: the allocator would never end".into());
        }
        let settings = Settings::of(&crate::trace::samza::config(&given["config"])).map_err(|r| format!("{r:?}"))?;
        let settings = Settings { request_timeout_ms: -1, host_affinity: false, ..settings };
        let (stream, nodes, kept, changed) = Default::default();
        Lab::start(Start { settings, mode: RequestMode::Strict, model, stream, nodes, kept, changed, next_request: 0 })
    } else {
        Lab::new(given, &[], model, last_seen)?
    };
    lab.cluster = Cluster::of(text(&given["cluster"]));
    lab.take(given);
    let buffers_before_run = lab.buffers();
    let (run, begin) = (text(&given["run"]), lab.now);
    let for_ms = |unit: &str, each: Millis| run.strip_suffix(unit)?.trim().parse::<Millis>().ok()?.checked_mul(each);
    if let Some(ms) = for_ms("ms", 1).or_else(|| for_ms("s", 1000)) {
        lab.until(|lab| lab.now - begin > ms);
    } else if let Some((what, n)) = run.trim_start_matches("until").trim_start_matches(['_', ' ']).split_once('=') {
        let n: u64 = n.parse().map_err(|_| format!("cannot run {run}"))?;
        let what = what.to_string();
        lab.until(|lab| match what.as_str() {
            "asks_sent" => lab.asks.len() as u64 >= n,
            "launched" | "launched_count" | "launched_containers" => lab.launched.len() as u64 >= n,
            "released" => lab.released.len() as u64 >= n,
            other => lab.counters()[other].as_u64().is_some_and(|c| c >= n),
        });
    } else if run == "until_idle" || run == "until idle" {
        lab.tick();
        lab.until(Lab::idle);
        lab.tick();
    } else if matches!(run, "once" | "one pass" | "one_pass" | "one tick" | "one_tick") {
        lab.tick();
    } else if !run.is_empty() {
        return Err(format!("cannot run {run}"));
    }
    let launched: Map<String, Value> = lab
        .launched
        .iter()
        .map(|(p, c)| (p.clone(), json!({ "container": lab.name(*c), "host": lab.host(*c) })))
        .collect();
    let mut containers: Vec<String> = lab.launched.values().map(|c| lab.name(*c)).collect();
    containers.sort();
    let hosts: Map<String, Value> = lab.launched.iter().map(|(p, c)| (p.clone(), json!(lab.host(*c)))).collect();
    let cancelled: BTreeSet<&str> = lab.cancelled.iter().map(Wish::name).collect();
    let wishes: BTreeSet<&str> = lab.asks.iter().map(Wish::name).collect();
    let expiries = lab.decisions.iter().filter_map(|d| match d {
        Decision::Asked { processor, wish, why: AskReason::TooOld(_), .. } => {
            Some(json!({ "processor": processor, "host": wish.name() }))
        }
        _ => None,
    });
    let counted = |f: &dyn Fn(&Decision) -> bool| lab.decisions.iter().filter(|d| f(d)).count() as i64;
    let expired = counted(&|d| matches!(d, Decision::Expired { .. }));
    let checks = expired + counted(&|d| matches!(d, Decision::Waits { .. }));
    let mut released = lab.released.clone();
    released.sort();
    let includes =
        |wanted: &Value| list(wanted).iter().filter(|w| released.contains(&text(w).into())).cloned().collect::<Value>();
    let counters = lab.counters();
    let at_least = |(k, n): (&String, &Value)| {
        let (has, least) = (int(&counters[k]), int(n));
        (k.clone(), if has >= least { json!(least) } else { json!(has) })
    };
    let handled = match &expect["expiry_handled"] {
        Value::Number(_) => json!(expired),
        _ => json!(expired > 0),
    };
    let below = int(&expect["expiry_checks_less_than"]);
    let absent_buffers = absent(&lab.buffers(), expect);
    Ok(json!({
        "launched": launched, "launched_containers": containers, "launched_hosts": hosts,
        "launched_count": lab.launched.len(), "released": released,
        "released_includes": includes(&expect["released_includes"]),
        "pending": lab.pending(), "delayed": lab.samza.requests().delayed().count(),
        "host_request_counts": lab.counts(), "absent_buffers": absent_buffers,
        "buffers_before_run": buffers_before_run, "cancelled_asks": lab.cancelled.len(), "cancelled_hosts": cancelled,
        "counters_at_least": expect["counters_at_least"].as_object().into_iter().flatten().map(at_least).collect::<Map<_, _>>(),
        "counters": counters, "allocation_expiry_events": expiries.collect::<Vec<_>>(), "expiry_handled": handled,
        "expiry_checks_less_than": if checks < below { below } else { checks },
        "all_requests_preferred_host": if wishes.len() == 1 { json!(wishes.first()) } else { json!(wishes) },
    }))
}

fn allocation_expired(given: &Value) -> Result<Value, String> {
    let mut lab = Lab::new(&json!({ "host_affinity": true }), &[], JobModel::default(), &Value::Null)?;
    lab.ask("0", &json!("host"));
    lab.grant("c", "host", int(&given["age_ms"]));
    lab.tick();
    Ok(json!({ "expired": lab.launched.is_empty() }))
}

fn job_start(given: &Value) -> Result<Value, String> {
    let ha = [("yarn.am.high-availability.enabled", (given["am_ha"] == true).to_string())];
    let ha: Vec<(&str, &str)> = ha.iter().map(|(k, v)| (*k, v.as_str())).collect();
    let count = int(&given["containers"]) as i32;
    let settings = Lab::new(given, &ha, JobModel::default(), &Value::Null)?.samza.settings().clone();
    let running: Vec<String> =
        list(&given["running_from_previous_attempt"]).iter().map(|p| text(p).to_string()).collect();
    let at = |i: usize| Allocated { container: container(1000 + i), host: format!("host-{i}"), at: 0 };
    let kept = running.iter().enumerate().map(|(i, p)| (p.clone(), at(i))).collect();
    let (stream, nodes) = Default::default();
    let changed = given["force_restart"] == true;
    let model = one_task_each(count, settings.replication);
    let lab =
        Lab::start(Start { settings, mode: RequestMode::Strict, model, stream, nodes, kept, changed, next_request: 0 });
    let stopped: Vec<&String> = lab.stopped.iter().filter_map(|c| running.get(c.seq as usize - 1000)).collect();
    Ok(json!({ "needed": lab.samza.counters().needed, "requested": lab.asks.len(), "stopped": stopped }))
}

fn launch_failure(given: &Value) -> Result<Value, String> {
    let mut lab = Lab::new(given, &[], Lab::model(2, given), &Value::Null)?;
    let pending = &given["pending_launch"];
    let (p, host) = (text(&pending["processor"]), text(&pending["host"]));
    for (i, host) in ["host-a", "host-b", "host-c", "host-d"].iter().enumerate().take(lab.pending()) {
        // The processor's own container arrives where the case says.
        let own = lab.samza.requests().queue().nth(i).is_some_and(|r| r.processor == p);
        lab.grant(&format!("c{i}"), if own { text(&pending["host"]) } else { host }, 0);
    }
    lab.tick();
    let failed = *lab.launched.get(p).ok_or("it was not launched")?;
    let before = lab.asks.len();
    lab.handle(Event::LaunchFailed(failed, host.into()));
    let sent = (lab.asks.len() - before) as i64 + int(&given["asks_sent_before"]);
    Ok(json!({ "asks_sent": sent, "last_ask_host": lab.asks.last().map(Wish::name) }))
}

fn failure_counter(given: &Value) -> Result<Value, String> {
    let mut after = Vec::new();
    for failure in list(&given["failures"]) {
        let mut lab = Lab::new(given, &[], one_task_each(1, 1), &given["last_seen"])?;
        let host = given["last_seen"]["0"].as_str().unwrap_or("host1");
        lab.grant("c", host, 0);
        lab.tick();
        let running = lab.by_name("c");
        lab.handle(Event::Started(running));
        let previous = &failure["previous"];
        if previous.is_object() {
            let record = Failure {
                count: int(&previous["count"]) as i32,
                at: lab.now - int(&previous["age_ms"]),
                delay: int(&previous["retry_delay_ms"]),
            };
            lab.samza.failures_mut().insert("0".into(), record);
        }
        lab.handle(Event::Completed(vec![(running, int(&failure["exit_code"]) as i32)]));
        after.push(json!({
            "count": lab.samza.failures().get("0").map(|f| f.count), "job_failure": lab.samza.job_failed(),
            "should_shutdown": lab.samza.ends().is_some(), "pending": lab.pending(),
            "delayed": lab.samza.requests().delayed().count(),
        }));
    }
    Ok(json!({ "after": after }))
}

fn status_name(status: Status) -> &'static str {
    crate::trace::samza_view::status(status)
}

fn failure_sequence(given: &Value, expect: &Value) -> Result<Value, String> {
    let count = int(&given["containers"]) as i32;
    let mut lab = Lab::new(given, &[], one_task_each(count, 1), &given["last_seen"])?;
    let mut after = Vec::new();
    for (i, e) in list(&given["events"]).iter().enumerate() {
        let code = int(&e["code"]) as i32;
        if let Some(p) = e["start"].as_str() {
            let (name, host) = (text(&e["container"]), text(&e["host"]));
            lab.grant(name, host, 0);
            let container = lab.by_name(name);
            lab.until(|lab| lab.launched.get(p) == Some(&container));
            lab.handle(Event::Started(container));
            lab.samza.stream_mut().write_host(p, host);
        } else if let Some(p) = e["exit"].as_str() {
            let container = lab.samza.running().get(p).map(|x| x.container);
            let container = container.or(lab.launched.get(p).copied()).ok_or("it does not run")?;
            lab.handle(Event::Completed(vec![(container, code)]));
        } else if let Some(name) = e["completed_container"].as_str().or(e["exit_container"].as_str()) {
            lab.handle(Event::Completed(vec![(lab.by_name(name), code)]));
        } else if let Some(name) = e["allocate"].as_str().or(e["container"].as_str().filter(|_| e["allocate"] == true))
        {
            lab.grant(name, text(&e["host"]), 0);
            lab.tick();
        } else if let Some(what) = e["launched"].as_str() {
            let container = lab.launched.get(what).copied().unwrap_or_else(|| lab.by_name(what));
            lab.until(|lab| lab.samza.pending().values().any(|x| x.container == container));
            lab.handle(Event::Started(container));
        } else {
            return Err(format!("unknown event {e}"));
        }
        let hosts: Vec<String> = lab.samza.requests().queue().map(|r| r.wish.name().to_string()).collect();
        let as_container = |p: &str| {
            expect["after"][i]["placement"][p].as_str() == lab.launched.get(p).map(|c| lab.name(*c)).as_deref()
        };
        let placement = lab.launched.iter().map(|(p, c)| {
            let place = if as_container(p) { lab.name(*c) } else { lab.host(*c) };
            (p.clone(), json!(place))
        });
        after.push(json!({
            "pending": lab.pending(), "pending_hosts": hosts, "should_shutdown": lab.samza.ends().is_some(),
            "job_healthy": lab.samza.healthy(), "asks_sent": lab.asks.len(),
            "status": status_name(lab.samza.status()), "redundant_notifications": lab.samza.counters().redundant,
            "counted_as_failure": lab.samza.counters().failed_containers, "released": lab.released.len(),
            "placement": placement.collect::<Map<_, _>>(),
        }));
    }
    let failed = lab.samza.counters().failed_containers;
    Ok(json!({ "after": after, "counted_as_failure": failed, "released": lab.released.len() }))
}

fn fault_domain(given: &Value) -> Result<Value, String> {
    let mut racks = Racks::new(texts(&given["cache"]));
    racks.set_running(texts(&given["running_nodes"]));
    let hosts = list(&given["hosts"]);
    Ok(match text(&given["query"]) {
        "domain_of" => {
            let domain = racks.of(text(&given["host"])).map(str::to_string);
            json!({ "domain": domain, "cache_refreshes": racks.refreshes() })
        }
        "same" if hosts.len() == 2 => {
            let same = racks.same(text(&hosts[0]), text(&hosts[1]));
            json!({ "same": same, "cache_refreshes": racks.refreshes() })
        }
        other => return Err(format!("unknown query {other}")),
    })
}
