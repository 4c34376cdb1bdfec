//! Changes that may help a Samza job: how often and how soon it retries, standbys, affinity, and its number of containers.

use super::{Samza, waits};
use crate::apps::help::{KindAdvice, NotAsked};
use crate::explain::Names;
use crate::help::asks::RequestRelaxation;
use crate::help::knobs::{CandidateChange, CandidateKind, RequestContext};
use heddle_core::model::AppId;
use heddle_core::scenario::edit;

const CONTAINERS: &str = "job.container.count";
const RACKS: &str = "cluster-manager.fault-domain-aware.standby.enabled";
const REPLICAS: &str = "job.standbytasks.replication.factor";
const AFFINITY: &str = "job.host-affinity.enabled";
const RETRY: &str = "cluster-manager.container.retry.count";
const TIMEOUT: &str = "cluster-manager.container.request.timeout.ms";
/// The most additional retries tried.
const RETRIES: i64 = 16;
/// The step for trying request timeouts.
const STEP_MS: i64 = 1_000;

impl KindAdvice for Samza {
    fn not_asked(&self, names: Names<'_>, app: AppId) -> Option<NotAsked> {
        // Containers that restore their state are placed.
        let lacks = waits::of_app(names, app).iter().filter(|told| !told.restores).count();
        (lacks > 0).then_some(NotAsked { count: lacks as i64, size: None, since: None })
    }

    fn guesses(&self, ground: &RequestContext<'_>) -> Vec<CandidateChange> {
        let place = ground.names.sim.place_of(ground.w.app).filter(|_| !ground.w.am);
        let master = place.and_then(|place| ground.names.sim.samza(place));
        let Some((master, attempt)) = master.and_then(|master| Some((master, master.attempt()?))) else {
            return Vec::new();
        };
        let settings = attempt.samza().settings();
        let key = |key, start: i64, step: i64, most: i64| {
            ground.ask(RequestRelaxation::Property { key, start, step, fewer: key == CONTAINERS }, most)
        };
        let off = |key| ground.ask(RequestRelaxation::Flag { key, value: "false" }, 1);
        let retries = i64::from(settings.retries).max(0);
        let timeout = settings.request_timeout_ms;
        let mut out = Vec::new();
        out.extend(key(RETRY, retries + 1, 1, RETRIES));
        out.extend(key(TIMEOUT, timeout - STEP_MS, -STEP_MS, timeout / STEP_MS));
        if settings.standby() && settings.fault_domains {
            out.extend(off(RACKS));
        }
        if settings.standby() {
            out.extend(key(REPLICAS, 1, 0, 1));
        }
        let containers = master.model().containers.len() as i64;
        if containers > 1 {
            out.extend(key(CONTAINERS, containers - 1, -1, containers - 1));
        }
        if settings.host_affinity {
            let affinity = off(AFFINITY);
            out.extend(affinity.clone());
            // A retry goes back to the host where it failed.
            let retry = key(RETRY, retries + 1, 1, RETRIES);
            let both = retry.into_iter().chain(affinity).map(|knob| knob.what).collect();
            out.push(CandidateChange { most: RETRIES, what: CandidateKind::Each(both) });
        }
        out
    }

    fn set_property(&self, text: &str, entry: usize, key: &str, value: &str) -> Option<String> {
        edit::set_job_property(text, entry, key, value).ok()
    }

    /// Containers that a job only holds or releases do not count.
    fn counts_when_used(&self) -> bool {
        true
    }
}
