//! Answers about Samza jobs.

pub mod help;
pub mod say;
pub mod say_books;
pub mod shown;
pub mod waits;

#[cfg(test)]
pub(crate) mod page;
#[cfg(test)]
mod tests;

use super::{Find, HostArrival, KindAnswers, OfRequest, OwnAct, PointOf, Put};
use crate::explain::Names;
use crate::explain::request::Explained;
use crate::explain::say::events::Tone;
use crate::explain::view::{FactView, LedgerView, ProcessesView};
use crate::explain::wants::Lack;
use heddle_core::apps::samza::journal::Decision;
use heddle_core::apps::samza::strategy::client::Client;
use heddle_core::journal::SamzaAct;
use heddle_core::model::{AppId, ContainerId, RequestKey};
use heddle_core::sim::{Broken, Simulation};

pub(crate) struct Samza;

impl KindAnswers for Samza {
    fn lacks(&self, names: Names<'_>, app: AppId) -> Vec<Lack> {
        waits::lacks(names, app)
    }

    fn soon(&self, names: Names<'_>, app: AppId) -> Option<String> {
        let told = waits::of_app(names, app);
        told.iter().find(|t| t.key.is_none()).or(told.first()).map(|t| t.sentence.clone())
    }

    fn of_request(&self, names: Names<'_>, e: &Explained) -> OfRequest {
        let w = &e.waiting;
        let mut told = waits::of_app(names, w.app);
        told.retain(|t| t.key == Some(w.key) && !w.am);
        OfRequest {
            sentences: waits::about(&told, &w.places).map(|first| first.sentence.clone()).into_iter().collect(),
            checks: told.iter().filter_map(|one| one.check).collect(),
            facts: waits::facts(&told),
        }
    }

    fn facts(&self, names: Names<'_>, app: AppId, _: Find<'_, '_>) -> Vec<FactView> {
        let mut facts = waits::facts(&waits::of_app(names, app));
        facts.extend(waits::books(names, app));
        facts
    }

    fn facts_of_container(&self, names: Names<'_>, id: ContainerId) -> Vec<FactView> {
        waits::of_container(names, id)
    }

    fn came(&self, names: Names<'_>, id: ContainerId) -> HostArrival {
        HostArrival { steps: shown::came(names, id), moved: shown::moved(names, id) }
    }

    fn books(&self, names: Names<'_>, place: usize, _: Find<'_, '_>) -> Option<LedgerView> {
        Some(shown::books(names, place))
    }

    fn processes(&self, names: Names<'_>, place: usize) -> ProcessesView {
        waits::in_short(names, place)
    }

    fn on_host(&self, names: Names<'_>, host: &str) -> Option<FactView> {
        shown::on_disks(names, host)
    }

    fn points(&self, sim: &Simulation) -> Vec<PointOf> {
        shown::points(sim)
    }

    fn line(&self, system: &str, line: usize) -> (String, String) {
        match line {
            shown::RATE => (say_books::line(system), say_books::RATE.to_string()),
            _ => (say_books::lag_line(system), String::new()),
        }
    }

    fn broken(&self, app: &str, _: &Broken) -> String {
        say::shares(app)
    }

    fn capitals(&self) -> &'static [&'static str] {
        &["Samza "]
    }

    /// Samza uses any allocated container for the next processor.
    fn asks_for_the_same(&self, _: RequestKey, _: RequestKey) -> bool {
        true
    }

    /// The name has the processor, `join 0`, or before that `join unused-3`.
    fn called(&self, app: &str, tag: Option<&str>, number: usize) -> Option<String> {
        Some(tag.map_or_else(|| format!("{app} unused-{number}"), |processor| format!("{app} {processor}")))
    }

    fn only_one<'a>(&self, names: Names<'a>, app: AppId, key: RequestKey) -> Option<&'a str> {
        let samza = names.sim.samza(names.sim.place_of(app)?)?.attempt()?.samza();
        let mut of_key = samza.requests().queue().filter(|r| Client::priority(samza.mode(), &r.wish) == key.priority);
        of_key.next().filter(|_| of_key.next().is_none()).map(|r| r.processor.as_str())
    }
}

impl OwnAct for SamzaAct {
    fn app(&self) -> AppId {
        self.app
    }

    fn container(&self) -> Option<ContainerId> {
        self.decision.container()
    }

    fn said(&self, names: Names<'_>) -> Option<(Tone, &'static str, String)> {
        say::decided(self, &|container| names.container_name(container))
    }

    fn put(&self) -> Option<Put> {
        if let Decision::Launched { container, .. } = &self.decision { Some(Put::Used(*container)) } else { None }
    }
}
