//! State from before the run: containers and reservations that passed all limits when they came
//! (FSAppAttempt.recoverContainer, FSLeafQueue.recoverContainer).

use super::FairScheduler;
use crate::api::QueueShare;
use crate::journal::Recorder;
use crate::model::{AppId, NodeId, PartitionId, Resource};
use crate::scheduler::app::{FairStop, FairWait};
use crate::scheduler::life::Grant;
use crate::scheduler::{Cluster, Locality, Origin};

fn grant(c: &Cluster, (app, place, node, size): (AppId, usize, NodeId, Resource)) -> Grant {
    let (partition, origin) = (PartitionId::DEFAULT, Origin::default());
    let key = c.app(app).asks.at(place).key;
    Grant { app, place, key, tags: 0, node, partition, size, locality: Locality::OffSwitch, from: None, origin }
}

impl FairScheduler {
    /// Adds a container of a key that requests it, under the application's next number.
    pub(crate) fn container_is_there<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        at: (AppId, usize, NodeId, Resource),
        rec: &mut R,
    ) {
        let g = grant(c, at);
        self.give(c, &g, rec);
    }

    /// Adds a reservation of a key that requests it, under the application's next number.
    pub(crate) fn reservation_is_there<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        at: (AppId, usize, NodeId, Resource),
        rec: &mut R,
    ) {
        let g = grant(c, at);
        self.keep_room(c, &g, rec);
    }

    /// Dates the applications that wait to be runnable in their order, before the run: which of them becomes runnable next is
    /// decided by when their attempts began (MaxRunningAppsEnforcer.MultiListStartTimeIterator).
    pub(crate) fn came_one_after_the_other(&mut self, c: &Cluster) {
        let waiting: Vec<AppId> = c.apps.iter().filter(|a| a.alive && !a.runnable).map(|a| a.id).collect();
        for (before, app) in (1..).zip(waiting.into_iter().rev()) {
            self.app_mut(app).started_at = c.now - before;
        }
    }

    /// Completes the state from before the run: updates shares as the latest update did, with the demands and queue
    /// shares that it found if they differ from now, and records what keeps applications from their AM's container.
    pub(crate) fn all_are_there<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        demands: &[(AppId, Resource)],
        shares: &[QueueShare],
        rec: &mut R,
    ) {
        // A queue that was created for an application that is over by now.
        for share in shares {
            let above =
                |other: &QueueShare| other.queue.strip_prefix(&share.queue).is_some_and(|rest| rest.starts_with('.'));
            if self.find_queue(&share.queue).is_none() && !shares.iter().any(above) {
                let _ = self.find_or_create(c, &share.queue, true);
            }
        }
        self.update_from(c, demands, shares);
        let waiting: Vec<AppId> =
            c.apps.iter().filter(|a| a.alive && a.runnable && a.waiting_for_am).map(|a| a.id).collect();
        for app in waiting {
            if self.am_share_stops(c, app, rec) {
                continue;
            }
            let leaf = c.app(app).queue;
            let size = c.app(app).am_size;
            let beyond = |id| !super::fits(self.queue(id).used + size, self.maximum_of(c, id));
            if self.path_up(leaf).any(beyond) {
                let maximum = self.maximum_of(c, leaf);
                self.note_wait(c, app, FairWait { stop: FairStop::MaxShare { maximum }, leaf, size });
            }
        }
    }
}
