//! The sentences, in one place, so that one person can read all of them: templates with their cases. What goes into them
//! comes from the record of the decision; nothing is decided here. `**` marks names.
//!
//! [`limits`] and [`waits`] say why something waits, [`verdicts`] what an attempt found, [`checks`] and [`nodes`] what a
//! node lacks; [`events`] what happened, [`refused`] what was refused, [`refusals`] by which rule and what to do about it;
//! [`headline`] the one sentence over the page, [`things`] what is known of each thing, [`formulas`] how figures come
//! about, [`orders`] who is tried first; [`preemption`] who gives back what, and why not more, [`ledger`] what a round of
//! preemption found, [`shares`] how the FairScheduler divides; [`slider`] what a Slider decided and waits for, [`service`] what stands in
//! its books, [`yarn_service`] both of a YARN service, [`samza`] and [`samza_books`] both of a Samza job; [`advice`] what would help, [`runs`] what a player says of a run. The name of a
//! figure stands where the figure is given.

pub mod advice;
pub mod checks;
pub mod events;
pub mod formulas;
pub mod headline;
pub mod ledger;
pub mod limits;
pub mod nodes;
pub mod orders;
pub mod over_time;
pub mod preemption;
pub mod refusals;
pub mod refused;
pub mod runs;
pub mod samza;
pub mod samza_books;
pub mod service;
pub mod shares;
pub mod slider;
pub mod taken;
pub mod things;
pub mod verdicts;
pub mod waits;
pub mod wants;
pub mod yarn_service;

#[cfg(test)]
mod page;

pub(crate) use advice::*;
pub(crate) use limits::*;
pub(crate) use waits::*;
