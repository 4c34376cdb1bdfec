//! Short cut: applications whose user is at its limit in the leaf go to a skip list (`aside`) all at once, and are
//! visited again when the user is below the limit. Only if nothing is recorded: a visit to one of them would leave no
//! trace but in the journal.

use super::{Accounting, Listed};
use crate::model::{AppId, QueueId, Resource, UserId};
use crate::scheduler::capacity::offer::Offer;
use crate::scheduler::capacity::queue::Leaf;
use crate::scheduler::capacity::users::weighted;
use crate::scheduler::{App, Cluster};

/// The number of applications at their users' limits that a visit skips one by one before they go to the skip list.
pub const PASSED_OVER: usize = 8;

/// Returns whether a visit that finds the user at its limit would change nothing in the application. (It has been
/// visited before; its own reservations count in the check, and an application that waits for its AM keeps figures.)
pub fn may_be_set_aside(app: &App, leaf: QueueId) -> bool {
    !app.waiting_for_am
        && app.reserved.iter().all(Resource::is_zero)
        && app.headroom.as_ref().is_some_and(|h| h.queue == leaf && h.dropped_user.is_none())
}

impl Listed {
    /// Takes an application off the skip list, if it is there.
    pub(super) fn let_go(&mut self, user: UserId, app: AppId) {
        let Some(at) = self.aside.iter().position(|(u, _)| *u == user) else { return };
        self.aside[at].1.retain(|a| *a != app);
        if self.aside[at].1.is_empty() {
            self.aside.remove(at);
        }
    }

    /// Empties the skip list and returns its applications.
    pub(super) fn let_all_go(&mut self) -> Vec<AppId> {
        std::mem::take(&mut self.aside).into_iter().flat_map(|(_, apps)| apps).collect()
    }
}

impl Accounting {
    /// Takes all applications of a leaf off its skip list, so that they are visited again.
    pub(super) fn let_all_go(&mut self, c: &Cluster, leaf: QueueId) {
        if self.queue(leaf).leaf.as_ref().is_some_and(|l| !l.listed.aside.is_empty()) {
            self.sort_anew(c, leaf);
        }
    }
}

impl Offer<'_> {
    /// Returns whether the user is above its limit in the check of an application without reservations.
    fn is_at_limit(&self, c: &Cluster, l: &Leaf, user: UserId, limit: Resource) -> bool {
        let Some(u) = l.users.get(user) else { return false };
        let limit = weighted(c.calculator, limit, u.weight, &c.minimum);
        self.user_may_get_more(c, u, &Resource::ZERO, &limit).is_none()
    }

    /// Returns whether a visit to this application would find its user at the limit and change nothing in it.
    pub(in crate::scheduler::capacity) fn would_be_set_aside(
        &self,
        c: &Cluster,
        leaf: QueueId,
        app: AppId,
        limit: Resource,
    ) -> bool {
        let app = c.app(app);
        let l = self.queue(leaf).leaf.as_ref();
        may_be_set_aside(app, leaf) && l.is_some_and(|l| self.is_at_limit(c, l, app.user, limit))
    }

    /// Takes the applications whose user is below its limit again off the skip list, after a visit to the leaf has
    /// passed the queue's limit. Like every visited application, it publishes the limit given by the parent.
    #[inline]
    pub(in crate::scheduler::capacity) fn revisit_aside(&mut self, c: &Cluster, leaf: QueueId) {
        if self.queue(leaf).leaf.as_ref().is_some_and(|l| !l.listed.aside.is_empty()) {
            self.revisit_aside_now(c, leaf);
        }
    }

    #[cold]
    fn revisit_aside_now(&mut self, c: &Cluster, leaf: QueueId) {
        let Some((base, l)) = self.books.queues[leaf.index()].users_limits(c, self.terms.partition) else { return };
        l.current_limit = l.noted_limit;
        let limit = l.users.limit(&base, self.terms.partition, self.terms.mode);
        let mut aside = std::mem::take(&mut l.listed.aside);
        let mut wanting = std::mem::take(&mut l.listed.wanting);
        let before = wanting.len();
        let Some(l) = self.queue(leaf).known_leaf() else { return };
        aside.retain_mut(|(user, apps)| {
            let stays = self.is_at_limit(c, l, *user, limit);
            if !stays {
                wanting.append(apps);
            }
            stays
        });
        if wanting.len() > before {
            crate::model::order::sort_by(&mut wanting, |a, b| self.books.app_order(c, leaf, *a, *b));
        }
        if let Some(l) = &mut self.books.queues[leaf.index()].leaf {
            (l.listed.aside, l.listed.wanting) = (aside, wanting);
        }
    }

    /// Puts the applications of all users at their limits on the skip list, after a visit has skipped many of them.
    #[cold]
    pub(in crate::scheduler::capacity) fn set_aside(&mut self, c: &Cluster, leaf: QueueId) {
        let Some(l) = self.books.queues[leaf.index()].known_leaf_mut() else { return };
        let Some(limit) = l.users.known_limit(self.terms.partition, self.terms.mode) else { return };
        let mut aside = std::mem::take(&mut l.listed.aside);
        let mut wanting = std::mem::take(&mut l.listed.wanting);
        let Some(l) = self.queue(leaf).known_leaf() else { return };
        let mut users: Vec<(UserId, bool)> = Vec::new();
        wanting.retain(|id| {
            let app = c.app(*id);
            if !may_be_set_aside(app, leaf) {
                return true;
            }
            let known = users.iter().find(|(u, _)| *u == app.user).map(|(_, stops)| *stops);
            let stops = known.unwrap_or_else(|| {
                let stops = self.is_at_limit(c, l, app.user, limit);
                users.push((app.user, stops));
                stops
            });
            if stops {
                match aside.iter_mut().find(|(u, _)| *u == app.user) {
                    Some((_, apps)) => apps.push(*id),
                    None => aside.push((app.user, vec![*id])),
                }
            }
            !stops
        });
        if let Some(l) = &mut self.books.queues[leaf.index()].leaf {
            (l.listed.aside, l.listed.wanting) = (aside, wanting);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Silent;
    use crate::model::{ContainerId, NodeId};
    use crate::rm::NodeReport;
    use crate::rm::testing::Fixture;

    /// Runs forty applications, most of a user with a small weight, on four nodes where containers end at random.
    /// Returns the node's containers and the length of the skip list after each heartbeat.
    fn play(listening: bool) -> (Vec<Vec<ContainerId>>, Vec<usize>) {
        let queues = "root.queues a,b\n root.a.capacity 50\n root.b.capacity 50\n root.a.maximum-capacity 100\n \
                      root.a.user-limit-factor 4\n root.a.user-settings.v.weight 0.3\n \
                      maximum-am-resource-percent 1\n root.a.ordering-policy fair\n \
                      per-node-heartbeat.maximum-offswitch-assignments 3";
        let mut w = Fixture::new(queues, "");
        let nodes: Vec<NodeId> = (0..4).map(|i| w.node(&format!("n{i}"), 48)).collect();
        let users = (0..40).map(|i| if i % 8 == 7 { "u" } else { "v" });
        let apps: Vec<AppId> = users.map(|user| w.submit("root.a", user)).collect();
        for _ in 0..20 {
            nodes.iter().for_each(|n| w.heartbeat(*n));
        }
        for app in &apps {
            w.ask(*app, 1, 12);
        }
        let (mut seen, mut aside, mut random) = (Vec::new(), Vec::new(), 1u64);
        for step in 0..400 {
            let node = nodes[step % 4];
            let mut completed = Vec::new();
            for c in w.rm.containers_on(node).filter(|c| !c.am) {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                if random >> 60 == 0 {
                    completed.push((c.id, 0));
                }
            }
            let report = NodeReport { completed, ..NodeReport::default() };
            if listening {
                w.rm.heartbeat(node, report, &mut w.journal);
            } else {
                w.rm.heartbeat(node, report, &mut Silent);
            }
            w.pull(apps[step % apps.len()]);
            seen.push(w.rm.containers_on(node).map(|c| c.id).collect());
            let leaf = w.rm.queues().iter().find_map(|q| q.leaf.as_ref().filter(|_| q.path == "root.a"));
            aside.push(leaf.map_or(0, |l| l.listed.aside.iter().map(|(_, apps)| apps.len()).sum()));
        }
        (seen, aside)
    }

    #[test]
    fn setting_aside_changes_no_decision() {
        let (with_reasons, nobody) = play(true);
        let (silently, aside) = play(false);
        assert!(nobody.iter().all(|n| *n == 0));
        let often = |came: bool| aside.windows(2).filter(|w| (w[0] < w[1]) == came && w[0] != w[1]).count();
        assert!(often(true) > 2 && often(false) > 2, "they come and go: {aside:?}");
        assert!(with_reasons == silently);
    }
}
