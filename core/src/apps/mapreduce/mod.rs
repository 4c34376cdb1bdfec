//! MapReduce's ApplicationMaster. No scenario plays it yet.

pub mod strategy;
