//! How a run submits and plays a YARN service.

use crate::api::ClientRefusal;
use crate::apps::service::client;
use crate::apps::sim::{Known, Played};
use crate::model::{ContainerId, Resource};
use crate::scenario::{App, Scenario, ServiceApp};
use crate::sim::{Broken, Simulation};
use crate::strategy::{Master, ServiceMaster};

impl Played for ServiceApp {
    fn broken(&self, sim: &Simulation, place: usize) -> Option<Broken> {
        sim.service_disagrees(place).map(|container| Broken::Books { place, container })
    }

    fn refused_by_client(&self, scenario: &Scenario, app: &App, known: Known) -> Option<ClientRefusal> {
        let maximum = (known.maximum.memory_mb(), known.maximum.vcores());
        let site = client::Site { maximum: Some(maximum), ..client::Site::of(&scenario.settings.yarn_site) };
        let refused = client::of_components(&app.name, &self.as_written(), &site);
        refused.or_else(|| client::settings(None, &site).err().map(|fault| fault.refusal))
    }

    fn master(&self, _scenario: &Scenario, app: &App, _got: &[ContainerId], _maximum: Resource) -> Master {
        Master::Service(Box::new(ServiceMaster::new(self.plan(app.am.heartbeat, app.am.launch))))
    }
}
