//! Hadoop's configuration XML, with positions (formats.md section 1 and 10).
//!
//! [`markup`] parses XML as far as configuration files need it, without entities, DTD or fetching, iteratively and
//! within limits. [`document`] extracts the properties as Hadoop's `Configuration` does and reports what Hadoop would
//! silently ignore. [`edit`] changes single values and leaves every other byte alone.

pub mod document;
pub mod edit;
pub mod markup;

pub use document::{Document, Effective, Include, Item, Origin, XmlProperty, effective, read};
pub use edit::{escape, remove, set, write};
