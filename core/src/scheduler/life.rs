//! The life of a container, for all schedulers: reserved, allocated, over, its resources free again; and that of the
//! attempts and nodes that it belongs to (SchedulerApplicationAttempt, RMContainerImpl, SchedulerNode,
//! AbstractYarnScheduler). A scheduler updates its own accounting, the usage of queues and users, around these steps.

use super::app::{AmRequest, AmStatus, EndCause, ReportedEnd};
use super::container::{Origin, RowsLowered};
use super::{Cluster, Container, ContainerState, KeyAsks, Locality, NodeState, PlaceId, RequestRow, Slot};
use crate::api::ContainerStop;
use crate::journal::{Change, NodeGone, Recorder, UnreserveCause};
use crate::model::{AppId, ContainerId, NodeId, PartitionId, QueueId, RequestKey, Resource};

/// The place of the default partition in the accounting of an application.
pub(super) const DEFAULT: usize = PartitionId::DEFAULT.0 as usize;

/// A container that is allocated or reserved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub app: AppId,
    /// The place of its key among the application's requests.
    pub place: usize,
    pub key: RequestKey,
    /// Allocation tags: a place in [`Cluster::tag_sets`].
    pub tags: u32,
    pub node: NodeId,
    /// The partition that it is charged to.
    pub partition: PartitionId,
    /// The requested size.
    pub size: Resource,
    pub locality: Locality,
    /// The reservation that becomes the container.
    pub from: Option<Slot>,
    /// How it was made, unless it was reserved.
    pub origin: Origin,
}

/// A container or reservation that has ended, with what the scheduler's own accounting needs of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gone {
    pub app: AppId,
    pub node: NodeId,
    pub size: Resource,
    pub partition: PartitionId,
    /// Set if its AM never pulled it: the request is restored, under this key and on these rows.
    pub wanted: Option<(RequestKey, RowsLowered)>,
}

/// The containers of a node that was removed from the scheduler.
#[derive(Clone, Debug, Default)]
pub(super) struct Left {
    /// The containers that have yet to end.
    pub containers: Vec<ContainerId>,
    /// The applications whose AM ran there.
    pub masters: Vec<AppId>,
    /// The containers that had already ended without the node's report: their applications and sizes.
    pub unreported: Vec<(AppId, Resource)>,
}

impl Cluster {
    /// Adds a container or reservation under the application's next number.
    fn add_container(&mut self, g: &Grant, state: ContainerState) -> Slot {
        let (now, age_order) = (self.now, self.wall_clock);
        let app = self.app_mut(g.app);
        let id = app.container_id(app.next_seq);
        app.next_seq += 1;
        let slot = self.containers.add(Container {
            id,
            node: g.node,
            size: g.size,
            key: g.key,
            partition: g.partition,
            state,
            locality: g.locality,
            am: false,
            launched: false,
            on_node: false,
            tags: g.tags,
            rows: RowsLowered::default(),
            made_in: g.partition,
            origin: g.origin,
            killable: false,
            allocated_at: now,
            made_at: now,
            age_order,
            acquired_at: None,
        });
        self.app_mut(g.app).live.add(id.seq, slot);
        slot
    }

    /// Records a reservation.
    pub(super) fn reserve<R: Recorder>(&mut self, g: &Grant, rec: &mut R) {
        debug_assert!(self.node(g.node).reserved.is_none(), "a node has one reservation at most");
        let slot = self.add_container(g, ContainerState::Reserved);
        self.app_mut(g.app).asks.at_mut(g.place).reservation_comes(g.node, slot);
        self.node_mut(g.node).reserved = Some(slot);
        self.given_changed += 1;
        debug_assert!(self.reservation_is_known(slot), "after a reservation has come");
        rec.note(self.now, || {
            let (container, free) = (self.containers.at(slot).id, self.node(g.node).free());
            Change::Reserved { container, node: g.node, size: g.size, key: g.key, free }
        });
    }

    /// Returns whether a reservation is live, and known to its node and its key. Asserted after it was made; its end
    /// asserts each.
    fn reservation_is_known(&self, slot: Slot) -> bool {
        let r = self.containers.at(slot);
        let keys = self.app(r.id.app).asks.keys();
        let of_key = keys.iter().filter(|asks| asks.reserved.iter().any(|(node, s)| (*node, *s) == (r.node, slot)));
        self.node(r.node).reserved == Some(slot) && of_key.count() == 1 && self.slot(r.id) == Some(slot)
    }

    /// Removes a reservation that ends or becomes a container from its key and its node.
    pub(super) fn forget_reservation(&mut self, slot: Slot) -> Gone {
        let r = self.containers.at(slot);
        debug_assert!(r.state == ContainerState::Reserved);
        let (key, gone) =
            (r.key, Gone { app: r.id.app, node: r.node, size: r.size, partition: r.partition, wanted: None });
        let app = self.app_mut(gone.app);
        let place = app.asks.find(key);
        debug_assert!(place.is_some(), "a key that something is reserved for stays known");
        if let Some(place) = place {
            app.asks.at_mut(place).reservation_goes(slot);
        }
        let node = self.node_mut(gone.node);
        debug_assert!(node.reserved == Some(slot), "a reservation is known to its node");
        // Otherwise the node's reservation stays, and the invariants of a run find that this one is on no node.
        node.reserved.take_if(|there| *there == slot);
        self.given_changed += 1;
        gone
    }

    /// Ends a reservation.
    pub(super) fn drop_reservation<R: Recorder>(&mut self, slot: Slot, why: UnreserveCause, rec: &mut R) -> Gone {
        let gone = self.forget_reservation(slot);
        let id = self.containers.at(slot).id;
        self.app_mut(id.app).live.remove(id.seq);
        self.containers.free(slot);
        rec.note(self.now, || Change::Unreserved { container: id, node: gone.node, size: gone.size, why });
        gone
    }

    /// Allocates a container: adds it to its application, its node and the journal. `rows`: those of its key that were
    /// lowered for it. Returns whether it is the AM's own.
    pub(super) fn grant<R: Recorder>(&mut self, g: &Grant, rows: RowsLowered, rec: &mut R) -> bool {
        debug_assert!(self.node_adds_up(g.node), "before a container comes");
        debug_assert!(
            g.from.is_none_or(|slot| self.node(g.node).reserved != Some(slot)),
            "its reservation was forgotten"
        );
        let slot = g.from.unwrap_or_else(|| self.add_container(g, ContainerState::Allocated));
        self.given_changed += 1;
        let now = self.now;
        let container = self.containers.at_mut(slot);
        container.state = ContainerState::Allocated;
        container.locality = g.locality;
        container.rows = rows;
        container.on_node = true;
        container.allocated_at = now;
        if g.from.is_some() && container.origin.is(Origin::LENT) {
            container.origin.set(Origin::OUTDATED);
        }
        let (id, size, key) = (container.id, container.size, container.key);
        let node = self.node_mut(g.node);
        node.allocated += size;
        node.containers.push(slot);
        debug_assert!(self.node_adds_up(g.node), "after a container has come");
        self.tags_come(slot);
        let app = self.app_mut(g.app);
        // Quirk: the application's usage grows by the request, and a reservation keeps its size.
        app.used[g.partition.index()] += g.size;
        if g.from.is_some() && g.size != size {
            app.converted.push((id.seq, g.partition, g.size - size));
        }
        let am = app.waiting_for_am;
        if am {
            app.waiting_for_am = false;
            app.am_seq = Some(id.seq);
            // The ResourceManager pulls the AM's container itself, at once.
            let container = self.containers.at_mut(slot);
            container.am = true;
            container.state = ContainerState::Acquired;
            container.acquired_at = Some(now);
            self.am_allocated.push(g.app);
            self.set_am_status(g.app, AmStatus::Launched);
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

    /// Ends a container, by its node's report or by order: at once for its application, and for its node as
    /// [`Cluster::release_room`] says. Reservations are dropped instead.
    pub(super) fn end_at<R: Recorder>(&mut self, slot: Slot, exit_code: i32, why: EndCause, rec: &mut R) -> Gone {
        let by_node = matches!(why, EndCause::Completed | EndCause::LostNode | EndCause::Vanished(_));
        let container = self.containers.at_mut(slot);
        debug_assert!(container.state != ContainerState::Reserved);
        let id = container.id;
        let before = std::mem::replace(&mut container.state, ContainerState::Over);
        let (node, size, partition, am) = (container.node, container.size, container.partition, container.am);
        let (key, rows) = (container.key, container.rows);
        let app = self.app_mut(id.app);
        if app.attempt == id.attempt {
            app.live.remove(id.seq);
        } else {
            app.kept.retain(|(kept, _)| *kept != id);
        }
        if before == ContainerState::Allocated {
            app.granted.retain(|s| *s != slot);
        }
        // An AM that never received the container does not receive the end that its node reports either.
        let never_heard_of = before == ContainerState::Allocated && why == EndCause::Completed;
        if !am && !never_heard_of {
            app.ended.push(ReportedEnd { id, node, exit_code, why });
        }
        app.used[partition.index()] -= size;
        let alive = app.alive;
        let freed = self.release_room(slot, by_node);
        // An unhealthy node still gets the order to end what runs there.
        let hears = !by_node || why == EndCause::LostNode && self.node(node).state == NodeState::Unhealthy;
        if hears && before != ContainerState::Allocated {
            self.stopped.push(ContainerStop { node, container: id, size, why });
        }
        rec.note(self.now, || Change::Completed { container: id, node, size, exit_code, why, room_kept: !freed });
        if freed {
            self.containers.free(slot);
        }
        // The request is restored at the end of an attempt too: its user becomes active, and its record may then be
        // dropped (AbstractYarnScheduler.recoverResourceRequestForContainer).
        let again =
            before == ContainerState::Allocated && alive && !matches!(why, EndCause::Completed | EndCause::Vanished(_));
        Gone { app: id.app, node, size, partition, wanted: again.then_some((key, rows)) }
    }

    /// Frees the resources of a container that has already ended, since the node reports its end.
    pub(crate) fn free_room(&mut self, slot: Slot) {
        if self.release_room(slot, true) && self.containers.at(slot).state == ContainerState::Over {
            self.containers.free(slot);
        }
    }

    /// Removes a node from the scheduler. The caller has yet to end its containers and to drop its reservation.
    pub(super) fn node_leaves<R: Recorder>(&mut self, id: NodeId, why: NodeGone, rec: &mut R) -> Left {
        let mut left = Left::default();
        for slot in self.leave(id, why, rec) {
            let container = self.containers.at(slot);
            let (cid, size) = (container.id, container.size);
            if container.state == ContainerState::Over {
                left.unreported.push((cid.app, size));
                self.free_room(slot);
                continue;
            }
            if container.am {
                left.masters.push(cid.app);
            }
            left.containers.push(cid);
        }
        left
    }

    /// Begins an application's next attempt.
    pub(super) fn begin_attempt(&mut self, app: AppId, am: Option<&AmRequest>) {
        let (started_at, minimum) = (self.wall_clock, self.minimum);
        let a = self.app_mut(app);
        a.attempt += 1;
        a.started_at = started_at;
        a.alive = true;
        a.charge_am(am.map_or(minimum, |am| am.size));
        a.waiting_for_am = am.is_some();
    }

    /// Returns the containers that end with an attempt, and its reservations. `keep`: running ones are kept for the
    /// next attempt.
    pub(super) fn live_of(&self, app: AppId, keep: bool) -> (Vec<ContainerId>, Vec<Slot>) {
        let (mut containers, mut reservations) = (Vec::new(), Vec::new());
        for slot in self.app(app).slots() {
            let container = self.containers.at(slot);
            if container.state == ContainerState::Reserved {
                reservations.push(slot);
            } else if !keep || container.am || container.state != ContainerState::Running {
                containers.push(container.id);
            }
        }
        (containers, reservations)
    }
}

// Requests in schedulers without partitions (FairScheduler, FifoScheduler): all are pending in the default one.

fn outstanding(asks: &KeyAsks) -> Resource {
    asks.any().map_or(Resource::ZERO, |row| row.size.times(row.count.max(0)))
}

impl Cluster {
    /// Changes a key's rows, and with them the pending sums.
    fn change_asks<T>(&mut self, app: AppId, place: usize, change: impl FnOnce(&mut KeyAsks) -> T) -> T {
        debug_assert!(self.pending_covers(app), "before rows change");
        let a = self.app_mut(app);
        let asks = a.asks.at_mut(place);
        let before = outstanding(asks);
        let out = change(asks);
        let (after, open) = (outstanding(asks), asks.outstanding() > 0);
        a.pending[DEFAULT] = a.pending[DEFAULT] + after - before;
        if open {
            a.asks.open_key(place);
        } else {
            a.asks.close_key(place);
        }
        let queue = a.queue;
        let pending = self.pending_mut(queue);
        *pending = *pending + after - before;
        debug_assert!(self.pending_covers(app), "after rows have changed");
        out
    }

    /// Returns whether an application's leaf has at least as much pending as the application. Asserted before and after
    /// each change.
    fn pending_covers(&self, app: AppId) -> bool {
        let app = self.app(app);
        // A largest container without a type cuts the requested amount of it to -1 (quirk): then another application
        // has a negative amount pending.
        let less_than_nothing =
            |i: usize| self.apps.iter().any(|other| other.queue == app.queue && other.pending[DEFAULT][i] < 0);
        let covers = |i: usize| self.pending_in(app.queue)[i] >= app.pending[DEFAULT][i];
        (0..self.types.len()).all(|i| covers(i) || less_than_nothing(i))
    }

    fn pending_mut(&mut self, queue: QueueId) -> &mut Resource {
        if self.pending_in.len() <= queue.index() {
            self.pending_in.resize(queue.index() + 1, Resource::ZERO);
        }
        &mut self.pending_in[queue.index()]
    }

    /// Returns the pending resources of the applications in a leaf.
    pub fn pending_in(&self, leaf: QueueId) -> Resource {
        self.pending_in.get(leaf.index()).copied().unwrap_or_default()
    }

    /// Moves an application to another leaf.
    pub(super) fn change_leaf(&mut self, app: AppId, to: QueueId) {
        let (from, pending) = (self.app(app).queue, self.app(app).pending[DEFAULT]);
        *self.pending_mut(from) -= pending;
        *self.pending_mut(to) += pending;
        self.app_mut(app).queue = to;
    }

    /// Updates the rows of one key, each name once. Forgets the key if nothing is requested anywhere.
    pub(super) fn take_asks(&mut self, app: AppId, key: RequestKey, rows: &[(PlaceId, RequestRow)]) {
        let place = self.app_mut(app).asks.key_place(key);
        self.change_asks(app, place, |asks| {
            for (name, row) in rows {
                asks.put(*name, *row);
            }
            if rows.iter().any(|(name, row)| *name == PlaceId::ANY && row.count <= 0) {
                asks.clear();
            }
        });
    }

    /// Like [`Self::grant`], and lowers the rows of the key.
    pub(super) fn grant_asked<R: Recorder>(&mut self, g: &Grant, rec: &mut R) -> bool {
        let node = self.node(g.node);
        let (host, rack) = (node.host_place, node.rack);
        let rows = self.change_asks(g.app, g.place, |asks| asks.lower_for(host, rack, g.locality));
        self.grant(g, rows, rec)
    }

    /// Like [`Self::end_at`], and restores the request of a container that its AM never pulled. Returns the container's
    /// size.
    pub(super) fn end_and_ask<R: Recorder>(
        &mut self,
        slot: Slot,
        exit_code: i32,
        why: EndCause,
        rec: &mut R,
    ) -> Resource {
        let gone = self.end_at(slot, exit_code, why, rec);
        if let Some((key, rows)) = gone.wanted
            && let Some(place) = self.app(gone.app).asks.find(key)
        {
            self.change_asks(gone.app, place, |asks| asks.raise(&rows, gone.size));
        }
        gone.size
    }

    /// Asks once more for a container, in the application's present attempt.
    pub(super) fn ask_back(&mut self, app: AppId, key: RequestKey, rows: &RowsLowered, size: Resource) {
        let place = self.app_mut(app).asks.key_place(key);
        self.change_asks(app, place, |asks| asks.raise(rows, size));
    }

    /// Begins an attempt that no limit of parallel applications stops.
    pub(super) fn add_attempt<R: Recorder>(&mut self, app: AppId, am: Option<&AmRequest>, rec: &mut R) {
        self.begin_attempt(app, am);
        let attempt = self.app(app).attempt;
        rec.note(self.now, || Change::AttemptAdded { app, attempt });
    }

    /// Ends an attempt; its containers have already ended, except for those that are kept.
    pub(super) fn finish_attempt(&mut self, app: AppId) {
        let (queue, pending) = (self.app(app).queue, self.app(app).pending[DEFAULT]);
        *self.pending_mut(queue) -= pending;
        self.app_mut(app).pending.fill(Resource::ZERO);
        self.forget_attempt(app);
    }

    /// Clears the state of an attempt. If containers are kept, their usage, the ends that the AM has not pulled and its
    /// blacklist go to the next attempt.
    pub(super) fn forget_attempt(&mut self, app: AppId) {
        let a = &mut self.apps[app.index()];
        let live = std::mem::take(&mut a.live);
        a.kept.extend(live.iter().map(|(_, slot)| (self.containers.at(slot).id, slot)));
        if a.kept.is_empty() && !a.hands_over {
            return a.forget_attempt();
        }
        let (used, blacklist) = (a.used.clone(), std::mem::take(&mut a.blacklist));
        // The last answer may not have arrived.
        let mut ended = std::mem::take(&mut a.told);
        ended.append(&mut a.ended);
        a.forget_attempt();
        (a.used, a.ended, a.blacklist) = (used, ended, blacklist);
    }
}
