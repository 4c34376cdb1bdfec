//! What a run submits of a Samza job, and its master.

use crate::api::ClientRefusal;
use crate::apps::sim::Played;
use crate::model::{ContainerId, Resource};
use crate::scenario::{App, SamzaApp, Scenario};
use crate::strategy::{Master, SamzaMaster};

impl Played for SamzaApp {
    fn submitted_name(&self, app: &App, maximum: Resource) -> Result<String, ClientRefusal> {
        SamzaApp::submitted_name(self, app, maximum)
    }

    fn master(&self, _scenario: &Scenario, app: &App, _got: &[ContainerId], _maximum: Resource) -> Master {
        Master::Samza(Box::new(SamzaMaster::new(self.plan(app.am.heartbeat))))
    }
}
