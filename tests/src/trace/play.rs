//! Carries out steps. After each of them, pending events are handled, allocated AMs run and register at once, every
//! registered AM makes one empty allocate call, and the difference is read from the ResourceManager.

use super::asks::{further_columns, resource};
use super::constraints;
use super::settings::{properties, settings};
use super::texts;
use super::why;
use super::{Listener, StepResult};
use crate::facts::read::{int, list, text};
use heddle_core::model::{AppId, ContainerId, Millis, NodeId, Resource, ResourceTypes};
use heddle_core::preemption::PreemptionStep;
use heddle_core::preemption::fair::Search;
use heddle_core::rm::{
    AllocateCall, AllocateResponse, Commits, NodeSpec, Properties, Refusal, ResourceManager, RmEvent,
};
use heddle_core::scheduler::{Container, ContainerState};
use serde_json::{Value, json};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

const UNKNOWN_APP: &str =
    "Application with id '<app>' doesn't exist in RM. Please check that the job submission was successful.";

/// The time at the start of every trace.
pub(super) const START_MS: Millis = 1000;

/// The reason why a step could not be played.
#[derive(Debug)]
pub(crate) enum Stop {
    /// A part that is not implemented yet.
    NotYet(String),
    /// The step itself is malformed.
    Malformed(String),
}

/// The script's view of an application.
#[derive(Debug, Default)]
pub(crate) struct TraceApp {
    /// Its number in the ResourceManager; `None`: the call was refused.
    pub(crate) id: Option<AppId>,
    /// The attempt whose AM runs and has registered.
    am: Option<u32>,
    /// The attempt whose AM has its container and must be launched.
    launch: Option<u32>,
    /// All its containers, in the order of allocation: container k has index k.
    pub(crate) containers: Vec<ContainerId>,
    /// The host of each container.
    pub(crate) nodes: Vec<String>,
    /// The live containers, with their numbers.
    pub(crate) live: BTreeMap<ContainerId, usize>,
    /// Whether it is over, or never existed.
    pub(crate) over: bool,
    /// The latest headroom sent to its AM.
    pub(crate) headroom: Option<Resource>,
}

impl TraceApp {
    /// Sets the application's id, and the attempt of its AM, if that has registered.
    pub(crate) fn begins(&mut self, id: AppId, am: Option<u32>) {
        (self.id, self.am) = (Some(id), am);
    }

    /// Returns whether its AM runs.
    pub(crate) fn am_runs(&self) -> bool {
        self.am.is_some()
    }
}

/// A trace being played.
pub(crate) struct TracePlayer<R> {
    pub(crate) rm: ResourceManager,
    pub(crate) journal: R,
    pub(crate) apps: Vec<TraceApp>,
    /// Containers that their nodes have reported as running.
    pub(crate) reported: BTreeSet<ContainerId>,
    /// The containers that the node of each host reports as running.
    pub(crate) running_on: BTreeMap<String, BTreeSet<ContainerId>>,
    pub(crate) port: i32,
    capacity_scheduler: Properties,
    reservations: Vec<Value>,
    activities: why::Activities,
    steps: Millis,
    waiting: Vec<usize>,
    /// Hosts of a dump that are no longer in its cluster: the ResourceManager turns their heartbeats away.
    pub(crate) gone: BTreeSet<String>,
}

impl<R: Listener> TracePlayer<R> {
    /// Starts a trace's ResourceManager. Errors: the settings are refused.
    pub(crate) fn new(given: &Value) -> Result<Self, String> {
        let settings = settings(given)?;
        let capacity_scheduler = settings.capacity_scheduler.clone();
        let mut rm = ResourceManager::new(settings).map_err(|e| e.message)?;
        rm.set_now(START_MS);
        Ok(TracePlayer { capacity_scheduler, ..Self::with(rm, given) })
    }

    /// Continues with a running ResourceManager.
    pub(crate) fn with(rm: ResourceManager, given: &Value) -> Self {
        TracePlayer {
            rm,
            journal: R::default(),
            gone: BTreeSet::new(),
            apps: Vec::new(),
            reported: BTreeSet::new(),
            running_on: BTreeMap::new(),
            port: given["node_port"].as_i64().map_or(1, |p| p as i32),
            capacity_scheduler: properties(&given["capacity_scheduler"]),
            reservations: Vec::new(),
            activities: why::Activities::default(),
            steps: 0,
            waiting: Vec::new(),
        }
    }

    /// Notes the present reservations, since only changes are reported.
    pub(crate) fn take_reservations(&mut self) {
        self.reservations = self.reserved();
    }

    /// Returns all reservations, as rows.
    fn reserved(&self) -> Vec<Value> {
        let mut reserved: Vec<Value> = Vec::new();
        for c in self.rm.reservations() {
            if let Some(index) = self.apps.iter().position(|a| a.id == Some(c.id.app) && !a.over) {
                reserved.push(self.row(index, c));
            }
        }
        reserved.sort_by(row_order);
        reserved
    }

    pub(crate) fn types(&self) -> &ResourceTypes {
        &self.rm.cluster().types
    }

    pub(crate) fn node(&self, v: &Value) -> Result<NodeId, Stop> {
        let host = text(v);
        self.rm.node_by_host(host).ok_or_else(|| Stop::Malformed(format!("no node {host} has registered")))
    }

    fn app_index(&self, v: &Value) -> Result<usize, Stop> {
        let index = v.as_u64().map_or(usize::MAX, |i| i as usize);
        if index < self.apps.len() {
            Ok(index)
        } else {
            Err(Stop::Malformed(format!("no application {v} was submitted")))
        }
    }

    /// Returns an application that the ResourceManager knows.
    pub(crate) fn app_id(&self, v: &Value) -> Result<AppId, Stop> {
        let app = &self.apps[self.app_index(v)?];
        app.id.ok_or_else(|| Stop::Malformed(format!("application {v} was refused")))
    }

    /// Returns container `k` of an application.
    pub(crate) fn container(&self, app: &Value, k: &Value) -> Result<ContainerId, Stop> {
        let app_index = self.app_index(app)?;
        let id = k.as_u64().and_then(|k| self.apps[app_index].containers.get(k as usize));
        id.copied().ok_or_else(|| Stop::Malformed(format!("application {app} has no container {k}")))
    }

    /// Carries out a step. Returns what happened.
    pub(crate) fn step(&mut self, step: &Value) -> Result<StepResult, Stop> {
        let mut out = StepResult::new();
        let _ = self.journal.take();
        // Attempts take their start time from a real clock, which advances with each step.
        self.steps += 1;
        self.rm.set_wall_clock(START_MS + self.steps);
        match text(&step["op"]) {
            "add_node" => self.add_node(step, &mut out)?,
            "remove_node" => {
                let node = self.node(&step["node"])?;
                self.rm.remove_node(node, &mut self.journal);
            }
            "update_node" => {
                let (node, total) = (self.node(&step["node"])?, resource(step, self.types())?);
                let timeout = step["overcommit_timeout_ms"].as_i64().unwrap_or(-1);
                self.rm.resize_node(node, total, timeout, &mut self.journal);
            }
            "decommission_node" => {
                let node = self.node(&step["node"])?;
                self.rm.decommission_node(node, step["timeout_s"].as_i64().unwrap_or(3600), &mut self.journal);
            }
            "label_node" => {
                let node = self.node(&step["node"])?;
                let r = self.rm.label_node(node, text(&step["label"]), &mut self.journal);
                told(r, &mut out)?;
            }
            "submit" => self.submit(step, &mut out)?,
            "ask" => self.ask(step, &mut out)?,
            "heartbeat" if self.gone.contains(text(&step["node"])) && self.node(&step["node"]).is_err() => {}
            "heartbeat" => {
                let (node, report) = (self.node(&step["node"])?, self.report(step)?);
                let asked = step["why"] == json!(true);
                if asked {
                    self.activities.ask(node);
                }
                self.rm.heartbeat(node, report, &mut self.journal);
                if self.activities.waits_for(node) {
                    let journal = self.journal.take();
                    let recorded = why::read(self, &journal)?;
                    self.activities.offered(node, recorded);
                }
                if asked {
                    out.insert("why".into(), json!(self.activities.answer(node)));
                }
            }
            "kill_app" => {
                // An application whose submission was refused does not exist.
                if let Some(app) = self.apps[self.app_index(&step["app"])?].id {
                    self.rm.kill_app(app, &mut self.journal);
                }
            }
            "move_app" => {
                let r = match self.apps[self.app_index(&step["app"])?].id {
                    Some(app) => self.rm.move_app(app, text(&step["queue"]), &mut self.journal),
                    // The client service does not find an application whose submission was refused.
                    None => Err(Refusal::new(UNKNOWN_APP)),
                };
                told(r, &mut out)?;
            }
            "set_priority" => {
                let r = match self.apps[self.app_index(&step["app"])?].id {
                    Some(app) => self.rm.set_priority(app, int(&step["priority"]) as i32, &mut self.journal),
                    None => Err(Refusal::new(UNKNOWN_APP)),
                };
                told(r, &mut out)?;
            }
            "clock" => {
                let now = self.rm.now() + int(&step["ms"]);
                self.rm.set_now(now);
                self.rm.set_wall_clock(START_MS + self.steps);
                self.rm.kill_warned(&mut self.journal);
            }
            "async_walk" => self.walk(step)?,
            "preempt" => self.preempt(&mut out),
            "update" => self.update(&mut out),
            "continuous_pass" => {
                self.rm.continuous_pass(&mut self.journal);
            }
            "check_queues" => {
                self.rm.check_queues();
            }
            "refresh" => self.refresh(step, &mut out)?,
            "node_attributes" => constraints::node_attributes(self, step, &mut out)?,
            "constraint" => constraints::change(self, step, &mut out)?,
            "observe" => {}
            other => return Err(Stop::NotYet(format!("step {other}"))),
        }
        self.settle(&mut out)?;
        if step["op"] == json!("observe") {
            self.observe(&mut out);
        }
        Ok(out)
    }

    /// Performs one walk of asynchronous scheduling.
    fn walk(&mut self, step: &Value) -> Result<(), Stop> {
        let commits = match step["commit"].as_str() {
            None | Some("at_once") => Commits::AtOnce,
            Some("after") => Commits::AfterWalk,
            Some(other) => return Err(Stop::Malformed(format!("commit {other}"))),
        };
        self.rm.async_walk(int(&step["start"]) as usize, commits, &mut self.journal);
        Ok(())
    }

    /// Performs one round of the preemption policy.
    fn preempt(&mut self, out: &mut StepResult) {
        let Some(round) = self.rm.preempt(&mut self.journal) else { return };
        if round.failed.is_some() {
            out.insert("round_failed".into(), json!(true));
        }
        let lazy = self.rm.capacity().is_some_and(|s| s.conf().lazy_preemption);
        let killed = round.acts.iter().filter(|a| a.deed == PreemptionStep::Kill).map(|a| a.container);
        let row = |id: ContainerId| {
            let app = self.apps.iter().position(|a| a.id == Some(id.app))?;
            Some(json!([app, self.apps[app].containers.iter().position(|c| *c == id)?]))
        };
        let killable = if lazy { killed.filter_map(row).collect() } else { Vec::new() };
        add_rows(out, "killable", killable, false);
    }

    /// Performs an update, the work of the FairScheduler's preemption thread, and the kills that are due.
    fn update(&mut self, out: &mut StepResult) {
        self.rm.update();
        let place = |id: AppId| self.apps.iter().position(|a| a.id == Some(id));
        let number = |id: ContainerId| {
            let app = place(id.app)?;
            Some([app, self.apps[app].containers.iter().position(|c| *c == id)?])
        };
        let served = |search: &Search| {
            let mut victims: Vec<_> = search.chosen().filter_map(number).collect();
            victims.sort_unstable();
            json!({ "app": place(search.app), "victims": victims })
        };
        let searches = self.rm.serve_starved(&mut self.journal);
        let starved: Vec<Value> = searches.iter().map(served).collect();
        if !starved.is_empty() {
            out.insert("starved".into(), starved.into());
        }
        self.rm.kill_warned(&mut self.journal);
    }

    fn add_node(&mut self, step: &Value, out: &mut StepResult) -> Result<(), Stop> {
        let spec = NodeSpec {
            host: text(&step["node"]).into(),
            port: self.port,
            rack: step["rack"].as_str().unwrap_or("/default-rack").into(),
            total: resource(step, self.types())?,
            label: step["label"].as_str().map(str::to_owned),
        };
        self.running_on.remove(&spec.host);
        let r = self.rm.add_node(spec, &mut self.journal);
        told(r.map(|_| ()), out)
    }

    fn submit(&mut self, step: &Value, out: &mut StepResult) -> Result<(), Stop> {
        // A constraint may name the application that is being submitted.
        self.apps.push(TraceApp { id: Some(AppId::from(self.rm.apps().len())), ..TraceApp::default() });
        let submission = self.submission(step);
        let this = self.apps.len() - 1;
        let submission = submission.inspect_err(|_| {
            self.apps.pop();
        })?;
        let queue = submission.queue.clone();
        match self.rm.submit(submission, &mut self.journal) {
            Err(refusal) => {
                self.apps[this].id = None;
                self.apps[this].over = true;
                told(Err(refusal), out)
            }
            Ok(id) => {
                self.apps[this].id = Some(id);
                let Some(app) = self.rm.app(id) else {
                    return Err(Stop::Malformed("the ResourceManager does not know what it accepted".into()));
                };
                if app.rejected().is_some() || app.state.is_final() {
                    out.insert("rejected".into(), json!(texts::apps(&app.diagnostics).trim()));
                    self.apps[this].over = true;
                } else {
                    let placed = match self.rm.scheduled(id).filter(|a| a.alive) {
                        Some(a) => self.rm.queue_path(a.queue).to_owned(),
                        None => app.queue.clone(),
                    };
                    if placed != queue {
                        out.insert("queue".into(), json!(placed));
                    }
                }
                Ok(())
            }
        }
    }

    fn ask(&mut self, step: &Value, out: &mut StepResult) -> Result<(), Stop> {
        let index = self.app_index(&step["app"])?;
        let id = self.app_id(&step["app"])?;
        let call = self.call(step, &self.apps[index].containers)?;
        match self.rm.allocate(id, call, &mut self.journal) {
            Ok(response) => self.hear(index, response, out),
            Err(refusal) => told(Err(refusal), out)?,
        }
        if let Some(h) = self.apps[index].headroom {
            out.insert("headroom".into(), json!([h.memory_mb(), h.vcores()]));
        }
        Ok(())
    }

    fn refresh(&mut self, step: &Value, out: &mut StepResult) -> Result<(), Stop> {
        // A failure to load an allocation file is not reported.
        if let Some(text) = step["fair_allocations"].as_str() {
            let _ = self.rm.refresh_fair(text, &mut self.journal);
            return Ok(());
        }
        let mut changed = self.capacity_scheduler.clone();
        for (name, value) in step["capacity_scheduler"].as_object().into_iter().flatten() {
            if value.is_null() {
                changed.shift_remove(name);
            } else {
                changed.extend(properties(&json!({ name: value })));
            }
        }
        match self.rm.refresh(changed.clone(), &mut self.journal) {
            Ok(()) => self.capacity_scheduler = changed,
            Err(refusal) => told(Err(refusal), out)?,
        }
        Ok(())
    }

    /// Processes a response to an AM.
    fn hear(&mut self, index: usize, response: AllocateResponse, out: &mut StepResult) {
        let app = &mut self.apps[index];
        app.headroom = Some(response.headroom);
        let marked = response.preempt.containers().filter_map(|id| app.containers.iter().position(|c| *c == id));
        let marked: Vec<Value> = marked.map(|k| json!([index, k])).collect();
        add_rows(out, "marked", marked, true);
        let rejected = response.rejected.iter();
        let rejected = rejected.map(|r| json!([index, r.allocation_request_id, r.count, r.reason])).collect();
        add_rows(out, "rejected_requests", rejected, false);
    }

    fn take_events(&mut self) {
        for event in self.rm.take_events() {
            if let RmEvent::LaunchAm { attempt, .. } = event
                && let Some(app) = self.apps.iter_mut().find(|a| a.id == Some(attempt.app))
            {
                app.launch = Some(attempt.attempt);
            }
        }
    }

    /// Performs what follows every step.
    fn settle(&mut self, out: &mut StepResult) -> Result<(), Stop> {
        self.take_events();
        for index in 0..self.apps.len() {
            let Some(id) = self.apps[index].id.filter(|_| !self.apps[index].over) else { continue };
            self.launch(index, id, out)?;
            if self.rm.app(id).is_none_or(|a| a.state.is_final()) {
                self.apps[index].over = true;
                self.apps[index].live.clear();
                continue;
            }
            if self.apps[index].am_runs() {
                // An AM that may not call receives nothing.
                if let Ok(response) = self.rm.allocate(id, AllocateCall::default(), &mut self.journal) {
                    self.hear(index, response, out);
                }
            }
        }
        let (mut allocated, mut completed) = (Vec::new(), Vec::new());
        for index in 0..self.apps.len() {
            if let Some(id) = self.apps[index].id.filter(|_| !self.apps[index].over) {
                self.difference(index, id, &mut allocated, &mut completed);
            }
        }
        let reserved = self.reserved();
        add_rows(out, "allocated", allocated, false);
        completed.sort_by(row_order);
        if !completed.is_empty() {
            out.insert("completed".into(), completed.into());
        }
        if reserved != self.reservations {
            out.insert("reserved".into(), reserved.clone().into());
            self.reservations = reserved;
        }
        self.held_back(out);
        Ok(())
    }

    /// Reports the applications held back by limits on running applications, if they have changed (FairScheduler).
    pub(crate) fn held_back(&mut self, out: &mut StepResult) {
        if self.rm.fair().is_none() {
            return;
        }
        let held = |a: &TraceApp| a.id.and_then(|id| self.rm.scheduled(id)).is_some_and(|a| a.alive && !a.runnable);
        let waiting: Vec<usize> = (0..self.apps.len()).filter(|i| held(&self.apps[*i])).collect();
        if waiting != self.waiting {
            out.insert("waiting".into(), json!(waiting));
            self.waiting = waiting;
        }
    }

    /// Launches an AM whose container was allocated, and registers it at once.
    fn launch(&mut self, index: usize, id: AppId, out: &mut StepResult) -> Result<(), Stop> {
        let present = self.rm.scheduled(id).map(|a| a.attempt);
        let app = &mut self.apps[index];
        if app.am != present {
            app.am = None;
        }
        let Some(attempt) = app.launch.take().filter(|a| Some(*a) == present) else { return Ok(()) };
        app.am = Some(attempt);
        if let Err(refusal) = self.rm.register(id, &mut self.journal) {
            if refusal.message.contains(super::NOT_YET) {
                return Err(Stop::NotYet(refusal.message));
            }
            self.apps[index].am = None;
            add_rows(out, "register_refused", vec![json!([index, texts::message(&refusal.message)])], false);
        }
        self.take_events();
        Ok(())
    }

    /// Adds the containers that came and went.
    fn difference(&mut self, index: usize, id: AppId, allocated: &mut Vec<Value>, completed: &mut Vec<Value>) {
        let now: BTreeMap<ContainerId, Value> = self
            .rm
            .containers_of(id)
            .filter(|c| c.state != ContainerState::Reserved && c.state != ContainerState::Over)
            .map(|c| (c.id, self.row(index, c)))
            .collect();
        let app = &mut self.apps[index];
        let reported = &mut self.reported;
        app.live.retain(|c, k| {
            let lives = now.contains_key(c);
            if !lives {
                reported.remove(c);
                completed.push(json!([index, k]));
            }
            lives
        });
        for (container, row) in now {
            if let std::collections::btree_map::Entry::Vacant(place) = app.live.entry(container) {
                place.insert(app.containers.len());
                app.containers.push(container);
                app.nodes.push(text(&row[1]).into());
                allocated.push(row);
            }
        }
    }

    /// Returns `[app, node, memory, vcores, priority, "type=n"…]`.
    fn row(&self, index: usize, c: &Container) -> Value {
        let host = self.rm.node(c.node).map_or("", |n| n.host.as_str());
        let mut row = vec![json!(index), json!(host), json!(c.size.memory_mb()), json!(c.size.vcores())];
        row.push(json!(c.key.priority));
        row.extend(further_columns(c.size, self.types()));
        row.into()
    }
}

/// Notes a refusal; "not modelled yet" ends the trace.
pub(crate) fn told(r: Result<(), Refusal>, out: &mut StepResult) -> Result<(), Stop> {
    match r {
        Err(e) if e.message.contains(super::NOT_YET) => Err(Stop::NotYet(e.message)),
        Err(e) => {
            out.insert("refused".into(), json!(texts::message(&e.message)));
            Ok(())
        }
        Ok(()) => Ok(()),
    }
}

/// Adds rows to a key, sorted; `once`: a row that already exists is left out.
fn add_rows(out: &mut StepResult, key: &str, rows: Vec<Value>, once: bool) {
    if rows.is_empty() {
        return;
    }
    let mut all = out.get(key).map_or(Vec::new(), |v| list(v).to_vec());
    for row in rows {
        if !once || !all.contains(&row) {
            all.push(row);
        }
    }
    if key != "allocated" && key != "register_refused" {
        all.sort_by(row_order);
    }
    out.insert(key.into(), all.into());
}

/// Compares rows by their columns, numbers as numbers, texts as texts.
fn row_order(a: &Value, b: &Value) -> Ordering {
    for (x, y) in list(a).iter().zip(list(b)) {
        let order = match (x.as_i64(), y.as_i64()) {
            (Some(x), Some(y)) => x.cmp(&y),
            _ => text(x).cmp(text(y)),
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}
