//! How a run submits and plays an application of Slider.

use crate::api::ClientRefusal;
use crate::apps::sim::{Known, Played};
use crate::apps::slider::client;
use crate::apps::slider::strategy::master::put_history;
use crate::model::{ContainerId, Resource};
use crate::scenario::{App, Scenario, SliderApp};
use crate::sim::{Broken, Simulation};
use crate::strategy::{Master, SliderMaster};

impl Played for SliderApp {
    fn before(&self, sim: &mut Simulation, place: usize) {
        for file in &self.history {
            put_history(&mut sim.apps[place].store, &file.name, file.text.as_str());
        }
    }

    fn broken(&self, sim: &Simulation, place: usize) -> Option<Broken> {
        let strange = sim.slider_disagrees(place).map(|container| Broken::Books { place, container });
        let counts = || sim.slider_miscounts(place);
        strange.or_else(|| counts().map(|(id, sum, books)| Broken::Component { place, id, sum, books }))
    }

    fn refused_by_client(&self, _scenario: &Scenario, app: &App, _known: Known) -> Option<ClientRefusal> {
        client::check_name(&app.name).err().map(|why| why.refusal)
    }

    fn master(&self, _scenario: &Scenario, app: &App, _got: &[ContainerId], _maximum: Resource) -> Master {
        Master::Slider(Box::new(SliderMaster::new(self.plan(app.am.heartbeat))))
    }
}
