//! The plain data that the engine returns and the page draws, and the [`protocol`] between the two. This crate knows no
//! scheduler and computes nothing, except for a file's encoding ([`encoding`]), secrets in texts ([`secrets`]), and
//! right-to-left names ([`bidi`]).
//!
//! Units: memory in MiB, times in milliseconds of simulated time. Every text is finished English except `yarn` fields,
//! which hold YARN's own words.

pub mod bidi;
mod card_picture;
mod document;
mod edit;
pub mod encoding;
mod expectation;
pub mod form;
pub mod format;
mod import;
mod ledger;
pub mod limits;
mod picture;
mod problem;
pub mod protocol;
pub mod secrets;
mod selection;
mod stories;
mod why;
mod wish;
mod worlds;

pub use card_picture::*;
pub use document::*;
pub use edit::*;
pub use expectation::ExpectationView;
pub use form::Form;
pub use import::*;
pub use ledger::*;
pub use picture::*;
pub use problem::{CappedProblems, Lines, Problem, Severity, Span};
pub use selection::Selection;
pub use stories::*;
pub use why::*;
pub use wish::HostRequestView;
pub use worlds::*;
