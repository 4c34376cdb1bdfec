//! The `placement_policy` of a YARN service's component (ServiceApiUtil, PlacementPolicy and Component of
//! hadoop-yarn-services, as read in 3.3; placement-constraints.md section 11, formats.md section 7).

use super::{Constraint, Scope, Target, tree::UNLIMITED};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use std::fmt;

/// `placement_policy`.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlacementPolicy {
    /// Joined with AND.
    pub constraints: Vec<ServiceConstraint>,
}

/// One constraint of a policy, under the names that a yarnfile has.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ServiceConstraint {
    /// A name, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What kind; must be given.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<PolicyType>,
    /// Within what; must be given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<PolicyScope>,
    /// Component names; must be given, and only the component's own is accepted.
    pub target_tags: Vec<String>,
    /// Attribute names and values.
    pub node_attributes: IndexMap<String, Vec<String>>,
    pub node_partitions: Vec<String>,
    /// For AFFINITY_WITH_CARDINALITY; 0 when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_cardinality: Option<i64>,
    /// For AFFINITY_WITH_CARDINALITY; no limit when not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_cardinality: Option<i64>,
}

/// Type of a policy's constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PolicyType {
    /// At least one there.
    Affinity,
    /// None there.
    AntiAffinity,
    /// Between a minimum and a maximum.
    AffinityWithCardinality,
}

/// Scope of a policy's constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum PolicyScope {
    Node,
    Rack,
}

/// Why a policy is refused; the first fault counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PolicyError {
    /// No `type`.
    TypeMissing,
    /// No `scope`.
    ScopeMissing,
    /// `target_tags` is empty.
    TagsMissing,
    /// A target tag that is not the component's own name.
    ForeignTag(String),
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::TypeMissing => {
                f.write_str("The constraint has no type: AFFINITY, ANTI_AFFINITY or AFFINITY_WITH_CARDINALITY.")
            }
            PolicyError::ScopeMissing => f.write_str("The constraint has no scope: NODE or RACK."),
            PolicyError::TagsMissing => f.write_str("The constraint names no target_tags."),
            PolicyError::ForeignTag(tag) => {
                write!(f, "The target tag `{tag}` is not the component's own name, and only that is accepted.")
            }
        }
    }
}

fn bound(n: Option<i64>, default: i32) -> i32 {
    n.map_or(default, |n| n.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32)
}

impl ServiceConstraint {
    /// The first fault that the service's validation finds.
    pub fn validate(&self, component: &str) -> Result<(), PolicyError> {
        if self.kind.is_none() {
            return Err(PolicyError::TypeMissing);
        }
        if self.scope.is_none() {
            return Err(PolicyError::ScopeMissing);
        }
        if self.target_tags.is_empty() {
            return Err(PolicyError::TagsMissing);
        }
        match self.target_tags.iter().find(|tag| *tag != component) {
            Some(foreign) => Err(PolicyError::ForeignTag(foreign.clone())),
            None => Ok(()),
        }
    }

    fn constraint(&self) -> Result<Constraint, PolicyError> {
        let kind = self.kind.ok_or(PolicyError::TypeMissing)?;
        let scope = match self.scope.ok_or(PolicyError::ScopeMissing)? {
            PolicyScope::Node => Scope::Node,
            PolicyScope::Rack => Scope::Rack,
        };
        let mut targets = Vec::new();
        if !self.target_tags.is_empty() {
            targets.push(Target::own_tags(self.target_tags.iter().cloned()));
        }
        for (name, values) in &self.node_attributes {
            targets.push(Target::attribute(name, values.iter().cloned()));
        }
        if !self.node_partitions.is_empty() {
            targets.push(Target::partition(self.node_partitions.iter().cloned()));
        }
        Ok(match kind {
            PolicyType::Affinity => Constraint::target_in(scope, targets),
            PolicyType::AntiAffinity => Constraint::target_not_in(scope, targets),
            PolicyType::AffinityWithCardinality => Constraint::target_cardinality(
                scope,
                bound(self.min_cardinality, 0),
                bound(self.max_cardinality, UNLIMITED),
                targets,
            ),
        })
    }
}

impl PlacementPolicy {
    /// The constraint of the component's requests, which carry the component's name as tag; `None` for a policy
    /// without constraints. Several are nested: AND(the later, AND(the earlier, …)).
    pub fn constraint(&self, component: &str) -> Result<Option<Constraint>, PolicyError> {
        let mut joined: Option<Constraint> = None;
        for one in &self.constraints {
            one.validate(component)?;
            let next = one.constraint()?;
            joined = Some(match joined {
                None => next,
                Some(before) => Constraint::And(vec![next, before]),
            });
        }
        Ok(joined)
    }

    /// What the policy cannot do although it is accepted.
    pub fn warnings(&self, component: &str) -> Vec<String> {
        let mut out = Vec::new();
        for one in &self.constraints {
            if one.kind == Some(PolicyType::Affinity) {
                out.push(format!("The first {component} can never start: it wants a {component} already there."));
            }
            if let Some(name) = one.node_attributes.keys().next() {
                out.push(format!("No node ever matches: a policy's test of the attribute {name} carries no operator, and YARN compares without one as false."));
            }
            if one.kind == Some(PolicyType::AntiAffinity) && !one.node_partitions.is_empty() {
                out.push(
                    "node_partitions is not turned round by ANTI_AFFINITY: the node must be in the partition.".into(),
                );
            }
            if one.node_partitions.len() > 1 {
                out.push(format!(
                    "{} node_partitions make the request invalid under the scheduler handler.",
                    one.node_partitions.len()
                ));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anti(tag: &str) -> ServiceConstraint {
        ServiceConstraint {
            kind: Some(PolicyType::AntiAffinity),
            scope: Some(PolicyScope::Node),
            target_tags: vec![tag.into()],
            ..ServiceConstraint::default()
        }
    }

    #[test]
    fn faults_come_in_yarns_order() {
        let mut one = ServiceConstraint::default();
        assert_eq!(one.validate("a"), Err(PolicyError::TypeMissing));
        one.kind = Some(PolicyType::Affinity);
        assert_eq!(one.validate("a"), Err(PolicyError::ScopeMissing));
        one.scope = Some(PolicyScope::Rack);
        assert_eq!(one.validate("a"), Err(PolicyError::TagsMissing));
        one.target_tags = vec!["a".into(), "b".into()];
        assert_eq!(one.validate("a"), Err(PolicyError::ForeignTag("b".into())));
    }

    #[test]
    fn several_constraints_are_nested() {
        let mut second = anti("a");
        second.node_partitions = vec!["gpu".into()];
        let policy = PlacementPolicy { constraints: vec![anti("a"), second] };
        let Ok(Some(Constraint::And(children))) = policy.constraint("a") else { panic!("an AND") };
        let gpu = [Target::own_tags(["a"]), Target::partition(["gpu"])];
        assert_eq!(children[0], Constraint::target_not_in(Scope::Node, gpu));
        assert_eq!(policy.warnings("a").len(), 1);
        assert_eq!(PlacementPolicy::default().constraint("a"), Ok(None));
    }
}
