//! Books that the FairScheduler and the FifoScheduler keep alike: asks, grants, attempts, containers that end
//! (AppSchedulingInfo, LocalityAppPlacementAllocator, SchedulerApplicationAttempt; fair-scheduler.md 12.2, 13.2, 16).
//! They know no partitions: everything is charged to the default one. The CapacityScheduler has its own.

use super::app::{AmRequest, AmStatus, EndCause};
use super::container::{Origin, RowsLowered};
use super::{App, Cluster, Container, ContainerState, KeyAsks, Locality, PlaceId, Row, Slot};
use crate::journal::{Change, Recorder};
use crate::model::{AppId, ContainerId, NodeId, PartitionId, RequestKey, Resource};

/// Place of the default partition in the books of an application.
pub(super) const DEFAULT: usize = PartitionId::DEFAULT.0 as usize;

/// A container for a key of an application.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    /// Whose.
    pub app: AppId,
    /// Place of its key.
    pub place: usize,
    /// Where.
    pub node: NodeId,
    /// Its size.
    pub size: Resource,
    /// How near.
    pub locality: Locality,
    /// The reservation that it comes from.
    pub from: Option<Slot>,
}

fn outstanding(asks: &KeyAsks) -> Resource {
    asks.any().map_or(Resource::ZERO, |row| row.size.times(row.count.max(0)))
}

impl App {
    /// Changes a key's rows; what is pending follows.
    fn change_asks<T>(&mut self, place: usize, change: impl FnOnce(&mut KeyAsks) -> T) -> T {
        let asks = self.asks.at_mut(place);
        let before = outstanding(asks);
        let out = change(asks);
        let (after, open) = (outstanding(asks), asks.outstanding() > 0);
        self.pending[DEFAULT] = self.pending[DEFAULT] + after - before;
        if open {
            self.asks.open_key(place);
        } else {
            self.asks.close_key(place);
        }
        out
    }
}

impl Cluster {
    /// Rows of one key come in, each name once. Without anything wanted anywhere the key is forgotten.
    pub(super) fn take_asks(&mut self, app: AppId, key: RequestKey, rows: &[(PlaceId, Row)]) {
        let a = self.app_mut(app);
        let place = a.asks.key_place(key);
        a.change_asks(place, |asks| {
            for (name, row) in rows {
                asks.put(*name, *row);
            }
            if rows.iter().any(|(name, row)| *name == PlaceId::ANY && row.count <= 0) {
                asks.clear();
            }
        });
    }

    /// Lowers the rows by one, as far out as the container came.
    fn lower_rows(&mut self, g: &Grant) -> RowsLowered {
        let node = self.node(g.node);
        let (host, rack) = (node.host_place, node.rack);
        self.app_mut(g.app).change_asks(g.place, |asks| {
            let mut rows = RowsLowered::default();
            if g.locality == Locality::NodeLocal {
                rows.host = asks.lower(host).map(|relax| (host, relax));
            }
            if g.locality != Locality::OffSwitch {
                rows.rack = asks.lower(rack).map(|relax| (rack, relax));
            }
            rows.any_relax = asks.lower(PlaceId::ANY).unwrap_or(true);
            rows
        })
    }

    /// A grant that its AM never heard of is asked for again: +1 on the same names.
    fn restore_rows(&mut self, slot: Slot) {
        let c = self.containers.at(slot);
        let (app, key, rows, size) = (c.id.app, c.key, c.rows, c.size);
        let a = self.app_mut(app);
        let Some(place) = a.asks.find(key) else { return };
        a.change_asks(place, |asks| {
            let any = Some((PlaceId::ANY, rows.any_relax));
            for (name, relax) in [rows.host, rows.rack, any].into_iter().flatten() {
                let row = asks.row(name).copied().unwrap_or(Row { count: 0, size, relax });
                asks.put(name, Row { count: row.count + 1, ..row });
            }
        });
    }

    /// A container or reservation with the application's next number.
    pub(super) fn new_container(&mut self, g: &Grant, state: ContainerState) -> Slot {
        let (now, age_order) = (self.now, self.wall_clock);
        let app = self.app_mut(g.app);
        let id = app.container_id(app.next_seq);
        app.next_seq += 1;
        let key = app.asks.at(g.place).key;
        let slot = self.containers.add(Container {
            id,
            node: g.node,
            size: g.size,
            key,
            partition: PartitionId::DEFAULT,
            state,
            locality: g.locality,
            am: false,
            launched: false,
            on_node: false,
            tags: 0,
            killable: false,
            rows: RowsLowered::default(),
            made_in: PartitionId::DEFAULT,
            origin: Origin::default(),
            allocated_at: now,
            made_at: now,
            age_order,
            acquired_at: None,
            launched_at: None,
        });
        self.app_mut(g.app).live.add(id.seq, slot);
        slot
    }

    /// A container is given: application, node and asks take it in, the journal hears of it. Was it the AM's own?
    pub(super) fn grant<R: Recorder>(&mut self, g: &Grant, rec: &mut R) -> bool {
        let rows = self.lower_rows(g);
        let slot = g.from.unwrap_or_else(|| self.new_container(g, ContainerState::Allocated));
        let now = self.now;
        let container = self.containers.at_mut(slot);
        container.state = ContainerState::Allocated;
        container.locality = g.locality;
        container.rows = rows;
        container.on_node = true;
        container.allocated_at = now;
        let (id, size, key) = (container.id, container.size, container.key);
        let node = self.node_mut(g.node);
        node.allocated += size;
        node.containers.push(slot);
        let app = self.app_mut(g.app);
        app.used[DEFAULT] += size;
        let am = app.waiting_for_am;
        if am {
            app.waiting_for_am = false;
            app.am_status = AmStatus::Launched;
            app.am_seq = Some(id.seq);
            // The ResourceManager takes it for itself at once.
            let container = self.containers.at_mut(slot);
            container.am = true;
            container.state = ContainerState::Acquired;
            container.acquired_at = Some(now);
            self.am_allocated.push(g.app);
        } else {
            app.granted.push(slot);
        }
        rec.note(now, || Change::Allocated {
            container: id,
            node: g.node,
            size,
            key,
            locality: g.locality,
            from_reservation: g.from.is_some(),
            am,
        });
        am
    }

    /// A container ends. Its size, which the scheduler has to take off its own books; `None` where there is none of
    /// this id. Reservations are the scheduler's own business.
    pub(super) fn end<R: Recorder>(
        &mut self,
        id: ContainerId,
        exit_code: i32,
        why: EndCause,
        rec: &mut R,
    ) -> Option<Resource> {
        let slot = self.slot(id)?;
        let by_node = matches!(why, EndCause::Completed | EndCause::LostNode);
        let container = self.containers.at_mut(slot);
        let before = std::mem::replace(&mut container.state, ContainerState::Over);
        let (node, size, am) = (container.node, container.size, container.am);
        let app = self.app_mut(id.app);
        app.live.remove(id.seq);
        if before == ContainerState::Allocated {
            app.granted.retain(|s| *s != slot);
        }
        if !am {
            app.ended.push((id, exit_code, why));
        }
        app.used[DEFAULT] -= size;
        let alive = app.alive;
        let freed = self.release_room(slot, by_node);
        if !by_node && before != ContainerState::Allocated {
            self.stopped.push((node, id));
        }
        rec.note(self.now, || Change::Completed { container: id, node, size, exit_code, why, room_kept: !freed });
        let told = matches!(why, EndCause::Completed | EndCause::AppOver);
        if before == ContainerState::Allocated && !told && alive {
            self.restore_rows(slot);
        }
        if freed {
            self.containers.free(slot);
        }
        Some(size)
    }

    /// The node reports the end of a container that is over already: its room comes free.
    pub(super) fn free_room(&mut self, slot: Slot) {
        if self.release_room(slot, true) && self.containers.at(slot).state == ContainerState::Over {
            self.containers.free(slot);
        }
    }

    /// An application's next attempt begins.
    pub(super) fn begin_attempt<R: Recorder>(&mut self, app: AppId, am: Option<&AmRequest>, rec: &mut R) {
        let (now, started_at, minimum) = (self.now, self.wall_clock, self.minimum);
        let a = self.app_mut(app);
        a.attempt += 1;
        a.started_at = started_at;
        a.alive = true;
        a.am_size = am.map_or(minimum, |am| am.size);
        a.am_partition = PartitionId::DEFAULT;
        a.waiting_for_am = am.is_some();
        let attempt = a.attempt;
        rec.note(now, || Change::AttemptAdded { app, attempt });
    }

    /// Containers of an attempt that are no reservations.
    pub(super) fn containers_of(&self, app: AppId) -> Vec<ContainerId> {
        let live = self.app(app).live.iter().map(|(_, slot)| self.containers.at(slot));
        live.filter(|c| c.state != ContainerState::Reserved).map(|c| c.id).collect()
    }

    /// An attempt is over; its containers are gone already.
    pub(super) fn finish_attempt(&mut self, app: AppId) {
        let a = self.app_mut(app);
        a.pending.fill(Resource::ZERO);
        a.forget_attempt();
    }
}
