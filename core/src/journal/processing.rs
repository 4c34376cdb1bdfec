//! What the placement processor made of scheduling requests.

use crate::check::Check;
use crate::constraint::algorithm::Trail;
use crate::model::{AppId, NodeId, RequestKey};

/// A step of the placement processor.
#[derive(Clone, Debug, PartialEq)]
pub enum Processing {
    /// Its algorithm has gone through a batch.
    Batch {
        app: AppId,
        /// Which attempt of these requests.
        attempt: i32,
        /// Nodes proposed, by allocation request id.
        proposed: Vec<(i64, Vec<NodeId>)>,
        /// What is left, by allocation request id.
        left: Vec<(i64, i64)>,
        /// Did the run end in an error of YARN's own?
        died: bool,
        /// What each request met.
        trails: Vec<Trail>,
    },
    /// A scheduling request was rejected for good.
    Rejected {
        app: AppId,
        key: RequestKey,
        count: i64,
        /// The check that failed in the last attempt: no node was found, or the scheduler refused what was.
        check: Check,
    },
}
