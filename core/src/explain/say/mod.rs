//! The sentences, in one place, so that one person can read all of them: templates with their cases. What goes into them
//! comes from the record of the decision; nothing is decided here. `**` marks names.
//!
//! [`limits`] and [`waits`] say why something waits, [`verdicts`] what an attempt found, [`checks`] what a node lacks,
//! [`events`] what happened, [`refusals`] what was refused and what to do about it, [`headline`] the one sentence over the
//! page, [`advice`] what would help.

pub mod advice;
pub mod checks;
pub mod events;
pub mod headline;
pub mod limits;
pub mod refusals;
pub mod verdicts;
pub mod waits;

pub(crate) use advice::*;
pub(crate) use limits::*;
pub(crate) use waits::*;
