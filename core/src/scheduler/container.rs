//! Containers as the ResourceManager knows them (RMContainerImpl; capacity-scheduler.md 11.2, lifecycles-and-timing.md
//! 1.3), in one arena. A container stays there until both its application and its node have let it go.

use super::cluster::PlaceId;
use crate::model::{ContainerId, Millis, NodeId, PartitionId, RequestKey, Resource};

pub use crate::model::Locality;

/// A place in the arena of containers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u32);

impl Slot {
    /// The place as an index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// State of a container in the ResourceManager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContainerState {
    /// Room is set aside on the node; it does not fit yet.
    Reserved,
    /// Granted; its ApplicationMaster has not heard of it yet.
    Allocated,
    /// The ApplicationMaster has it; the node has not reported it yet.
    Acquired,
    /// The node has reported it.
    Running,
    /// Over for application and queue; the node has still to report its end.
    Over,
}

/// A container or a reservation. What each step of its life reads or writes comes first and fills one line of a
/// processor's cache, its size the next: with many nodes the containers are what is least near.
#[derive(Clone, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Container {
    pub id: ContainerId,
    /// When its ApplicationMaster got it.
    pub acquired_at: Option<Millis>,
    pub node: NodeId,
    /// Allocation tags: a place in [`super::Cluster::tag_sets`].
    pub tags: u32,
    /// The partition that its use is charged to.
    pub partition: PartitionId,
    pub state: ContainerState,
    /// How near it came to what was asked.
    pub locality: Locality,
    /// Is it the ApplicationMaster's own?
    pub am: bool,
    /// Has the node reported it as running? Then only the node's report of its end frees the node's room.
    pub launched: bool,
    /// Does it take room on its node?
    pub on_node: bool,
    pub size: Resource,
    /// The key it was asked under.
    pub key: RequestKey,
    /// The rows that its allocation lowered, to restore them while it is only allocated.
    pub rows: RowsLowered,
    /// Partition of its node when it was made.
    pub made_in: PartitionId,
    /// How it came to be, as preemption goes by it.
    pub origin: Origin,
    /// With lazy preemption: whoever is owed its room may have it at any moment.
    pub killable: bool,
    /// When it was allocated (or reserved).
    pub allocated_at: Millis,
    /// When it was made: a reservation that becomes a container keeps its age.
    pub made_at: Millis,
    /// The same by the clock that tells apart what happens while the other stands still.
    pub age_order: Millis,
}

// Three lines of a processor's cache.
const _: () = assert!(std::mem::size_of::<Container>() == 192);

/// How a container came to be. Several may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Origin(u8);

impl Origin {
    /// On room that a partition lends: it was not asked for there.
    pub const LENT: Origin = Origin(1);
    /// A reservation that was moved to its node.
    pub const MOVED: Origin = Origin(2);
    /// Its record names no queue, or its queue by a short name that other queues have too.
    pub const AMBIGUOUS: Origin = Origin(4);
    /// It was reserved on room that a partition lends, and its leaf's list of such containers still has it as that
    /// reservation (AbstractLeafQueue.ignorePartitionExclusivityRMContainers, 3.5.0): a kill by that list comes to nothing.
    pub const OUTDATED: Origin = Origin(8);

    /// Does this hold?
    #[inline]
    pub fn is(self, what: Origin) -> bool {
        self.0 & what.0 != 0
    }

    /// This holds from now on.
    pub fn set(&mut self, what: Origin) {
        self.0 |= what.0;
    }

    /// This holds no more.
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
    /// Puts a container in.
    pub fn add(&mut self, container: Container) -> Slot {
        if let Some(slot) = self.free.pop() {
            self.slots[slot.index()] = container;
            return slot;
        }
        self.slots.push(container);
        Slot(self.slots.len() as u32 - 1)
    }

    /// Gives a place back. Nobody may hold it any more.
    pub fn free(&mut self, slot: Slot) {
        debug_assert!(!self.free.contains(&slot));
        self.free.push(slot);
    }

    /// The container at a place.
    #[inline]
    pub fn at(&self, slot: Slot) -> &Container {
        &self.slots[slot.index()]
    }

    /// The container at a place, to be changed.
    #[inline]
    pub fn at_mut(&mut self, slot: Slot) -> &mut Container {
        &mut self.slots[slot.index()]
    }
}
