//! The sentences, in one place, so that one person can read all of them: templates with their cases. What goes into them
//! comes from the record of the decision; nothing is decided here. `**` marks names.
//!
//! [`limits`] and [`waits`] say why something waits, [`verdicts`] what an attempt found, [`checks`] and [`nodes`] what a
//! node lacks; [`events`] what happened, [`refused`] what was refused, [`refusals`] by which rule and what to do about it;
//! [`headline`] the one sentence over the page, [`landing`] which rule chose a queue, [`things`] what is known of each thing, [`formulas`] how figures come
//! about, [`orders`] who is tried first; [`preemption`] who gives back what, and why not more, [`ledger`] what a round of
//! preemption found, [`shares`] how the FairScheduler divides; [`books`] what the books of
//! all kinds of applications have in common; the rest of a kind is in [`crate::apps`]; [`advice`] what would help, [`runs`] what a player says of a run. The name of a
//! figure stands where the figure is given.

pub mod advice;
pub mod books;
pub mod checks;
pub mod events;
pub mod formulas;
pub mod headline;
pub mod landing;
pub mod ledger;
pub mod limits;
pub mod nodes;
pub mod orders;
pub mod over_time;
pub mod preemption;
pub mod refusals;
pub mod refused;
pub mod runs;
pub mod shares;
pub mod taken;
pub mod things;
pub mod verdicts;
pub mod waits;
pub mod wants;

#[cfg(test)]
pub(crate) mod page;

pub(crate) use advice::*;
pub(crate) use limits::*;
pub(crate) use waits::*;
