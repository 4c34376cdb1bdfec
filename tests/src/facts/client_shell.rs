//! Facts about the client of the distributed shell: what it refuses, submits, and passes to its ApplicationMaster.

use super::clients::{alike, maximum, refusal, submitted};
use super::read::{list, text};
use crate::conformance::{Case, Driver};
use heddle_core::apps::distributed_shell::client::{Cluster, Shell, init};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    match kind {
        "shell-client" => Some(|case| alike(case, &client(case))),
        _ => None,
    }
}

fn client(case: &Case) -> Value {
    let given = &case.given;
    let args: Vec<&str> = list(&given["args"]).iter().map(text).collect();
    let shell = match init(&args) {
        Ok(Some(shell)) => shell,
        Ok(None) => return json!({ "usage": true }),
        Err(why) => return json!({ "refused": refusal(&why) }),
    };
    let queues: Vec<&str> = match given.get("queues") {
        Some(queues) => list(queues).iter().map(text).collect(),
        None => vec!["default"],
    };
    let types: Vec<&str> = list(&given["resource_types"]).iter().map(text).collect();
    let cluster = Cluster {
        queue_exists: queues.contains(&shell.queue.as_str()),
        maximum: maximum(given),
        types: &types,
        id: "application_1_0001",
        files: Some(&["WORK/app.jar", "WORK/run.sh", "WORK/"]),
    };
    match shell.submission(&cluster) {
        Ok(context) => {
            let mut submission = submitted(&context);
            submission["type"] = Value::Null;
            let others: Map<String, Value> =
                shell.am_others.iter().filter(|(_, n)| *n != 0).map(|(name, n)| (name.clone(), json!(n))).collect();
            submission["am_others"] = Value::Object(others);
            submission["am_request_priority"] = json!(shell.priority);
            json!({ "submission": submission, "master": master(&shell, context.am.0) })
        }
        Err(why) => json!({ "refused": refusal(&why) }),
    }
}

/// Returns the arguments that the ApplicationMaster is started with.
fn master(shell: &Shell, memory: i64) -> Value {
    let given = |value: i64, otherwise: i64| if value == -1 { otherwise } else { value }.to_string();
    let mut out = json!({
        "container_memory": given(shell.container.0, 10), "container_vcores": given(shell.container.1, 1),
        "num_containers": shell.containers.to_string(), "priority": shell.container_priority.to_string(),
        "container_type": if shell.opportunistic { "OPPORTUNISTIC" } else { "GUARANTEED" },
        "heap": format!("-Xmx{memory}m"),
    });
    for (name, set) in [
        ("promote_opportunistic_after_start", shell.promote),
        ("enforce_execution_type", shell.enforce),
        ("keep_containers_across_application_attempts", shell.keep_containers),
    ] {
        if set {
            out[name] = json!(true);
        }
    }
    if !shell.container_others.is_empty() {
        let mut all: Vec<String> = shell.container_others.iter().map(|(name, n)| format!("{name}={n}")).collect();
        all.sort();
        out["container_resources"] = json!(all);
    }
    if let Some(spec) = &shell.spec {
        out["placement_spec"] = json!(spec);
    }
    out
}
