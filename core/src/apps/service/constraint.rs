//! The `placement_policy` of a YARN service's component: the client's checks (ServiceApiUtil.validatePlacementPolicy) and the
//! constraints that the ApplicationMaster makes of it (Component.requestContainers), as in hadoop-yarn-services-core 3.4.
//! Unlike 3.3, it accepts tags of any name, or none.

use crate::constraint::{AttributeOp, Constraint, Scope, Target, tree::UNLIMITED};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// A list of texts; `None`: the file has null.
pub type Texts = Option<Vec<Option<String>>>;

/// `placement_policy`.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlacementPolicy {
    pub constraints: Vec<ServiceConstraint>,
}

/// One constraint of a policy, with the names of a yarnfile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ServiceConstraint {
    /// A name, for people.
    pub name: Option<String>,
    /// The type; required.
    #[serde(rename = "type")]
    pub kind: Option<PolicyType>,
    /// The scope; required.
    pub scope: Option<PolicyScope>,
    /// Allocation tags: names of components.
    pub target_tags: Texts,
    /// Attribute names and values.
    pub node_attributes: Option<IndexMap<String, Texts>>,
    pub node_partitions: Texts,
    /// For AFFINITY_WITH_CARDINALITY; 0 when not given.
    pub min_cardinality: Option<i64>,
    /// For AFFINITY_WITH_CARDINALITY; no limit when not given.
    pub max_cardinality: Option<i64>,
}

impl Default for ServiceConstraint {
    fn default() -> Self {
        ServiceConstraint {
            name: None,
            kind: None,
            scope: None,
            target_tags: Some(Vec::new()),
            node_attributes: Some(IndexMap::new()),
            node_partitions: Some(Vec::new()),
            min_cardinality: None,
            max_cardinality: None,
        }
    }
}

/// The type of a policy's constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PolicyType {
    /// At least one must be there.
    Affinity,
    /// None may be there.
    AntiAffinity,
    /// Their number must be between a minimum and a maximum.
    AffinityWithCardinality,
}

impl PolicyType {
    /// All types, by the names in a yarnfile.
    pub const ALL: [(&'static str, PolicyType); 3] = [
        ("AFFINITY", PolicyType::Affinity),
        ("ANTI_AFFINITY", PolicyType::AntiAffinity),
        ("AFFINITY_WITH_CARDINALITY", PolicyType::AffinityWithCardinality),
    ];

    /// Returns the type of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// The scope of a policy's constraint. Since Jackson 2.12 (Hadoop 3.3.4) only lower case is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyScope {
    Node,
    Rack,
}

impl PolicyScope {
    /// Returns the scope of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "node" => Some(PolicyScope::Node),
            "rack" => Some(PolicyScope::Rack),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            PolicyScope::Node => "node",
            PolicyScope::Rack => "rack",
        }
    }

    fn scope(self) -> Scope {
        match self {
            PolicyScope::Node => Scope::Node,
            PolicyScope::Rack => Scope::Rack,
        }
    }
}

/// The missing field for which the client refuses a constraint; the first one counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyError {
    /// No `type`.
    TypeMissing,
    /// No `scope`.
    ScopeMissing,
}

/// The error that a policy has a null, on which the ApplicationMaster throws when it makes its requests (NullPointerException).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullInPolicy;

impl ServiceConstraint {
    /// Checks the constraint. Errors: the first fault that the client's check finds.
    pub fn validate(&self) -> Result<(), PolicyError> {
        match (self.kind, self.scope) {
            (None, _) => Err(PolicyError::TypeMissing),
            (_, None) => Err(PolicyError::ScopeMissing),
            _ => Ok(()),
        }
    }

    /// Returns the client's message for a fault.
    pub fn words(&self, fault: PolicyError, component: &str) -> String {
        let what = match fault {
            PolicyError::TypeMissing => "Type",
            PolicyError::ScopeMissing => "Scope",
        };
        let name = self.name.as_ref().map_or(String::new(), |name| format!("{name} "));
        format!("{what} not specified for constraint {name}in placement policy of component {component}.")
    }

    fn targets(&self) -> Result<Vec<Target>, NullInPolicy> {
        let all = |texts: &Texts| -> Result<Vec<String>, NullInPolicy> {
            texts.as_ref().ok_or(NullInPolicy)?.iter().map(|text| text.clone().ok_or(NullInPolicy)).collect()
        };
        let mut targets = Vec::new();
        let tags = all(&self.target_tags)?;
        if !tags.is_empty() {
            targets.push(Target::own_tags(tags));
        }
        for (name, values) in self.node_attributes.as_ref().ok_or(NullInPolicy)? {
            targets.push(Target::attribute(name, all(values)?));
        }
        let partitions = all(&self.node_partitions)?;
        if !partitions.is_empty() {
            targets.push(Target::partition(partitions));
        }
        Ok(targets)
    }

    /// Returns the constraint; `None` if it names nothing (with cardinality: a constraint without targets).
    fn constraint(&self) -> Result<Option<Constraint>, NullInPolicy> {
        let (Some(kind), Some(scope)) = (self.kind, self.scope.map(PolicyScope::scope)) else { return Ok(None) };
        let targets = self.targets()?;
        let attributes = targets.iter().any(|t| matches!(t, Target::Attribute { .. }));
        // Java truncates a long to an int.
        let bound = |n: Option<i64>, otherwise: i32| n.map_or(otherwise, |n| n as i32);
        Ok(match kind {
            PolicyType::AffinityWithCardinality => Some(Constraint::target_cardinality(
                scope,
                bound(self.min_cardinality, 0),
                bound(self.max_cardinality, UNLIMITED),
                targets,
            )),
            _ if targets.is_empty() => None,
            PolicyType::Affinity if attributes => Some(Constraint::node_attribute(scope, AttributeOp::Eq, targets)),
            PolicyType::AntiAffinity if attributes => Some(Constraint::node_attribute(scope, AttributeOp::Ne, targets)),
            PolicyType::Affinity => Some(Constraint::target_in(scope, targets)),
            PolicyType::AntiAffinity => Some(Constraint::target_not_in(scope, targets)),
        })
    }

    fn names(&self) -> (Vec<&str>, Vec<(&str, usize)>, Vec<&str>) {
        fn list(texts: &Texts) -> Vec<&str> {
            texts.iter().flatten().flatten().map(String::as_str).collect()
        }
        let attributes = self.node_attributes.iter().flatten();
        let attributes = attributes.map(|(name, values)| (name.as_str(), list(values).len())).collect();
        (list(&self.target_tags), attributes, list(&self.node_partitions))
    }

    /// Returns warnings of accepted constraints that cannot work. `known`: the components of the service.
    pub fn warnings(&self, component: &str, known: &[&str]) -> Vec<String> {
        let mut out = Vec::new();
        let (tags, attributes, partitions) = self.names();
        let Some(kind) = self.kind else { return out };
        let least = match kind {
            PolicyType::Affinity => 1,
            PolicyType::AntiAffinity => 0,
            PolicyType::AffinityWithCardinality => self.min_cardinality.unwrap_or(0),
        };
        if tags.is_empty() && attributes.is_empty() && partitions.is_empty() {
            out.push(format!(
                "A constraint of {component} names no target_tags, node_attributes or node_partitions: it constrains nothing."
            ));
        }
        if !attributes.is_empty() && kind == PolicyType::AffinityWithCardinality {
            out.push(format!(
                "No node ever matches: AFFINITY_WITH_CARDINALITY tests the attribute {} without an operator, which YARN takes as false. Put node_attributes into a constraint of type AFFINITY or ANTI_AFFINITY.",
                attributes[0].0
            ));
        } else if !attributes.is_empty() && !tags.is_empty() {
            out.push(format!(
                "No node ever matches: beside node_attributes, the constraint of {component} allows −1 containers with the tag {} at most. Put target_tags into a constraint of their own.",
                tags[0]
            ));
        } else if least > 0 && tags.contains(&component) {
            out.push(format!("The first {component} can never start: it wants a {component} already there."));
        }
        for tag in tags.iter().filter(|tag| !known.contains(tag)) {
            let then = if least > 0 { "no node ever has one" } else { "this keeps nothing apart" };
            out.push(format!("No component is called {tag}: {then}."));
        }
        for (name, _) in attributes.iter().filter(|(_, values)| *values > 1) {
            out.push(format!("Of the values of the attribute {name} YARN looks at one only."));
        }
        if kind == PolicyType::AntiAffinity && !partitions.is_empty() {
            out.push("node_partitions is not turned round by ANTI_AFFINITY: the node must be in the partition.".into());
        }
        if partitions.len() > 1 {
            out.push(format!(
                "{} node_partitions make the request invalid under the scheduler handler.",
                partitions.len()
            ));
        }
        out
    }
}

impl PlacementPolicy {
    /// Returns the constraint of the component's requests, which carry the component's name as tag; `None` for a policy that
    /// names nothing. Several are nested: AND(the later, AND(the earlier, …)).
    pub fn constraint(&self) -> Result<Option<Constraint>, NullInPolicy> {
        joined(self.constraints.iter())
    }
}

/// Returns the constraints of a policy as one.
pub fn joined<'c>(
    constraints: impl IntoIterator<Item = &'c ServiceConstraint>,
) -> Result<Option<Constraint>, NullInPolicy> {
    let mut joined: Option<Constraint> = None;
    for one in constraints {
        let Some(next) = one.constraint()? else { continue };
        joined = Some(match joined {
            None => next,
            Some(before) => Constraint::And(vec![next, before]),
        });
    }
    Ok(joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str, tags: &[&str], attributes: &[(&str, &[&str])], partitions: &[&str]) -> ServiceConstraint {
        let texts = |list: &[&str]| Some(list.iter().map(|t| Some(t.to_string())).collect());
        ServiceConstraint {
            kind: PolicyType::named(kind),
            scope: PolicyScope::named("node"),
            target_tags: texts(tags),
            node_attributes: Some(attributes.iter().map(|(name, values)| (name.to_string(), texts(values))).collect()),
            node_partitions: texts(partitions),
            ..ServiceConstraint::default()
        }
    }

    #[test]
    fn faults_come_in_yarns_order() {
        let mut one = ServiceConstraint { name: Some("apart".into()), ..ServiceConstraint::default() };
        let words = "Type not specified for constraint apart in placement policy of component web.";
        assert_eq!(one.validate().map_err(|e| one.words(e, "web")), Err(words.to_string()));
        one.kind = Some(PolicyType::Affinity);
        one.name = None;
        let words = "Scope not specified for constraint in placement policy of component web.";
        assert_eq!(one.validate().map_err(|e| one.words(e, "web")), Err(words.to_string()));
        one.scope = Some(PolicyScope::Rack);
        assert_eq!(one.validate(), Ok(()));
    }

    /// Tries every type with everything that it can name.
    #[test]
    fn what_a_constraint_becomes() {
        let (tag, os, gpu) = (Target::own_tags(["db"]), Target::attribute("os", ["el8"]), Target::partition(["gpu"]));
        let in_ = |t: &[Target]| Some(Constraint::target_in(Scope::Node, t.to_vec()));
        let not = |t: &[Target]| Some(Constraint::target_not_in(Scope::Node, t.to_vec()));
        let eq = |t: &[Target]| Some(Constraint::node_attribute(Scope::Node, AttributeOp::Eq, t.to_vec()));
        let ne = |t: &[Target]| Some(Constraint::node_attribute(Scope::Node, AttributeOp::Ne, t.to_vec()));
        let card = |t: &[Target]| Some(Constraint::target_cardinality(Scope::Node, 0, UNLIMITED, t.to_vec()));
        for (tags, attributes, partitions, targets) in [
            (&[][..], &[][..], &[][..], vec![]),
            (&["db"], &[], &[], vec![tag.clone()]),
            (&[], &[("os", &["el8"][..])], &[], vec![os.clone()]),
            (&[], &[], &["gpu"], vec![gpu.clone()]),
            (&["db"], &[("os", &["el8"])], &[], vec![tag.clone(), os.clone()]),
            (&["db"], &[], &["gpu"], vec![tag.clone(), gpu.clone()]),
            (&["db"], &[("os", &["el8"])], &["gpu"], vec![tag.clone(), os.clone(), gpu.clone()]),
        ] {
            let made = |kind| of(kind, tags, attributes, partitions).constraint().expect("no nulls");
            let (affinity, anti) = match (targets.is_empty(), attributes.is_empty()) {
                (true, _) => (None, None),
                (_, true) => (in_(&targets), not(&targets)),
                (_, false) => (eq(&targets), ne(&targets)),
            };
            assert_eq!(made("AFFINITY"), affinity, "{targets:?}");
            assert_eq!(made("ANTI_AFFINITY"), anti, "{targets:?}");
            assert_eq!(made("AFFINITY_WITH_CARDINALITY"), card(&targets), "{targets:?}");
        }
    }

    #[test]
    fn several_constraints_are_nested_and_those_that_name_nothing_left_out() {
        let (first, none, second) =
            (of("ANTI_AFFINITY", &["a"], &[], &[]), of("AFFINITY", &[], &[], &[]), of("AFFINITY", &["b"], &[], &[]));
        let policy = PlacementPolicy { constraints: vec![first.clone(), none.clone(), second] };
        let Ok(Some(Constraint::And(children))) = policy.constraint() else { panic!("an AND") };
        assert_eq!(children[0], Constraint::target_in(Scope::Node, [Target::own_tags(["b"])]));
        assert_eq!(
            Ok(Some(children[1].clone())),
            PlacementPolicy { constraints: vec![none, first.clone()] }.constraint()
        );
        assert_eq!(PlacementPolicy::default().constraint(), Ok(None));
        let null = ServiceConstraint { node_partitions: None, ..first };
        assert_eq!(PlacementPolicy { constraints: vec![null] }.constraint(), Err(NullInPolicy));
    }

    #[test]
    fn what_cannot_work_is_told() {
        for (one, part) in [
            (of("AFFINITY", &["web"], &[], &[]), "The first web can never start"),
            (of("AFFINITY", &["nobody"], &[], &[]), "no node ever has one"),
            (of("ANTI_AFFINITY", &["nobody"], &[], &[]), "keeps nothing apart"),
            (of("ANTI_AFFINITY", &["web"], &[("os", &["el8"])], &[]), "target_tags into a constraint of their own"),
            (of("AFFINITY_WITH_CARDINALITY", &[], &[("os", &["el8"])], &[]), "without an operator"),
            (of("AFFINITY", &[], &[("os", &["el8", "el9"])], &[]), "looks at one only"),
            (of("ANTI_AFFINITY", &[], &[], &["gpu"]), "not turned round"),
            (of("AFFINITY", &[], &[], &["gpu", "ssd"]), "2 node_partitions"),
            (of("AFFINITY", &[], &[], &[]), "constrains nothing"),
        ] {
            let told = one.warnings("web", &["web", "db"]);
            assert_eq!((told.len(), told.iter().any(|w| w.contains(part))), (1, true), "{part}: {told:?}");
        }
        assert_eq!(of("ANTI_AFFINITY", &["web", "db"], &[], &[]).warnings("web", &["web", "db"]), [""; 0]);
        assert_eq!(of("AFFINITY", &[], &[("os", &["el8"])], &[]).warnings("web", &["web"]), [""; 0]);
    }
}
