//! Placement constraints: the tree, the PlacementSpec language, tag counts, the evaluator, the placement algorithm
//! (placement-constraints.md). Depends on nodes, racks and tags, but not on schedulers.

pub mod algorithm;
pub mod attributes;
pub mod english;
pub mod evaluate;
pub mod manager;
pub mod namespace;
pub mod order;
mod popular;
pub mod print;
#[cfg(all(test, not(target_arch = "wasm32")))]
mod properties;
pub mod settings;
pub mod spec;
pub mod tags;
pub mod tree;
pub mod unsatisfiable;
pub mod xray;

pub use attributes::{AttributeChange, Attributes};
pub use evaluate::{Asking, EvalError, PlacementState, Site, Verdict};
pub use manager::{Applying, ConstraintManager, Level, Question};
pub use settings::{Handler, PlacementSettings};
pub use spec::{Spec, SpecError, parse_expression, parse_spec, read_spec};
pub use tags::TagCounts;
pub use tree::{AttributeOp, Constraint, Scope, Single, Target, Timed};
