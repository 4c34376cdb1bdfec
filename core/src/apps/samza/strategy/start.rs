//! The start of an ApplicationMaster (samza-host-affinity.md section 5).

use super::decision::{AskReason, Report, StopReason};
use super::job::{JobModel, Settings, standby};
use super::placements::Seen;
use super::racks::Racks;
use super::requests::{Allocated, RequestId, RequestMode, Requests};
use super::stream::{CoordinatorStream, Unwritten};
use super::{Counters, Samza, Status};
use crate::model::Millis;
use std::collections::BTreeMap;

/// The input of an ApplicationMaster's start.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// Its configuration.
    pub settings: Settings,
    /// How it requests hosts.
    pub mode: RequestMode,
    /// Its job model.
    pub model: JobModel,
    /// What earlier runs left.
    pub stream: CoordinatorStream,
    /// The running nodes, with their racks.
    pub nodes: BTreeMap<String, String>,
    /// Containers of earlier attempts that still run, with their processors.
    pub kept: Vec<(String, Allocated)>,
    /// Whether the job has changed since: then they are stopped.
    pub changed: bool,
    /// The number of its first request.
    pub next_request: RequestId,
}

impl Samza {
    /// Starts an ApplicationMaster: running containers are taken over; the others are requested.
    pub fn start(now: Millis, start: Start) -> (Self, Report) {
        let Start { settings, mode, model, stream, nodes, kept, changed, next_request } = start;
        let order: Vec<String> = model.order().into_iter().map(str::to_string).collect();
        let constraints = standby::constraints(&model);
        let processors = order.len() as i64;
        let mut samza = Samza {
            requests: Requests::new(settings.host_affinity, mode),
            settings,
            mode,
            constraints,
            processors,
            stream,
            unwritten: Unwritten::default(),
            pending: BTreeMap::new(),
            running: BTreeMap::new(),
            given_up: BTreeMap::new(),
            failures: BTreeMap::new(),
            failovers: Vec::new(),
            actions: BTreeMap::new(),
            seen: Seen::default(),
            racks: Racks::new(nodes),
            counters: Counters { needed: processors, ..Counters::default() },
            courses: BTreeMap::new(),
            status: Status::Undefined,
            healthy: true,
            job_failed: false,
            exception: None,
            next_request,
        };
        let mut report = Report::default();
        let ids: Vec<_> = kept.iter().map(|(_, x)| x.container).collect();
        samza.pending.extend(kept);
        for id in ids {
            samza.started(id, &mut report);
        }
        let ha = samza.settings.am_ha;
        if ha && changed {
            let running: Vec<String> = samza.running.keys().cloned().collect();
            for p in running {
                // A running container can be stopped.
                let _ = samza.stop_running(&p, StopReason::JobChanged, &mut report);
            }
        }
        for p in order.iter().filter(|p| !ha || !samza.running.contains_key(*p)).cloned().collect::<Vec<_>>() {
            let wish = samza.last_wish(&p);
            samza.ask(now, &p, wish, AskReason::Start, &mut report);
        }
        (samza, report)
    }
}
