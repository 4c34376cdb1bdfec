//! A request on a node: allocate, reserve, or skip (RegularContainerAllocator.assignContainer,
//! shouldAllocOrReserveNewContainer; capacity-scheduler.md 8.5, 8.6).

use super::offer::{AppOutcome, KeyTry, Limits, Nearby, Offer, Proposal};
use crate::check::{About, Amounts, Check, Checked, Failure, Figures};
use crate::journal::{Recorder, VisitEnd};
use crate::model::{AppId, Resource, java};
use crate::scheduler::{Cluster, Slot};

impl Offer<'_> {
    pub(super) fn assign_on_node<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        want: KeyTry,
        limits: &Limits,
        nearby: Nearby,
        rec: &mut R,
    ) -> AppOutcome {
        let (KeyTry { app, place, from, .. }, Nearby { row, locality }) = (want, nearby);
        let calc = c.calculator;
        let node = c.node(self.terms.node);
        let (total, free) = (&node.total, node.free());
        let asks = c.app(app).asks.at(place);
        let Some(need) = asks.row(row).map(|r| r.size) else { return AppOutcome::LocalitySkipped };
        let need = &need;
        let (key, missed, now) = (asks.key, asks.opportunities, c.now);
        let id = self.terms.node;
        let about = About::OnNode(app, key, id);
        let propose = |offer: &mut Self, reserve, unreserve| {
            offer.proposal = Some(Proposal {
                app,
                key: place,
                node: id,
                size: *need,
                reserve,
                locality,
                from,
                unreserve,
                user_has_room: false,
            });
            AppOutcome::Proposal
        };
        // 1: larger than the whole node.
        if !calc.fits_in(need, total) {
            rec.failed(now, || Checked::failed(Check::NodeTotal, about, Amounts::fit(*need, *total).into()));
            return AppOutcome::LocalitySkipped;
        }
        // 2: whether it may allocate or reserve, and whether something must be unreserved for it.
        let should = self.should_allocate_or_reserve(c, app, place, need);
        let beyond = *need - limits.headroom;
        let to_unreserve = calc.max(&c.total, &beyond, &limits.need_unreserve);
        let must_unreserve = calc.any_above_zero(to_unreserve);
        let looks_on = from.is_none() && self.conf.reservations_continue_look;
        // 3, 4: it fits on the node, perhaps after killing containers.
        if self.makes_room(c, app, need) {
            let mut unreserve = None;
            if looks_on && (!should || must_unreserve) {
                let amount = if must_unreserve { to_unreserve } else { need };
                unreserve = self.find_to_unreserve(c, app, place, amount);
                if unreserve.is_none() {
                    let amount = *amount;
                    let fails =
                        || Box::new(self.fails_without(c, want, need, limits, must_unreserve.then_some(amount)));
                    let figures = || Figures::GiveUp { amount, fails: fails() };
                    rec.failed(now, || Checked::failed(Check::Unreserve, about, figures()));
                    return AppOutcome::LocalitySkipped;
                }
            }
            rec.leave(now, about, VisitEnd::Allocated { locality, missed });
            return propose(self, false, unreserve);
        }
        // 5: it does not fit.
        let mut too_small =
            || rec.failed(now, || Checked::failed(Check::NodeFree, about, Amounts::fit(*need, free).into()));
        if should || from.is_some() {
            if looks_on && must_unreserve {
                too_small();
                return AppOutcome::LocalitySkipped;
            }
            let need = *need;
            let end =
                if from.is_some() { VisitEnd::ReReserved { need, free } } else { VisitEnd::Reserved { need, free } };
            rec.leave(now, about, end);
            return propose(self, true, None);
        }
        too_small();
        AppOutcome::LocalitySkipped
    }

    /// Returns the check that a request passes only with what its application has reserved: the user's limit if the
    /// user has to give up this amount, otherwise the headroom. Without an amount, its reservations are enough for its
    /// requests.
    fn fails_without(
        &self,
        c: &Cluster,
        want: KeyTry,
        need: &Resource,
        limits: &Limits,
        must_unreserve: Option<Resource>,
    ) -> Failure {
        let app = c.app(want.app);
        if must_unreserve == Some(limits.need_unreserve) {
            let users = self.queue(app.queue).leaf.as_ref().map(|leaf| &leaf.users);
            let of_user = users.and_then(|users| users.get(app.user));
            let used = of_user.map_or(Resource::ZERO, |user| user.used[self.terms.partition.index()]);
            return Failure::amounts(Check::UserLimit, Amounts::within(used, used - limits.need_unreserve));
        }
        if must_unreserve.is_some() {
            return Failure::amounts(Check::Headroom, Amounts::fit(*need, limits.headroom));
        }
        let figures = app.asks.at(want.place).held();
        Failure { check: Check::ReservationsNeeded, figures }
    }

    /// Returns whether the key's reservations are not yet enough for its count and its starvation
    /// (capacity-scheduler.md 8.6).
    pub(super) fn should_allocate_or_reserve(&self, c: &Cluster, app: AppId, place: usize, need: &Resource) -> bool {
        let a = c.app(app);
        let asks = a.asks.at(place);
        let reserved = asks.reserved.len() as i64;
        if reserved == 0 {
            return asks.outstanding() > 0;
        }
        let largest = &self.queue(a.queue).conf.maximum_allocation;
        let of_largest = c.calculator.ratio(need, largest);
        let least = c.calculator.ratio(&(*largest - c.minimum), largest);
        let retries = asks.rereservations as f32 / reserved as f32;
        let starvation = (retries * (1.0f32 - of_largest.min(least))) as i64;
        starvation + asks.outstanding() - reserved > 0
    }

    /// Returns the first reservation of the key, in the order of a Java map by node id, that covers the amount
    /// (capacity-scheduler.md 8.5(4)).
    #[cold]
    fn find_to_unreserve(&self, c: &Cluster, app: AppId, place: usize, amount: &Resource) -> Option<Slot> {
        let asks = c.app(app).asks.at(place);
        let reserved = &asks.reserved;
        let hash = |id| {
            let node = c.node(id);
            java::node_id_hash(&node.host, node.port)
        };
        let hashes: Vec<i32> = reserved.iter().map(|(node, _)| hash(*node)).collect();
        let covers = |slot: &Slot| c.calculator.fits_in(amount, &c.containers.at(*slot).size);
        let capacity = java::table_capacity(asks.most_reserved);
        java::hash_walk_in(&hashes, capacity).into_iter().map(|i| reserved[i].1).find(covers)
    }
}
