//! The constraint tree (placement-constraints.md section 2; PlacementConstraint and PlacementConstraints of Hadoop
//! 3.5.0). Specialised forms (target, cardinality) are rewritten to [`Single`] as they are built.

use super::namespace::{Namespace, parse_namespace};
use super::order::same_set;
use serde::{Deserialize, Serialize};
use std::fmt;

/// "No limit": Java's largest int.
pub const UNLIMITED: i32 = i32::MAX;

/// The scope in which a leaf counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    Node,
    Rack,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scope::Node => "node",
            Scope::Rack => "rack",
        })
    }
}

/// Operator of a node attribute target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum AttributeOp {
    /// No operator (tags).
    #[default]
    #[serde(rename = "NO_OP")]
    NoOp,
    /// The node has the attribute with this value.
    #[serde(rename = "EQ")]
    Eq,
    /// The node does not.
    #[serde(rename = "NE")]
    Ne,
}

impl fmt::Display for AttributeOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AttributeOp::NoOp => "NO_OP",
            AttributeOp::Eq => "EQ",
            AttributeOp::Ne => "NE",
        })
    }
}

/// What a leaf examines. Values are sets: their order matters only where YARN takes "the first" of a Java set
/// ([`super::order::first_of_set`]).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Target {
    /// Allocation tags in a namespace; no values: every tag in the namespace.
    Tags {
        /// `self`, `not-self`, `all`, `app-id/ID`, `app-tag/TAG`, as written.
        namespace: String,
        values: Vec<String>,
    },
    /// A node attribute, optionally `prefix/name`.
    Attribute {
        name: String,
        /// Values; only one is ever evaluated (5.4).
        values: Vec<String>,
    },
    Partition {
        values: Vec<String>,
    },
}

impl Target {
    /// Tags of the asking application.
    pub fn own_tags<S: Into<String>>(tags: impl IntoIterator<Item = S>) -> Self {
        Self::tags("self", tags)
    }

    /// Tags in a namespace.
    pub fn tags<S: Into<String>>(namespace: &str, tags: impl IntoIterator<Item = S>) -> Self {
        Target::Tags { namespace: namespace.into(), values: tags.into_iter().map(Into::into).collect() }
    }

    /// A node attribute.
    pub fn attribute<S: Into<String>>(name: &str, values: impl IntoIterator<Item = S>) -> Self {
        Target::Attribute { name: name.into(), values: values.into_iter().map(Into::into).collect() }
    }

    /// The node's partition.
    pub fn partition<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Self {
        Target::Partition { values: values.into_iter().map(Into::into).collect() }
    }

    /// The values, whatever the kind.
    pub fn values(&self) -> &[String] {
        match self {
            Target::Tags { values, .. } | Target::Attribute { values, .. } | Target::Partition { values } => values,
        }
    }

    /// The namespace whose tags it compares. `None`: it compares no tags.
    pub fn namespace(&self) -> Option<&str> {
        match self {
            Target::Tags { namespace, .. } => Some(namespace),
            Target::Attribute { .. } | Target::Partition { .. } => None,
        }
    }

    /// Returns whether they are equal to YARN: values are sets.
    pub fn same(&self, other: &Target) -> bool {
        let key = match (self, other) {
            (Target::Tags { namespace: a, .. }, Target::Tags { namespace: b, .. }) => a == b,
            (Target::Attribute { name: a, .. }, Target::Attribute { name: b, .. }) => a == b,
            (Target::Partition { .. }, Target::Partition { .. }) => true,
            _ => false,
        };
        key && same_set(self.values(), other.values())
    }
}

/// The only leaf that the evaluator knows.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Single {
    /// The scope in which it counts.
    pub scope: Scope,
    /// The minimum count, without the requested allocation.
    pub min: i32,
    /// The maximum count, without the requested allocation; [`UNLIMITED`] for no limit.
    pub max: i32,
    pub op: AttributeOp,
    /// All of them must hold.
    pub targets: Vec<Target>,
}

impl Single {
    /// Creates a leaf; equal targets are stored once.
    pub fn new(scope: Scope, min: i32, max: i32, op: AttributeOp, targets: impl IntoIterator<Item = Target>) -> Self {
        let mut kept: Vec<Target> = Vec::new();
        for target in targets {
            if !kept.iter().any(|t| t.same(&target)) {
                kept.push(target);
            }
        }
        Single { scope, min, max, op, targets: kept }
    }

    /// `targetIn`: at least one.
    pub fn is_in(&self) -> bool {
        self.min == 1 && self.max == UNLIMITED
    }

    /// `targetNotIn`: none.
    pub fn is_not_in(&self) -> bool {
        self.min == 0 && self.max == 0
    }

    /// Returns whether they are equal to YARN: targets are a set.
    pub fn same(&self, other: &Single) -> bool {
        (self.scope, self.min, self.max, self.op) == (other.scope, other.min, other.max, other.op)
            && self.targets.iter().all(|t| other.targets.iter().any(|o| t.same(o)))
            && other.targets.iter().all(|o| self.targets.iter().any(|t| t.same(o)))
    }
}

/// A child of [`Constraint::DelayedOr`].
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Timed {
    pub constraint: Constraint,
    pub delay: i64,
    /// Whether the delay counts opportunities (else milliseconds).
    pub opportunities: bool,
}

/// A placement constraint. `==` compares as written; [`Constraint::same`] compares as YARN does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Constraint {
    Single(Single),
    And(Vec<Constraint>),
    Or(Vec<Constraint>),
    /// Can be built and transferred, but YARN 3.5.0 cannot evaluate it (5.6).
    DelayedOr(Vec<Timed>),
}

impl Constraint {
    /// `targetIn`: at least one allocation with each tag.
    pub fn target_in(scope: Scope, targets: impl IntoIterator<Item = Target>) -> Self {
        Constraint::Single(Single::new(scope, 1, UNLIMITED, AttributeOp::NoOp, targets))
    }

    /// `targetNotIn`: no allocation with any of the tags.
    pub fn target_not_in(scope: Scope, targets: impl IntoIterator<Item = Target>) -> Self {
        Constraint::Single(Single::new(scope, 0, 0, AttributeOp::NoOp, targets))
    }

    /// `targetCardinality`: between `min` and `max` of each, without the requested allocation.
    pub fn target_cardinality(scope: Scope, min: i32, max: i32, targets: impl IntoIterator<Item = Target>) -> Self {
        Constraint::Single(Single::new(scope, min, max, AttributeOp::NoOp, targets))
    }

    /// `cardinality`: one tag target with all the tags.
    pub fn cardinality<S: Into<String>>(
        scope: Scope,
        namespace: &str,
        min: i32,
        max: i32,
        tags: impl IntoIterator<Item = S>,
    ) -> Self {
        Self::target_cardinality(scope, min, max, [Target::tags(namespace, tags)])
    }

    /// `targetNodeAttribute`.
    pub fn node_attribute(scope: Scope, op: AttributeOp, targets: impl IntoIterator<Item = Target>) -> Self {
        Constraint::Single(Single::new(scope, -1, -1, op, targets))
    }

    /// Returns whether they are equal to YARN: targets and values are sets, children are ordered.
    pub fn same(&self, other: &Constraint) -> bool {
        match (self, other) {
            (Constraint::Single(a), Constraint::Single(b)) => a.same(b),
            (Constraint::And(a), Constraint::And(b)) | (Constraint::Or(a), Constraint::Or(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.same(y))
            }
            (Constraint::DelayedOr(a), Constraint::DelayedOr(b)) => {
                a.len() == b.len()
                    && a.iter().zip(b).all(|(x, y)| {
                        (x.delay, x.opportunities) == (y.delay, y.opportunities) && x.constraint.same(&y.constraint)
                    })
            }
            _ => false,
        }
    }

    /// The leaves, in the order in which they are evaluated: the clauses. Leaf *i* of a parsed entry is its clause *i*.
    pub fn leaves(&self) -> Vec<&Single> {
        let mut out = Vec::new();
        self.collect_leaves(&mut out);
        out
    }

    fn collect_leaves<'a>(&'a self, out: &mut Vec<&'a Single>) {
        match self {
            Constraint::Single(leaf) => out.push(leaf),
            Constraint::And(children) | Constraint::Or(children) => {
                children.iter().for_each(|c| c.collect_leaves(out));
            }
            Constraint::DelayedOr(children) => children.iter().for_each(|c| c.constraint.collect_leaves(out)),
        }
    }

    /// Returns whether its meaning depends on the asking application.
    pub fn depends_on_asker(&self) -> bool {
        self.leaves().iter().flat_map(|leaf| &leaf.targets).any(|target| match target {
            Target::Tags { namespace, .. } => {
                matches!(parse_namespace(namespace), Ok(Namespace::Own | Namespace::NotSelf))
            }
            Target::Attribute { .. } | Target::Partition { .. } => false,
        })
    }

    /// Returns whether it contains a delayed-or, which YARN 3.5.0 cannot evaluate.
    pub fn has_delayed_or(&self) -> bool {
        match self {
            Constraint::Single(_) => false,
            Constraint::And(children) | Constraint::Or(children) => children.iter().any(Constraint::has_delayed_or),
            Constraint::DelayedOr(_) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_is_structural_and_blind_to_the_order_of_sets() {
        let a = Constraint::target_in(Scope::Node, [Target::own_tags(["x", "y"]), Target::own_tags(["z"])]);
        let b = Constraint::target_in(Scope::Node, [Target::own_tags(["z"]), Target::own_tags(["y", "x", "y"])]);
        assert!(a.same(&b));
        assert!(!a.same(&Constraint::target_in(Scope::Rack, [Target::own_tags(["z"])])));
        let both = |x: &Constraint, y: &Constraint| Constraint::And(vec![x.clone(), y.clone()]);
        let other = Constraint::target_not_in(Scope::Node, [Target::own_tags(["z"])]);
        assert!(!both(&a, &other).same(&both(&other, &a)), "children are in order");
    }
}
