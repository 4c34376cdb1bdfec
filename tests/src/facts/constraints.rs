//! Placement constraints: parser, evaluation, tags, placement algorithm (area placement-constraints).

use crate::conformance::Driver;

/// Who plays this kind.
pub fn driver(_kind: &str) -> Option<Driver> {
    None
}
