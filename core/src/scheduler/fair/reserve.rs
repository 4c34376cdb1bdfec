//! Reservations: when one is made for a container that does not fit, and how it ends (FSAppAttempt.isReservable,
//! reserve, unreserve; fair-scheduler.md 14).

use super::offer::Given;
use super::{FairScheduler, used};
use crate::check::{About, Amounts, Check, Checked, Failure, Figures};
use crate::journal::{Finding, Recorder, UnreserveCause, VisitEnd};
use crate::model::Resource;
use crate::scheduler::app::{FairStop, FairWait};
use crate::scheduler::life::{Gone, Grant};
use crate::scheduler::{Cluster, Locality, Slot};

impl FairScheduler {
    pub(super) fn try_reserve<R: Recorder>(
        &mut self,
        c: &mut Cluster,
        g: &Grant,
        free: Resource,
        rec: &mut R,
    ) -> Given {
        let key = g.key;
        if g.locality == Locality::RackLocal && self.rack_nodes.is_empty() {
            self.count_rack_nodes(c);
        }
        let stop = self.reservation_stop(c, g);
        if c.app(g.app).waiting_for_am {
            let (leaf, size) = (c.app(g.app).queue, g.size);
            self.note_wait(c, g.app, FairWait { stop: FairStop::NodeFree { reserved: stop.is_none() }, leaf, size });
        }
        let need = g.size;
        let (app, node) = (g.app, g.node);
        let about = About::OnNode(app, key, node);
        if let Some(why) = stop {
            // The log gets the deciding check: a container that does not fit is checked for a reservation each time.
            rec.detail(c.now, || {
                Finding::Checked(Checked::failed(Check::NodeFree, about, Amounts::fit(need, free).into()))
            });
            rec.failed(c.now, || why.about(about));
            return Given::Nothing;
        }
        // The application's own reservation is renewed as it is.
        if c.node(node).reserved.is_some() {
            rec.leave(c.now, about, VisitEnd::ReReserved { need, free });
            return Given::Reservation;
        }
        rec.leave(c.now, about, VisitEnd::Reserved { need, free });
        self.keep_room(c, g, rec);
        Given::Reservation
    }

    /// Reserves a node for an application.
    pub(super) fn keep_room<R: Recorder>(&mut self, c: &mut Cluster, g: &Grant, rec: &mut R) {
        c.app_mut(g.app).reserved[super::DEFAULT] += g.size;
        self.app_mut(g.app).reserved.push(g.node);
        c.reserve(g, rec);
        self.told_alone(c.app(g.app).queue, g.app);
    }

    fn count_rack_nodes(&mut self, c: &Cluster) {
        for n in c.nodes.iter().filter(|n| n.in_scheduler) {
            let place = n.rack.0 as usize;
            if self.rack_nodes.len() <= place {
                self.rack_nodes.resize(place + 1, 0);
            }
            self.rack_nodes[place] += 1;
        }
    }

    /// 14.1: returns why no reservation is made.
    fn reservation_stop(&self, c: &Cluster, g: &Grant) -> Option<Failure> {
        let leaf = c.app(g.app).queue;
        if !self.is_starved(c, g.app) {
            let (used, share) = (used(c, g.app), self.apps[g.app.index()].fair_share);
            return Some(Failure::amounts(Check::BelowFairShare, Amounts::below(used, share)));
        }
        let threshold = &self.conf.reservation_threshold;
        if !self.calculator(c, leaf).ge(&c.total, &g.size, threshold) {
            let amounts = Amounts::fit(g.size, *threshold).at_least();
            return Some(Failure::amounts(Check::ReservationThreshold, amounts));
        }
        if let Some(promised) = self.promised_to(c, g.node, g.app) {
            return Some(Failure::amounts(Check::RoomNotPromised, Amounts::fit(promised, Resource::ZERO)));
        }
        if g.locality == Locality::NodeLocal || c.node(g.node).reserved.is_some() {
            return None;
        }
        let rack = c.node(g.node).rack;
        let counts = |id: &crate::model::NodeId| g.locality == Locality::OffSwitch || c.node(*id).rack == rack;
        let held = self.apps[g.app.index()].reserved.iter().filter(|id| counts(id)).count() as i64;
        let nodes = match g.locality {
            Locality::OffSwitch => c.node_count,
            _ => self.rack_nodes.get(rack.0 as usize).copied().unwrap_or(0),
        };
        debug_assert_eq!(nodes, c.nodes.iter().filter(|n| n.in_scheduler && counts(&n.id)).count());
        let most = f64::from(nodes as f32 * self.conf.reservable_nodes).ceil() as i64;
        let figures = Figures::Count { have: held, need: most };
        (held >= most).then_some(Failure { check: Check::ReservableNodes, figures })
    }

    /// Converts a reservation into a container and returns its size.
    pub(super) fn convert(&mut self, c: &mut Cluster, slot: Slot) -> Resource {
        let gone = c.forget_reservation(slot);
        self.reservation_gone(c, &gone);
        gone.size
    }

    /// Drops a reservation.
    pub(super) fn unreserve<R: Recorder>(&mut self, c: &mut Cluster, slot: Slot, why: UnreserveCause, rec: &mut R) {
        let gone = c.drop_reservation(slot, why, rec);
        self.reservation_gone(c, &gone);
    }

    fn reservation_gone(&mut self, c: &mut Cluster, gone: &Gone) {
        c.app_mut(gone.app).reserved[super::DEFAULT] -= gone.size;
        self.app_mut(gone.app).reserved.retain(|id| *id != gone.node);
    }
}
