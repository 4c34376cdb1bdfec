//! Answers about Slider applications.

pub mod help;
pub mod say;
pub mod say_books;
pub mod shown;
pub mod waits;

#[cfg(test)]
mod books_tests;
#[cfg(test)]
pub(crate) mod page;
#[cfg(test)]
mod tests;

use super::{Find, KindAnswers, OfRequest, OwnAct, Put};
use crate::explain::Names;
use crate::explain::request::Explained;
use crate::explain::say::events::Tone;
use crate::explain::view::{FactView, HostRequestView, LedgerView};
use crate::explain::waiting::Waiting;
use crate::explain::wants::Lack;
use heddle_core::apps::slider::journal::{Decision, SliderAct};
use heddle_core::apps::slider::strategy::requests::component_of;
use heddle_core::model::{AppId, ContainerId, RequestKey};
use heddle_core::sim::Broken;

/// The most sentences about what it waits for that follow YARN's; the others are among the facts.
const TOLD: usize = 2;

pub(crate) struct Slider;

impl KindAnswers for Slider {
    fn lacks(&self, names: Names<'_>, app: AppId) -> Vec<Lack> {
        waits::lacks(names, app)
    }

    fn root(&self, names: Names<'_>, w: &Waiting) -> Option<String> {
        let hosts: Vec<&str> = w.places.iter().map(String::as_str).filter(|place| !place.starts_with('/')).collect();
        waits::of_another_label(names, &hosts, w)
    }

    fn of_request(&self, names: Names<'_>, e: &Explained) -> OfRequest {
        let w = &e.waiting;
        let mut told = waits::of_app(names, w.app, |key| (key == w.key).then_some(e));
        told.retain(|t| t.key == Some(w.key));
        OfRequest {
            sentences: told.iter().take(TOLD).map(waits::SliderWait::sentence).collect(),
            checks: told.iter().filter_map(|one| one.check).collect(),
            facts: waits::facts(&told),
        }
    }

    fn facts(&self, names: Names<'_>, app: AppId, find: Find<'_, '_>) -> Vec<FactView> {
        waits::facts(&waits::of_app(names, app, find))
    }

    fn books(&self, names: Names<'_>, place: usize, find: Find<'_, '_>) -> Option<LedgerView> {
        let id = names.scenario().apps.get(place).and_then(|app| names.find_app(&app.name));
        let each = id.map_or(Vec::new(), |id| waits::each(names, id, find));
        Some(shown::service(names, place, &each))
    }

    fn wishes(&self, names: Names<'_>, place: usize) -> Vec<(String, HostRequestView)> {
        shown::wishes(names, place)
    }

    fn one_a_host(&self, names: Names<'_>, w: &Waiting) -> Option<String> {
        waits::anti_affine(names, w).map(|(.., name)| name)
    }

    fn has_one_on(&self, names: Names<'_>, w: &Waiting, host: &str) -> bool {
        let Some((history, id, _)) = waits::anti_affine(names, w) else { return false };
        let there = history.nodes.get(host).and_then(|node| node.entries.get(&id));
        there.is_some_and(|there| there.live + there.starting + there.releasing > 0)
    }

    fn broken(&self, app: &str, broken: &Broken) -> String {
        let Broken::Component { id, sum, books, .. } = broken else { return String::new() };
        say::component_differs(app, *id, *sum, *books)
    }

    fn capitals(&self) -> &'static [&'static str] {
        &["Slider ", "Slider's "]
    }

    fn asks_for_the_same(&self, a: RequestKey, b: RequestKey) -> bool {
        component_of(a.priority) == component_of(b.priority)
    }

    fn called(&self, app: &str, tag: Option<&str>, number: usize) -> Option<String> {
        super::called_by_component(app, tag, number)
    }
}

impl OwnAct for SliderAct {
    fn app(&self) -> AppId {
        self.app
    }

    fn container(&self) -> Option<ContainerId> {
        self.decision.container()
    }

    fn said(&self, names: Names<'_>) -> Option<(Tone, &'static str, String)> {
        say::decided(self, &|container| names.container_name(container))
    }

    fn words(&self, names: Names<'_>) -> String {
        match &self.decision {
            Decision::Stopped(stopped) => stopped.message(&|container| names.container_name(container)),
            _ => String::new(),
        }
    }

    fn put(&self) -> Option<Put> {
        match &self.decision {
            Decision::Granted { container, used: None, .. } | Decision::NotOurs { container, .. } => {
                Some(Put::NotWanted(*container))
            }
            _ => None,
        }
    }
}
