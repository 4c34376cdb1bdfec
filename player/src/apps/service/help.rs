//! What a YARN service lacks, for the search for what would help.

use super::{Service, shown};
use crate::apps::help::{Helped, NotAsked};
use crate::explain::Names;
use crate::help::knobs::{Ground, Knob, What};
use heddle_core::check::Check;
use heddle_core::model::AppId;

impl Helped for Service {
    /// What it lacks of a component that it takes for asked: the placement processor rejected it.
    fn not_asked(&self, names: Names<'_>, app: AppId) -> Option<NotAsked> {
        let forgotten = shown::lacks(names, app).into_iter().find(|lack| lack.check == Check::RequestMade)?;
        Some(NotAsked { count: forgotten.count, size: Some(forgotten.size), since: Some(forgotten.since) })
    }

    /// As many instances more as it has forgotten: for those it asks.
    fn guesses(&self, ground: &Ground<'_>) -> Vec<Knob> {
        let (names, app) = (ground.names, ground.w.app);
        let forgotten = shown::forgotten(names, app).into_iter();
        let what = forgotten.map(|(component, to)| What::Flex { app: names.app(app).to_string(), component, to });
        what.map(|what| Knob { most: 1, what }).collect()
    }
}
