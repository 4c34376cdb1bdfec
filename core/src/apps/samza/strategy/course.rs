//! The way of a container from the wish for it to where it runs: kept for whoever tells why it is there. Nothing is
//! decided by it.

use super::decision::AskReason;
use super::requests::{Request, Wish};
use crate::model::{ContainerId, Millis};

/// A request that was not served in time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// Where the container was wanted.
    pub wish: Wish,
    pub at: Millis,
    /// How old the request was.
    pub age: Millis,
    /// How old it may get.
    pub timeout: Millis,
}

/// How one container of a job came, or comes, to its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Course {
    /// Where it was wanted at first, and why.
    pub first: Wish,
    pub why: AskReason,
    /// When that request was made.
    pub since: Millis,
    /// Where it was wanted in the end.
    pub last: Wish,
    /// The first of its requests that expired.
    pub missed: Option<Missed>,
    /// How many containers were given back for it, since their hosts are forbidden, and the last of these hosts.
    pub forbidden: (usize, String),
    /// What it got.
    pub got: Option<ContainerId>,
}

impl Course {
    /// Begins with a request.
    pub(super) fn new(now: Millis, request: &Request, why: AskReason) -> Self {
        let wish = &request.wish;
        Course {
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
