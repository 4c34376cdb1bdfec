//! Placement constraints: the tree, the PlacementSpec language, tag counts, the evaluator, the placement algorithm
//! (placement-constraints.md). Knows nodes, racks and tags; knows nothing of schedulers.

pub mod distributed_shell;
pub mod order;
pub mod print;
pub mod spec;
pub mod tree;

pub use spec::{Spec, SpecError, parse_expression, parse_spec};
pub use tree::{AttributeOp, Constraint, Scope, Single, Target, Timed};
