//! A round under way: what is left to choose, what was chosen, and how a container is taken (A5, A6.3).

use super::measure::{Measure, not_negative, part, some_used_up};
use super::record::{Because, Chosen, Failure, Round, Selector, Spared, SparedBy};
use super::snapshot::{Piece, Snapshot, Stock};
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::limits::RESOURCE_TYPES;
use crate::model::{ContainerId, Millis, PartitionId, Resource};
use std::collections::BTreeMap;

/// What is worked out for a queue in a partition.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub untouchable: Resource,
    pub preemptable: Resource,
    pub ideal: Resource,
    pub keep: Resource,
    pub owed: Resource,
    pub dead_zone: Resource,
    pub beyond: bool,
    pub damped: Resource,
    /// What is to be taken from it.
    pub wanted: Resource,
    /// What it weighs among those that want more, by type.
    pub weights: [f32; RESOURCE_TYPES],
}

/// What is wanted from a queue, by partition. A partition of which nothing more is wanted is not there.
pub(super) type Wants = BTreeMap<PartitionId, Resource>;

/// A round under way.
pub(super) struct Work<'a> {
    pub shot: &'a Snapshot,
    pub conf: &'a PreemptionConf,
    /// Is each step to be told, or only what comes of them?
    pub detail: bool,
    cells: Vec<Cell>,
    /// What the round may still choose.
    pub budget: Resource,
    /// The chosen ones.
    pub taken: BTreeMap<ContainerId, Piece>,
    /// By partition: queues that wanted more, in the order in which that was found.
    pub under_served: Vec<Vec<usize>>,
    pub round: Round,
}

/// One round. `detail`: is each step told, or only what is chosen?
pub(super) fn round(shot: &Snapshot, stock: &mut dyn Stock, conf: &PreemptionConf, at: Millis, detail: bool) -> Round {
    let mut work = Work::new(shot, conf, at, detail);
    let failed = work.select(stock, at).err();
    Round { budget_left: work.budget, failed, ..work.round }
}

impl<'a> Work<'a> {
    fn new(shot: &'a Snapshot, conf: &'a PreemptionConf, at: Millis, detail: bool) -> Self {
        let budget = part(shot.cluster, f64::from(conf.total_preemption_per_round));
        Work {
            shot,
            conf,
            detail,
            cells: vec![Cell::default(); shot.partitions.len() * shot.queues.len()],
            budget,
            taken: BTreeMap::new(),
            under_served: vec![Vec::new(); shot.partitions.len()],
            round: Round { at, budget, observe_only: conf.observe_only, ..Round::default() },
        }
    }

    /// The selectors in their order.
    fn select(&mut self, stock: &mut dyn Stock, now: Millis) -> Result<(), Failure> {
        if self.shot.queues.is_empty() {
            return Ok(());
        }
        if self.conf.priority_queues {
            self.serve_reservations_by_priority(stock, now);
        }
        if self.conf.select_reserved {
            self.serve_reservations(stock);
        }
        self.take_from_queues(stock, Selector::Fifo)?;
        if self.conf.balance {
            self.take_from_queues(stock, Selector::Balance)?;
        }
        if self.conf.intra_queue {
            self.take_within_queues(stock)?;
        }
        Ok(())
    }

    pub fn cell(&self, p: PartitionId, queue: usize) -> &Cell {
        &self.cells[p.index() * self.shot.queues.len() + queue]
    }

    pub fn cell_mut(&mut self, p: PartitionId, queue: usize) -> &mut Cell {
        &mut self.cells[p.index() * self.shot.queues.len() + queue]
    }

    /// Shares of the whole cluster.
    pub fn by_cluster(&self) -> Measure {
        Measure { calc: self.shot.calculator, base: self.shot.cluster }
    }

    /// Shares of a partition.
    pub fn by_partition(&self, p: PartitionId) -> Measure {
        Measure { calc: self.shot.calculator, base: self.shot.partitions[p.index()].total }
    }

    pub fn note_under_served(&mut self, p: PartitionId, queue: usize) {
        let list = &mut self.under_served[p.index()];
        if !list.contains(&queue) {
            list.push(queue);
        }
    }

    /// What earlier selectors have chosen is taken off what is wanted; the last unit never is (A5). Errors: a container
    /// whose queue is not known.
    pub fn deduct(&mut self) -> Result<(), Failure> {
        let taken: Vec<(ContainerId, PartitionId, Option<usize>, Resource)> =
            self.taken.values().map(|c| (c.id, c.partition, c.queue, c.size)).collect();
        for (id, p, queue, size) in taken {
            let queue = queue.ok_or(Failure::UnknownQueue(id))?;
            let by = self.by_partition(p);
            let cell = self.cell_mut(p, queue);
            cell.wanted = deducted(&by, cell.wanted, size);
        }
        if let Some(pass) = self.round.passes.last_mut() {
            let per = self.shot.queues.len();
            let places = self.shot.partition_order.iter().flat_map(|p| (0..per).map(move |q| p.index() * per + q));
            for (line, place) in pass.lines.iter_mut().zip(places) {
                line.wanted = self.cells[place].wanted;
            }
        }
        Ok(())
    }

    /// A container is taken if that serves what is wanted and the budget allows it (A6.3). Was it?
    pub fn try_take(
        &mut self,
        wants: &mut Wants,
        c: &Piece,
        selector: Selector,
        why: impl Fn(Resource, Resource) -> Because,
    ) -> bool {
        if self.taken.contains_key(&c.id) {
            return false;
        }
        let conservative = match selector {
            Selector::IntraQueue => self.conf.intra_conservative_drf,
            _ => self.conf.conservative_drf,
        };
        let (calc, by) = (self.shot.calculator, self.by_cluster());
        let Some(wanted) = wants.get_mut(&c.partition) else {
            self.spare(c, selector, SparedBy::OtherPartition);
            return false;
        };
        // A type of which nothing is wanted stays so.
        for i in 0..calc.types {
            if wanted[i] == 0 {
                wanted[i] = -1;
            }
        }
        let wanted = *wanted;
        if !calc.any_above_zero(&wanted) {
            self.spare(c, selector, SparedBy::NoUse { wanted });
            return false;
        }
        if !calc.fits_in(&c.size, &self.budget) {
            let left = self.budget;
            self.spare(c, selector, SparedBy::Budget { left });
            return false;
        }
        let after = wanted - c.size;
        if conservative && some_used_up(calc, &wanted) {
            self.spare(c, selector, SparedBy::TypeUsedUp { wanted });
            return false;
        }
        if !conservative && by.compare(not_negative(after), not_negative(wanted)).is_ge() {
            self.spare(c, selector, SparedBy::NoUse { wanted });
            return false;
        }
        if by.positive(after) {
            wants.insert(c.partition, after);
        } else {
            wants.remove(&c.partition);
        }
        self.budget -= c.size;
        self.choose(c, selector, why(wanted, after));
        true
    }

    /// A container is chosen; the budget was lowered for it.
    pub fn choose(&mut self, c: &Piece, selector: Selector, because: Because) {
        self.taken.insert(c.id, *c);
        self.round.chosen.push(Chosen {
            container: c.id,
            node: c.node,
            partition: c.partition,
            queue: c.queue.map(|q| self.shot.queues[q].id),
            size: c.size,
            am: c.am,
            reserved: c.reserved,
            selector,
            because,
            budget_left: self.budget,
        });
    }

    pub fn spare(&mut self, c: &Piece, selector: Selector, why: SparedBy) {
        if self.detail {
            self.round.spared.push(Spared { container: c.id, selector, why });
        }
    }
}

/// What is wanted, less what was chosen, unless that would be all of it (A5).
pub(super) fn deducted(by: &Measure, wanted: Resource, chosen: Resource) -> Resource {
    let left = if by.above(wanted, chosen) { wanted - chosen } else { wanted };
    by.max(left, Resource::ZERO)
}
