//! How a run submits and plays a Samza job.

use crate::api::ClientRefusal;
use crate::apps::scenario::Changed;
use crate::apps::sim::Played;
use crate::model::{ContainerId, NodeId, Resource};
use crate::scenario::{App, SamzaApp, Scenario};
use crate::sim::{Broken, Simulation};
use crate::strategy::{Master, SamzaMaster, Store};

impl Played for SamzaApp {
    fn before(&self, sim: &mut Simulation, place: usize) {
        sim.samza_before(place);
    }

    fn changed(&self, app: &App, store: &Store) -> Option<App> {
        let text = self.plan(0).properties(store);
        (text != self.properties).then(|| self.with_file(app, &text))
    }

    fn change(&self, sim: &mut Simulation, place: usize, changed: &Changed) {
        sim.change_job(place, &changed.samza);
    }

    fn launched(&self, sim: &mut Simulation, place: usize, container: ContainerId, node: NodeId) {
        sim.samza_launched(place, container, node);
    }

    fn is_stopped_by_yarn(&self) -> bool {
        true
    }

    fn broken(&self, sim: &Simulation, place: usize) -> Option<Broken> {
        let disagrees = sim.samza_disagrees(place).map(|container| Broken::Books { place, container });
        disagrees.or_else(|| sim.samza_shares(place).map(|_| Broken::Shares { place }))
    }

    fn submitted_name(&self, app: &App, maximum: Resource) -> Result<String, ClientRefusal> {
        SamzaApp::submitted_name(self, app, maximum)
    }

    fn master(&self, _scenario: &Scenario, app: &App, _got: &[ContainerId], _maximum: Resource) -> Master {
        Master::Samza(Box::new(SamzaMaster::new(self.plan(app.am.heartbeat))))
    }
}
