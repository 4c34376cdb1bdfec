//! The engine: [`heddle_core`] behind the page's protocol ([`heddle_view::protocol`]), in a worker of its own.

pub mod apps;
pub mod document;
pub mod edits;
pub mod forms;
pub mod serve;
pub mod server;
