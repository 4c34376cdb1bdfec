//! Small components that every panel uses.

pub mod css;
pub mod csv;
pub mod dom;
pub mod focus;
pub mod hover;
pub mod icon;
pub mod mark;
pub mod names;
pub mod popover;
pub mod rich;
pub mod roving;
pub mod segment;
pub mod terms;

pub use heddle_view::format;

pub use css::{vars, watch_vars};
pub use format::{amount, count, gb, of_size, since, size, time};
pub use mark::{Mark, mark};
pub use segment::Segment;
