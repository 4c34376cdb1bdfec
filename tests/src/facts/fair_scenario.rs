//! Whole FairSchedulers and FifoSchedulers, step by step (area fair-scheduler: scenario, fifo_scenario).

use super::read::{int, list, text};
use crate::conformance::compare::{holds, within};
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::check::Check;
use heddle_core::journal::{Entry, Finding, Full, Silent};
use heddle_core::model::{AppId, QueueId, Resource};
use heddle_core::rm::{
    AllocateCall, AmAsk, AskRow, NodeReport, NodeSpec, Properties, ResourceManager, RmEvent, RmSettings,
    SchedulerChoice, Submission,
};
use heddle_core::scheduler::fair::{FairQueue, rooted};
use heddle_core::scheduler::{Container, ContainerState, Node};
use indexmap::IndexMap;
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "scenario" => |case| play(case, SchedulerChoice::Fair),
        "fifo_scenario" => |case| play(case, SchedulerChoice::Fifo),
        _ => return None,
    })
}

/// The maximum number of containers in an entry of a request.
const CONTAINERS: i64 = 100_000;

struct FairWorld {
    rm: ResourceManager,
    apps: IndexMap<String, AppId>,
    /// The applications whose first container is the AM's, which was requested at the submission.
    managed: Vec<String>,
    /// The result of the latest action that may be refused.
    last: &'static str,
    yarn_site: Properties,
    /// The AM limit of each queue when it was last checked.
    am_limits: IndexMap<QueueId, Resource>,
    /// The number of the last reserved container seen of an application.
    reserved_numbers: IndexMap<AppId, u64>,
}

/// The reason why a case cannot be played.
enum CaseStop {
    /// No driver supports the step.
    Unsupported(String),
    /// It failed.
    Failed(String),
}

impl From<String> for CaseStop {
    fn from(why: String) -> Self {
        CaseStop::Failed(why)
    }
}

fn play(case: &Case, scheduler: SchedulerChoice) -> Outcome {
    match run(case, scheduler) {
        Ok(outcome) => outcome,
        Err(CaseStop::Unsupported(what)) => Outcome::Unsupported(format!("{} ({what})", case.kind)),
        Err(CaseStop::Failed(why)) => Outcome::Failed(Difference::new("", "to be played", why)),
    }
}

fn run(case: &Case, scheduler: SchedulerChoice) -> Result<Outcome, CaseStop> {
    let site = case.given["yarn_site"].as_object().into_iter().flatten();
    let mut yarn_site: Properties =
        site.map(|(k, v)| (k.clone(), v.as_str().map_or_else(|| v.to_string(), str::to_owned))).collect();
    // A unit test's ResourceManager has just started.
    let wait = "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms";
    yarn_site.entry(wait.into()).or_insert_with(|| "10000".into());
    let steps = list(&case.given["steps"]);
    // Nodes without vcores appear only in cases without a minimum.
    if steps.iter().any(|s| s["op"] == "add_node" && s["vcores"] == 0) {
        yarn_site.entry("yarn.scheduler.minimum-allocation-vcores".into()).or_insert_with(|| "0".into());
    }
    let fair_allocations = Some(straight(case.given["allocation"].as_str().unwrap_or("<allocations></allocations>")))
        .filter(|_| scheduler == SchedulerChoice::Fair);
    let settings = RmSettings { scheduler, yarn_site: yarn_site.clone(), fair_allocations, ..RmSettings::default() };
    let rm = ResourceManager::new(settings).map_err(|e| e.message)?;
    let mut world = FairWorld {
        rm,
        apps: IndexMap::new(),
        managed: Vec::new(),
        last: "",
        yarn_site,
        am_limits: IndexMap::new(),
        reserved_numbers: IndexMap::new(),
    };
    let checks = list(&case.expect["checks"]);
    if let Some(late) = checks.iter().find(|c| c["after_steps"].as_u64().is_none_or(|n| n as usize > steps.len())) {
        return Err(format!("no step {}", late["after_steps"]).into());
    }
    for done in 0..=steps.len() {
        if done > 0 {
            world.act(&steps[done - 1], &steps[done..]).map_err(|stop| match stop {
                CaseStop::Failed(why) => CaseStop::Failed(format!("step {done}: {why}")),
                other => other,
            })?;
        }
        for check in checks.iter().filter(|c| c["after_steps"].as_u64() == Some(done as u64)) {
            if let Err(d) = world.check(check)? {
                return Ok(Outcome::Failed(d.inside(format!("after {done} steps"))));
            }
        }
    }
    Ok(Outcome::Passed)
}

/// Returns the allocation file with rules that put an application into the queue that it names and nowhere else, as these
/// cases require.
fn straight(allocation: &str) -> String {
    const RULES: &str = r#"<queuePlacementPolicy><rule name="specified"/><rule name="reject"/></queuePlacementPolicy>"#;
    let own = allocation.split_once("<queuePlacementPolicy>");
    let own = own.and_then(|(before, rest)| Some((before, rest.split_once("</queuePlacementPolicy>")?.1)));
    let rest = own.map_or(allocation.to_owned(), |(before, after)| format!("{before}{after}"));
    rest.replace("</allocations>", &format!("{RULES}</allocations>"))
}

fn size(v: &Value) -> Resource {
    Resource::new(int(&v["memory_mb"]), v["vcores"].as_i64().unwrap_or(1))
}

impl FairWorld {
    fn app(&self, name: &str) -> Result<AppId, String> {
        self.apps.get(name).copied().ok_or_else(|| format!("no application {name}"))
    }

    fn note<T, E>(&mut self, result: Result<T, E>, fine: &'static str) {
        self.last = if result.is_ok() { fine } else { "error" };
    }

    fn after_call(&mut self) {
        for event in self.rm.take_events() {
            if let RmEvent::LaunchAm { attempt, .. } = event {
                let _ = self.rm.register(attempt.app, &mut Silent);
            }
        }
    }

    fn act(&mut self, step: &Value, later: &[Value]) -> Result<(), CaseStop> {
        let (name, host) = (text(&step["app"]), text(&step["node"]));
        let node = |w: &FairWorld| w.rm.node_by_host(host).ok_or_else(|| format!("no node {host}"));
        match text(&step["op"]) {
            "add_node" => {
                let rack = step["rack"].as_str().unwrap_or("/default-rack").into();
                let spec = NodeSpec { host: host.into(), port: 1, rack, total: size(step), label: None };
                self.rm.add_node(spec, &mut Silent).map_err(|e| e.message)?;
            }
            "remove_node" => {
                let node = node(self)?;
                self.rm.remove_node(node, &mut Silent);
            }
            "update_node" => {
                let node = node(self)?;
                self.rm.resize_node(node, size(step), -1, &mut Silent);
            }
            "heartbeat" => {
                let node = node(self)?;
                let mut journal = Full::default();
                self.rm.heartbeat(node, NodeReport::default(), &mut journal);
                self.note_limits(&journal);
            }
            "set_config" => {
                let value = &step["value"];
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                self.yarn_site.insert(text(&step["key"]).into(), value);
                self.rm.set_fair_settings(&self.yarn_site).map_err(|e| e.message)?;
            }
            "create_queue" => {
                let path = rooted(text(&step["queue"]));
                let made = match text(&step["type"]) {
                    "parent" => self.rm.create_parent(&path),
                    _ => self.rm.create_queue(&path, &mut Silent),
                };
                self.note(made, "ok");
            }
            "update" => self.rm.update(),
            "advance_clock" => {
                let now = self.rm.now().saturating_add(int(&step["ms"]));
                self.rm.set_now(now);
            }
            "periodic_queue_check" => drop(self.rm.check_queues()),
            "reload" => {
                let done = self.rm.refresh_fair(&straight(text(&step["allocation"])), &mut Silent);
                done.map_err(|e| e.message)?;
            }
            "submit" => self.submit(step, later),
            "ask" => self.ask(name, list(&step["asks"]))?,
            "blacklist" => {
                let names = |key: &str| list(&step[key]).iter().map(|n| text(n).to_owned()).collect();
                let (blacklist_add, blacklist_remove) = (names("add"), names("remove"));
                self.allocate(name, AllocateCall { blacklist_add, blacklist_remove, ..AllocateCall::default() })?;
            }
            "move" => {
                let id = self.app(name)?;
                let moved = self.rm.move_app(id, text(&step["queue"]), &mut Silent);
                self.note(moved, "ok");
            }
            "finish_attempt" => {
                let id = self.app(name)?;
                self.rm.kill_app(id, &mut Silent);
            }
            "release" => {
                let id = self.app(name)?;
                let most = step["containers"].as_u64().unwrap_or(1) as usize;
                let releases = self.live(id).take(most).map(|c| c.id).collect();
                self.allocate(name, AllocateCall { releases, ..AllocateCall::default() })?;
            }
            "expire_container" | "complete_container" => {
                let id = self.app(name)?;
                let fits = |c: &&Container| {
                    step["memory_mb"].as_i64().is_none_or(|mb| c.size.memory_mb() == mb)
                        && step["vcores"].as_i64().is_none_or(|n| c.size.vcores() == n)
                };
                let mut which: Vec<_> = self.live(id).filter(fits).map(|c| c.id).collect();
                if step["which"] == "last" {
                    which.reverse();
                }
                let most = step["containers"].as_u64().unwrap_or(1) as usize;
                if which.is_empty() {
                    return Err(format!("no such container of {name}").into());
                }
                for container in which.into_iter().take(most) {
                    self.rm.expire_container(container, &mut Silent);
                }
            }
            other => return Err(CaseStop::Unsupported(other.into())),
        }
        self.after_call();
        for container in self.rm.reservations() {
            self.reserved_numbers.insert(container.id.app, container.id.seq);
        }
        Ok(())
    }

    /// Keeps the AM limits that were checked.
    fn note_limits(&mut self, journal: &Full) {
        for (_, entry) in &journal.entries {
            let Entry::Found(Finding::Checked(checked)) = entry else { continue };
            let limit = checked.figures.as_amounts().filter(|_| checked.check == Check::AmShare).map(|a| a.limit);
            let Some((app, limit)) = checked.about.app().zip(limit) else { continue };
            if let Some(queue) = self.rm.scheduled(app).map(|a| a.queue) {
                self.am_limits.insert(queue, limit);
            }
        }
    }

    /// Submits an application. The first container that it requests later is the AM's, if it has one.
    fn submit(&mut self, step: &Value, later: &[Value]) {
        let name = text(&step["app"]);
        let first = later.iter().find(|s| s["op"] == "ask" && s["app"] == step["app"]).map(|s| &s["asks"][0]);
        let am = first.filter(|_| step["managed_am"] == true);
        // The short name `default` counts as no queue at all.
        let queue = Some(text(&step["queue"])).filter(|q| *q != "default").unwrap_or("root.default");
        let submission = Submission {
            name: name.into(),
            queue: queue.into(),
            user: text(&step["user"]).into(),
            am: am.map(|ask| AmAsk { size: size(ask), ..AmAsk::default() }),
            ..Submission::default()
        };
        match self.rm.submit(submission, &mut Silent) {
            Err(_) => self.last = "error",
            Ok(id) => {
                self.last =
                    if self.rm.app(id).is_some_and(|a| a.rejected().is_some()) { "rejected" } else { "accepted" };
                self.apps.insert(name.into(), id);
                if am.is_some() {
                    self.managed.push(name.into());
                }
                let _ = self.rm.register(id, &mut Silent);
            }
        }
    }

    fn ask(&mut self, name: &str, asks: &[Value]) -> Result<(), String> {
        if asks.iter().any(|a| int(&a["containers"]) > CONTAINERS) {
            return Err(format!("asks for more than {CONTAINERS} containers"));
        }
        let at = self.managed.iter().position(|m| m == name);
        // The AM's container was requested at the submission.
        let asked = i64::from(at.is_some());
        if let Some(at) = at {
            self.managed.remove(at);
        }
        let row = |(i, v): (usize, &Value)| AskRow {
            priority: int(&v["priority"]) as i32,
            place: v["resource"].as_str().unwrap_or("*").into(),
            size: self.rounded(name, size(v)),
            count: int(&v["containers"]) - if i == 0 { asked } else { 0 },
            relax: v["relax_locality"] != false,
            label: None,
            allocation_request_id: -1,
        };
        let asks: Vec<AskRow> = asks.iter().enumerate().map(row).filter(|r| asked == 0 || r.count > 0).collect();
        self.allocate(name, AllocateCall { asks, ..AllocateCall::default() })
    }

    /// Returns a size as normalised by the scheduler: these requests bypass the service that would refuse oversized ones.
    fn rounded(&self, app: &str, size: Resource) -> Resource {
        let queue = self.app(app).ok().and_then(|id| self.rm.scheduled(id)).map(|a| a.queue);
        self.rm.fair().map_or(size, |fair| fair.normalize(self.rm.cluster(), queue, size))
    }

    fn allocate(&mut self, name: &str, call: AllocateCall) -> Result<(), String> {
        let id = self.app(name)?;
        self.rm.allocate(id, call, &mut Silent).map(|_| ()).map_err(|e| e.message)
    }

    fn live(&self, app: AppId) -> impl Iterator<Item = &Container> {
        self.rm.containers_of(app).filter(|c| c.state != ContainerState::Reserved)
    }

    fn fair_queue(&self, path: &str) -> Option<&FairQueue> {
        let fair = self.rm.fair()?;
        fair.find_queue(path).map(|id| fair.queue(id))
    }

    fn check(&mut self, check: &Value) -> Result<Result<(), Difference>, CaseStop> {
        for (key, wanted) in check.as_object().into_iter().flatten() {
            let named = || wanted.as_object().into_iter().flatten();
            let compared = match key.as_str() {
                "after_steps" | "note" => Ok(()),
                "last_result" => holds(wanted, &json!(self.last)),
                "cluster" => holds(wanted, &self.cluster(wanted)),
                "headroom_mb" => {
                    let mut got = Map::new();
                    for (name, _) in named() {
                        let id = self.app(name)?;
                        got.insert(name.clone(), json!(self.rm.headroom(id).memory_mb()));
                    }
                    holds(wanted, &got.into())
                }
                "leaf_queues" => {
                    let leaves = self.rm.fair().map(|f| f.living().filter(|q| q.leaf).count());
                    holds(wanted, &json!(leaves))
                }
                "am_limit_at_last_check" => {
                    let limit = |w: &FairWorld, path: &str, _: &Value| {
                        let limit = w.am_limits.get(&w.fair_queue(path)?.id)?;
                        Some(json!({ "memory_mb": limit.memory_mb(), "vcores": limit.vcores() }))
                    };
                    self.each(wanted, limit)?
                }
                "nodes" => self.each(wanted, |w, host, wanted| {
                    let id = w.rm.node_by_host(host)?;
                    let here = w.containers_in(None).filter(|c| c.node == id);
                    let mut figures = w.held(here, wanted);
                    figures.extend(node_figures(w.rm.node(id)?).as_object().cloned()?);
                    Some(figures.into())
                })?,
                "apps" => self.each(wanted, |w, name, wanted| w.app_figures(w.app(name).ok()?, wanted))?,
                "queues" => {
                    let mut all = Ok(());
                    for (path, wanted) in named() {
                        let tolerance = wanted["tolerance_pct"].as_f64().unwrap_or(0.0);
                        let got = self.queue_figures(path, wanted);
                        all = all.and(within(wanted, &got, tolerance).map_err(|d| d.inside(path)));
                    }
                    all
                }
                other => return Err(CaseStop::Unsupported(format!("check {other}"))),
            };
            if let Err(d) = compared {
                return Ok(Err(d.inside(key)));
            }
        }
        Ok(Ok(()))
    }

    fn each(
        &self,
        wanted: &Value,
        figures: impl Fn(&FairWorld, &str, &Value) -> Option<Value>,
    ) -> Result<Result<(), Difference>, CaseStop> {
        let mut got = Map::new();
        for (name, wanted) in wanted.as_object().into_iter().flatten() {
            let figures = figures(self, name, wanted).ok_or_else(|| format!("nothing is called {name}"))?;
            got.insert(name.clone(), figures);
        }
        Ok(holds(wanted, &got.into()))
    }

    /// Returns the reserved and running containers among these, under all names that a check may use. `reserved_nodes` is a
    /// number or a list of hosts, depending on the check.
    fn held<'a>(&'a self, containers: impl Iterator<Item = &'a Container>, wanted: &Value) -> Map<String, Value> {
        let (mut size, mut count, mut running) = (Resource::ZERO, 0, 0);
        let mut hosts: Vec<&str> = Vec::new();
        for container in containers {
            if container.state == ContainerState::Reserved {
                size += container.size;
                count += 1;
                hosts.extend(self.rm.node(container.node).map(|n| n.host.as_str()));
            } else {
                running += 1;
            }
        }
        hosts.sort_unstable();
        hosts.dedup();
        let nodes = if wanted["reserved_nodes"].is_number() { json!(hosts.len()) } else { json!(hosts) };
        let held = json!({
            "reserved": count, "reserved_containers": count, "reserved_mb": size.memory_mb(),
            "reserved_vcores": size.vcores(), "reserved_nodes": nodes, "containers": running,
        });
        held.as_object().cloned().unwrap_or_default()
    }

    /// Returns all containers of the case's applications in the queue at this path and below; without a path, all.
    fn containers_in<'a>(&'a self, path: Option<&'a str>) -> impl Iterator<Item = &'a Container> {
        let inside = move |id: &AppId| {
            let own = self.rm.scheduled(*id).zip(self.rm.fair()).map(|(app, fair)| fair.queue(app.queue).path.as_str());
            path.is_none_or(|path| {
                own.is_some_and(|own| own == path || own.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
            })
        };
        self.apps.values().copied().filter(inside).flat_map(|id| self.rm.containers_of(id))
    }

    fn cluster(&self, wanted: &Value) -> Value {
        let nodes = || self.rm.nodes().iter().filter(|n| n.in_scheduler);
        let total = nodes().fold(Resource::ZERO, |sum, n| sum + n.total);
        let used = nodes().fold(Resource::ZERO, |sum, n| sum + n.allocated);
        let share = if total.memory_mb() == 0 { 0.0 } else { used.memory_mb() as f64 / total.memory_mb() as f64 };
        let mut figures = self.held(self.containers_in(None), wanted);
        let sums = json!({
            "total_mb": total.memory_mb(), "allocated_mb": used.memory_mb(), "allocated_vcores": used.vcores(),
            "available_mb": (total - used).memory_mb(), "available_vcores": (total - used).vcores(), "used_share": share,
        });
        figures.extend(sums.as_object().cloned().unwrap_or_default());
        figures.into()
    }

    fn app_figures(&self, id: AppId, wanted: &Value) -> Option<Value> {
        let app = self.rm.scheduled(id)?;
        let mut figures = self.held(self.rm.containers_of(id), wanted);
        // A container that was reserved first took its number at that time.
        let newest = self.live(id).map(|c| c.id.seq).max();
        let leap = newest.zip(self.reserved_numbers.get(&id)).map(|(new, old)| new as i64 - *old as i64);
        let mut nodes: Map<String, Value> = Map::new();
        for c in self.live(id) {
            let host = self.rm.node(c.node).map_or(String::new(), |n| n.host.clone());
            let count = nodes.get(&host).map_or(0, int) + 1;
            nodes.insert(host, json!(count));
        }
        let mut priorities: Vec<i32> = self.live(id).map(|c| c.key.priority).collect();
        priorities.sort_unstable();
        let fair = self.rm.fair();
        let am = fair.and_then(|f| f.app(id)).and_then(|a| a.am).unwrap_or_default();
        let runnable = fair.map(|f| app.alive && f.queue(app.queue).runnable.contains(&id));
        let queue = fair.map_or("default", |f| f.queue(app.queue).path.as_str());
        let own = json!({
            "live": self.live(id).count(), "live_priorities": priorities, "nodes": nodes,
            "container_number_minus_reserved_number": leap,
            "pending": app.asks.keys().iter().map(|k| k.outstanding()).sum::<i64>(),
            "am_mb": am.memory_mb(), "runnable": runnable, "queue": queue,
        });
        figures.extend(own.as_object().cloned()?);
        Some(figures.into())
    }

    fn queue_figures(&self, path: &str, wanted: &Value) -> Value {
        let Some((fair, q)) = self.rm.fair().zip(self.fair_queue(path)) else {
            return json!({ "exists": "none", "tolerance_pct": wanted["tolerance_pct"] });
        };
        let cluster = self.rm.cluster();
        let percent = |r: Resource| r.memory_mb() as f64 * 100.0 / cluster.total.memory_mb().max(1) as f64;
        let maximum = fair.maximum_of(cluster, q.id);
        let mut figures = self.held(self.containers_in(Some(&q.path)), wanted);
        let own = json!({
            "exists": if q.leaf { "leaf" } else { "parent" },
            "used_mb": q.used.memory_mb(), "used_vcores": q.used.vcores(), "demand_mb": q.demand.memory_mb(),
            "fair_mb": q.fair_share.memory_mb(), "fair_vcores": q.fair_share.vcores(),
            "steady_mb": q.steady_share.memory_mb(), "steady_vcores": q.steady_share.vcores(),
            "fair_pct_of_cluster": percent(q.fair_share), "steady_pct_of_cluster": percent(q.steady_share),
            "min_mb": q.minimum.memory_mb(), "max_vcores": maximum.vcores(),
            "max_mb": if maximum.memory_mb() == i64::MAX { json!("unbounded") } else { json!(maximum.memory_mb()) },
            "runnable": if q.leaf { q.runnable.len() as i64 } else { q.running_apps },
            "non_runnable": q.waiting.len(), "am_used_mb": q.am_used.memory_mb(),
            "am_used": { "memory_mb": q.am_used.memory_mb(), "vcores": q.am_used.vcores() },
            "policy": q.policy.text(), "tolerance_pct": wanted["tolerance_pct"],
        });
        figures.extend(own.as_object().cloned().unwrap_or_default());
        figures.into()
    }
}

fn node_figures(n: &Node) -> Value {
    json!({
        "total_mb": n.total.memory_mb(), "used_mb": n.allocated.memory_mb(), "available_mb": n.free().memory_mb(),
        "available_vcores": n.free().vcores(),
    })
}
