//! The update: demand bottom-up, fair shares top-down, then who is starved. Nothing is placed (FairScheduler.update, FSQueue.updateDemand,
//! computeShares; fair-scheduler.md 9).

use super::shares::{Sharer, fair_shares};
use super::{FairScheduler, ROOT, used};
use crate::config::fair::Policy;
use crate::model::{AppId, QueueId, Resource};
use crate::scheduler::Cluster;

impl FairScheduler {
    /// One round of the update thread.
    pub(crate) fn update(&mut self, c: &Cluster) {
        self.update_demand(c, ROOT);
        self.queue_mut(ROOT).fair_share = c.total;
        self.divide(c, ROOT);
        self.forget_orders();
        self.find_starved(c);
        self.note_available(c);
    }

    fn update_demand(&mut self, c: &Cluster, id: QueueId) -> Resource {
        let maximum = self.maximum_of(c, id);
        let mut demand = Resource::ZERO;
        if self.queue(id).leaf {
            let q = self.queue(id);
            for app in q.runnable.iter().chain(&q.waiting).copied().collect::<Vec<_>>() {
                demand += self.update_app(c, app);
            }
            demand = demand.component_min(maximum);
        } else {
            for child in self.queue(id).children.clone() {
                demand += self.update_demand(c, child);
            }
            demand = demand.component_min(maximum);
            // Further types are lost on the way up.
            demand.0[2..].fill(0);
        }
        self.queue_mut(id).demand = demand;
        demand
    }

    fn update_app(&mut self, c: &Cluster, app: AppId) -> Resource {
        let asks = &c.app(app).asks;
        let wanted = asks.open().iter().filter_map(|(_, place)| asks.at(*place as usize).any());
        let demand = wanted.fold(used(c, app), |sum, row| sum + row.size.times(row.count.max(0)));
        let by_size = self.conf.size_based_weight;
        let a = self.app_mut(app);
        a.demand = demand;
        a.weight = if by_size { ((demand.memory_mb() as f64).ln_1p() / 2.0f64.ln()) as f32 } else { 1.0 };
        demand
    }

    /// How many resource types a policy divides.
    fn types_of(&self, c: &Cluster, policy: Policy) -> usize {
        match policy {
            Policy::Fair => 1,
            Policy::Drf => c.types.len(),
            Policy::Fifo => 0,
        }
    }

    /// Instantaneous shares of what is below a queue, from its own (9.1). Types that the policy does not divide keep
    /// what they had.
    fn divide(&mut self, c: &Cluster, id: QueueId) {
        let q = self.queue(id);
        let (total, policy) = (q.fair_share, q.policy);
        if q.leaf {
            let apps = q.runnable.clone();
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
                for (app, share) in apps.iter().zip(fair_shares(&sharers, total[t])) {
                    self.app_mut(*app).fair_share[t] = share;
                }
            }
            return;
        }
        let children = q.children.clone();
        for t in 0..self.types_of(c, policy) {
            let shares = self.shares_of(c, &children, t, total[t], true);
            for (child, share) in children.iter().zip(shares) {
                self.queue_mut(*child).fair_share[t] = share;
            }
        }
        children.into_iter().for_each(|child| self.divide(c, child));
    }

    fn shares_of(&self, c: &Cluster, queues: &[QueueId], t: usize, total: i64, only_active: bool) -> Vec<i64> {
        let sharer = |id: &QueueId| {
            let q = self.queue(*id);
            Sharer {
                weight: q.weight,
                minimum: q.minimum[t],
                maximum: self.maximum_of(c, *id)[t],
                active: !only_active || q.running_apps > 0,
            }
        };
        fair_shares(&queues.iter().map(sharer).collect::<Vec<_>>(), total)
    }

    /// Steady shares of all queues, active or not (9.2).
    pub(super) fn compute_steady_shares(&mut self, c: &Cluster) {
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
            let shares = self.shares_of(c, &children, t, total[t], false);
            for (child, share) in children.iter().zip(shares) {
                self.queue_mut(*child).steady_share[t] = share;
            }
        }
        children.into_iter().for_each(|child| self.divide_steady(c, child));
    }
}
