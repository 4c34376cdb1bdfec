//! What an application lacks without a request to YARN, in the form of requests: the next AM of one that hangs, what its kind
//! holds back or has given up; and candidate changes for each.

use super::knobs::{CandidateChange, CandidateKind, RequestContext};
use crate::apps::help::{KindAdvice, helped_of};
use crate::explain::Names;
use crate::explain::waiting::Waiting;
use heddle_core::constraint::{Handler, Single};
use heddle_core::model::{AppId, PartitionId, RequestKey};

const HANDLER: &str = "yarn.resourcemanager.placement-constraints.handler";
const ATTEMPTS: &str = "yarn.resourcemanager.placement-constraints.retry-attempts";
const AM_EXPIRY: &str = "yarn.am.liveness-monitor.expiry-interval-ms";
/// The AM expiry that is tried.
const EXPIRY: &str = "60000";

/// The missing containers of an application.
#[derive(Clone, Debug, PartialEq)]
pub struct Lacked {
    pub waiting: Waiting,
    /// Whether any container of the application counts.
    pub any: bool,
}

/// Returns what an application lacks without a request to YARN.
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
    let lacks = helped_of(names, app).not_asked(names, app)?;
    let of_all = waiting(lacks.count, false, lacks.since.unwrap_or(known.submitted_at));
    Some(Lacked { waiting: Waiting { size: lacks.size.unwrap_or(of_all.size), ..of_all }, any: true })
}

impl RequestContext<'_> {
    /// Returns candidate changes for it.
    pub(super) fn lacked(&self) -> Vec<CandidateChange> {
        let mut out = vec![self.expiry()];
        out.retain(|_| self.w.am);
        out.extend(self.helped().guesses(self));
        out
    }

    /// Returns the advice of the application's kind.
    pub(super) fn helped(&self) -> &'static dyn KindAdvice {
        helped_of(self.names, self.w.app)
    }

    /// Expires AMs that make no calls sooner.
    pub(super) fn expiry(&self) -> CandidateChange {
        CandidateChange { most: 1, what: CandidateKind::Values(vec![(AM_EXPIRY.to_string(), EXPIRY.to_string())]) }
    }

    /// Returns candidate changes of the placement processor if the application lacks what it rejected: who handles requests
    /// with constraints, and how often.
    pub(super) fn processor(&self, clauses: &[(usize, Single)]) -> Vec<CandidateChange> {
        let placement = self.names.rm().placement();
        if self.w.am || placement.settings.handler != Handler::Processor {
            return Vec::new();
        }
        let one = |what: CandidateKind, most: i64| CandidateChange { most, what };
        let start = i64::from(placement.settings.retry_attempts);
        let scheduler = || CandidateKind::Values(vec![(HANDLER.to_string(), "scheduler".to_string())]);
        let mut out = vec![
            one(scheduler(), 1),
            one(CandidateKind::Number { property: ATTEMPTS.to_string(), start, sign: 1, digits: 0 }, RETRIES),
        ];
        // The scheduler keeps a request that fits no node until one is added.
        out.extend(self.node(clauses).map(|node| one(CandidateKind::Each(vec![scheduler(), node.what]), 1)));
        out
    }
}

/// The most additional retries tried.
const RETRIES: i64 = 16;
