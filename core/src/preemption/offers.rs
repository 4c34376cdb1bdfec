//! Offers a parent's ideal assignment to its children until none wants more or nothing is left (A4.3, A4.4).

use super::measure::{Measure, not_negative, up_by_types};
use super::record::Offer;
use super::snapshot::Figures;
use super::work::Work;
use crate::model::limits::RESOURCE_TYPES;
use crate::model::{CalculatorKind, PartitionId, Resource};
use std::cmp::Ordering;

const ZERO: Resource = Resource::ZERO;
/// The fraction of its guarantee that a queue without a guarantee has.
const NO_GUARANTEE: f64 = 2_147_483_647.0;

/// A queue that wants more.
#[derive(Clone, Copy)]
struct Needy {
    queue: usize,
    /// The fraction of its guarantee that it has.
    part: f64,
    priority: i32,
}

/// Serves the queue with the smallest fraction of its guarantee first; priorities count among queues below their
/// guarantee, and among the others.
fn first(a: &Needy, b: &Needy) -> Ordering {
    let same_side = (a.part < 1.0) == (b.part < 1.0);
    if a.priority != b.priority && same_side {
        return b.priority.cmp(&a.priority);
    }
    a.part.partial_cmp(&b.part).unwrap_or(Ordering::Equal)
}

/// Java's PriorityQueue: its array decides the order of equal elements.
#[derive(Default)]
struct Need(Vec<Needy>);

impl Need {
    fn push(&mut self, new: Needy) {
        self.0.push(new);
        let mut at = self.0.len() - 1;
        while at > 0 {
            let above = (at - 1) / 2;
            if first(&new, &self.0[above]).is_ge() {
                break;
            }
            self.0[at] = self.0[above];
            at = above;
        }
        self.0[at] = new;
    }

    fn pop(&mut self) -> Option<Needy> {
        let head = *self.0.first()?;
        let last = self.0.pop()?;
        let n = self.0.len();
        if n > 0 {
            let mut at = 0;
            while at < n / 2 {
                let mut below = 2 * at + 1;
                if below + 1 < n && first(&self.0[below], &self.0[below + 1]).is_gt() {
                    below += 1;
                }
                if first(&last, &self.0[below]).is_le() {
                    break;
                }
                self.0[at] = self.0[below];
                at = below;
            }
            self.0[at] = last;
        }
        Some(head)
    }
}

/// The weights of the queues that want more in one turn, for each type by itself.
struct Weights {
    /// The weight of each queue if all weigh the same.
    equal: f32,
    /// The sum of their absolute capacities.
    absolute: f32,
    by: [By; RESOURCE_TYPES],
}

/// What decides the weights of queues for a type.
#[derive(Clone, Copy)]
enum By {
    Equal,
    /// Absolute capacities, since a queue is guaranteed none of the type.
    Absolute,
    /// Guarantees, with their sum.
    Guaranteed(i64),
}

impl Weights {
    fn of(&self, f: &Figures, types: usize) -> [f32; RESOURCE_TYPES] {
        let mut out = [0.0; RESOURCE_TYPES];
        for (i, out) in out.iter_mut().enumerate().take(types) {
            *out = match self.by[i] {
                By::Equal => self.equal,
                By::Absolute => f.absolute_capacity / self.absolute,
                By::Guaranteed(all) => f.guaranteed[i] as f32 / all as f32,
            };
        }
        out
    }
}

/// The terms under which siblings are served.
#[derive(Clone, Copy)]
pub(super) struct Terms {
    pub partition: PartitionId,
    /// Compares shares of the parent's ideal.
    pub by: Measure,
    /// Whether they have no guarantee, so that all weigh the same.
    pub equal: bool,
    pub counts_reserved: bool,
    pub balances: bool,
}

impl Work<'_> {
    /// Computes the siblings' ideals: first what they may keep, then offers. `unassigned` is reduced by what they keep
    /// and by the first offer only (quirk).
    pub(super) fn serve(&mut self, siblings: &[usize], terms: &Terms, unassigned: &mut Resource, out: &mut Vec<Offer>) {
        let (p, by) = (terms.partition, terms.by);
        let mut need = Need::default();
        for q in siblings.iter().copied() {
            let f = self.shot.figures(q, p);
            let cell = self.cell_mut(p, q);
            cell.ideal = if by.above(f.used, f.guaranteed) {
                f.guaranteed.component_min(f.used) + cell.untouchable
            } else {
                f.used
            };
            let ideal = cell.ideal;
            cell.start = ideal;
            *unassigned -= ideal;
            if by.compare(ideal, f.used + f.pending).is_lt() {
                need.push(self.needy(q, terms));
            }
        }
        let mut left = *unassigned;
        let (mut turn, mut first_offer) = (0, true);
        while !need.0.is_empty() && by.positive(left) {
            let weights = self.weigh(&need, terms);
            let served = self.least_served(&mut need, p);
            let whole = left;
            for q in served {
                if !by.calc.any_above_zero(&left) {
                    break;
                }
                let weights = weights.of(self.shot.figures(q, p), by.calc.types);
                let offered = up_by_types(by.calc, whole, &weights).component_min(left);
                let before = self.cell(p, q).ideal;
                let accepted = self.accept(q, terms, offered);
                if self.detail {
                    let queue = self.shot.queues[q].id;
                    let weight = weights[0];
                    let partition = p;
                    out.push(Offer { queue, partition, turn, unassigned: whole, weight, before, offered, accepted });
                }
                if by.positive(accepted) {
                    need.push(self.needy(q, terms));
                }
                if std::mem::take(&mut first_offer) {
                    *unassigned -= accepted;
                }
                left = not_negative(left - accepted);
            }
            turn += 1;
        }
        while let Some(q) = need.pop() {
            self.note_under_served(p, q.queue);
        }
    }

    fn needy(&self, queue: usize, terms: &Terms) -> Needy {
        let guaranteed = self.shot.figures(queue, terms.partition).guaranteed;
        let part = if terms.by.positive(guaranteed) {
            f64::from(terms.by.divide(self.cell(terms.partition, queue).ideal, guaranteed))
        } else {
            NO_GUARANTEE
        };
        Needy { queue, part, priority: self.shot.queues[queue].priority }
    }

    /// Computes the weights of those that want more.
    fn weigh(&self, need: &Need, terms: &Terms) -> Weights {
        let figures = || need.0.iter().map(|q| self.shot.figures(q.queue, terms.partition));
        let types = if terms.by.calc.kind == CalculatorKind::Default { 1 } else { terms.by.calc.types };
        let guaranteed = figures().fold(ZERO, |sum, f| sum + f.guaranteed);
        let absolute: f32 = figures().map(|f| f.absolute_capacity).sum();
        let mut out = Weights { equal: 1.0 / need.0.len() as f32, absolute, by: [By::Equal; RESOURCE_TYPES] };
        for i in 0..types {
            let lacking = || figures().any(|f| f.guaranteed[i] == 0 && f.absolute_capacity != 0.0);
            out.by[i] = if terms.equal || guaranteed[i] == 0 || absolute == 0.0 {
                By::Equal
            } else if lacking() {
                By::Absolute
            } else {
                By::Guaranteed(guaranteed[i])
            };
        }
        out
    }

    /// Removes the head and all that are equally badly served.
    fn least_served(&mut self, need: &mut Need, p: PartitionId) -> Vec<usize> {
        let mut out = Vec::new();
        while let Some(head) = need.pop() {
            out.push(head.queue);
            self.note_under_served(p, head.queue);
            match need.0.first() {
                Some(next) if first(&head, next).is_lt() => {
                    self.note_under_served(p, next.queue);
                    break;
                }
                _ => {}
            }
        }
        out
    }

    /// Lets a queue accept its part of an offer (A4.4); returns the amount.
    fn accept(&mut self, queue: usize, terms: &Terms, offered: Resource) -> Resource {
        let by = terms.by;
        let f = self.shot.figures(queue, terms.partition);
        let capped = self.shot.queues[queue].leaf && !terms.balances;
        let cell = self.cell_mut(terms.partition, queue);
        let room = not_negative(f.maximum - cell.ideal);
        let pending = if terms.counts_reserved { f.pending } else { f.pending_not_reserved };
        let wants = f.used + pending - cell.ideal;
        let mut accepted = room.component_min(by.min(offered, wants));
        if capped {
            // A satisfied leaf does not take from another satisfied one.
            let most = by.max(f.used, f.guaranteed) - cell.ideal;
            accepted = by.min(accepted, by.max(most, ZERO));
        }
        accepted = not_negative(accepted).component_min(offered);
        cell.ideal += accepted;
        accepted
    }
}
