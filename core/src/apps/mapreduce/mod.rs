//! MapReduce's ApplicationMaster. No scenario uses it yet.

pub mod strategy;
