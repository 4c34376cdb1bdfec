//! The ideal assignment of each queue, and what may be taken from it (A4.1, A4.2, A5).

use super::measure::{Measure, part, up};
use super::offers::Terms;
use super::record::{IdealPass, QueueIdeal, Scaling};
use super::work::{Cell, Work};
use crate::model::{PartitionId, Resource, Selector};

const ZERO: Resource = Resource::ZERO;

impl Work<'_> {
    /// Recomputes the ideal assignment, and what may be taken from each leaf.
    pub(super) fn assign_ideals(&mut self, selector: Selector, counts_reserved: bool, balances: bool) {
        let mut pass = IdealPass {
            selector,
            counts_reserved,
            balances,
            lines: Vec::new(),
            offers: Vec::new(),
            scalings: Vec::new(),
        };
        let shot = self.shot;
        for p in shot.partition_order.iter().copied() {
            self.surplus(p);
            let whole = shot.figures(0, p).guaranteed;
            let root = self.cell_mut(p, 0);
            (root.start, root.ideal) = (whole, whole);
            for q in (0..shot.queues.len()).filter(|q| !shot.queues[*q].children.is_empty()) {
                self.share_out(q, p, &mut pass);
            }
            for q in shot.leaves.iter().copied() {
                self.settle(q, p, counts_reserved);
            }
            self.note_lines(p, &mut pass);
        }
        if self.detail {
            self.choice.passes.push(pass);
        }
    }

    /// Resets the figures to each queue's usage beyond its guarantee: what others may take of it, and what nobody may
    /// (A4.1).
    fn surplus(&mut self, p: PartitionId) {
        let shot = self.shot;
        let by = Measure { calc: shot.calculator, base: shot.partitions[p.index()].total };
        for q in (0..shot.queues.len()).rev() {
            let (queue, f) = (&shot.queues[q], shot.figures(q, p));
            let beyond = f.used - f.guaranteed;
            let beyond = if by.compare(beyond, ZERO).is_lt() { ZERO } else { beyond };
            let (untouchable, preemptable) = if queue.children.is_empty() {
                if queue.disabled { (beyond, ZERO) } else { (ZERO, beyond) }
            } else {
                let below = queue.children.iter().fold(ZERO, |sum, k| sum + self.cell(p, *k).preemptable);
                let untouchable = if by.compare(below, beyond).is_ge() { ZERO } else { beyond - below };
                (untouchable, by.min(below, beyond))
            };
            *self.cell_mut(p, q) = Cell { untouchable, preemptable, ..Cell::default() };
        }
    }

    /// Distributes a parent's ideal assignment to its children, and computes what they owe (A4.2).
    fn share_out(&mut self, parent: usize, p: PartitionId, pass: &mut IdealPass) {
        let shot = self.shot;
        let whole = self.cell(p, parent).ideal;
        let by = Measure { calc: shot.calculator, base: whole };
        let children = &shot.queues[parent].children;
        let guaranteed = |q: &usize| by.positive(shot.figures(*q, p).guaranteed);
        let (with, without): (Vec<usize>, Vec<usize>) = children.iter().copied().partition(guaranteed);
        let mut unassigned = whole;
        let (counts_reserved, balances) = (pass.counts_reserved, pass.balances);
        let mut terms = Terms { partition: p, by, equal: false, counts_reserved, balances };
        self.serve(&with, &terms, &mut unassigned, &mut pass.offers);
        if !without.is_empty() && by.positive(unassigned) {
            terms.equal = true;
            self.serve(&without, &terms, &mut unassigned, &mut pass.offers);
        }
        let mut need = ZERO;
        for q in children.iter().copied() {
            let (used, ideal) = (shot.figures(q, p).used, self.cell(p, q).ideal);
            if by.above(used, ideal) {
                need += used - ideal;
            }
        }
        let mut scale = 1f32;
        if by.above(need, self.budget) {
            scale = by.divide(self.budget, need);
            pass.scalings.push(Scaling {
                parent: shot.queues[parent].id,
                partition: p,
                need,
                budget: self.budget,
                scale,
            });
        }
        for q in children.iter().copied() {
            let f = shot.figures(q, p);
            let cell = self.cell_mut(p, q);
            cell.keep = by.max(by.min(f.used + f.pending, f.guaranteed), cell.ideal);
            let running = f.used - f.killable;
            if by.above(running, cell.keep) {
                cell.owed = part(running - cell.keep, f64::from(scale));
            }
        }
    }

    /// Computes how much of a leaf's debt this round takes (A5).
    fn settle(&mut self, q: usize, p: PartitionId, counts_reserved: bool) {
        let shot = self.shot;
        let by = self.by_cluster();
        let f = shot.figures(q, p);
        let (factor, ignored) = (self.conf.natural_termination_factor, self.conf.max_ignored_over_capacity);
        let cell = self.cell_mut(p, q);
        cell.dead_zone = part(f.guaranteed, 1.0 + ignored);
        cell.beyond = by.above(f.used, cell.dead_zone);
        if cell.beyond && !shot.queues[q].disabled {
            cell.wanted = cell.owed;
            if !counts_reserved && by.positive(cell.owed) {
                cell.wanted = up(shot.calculator, cell.owed, factor);
            }
        }
        cell.damped = cell.wanted;
    }

    fn note_lines(&self, p: PartitionId, pass: &mut IdealPass) {
        if !self.detail {
            return;
        }
        for (q, queue) in self.shot.queues.iter().enumerate() {
            let (f, cell) = (self.shot.figures(q, p), self.cell(p, q));
            pass.lines.push(QueueIdeal {
                queue: queue.id,
                parent: queue.parent.map(|q| self.shot.queues[q].id),
                partition: p,
                leaf: queue.leaf,
                disabled: queue.disabled,
                guaranteed: f.guaranteed,
                maximum: f.maximum,
                used: f.used,
                reserved: f.reserved,
                pending: if pass.counts_reserved { f.pending } else { f.pending_not_reserved },
                pending_in_all: f.pending,
                killable: f.killable,
                untouchable: cell.untouchable,
                preemptable: cell.preemptable,
                start: cell.start,
                ideal: cell.ideal,
                keep: cell.keep,
                owed: cell.owed,
                dead_zone: cell.dead_zone,
                beyond_dead_zone: cell.beyond,
                damped: cell.damped,
                wanted: cell.wanted,
            });
        }
    }
}
