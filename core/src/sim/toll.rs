//! What preemption costs an application: the work that is lost with its containers, and what is kept of it
//! (lifecycles-and-timing.md 9, "preempted work lost").

use super::Simulation;
use crate::api::ContainerStop;
use crate::model::{ContainerId, EndCause, Millis, Resource};
use crate::strategy::exit;

/// The preemption cost of an application so far. Work is a container's size times the time that its process has worked,
/// in MB ms and vcore ms; localisation and start do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PreemptionCost {
    /// The number of its containers that were killed (exit code -102) after its AM got them, AMs left out.
    pub killed: i64,
    /// The number of its AMs that were killed by preemption. The containers of an attempt end with its AM.
    pub masters: i64,
    /// The number of containers that its AM stopped for a preemption message.
    pub given_back: i64,
    /// The work that was lost, that of AMs left out.
    pub lost: Resource,
    /// The work of containers that were given back, where the AM keeps it as long as its attempt lives.
    pub saved: Resource,
    /// The times of the first and the last kill by preemption, AMs left out.
    pub killed_at: Option<(Millis, Millis)>,
    /// The time of the last kill of an AM.
    pub master_at: Option<Millis>,
}

impl PreemptionCost {
    /// Returns whether it cost nothing.
    pub fn is_nothing(&self) -> bool {
        *self == PreemptionCost::default()
    }
}

impl Simulation {
    /// Adds the cost of a container that the ResourceManager ended.
    pub(crate) fn charge(&mut self, stop: &ContainerStop) {
        let (now, container) = (self.now, stop.container);
        let Some(i) = self.known_place(container.app) else { return };
        let work = self.work(container, stop.size);
        let Some(run) = self.apps.get_mut(i) else { return };
        let is_am = run.am == Some(container);
        let toll = &mut run.toll;
        match stop.why {
            EndCause::Preempted if is_am => {
                toll.masters += 1;
                toll.master_at = Some(now);
            }
            EndCause::Preempted => {
                toll.killed += 1;
                toll.killed_at.get_or_insert((now, now)).1 = now;
                toll.lost += work;
            }
            EndCause::AppOver if !is_am && toll.master_at == Some(now) => toll.lost += work,
            _ => {}
        }
    }

    /// Adds the cost of a container that an AM stops for a preemption message.
    pub(crate) fn give_back(&mut self, i: usize, container: ContainerId, keeps: bool) {
        let running = self.processes.get(&container).is_some_and(|p| !p.stopping);
        let size = self.rm.container(container).map_or(Resource::ZERO, |c| c.size);
        let work = self.work(container, size);
        if let Some(run) = self.apps.get_mut(i).filter(|_| running) {
            run.toll.given_back += 1;
            *(if keeps { &mut run.toll.saved } else { &mut run.toll.lost }) += work;
        }
        self.stop_process(container, exit::KILLED_BY_APPMASTER);
    }

    /// Returns the work of a container's process so far; zero where it is being stopped, since that is counted already.
    fn work(&self, container: ContainerId, size: Resource) -> Resource {
        let Some(process) = self.processes.get(&container).filter(|p| !p.stopping) else { return Resource::ZERO };
        size.times(self.now.saturating_sub(process.up_at).max(0))
    }
}
