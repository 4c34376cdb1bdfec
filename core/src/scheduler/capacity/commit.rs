//! The second check of a proposal, and its application to the books (CapacityScheduler.tryCommit,
//! FiCaSchedulerApp.accept and apply; capacity-scheduler.md section 9, decrements of 8.4).

use super::CapacityScheduler;
use super::look::{Look, Proposal};
use super::tagged;
use super::users::Mode;
use crate::journal::{Change, CommitRefusal, Recorder, UnreserveCause};
use crate::model::{AppId, RequestKey, Resource};
use crate::scheduler::container::RowsLowered;
use crate::scheduler::{AmStatus, Cluster, Container, ContainerState, Locality, NodeState, PlaceId, Slot};

impl CapacityScheduler {
    /// Was the proposal accepted and applied?
    pub(super) fn commit<R: Recorder>(&mut self, c: &mut Cluster, look: &Look, p: &Proposal, rec: &mut R) -> bool {
        let app = c.app_mut(p.app);
        if app.waiting_for_am && !p.reserve {
            app.am_status = AmStatus::Assigned;
        }
        let tagged = if p.reserve { None } else { tagged::refusal(c, p) };
        if let Some(why) = tagged.or_else(|| self.refusal(c, look, p)) {
            rec.note(c.now, || Change::CommitRefused { app: p.app, node: p.node, size: p.size, why });
            self.preemption.kill_nothing();
            return false;
        }
        match (p.reserve, p.from) {
            (true, Some(_)) => c.app_mut(p.app).asks.at_mut(p.key).rereservations += 1,
            (true, None) => {
                self.give_up(c, p, rec);
                self.reserve(c, look, p, rec);
                self.kill_beyond_maximum(c, p.app, look.partition, rec);
            }
            (false, _) => {
                self.give_up(c, p, rec);
                self.kill_for(c, p, rec);
                self.allocate(c, look, p, rec);
                self.kill_beyond_maximum(c, p.app, look.partition, rec);
            }
        }
        true
    }

    fn give_up<R: Recorder>(&mut self, c: &mut Cluster, p: &Proposal, rec: &mut R) {
        if let Some(slot) = p.unreserve {
            self.unreserve(c, slot, UnreserveCause::OtherNode, rec);
        }
    }

    /// Why the proposal does not pass. Limits are not checked for what comes from a reservation.
    pub(super) fn refusal(&mut self, c: &mut Cluster, look: &Look, p: &Proposal) -> Option<CommitRefusal> {
        if c.node(p.node).state != NodeState::Running {
            return Some(CommitRefusal::NodeNotRunning);
        }
        let Some(killed) = self.killed_for(c) else { return Some(CommitRefusal::KilledAlready) };
        if p.from.is_some() {
            return None;
        }
        if c.node(p.node).reserved.is_some() {
            return Some(CommitRefusal::NodeReserved);
        }
        let released = p.unreserve.map(|slot| c.containers.at(slot).size);
        let released = if killed.is_zero() { released } else { Some(released.unwrap_or_default() + killed) };
        if !p.user_has_room
            && let Some(why) = self.beyond_user_limit(c, look, p.app, released.unwrap_or_default())
        {
            return Some(why);
        }
        let net = released.map_or(p.size, |released| p.size - released);
        let mut at = Some(c.app(p.app).queue);
        while let Some(queue) = at {
            let q = self.queue(queue);
            let part = q.part(look.partition);
            let maximum = match look.mode {
                Mode::Respect => &part.effective_max,
                Mode::Ignore => c.partition_total(look.partition),
            };
            if !c.calculator.both_fit_in(&part.used, &net, maximum) {
                return Some(CommitRefusal::QueueMaximum { queue, used: part.used, asked: net, maximum: *maximum });
            }
            at = q.parent;
        }
        None
    }

    /// Would the user be above its limit even with so much less?
    fn beyond_user_limit(
        &mut self,
        c: &mut Cluster,
        look: &Look,
        app: AppId,
        released: Resource,
    ) -> Option<CommitRefusal> {
        let (leaf, user) = (c.app(app).queue, c.app(app).user);
        let limit = self.work_out_user_limit(c, leaf, app, look);
        let user = self.queue(leaf).leaf.as_ref().and_then(|l| l.users.get(user));
        let used = user.map_or(Resource::ZERO, |u| u.used[look.partition.index()]) - released;
        match limit {
            Some(limit) if !c.calculator.gt(&c.total, &used, &limit) => None,
            limit => Some(CommitRefusal::UserLimit { used, limit: limit.unwrap_or_default() }),
        }
    }

    fn new_container(&mut self, c: &mut Cluster, look: &Look, p: &Proposal, state: ContainerState) -> Slot {
        let asks = c.app(p.app).asks.at(p.key);
        let tags = asks.tagged.as_ref().map_or(0, |t| t.tags);
        self.new_container_of(c, look, p, asks.key, tags, state)
    }

    /// A container for a key and a set of tags, which need not stand among the asks.
    pub(super) fn new_container_of(
        &mut self,
        c: &mut Cluster,
        look: &Look,
        p: &Proposal,
        key: RequestKey,
        tags: u32,
        state: ContainerState,
    ) -> Slot {
        let (now, age_order) = (c.now, c.wall_clock);
        let origin = self.origin_of(c, look, p.app);
        let app = c.app_mut(p.app);
        let id = app.container_id(app.next_seq);
        app.next_seq += 1;
        let slot = c.containers.add(Container {
            id,
            node: p.node,
            size: p.size,
            key,
            partition: look.partition,
            state,
            locality: p.locality,
            am: false,
            launched: false,
            on_node: false,
            tags,
            killable: false,
            rows: RowsLowered::default(),
            made_in: look.partition,
            origin,
            allocated_at: now,
            made_at: now,
            age_order,
            acquired_at: None,
            launched_at: None,
        });
        c.app_mut(p.app).live.add(id.seq, slot);
        slot
    }

    fn reserve<R: Recorder>(&mut self, c: &mut Cluster, look: &Look, p: &Proposal, rec: &mut R) {
        let slot = self.new_container(c, look, p, ContainerState::Reserved);
        c.app_mut(p.app).asks.at_mut(p.key).reservation_comes(p.node, slot);
        c.node_mut(p.node).reserved = Some(slot);
        rec.note(c.now, || {
            let r = c.containers.at(slot);
            Change::Reserved { container: r.id, node: p.node, size: p.size, key: r.key, free: c.node(p.node).free() }
        });
        self.books.charge_reserved(c, p.app, p.size, look.partition, true);
        self.books.charge(c, p.app, p.size, look.partition, true);
    }

    fn allocate<R: Recorder>(&mut self, c: &mut Cluster, look: &Look, p: &Proposal, rec: &mut R) {
        let slot = match p.from {
            Some(slot) => {
                self.convert(c, slot);
                slot
            }
            None => self.new_container(c, look, p, ContainerState::Allocated),
        };
        // The asks are lowered by the locality of the container.
        let (partition, any_size, rows) = self.lower_asks(c, p);
        self.books.change_pending(c, p.app, partition, any_size, -1);
        self.place_container(c, look, p, slot, rows, rec);
    }

    /// A container takes its room: queue and user (what was reserved is charged already), node, application.
    pub(super) fn place_container<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        look: &Look,
        p: &Proposal,
        slot: Slot,
        rows: RowsLowered,
        rec: &mut R,
    ) {
        if p.from.is_none() {
            self.books.charge(c, p.app, p.size, look.partition, true);
        }
        let now = c.now;
        let container = c.containers.at_mut(slot);
        container.state = ContainerState::Allocated;
        container.locality = p.locality;
        container.rows = rows;
        container.on_node = true;
        container.allocated_at = now;
        let (id, size, key) = (container.id, container.size, container.key);
        let node = c.node_mut(p.node);
        node.allocated += size;
        node.containers.push(slot);
        c.tags_come(slot);
        let app = c.app_mut(p.app);
        // The application's own use grows by what was asked; a converted reservation keeps its size (quirk).
        app.used[look.partition.index()] += p.size;
        if p.from.is_some() && p.size != size {
            app.converted.push((id.seq, look.partition, p.size - size));
        }
        let am = app.waiting_for_am;
        if am {
            app.waiting_for_am = false;
            app.am_status = AmStatus::Launched;
            app.am_seq = Some(id.seq);
            // The ResourceManager takes it for itself at once.
            let container = c.containers.at_mut(slot);
            container.am = true;
            container.state = ContainerState::Acquired;
            container.acquired_at = Some(now);
            c.am_allocated.push(p.app);
        } else {
            app.granted.push(slot);
        }
        rec.note(now, || Change::Allocated {
            container: id,
            node: p.node,
            size,
            key,
            locality: p.locality,
            from_reservation: p.from.is_some(),
            am,
        });
    }

    /// A reservation becomes a container: number, size and the usage of queue and user stay.
    fn convert(&mut self, c: &mut Cluster, slot: Slot) {
        let r = c.containers.at(slot);
        let (app, key, node, size, partition) = (r.id.app, r.key, r.node, r.size, r.partition);
        if let Some(place) = c.app(app).asks.find(key) {
            c.app_mut(app).asks.at_mut(place).reservation_goes(slot);
        }
        c.node_mut(node).reserved = None;
        self.books.charge_reserved(c, app, size, partition, false);
    }

    /// Lowers the rows by one; partition and size of the ANY row, and which rows were lowered.
    fn lower_asks(&mut self, c: &mut Cluster, p: &Proposal) -> (crate::model::PartitionId, Resource, RowsLowered) {
        let node = c.node(p.node);
        let (host, rack) = (node.host_place, node.rack);
        let app = c.app_mut(p.app);
        let asks = app.asks.at_mut(p.key);
        let partition = asks.partition;
        let size = asks.any().map_or(Resource::ZERO, |r| r.size);
        let mut rows = RowsLowered::default();
        if p.locality == Locality::NodeLocal {
            rows.host = asks.lower(host).map(|relax| (host, relax));
        }
        if p.locality != Locality::OffSwitch {
            rows.rack = asks.lower(rack).map(|relax| (rack, relax));
        }
        rows.any_relax = asks.lower(PlaceId::ANY).unwrap_or(true);
        // A key with tags stays a key when nothing is left of it, until it is cancelled.
        if asks.outstanding() == 0 && asks.tagged.is_none() {
            app.asks.close_key(p.key);
            self.asks_may_have_ended(c, p.app);
        }
        (partition, size, rows)
    }
}
