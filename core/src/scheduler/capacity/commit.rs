//! The second check of a proposal, and its application to the accounting (CapacityScheduler.tryCommit,
//! FiCaSchedulerApp.accept and apply; capacity-scheduler.md section 9, decrements of 8.4).

use super::books::Accounting;
use super::offer::{Proposal, Terms};
use super::tagged;
use super::users::Mode;
use crate::check::{Amounts, Check, Failure};
use crate::journal::{Change, Recorder, UnreserveCause};
use crate::model::{AppId, PartitionId, Resource};
use crate::scheduler::container::RowsLowered;
use crate::scheduler::life::Grant;
use crate::scheduler::{Cluster, NodeState};

// Refusals are rare, so the code that builds them is kept away from the fast path.

#[cold]
#[inline(never)]
fn failed(check: Check) -> Option<Box<Failure>> {
    Some(Box::new(Failure::of(check)))
}

#[cold]
#[inline(never)]
fn over(check: Check, amounts: impl FnOnce() -> Amounts) -> Option<Box<Failure>> {
    Some(Box::new(Failure::amounts(check, amounts())))
}

impl Accounting {
    /// Checks a proposal and applies it if it is accepted. Returns whether it was.
    pub(super) fn commit<R: Recorder>(&mut self, c: &mut Cluster, terms: &Terms, p: &Proposal, rec: &mut R) -> bool {
        let tagged = if p.reserve { None } else { tagged::refusal(c, p).map(Box::new) };
        let refusal = tagged.or_else(|| self.refusal(c, terms, p));
        let wanted = c.app(p.app).asks.at(p.key).outstanding() > 0;
        let unwanted = || if wanted { None } else { failed(Check::CommitWanted) };
        if let Some(why) = refusal.or_else(unwanted) {
            let key = c.app(p.app).asks.at(p.key).key;
            rec.note(c.now, || Change::CommitRefused { app: p.app, key, node: p.node, size: p.size, why });
            self.preemption.kill_nothing();
            return false;
        }
        match (p.reserve, p.from) {
            (true, Some(_)) => c.app_mut(p.app).asks.at_mut(p.key).rereservations += 1,
            (true, None) => {
                self.give_up(c, p, rec);
                self.reserve(c, terms, p, rec);
                self.kill_beyond_maximum(c, c.app(p.app).queue, terms.partition, rec);
            }
            (false, _) => {
                self.give_up(c, p, rec);
                self.kill_for(c, p, rec);
                self.allocate(c, terms, p, rec);
                self.kill_beyond_maximum(c, c.app(p.app).queue, terms.partition, rec);
            }
        }
        true
    }

    fn give_up<R: Recorder>(&mut self, c: &mut Cluster, p: &Proposal, rec: &mut R) {
        if let Some(slot) = p.unreserve {
            self.unreserve(c, slot, UnreserveCause::OtherNode, rec);
        }
    }

    /// Returns why the proposal is refused. Limits are not checked for a proposal from a reservation.
    pub(super) fn refusal(&mut self, c: &mut Cluster, terms: &Terms, p: &Proposal) -> Option<Box<Failure>> {
        if c.node(p.node).state != NodeState::Running {
            return failed(Check::CommitNodeRunning);
        }
        let Some(killed) = self.killed_for(c) else { return failed(Check::CommitKillable) };
        let node = c.node(p.node);
        if p.from.is_none() && node.reserved.is_some() {
            return failed(Check::CommitUnreserved);
        }
        // Killed or unreserved containers are counted only if the proposal does not fit without them. The offer ignores
        // types that the container has none of; a node that was made smaller may have less than none of one of these
        // (quirk).
        let (free, calc) = (node.free(), c.calculator);
        if !p.reserve && !calc.fits_in(&p.size, &free) && !calc.fits_in(&p.size, &(free + killed)) {
            return over(Check::CommitNodeFree, || Amounts::fit(p.size, free + killed));
        }
        if p.from.is_some() {
            return None;
        }
        let released = |c: &Cluster| killed + p.unreserve.map_or(Resource::ZERO, |slot| c.containers.at(slot).size);
        if !p.user_has_room
            && let Some(why) = self.beyond_user_limit(c, terms, p.app, released(c))
        {
            return Some(why);
        }
        let net = || p.size - released(c);
        let mut at = Some(c.app(p.app).queue);
        while let Some(queue) = at {
            let q = self.queue(queue);
            let part = q.part(terms.partition);
            let maximum = match terms.mode {
                Mode::Respect => &part.shares.effective_max,
                Mode::Ignore => c.partition_total(terms.partition),
            };
            let fits = |more: &Resource| calc.both_fit_in(&part.used, more, maximum);
            if !fits(&p.size) && !fits(&net()) {
                return over(Check::CommitQueueMaximum, || Amounts::sum(part.used, net(), *maximum).of_queue(queue));
            }
            at = q.parent;
        }
        None
    }

    /// Returns the failure if the user would be above its limit even without `released`.
    fn beyond_user_limit(
        &mut self,
        c: &mut Cluster,
        terms: &Terms,
        app: AppId,
        released: Resource,
    ) -> Option<Box<Failure>> {
        let (leaf, user) = (c.app(app).queue, c.app(app).user);
        let limit = self.tell_user_limit(c, leaf, app, terms);
        let user = self.queue(leaf).leaf.as_ref().and_then(|l| l.users.get(user));
        let used = user.map_or(Resource::ZERO, |u| u.used[terms.partition.index()]) - released;
        match limit {
            Some(limit) if !c.calculator.gt(&c.total, &used, &limit) => None,
            limit => over(Check::CommitUserLimit, || Amounts::within(used, limit.unwrap_or_default())),
        }
    }

    /// Returns the grant that a proposal gives or reserves.
    #[inline]
    fn grant_of(&mut self, c: &Cluster, terms: &Terms, p: &Proposal) -> Grant {
        let asks = c.app(p.app).asks.at(p.key);
        let tags = asks.tagged.as_ref().map_or(0, |t| t.tags);
        p.grant(terms, asks.key, tags, self.origin_of(c, terms, p.app))
    }

    #[cold]
    pub(super) fn reserve<R: Recorder>(&mut self, c: &mut Cluster, terms: &Terms, p: &Proposal, rec: &mut R) {
        let grant = self.grant_of(c, terms, p);
        c.reserve(&grant, rec);
        self.charge_reserved(c, p.app, p.size, terms.partition, true);
        self.charge(c, p.app, p.size, terms.partition, true);
    }

    pub(super) fn allocate<R: Recorder>(&mut self, c: &mut Cluster, terms: &Terms, p: &Proposal, rec: &mut R) {
        let grant = self.grant_of(c, terms, p);
        if let Some(slot) = p.from {
            // The usage of the queue and of the user stays.
            let gone = c.forget_reservation(slot);
            self.charge_reserved(c, gone.app, gone.size, gone.partition, false);
        }
        // The rows are lowered by the locality of the container.
        let (partition, any_size, rows) = self.lower_asks(c, p);
        self.change_pending(c, p.app, partition, any_size, -1);
        self.grant(c, &grant, rows, rec);
    }

    /// Grants a container: charges queue and user, unless they were charged for its reservation.
    pub(super) fn grant<R: Recorder>(&mut self, c: &mut Cluster, g: &Grant, rows: RowsLowered, rec: &mut R) {
        if g.from.is_none() {
            self.charge(c, g.app, g.size, g.partition, true);
        }
        c.grant(g, rows, rec);
    }

    /// Lowers the rows by one. Returns partition and size of the ANY row, and which rows were lowered.
    fn lower_asks(&mut self, c: &mut Cluster, p: &Proposal) -> (PartitionId, Resource, RowsLowered) {
        let node = c.node(p.node);
        let (host, rack) = (node.host_place, node.rack);
        let app = c.app_mut(p.app);
        let asks = app.asks.at_mut(p.key);
        let partition = asks.partition;
        let size = asks.any().map_or(Resource::ZERO, |r| r.size);
        let rows = asks.lower_for(host, rack, p.locality);
        // A key with tags stays open when nothing of it is outstanding, until it is cancelled.
        if asks.outstanding() == 0 && asks.tagged.is_none() {
            app.asks.close_key(p.key);
            self.asks_may_have_ended(c, p.app);
        }
        (partition, size, rows)
    }
}
