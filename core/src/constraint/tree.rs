//! The constraint tree (placement-constraints.md section 2; PlacementConstraint of Hadoop 3.5.0). Specialised
//! forms (target, cardinality) are rewritten to [`Single`] as they are built.

use serde::{Deserialize, Serialize};

/// "No limit": Java's largest int.
pub const UNLIMITED: i32 = i32::MAX;

/// Within what a leaf counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// One node.
    Node,
    /// One rack.
    Rack,
}

/// Operator of a node attribute target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum AttributeOp {
    /// None was given (tags).
    #[default]
    #[serde(rename = "NO_OP")]
    NoOp,
    /// The node has the attribute with this value.
    #[serde(rename = "EQ")]
    Eq,
    /// It has not.
    #[serde(rename = "NE")]
    Ne,
}

/// What a leaf looks at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Target {
    /// Allocation tags in a namespace; no values: every tag of the namespace.
    Tags {
        /// `self`, `not-self`, `all`, `app-id/ID`, `app-tag/TAG`, as written.
        namespace: String,
        /// The tags.
        values: Vec<String>,
    },
    /// A node attribute, optionally `prefix/name`.
    Attribute {
        /// Its name.
        name: String,
        /// Values; only one is ever evaluated (5.4).
        values: Vec<String>,
    },
    /// The node's partition.
    Partition {
        /// Partition names.
        values: Vec<String>,
    },
}

/// The only leaf that the evaluator knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Single {
    /// Within what it counts.
    pub scope: Scope,
    /// At least so many, the asking one not counted.
    pub min: i32,
    /// At most so many, the asking one not counted; [`UNLIMITED`] for no limit.
    pub max: i32,
    /// Operator of attribute targets.
    pub op: AttributeOp,
    /// All of them must hold.
    pub targets: Vec<Target>,
}

/// A child of [`Constraint::DelayedOr`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timed {
    /// The child.
    pub constraint: Constraint,
    /// Its delay.
    pub delay: i64,
    /// Is the delay counted in opportunities (else in milliseconds)?
    pub opportunities: bool,
}

/// A placement constraint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Constraint {
    /// A leaf.
    Single(Single),
    /// All children.
    And(Vec<Constraint>),
    /// Any child.
    Or(Vec<Constraint>),
    /// Can be built and carried, cannot be evaluated by YARN 3.5.0 (5.6).
    DelayedOr(Vec<Timed>),
}
