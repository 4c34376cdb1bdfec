//! What was decided, as typed data, and who listens.
//!
//! The code that takes a decision records its reason here, so an explanation can never disagree with the decision.
//! Whether anything is recorded is a type parameter: with [`Silent`] the same code runs at full speed.

/// Hears of decisions. `ON` is false for recorders that keep nothing: what is costly to build is built only when
/// it is true.
pub trait Recorder {
    /// Does this recorder want reasons?
    const ON: bool;
}

/// Keeps nothing; compiles away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Recorder for Silent {
    const ON: bool = false;
}
