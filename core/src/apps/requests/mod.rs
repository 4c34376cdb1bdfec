//! Allocate calls at given times.

pub mod strategy;
