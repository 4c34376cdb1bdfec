//! The requests of a starved application that cover what it lacks (FSAppAttempt.getStarvedResourceRequests;
//! preemption.md B3(1)).

use super::record::{RequestPlace, StarvedRequest, UncountedReason};
use super::visit::Visited;
use crate::model::Resource;
use crate::preemption::measure::less;

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Priority of its key.
    pub priority: i32,
    /// The place.
    pub place: RequestPlace,
    /// Size of one container.
    pub size: Resource,
    /// The number of containers.
    pub count: i64,
    /// Whether locality may be relaxed.
    pub relax: bool,
}

/// Chooses requests that together do not exceed what is missing, counting each container once; requests after the one
/// that covers the rest are not examined.
pub fn wants(requests: impl IntoIterator<Item = Request>, lack: Resource) -> Vec<StarvedRequest> {
    let mut out = Vec::new();
    let mut left = lack;
    let mut visited: Vec<((i32, Resource), Visited)> = Vec::new();
    for r in requests {
        if left.is_zero() {
            break;
        }
        let alike = (r.priority, r.size);
        let at = visited.iter().position(|(key, _)| *key == alike).unwrap_or_else(|| {
            visited.push((alike, Visited::default()));
            visited.len() - 1
        });
        let seen = &mut visited[at].1;
        let counts = match &r.place {
            RequestPlace::Anywhere => seen.anywhere(),
            RequestPlace::Rack(rack) => seen.rack(rack),
            RequestPlace::Node(_, rack) => seen.node(rack),
            RequestPlace::Unknown(_) => false,
        };
        // By memory, whatever the policy.
        let fit = fit(left.memory_mb(), r.size.memory_mb());
        let refused = match (&r.place, counts) {
            (RequestPlace::Unknown(_), _) => Some(UncountedReason::NoSuchPlace),
            (_, false) => Some(UncountedReason::CountedElsewhere),
            _ if fit == 0 => Some(UncountedReason::MoreThanLacking),
            _ => None,
        };
        // YARN makes a new request for a reduced count, and a new request relaxes locality.
        let (count, relax) = if fit < r.count { (fit, true) } else { (r.count, r.relax) };
        let count = if refused.is_some() { 0 } else { count };
        let (priority, asked) = (r.priority, r.count);
        out.push(StarvedRequest { priority, place: r.place, size: r.size, asked, count, relax, lack: left, refused });
        if refused.is_none() {
            left = less(left, r.size.times(count));
        }
    }
    out
}

/// The number of containers that fit; for a size of nothing the largest number, unless nothing is left.
fn fit(room: i64, size: i64) -> i64 {
    if room == 0 { 0 } else { i64::from((room as f32 / size as f32).floor() as i32) }
}
