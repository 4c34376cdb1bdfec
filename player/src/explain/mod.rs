//! Questions about scenario, state and journal, and the plain data of their answers.
//!
//! [`view`] is what the page, the command line and the JavaScript API show; nothing in it is guessed afterwards: numbers and
//! reasons come from the state and from what the deciding code recorded. [`waits`] answers why something waits, [`happened`]
//! what happened or was refused, [`shown`] what is there; [`say`] has the sentences of all three.

pub mod happened;
pub mod names;
pub mod preempted;
pub mod say;
pub mod shown;
pub mod waits;
pub mod words;

pub use happened::{absent, events, marks, refusal};
pub use heddle_view as view;
pub use names::Names;
pub use say::verdicts;
pub use shown::{fair, formulas, headline, landing, ledger, orders, origin, snapshot, things};
pub use waits::{
    away, chain, checks, full, looks, over_time, record, request, stop, story, taken, unheeded, waiting, wants,
};
