//! A round of the preemption monitor carried out (SchedulingMonitor, ContainerPreemptEvent; preemption.md A9), and what
//! ApplicationMasters are told of it (A10).

use super::apps::EndedAm;
use super::manager::{AmEnd, ResourceManager};
use crate::api::{NegotiableContract, PreemptionMessage};
use crate::journal::Recorder;
use crate::model::{AppId, ContainerId, Millis, Resource};
use crate::preemption::{Deed, Monitor, Round, Wake};
use crate::scheduler::app::EndCause;
use crate::scheduler::{ContainerState, Scheduler};

impl ResourceManager {
    /// The preemption monitor, if the CapacityScheduler has one that is on.
    pub fn preemption_monitor(&self) -> Option<&Monitor> {
        self.scheduler.capacity()?.monitor()
    }

    /// When the preemption monitor's thread wakes up next; `None`: never.
    pub fn next_preemption(&self) -> Option<Millis> {
        self.preemption_monitor()?.next_wake()
    }

    /// The preemption monitor's thread wakes up: a round, or only another schedule.
    pub fn wake_preemption<R: Recorder>(&mut self, rec: &mut R) -> Option<Round> {
        let now = self.now();
        let Scheduler::Capacity(scheduler) = &mut self.scheduler else { return None };
        match scheduler.monitor_mut()?.wake(now) {
            Wake::Round => self.preempt(rec),
            Wake::Rescheduled => None,
        }
    }

    /// One round of the preemption monitor; `None`: there is none. What a round chooses is acted on when it is over:
    /// reservations that it drops, then marks and kills by container. Steps are told in the record where somebody listens.
    pub fn preempt<R: Recorder>(&mut self, rec: &mut R) -> Option<Round> {
        let Scheduler::Capacity(scheduler) = &mut self.scheduler else { return None };
        let round = scheduler.preemption_round(&mut self.cluster, rec.on())?;
        for m in &round.moves {
            let (container, from, to) = (m.reservation, m.from, m.to);
            rec.note(self.cluster.now, || crate::journal::Change::ReservationMoved { container, from, to });
        }
        for id in &round.drops {
            scheduler.drop_reservation(&mut self.cluster, *id, rec);
        }
        let mut acts: Vec<_> = round.acts.iter().filter(|a| a.deed != Deed::Wait).collect();
        acts.sort_by_key(|a| a.container);
        for act in acts {
            self.carry_out(act.container, act.deed, act.deadline, rec);
        }
        self.after(rec);
        Some(round)
    }

    /// A mark or a kill, to its end: with an AM goes its attempt, and the next one comes.
    fn carry_out<R: Recorder>(&mut self, id: ContainerId, deed: Deed, deadline: Millis, rec: &mut R) {
        let Scheduler::Capacity(scheduler) = &mut self.scheduler else { return };
        if deed == Deed::Mark {
            scheduler.mark(&mut self.cluster, id, deadline, rec);
        } else if scheduler.kill(&mut self.cluster, id, rec) {
            self.am_preempted(id.app, rec);
        }
    }

    /// An application's AM was preempted: that is no fault of it.
    pub(super) fn am_preempted<R: Recorder>(&mut self, app: AppId, rec: &mut R) {
        let ended = EndedAm::of(app, AmEnd::Container(EndCause::Preempted));
        self.am_containers_ended(vec![ended], rec);
    }

    /// What an AM is told of containers that were marked since its last call: those that still live.
    pub(super) fn preemption_message(&mut self, app: AppId) -> PreemptionMessage {
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
