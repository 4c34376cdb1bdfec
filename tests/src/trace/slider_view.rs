//! The visible state of Slider, and the changes that a step makes to it.

use heddle_core::apps::slider::strategy::nodes::NodeEntry;
use heddle_core::apps::slider::strategy::requests::Request;
use heddle_core::apps::slider::strategy::{AskId, Component, Slider};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The state after the previous step.
#[derive(Default)]
pub(crate) struct View(Map<String, Value>);

impl View {
    /// Adds the differences since the last call.
    pub(crate) fn changes(&mut self, slider: &Slider, numbers: &BTreeMap<AskId, u64>, out: &mut Map<String, Value>) {
        let now = look(slider, numbers);
        out.extend(difference(Some(&self.0), &now));
        self.0 = now;
    }
}

/// Returns the name of a component.
pub(crate) fn name(slider: &Slider, id: i32) -> Value {
    slider.component(id).map_or(Value::Null, |c| json!(c.name))
}

/// Compares objects key by key, anything else as a whole; a missing value counts as 0 or as empty.
fn difference(before: Option<&Map<String, Value>>, after: &Map<String, Value>) -> Map<String, Value> {
    let mut out = Map::new();
    for (key, is) in after {
        let was = before.and_then(|b| b.get(key));
        if let Value::Object(inner) = is {
            let inner = difference(was.and_then(Value::as_object), inner);
            let new_entry = was.is_none() && is.get("last_used").is_some();
            if !inner.is_empty() || new_entry {
                out.insert(key.clone(), Value::Object(inner));
            }
        } else if !(was.is_none_or(blank) && blank(is)) && was != Some(is) {
            out.insert(key.clone(), is.clone());
        }
    }
    out
}

fn blank(v: &Value) -> bool {
    v.as_array().is_some_and(Vec::is_empty) || v.as_i64() == Some(0)
}

fn look(slider: &Slider, numbers: &BTreeMap<AskId, u64>) -> Map<String, Value> {
    let history = slider.history();
    let mut entries = Map::new();
    for (host, node) in &history.nodes {
        let of = slider.components().filter_map(|c| Some((c.name.clone(), entry_json(node.entries.get(&c.id())?))));
        let of: Map<String, Value> = of.collect();
        if !of.is_empty() {
            entries.insert(host.clone(), Value::Object(of));
        }
    }
    let number = |r: &Request| json!(r.ask.as_ref().and_then(|a| numbers.get(&a.id)));
    let placed = history.requests.placed().map(|r| json!([name(slider, r.component), r.host(), number(r)]));
    let totals = slider.totals();
    let look = json!({
        "components": slider.components().map(|c| (c.name.clone(), component(c))).collect::<Map<_, _>>(),
        "entries": entries,
        "recent": slider
            .components()
            .map(|c| (c.name.clone(), history.recent(c.id()).collect::<Value>()))
            .collect::<Map<_, _>>(),
        "placed": placed.collect::<Value>(),
        "open": history.requests.open().iter().map(number).collect::<Value>(),
        // The ApplicationMaster's own container is live too.
        "application": {
            "live": slider.live() + 1, "failed": totals.failed, "started": totals.started,
            "start_failed": totals.start_failed, "surplus": totals.surplus,
            "unknown_completed": totals.unknown_completed, "requests_outstanding": slider.requests_outstanding(),
            "active_requests": slider.active_requests(),
        },
    });
    match look {
        Value::Object(look) => look,
        _ => Map::new(),
    }
}

fn component(c: &Component) -> Value {
    let n = &c.counters;
    json!({
        "desired": n.desired, "actual": n.actual, "requested": n.requested, "releasing": n.releasing,
        "pending_aa": n.pending_aa, "aa_outstanding": i64::from(c.aa_outstanding.is_some()), "started": n.started,
        "completed": n.completed, "failed": n.failed, "failed_recently": n.failed_recently,
        "start_failed": n.start_failed, "node_failed": n.node_failed, "preempted": n.preempted,
        "limits_exceeded": n.limits_exceeded, "total_requested": n.total_requested,
    })
}

fn entry_json(e: &NodeEntry) -> Value {
    json!({
        "starting": e.starting, "live": e.live, "releasing": e.releasing, "start_failed": e.start_failed,
        "failed": e.failed, "failed_recently": e.failed_recently, "preempted": e.preempted, "last_used": e.last_used,
    })
}
