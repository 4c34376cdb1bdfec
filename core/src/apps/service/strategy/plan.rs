//! What is known of a YARN service before it runs: its components, in the order in which they depend on each other.

use crate::api::SchedulingAsk;
use crate::constraint::Constraint;
use crate::model::{Millis, RequestKey, Resource};
use crate::strategy::Work;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;

/// `yarn.service.readiness-check-interval.seconds`.
pub const READINESS_MS: Millis = 30_000;
/// A process that fails is started again by its node so often within the window, so long after each failure
/// (`yarn.service.container-failure.retry.max`, `.retry-interval-ms`, `.validity-interval-ms`).
pub const RELAUNCHES: i32 = 10;
pub const RELAUNCH_AFTER_MS: Millis = 30_000;
pub const RELAUNCH_WINDOW_MS: Millis = 600_000;

/// `restart_policy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum RestartPolicy {
    /// Instances that end are asked for again.
    #[default]
    Always,
    /// Those that end with another exit code than 0 are.
    OnFailure,
    /// None is.
    Never,
}

impl RestartPolicy {
    /// All of them, by the names that a yarnfile has.
    pub const ALL: [(&'static str, RestartPolicy); 3] =
        [("ALWAYS", RestartPolicy::Always), ("ON_FAILURE", RestartPolicy::OnFailure), ("NEVER", RestartPolicy::Never)];

    /// The policy of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, policy)| policy)
    }

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, policy)| *policy == self).map_or("", |(name, _)| name)
    }

    /// Does a component run until somebody ends it (isLongLived)?
    pub fn is_long_lived(self) -> bool {
        self == RestartPolicy::Always
    }

    /// shouldRelaunchInstance.
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
    /// Of its `placement_policy`.
    pub constraint: Option<Constraint>,
    /// Of its instances.
    pub work: Work,
}

/// A service.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct ServicePlan {
    /// In the order of [`by_dependencies`].
    pub components: Vec<ComponentSpec>,
    pub heartbeat: Millis,
    /// From the launch of a container to the begin of its work.
    pub launch: Millis,
    /// Between two readiness checks.
    pub readiness: Millis,
    /// Are all requests scheduling requests? They are as soon as one component has a placement constraint.
    pub scheduling: bool,
}

/// What a component asks for when it starts.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstAsk {
    pub component: String,
    pub key: RequestKey,
    pub count: i64,
    pub size: Resource,
    /// As a scheduling request; `None`: as so many requests of one container anywhere.
    pub scheduling: Option<SchedulingAsk>,
}

impl ServicePlan {
    /// What each component asks for when it starts, in the order of their ids.
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
    /// A scheduling request for so many instances; Java cuts their number to an int.
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

/// The key under which the component of this place is asked for: its priority is its allocation request id.
pub fn key_of(place: usize) -> RequestKey {
    RequestKey { priority: i32::try_from(place).unwrap_or(i32::MAX), allocation_request_id: place as i64 }
}

/// Components in the order in which they get their ids: those that depend on nothing first, then those that depend on these
/// only, and so on, each time in the order in which they are written (ServiceApiUtil.sortByDependencies). Errors: the names
/// of those that depend on each other or on what is not there.
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
