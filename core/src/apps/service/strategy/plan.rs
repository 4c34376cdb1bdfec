//! The description of a YARN service before it runs: its components, in the order of their dependencies.

use crate::api::SchedulingAsk;
use crate::constraint::Constraint;
use crate::model::{Millis, RequestKey, Resource};
use crate::strategy::Work;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// `yarn.service.readiness-check-interval.seconds`.
pub const READINESS_MS: Millis = 30_000;
/// The limits within which a node restarts a process that fails: the number within the window, the delay after each failure,
/// and the window (`yarn.service.container-failure.retry.max`, `.retry-interval-ms`, `.validity-interval-ms`).
pub const RELAUNCHES: i32 = 10;
pub const RELAUNCH_AFTER_MS: Millis = 30_000;
pub const RELAUNCH_WINDOW_MS: Millis = 600_000;

/// `restart_policy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum RestartPolicy {
    /// Instances that end are requested again.
    #[default]
    Always,
    /// Instances that end with an exit code other than 0 are requested again.
    OnFailure,
    /// No instance is requested again.
    Never,
}

impl RestartPolicy {
    /// All policies, by the names in a yarnfile.
    pub const ALL: [(&'static str, RestartPolicy); 3] =
        [("ALWAYS", RestartPolicy::Always), ("ON_FAILURE", RestartPolicy::OnFailure), ("NEVER", RestartPolicy::Never)];

    /// Returns the policy of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, policy)| policy)
    }

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, policy)| *policy == self).map_or("", |(name, _)| name)
    }

    /// Returns whether a component runs until it is stopped (isLongLived).
    pub fn is_long_lived(self) -> bool {
        self == RestartPolicy::Always
    }

    /// Returns whether an instance is requested again (shouldRelaunchInstance).
    pub fn asks_again(self, exit_code: i32) -> bool {
        match self {
            RestartPolicy::Always => true,
            RestartPolicy::OnFailure => exit_code != 0,
            RestartPolicy::Never => false,
        }
    }
}

/// A component.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct ComponentSpec {
    pub name: String,
    /// `number_of_containers` at the first start.
    pub count: i64,
    pub size: Resource,
    pub restart_policy: RestartPolicy,
    /// Components that must be ready before it starts.
    pub dependencies: Vec<String>,
    /// The constraint of its `placement_policy`.
    pub constraint: Option<Constraint>,
    /// The work of its instances.
    pub work: Work,
}

/// A service.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ServicePlan {
    /// The components, in the order of [`by_dependencies`].
    pub components: Vec<ComponentSpec>,
    pub heartbeat: Millis,
    /// The time from the launch of a container to the start of its work.
    pub launch: Millis,
    /// The period of readiness checks.
    pub readiness: Millis,
    /// Whether all requests are scheduling requests, as they are as soon as one component has a placement constraint.
    pub scheduling: bool,
}

/// The request of a component when it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstAsk {
    pub component: String,
    pub key: RequestKey,
    pub count: i64,
    pub size: Resource,
    /// The scheduling request; `None`: `count` requests of one container anywhere.
    pub scheduling: Option<SchedulingAsk>,
}

impl ServicePlan {
    /// Returns the requests of each component when it starts, in the order of their ids.
    pub fn first_asks(&self) -> Vec<FirstAsk> {
        let first = |(place, spec): (usize, &ComponentSpec)| {
            let key = key_of(place);
            FirstAsk {
                component: spec.name.clone(),
                key,
                count: spec.count,
                size: spec.size,
                scheduling: self.scheduling.then(|| spec.scheduling_ask(key, spec.count)),
            }
        };
        self.components.iter().enumerate().map(first).collect()
    }
}

impl ComponentSpec {
    /// Returns a scheduling request for `count` instances; Java truncates their number to an int.
    pub fn scheduling_ask(&self, key: RequestKey, count: i64) -> SchedulingAsk {
        SchedulingAsk {
            allocation_request_id: key.allocation_request_id,
            priority: key.priority,
            tags: vec![self.name.clone()],
            count: i64::from(count as i32),
            size: self.size,
            constraint: self.constraint.clone().map(Arc::new),
            opportunistic: false,
        }
    }
}

/// Returns the key of the requests for the component at this place: its priority is its allocation request id.
pub fn key_of(place: usize) -> RequestKey {
    RequestKey { priority: i32::try_from(place).unwrap_or(i32::MAX), allocation_request_id: place as i64 }
}

/// Returns the components in the order of their ids: first those that depend on nothing, then those that depend only on these,
/// and so on, each time in the order in which they are written (ServiceApiUtil.sortByDependencies). Errors: the names of those
/// that depend on each other or on missing components.
pub fn by_dependencies(components: &[ComponentSpec]) -> Result<Vec<usize>, Vec<String>> {
    let mut out: Vec<usize> = Vec::new();
    let mut sorted: BTreeSet<&str> = BTreeSet::new();
    let mut left: Vec<usize> = (0..components.len()).collect();
    while !left.is_empty() {
        let before = out.len();
        left.retain(|i| {
            let free = components[*i].dependencies.iter().all(|name| sorted.contains(name.as_str()));
            if free {
                out.push(*i);
            }
            !free
        });
        if out.len() == before {
            return Err(left.iter().map(|i| components[*i].name.clone()).collect());
        }
        sorted.extend(out[before..].iter().map(|i| components[*i].name.as_str()));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_come_in_the_order_of_their_depth() {
        type Parts<'a> = &'a [(&'a str, &'a [&'a str])];
        type Order = Result<Vec<usize>, Vec<String>>;
        let rows: [(Parts<'_>, Order); 5] = [
            (&[("web", &[]), ("db", &["web"]), ("cache", &[])], Ok(vec![0, 2, 1])),
            (&[("c", &["b"]), ("z", &[]), ("b", &["a"]), ("a", &[])], Ok(vec![1, 3, 2, 0])),
            (&[("a", &["b"]), ("b", &["a"]), ("c", &[])], Err(vec!["a".into(), "b".into()])),
            (&[("a", &["none"])], Err(vec!["a".into()])),
            (&[], Ok(Vec::new())),
        ];
        for (parts, order) in rows {
            let mut components = Vec::new();
            for (name, needs) in parts {
                let dependencies = needs.iter().map(|need| need.to_string()).collect();
                components.push(ComponentSpec { name: name.to_string(), dependencies, ..ComponentSpec::default() });
            }
            assert_eq!(by_dependencies(&components), order, "{parts:?}");
        }
    }
}
