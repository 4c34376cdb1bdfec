//! Limits shared by page and engine.

/// The maximum size of a text input in bytes (a file, a paste, a scenario).
pub const TEXT_BYTES: usize = 16 << 20;

/// The maximum number of problems listed for a text; the others are counted.
pub const PROBLEMS: usize = 100;

/// The maximum number of texts that are imported at once.
pub const IMPORT_TEXTS: usize = 20_000;

/// The maximum depth of folders that are imported.
pub const FOLDERS: usize = 32;
