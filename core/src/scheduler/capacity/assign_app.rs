//! An application's part in an offer: its request keys in order (FiCaSchedulerApp.assignContainers,
//! RegularContainerAllocator.preCheckForNodeCandidateSet; capacity-scheduler.md 8.3).

use super::offer::{AppOutcome, Candidates, KeyTry, Limits, Offer};
use super::ordering::requests_order;
use super::tagged::no_words;
use super::users::Mode;
use crate::check::{About, Amounts, Check, Checked, Figures};
use crate::journal::{Collected, Recorder, VisitEnd};
use crate::model::AppId;
use crate::scheduler::{Cluster, Locality};

impl Offer<'_> {
    pub(super) fn assign_app<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        limits: &mut Limits,
        rec: &mut Collected<'_, R>,
    ) -> AppOutcome {
        let a = c.app(app);
        let p = self.terms.asked_partition();
        let mut pending = a.pending[p.index()];
        if p.is_default() {
            // The amount that is proposed is subtracted by type; pending memory and vcores are never negative
            // (Resources.subtractNonNegative).
            pending += a.unproposed;
            pending.0[..2].iter_mut().for_each(|amount| *amount = (*amount).max(0));
        }
        if pending.is_zero() {
            rec.nothing_wanted(c.now, Check::AppPending, About::App(app));
            return AppOutcome::AppSkipped;
        }
        rec.detail(c.now, || requests_order(c, app));
        let mut next = 0;
        while let Some((key, place)) = c.app(app).asks.open().get(next).copied() {
            let about = About::Request(app, key);
            rec.enter(c.now, about);
            let outcome = self.assign_key(c, KeyTry::new(app, place as usize), limits, rec);
            rec.leave(c.now, about, outcome.end_of_request());
            match outcome {
                AppOutcome::KeySkipped => next += 1,
                AppOutcome::ConstraintUnmet => next += 1 + self.pass_alike(c, app, next, rec),
                outcome => return outcome,
            }
        }
        AppOutcome::AppSkipped
    }

    /// Short cut: skips the requests behind one whose constraint does not hold on the node if they have the same
    /// constraint. Returns their number.
    #[cold]
    fn pass_alike<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        app: AppId,
        first: usize,
        rec: &mut Collected<'_, R>,
    ) -> usize {
        // Reservations, and missed opportunities on nodes of other partitions, differ by request.
        let same = self.conf.reservations_continue_look && c.partitions.len() == 1;
        if !same || !c.short_cuts.taken() {
            return 0;
        }
        let asks = &mut c.app_mut(app).asks;
        let Some(others) = asks.alike_behind(first) else { return 0 };
        asks.count_missed_by(&others, 1);
        rec.alike(&others);
        let passed = others.len();
        self.books.unmet_alike(others);
        passed
    }

    /// Tries one key: the checks that need no node, then the node.
    fn assign_key<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        want: KeyTry,
        limits: &mut Limits,
        rec: &mut R,
    ) -> AppOutcome {
        let KeyTry { app, place, .. } = want;
        let calc = c.calculator;
        let a = c.app(app);
        let asks = a.asks.at(place);
        let key = asks.key;
        let now = c.now;
        // 1: containers are pending.
        let Some(any) = asks.any() else { return AppOutcome::KeySkipped };
        if any.count <= 0 {
            rec.nothing_wanted(now, Check::RequestPending, About::Request(app, key));
            return AppOutcome::KeySkipped;
        }
        let about = About::Request(app, key);
        // 2: an AM is not placed on a node of a foreign partition.
        let foreign = self.terms.mode == Mode::Ignore;
        if foreign && a.waiting_for_am && !self.conf.am_allow_non_exclusive {
            rec.failed(now, || Checked::failed(Check::AmExclusivity, about, Figures::None));
            self.books.node_matters();
            c.app_mut(app).am_skip = Some(Check::AmExclusivity);
            return AppOutcome::AppSkipped;
        }
        // 3: without continue-looking, the reservations must not be enough already.
        if !self.conf.reservations_continue_look && !self.should_allocate_or_reserve(c, app, place, &any.size) {
            rec.failed(now, || Checked::failed(Check::ReservationsNeeded, about, asks.held()));
            return AppOutcome::KeySkipped;
        }
        // 4: it must fit in the headroom; otherwise the whole leaf is blocked.
        let with_reserved = || {
            let own = self.conf.reservations_continue_look.then_some(a.reserved[self.terms.partition.index()]);
            limits.headroom + own.unwrap_or_default()
        };
        if !calc.fits_in(&any.size, &limits.headroom) && !calc.fits_in(&any.size, &with_reserved()) {
            let amounts = Amounts::fit(any.size, with_reserved());
            rec.failed(now, || Checked::failed(Check::Headroom, about, amounts.clone().into()));
            rec.failed(now, || Checked::failed(Check::LeafHeadroom, About::Queue(a.queue), amounts.of_app(app).into()));
            return AppOutcome::QueueSkipped;
        }
        rec.check(now, true, Check::Headroom, about, || Amounts::fit(any.size, with_reserved()).into());
        self.books.asks_node();
        // 5: requests for no partition count their missed opportunities, and on a foreign partition they wait for them.
        let unlabelled = asks.partition.is_default();
        let needed = c.node_count as i64;
        let missed = if unlabelled { c.app_mut(app).asks.count_missed(place) } else { 0 };
        if foreign && missed < needed {
            let figures = Figures::Count { have: missed, need: needed };
            rec.failed(now, || Checked::failed(Check::NonPartitionedFirst, about, figures));
            return AppOutcome::AppSkipped;
        }
        match self.terms.candidates {
            Candidates::One => self.assign_key_on_node(c, want, limits, rec),
            Candidates::Several => match self.assign_key_on_candidates(c, want, limits, rec) {
                // The outcome of the last candidate; the others may have failed another check.
                AppOutcome::ConstraintUnmet => AppOutcome::KeySkipped,
                outcome => outcome,
            },
        }
    }

    /// Steps 6 to 9: tries the node.
    pub(super) fn assign_key_on_node<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        want: KeyTry,
        limits: &mut Limits,
        rec: &mut R,
    ) -> AppOutcome {
        let about = About::OnNode(want.app, c.app(want.app).asks.at(want.place).key, self.terms.node);
        rec.enter(c.now, about);
        let outcome = self.look_at_node(c, want, limits, rec);
        // An allocation or a reservation has already recorded its end.
        if outcome != AppOutcome::Proposal {
            rec.leave(c.now, about, VisitEnd::Next);
        }
        outcome
    }

    fn look_at_node<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        want: KeyTry,
        limits: &mut Limits,
        rec: &mut R,
    ) -> AppOutcome {
        let KeyTry { app, place, from, last } = want;
        let (host, rack) = (c.node(self.terms.node).host_place, c.node(self.terms.node).rack);
        let a = c.app(app);
        let asks = a.asks.at(place);
        let key = asks.key;
        let now = c.now;
        let node = self.terms.node;
        let words = rec.on();
        let mut fails = |check: Check, figures: Figures| {
            rec.failed(now, || Checked::failed(check, About::OnNode(app, key, node), figures));
        };
        if asks.any().is_none() {
            return AppOutcome::KeySkipped;
        }
        // 6: the partition must be the requested one, and the placement constraint must hold. The node's own partition
        // counts: a candidate may have another label since it was listed.
        let own = self.terms.own_partition(c);
        let looked_for = match self.terms.mode {
            Mode::Respect => own,
            Mode::Ignore => crate::model::PartitionId::DEFAULT,
        };
        let (errors, limit) = (asks.tagged.as_ref().map_or(0, |t| t.errors), c.placement.settings.retry_attempts);
        if from.is_none() && errors >= limit {
            fails(Check::ConstraintErrors, Figures::Count { have: errors.into(), need: limit.into() });
            return AppOutcome::KeySkipped;
        }
        if from.is_none() && asks.partition != looked_for {
            fails(Check::NodePartition, Figures::Partition { node: looked_for, required: asks.partition });
            return AppOutcome::KeySkipped;
        }
        if from.is_none()
            && asks.tagged.is_some()
            && let Err(unmet) = self.books.constraint_holds(c, want, node, words)
        {
            let (outcome, unsatisfied) = match unmet {
                Some(unmet) => {
                    self.books.unmet(c, app, place, unmet.failing);
                    (AppOutcome::ConstraintUnmet, unmet.words)
                }
                None => (AppOutcome::KeySkipped, no_words()),
            };
            if words {
                fails(Check::Constraint, Figures::Unsatisfied(unsatisfied));
            }
            return outcome;
        }
        // 7: blacklists.
        let a = c.app(app);
        if let Some(listed) = a.avoided().iter().find(|p| **p == host || **p == rack) {
            fails(Check::Blacklist, Figures::Place(*listed));
            c.app_mut(app).am_skip = Some(Check::Blacklist);
            return AppOutcome::AppSkipped;
        }
        // 8: count an opportunity, then try the localities; a skipped key takes the count back.
        c.app_mut(app).asks.at_mut(place).opportunities += 1;
        let outcome = self.assign_by_locality(c, want, limits, rec);
        let full_reset = self.conf.rack_locality_full_reset;
        let asks = c.app_mut(app).asks.at_mut(place);
        match (outcome, &self.proposal) {
            (AppOutcome::KeySkipped, _) if from.is_none() => asks.opportunities -= 1,
            (AppOutcome::Proposal, Some(p)) if from.is_none() && (last || !p.reserve) => {
                if p.locality == Locality::NodeLocal || (p.locality == Locality::RackLocal && full_reset) {
                    asks.opportunities = 0;
                }
                if own.is_default() {
                    asks.missed_non_partitioned = 0;
                }
            }
            _ => {}
        }
        outcome
    }
}
