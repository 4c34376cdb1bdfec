//! What readers ask of kinds of applications. The readers themselves stand in the list of all formats, whose order decides
//! (`core/src/import/kinds.rs`).

use crate::apps::slider::import as slider;
use crate::import::Gathered;

pub(crate) use crate::apps::distributed_shell::import::take as take_shell;

/// Files that go into the entry of another one, by kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Beside {
    pub slider: slider::SliderFiles,
}

/// Puts these files into their entries.
pub(crate) fn complete(gathered: &mut Gathered) {
    slider::complete(gathered);
}
