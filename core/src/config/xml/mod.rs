//! Hadoop's configuration XML, with positions (formats.md section 1 and 10).
//!
//! [`markup`] reads XML as far as configuration files need it, without entities, DTD or anything fetched, iteratively
//! and within limits. [`document`] takes the properties out of it as Hadoop's `Configuration` does and says what it
//! would pass over silently. [`edit`] changes single values and leaves every other byte alone.

pub mod document;
pub mod edit;
pub mod markup;

pub use document::{Document, Effective, Entry, Include, Item, Origin, effective, read};
pub use edit::{escape, remove, set, write};
