//! The description of a YARN service: its components, and how long its instances work.

pub mod file;
mod happening;
pub(crate) mod read;

use crate::apps::scenario::{Components, Kind, KindAct, NotApplicable, unheard};
use crate::apps::service::strategy::{ComponentSpec, plan::key_of};
use crate::constraint::Constraint;
use crate::model::{Millis, RequestKey, Resource};
use crate::scenario::edit::Step;
use crate::scenario::happening::Act;
use crate::strategy::ServicePlan;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub use happening::Upgrade;

/// A service.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServiceApp {
    /// The components, in the order in which they get their ids.
    pub components: Vec<ComponentSpec>,
    /// The index of each in `components` of the entry (from 0).
    pub entries: Vec<usize>,
    /// `yarn.service.readiness-check-interval.seconds`.
    pub readiness: Millis,
    /// Whether it sends scheduling requests, for all components.
    pub scheduling: bool,
}

impl ServiceApp {
    /// Returns its components in the order in which they are written.
    pub fn as_written(&self) -> Vec<&ComponentSpec> {
        let mut places: Vec<(usize, &ComponentSpec)> = self.entries.iter().copied().zip(&self.components).collect();
        crate::model::order::sort_by_key(&mut places, |(entry, _)| *entry);
        places.into_iter().map(|(_, component)| component).collect()
    }

    /// Returns the component whose requests have this priority.
    pub fn component(&self, priority: i32) -> Option<&ComponentSpec> {
        self.components.get(usize::try_from(priority).ok()?)
    }

    /// Returns the plan that its ApplicationMasters start with.
    pub fn plan(&self, heartbeat: Millis, launch: Millis) -> Arc<ServicePlan> {
        let components = self.components.clone();
        let scheduling = self.scheduling;
        Arc::new(ServicePlan { components, heartbeat, launch, readiness: self.readiness, scheduling })
    }
}

impl Kind for ServiceApp {
    fn is_service(&self) -> bool {
        true
    }

    fn containers(&self) -> u64 {
        self.components.iter().map(|c| c.count.unsigned_abs()).sum()
    }

    fn one_by_one(&self) -> u64 {
        self.containers()
    }

    fn parts(&self) -> usize {
        1 + self.components.len()
    }

    fn sizes(&self, priority: i32) -> Vec<Resource> {
        self.component(priority).map(|c| c.size).into_iter().collect()
    }

    fn names(&self) -> Vec<(&'static str, &str)> {
        self.components.iter().map(|c| ("The name of a component", c.name.as_str())).collect()
    }

    fn constraints(&self) -> Vec<&Constraint> {
        self.components.iter().filter_map(|component| component.constraint.as_ref()).collect()
    }

    fn sends_constraints(&self) -> bool {
        self.scheduling
    }

    fn asks_once(&self) -> bool {
        true
    }

    fn components_of<'a>(&'a self, name: &str, act: &'a Act) -> Result<Components<'a>, NotApplicable> {
        let named = match act {
            Act::Flex { counts, definition: None, .. } => counts.iter().map(|(c, _)| c.as_str()).collect(),
            Act::Flex { .. } => {
                let what = format!("`{name}` is a YARN service, which has no resources.json.");
                return Err((what, "Write components = { web = 5 }."));
            }
            Act::OfKind(KindAct::Service(upgrade)) => upgrade.components.iter().map(String::as_str).collect(),
            Act::Restart { changed, .. } if changed.is_empty() => return Ok(Components::default()),
            act => return Err(unheard(name, act)),
        };
        Ok(Components { named, known: self.components.iter().map(|c| c.name.as_str()).collect() })
    }

    fn rows(&self, key: RequestKey) -> Vec<Vec<Step>> {
        let mine = self.entries.iter().enumerate().filter(|(place, _)| key_of(*place) == key);
        mine.map(|(_, entry)| vec![Step::from("components"), Step::from(*entry)]).collect()
    }
}
