//! Drivers of facts, by area and kind. A file here is one subject; each has `driver(kind)`.

mod arithmetic;
mod config;
mod constraints;
mod formats;
pub mod read;

use crate::conformance::Driver;

/// Who plays cases of this kind.
pub fn driver(area: &str, kind: &str) -> Option<Driver> {
    match area {
        "capacity-scheduler" => arithmetic::driver(kind).or_else(|| config::driver(kind)),
        "placement-constraints" => constraints::driver(kind),
        "formats" => formats::driver(kind),
        "trace" => crate::trace::driver(kind),
        _ => None,
    }
}
