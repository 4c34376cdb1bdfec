//! The queues in the answer of `/ws/v1/cluster/scheduler` (area formats, kind rest_queue): formats.md 5.3.

use super::capacity_world::properties;
use super::read::{int, list, text};
use crate::conformance::compare::within;
use crate::conformance::{Case, Difference, Driver, Outcome};
use heddle_core::api::Properties;
use heddle_core::config::capacity::{Capacity, CapacityVector, QueueKind, Templates, Unit};
use heddle_core::journal::Silent;
use heddle_core::model::{PartitionId, Resource, ResourceTypes};
use heddle_core::rm::{NodeSpec, ResourceManager, RmSettings};
use heddle_core::scheduler::capacity::{CapacityScheduler, Queue};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    (kind == "rest_queue").then_some(rest_queue)
}

fn rest_queue(case: &Case) -> Outcome {
    let answer = start(&case.given).and_then(|rm| answer(&rm, &properties(&case.given["conf"])));
    match answer {
        Ok(got) => within(&case.expect, &got, 1e-4).into(),
        Err(why) => Outcome::Failed(Difference::new("", "to be played", why)),
    }
}

fn start(given: &Value) -> Result<ResourceManager, String> {
    let settings = RmSettings { capacity_scheduler: properties(&given["conf"]), ..RmSettings::default() };
    let mut rm = ResourceManager::new(settings).map_err(|r| r.message)?;
    for (place, size) in list(&given["nodes"]).iter().enumerate() {
        let total = Resource::new(int(&size[0]), int(&size[1]));
        let (host, rack) = (format!("n{place}"), "/default-rack".to_owned());
        rm.add_node(NodeSpec { host, port: 1, rack, total, label: None }, &mut Silent).map_err(|r| r.message)?;
    }
    for path in list(&given["auto_created"]) {
        rm.create_queue(text(path), &mut Silent).map_err(|r| r.message)?;
    }
    Ok(rm)
}

fn answer(rm: &ResourceManager, conf: &Properties) -> Result<Value, String> {
    let scheduler = rm.capacity().ok_or("not the CapacityScheduler")?;
    let alive = scheduler.queues().iter().filter(|q| q.alive);
    let types = &rm.cluster().types;
    let queues: Result<Map<String, Value>, String> =
        alive.map(|q| Ok((q.path.clone(), queue(scheduler, q, types, conf)?))).collect();
    Ok(json!({ "queues": queues? }))
}

fn queue(scheduler: &CapacityScheduler, q: &Queue, types: &ResourceTypes, conf: &Properties) -> Result<Value, String> {
    let part = q.part(PartitionId::DEFAULT);
    let (shares, own) = (&part.shares, q.conf.partition(""));
    let legacy = scheduler.conf().legacy_queue_mode;
    let vector = own.map(|p| &p.capacity_vector).cloned().unwrap_or_default();
    // An auto-created queue has a weight that no setting names.
    let given = shares.weight > 0.0;
    let weight = match own.map(|p| p.capacity) {
        _ if !legacy => vector.uniform_weight(),
        Some(Capacity::Weight(weight)) => Some(weight),
        _ => given.then_some(shares.weight),
    };
    let mode = mode(q, legacy.then_some((own.map(|p| p.capacity), weight)), &vector);
    // 0 is shown as no limit.
    let maximum = |f: f32| if f > 0.0 { f } else { 1.0 };
    let size = |r: &Resource| json!([r.memory_mb(), r.vcores()]);
    let percent = |f: f32| json!(f64::from(f * 100.0));
    let mut out = json!({
        "mode": mode,
        "queueType": if q.is_leaf() { "leaf" } else { "parent" },
        "creationMethod": creation(q),
        "autoCreationEligibility": eligibility(q),
        "isAbsoluteResource": mode == "absolute",
        "capacity": percent(shares.capacity),
        "maxCapacity": percent(maximum(shares.max_capacity)),
        "absoluteCapacity": percent(shares.absolute_capacity),
        "absoluteMaxCapacity": percent(shares.absolute_max_capacity),
        "weight": weight.unwrap_or(-1.0),
        "normalizedWeight": shares.normalized_weight,
        "vector": vector.text(types),
        "effectiveMin": size(&shares.effective_min),
        "effectiveMax": size(&shares.effective_max),
    });
    if let Some(leaf) = &q.leaf {
        out["maxApplications"] = json!(leaf.max_applications.maximum());
        out["amLimit"] = size(&part.am_limit);
        return Ok(out);
    }
    let templates = Templates::of_properties(conf, &q.path).map_err(|r| r.message)?;
    for (name, template) in [
        ("autoQueueTemplateProperties", &templates.any),
        ("autoQueueParentTemplateProperties", &templates.parent),
        ("autoQueueLeafTemplateProperties", &templates.leaf),
    ] {
        out[name] = template.iter().map(|(key, value)| (key.clone(), json!(value))).collect::<Map<_, _>>().into();
    }
    let own = format!("yarn.scheduler.capacity.{}.", q.path);
    let of_leaves = conf.iter().filter_map(|(key, value)| Some((key.strip_prefix(&own)?, value)));
    let of_leaves = of_leaves.filter(|(key, _)| key.starts_with("leaf-queue-template."));
    out["leafQueueTemplate"] =
        of_leaves.map(|(key, value)| (key.to_owned(), json!(value))).collect::<Map<_, _>>().into();
    Ok(out)
}

/// Returns the form in which its capacity is written. Root's is always a percentage.
fn mode(q: &Queue, legacy: Option<(Option<Capacity>, Option<f32>)>, vector: &CapacityVector) -> &'static str {
    if q.parent.is_none() {
        return "percentage";
    }
    match legacy {
        Some((Some(Capacity::Absolute(_)), _)) => return "absolute",
        Some((_, Some(_))) => return "weight",
        Some(_) => return "percentage",
        None => {}
    }
    match vector.sole_unit() {
        Some(Unit::Percent) => "percentage",
        Some(Unit::Weight) => "weight",
        Some(Unit::Absolute) => "absolute",
        None if vector.is_empty() => "unknown",
        None => "mixed",
    }
}

fn creation(q: &Queue) -> &'static str {
    match q.conf.kind {
        QueueKind::AutoCreatedLeaf => "dynamicLegacy",
        _ if q.conf.dynamic => "dynamicFlexible",
        _ => "static",
    }
}

/// Returns whether it creates queues automatically, and in which form.
fn eligibility(q: &Queue) -> &'static str {
    match q.conf.kind {
        QueueKind::ManagedParent => "legacy",
        QueueKind::Parent if q.conf.auto_create_v2.enabled || q.conf.dynamic => "flexible",
        _ => "off",
    }
}
