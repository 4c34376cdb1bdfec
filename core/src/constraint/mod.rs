//! Placement constraints: the tree, the PlacementSpec language, tag counts, the evaluator, the placement algorithm
//! (placement-constraints.md). Knows nodes, racks and tags; knows nothing of schedulers.

pub mod tree;

pub use tree::{AttributeOp, Constraint, Scope, Single, Target, Timed};
