//! Reads the calls of a trace: submissions, allocate calls, heartbeats.

use super::Listener;
use super::play::{Stop, TracePlayer};
use crate::facts::read::{list, text};
use heddle_core::model::{ContainerId, Resource, ResourceTypes};
use heddle_core::rm::{AllocateCall, AmAsk, AskRow, NodeReport, SchedulingAsk, Submission};
use heddle_core::scheduler::ContainerState;
use serde_json::Value;
use std::sync::Arc;

/// Reads `memory_mb`, `vcores` (1), and further types under `resources`.
pub(crate) fn resource(v: &Value, types: &ResourceTypes) -> Result<Resource, Stop> {
    let memory = v["memory_mb"].as_i64().ok_or_else(|| Stop::Malformed("`memory_mb` is missing".into()))?;
    let mut out = Resource::new(memory, v["vcores"].as_i64().unwrap_or(1));
    for (name, n) in v["resources"].as_object().into_iter().flatten() {
        let place = types.place(name).ok_or_else(|| Stop::Malformed(format!("unknown resource type {name}")))?;
        out[place] = n.as_i64().unwrap_or(0);
    }
    Ok(out)
}

/// Returns the further types of a size whose amounts are not 0.
pub(crate) fn further(size: Resource, types: &ResourceTypes) -> impl Iterator<Item = (&str, i64)> {
    types.names().iter().map(String::as_str).zip(size.0).skip(2).filter(|(_, n)| *n != 0)
}

/// Returns the further types as columns of a row: "type=n".
pub(crate) fn further_columns(size: Resource, types: &ResourceTypes) -> impl Iterator<Item = Value> {
    further(size, types).map(|(name, n)| format!("{name}={n}").into())
}

/// Returns a list of texts.
pub(crate) fn strings(v: &Value) -> Vec<String> {
    list(v).iter().map(|s| text(s).to_owned()).collect()
}

impl<R: Listener> TracePlayer<R> {
    /// Reads the submission of a `submit` step.
    pub(crate) fn submission(&self, step: &Value) -> Result<Submission, Stop> {
        // The application that is being submitted is already the last one.
        let index = self.apps.len().saturating_sub(1);
        let mut sent = Vec::new();
        for c in list(&step["constraints"]) {
            sent.push((strings(&c["tags"]), self.constraint(&c["constraint"])?));
        }
        Ok(Submission {
            keep_containers: false,
            name: step["name"].as_str().map_or_else(|| format!("app{index}"), str::to_owned),
            queue: step["queue"].as_str().unwrap_or("default").into(),
            user: step["user"].as_str().unwrap_or("user").into(),
            priority: step["priority"].as_i64().map(|p| p as i32),
            tags: strings(&step["tags"]),
            label: step["app_label"].as_str().map(str::to_owned),
            max_attempts: step["max_attempts"].as_i64().map(|n| n as i32),
            failures_window: None,
            lifetime_s: None,
            am: Some(AmAsk {
                size: resource(&step["am"], self.types())?,
                label: step["am"]["label"].as_str().map(str::to_owned),
                places: Vec::new(),
            }),
            constraints: sent,
        })
    }

    /// Reads the allocate call of an `ask` step.
    pub(crate) fn call(&self, step: &Value, containers: &[ContainerId]) -> Result<AllocateCall, Stop> {
        let mut call = AllocateCall {
            blacklist_add: strings(&step["blacklist_add"]),
            blacklist_remove: strings(&step["blacklist_remove"]),
            ..AllocateCall::default()
        };
        for r in list(&step["requests"]) {
            call.asks.push(AskRow {
                priority: r["priority"].as_i64().unwrap_or(1) as i32,
                place: r["where"].as_str().unwrap_or("*").into(),
                size: resource(r, self.types())?,
                count: r["count"].as_i64().unwrap_or(0),
                relax: r["relax"].as_bool().unwrap_or(true),
                label: r["label"].as_str().map(str::to_owned),
                allocation_request_id: r["id"].as_i64().unwrap_or(-1),
            });
        }
        for k in list(&step["release"]) {
            let id = k.as_u64().and_then(|k| containers.get(k as usize));
            call.releases.push(*id.ok_or_else(|| Stop::Malformed(format!("release: no container {k}")))?);
        }
        for r in list(&step["scheduling"]) {
            let constraint = r.get("constraint").map(|c| self.constraint(c)).transpose()?;
            call.scheduling.push(SchedulingAsk {
                allocation_request_id: r["id"].as_i64().unwrap_or(0),
                priority: r["priority"].as_i64().unwrap_or(0) as i32,
                tags: strings(&r["tags"]),
                count: r["count"].as_i64().unwrap_or(0),
                size: resource(r, self.types())?,
                constraint: constraint.map(Arc::new),
                opportunistic: r["execution"].as_str() == Some("OPPORTUNISTIC"),
            });
        }
        Ok(call)
    }

    /// Reads the report of a `heartbeat` step: containers that `finish` names are complete, and those that its AMs have
    /// since received are running.
    pub(crate) fn report(&mut self, step: &Value) -> Result<NodeReport, Stop> {
        let node = text(&step["node"]);
        let mut report = NodeReport { unhealthy: step["healthy"].as_bool() == Some(false), ..NodeReport::default() };
        for pair in list(&step["finish"]) {
            let id = self.container(&pair[0], &pair[1])?;
            self.reported.remove(&id);
            report.completed.push((id, 0));
        }
        let mut running = Vec::new();
        for app in &self.apps {
            for (id, k) in &app.live {
                let here = app.nodes[*k] == node && !report.completed.iter().any(|(c, _)| c == id);
                // A node cannot start a container that its AM has not received.
                let told = self.rm.container(*id).is_none_or(|c| c.state != ContainerState::Allocated);
                if here && told && !self.reported.contains(id) {
                    running.push(*id);
                }
            }
        }
        self.reported.extend(running.iter().copied());
        // A node keeps reporting a container until it is ordered to end it, even across its loss.
        let told = self.running_on.entry(node.to_owned()).or_default();
        told.extend(running);
        report.completed.iter().for_each(|(id, _)| {
            told.remove(id);
        });
        let mut running: Vec<ContainerId> = told.iter().copied().collect();
        running.sort_unstable();
        report.completed.sort_unstable();
        report.all = Some(running.clone());
        report.running = running;
        Ok(report)
    }
}
