//! Facts about the client programs (area clients): what they refuse before YARN receives an application, and what they
//! submit. Each client has a file; an oracle played the real ones and kept what they pass to YARN.

use super::shapes::ShapeRow;
use crate::conformance::compare::holds;
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::api::{ClientRefusal, ClientStage, Submitted};
use serde_json::{Value, json};

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    super::client_services::driver(kind)
        .or_else(|| super::client_shell::driver(kind))
        .or_else(|| super::client_samza::driver(kind))
        .or_else(|| super::client_slider::driver(kind))
}

/// The common keys of `submission`.
macro_rules! submission {
    ($more:literal) => {
        concat!(
            "refused{stage exception message} submission{name type queue tags priority label
            am{memory_mb vcores} max_attempts keep_containers attempt_failures_validity_ms ",
            $more
        )
    };
}

pub(super) const SHAPES: &[ShapeRow] = &[
    (
        "service",
        "text name lifetime queue conf% user files saved% maximum{memory_mb vcores} resource_types",
        submission!(
            "am_requests lifetime_s am_heap} definition_left
            service{name version queue lifetime dependencies components{name containers cpus memory
            additional%{value unit} restart_policy dependencies artifact launch_command properties%
            constraints{name type scope target_tags node_attributes% node_partitions min_cardinality max_cardinality}}}
            order asks{component form priority allocation_request_id count memory_mb vcores others% relax_locality label
            tags execution_type constraint tree*} asks_refused{stage exception message}"
        ),
    ),
    (
        "shell-client",
        "args maximum{memory_mb vcores} queues resource_types",
        submission!(
            "am_others% am_request_priority} usage master{container_type container_memory container_vcores
            num_containers priority container_resources placement_spec promote_opportunistic_after_start
            enforce_execution_type keep_containers_across_application_attempts heap}"
        ),
    ),
    ("samza-client", "text maximum{memory_mb vcores}", submission!("}")),
    (
        "slider-client",
        "resources name app_config conf% args package{name version comment components%{category min max}}",
        submission!("am_heap} definition_left components%%"),
    ),
];

/// Returns the maximum allocation in YARN's answer to a new application: memory in MB and vcores.
pub fn maximum(given: &Value) -> (i64, i64) {
    let of = |key: &str, otherwise: i64| given["maximum"][key].as_i64().unwrap_or(otherwise);
    (of("memory_mb", 8192), of("vcores", 4))
}

/// Returns a refusal in the oracle's form.
pub fn refusal(why: &ClientRefusal) -> Value {
    let stage = match why.stage {
        ClientStage::Read => "read",
        ClientStage::Check => "check",
        ClientStage::Submit => "submit",
    };
    json!({ "stage": stage, "exception": why.exception, "message": first_line(&why.message) })
}

/// Returns the part of a message that the oracle keeps.
pub fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default().trim()
}

/// Returns the common keys of a submission.
pub fn submitted(s: &Submitted) -> Value {
    json!({
        "name": s.name, "type": s.kind, "queue": s.queue, "tags": s.tags, "priority": s.priority, "label": s.label,
        "am": { "memory_mb": s.am.0, "vcores": s.am.1 }, "max_attempts": s.max_attempts,
        "keep_containers": s.keep_containers, "attempt_failures_validity_ms": s.attempt_failures_validity_ms,
    })
}

/// Compares in both directions: nothing is missing, and nothing is there that the real client does not do.
pub fn alike(case: &Case, got: &Value) -> Outcome {
    holds(&case.expect, got).and_then(|()| holds(got, &case.expect).map_err(|d| d.inside("more than expected"))).into()
}
