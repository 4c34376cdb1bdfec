//! Properties of every round, whatever the queues, the containers and the settings: tested with random ones.

use super::*;
use crate::config::capacity::preemption::{IntraQueueOrder, PreemptionConf};
use crate::model::{
    AppId, Calculator, CalculatorKind, ContainerId, Millis, NodeId, PartitionId, QueueId, RequestKey, Resource, UserId,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const ZERO: Resource = Resource::ZERO;

struct Random(u64);

impl Random {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n.max(1) as u64) as i64
    }

    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as i64) as usize]
    }

    /// Returns true in `percent` of 100 cases.
    fn chance(&mut self, percent: i64) -> bool {
        self.below(100) < percent
    }

    fn size(&mut self) -> Resource {
        Resource::new(1 + self.below(4), self.below(3))
    }
}

struct App {
    leaf: usize,
    user: UserId,
    priority: i32,
    pending: Resource,
    pieces: Vec<Piece>,
}

/// A random cluster at one moment.
struct World {
    shot: Snapshot,
    apps: Vec<App>,
    nodes: Vec<NodeShot>,
}

fn sum<'a>(pieces: impl Iterator<Item = &'a Piece>) -> Resource {
    pieces.fold(ZERO, |sum, c| sum + c.size)
}

impl World {
    fn random(random: &mut Random) -> World {
        let kind = random.pick(&[CalculatorKind::Default, CalculatorKind::Dominant]);
        let partitions = 1 + random.below(2) as usize;
        let mut queues = vec![queue(0, None)];
        for _ in 0..2 + random.below(3) {
            let at = queues.len();
            queues.push(queue(at, Some(0)));
            for _ in 0..if random.chance(30) { 2 } else { 0 } {
                let below = queues.len();
                queues.push(queue(below, Some(at)));
            }
        }
        for at in 1..queues.len() {
            let parent = queues[at].parent.unwrap_or(0);
            queues[parent].children.push(at);
            queues[at].priority = random.below(3) as i32;
            queues[at].disabled = queues[parent].disabled || random.chance(15);
            queues[at].intra_disabled = random.chance(15);
        }
        let leaves: Vec<usize> = (0..queues.len()).filter(|q| queues[*q].children.is_empty()).collect();
        let mut world = World { shot: snapshot(kind, leaves, queues), apps: Vec::new(), nodes: Vec::new() };
        for i in 0..2 + random.below(5) {
            let partition = PartitionId::from(random.below(partitions as i64) as usize);
            let free = Resource::new(random.below(3), random.below(3));
            world.nodes.push(NodeShot { id: NodeId(i as u32), partition, free, reservation: None });
        }
        world.fill(random);
        world.count(random, partitions);
        world
    }

    /// Adds applications, their containers and reservations.
    fn fill(&mut self, random: &mut Random) {
        let greedy = random.below(20);
        for leaf in self.shot.leaves.clone() {
            for _ in 0..random.below(4) {
                let app = AppId::from(self.apps.len());
                let pending = Resource::new(random.below(20), random.below(20));
                let user = UserId(random.below(2) as u32);
                let mut a = App { leaf, user, priority: random.below(3) as i32, pending, pieces: Vec::new() };
                for seq in 1..=1 + random.below(2 + greedy) as u64 {
                    let at = random.below(self.nodes.len() as i64) as usize;
                    let reserved = seq > 1 && self.nodes[at].reservation.is_none() && random.chance(10);
                    let (node, partition) = (self.nodes[at].id, self.nodes[at].partition);
                    let lent = seq > 1 && !partition.is_default() && random.chance(30);
                    let piece = Piece {
                        id: ContainerId { app, attempt: 1, seq },
                        node,
                        partition,
                        asked: if lent { PartitionId::DEFAULT } else { partition },
                        queue: (!random.0.is_multiple_of(997)).then_some(leaf),
                        size: random.size() + if reserved { random.size() } else { ZERO },
                        key: RequestKey { priority: random.below(3) as i32, allocation_request_id: -1 },
                        am: seq == 1,
                        reserved,
                        killable: !reserved && random.chance(4),
                        outdated: false,
                        movable: reserved,
                        made_at: random.below(3) * 1000,
                        age_order: seq as Millis,
                    };
                    if reserved {
                        self.nodes[at].reservation = Some(piece);
                    }
                    a.pieces.push(piece);
                }
                self.apps.push(a);
            }
        }
    }

    /// Computes the figures from them.
    fn count(&mut self, random: &mut Random, partitions: usize) {
        for p in (0..partitions).map(PartitionId::from) {
            let nodes = || self.nodes.iter().filter(move |n| n.partition == p);
            let here = |c: &&Piece| c.partition == p;
            let runs = self.apps.iter().flat_map(|a| &a.pieces).filter(here).filter(|c| !c.reserved);
            let total = nodes().fold(sum(runs), |sum, n| sum + n.free);
            self.shot.partitions.push(PartitionShot { total });
            self.shot.partition_order.insert(random.below(1 + p.index() as i64) as usize, p);
            self.shot.cluster += total;
            for at in 0..self.shot.queues.len() {
                let parent = self.shot.queues[at].parent;
                let whole = parent.map_or(total, |q| self.shot.queues[q].parts[p.index()].guaranteed);
                let kin = parent.map_or(1, |q| self.shot.queues[q].children.len());
                let (from, to) = if at == 0 { (100, 100) } else { (0, 200 / kin as i64) };
                let guaranteed = whole.map(|v| v * (from + random.below(to - from + 1)) / 100);
                let mut f = Figures {
                    absolute_capacity: guaranteed.memory_mb() as f32 / total.memory_mb().max(1) as f32,
                    guaranteed,
                    maximum: if random.chance(70) { total } else { guaranteed + random.size() },
                    ..Figures::default()
                };
                for a in self.apps.iter().filter(|a| a.leaf == at) {
                    let pieces = || a.pieces.iter().filter(here);
                    f.used += sum(pieces());
                    f.reserved += sum(pieces().filter(|c| c.reserved));
                    f.killable += sum(pieces().filter(|c| c.killable));
                    let wants = if random.chance(60) { a.pending } else { ZERO };
                    f.pending += wants;
                    f.pending_not_reserved += (wants - f.reserved).component_max(ZERO);
                }
                self.shot.queues[at].parts.push(f);
                if p.is_default() {
                    self.shot.queues[at].am_maximum = guaranteed.map(|v| v * random.below(100) / 100);
                }
            }
            for at in (1..self.shot.queues.len()).rev() {
                let (below, parent) = (self.shot.queues[at].parts[p.index()], self.shot.queues[at].parent);
                let above = &mut self.shot.queues[parent.unwrap_or(0)].parts[p.index()];
                above.used += below.used;
                above.reserved += below.reserved;
                above.killable += below.killable;
                above.pending += below.pending;
                above.pending_not_reserved += below.pending_not_reserved;
            }
            for queue in &mut self.shot.queues {
                let f = &mut queue.parts[p.index()];
                f.used_capacity = f.used.memory_mb() as f32 / f.guaranteed.memory_mb().max(1) as f32;
            }
        }
    }

    fn piece(&self, id: ContainerId) -> Option<&Piece> {
        self.apps.get(id.app.index())?.pieces.iter().find(|c| c.id == id)
    }

    fn of_app(&self, app: AppId, reserved: bool) -> Vec<Piece> {
        self.apps[app.index()].pieces.iter().copied().filter(|c| c.reserved == reserved).collect()
    }

    /// Moves reservations back to where they were.
    fn unmoved(mut self) -> World {
        for node in &mut self.nodes {
            let here = |c: &&Piece| c.reserved && c.node == node.id;
            node.reservation = self.apps.iter().flat_map(|a| &a.pieces).find(here).copied();
        }
        self
    }
}

fn queue(at: usize, parent: Option<usize>) -> QueueShot {
    QueueShot {
        id: QueueId::from(at),
        parent,
        children: Vec::new(),
        leaf: true,
        priority: 0,
        disabled: false,
        intra_disabled: false,
        am_maximum: ZERO,
        parts: Vec::new(),
    }
}

fn snapshot(kind: CalculatorKind, leaves: Vec<usize>, mut queues: Vec<QueueShot>) -> Snapshot {
    queues.iter_mut().for_each(|q| q.leaf = q.children.is_empty());
    Snapshot {
        wants: Vec::new(),
        calculator: Calculator { kind, types: 2 },
        minimum: Resource::new(1, 1),
        cluster: ZERO,
        partitions: Vec::new(),
        partition_order: Vec::new(),
        queues,
        leaves,
    }
}

impl Stock for World {
    fn apps_in_order(&mut self, leaf: QueueId) -> Vec<AppId> {
        (0..self.apps.len()).filter(|a| self.apps[*a].leaf == leaf.index()).map(AppId::from).collect()
    }

    fn containers(&mut self, app: AppId) -> Box<dyn Iterator<Item = Piece> + '_> {
        let mut pieces = self.of_app(app, false);
        pieces.sort_by(|a, b| taking_order(&(a.key, a.id), &(b.key, b.id)));
        Box::new(pieces.into_iter())
    }

    fn reservations(&mut self, app: AppId) -> Vec<Piece> {
        self.of_app(app, true)
    }

    fn on_lent_room(&mut self, leaf: QueueId, partition: PartitionId) -> Vec<Piece> {
        let apps = self.apps.iter().filter(|a| a.leaf == leaf.index());
        let lent = |c: &&Piece| c.partition == partition && c.asked != partition;
        let piece = |c: &Piece| Piece { outdated: c.id.seq.is_multiple_of(3), ..*c };
        apps.flat_map(|a| &a.pieces).filter(lent).map(piece).collect()
    }

    fn nodes(&mut self) -> Vec<NodeShot> {
        self.nodes.clone()
    }

    fn on_node(&mut self, node: NodeId) -> Vec<Piece> {
        let all = self.apps.iter().flat_map(|a| &a.pieces);
        all.filter(|c| c.node == node && !c.reserved).copied().collect()
    }

    fn move_reservation(&mut self, id: ContainerId, to: NodeId) {
        let moved = self.apps[id.app.index()].pieces.iter_mut().find(|c| c.id == id);
        let piece = moved.map(|c| {
            (c.node, c.movable) = (to, false);
            *c
        });
        for node in &mut self.nodes {
            node.reservation = if node.id == to { piece } else { node.reservation.filter(|r| r.id != id) };
        }
    }

    fn demand(&mut self, leaf: QueueId, p: PartitionId) -> Demand {
        let of_leaf = self.apps.iter().enumerate().filter(|(_, a)| a.leaf == leaf.index());
        let demand = |(i, a): (usize, &App)| {
            let here = || a.pieces.iter().filter(move |c| c.partition == p);
            let (app, am) = (AppId::from(i), sum(here().filter(|c| c.am)));
            let used = sum(here());
            AppDemand {
                app,
                attempt: 1,
                user: a.user,
                priority: a.priority,
                used,
                am,
                pending: a.pending,
                fair_rank: i,
            }
        };
        let apps: Vec<AppDemand> = of_leaf.map(demand).collect();
        let of = |user: UserId| apps.iter().filter(move |a| a.user == user);
        let users: BTreeSet<UserId> = apps.iter().map(|a| a.user).collect();
        let limit = self.shot.queues[leaf.index()].parts[p.index()].guaranteed.map(|v| v / users.len().max(1) as i64);
        let share = |user: UserId| UserShare {
            user,
            used: of(user).fold(ZERO, |sum, a| sum + a.used),
            am: of(user).fold(ZERO, |sum, a| sum + a.am),
            limit,
        };
        let users = users.into_iter().map(share).collect();
        let am_of_active = apps.iter().fold(ZERO, |sum, a| sum + a.am);
        Demand { apps, users, am_of_active, fair: leaf.index().is_multiple_of(2) }
    }
}

fn settings(random: &mut Random) -> PreemptionConf {
    PreemptionConf {
        observe_only: false,
        max_wait_before_kill_ms: random.pick(&[0, 1000, 4000]),
        total_preemption_per_round: random.pick(&[0.05, 0.1, 0.3, 1.0]),
        max_ignored_over_capacity: random.pick(&[0.0, 0.1, 0.5]),
        natural_termination_factor: random.pick(&[0.2, 0.5, 1.0]),
        select_reserved: random.chance(40),
        count_reserved_as_wanted: random.chance(40),
        balance: random.chance(40),
        balance_max_wait_ms: random.pick(&[0, 2000]),
        conservative_drf: random.chance(20),
        intra_queue: random.chance(40),
        intra_minimum_threshold: random.pick(&[0.0, 0.5]),
        intra_max_allowable_limit: random.pick(&[0.2, 1.0]),
        intra_order: random.pick(&[IntraQueueOrder::UserLimitFirst, IntraQueueOrder::PriorityFirst]),
        intra_conservative_drf: random.chance(50),
        priority_queues: random.chance(30),
        priority_reservation_delay_ms: random.pick(&[0, 1000]),
        allow_move_reservation: random.chance(50),
        ..PreemptionConf::default()
    }
}

/// Plays a round over a random cluster; returns it with its settings, and the cluster as it was before.
fn play(seed: u64, change: impl Fn(&mut PreemptionConf), detail: bool) -> (World, PreemptionConf, Round) {
    let mut random = Random(seed);
    let mut world = World::random(&mut random);
    let mut conf = settings(&mut random);
    change(&mut conf);
    let shot = world.shot.clone();
    let round = Monitor::new(conf.clone(), 0).round(&shot, &mut world, 5000, detail);
    (world.unmoved(), conf, round)
}

/// The amounts that a round selects from each leaf and partition for other queues, except for reservations of a higher
/// priority.
fn taken_for_others(world: &World, round: &Round) -> BTreeMap<(usize, PartitionId), Resource> {
    let mut out: BTreeMap<_, Resource> = BTreeMap::new();
    let by = |c: &&Chosen| !matches!(c.selector, Selector::QueuePriority | Selector::IntraQueue);
    for c in round.chosen.iter().filter(by) {
        let piece = world.piece(c.container).filter(|c| !c.killable);
        let (Some(queue), Some(piece)) = (c.queue, piece) else { continue };
        *out.entry((queue.index(), c.partition)).or_default() += piece.size;
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Holds over all partitions together, as in YARN: one vector is reduced by every selection. The selector for
    /// priorities considers only the dominant share.
    #[test]
    fn a_round_chooses_no_more_than_its_budget(seed in any::<u64>()) {
        let (world, conf, round) = play(seed, |_| (), true);
        let chosen = round.chosen.iter().fold(ZERO, |sum, c| sum + c.size);
        prop_assert!(chosen.memory_mb() <= round.budget.memory_mb() || world.shot.calculator.kind == CalculatorKind::Dominant && conf.priority_queues);
        if world.shot.calculator.kind == CalculatorKind::Dominant && !conf.priority_queues {
            prop_assert!(chosen.vcores() <= round.budget.vcores(), "{chosen:?} of {:?}", round.budget);
        }
        let part = f64::from(conf.total_preemption_per_round);
        prop_assert_eq!(round.budget, world.shot.cluster.map(|v| (v as f64 * part) as i64));
    }

    #[test]
    fn a_protected_queue_loses_nothing_but_to_a_higher_priority(seed in any::<u64>()) {
        let (world, _, round) = play(seed, |_| (), true);
        for c in &round.chosen {
            let queue = c.queue.map(|q| &world.shot.queues[q.index()]);
            prop_assert!(c.selector == Selector::QueuePriority || queue.is_none_or(|q| !q.disabled), "{c:?}");
            prop_assert!(c.selector != Selector::IntraQueue || queue.is_none_or(|q| !q.intra_disabled), "{c:?}");
        }
    }

    /// Each selected container exists, is selected once, and has an act.
    #[test]
    fn what_is_chosen_is_there_and_acted_on_once(seed in any::<u64>()) {
        let (world, conf, round) = play(seed, |_| (), true);
        let ids: BTreeSet<ContainerId> = round.chosen.iter().map(|c| c.container).collect();
        prop_assert_eq!(ids.len(), round.chosen.len());
        for c in &round.chosen {
            let piece = world.piece(c.container).expect("it is there");
            let of_any = matches!(c.because, Because::Lent { .. });
            prop_assert!(!piece.killable || of_any || c.selector == Selector::QueuePriority, "{c:?}");
            let for_am = matches!(c.because, Because::Am { .. });
            prop_assert!(piece.am == for_am || of_any, "{c:?}");
        }
        let acts: Vec<ContainerId> = round.acts.iter().map(|a| a.container).collect();
        let chosen: Vec<ContainerId> = round.chosen.iter().map(|c| c.container).collect();
        prop_assert_eq!(acts, if round.failed.is_some() { Vec::new() } else { chosen });
        prop_assert!(round.acts.iter().all(|a| a.deed == PreemptionStep::Mark), "nothing was marked before");
        prop_assert!(conf.allow_move_reservation || round.moves.is_empty());
    }

    /// With memory only: a queue falls below its guarantee by less than one container, since the last one may be larger
    /// than what is wanted.
    #[test]
    fn a_queue_stays_above_its_guarantee_but_for_its_last_container(seed in any::<u64>()) {
        let fifo_alone = |conf: &mut PreemptionConf| {
            (conf.select_reserved, conf.balance, conf.priority_queues) = (false, false, false);
        };
        let (world, _, round) = play(seed, fifo_alone, true);
        prop_assert!(shortfall(&world, &round) < 1.0, "{}", shortfall(&world, &round));
    }

    /// With other selectors before or after: see [`shortfall`].
    #[test]
    fn selectors_together_take_little_more(seed in any::<u64>()) {
        let (world, _, round) = play(seed, |conf| conf.priority_queues = false, true);
        prop_assert!(shortfall(&world, &round) < 3.0, "{}", shortfall(&world, &round));
    }

    #[test]
    fn the_same_is_chosen_twice_and_whether_or_not_it_is_told(seed in any::<u64>()) {
        let (_, _, told) = play(seed, |_| (), true);
        let (_, _, again) = play(seed, |_| (), true);
        prop_assert_eq!(format!("{told:?}"), format!("{again:?}"));
        let (_, _, silent) = play(seed, |_| (), false);
        prop_assert_eq!(&told.chosen, &silent.chosen);
        prop_assert_eq!(&told.acts, &silent.acts);
        prop_assert_eq!((&told.drops, &told.moves, &told.failed), (&silent.drops, &silent.moves, &silent.failed));
    }

    /// It only observes, and records what it would select. (YARN moves reservations all the same.)
    #[test]
    fn a_round_that_only_watches_does_nothing(seed in any::<u64>()) {
        let (_, _, acted) = play(seed, |_| (), true);
        let (_, _, watched) = play(seed, |conf| conf.observe_only = true, true);
        prop_assert!(watched.acts.is_empty() && watched.drops.is_empty() && watched.forgotten.is_empty());
        prop_assert_eq!(&acted.chosen, &watched.chosen);
    }

    /// No container is killed without a mark that is old enough.
    #[test]
    fn a_kill_comes_a_wait_after_the_mark(seed in any::<u64>(), steps in prop::collection::vec(0i64..6000, 1..8)) {
        let mut random = Random(seed);
        let mut world = World::random(&mut random);
        let conf = settings(&mut random);
        let shot = world.shot.clone();
        let mut monitor = Monitor::new(conf.clone(), 0);
        let mut marked: BTreeMap<ContainerId, Millis> = BTreeMap::new();
        let mut now = 0;
        for step in steps {
            now += step;
            let round = monitor.round(&shot, &mut world, now, false);
            for act in &round.acts {
                let wait = match act.selector {
                    Selector::Balance if conf.balance_max_wait_ms > 0 => conf.balance_max_wait_ms,
                    _ => conf.max_wait_before_kill_ms,
                };
                let since = marked.get(&act.container).copied();
                let outdated = round.chosen.iter().any(|c| c.container == act.container && c.outdated);
                prop_assert!(act.deed != if outdated { PreemptionStep::Kill } else { PreemptionStep::Void }, "{act:?}");
                prop_assert!(!outdated || act.killed_at.is_none(), "{act:?}");
                match act.deed {
                    PreemptionStep::Mark => prop_assert!(since.is_none(), "{act:?} was told at {since:?}"),
                    PreemptionStep::Wait => prop_assert!(since.is_some_and(|s| s + wait > now), "{act:?}"),
                    PreemptionStep::Kill | PreemptionStep::Void => prop_assert!(since.is_some_and(|s| s + wait <= now), "{act:?}"),
                }
                if act.deed == PreemptionStep::Mark {
                    marked.insert(act.container, now);
                } else if matches!(act.deed, PreemptionStep::Kill | PreemptionStep::Void) {
                    marked.remove(&act.container);
                }
            }
            for id in &round.forgotten {
                prop_assert!(marked.remove(id).is_some_and(|s| s + 2 * conf.max_wait_before_kill_ms < now));
            }
            prop_assert!(monitor.marks().ids().eq(marked.keys().copied()));
        }
    }
}

/// By how many of its largest containers the queue that is worst off falls below its guarantee, by memory alone. A
/// selector selects while anything is wanted, so its last container may be larger than that. And an earlier selection
/// is deducted only where more is wanted (A5): later selectors may take the rest once more.
fn shortfall(world: &World, round: &Round) -> f64 {
    if world.shot.calculator.kind != CalculatorKind::Default {
        return 0.0;
    }
    let mut worst = 0f64;
    for ((queue, p), taken) in taken_for_others(world, round) {
        let f = world.shot.figures(queue, p);
        let left = f.used - f.killable - taken;
        let of_leaf = world.apps.iter().filter(|a| a.leaf == queue).flat_map(|a| &a.pieces);
        let largest = of_leaf.map(|c| c.size.memory_mb()).max().unwrap_or(1);
        worst = worst.max((f.guaranteed - left).memory_mb() as f64 / largest as f64);
    }
    worst
}
