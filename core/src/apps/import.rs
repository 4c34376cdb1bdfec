//! The table of what importers need from the kinds of applications. The importers themselves are in the list of all formats,
//! whose order matters (`core/src/import/kinds.rs`).

use crate::apps::slider::import as slider;
use crate::import::Gathered;

pub(crate) use crate::apps::distributed_shell::import::take as take_shell;

/// Files that belong to the entry of another file, by kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beside {
    pub slider: slider::SliderFiles,
}

/// Adds these files to their entries.
pub(crate) fn complete(gathered: &mut Gathered) {
    slider::complete(gathered);
}
