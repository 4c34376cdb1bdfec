//! A round of the preemption monitor carried out (SchedulingMonitor, ContainerPreemptEvent; preemption.md A9), what the
//! FairScheduler's thread does (B3), and what ApplicationMasters are told of it (A10).

use super::apps::EndedAm;
use super::manager::{AmEnd, ResourceManager};
use crate::api::{Call, NegotiableContract, PreemptionMessage};
use crate::journal::Recorder;
use crate::model::{AppId, ContainerId, Millis, Resource};
use crate::preemption::fair::Search;
use crate::preemption::{Deed, Monitor, Round, Wake};
use crate::scheduler::app::EndCause;
use crate::scheduler::{ContainerState, Scheduler};

impl ResourceManager {
    /// The preemption monitor, if the CapacityScheduler has one that is on.
    pub fn preemption_monitor(&self) -> Option<&Monitor> {
        self.scheduler.capacity()?.monitor()
    }

    /// When the preemption monitor's thread wakes up, from a time on; `None`: never.
    pub fn next_preemption(&self, from: Millis) -> Option<Millis> {
        self.preemption_monitor()?.wake_from(from)
    }

    /// The preemption monitor's thread wakes up: a round, if one is due. With another interval it is scheduled anew first,
    /// and wakes up at once.
    pub fn wake_preemption<R: Recorder>(&mut self, rec: &mut R) -> Option<Round> {
        let now = self.now();
        let Scheduler::Capacity(scheduler) = &mut self.scheduler else { return None };
        let monitor = scheduler.monitor_mut()?;
        monitor.next_wake().filter(|at| *at <= now)?;
        if monitor.wake(now) == Wake::Rescheduled {
            monitor.next_wake()?;
            monitor.wake(now);
        }
        rec.tell_call(now, || Call::Preempt);
        self.preempt(rec)
    }

    /// One round of the preemption monitor; `None`: there is none. What a round chooses is acted on when it is over:
    /// reservations that it drops, then marks and kills by container. Steps are told in the record where somebody listens.
    pub fn preempt<R: Recorder>(&mut self, rec: &mut R) -> Option<Round> {
        let Scheduler::Capacity(scheduler) = &mut self.scheduler else { return None };
        let (round, order) = scheduler.preemption_round(&mut self.cluster, rec.on())?;
        for m in &round.moves {
            let (container, from, to) = (m.reservation, m.from, m.to);
            rec.note(self.cluster.now, || crate::journal::Change::ReservationMoved { container, from, to });
        }
        for id in &round.drops {
            scheduler.drop_reservation(&mut self.cluster, *id, rec);
        }
        for place in order {
            self.carry_out(&round, place, rec);
        }
        self.after(rec);
        Some(round)
    }

    /// A mark or a kill, to its end: with an AM goes its attempt, and the next one comes.
    fn carry_out<R: Recorder>(&mut self, round: &Round, place: usize, rec: &mut R) {
        let (Scheduler::Capacity(scheduler), Some(act)) = (&mut self.scheduler, round.acts.get(place)) else { return };
        match act.deed {
            Deed::Mark => scheduler.mark(&mut self.cluster, round, place, rec),
            Deed::Wait | Deed::Void => {}
            Deed::Kill => {
                if scheduler.kill(&mut self.cluster, round, place, rec) {
                    self.am_preempted(act.container.app, rec);
                }
            }
        }
    }

    /// The FairScheduler's preemption thread serves the applications that the latest update found starved: what was
    /// searched for each, and found.
    pub fn serve_starved<R: Recorder>(&mut self, rec: &mut R) -> Vec<Search> {
        match &mut self.scheduler {
            Scheduler::Fair(scheduler) => scheduler.serve_starved(&mut self.cluster, rec),
            _ => Vec::new(),
        }
    }

    /// When the FairScheduler next kills containers that their applications were warned of.
    pub fn next_kill(&self) -> Option<Millis> {
        self.fair()?.next_kill()
    }

    /// When a container is killed that its application was warned of; `None`: it was not.
    pub fn killed_at(&self, id: ContainerId) -> Option<Millis> {
        self.fair()?.killed_at(id)
    }

    /// The FairScheduler kills containers whose time has come. How many there were still?
    pub fn kill_warned<R: Recorder>(&mut self, rec: &mut R) -> usize {
        let now = self.now();
        let Scheduler::Fair(scheduler) = &mut self.scheduler else { return 0 };
        let mut killed = 0;
        for id in scheduler.due_for_kill(now) {
            let Scheduler::Fair(scheduler) = &mut self.scheduler else { break };
            let Some(am) = scheduler.kill(&mut self.cluster, id, rec) else { continue };
            killed += 1;
            if am {
                self.am_preempted(id.app, rec);
            }
        }
        self.after(rec);
        killed
    }

    /// Declares a running container an ApplicationMaster's to the scheduler, as Hadoop's own tests of preemption do
    /// (RMContainer.setAMContainer).
    pub fn count_as_am(&mut self, id: ContainerId) {
        if let Some(slot) = self.cluster.slot(id) {
            self.cluster.containers.at_mut(slot).am = true;
        }
    }

    /// Updates of the FairScheduler were left out since they could change nothing, the last at `at`.
    pub fn updates_left_out(&mut self, at: Millis) {
        if let Scheduler::Fair(scheduler) = &mut self.scheduler {
            scheduler.updates_left_out(at);
        }
    }

    /// An application's AM was preempted: that is no fault of it.
    pub(super) fn am_preempted<R: Recorder>(&mut self, app: AppId, rec: &mut R) {
        let ended = EndedAm::of(app, AmEnd::Container(EndCause::Preempted));
        self.am_containers_ended(vec![ended], rec);
    }

    /// What an AM is told of containers that were marked since its last call: those that still live.
    pub(super) fn preemption_message(&mut self, app: AppId) -> PreemptionMessage {
        if let Some(fair) = self.fair() {
            return PreemptionMessage { strict: fair.warned_of(app), negotiable: None };
        }
        let mut marked = std::mem::take(&mut self.cluster.app_mut(app).marked);
        let c = &self.cluster;
        let lives = |id: &ContainerId| c.container(*id).is_some_and(|x| x.state != ContainerState::Reserved);
        marked.retain(lives);
        if marked.is_empty() {
            return PreemptionMessage::default();
        }
        let sizes = marked.iter().filter_map(|id| c.container(*id)).map(|x| x.size);
        let total = sizes.fold(Resource::ZERO, |sum, size| sum + size);
        let count = c.calculator.divide(&c.total, &total, &c.minimum).ceil() as i64;
        let negotiable = NegotiableContract { containers: marked, size: c.minimum, count };
        PreemptionMessage { strict: Vec::new(), negotiable: Some(negotiable) }
    }
}
