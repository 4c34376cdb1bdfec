//! The page's end of the protocol with the engine.

pub mod desk;
pub mod link;
