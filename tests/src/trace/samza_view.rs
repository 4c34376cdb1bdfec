//! The visible state of a Samza ApplicationMaster, and the changes that a step makes to it.

use super::samza::place;
use heddle_core::apps::samza::strategy::{Counters, End, Samza, Status};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The state after the previous step.
pub(crate) struct View {
    counters: Map<String, Value>,
    failures: BTreeMap<String, Value>,
    given_up: Vec<String>,
    queue: Vec<u64>,
    buffers: Map<String, Value>,
    status: Status,
    healthy: bool,
    ended: bool,
}

impl Default for View {
    fn default() -> Self {
        View {
            counters: counters(&Counters::default()),
            failures: BTreeMap::new(),
            given_up: Vec::new(),
            queue: Vec::new(),
            buffers: Map::new(),
            status: Status::Undefined,
            healthy: true,
            ended: false,
        }
    }
}

/// Returns Samza's name.
pub(crate) fn status(status: Status) -> &'static str {
    match status {
        Status::Undefined => "UNDEFINED",
        Status::Succeeded => "SUCCEEDED",
        Status::Failed => "FAILED",
    }
}

/// Returns all counters under the names of the format.
pub(crate) fn counters(c: &Counters) -> Map<String, Value> {
    let all = json!({
        "container_requests": c.container_requests, "preferred_host_requests": c.preferred_host_requests,
        "any_host_requests": c.any_host_requests, "matched": c.matched, "expired_preferred": c.expired_preferred,
        "expired_any": c.expired_any, "redundant": c.redundant, "failed_containers": c.failed_containers,
        "released_containers": c.released_containers, "completed": c.completed, "needed": c.needed,
        "failed_standby_allocations": c.failed_standby_allocations, "failovers_to_standby": c.failovers_to_standby,
        "failovers_to_any": c.failovers_to_any, "failed_placements": c.failed_placements,
        "rack_requests": c.rack_requests, "rack_starts": c.rack_starts, "rack_expired": c.rack_expired,
        "rack_failed": c.rack_failed,
    });
    match all {
        Value::Object(all) => all,
        _ => Map::new(),
    }
}

/// Writes a value that has changed, and keeps it.
fn changed<T: PartialEq + Clone>(was: &mut T, is: T, put: impl FnOnce(&T)) {
    if *was != is {
        put(&is);
        *was = is;
    }
}

impl View {
    /// Adds the differences since the last call.
    pub(crate) fn changes(&mut self, samza: &Samza, out: &mut Map<String, Value>) {
        let counters = counters(samza.counters());
        let other = |(k, v): &(&String, &Value)| self.counters.get(*k) != Some(*v);
        let differ: Map<String, Value> = counters.iter().filter(other).map(|(k, v)| (k.clone(), v.clone())).collect();
        if !differ.is_empty() {
            out.insert("counters".into(), Value::Object(differ));
        }
        self.counters = counters;

        let failures = samza.failures().iter().map(|(p, f)| (p.clone(), json!([f.count, f.delay])));
        let failures: BTreeMap<String, Value> = failures.collect();
        let mut differ: Map<String, Value> =
            self.failures.keys().filter(|p| !failures.contains_key(*p)).map(|p| (p.clone(), Value::Null)).collect();
        differ.extend(
            failures.iter().filter(|(p, f)| self.failures.get(*p) != Some(*f)).map(|(p, f)| (p.clone(), f.clone())),
        );
        if !differ.is_empty() {
            out.insert("failures".into(), Value::Object(differ));
        }
        self.failures = failures;

        let mut put = |key: &str, value: Value| drop(out.insert(key.into(), value));
        changed(&mut self.given_up, samza.given_up().keys().cloned().collect(), |is| put("given_up", json!(is)));
        changed(&mut self.queue, samza.requests().queue().map(|r| r.id).collect(), |is| put("queue", json!(is)));
        let held = samza.requests().buffers().iter().filter(|(_, b)| !b.is_empty());
        let held = held.map(|(at, b)| {
            let name = place(at).as_str().unwrap_or("null").to_string();
            (name, b.iter().map(|x| json!(x.container.seq)).collect::<Value>())
        });
        changed(&mut self.buffers, held.collect(), |is| put("buffers", json!(is)));
        changed(&mut self.status, samza.status(), |is| put("status", json!(status(*is))));
        changed(&mut self.healthy, samza.healthy(), |is| put("healthy", json!(is)));
        if let Some(end) = samza.ends().filter(|_| !self.ended && !out.contains_key("final_status")) {
            let end = match end {
                End::Finished => "finished",
                End::Exception => "exception",
            };
            out.insert("ends".into(), json!(end));
            self.ended = true;
        }
    }
}
