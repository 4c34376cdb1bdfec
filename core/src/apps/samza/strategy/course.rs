//! The placement history of a container, from the first request for it to the host where it runs, kept for explanations. No
//! decision depends on it.

use super::decision::AskReason;
use super::requests::{Request, Wish};
use crate::model::{ContainerId, Millis};

/// A request that was not served in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The host that was wanted.
    pub wish: Wish,
    pub at: Millis,
    /// The age of the request.
    pub age: Millis,
    /// The age at which it expired.
    pub timeout: Millis,
}

/// The placement history of one container of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacementHistory {
    /// The host that was wanted at first, and the reason.
    pub first: Wish,
    pub why: AskReason,
    /// The time of that request.
    pub since: Millis,
    /// The host that was wanted last.
    pub last: Wish,
    /// The first of its requests that expired.
    pub missed: Option<Missed>,
    /// The number of containers that were given back since their hosts are forbidden, and the last of these hosts.
    pub forbidden: (usize, String),
    /// The container that it got.
    pub got: Option<ContainerId>,
}

impl PlacementHistory {
    /// Begins a history with a request.
    pub(super) fn new(now: Millis, request: &Request, why: AskReason) -> Self {
        let wish = &request.wish;
        PlacementHistory {
            first: wish.clone(),
            why,
            since: now,
            last: wish.clone(),
            missed: None,
            forbidden: (0, String::new()),
            got: None,
        }
    }
}
