//! Answers about YARN services.

pub mod help;
pub mod say;
pub mod shown;

#[cfg(test)]
pub(crate) mod page;
#[cfg(test)]
mod tests;

use super::{Find, KindAnswers, OwnAct, Put};
use crate::explain::Names;
use crate::explain::say::events::Tone;
use crate::explain::view::{FactView, LedgerView};
use crate::explain::wants::Lack;
use heddle_core::apps::service::journal::Decision;
use heddle_core::journal::ServiceAct;
use heddle_core::model::{AppId, ContainerId};

pub(crate) struct Service;

impl KindAnswers for Service {
    fn lacks(&self, names: Names<'_>, app: AppId) -> Vec<Lack> {
        shown::lacks(names, app)
    }

    fn lacks_what_was_refused(&self, names: Names<'_>, app: AppId) -> bool {
        !shown::lacks(names, app).is_empty()
    }

    fn put_aside(&self, names: Names<'_>, app: AppId) -> Vec<String> {
        shown::put_aside(names, app)
    }

    fn facts(&self, names: Names<'_>, app: AppId, _: Find<'_, '_>) -> Vec<FactView> {
        let fact =
            |lack: &Lack| FactView { name: say::LACKS.into(), value: lack.sentence.clone(), formula: Vec::new() };
        shown::lacks(names, app).iter().map(fact).collect()
    }

    fn books(&self, names: Names<'_>, place: usize, _: Find<'_, '_>) -> Option<LedgerView> {
        Some(shown::books(names, place))
    }

    fn called(&self, app: &str, tag: Option<&str>, number: usize) -> Option<String> {
        super::called_by_component(app, tag, number)
    }
}

impl OwnAct for ServiceAct {
    fn app(&self) -> AppId {
        self.app
    }

    fn container(&self) -> Option<ContainerId> {
        self.decision.container()
    }

    fn said(&self, _: Names<'_>) -> Option<(Tone, &'static str, String)> {
        say::decided(self)
    }

    fn put(&self) -> Option<Put> {
        if let Decision::Surplus { container } = &self.decision { Some(Put::NotWanted(*container)) } else { None }
    }
}
