//! What is shown: the picture of a moment, its headline, and what is known about each thing in it.

pub mod books;
pub mod fair;
pub mod formulas;
pub mod headline;
pub mod landing;
pub mod ledger;
pub mod orders;
pub mod origin;
pub mod snapshot;
pub mod things;

pub use snapshot::snapshot;
