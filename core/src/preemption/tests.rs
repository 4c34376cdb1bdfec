//! Rounds over fixed clusters with memory only, in one partition; the worked examples of A13.

use super::*;
use crate::config::capacity::preemption::PreemptionConf;
use crate::model::{
    AppId, Calculator, CalculatorKind, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource,
};

fn mb(n: i64) -> Resource {
    Resource::new(n, 0)
}

/// A queue: name, its parent's name, guarantee, usage, demand. The usage of a leaf consists of containers of one unit
/// of one application.
type Row = (&'static str, &'static str, i64, i64, i64);

struct Frozen {
    shot: Snapshot,
    names: Vec<&'static str>,
}

impl Frozen {
    fn new(total: i64, rows: &[Row]) -> Self {
        let names: Vec<&str> = ["root"].into_iter().chain(rows.iter().map(|r| r.0)).collect();
        let place = |name: &str| names.iter().position(|n| *n == name);
        let of = |parent: &'static str| rows.iter().filter(move |r| r.1 == parent);
        let root_used = of("root").map(|r| r.3).sum();
        let root = ("root", "", total, root_used, 0);
        let mut queues: Vec<QueueShot> = [root]
            .iter()
            .chain(rows)
            .enumerate()
            .map(|(i, (name, parent, guaranteed, used, pending))| {
                let figures = Figures {
                    absolute_capacity: *guaranteed as f32 / total as f32,
                    used_capacity: *used as f32 / *guaranteed as f32,
                    guaranteed: mb(*guaranteed),
                    maximum: mb(total),
                    used: mb(*used),
                    pending: mb(*pending),
                    pending_not_reserved: mb(*pending),
                    ..Figures::default()
                };
                QueueShot {
                    id: QueueId::from(i),
                    parent: place(parent),
                    children: of(name).filter_map(|r| place(r.0)).collect(),
                    leaf: of(name).next().is_none(),
                    priority: 0,
                    disabled: false,
                    intra_disabled: false,
                    am_maximum: Resource::ZERO,
                    parts: vec![figures],
                }
            })
            .collect();
        for i in (1..queues.len()).rev() {
            let (Some(parent), below) = (queues[i].parent, queues[i].parts[0].pending) else { continue };
            queues[parent].parts[0].pending += below;
            queues[parent].parts[0].pending_not_reserved += below;
        }
        let leaves = (0..queues.len()).filter(|i| queues[*i].leaf).collect();
        let shot = Snapshot {
            calculator: Calculator { kind: CalculatorKind::Default, types: 2 },
            minimum: mb(1),
            cluster: mb(total),
            partitions: vec![PartitionShot { total: mb(total) }],
            partition_order: vec![PartitionId::DEFAULT],
            queues,
            leaves,
            wants: Vec::new(),
        };
        Frozen { shot, names }
    }

    fn round(&mut self, monitor: &mut Monitor, now: Millis) -> Round {
        let shot = self.shot.clone();
        monitor.round(&shot, self, now, true)
    }

    /// Counts the containers of each leaf with this act.
    fn count(&self, round: &Round, deed: PreemptionStep) -> Vec<(&str, usize)> {
        let of = |i: usize| round.acts.iter().filter(|a| a.deed == deed && a.container.app.index() == i).count();
        (0..self.names.len()).filter(|i| of(*i) > 0).map(|i| (self.names[i], of(i))).collect()
    }

    fn line<'a>(&self, round: &'a Round, name: &str) -> &'a QueueIdeal {
        let at = self.names.iter().position(|n| *n == name).expect("a queue");
        round.passes.last().and_then(|p| p.lines.iter().find(|l| l.queue.index() == at)).expect("a line")
    }
}

impl Stock for Frozen {
    fn apps_in_order(&mut self, leaf: QueueId) -> Vec<AppId> {
        vec![AppId::from(leaf.index())]
    }

    fn containers(&mut self, app: AppId) -> Box<dyn Iterator<Item = Piece> + '_> {
        let used = self.shot.queues[app.index()].parts[0].used.memory_mb() as u64;
        let piece = move |seq| Piece {
            id: ContainerId { app, attempt: 1, seq },
            node: NodeId(0),
            partition: PartitionId::DEFAULT,
            asked: PartitionId::DEFAULT,
            queue: Some(app.index()),
            size: mb(1),
            key: RequestKey { priority: 1, allocation_request_id: -1 },
            am: false,
            reserved: false,
            killable: false,
            outdated: false,
            movable: false,
            made_at: 0,
            age_order: 0,
        };
        Box::new((1..=used).rev().map(piece))
    }

    fn reservations(&mut self, _: AppId) -> Vec<Piece> {
        Vec::new()
    }

    fn on_lent_room(&mut self, _: QueueId, _: PartitionId) -> Vec<Piece> {
        Vec::new()
    }

    fn nodes(&mut self) -> Vec<NodeShot> {
        Vec::new()
    }

    fn on_node(&mut self, _: NodeId) -> Vec<Piece> {
        Vec::new()
    }

    fn move_reservation(&mut self, _: ContainerId, _: NodeId) {}

    fn demand(&mut self, _: QueueId, _: PartitionId) -> Demand {
        Demand::default()
    }
}

/// Takes everything that is owed in one round.
fn at_once() -> PreemptionConf {
    PreemptionConf { natural_termination_factor: 1.0, total_preemption_per_round: 1.0, ..PreemptionConf::default() }
}

#[test]
fn the_queue_further_above_its_guarantee_gives() {
    let mut f = Frozen::new(100, &[("a", "root", 40, 0, 10), ("b", "root", 40, 60, 0), ("c", "root", 20, 40, 0)]);
    let round = f.round(&mut Monitor::new(at_once(), 0), 0);
    assert_eq!(f.count(&round, PreemptionStep::Mark), [("c", 10)]);
    // The record has it all: the offers, and what each queue keeps.
    let ideals: Vec<i64> = ["a", "b", "c"].iter().map(|q| f.line(&round, q).ideal.memory_mb()).collect();
    assert_eq!(ideals, [10, 60, 30]);
    let accepted: Vec<(usize, u32, i64, i64)> = round.passes[0]
        .offers
        .iter()
        .map(|o| (o.queue.index(), o.turn, o.offered.memory_mb(), o.accepted.memory_mb()))
        .collect();
    assert_eq!(accepted[..2], [(1, 0, 16, 10), (1, 1, 12, 0)]);
    let of = |q: usize| accepted.iter().filter(|o| o.0 == q).map(|o| o.3).sum::<i64>();
    assert_eq!((of(1), of(2), of(3)), (10, 20, 10));
    let c = f.line(&round, "c");
    // (With memory only, the policy's rounding leaves one vcore without meaning.)
    assert_eq!((c.owed, c.dead_zone, c.wanted.memory_mb()), (mb(10), mb(22), 10));
    // The sizes of the selected containers match the budget.
    assert_eq!(round.budget - round.budget_left, mb(round.chosen.len() as i64));
    let Because::Next { wanted, left } = round.chosen[0].because else { panic!("the next one of its application") };
    assert_eq!((wanted.memory_mb(), left.memory_mb()), (10, 9));
}

#[test]
fn a_parent_decides_before_its_children() {
    let mut f = Frozen::new(
        200,
        &[
            ("A", "root", 100, 110, 0),
            ("b", "A", 50, 60, 0),
            ("c", "A", 50, 50, 0),
            ("D", "root", 100, 90, 0),
            ("e", "D", 10, 90, 0),
            ("f", "D", 90, 0, 10),
        ],
    );
    let round = f.round(&mut Monitor::new(at_once(), 0), 0);
    assert_eq!(f.count(&round, PreemptionStep::Mark), [("b", 10)]);
    assert!(f.line(&round, "e").owed.is_zero(), "what its parent now has lets it keep all");
}

/// The source's example: 5 of surplus at a factor of 0.2; the amount taken shrinks with the rest (here in units of 10
/// MiB, so that rounding does not show).
#[test]
fn each_round_takes_a_part_of_what_is_left() {
    let conf = PreemptionConf { total_preemption_per_round: 1.0, max_wait_before_kill_ms: 0, ..Default::default() };
    let mut monitor = Monitor::new(conf, 0);
    let (mut surplus, mut taken) = (500, Vec::new());
    for now in [0, 3000, 6000] {
        let mut f = Frozen::new(1000, &[("a", "root", 500, 500 - surplus, 500), ("b", "root", 500, 500 + surplus, 0)]);
        let round = f.round(&mut monitor, now);
        let b = f.line(&round, "b");
        assert_eq!(b.owed, mb(surplus));
        taken.push(b.damped.memory_mb());
        surplus -= b.damped.memory_mb();
    }
    assert_eq!(taken, [100, 80, 64]);
}

#[test]
fn the_dead_zone_the_budget_and_a_protected_queue_stop_it() {
    let rows = |b| [("a", "root", 50, 0, 50), ("b", "root", 50, b, 0)];
    let mut f = Frozen::new(100, &rows(55));
    let round = f.round(&mut Monitor::new(at_once(), 0), 0);
    let b = f.line(&round, "b");
    assert_eq!((b.dead_zone, b.beyond_dead_zone, round.chosen.len()), (mb(55), false, 0));
    // A budget of a tenth of the cluster per round scales what is owed.
    let mut f = Frozen::new(100, &rows(100));
    let conf = PreemptionConf { total_preemption_per_round: 0.1, ..at_once() };
    let round = f.round(&mut Monitor::new(conf, 0), 0);
    assert_eq!(round.passes[0].scalings[0].scale, 0.2);
    assert_eq!((round.chosen.len(), round.budget_left), (10, mb(0)));
    f.shot.queues[2].disabled = true;
    let round = f.round(&mut Monitor::new(at_once(), 0), 0);
    assert_eq!((f.line(&round, "b").untouchable, round.chosen.len()), (mb(50), 0));
    f.shot.queues[2].disabled = false;
    let watching = PreemptionConf { observe_only: true, ..at_once() };
    let round = f.round(&mut Monitor::new(watching, 0), 0);
    assert_eq!((round.chosen.len(), round.acts.len(), round.conf.observe_only), (50, 0, true));
}

#[test]
fn a_mark_waits_is_killed_and_is_forgotten() {
    let hungry = || Frozen::new(100, &[("a", "root", 50, 0, 1), ("b", "root", 50, 100, 0)]);
    let fed = || Frozen::new(100, &[("a", "root", 50, 0, 0), ("b", "root", 50, 100, 0)]);
    let mut monitor = Monitor::new(at_once(), 0);
    let first = hungry().round(&mut monitor, 0);
    assert_eq!((first.acts[0].deed, first.acts[0].deadline), (PreemptionStep::Mark, 15_000));
    let victim = first.acts[0].container;
    assert_eq!(monitor.deadline(victim), Some(15_000));
    for now in [3000, 6000, 9000, 12_000] {
        let round = hungry().round(&mut monitor, now);
        assert_eq!(
            round.acts.iter().map(|a| (a.container, a.deed)).collect::<Vec<_>>(),
            [(victim, PreemptionStep::Wait)]
        );
    }
    let round = hungry().round(&mut monitor, 15_000);
    assert_eq!((round.acts[0].deed, round.acts[0].since), (PreemptionStep::Kill, 0));
    assert!(monitor.marks().is_empty());
    // A container that is no longer selected keeps its mark for twice the wait.
    let mut monitor = Monitor::new(at_once(), 0);
    hungry().round(&mut monitor, 0);
    fed().round(&mut monitor, 30_000);
    assert_eq!(hungry().round(&mut monitor.clone(), 30_000).acts[0].deed, PreemptionStep::Kill);
    assert_eq!(fed().round(&mut monitor, 33_000).forgotten, [victim]);
    assert_eq!(hungry().round(&mut monitor, 36_000).acts[0].deed, PreemptionStep::Mark);
}

#[test]
fn another_interval_counts_from_the_wake_up_after_the_round_that_read_it() {
    let conf = |ms| PreemptionConf { monitoring_interval_ms: ms, ..PreemptionConf::default() };
    let mut monitor = Monitor::new(conf(3000), 0);
    assert_eq!((monitor.next_wake(), monitor.wake(0), monitor.next_wake()), (Some(0), Wake::Round, Some(3000)));
    monitor.set_conf(conf(5000));
    assert_eq!((monitor.wake(3000), monitor.next_wake()), (Wake::Rescheduled, Some(3000)));
    assert_eq!((monitor.wake(3000), monitor.next_wake()), (Wake::Round, Some(8000)));
    assert_eq!(Monitor::new(conf(0), 0).next_wake(), None);
}

#[test]
fn what_is_chosen_first_is_least_important_and_newest() {
    let conf = PreemptionConf { total_preemption_per_round: 1.0, ..at_once() };
    let mut f = Frozen::new(10, &[("a", "root", 5, 0, 2), ("b", "root", 5, 10, 0)]);
    let round = f.round(&mut Monitor::new(conf, 0), 0);
    assert_eq!(round.chosen.iter().map(|c| c.container.seq).collect::<Vec<_>>(), [10, 9]);
}
