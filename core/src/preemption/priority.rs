//! Queues of a higher priority preempt from those of a lower one, for reservations that have waited long enough (A7.2;
//! QueuePriorityContainerCandidateSelector).

use super::record::{Because, Move, UnservedBy};
use super::snapshot::{NodeShot, Piece, QueueShot, Snapshot, Stock};
use super::work::Work;
use crate::model::{Millis, NodeId, PartitionId, Resource, Selector};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

const ZERO: Resource = Resource::ZERO;

/// The priorities of leaves: which may preempt from which.
struct Ranks<'a> {
    queues: &'a [QueueShot],
    /// The places from root down to each leaf.
    paths: BTreeMap<usize, Vec<usize>>,
}

impl<'a> Ranks<'a> {
    fn of(shot: &'a Snapshot) -> Self {
        let mut paths = BTreeMap::new();
        for leaf in shot.leaves.iter().copied() {
            let mut path = vec![leaf];
            while let Some(parent) = path.last().and_then(|q| shot.queues[*q].parent) {
                path.push(parent);
            }
            path.reverse();
            paths.insert(leaf, path);
        }
        Ranks { queues: &shot.queues, paths }
    }

    /// Compares two leaves just below their nearest common ancestor: greater is the higher priority.
    fn compare(&self, a: Option<usize>, b: Option<usize>) -> Ordering {
        let (Some(a), Some(b)) = (a.and_then(|a| self.paths.get(&a)), b.and_then(|b| self.paths.get(&b))) else {
            return Ordering::Equal;
        };
        match a.iter().zip(b).find(|(x, y)| x != y) {
            Some((x, y)) => self.queues[*x].priority.cmp(&self.queues[*y].priority),
            None => Ordering::Equal,
        }
    }

    /// The leaves that may preempt from some other leaf.
    fn high(&self) -> BTreeSet<usize> {
        let queues = self.queues;
        let mut with_leaf = BTreeSet::new();
        self.paths.values().for_each(|path| with_leaf.extend(path.iter().copied()));
        let above_some_sibling = |q: &usize| {
            let siblings = queues[*q].parent.map_or(&[][..], |p| &queues[p].children);
            siblings.iter().any(|s| with_leaf.contains(s) && queues[*s].priority < queues[*q].priority)
        };
        self.paths.iter().filter(|(_, path)| path.iter().any(above_some_sibling)).map(|(leaf, _)| *leaf).collect()
    }

    /// Sorts pieces whose queue may preempt first, then by age.
    fn order(&self, a: &Piece, b: &Piece) -> Ordering {
        let by_age = || (a.age_order, a.id).cmp(&(b.age_order, b.id));
        self.compare(b.queue, a.queue).then_with(by_age)
    }
}

/// Sorts as Java sorts short lists: an order that is not transitive gives no error, but some result.
fn insertion_sort(pieces: Vec<Piece>, order: impl Fn(&Piece, &Piece) -> Ordering) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        let at = out.partition_point(|other| order(&piece, other).is_ge());
        out.insert(at, piece);
    }
    out
}

impl Work<'_> {
    pub(super) fn serve_reservations_by_priority(&mut self, stock: &mut dyn Stock, now: Millis) {
        let ranks = Ranks::of(self.shot);
        let high = ranks.high();
        if high.is_empty() {
            return;
        }
        let nodes = stock.nodes();
        let of_high = |c: &Piece| c.queue.is_some_and(|q| high.contains(&q));
        let reservations: Vec<Piece> = nodes.iter().filter_map(|n| n.reservation).filter(of_high).collect();
        let reservations = insertion_sort(reservations, |a, b| ranks.order(a, b));
        let mut served: BTreeMap<(usize, PartitionId), Resource> = BTreeMap::new();
        let mut touched: BTreeSet<NodeId> = BTreeSet::new();
        let mut occupied: BTreeSet<NodeId> = nodes.iter().filter(|n| n.reservation.is_some()).map(|n| n.id).collect();
        for r in reservations {
            let Some(q) = r.queue else { continue };
            let (age, delay) = (now.saturating_sub(r.made_at), self.conf.priority_reservation_delay_ms);
            if age < delay {
                self.unserve(r.id, Selector::QueuePriority, UnservedBy::Young { age, delay });
                continue;
            }
            let f = self.shot.figures(q, r.partition);
            let sum = served.entry((q, r.partition)).or_default();
            let (used, guaranteed) = (f.used - f.reserved + *sum, f.guaranteed);
            if self.by_cluster().compare(used, guaranteed).is_ge() {
                self.unserve(r.id, Selector::QueuePriority, UnservedBy::AtGuarantee { used, guaranteed });
                continue;
            }
            let Some(node) = nodes.iter().find(|n| n.id == r.node) else { continue };
            if let Some(victims) = self.lower_on_node(stock, &ranks, &r, node, &touched) {
                *sum += r.size;
                touched.insert(r.node);
                for c in &victims {
                    self.budget -= c.size;
                    self.choose(c, Selector::QueuePriority, Because::Priority { reservation: r.id });
                }
            } else if self.conf.allow_move_reservation && r.movable {
                let mut better = |n: &&NodeShot| {
                    !occupied.contains(&n.id)
                        && n.partition == r.partition
                        && self.lower_on_node(stock, &ranks, &r, n, &touched).is_some()
                };
                let Some(to) = nodes.iter().find(&mut better).map(|n| n.id) else {
                    self.unserve(r.id, Selector::QueuePriority, UnservedBy::NotEnough);
                    continue;
                };
                occupied.remove(&r.node);
                occupied.insert(to);
                touched.insert(to);
                stock.move_reservation(r.id, to);
                self.choice.moves.push(Move { reservation: r.id, from: r.node, to });
            } else {
                self.unserve(r.id, Selector::QueuePriority, UnservedBy::NotEnough);
            }
        }
    }

    /// The containers of lower queues on a node that must go for a reservation to fit there; `None`: it cannot fit.
    fn lower_on_node(
        &self,
        stock: &mut dyn Stock,
        ranks: &Ranks<'_>,
        r: &Piece,
        node: &NodeShot,
        touched: &BTreeSet<NodeId>,
    ) -> Option<Vec<Piece>> {
        if touched.contains(&node.id) {
            return None;
        }
        let (calc, by) = (self.shot.calculator, self.by_cluster());
        let mut pieces = stock.on_node(node.id);
        pieces.sort_unstable_by_key(|c| c.id);
        let pieces = insertion_sort(pieces, |a, b| ranks.order(a, b));
        let chosen = pieces.iter().filter(|c| self.taken.contains(c.id));
        let mut lacking = chosen.fold(r.size - node.free, |lacking, c| lacking - c.size);
        if calc.fits_in(&lacking, &ZERO) {
            return Some(Vec::new());
        }
        let mut budget = self.budget;
        let mut out = Vec::new();
        for c in pieces.iter().filter(|c| !self.taken.contains(c.id) && !c.am) {
            if ranks.compare(r.queue, c.queue).is_gt() && by.compare(budget, c.size).is_ge() {
                budget -= c.size;
                lacking -= c.size;
                out.push(*c);
                if calc.fits_in(&lacking, &ZERO) {
                    return Some(out);
                }
            }
        }
        None
    }
}
