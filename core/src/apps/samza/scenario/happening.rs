//! Happenings that only Samza jobs know.

use super::{SamzaMessage, StreamRow};
use crate::apps::scenario::{NotApplicable, OfKind};
use serde::{Deserialize, Serialize};

/// A happening that only Samza jobs know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum SamzaHappening {
    /// A user writes a placement message for a container of a job.
    PlaceProcessor { app: String, message: SamzaMessage },
    /// The process of a container ends.
    FinishProcessor {
        app: String,
        /// The processor's id in the job: `3`, `3-0`.
        processor: String,
        exit_code: i32,
    },
    /// A user edits the coordinator stream of a job.
    WriteStream { app: String, rows: Vec<StreamRow> },
    /// The disks of a host are emptied: the state that jobs kept there is gone.
    ClearDisks(String),
}

impl OfKind for SamzaHappening {
    fn app(&self) -> Option<&str> {
        match self {
            SamzaHappening::PlaceProcessor { app, .. }
            | SamzaHappening::FinishProcessor { app, .. }
            | SamzaHappening::WriteStream { app, .. } => Some(app),
            SamzaHappening::ClearDisks(_) => None,
        }
    }

    fn node(&self) -> Option<&str> {
        match self {
            SamzaHappening::ClearDisks(host) => Some(host),
            SamzaHappening::PlaceProcessor { .. }
            | SamzaHappening::FinishProcessor { .. }
            | SamzaHappening::WriteStream { .. } => None,
        }
    }

    fn unheard(&self, name: &str) -> NotApplicable {
        unheard(name)
    }
}

/// Returns why something that only Samza jobs know is not for an application of this name.
pub fn unheard(name: &str) -> NotApplicable {
    (format!("`{name}` is not a Samza job."), "Name one whose kind is samza.")
}
