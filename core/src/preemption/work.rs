//! A round in progress: the rest of the budget, the selection so far, and the selection of a container (A5, A6.3).

use super::measure::{Measure, not_negative, part, some_used_up};
use super::record::{Because, Chosen, ConsideredLeaf, Failure, RoundSelection, Spared, SparedBy, Unserved, UnservedBy};
use super::snapshot::{Piece, Snapshot, Stock};
use super::taken::{SelectedContainers, Wants};
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::{ContainerId, Millis, PartitionId, Resource, Selector};

/// The computed figures of a queue in a partition.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    pub untouchable: Resource,
    pub preemptable: Resource,
    pub start: Resource,
    pub ideal: Resource,
    pub keep: Resource,
    pub owed: Resource,
    pub dead_zone: Resource,
    pub beyond: bool,
    pub damped: Resource,
    /// The amount that the round wants from it.
    pub wanted: Resource,
}

/// The figures of each queue in each partition. Only a buffer: no round reads what another one left in it.
#[derive(Default)]
pub(super) struct Cells {
    all: Vec<Cell>,
    /// The number of containers that the latest round selected.
    chosen: usize,
}

/// A round in progress.
pub(super) struct Work<'a> {
    pub shot: &'a Snapshot,
    pub conf: &'a PreemptionConf,
    /// Whether each step is recorded, or only the results.
    pub detail: bool,
    cells: Vec<Cell>,
    /// The amount that the round may still select.
    pub budget: Resource,
    /// The selected containers.
    pub taken: SelectedContainers,
    /// By partition: queues that wanted more, in the order in which they were found.
    pub under_served: Vec<Vec<usize>>,
    /// By partition and queue: whether the queue is in `under_served`.
    noted: Vec<bool>,
    pub choice: RoundSelection,
}

/// Runs the selectors. `detail`: whether each step is recorded, or only the selection.
pub(super) fn choose(
    shot: &Snapshot,
    stock: &mut dyn Stock,
    conf: &PreemptionConf,
    at: Millis,
    detail: bool,
    room: &mut Cells,
) -> RoundSelection {
    let mut work = Work::new(shot, conf, detail);
    work.cells = std::mem::take(&mut room.all);
    work.cells.resize(shot.partitions.len() * shot.queues.len(), Cell::default());
    // Mostly as many as before, and a few more.
    work.choice.chosen.reserve(room.chosen + room.chosen / 8);
    let failed = work.select(stock, at).err();
    *room = Cells { all: work.cells, chosen: work.choice.chosen.len() };
    RoundSelection { budget_left: work.budget, failed, ..work.choice }
}

impl<'a> Work<'a> {
    fn new(shot: &'a Snapshot, conf: &'a PreemptionConf, detail: bool) -> Self {
        let budget = part(shot.cluster, f64::from(conf.total_preemption_per_round));
        Work {
            shot,
            conf,
            detail,
            cells: Vec::new(),
            budget,
            taken: SelectedContainers::default(),
            under_served: vec![Vec::new(); shot.partitions.len()],
            noted: vec![false; shot.partitions.len() * shot.queues.len()],
            choice: RoundSelection {
                conf: conf.clone(),
                cluster: shot.cluster,
                budget,
                wants: if detail { shot.wants.clone() } else { Vec::new() },
                ..RoundSelection::default()
            },
        }
    }

    /// Runs the selectors in order.
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

    /// Compares shares of the whole cluster.
    pub fn by_cluster(&self) -> Measure {
        Measure { calc: self.shot.calculator, base: self.shot.cluster }
    }

    /// Compares shares of a partition.
    pub fn by_partition(&self, p: PartitionId) -> Measure {
        Measure { calc: self.shot.calculator, base: self.shot.partitions[p.index()].total }
    }

    pub fn note_under_served(&mut self, p: PartitionId, queue: usize) {
        let noted = &mut self.noted[p.index() * self.shot.queues.len() + queue];
        if !std::mem::replace(noted, true) {
            self.under_served[p.index()].push(queue);
        }
    }

    /// Deducts earlier selections from what is wanted, but never down to nothing (A5). Errors: a container's queue is
    /// unknown.
    pub fn deduct(&mut self) -> Result<(), Failure> {
        for c in self.taken.iter() {
            let queue = c.queue.ok_or(Failure::UnknownQueue(c.id))?;
            let by = self.by_partition(c.partition);
            let cell = &mut self.cells[c.partition.index() * self.shot.queues.len() + queue];
            cell.wanted = deducted(&by, cell.wanted, c.size);
        }
        if let Some(pass) = self.choice.passes.last_mut() {
            let per = self.shot.queues.len();
            let places = self.shot.partition_order.iter().flat_map(|p| (0..per).map(move |q| p.index() * per + q));
            for (line, place) in pass.lines.iter_mut().zip(places) {
                line.wanted = self.cells[place].wanted;
            }
        }
        Ok(())
    }

    /// Selects a container if that reduces what is wanted and the budget allows it (A6.3); returns whether it did.
    pub fn try_take(
        &mut self,
        wants: &mut Wants,
        c: &Piece,
        selector: Selector,
        why: impl Fn(Resource, Resource) -> Because,
    ) -> bool {
        if self.taken.contains(c.id) {
            return false;
        }
        let conservative = match selector {
            Selector::IntraQueue => self.conf.intra_conservative_drf,
            _ => self.conf.conservative_drf,
        };
        let (calc, by) = (self.shot.calculator, self.by_cluster());
        let Some(wanted) = wants.get_mut(c.partition) else {
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
            wants.set(c.partition, after);
        } else {
            wants.remove(c.partition);
        }
        self.budget -= c.size;
        self.choose(c, selector, why(wanted, after));
        true
    }

    /// Records a selection, after the budget was reduced.
    pub fn choose(&mut self, c: &Piece, selector: Selector, because: Because) {
        self.taken.add(c);
        self.choice.chosen.push(Chosen {
            container: c.id,
            node: c.node,
            partition: c.partition,
            queue: c.queue.map(|q| self.shot.queues[q].id),
            size: c.size,
            am: c.am,
            reserved: c.reserved,
            outdated: c.outdated,
            selector,
            because,
            budget_left: self.budget,
        });
    }

    /// Records that nothing was selected for a reservation.
    pub fn unserve(&mut self, reservation: ContainerId, selector: Selector, why: UnservedBy) {
        if self.detail {
            self.choice.unserved.push(Unserved { reservation, selector, why });
        }
    }

    /// Records that the containers of a leaf were considered.
    pub fn walked(&mut self, queue: usize, selector: Selector, left: &Wants) {
        if self.detail {
            self.choice.walks.push(ConsideredLeaf { queue: self.shot.queues[queue].id, selector, left: left.to_vec() });
        }
    }

    pub fn spare(&mut self, c: &Piece, selector: Selector, why: SparedBy) {
        if self.detail {
            self.choice.spared.push(Spared { container: c.id, selector, why });
        }
    }
}

/// Deducts a selection from what is wanted, unless that is all of it (A5).
pub(super) fn deducted(by: &Measure, wanted: Resource, chosen: Resource) -> Resource {
    let left = if by.above(wanted, chosen) { wanted - chosen } else { wanted };
    by.max(left, Resource::ZERO)
}
