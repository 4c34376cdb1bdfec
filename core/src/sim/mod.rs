//! The simulation: the only owner of time. Around one ResourceManager it plays the NodeManagers, the
//! ApplicationMasters and the happenings of a scenario, one event a step (lifecycles-and-timing.md 2).
//!
//! Dispatch inside the ResourceManager and calls take no time; what is simultaneous happens in the order of 2.5.
//! Not modelled: opportunistic containers, local relaunch on nodes, restarts of the ResourceManager, silent
//! ApplicationMasters on living nodes (an AM dies with its node or its process).

mod act;
mod ams;
mod calls;
mod fair;
#[cfg(test)]
mod fair_tests;
#[cfg(test)]
mod fixtures;
mod idle;
mod invariants;
#[cfg(test)]
mod load_tests;
mod machine;
mod masters;
mod monitors;
mod nested;
pub mod nm_container;
mod nodes;
#[cfg(test)]
mod pending_tests;
#[cfg(test)]
mod preempting_tests;
mod queue;
mod run;
mod samza;
mod service;
mod slider;
mod toll;
mod walk;
mod wants;

pub use invariants::{Broken, INVARIANTS};
pub use machine::{Machine, Process};
pub use monitors::{Monitor, Round};
pub use queue::{Event, EventQueue};
pub use run::{AppRun, Ended, Got, Notice, Outcome, Simulation, Stepped, Tried};
pub use samza::{Phase, Room, SamzaProcess, SamzaState, Told};
pub use toll::Toll;
