//! A leaf's part in an attempt (AbstractLeafQueue.assignContainers, canAssignToUser; capacity-scheduler.md 8.1, 8.2).

use super::CapacityScheduler;
use super::checks::user_limit_allows;
use super::look::{AppOutcome, Candidates, Limits, Look, QueueOutcome};
use super::users::LimitBase;
use crate::config::capacity::LeafOrdering;
use crate::journal::{AppVerdict, Entry, QueueVerdict, Recorder};
use crate::model::{AppId, PartitionId, QueueId, Resource};
use crate::scheduler::Cluster;
use crate::scheduler::app::{ActiveStop, HeadroomSource};

/// What the check of a user's limit gave.
enum UserCheck {
    Pass { need_unreserve: Resource },
    Stop { used: Resource, limit: Resource },
}

impl CapacityScheduler {
    pub(super) fn assign_leaf<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        look: &Look,
        limits: &mut Limits,
        rec: &mut R,
    ) -> QueueOutcome {
        // 1: note the limit given by the parent.
        self.note_limit(c, leaf, limits.limit);
        // 3: access, need.
        if let Err(verdict) = self.check_access_and_need(c, leaf, look) {
            rec.note(c.now, || Entry::Queue { queue: leaf, verdict });
            return QueueOutcome::Nothing;
        }
        // 4: active applications in order.
        self.read_marked(c, leaf);
        rec.note_order(c.now, || self.apps_entry(c, leaf, look));
        let enforced = matches!(self.queue(leaf).conf.leaf_ordering, LeafOrdering::FifoWithPartitions { .. });
        let mut check_queue = true;
        let active = self.queue(leaf).leaf.as_ref().map_or(0, |l| l.active.len());
        for i in 0..active {
            let Some(app) = self.queue(leaf).leaf.as_ref().and_then(|l| l.active.get(i)).copied() else { break };
            if enforced && !self.may_try_on(c, leaf, app, look.partition) {
                continue;
            }
            // a: the queue's limit.
            if check_queue {
                let reserved = c.app(app).reserved[PartitionId::DEFAULT.index()];
                if let Err(verdict) = self.check_limit(c, leaf, look, limits, reserved) {
                    if let QueueVerdict::MaxCapacity { used, limit, .. } = verdict {
                        rec.note(c.now, || Entry::App { app, verdict: AppVerdict::QueueMaxCapacity { used, limit } });
                    }
                    rec.note(c.now, || Entry::Queue { queue: leaf, verdict });
                    return QueueOutcome::Nothing;
                }
                check_queue = self.conf.reservations_continue_look && !reserved.is_zero();
            }
            // b: the user's limit.
            match self.check_user(c, leaf, app, look) {
                UserCheck::Pass { need_unreserve } => limits.need_unreserve = need_unreserve,
                UserCheck::Stop { used, limit } => {
                    self.note_active(c, app, ActiveStop::UserLimit { limit, used });
                    rec.note(c.now, || Entry::App { app, verdict: AppVerdict::UserLimit { used, limit } });
                    continue;
                }
            }
            // c: the application.
            match self.assign_app(c, app, look, limits, rec) {
                AppOutcome::Proposal(proposal) => {
                    rec.note(c.now, || Entry::Queue { queue: leaf, verdict: QueueVerdict::Accepted });
                    return QueueOutcome::Proposal(proposal);
                }
                AppOutcome::QueueSkipped => return QueueOutcome::Blocked,
                _ if look.candidates == Candidates::One => self.note_node_passed(c, app, look.node),
                _ => {}
            }
        }
        // 5.
        rec.note(c.now, || Entry::Queue { queue: leaf, verdict: QueueVerdict::NothingBelow });
        QueueOutcome::Nothing
    }

    /// 8.1(1): the limit given by the parent, to be published when a user's limit is next worked out.
    pub(super) fn note_limit(&mut self, c: &Cluster, leaf: QueueId, limit: Resource) {
        let own = self.queue(leaf).part(PartitionId::DEFAULT).effective_max;
        let own = c.calculator.round_down(own, c.minimum);
        let noted = c.calculator.min(c.total, own, limit);
        if let Some(l) = &mut self.queues[leaf.index()].leaf {
            l.noted_limit = noted;
        }
    }

    /// What the users' limits in a leaf depend on.
    pub(super) fn limit_base(&self, c: &Cluster, leaf: QueueId, p: PartitionId) -> LimitBase {
        let q = self.queue(leaf);
        let part = q.part(p);
        LimitBase {
            calc: c.calculator,
            minimum: c.minimum,
            total: c.partition_total(p),
            guarantee: part.effective_min,
            maximum: part.effective_max,
            limit_percent: q.conf.user_limit_percent,
            limit_factor: q.conf.user_limit_factor,
        }
    }

    /// Works out a user's limit for an application of the leaf: publishes the limit given by the parent, and from
    /// now on the application's AM is told its headroom (section 10). The limit, and whether the leaf knows the user.
    pub(super) fn work_out_user_limit(
        &mut self,
        c: &mut Cluster,
        leaf: QueueId,
        app: AppId,
        look: &Look,
    ) -> (Resource, bool) {
        let base = self.limit_base(c, leaf, look.partition);
        let a = c.app_mut(app);
        let Some(l) = &mut self.queues[leaf.index()].leaf else { return (Resource::ZERO, false) };
        let limit = l.users.user_limit(&base, a.user, look.partition, look.mode);
        let known = l.users.get(a.user).is_some();
        if known {
            l.current_limit = l.noted_limit;
            match &mut a.headroom {
                Some(source) if source.queue == leaf && source.dropped_user.is_none() => {}
                other => *other = Some(HeadroomSource { queue: leaf, dropped_user: None }),
            }
        }
        (limit, known)
    }

    /// 8.2.
    fn check_user(&mut self, c: &mut Cluster, leaf: QueueId, app: AppId, look: &Look) -> UserCheck {
        let (limit, _) = self.work_out_user_limit(c, leaf, app, look);
        let calc = c.calculator;
        let a = c.app(app);
        let Some(user) = self.queue(leaf).leaf.as_ref().and_then(|l| l.users.get(a.user)) else {
            return UserCheck::Stop { used: Resource::ZERO, limit };
        };
        let used = user.used[look.partition.index()];
        // Both of the default partition, whatever the node's is (quirk).
        let without = self.conf.reservations_continue_look.then(|| user.used[0] - a.reserved[0]);
        if let Some(need_unreserve) = user_limit_allows(calc, c.total, used, without, limit) {
            return UserCheck::Pass { need_unreserve };
        }
        UserCheck::Stop { used, limit }
    }
}
