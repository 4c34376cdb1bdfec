//! Preemption: what is being freed for a request, and why not more; why a container was chosen, or is not; rounds without
//! effect. All of it comes from the record of a round (`preemption::Round`) and from the journal's entries about earlier ones.

mod case;
mod container;
mod cycles;
pub mod fair;
mod own;
mod room;
mod trial;
pub mod victim;
mod waiting;

pub use container::{Chosen, PreemptionHistory, container};
pub use cycles::{Cycle, Retaker, UnusedKills, cycle, taken_again, taken_for};
pub use waiting::{Freeing, freeing, owed, short, waiting};
