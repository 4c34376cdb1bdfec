//! Samza traces: scripts of the input of Samza's ApplicationMaster, played on ours, and compared as a whole with the real
//! classes' behaviour. Groupings and job models: [`super::samza_model`].

use super::samza_view::View;
use super::slider::same;
use crate::conformance::{Case, Difference, Driver, Outcome};
use crate::facts::read::{int, list, text};
use heddle_core::apps::samza::strategy::job::{Config, containers, inputs::Tasks};
use heddle_core::apps::samza::strategy::{
    Allocated, CoordinatorStream, Decision, Event, JobModel, Message, Operation, Report, RequestId, RequestMode, Samza,
    Settings, Start, Wish,
};
use heddle_core::model::{AppId, ContainerId, Millis};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    (kind == "samza").then_some(play as Driver)
}

fn play(case: &Case) -> Outcome {
    let steps = list(&case.given["steps"]);
    let expected = list(&case.expect["steps"]);
    if steps.len() != expected.len() {
        let what = format!("{} steps", steps.len());
        return Outcome::Failed(Difference::new("expect.steps", what, format!("{} outcomes", expected.len())));
    }
    let mut player = Player::new(&case.given);
    for (i, (step, expected)) in steps.iter().zip(expected).enumerate() {
        let at = || format!("step {i} {}", text(&step["op"]));
        match player.step(step) {
            Ok(mut got) => {
                // Exception messages are only for readers.
                if let (Some(said), true) = (expected.get("error"), got.contains_key("error")) {
                    got.insert("error".into(), said.clone());
                }
                if let Err(d) = same(expected, &Value::Object(got)) {
                    return Outcome::Failed(d.inside(at()));
                }
            }
            Err(what) => return Outcome::Failed(Difference::new(at(), "a step that can be played", what)),
        }
    }
    Outcome::Passed
}

/// Returns the properties of a case.
pub(crate) fn config(v: &Value) -> Config {
    let value = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_string);
    v.as_object().into_iter().flatten().map(|(k, v)| (k.clone(), value(v))).collect()
}

/// Returns names with texts.
pub(crate) fn texts(v: &Value) -> BTreeMap<String, String> {
    v.as_object().into_iter().flatten().filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_string()))).collect()
}

pub(crate) fn container(v: &Value) -> ContainerId {
    ContainerId { app: AppId(0), attempt: 1, seq: v.as_u64().unwrap_or(u64::MAX) }
}

/// Returns a model with one task for each container, and replicas.
pub(crate) fn one_task_each(count: i32, replication: i32) -> JobModel {
    let tasks: Vec<String> = (0..count).map(|i| format!("Partition {i}")).collect();
    let groups = containers::by_count(&tasks, count, None).unwrap_or_default();
    JobModel::of(groups, &Tasks::new(), &BTreeMap::new(), replication)
}

/// Returns a text of Samza's, with containers named as in the format.
fn named(text: &str) -> String {
    let Some((before, rest)) = text.split_once("container_01_") else { return text.into() };
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(digits);
    format!("{before}c{}{}", number.parse().unwrap_or(0u64), named(rest))
}

/// Returns a place in the form of the format.
pub(crate) fn place(wish: &Wish) -> Value {
    if *wish == Wish::Unknown { Value::Null } else { json!(wish.name()) }
}

/// A container that was allocated.
struct Granted {
    host: String,
    at: Millis,
    processor: Option<String>,
}

struct Player {
    now: Millis,
    config: Config,
    containers: i32,
    stream: CoordinatorStream,
    nodes: BTreeMap<String, String>,
    next_request: RequestId,
    granted: Vec<Granted>,
    samza: Option<Samza>,
    view: View,
}

impl Player {
    fn new(given: &Value) -> Self {
        let mut config = config(&given["config"]);
        config.entry("job.name".into()).or_insert_with(|| "job".into());
        config.insert("app.run.id".into(), "run".into());
        let stream = CoordinatorStream { hosts: texts(&given["last_hosts"]), ..CoordinatorStream::default() };
        Player {
            now: 0,
            config,
            containers: int(&given["containers"]) as i32,
            stream,
            nodes: texts(&given["racks"]),
            next_request: 0,
            granted: Vec::new(),
            samza: None,
            view: View::default(),
        }
    }

    fn host(&self, container: &Value) -> String {
        container.as_u64().and_then(|n| self.granted.get(n as usize)).map(|g| g.host.clone()).unwrap_or_default()
    }

    fn stream(&mut self) -> &mut CoordinatorStream {
        match &mut self.samza {
            Some(samza) => samza.stream_mut(),
            None => &mut self.stream,
        }
    }

    fn step(&mut self, s: &Value) -> Result<Map<String, Value>, String> {
        let first = self.next_request;
        let mut out = Map::new();
        let mut report = Report::default();
        let mut written = None;
        let event = match text(&s["op"]) {
            "start" => {
                report = self.start(Vec::new(), false)?;
                None
            }
            "restart" => {
                report = self.restart(s)?;
                None
            }
            "clock" => {
                self.now += int(&s["ms"]);
                None
            }
            "place" => {
                let message = Message {
                    id: s["id"].as_u64().ok_or("no id")?,
                    run: s["run"].as_str().unwrap_or("run").into(),
                    processor: text(&s["processor"]).into(),
                    to: text(&s["to"]).into(),
                    expiry_ms: s["expiry_ms"].as_i64(),
                };
                self.stream().place(message);
                None
            }
            "shutdown" => {
                let samza = self.samza.as_ref().ok_or("nothing was started")?;
                out.insert("final_status".into(), json!(super::samza_view::status(samza.status())));
                None
            }
            "tick" => Some(Event::Tick),
            "read_placements" => Some(Event::ReadPlacements),
            "grant" => Some(self.grant(s)),
            "started" => {
                let granted = s["container"].as_u64().and_then(|n| self.granted.get(n as usize));
                written = granted.and_then(|g| g.processor.clone()).zip(s["records"].as_str());
                Some(Event::Started(container(&s["container"])))
            }
            "launch_failed" => Some(Event::LaunchFailed(container(&s["container"]), self.host(&s["container"]))),
            "stop_failed" => Some(Event::StopFailed(container(&s["container"]))),
            "ended" => {
                let ended = |c: &Value| (container(&c[0]), int(&c[1]) as i32);
                Some(Event::Completed(list(&s["containers"]).iter().map(ended).collect()))
            }
            "nodes" => {
                self.nodes.extend(texts(&s["up"]));
                list(&s["down"]).iter().for_each(|h| drop(self.nodes.remove(text(h))));
                Some(Event::Nodes(self.nodes.clone()))
            }
            other => return Err(format!("unknown step {other}")),
        };
        if let Some(event) = event {
            let samza = self.samza.as_mut().ok_or("nothing was started")?;
            report = samza.handle(self.now, event);
        }
        if let Some((processor, host)) = written {
            self.stream().write_host(&processor, host);
        }
        if s["op"] == "read_placements" {
            // The reading thread catches exceptions.
            report.fault = None;
        }
        self.tell(first, &report, &mut out);
        if let Some(samza) = &self.samza {
            self.next_request = samza.next_request();
            self.view.changes(samza, &mut out);
        }
        Ok(out)
    }

    fn grant(&mut self, s: &Value) -> Event {
        let mut grants = Vec::new();
        for host in list(&s["hosts"]) {
            grants.push((container(&json!(self.granted.len())), text(host).to_string()));
            self.granted.push(Granted { host: text(host).into(), at: self.now, processor: None });
        }
        Event::Granted(grants)
    }

    fn start(&mut self, kept: Vec<(String, Allocated)>, changed: bool) -> Result<Report, String> {
        let settings = Settings::of(&self.config).map_err(|r| format!("refused: {r:?}"))?;
        let start = Start {
            model: one_task_each(self.containers, settings.replication),
            settings,
            mode: RequestMode::Strict,
            stream: std::mem::take(&mut self.stream),
            nodes: self.nodes.clone(),
            kept,
            changed,
            next_request: self.next_request,
        };
        let (samza, report) = Samza::start(self.now, start);
        self.samza = Some(samza);
        self.view = View::default();
        Ok(report)
    }

    fn restart(&mut self, s: &Value) -> Result<Report, String> {
        if let Some(samza) = self.samza.take() {
            self.stream = samza.stream().clone();
        }
        for (key, value) in s["config"].as_object().into_iter().flatten() {
            match value.as_str() {
                Some(value) => drop(self.config.insert(key.clone(), value.into())),
                None => drop(self.config.remove(key)),
            }
        }
        self.containers = s["containers"].as_i64().map_or(self.containers, |n| n as i32);
        let mut kept: Vec<(String, Allocated)> = Vec::new();
        for k in list(&s["keep"]) {
            let granted = k.as_u64().and_then(|n| self.granted.get(n as usize)).ok_or("a container that never was")?;
            let processor = granted.processor.clone().ok_or("a container that nothing ran in")?;
            let allocated = Allocated { container: container(k), host: granted.host.clone(), at: granted.at };
            match kept.iter_mut().find(|(p, _)| *p == processor) {
                Some(other) => other.1 = allocated,
                None => kept.push((processor, allocated)),
            }
        }
        self.start(kept, s["replace"] == true)
    }

    /// Adds the results of a step, under the keys of the format. `first`: the number of the first request made in it.
    fn tell(&mut self, first: RequestId, report: &Report, out: &mut Map<String, Value>) {
        let (mut made, mut sent, mut withdrawn) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        let (mut launched, mut released, mut stops, mut racks) = (Vec::new(), Vec::new(), Vec::new(), Map::new());
        let mut note_racks = |id: RequestId, of: &BTreeSet<String>| {
            if !of.is_empty() {
                racks.insert(id.to_string(), json!(of));
            }
        };
        for op in &report.operations {
            match op {
                Operation::Request(r) if r.id >= first => {
                    note_racks(r.id, &r.racks);
                    made.insert(r.id, json!([r.id, r.processor, place(&r.wish)]));
                }
                Operation::Request(r) => drop(sent.insert(r.id)),
                Operation::Withdraw(id) => withdrawn.push(*id),
                Operation::Launch { container, processor, request } => {
                    if let Some(granted) = self.granted.get_mut(container.seq as usize) {
                        granted.processor = Some(processor.clone());
                    }
                    launched.push(json!([container.seq, processor, request]));
                }
                Operation::Release(container) => released.push(container.seq),
                Operation::Stop(container) => stops.push(container.seq),
            }
        }
        let mut delayed = Vec::new();
        if let Some(samza) = &self.samza {
            let mut held: Vec<_> = samza.requests().delayed().filter(|r| r.id >= first).collect();
            held.sort_by_key(|r| r.id);
            for r in held {
                note_racks(r.id, &r.racks);
                delayed.push(json!([r.id, r.processor, place(&r.wish), r.at]));
            }
        }
        withdrawn.sort_unstable();
        released.sort_unstable();
        stops.sort_unstable();
        let answers = report.decisions.iter().filter_map(|d| match d {
            Decision::Answered { id, status, text } => Some(json!([id, status.name(), named(text)])),
            _ => None,
        });
        let lists = [
            ("requests", made.into_values().collect()),
            ("delayed", delayed),
            ("sent", sent.iter().map(|n| json!(n)).collect()),
            ("withdrawn", withdrawn.iter().map(|n| json!(n)).collect()),
            ("launched", launched),
            ("released", released.iter().map(|n| json!(n)).collect()),
            ("stops", stops.iter().map(|n| json!(n)).collect()),
            ("placements", answers.collect::<Vec<Value>>()),
        ];
        out.extend(lists.into_iter().filter(|(_, l)| !l.is_empty()).map(|(k, l)| (k.to_string(), Value::Array(l))));
        if !racks.is_empty() {
            out.insert("racks".into(), Value::Object(racks));
        }
        if let Some(fault) = &report.fault {
            out.insert("error".into(), json!(format!("{fault:?}")));
        }
    }
}
