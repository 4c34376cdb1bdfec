//! Words that scheduler and journal share: the place of an ask, how near a container came to it, why it ended.

/// A name of a host or a rack, or `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PlaceId(pub u32);

impl PlaceId {
    /// `*`: anywhere.
    pub const ANY: PlaceId = PlaceId(0);
}

/// How near the place is to what was asked for (NodeType).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locality {
    /// On a host that was asked for.
    NodeLocal,
    /// In a rack that was asked for.
    RackLocal,
    /// Anywhere.
    OffSwitch,
}

impl Locality {
    /// YARN's name.
    pub fn text(self) -> &'static str {
        match self {
            Locality::NodeLocal => "NODE_LOCAL",
            Locality::RackLocal => "RACK_LOCAL",
            Locality::OffSwitch => "OFF_SWITCH",
        }
    }
}

/// Why a container ended, as far as the AM is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndCause {
    /// Its process ended by itself.
    Completed,
    /// Released by the AM.
    Released,
    /// Its node is gone.
    LostNode,
    AppOver,
    /// It was never launched in time.
    Expired,
    Preempted,
    /// The node was made smaller and its overcommit timeout has run out.
    Overcommit,
}
