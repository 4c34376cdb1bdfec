//! The simulation: the only owner of time. Around one ResourceManager it plays the NodeManagers, the
//! ApplicationMasters and the happenings of a scenario, one event a step (lifecycles-and-timing.md 2).
//!
//! Dispatch inside the ResourceManager and calls take no time; what is simultaneous happens in the order of 2.5.
//! Not modelled: opportunistic containers, local relaunch on nodes, restarts of the ResourceManager, silent
//! ApplicationMasters on living nodes (an AM dies with its node or its process).

pub(crate) mod act;
mod ams;
mod calls;
mod fair;
#[cfg(test)]
mod fair_tests;
#[cfg(test)]
pub(crate) mod fixtures;
mod idle;
mod invariants;
#[cfg(test)]
mod load_tests;
mod machine;
mod monitors;
mod nested;
pub mod nm_container;
mod nodes;
#[cfg(test)]
mod pending_tests;
#[cfg(test)]
mod preempting_tests;
pub mod present;
pub(crate) mod queue;
mod run;
mod toll;
mod users;
mod walk;
mod wants;

pub use crate::apps::sim::shown::*;
pub use invariants::{Broken, INVARIANTS};
pub use machine::{Machine, Process};
pub use monitors::{Monitor, Round};
pub use queue::{Event, EventQueue};
pub use run::{AppRun, Ended, Got, Notice, Simulation, Stepped, Tried, TriedOutcome};
pub use toll::PreemptionCost;
