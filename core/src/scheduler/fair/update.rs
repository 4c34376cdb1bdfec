//! The update: demand bottom-up, fair shares top-down, then the starved applications. It places nothing
//! (FairScheduler.update, FSQueue.updateDemand, computeShares; fair-scheduler.md 9).

use super::shares::{Division, Sharer, divide};
use super::{FairScheduler, ROOT, used};
use crate::api::QueueShare;
use crate::config::fair::Policy;
use crate::model::{AppId, Millis, QueueId, Resource};
use crate::scheduler::Cluster;

/// A division of a queue's share in the latest update (or, of steady shares, when queues or nodes last changed).
#[derive(Clone, Debug, PartialEq)]
pub struct Divided {
    /// The queue whose share was divided: a parent's among its children, a leaf's among its runnable applications.
    pub queue: QueueId,
    /// The resource type.
    pub kind: usize,
    /// Whether it was the steady share. Then all sharers count, whether or not anything in them runs.
    pub steady: bool,
    /// The children of a parent, with their figures.
    pub sharers: Vec<(QueueId, Sharer)>,
    /// The applications of a leaf, which differ only in their weight.
    pub apps: Vec<AppId>,
    /// The result, in their order.
    pub division: Division,
}

/// The latest divisions.
#[derive(Clone, Debug, PartialEq, Default)]
pub(super) struct Divisions {
    /// The time of the latest update.
    at: Option<Millis>,
    now: Vec<Divided>,
    steady: Vec<Divided>,
}

impl FairScheduler {
    /// Iterates over the divisions of the latest update, and those of steady shares.
    pub fn divisions(&self) -> impl Iterator<Item = &Divided> {
        self.divisions.now.iter().chain(&self.divisions.steady)
    }

    /// Returns the time of the latest update.
    pub fn updated_at(&self) -> Option<Millis> {
        self.divisions.at
    }

    /// Runs one round of the update thread.
    pub(crate) fn update(&mut self, c: &Cluster) {
        self.update_from(c, &[], &[]);
    }

    /// Runs an update with these demands of applications, since part of the state from before the run was requested
    /// after the latest update. An application without one came after it. `shares`: the figures of queues in that
    /// update.
    pub(super) fn update_from(&mut self, c: &Cluster, demands: &[(AppId, Resource)], shares: &[QueueShare]) {
        (self.divisions.at, self.divisions.now) = (Some(c.now), Vec::new());
        self.update_demand(c, ROOT, demands);
        self.queue_mut(ROOT).fair_share = c.total;
        // An application that is there has at least the demand of its ApplicationMaster.
        let late: Vec<AppId> = demands.iter().filter(|(_, demand)| demand.is_zero()).map(|(app, _)| *app).collect();
        self.divide(c, ROOT, &late);
        let known: Vec<_> = shares.iter().filter_map(|s| Some((self.find_queue(&s.queue)?, s))).collect();
        for (queue, share) in &known {
            let q = self.queue_mut(*queue);
            (q.demand, q.fair_share) = (share.demand, share.fair_share);
            q.steady_share = share.steady.unwrap_or(q.steady_share);
        }
        for leaf in known.into_iter().map(|(queue, _)| queue).filter(|q| self.queue(*q).leaf).collect::<Vec<_>>() {
            self.divisions.now.retain(|d| d.queue != leaf);
            self.divide(c, leaf, &late);
        }
        self.forget_orders();
        self.find_starved(c);
        self.note_available(c);
    }

    fn update_demand(&mut self, c: &Cluster, id: QueueId, demands: &[(AppId, Resource)]) -> Resource {
        let maximum = self.maximum_of(c, id);
        let mut demand = Resource::ZERO;
        if self.queue(id).leaf {
            let q = self.queue(id);
            for app in q.runnable.iter().chain(&q.waiting).copied().collect::<Vec<_>>() {
                let known = demands.iter().find(|(of, _)| *of == app).map(|(_, demand)| *demand);
                demand += self.update_app(c, app, known);
            }
            demand = demand.component_min(maximum);
        } else {
            for child in self.queue(id).children.clone() {
                demand += self.update_demand(c, child, demands);
            }
            demand = demand.component_min(maximum);
            // Further types are lost on the way up.
            demand.0[2..].fill(0);
        }
        self.queue_mut(id).demand = demand;
        demand
    }

    fn update_app(&mut self, c: &Cluster, app: AppId, known: Option<Resource>) -> Resource {
        let asks = &c.app(app).asks;
        let wanted = asks.open().iter().filter_map(|(_, place)| asks.at(*place as usize).any());
        let demand = wanted.fold(used(c, app), |sum, row| sum + row.size.times(row.count.max(0)));
        let demand = known.unwrap_or(demand);
        let by_size = self.conf.size_based_weight;
        let a = self.app_mut(app);
        a.demand = demand;
        a.weight = if by_size { ((demand.memory_mb() as f64).ln_1p() / 2.0f64.ln()) as f32 } else { 1.0 };
        demand
    }

    /// Returns the number of resource types that a policy divides.
    fn types_of(&self, c: &Cluster, policy: Policy) -> usize {
        match policy {
            Policy::Fair => 1,
            Policy::Drf => c.types.len(),
            Policy::Fifo => 0,
        }
    }

    /// Computes the instantaneous shares below a queue from its own (9.1). Types that the policy does not divide keep
    /// their former shares. Applications that are late get none.
    fn divide(&mut self, c: &Cluster, id: QueueId, late: &[AppId]) {
        let q = self.queue(id);
        let (total, policy) = (q.fair_share, q.policy);
        if q.leaf {
            let apps: Vec<AppId> = q.runnable.iter().filter(|app| !late.contains(app)).copied().collect();
            if policy == Policy::Fifo {
                let first = apps.iter().min_by_key(|a| self.apps[a.index()].started_at).copied();
                if let Some(first) = first {
                    self.app_mut(first).fair_share = total;
                }
            }
            for t in 0..self.types_of(c, policy) {
                let sharer = |a: &AppId| Sharer {
                    weight: self.apps[a.index()].weight,
                    minimum: 0,
                    maximum: i64::MAX,
                    active: true,
                };
                let sharers: Vec<Sharer> = apps.iter().map(sharer).collect();
                let division = divide(&sharers, total[t]);
                for (app, share) in apps.iter().zip(&division.shares) {
                    self.app_mut(*app).fair_share[t] = *share;
                }
                if !apps.is_empty() {
                    let (apps, sharers) = (apps.clone(), Vec::new());
                    self.divisions.now.push(Divided { queue: id, kind: t, steady: false, sharers, apps, division });
                }
            }
            return;
        }
        let children = q.children.clone();
        for t in 0..self.types_of(c, policy) {
            let divided = self.divide_among(c, (id, false), &children, t, total[t]);
            for (child, share) in children.iter().zip(&divided.division.shares) {
                self.queue_mut(*child).fair_share[t] = *share;
            }
            self.divisions.now.push(divided);
        }
        children.into_iter().for_each(|child| self.divide(c, child, late));
    }

    fn divide_among(
        &self,
        c: &Cluster,
        (queue, steady): (QueueId, bool),
        children: &[QueueId],
        kind: usize,
        total: i64,
    ) -> Divided {
        let sharer = |id: &QueueId| {
            let q = self.queue(*id);
            Sharer {
                weight: q.weight,
                minimum: q.minimum[kind],
                maximum: self.maximum_of(c, *id)[kind],
                active: steady || q.running_apps > 0,
            }
        };
        let sharers: Vec<Sharer> = children.iter().map(sharer).collect();
        let division = divide(&sharers, total);
        let sharers = children.iter().copied().zip(sharers).collect();
        Divided { queue, kind, steady, sharers, apps: Vec::new(), division }
    }

    /// Computes the steady shares of all queues, active or not (9.2).
    pub(super) fn compute_steady_shares(&mut self, c: &Cluster) {
        self.divisions.steady.clear();
        self.queue_mut(ROOT).steady_share = c.total;
        self.divide_steady(c, ROOT);
    }

    fn divide_steady(&mut self, c: &Cluster, id: QueueId) {
        let q = self.queue(id);
        let (total, policy, children) = (q.steady_share, q.policy, q.children.clone());
        if q.leaf {
            return;
        }
        for t in 0..self.types_of(c, policy) {
            let divided = self.divide_among(c, (id, true), &children, t, total[t]);
            for (child, share) in children.iter().zip(&divided.division.shares) {
                self.queue_mut(*child).steady_share[t] = *share;
            }
            self.divisions.steady.push(divided);
        }
        children.into_iter().for_each(|child| self.divide_steady(c, child));
    }
}
