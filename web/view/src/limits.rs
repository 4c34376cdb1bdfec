//! Limits that both sides keep.

/// Bytes of one text input (a file, a paste, a scenario).
pub const TEXT_BYTES: usize = 16 << 20;

/// Problems of one text that are listed; of the others their number is told.
pub const PROBLEMS: usize = 100;
