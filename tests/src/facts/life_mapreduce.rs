//! MapReduce's ApplicationMaster (area lifecycles, kinds `mr-…`).

use super::read::{int, list, resource, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::api::{
    AllocateCall, AllocateResponse, AmPreemptionPolicy, Completed, Granted, NegotiableContract, NodeReport, NodeSpec,
    PreemptionMessage, RmSettings, SchedulerChoice, Submission,
};
use heddle_core::apps::mapreduce::strategy::allocator::{
    Allocator, FAILED_MAP, HeartbeatEffect, Job, MAP, REDUCE, TaskEnd, TaskKind,
};
use heddle_core::apps::mapreduce::strategy::reduces::{Counts, Figures, Ramp, ReduceSettings, ramp};
use heddle_core::apps::mapreduce::strategy::requestor::{Avoiding, Request};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, Resource};
use heddle_core::rm::ResourceManager;
use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "mr-allocator" | "mr-blacklist" | "mr-node-report" => with_cluster,
        "mr-assign" => assign,
        "mr-available-containers" => available_containers,
        "mr-blacklist-ignore" => blacklist_ignore,
        "mr-exit" => exit,
        "mr-oversize" => oversize,
        "mr-preemption-policy" => preemption_policy,
        "mr-recompute" => recompute,
        "mr-reduce-preempt" => reduce_preempt,
        "mr-reduce-ramp" => reduce_ramp,
        "mr-running-limits" => running_limits,
        "mr-withdraw-reduces" => withdraw_reduces,
        _ => return None,
    })
}

const RACK: &str = "/default-rack";
const BIG: Resource = Resource::new(1 << 30, 1 << 20);

fn fault(message: impl std::fmt::Display) -> Difference {
    Difference::new("", "to be played", message)
}

fn id(seq: u64) -> ContainerId {
    ContainerId { app: AppId(0), attempt: 1, seq }
}

fn size_or(v: &Value, default: Resource) -> Resource {
    if v.is_array() { resource(v) } else { default }
}

/// Returns a job with tasks of the sizes that a case gives.
fn job(g: &Value, maps: i64, reduces: i64) -> Job {
    let one = Resource::new(1024, 1);
    let defaults = ReduceSettings::default();
    let seconds = |key: &str, default: Millis| g[key].as_i64().map_or(default, |s| if s < 0 { s } else { s * 1000 });
    let float = |key: &str, default: f32| g[key].as_f64().map_or(default, |x| x as f32);
    Job {
        maps,
        reduces,
        map_size: size_or(&g["map_size"], one),
        reduce_size: size_or(&g["reduce_size"], one),
        reduce_settings: ReduceSettings {
            slow_start: float("slow_start", defaults.slow_start),
            ramp_up_limit: float("ramp_up_limit", defaults.ramp_up_limit),
            no_headroom_delay: seconds("no_headroom_delay_s", defaults.no_headroom_delay),
            unconditional_delay: seconds("unconditional_delay_s", defaults.unconditional_delay),
            ..defaults
        },
        avoiding: Avoiding {
            failures: g["max_failures_per_node"].as_u64().map_or(3, |n| n as u32),
            ignore_percent: g["ignore_threshold_percent"].as_i64().map_or(33, |n| n as i32),
            ..Avoiding::default()
        },
        map_limit: int(&g["map_limit"]),
        reduce_limit: int(&g["reduce_limit"]),
        largest: BIG,
        counts: counts(&g["resource_types"]),
        ..Job::default()
    }
}

fn counts(types: &Value) -> Counts {
    if list(types).iter().any(|t| t == "cpu") { Counts::MemoryAndVcores } else { Counts::Memory }
}

fn request(attempt: u32, hosts: &Value, rack_of: impl Fn(&str) -> String, at: Millis) -> Request {
    let hosts: Vec<String> = list(hosts).iter().map(|h| text(h).to_string()).collect();
    let racks: IndexSet<String> = hosts.iter().map(|h| rack_of(h)).collect();
    Request { attempt, hosts, racks: racks.into_iter().collect(), at, ..Request::default() }
}

fn rack_in(topology: &Value) -> impl Fn(&str) -> String + '_ {
    |host| topology[host].as_str().unwrap_or(RACK).to_string()
}

/// All reduces have the same progress.
fn alike(_: u32) -> Millis {
    0
}

/// A job's allocator at a ResourceManager with the FifoScheduler, as in the unit tests.
struct Lab<'a> {
    rm: ResourceManager,
    app: AppId,
    allocator: Allocator,
    tasks: IndexSet<String>,
    given: &'a Value,
    assigned: IndexMap<String, String>,
    updated_nodes: Vec<usize>,
    kills: Vec<Vec<String>>,
}

impl<'a> Lab<'a> {
    fn new(given: &'a Value) -> Result<Self, Difference> {
        let settings = RmSettings { scheduler: SchedulerChoice::Fifo, ..RmSettings::default() };
        let mut rm = ResourceManager::new(settings).map_err(|r| fault(r.message))?;
        let mut hosts: IndexMap<String, i64> = IndexMap::new();
        match &given["nodes"] {
            Value::Object(nodes) => hosts.extend(nodes.iter().map(|(host, mb)| (host.clone(), int(mb)))),
            nodes => hosts.extend(list(nodes).iter().map(|host| (text(host).to_string(), 10_240))),
        }
        // Nodes that only steps name.
        for step in list(&given["steps"]) {
            let named = list(&step["nodes"]).iter().chain(step.get("node")).chain(step.get("host"));
            for host in named.filter_map(Value::as_str) {
                hosts.entry(host.to_string()).or_insert(10_240);
            }
        }
        for (host, mb) in hosts {
            let rack = rack_in(&given["topology"])(&host);
            let spec = NodeSpec { host, port: 1, rack, total: Resource::new(mb, mb / 1024), label: None };
            rm.add_node(spec, &mut Silent).map_err(|r| fault(r.message))?;
        }
        let submission = Submission { queue: "default".into(), user: "user".into(), ..Submission::default() };
        let app = rm.submit(submission, &mut Silent).map_err(|r| fault(r.message))?;
        rm.register(app, &mut Silent).map_err(|r| fault(r.message))?;
        let allocator = Allocator::new(job(given, 10, 0));
        let mut lab = Lab {
            rm,
            app,
            allocator,
            tasks: IndexSet::new(),
            given,
            assigned: IndexMap::new(),
            updated_nodes: Vec::new(),
            kills: Vec::new(),
        };
        for map in list(&given["maps"]) {
            lab.want(map, false);
        }
        Ok(lab)
    }

    fn attempt(&mut self, task: &Value) -> u32 {
        self.tasks.insert_full(text(task).to_string()).0 as u32
    }

    fn name(&self, attempt: u32) -> String {
        self.tasks.get_index(attempt as usize).cloned().unwrap_or_default()
    }

    fn want(&mut self, map: &Value, failed_before: bool) {
        let attempt = self.attempt(&map["task"]);
        let request = request(attempt, &map["hosts"], rack_in(&self.given["topology"]), self.rm.now());
        self.allocator.want_map(request, failed_before);
    }

    fn node(&self, host: &Value) -> Result<NodeId, Difference> {
        self.rm.node_by_host(text(host)).ok_or_else(|| fault(format!("no node {host}")))
    }

    fn report(&mut self, step: &Value, unhealthy: bool) -> Result<(), Difference> {
        for host in list(&step["nodes"]) {
            let node = self.node(host)?;
            self.rm.heartbeat(node, NodeReport { unhealthy, ..NodeReport::default() }, &mut Silent);
        }
        Ok(())
    }

    fn step(&mut self, step: &Value) -> Result<(), Difference> {
        match text(&step["do"]) {
            "map-request" => self.want(step, step["earlier_attempt_failed"] == true),
            "map-request-after-failure" => self.want(step, true),
            "am-heartbeat" => self.am_heartbeat(step)?,
            "node-heartbeats" => self.report(step, false)?,
            "nodes-unhealthy" => self.report(step, true)?,
            "task-failed-on" => self.allocator.failed_on(text(&step["host"])),
            "map-running" => {
                let (attempt, node) = (self.attempt(&step["task"]), self.node(&step["node"])?);
                self.allocator.has(attempt, TaskKind::Map, id(1000 + u64::from(attempt)), node);
            }
            other => return Err(fault(format!("unknown step {other}"))),
        }
        Ok(())
    }

    fn am_heartbeat(&mut self, step: &Value) -> Result<(), Difference> {
        let call = self.allocator.call();
        let said = json!({ "asks_sent": call.asks.len(), "blacklist_additions": call.blacklist_add.len(),
            "blacklist_removals": call.blacklist_remove.len() });
        let answer = self.rm.allocate(self.app, call, &mut Silent).map_err(|r| fault(r.message))?;
        let hosts = hosts_of(&self.rm);
        let host_of = |node: NodeId| hosts.get(node.index()).cloned().unwrap_or_default();
        let told = self.allocator.heard(&answer, (0, 0), &host_of, &alike, self.rm.now());
        let (mut assigned, mut kills, mut updated) = (Vec::new(), Vec::new(), 0);
        for what in told {
            match what {
                HeartbeatEffect::NodesChanged(nodes) => updated = nodes,
                HeartbeatEffect::Kill { attempt, .. } => kills.push(self.name(attempt)),
                HeartbeatEffect::Assigned { attempt, container } => {
                    let node = answer.allocated.iter().find(|g| g.id == container).map(|g| g.node);
                    let host = node.map(|n| host_of(n).0).unwrap_or_default();
                    self.assigned.insert(self.name(attempt), host.clone());
                    assigned.push(host);
                }
                HeartbeatEffect::Ended { .. } | HeartbeatEffect::GaveBack(_) => {}
            }
        }
        self.updated_nodes.push(updated);
        self.kills.push(kills);
        for (key, value) in step.as_object().into_iter().flatten() {
            let got = match key.as_str() {
                "do" => continue,
                "assigned" => json!(assigned.len()),
                "all_on" => {
                    let all = assigned.iter().all(|host| value == host.as_str());
                    if all { value.clone() } else { json!(assigned) }
                }
                key => said[key].clone(),
            };
            holds(value, &got).map_err(|d| d.inside(key))?;
        }
        Ok(())
    }
}

/// Returns the host and the rack of each node.
fn hosts_of(rm: &ResourceManager) -> Vec<(String, String)> {
    rm.nodes().iter().map(|n| (n.host.clone(), rm.cluster().place_name(n.rack).to_string())).collect()
}

fn with_cluster(case: &Case) -> Outcome {
    let run = || {
        let mut lab = Lab::new(&case.given)?;
        for (i, step) in list(&case.given["steps"]).iter().enumerate() {
            lab.step(step).map_err(|d| d.inside(format!("step {i}")))?;
        }
        let mut assigned: Vec<&String> = lab.assigned.keys().collect();
        assigned.sort();
        let got = json!({ "error": null, "assigned_tasks": assigned, "updated_nodes": lab.updated_nodes,
            "task_kill_events": lab.kills });
        holds(&case.expect, &got)
    };
    run().into()
}

/// Returns a response with containers of a priority on nodes given by number.
fn grants(nodes: &[usize], priority: i32, size: Resource, from: u64) -> AllocateResponse {
    let granted = |(i, node): (u64, &usize)| Granted {
        id: id(from + i),
        node: NodeId::from(*node),
        size,
        priority,
        allocation_request_id: -1,
        tags: Vec::new(),
    };
    AllocateResponse { allocated: (0..).zip(nodes).map(granted).collect(), ..AllocateResponse::default() }
}

fn assign(case: &Case) -> Outcome {
    let g = &case.given;
    let maps = list(&g["scheduled_maps"]);
    let mut allocator = Allocator::new(job(g, maps.len() as i64, 0));
    for (attempt, map) in (0..).zip(maps) {
        allocator.want_map(request(attempt, &map["hosts"], rack_in(&g["topology"]), 0), false);
    }
    let rack_of = rack_in(&g["topology"]);
    let mut hosts: IndexSet<&str> = IndexSet::new();
    let nodes: Vec<usize> = list(&g["allocated_in_order"]).iter().map(|h| hosts.insert_full(text(h)).0).collect();
    let host_of = |node: NodeId| {
        let host = hosts.get_index(node.index()).copied().unwrap_or("");
        (host.to_string(), rack_of(host))
    };
    let answer = grants(&nodes, int(&g["priority"]) as i32, Resource::new(1024, 1), 1);
    let (mut on, mut on_h1) = (Map::new(), Vec::new());
    for what in allocator.heard(&answer, (0, 0), &host_of, &alike, 0) {
        let HeartbeatEffect::Assigned { attempt, container } = what else { continue };
        let task = maps.get(attempt as usize).map_or("", |m| text(&m["task"]));
        let node = answer.allocated.iter().find(|granted| granted.id == container).map(|granted| granted.node);
        let host = node.map(|n| host_of(n).0).unwrap_or_default();
        if host == "h1" {
            on_h1.push(task);
        }
        on.insert(task.to_string(), json!(host));
    }
    on_h1.sort_unstable();
    holds(&case.expect, &json!({ "task_on": on, "tasks_on_h1": on_h1 })).into()
}

fn available_containers(case: &Case) -> Outcome {
    let g = &case.given;
    let got = counts(&g["resource_types"]).containers(resource(&g["available"]), resource(&g["need"]));
    holds(&case.expect, &json!({ "containers": got })).into()
}

fn blacklist_ignore(case: &Case) -> Outcome {
    let avoiding = job(&json!({ "ignore_threshold_percent": case.given["threshold_percent"] }), 0, 0).avoiding;
    let one = |pair: &Value| avoiding.is_too_many(int(&pair["blacklisted"]) as usize, int(&pair["known"]) as usize);
    let got: Vec<bool> = list(&case.given["pairs"]).iter().map(one).collect();
    holds(&case.expect, &json!({ "ignore": got })).into()
}

fn exit(case: &Case) -> Outcome {
    let event = match TaskEnd::of(int(&case.given["exit_status"]) as i32) {
        TaskEnd::Killed => "kill",
        TaskEnd::Completed => "completed",
    };
    holds(&case.expect, &json!({ "task_attempt_event": event })).into()
}

fn nowhere(_: NodeId) -> (String, String) {
    ("h0".to_string(), RACK.to_string())
}

fn oversize(case: &Case) -> Outcome {
    let g = &case.given;
    let size = resource(&g["size"]);
    let job = Job { map_size: size, reduce_size: size, largest: resource(&g["max_container"]), ..job(g, 0, 1) };
    let mut allocator = Allocator::new(job);
    match text(&g["task_type"]) {
        "map" => allocator.want_map(Request::default(), false),
        _ => allocator.want_reduce(Request::default(), false),
    };
    // A reduce is requested once something has changed.
    allocator.heard(&grants(&[0], MAP, size, 9), (0, 0), &nowhere, &alike, 0);
    let asks = allocator.call().asks.len();
    holds(&case.expect, &json!({ "asks": asks })).into()
}

/// Plays running containers, and preemption messages.
fn preemption_policy(case: &Case) -> Outcome {
    let g = &case.given;
    let policy = match text(&g["policy"]) {
        "kill" => AmPreemptionPolicy::Kill,
        "checkpoint" => AmPreemptionPolicy::Checkpoint,
        _ => AmPreemptionPolicy::None,
    };
    let digits = |v: &Value| text(v).trim_start_matches(|c: char| !c.is_ascii_digit()).parse().ok();
    let number = |v: &Value| v.as_u64().or_else(|| digits(v)).unwrap_or(0);
    let numbers = |v: &Value| list(v).iter().map(number).map(id).collect::<Vec<ContainerId>>();
    // "0..39, even number = map, odd number = reduce, each [2048,2]", a list with names and one size, or named containers.
    let words = text(&g["containers"]);
    let listed = list(&g["containers"]);
    let own = listed.first().map_or(&g["size"], |first| &first["size"]);
    let size = match words.rsplit_once('[').map(|(_, size)| serde_json::from_str::<Value>(&format!("[{size}"))) {
        Some(Ok(size)) => resource(&size),
        _ => size_or(own, Resource::new(1024, 1)),
    };
    let last = words.split_once("..").and_then(|(_, rest)| rest.split(',').next()?.trim().parse::<u64>().ok());
    let mut containers: IndexSet<u64> = last.map_or_else(IndexSet::new, |last| (0..=last).collect());
    containers.extend(listed.iter().map(|c| number(&c["name"])));
    for key in ["strict_containers", "contract_containers"] {
        containers.extend(list(&g[key]).iter().map(number));
    }
    let mut allocator = Allocator::new(Job { map_size: size, reduce_size: size, policy, ..job(g, 99, 99) });
    for n in &containers {
        let kind = if n % 2 == 0 { TaskKind::Map } else { TaskKind::Reduce };
        allocator.has(*n as u32, kind, id(*n), NodeId(0));
    }
    // Only requests that may be anywhere are answered.
    let requests = std::slice::from_ref(&g["contract_request"]);
    let requests = g["contract_request"].as_array().map_or(requests, Vec::as_slice);
    let anywhere = requests.iter().find(|r| r.get("name").is_none_or(|name| name == "*"));
    let contract = anywhere.unwrap_or(&Value::Null);
    let negotiable = g["contract_containers"].is_array().then(|| NegotiableContract {
        containers: numbers(&g["contract_containers"]),
        size: resource(&contract["size"]),
        count: int(&contract["count"]),
    });
    let preempt = PreemptionMessage { strict: numbers(&g["strict_containers"]), negotiable };
    let answer = AllocateResponse { preempt, ..AllocateResponse::default() };
    let mut events = 0;
    let mut after: Vec<Vec<u32>> = Vec::new();
    for _ in 0..g["messages"].as_u64().unwrap_or(2) {
        let told = allocator.heard(&answer, (0, 0), &nowhere, &alike, 0);
        if after.is_empty() {
            events = told.iter().filter(|t| matches!(t, HeartbeatEffect::Kill { .. })).count();
        }
        after.push(allocator.asked_back().iter().copied().collect());
    }
    let preempted = after.first().cloned().unwrap_or_default();
    let memory = preempted.len() as i64 * size.memory_mb();
    let mut got = json!({
        "task_kill_events": events,
        "preempted": preempted,
        "only_reduces": preempted.iter().all(|n| n % 2 == 1),
        "second_message_changes_set": after.iter().any(|set| *set != preempted),
    });
    for (key, holds) in [
        ("preempted_memory_at_least", case.expect["preempted_memory_at_least"].as_i64().is_some_and(|x| memory >= x)),
        ("preempted_memory_at_most", case.expect["preempted_memory_at_most"].as_i64().is_some_and(|x| memory <= x)),
    ] {
        got[key] = if holds { case.expect[key].clone() } else { json!(memory) };
    }
    holds(&case.expect, &got).into()
}

fn recompute(case: &Case) -> Outcome {
    let g = &case.given;
    let mut allocator = Allocator::new(job(g, 10, 10));
    let mut looked = Vec::new();
    for step in list(&g["steps"]) {
        allocator.call();
        let done = int(&step["heartbeat"]["completed_maps"]);
        allocator.heard(&AllocateResponse::default(), (done, 0), &nowhere, &alike, 0);
        looked.push(allocator.looked_at_reduces());
    }
    // Null marks a value that is not compared.
    let wanted = list(&case.expect["reduce_schedule_recomputed"]);
    let got: Vec<Value> =
        looked.iter().zip(wanted).map(|(l, w)| if w.is_null() { Value::Null } else { json!(l) }).collect();
    holds(&case.expect, &json!({ "reduce_schedule_recomputed": got })).into()
}

/// Returns a job with these numbers of scheduled, pending and running tasks. Attempts are numbered from 0 for maps, and
/// from 1000 for reduces.
fn job_under_way(g: &Value, now: Millis) -> Allocator {
    let count = |key: &str| g[key].as_i64().unwrap_or_else(|| list(&g[key]).len() as i64);
    let times = list(&g["scheduled_maps_request_time_ms"]);
    let maps = count("scheduled_maps").max(times.len() as i64);
    let (scheduled, pending) = (count("scheduled_reduces"), count("pending_reduces"));
    let (with_map, with_reduce) = (count("assigned_maps"), count("assigned_reduces"));
    let mut allocator = Allocator::new(job(g, maps + with_map, scheduled + pending + with_reduce));
    let rack_of = rack_in(&g["topology"]);
    let hosts = |key: &str, i: i64| g[key].get(i as usize).map_or(Value::Null, |task| task["hosts"].clone());
    for i in 0..scheduled + pending {
        let place = if i < scheduled { hosts("scheduled_reduces", i) } else { hosts("pending_reduces", i - scheduled) };
        allocator.want_reduce(request(1000 + i as u32, &place, &rack_of, 0), false);
    }
    allocator.ramp_up(scheduled);
    for i in 0..maps {
        let asked = times.get(i as usize).map_or(now - int(&g["maps_wait_ms"]), int);
        allocator.want_map(request(i as u32, &hosts("scheduled_maps", i), &rack_of, asked), false);
    }
    for i in 0..with_map {
        allocator.has((maps + i) as u32, TaskKind::Map, id(1 + i as u64), NodeId(0));
    }
    for i in 0..with_reduce {
        allocator.has((1000 + scheduled + pending + i) as u32, TaskKind::Reduce, id(500 + i as u64), NodeId(0));
    }
    allocator.set_headroom(resource(&g["headroom"]));
    // Sends the requests.
    allocator.call();
    allocator
}

fn reduce_preempt(case: &Case) -> Outcome {
    let g = &case.given;
    let mut allocator = job_under_way(g, 1);
    let times: Vec<Millis> = match list(&g["check_times_ms"]) {
        [] => vec![1],
        times => times.iter().map(int).collect(),
    };
    let mut told = Vec::new();
    let mut preempted = Vec::new();
    for at in times {
        allocator.make_room_for_maps(&alike, at, &mut told);
        preempted.push(allocator.making_room().len());
    }
    let why = told.iter().find_map(|t| if let HeartbeatEffect::Kill { why, .. } = t { Some(why.text()) } else { None });
    let kills = told.iter().filter(|t| matches!(t, HeartbeatEffect::Kill { .. })).count();
    let got = json!({ "preempted_reducers": preempted, "kill_events": kills, "diagnostic": why,
        "pending_reduces": allocator.waiting_reduces().0 });
    holds(&case.expect, &got).into()
}

fn withdraw_reduces(case: &Case) -> Outcome {
    let g = &case.given;
    let now = 10_000_000;
    let mut allocator = job_under_way(g, now);
    if !allocator.make_room_for_maps(&alike, now, &mut Vec::new()) {
        allocator.schedule_reduces(0);
    }
    let types = list(&g["reduce_size"]).len().max(2);
    let row = |(priority, name, size, count): (i32, &str, Resource, i64)| {
        let amounts: Vec<i64> = size.0.iter().take(types).copied().collect();
        json!({ "priority": priority, "name": name, "size": amounts, "count": count })
    };
    let asks: Vec<Value> = allocator.requestor().waiting().map(row).collect();
    let (pending, scheduled) = allocator.waiting_reduces();
    let got = json!({ "scheduled_reduces": scheduled, "pending_reduces": pending, "asks_to_send": asks });
    holds(&case.expect, &got).into()
}

fn reduce_ramp(case: &Case) -> Outcome {
    let g = &case.given;
    let figures = Figures {
        total_maps: int(&g["total_maps"]),
        completed_maps: int(&g["completed_maps"]),
        scheduled_maps: int(&g["scheduled_maps"]),
        scheduled_reduces: int(&g["scheduled_reduces"]),
        assigned_maps: int(&g["assigned_maps"]),
        assigned_reduces: int(&g["assigned_reduces"]),
        pending_reduces: int(&g["pending_reduces"]),
        map_size: resource(&g["map_size"]),
        reduce_size: resource(&g["reduce_size"]),
    };
    let mut started = g["reduce_started"] == true;
    let settings = job(g, 0, 0).reduce_settings;
    let limit = resource(&g["resource_limit"]);
    let action = match ramp(&settings, &figures, limit, counts(&g["resource_types"]), &mut started) {
        Ramp::Stay(_) => "none",
        Ramp::Up(_) => "up",
        Ramp::Down(_) => "down",
    };
    holds(&case.expect, &json!({ "started": started, "action": action })).into()
}

/// Plays a job whose containers start and end as the case says, with ample resources.
fn running_limits(case: &Case) -> Outcome {
    let g = &case.given;
    let (maps, reduces) = (int(&g["maps"]), int(&g["reduces"]));
    let mut allocator = Allocator::new(job(g, maps, reduces));
    for i in 0..maps {
        let hosts = if g["hosts_of_map"].is_string() { json!([format!("h{i}")]) } else { Value::Null };
        allocator.want_map(request(i as u32, &hosts, |_| RACK.to_string(), 0), false);
    }
    for i in 0..reduces {
        allocator.want_reduce(request(1000 + i as u32, &Value::Null, |_| RACK.to_string(), 0), false);
    }
    let host_of = |node: NodeId| (format!("h{}", node.0), RACK.to_string());
    let room = || AllocateResponse { headroom: Resource::new(512_000, 1024), nodes: 10, ..AllocateResponse::default() };
    let (mut answer, mut next) = (room(), 1);
    let mut named: IndexMap<String, (ContainerId, TaskKind)> = IndexMap::new();
    let (mut any_maps, mut any_reduces, mut limited) = (0, 0, false);
    let mut done = (0, 0);
    let mut run = || {
        for (i, step) in list(&g["steps"]).iter().enumerate() {
            let at = |d: Difference| d.inside(format!("step {i}"));
            match text(&step["do"]) {
                "heartbeats" => {
                    let mut sent = AllocateCall::default();
                    for _ in 0..step["n"].as_u64().unwrap_or(1) {
                        sent = allocator.call();
                        for row in sent.asks.iter().filter(|row| row.place == "*") {
                            match row.priority {
                                FAILED_MAP | MAP => any_maps = row.count,
                                REDUCE => any_reduces = row.count,
                                _ => {}
                            }
                        }
                        limited |= allocator.requestor().is_limited();
                        let heard = std::mem::replace(&mut answer, room());
                        allocator.heard(&heard, done, &host_of, &alike, 0);
                    }
                    let got = json!({ "do": "heartbeats", "n": step["n"], "asks_sent": sent.asks.len(),
                        "last_any_maps": any_maps, "last_any_reduces": any_reduces });
                    holds(step, &got).map_err(at)?;
                }
                grant @ ("grant-map" | "grant-reduce") => {
                    let kind = if grant == "grant-map" { TaskKind::Map } else { TaskKind::Reduce };
                    let priority = if kind == TaskKind::Map { MAP } else { REDUCE };
                    let node = text(&step["on"]).trim_start_matches('h').parse().unwrap_or(0);
                    let size = if kind == TaskKind::Map { &g["map_size"] } else { &g["reduce_size"] };
                    let size = size_or(size, Resource::new(1024, 1));
                    answer.allocated.extend(grants(&[node], priority, size, next).allocated);
                    named.insert(text(&step["as"]).to_string(), (id(next), kind));
                    next += 1;
                }
                "complete" => {
                    let of = named.get(text(&step["c"]));
                    let (container, kind) = of.copied().ok_or_else(|| fault("no such container"))?;
                    answer.completed.push(Completed { id: container, exit_code: 0, diagnostics: String::new() });
                    match kind {
                        TaskKind::Map => done.0 += 1,
                        TaskKind::Reduce => done.1 += 1,
                    }
                }
                other => return Err(fault(format!("unknown step {other}"))),
            }
        }
        holds(&case.expect, &json!({ "error": null, "limit_applied": limited }))
    };
    run().into()
}
