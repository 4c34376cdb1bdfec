//! The scenario: its types, its text form (TOML), edits of the text, the link codec, the fingerprint.
//!
//! The text is the source of truth, and nothing that was typed is ever lost: a form's edit changes the text around the
//! user's comments, undo is a list of texts, and a link holds the text.

pub mod anonymise;
pub mod application;
pub mod document;
pub mod edit;
pub mod expect;
pub mod files;
pub mod happening;
pub mod link;
pub mod notation;
pub mod pasted;
pub mod read;
pub mod settings_check;
pub mod units;
pub mod words;
pub mod world;

pub use crate::apps::scenario::described::*;
pub use application::{
    Am, App, AppNow, Ask, Call, ConstraintText, ContainerNow, Shell, SpecText, TaggedAsk, TaggedConstraint, TaskGroup,
};
pub use document::{
    Because, Caption, Card, FileText, Mode, Node, Origin, Origins, Phases, Release, Scenario, Scheduling, Timing,
};
pub use expect::{Compare, Condition, Expectation, Figure, Subject, Wanted, When, Words};
pub use happening::{Act, AttributeChange, Happening};
pub use read::{ACTS, Read, read, weight};
pub use world::World;
