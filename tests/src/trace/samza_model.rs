//! The assignment of tasks to containers: a single call of a grouper, and whole job models over several runs of a job.

use super::samza::{config, texts};
use super::slider::same;
use crate::conformance::{Case, Difference, Driver, Outcome};
use crate::facts::read::{list, text};
use heddle_core::apps::samza::strategy::job::containers::{self, Groups, Known};
use heddle_core::apps::samza::strategy::job::inputs::Tasks;
use heddle_core::apps::samza::strategy::job::model::{self, Built, Impossible};
use heddle_core::apps::samza::strategy::job::{JobModel, Mode, keys};
use heddle_core::apps::samza::strategy::{CoordinatorStream, Settings};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Returns the driver for a kind of cases.
pub fn driver(kind: &str) -> Option<Driver> {
    Some(match kind {
        "samza-grouping" => grouping,
        "samza-job-model" => job_models,
        _ => return None,
    })
}

fn names(v: &Value) -> Vec<String> {
    list(v).iter().map(|t| text(t).to_string()).collect()
}

fn container_names(model: &JobModel) -> Value {
    model.containers.iter().map(|(id, c)| (id.clone(), json!(c.tasks.keys().collect::<Vec<_>>()))).collect()
}

fn grouping(case: &Case) -> Outcome {
    let given = &case.given;
    let replication = given["replication_factor"].as_i64().unwrap_or(1) as i32;
    let got = match grouped(given) {
        Ok(groups) => {
            let model = JobModel::of(groups, &Tasks::new(), &BTreeMap::new(), replication);
            json!({ "containers": container_names(&model) })
        }
        Err(why) => json!({ "refused": format!("{why:?}") }),
    };
    told(&case.expect, got).into()
}

/// Refusal messages are only for readers.
fn told(expected: &Value, mut got: Value) -> Result<(), Difference> {
    if let (Some(said), Some(ours)) = (expected.get("refused"), got.get_mut("refused")) {
        *ours = said.clone();
    }
    same(expected, &got)
}

fn grouped(given: &Value) -> Result<Groups, Impossible> {
    let config = config(&given["config"]);
    let count = keys::CONTAINERS.text(&config).and_then(|n| n.parse().ok()).unwrap_or(1);
    let tasks = names(&given["tasks"]);
    let by_ids = keys::TASK_GROUPER.text(&config).is_some_and(|name| name.ends_with("GroupByContainerIdsFactory"));
    let ids = given.get("container_ids").map(names);
    let known = Known {
        previous: texts(&given["previous"]),
        processor_hosts: texts(&given["processor_hosts"]),
        task_hosts: texts(&given["task_hosts"]),
    };
    let without_history = ids.is_some() || given.get("no_container_ids").is_some();
    match (by_ids, without_history) {
        (false, plain) => containers::by_count(&tasks, count, (!plain).then_some(&known.previous)),
        (true, true) => containers::by_ids(&tasks, count, ids.as_deref()),
        (true, false) => containers::by_location(&tasks, &known),
    }
}

fn job_models(case: &Case) -> Outcome {
    let (runs, expected) = (list(&case.given["runs"]), list(&case.expect["runs"]));
    if runs.len() != expected.len() {
        let what = format!("{} runs", runs.len());
        return Outcome::Failed(Difference::new("expect.runs", what, format!("{} outcomes", expected.len())));
    }
    let mut stream = CoordinatorStream::default();
    for (i, (run, expected)) in runs.iter().zip(expected).enumerate() {
        stream.hosts.extend(texts(&run["last_hosts"]));
        let streams: BTreeMap<String, u32> = run["streams"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, n)| (name.clone(), n.as_u64().unwrap_or(0) as u32))
            .collect();
        let built = Settings::of(&config(&run["config"])).map_err(|r| format!("{r:?}"));
        let built = built.and_then(|s| model::build(&s, &streams, &mut stream).map_err(|why| format!("{why:?}")));
        let got = match built {
            Ok(Built { model, .. }) => json!({ "tasks": tasks(&model), "containers": container_names(&model) }),
            Err(why) => json!({ "refused": why }),
        };
        if let Err(d) = told(expected, got) {
            return Outcome::Failed(d.inside(format!("run {i}")));
        }
    }
    Outcome::Passed
}

fn tasks(model: &JobModel) -> Value {
    let inputs = |t: &model::TaskModel| {
        let mut inputs: Vec<String> = t.partitions.iter().map(ToString::to_string).collect();
        inputs.sort_unstable();
        inputs
    };
    model.tasks(Mode::Active).map(|(name, t)| (name.clone(), json!([t.changelog, inputs(t)]))).collect()
}
