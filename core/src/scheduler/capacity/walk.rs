//! Asynchronous scheduling: one walk of the scheduling thread, and when its proposals are committed
//! (CapacityScheduler.schedule, ResourceCommitterService; capacity-scheduler.md section 13).

#[cfg(test)]
mod tests;

use super::CapacityScheduler;
use super::multi_node::CandidateSet;
use super::offer::{Proposal, Terms};
use crate::api::Commits;
use crate::check::{Check, Failure};
use crate::journal::{Change, Recorder, UnreserveCause};
use crate::model::{ContainerId, Resource};
use crate::scheduler::{AmStatus, Cluster, ContainerState, Locality, NodeState, Slot};

/// A proposal of a walk that commits at its end. Containers are known by their ids: the slot of one that is gone by
/// then may be another's.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Uncommitted {
    Proposal {
        terms: Terms,
        proposal: Proposal,
        /// The reservation that it comes from.
        from: Option<ContainerId>,
        /// The reservation to give up for it.
        unreserve: Option<ContainerId>,
        /// Killable containers to end for it.
        kill: Vec<ContainerId>,
    },
    /// A reservation that is not needed any more.
    Excess(ContainerId),
}

impl CapacityScheduler {
    /// Makes one walk, from a start (taken modulo the number of nodes, or of partitions) to the end, then from the
    /// first through the start again, with one offer a visit. Returns whether anything was proposed.
    pub(crate) fn walk<R: Recorder>(&mut self, c: &mut Cluster, start: usize, commits: Commits, rec: &mut R) -> bool {
        self.uncommitted = (commits == Commits::AfterWalk).then(Vec::new);
        let proposed = if self.conf.multi_node.enabled {
            self.walk_partitions(c, start, rec)
        } else {
            self.walk_nodes(c, start, rec)
        };
        for waiting in self.uncommitted.take().unwrap_or_default() {
            self.commit_late(c, waiting, rec);
        }
        proposed
    }

    /// Walks the nodes in the order of a Java map by node id.
    fn walk_nodes<R: Recorder>(&mut self, c: &mut Cluster, start: usize, rec: &mut R) -> bool {
        let mut proposed = false;
        for id in from_start(c.nodes_by_hash(), start) {
            let node = c.node(id);
            let silent = c.now.saturating_sub(node.last_heartbeat) > self.silent_after_ms;
            if node.state == NodeState::Running && !silent {
                proposed |= self.offer_node(c, id, rec).is_some();
            }
        }
        proposed
    }

    /// Walks the partitions, with multi-node placement: each gets as many offers as it has candidates.
    fn walk_partitions<R: Recorder>(&mut self, c: &mut Cluster, start: usize, rec: &mut R) -> bool {
        let mut proposed = false;
        for partition in from_start(c.partitions_by_hash(), start) {
            let candidates = self.candidates(c, partition);
            for id in &candidates {
                let set = CandidateSet { visited: *id, partition, nodes: &candidates, listed: true };
                proposed |= self.offer_set(c, &set, rec).is_some();
            }
        }
        proposed
    }

    /// Commits a proposal, or keeps it for the end of the walk.
    pub(super) fn propose<R: Recorder>(&mut self, c: &mut Cluster, terms: &Terms, p: &Proposal, rec: &mut R) {
        if c.app(p.app).waiting_for_am && !p.reserve {
            c.set_am_status(p.app, AmStatus::Assigned);
        }
        let Some(waiting) = &mut self.uncommitted else {
            self.books.commit(c, terms, p, rec);
            return;
        };
        let id = |slot: Slot| c.containers.at(slot).id;
        waiting.push(Uncommitted::Proposal {
            terms: *terms,
            proposal: Proposal { user_has_room: false, ..*p },
            from: p.from.map(id),
            unreserve: p.unreserve.map(id),
            kill: self.books.preemption.take_to_kill(),
        });
        if !p.reserve {
            c.app_mut(p.app).unproposed -= memory_and_vcores(p.size);
        }
        // The application has less pending from now on, and the limits are not those that a commit would have left.
        self.books.tree_mut(c);
    }

    /// Drops a reservation that is not needed any more, now or at the end of the walk.
    pub(super) fn propose_drop<R: Recorder>(&mut self, c: &mut Cluster, slot: Slot, rec: &mut R) {
        match &mut self.uncommitted {
            Some(waiting) => waiting.push(Uncommitted::Excess(c.containers.at(slot).id)),
            None => self.books.unreserve(c, slot, UnreserveCause::Excess, rec),
        }
    }

    fn commit_late<R: Recorder>(&mut self, c: &mut Cluster, waiting: Uncommitted, rec: &mut R) {
        match waiting {
            Uncommitted::Excess(id) => {
                if let Some(slot) = reservation(c, id) {
                    self.books.unreserve(c, slot, UnreserveCause::Excess, rec);
                }
            }
            Uncommitted::Proposal { terms, proposal: p, from, unreserve, kill } => {
                let gone = [from, unreserve].into_iter().flatten().any(|id| reservation(c, id).is_none());
                let outdated = if gone { Some(Failure::of(Check::CommitReservation)) } else { outdated(c, &p) };
                if let Some(why) = outdated {
                    let key = c.app(p.app).asks.at(p.key).key;
                    let why = Box::new(why);
                    rec.note(c.now, || Change::CommitRefused { app: p.app, key, node: p.node, size: p.size, why });
                } else {
                    self.books.preemption.set_to_kill(kill);
                    self.books.commit(c, &terms, &p, rec);
                }
                if !p.reserve {
                    c.app_mut(p.app).unproposed += memory_and_vcores(p.size);
                }
            }
        }
        self.books.tree_mut(c);
    }
}

/// Returns the elements from the start to the end, then from the first through the start once more.
fn from_start<T: Copy>(all: Vec<T>, start: usize) -> Vec<T> {
    if all.is_empty() {
        return all;
    }
    let start = start % all.len();
    all[start..].iter().chain(&all[..=start]).copied().collect()
}

/// Returns the slot of a reservation that still exists.
fn reservation(c: &Cluster, id: ContainerId) -> Option<Slot> {
    c.slot(id).filter(|slot| c.containers.at(*slot).state == ContainerState::Reserved)
}

/// Returns why a container's proposal does not hold any more, besides the checks of every commit.
fn outdated(c: &Cluster, p: &Proposal) -> Option<Failure> {
    if p.reserve {
        let again = p.from.is_some() && c.app(p.app).asks.at(p.key).outstanding() <= 0;
        return again.then(|| Failure::of(Check::CommitWanted));
    }
    (!is_wanted(c, p)).then(|| Failure::of(Check::CommitWanted))
}

/// Returns whether the key still has a pending container here, on each row that a container of this locality is counted
/// on.
fn is_wanted(c: &Cluster, p: &Proposal) -> bool {
    let (asks, node) = (c.app(p.app).asks.at(p.key), c.node(p.node));
    let wanted = |place| asks.row(place).is_some_and(|r| r.count > 0);
    asks.outstanding() > 0
        && match p.locality {
            Locality::NodeLocal => wanted(node.rack) && wanted(node.host_place),
            Locality::RackLocal => wanted(node.rack),
            Locality::OffSwitch => true,
        }
}

/// Returns memory and vcores of a size: what counts as proposed and not committed has no further types.
pub(super) fn memory_and_vcores(size: Resource) -> Resource {
    let mut known = Resource::ZERO;
    known.0[..2].copy_from_slice(&size.0[..2]);
    known
}
