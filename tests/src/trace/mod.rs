//! Traces: long scripts, played step by step on the ResourceManager and compared with what the real classes did.

use crate::conformance::Driver;

/// Who plays this kind.
pub fn driver(_kind: &str) -> Option<Driver> {
    None
}
