//! What an application lacks and YARN is not asked for, as if it was: the next AM of one that hangs, what a Samza job
//! has of YARN no more, or not yet; and what may be changed about each.

use super::asks::{CONTAINERS, Less};
use super::knobs::{Ground, Knob, What};
use crate::apps::samza::waits as samza;
use crate::apps::service::shown as yarn_service;
use crate::explain::Names;
use crate::explain::waiting::Waiting;
use heddle_core::check::Check;
use heddle_core::constraint::{Handler, Single};
use heddle_core::model::{AppId, PartitionId, RequestKey};
use heddle_core::scenario::SamzaApp;

const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";
const ATTEMPTS: &str = "yarn.resourcemanager.placement-constraints.retry-attempts";
const RACKS: &str = "cluster-manager.fault-domain-aware.standby.enabled";
const AM_EXPIRY: &str = "yarn.am.liveness-monitor.expiry-interval-ms";
/// What the expiry of an AM is tried at.
const EXPIRY: &str = "60000";

/// What is lacked of an application.
#[derive(Clone, Debug, PartialEq)]
pub struct Lacked {
    pub waiting: Waiting,
    /// Is any container of it meant?
    pub any: bool,
}

/// What an application lacks without asking YARN for it.
pub fn lacked(names: Names<'_>, app: AppId) -> Option<Lacked> {
    let (run, known) = (names.run(app)?, names.rm().app(app)?);
    let size = known.submission.am.as_ref().map(|am| am.size).unwrap_or_default();
    let waiting = |count: i64, am: bool, since: i64| Waiting {
        app,
        key: RequestKey { priority: 0, allocation_request_id: -1 },
        count,
        size,
        am,
        since,
        asked_at: since,
        places: Vec::new(),
        partition: PartitionId::default(),
        tags: Vec::new(),
        constraint: None,
        placing: Vec::new(),
        left_over: false,
    };
    if known.state.is_final() {
        return None;
    }
    if run.missed_at().is_some() {
        return Some(Lacked { waiting: waiting(1, true, run.heard_at()), any: false });
    }
    // What a service lacks of a component that it takes for asked: the placement processor rejected it.
    let forgotten = yarn_service::lacks(names, app).into_iter().find(|lack| lack.check == Check::RequestMade);
    if let Some(lack) = forgotten {
        let waiting = Waiting { size: lack.size, ..waiting(lack.count, false, lack.since) };
        return Some(Lacked { waiting, any: true });
    }
    // What restores its state is placed.
    let lacks = samza::of_app(names, app).iter().filter(|told| !told.restores).count();
    (lacks > 0).then(|| Lacked { waiting: waiting(lacks as i64, false, known.submitted_at), any: true })
}

impl Ground<'_> {
    /// What may be changed about what is lacked.
    pub(super) fn lacked(&self) -> Vec<Knob> {
        let mut out = vec![self.expiry()];
        out.retain(|_| self.w.am);
        out.extend(self.samza());
        out
    }

    /// AMs that make no call are missed sooner.
    pub(super) fn expiry(&self) -> Knob {
        Knob { most: 1, what: What::Values(vec![(AM_EXPIRY.to_string(), EXPIRY.to_string())]) }
    }

    /// What may be changed of the placement processor, where the application lacks what it rejected: who looks at requests
    /// with constraints, and how often.
    pub(super) fn processor(&self, clauses: &[(usize, Single)]) -> Vec<Knob> {
        let placement = self.names.rm().placement();
        if self.w.am || placement.settings.handler != Handler::Processor {
            return Vec::new();
        }
        let one = |what: What, most: i64| Knob { most, what };
        let start = i64::from(placement.settings.retry_attempts);
        let scheduler = || What::Values(vec![(HANDLER.to_string(), "scheduler".to_string())]);
        let mut out = vec![
            one(scheduler(), 1),
            one(What::Number { property: ATTEMPTS.to_string(), start, sign: 1, digits: 0 }, RETRIES),
        ];
        // The scheduler keeps what it has no node for, until one comes.
        out.extend(self.node(clauses).map(|node| one(What::Each(vec![scheduler(), node.what]), 1)));
        out
    }

    /// What may be changed of a Samza job: how often and how soon it tries, standbys, affinity, and how many containers it has.
    pub(super) fn samza(&self) -> Vec<Knob> {
        let place = self.names.sim.place_of(self.w.app);
        let app = place.and_then(|place| self.names.scenario().apps.get(place));
        if self.w.am || !app.is_some_and(|app| app.kind.is::<SamzaApp>()) {
            return Vec::new();
        }
        let Some(attempt) = place.and_then(|place| self.names.sim.samza(place)).and_then(|m| m.attempt()) else {
            return Vec::new();
        };
        let settings = attempt.samza().settings();
        let key = |key, start: i64, step: i64, most: i64| self.ask(Less::Job { key, start, step }, most);
        let retries = i64::from(settings.retries).max(0);
        let timeout = settings.request_timeout_ms;
        let mut out = Vec::new();
        out.extend(key("cluster-manager.container.retry.count", retries + 1, 1, RETRIES));
        out.extend(key("cluster-manager.container.request.timeout.ms", timeout - STEP_MS, -STEP_MS, timeout / STEP_MS));
        if settings.standby() && settings.fault_domains {
            out.extend(self.ask(Less::JobFlag { key: RACKS, value: "false" }, 1));
        }
        if settings.standby() {
            out.extend(key("job.standbytasks.replication.factor", 1, 0, 1));
        }
        let containers =
            self.names.sim.samza(place.unwrap_or(usize::MAX)).map_or(0, |m| m.model().containers.len()) as i64;
        if containers > 1 {
            out.extend(key(CONTAINERS, containers - 1, -1, containers - 1));
        }
        if settings.host_affinity {
            let affinity = self.ask(Less::JobFlag { key: "job.host-affinity.enabled", value: "false" }, 1);
            out.extend(affinity.clone());
            // A retry goes back to the host where it failed.
            let retry = key("cluster-manager.container.retry.count", retries + 1, 1, RETRIES);
            let both = retry.into_iter().chain(affinity).map(|knob| knob.what).collect();
            out.push(Knob { most: RETRIES, what: What::Each(both) });
        }
        out
    }
}

/// So many more retries are tried.
const RETRIES: i64 = 16;
/// A timeout of requests is tried in steps of this.
const STEP_MS: i64 = 1_000;
