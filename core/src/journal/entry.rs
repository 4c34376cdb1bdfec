//! The entries of the journal: ids, resources and figures, no sentences. Texts are derived from them elsewhere.
//!
//! Entries come in groups, each of one source. What everything that reads the journal has to know of each entry (whom
//! it is about, what it counts as) stands in one table, [`Entry::traits`]: a new group, or a new entry of one, does not
//! compile before it is told there.

use super::{Change, Finding, MasterAct, Processing};

/// One thing that happened or was decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Nodes, applications, containers, settings.
    Changed(Change),
    /// A step of an offer. YARN's own activities tree is made from that
    /// ([`crate::scheduler::capacity::activities`]).
    Found(Finding),
    /// The placement processor.
    Processed(Processing),
    /// An ApplicationMaster.
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
