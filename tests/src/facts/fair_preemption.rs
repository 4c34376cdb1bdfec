//! Preemption by the FairScheduler (area preemption: fair-scenario, fair-starvation, fair-node, fair-settings,
//! request-visit).

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::config::fair::{FairConf, read};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, AttemptId, ContainerId, Resource, ResourceTypes};
use heddle_core::preemption::fair::{Claims, Search, visit};
use heddle_core::rm::{
    AllocateCall, AskRow, NodeReport, NodeSpec, Properties, ResourceManager, RmSettings, SchedulerChoice, Submission,
};
use heddle_core::scheduler::ContainerState;
use indexmap::IndexMap;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "fair-scenario" => |case| played(scenario(case), case),
        "fair-starvation" => |case| played(starvation(case), case),
        "fair-node" => |case| played(node(case), case),
        "fair-settings" => |case| played(settings(case), case),
        "request-visit" => request_visit,
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

/// Reads `[memory, vcores]`.
fn pair(v: &Value) -> Resource {
    Resource::new(int(&v[0]), int(&v[1]))
}

fn as_text(v: &Value) -> String {
    v.as_str().map_or_else(|| v.to_string(), str::to_owned)
}

/// Returns the elements of a queue other than its children, by their own names.
fn elements(queue: &Value) -> String {
    let mut out = String::new();
    for (key, value) in queue.as_object().into_iter().flatten() {
        match key.as_str() {
            "path" => {}
            "policy" => out += &format!("<schedulingPolicy>{}</schedulingPolicy>", text(value)),
            "minResources" => out += &format!("<{key}>{} mb,{} vcores</{key}>", value[0], value[1]),
            _ => out += &format!("<{key}>{}</{key}>", as_text(value)),
        }
    }
    out
}

/// Returns the elements of the queues directly below a path, with everything below them.
fn below(queues: &[(String, String)], path: &str) -> String {
    let mut out = String::new();
    for (name, inner) in queues {
        let Some((parent, last)) = name.rsplit_once('.').filter(|(parent, _)| *parent == path) else { continue };
        debug_assert!(!parent.is_empty());
        out += &format!("<queue name=\"{last}\">{inner}{}</queue>", below(queues, name));
    }
    out
}

/// Returns an allocation file with these queues, by path, and further elements.
fn file(queues: &[(String, String)], further: &str) -> String {
    let root = queues.iter().find(|(path, _)| path == "root").map(|(_, inner)| inner.as_str());
    let tree = below(queues, "root");
    let tree = root.map_or(tree.clone(), |inner| format!("<queue name=\"root\">{inner}{tree}</queue>"));
    let rules = r#"<queuePlacementPolicy><rule name="specified"/><rule name="default"/></queuePlacementPolicy>"#;
    format!("<allocations>{tree}{further}{rules}</allocations>")
}

/// A cluster that a case drives.
struct FairPreemptionWorld {
    rm: ResourceManager,
    apps: IndexMap<String, AppId>,
    /// The containers of the greedy application before anything was preempted.
    full: Vec<(ContainerId, String)>,
    searches: Vec<Vec<Search>>,
}

const NODES_OF_ONE_RACK: &str = "/rack-of-";

impl FairPreemptionWorld {
    fn start(given: &Value) -> Result<Self, String> {
        let queues: Vec<_> =
            list(&given["queues"]).iter().map(|q| (text(&q["path"]).to_owned(), elements(q))).collect();
        let policy = given["policy"].as_str().unwrap_or("fair");
        let policy = format!("<defaultQueueSchedulingPolicy>{policy}</defaultQueueSchedulingPolicy>");
        let mut site = Properties::default();
        for (name, value) in given["settings"].as_object().into_iter().flatten() {
            if name == "delay_before_next_starvation_check_ms" {
                site.insert("yarn.scheduler.fair.waitTimeBeforeKill".into(), "0".into());
                site.insert("yarn.scheduler.fair.waitTimeBeforeNextStarvationCheck".into(), as_text(value));
            } else {
                site.insert(name.clone(), as_text(value));
            }
        }
        // The settings of Hadoop's FairScheduler tests, whose ResourceManager has just started.
        for (name, value) in [
            ("yarn.scheduler.minimum-allocation-mb", "0"),
            ("yarn.scheduler.maximum-allocation-mb", "10240"),
            ("yarn.scheduler.increment-allocation-mb", "1024"),
            ("yarn.scheduler.fair.assignmultiple", "false"),
            ("yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms", "100000000"),
        ] {
            site.entry(name.into()).or_insert_with(|| value.into());
        }
        let fair_allocations = Some(file(&queues, &policy));
        let scheduler = SchedulerChoice::Fair;
        let settings = RmSettings { scheduler, yarn_site: site, fair_allocations, ..RmSettings::default() };
        let mut rm = ResourceManager::new(settings).map_err(|e| e.message)?;
        for node in list(&given["nodes"]) {
            let host = text(&node["id"]);
            let total = Resource::new(int(&node["memory"]), int(&node["vcores"]));
            let rack = format!("{NODES_OF_ONE_RACK}{host}");
            let spec = NodeSpec { host: host.into(), port: 1, rack, total, label: None };
            rm.add_node(spec, &mut Silent).map_err(|e| e.message)?;
        }
        Ok(FairPreemptionWorld { rm, apps: IndexMap::new(), full: Vec::new(), searches: Vec::new() })
    }

    fn app(&self, name: &str) -> Result<AppId, String> {
        self.apps.get(name).copied().ok_or_else(|| format!("no application {name}"))
    }

    fn submit(&mut self, step: &Value) -> Result<AppId, String> {
        let submission =
            Submission { queue: text(&step["queue"]).into(), user: "user".into(), ..Submission::default() };
        let app = self.rm.submit(submission, &mut Silent).map_err(|e| e.message)?;
        let words = self.rm.app(app).and_then(|a| a.rejected().map(|r| r.message.clone()));
        if let Some(words) = words {
            return Err(words);
        }
        self.rm.register(app, &mut Silent).map_err(|e| e.message)?;
        self.apps.insert(text(&step["app"]).into(), app);
        let row = |v: &Value| AskRow {
            priority: 1,
            place: v["where"].as_str().unwrap_or("*").into(),
            size: pair(&v["container"]),
            count: int(&v["count"]),
            relax: v["relax_locality"] != json!(false),
            label: None,
            allocation_request_id: -1,
        };
        let asks = match list(&step["requests"]) {
            [] => vec![row(step)],
            several => several.iter().map(row).collect(),
        };
        let call = AllocateCall { asks, ..AllocateCall::default() };
        self.rm.allocate(app, call, &mut Silent).map_err(|e| e.message)?;
        Ok(app)
    }

    /// Sends this many heartbeats of each node, one node after the other.
    fn heartbeats(&mut self, times: i64) {
        let nodes: Vec<_> = self.rm.nodes().iter().map(|n| n.id).collect();
        for node in nodes {
            for _ in 0..times {
                self.rm.heartbeat(node, NodeReport::default(), &mut Silent);
            }
        }
    }

    fn containers(&self, app: AppId) -> Vec<(ContainerId, String)> {
        let host = |node| self.rm.node(node).map_or(String::new(), |n| n.host.clone());
        let live = self.rm.containers_of(app).filter(|c| c.state != ContainerState::Reserved);
        live.map(|c| (c.id, host(c.node))).collect()
    }

    fn step(&mut self, step: &Value) -> Result<(), String> {
        match text(&step["do"]) {
            "fill" => {
                let app = self.submit(step)?;
                self.rm.update();
                self.heartbeats(int(&step["count"]));
                // Its AM has received them: preempted containers do not restore their requests.
                self.rm.allocate(app, AllocateCall::default(), &mut Silent).map_err(|e| e.message)?;
                self.full = self.containers(app);
                if self.full.len() as i64 != int(&step["count"]) {
                    return Err(format!("it got {} containers", self.full.len()));
                }
            }
            "submit" => drop(self.submit(step)?),
            "turn-into-am" => {
                let app = self.app(text(&step["app"]))?;
                let most = step["per_node"].as_u64().or(step["count"].as_u64()).unwrap_or(0) as usize;
                let mut nodes: IndexMap<String, Vec<ContainerId>> = IndexMap::new();
                for (id, host) in self.containers(app) {
                    nodes.entry(host).or_default().push(id);
                }
                let named = step["node"].as_str();
                for (_, ids) in nodes.iter().filter(|(host, _)| named.is_none_or(|n| n == host.as_str())) {
                    ids.iter().take(most).for_each(|id| self.rm.count_as_am(*id));
                }
            }
            "advance" => {
                let ms = step["ms"].as_i64().unwrap_or(0) + int(&step["seconds"]) * 1000;
                self.rm.set_now(self.rm.now() + ms);
            }
            "update" => {
                self.rm.update();
                self.searches.push(self.rm.serve_starved(&mut Silent));
            }
            "update-and-preempt" => {
                self.rm.update();
                self.searches.push(self.rm.serve_starved(&mut Silent));
                self.rm.kill_warned(&mut Silent);
            }
            "heartbeat-all" => self.heartbeats(int(&step["times_each"])),
            other => return Err(format!("no step {other}")),
        }
        Ok(())
    }

    fn counts(&self) -> Value {
        let count = |(name, id): (&String, &AppId)| (name.clone(), json!(self.containers(*id).len()));
        self.apps.iter().map(count).collect::<Map<_, _>>().into()
    }
}

fn scenario(case: &Case) -> Result<Value, String> {
    let mut world = FairPreemptionWorld::start(&case.given)?;
    let mut after = Map::new();
    for (i, step) in list(&case.given["steps"]).iter().enumerate() {
        world.step(step).map_err(|why| format!("step {}: {why}", i + 1))?;
        after.insert((i + 1).to_string(), world.counts());
    }
    let left: BTreeSet<ContainerId> = world.apps.values().flat_map(|id| world.containers(*id)).map(|c| c.0).collect();
    let killed = world.full.iter().filter(|(id, _)| !left.contains(id));
    let mut on_node: IndexMap<String, i64> = world.rm.nodes().iter().map(|n| (n.host.clone(), 0)).collect();
    let mut preempted = 0;
    for (_, host) in killed {
        preempted += 1;
        *on_node.entry(host.clone()).or_default() += 1;
    }
    let hosts = |name: &str| -> Vec<String> {
        world.apps.get(name).map_or(Vec::new(), |id| world.containers(*id).into_iter().map(|c| c.1).collect())
    };
    let hosts = hosts("starving");
    let distinct = hosts.iter().collect::<BTreeSet<_>>().len() == hosts.len();
    Ok(json!({
        "containers": world.counts(), "containers_after_step": after, "preempted": preempted,
        "preempted_on_node": on_node, "starving_containers_on_distinct_nodes": distinct,
    }))
}

fn starvation(case: &Case) -> Result<Value, String> {
    let mut world = FairPreemptionWorld::start(&case.given)?;
    for (i, step) in list(&case.given["steps"]).iter().enumerate() {
        world.step(step).map_err(|why| format!("step {}: {why}", i + 1))?;
    }
    let upto = |n: usize| world.searches.iter().take(n).map(Vec::len).sum::<usize>();
    let all = || world.searches.iter().flatten();
    let apps: BTreeSet<AppId> = all().map(|s| s.app).collect();
    let mut queues: Vec<&str> = Vec::new();
    for path in all().map(|s| world.rm.queue_path(s.queue)) {
        if !queues.contains(&path) {
            queues.push(path);
        }
    }
    // Compared as a set, since the order of the text is irrelevant.
    let wanted: Vec<&str> = list(&case.expect["starved_queues"]).iter().map(text).collect();
    queues.sort_by_key(|q| wanted.iter().position(|w| w == q));
    Ok(json!({
        "unique_starved_apps": apps.len(), "starved_queues": queues,
        "times_queued_after_first_update": upto(1), "times_queued_after_second_update": upto(2),
        "times_queued_after_third_update": upto(3),
        "starved_apps_tracked": world.rm.fair().is_some_and(|s| s.conf().preemption.on),
    }))
}

/// Plays the accounting of one node: claims and their applications.
fn node(case: &Case) -> Result<Value, String> {
    let initial = &case.given["initial_containers"];
    let (total, size) = (pair(&case.given["node"]), pair(&initial["resource"]));
    let id = |app: u32, seq| ContainerId { app: AppId(app), attempt: 1, seq };
    let number = |v: &Value| text(v).trim_start_matches('c').parse::<u64>().map_err(|e| e.to_string());
    let mut allocated = size.times(int(&initial["count"]));
    let mut claims = Claims::default();
    // The remaining demand of each starved application; `None`: it has stopped.
    let mut starving: IndexMap<String, Option<Resource>> = IndexMap::new();
    let mut after_marks = Resource::ZERO;
    for step in list(&case.given["steps"]) {
        let of = |apps: &IndexMap<String, Option<Resource>>, key: &str| {
            apps.get_index_of(text(&step[key])).ok_or_else(|| format!("no application {}", step[key]))
        };
        let attempt = |i: usize| AttemptId { app: AppId(1 + i as u32), attempt: 1 };
        match text(&step["do"]) {
            "starving-app" => drop(starving.insert(text(&step["app"]).into(), Some(pair(&step["demand"])))),
            "mark" => {
                claims.add(attempt(of(&starving, "for")?), [(id(0, number(&step["container"])?), size)]);
                after_marks = claims.total();
            }
            "release" => {
                claims.ended(id(0, number(&step["container"])?));
                allocated -= size;
            }
            "stop-app" => {
                let i = of(&starving, "app")?;
                starving[i] = None;
            }
            "assign-preempted" => {
                let wants = |apps: &IndexMap<String, Option<Resource>>, a: AttemptId| {
                    apps[a.app.index() - 1].filter(|left| !left.is_zero())
                };
                claims.keep(|a| wants(&starving, a).is_some());
                for (a, _) in claims.waiting().to_vec() {
                    let got = wants(&starving, a).unwrap_or_default();
                    allocated += got;
                    claims.fulfil(a, got);
                    starving[a.app.index() - 1] = Some(Resource::ZERO);
                }
                claims.keep(|a| wants(&starving, a).is_some());
            }
            other => return Err(format!("no step {other}")),
        }
    }
    let shown = |r: Resource| json!([r.memory_mb(), r.vcores()]);
    Ok(json!({
        "reserved_after_marks": shown(after_marks), "reserved_at_end": shown(claims.total()),
        "allocated_at_end": shown(allocated), "allocated_at_end_is_full": allocated == total,
    }))
}

fn settings(case: &Case) -> Result<Value, String> {
    let properties = case.given["properties"].as_object().into_iter().flatten();
    let site: Properties = properties.map(|(k, v)| (k.clone(), as_text(v))).collect();
    let conf = FairConf::read(&site).map_err(|e| e.message)?;
    let named = case.expect["am_preemption"].as_object().into_iter().flatten();
    let am: Map<_, _> = named.map(|(q, _)| (q.clone(), json!(conf.preemption.takes_am(q)))).collect();
    let queues: Vec<_> =
        case.given["queues"].as_object().into_iter().flatten().map(|(path, q)| (path.clone(), elements(q))).collect();
    let text = file(&queues, &elements(&case.given["defaults_seconds"]));
    let (read, _) = read("fair-scheduler.xml", &text, &ResourceTypes::default(), false).map_err(|p| p.what)?;
    let rounded = |x: f32| json!((f64::from(x) * 1e6).round() / 1e6);
    let mut configured: IndexMap<&str, Map<String, Value>> = IndexMap::new();
    for (key, queues) in case.expect["configured_ms"].as_object().into_iter().flatten() {
        for (path, _) in queues.as_object().into_iter().flatten() {
            let own = read.queues.get(path).map(|q| q.preemption).unwrap_or_default();
            let root = (path == "root").then_some(read.patience);
            let value = match key.as_str() {
                "minSharePreemptionTimeout" => {
                    json!(own.minimum_timeout_ms.or(root.map(|r| r.minimum_ms)).unwrap_or(-1))
                }
                "fairSharePreemptionTimeout" => json!(own.fair_timeout_ms.or(root.map(|r| r.fair_ms)).unwrap_or(-1)),
                _ => own.threshold.or(root.map(|r| r.threshold)).map_or(json!(-1), rounded),
            };
            configured.entry(key).or_default().insert(path.clone(), value);
        }
    }
    let settings =
        RmSettings { scheduler: SchedulerChoice::Fair, fair_allocations: Some(text), ..RmSettings::default() };
    let rm = ResourceManager::new(settings).map_err(|e| e.message)?;
    let scheduler = rm.fair().ok_or("it is no FairScheduler")?;
    let mut effective = Map::new();
    for (path, _) in case.expect["effective"].as_object().into_iter().flatten() {
        let id = scheduler.find_queue(path).ok_or_else(|| format!("no queue {path}"))?;
        let p = scheduler.queue(id).patience;
        effective.insert(
            path.clone(),
            json!({
                "fairSharePreemptionTimeout_ms": p.fair_ms, "minSharePreemptionTimeout_ms": p.minimum_ms,
                "fairSharePreemptionThreshold": rounded(p.threshold),
            }),
        );
    }
    Ok(json!({ "am_preemption": am, "configured_ms": configured, "effective": effective }))
}

/// Plays requests of one priority and size, in the order in which they are visited.
fn request_visit(case: &Case) -> Outcome {
    let rack = text(&case.given["rack"]);
    let mut visited = visit::Visited::default();
    let visits = list(&case.given["visit_order"]).iter().map(text);
    let counted: Vec<bool> = visits
        .map(|name| match name {
            "*" => visited.anywhere(),
            name if name == rack => visited.rack(name),
            _ => visited.node(rack),
        })
        .collect();
    holds(&case.expect, &json!({ "counted": counted })).into()
}
