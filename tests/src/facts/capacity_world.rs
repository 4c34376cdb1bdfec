//! A ResourceManager that facts drive: applications by their names in the case, the figures that cases check, and the
//! conventions that all scenario kinds share.

use super::read::{int, list, text};
use heddle_core::journal::Silent;
use heddle_core::model::{AppId, NodeId, PartitionId, Resource};
use heddle_core::rm::{
    AllocateCall, AmAsk, AppState, AskRow, NodeLabel, NodeReport, NodeSpec, Properties, Refusal, ResourceManager,
    RmEvent, RmSettings, Submission,
};
use heddle_core::scheduler::capacity::{Leaf, Queue};
use heddle_core::scheduler::{Container, ContainerState};
use indexmap::IndexMap;
use serde_json::Value;

/// The rack of a node that names none.
pub const RACK: &str = "/default-rack";

/// The maximum number of heartbeats of a case.
const HEARTBEATS: usize = 200_000;
/// The maximum number of containers in a row of a request.
const CONTAINERS: i64 = 100_000;

/// A ResourceManager with the names of a case.
pub struct World {
    pub rm: ResourceManager,
    apps: IndexMap<String, AppId>,
    config: Properties,
    heartbeats: usize,
}

/// Returns the properties in a JSON object with text values.
pub fn properties(v: &Value) -> Properties {
    v.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), text(v).to_owned())).collect()
}

impl World {
    /// Starts with `given.config`, `given.yarn_site`, `given.labels`, `given.min_allocation`, `max_allocation` and
    /// `extra_resource_types`, and registers `given.nodes`. `change` may first add properties to capacity-scheduler.xml and
    /// yarn-site.xml. Heartbeats drive the scheduler, as in every scenario of the corpus.
    pub fn start(given: &Value, change: impl FnOnce(&mut Properties, &mut Properties)) -> Result<Self, Refusal> {
        let mut config = properties(&given["config"]);
        config.insert("yarn.scheduler.capacity.schedule-asynchronously.enable".into(), "false".into());
        let mut yarn_site = properties(&given["yarn_site"]);
        // A unit test's ResourceManager has just started.
        let wait = "yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms";
        yarn_site.entry(wait.into()).or_insert_with(|| "10000".into());
        change(&mut config, &mut yarn_site);
        for (key, side) in [("min_allocation", "minimum"), ("max_allocation", "maximum")] {
            for (amount, unit) in list(&given[key]).iter().zip(["mb", "vcores"]) {
                yarn_site.insert(format!("yarn.scheduler.{side}-allocation-{unit}"), int(amount).to_string());
            }
        }
        let types: Vec<&str> = list(&given["extra_resource_types"]).iter().map(text).collect();
        if !types.is_empty() {
            yarn_site.insert("yarn.resource-types".into(), types.join(","));
        }
        let labels: Vec<NodeLabel> = list(&given["labels"])
            .iter()
            .map(|l| match l.as_str() {
                Some(name) => NodeLabel { name: name.into(), exclusive: true },
                None => NodeLabel { name: text(&l["name"]).into(), exclusive: l["exclusive"] != false },
            })
            .collect();
        if !labels.is_empty() {
            yarn_site.insert("yarn.node-labels.enabled".into(), "true".into());
        }
        let settings = RmSettings { yarn_site, capacity_scheduler: config.clone(), labels, ..RmSettings::default() };
        let rm = ResourceManager::new(settings)?;
        let mut world = World { rm, apps: IndexMap::new(), config, heartbeats: 0 };
        for node in list(&given["nodes"]) {
            world.add_node(node)?;
        }
        Ok(world)
    }

    /// Adds a node as cases write it; the default number of vcores is the memory in GiB.
    pub fn add_node(&mut self, node: &Value) -> Result<NodeId, Refusal> {
        let total = self.size(node, "", int(&node["memory_mb"]) / 1024);
        self.register_node(text(&node["id"]), node["rack"].as_str().unwrap_or(RACK), total, node["label"].as_str())
    }

    /// Resizes a node to the size in `v`.
    pub fn resize_node(&mut self, host: &str, v: &Value) -> Result<(), String> {
        let (node, total) = (self.node(host)?, self.size(v, "", int(&v["memory_mb"]) / 1024));
        self.rm.resize_node(node, total, -1, &mut Silent);
        self.after_call();
        Ok(())
    }

    /// Reads `{memory_mb, vcores?, type…}`, where the first two names may have a prefix.
    fn size(&self, v: &Value, before: &str, vcores: i64) -> Resource {
        let named = |name: &str| v[format!("{before}{name}")].as_i64();
        let mut size = Resource::new(named("memory_mb").unwrap_or(0), named("vcores").unwrap_or(vcores));
        for (i, name) in self.rm.cluster().types.names().iter().enumerate().skip(2) {
            // A case writes `gpu` for `yarn.io/gpu`.
            let short = name.rsplit('/').next().unwrap_or(name);
            size[i] = v[name.as_str()].as_i64().or_else(|| v[short].as_i64()).unwrap_or(0);
        }
        size
    }

    /// Returns the ApplicationMaster's size of a submission: `am_memory_mb`, `am_vcores`; `None` if the submission has no
    /// AM.
    pub fn am(&self, step: &Value) -> Option<Resource> {
        (step["am"] != "none" && step["am_memory_mb"].is_i64()).then(|| self.size(step, "am_", 1))
    }

    pub fn register_node(
        &mut self,
        host: &str,
        rack: &str,
        total: Resource,
        label: Option<&str>,
    ) -> Result<NodeId, Refusal> {
        let spec = NodeSpec { host: host.into(), port: 1, rack: rack.into(), total, label: label.map(str::to_owned) };
        let id = self.rm.add_node(spec, &mut Silent);
        self.after_call();
        id
    }

    /// Sets the cluster to a single node of this size, or resizes that node.
    pub fn set_cluster_memory(&mut self, memory_mb: i64) -> Result<(), Refusal> {
        let total = Resource::new(memory_mb, memory_mb / 1024);
        match self.rm.node_by_host("all") {
            None => self.register_node("all", RACK, total, None).map(|_| ()),
            Some(node) => {
                self.rm.resize_node(node, total, -1, &mut Silent);
                self.after_call();
                Ok(())
            }
        }
    }

    /// Lets ApplicationMasters whose container was allocated run and register.
    fn after_call(&mut self) {
        for event in self.rm.take_events() {
            if let RmEvent::LaunchAm { attempt, .. } = event {
                let _ = self.rm.register(attempt.app, &mut Silent);
            }
        }
    }

    /// Submits an application; without an AM it takes no container and registers at once. Errors: it is refused at once or
    /// rejected later.
    pub fn submit(&mut self, step: &Value, queue: &str, am: Option<Resource>) -> Result<AppId, String> {
        let name = text(&step["app"]);
        let label = step["am_label"].as_str().map(str::to_owned);
        let submission = Submission {
            name: name.into(),
            queue: queue.into(),
            user: text(&step["user"]).into(),
            priority: step["priority"].as_i64().map(|p| p as i32),
            am: am.map(|size| AmAsk { size, label, places: Vec::new() }),
            ..Submission::default()
        };
        let id = self.rm.submit(submission, &mut Silent).map_err(|r| r.message)?;
        self.after_call();
        self.apps.insert(name.into(), id);
        if let Some(app) = self.rm.app(id).filter(|a| a.state == AppState::Failed) {
            return Err(app.diagnostics.clone());
        }
        if am.is_none() {
            self.rm.register(id, &mut Silent).map_err(|r| r.message)?;
        }
        Ok(id)
    }

    /// Submits an application under a name.
    pub fn submit_as(&mut self, name: &str, submission: Submission) -> Result<AppId, String> {
        let id = self.rm.submit(submission, &mut Silent).map_err(|r| r.message)?;
        self.apps.insert(name.into(), id);
        Ok(id)
    }

    /// Returns the application with this name.
    pub fn app(&self, name: &str) -> Option<AppId> {
        self.apps.get(name).copied()
    }

    /// Returns the name of an application.
    pub fn app_name(&self, id: AppId) -> &str {
        self.apps.iter().find(|(_, a)| **a == id).map_or("", |(name, _)| name)
    }

    pub fn app_ids(&self) -> Vec<AppId> {
        self.apps.values().copied().collect()
    }

    /// Sends one allocate call with rows of the form `{name, memory_mb, vcores?, count, relax?, label?, priority?}`.
    pub fn ask(&mut self, app: &str, priority: &Value, rows: &[Value]) -> Result<(), String> {
        if rows.iter().any(|r| int(&r["count"]) > CONTAINERS) {
            return Err(format!("asks for more than {CONTAINERS} containers"));
        }
        let asks = rows
            .iter()
            .map(|r| AskRow {
                priority: r.get("priority").unwrap_or(priority).as_i64().unwrap_or(0) as i32,
                place: text(&r["name"]).into(),
                size: self.size(r, "", 1),
                count: int(&r["count"]),
                relax: r["relax"].as_bool().unwrap_or(true),
                label: r["label"].as_str().map(str::to_owned),
                allocation_request_id: -1,
            })
            .collect();
        self.allocate(app, AllocateCall { asks, ..AllocateCall::default() })
    }

    /// Withdraws the request for an AM's container; its size still counts for the AM limits.
    pub fn withdraw_am(&mut self, app: &str) -> Result<(), String> {
        let id = self.app(app).ok_or_else(|| format!("no application {app}"))?;
        self.rm.register(id, &mut Silent).map_err(|r| r.message)?;
        self.ask(app, &Value::from(0), &[serde_json::json!({ "name": "*", "memory_mb": 1024, "count": 0 })])
    }

    pub fn allocate(&mut self, app: &str, call: AllocateCall) -> Result<(), String> {
        let id = self.app(app).ok_or_else(|| format!("no application {app}"))?;
        self.rm.allocate(id, call, &mut Silent).map_err(|r| r.message)?;
        self.after_call();
        Ok(())
    }

    /// Sends a heartbeat with nothing to report.
    pub fn heartbeat(&mut self, host: &str) -> Result<(), String> {
        self.heartbeats += 1;
        if self.heartbeats > HEARTBEATS {
            return Err(format!("takes more than {HEARTBEATS} heartbeats"));
        }
        let node = self.node(host)?;
        self.rm.heartbeat(node, NodeReport::default(), &mut Silent);
        self.after_call();
        Ok(())
    }

    /// Sends a heartbeat that reports everything on the node as running.
    pub fn report_running(&mut self, host: &str) -> Result<(), String> {
        let node = self.node(host)?;
        let running = self.rm.containers_on(node).map(|c| c.id).collect();
        self.rm.heartbeat(node, NodeReport { running, ..NodeReport::default() }, &mut Silent);
        self.after_call();
        Ok(())
    }

    pub fn kill(&mut self, app: &str) -> Result<(), String> {
        let id = self.app(app).ok_or_else(|| format!("no application {app}"))?;
        self.rm.kill_app(id, &mut Silent);
        self.after_call();
        Ok(())
    }

    /// Loads changed properties; without any, recomputes everything that a refresh recomputes.
    pub fn refresh(&mut self, changes: &Value) -> Result<(), String> {
        self.config.extend(properties(changes));
        self.rm.refresh(self.config.clone(), &mut Silent).map_err(|r| r.message)
    }

    // ---- reading

    /// Returns the node with this host.
    pub fn node(&self, host: &str) -> Result<NodeId, String> {
        self.rm.node_by_host(host).ok_or_else(|| format!("no node {host}"))
    }

    /// Returns the queue with this name or path.
    pub fn queue(&self, name: &str) -> Option<&Queue> {
        self.rm.queue(name).and_then(|q| self.rm.queues().get(q.index()))
    }

    /// Returns the leaf part of the queue with this name or path.
    pub fn leaf(&self, name: &str) -> Option<&Leaf> {
        self.queue(name)?.leaf.as_deref()
    }

    /// Returns a partition by name.
    pub fn partition(&self, name: &str) -> Option<PartitionId> {
        self.rm.cluster().partition(name)
    }

    /// Returns the live containers of an application, without reservations.
    pub fn containers(&self, app: AppId) -> impl Iterator<Item = &Container> {
        self.rm.containers_of(app).filter(|c| c.state != ContainerState::Reserved)
    }

    /// Returns the number of an application's reservations.
    pub fn reservations(&self, app: AppId) -> usize {
        self.rm.containers_of(app).filter(|c| c.state == ContainerState::Reserved).count()
    }

    /// Returns the headroom that its AM would receive.
    pub fn headroom_mb(&mut self, app: AppId) -> i64 {
        self.rm.headroom(app).memory_mb()
    }
}
