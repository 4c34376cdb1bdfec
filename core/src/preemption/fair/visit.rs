//! Which requests of a starved application count, where several name the same containers at different levels of
//! locality (VisitedResourceRequestTracker; preemption.md B3(1)).

use std::collections::BTreeSet;

/// Requests of one priority and size that were visited. The first kind that is visited wins; a second one of that kind
/// counts again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Visited {
    anywhere: bool,
    racks: BTreeSet<String>,
    racks_of_nodes: BTreeSet<String>,
}

impl Visited {
    /// A request for anywhere is visited. Does it count?
    pub fn anywhere(&mut self) -> bool {
        if self.racks.is_empty() && self.racks_of_nodes.is_empty() {
            self.anywhere = true;
        }
        self.anywhere
    }

    /// A request for a rack is visited. Does it count?
    pub fn rack(&mut self, rack: &str) -> bool {
        let counts = !self.anywhere && !self.racks_of_nodes.contains(rack);
        if counts {
            self.racks.insert(rack.to_string());
        }
        counts
    }

    /// A request for a node of this rack is visited. Does it count?
    pub fn node(&mut self, rack: &str) -> bool {
        let counts = !self.anywhere && !self.racks.contains(rack);
        if counts {
            self.racks_of_nodes.insert(rack.to_string());
        }
        counts
    }
}
