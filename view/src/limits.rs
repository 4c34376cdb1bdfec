//! Limits that both sides keep.

/// Bytes of one text input (a file, a paste, a scenario).
pub const TEXT_BYTES: usize = 16 << 20;
