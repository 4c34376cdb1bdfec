//! Facts that play steps on Slider: a whole application (kind scenario), and its role history alone (kind history). `about`
//! in the corpus describes the steps.

use super::read::{int, list, text};
use super::slider::{component, entry_json, node};
use super::slider_judge::{Results, judge};
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::apps::slider::strategy::decision::Ended;
use heddle_core::apps::slider::strategy::nodes::NodeEntry;
use heddle_core::apps::slider::strategy::settings::Keys;
use heddle_core::apps::slider::strategy::{
    Ask, AskId, Component, ContainerOutcome as Ending, Decision, Definition, Event, Files, Grant, Limits, Live,
    NodeReport, NodeState, Operation, Report, Slider, Version,
};
use heddle_core::model::{AppId, ContainerId, Millis, Resource};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    match kind {
        "scenario" | "history" => Some(play),
        _ => None,
    }
}

fn play(case: &Case) -> Outcome {
    let mut lab = match Lab::new(&case.given) {
        Ok(lab) => lab,
        Err(what) => return Outcome::Failed(Difference::new("given", "an application", what)),
    };
    for (i, step) in list(&case.given["steps"]).iter().enumerate() {
        if let Err(what) = lab.step(step) {
            let at = format!("step {i} {}", text(&step["op"]));
            return Outcome::Failed(Difference::new(at, "a step that can be played", what));
        }
    }
    judge(&case.expect, &lab.results).into()
}

/// The maximum number of rounds of a repetition.
const MOST_ROUNDS: i64 = 10_000;

struct Lab {
    slider: Slider,
    /// The parts for a new ApplicationMaster.
    components: Vec<Component>,
    definition: Definition,
    now: Millis,
    results: Results,
    /// The requests that each step issued.
    asked: BTreeMap<String, Vec<Ask>>,
    components_of: BTreeMap<AskId, i32>,
    /// Containers by the names of the corpus: the latest of each name.
    names: BTreeMap<String, ContainerId>,
    priorities: BTreeMap<ContainerId, (String, i32)>,
    last: u64,
}

fn slider(definition: &Definition, components: &[Component], files: Files) -> Result<Slider, String> {
    let limits = Limits { min: Resource::ZERO, max: Resource::ZERO };
    let mut slider = Slider::new(Version::V092, limits, definition.clone(), files).map_err(|refused| refused.what)?;
    for component in components {
        slider.add(component.clone()).map_err(|refused| refused.what)?;
    }
    Ok(slider)
}

impl Lab {
    fn new(given: &Value) -> Result<Self, String> {
        let components: Vec<Component> = list(&given["components"]).iter().map(component).collect();
        let global: Keys =
            given["global"].as_object().into_iter().flatten().map(|(k, v)| (k.clone(), text(v).to_string())).collect();
        let definition = Definition { global, ..Definition::default() };
        let mut slider = slider(&definition, &components, Files::default())?;
        // Without a file: empty lists, and the limit for later files.
        slider.load(&mut Report::default());
        let history = slider.history_mut();
        history.nodes = list(&given["nodes"]).iter().map(node).collect();
        if given["kind"] == "history" {
            history.build_recent();
        }
        Ok(Lab {
            slider,
            components,
            definition,
            now: 1_000_000,
            results: Results::new(),
            asked: BTreeMap::new(),
            components_of: BTreeMap::new(),
            names: BTreeMap::new(),
            priorities: BTreeMap::new(),
            last: 0,
        })
    }

    fn component(&self, v: &Value) -> Result<Component, String> {
        let found = self.slider.components().find(|c| c.name == text(v));
        found.cloned().ok_or_else(|| format!("no component {v}"))
    }

    fn component_mut(&mut self, v: &Value) -> Result<&mut Component, String> {
        let id = self.component(v)?.id();
        self.slider.component_mut(id).ok_or_else(|| "no component".to_string())
    }

    fn container(&self, v: &Value) -> Result<ContainerId, String> {
        self.names.get(text(v)).copied().ok_or_else(|| format!("no container {v}"))
    }

    fn containers(&self, v: &Value) -> Result<Vec<ContainerId>, String> {
        list(v).iter().map(|c| self.container(c)).collect()
    }

    fn name(&self, container: ContainerId) -> &str {
        self.names.iter().find(|(_, c)| **c == container).map_or("", |(name, _)| name)
    }

    fn handle(&mut self, event: Event) -> Report {
        self.slider.handle(self.now, event)
    }

    fn step(&mut self, s: &Value) -> Result<(), String> {
        let id = text(&s["id"]).to_string();
        let got = match self.application(s, &id)? {
            Some(got) => got,
            None => match self.history(s)? {
                Some(got) => got,
                None => self.entry(s)?.ok_or_else(|| format!("unknown step {}", s["op"]))?,
            },
        };
        if !id.is_empty() {
            self.results.insert(id, got);
        }
        Ok(())
    }

    /// Returns the results of an event, under the keys of the format.
    fn report(&mut self, id: &str, report: &Report) -> Value {
        let mut asks = Vec::new();
        for op in &report.operations {
            if let Operation::Request(ask) = op {
                self.components_of.insert(ask.id, ask.component);
                asks.push(ask.clone());
            }
        }
        let ops: Vec<Value> = report.operations.iter().map(|op| self.operation(op)).collect();
        let count = |kind: &str| ops.iter().filter(|op| op["type"] == kind).count();
        let hosts = ops.iter().filter(|op| op["type"] == "request").all(|op| !op["hosts"].is_null());
        let released = |op: &Operation| match op {
            Operation::Release(container) => {
                let owned = self.slider.owned().get(container)?;
                self.slider.component(owned.component).map(|c| c.name.clone())
            }
            _ => None,
        };
        let mut of: Vec<String> = report.operations.iter().filter_map(released).collect();
        of.dedup();
        let assigned = report.decisions.iter().filter_map(|d| match d {
            Decision::Granted { container, used: Some(_), .. } => Some(self.name(*container)),
            _ => None,
        });
        let assigned: Vec<&str> = assigned.collect();
        let changed = report.decisions.iter().any(|d| {
            matches!(d, Decision::ClusterChanged { .. } | Decision::Blacklisted { .. } | Decision::Restored { .. })
        });
        let got = json!({
            "operations": ops, "operation_count": ops.len(), "requests_have_hosts": hosts, "changed": changed,
            "counts": { "request": count("request"), "cancel": count("cancel"), "release": count("release") },
            "application_failed": report.stopped.is_some(), "error": report.refused.is_some() || report.stopped.is_some(),
            "assigned": assigned, "assigned_count": assigned.len(), "blacklisted": self.blacklisted(),
            "released_containers_all_of_component": if of.len() == 1 { json!(of[0]) } else { json!(of) },
        });
        self.asked.insert(id.to_string(), asks);
        got
    }

    fn operation(&self, op: &Operation) -> Value {
        let name = |id: &i32| self.slider.component(*id).map(|c| c.name.clone());
        match op {
            Operation::Request(ask) => json!({
                "type": "request", "component": name(&ask.component), "relax_locality": ask.relax, "racks": null,
                "hosts": (!ask.hosts.is_empty()).then_some(&ask.hosts), "host_count": ask.hosts.len(),
                "label": ask.label, "priority": ask.priority(),
            }),
            Operation::Cancel(ask) => {
                json!({ "type": "cancel", "component": self.components_of.get(ask).and_then(name) })
            }
            Operation::Release(container) => json!({ "type": "release", "container": self.name(*container) }),
            Operation::Blacklist { add, remove } => json!({
                "type": "blacklist", "added_count": add.len(), "removed_count": remove.len(),
            }),
        }
    }

    fn blacklisted(&self) -> Value {
        self.slider.history().nodes.iter().map(|(host, n)| (host.clone(), json!(n.blacklisted))).collect()
    }

    /// Plays steps of a whole application.
    fn application(&mut self, s: &Value, id: &str) -> Result<Option<Value>, String> {
        let event = match text(&s["op"]) {
            "review" => Event::Review,
            "grant" => Event::Granted(self.grants(s)?),
            "launch" => Event::Launched(self.containers(&s["containers"])?),
            "started" if s.get("host").is_none() => Event::Started(self.containers(&s["containers"])?),
            "launch_failed" => Event::LaunchFailed(self.container(&s["container"])?),
            "escalate" => Event::EscalationCheck,
            "reset_failure_window" => Event::FailureWindow,
            "node_report" => {
                let state = s["state"].as_str().unwrap_or("RUNNING");
                let state = NodeState::of(state).ok_or_else(|| format!("unknown state {state}"))?;
                Event::Nodes(vec![NodeReport { host: text(&s["host"]).into(), state, label: text(&s["label"]).into() }])
            }
            "completed" => {
                let container = self.container(&s["container"])?;
                let report = self.handle(Event::Completed(vec![(container, int(&s["exit_status"]) as i32)]));
                let how = report.decisions.iter().find_map(|d| match d {
                    Decision::Ended { how, .. } => Some(*how),
                    _ => None,
                });
                return Ok(Some(json!({
                    "known": how != Some(Ended::Unknown),
                    "container_failed": matches!(how, Some(Ended::Failed { .. })),
                })));
            }
            "complete_released" => {
                let all = self.slider.owned().iter().filter(|(_, i)| i.released).map(|(c, _)| *c);
                let status = int(&s["exit_status"]) as i32;
                Event::Completed(all.map(|c| (c, status)).collect())
            }
            "desired" => {
                self.component_mut(&s["component"])?.counters.desired = int(&s["count"]);
                return Ok(Some(Value::Null));
            }
            "set_counters" => {
                let c = self.component_mut(&s["component"])?;
                (c.counters.actual, c.counters.requested) = (int(&s["actual"]), int(&s["requested"]));
                return Ok(Some(Value::Null));
            }
            "time" => {
                self.now = int(&s["now"]);
                return Ok(Some(Value::Null));
            }
            "restart_am" => return self.restart(s).map(Some),
            "repeat" => return self.repeat(s).map(Some),
            "check" => return self.check(s).map(Some),
            _ => return Ok(None),
        };
        let report = self.handle(event);
        Ok(Some(self.report(id, &report)))
    }

    fn grants(&mut self, s: &Value) -> Result<Vec<Grant>, String> {
        let mut grants = Vec::new();
        for c in list(&s["containers"]) {
            let of = text(&c["request"]);
            let (step, place) = of.trim_end_matches(']').split_once('[').ok_or_else(|| format!("no request {of}"))?;
            let asked = self.asked.get(step).zip(place.parse::<usize>().ok()).and_then(|(asks, i)| asks.get(i));
            let ask = asked.ok_or_else(|| format!("no request {of}"))?.clone();
            let container = ContainerId { app: AppId(0), attempt: 1, seq: self.last };
            self.last += 1;
            let host = text(&c["host"]).to_string();
            self.names.insert(text(&c["container"]).into(), container);
            self.priorities.insert(container, (host.clone(), ask.priority()));
            grants.push(Grant { container, host, priority: ask.priority(), size: ask.size });
        }
        Ok(grants)
    }

    /// Starts a new ApplicationMaster, which finds the files and receives the live containers.
    fn restart(&mut self, s: &Value) -> Result<Value, String> {
        let files = self.slider.files().clone();
        let nodes = self.slider.history().nodes.iter();
        let reports: Vec<NodeReport> = nodes
            .filter(|(_, n)| n.state.usable())
            .map(|(host, n)| NodeReport { host: host.clone(), state: n.state, label: n.label.clone() })
            .collect();
        self.slider = slider(&self.definition, &self.components, files)?;
        self.slider.load(&mut Report::default());
        self.slider.handle(self.now, Event::Nodes(reports));
        for container in self.containers(&s["live_containers"])? {
            let (host, priority) = self.priorities.get(&container).cloned().ok_or("a container without a grant")?;
            let live = Live { container, host, priority };
            self.slider.take_over(self.now, live).map_err(|refused| refused.what)?;
        }
        for (name, count) in s["desired"].as_object().into_iter().flatten() {
            self.component_mut(&json!(name))?.counters.desired = int(count);
        }
        Ok(json!({ "live_instances": self.slider.live() }))
    }

    fn repeat(&mut self, s: &Value) -> Result<Value, String> {
        for _ in 0..int(&s["times"]).min(MOST_ROUNDS) {
            for inner in list(&s["steps"]) {
                // Its result may depend on an id that it lacks.
                let mut inner = inner.clone();
                if inner["op"] == "review" && inner.get("id").is_none() {
                    inner["id"] = json!("");
                }
                self.step(&inner)?;
                let stopped = &self.results.get(text(&inner["id"])).is_some_and(|v| v["application_failed"] == true);
                if *stopped {
                    self.results.insert("application_failed_before_end".into(), json!(true));
                    return Ok(Value::Null);
                }
            }
        }
        self.results.insert("application_failed_before_end".into(), json!(false));
        Ok(Value::Null)
    }

    fn check(&self, s: &Value) -> Result<Value, String> {
        let outstanding = self.slider.requests_outstanding();
        let mut got = json!({
            "requests_outstanding": outstanding, "all_requests_satisfied": outstanding <= 0,
            "live_instances": self.slider.live(),
        });
        if s.get("component").is_none() {
            return Ok(got);
        }
        let c = self.component(&s["component"])?;
        let n = &c.counters;
        let more = json!({
            "desired": n.desired, "actual": n.actual, "requested": n.requested, "releasing": n.releasing,
            "pending_aa": n.pending_aa, "aa_outstanding": c.aa_outstanding.is_some(), "started": n.started,
            "completed": n.completed, "failed": n.failed, "start_failed": n.start_failed, "delta": n.delta(),
            "actual_and_requested": n.actual + n.requested, "actual_less_than_desired": n.actual < n.desired,
            "live_instances": self.slider.owned().values().filter(|i| i.component == c.id()).count(),
        });
        for (key, value) in more.as_object().into_iter().flatten() {
            got[key] = value.clone();
        }
        Ok(got)
    }

    /// Plays steps that read or drive the role history.
    fn history(&mut self, s: &Value) -> Result<Option<Value>, String> {
        let host = text(&s["host"]);
        let hosts = |hosts: Vec<&str>| json!({ "hosts": hosts, "count": hosts.len(), "not_empty": !hosts.is_empty() });
        Ok(Some(match text(&s["op"]) {
            "find_host" => {
                let c = self.component(&s["component"])?;
                json!({ "host": self.slider.history_mut().find_host(&c).0 })
            }
            "request" => {
                let c = self.component(&s["component"])?;
                let mut report = Report::default();
                self.slider.request(c.id(), self.now, &mut report);
                self.report(text(&s["id"]), &report)["operations"][0].clone()
            }
            "granted" => self.granted(s)?,
            "placed_requests" => hosts(self.slider.history().requests.placed().filter_map(|r| r.host()).collect()),
            "recent_list" => hosts(self.slider.history().recent(self.component(&s["component"])?.id()).collect()),
            "active_nodes" => hosts(self.slider.history().active(self.component(&s["component"])?.id()).collect()),
            "eligible_hosts" => {
                let id = self.component(&s["component"])?.id();
                let (found, _) = self.slider.history_mut().eligible(id, s["label"].as_str());
                hosts(found.iter().map(String::as_str).collect())
            }
            "can_host" => {
                let id = self.component(&s["component"])?.id();
                let node = self.slider.history_mut().node(host);
                json!({ "value": node.can_host(id, s["label"].as_str()).is_ok() })
            }
            "build_recent_lists" => {
                self.slider.history_mut().build_recent();
                Value::Null
            }
            "exceeds_threshold" => {
                let id = self.component(&s["component"])?.id();
                let node = self.slider.history_mut().node(host);
                json!({ "value": node.exceeds(id, int(&s["threshold"]) as i32) })
            }
            "set_threshold" => {
                self.component_mut(&s["component"])?.settings.node_failure_threshold = int(&s["threshold"]) as i32;
                Value::Null
            }
            "reset_node_failures" => {
                for entry in self.slider.history_mut().node(host).entries.values_mut() {
                    entry.failed_recently = 0;
                }
                Value::Null
            }
            "update_blacklist" => {
                let all = list(&s["components"]).iter().map(|c| self.component(c)).collect::<Result<Vec<_>, _>>()?;
                let mut told = Vec::new();
                let (add, remove) = self.slider.history_mut().update_blacklist(all.iter(), &mut told);
                json!({
                    "changed": !told.is_empty(), "added_count": add.len(), "removed_count": remove.len(),
                    "blacklisted": self.blacklisted(),
                })
            }
            "node" => {
                let node = self.slider.history().nodes.get(host);
                json!({
                    "known": node.is_some(), "blacklisted": node.is_some_and(|n| n.blacklisted),
                    "online": node.is_some_and(|n| n.state.usable()),
                })
            }
            "order_allocations" => {
                let mut grants = Vec::new();
                for c in list(&s["containers"]) {
                    let container = ContainerId { app: AppId(0), attempt: 1, seq: self.last };
                    self.last += 1;
                    self.names.insert(text(&c["container"]).into(), container);
                    let (host, priority) = (text(&c["host"]).into(), int(&c["priority"]) as i32);
                    grants.push(Grant { container, host, priority, size: Resource::ZERO });
                }
                let order = self.slider.allocation_order(grants);
                json!({ "containers": order.iter().map(|g| self.name(g.container)).collect::<Vec<_>>() })
            }
            _ => return Ok(None),
        }))
    }

    /// Allocates a container for a request, with its component's counts passed in.
    fn granted(&mut self, s: &Value) -> Result<Value, String> {
        let ask = self.asked.get(text(&s["for_request"])).and_then(|asks| asks.first()).cloned();
        let ask = ask.ok_or("no such request")?;
        let named = text(&s["host"]);
        let host = match named.strip_prefix("host-of:") {
            Some(step) => {
                let asked = self.asked.get(step).and_then(|asks| asks.first());
                asked.and_then(|a| a.hosts.first()).cloned().ok_or("a request without a host")?
            }
            None => named.to_string(),
        };
        let history = self.slider.history_mut();
        let (how, _) = history.requests.granted(ask.component, &host, ask.priority(), ask.size, Version::V092);
        if int(&s["desired"]) <= int(&s["actual"]) {
            history.drop_requests(ask.component, &mut Vec::new());
        }
        Ok(json!({ "outcome": how.name() }))
    }

    /// Plays steps that change the entry of a component on a host.
    fn entry(&mut self, s: &Value) -> Result<Option<Value>, String> {
        let op = text(&s["op"]);
        let change: fn(&mut NodeEntry) = match op {
            "assigned" | "entry_starting" | "entry_assigned" => NodeEntry::assigned,
            "started" | "entry_started" => NodeEntry::started,
            "release_submitted" | "entry_release" | "entry_released" => NodeEntry::release,
            "entry_requested" => |e| e.requested += 1,
            "start_failed" | "entry_start_failed" => |e| _ = e.start_failed(),
            "entry_failed" => |e| _ = e.completed(false, Ending::Failed),
            "reset_entry_failures" => |e| e.failed_recently = 0,
            "entry" | "release_completed" | "failed" => |_| {},
            _ => return Ok(None),
        };
        let id = self.component(&s["component"])?.id();
        let host = text(&s["host"]);
        self.now += 1;
        let now = self.now;
        let history = self.slider.history_mut();
        let entry = history.entry(host, id);
        for _ in 0..s["times"].as_i64().unwrap_or(1).min(MOST_ROUNDS) {
            change(entry);
        }
        let mut free = false;
        if op == "release_completed" {
            free = entry.completed(true, Ending::Completed);
        } else if op == "failed" {
            let outcome = Ending::named(text(&s["outcome"])).ok_or_else(|| format!("no outcome {}", s["outcome"]))?;
            free = if s["short_lived"] == true {
                entry.start_failed();
                false
            } else {
                entry.completed(false, outcome)
            };
        }
        let mut got = entry_json(entry);
        if free {
            history.free(host, id, now);
        }
        let mut more = Map::new();
        more.insert("returned_to_list".into(), json!(free));
        if let Value::Object(got) = &mut got {
            got.extend(more);
        }
        Ok(Some(got))
    }
}
