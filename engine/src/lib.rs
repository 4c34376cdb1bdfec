//! The engine: [`heddle_core`] behind the page's protocol ([`heddle_view::protocol`]), in a worker of its own.

pub mod edits;
pub mod forms;
pub mod serve;

/// The gallery: name and text of each file in `scenarios/`.
pub const GALLERY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/gallery.rs"));
