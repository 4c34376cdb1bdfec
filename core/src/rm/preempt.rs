//! Carries out rounds of the preemption monitor (SchedulingMonitor, ContainerPreemptEvent; preemption.md A9) and of the
//! FairScheduler's preemption thread (B3), and makes the messages to ApplicationMasters (A10).

use super::apps::EndedAm;
use super::manager::{AmEnd, ResourceManager};
use crate::api::{Call, NegotiableContract, PreemptionMessage};
use crate::journal::Recorder;
use crate::model::{AppId, ContainerId, Millis, Resource};
use crate::preemption::fair::Search;
use crate::preemption::{Monitor, PreemptionStep, Round, Wake};
use crate::scheduler::app::EndCause;
use crate::scheduler::{ContainerState, Scheduler};

impl ResourceManager {
    /// Returns the preemption monitor, if the CapacityScheduler has one that is on.
    pub fn preemption_monitor(&self) -> Option<&Monitor> {
        self.scheduler.capacity()?.monitor()
    }

    /// Returns the next time, from `from` on, at which the preemption monitor's thread wakes up; `None`: never.
    pub fn next_preemption(&self, from: Millis) -> Option<Millis> {
        self.preemption_monitor()?.wake_from(from)
    }

    /// Wakes up the preemption monitor's thread, which runs a round if one is due. After a change of its interval it is
    /// scheduled again first, and wakes up at once.
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

    /// Runs a round of the preemption monitor; `None`: there is no monitor. The choices of a round take effect after
    /// it: dropped reservations first, then marks and kills by container. The record has the steps where the recorder
    /// wants them.
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

    /// Marks or kills a container. The kill of an AM ends its attempt, and the next one begins.
    fn carry_out<R: Recorder>(&mut self, round: &Round, place: usize, rec: &mut R) {
        let (Scheduler::Capacity(scheduler), Some(act)) = (&mut self.scheduler, round.acts.get(place)) else { return };
        match act.deed {
            PreemptionStep::Mark => scheduler.mark(&mut self.cluster, round, place, rec),
            PreemptionStep::Wait | PreemptionStep::Void => {}
            PreemptionStep::Kill => {
                if scheduler.kill(&mut self.cluster, round, place, rec) {
                    self.am_preempted(act.container.app, rec);
                }
            }
        }
    }

    /// Runs the FairScheduler's preemption thread for the applications that the latest update found starved. Returns
    /// the search for each, with its result.
    pub fn serve_starved<R: Recorder>(&mut self, rec: &mut R) -> Vec<Search> {
        match &mut self.scheduler {
            Scheduler::Fair(scheduler) => scheduler.serve_starved(&mut self.cluster, rec),
            _ => Vec::new(),
        }
    }

    /// Returns the time at which the FairScheduler next kills containers whose applications were warned.
    pub fn next_kill(&self) -> Option<Millis> {
        self.fair()?.next_kill()
    }

    /// Returns the time at which a container is killed whose application was warned; `None`: it was not warned.
    pub fn killed_at(&self, id: ContainerId) -> Option<Millis> {
        self.fair()?.killed_at(id)
    }

    /// Kills the containers whose warning is over, under the FairScheduler. Returns how many were still alive.
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

    /// Records that updates of the FairScheduler were skipped since they would change nothing, the last at `at`.
    pub fn updates_left_out(&mut self, at: Millis) {
        if let Scheduler::Fair(scheduler) = &mut self.scheduler {
            scheduler.updates_left_out(at);
        }
    }

    /// Ends the attempt of a preempted AM, which does not count as a failure of the application.
    pub(super) fn am_preempted<R: Recorder>(&mut self, app: AppId, rec: &mut R) {
        let ended = EndedAm::of(app, AmEnd::Container(EndCause::Preempted));
        self.am_containers_ended(vec![ended], rec);
    }

    /// Returns the containers for an AM's preemption message: those that were marked since its last call and still
    /// live.
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
