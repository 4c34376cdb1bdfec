//! Selects containers of queues that use more than their ideal assignment: in each leaf first those in foreign
//! partitions, then application by application from the least important one, ApplicationMasters last (A6;
//! FifoCandidatesSelector).

use super::record::{Because, Failure, SparedBy};
use super::snapshot::{Piece, Stock};
use super::taken::Wants;
use super::work::Work;
use crate::model::{PartitionId, Resource, Selector};
use std::cmp::Reverse;

/// ApplicationMasters that are selected last.
#[derive(Default)]
struct Aside {
    pieces: Vec<Piece>,
    sum: Resource,
}

fn next(wanted: Resource, left: Resource) -> Because {
    Because::Next { wanted, left }
}

impl Work<'_> {
    pub(super) fn take_from_queues(&mut self, stock: &mut dyn Stock, selector: Selector) -> Result<(), Failure> {
        let balances = selector == Selector::Balance;
        self.assign_ideals(selector, !balances && self.conf.count_reserved_as_wanted, balances);
        self.deduct()?;
        let shot = self.shot;
        let by = self.by_cluster();
        let mut wants = Wants::default();
        for q in shot.leaves.iter().copied().filter(|q| !shot.queues[*q].disabled) {
            wants.clear();
            for p in shot.partition_order.iter().copied() {
                let wanted = &self.cell(p, q).wanted;
                if by.positive(*wanted) {
                    wants.set(p, *wanted);
                }
            }
            if wants.is_empty() {
                // The order is read all the same: this updates a fair leaf.
                stock.put_in_order(shot.queues[q].id);
            } else {
                self.take_from_leaf(stock, q, &mut wants, selector)?;
            }
            self.walked(q, selector, &wants);
        }
        Ok(())
    }

    fn take_from_leaf(
        &mut self,
        stock: &mut dyn Stock,
        q: usize,
        wants: &mut Wants,
        selector: Selector,
    ) -> Result<(), Failure> {
        self.take_from_lent_room(stock, q, wants, selector)?;
        let mut aside = Aside::default();
        for app in stock.apps_in_order(self.shot.queues[q].id).into_iter().rev() {
            if wants.is_empty() {
                break;
            }
            self.take_reservations(&stock.reservations(app), wants, selector);
            self.take_in_order(&mut stock.containers(app), wants, selector, &mut aside);
        }
        self.take_ams(q, &aside, wants, selector);
        Ok(())
    }

    /// A6 step 1. Errors: a partition is finished before the last one (A12).
    fn take_from_lent_room(
        &mut self,
        stock: &mut dyn Stock,
        q: usize,
        wants: &mut Wants,
        selector: Selector,
    ) -> Result<(), Failure> {
        let leaf = self.shot.queues[q].id;
        let order: Vec<PartitionId> =
            self.shot.partition_order.iter().copied().filter(|p| wants.contains(*p)).collect();
        for (i, p) in order.iter().copied().enumerate() {
            let before = wants.len();
            let mut pieces = stock.on_lent_room(leaf, p);
            pieces.sort_unstable_by_key(|c| Reverse(c.id));
            for c in &pieces {
                self.try_take(wants, c, selector, |wanted, left| Because::Lent { wanted, left });
            }
            if wants.len() != before && i + 1 < order.len() {
                return Err(Failure::PartitionDone(leaf));
            }
        }
        Ok(())
    }

    /// A6 step 2a: drops reservations, whether or not that reduces what is wanted.
    fn take_reservations(&mut self, pieces: &[Piece], wants: &mut Wants, selector: Selector) {
        for c in pieces {
            if self.taken.contains(c.id) {
                continue;
            }
            if wants.is_empty() {
                break;
            }
            self.try_take(wants, c, selector, |wanted, left| Because::Reservation { wanted, left });
            if !self.conf.observe_only {
                self.choice.drops.push(c.id);
            }
        }
    }

    /// A6 step 2b.
    fn take_in_order(
        &mut self,
        pieces: &mut dyn Iterator<Item = Piece>,
        wants: &mut Wants,
        selector: Selector,
        aside: &mut Aside,
    ) {
        while !wants.is_empty() {
            let Some(c) = pieces.next() else { break };
            if self.taken.contains(c.id) {
                continue;
            }
            if c.killable {
                self.spare(&c, selector, SparedBy::Killable);
            } else if c.am {
                aside.pieces.push(c);
                aside.sum += c.size;
            } else {
                self.try_take(wants, &c, selector, next);
            }
        }
    }

    /// A6 step 3.
    fn take_ams(&mut self, q: usize, aside: &Aside, wants: &mut Wants, selector: Selector) {
        let am_maximum = self.shot.queues[q].am_maximum;
        let by = self.by_cluster();
        let mut am_used = aside.sum;
        for (i, c) in aside.pieces.iter().enumerate() {
            if wants.is_empty() {
                break;
            }
            if !by.above(am_used, am_maximum) {
                for c in &aside.pieces[i..] {
                    self.spare(c, selector, SparedBy::Am);
                }
                break;
            }
            if self.try_take(wants, c, selector, |wanted, left| Because::Am { wanted, left, am_used, am_maximum }) {
                am_used -= c.size;
            }
        }
    }
}
