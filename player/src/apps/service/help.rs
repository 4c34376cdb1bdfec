//! What a YARN service lacks, for the search for advice.

use super::{Service, shown};
use crate::apps::help::{KindAdvice, NotAsked};
use crate::explain::Names;
use crate::help::knobs::{CandidateChange, CandidateKind, RequestContext};
use heddle_core::check::Check;
use heddle_core::model::AppId;

impl KindAdvice for Service {
    /// Instances that the ApplicationMaster believes it has requested, though the placement processor rejected them.
    fn not_asked(&self, names: Names<'_>, app: AppId) -> Option<NotAsked> {
        let forgotten = shown::lacks(names, app).into_iter().find(|lack| lack.check == Check::RequestMade)?;
        Some(NotAsked { count: forgotten.count, size: Some(forgotten.size), since: Some(forgotten.since) })
    }

    /// Flexing up by the forgotten instances makes it request that many.
    fn guesses(&self, ground: &RequestContext<'_>) -> Vec<CandidateChange> {
        let (names, app) = (ground.names, ground.w.app);
        let forgotten = shown::forgotten(names, app).into_iter();
        let what =
            forgotten.map(|(component, to)| CandidateKind::Flex { app: names.app(app).to_string(), component, to });
        what.map(|what| CandidateChange { most: 1, what }).collect()
    }
}
