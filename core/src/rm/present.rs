//! Applications that are there already when the ResourceManager begins. Its accounting is rebuilt as a restarted one rebuilds
//! it: applications in the order of their submission, then their containers node by node, then what their ApplicationMasters
//! ask for when they register again (RMAppImpl.RMAppRecoveredTransition, AbstractYarnScheduler.recoverContainersOnNode,
//! ApplicationMasterService.allocate after a resync).

use super::admission::{AdmittedApp, Applying, TargetQueue};
use super::manager::ResourceManager;
use crate::api::{Present, PresentContainer, QueueShare, Refusal, RefusalRule};
use crate::journal::{Change, Recorder};
use crate::model::{AppId, ContainerId, NodeId, PartitionId, RequestKey, Resource};
use crate::scheduler::app::AM_KEY;
use crate::scheduler::{AmStatus, QueueChoice, Scheduler, fifo};
use std::sync::Arc;

/// The result of restoring an application.
#[derive(Clone, Debug, PartialEq)]
pub struct RestoredApp {
    pub id: AppId,
    /// Its containers, in the order in which they are written; `None`: the node does not exist.
    pub containers: Vec<Option<(ContainerId, NodeId)>>,
    /// Why its ApplicationMaster's requests are refused.
    pub refused: Option<Refusal>,
}

impl ResourceManager {
    /// Restores applications that run already, with their containers and requests. Nodes are registered before. Limits
    /// of queues and of ApplicationMasters are not checked, since what runs has passed them. Errors, by application:
    /// its queue does not exist, or its ApplicationMaster's size is refused. `shares`: the results of the
    /// FairScheduler's latest update by queue.
    pub fn begin_with<R: Recorder>(
        &mut self,
        present: &[Present],
        shares: &[QueueShare],
        rec: &mut R,
    ) -> Vec<Result<RestoredApp, Refusal>> {
        let mut taken: Vec<Result<RestoredApp, Refusal>> = Vec::new();
        for app in present {
            let nothing = vec![None; app.containers.len()];
            taken.push(self.take_in(app, rec).map(|id| RestoredApp { id, containers: nothing, refused: None }));
        }
        let known: Vec<(usize, AppId)> =
            taken.iter().enumerate().filter_map(|(i, t)| Some((i, t.as_ref().ok()?.id))).collect();
        // Running applications are runnable whatever else waits, so they are counted first.
        let clock = self.cluster.wall_clock;
        for runs in [true, false] {
            for (i, id) in known.iter().filter(|(i, _)| present[*i].containers.is_empty() != runs) {
                self.set_wall_clock(clock + *i as i64);
                self.cluster.app_mut(*id).attempt = present[*i].attempt.saturating_sub(1);
                let am = present[*i].containers.iter().find(|c| c.am);
                let charged = am.and_then(|am| am.charged.as_deref());
                let charged = charged.map(|label| self.cluster.partition_or_unknown(label));
                self.attempt_is_there(*id, present[*i].active, charged, rec);
                self.apps[id.index()].begin_attempt();
            }
        }
        self.set_wall_clock(clock + present.len() as i64);
        for (i, id) in &known {
            for (k, container) in present[*i].containers.iter().enumerate() {
                let there = self.container_is_there(*id, container, rec);
                if let Ok(taken) = &mut taken[*i] {
                    taken.containers[k] = there;
                }
            }
        }
        self.after(rec);
        // Their ApplicationMasters run already and need no launch.
        self.take_events();
        for (i, id) in &known {
            let app = &present[*i];
            if !app.registered {
                continue;
            }
            let answer = self.register(*id, rec).and_then(|()| self.allocate(*id, app.call.clone(), rec).map(drop));
            if let (Err(refusal), Ok(taken)) = (answer, &mut taken[*i]) {
                taken.refused = Some(refusal);
            }
            let reported = app.containers.iter().zip(taken[*i].iter().flat_map(|t| &t.containers));
            let reported: Vec<ContainerId> =
                reported.filter(|(c, _)| c.reported).filter_map(|(_, there)| Some((*there)?.0)).collect();
            self.cluster.containers_launched(&reported);
        }
        for (i, id) in &known {
            for reservation in &present[*i].reserved {
                self.reservation_is_there(*id, reservation, rec);
            }
            let next = present[*i].next;
            let a = self.cluster.app_mut(*id);
            a.next_seq = a.next_seq.max(next.unwrap_or(1));
        }
        for (i, id) in &known {
            if let Some(used) = present[*i].used {
                self.counts_as(*id, used);
            }
        }
        let demands: Vec<_> = known.iter().filter_map(|(i, id)| Some((*id, present[*i].demand?))).collect();
        match &mut self.scheduler {
            Scheduler::Capacity(scheduler) => {
                scheduler.leaves_were_looked_at(&self.cluster);
                scheduler.tell_pending(&mut self.cluster, rec);
            }
            Scheduler::Fair(scheduler) => {
                scheduler.came_one_after_the_other(&self.cluster);
                scheduler.all_are_there(&mut self.cluster, &demands, shares, rec);
            }
            Scheduler::Fifo(scheduler) => scheduler.all_are_there(&self.cluster),
        }
        for (i, id) in &known {
            let Some(said) = &present[*i].diagnostics else { continue };
            if self.cluster.app(*id).waiting_for_am && self.am_diagnostics(*id) != *said {
                self.cluster.set_am_status(*id, AmStatus::Before(said.as_str().into()));
            }
        }
        self.after(rec);
        self.take_events();
        taken
    }

    /// The scheduler counts this as used by an application in the default partition, whatever its containers are: an ask that was
    /// resized while a container of it was reserved makes the difference (SchedulerApplicationAttempt; quirk).
    fn counts_as(&mut self, id: AppId, used: Resource) {
        let a = self.cluster.app(id);
        let difference = used - a.used[0];
        let of = a.slots().map(|slot| self.cluster.containers.at(slot)).filter(|c| c.partition.is_default() && !c.am);
        let Some(number) = of.map(|c| c.id.seq).next().filter(|_| !difference.is_zero()) else { return };
        let a = self.cluster.app_mut(id);
        a.used[0] += difference;
        a.converted.push((number, PartitionId::DEFAULT, difference));
    }

    /// Adds the application, without an attempt.
    fn take_in<R: Recorder>(&mut self, app: &Present, rec: &mut R) -> Result<AppId, Refusal> {
        let submission = app.submission.clone();
        let user = self.cluster.user(&submission.user);
        let asked = submission.queue.clone();
        let found = match &mut self.scheduler {
            Scheduler::Capacity(scheduler) => scheduler.find_or_create(&mut self.cluster, &asked, true, rec)?,
            Scheduler::Fair(_) => None,
            Scheduler::Fifo(_) => Some(fifo::ONLY),
        };
        let place = TargetQueue { queue: asked.clone(), said: asked.clone(), found, by_rule: true };
        let am = Applying { rm: self, submission: &submission, user }.am_request(&place)?;
        let priority = submission.priority.unwrap_or(0);
        let entry = AdmittedApp { user, place, priority };
        let id = self.add_application(submission, &entry, Arc::new(QueueChoice::default()), am);
        let queue = match &mut self.scheduler {
            Scheduler::Fair(scheduler) => {
                let name = super::texts::application(id);
                let app = &self.apps[id.index()];
                let am = app.am.as_ref().map(|am| am.size);
                let names = (name.as_str(), app.submission.user.as_str());
                scheduler.accept(&mut self.cluster, id, names, Some(&asked), am)?
            }
            _ => found.filter(|queue| self.scheduler.is_leaf(*queue)),
        };
        let queue = queue.ok_or_else(|| {
            let words = format!("The queue {asked} of an application that is there already is not there");
            Refusal::of(RefusalRule::UnknownQueue { queue: asked.clone() }, words)
        });
        let queue = match queue {
            Ok(queue) => queue,
            Err(refusal) => {
                self.reject(id, refusal.clone(), rec);
                return Err(refusal);
            }
        };
        self.apps[id.index()].queue = self.scheduler.queue_path(queue).to_string();
        self.cluster.app_mut(id).queue = queue;
        self.cluster.app_mut(id).submitted_priority = priority;
        rec.note(self.cluster.now, || Change::Submitted { app: id, queue, user });
        if let Scheduler::Capacity(scheduler) = &mut self.scheduler {
            scheduler.count_application(queue, 1);
            scheduler.note_submission(&self.cluster, queue);
        }
        self.apps[id.index()].hears(super::states::AppEvent::Accepted);
        Ok(id)
    }

    fn attempt_is_there<R: Recorder>(&mut self, id: AppId, active: bool, charged: Option<PartitionId>, rec: &mut R) {
        let mut am = self.apps[id.index()].am.clone();
        if let (Some(am), Some(partition)) = (&mut am, charged) {
            (am.partition, am.unlabelled) = (partition, false);
        }
        let asks = match &mut self.scheduler {
            Scheduler::Capacity(s) => s.attempt_is_there(&mut self.cluster, id, am.as_ref(), active, rec),
            Scheduler::Fair(s) => s.add_attempt(&mut self.cluster, id, am.as_ref(), rec),
            Scheduler::Fifo(s) => s.add_attempt(&mut self.cluster, id, am.as_ref(), rec),
        };
        if asks {
            self.ask_for_am(id);
        }
    }

    /// Returns the node of a host, if it takes containers.
    fn host_of(&self, container: &PresentContainer) -> Option<NodeId> {
        self.node_by_host(&container.host).filter(|node| self.cluster.node(*node).in_scheduler)
    }

    /// Requests a container of exactly this size, so that it can be allocated. Returns the place of its key.
    fn ask_for_one(&mut self, id: AppId, container: &PresentContainer, node: NodeId) -> Option<usize> {
        use crate::model::PlaceId;
        use crate::scheduler::RequestRow;
        let label = container.label.clone();
        let partition = match label {
            Some(label) => self.cluster.partition_or_unknown(&label),
            None => self.cluster.node(node).partition,
        };
        let key = if container.am { AM_KEY } else { container.key };
        let row = RequestRow { count: 1, size: container.size, relax: true };
        self.scheduler.update_asks(&mut self.cluster, id, key, &[(PlaceId::ANY, row)], partition);
        self.cluster.app(id).asks.find(key)
    }

    fn container_is_there<R: Recorder>(
        &mut self,
        id: AppId,
        container: &PresentContainer,
        rec: &mut R,
    ) -> Option<(ContainerId, NodeId)> {
        let node = self.host_of(container)?;
        let place = self.ask_for_one(id, container, node)?;
        let at = (id, place, node, container.size);
        let number = self.under_number(id, container, |rm| match &mut rm.scheduler {
            Scheduler::Capacity(s) => s.container_is_there(&mut rm.cluster, at, rec),
            Scheduler::Fair(s) => s.container_is_there(&mut rm.cluster, at, rec),
            Scheduler::Fifo(s) => s.container_is_there(&mut rm.cluster, at, rec),
        });
        Some((self.cluster.app(id).container_id(number), node))
    }

    /// Runs `make`, which allocates a container, with the number that the container is known by. Returns that number.
    fn under_number(&mut self, id: AppId, container: &PresentContainer, make: impl FnOnce(&mut Self)) -> u64 {
        let a = self.cluster.app_mut(id);
        let number = container.number.unwrap_or(a.next_seq);
        let after = a.next_seq.max(number + 1);
        a.next_seq = number;
        make(self);
        self.cluster.app_mut(id).next_seq = after;
        number
    }

    fn reservation_is_there<R: Recorder>(&mut self, id: AppId, reservation: &PresentContainer, rec: &mut R) {
        let Some(node) = self.host_of(reservation).filter(|n| self.cluster.node(*n).reserved.is_none()) else { return };
        let key: RequestKey = reservation.key;
        let Some(place) = self.cluster.app(id).asks.find(key) else { return };
        let at = (id, place, node, reservation.size);
        self.under_number(id, reservation, |rm| match &mut rm.scheduler {
            Scheduler::Capacity(s) => s.reservation_is_there(&mut rm.cluster, at, rec),
            Scheduler::Fair(s) => s.reservation_is_there(&mut rm.cluster, at, rec),
            // It has no reservation.
            Scheduler::Fifo(_) => {}
        });
        self.cluster.app_mut(id).asks.at_mut(place).rereservations = reservation.again;
    }
}
