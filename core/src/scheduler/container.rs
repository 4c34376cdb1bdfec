//! Containers in the ResourceManager (RMContainerImpl; capacity-scheduler.md 11.2, lifecycles-and-timing.md 1.3), in
//! one arena. A container stays there until neither its application nor its node counts it.

use super::cluster::PlaceId;
use crate::model::{ContainerId, Millis, NodeId, PartitionId, RequestKey, Resource};

pub use crate::model::Locality;

/// A place in the arena of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

impl Slot {
    /// Returns the place as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The state of a container in the ResourceManager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerState {
    /// A reservation on the node: it does not fit yet.
    Reserved,
    /// Allocated; its ApplicationMaster has not pulled it yet.
    Allocated,
    /// Pulled by its ApplicationMaster; the node has not reported it yet.
    Acquired,
    /// The node has reported it.
    Running,
    /// Ended for application and queue; the node has yet to report its end.
    Over,
}

/// A container or a reservation. What each step of its life reads or writes comes first and fills one line of a
/// processor's cache, its size the next: with many nodes the containers are what is least near.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Container {
    pub id: ContainerId,
    /// The time at which its ApplicationMaster pulled it.
    pub acquired_at: Option<Millis>,
    pub node: NodeId,
    /// Allocation tags: a place in [`super::Cluster::tag_sets`].
    pub tags: u32,
    /// The partition that it is charged to.
    pub partition: PartitionId,
    pub state: ContainerState,
    /// Its level of locality.
    pub locality: Locality,
    /// Whether it is the ApplicationMaster's own.
    pub am: bool,
    /// Whether the node has reported it as running. If so, only the node's report of its end releases the node's
    /// resources.
    pub launched: bool,
    /// Whether its node's usage counts it.
    pub on_node: bool,
    pub size: Resource,
    /// The key of its request.
    pub key: RequestKey,
    /// The rows that its allocation lowered, to restore them while it is only allocated.
    pub rows: RowsLowered,
    /// The partition of its node when it was made.
    pub made_in: PartitionId,
    /// How it was made, as far as preemption asks.
    pub origin: Origin,
    /// Whether it is killable (lazy preemption): a starved queue may take its resources at any moment.
    pub killable: bool,
    /// The time of its allocation or reservation.
    pub allocated_at: Millis,
    /// The time at which it was made; a reservation that becomes a container keeps it.
    pub made_at: Millis,
    /// The time at which it was made by the clock of start times ([`super::Cluster::wall_clock`]).
    pub age_order: Millis,
}

// Three lines of a processor's cache.
const _: () = assert!(std::mem::size_of::<Container>() == 192);

/// How a container was made. Several may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Origin(u8);

impl Origin {
    /// On resources of a non-exclusive partition that it did not request.
    pub const LENT: Origin = Origin(1);
    /// A reservation that was moved to its node.
    pub const MOVED: Origin = Origin(2);
    /// Its record names no queue, or its queue by a short name that other queues have too.
    pub const AMBIGUOUS: Origin = Origin(4);
    /// Reserved on a non-exclusive partition that it did not request, and its leaf's list of such containers still has
    /// it as that reservation (AbstractLeafQueue.ignorePartitionExclusivityRMContainers, 3.5.0): a kill by that list
    /// has no effect.
    pub const OUTDATED: Origin = Origin(8);

    /// Returns whether this holds.
    #[inline]
    pub fn is(self, what: Origin) -> bool {
        self.0 & what.0 != 0
    }

    /// Sets that this holds.
    pub fn set(&mut self, what: Origin) {
        self.0 |= what.0;
    }

    /// Sets that this does not hold any more.
    pub fn unset(&mut self, what: Origin) {
        self.0 &= !what.0;
    }
}

/// Which rows an allocation lowered by one, and with which relaxLocality.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RowsLowered {
    /// The host's row and its relaxLocality.
    pub host: Option<(PlaceId, bool)>,
    /// The rack's row and its relaxLocality.
    pub rack: Option<(PlaceId, bool)>,
    /// relaxLocality of the ANY row.
    pub any_relax: bool,
}

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Containers {
    slots: Vec<Container>,
    free: Vec<Slot>,
}

impl Containers {
    /// Adds a container.
    pub fn add(&mut self, container: Container) -> Slot {
        if let Some(slot) = self.free.pop() {
            self.slots[slot.index()] = container;
            return slot;
        }
        self.slots.push(container);
        Slot(self.slots.len() as u32 - 1)
    }

    /// Frees a place, which nothing may refer to any more.
    pub fn free(&mut self, slot: Slot) {
        debug_assert!(!self.free.contains(&slot));
        self.free.push(slot);
    }

    /// Returns the container at a place.
    #[inline]
    pub fn at(&self, slot: Slot) -> &Container {
        &self.slots[slot.index()]
    }

    /// Returns the container at a place, mutably.
    #[inline]
    pub fn at_mut(&mut self, slot: Slot) -> &mut Container {
        &mut self.slots[slot.index()]
    }
}
