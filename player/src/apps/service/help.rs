//! What a YARN service lacks, for the search for what would help.

use super::{Service, shown};
use crate::apps::help::{Helped, NotAsked};
use crate::explain::Names;
use heddle_core::check::Check;
use heddle_core::model::AppId;

impl Helped for Service {
    /// What it lacks of a component that it takes for asked: the placement processor rejected it.
    fn not_asked(&self, names: Names<'_>, app: AppId) -> Option<NotAsked> {
        let forgotten = shown::lacks(names, app).into_iter().find(|lack| lack.check == Check::RequestMade)?;
        Some(NotAsked { count: forgotten.count, size: Some(forgotten.size), since: Some(forgotten.since) })
    }
}
