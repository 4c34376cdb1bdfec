//! What is told of a YARN service.

pub mod say;
pub mod shown;

#[cfg(test)]
mod tests;

use super::{Find, Told};
use crate::explain::Names;
use crate::explain::view::{FactView, LedgerView};
use crate::explain::wants::Lack;
use heddle_core::model::AppId;

pub(crate) struct Service;

impl Told for Service {
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
