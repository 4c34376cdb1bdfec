//! Questions asked of scenario, state and journal, and the plain data in which they are answered.
//!
//! [`view`] is what the page, the command line and the JavaScript API show; nothing in it is re-guessed: numbers
//! and reasons come from the state and from what the deciding code recorded.

pub mod absent;
pub mod cause;
pub mod chain;
pub mod checks;
pub mod events;
pub mod fair;
pub mod formulas;
pub mod headline;
pub mod looks;
pub mod names;
mod on_nodes;
pub mod orders;
pub mod record;
pub mod refusal;
pub mod request;
pub mod say;
pub mod snapshot;
pub mod things;
pub mod waiting;
pub mod words;

pub use heddle_view as view;
pub use names::Names;
pub use say::verdicts;
pub use snapshot::snapshot;
