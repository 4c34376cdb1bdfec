//! Calls of ApplicationMasters: their callbacks, their timers, and the acts that they ask for.

use super::queue::Event;
use super::{AppRun, Simulation};
use crate::apps::sim::played;
use crate::journal::{MasterAct, Recorder};
use crate::model::{AppId, AttemptId, ContainerId, Millis, NodeId, Resource};
use crate::rm::{Granted, NodeUpdate, ResourceManager};
use crate::scheduler::NodeState;
use crate::strategy::{AmAction, Master, Reports, TimerId, Turn, exit};
use std::collections::VecDeque;

#[cfg(test)]
mod tests;

/// A timer of a master: fires once, or again and again (a tick).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timer {
    id: TimerId,
    pub(crate) at: Millis,
    /// The period of a tick; `None`: it fires once.
    period: Option<Millis>,
}

impl Timer {
    fn event(self, attempt: AttemptId) -> Event {
        match self.period {
            Some(_) => Event::AmTick(attempt, self.id),
            None => Event::AmTimer(attempt, self.id),
        }
    }
}

impl AppRun {
    pub(crate) fn timer_mut(&mut self, id: TimerId) -> Option<&mut Timer> {
        self.timers.iter_mut().find(|t| t.id == id)
    }

    /// Returns the period of a tick; `None`: there is no such timer, or it fires once.
    pub(crate) fn period(&self, id: TimerId) -> Option<Millis> {
        self.timers.iter().find(|t| t.id == id)?.period
    }
}

impl Reports for ResourceManager {
    fn running_nodes(&self) -> Vec<NodeUpdate> {
        self.nodes().iter().filter(|n| n.state == NodeState::Running).map(|n| self.node_update(n)).collect()
    }

    fn host(&self, node: NodeId) -> String {
        self.node(node).map_or_else(String::new, |n| n.host.clone())
    }

    fn rack(&self, host: &str) -> Option<String> {
        let node = self.node(self.node_by_host(host)?)?;
        Some(self.cluster().place_name(node.rack).to_string())
    }

    fn limits(&self, app: AppId) -> (Resource, Resource) {
        self.container_limits(app)
    }

    fn kept(&self, app: AppId) -> Vec<Granted> {
        self.kept_containers(app)
    }
}

impl Simulation {
    /// Calls the master of an application, which adds to `acts` what it wants done. Returns `None` where no master
    /// runs.
    pub(crate) fn call_master<R: Recorder, T>(
        &mut self,
        i: usize,
        acts: &mut Vec<AmAction>,
        rec: &mut R,
        call: impl FnOnce(&mut Master, &mut Turn<'_>) -> T,
    ) -> Option<T> {
        let run = self.apps.get_mut(i)?;
        let attempt = AttemptId { app: run.id?, attempt: run.attempt };
        let mut turn = Turn::new((self.now, attempt), &mut run.store, &self.rm, acts, rec);
        let master = run.master.as_mut()?;
        let came = call(master, &mut turn);
        run.wants.note(self.now, &master.lacking());
        Some(came)
    }

    /// Carries out the acts of a master, and those that it adds when it learns the results. `newest`: where to begin
    /// the search for a container among its grants, since most are launched in the order in which it got them.
    pub(crate) fn carry_out<R: Recorder>(
        &mut self,
        i: usize,
        attempt: AttemptId,
        acts: Vec<AmAction>,
        newest: usize,
        rec: &mut R,
    ) {
        let mut acts = VecDeque::from(acts);
        let mut place = newest;
        while let Some(act) = acts.pop_front() {
            match act {
                AmAction::Launch { container, run_ms, exit_code } => {
                    let started = self.launch_task(i, container, run_ms.map(|ms| (ms, exit_code)), &mut place);
                    let mut more = Vec::new();
                    self.call_master(i, &mut more, rec, |master, turn| match started {
                        true => master.container_started(turn, container),
                        false => master.start_failed(turn, container),
                    });
                    acts.extend(more);
                }
                AmAction::Reinitialize { container, run_ms, exit_code } => {
                    self.reinitialize(i, container, run_ms.map(|ms| (ms, exit_code)));
                }
                AmAction::Stop { container } => {
                    if container.app == attempt.app {
                        self.stop_process(container, exit::KILLED_BY_APPMASTER);
                    }
                }
                AmAction::GiveBack { container, keeps } => {
                    if container.app == attempt.app {
                        self.give_back(i, container, keeps);
                    }
                }
                AmAction::Unregister { succeeded } => self.unregister(i, attempt, succeeded, rec),
                AmAction::GiveUp(why) => {
                    rec.note(self.now, || MasterAct::GaveUp { app: attempt.app, why });
                    self.apps[i].gave_up = Some(why);
                    self.unregister(i, attempt, false, rec);
                }
                AmAction::Fail { exit_code } => self.fail_am(i, exit_code),
                AmAction::SetTimer { timer, at } => {
                    let at = at.max(self.now.saturating_add(1));
                    self.set_timer(i, attempt, Timer { id: timer, at, period: None });
                }
                AmAction::SetTick { timer, period_ms } => {
                    let period = period_ms.max(1);
                    let at = self.now.saturating_add(period);
                    self.set_timer(i, attempt, Timer { id: timer, at, period: Some(period) });
                }
                AmAction::CancelTimer { timer } => self.cancel_timer(i, attempt, timer),
            }
        }
    }

    /// Starts the process of a task. Returns false where the node cannot be reached or the container is over.
    fn launch_task(&mut self, i: usize, container: ContainerId, run: Option<(Millis, i32)>, place: &mut usize) -> bool {
        let Some(got) = self.apps.get(i).map(|run| &run.containers) else { return false };
        let around = (0..got.len()).map(|k| (*place + k) % got.len());
        let Some(at) = { around }.find(|at| got[*at].id == container) else { return false };
        *place = at + 1;
        let (node, key) = (got[at].node, got[at].key);
        if self.rm.container(container).is_none() || self.processes.contains_key(&container) {
            return false;
        }
        let ends_at_once = || key.is_some_and(|key| self.nothing_to_wait_for(i, key)).then_some((0, 0));
        let run = run.or_else(ends_at_once);
        let launch_ms = self.scenario.apps.get(i).map_or(0, |a| a.am.launch);
        let started = self.launch(container, node, launch_ms, run);
        if started {
            let scenario = self.scenario.clone();
            if let Some(app) = scenario.apps.get(i) {
                played(&app.kind).launched(self, i, container, node);
            }
        }
        started
    }

    /// Ends an AM's process without unregistering it.
    fn fail_am(&mut self, i: usize, exit_code: i32) {
        match self.apps.get(i).and_then(|run| run.am) {
            Some(am) => {
                self.silence(i);
                self.end_process_at(am, self.now, exit_code);
            }
            // No NodeManager reports the end of an unmanaged AM.
            None => self.hang_am(i),
        }
    }

    // ---- timers

    fn set_timer(&mut self, i: usize, attempt: AttemptId, timer: Timer) {
        self.cancel_timer(i, attempt, timer.id);
        let Some(run) = self.apps.get_mut(i).filter(|run| run.master.is_some()) else { return };
        run.timers.push(timer);
        self.queue.add(timer.at, timer.event(attempt));
    }

    fn cancel_timer(&mut self, i: usize, attempt: AttemptId, id: TimerId) {
        let Some(run) = self.apps.get_mut(i) else { return };
        let Some(at) = run.timers.iter().position(|t| t.id == id) else { return };
        let timer = run.timers.remove(at);
        self.queue.remove(timer.at, timer.event(attempt));
    }

    /// Cancels all timers of an AM.
    pub(crate) fn cancel_timers(&mut self, i: usize, attempt: AttemptId) {
        let Some(run) = self.apps.get_mut(i) else { return };
        for timer in std::mem::take(&mut run.timers) {
            self.queue.remove(timer.at, timer.event(attempt));
        }
    }

    pub(crate) fn am_timer<R: Recorder>(&mut self, attempt: AttemptId, id: TimerId, rec: &mut R) {
        let now = self.now;
        let Some(i) = self.known_place(attempt.app) else { return };
        let Some(run) = self.apps.get_mut(i) else { return };
        let at = run.timers.iter().position(|t| t.id == id).filter(|_| run.attempt == attempt.attempt);
        debug_assert!(at.is_some(), "the timers of an AM that is gone are cancelled");
        let Some(at) = at else { return };
        let tick = run.timers[at].period;
        match tick {
            Some(period) => {
                run.timers[at].at = now.saturating_add(period);
                self.queue.add(now.saturating_add(period), Event::AmTick(attempt, id));
            }
            None => _ = run.timers.remove(at),
        }
        let mut acts = Vec::new();
        let quiet = self.call_master(i, &mut acts, rec, |master, turn| {
            let before = master.is_quiet();
            master.timer(turn, id);
            before && master.is_quiet()
        });
        self.timer_ran(i);
        if tick.is_none() || quiet == Some(false) || !acts.is_empty() {
            self.stir();
        }
        self.carry_out(i, attempt, acts, 0, rec);
    }
}
