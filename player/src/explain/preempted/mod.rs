//! Preemption: what is being freed for a request, and why not more; why a container was chosen, or is not; rounds that come
//! to nothing. All of it is told from the record of a round (`preemption::Round`) and from what the journal has of those
//! before it.

mod case;
mod container;
mod cycles;
pub mod fair;
mod own;
mod room;
mod trial;
pub mod victim;
mod waiting;

pub use container::{Chosen, Story, container};
pub use cycles::{Again, Cycle, ForNothing, cycle, taken_again, taken_for};
pub use waiting::{Freeing, freeing, owed, short, waiting};
