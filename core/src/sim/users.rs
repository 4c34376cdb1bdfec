//! What users do to applications of any kind that run until they are stopped, and how a master's books agree with YARN's.

use super::act::not_there;
use super::queue::Event;
use crate::api::Call;
use crate::apps::scenario::{Changed, NONE_LONG_RUNNING};
use crate::journal::Recorder;
use crate::model::{AppId, AttemptId, ContainerId, Millis};
use crate::rm::Refusal;
use crate::scheduler::ContainerState;
use crate::sim::Simulation;
use crate::strategy::Order;
use std::collections::BTreeSet;

impl Simulation {
    /// Stops an application, and submits it again when it is over.
    pub(crate) fn restart<R: Recorder>(
        &mut self,
        name: &str,
        after: Millis,
        changed: &Changed,
        rec: &mut R,
    ) -> Result<(), Refusal> {
        let i = self.scenario().apps.iter().position(|a| a.name == name && a.kind.is_long_running());
        let i = i.ok_or_else(|| not_there(NONE_LONG_RUNNING))?;
        let scenario = self.scenario.clone();
        let played = crate::apps::sim::played(&scenario.apps[i].kind);
        played.change(self, i, changed);
        let id = self.apps[i].id.ok_or_else(|| not_there("it is not submitted at that time"))?;
        let over = self.rm.app(id).is_some_and(|a| a.state.is_final());
        if over {
            let at = self.now.saturating_add(after);
            self.queue.add(at, Event::Submit(i));
            return Ok(());
        }
        self.apps[i].restart = Some(after);
        if played.is_stopped_by_yarn() || self.order(i, Order::Stop, rec).is_none() {
            // No ApplicationMaster takes the order: the client has YARN kill the application.
            rec.tell_call(self.now, || Call::KillApp(id));
            self.rm.kill_app(id, rec);
        }
        Ok(())
    }

    /// Passes an order of a user to an ApplicationMaster. Returns its answer; `None`: none runs.
    pub(crate) fn order<R: Recorder>(&mut self, i: usize, order: Order, rec: &mut R) -> Option<Result<(), String>> {
        let attempt = AttemptId { app: self.apps[i].id?, attempt: self.apps[i].attempt };
        let mut acts = Vec::new();
        let heard = self.call_master(i, &mut acts, rec, |master, turn| master.order(turn, order))?;
        self.carry_out(i, attempt, acts, 0, rec);
        Some(heard)
    }

    /// Returns a container about which an application's master and YARN disagree: YARN gives it to the application and
    /// the master does not know it, or the master counts it and it is gone. `knows`: whether the master knows a
    /// container; `held`: those that it counts.
    pub(crate) fn disagrees<I: Iterator<Item = ContainerId>>(
        &self,
        place: usize,
        knows: impl Fn(ContainerId) -> bool,
        held: impl FnOnce() -> I,
    ) -> Option<ContainerId> {
        let app = self.apps()[place].id?;
        let given = self.given(app);
        let ended = &self.rm().scheduled(app)?.ended;
        let gone = |id: &ContainerId| !given.contains(id) && ended.iter().all(|told| told.id != *id);
        let strange = given.iter().copied().find(|id| !knows(*id));
        strange.or_else(|| held().find(gone))
    }

    /// Returns the containers of an application that its ApplicationMaster was granted and that live.
    pub(crate) fn given(&self, app: AppId) -> BTreeSet<ContainerId> {
        let told = |c: &&crate::scheduler::Container| {
            !c.am && matches!(c.state, ContainerState::Acquired | ContainerState::Running)
        };
        self.rm().containers_of(app).filter(told).map(|c| c.id).collect()
    }
}
