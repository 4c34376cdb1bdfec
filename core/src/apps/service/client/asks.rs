//! The plan that the ApplicationMaster of a saved service makes of its components (ServiceScheduler.createAllComponents,
//! Component.requestContainers).

use super::{Component, Service};
use crate::apps::service::constraint::joined;
use crate::apps::service::strategy::plan::{ComponentSpec, READINESS_MS, RestartPolicy, ServicePlan, by_dependencies};
use crate::client::java;
use crate::config::units;
use crate::model::{self, Millis};

/// An exception of the ApplicationMaster when it makes its requests, which ends its attempt.
#[derive(Clone, Debug, PartialEq)]
pub struct AmException {
    /// The simple name.
    pub exception: &'static str,
    /// The first line of its message; empty for a `NullPointerException`.
    pub message: String,
}

/// Resource types with a field of their own in a yarnfile; they are skipped among the further ones.
const OWN: [&str; 2] = ["memory-mb", "vcores"];

/// Returns the components of a checked service, by their indices in the file, in the order of their ids.
pub fn order(service: &Service) -> Vec<usize> {
    let known: Vec<ComponentSpec> = service.components().map(named).collect();
    by_dependencies(&known).unwrap_or_else(|_| (0..known.len()).collect())
}

fn named(component: &Component) -> ComponentSpec {
    ComponentSpec {
        name: component.name.clone().unwrap_or_default(),
        dependencies: component.dependencies.iter().flatten().flatten().cloned().collect(),
        ..ComponentSpec::default()
    }
}

/// Returns whether the ApplicationMaster sends scheduling requests, for all components: it does as soon as one has a
/// constraint, even if that names nothing.
pub fn sends_constraints(service: &Service) -> bool {
    let has = |c: &Component| {
        let constraints = c.placement_policy.as_ref().and_then(|p| p.constraints.as_ref());
        constraints.is_some_and(|all| !all.is_empty())
    };
    service.components().any(has)
}

/// Returns the ApplicationMaster's plan for a service that was checked and saved. `types`: resource types of the cluster other
/// than memory and vcores. Errors: the ApplicationMaster throws when it makes its requests.
pub fn plan(service: &Service, types: &[&str]) -> Result<ServicePlan, AmException> {
    let scheduling = sends_constraints(service);
    let all: Vec<&Component> = service.components().collect();
    let in_order = order(service).into_iter().filter_map(|i| all.get(i));
    let components: Result<_, _> = in_order.map(|component| spec(component, types, scheduling)).collect();
    let own = service.configuration.as_ref();
    let readiness = own.and_then(|c| c.property("yarn.service.readiness-check-interval.seconds"));
    let seconds = readiness.and_then(|text| java::int(text).ok()).filter(|s| *s > 0);
    Ok(ServicePlan {
        components: components?,
        heartbeat: 0,
        launch: 0,
        readiness: seconds.map_or(READINESS_MS, |s| Millis::from(s) * 1000),
        scheduling,
    })
}

fn null() -> AmException {
    AmException { exception: "NullPointerException", message: String::new() }
}

fn spec(component: &Component, types: &[&str], scheduling: bool) -> Result<ComponentSpec, AmException> {
    let resource = component.resource.as_ref().ok_or_else(null)?;
    let memory = java::long(resource.memory.as_deref().unwrap_or("0"));
    let memory = memory.map_err(|text| AmException {
        exception: "NumberFormatException",
        message: format!("For input string: \"{text}\""),
    })?;
    let mut size = model::Resource::new(memory, resource.cpus.ok_or_else(null)?.into());
    for (name, amount) in resource.additional.iter().flatten() {
        if OWN.contains(&name.as_str()) {
            continue;
        }
        let amount = amount.as_ref().ok_or_else(null)?;
        let value = amount.value.ok_or_else(null)?;
        let Some(place) = types.iter().position(|t| t == name) else {
            // The real message is a page of text about a fault of YARN itself, with the name further down.
            let message = "The resource manager encountered a problem that should not occur under normal circumstances. Please report this error to the Hadoop community by opening a JIRA ticket at http://issues.apache.org/jira and including the following information:";
            return Err(AmException { exception: "ResourceNotFoundException", message: message.into() });
        };
        // The ResourceManager reports an amount that exceeds 64 bits in the base unit.
        let value = match units::convert(value, &amount.unit, "") {
            Err(refusal) if !units::is_known(&amount.unit) => {
                return Err(AmException { exception: "IllegalArgumentException", message: refusal.message });
            }
            converted => converted.unwrap_or(i64::MAX),
        };
        if let Some(slot) = size.0.get_mut(place + 2) {
            *slot = value;
        }
    }
    let policy = component.placement_policy.as_ref().filter(|_| scheduling);
    let constraints = match policy {
        Some(policy) => {
            let all: Option<Vec<_>> =
                policy.constraints.as_ref().ok_or_else(null)?.iter().map(Option::as_ref).collect();
            joined(all.ok_or_else(null)?.into_iter().map(|c| &c.constraint)).map_err(|_| null())?
        }
        None => None,
    };
    let restart = component.restart_policy.and_then(RestartPolicy::named).unwrap_or_default();
    Ok(ComponentSpec {
        count: component.number_of_containers.unwrap_or(0),
        size,
        restart_policy: restart,
        constraint: constraints,
        ..named(component)
    })
}
