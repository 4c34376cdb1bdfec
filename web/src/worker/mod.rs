//! The engine runs in a thread of its own; the page never waits for it.

pub mod link;
