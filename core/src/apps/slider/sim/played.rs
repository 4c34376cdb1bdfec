//! What a run submits of an application of Slider, and its master.

use crate::api::ClientRefusal;
use crate::apps::sim::{Known, Played};
use crate::apps::slider::client;
use crate::model::{ContainerId, Resource};
use crate::scenario::{App, Scenario, SliderApp};
use crate::strategy::{Master, SliderMaster};

impl Played for SliderApp {
    fn refused_by_client(&self, _scenario: &Scenario, app: &App, _known: Known) -> Option<ClientRefusal> {
        client::check_name(&app.name).err().map(|why| why.refusal)
    }

    fn master(&self, _scenario: &Scenario, app: &App, _got: &[ContainerId], _maximum: Resource) -> Master {
        Master::Slider(Box::new(SliderMaster::new(self.plan(app.am.heartbeat))))
    }
}
