//! How a run plays calls that are written out.

use crate::apps::requests::strategy::{Raw, RawCall};
use crate::apps::sim::Played;
use crate::model::{ContainerId, Resource};
use crate::rm::{AllocateCall, SchedulingAsk};
use crate::scenario::{App, Call, Scenario};
use crate::strategy::Master;
use std::sync::Arc;

impl Played for Vec<Call> {
    fn master(&self, _scenario: &Scenario, app: &App, got: &[ContainerId], _maximum: Resource) -> Master {
        let mut raw = Raw::new(self.iter().map(raw_call).collect(), app.am.heartbeat, got.to_vec());
        for ask in app.now.iter().flat_map(|now| &now.asks) {
            raw.has_asked(&ask.row, ask.duration);
        }
        Master::Raw(raw)
    }
}

fn raw_call(call: &Call) -> RawCall {
    let mut durations = Vec::new();
    for ask in &call.asks {
        let key = ask.row.key();
        durations.push((key, ask.duration));
    }
    let mut scheduling = Vec::new();
    for ask in &call.scheduling {
        let key = ask.key();
        durations.push((key, ask.duration));
        scheduling.push(SchedulingAsk {
            allocation_request_id: ask.allocation_request_id,
            priority: ask.priority,
            tags: ask.tags.clone(),
            count: ask.count,
            size: ask.size,
            constraint: ask.constraint.as_ref().and_then(|c| c.tree.clone()).map(Arc::new),
            opportunistic: false,
        });
    }
    RawCall {
        at: call.at,
        call: AllocateCall {
            asks: call.asks.iter().map(|a| a.row.clone()).collect(),
            releases: Vec::new(),
            blacklist_add: call.blacklist_add.clone(),
            blacklist_remove: call.blacklist_remove.clone(),
            scheduling,
        },
        release: call.release.clone(),
        unregister: call.unregister,
        durations,
    }
}
