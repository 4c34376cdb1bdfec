//! The state machines of applications and attempts, event by event (RMAppImpl, RMAppAttemptImpl;
//! lifecycles-and-timing.md 1.1, 1.2): plain transitions without any effect. The ResourceManager confirms at once
//! whatever they save, since its state store takes no time.

mod application;
mod attempt;

pub use application::{AppEvent, AppNeeds, AppStep};
pub use attempt::{AttemptEvent, AttemptStep};

/// The final state that is being saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Finishing,
    Finished,
    Failed,
    Killed,
}

#[cfg(test)]
mod tests;
