//! Happenings that only Slider applications know.

use crate::apps::scenario::{NotApplicable, OfKind};
use serde::{Deserialize, Serialize};

/// A change of history files of an application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryEdit {
    pub app: String,
    /// The name of the file; `None`: the newest one, and all of them where they are deleted.
    pub file: Option<String>,
    pub change: HistoryChange,
}

/// What becomes of a history file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HistoryChange {
    /// It gets this text; a file that was not there is created.
    Write(String),
    /// Its second half is lost.
    Damage,
    Delete,
}

impl OfKind for HistoryEdit {
    fn app(&self) -> Option<&str> {
        Some(&self.app)
    }

    fn unheard(&self, name: &str) -> NotApplicable {
        unheard(name)
    }
}

/// Returns why something that only Slider applications know is not for an application of this name.
pub fn unheard(name: &str) -> NotApplicable {
    (format!("`{name}` is not an application of Slider."), "Name one whose kind is slider.")
}
