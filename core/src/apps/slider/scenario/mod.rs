//! The description of an application of Apache Slider: its resources.json, how long instances work, and the history files that
//! its first start finds.

pub(crate) mod anonymise;
pub(crate) mod edit;
pub mod file;
mod happening;
pub(crate) mod read;

use crate::apps::scenario::{self as kinds, Components, Kind, KindAct, NotApplicable};
use crate::apps::slider::strategy::requests::component_of;
use crate::apps::slider::strategy::settings::key;
use crate::apps::slider::strategy::{Limits, Settings, Version};
use crate::model::{RequestKey, Resource, Span};
use crate::scenario::edit::Step;
use crate::scenario::happening::Act;
use crate::strategy::{SliderPlan, Work};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

pub use crate::apps::slider::strategy::Definition;
pub use happening::{HistoryChange, HistoryEdit, unheard};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SliderApp {
    pub version: Version,
    /// resources.json.
    pub definition: Definition,
    /// `escalation.check.interval.seconds` of internal.json, if it is set.
    pub check_seconds: Option<i32>,
    /// The work of the instances of components, by name; others work forever.
    pub work: BTreeMap<String, Work>,
    /// History files that exist before the first start.
    pub history: Vec<HistoryFile>,
}

/// A file in the application's directory `history`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryFile {
    pub name: String,
    /// Its contents, which may be invalid: Slider skips what it cannot read.
    pub text: String,
    /// The position of its name.
    pub span: Span,
}

impl SliderApp {
    /// Returns the name of the component whose requests have this priority.
    pub fn component(&self, priority: i32) -> Option<&str> {
        let id = component_of(priority);
        let names = self.definition.components.keys().map(String::as_str);
        { names }.find(|name| {
            let keys = self.definition.resolved(name).unwrap_or_default();
            Settings::read(&keys).is_ok_and(|settings| settings.id == id)
        })
    }

    /// Returns the size written for the component whose requests have this priority.
    pub fn size(&self, priority: i32) -> Option<Resource> {
        let limits = Limits { min: Resource::new(1, 1), max: Resource::ZERO };
        let mut as_written = self.definition.clone();
        let name = self.component(priority)?;
        let keys = as_written.components.get_mut(name)?;
        keys.insert(key::NORMALIZE.into(), "false".into());
        as_written.size(name, &limits).ok()
    }

    /// Returns the plan that its ApplicationMasters start with.
    pub fn plan(&self, heartbeat: crate::model::Millis) -> Arc<SliderPlan> {
        Arc::new(SliderPlan {
            version: self.version,
            definition: self.definition.clone(),
            check_seconds: self.check_seconds,
            work: self.work.clone(),
            heartbeat,
            clock: crate::apps::slider::strategy::master::clock(self.history.iter().map(|file| file.name.as_str())),
        })
    }
}

impl Kind for SliderApp {
    fn is_service(&self) -> bool {
        true
    }

    fn containers(&self) -> u64 {
        let names = self.definition.components.keys();
        names.filter_map(|name| self.definition.instances(name).ok()).map(i64::unsigned_abs).sum()
    }

    fn one_by_one(&self) -> u64 {
        self.containers()
    }

    fn parts(&self) -> usize {
        1 + self.definition.components.len() + self.history.len()
    }

    fn sizes(&self, priority: i32) -> Vec<Resource> {
        self.size(priority).into_iter().collect()
    }

    fn labels(&self) -> Vec<String> {
        let keys = self.definition.components.values().chain([&self.definition.global]);
        keys.filter_map(|keys| keys.get(key::LABEL)).cloned().collect()
    }

    fn names(&self) -> Vec<(&'static str, &str)> {
        self.definition.components.keys().map(|name| ("The name of a component", name.as_str())).collect()
    }

    fn components_of<'a>(&'a self, name: &str, act: &'a Act) -> Result<Components<'a>, NotApplicable> {
        match act {
            Act::Flex { counts, definition, .. } => {
                let components = &definition.as_ref().unwrap_or(&self.definition).components;
                let known = components.keys().map(String::as_str).collect();
                Ok(Components { named: counts.iter().map(|(c, _)| c.as_str()).collect(), known })
            }
            Act::OfKind(KindAct::Slider(_)) => Ok(Components::default()),
            Act::Restart { changed, .. } if changed.is_empty() => Ok(Components::default()),
            act => Err(kinds::unheard(name, act)),
        }
    }

    // The sizes are keys of components, under other names.
    fn rows(&self, _key: RequestKey) -> Vec<Vec<Step>> {
        Vec::new()
    }
}
