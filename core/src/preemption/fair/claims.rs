//! What a node has promised to starved applications (FSSchedulerNode; preemption.md B4).

use crate::model::{AttemptId, ContainerId, Resource};
use std::collections::BTreeSet;

/// Of one node: whose room is taken, and who waits for it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Claims {
    /// Its containers that are taken, as long as they live.
    taken: BTreeSet<ContainerId>,
    /// What attempts still wait for, in the order in which they were promised something.
    waiting: Vec<(AttemptId, Resource)>,
}

impl Claims {
    /// Containers are taken for an attempt; each counts once.
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

    /// An attempt got a container here.
    pub fn fulfil(&mut self, attempt: AttemptId, size: Resource) {
        let Some(at) = self.waiting.iter().position(|(a, _)| *a == attempt) else { return };
        let amount = &mut self.waiting[at].1;
        *amount -= amount.component_min(size);
        if amount.is_zero() {
            self.waiting.remove(at);
        }
    }

    /// A container has ended. What was promised for it stays promised.
    pub fn ended(&mut self, id: ContainerId) {
        self.taken.remove(&id);
    }

    /// Is a container taken?
    pub fn takes(&self, id: ContainerId) -> bool {
        self.taken.contains(&id)
    }

    /// What attempts still wait for, in the order in which they come first here.
    pub fn waiting(&self) -> &[(AttemptId, Resource)] {
        &self.waiting
    }

    /// Attempts of which this does not hold wait no more.
    pub fn keep(&mut self, mut still: impl FnMut(AttemptId) -> bool) {
        self.waiting.retain(|(attempt, _)| still(*attempt));
    }

    /// What is promised in all.
    pub fn total(&self) -> Resource {
        self.waiting.iter().fold(Resource::ZERO, |sum, (_, amount)| sum + *amount)
    }
}
