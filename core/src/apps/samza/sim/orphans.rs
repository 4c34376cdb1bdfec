//! The clean-up of unused stores, a separate service on each host (samza-host-affinity.md 15.6).

use super::{StoreKey, stores};
use crate::apps::samza::journal::Decision;
use crate::apps::samza::strategy::state::monitor::CleanUp;
use crate::journal::{MasterAct, Recorder, SamzaAct};
use crate::scenario::SamzaApp;
use crate::sim::Simulation;
use crate::sim::queue::Event;
use std::collections::BTreeMap;

/// The host where each store of a job's tasks is in use, by its place on disks.
type Uses = BTreeMap<StoreKey, Option<String>>;

impl Simulation {
    /// Schedules the first round, if there are rounds.
    pub(crate) fn plan_clean_up(&mut self) {
        if let Some(every) = self.scenario.shared.samza.clean_up {
            self.queue.add(self.now.saturating_add(every.max(1)), Event::CleanUp);
        }
    }

    /// Runs one round on all hosts.
    pub(crate) fn clean_up<R: Recorder>(&mut self, rec: &mut R) {
        self.plan_clean_up();
        let (now, scenario) = (self.now, self.scenario.clone());
        for container in self.kinds.samza.processes.keys().copied().collect::<Vec<_>>() {
            self.kinds.samza.commit(container, now, false);
        }
        let jobs =
            scenario.apps.iter().enumerate().filter_map(|(place, app)| Some((place, app.kind.get::<SamzaApp>()?)));
        let jobs: Vec<(usize, String, bool, Uses)> = jobs.map(|(place, app)| self.uses(place, app)).collect();
        let of = |job: &str| jobs.iter().find(|(_, name, ..)| name == job);
        for host in self.kinds.samza.disks.hosts() {
            let used = |place: &StoreKey| match of(&place.job) {
                Some((_, _, started, uses)) => {
                    let known = uses.get(place);
                    (*started, known.is_some(), known.is_some_and(|at| at.as_deref() == Some(host.as_str())))
                }
                None => (false, false, false),
            };
            for (place, what) in self.kinds.samza.disks.clean_up(&host, used, now, scenario.shared.samza.offset_ttl) {
                let id = of(&place.job).and_then(|(i, ..)| self.apps[*i].id);
                let age = match what {
                    CleanUp::OffsetFile(age) => Some(age),
                    CleanUp::Directory => None,
                    CleanUp::InUse | CleanUp::Fresh(_) => continue,
                };
                let Some(app) = id.filter(|_| rec.on()) else { continue };
                let (store, task) = (place.store.as_str().into(), place.task.as_str().into());
                let decision = Decision::CleanedUp { host: host.clone(), store, task, age };
                let act = SamzaAct { app, processor: None, key: None, decision };
                rec.keep(now, MasterAct::Samza(Box::new(act)).into());
            }
        }
    }

    /// Returns a job's name on disks, whether it runs, and the hosts where its stores belong.
    fn uses(&self, place: usize, app: &SamzaApp) -> (usize, String, bool, Uses) {
        let settings = app.plan(0).settings(&self.apps[place].store);
        let mut out = Uses::new();
        if let Some(master) = self.samza(place) {
            let stream = self.coordinator_stream(place);
            for processor in master.model().containers.keys() {
                let host = stream.last_host(processor).map(String::from);
                for held in stores(app, &settings, master.model(), processor) {
                    // A replica's copy has the same directory on another host: the task's host is the active container's.
                    let active = !crate::apps::samza::strategy::job::standby::is_standby(processor);
                    if active || !out.contains_key(&held.place) {
                        out.insert(held.place, host.clone());
                    }
                }
            }
        }
        (place, settings.directory(), self.samza(place).is_some(), out)
    }
}
