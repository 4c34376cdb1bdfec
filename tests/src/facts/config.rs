//! Capacities, configuration errors, queue mapping, automatic creation (area capacity-scheduler).

use crate::conformance::Driver;

/// Who plays this kind.
pub fn driver(_kind: &str) -> Option<Driver> {
    None
}
