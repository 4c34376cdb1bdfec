//! The output of `cargo xtask bench`, the same natively and in a browser: the workloads of [`crate::speed`], the cost of
//! queues and applications without requests, and placement constraints.

use crate::preempting;
use crate::speed::{
    Clock, HEAD, IDLE_APPS, IDLE_QUEUES, IdleCause, Load, Measured, OTHER_SCHEDULERS, Time, WORKLOADS, Workload,
    with_idle,
};
use heddle_core::constraint::{Asking, PlacementState, Site, parse_expression};
use heddle_core::journal::{Folded, Recorder, Silent};
use heddle_core::model::{AppId, NodeId};

#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Whether to run only benches that take seconds.
    pub quick: bool,
    /// The workloads to run (or `constrained`: [`crate::constrained`]), without any other table; empty: everything.
    pub names: Vec<String>,
}

/// Runs the chosen benches and prints tables. Returns whether every workload has the counts of the real scheduler.
pub fn report(choice: &Choice, clock: &Clock<'_>, print: &mut dyn FnMut(&str)) -> bool {
    let named = |w: &&Workload| choice.names.is_empty() || choice.names.iter().any(|n| n == w.name);
    let quick = |w: &&Workload| !choice.quick || w.nodes <= 1000;
    let chosen: Vec<Workload> =
        WORKLOADS.iter().chain(&OTHER_SCHEDULERS).filter(named).filter(quick).copied().collect();
    let mut table = Table { clock, print, as_truth: true };
    table.play("Nothing recorded:", &chosen, || Silent);
    let recorded: Vec<Workload> = chosen.iter().filter(|w| w.nodes <= 1000).copied().collect();
    table.play("Every reason recorded and folded:", &recorded, Folded::default);
    if choice.names.is_empty() {
        for (held, what) in [
            (IdleCause::Nothing, "want nothing"),
            (IdleCause::Limit, "ask and are held at a limit"),
            (IdleCause::User, "ask, and their only user is at its limit"),
        ] {
            let names = ["10 queues", "100 queues", "1000 queues"];
            let queues = IDLE_QUEUES.iter().zip(names).map(|(n, name)| with_idle(name, 50, (*n, 0), held));
            let queues: Vec<Workload> = queues.collect();
            let title = format!("1 000 nodes, 50 applications in 10 queues, all other queues {what}:");
            table.play(&title, &queues, || Silent);
            if held == IdleCause::User {
                continue;
            }
            let names = ["10 applications", "100 applications", "1000 applications", "10000 applications"];
            let apps = IDLE_APPS.iter().zip(names).map(|(n, name)| with_idle(name, 10, (0, *n), held));
            let apps: Vec<Workload> = apps.collect();
            let title = format!("1 000 nodes, 10 queues, 10 applications get containers, all others {what}:");
            table.play(&title, &apps, || Silent);
        }
        constraints(if choice.quick { 1 } else { 10 }, clock, table.print);
    }
    let rounds = preempting::WORKLOADS.iter().filter(|w| {
        let named = choice.names.is_empty() || choice.names.iter().any(|n| n == w.name);
        named && (!choice.quick || w.containers <= 10_000)
    });
    table.preempt("Rounds of preemption, nothing recorded:", rounds.clone(), || Silent);
    table.preempt("Rounds of preemption, every reason recorded and folded:", rounds, Folded::default);
    if (choice.names.is_empty() && !choice.quick) || choice.names.iter().any(|n| n == "constrained") {
        crate::constrained::report(clock, table.print);
    }
    table.as_truth
}

struct Table<'a> {
    clock: &'a Clock<'a>,
    print: &'a mut dyn FnMut(&str),
    as_truth: bool,
}

impl Table<'_> {
    /// Runs each workload three times and takes the best by processor time; runs large ones once.
    fn play<R: Recorder>(&mut self, title: &str, workloads: &[Workload], recorder: impl Fn() -> R) {
        (self.print)(&format!("{title}\n{HEAD}"));
        for workload in workloads {
            let times = if workload.nodes >= 10_000 { 1 } else { 3 };
            let mut best: Option<Measured> = None;
            let mut refused = None;
            for _ in 0..times {
                match Load::new(*workload, recorder()).and_then(|mut load| load.measure(self.clock)) {
                    Ok(run) if best.is_none_or(|b| run.time.cpu < b.time.cpu) => best = Some(run),
                    Ok(_) => {}
                    Err(e) => refused = Some(e),
                }
            }
            let line = match (best, refused) {
                (Some(best), None) => {
                    self.as_truth &= workload.truth.is_none_or(|t| t == best.counts);
                    best.row(workload)
                }
                (_, e) => {
                    self.as_truth = false;
                    format!("| {} | {} |", workload.name, e.unwrap_or_default())
                }
            };
            (self.print)(&line);
        }
    }
}

impl Table<'_> {
    /// Runs each workload often enough to take a while. Ticks of the processor clock are longer than many a round, so its
    /// sum over all runs is used; of the wall clock the best run is used.
    fn preempt<'a, R: Recorder>(
        &mut self,
        title: &str,
        workloads: impl Iterator<Item = &'a preempting::PreemptionWorkload>,
        recorder: impl Fn() -> R,
    ) {
        (self.print)(&format!("{title}\n{}", preempting::HEAD));
        for workload in workloads {
            let times = (300_000 / (workload.containers + 30 * workload.queues)).clamp(3, 60);
            let run = || preempting::FullCluster::new(workload, recorder())?.measure(self.clock);
            let runs: Result<Vec<_>, String> = (0..times).map(|_| run()).collect();
            let line = match runs {
                Ok(runs) => {
                    let counts = runs.first().map(|run| run.1).unwrap_or_default();
                    let alike = runs.iter().all(|run| run.1 == counts);
                    self.as_truth &= alike && workload.truth.is_none_or(|t| t == counts);
                    let cpu = runs.iter().map(|run| run.0.cpu).sum::<f64>() / times as f64;
                    let wall = runs.iter().map(|run| run.0.wall).fold(f64::INFINITY, f64::min);
                    workload.row(&Time { wall, cpu }, &counts)
                }
                Err(e) => {
                    self.as_truth = false;
                    format!("| {} | {e} |", workload.name)
                }
            };
            (self.print)(&line);
        }
    }
}

const NODES: u32 = 10_000;
const NODES_OF_A_RACK: u32 = 40;
const TAGS: u32 = 100;
const APPS: u32 = 50;

/// Returns containers that are spread over nodes, applications and tags by a fixed rule.
fn tagged(containers: u32) -> PlacementState {
    let mut state = PlacementState::default();
    for app in 0..APPS {
        state.apps.add(AppId(app), (0, app as i32 + 1), &[format!("group{}", app % 5)]);
    }
    for i in 0..containers {
        let node = i.wrapping_mul(7919) % NODES;
        let tags = [format!("t{}", i % TAGS), format!("t{}", i.wrapping_mul(31) % TAGS)];
        state.tags.add(AppId(i % APPS), node, node / NODES_OF_A_RACK, &tags);
    }
    state
}

/// Measures the evaluation of a constraint on a node: 10 000 nodes in 250 racks, 100 tags, 50 applications. The cost of an
/// evaluation must depend on the tags of the clause and not on the number of containers, so it runs with few and with many.
fn constraints(times: usize, clock: &Clock<'_>, print: &mut dyn FnMut(&str)) {
    let texts = [
        "notin,node,t1",
        "in,rack,all/t1",
        "cardinality,rack,not-self/t1,t2,t3,0,5",
        "and(notin,node,t1:or(in,rack,all/t2:cardinality,node,not-self/t3,0,2))",
    ];
    let hosts: Vec<String> = (0..NODES).map(|n| format!("node{n}")).collect();
    print(&format!("A constraint on a node ({NODES} nodes, {TAGS} tags, {APPS} applications):"));
    print("| constraint | containers | ns a node | nodes that satisfy it |\n|---|---|---|---|");
    for containers in [2_000, 200_000] {
        let state = tagged(containers);
        for text in texts {
            let Ok(parsed) = parse_expression(text) else { continue };
            let asking = Asking { app: AppId(0), tags: &[], constraint: Some(&parsed.constraint) };
            let (mut best, mut satisfied) = (f64::INFINITY, 0u32);
            for _ in 0..times.max(1) {
                let start = (clock.wall)();
                satisfied = 0;
                for (n, host) in (0..NODES).zip(&hosts) {
                    let site = Site { node: NodeId(n), host, rack: n / NODES_OF_A_RACK, partition: "" };
                    satisfied += u32::from(state.can_satisfy(asking, site).is_ok_and(|v| v.holds()));
                }
                best = best.min((clock.wall)() - start);
            }
            print(&format!("| {text} | {containers} | {:.0} | {satisfied} |", best * 1e9 / f64::from(NODES)));
        }
    }
}
