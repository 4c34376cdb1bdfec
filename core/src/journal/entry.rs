//! The entries of the journal: ids, resources and figures, but no sentences. Texts are derived from them elsewhere.
//!
//! Entries come in groups, each from one source. What readers of the journal have to know about each entry (its
//! subject, its class) stands in one table, [`Entry::traits`]: a new group, or a new entry in one, does not compile
//! until the table covers it.

use super::{Change, Finding, MasterAct, Processing};

/// One event or decision.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A change of nodes, applications, containers or settings.
    Changed(Change),
    /// A step of an offer. YARN's own activities tree is built from these ([`crate::scheduler::capacity::activities`]).
    Found(Finding),
    /// A step of the placement processor.
    Processed(Processing),
    /// A decision of an ApplicationMaster.
    Acted(MasterAct),
}

impl From<Change> for Entry {
    fn from(change: Change) -> Self {
        Entry::Changed(change)
    }
}

impl From<Finding> for Entry {
    fn from(finding: Finding) -> Self {
        Entry::Found(finding)
    }
}

impl From<Processing> for Entry {
    fn from(processing: Processing) -> Self {
        Entry::Processed(processing)
    }
}

impl From<MasterAct> for Entry {
    fn from(act: MasterAct) -> Self {
        Entry::Acted(act)
    }
}
