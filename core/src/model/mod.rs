//! The nouns that every room shares: resources, ids, problems, and the few habits of Java that show in YARN's
//! decisions. Uses nothing else of the core.

mod app_set;
mod figures;
pub mod fold;
pub mod ids;
pub mod java;
pub mod java_number;
mod kept;
pub mod limits;
pub mod names;
pub mod nearest;
pub mod order;
pub mod placing;
pub mod resource;
pub mod sorted;

pub use app_set::AppSet;
pub use figures::without_figures;
pub use fold::Fold;
pub use heddle_view::{CappedProblems, Lines, Problem, Severity, Span};
pub use ids::{
    AppId, AttemptId, ContainerId, DEFAULT_PARTITION, Millis, NodeId, OpenKey, PartitionId, QueueId, RequestKey, UserId,
};
pub use kept::Cache;
pub use nearest::nearest;
pub use placing::{EndCause, Locality, PlaceId, PreemptedFor, Selector};
pub use resource::{Calculator, CalculatorKind, Resource, ResourceTypes};
pub use sorted::SortedMap;
