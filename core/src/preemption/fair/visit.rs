//! Which requests of a starved application count, if several name the same containers at different levels of locality
//! (VisitedResourceRequestTracker; preemption.md B3(1)).

use std::collections::BTreeSet;

/// The visited requests of one priority and size. The kind that is visited first wins; further ones of that kind count
/// again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visited {
    anywhere: bool,
    racks: BTreeSet<String>,
    racks_of_nodes: BTreeSet<String>,
}

impl Visited {
    /// Visits a request for anywhere; returns whether it counts.
    pub fn anywhere(&mut self) -> bool {
        if self.racks.is_empty() && self.racks_of_nodes.is_empty() {
            self.anywhere = true;
        }
        self.anywhere
    }

    /// Visits a request for a rack; returns whether it counts.
    pub fn rack(&mut self, rack: &str) -> bool {
        let counts = !self.anywhere && !self.racks_of_nodes.contains(rack);
        if counts {
            self.racks.insert(rack.to_string());
        }
        counts
    }

    /// Visits a request for a node of this rack; returns whether it counts.
    pub fn node(&mut self, rack: &str) -> bool {
        let counts = !self.anywhere && !self.racks.contains(rack);
        if counts {
            self.racks_of_nodes.insert(rack.to_string());
        }
        counts
    }
}
