//! What happened, what was refused, and what is not there.

pub mod absent;
pub mod events;
pub mod marks;
pub mod refusal;
