//! The steps of the placement processor for scheduling requests.

use crate::check::Check;
use crate::constraint::algorithm::Trail;
use crate::model::{AppId, NodeId, RequestKey};

/// A step of the placement processor.
#[derive(Clone, Debug, PartialEq)]
pub enum Processing {
    /// Its algorithm has processed a batch.
    Batch {
        app: AppId,
        /// The number of the attempt for these requests.
        attempt: i32,
        /// Nodes proposed, by allocation request id.
        proposed: Vec<(i64, Vec<NodeId>)>,
        /// Allocations without a node, by allocation request id.
        left: Vec<(i64, i64)>,
        /// Whether the run ended in an error of YARN's own.
        died: bool,
        /// The trail of each request.
        trails: Vec<Trail>,
    },
    /// A scheduling request was rejected for good.
    Rejected {
        app: AppId,
        key: RequestKey,
        count: i64,
        /// The check that failed in the last attempt: no node was found, or the scheduler refused the proposal.
        check: Check,
    },
}
