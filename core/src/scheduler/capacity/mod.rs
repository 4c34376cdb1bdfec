//! The CapacityScheduler (capacity-scheduler.md; CapacityScheduler and the queue classes of Hadoop 3.5.0). The
//! order of its files follows the order of a decision.

pub mod access;
pub mod mapping;
mod queue;
pub mod shares;
mod shares_vector;
mod users;

pub use queue::{Leaf, Queue, QueuePart, QueueState};
pub use users::{LeafUser, Users};

use super::{App, Cluster};
use crate::model::{AppId, QueueId, Resource};
use crate::rm::api::{Refusal, RmSettings};

/// The scheduler's state beside the [`Cluster`]: the queue tree.
#[derive(Clone, Debug, PartialEq)]
pub struct CapacityScheduler {
    queues: Vec<Queue>,
}

impl CapacityScheduler {
    /// Starts one over empty books. Errors: the settings are refused, in Hadoop's words.
    pub fn start(_settings: &RmSettings) -> Result<(Self, Cluster), Refusal> {
        Err(Refusal::new("the CapacityScheduler is not modelled yet"))
    }

    /// Queues, root first.
    pub fn queues(&self) -> &[Queue] {
        &self.queues
    }

    /// A queue.
    #[inline]
    pub fn queue(&self, id: QueueId) -> &Queue {
        &self.queues[id.index()]
    }

    /// A queue by its full path, or by its short name when that is not ambiguous.
    pub fn find_queue(&self, name: &str) -> Option<QueueId> {
        let mut found = None;
        for q in self.queues.iter().filter(|q| q.alive) {
            if q.path == name {
                return Some(q.id);
            }
            if q.name() == name {
                found = if found.is_none() { Some(Some(q.id)) } else { Some(None) };
            }
        }
        found.flatten()
    }

    /// What an AM is told as headroom (section 10).
    pub fn headroom(&mut self, _cluster: &Cluster, _app: AppId) -> Resource {
        Resource::ZERO
    }
}

/// YARN's words for why an AM does not run yet.
pub fn am_status_text(_cluster: &Cluster, _app: &App) -> String {
    String::new()
}
