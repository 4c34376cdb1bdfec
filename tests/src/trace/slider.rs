//! Slider traces: scripts of the input of Slider's ApplicationMaster, played on ours, and compared as a whole with the real
//! classes' behaviour. The state compared after each step: [`super::slider_view`].

use super::slider_view::{View, name};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use crate::facts::read::{int, list, text};
use heddle_core::apps::slider::strategy::decision::Ended;
use heddle_core::apps::slider::strategy::records::{NodeRecord, Records};
use heddle_core::apps::slider::strategy::settings::Keys;
use heddle_core::apps::slider::strategy::{
    Ask, AskId, Component, Decision, Definition, Event, Files, Grant, History, Limits, Live, NodeReport, NodeState,
    Operation, Report, Settings, Slider, Start, Stopped, Version, files,
};
use heddle_core::model::{AppId, ContainerId, Millis, Resource};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "slider" => play,
        "slider-history-write" => history_write,
        "slider-history-read" => history_read,
        _ => return None,
    })
}

/// Compares in both directions.
pub(crate) fn same(expected: &Value, got: &Value) -> Result<(), Difference> {
    holds(expected, got)?;
    holds(got, expected).map_err(|d| Difference { expected: d.got, got: d.expected, ..d })
}

fn play(case: &Case) -> Outcome {
    let version = match text(&case.given["version"]) {
        "0.92.0-incubating" => Version::V092,
        other => return Outcome::Unsupported(format!("slider {other}")),
    };
    let steps = list(&case.given["steps"]);
    let expected = list(&case.expect["steps"]);
    if steps.len() != expected.len() {
        let what = format!("{} steps", steps.len());
        return Outcome::Failed(Difference::new("expect.steps", what, format!("{} outcomes", expected.len())));
    }
    let mut player = Player::new(&case.given, version);
    for (i, (step, expected)) in steps.iter().zip(expected).enumerate() {
        let at = || format!("step {i} {}", text(&step["op"]));
        match player.step(step) {
            Ok(got) => {
                if let Err(d) = same(expected, &Value::Object(got)) {
                    return Outcome::Failed(d.inside(at()));
                }
            }
            Err(what) => return Outcome::Failed(Difference::new(at(), "a step that can be played", what)),
        }
    }
    Outcome::Passed
}

/// Returns the container with a number.
pub(crate) fn container(v: &Value) -> ContainerId {
    ContainerId { app: AppId(0), attempt: 1, seq: v.as_u64().unwrap_or(u64::MAX) }
}

fn containers(v: &Value) -> Vec<ContainerId> {
    list(v).iter().map(container).collect()
}

fn keys(v: &Value) -> Keys {
    v.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), text(v).to_string())).collect()
}

fn definition(v: &Value) -> Definition {
    let components = v["components"].as_object().into_iter().flatten().map(|(k, v)| (k.clone(), keys(v))).collect();
    Definition { global: keys(&v["global"]), components }
}

fn reports(v: &Value) -> Result<Vec<NodeReport>, String> {
    let report = |r: &Value| {
        let state = r["state"].as_str().unwrap_or("RUNNING");
        let state = NodeState::of(state).ok_or_else(|| format!("unknown state {state}"))?;
        Ok(NodeReport { host: text(&r["host"]).into(), state, label: text(&r["label"]).into() })
    };
    list(v).iter().map(report).collect()
}

struct Player {
    version: Version,
    limits: Limits,
    now: Millis,
    definition: Definition,
    files: Files,
    slider: Option<Slider>,
    view: View,
    /// The numbers of this attempt's requests that YARN has received.
    numbers: BTreeMap<AskId, u64>,
    next_number: u64,
    /// The host and the priority of every container.
    given: BTreeMap<ContainerId, (String, i32)>,
}

impl Player {
    fn new(given: &Value, version: Version) -> Self {
        let limit = |which: &str| {
            let of = |what: &str| int(&given["limits"][format!("{which}_{what}")]);
            Resource::new(of("memory_mb"), of("vcores"))
        };
        Player {
            version,
            limits: Limits { min: limit("min"), max: limit("max") },
            now: int(&given["now"]),
            definition: definition(&given["resources"]),
            files: Files::default(),
            slider: None,
            view: View::default(),
            numbers: BTreeMap::new(),
            next_number: 0,
            given: BTreeMap::new(),
        }
    }

    fn step(&mut self, s: &Value) -> Result<Map<String, Value>, String> {
        let mut out = Map::new();
        let mut flexed = None;
        let event = match text(&s["op"]) {
            "start" | "restart" => {
                self.start(s, &mut out)?;
                None
            }
            "clock" => {
                self.now += int(&s["ms"]);
                None
            }
            "damage" => {
                self.damage(s);
                None
            }
            "nodes" => Some(Event::Nodes(reports(&s["reports"])?)),
            "flex" => {
                flexed = Some(definition(&s["resources"]));
                flexed.clone().map(Event::Flex)
            }
            "review" => Some(Event::Review),
            "escalate" => Some(Event::EscalationCheck),
            "reset_failures" => Some(Event::FailureWindow),
            "grant" => Some(Event::Granted(self.grants(s))),
            "launch" => Some(Event::Launched(containers(&s["containers"]))),
            "started" => Some(Event::Started(containers(&s["containers"]))),
            "start_failed" => Some(Event::LaunchFailed(container(&s["container"]))),
            "complete" => {
                let ended = |c: &Value| (container(&c[0]), int(&c[1]) as i32);
                Some(Event::Completed(list(&s["containers"]).iter().map(ended).collect()))
            }
            "lost" => Some(Event::AgentLost(container(&s["container"]))),
            other => return Err(format!("unknown step {other}")),
        };
        if let Some(event) = event {
            let kind = text(&s["op"]);
            let slider = self.slider.as_mut().ok_or("nothing was started")?;
            let report = slider.handle(self.now, event);
            if report.refused.is_none()
                && let Some(definition) = flexed
            {
                self.definition = definition;
            }
            self.tell(kind, &report, &mut out);
        }
        if let Some(slider) = &self.slider {
            self.view.changes(slider, &self.numbers, &mut out);
        }
        Ok(out)
    }

    fn grants(&mut self, s: &Value) -> Vec<Grant> {
        let mut grants = Vec::new();
        for c in list(&s["containers"]) {
            let grant = Grant {
                container: container(&c["container"]),
                host: text(&c["node"]).into(),
                priority: int(&c["priority"]) as i32,
                size: Resource::new(int(&c["memory_mb"]), int(&c["vcores"])),
            };
            self.given.insert(grant.container, (grant.host.clone(), grant.priority));
            grants.push(grant);
        }
        grants
    }

    /// Empties the newest history file, or removes its end.
    fn damage(&mut self, s: &Value) {
        let files = self.slider.as_mut().map_or(&mut self.files, Slider::files_mut);
        let Some((name, text)) = files.iter().next_back().map(|(n, t)| (n.to_string(), t.to_string())) else { return };
        let empty = s["how"] == "empty" || text.len() < 10;
        files.put(name, if empty { "" } else { &text[..text.len() - 10] });
    }

    fn start(&mut self, s: &Value, out: &mut Map<String, Value>) -> Result<(), String> {
        if let Some(slider) = self.slider.take() {
            self.files = slider.files().clone();
        }
        self.numbers.clear();
        self.view = View::default();
        if let Some(resources) = s.get("resources") {
            self.definition = definition(resources);
        }
        if let Some(history) = s.get("history") {
            self.files.put(files::name(int(&history["saved"])), earlier(history));
        }
        let any = !self.files.is_empty();
        let live = containers(&s["live"]).into_iter().map(|container| {
            let (host, priority) = self.given.get(&container).cloned().ok_or("a container that never was")?;
            Ok(Live { container, host, priority })
        });
        let start = Start {
            version: self.version,
            limits: self.limits,
            definition: self.definition.clone(),
            files: self.files.clone(),
            check_seconds: None,
            nodes: reports(&s["nodes"])?,
            live: live.collect::<Result<_, &str>>()?,
        };
        match Slider::start(self.now, start) {
            Err(refused) => {
                out.insert("refused_start".into(), json!(refused.kind.class()));
            }
            Ok((slider, report)) => {
                if any {
                    let mut history = Map::new();
                    if let Some(thawed) = slider.history().thawed.filter(|t| *t > 0) {
                        history.insert("loaded".into(), json!(thawed));
                    }
                    history.insert("files".into(), json!(slider.files().len()));
                    out.insert("history".into(), Value::Object(history));
                }
                self.slider = Some(slider);
                self.tell("start", &report, out);
            }
        }
        Ok(())
    }

    /// Adds the results of a step, under the keys of the format.
    fn tell(&mut self, step: &str, report: &Report, out: &mut Map<String, Value>) {
        let ops: Vec<Value> = report.operations.iter().map(|op| self.operation(op)).collect();
        if !ops.is_empty() {
            out.insert("ops".into(), Value::Array(ops));
        }
        let (mut grants, mut ended, mut changed) = (Vec::new(), Vec::new(), false);
        for decision in &report.decisions {
            match decision {
                Decision::Granted { container, component, ask, used } => {
                    let mut grant = json!({ "container": container.seq, "component": self.component(*component) });
                    if let Some(number) = ask.and_then(|ask| self.numbers.get(&ask)) {
                        grant["request"] = json!(number);
                    }
                    match used {
                        Some(how) => grant["outcome"] = json!(how.name()),
                        None => grant["surplus"] = json!(true),
                    }
                    grants.push(grant);
                }
                Decision::Ended { container, how } => {
                    let mut one = json!({ "container": container.seq });
                    match how {
                        Ended::Surplus => one["surplus"] = json!(true),
                        Ended::Unknown => one["unknown"] = json!(true),
                        Ended::Released => {
                            one["failed"] = json!(false);
                            one["outcome"] = json!("Completed");
                        }
                        Ended::Failed { outcome, .. } => {
                            one["failed"] = json!(true);
                            one["outcome"] = json!(outcome.name());
                        }
                    }
                    ended.push(one);
                }
                Decision::ClusterChanged { .. } => changed = true,
                _ => {}
            }
        }
        if step == "grant" {
            out.insert("grants".into(), Value::Array(grants));
        }
        if step == "complete" {
            out.insert("completed".into(), Value::Array(ended));
        }
        if changed && step == "nodes" {
            out.insert("changed".into(), json!(true));
        }
        if report.review {
            out.insert("review".into(), json!(true));
        }
        if let Some(refused) = &report.refused {
            out.insert("refused".into(), json!(refused.kind.class()));
        }
        if let Some(stopped) = &report.stopped {
            let message = stopped.message(&|c| format!("<container {}>", c.seq));
            out.insert("failed".into(), json!({ "exit": Stopped::EXIT, "status": "FAILED", "message": message }));
        }
    }

    fn component(&self, id: i32) -> Value {
        self.slider.as_ref().map_or(Value::Null, |s| name(s, id))
    }

    fn operation(&mut self, op: &Operation) -> Value {
        match op {
            Operation::Request(ask) => {
                let number = self.next_number;
                self.next_number += 1;
                self.numbers.insert(ask.id, number);
                self.request(ask, number)
            }
            Operation::Cancel(ask) => json!({ "op": "cancel", "request": self.numbers.get(ask) }),
            Operation::Release(container) => json!({ "op": "release", "container": container.seq }),
            Operation::Blacklist { add, remove } => json!({ "op": "blacklist", "add": add, "remove": remove }),
        }
    }

    fn request(&self, ask: &Ask, number: u64) -> Value {
        let mut out = json!({
            "op": "request", "request": number, "component": self.component(ask.component), "relax": ask.relax,
            "priority": ask.priority(), "memory_mb": ask.size.memory_mb(), "vcores": ask.size.vcores(),
        });
        if !ask.hosts.is_empty() {
            out["hosts"] = json!(ask.hosts);
        }
        if let Some(label) = &ask.label {
            out["label"] = json!(label);
        }
        out
    }
}

/// Returns the file of an earlier run as Slider would have written it, without a mapping and a date.
fn earlier(history: &Value) -> String {
    let saved = int(&history["saved"]);
    let record = |kind: &str, fields: Value| {
        json!({ "entry": { format!("org.apache.slider.server.avro.{kind}"): fields } }).to_string()
    };
    let header = json!({ "version": 1, "saved": saved, "savedx": format!("{saved:x}"), "savedate": "",
        "roles": history["roles"].as_i64().unwrap_or(1) });
    let mut lines = vec![record("RoleHistoryHeader", header)];
    let entries = list(&history["entries"]);
    lines.extend(
        entries.iter().map(|e| {
            record("NodeEntryRecord", json!({ "host": e[0], "role": e[1], "active": e[2], "last_used": e[3] }))
        }),
    );
    lines.push(record("RoleHistoryFooter", json!({ "count": entries.len() })));
    lines.join("\n")
}

/// Returns the JSON documents of a text.
fn documents(text: &str) -> Vec<Value> {
    serde_json::Deserializer::from_str(text).into_iter::<Value>().map_while(Result::ok).collect()
}

fn ids(given: &Value) -> Vec<(String, i32)> {
    list(&given["components"]).iter().map(|c| (text(&c["name"]).to_string(), int(&c["id"]) as i32)).collect()
}

fn history_write(case: &Case) -> Outcome {
    let mapping = ids(&case.given);
    let mut history = History { roles: mapping.len() as i32, ..History::default() };
    for e in list(&case.given["entries"]) {
        let entry = history.entry(text(&e[0]), int(&e[1]) as i32);
        (entry.live, entry.last_used) = (int(&e[2]), int(&e[3]));
    }
    let mut files = Files::default();
    files.save(&history.records(int(&case.given["saved"]), mapping));
    let Some((name, written)) = files.iter().next() else {
        return Outcome::Failed(Difference::new("file", "one", "none"));
    };
    let expected = text(&case.expect["text"]);
    let lengths = json!({ "file": name, "length": written.len() });
    same(&json!({ "file": case.expect["file"], "length": expected.len() }), &lengths)
        .and_then(|()| same(&json!(documents(expected)), &json!(documents(written))).map_err(|d| d.inside("text")))
        .into()
}

fn history_read(case: &Case) -> Outcome {
    let components = ids(&case.given);
    let mut files = Files::default();
    for f in list(&case.given["files"]) {
        files.put(text(&f["name"]), text(&f["text"]));
    }
    let mut out = Map::new();
    if let Some((name, records)) = files.load().taken {
        let Records { saved, roles, mapping, nodes, .. } = &records;
        let entry = |n: &NodeRecord| json!([n.host, n.role, n.active, n.last_used]);
        out.insert("loaded".into(), json!(name));
        out.insert("saved".into(), json!(saved));
        out.insert("roles".into(), json!(roles));
        out.insert("mapping".into(), mapping.iter().map(|(k, v)| (k.clone(), json!(v))).collect());
        out.insert("entries".into(), nodes.iter().map(entry).collect());
        let limits = Limits { min: Resource::ZERO, max: Resource::ZERO };
        let slider = Slider::new(Version::V092, limits, Definition::default(), files.clone()).and_then(|mut slider| {
            for (name, id) in &components {
                slider.add(Component::new(name.as_str(), name.as_str(), Settings::new(*id)))?;
            }
            Ok(slider)
        });
        let mut slider = match slider {
            Ok(slider) => slider,
            Err(refused) => return Outcome::Failed(Difference::new("components", "accepted", refused.what)),
        };
        let mut report = Report::default();
        slider.load(&mut report);
        let discarded = report.decisions.iter().find_map(|d| match d {
            Decision::HistoryLoaded { discarded, .. } => Some(*discarded),
            _ => None,
        });
        out.insert("discarded".into(), json!(discarded));
        out.insert("nodes".into(), json!(slider.history().nodes.len()));
        let recent: Map<String, Value> = components
            .iter()
            .filter_map(|(name, id)| {
                let used = |host: &str| slider.history().nodes[host].entries[id].last_used;
                let list: Vec<Value> = slider.history().recent(*id).map(|h| json!([h, used(h)])).collect();
                (!list.is_empty()).then(|| (name.clone(), Value::Array(list)))
            })
            .collect();
        out.insert("recent".into(), Value::Object(recent));
        files = slider.files().clone();
    }
    out.insert("files".into(), files.iter().map(|(name, _)| json!(name)).collect());
    same(&case.expect, &Value::Object(out)).into()
}
