//! Facts about Slider's outstanding requests alone (area slider, kind tracker).

use super::read::{int, list, text};
use super::slider::component;
use super::slider_judge::{Results, judge};
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::apps::slider::strategy::requests::{Request, Target, Tracker, priority};
use heddle_core::apps::slider::strategy::{AskId, Component, Version};
use heddle_core::model::Resource;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    (kind == "tracker").then_some(play as Driver)
}

fn play(case: &Case) -> Outcome {
    let size = &case.given["resource"];
    let mut lab = Lab {
        components: list(&case.given["components"]).iter().map(component).collect(),
        size: Resource::new(int(&size["memory"]), int(&size["vcores"])),
        tracker: Tracker::default(),
        waiting: BTreeMap::new(),
        asks: BTreeMap::new(),
        next: 0,
        results: Results::new(),
    };
    for (i, step) in list(&case.given["steps"]).iter().enumerate() {
        if let Err(what) = lab.step(step) {
            let at = format!("step {i} {}", text(&step["op"]));
            return Outcome::Failed(Difference::new(at, "a step that can be played", what));
        }
    }
    judge(&case.expect, &lab.results).into()
}

struct Lab {
    components: Vec<Component>,
    size: Resource,
    tracker: Tracker,
    /// The component and the target of requests, by name.
    waiting: BTreeMap<String, (i32, Target)>,
    /// The names of issued requests.
    asks: BTreeMap<AskId, String>,
    next: u64,
    results: Results,
}

fn shown(r: &Request) -> Value {
    let ask = r.ask.as_ref();
    let hosts = match &r.target {
        Target::Anywhere => Vec::new(),
        Target::Host(host) => vec![host.clone()],
        Target::OneOf(hosts) => hosts.clone(),
    };
    let sent = ask.map_or(hosts, |a| a.hosts.clone());
    json!({
        "located": r.host().is_some(), "escalated": r.escalated, "may_escalate": r.may_escalate,
        "relax_locality": ask.map(|a| a.relax), "label_kept": r.label, "label_sent": ask.and_then(|a| a.label.clone()),
        "hosts": (!sent.is_empty()).then_some(&sent), "first_host": sent.first(), "host_count": sent.len(),
        "priority": ask.map(|a| a.priority()),
    })
}

impl Lab {
    fn find(&mut self, name: &str) -> Result<&mut Request, String> {
        let (component, target) = self.waiting.get(name).ok_or_else(|| format!("no request {name}"))?;
        let asks = &self.asks;
        let named = |r: &Request| match &r.ask {
            Some(ask) => asks.get(&ask.id).is_some_and(|n| n == name),
            None => r.component == *component && r.target == *target,
        };
        self.tracker.iter_mut().find(|r| named(r)).ok_or_else(|| format!("{name} is gone"))
    }

    /// Returns the name of a request.
    fn name(&self, r: &Request) -> Option<&str> {
        match &r.ask {
            Some(ask) => self.asks.get(&ask.id).map(String::as_str),
            None => {
                let same = |(component, target): &(i32, Target)| *component == r.component && *target == r.target;
                self.waiting.iter().find(|(_, w)| same(w)).map(|(name, _)| name.as_str())
            }
        }
    }

    fn add(&mut self, name: &str, component: i32, target: Target) -> Value {
        let request = Request::new(component, target.clone());
        let got = shown(&request);
        self.waiting.insert(name.into(), (component, target));
        self.tracker.add(request);
        got
    }

    fn counts(&self) -> Value {
        json!({ "placed": self.tracker.placed().count(), "open": self.tracker.open().len() })
    }

    fn step(&mut self, s: &Value) -> Result<(), String> {
        let (mut id, component) = (text(&s["id"]).to_string(), int(&s["component_id"]) as i32);
        let host = s["host"].as_str();
        let got = match text(&s["op"]) {
            "new_request" => {
                let target = host.map_or(Target::Anywhere, |h| Target::Host(h.into()));
                self.add(&id, component, target)
            }
            "new_aa_request" => {
                let hosts: Vec<String> = list(&s["hosts"]).iter().map(|h| text(h).to_string()).collect();
                match Target::one_of(hosts) {
                    Some(target) => self.add(&id, component, target),
                    None => json!({ "error": true }),
                }
            }
            "issue" => {
                let name = text(&s["request"]).to_string();
                let of = self.components.iter().find(|c| c.name == text(&s["component"]));
                let settings = of.ok_or("no such component")?.settings.clone();
                let (number, size) = (AskId(self.next), self.size);
                let request = self.find(&name)?;
                request.issue(number, &settings, size, int(&s["time"]));
                let got = shown(request);
                self.next += 1;
                self.asks.insert(number, name.clone());
                id = name;
                got
            }
            "granted" => {
                let priority = s["priority"].as_i64().map_or(priority(component, true), |p| p as i32);
                let amount = |key: &str, default: i64| s[key].as_i64().unwrap_or(default);
                let size = Resource::new(amount("memory", self.size.memory_mb()), amount("vcores", self.size.vcores()));
                let (how, met) = self.tracker.granted(component, host.unwrap_or(""), priority, size, Version::V092);
                let ops: Vec<&str> = met.iter().filter(|r| r.ask.is_some()).map(|_| "cancel").collect();
                json!({
                    "outcome": how.name(), "request": met.as_ref().and_then(|r| self.name(r)),
                    "operations": ops.iter().map(|kind| json!({ "type": kind })).collect::<Value>(),
                    "operation_count": ops.len(),
                })
            }
            "lookup_placed" => {
                let found = self.tracker.on(component, host.unwrap_or(""));
                json!({ "request": found.and_then(|r| self.name(r)) })
            }
            "counts" => self.counts(),
            "reset_component" => {
                let (placed, _) = self.tracker.reset(component);
                let hosts: Vec<&str> = placed.iter().filter_map(|r| r.host()).collect();
                json!({ "hosts": hosts, "count": hosts.len() })
            }
            "escalate" => self.escalate(int(&s["now"])),
            "force_escalate" => {
                let number = AskId(self.next);
                let name = text(&s["request"]).to_string();
                let request = self.find(&name)?;
                request.escalate(number, request.escalates_after).ok_or("it is not issued")?;
                let got = shown(request);
                self.next += 1;
                self.asks.insert(number, name);
                got
            }
            other => return Err(format!("unknown step {other}")),
        };
        if !id.is_empty() {
            self.results.insert(id, got);
        }
        Ok(())
    }

    fn escalate(&mut self, now: i64) -> Value {
        let mut ops = Vec::new();
        for relaxed in self.tracker.escalate(now, &mut self.next, Version::V092) {
            let name = self.asks.get(&relaxed.old).cloned().unwrap_or_default();
            self.asks.insert(relaxed.ask.id, name.clone());
            ops.push(json!({ "type": "cancel", "request": name }));
            ops.push(json!({ "type": "request", "request": name, "relax_locality": relaxed.ask.relax }));
        }
        let all = self.tracker.placed().chain(self.tracker.open());
        let escalated: serde_json::Map<String, Value> =
            all.filter_map(|r| Some((self.name(r)?.to_string(), json!(r.escalated)))).collect();
        json!({ "operations": ops, "operation_count": ops.len(), "escalated": escalated })
    }
}
