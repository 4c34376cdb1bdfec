//! The containers that a round asks for, taken from the accounting.

use super::kept::LatestShot;
use super::sum;
use crate::config::capacity::LeafOrdering;
use crate::model::{AppId, ContainerId, NodeId, PartitionId, QueueId, Resource, java, order};
use crate::preemption::{AppDemand, Demand, NodeShot, Piece, Stock, UserShare, taking_order};
use crate::scheduler::capacity::{CapacityScheduler, apps_in_order};
use crate::scheduler::{Cluster, ContainerState, Origin, PlaceId, Slot};

/// The scheduler and the cluster during a round.
pub(super) struct LiveContainerSource<'a> {
    scheduler: &'a mut CapacityScheduler,
    c: &'a mut Cluster,
    /// The places of queues in the snapshot.
    places: &'a [Option<usize>],
    /// Whether any leaf orders its applications fairly.
    fair: bool,
}

impl<'a> LiveContainerSource<'a> {
    pub fn new(scheduler: &'a mut CapacityScheduler, c: &'a mut Cluster, latest: &'a LatestShot) -> Self {
        LiveContainerSource { scheduler, c, places: &latest.places, fair: latest.fair }
    }

    fn piece(&self, slot: Slot) -> Piece {
        let container = self.c.containers.at(slot);
        let app = self.c.app(container.id.app);
        let reserved = container.state == ContainerState::Reserved;
        let lent = container.origin.is(Origin::LENT);
        let known = !container.origin.is(Origin::AMBIGUOUS);
        Piece {
            id: container.id,
            node: container.node,
            partition: self.c.node(container.node).partition,
            asked: if lent { PartitionId::DEFAULT } else { container.made_in },
            queue: if known { self.places[app.queue.index()] } else { None },
            size: container.size,
            key: container.key,
            am: container.am,
            reserved,
            killable: self.scheduler.books.preemption.manager.has(container.id),
            outdated: false,
            movable: reserved && !container.origin.is(Origin::MOVED) && self.may_go_elsewhere(slot),
            made_at: container.made_at,
            age_order: container.age_order,
        }
    }

    /// Returns whether the request of a reservation may be served anywhere.
    fn may_go_elsewhere(&self, slot: Slot) -> bool {
        let container = self.c.containers.at(slot);
        let asks = &self.c.app(container.id.app).asks;
        let any = asks.find(container.key).and_then(|place| asks.at(place).row(PlaceId::ANY));
        any.is_none_or(|row| row.relax)
    }

    fn live(&self, app: AppId) -> impl Iterator<Item = Slot> + '_ {
        self.c.app(app).slots()
    }

    /// Iterates over the live containers and reservations of an application, most dispensable first.
    fn walk(&self, app: AppId) -> impl Iterator<Item = Slot> + '_ {
        self.scheduler.books.preemption.pools.walk(self.c.app(app))
    }

    /// Like [`Self::walk`], but sorted now.
    fn walk_anew(&self, app: AppId) -> impl Iterator<Item = Slot> + '_ {
        let place = |slot: Slot| (self.c.containers.at(slot).key, self.c.containers.at(slot).id);
        let mut slots: Vec<Slot> = self.live(app).collect();
        order::sort_by(&mut slots, |a, b| taking_order(&place(*a), &place(*b)));
        slots.into_iter()
    }

    fn is_reserved(&self, slot: Slot) -> bool {
        self.c.containers.at(slot).state == ContainerState::Reserved
    }
}

impl Stock for LiveContainerSource<'_> {
    fn put_in_order(&mut self, leaf: QueueId) {
        if !self.fair {
            return;
        }
        self.scheduler.books.read_marked(self.c, leaf);
    }

    fn apps_in_order(&mut self, leaf: QueueId) -> Vec<AppId> {
        self.scheduler.books.read_marked(self.c, leaf);
        let l = self.scheduler.queue(leaf).leaf.as_ref();
        let active = l.map_or(&[][..], |l| l.active.as_slice());
        active.iter().copied().filter(|a| self.c.app(*a).is_in(leaf)).collect()
    }

    fn containers(&mut self, app: AppId) -> Box<dyn Iterator<Item = Piece> + '_> {
        if !self.c.app(app).kept.is_empty() {
            // An attempt takes the containers over that were kept for it (SchedulerApplicationAttempt.transferStateFromPreviousAttempt).
            let books = &*self;
            let walk = books.walk_anew(app).filter(|slot| !books.is_reserved(*slot));
            return Box::new(walk.map(|slot| books.piece(slot)));
        }
        self.scheduler.books.preemption.pools.update(self.c.app(app), &self.c.containers);
        let books = &*self;
        debug_assert!(books.walk(app).eq(books.walk_anew(app)), "an order that was kept is as it would be anew");
        Box::new(books.walk(app).filter(|slot| !books.is_reserved(*slot)).map(|slot| books.piece(slot)))
    }

    /// Returns the reservations in the order of a Java map by request key, and within each key of one by node id.
    fn reservations(&mut self, app: AppId) -> Vec<Piece> {
        let asks = self.c.app(app).asks.keys();
        let keys: Vec<_> = asks.iter().filter(|k| !k.reserved.is_empty()).collect();
        if keys.is_empty() {
            return Vec::new();
        }
        let hash = |priority: i32, id: i64| {
            let of_priority = 9511i32.wrapping_mul(517_861).wrapping_add(priority);
            let of_id = (id ^ ((id as u64) >> 32) as i64) as i32;
            of_priority.wrapping_mul(31).wrapping_add(of_id).wrapping_mul(31)
        };
        let hashes: Vec<i32> = keys.iter().map(|k| hash(k.key.priority, k.key.allocation_request_id)).collect();
        let mut out = Vec::new();
        for i in java::hash_walk(&hashes) {
            let reserved = &keys[i].reserved;
            let node_hash = |id: &NodeId| java::node_id_hash(&self.c.node(*id).host, self.c.node(*id).port);
            let hashes: Vec<i32> = reserved.iter().map(|(node, _)| node_hash(node)).collect();
            let capacity = java::table_capacity(keys[i].most_reserved);
            out.extend(java::hash_walk_in(&hashes, capacity).into_iter().map(|i| self.piece(reserved[i].1)));
        }
        out
    }

    fn on_lent_room(&mut self, leaf: QueueId, partition: PartitionId) -> Vec<Piece> {
        if partition.is_default() {
            return Vec::new();
        }
        let Some(l) = &self.scheduler.queue(leaf).leaf else { return Vec::new() };
        let apps = l.active.iter().chain(&l.pending).chain(&l.not_runnable);
        let mut apps: Vec<AppId> = apps.copied().filter(|a| self.c.app(*a).is_in(leaf)).collect();
        apps.sort_unstable();
        apps.dedup();
        let lent = |slot: &Slot| {
            let container = self.c.containers.at(*slot);
            container.origin.is(Origin::LENT) && container.made_in == partition
        };
        // Containers that are made killable are found by their id.
        let kills = !self.scheduler.conf.lazy_preemption;
        let piece = |slot: Slot| {
            let outdated = kills && self.c.containers.at(slot).origin.is(Origin::OUTDATED);
            Piece { outdated, ..self.piece(slot) }
        };
        apps.into_iter().flat_map(|app| self.live(app)).filter(lent).map(piece).collect()
    }

    fn nodes(&mut self) -> Vec<NodeShot> {
        let shot = |id: NodeId| {
            let node = self.c.node(id);
            let reservation = node.reserved.map(|slot| self.piece(slot));
            NodeShot { id, partition: node.partition, free: node.free(), reservation }
        };
        self.c.nodes_by_hash().into_iter().map(shot).collect()
    }

    fn on_node(&mut self, node: NodeId) -> Vec<Piece> {
        let killable = |slot: Slot| self.c.containers.at(slot).killable;
        let piece = |slot: &Slot| Piece { killable: killable(*slot), ..self.piece(*slot) };
        self.c.node(node).containers.iter().map(piece).collect()
    }

    fn move_reservation(&mut self, reservation: ContainerId, to: NodeId) {
        self.scheduler.move_reservation(self.c, reservation, to);
    }

    fn shares_its_name(&mut self, leaf: QueueId) -> bool {
        self.scheduler.books.shares_its_name(leaf)
    }

    fn demand(&mut self, leaf: QueueId, p: PartitionId) -> Demand {
        let Some(l) = &self.scheduler.queue(leaf).leaf else { return Demand::default() };
        let c = &*self.c;
        let mut ids: Vec<AppId> = l.active.iter().chain(&l.pending).copied().collect();
        ids.retain(|a| c.app(*a).is_in(leaf));
        ids.sort_by_key(|a| (-i64::from(c.app(*a).priority), *a));
        ids.dedup();
        let ordering = &self.scheduler.queue(leaf).conf.leaf_ordering;
        let fair = matches!(ordering, LeafOrdering::Fair { .. });
        let mut by_fairness = ids.clone();
        by_fairness.sort_by(|a, b| apps_in_order(ordering, c.app(*a), c.app(*b)));
        let charged = |id: &AppId| {
            let a = c.app(*id);
            if a.unmanaged { Resource::ZERO } else { a.am_charged(p) }
        };
        let am_of_active = sum(l.active.iter().filter(|a| c.app(**a).is_in(leaf)).map(charged));
        let apps: Vec<AppDemand> = ids
            .iter()
            .map(|id| {
                let a = c.app(*id);
                AppDemand {
                    app: *id,
                    attempt: a.attempt,
                    user: a.user,
                    priority: a.priority,
                    used: a.used[p.index()],
                    am: if a.waiting_for_am { Resource::ZERO } else { charged(id) },
                    pending: a.pending[p.index()],
                    fair_rank: by_fairness.iter().position(|other| other == id).unwrap_or(0),
                }
            })
            .collect();
        let mut users: Vec<UserShare> = Vec::new();
        // A single application has no limit checked: the limits stay as they are known.
        for app in apps.iter().filter(|_| apps.len() > 1) {
            if users.iter().all(|u| u.user != app.user) {
                let limit = self.scheduler.limit_over_all_users(self.c, leaf, app.user, p);
                let known = self.scheduler.queue(leaf).leaf.as_ref().and_then(|l| l.users.get(app.user));
                let of = |amounts: &[Resource]| amounts[p.index()];
                let (used, am) = known.map_or_else(Default::default, |u| (of(&u.used), of(&u.am_used)));
                users.push(UserShare { user: app.user, used, am, limit });
            }
        }
        Demand { apps, users, am_of_active, fair }
    }
}
