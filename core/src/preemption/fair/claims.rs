//! The resources that a node has promised to starved applications (FSSchedulerNode; preemption.md B4).

use crate::model::{AttemptId, ContainerId, Resource};
use std::collections::BTreeSet;

/// The promises of one node: the containers to preempt, and the attempts that wait for their resources.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Claims {
    /// The containers to preempt, as long as they live.
    taken: BTreeSet<ContainerId>,
    /// The amounts that attempts still wait for, in the order of their first promise.
    waiting: Vec<(AttemptId, Resource)>,
}

impl Claims {
    /// Promises containers to an attempt; each container counts once.
    pub fn add(&mut self, attempt: AttemptId, containers: impl IntoIterator<Item = (ContainerId, Resource)>) {
        let news = containers.into_iter().filter(|(id, _)| self.taken.insert(*id));
        let sum = news.fold(Resource::ZERO, |sum, (_, size)| sum + size);
        if sum.is_zero() {
            return;
        }
        match self.waiting.iter_mut().find(|(a, _)| *a == attempt) {
            Some((_, amount)) => *amount += sum,
            None => self.waiting.push((attempt, sum)),
        }
    }

    /// Reduces the promise to an attempt that got a container here.
    pub fn fulfil(&mut self, attempt: AttemptId, size: Resource) {
        let Some(at) = self.waiting.iter().position(|(a, _)| *a == attempt) else { return };
        let amount = &mut self.waiting[at].1;
        *amount -= amount.component_min(size);
        if amount.is_zero() {
            self.waiting.remove(at);
        }
    }

    /// Removes a container that has ended. The amount that was promised for it stays promised.
    pub fn ended(&mut self, id: ContainerId) {
        self.taken.remove(&id);
    }

    /// Returns whether a container is to be preempted.
    pub fn takes(&self, id: ContainerId) -> bool {
        self.taken.contains(&id)
    }

    /// The amounts that attempts still wait for, in the order in which they are served here.
    pub fn waiting(&self) -> &[(AttemptId, Resource)] {
        &self.waiting
    }

    /// Removes the promises to attempts for which `still` is false.
    pub fn keep(&mut self, mut still: impl FnMut(AttemptId) -> bool) {
        self.waiting.retain(|(attempt, _)| still(*attempt));
    }

    /// The sum of the promises.
    pub fn total(&self) -> Resource {
        self.waiting.iter().fold(Resource::ZERO, |sum, (_, amount)| sum + *amount)
    }
}
