//! What is told of an application of Slider.

pub mod say;
pub mod say_books;
pub mod shown;
pub mod waits;

#[cfg(test)]
mod books_tests;
#[cfg(test)]
mod tests;

use super::{Find, OfRequest, Told};
use crate::explain::Names;
use crate::explain::request::Explained;
use crate::explain::view::{FactView, LedgerView};
use crate::explain::wants::Lack;
use heddle_core::apps::slider::journal::{Decision, SliderAct};
use heddle_core::apps::slider::strategy::requests::component_of;
use heddle_core::model::{AppId, ContainerId, RequestKey};

/// Sentences about what it waits for that follow what YARN says; the others are among the facts.
const TOLD: usize = 2;

pub(crate) struct Slider;

impl Told for Slider {
    fn lacks(&self, names: Names<'_>, app: AppId) -> Vec<Lack> {
        waits::lacks(names, app)
    }

    fn of_request(&self, names: Names<'_>, e: &Explained) -> OfRequest {
        let w = &e.waiting;
        let mut told = waits::of_app(names, w.app, |key| (key == w.key).then_some(e));
        told.retain(|t| t.key == Some(w.key));
        OfRequest {
            sentences: told.iter().take(TOLD).map(waits::Told::sentence).collect(),
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

    fn asks_for_the_same(&self, a: RequestKey, b: RequestKey) -> bool {
        component_of(a.priority) == component_of(b.priority)
    }

    fn called(&self, app: &str, tag: Option<&str>, number: usize) -> Option<String> {
        super::called_by_component(app, tag, number)
    }
}

/// What Slider's own log says of a decision.
pub(crate) fn words(act: &SliderAct, name: &dyn Fn(ContainerId) -> String) -> String {
    match &act.decision {
        Decision::Stopped(stopped) => stopped.message(name),
        _ => String::new(),
    }
}
