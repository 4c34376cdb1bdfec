//! Preemption among applications of one queue (A8; IntraQueueCandidatesSelector, FifoIntraQueuePreemptionPlugin).

use super::matching::{TempApp, UserEntry, match_up};
use super::measure::{less, part, some_used_up};
use super::record::{Because, Failure, IntraPass, IntraStop, IntraUser, LeafApp, SparedBy};
use super::snapshot::{Demand, Stock};
use super::taken::Wants;
use super::work::{Work, deducted};
use crate::config::capacity::preemption::IntraQueueOrder;
use crate::model::{AttemptId, PartitionId, Resource, Selector, UserId, java};
use std::collections::BTreeMap;

const ZERO: Resource = Resource::ZERO;

/// A leaf that wanted more, with what its applications are to give each other.
struct Within {
    queue: usize,
    partition: PartitionId,
    /// Most important first.
    apps: Vec<TempApp>,
    users: BTreeMap<UserId, UserEntry>,
    /// The index of its record.
    pass: usize,
}

impl Work<'_> {
    pub(super) fn take_within_queues(&mut self, stock: &mut dyn Stock) -> Result<(), Failure> {
        let mut leaves = Vec::new();
        for p in self.shot.partition_order.iter().copied() {
            for q in self.under_served[p.index()].clone() {
                if self.shot.queues[q].leaf {
                    leaves.push(self.owed_within(stock, q, p));
                }
            }
        }
        self.deduct()?;
        let mut chosen: BTreeMap<(usize, PartitionId), Vec<Resource>> = BTreeMap::new();
        for c in self.taken.iter() {
            if let Some(queue) = c.queue {
                chosen.entry((queue, c.partition)).or_default().push(c.size);
            }
        }
        for leaf in &mut leaves {
            let before = chosen.get(&(leaf.queue, leaf.partition));
            self.deduct_within(leaf, before.map_or(&[], Vec::as_slice));
            self.note_within(leaf);
        }
        for leaf in &leaves {
            let queue = &self.shot.queues[leaf.queue];
            if queue.intra_disabled || queue.disabled {
                self.choice.intra[leaf.pass].stop.get_or_insert(IntraStop::Disabled);
            } else {
                self.take_within(stock, leaf)?;
            }
        }
        Ok(())
    }

    /// Computes what the applications of a leaf owe each other (A8.1).
    fn owed_within(&mut self, stock: &mut dyn Stock, q: usize, p: PartitionId) -> Within {
        let f = *self.shot.figures(q, p);
        let queue = self.shot.queues[q].id;
        let mut pass = IntraPass {
            queue,
            partition: p,
            stop: None,
            reassign: ZERO,
            limit: ZERO,
            apps: Vec::new(),
            users: Vec::new(),
        };
        let mut out =
            Within { queue: q, partition: p, apps: Vec::new(), users: BTreeMap::new(), pass: self.choice.intra.len() };
        let threshold = self.conf.intra_minimum_threshold;
        if f.used_capacity < threshold {
            pass.stop = Some(IntraStop::BelowThreshold { used_capacity: f.used_capacity, threshold });
        } else {
            let demand = stock.demand(queue, p);
            if demand.apps.len() == 1 {
                pass.stop = Some(IntraStop::OnlyOne);
            } else {
                pass.reassign = f.used - self.cell(p, q).wanted - demand.am_of_active;
                pass.limit = self.intra_limit(q, p);
                (out.apps, out.users) = self.assign_within(demand, p, pass.reassign);
                self.limit_within(&mut out.apps, pass.limit);
                match_up(&self.by_cluster(), self.conf.intra_order, &mut out.apps, &mut out.users);
            }
        }
        self.choice.intra.push(pass);
        out
    }

    /// Sorts by importance, most important first (step 2).
    fn by_importance(&self, demand: &Demand, users: &BTreeMap<UserId, UserEntry>) -> Vec<usize> {
        let apps = &demand.apps;
        let mut order: Vec<usize> = (0..apps.len()).collect();
        if !demand.fair || self.conf.intra_order != IntraQueueOrder::UserLimitFirst {
            order.sort_by_key(|i| (-i64::from(apps[*i].priority), apps[*i].app));
            return order;
        }
        let by = self.by_cluster();
        let used = |user| users.get(&user).map_or(ZERO, |u: &UserEntry| u.used);
        // With such mixed keys the order is not always transitive.
        java::tree_walk(apps, |a, b| {
            if a.user == b.user {
                return a.fair_rank.cmp(&b.fair_rank);
            }
            by.compare(used(a.user), used(b.user)).then(a.app.cmp(&b.app))
        })
    }

    /// Assigns ideals to applications, most important first, until nothing is left (steps 3, 4).
    fn assign_within(
        &self,
        demand: Demand,
        p: PartitionId,
        mut reassign: Resource,
    ) -> (Vec<TempApp>, BTreeMap<UserId, UserEntry>) {
        let by = self.by_cluster();
        let mut users: BTreeMap<UserId, UserEntry> = demand.users.iter().map(|u| (u.user, UserEntry::of(u))).collect();
        let order = self.by_importance(&demand, &users);
        let mut apps: Vec<TempApp> = order.into_iter().map(|i| TempApp::of(&demand.apps[i])).collect();
        for entry in &mut apps {
            let used_up = self.conf.intra_conservative_drf && some_used_up(by.calc, &reassign);
            if !by.positive(reassign) || used_up {
                break;
            }
            let Some(user) = users.get_mut(&entry.app.user) else { continue };
            // Containers that were kept of an earlier attempt are not found under this one
            // (FifoIntraQueuePreemptionPlugin.getAlreadySelectedPreemptionCandidatesResource).
            let attempt = AttemptId { app: entry.app.app, attempt: entry.app.attempt };
            let of_app = self.taken.of_attempt(attempt).filter(|c| c.asked == p);
            entry.selected = of_app.fold(ZERO, |sum, c| sum + c.size);
            user.selected += entry.selected;
            let used = entry.app.used - entry.app.am;
            (entry.unassigned, entry.user_left) = (reassign, user.limit - user.ideal);
            if by.compare(user.ideal, user.limit).is_lt() {
                let wants = used + entry.app.pending - entry.selected;
                entry.ideal = by.min(reassign, by.min(wants, user.limit - user.ideal));
                user.ideal += entry.ideal;
                let has = used - entry.selected;
                if by.above(entry.ideal, has) {
                    entry.from_others = entry.ideal - has;
                }
                reassign = less(reassign, entry.ideal);
            }
        }
        (apps, users)
    }

    /// The amount that may be taken within a queue in this round (step 5).
    fn intra_limit(&self, q: usize, p: PartitionId) -> Resource {
        let by = self.by_cluster();
        let most = part(self.shot.figures(q, p).guaranteed, f64::from(self.conf.intra_max_allowable_limit));
        let wanted = self.cell(p, q).wanted;
        let left = if by.above(most, wanted) { most - wanted } else { ZERO };
        by.min(left, self.budget)
    }

    /// Limits what may be taken from each application, least important first (step 6).
    fn limit_within(&self, apps: &mut [TempApp], mut limit: Resource) {
        let by = self.by_cluster();
        for entry in apps.iter_mut().rev() {
            if !by.positive(limit) || !by.positive(entry.app.used) {
                continue;
            }
            let mut beyond = less(less(entry.app.used - entry.ideal, entry.selected), entry.app.am);
            if self.conf.intra_order == IntraQueueOrder::UserLimitFirst {
                // The dead zone is one minimum allocation.
                beyond = less(beyond, self.shot.minimum);
            }
            entry.owed = by.min(by.max(beyond, ZERO), limit);
            limit = less(limit, entry.owed);
        }
    }

    /// Deducts what was selected in the leaf before from what is wanted from each of its applications (A8.2).
    fn deduct_within(&self, leaf: &mut Within, chosen: &[Resource]) {
        let by = self.by_partition(leaf.partition);
        for size in chosen {
            for entry in &mut leaf.apps {
                entry.wanted = deducted(&by, entry.wanted, *size);
            }
        }
    }

    /// Selects containers of a leaf's applications, least important first (A8.2). Errors: the policy looks up the leaf
    /// of an application by its short name, and finds nothing if other queues have it too
    /// (FifoIntraQueuePreemptionPlugin.skipContainerBasedOnIntraQueuePolicy).
    fn take_within(&mut self, stock: &mut dyn Stock, leaf: &Within) -> Result<(), Failure> {
        let by = self.by_cluster();
        let p = leaf.partition;
        let mut wants = Wants::default();
        wants.set(p, leaf.apps.iter().fold(ZERO, |sum, e| sum + e.wanted));
        let mut rolling: BTreeMap<UserId, Resource> =
            leaf.users.iter().map(|(user, u)| (*user, u.used + u.am)).collect();
        let nameless = stock.shares_its_name(self.shot.queues[leaf.queue].id);
        let limited = self.conf.intra_order == IntraQueueOrder::UserLimitFirst;
        for entry in leaf.apps.iter().rev().filter(|e| !e.wanted.is_zero()) {
            for c in stock.containers(entry.app.app) {
                if wants.is_empty() {
                    break;
                }
                if self.taken.contains(c.id) {
                    continue;
                }
                if c.killable || c.am {
                    self.spare(&c, Selector::IntraQueue, if c.am { SparedBy::Am } else { SparedBy::Killable });
                    continue;
                }
                let used = rolling.entry(entry.app.user).or_default();
                if nameless {
                    return Err(Failure::UnknownQueue(c.id));
                }
                if limited {
                    let limit = leaf.users.get(&entry.app.user).map_or(ZERO, |u| u.limit + u.am);
                    if by.compare(*used - c.size, limit).is_le() {
                        let used = *used;
                        self.spare(&c, Selector::IntraQueue, SparedBy::UserLimit { used, limit });
                        break;
                    }
                }
                let why = |wanted, left| Because::WithinQueue { wanted, left };
                if self.try_take(&mut wants, &c, Selector::IntraQueue, why) && limited {
                    *used -= c.size;
                }
            }
        }
        self.walked(leaf.queue, Selector::IntraQueue, &wants);
        Ok(())
    }

    fn note_within(&mut self, leaf: &Within) {
        let pass = &mut self.choice.intra[leaf.pass];
        pass.apps = leaf.apps.iter().map(LeafApp::from).collect();
        pass.users = leaf.users.iter().map(|(user, u)| IntraUser { user: *user, ..IntraUser::from(u) }).collect();
    }
}
