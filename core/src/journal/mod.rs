//! What was decided, as typed data, and who listens.
//!
//! The code that takes a decision records its reason here, so an explanation can never disagree with the decision.
//! Whether anything is recorded is a type parameter: with [`Silent`] the same code runs at full speed.

mod entry;
mod fingerprint;
mod folded;

pub use entry::*;
pub use fingerprint::Fingerprinted;
pub use folded::{Fold, Folded};

use crate::model::Millis;

/// Hears of decisions. `ON` is false for recorders that keep nothing: what is costly to build is built only when
/// it is true.
pub trait Recorder {
    /// Does this recorder want reasons?
    const ON: bool;

    /// Keeps an entry.
    fn keep(&mut self, at: Millis, entry: Entry);

    /// Records what `make` gives, which is only called when somebody listens.
    #[inline]
    fn note(&mut self, at: Millis, make: impl FnOnce() -> Entry) {
        if Self::ON {
            self.keep(at, make());
        }
    }
}

/// Keeps nothing; compiles away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Recorder for Silent {
    const ON: bool = false;
    fn keep(&mut self, _at: Millis, _entry: Entry) {}
}

/// Keeps everything, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Full {
    /// When, and what.
    pub entries: Vec<(Millis, Entry)>,
}

impl Recorder for Full {
    const ON: bool = true;
    fn keep(&mut self, at: Millis, entry: Entry) {
        self.entries.push((at, entry));
    }
}
