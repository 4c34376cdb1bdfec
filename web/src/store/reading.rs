//! The one place where the page still reads the scenario itself: for WHAT, until its forms come from the engine.

use heddle_core::rm::Properties;
use heddle_core::scenario::{self, Scenario};
use std::rc::Rc;

/// What a text says, if it can be read.
pub fn scenario(text: &str) -> Option<Rc<Scenario>> {
    scenario::read(text).scenario.map(Rc::new)
}

/// The queues' properties that a scenario has.
pub fn queues(scenario: &Option<Rc<Scenario>>) -> Rc<Properties> {
    Rc::new(scenario.as_ref().map(|s| s.settings.capacity_scheduler.clone()).unwrap_or_default())
}
