//! Facts about the client of YARN services and the first requests of its ApplicationMaster.

use super::clients::{alike, maximum, refusal, submitted};
use super::read::{list, text};
use crate::conformance::{Case, Driver, Outcome};
use heddle_core::api::{ClientStage, Properties, SchedulingAsk};
use heddle_core::apps::service::client::{self as service, AmException, Resource, Service, ServiceClientFault, Site};
use heddle_core::apps::service::strategy::ServicePlan;
use heddle_core::constraint::{Constraint, Target, print};
use serde_json::{Map, Value, json};

/// Returns the driver for a kind of cases.
pub(super) fn driver(kind: &str) -> Option<Driver> {
    match kind {
        "service" => Some(play),
        _ => None,
    }
}

fn site(given: &Value) -> Site {
    let conf: Properties = match &given["conf"] {
        Value::Object(all) => all.iter().map(|(key, value)| (key.clone(), expanded(text(value), all))).collect(),
        _ => Properties::default(),
    };
    Site {
        files: Some(list(&given["files"]).iter().map(|f| text(f).to_string()).collect()),
        saved: match &given["saved"] {
            Value::Object(all) => all.iter().map(|(name, saved)| (name.clone(), text(saved).to_string())).collect(),
            _ => Vec::new(),
        },
        maximum: Some(maximum(given)),
        ..Site::of(&conf)
    }
}

/// Returns a configuration value with one `${name}` substituted.
fn expanded(value: &str, all: &Map<String, Value>) -> String {
    let name = value.split_once("${").and_then(|(_, rest)| rest.split_once('}')).map(|(name, _)| name);
    let found = name.and_then(|name| Some((name, all.get(name)?)));
    found.map_or_else(|| value.to_string(), |(name, to)| value.replace(&format!("${{{name}}}"), text(to)))
}

fn refused(fault: &ServiceClientFault) -> Value {
    let mut out = json!({ "refused": refusal(&fault.refusal) });
    if fault.refusal.definition_left {
        out["definition_left"] = json!(true);
    }
    out
}

/// The messages about invalid JSON are Jackson's, and nothing depends on them: only the exception is compared.
fn syntax(case: &Case) -> bool {
    let exception = text(&case.expect["refused"]["exception"]);
    let message = text(&case.expect["refused"]["message"]);
    matches!(exception, "JsonParseException" | "JsonEOFException")
        || (exception == "JsonMappingException" && !message.starts_with("Numeric value"))
}

fn play(case: &Case) -> Outcome {
    let mut got = client(&case.given);
    if syntax(case) && got["refused"].is_object() {
        got["refused"]["message"] = case.expect["refused"]["message"].clone();
    }
    alike(case, &got)
}

fn client(given: &Value) -> Value {
    let site = site(given);
    let user = given["user"].as_str().unwrap_or("me");
    let (read, faults) = service::read(text(&given["text"]));
    if let Some(fault) = faults.first() {
        return refused(fault);
    }
    let typed = given["name"].as_str().filter(|name| !name.is_empty());
    let null = |stage| json!({ "refused": { "stage": stage, "exception": "NullPointerException", "message": "" } });
    let Some(mut service) = read else {
        return if typed.is_some() { null("read") } else { null("check") };
    };
    service.name = typed.map(String::from).or(service.name);
    service.lifetime = given["lifetime"].as_i64().filter(|s| *s > 0).or(service.lifetime);
    service.queue = given["queue"].as_str().filter(|q| !q.is_empty()).map(String::from).or(service.queue);
    // Like the oracle, first checks a copy that was written and read again, to tell a refusal of the check from a later
    // one.
    let mut twin = service.clone().saved();
    if let Some(fault) = service::check(&mut twin, user, &site).first() {
        return refused(fault);
    }
    if let Some(fault) = service::check(&mut service, user, &site).first() {
        let mut late = fault.clone();
        late.refusal.stage = ClientStage::Submit;
        return refused(&late);
    }
    let (context, heap) = match service::submission(&service, &site) {
        Ok(done) => done,
        Err(fault) => return refused(&fault),
    };
    let mut submission = submitted(&context);
    submission["am_heap"] = if heap.is_empty() { Value::Null } else { json!(heap) };
    submission["lifetime_s"] = json!(context.lifetime_s);
    let saved = service.saved();
    let mut out = json!({ "service": definition(&saved), "submission": submission });
    let types: Vec<&str> = list(&given["resource_types"]).iter().map(text).collect();
    let planned = service::plan(&saved, &types);
    let order = service::order(&saved);
    out["order"] = order.iter().filter_map(|i| saved.components().nth(*i)).map(|c| json!(c.name)).collect();
    match planned {
        Ok(plan) => out["asks"] = asks(&plan, &saved),
        Err(AmException { exception, message }) => {
            out["asks_refused"] = json!({ "stage": "ask", "exception": exception, "message": message });
        }
    }
    out
}

fn entries(all: &Option<Vec<(String, Option<String>)>>) -> Map<String, Value> {
    all.iter().flatten().map(|(key, value)| (key.clone(), json!(value))).collect()
}

/// Returns the definition as the ApplicationMaster reads it.
fn definition(service: &Service) -> Value {
    let mut out = json!({
        "name": service.name, "version": service.version, "queue": service.queue, "lifetime": service.lifetime,
    });
    if service.dependencies.as_ref().is_some_and(|d| !d.is_empty()) {
        out["dependencies"] = json!(service.dependencies);
    }
    let component = |c: &service::Component| {
        let resource: &Resource = c.resource.as_ref().unwrap_or(&NOTHING);
        let mut one = json!({
            "name": c.name, "containers": c.number_of_containers, "cpus": resource.cpus, "memory": resource.memory,
            "restart_policy": c.restart_policy, "dependencies": c.dependencies, "launch_command": c.launch_command,
            "artifact": c.artifact.as_ref().map(|a| {
                let id = a.id.clone().unwrap_or_else(|| "null".into());
                format!("{} {id}", a.kind.unwrap_or("null"))
            }),
            "properties": entries(&c.configuration.as_ref().and_then(|c| c.properties.clone())),
        });
        let more: Map<String, Value> = resource
            .additional
            .iter()
            .flatten()
            .filter_map(|(name, amount)| {
                let amount = amount.as_ref()?;
                Some((name.clone(), json!({ "value": amount.value, "unit": amount.unit })))
            })
            .collect();
        if !more.is_empty() {
            one["additional"] = Value::Object(more);
        }
        if let Some(policy) = &c.placement_policy {
            let constraints = policy.constraints.iter().flatten().flatten().map(|one| {
                let c = &one.constraint;
                json!({
                    "name": c.name, "type": c.kind.map(|k| k.name()), "scope": c.scope.map(|s| s.name()),
                    "target_tags": c.target_tags, "node_attributes": c.node_attributes,
                    "node_partitions": c.node_partitions, "min_cardinality": c.min_cardinality,
                    "max_cardinality": c.max_cardinality,
                })
            });
            one["constraints"] = constraints.collect();
        }
        one
    };
    out["components"] = service.components().map(component).collect();
    out
}

static NOTHING: Resource =
    Resource { profile: None, cpus: None, memory: None, additional: None, places: service::NOWHERE };

/// Returns the first requests of each component.
fn asks(plan: &ServicePlan, service: &Service) -> Value {
    let others = |name: &str| -> Map<String, Value> {
        let component = service.components().find(|c| c.name.as_deref() == Some(name));
        let resource = component.and_then(|c| c.resource.as_ref());
        let additional = resource.and_then(|r| r.additional.as_ref());
        let amounts = additional.into_iter().flatten().filter_map(|(name, amount)| {
            let amount = amount.as_ref()?;
            let value = amount.value.filter(|v| *v != 0)?;
            let known = !["memory-mb", "vcores"].contains(&name.as_str());
            known.then(|| (name.clone(), json!(format!("{value}{}", amount.unit))))
        });
        amounts.collect()
    };
    let mut out = Vec::new();
    for first in plan.first_asks() {
        let name = &first.component;
        let (key, count, size) = (first.key, first.count, first.size);
        if count == 0 && first.scheduling.is_none() {
            continue;
        }
        let mut one = json!({
            "component": name, "priority": key.priority, "allocation_request_id": key.allocation_request_id,
            "count": count, "memory_mb": size.memory_mb(), "vcores": size.vcores(), "execution_type": "GUARANTEED",
        });
        let more = others(name);
        if !more.is_empty() {
            one["others"] = Value::Object(more);
        }
        match first.scheduling {
            None => {
                one["form"] = json!("ContainerRequest");
                one["relax_locality"] = json!(true);
                one["label"] = Value::Null;
            }
            Some(SchedulingAsk { tags, constraint, .. }) => {
                one["form"] = json!("SchedulingRequest");
                one["tags"] = json!(tags);
                one["tree"] = constraint.as_deref().map_or(Value::Null, tree);
                if constraint.as_deref().is_none_or(plain) {
                    one["constraint"] = constraint.as_ref().map_or(Value::Null, |c| json!(print::yarn_text(c)));
                }
            }
        }
        out.push(one);
    }
    Value::Array(out)
}

/// Returns whether the text of a constraint is independent of the order of a hash set.
fn plain(constraint: &Constraint) -> bool {
    match constraint {
        Constraint::And(children) => children.iter().all(plain),
        Constraint::Single(leaf) => {
            leaf.targets.len() == 1 && leaf.targets.iter().all(|t| distinct(t.values()).len() == 1)
        }
        _ => false,
    }
}

fn distinct(values: &[String]) -> std::collections::BTreeSet<&String> {
    values.iter().collect()
}

fn tree(constraint: &Constraint) -> Value {
    match constraint {
        Constraint::And(children) => json!({ "and": children.iter().map(tree).collect::<Vec<_>>() }),
        Constraint::Single(leaf) => {
            let targets: Map<String, Value> = leaf
                .targets
                .iter()
                .map(|target| {
                    let key = match target {
                        Target::Tags { namespace, .. } => format!("ALLOCATION_TAG {namespace}"),
                        Target::Attribute { name, .. } => format!("NODE_ATTRIBUTE {name}"),
                        Target::Partition { .. } => "NODE_ATTRIBUTE yarn_node_partition/".to_string(),
                    };
                    (key, json!(distinct(target.values())))
                })
                .collect();
            json!({
                "scope": leaf.scope.to_string(), "min": leaf.min, "max": leaf.max, "operator": leaf.op.to_string(),
                "targets": targets,
            })
        }
        _ => Value::Null,
    }
}
