//! Reservations that go, and containers that end (AbstractLeafQueue.completedContainer, FiCaSchedulerApp.unreserve,
//! FiCaSchedulerNode; capacity-scheduler.md 10, 11.2).

use super::CapacityScheduler;
use crate::journal::{Change, Recorder, UnreserveCause};
use crate::model::{ContainerId, Resource};
use crate::scheduler::app::EndCause;
use crate::scheduler::{Cluster, ContainerState, PlaceId, Row, Slot};

impl CapacityScheduler {
    /// A reservation is dropped.
    pub(crate) fn unreserve<R: Recorder>(&mut self, c: &mut Cluster, slot: Slot, why: UnreserveCause, rec: &mut R) {
        let r = c.containers.at(slot);
        let (id, key, node, size, partition) = (r.id, r.key, r.node, r.size, r.partition);
        let app = c.app_mut(id.app);
        app.live.remove(id.seq);
        if let Some(place) = app.asks.find(key) {
            app.asks.at_mut(place).reservation_goes(slot);
        }
        let node_books = c.node_mut(node);
        if node_books.reserved == Some(slot) {
            node_books.reserved = None;
        }
        rec.note(c.now, || Change::Unreserved { container: id, node, size, why });
        self.books.charge_reserved(c, id.app, size, partition, false);
        self.books.charge(c, id.app, size, partition, false);
        c.containers.free(slot);
    }

    /// A container ends, by its node's report (`by_node`) or by order. What is freed: application, user and queues at
    /// once; the node's room as [`Cluster::release_room`] says.
    pub(crate) fn end_container<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: ContainerId,
        exit_code: i32,
        why: EndCause,
        rec: &mut R,
    ) {
        let Some(slot) = c.slot(id) else { return };
        if c.containers.at(slot).state == ContainerState::Reserved {
            let cause = if why == EndCause::Released { UnreserveCause::Released } else { UnreserveCause::AttemptEnded };
            return self.unreserve(c, slot, cause, rec);
        }
        let by_node = matches!(why, EndCause::Completed | EndCause::LostNode);
        self.killable_ends(id);
        let container = c.containers.at_mut(slot);
        let before = std::mem::replace(&mut container.state, ContainerState::Over);
        let (node, size, partition, am) = (container.node, container.size, container.partition, container.am);
        let app = c.app_mut(id.app);
        app.live.remove(id.seq);
        if before == ContainerState::Allocated {
            app.granted.retain(|s| *s != slot);
        }
        if !am {
            app.ended.push((id, exit_code, why));
        }
        app.used[partition.index()] -= size;
        let freed = c.release_room(slot, by_node);
        if !by_node && before != ContainerState::Allocated {
            c.stopped.push((node, id));
        }
        self.books.charge(c, id.app, size, partition, false);
        rec.note(c.now, || Change::Completed { container: id, node, size, exit_code, why, room_kept: !freed });
        // A grant that its AM never heard of is asked for again, unless the application goes too.
        if before == ContainerState::Allocated
            && !matches!(why, EndCause::Completed | EndCause::AppOver)
            && c.app(id.app).alive
        {
            let container = c.containers.at(slot).clone();
            self.restore_asks(c, &container);
        }
        if freed {
            c.containers.free(slot);
        }
    }

    /// What was only allocated is asked for again: +1 on the same names (11.2).
    fn restore_asks(&mut self, c: &mut Cluster, container: &crate::scheduler::Container) {
        let app = container.id.app;
        let Some(place) = c.app(app).asks.find(container.key) else { return };
        let rows = container.rows;
        let size = container.size;
        let asks = c.app_mut(app).asks.at_mut(place);
        let mut raise = |name: PlaceId, relax: bool| {
            let row = asks.row(name).copied().unwrap_or(Row { count: 0, size, relax });
            asks.put(name, Row { count: row.count + 1, ..row });
        };
        for (name, relax) in [rows.host, rows.rack].into_iter().flatten() {
            raise(name, relax);
        }
        raise(PlaceId::ANY, rows.any_relax);
        let (partition, size, count) =
            (asks.partition, asks.any().map_or(Resource::ZERO, |r| r.size), asks.outstanding());
        self.books.change_pending(c, app, partition, size, 1);
        if count == 1 {
            c.app_mut(app).asks.open_key(place);
            self.asks_begin(c, app);
        }
    }

    /// The node reports the end of a container that is over already: its room comes free.
    pub(crate) fn room_comes_free(&mut self, c: &mut Cluster, slot: Slot) {
        if c.release_room(slot, true) && c.containers.at(slot).state == ContainerState::Over {
            c.containers.free(slot);
        }
    }
}
