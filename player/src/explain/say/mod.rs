//! The sentences, in one place, so that one person can read them all: templates with their cases. Their arguments come from the
//! record of the decision; nothing is decided here. `**` marks names.
//!
//! [`limits`] and [`waits`] say why something waits, [`verdicts`] what an attempt found, [`checks`] and [`nodes`] what a node
//! lacks; [`events`] what happened, [`refused`] what was refused, [`refusals`] by which rule and what would help; [`headline`]
//! the one sentence at the top of the page, [`landing`] which rule chose a queue, [`things`] what is known about each thing,
//! [`formulas`] how figures come about, [`orders`] who is tried first; [`preemption`] who gives what to whom, and why not more,
//! [`ledger`] what a preemption round found, [`shares`] how the FairScheduler divides, [`stories`] what matters most at a moment; [`books`] the words on the internal
//! state of all kinds of applications; a kind's other sentences are in [`crate::apps`]; [`advice`] what would help, [`runs`]
//! what a player says about a run. The name of a figure is given with the figure.

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
pub mod stories;
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
