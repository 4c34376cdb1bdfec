//! How the tests of ApplicationMasters in a simulation begin and go on.

use super::Simulation;
use crate::journal::Full;
use crate::scenario::read;
use std::sync::Arc;

/// One queue, and a node of its own for ApplicationMasters.
pub const GATE: &str = r#"[capacity-scheduler]
maximum-am-resource-percent = 0.9
root.queues = "default"
root.default.capacity = 100
[[nodes]]
name = "gate"
size = "2 GB/8""#;

/// What happens at a time, as a scenario says it.
pub fn happens(at: &str, what: &str) -> String {
    format!("[[happenings]]\nat = \"{at}\"\n{what}\n")
}

/// A run and all that was recorded of it.
pub struct Played {
    pub sim: Simulation,
    pub journal: Full,
}

impl Played {
    pub fn of(text: &str) -> Self {
        let read = read(text);
        let scenario = read.scenario.unwrap_or_else(|| panic!("{:#?}", read.problems));
        let sim = Simulation::new(Arc::new(scenario)).expect("it starts");
        Played { sim, journal: Full::default() }
    }

    /// Goes on to this second; every invariant holds after every event.
    pub fn to(&mut self, second: i64) -> &mut Self {
        while self.sim.next_at().is_some_and(|at| at <= second * 1000) {
            self.sim.step(&mut self.journal);
            assert_eq!(self.sim.check(), None, "at {}", self.sim.now());
        }
        self
    }
}
