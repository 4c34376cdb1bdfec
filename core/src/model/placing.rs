//! Words that scheduler, monitors and journal share: the place of a request, the locality of a container, why it ended,
//! and who selected it for preemption.

use super::{AppId, Millis, NodeId, QueueId};

/// A name of a host or a rack, or `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct PlaceId(pub u32);

impl PlaceId {
    /// `*`: anywhere.
    pub const ANY: PlaceId = PlaceId(0);
}

/// How near the place is to the requested one (NodeType).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Locality {
    /// On a requested host.
    NodeLocal,
    /// In a requested rack.
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

/// Why a container ended, as the AM learns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub enum EndCause {
    /// Its process ended by itself.
    Completed,
    /// Released by the AM.
    Released,
    /// Its node is gone.
    LostNode,
    /// The given node had reported that it runs, and no longer lists it.
    Vanished(NodeId),
    AppOver,
    /// It was not launched in time.
    Expired,
    Preempted,
    /// The node was made smaller and its overcommit timeout has run out.
    Overcommit,
}

/// The selectors of containers to preempt, in the order in which they run (preemption.md A6 to A8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selector {
    /// For reservations of queues of a higher priority (QueuePriorityContainerCandidateSelector).
    QueuePriority,
    /// For reservations (ReservedContainerCandidatesSelector).
    Reserved,
    /// For queues below their guarantee (FifoCandidatesSelector).
    Fifo,
    /// Among queues beyond their guarantee (FifoCandidatesSelector that balances).
    Balance,
    /// Among applications of one queue (IntraQueueCandidatesSelector).
    IntraQueue,
}

impl Selector {
    /// YARN's class.
    pub fn class(self) -> &'static str {
        match self {
            Selector::QueuePriority => "QueuePriorityContainerCandidateSelector",
            Selector::Reserved => "ReservedContainerCandidatesSelector",
            Selector::Fifo | Selector::Balance => "FifoCandidatesSelector",
            Selector::IntraQueue => "IntraQueueCandidatesSelector",
        }
    }
}

/// Why a container was preempted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PreemptedFor {
    /// A round of the monitor killed it: marked at `since`, and still chosen. `beyond_maximum`: its queue used more
    /// than its maximum, a reason that needs no queue with a claim.
    Round { by: Selector, since: Millis, beyond_maximum: bool },
    /// It was killable, and this application took its resources.
    App(AppId),
    /// It was killable, and this queue used more than its maximum.
    Maximum(QueueId),
}
