//! Drivers of facts, by area and kind. Each file covers one subject and has `driver(kind)`.

mod arithmetic;
mod capacity_figures;
mod capacity_leaf;
mod capacity_queue;
mod capacity_rules;
mod capacity_scenario;
mod capacity_world;
mod client_samza;
mod client_services;
mod client_shell;
mod client_slider;
pub mod clients;
mod config;
mod configuration_text;
mod constraint_batch;
mod constraint_end_to_end;
mod constraint_lab;
mod constraint_levels;
mod constraint_runs;
mod constraints;
mod fair;
mod fair_asks;
mod fair_parts;
mod fair_preemption;
mod fair_scenario;
mod life_client;
mod life_mapreduce;
mod life_nodes;
mod life_shapes;
mod life_states;
mod lifecycles;
pub mod lines;
mod preemption;
mod preemption_round;
pub mod read;
mod rest_queue;
mod samza;
mod samza_actions;
mod samza_job;
mod samza_lab;
mod samza_shapes;
mod samza_state;
mod shape;
mod shapes;
mod slider;
mod slider_files;
mod slider_judge;
mod slider_lab;
mod slider_shapes;
mod slider_tracker;
mod workloads;

use crate::conformance::{Case, Driver};

/// Returns the driver for a kind of cases.
pub fn driver(area: &str, kind: &str) -> Option<Driver> {
    match area {
        "capacity-scheduler" => arithmetic::driver(kind)
            .or_else(|| config::driver(kind))
            .or_else(|| capacity_queue::driver(kind))
            .or_else(|| capacity_rules::driver(kind))
            .or_else(|| capacity_scenario::driver(kind))
            .or_else(|| capacity_leaf::driver(kind)),
        "placement-constraints" => constraints::driver(kind)
            .or_else(|| constraint_levels::driver(kind))
            .or_else(|| constraint_batch::driver(kind))
            .or_else(|| constraint_runs::driver(kind))
            .or_else(|| constraint_end_to_end::driver(kind)),
        "fair-scheduler" => fair::driver(kind)
            .or_else(|| fair_asks::driver(kind))
            .or_else(|| fair_parts::driver(kind))
            .or_else(|| fair_scenario::driver(kind)),
        "formats" => configuration_text::driver(kind)
            .or_else(|| lines::driver(kind))
            .or_else(|| rest_queue::driver(kind))
            .or_else(|| workloads::driver(kind)),
        "slider" => slider::driver(kind)
            .or_else(|| slider_files::driver(kind))
            .or_else(|| slider_lab::driver(kind))
            .or_else(|| slider_tracker::driver(kind)),
        "samza" => samza::driver(kind)
            .or_else(|| samza_actions::driver(kind))
            .or_else(|| samza_job::driver(kind))
            .or_else(|| samza_state::driver(kind)),
        "clients" => clients::driver(kind),
        "lifecycles" => lifecycles::driver(kind)
            .or_else(|| life_client::driver(kind))
            .or_else(|| life_mapreduce::driver(kind))
            .or_else(|| life_nodes::driver(kind))
            .or_else(|| life_states::driver(kind)),
        "preemption" => preemption::driver(kind)
            .or_else(|| preemption_round::driver(kind))
            .or_else(|| fair_preemption::driver(kind)),
        "trace" | "dump" => crate::trace::driver(kind),
        _ => None,
    }
}

/// Returns the first key of a case that the drivers of its area do not know, as a path. (`None` for areas whose keys are
/// not all known yet.)
pub fn unknown_key(area: &str, case: &Case) -> Option<String> {
    let (given, expect) = shapes::of(area, &case.kind)?;
    let mut inputs = case.given.clone();
    if let Some(inputs) = inputs.as_object_mut() {
        for name in ["kind", "op"] {
            if inputs.get(name).and_then(serde_json::Value::as_str) == Some(&case.kind) {
                inputs.shift_remove(name);
            }
        }
    }
    let given = shape::unknown(given, &inputs).map(|path| format!("given.{path}"));
    given.or_else(|| shape::unknown(expect, &case.expect).map(|path| format!("expect.{path}")))
}
