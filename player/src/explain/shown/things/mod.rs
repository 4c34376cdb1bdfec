//! Why a container, node, queue, application or user is as it is.

mod app;
mod container;
mod losses;
mod node;
mod queue;
mod user;

pub(crate) use app::submitted;
pub use app::{Waits, app, state_text};
pub use container::{Placing, container};
pub use node::node;
pub use queue::queue;
pub use user::user;

use crate::explain::names::{Names, is_in};
use crate::explain::say::things as say;
use crate::explain::view::{FactView, Selection};
use crate::explain::waiting::Waiting;
use crate::explain::words;
use heddle_core::model::{CalculatorKind, Resource};

pub(crate) fn fact(name: &str, value: impl Into<String>) -> FactView {
    FactView { name: name.to_string(), value: value.into(), formula: Vec::new() }
}

pub(crate) fn formula(name: &str, value: impl Into<String>, formula: Vec<String>) -> FactView {
    FactView { name: name.to_string(), value: value.into(), formula }
}

fn size(names: Names<'_>, r: Resource) -> String {
    words::size(r, &names.rm().cluster().types)
}

/// Returns the fact which resources the scheduler counts.
fn counts(names: Names<'_>) -> FactView {
    let cluster = names.rm().cluster();
    match cluster.calculator.kind {
        CalculatorKind::Default => fact("the scheduler counts", say::MEMORY_ONLY),
        CalculatorKind::Dominant => {
            let types: Vec<&str> = cluster.types.names().iter().map(|n| words::short_type(n)).collect();
            fact("the scheduler counts", say::counts(&types, names.rm().fair().is_some()))
        }
    }
}

/// Returns whether a waiting request belongs to the selection.
pub fn belongs(names: Names<'_>, w: &Waiting, about: &Selection) -> bool {
    let rm = names.rm();
    match about {
        Selection::App(name) => names.app(w.app) == name,
        Selection::Queue(path) => rm.app(w.app).is_some_and(|a| is_in(&a.queue, path)),
        Selection::User(name) => rm.app(w.app).is_some_and(|a| a.submission.user == *name),
        _ => false,
    }
}
