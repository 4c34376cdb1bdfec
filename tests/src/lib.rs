//! The conformance runner: plays facts and traces of the real systems on the core and compares.
//!
//! [`conformance`] reads files, hands each case to its driver and reports; [`facts`] holds the drivers of small
//! cases by area and kind; [`trace`] plays the long scripts on the ResourceManager.

pub mod bench;
pub mod conformance;
pub mod constrained;
pub mod facts;
pub mod limits;
pub mod memory;
pub mod preempting;
pub mod project;
pub mod prove;
pub mod speed;
pub mod trace;
