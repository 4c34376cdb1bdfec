//! The acts on the containers that a round chooses (CapacityScheduler.markContainerForPreemption,
//! markContainerForKillable, moveReservedContainer; preemption.md A7.2, A9).

use super::kept::LatestShot;
use crate::journal::{Change, KillableBecause, MarkedBecause, Recorder, UnreserveCause};
use crate::model::{Calculator, ContainerId, NodeId, PreemptedFor, Resource};
use crate::preemption::{Because, PreemptionAction, QueueIdeal, Round};
use crate::scheduler::app::{EndCause, PREEMPTED};
use crate::scheduler::capacity::CapacityScheduler;
use crate::scheduler::capacity::books::Accounting;
use crate::scheduler::{Cluster, ContainerState, Origin};

/// The sums of what was preempted so far (QueueMetrics, AggregateContainersPreempted and its companions).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Preempted {
    /// The number of containers.
    pub containers: u64,
    /// The sum of their sizes.
    pub size: Resource,
    /// The sum of their sizes times their lifetimes, in seconds.
    pub size_seconds: Resource,
}

/// Returns why the container of an act was chosen.
fn because(calc: Calculator, round: &Round, place: usize, latest: Option<&LatestShot>) -> Option<MarkedBecause> {
    let chosen = round.chosen.get(place)?;
    Some(match chosen.because {
        Because::MakesRoom { reservation, .. } | Because::Priority { reservation } => {
            MarkedBecause::MakesRoom { reserved_for: reservation.app }
        }
        Because::WithinQueue { wanted, .. } => MarkedBecause::OwesWithin { wanted },
        _ => {
            let pass = round.passes.iter().rev().find(|pass| pass.selector == chosen.selector)?;
            let here = |l: &&QueueIdeal| Some(l.queue) == chosen.queue && l.partition == chosen.partition;
            let known = latest.zip(chosen.queue).and_then(|(latest, q)| latest.line(q, chosen.partition));
            let known = known.and_then(|line| pass.lines.get(line)).filter(here);
            let line = known.or_else(|| pass.lines.iter().find(here))?;
            let QueueIdeal { queue, used, owed, wanted: taken, .. } = *line;
            let beyond_maximum = line.is_beyond_maximum(calc);
            let bound = if beyond_maximum { line.maximum } else { line.guaranteed };
            MarkedBecause::Owes { queue, used, beyond_maximum, bound, owed, taken }
        }
    })
}

impl CapacityScheduler {
    /// Marks a container, so that its AM learns that it is asked back. Skips reservations.
    pub(crate) fn mark<R: Recorder>(&mut self, c: &mut Cluster, round: &Round, place: usize, rec: &mut R) {
        let Some(PreemptionAction { container: id, selector: by, deadline, killed_at, .. }) =
            round.acts.get(place).copied()
        else {
            return;
        };
        let Some(container) = c.container(id).filter(|x| x.state != ContainerState::Reserved) else { return };
        let (node, size) = (container.node, container.size);
        rec.note(c.now, || {
            let because = because(c.calculator, round, place, self.books.preemption.latest.as_ref()).map(Box::new);
            Change::Marked { container: id, node, size, by, deadline, killed_at, because }
        });
        let marked = &mut c.app_mut(id.app).marked;
        if let Err(at) = marked.binary_search(&id) {
            marked.insert(at, id);
        }
    }

    /// Kills a marked container, or makes it killable, or drops a reservation. Returns whether an AM's own container
    /// was killed.
    pub(crate) fn kill<R: Recorder>(&mut self, c: &mut Cluster, round: &Round, place: usize, rec: &mut R) -> bool {
        let Some(PreemptionAction { container: id, selector: by, since, .. }) = round.acts.get(place).copied() else {
            return false;
        };
        let because = || because(c.calculator, round, place, self.books.preemption.latest.as_ref());
        let beyond_maximum = rec.on() && because().is_some_and(|b| b.is_beyond_maximum());
        let what_for = PreemptedFor::Round { by, since, beyond_maximum };
        let Some(slot) = c.slot(id) else { return false };
        let reserved = c.containers.at(slot).state == ContainerState::Reserved;
        match (self.conf.lazy_preemption, reserved) {
            (true, _) => {
                self.books.make_killable(c, slot, KillableBecause::Round { by, since, beyond_maximum }, rec);
                false
            }
            (false, true) => {
                self.books.unreserve(c, slot, UnreserveCause::Preempted, rec);
                false
            }
            (false, false) => self.books.preempt_now(c, id, what_for, rec),
        }
    }

    /// With lazy preemption, makes a container that exceeds its node's size killable instead of killing it
    /// (CapacityScheduler.markContainerForKillable). Returns false without lazy preemption.
    pub(crate) fn spare_overcommitted<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        node: NodeId,
        id: ContainerId,
        rec: &mut R,
    ) -> bool {
        if !self.conf.lazy_preemption {
            return false;
        }
        let slot = c.node(node).containers.iter().copied().find(|slot| c.containers.at(*slot).id == id);
        if let Some(slot) = slot {
            self.books.make_killable(c, slot, KillableBecause::Overcommit, rec);
        }
        true
    }

    /// Drops a reservation, as a round decided.
    pub(crate) fn drop_reservation<R: Recorder>(&mut self, c: &mut Cluster, id: ContainerId, rec: &mut R) {
        if let Some(slot) = c.slot(id).filter(|s| c.containers.at(*s).state == ContainerState::Reserved) {
            self.books.unreserve(c, slot, UnreserveCause::Preempted, rec);
        }
    }

    /// Moves a reservation to another node.
    pub(super) fn move_reservation(&mut self, c: &mut Cluster, id: ContainerId, to: NodeId) {
        let Some(slot) = c.slot(id) else { return };
        let container = c.containers.at_mut(slot);
        let from = std::mem::replace(&mut container.node, to);
        container.origin.set(Origin::MOVED);
        let key = container.key;
        c.node_mut(from).reserved = None;
        c.node_mut(to).reserved = Some(slot);
        if let Some(place) = c.app(id.app).asks.find(key) {
            c.app_mut(id.app).asks.at_mut(place).reservation_moves(slot, to);
        }
        let leaf = c.app(id.app).queue;
        self.books.app_changes(c, leaf);
    }
}

impl Accounting {
    /// Ends a container in favour of others. Returns whether it was an AM's own.
    pub(super) fn preempt_now<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        id: ContainerId,
        what_for: PreemptedFor,
        rec: &mut R,
    ) -> bool {
        let Some(container) = c.container(id) else { return false };
        let (node, size, am) = (container.node, container.size, container.am);
        rec.note(c.now, || Change::Preempted { container: id, node, size, what_for });
        let lived = c.now.saturating_sub(container.made_at);
        let leaf = c.app(id.app).queue;
        let queues = self.queues().len();
        self.preemption.preempted.resize(queues, Preempted::default());
        let size_seconds = size.map(|v| v.saturating_mul(lived) / 1000);
        let mut at = Some(leaf);
        while let Some(queue) = at {
            at = self.queue(queue).parent;
            let sums = &mut self.preemption.preempted[queue.index()];
            sums.containers += 1;
            sums.size += size;
            sums.size_seconds += size_seconds;
        }
        self.end_container(c, id, PREEMPTED, EndCause::Preempted, rec);
        am
    }
}
