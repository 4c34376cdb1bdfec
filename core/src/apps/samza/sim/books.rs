//! Invariants of Samza jobs, which hold after every event.

use super::StoreKey;
use crate::apps::samza::strategy::job::Mode;
use crate::model::ContainerId;
use crate::scheduler::ContainerState;
use crate::sim::Simulation;
use std::collections::{BTreeMap, BTreeSet};

impl Simulation {
    /// Returns a container that YARN gives a Samza job and that the job does not know, or that the job holds although it is
    /// gone. Containers that YARN has granted or ended but not reported yet do not count, nor do those that only an earlier
    /// attempt knew.
    pub fn samza_disagrees(&self, place: usize) -> Option<ContainerId> {
        let attempt = self.samza(place)?.attempt()?;
        // The job need not know containers of an earlier attempt.
        let knows = |id: ContainerId| id.attempt != self.apps[place].attempt || attempt.knows(id);
        self.disagrees(place, knows, || attempt.samza().running().values().map(|x| x.container))
    }

    /// Returns a task that two containers of a job have, or that two processes work on; or a processor of no job; or a store on
    /// a disk that two processes work on.
    pub fn samza_shares(&self, place: usize) -> Option<String> {
        let master = self.samza(place)?;
        let samza = master.attempt()?.samza();
        let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
        for (id, container) in &master.model().containers {
            for (task, _) in container.tasks.iter().filter(|(_, t)| t.mode == Mode::Active) {
                if owners.insert(task, id).is_some() {
                    return Some(task.clone());
                }
            }
        }
        let unknown = samza.running().keys().find(|p| !master.model().containers.contains_key(*p));
        if let Some(processor) = unknown {
            return Some(processor.clone());
        }
        let mut claimed: BTreeSet<(&str, &StoreKey)> = BTreeSet::new();
        let mut active: BTreeSet<&str> = BTreeSet::new();
        for (container, process) in self.kinds.samza.processes.iter().filter(|(_, p)| p.app == place) {
            let live = self.rm().container(*container).is_some_and(|c| c.state == ContainerState::Running);
            let goes = self.processes.get(container).is_none_or(|p| p.stopping);
            if !live || goes {
                continue;
            }
            if !active.insert(&process.processor) {
                return Some(process.processor.clone());
            }
            for held in process.stores.iter().filter(|_| process.kept) {
                if !claimed.insert((&process.host, &held.place)) {
                    return Some(held.place.task.clone());
                }
            }
        }
        None
    }
}
