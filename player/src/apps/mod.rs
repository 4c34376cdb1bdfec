//! What the player tells of the kinds of applications that have more to tell than their requests, a folder each, as in the core.
//!
//! Each part of a kind belongs to the layer by whose name it goes: `say` has its sentences, `waits` why something of it waits, `shown` what
//! stands in its books. No kind uses another one.

pub mod samza;
pub mod service;
pub mod slider;
