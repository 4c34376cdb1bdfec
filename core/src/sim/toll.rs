//! What preemption costs an application: the work that is lost with its containers, and what is kept of it
//! (lifecycles-and-timing.md 9, "preempted work lost").

use super::Simulation;
use crate::api::Stop;
use crate::model::{ContainerId, EndCause, Millis, Resource};
use crate::strategy::exit;

/// What preemption has cost an application so far. Work is what its containers take times the time that their processes
/// have worked, in MB and vcores times ms: starting up is no work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Toll {
    /// Containers that its AM had got and that were killed (exit code -102), those of AMs left out.
    pub killed: i64,
    /// AMs that were killed so. The containers of an attempt go with its AM.
    pub masters: i64,
    /// Containers that its AM ended, since room was asked back.
    pub given_back: i64,
    /// Work that was lost, that of AMs left out.
    pub lost: Resource,
    /// Work of containers that were given back that the AM keeps, as long as its attempt lives.
    pub saved: Resource,
    /// When the first and the last of its containers were killed so, AMs left out.
    pub killed_at: Option<(Millis, Millis)>,
    /// When an AM of it was killed last.
    pub master_at: Option<Millis>,
}

impl Toll {
    /// Did it cost anything?
    pub fn is_nothing(&self) -> bool {
        *self == Toll::default()
    }
}

impl Simulation {
    /// The ResourceManager has ended a container whose process is told to stop.
    pub(crate) fn charge(&mut self, stop: &Stop) {
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

    /// The AM of an application stops a container, since room was asked back.
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

    /// What the process of a container has done until now; of one that is being stopped that is counted already.
    fn work(&self, container: ContainerId, size: Resource) -> Resource {
        let Some(process) = self.processes.get(&container).filter(|p| !p.stopping) else { return Resource::ZERO };
        size.times(self.now.saturating_sub(process.up_at).max(0))
    }
}
