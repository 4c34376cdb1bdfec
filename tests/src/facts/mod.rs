//! Drivers of facts, by area and kind. A file here is one subject; each has `driver(kind)`.

mod arithmetic;
mod capacity_queue;
mod capacity_rules;
mod capacity_scenario;
mod capacity_world;
mod config;
mod configuration_text;
mod constraint_runs;
mod constraints;
mod fair;
mod formats;
mod lifecycles;
pub mod read;

use crate::conformance::Driver;

/// Who plays cases of this kind.
pub fn driver(area: &str, kind: &str) -> Option<Driver> {
    match area {
        "capacity-scheduler" => arithmetic::driver(kind)
            .or_else(|| config::driver(kind))
            .or_else(|| capacity_queue::driver(kind))
            .or_else(|| capacity_rules::driver(kind))
            .or_else(|| capacity_scenario::driver(kind)),
        "placement-constraints" => constraints::driver(kind).or_else(|| constraint_runs::driver(kind)),
        "fair-scheduler" => fair::driver(kind),
        "formats" => configuration_text::driver(kind).or_else(|| formats::driver(kind)),
        "lifecycles" => lifecycles::driver(kind),
        "trace" => crate::trace::driver(kind),
        _ => None,
    }
}
