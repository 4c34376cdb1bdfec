//! The time of a round of the CapacityScheduler's preemption monitor: workloads defined by numbers alone, and their
//! required results, the same marks and kills as the real ProportionalCapacityPreemptionPolicy (measured on Hadoop 3.5.0).
//! docs/performance.md describes them.

use crate::speed::{Clock, Time};
use heddle_core::journal::Recorder;
use heddle_core::model::{AppId, NodeId, Resource};
use heddle_core::preemption::{PreemptionAction, PreemptionStep};
use heddle_core::rm::{
    AllocateCall, AskRow, NodeReport, NodeSpec, Properties, ResourceManager, RmSettings, SchedulerChoice, Submission,
};

/// The number of 1 GiB containers that fit on a node.
const ON_NODE: usize = 125;
/// The number of rounds, 3 s apart.
pub const ROUNDS: usize = 20;

#[derive(Clone, Copy, Debug)]
pub struct PreemptionWorkload {
    pub name: &'static str,
    /// The number of queues below root, of equal capacity, with two applications each.
    pub queues: usize,
    /// The number of containers, which fill the cluster: every other queue has twice its share of them; the other queues
    /// request three quarters of theirs.
    pub containers: usize,
    /// Whether all selectors are on except the one for priorities.
    pub all: bool,
    /// The results of the real policy.
    pub truth: Option<PreemptionCounts>,
}

/// The results of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PreemptionCounts {
    /// The number of marked containers.
    pub marks: u64,
    /// The number of killed containers.
    pub kills: u64,
    /// The checksum of every mark and kill, by container within a round, modulo 2^48.
    pub checksum: u64,
}

const fn workload(name: &'static str, queues: usize, containers: usize, truth: (u64, u64, u64)) -> PreemptionWorkload {
    let (marks, kills, checksum) = truth;
    PreemptionWorkload {
        name,
        queues,
        containers,
        all: false,
        truth: Some(PreemptionCounts { marks, kills, checksum }),
    }
}

pub const WORKLOADS: [PreemptionWorkload; 10] = [
    workload("preempt-10-1000", 10, 1_000, (140, 120, 0x3836_c0ef_7384)),
    workload("preempt-10-10000", 10, 10_000, (1400, 1200, 0x04cb_47ca_b328)),
    workload("preempt-10-100000", 10, 100_000, (14_000, 12_000, 0xcf7a_79a5_bf90)),
    workload("preempt-100-1000", 100, 1_000, (350, 300, 0x4bce_53e5_12de)),
    workload("preempt-100-10000", 100, 10_000, (1400, 1200, 0xd85d_4abf_6da8)),
    workload("preempt-100-100000", 100, 100_000, (14_000, 12_000, 0x4b44_1d7b_0490)),
    workload("preempt-1000-1000", 1_000, 1_000, (500, 500, 0xc42b_ce6e_a7f8)),
    workload("preempt-1000-10000", 1_000, 10_000, (3500, 3000, 0xec94_6664_edac)),
    PreemptionWorkload { truth: None, ..workload("preempt-1000-100000", 1_000, 100_000, (0, 0, 0)) },
    PreemptionWorkload { all: true, truth: None, ..workload("preempt-all-100-10000", 100, 10_000, (0, 0, 0)) },
];

/// The head of the table that [`PreemptionWorkload::row`] fills.
pub const HEAD: &str = "\
| workload | CPU ms a round | ms a round | marks | kills | checksum | |
|---|---|---|---|---|---|---|";

impl PreemptionWorkload {
    /// Returns a row of the table in docs/performance.md.
    pub fn row(&self, time: &Time, counts: &PreemptionCounts) -> String {
        let agrees = match self.truth {
            Some(truth) if truth == *counts => "as Hadoop",
            Some(_) => "DIFFERS from Hadoop",
            None => "no figures of Hadoop",
        };
        let of_round = |seconds: f64| seconds * 1000.0 / ROUNDS as f64;
        format!(
            "| {} | {:.4} | {:.4} | {} | {} | {:x} | {agrees} |",
            self.name,
            of_round(time.cpu),
            of_round(time.wall),
            counts.marks,
            counts.kills,
            counts.checksum,
        )
    }
}

/// A full cluster, before its first round.
pub struct FullCluster<R> {
    pub rm: ResourceManager,
    recorder: R,
    counts: PreemptionCounts,
}

impl<R: Recorder> FullCluster<R> {
    /// Sets up the cluster and fills it. Errors: the ResourceManager refuses something.
    pub fn new(workload: &PreemptionWorkload, mut recorder: R) -> Result<Self, String> {
        let settings = settings(workload);
        let capacity_scheduler = settings.capacity_scheduler.clone();
        let mut rm = ResourceManager::new(settings).map_err(|e| e.message)?;
        // The measured scheduler has read its settings twice, which puts its queues into the order of a Java map.
        rm.refresh(capacity_scheduler, &mut recorder).map_err(|e| e.message)?;
        rm.set_now(1000);
        let nodes = workload.containers / ON_NODE;
        for i in 0..nodes {
            let total = Resource::new(1024 * ON_NODE as i64, ON_NODE as i64);
            let spec = NodeSpec { host: format!("n{i}"), port: 1, rack: format!("/r{}", i / 40), total, label: None };
            rm.add_node(spec, &mut recorder).map_err(|e| e.message)?;
        }
        let queues = workload.queues;
        for i in 0..2 * queues {
            let submission = Submission {
                name: format!("a{i}"),
                queue: format!("root.q{}", i % queues),
                user: if i < queues { "u" } else { "v" }.into(),
                max_attempts: Some(1),
                am: None,
                ..Submission::default()
            };
            let app = rm.submit(submission, &mut recorder).map_err(|e| e.message)?;
            rm.register(app, &mut recorder).map_err(|e| e.message)?;
        }
        let mut load = FullCluster { rm, recorder, counts: PreemptionCounts::default() };
        let each = workload.containers / queues;
        for app in (0..2 * queues).filter(|i| (i % queues).is_multiple_of(2)) {
            load.ask(app, each)?;
        }
        for _ in 0..3 {
            for node in 0..nodes {
                load.rm.heartbeat(NodeId::from(node), NodeReport::default(), &mut load.recorder);
            }
        }
        let mut got = 0;
        for app in 0..2 * queues {
            let call = AllocateCall::default();
            let answer = load.rm.allocate(AppId::from(app), call, &mut load.recorder).map_err(|e| e.message)?;
            got += answer.allocated.len();
        }
        if got != workload.containers {
            return Err(format!("{got} containers"));
        }
        // A round without pending requests: most rounds have a predecessor, so the timed ones have one too.
        load.rm.preempt(&mut load.recorder).ok_or("no monitor")?;
        for queue in (1..queues).step_by(2) {
            load.ask(queue, (each * 3 / 4).max(1))?;
        }
        load.rm.take_events();
        Ok(load)
    }

    /// Requests half of the containers at priority 1 and half at 2.
    fn ask(&mut self, app: usize, count: usize) -> Result<(), String> {
        let row = |priority: i32, count: usize| AskRow {
            priority,
            place: "*".into(),
            size: Resource::new(1024, 1),
            count: count as i64,
            relax: true,
            label: None,
            allocation_request_id: -1,
        };
        let rows = [row(1, count - count / 2), row(2, count / 2)];
        let call = AllocateCall { asks: rows.into_iter().filter(|r| r.count > 0).collect(), ..AllocateCall::default() };
        self.rm.allocate(AppId::from(app), call, &mut self.recorder).map_err(|e| e.message)?;
        Ok(())
    }

    /// Runs the rounds, and acts on the chosen containers. Returns their total time and the results.
    pub fn measure(&mut self, clock: &Clock<'_>) -> Result<(Time, PreemptionCounts), String> {
        let mut sum = Time::default();
        for _ in 0..ROUNDS {
            let (took, round) = clock.time(|| self.rm.preempt(&mut self.recorder));
            let round = round.ok_or("no monitor")?;
            sum = Time { wall: sum.wall + took.wall, cpu: sum.cpu + took.cpu };
            self.count(round.acts);
            self.rm.take_events();
            let now = self.rm.now() + 3000;
            self.rm.set_now(now);
        }
        Ok((sum, self.counts))
    }

    fn count(&mut self, mut acts: Vec<PreemptionAction>) {
        acts.retain(|a| !matches!(a.deed, PreemptionStep::Wait | PreemptionStep::Void));
        acts.sort_by_key(|a| a.container);
        for act in acts {
            let kill = act.deed == PreemptionStep::Kill;
            *if kill { &mut self.counts.kills } else { &mut self.counts.marks } += 1;
            let (app, seq) = (act.container.app.index() as u64, act.container.seq);
            let sum = self.counts.checksum * 31 + app * 1_000_003 + seq * 2 + u64::from(kill);
            self.counts.checksum = sum & 0xFFFF_FFFF_FFFF;
        }
    }
}

fn settings(w: &PreemptionWorkload) -> RmSettings {
    const CAPACITY: &str = "yarn.scheduler.capacity.";
    const MONITOR: &str = "yarn.resourcemanager.monitor.capacity.preemption.";
    let mut capacity = Properties::default();
    let mut set = |prefix: &str, key: &str, value: String| capacity.insert(format!("{prefix}{key}"), value);
    set(CAPACITY, "maximum-am-resource-percent", "1.0".into());
    set(CAPACITY, "node-locality-delay", "40".into());
    set(CAPACITY, "per-node-heartbeat.maximum-offswitch-assignments", "100".into());
    set(CAPACITY, "schedule-asynchronously.enable", "false".into());
    let names: Vec<String> = (0..w.queues).map(|q| format!("q{q}")).collect();
    set(CAPACITY, "root.queues", names.join(","));
    for name in names {
        set(CAPACITY, &format!("root.{name}.capacity"), format!("{:?}", 100.0 / w.queues as f64));
        set(CAPACITY, &format!("root.{name}.maximum-capacity"), "100".into());
        set(CAPACITY, &format!("root.{name}.user-limit-factor"), "1000".into());
    }
    set(MONITOR, "max_wait_before_kill", "6000".into());
    if w.all {
        set(MONITOR, "select_based_on_reserved_containers", "true".into());
        set(MONITOR, "preemption-to-balance-queue-after-satisfied.enabled", "true".into());
        set(MONITOR, "intra-queue-preemption.enabled", "true".into());
    }
    let site = [
        ("yarn.scheduler.minimum-allocation-mb", "1024"),
        ("yarn.scheduler.maximum-allocation-mb", "8192"),
        ("yarn.resourcemanager.scheduler.monitor.enable", "true"),
    ];
    RmSettings {
        scheduler: SchedulerChoice::Capacity,
        yarn_site: site.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        capacity_scheduler: capacity,
        ..RmSettings::default()
    }
}
