//! Lazy preemption: containers that run on until a leaf below its guarantee takes their room (PreemptionManager,
//! FiCaSchedulerNode; preemption.md A9).

use super::{Preemption, sum};
use crate::journal::{Change, KillableBecause, Recorder};
use crate::model::{AppId, ContainerId, NodeId, PartitionId, PreemptedFor, QueueId, Resource};
use crate::scheduler::capacity::books::Accounting;
use crate::scheduler::capacity::offer::{Offer, Proposal};
use crate::scheduler::{Cluster, ContainerState, Slot};

impl Preemption {
    /// Returns the size of the killable containers on a node, including those that have ended without the node's
    /// report.
    #[inline]
    pub(in crate::scheduler::capacity) fn killable_on(&self, c: &Cluster, node: NodeId) -> Resource {
        if !self.lazy {
            return Resource::ZERO;
        }
        let on_node = c.node(node).containers.iter().map(|slot| c.containers.at(*slot));
        sum(on_node.filter(|x| x.killable).map(|x| x.size))
    }
}

impl Offer<'_> {
    /// Returns whether one container fits on the node, or would if containers that are killable there were killed.
    /// Records these.
    #[inline]
    pub(in crate::scheduler::capacity) fn makes_room(&mut self, c: &Cluster, app: AppId, need: &Resource) -> bool {
        let free = c.node(self.terms.node).free();
        let room = c.calculator.has_room_for(&free, need);
        if !self.books.preemption.lazy {
            return room;
        }
        self.books.preemption.kill_nothing();
        room || self.find_to_kill(c, app, need)
    }

    #[cold]
    fn find_to_kill(&mut self, c: &Cluster, app: AppId, need: &Resource) -> bool {
        let calc = c.calculator;
        let mut room = c.node(self.terms.node).free();
        // A node that exceeds its size takes nothing, whatever is killable on it (quirk).
        if calc.available_containers(&room, need) != 0 || !self.is_owed(c, c.app(app).queue, self.terms.partition) {
            return false;
        }
        let on_node = c.node(self.terms.node).containers.iter().map(|slot| c.containers.at(*slot));
        let mut killable: Vec<_> = on_node.filter(|x| x.killable).map(|x| (x.id, x.size)).collect();
        killable.sort_unstable_by_key(|(id, _)| *id);
        let mut kill = Vec::new();
        for (id, size) in killable {
            kill.push(id);
            room += size;
            if calc.fits_in(need, &room) {
                self.books.preemption.to_kill = kill;
                return true;
            }
        }
        false
    }

    /// Returns whether a leaf is below its guarantee.
    fn is_owed(&self, c: &Cluster, leaf: QueueId, p: PartitionId) -> bool {
        if !self.conf.lazy_preemption {
            return false;
        }
        let part = self.queue(leaf).part(p);
        if part.shares.effective_min.is_zero() {
            part.absolute_used_capacity < part.shares.absolute_capacity
        } else {
            c.calculator.lt(c.partition_total(p), &part.used, &part.shares.effective_min)
        }
    }
}

impl Accounting {
    /// Records the end of a container. Its node goes on counting it until its room comes free.
    #[inline]
    pub(in crate::scheduler::capacity) fn killable_ends(&mut self, c: &Cluster, slot: Slot) {
        if !self.preemption.lazy {
            return;
        }
        let container = c.containers.at(slot);
        self.preemption.killable.remove(&container.id);
        self.killable_is_over(c, container.id, container.node);
    }

    /// Stops counting a container as killable in its application's leaf and its node's partition, if it is counted
    /// there.
    fn killable_is_over(&mut self, c: &Cluster, id: ContainerId, node: NodeId) {
        if self.preemption.manager.has(id) {
            let leaf = self.queue(c.app(id.app).queue).path.clone();
            self.preemption.manager.remove(&leaf, c.node(node).partition, id);
        }
    }

    /// Makes a container killable, also one that has ended without the node's report; each time it is counted once more
    /// (quirk). A reservation is only counted.
    pub(super) fn make_killable<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        slot: Slot,
        because: KillableBecause,
        rec: &mut R,
    ) {
        let container = c.containers.at_mut(slot);
        let (id, node, size, state) = (container.id, container.node, container.size, container.state);
        let reserved = state == ContainerState::Reserved;
        let new = !reserved && !std::mem::replace(&mut container.killable, true);
        self.preemption.lazy = true;
        if c.app(id.app).alive {
            let leaf = self.queue(c.app(id.app).queue).path.clone();
            self.preemption.manager.add(&leaf, c.node(node).partition, (id, node, size));
        }
        // An offer that gave nothing may give something now.
        self.tree_mut(c);
        if new && state != ContainerState::Over {
            self.preemption.killable.insert(id);
            rec.note(c.now, || Change::MadeKillable { container: id, node, size, because });
        }
    }

    /// Returns the killable resources below a parent in a partition. A leaf does not count its own.
    #[inline]
    pub(in crate::scheduler::capacity) fn killable_below(&self, queue: QueueId, p: PartitionId) -> Resource {
        if self.preemption.manager.is_unused() || self.queue(queue).is_leaf() {
            return Resource::ZERO;
        }
        self.preemption.manager.total(&self.queue(queue).path, p)
    }

    /// Returns the size of the containers that the current proposal would kill; `None`: one of them has already ended.
    pub(in crate::scheduler::capacity) fn killed_for(&self, c: &Cluster) -> Option<Resource> {
        if self.preemption.to_kill.is_empty() {
            return Some(Resource::ZERO);
        }
        let sizes = self.preemption.to_kill.iter().map(|id| c.container(*id).map(|x| x.size));
        sizes.sum::<Option<Sum>>().map(|s| s.0)
    }

    /// Kills the containers that the current proposal counts on, except those of its own leaf.
    pub(in crate::scheduler::capacity) fn kill_for<R: Recorder>(&mut self, c: &mut Cluster, p: &Proposal, rec: &mut R) {
        let leaf = c.app(p.app).queue;
        for id in std::mem::take(&mut self.preemption.to_kill) {
            if c.app(id.app).queue != leaf {
                self.kill_killable(c, id, PreemptedFor::App(p.app), rec);
            }
        }
    }

    /// Kills killable containers of the queues above a leaf as long as these exceed their maximum.
    pub(in crate::scheduler::capacity) fn kill_beyond_maximum<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        p: PartitionId,
        rec: &mut R,
    ) {
        if self.preemption.manager.is_unused() {
            return;
        }
        let above: Vec<QueueId> = self.path_up(leaf).skip(1).collect();
        for queue in above {
            for (id, node) in self.preemption.manager.containers(&self.queue(queue).path, p) {
                let part = self.queue(queue).part(p);
                if !c.calculator.gt(c.partition_total(p), &part.used, &part.shares.effective_max) {
                    break;
                }
                if c.container(id).is_some() {
                    self.kill_killable(c, id, PreemptedFor::Maximum(queue), rec);
                } else if c.app(id.app).alive {
                    self.killable_is_over(c, id, node);
                }
            }
        }
    }

    fn kill_killable<R: Recorder>(&mut self, c: &mut Cluster, id: ContainerId, what_for: PreemptedFor, rec: &mut R) {
        if self.preempt_now(c, id, what_for, rec) {
            c.ams_killed.push(id.app);
        }
    }
}

/// A resource that can be summed.
struct Sum(Resource);

impl std::iter::Sum<Resource> for Sum {
    fn sum<I: Iterator<Item = Resource>>(sizes: I) -> Self {
        Sum(sum(sizes))
    }
}
