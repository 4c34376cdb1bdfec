//! Resources that starved applications wait for (FSSchedulerNode, FairScheduler.assignPreemptedContainers;
//! preemption.md B4): on each node, the amounts promised to them from what is taken from others there. Nothing but
//! being first at every offer keeps promised resources from others.

use super::FairScheduler;
use super::offer::Given;
use crate::check::About;
use crate::config::fair::Policy;
use crate::journal::{Finding, Recorder};
use crate::model::{AppId, AttemptId, ContainerId, NodeId, Resource};
use crate::preemption::fair::Claims;
use crate::preemption::less;
use crate::scheduler::Cluster;
use crate::scheduler::life::DEFAULT;

impl FairScheduler {
    fn claims(&self, node: NodeId) -> Option<&Claims> {
        self.claims.get(node.index())
    }

    fn claims_mut(&mut self, node: NodeId) -> &mut Claims {
        if self.claims.len() <= node.index() {
            self.claims.resize_with(node.index() + 1, Claims::default);
        }
        &mut self.claims[node.index()]
    }

    /// Iterates over a node's promises to starved applications, in the order in which it serves them.
    pub fn promised(&self, node: NodeId) -> impl Iterator<Item = (AttemptId, Resource)> + '_ {
        self.claims(node).into_iter().flat_map(|claims| claims.waiting().iter().copied())
    }

    /// Returns the sum of a node's promises.
    pub(super) fn promised_total(&self, node: NodeId) -> Resource {
        self.claims(node).map(Claims::total).unwrap_or_default()
    }

    /// Returns a node's promise to an application's current attempt.
    pub(super) fn promised_to(&self, c: &Cluster, node: NodeId, app: AppId) -> Option<Resource> {
        let attempt = c.app(app).attempt_id();
        self.promised(node).find(|(a, _)| *a == attempt).map(|(_, amount)| amount)
    }

    /// Returns whether a container is already taken.
    pub(super) fn is_taken(&self, node: NodeId, id: ContainerId) -> bool {
        self.claims(node).is_some_and(|claims| claims.takes(id))
    }

    /// Takes containers of a node for a starved application, and marks them, so that their own applications are warned.
    pub(super) fn take_for(&mut self, c: &Cluster, starved: AppId, node: NodeId, containers: &[ContainerId]) {
        let attempt = c.app(starved).attempt_id();
        let sized: Vec<_> = containers.iter().filter_map(|id| Some((*id, c.container(*id)?.size))).collect();
        self.claims_mut(node).add(attempt, sized.iter().copied());
        for (id, size) in sized {
            let owner = &mut self.app_mut(id.app).starving;
            if !owner.marked.contains(&id) {
                owner.marked.push(id);
                owner.marked_size += size;
            }
        }
    }

    /// Marks a container, so that its AM is warned: its node has become too small for its containers. One that is over
    /// counts as marked for the application's current attempt for good, since it will not end again
    /// (FSAppAttempt.trackContainerForPreemption, containerCompleted).
    pub(crate) fn warn(&mut self, id: ContainerId, size: Resource) {
        let owner = &mut self.app_mut(id.app).starving;
        if !owner.marked.contains(&id) {
            owner.marked.push(id);
            owner.marked_size += size;
        }
    }

    /// Removes a container that is about to end from the claims and the marks.
    pub(super) fn taken_no_more(&mut self, c: &Cluster, id: ContainerId) {
        let warned = self.app(id.app).is_some_and(|a| !a.starving.marked.is_empty());
        if self.claims.is_empty() && !warned {
            return;
        }
        let Some(container) = c.container(id) else { return };
        let (node, size) = (container.node, container.size);
        if !self.claims.is_empty() {
            self.claims_mut(node).ended(id);
        }
        let owner = &mut self.app_mut(id.app).starving;
        if let Some(at) = owner.marked.iter().position(|m| *m == id) {
            owner.marked.remove(at);
            owner.marked_size -= size;
        }
    }

    /// Reduces a node's promise to an application by a container that it got there.
    pub(super) fn claim_served(&mut self, c: &Cluster, app: AppId, node: NodeId, size: Resource) {
        if self.promised(node).next().is_some() {
            let attempt = c.app(app).attempt_id();
            self.claims_mut(node).fulfil(attempt, size);
        }
    }

    /// Drops the promises of a node that is gone.
    pub(super) fn forget_claims(&mut self, node: NodeId) {
        if let Some(claims) = self.claims.get_mut(node.index()) {
            *claims = Claims::default();
        }
    }

    fn is_there(c: &Cluster, attempt: AttemptId) -> bool {
        let app = c.app(attempt.app);
        app.alive && app.attempt_id() == attempt
    }

    /// Returns whether an application is below its share, or is owed a part of its queue's minimum share.
    pub(super) fn is_starved(&self, c: &Cluster, app: AppId) -> bool {
        let a = &self.apps[app.index()];
        let (used, leaf) = (&c.app(app).used[DEFAULT], c.app(app).queue);
        let below = match self.queue(leaf).policy {
            Policy::Drf => self.measure(c, leaf).below(*used, a.fair_share),
            _ => used.memory_mb() < a.fair_share.memory_mb(),
        };
        below || !a.starving.minimum.is_zero()
    }

    /// Serves the applications that a node has promised resources, before anything else at an offer, as long as they
    /// are starved.
    pub(super) fn serve_claims<R: Recorder>(&mut self, c: &mut Cluster, node: NodeId, rec: &mut R) {
        if self.promised(node).next().is_none() {
            return;
        }
        let mut claims = std::mem::take(self.claims_mut(node));
        claims.keep(|attempt| {
            let lack = &self.apps[attempt.app.index()].starving;
            let lacks = !(lack.fair.is_zero() && lack.minimum.is_zero());
            Self::is_there(c, attempt) && self.is_starved(c, attempt.app) && lacks
        });
        let waiting = claims.waiting().to_vec();
        *self.claims_mut(node) = claims;
        for (attempt, mut left) in waiting {
            while Self::is_there(c, attempt) && !left.is_zero() {
                self.begin(c, node, rec);
                rec.enter(c.now, About::App(attempt.app));
                let given = self.try_app(c, attempt.app, node, rec);
                rec.leave(c.now, About::App(attempt.app), given.end());
                rec.note(c.now, || Finding::OfferOver { result: given.result() });
                match given {
                    Given::Container(size) if !size.is_zero() => left = less(left, size),
                    _ => break,
                }
            }
        }
    }
}
