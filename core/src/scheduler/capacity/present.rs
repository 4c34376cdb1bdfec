//! State from before the run: attempts, containers and reservations that passed all limits when they came
//! (CapacityScheduler.addApplicationAttempt with isAttemptRecovering, AbstractLeafQueue.recoverContainer).

use super::CapacityScheduler;
use super::offer::{Candidates, Limits, Proposal, Terms};
use super::queue::Queue;
use super::users::Mode;
use crate::journal::Recorder;
use crate::model::{AppId, NodeId, PartitionId, QueueId, Resource};
use crate::scheduler::app::{AmRequest, HeadroomSource};
use crate::scheduler::{Cluster, Locality};

impl CapacityScheduler {
    /// Adds an attempt from before the run. Returns whether it asks for its AM's container.
    pub(crate) fn attempt_is_there<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        am: Option<&AmRequest>,
        active: bool,
        rec: &mut R,
    ) -> bool {
        self.begin_attempt(c, app, am);
        if !active && self.is_held_back(c, app) {
            return self.start_attempt(c, app, rec);
        }
        c.app_mut(app).thought_waiting = false;
        c.app_mut(app).runnable = true;
        self.count_running(c, app, 1);
        self.books.take_attempt(c, app, active, rec);
        if active {
            // Its leaf has visited it before.
            let queue = c.app(app).queue;
            c.app_mut(app).headroom = Some(HeadroomSource { queue, dropped_user: None });
        }
        true
    }

    /// Adds a container of a key that requests it, under the application's next number.
    pub(crate) fn container_is_there<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        at: (AppId, usize, NodeId, Resource),
        rec: &mut R,
    ) {
        let (terms, proposal) = proposed(c, at, false);
        self.books.allocate(c, &terms, &proposal, rec);
    }

    /// Adds a reservation of a key that requests it, under the application's next number.
    pub(crate) fn reservation_is_there<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        at: (AppId, usize, NodeId, Resource),
        rec: &mut R,
    ) {
        let (terms, proposal) = proposed(c, at, true);
        self.books.reserve(c, &terms, &proposal, rec);
    }

    /// Publishes the limits of leaves with pending requests, as the latest offers would have done: what their parents
    /// leave them counts for headroom and AM limits (AbstractLeafQueue.setQueueResourceLimitsInfo).
    pub(crate) fn leaves_were_looked_at(&mut self, c: &Cluster) {
        const P: PartitionId = PartitionId::DEFAULT;
        let wants = |q: &&Queue| q.alive && q.is_leaf() && !q.part(P).pending.is_zero();
        let leaves: Vec<QueueId> = self.queues().iter().filter(wants).map(|q| q.id).collect();
        for leaf in leaves {
            let mut path: Vec<QueueId> = self.books.path_up(leaf).collect();
            path.reverse();
            let mut limits = Limits::of(*c.partition_total(P));
            for (parent, child) in path.iter().zip(path.iter().skip(1)) {
                limits = Limits::of(self.books.child_limit(c, *parent, *child, &mut limits, P, false));
            }
            self.books.note_limit(c, leaf, &limits.limit);
            // The visit of a leaf at its limit ends before the limits of its users are computed.
            if c.calculator.lt(&c.total, &self.queue(leaf).part(P).used, &limits.limit) {
                self.books.publish_limit(leaf);
            }
        }
    }

    /// Records for all pending applications what holds them back now.
    pub(crate) fn tell_pending<R: Recorder>(&mut self, c: &mut Cluster, rec: &mut R) {
        let leaves: Vec<QueueId> = self.queues().iter().filter(|q| q.alive && q.is_leaf()).map(|q| q.id).collect();
        for leaf in leaves {
            self.books.tell_pending(c, leaf, rec);
        }
    }
}

fn proposed(c: &Cluster, at: (AppId, usize, NodeId, Resource), reserve: bool) -> (Terms, Proposal) {
    let (app, key, node, size) = at;
    let partition: PartitionId = c.node(node).partition;
    let asked = c.app(app).asks.at(key).partition;
    let mode = if asked == partition { Mode::Respect } else { Mode::Ignore };
    let terms = Terms { node, partition, mode, candidates: Candidates::One, listed: false };
    let locality = Locality::OffSwitch;
    let proposal =
        Proposal { app, key, node, size, reserve, locality, from: None, unreserve: None, user_has_room: true };
    (terms, proposal)
}
