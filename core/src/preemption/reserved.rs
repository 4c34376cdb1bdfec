//! Selects containers whose end lets a reservation fit on their node (A7.1; ReservedContainerCandidatesSelector).

use super::measure::not_negative;
use super::record::{Because, SparedBy, UnservedBy};
use super::snapshot::{NodeShot, Piece, Stock};
use super::work::Work;
use crate::model::{PartitionId, Resource, Selector};
use std::cmp::Reverse;
use std::collections::BTreeMap;

const ZERO: Resource = Resource::ZERO;

/// The amounts that may be taken, by leaf and partition.
type Available = BTreeMap<(usize, PartitionId), Resource>;

/// The containers that must go for a reservation to fit.
struct Plan {
    /// Those that were not selected before.
    new: Vec<Piece>,
    /// Their size relative to the reservation.
    cost: f32,
}

impl Work<'_> {
    pub(super) fn serve_reservations(&mut self, stock: &mut dyn Stock) {
        self.assign_ideals(Selector::Reserved, true, false);
        let mut available = Available::new();
        for q in self.shot.leaves.iter().copied() {
            for p in self.shot.partition_order.iter().copied() {
                available.insert((q, p), self.cell(p, q).wanted);
            }
        }
        let nodes = stock.nodes();
        let mut by_cost: Vec<(f32, usize)> = Vec::new();
        for (i, node) in nodes.iter().enumerate().filter(|(_, n)| n.reservation.is_some()) {
            match (self.plan_room(stock, node, &mut available, false), node.reservation) {
                (Ok(plan), _) => by_cost.push((plan.cost, i)),
                (Err(why), Some(r)) => self.unserve(r.id, Selector::Reserved, why),
                (Err(_), None) => {}
            }
        }
        crate::model::order::sort_by(&mut by_cost, |a, b| a.0.total_cmp(&b.0));
        for (cost, i) in by_cost {
            let node = &nodes[i];
            let Some(reservation) = node.reservation.map(|r| r.id) else { continue };
            match self.plan_room(stock, node, &mut available, true) {
                Ok(plan) => {
                    for c in &plan.new {
                        self.choose(c, Selector::Reserved, Because::MakesRoom { reservation, cost });
                    }
                }
                Err(why) => self.unserve(reservation, Selector::Reserved, why),
            }
        }
    }

    /// Plans which containers must go from a node. Errors: why none is selected for its reservation. With `earnest`
    /// each counted container reduces `available` and the budget, also those selected before; a plan that is not enough
    /// restores only `available`, and only for the new ones (quirk).
    fn plan_room(
        &mut self,
        stock: &mut dyn Stock,
        node: &NodeShot,
        available: &mut Available,
        earnest: bool,
    ) -> Result<Plan, UnservedBy> {
        let calc = self.shot.calculator;
        let size = node.reservation.map_or(ZERO, |r| r.size);
        let mut pieces = stock.on_node(node.id);
        let killable = pieces.iter().filter(|c| c.killable).fold(ZERO, |sum, c| sum + c.size);
        let mut room = node.free + killable;
        if calc.fits_in(&size, &room) {
            return Err(UnservedBy::Fits);
        }
        pieces.sort_unstable_by_key(|c| Reverse(c.id));
        let mut new: Vec<Piece> = Vec::new();
        let mut cost = ZERO;
        for c in &pieces {
            if c.killable || c.am {
                if earnest {
                    self.spare(c, Selector::Reserved, if c.am { SparedBy::Am } else { SparedBy::Killable });
                }
                continue;
            }
            let Some(left) = c.queue.and_then(|q| available.get_mut(&(q, node.partition))) else { continue };
            if !calc.fits_in(&c.size, left) {
                if earnest {
                    let wanted = *left;
                    self.spare(c, Selector::Reserved, SparedBy::NoUse { wanted: not_negative(wanted) });
                }
                continue;
            }
            if !calc.fits_in(&c.size, &self.budget) {
                if earnest {
                    let left = self.budget;
                    self.spare(c, Selector::Reserved, SparedBy::Budget { left });
                }
                continue;
            }
            if earnest {
                *left -= c.size;
                self.budget -= c.size;
            }
            room += c.size;
            if !self.taken.contains(c.id) {
                new.push(*c);
                cost += c.size;
            }
            if calc.fits_in(&size, &room) {
                return Ok(Plan { new, cost: calc.ratio(&cost, &size) });
            }
        }
        if earnest {
            for c in new {
                if let Some(left) = c.queue.and_then(|q| available.get_mut(&(q, node.partition))) {
                    *left += c.size;
                }
            }
        }
        Err(UnservedBy::NotEnough)
    }
}
