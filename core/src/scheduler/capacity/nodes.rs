//! Nodes that leave, or change their size or partition (CapacityScheduler.removeNode, updateNodeResource,
//! updateLabelsOnNode; capacity-scheduler.md 11.3).

use super::CapacityScheduler;
use crate::journal::{Change, NodeGone, Recorder, UnreserveCause};
use crate::model::{AppId, NodeId, PartitionId, Resource};
use crate::scheduler::Cluster;
use crate::scheduler::app::{ABORTED, EndCause};

impl CapacityScheduler {
    /// Removes a node from the scheduler: ends its containers and drops its reservation. Returns the applications whose
    /// AM ran there.
    pub(crate) fn remove_node<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: NodeId,
        why: NodeGone,
        rec: &mut R,
    ) -> Vec<AppId> {
        let left = c.node_leaves(id, why, rec);
        for id in left.containers {
            self.books.end_container(c, id, ABORTED, EndCause::LostNode, rec);
        }
        if let Some(slot) = c.node(id).reserved {
            self.books.unreserve(c, slot, UnreserveCause::NodeChanged, rec);
        }
        self.update_cluster(c, rec);
        self.update_again(c, rec);
        left.masters
    }

    /// Updates the cluster after a node has come.
    pub(crate) fn node_came<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        self.update_cluster(c, rec);
        self.update_again(c, rec);
    }

    /// Changes the size of a node and drops a reservation on it.
    pub(crate) fn resize_node<R: Recorder>(&mut self, c: &mut Cluster, id: NodeId, total: Resource, rec: &mut R) {
        if self.size_changes(c, id, total, rec) {
            self.told_of_size(c, id, false, rec);
        }
    }

    /// Updates the cluster when a node outside the scheduler is resized or removed again.
    pub(crate) fn update_for_stranger<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        self.update_cluster(c, rec);
    }

    /// Does the first half of [`Self::resize_node`], with the reservation still there. Returns whether the size has
    /// changed.
    pub(crate) fn size_changes<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: NodeId,
        total: Resource,
        rec: &mut R,
    ) -> bool {
        let changes = c.resize(id, total, rec);
        self.update_cluster(c, rec);
        changes
    }

    /// Does the second half: YARN's label manager notifies the scheduler twice of a node whose size has changed, once
    /// that it is gone and once that it is there. `changed`: whether anything else has changed in between.
    pub(crate) fn told_of_size<R: Recorder>(&mut self, c: &mut Cluster, id: NodeId, changed: bool, rec: &mut R) {
        let changed = self.users_come_back(c, id) || changed;
        if changed {
            self.update_cluster(c, rec);
        } else {
            self.update_again(c, rec);
        }
        self.masters_count_where_they_run(c, id);
        match c.node(id).reserved {
            Some(slot) => {
                self.books.unreserve(c, slot, UnreserveCause::NodeChanged, rec);
                self.update_cluster(c, rec);
            }
            None => self.update_again(c, rec),
        }
    }

    /// Counts the ApplicationMasters on a node in the node's partition from now on
    /// (FiCaSchedulerApp.nodePartitionUpdated), since YARN's label manager reports the partition of a node that is
    /// there again, even if it is the same as before. An AM that was charged elsewhere, since its queue gave it a label
    /// only after the charge, leaves that charge behind for good when it ends (quirk).
    fn masters_count_where_they_run(&mut self, c: &mut Cluster, id: NodeId) {
        let partition = c.node(id).partition;
        for slot in c.node(id).containers.clone() {
            let container = c.containers.at(slot);
            let (app, size, am) = (container.id.app, container.size, container.am);
            let a = c.app(app);
            if am && a.alive && a.am_partition != partition {
                let leaf = a.queue;
                self.books.disperse(c, leaf, app);
                c.app_mut(app).am_goes(partition, partition, size);
            }
        }
    }

    /// Gives a leaf that had dropped the user of a container on the node (11.4) a record of that user again, without
    /// usage (quirk): YARN subtracts the usage of the node's containers from its partition and adds it again, which
    /// changes nothing else. Returns whether there was any.
    fn users_come_back(&mut self, c: &Cluster, id: NodeId) -> bool {
        let mut any = false;
        for slot in &c.node(id).containers {
            let container = c.containers.at(*slot);
            let a = c.app(container.id.app);
            if !a.alive || a.attempt != container.id.attempt {
                continue;
            }
            let (leaf, user) = (a.queue, a.user);
            let weight = self.queue(leaf).user_weight(c, user);
            if let Some(l) = self.books.leaf_mut(c, leaf)
                && l.users.get(user).is_none()
            {
                l.users.get_or_add(user, weight);
                any = true;
            }
        }
        any
    }

    /// Updates the cluster once more, since YARN's label manager reports the node too. That affects only applications
    /// that wait for their activation, which is tried again.
    fn update_again<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        let waits = |q: &super::Queue| q.leaf.as_ref().is_some_and(|l| l.pending_attempts() > 0);
        if self.queues().iter().any(waits) {
            self.update_cluster(c, rec);
        }
    }

    /// Moves a node to another partition, with the usage of its containers.
    pub(crate) fn relabel_node<R: Recorder>(&mut self, c: &mut Cluster, id: NodeId, to: PartitionId, rec: &mut R) {
        let from = c.node(id).partition;
        if from == to && c.node(id).labelled {
            return;
        }
        rec.note(c.now, || Change::NodeRelabelled { node: id, from, to });
        let node = c.node_mut(id);
        node.labelled = true;
        node.partition = to;
        c.recount();
        for slot in c.node(id).containers.clone() {
            let container = c.containers.at_mut(slot);
            let (app, size, am) = (container.id.app, container.size, container.am);
            let a = c.app(app);
            // Containers that have ended move as well, if their application has not: out of the usage of its current
            // attempt, even if they were an earlier one's (quirk).
            if !a.alive {
                continue;
            }
            c.containers.at_mut(slot).partition = to;
            let a = c.app_mut(app);
            a.used[from.index()] -= size;
            a.used[to.index()] += size;
            let (leaf, user) = (a.queue, a.user);
            let marked = self.queue(leaf).leaf.as_ref().is_some_and(|l| l.marked.contains(&app));
            self.books.charge(c, app, size, from, false);
            self.books.charge(c, app, size, to, true);
            if let (false, Some(l)) = (marked, self.books.leaf_mut(c, leaf)) {
                l.marked.retain(|x| *x != app);
            }
            if am {
                self.books.charge_am(c, leaf, from, Resource::ZERO - size);
                self.books.charge_am(c, leaf, to, size);
                if let Some(u) = self.books.leaf_mut(c, leaf).and_then(|l| l.users.get_mut(user)) {
                    *u.am_used_mut(from) -= size;
                    *u.am_used_mut(to) += size;
                }
                self.books.disperse(c, leaf, app);
                c.app_mut(app).am_goes(from, to, size);
            }
        }
        if let Some(slot) = c.node(id).reserved {
            self.books.unreserve(c, slot, UnreserveCause::NodeChanged, rec);
        }
        c.relist([from, to]);
        self.update_cluster(c, rec);
    }
}
