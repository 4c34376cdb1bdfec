//! A parent's part in an offer (AbstractParentQueue.assignContainers, AbstractCSQueue.canAssignToThisQueue;
//! capacity-scheduler.md 7.2, 7.3).

use super::books::Accounting;
use super::books::short_cuts::{Children, GoneThrough};
use super::checks::queue_limit_allows;
use super::offer::{Candidates, Limits, Offer, QueueOutcome};
use super::users::Mode;
use crate::check::{About, Amounts, Check, Checked, Failure, Figures};
use crate::constraint::Handler;
use crate::journal::{Collected, Finding, Recorder};
use crate::model::{PartitionId, QueueId, Resource};
use crate::scheduler::Cluster;

impl Offer<'_> {
    /// Offers the node to a queue.
    pub(super) fn assign_queue<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        queue: QueueId,
        limits: &mut Limits,
        rec: &mut Collected<'_, R>,
    ) -> QueueOutcome {
        let about = About::Queue(queue);
        rec.enter(c.now, about);
        let outcome = if self.queue(queue).is_leaf() {
            self.assign_leaf(c, queue, limits, rec)
        } else {
            self.assign_parent(c, queue, limits, rec)
        };
        rec.leave(c.now, about, outcome.end());
        outcome
    }

    fn assign_parent<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        queue: QueueId,
        limits: &mut Limits,
        rec: &mut Collected<'_, R>,
    ) -> QueueOutcome {
        let (calc, p) = (c.calculator, self.terms.partition);
        // 1: access, 2: need.
        let about = About::Queue(queue);
        if let Err(check) = self.check_access_and_need(c, queue) {
            rec.failed(c.now, || Checked::failed(check, about, Figures::None));
            return QueueOutcome::Nothing;
        }
        // 3: the node still has room.
        let node = c.node(self.terms.node);
        let only = self.terms.candidates == Candidates::One;
        if only && node.reserved.is_some() {
            rec.failed(c.now, || Checked::failed(Check::NodeUnreserved, about, Figures::None));
            return QueueOutcome::Nothing;
        }
        let taken = node.allocated - self.books.preemption.killable_on(c, self.terms.node);
        if only && !calc.both_fit_in(&c.minimum, &taken, &node.total) {
            self.books.node_matters();
            let amounts = || Amounts::fit(c.minimum, node.free()).into();
            rec.failed(c.now, || Checked::failed(Check::NodeRoom, about, amounts()));
            return QueueOutcome::Nothing;
        }
        // 4: the queue's own limit. The metrics behind it know only the memory and vcores of reservations.
        let reserved = &self.queue(queue).part(PartitionId::DEFAULT).reserved;
        let unreservable = || Resource::new(reserved.memory_mb(), reserved.vcores());
        if let Err(limit) = self.check_limit(c, queue, limits, unreservable) {
            rec.failed(c.now, || self.over_limit(queue, limit).about(about));
            return QueueOutcome::Nothing;
        }
        rec.detail(c.now, || self.queue_passed(queue, limits));
        // 5: children in order.
        // If visits may be skipped, children without pending requests and full ones are not visited. (But a leaf
        // records its limit if something may be committed without a visit just before: by the placement processor, or
        // at the end of a walk. The commit uses that limit.)
        let noted = self.commits_late || c.placement.settings.handler == Handler::Processor;
        let lazy = self.books.preemption.is_lazy();
        let all = !self.skips || noted || self.terms.mode == Mode::Ignore || lazy;
        let whom = if all { Children::All } else { Children::Wanting };
        self.books.sort_children(c, queue, p, whom);
        rec.detail(c.now, || self.children_order(c, queue));
        let mut found = false;
        let mut gone_through = GoneThrough { parent: queue, upto: u128::MAX, blocked: Vec::new() };
        for i in 0..self.queue(queue).orders[p.index()].len(whom) {
            let Some((child, key)) = self.queue(queue).orders[p.index()].at(whom, i) else { break };
            if self.skips && !self.wants(c, child) {
                if noted && self.queue(child).is_leaf() {
                    let limit = self.books.child_limit(c, queue, child, limits, p, true);
                    self.books.note_limit(c, child, &limit);
                }
                continue;
            }
            let mut below = Limits::of(self.books.child_limit(c, queue, child, limits, p, true));
            match self.assign_queue(c, child, &mut below, rec) {
                QueueOutcome::Proposal => {
                    (found, gone_through.upto) = (true, key);
                    break;
                }
                // 6: what a blocked child could still claim is withheld from its later siblings.
                QueueOutcome::Blocked => {
                    let claim = if self.queue(child).is_leaf() { below.headroom } else { below.blocked };
                    limits.blocked += *calc.max(&c.total, &claim, &Resource::ZERO);
                    limits.has_blocked = true;
                    gone_through.blocked.push((key, limits.blocked));
                }
                QueueOutcome::Nothing => {}
            }
        }
        if !all && self.books.any_rests_below(queue) {
            self.pass_over_resting(c, limits.limit, &gone_through);
        }
        if found {
            return QueueOutcome::Proposal;
        }
        if !gone_through.blocked.is_empty() { QueueOutcome::Blocked } else { QueueOutcome::Nothing }
    }

    #[inline]
    pub(super) fn wants(&self, c: &Cluster, queue: QueueId) -> bool {
        c.calculator.gt(&c.total, &self.queue(queue).part(self.terms.asked_partition()).pending, &Resource::ZERO)
    }

    /// Checks that the queue may use the partition and that something in it or below it has pending requests there.
    #[inline(always)] // at every visit of a queue
    pub(super) fn check_access_and_need(&self, c: &Cluster, queue: QueueId) -> Result<(), Check> {
        let p = self.terms.partition;
        if self.terms.mode == Mode::Respect && !p.is_default() && !self.queue(queue).part(p).access {
            return Err(Check::PartitionAccess);
        }
        if self.wants(c, queue) { Ok(()) } else { Err(Check::QueuePending) }
    }

    /// Checks that the queue is below its limit, or would be without the reservations that it could give up (7.3). Sets
    /// the headroom in `limits`. The error is the limit.
    #[inline(always)] // at every visit of a queue
    pub(super) fn check_limit(
        &self,
        c: &Cluster,
        queue: QueueId,
        limits: &mut Limits,
        unreservable: impl FnOnce() -> Resource,
    ) -> Result<(), Resource> {
        let calc = c.calculator;
        let part = self.queue(queue).part(self.terms.partition);
        let cap = match self.terms.mode {
            Mode::Respect => calc.min(&c.total, &part.shares.effective_max, &limits.limit),
            Mode::Ignore => c.partition_total(self.terms.partition),
        };
        let used = part.used - self.books.killable_below(queue, self.terms.partition);
        let headroom = *cap - used;
        let unreservable = || self.conf.reservations_continue_look.then(unreservable);
        let allowed = queue_limit_allows(calc, &c.total, &used, cap, unreservable);
        let result = if allowed { Ok(()) } else { Err(*cap) };
        limits.headroom = headroom;
        result
    }

    /// Returns the failure of a queue that is over this limit.
    pub(super) fn over_limit(&self, queue: QueueId, limit: Resource) -> Failure {
        let part = self.queue(queue).part(self.terms.partition);
        let amounts = Amounts::below(part.used, limit).beside(Some(part.shares.effective_max));
        Failure::amounts(Check::QueueLimit, amounts)
    }

    /// Returns the record of a check that a queue has just passed.
    pub(super) fn queue_passed(&self, queue: QueueId, limits: &Limits) -> Finding {
        let part = self.queue(queue).part(self.terms.partition);
        let limit = limits.headroom + part.used;
        let amounts = Amounts::below(part.used, limit).beside(Some(part.shares.effective_max));
        Finding::Checked(Checked::passed(Check::QueueLimit, About::Queue(queue), amounts.into()))
    }
}

impl Accounting {
    /// Returns the limit for a child (capacity-scheduler.md 7.2(5)). `net`: minus the claims of earlier siblings that
    /// are blocked.
    pub(super) fn child_limit(
        &self,
        c: &Cluster,
        parent: QueueId,
        child: QueueId,
        limits: &mut Limits,
        p: PartitionId,
        net: bool,
    ) -> Resource {
        let own = self.queue(parent).part(p);
        limits.limit = *c.calculator.min(&c.total, &limits.limit, &own.shares.effective_max);
        let own_used = own.used - self.killable_below(parent, p);
        let mut left = limits.limit - own_used + self.queue(child).part(p).used;
        if net && limits.has_blocked {
            left -= limits.blocked;
        }
        c.calculator.round_down(&left, &c.minimum)
    }
}
