//! Workloads of simulators (area formats, kinds sls_nodes, sls_generate_nodes, sls_rack_host, synth_sample, dynoyarn).

use super::read::{int, list, text};
use crate::conformance::compare::holds;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::api::rack_and_host;
use heddle_core::import::workloads::{Job, Runs, Stage, TraceNode, dynoyarn, sls, synth};
use heddle_core::scenario::units::Size;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "sls_nodes" => sls_nodes,
        "sls_generate_nodes" => sls_generate_nodes,
        "sls_rack_host" => sls_rack_host,
        "synth_sample" => synth_sample,
        "dynoyarn" => dynoyarn,
        _ => return None,
    })
}

/// Any seed must work.
const SEED: u64 = 1;

fn sls_nodes(case: &Case) -> Outcome {
    let (memory, vcores) = (int(&case.given["default_memory_mb"]), int(&case.given["default_vcores"]));
    let shown = |node: TraceNode| {
        let labels: Vec<Value> = node.labels.iter().map(|l| json!([l.name, l.exclusive])).collect();
        let value = json!({
            "memory_mb": node.size.memory_mb.unwrap_or(memory),
            "vcores": node.size.vcores.unwrap_or(vcores),
            "labels": if labels.is_empty() { Value::Null } else { Value::Array(labels) },
        });
        (format!("{}/{}", node.rack, node.host), value)
    };
    let nodes: Map<String, Value> = sls::nodes_of(text(&case.given["text"])).into_iter().map(shown).collect();
    holds(&case.expect, &json!({ "nodes": nodes })).into()
}

fn sls_generate_nodes(case: &Case) -> Outcome {
    let nodes = sls::generate(int(&case.given["num_nodes"]), int(&case.given["num_racks"]));
    let racks: BTreeSet<&str> = nodes.iter().map(|node| node.rack.as_str()).collect();
    holds(&case.expect, &json!({ "nodes": nodes.len(), "racks": racks.len() })).into()
}

fn sls_rack_host(case: &Case) -> Outcome {
    let (rack, host) = rack_and_host(text(&case.given["text"]));
    holds(&case.expect, &json!({ "rack": rack, "host": host })).into()
}

fn synth_sample(case: &Case) -> Outcome {
    let drawn = synth::drawn(text(&case.given["text"]), SEED);
    if case.expect.get("error").is_some() {
        return holds(&case.expect, &json!({ "error": drawn.is_err() })).into();
    }
    let value = match drawn {
        Ok(value) => value,
        Err(why) => return Outcome::Failed(Difference::new("", &case.expect, why.what)),
    };
    let nearest = (value + 0.5).floor() as i64;
    for (kind, wanted) in case.expect.as_object().into_iter().flatten() {
        let float = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
        let holds = match kind.as_str() {
            "between" => value > float(&wanted[0]) && value < float(&wanted[1]),
            "one_of" => list(wanted).iter().any(|one| one.as_i64() == Some(nearest)),
            "int" => wanted.as_i64() == Some(nearest),
            _ => false,
        };
        if !holds {
            return Outcome::Failed(Difference::new(kind.as_str(), wanted, value));
        }
    }
    Outcome::Passed
}

fn amounts(size: &Size) -> Value {
    json!([size.memory_mb.unwrap_or(0), size.vcores.unwrap_or(0)])
}

fn stage(stage: &Stage) -> Value {
    let mut out = json!({ "count": stage.count, "priority": stage.priority, "resource": amounts(&stage.size) });
    match &stage.runs {
        Runs::All(ms) => out["average_ms"] = json!(ms),
        Runs::Each(each) => out["runtimes_ms"] = json!(each),
    }
    out
}

fn job(job: &Job) -> Value {
    json!({
        "id": job.id,
        "submit_ms": job.submit_ms,
        "user": job.user,
        "queue": job.queue,
        "type": job.kind,
        "label": job.label,
        "tags": job.tags,
        "am": amounts(&job.am),
        "stages": job.stages.iter().map(stage).collect::<Vec<_>>(),
    })
}

fn dynoyarn(case: &Case) -> Outcome {
    let apps: Vec<Value> = dynoyarn::applications(text(&case.given["text"])).iter().map(job).collect();
    holds(&case.expect, &json!({ "apps": apps })).into()
}
