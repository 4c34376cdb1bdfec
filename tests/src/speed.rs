//! Workloads for measuring speed, defined by numbers alone, and their required results: the same counts and the same
//! checksum as the real CapacityScheduler (measured on Hadoop 3.5.0). docs/performance.md describes them.
//! [`report`](crate::bench::report) plays and prints them all.

use heddle_core::journal::Recorder;
use heddle_core::model::{AppId, ContainerId, NodeId, Resource};
use heddle_core::rm::{
    AllocateCall, AskRow, NodeReport, NodeSpec, Properties, ResourceManager, RmSettings, SchedulerChoice, Submission,
};
use heddle_core::scheduler::ContainerState;

/// The number of nodes per rack.
const RACK: usize = 40;
/// The user of applications that are held at its limit, a tenth of the others'.
const HELD: &str = "v";
/// The number of rounds in the ring of due containers; a container lives 2 to 9 rounds.
const LIVES: usize = 16;

#[derive(Clone, Copy, Debug)]
pub struct Workload {
    pub scheduler: SchedulerChoice,
    pub name: &'static str,
    /// The number of nodes, each of 128 GiB and 32 vcores.
    pub nodes: usize,
    pub queues: usize,
    /// The number of applications with requests.
    pub apps: usize,
    /// The numbers of further queues without a guarantee, and of further applications, that get nothing.
    pub idle: (usize, usize),
    /// Whether those make requests all the same, and what blocks them.
    pub held: IdleCause,
    /// Whether applications request hosts and racks.
    pub locality: bool,
    /// The number of rounds before measuring.
    pub warm_up: usize,
    pub rounds: usize,
    /// The results of the real scheduler; `None`: not measured.
    pub truth: Option<Counts>,
}

/// The reason why queues and applications get nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleCause {
    /// They request nothing.
    Nothing,
    /// The queues are at their maximum, the applications' user is at its limit.
    Limit,
    /// The queues' only user is at its limit.
    User,
}

/// The results of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Counts {
    /// The number of containers allocated in the measured rounds.
    pub allocated: u64,
    /// The number of reported completions.
    pub completed: u64,
    /// The checksum of every allocation's node and application, in order, modulo 2^48.
    pub checksum: u64,
}

const fn truth(allocated: u64, completed: u64, checksum: u64) -> Option<Counts> {
    Some(Counts { allocated, completed, checksum })
}

#[rustfmt::skip]
pub const WORKLOADS: [Workload; 6] = [
    Workload { scheduler: SchedulerChoice::Capacity, name: "small", nodes: 100, queues: 10, apps: 50, idle: (0, 0), held: IdleCause::Nothing, locality: false, warm_up: 20, rounds: 100, truth: truth(77150, 77096, 0x9eec_8292_0aed) },
    Workload { scheduler: SchedulerChoice::Capacity, name: "small-locality", nodes: 100, queues: 10, apps: 50, idle: (0, 0), held: IdleCause::Nothing, locality: true, warm_up: 20, rounds: 100, truth: truth(76097, 76648, 0xa58b_f115_71b1) },
    Workload { scheduler: SchedulerChoice::Capacity, name: "medium", nodes: 1000, queues: 50, apps: 500, idle: (0, 0), held: IdleCause::Nothing, locality: false, warm_up: 12, rounds: 12, truth: truth(91400, 92310, 0xcf6f_9367_2d1f) },
    Workload { scheduler: SchedulerChoice::Capacity, name: "medium-locality", nodes: 1000, queues: 50, apps: 500, idle: (0, 0), held: IdleCause::Nothing, locality: true, warm_up: 12, rounds: 12, truth: truth(91737, 92498, 0xcdb_34c4_a911) },
    Workload { scheduler: SchedulerChoice::Capacity, name: "large", nodes: 10_000, queues: 200, apps: 2000, idle: (0, 0), held: IdleCause::Nothing, locality: false, warm_up: 10, rounds: 3, truth: truth(237_865, 239_902, 0x3d96_765d_ff3c) },
    Workload { scheduler: SchedulerChoice::Capacity, name: "large-locality", nodes: 10_000, queues: 200, apps: 2000, idle: (0, 0), held: IdleCause::Nothing, locality: true, warm_up: 10, rounds: 3, truth: truth(237_824, 239_902, 0x2557_007b_44d2) },
];

/// Workloads under the other schedulers.
#[rustfmt::skip]
pub const OTHER_SCHEDULERS: [Workload; 10] = [
    other(0, SchedulerChoice::Fair, "small-fair", truth(46406, 46394, 0x0fb4_78e0_7ccc)),
    other(1, SchedulerChoice::Fair, "small-locality-fair", truth(46370, 46384, 0xf471_5c45_fa82)),
    other(2, SchedulerChoice::Fair, "medium-fair", truth(54174, 54964, 0xb84e_5228_4671)),
    other(3, SchedulerChoice::Fair, "medium-locality-fair", truth(54418, 54929, 0x3e35_5b21_ef1b)),
    other(0, SchedulerChoice::Fifo, "small-fifo", truth(79930, 80579, 0xd5fd_8112_0530)),
    other(1, SchedulerChoice::Fifo, "small-locality-fifo", truth(79930, 80579, 0xd5fd_8112_0530)),
    other(2, SchedulerChoice::Fifo, "medium-fifo", truth(93751, 93833, 0x9bf4_ca5a_4338)),
    other(3, SchedulerChoice::Fifo, "medium-locality-fifo", truth(93751, 93833, 0x9bf4_ca5a_4338)),
    other(4, SchedulerChoice::Fair, "large-fair", truth(144_582, 131_226, 0xc38d_665d_8961)),
    other(4, SchedulerChoice::Fifo, "large-fifo", truth(241_312, 243_485, 0xcdf0_5efc_8247)),
];

const fn other(like: usize, scheduler: SchedulerChoice, name: &'static str, truth: Option<Counts>) -> Workload {
    Workload { scheduler, name, truth, ..WORKLOADS[like] }
}

/// The numbers of other queues that get nothing, beside 1 000 nodes and 50 applications in 10 queues.
pub const IDLE_QUEUES: [usize; 3] = [0, 90, 990];
/// The numbers of other applications that get nothing, beside 1 000 nodes and 10 applications in 10 queues.
pub const IDLE_APPS: [usize; 4] = [0, 90, 990, 9_990];

/// Returns a workload for the tables over queues and applications that request nothing, or are held at a limit.
pub const fn with_idle(name: &'static str, apps: usize, idle: (usize, usize), held: IdleCause) -> Workload {
    Workload {
        scheduler: SchedulerChoice::Capacity,
        name,
        nodes: 1000,
        queues: 10,
        apps,
        idle,
        held,
        locality: false,
        warm_up: 6,
        rounds: 6,
        truth: None,
    }
}

/// The measurements of a run.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The counts of the measured rounds.
    pub counts: Counts,
    pub heartbeats: u64,
    /// The time of the measured rounds.
    pub time: Time,
    /// The part of that time spent in heartbeats.
    pub heartbeat_time: f64,
    /// The median seconds of wall time for [`CHUNK`] heartbeats, which other load on the machine hardly affects.
    pub median: f64,
}

/// The number of heartbeats that are timed together.
pub const CHUNK: usize = 100;

/// Two clocks, in seconds. Reading the processor's clock takes long, so short pieces are timed with the other one.
pub struct Clock<'a> {
    pub wall: &'a dyn Fn() -> f64,
    /// The processor time of this thread; the wall clock if that cannot be read.
    pub cpu: &'a dyn Fn() -> f64,
}

impl Clock<'_> {
    /// A clock that stands still.
    pub const STILL: Clock<'static> = Clock { wall: &|| 0.0, cpu: &|| 0.0 };

    /// Measures how long something takes; the wall time excludes reading the other clock.
    pub fn time<T>(&self, what: impl FnOnce() -> T) -> (Time, T) {
        let cpu = (self.cpu)();
        let wall = (self.wall)();
        let out = what();
        let wall = (self.wall)() - wall;
        (Time { wall, cpu: (self.cpu)() - cpu }, out)
    }
}

/// The readings of both clocks, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Time {
    pub wall: f64,
    pub cpu: f64,
}

impl Measured {
    /// Returns a row of the table in docs/performance.md.
    pub fn row(&self, workload: &Workload) -> String {
        let per = |n: u64, seconds: f64| if seconds > 0.0 { n as f64 / seconds } else { 0.0 };
        let agrees = match workload.truth {
            Some(truth) if truth == self.counts => "as Hadoop",
            Some(_) => "DIFFERS from Hadoop",
            None => "no figures of Hadoop",
        };
        format!(
            "| {} | {:.0} | {:.0} | {:.0} | {:.0} | {:.0} | {} | {} | {:x} | {agrees} |",
            workload.name,
            per(self.heartbeats, self.time.wall),
            per(self.counts.allocated, self.time.wall),
            per(self.heartbeats, self.heartbeat_time),
            per(CHUNK as u64, self.median),
            per(self.heartbeats, self.time.cpu),
            self.counts.allocated,
            self.counts.completed,
            self.counts.checksum,
        )
    }
}

/// The head of the table that [`Measured::row`] fills.
pub const HEAD: &str = "\
| workload | heartbeats/s | allocations/s | heartbeats alone/s | the same, median of 100 | heartbeats/CPU s | allocated | completed | checksum | |
|---|---|---|---|---|---|---|---|---|---|";

/// Returns one step of a random generator from a mixed start; 31 bits.
fn draw(app: usize, k: usize) -> usize {
    const A: u64 = 6_364_136_223_846_793_005;
    const C: u64 = 1_442_695_040_888_963_407;
    let x = (app as u64).wrapping_mul(1_000_003).wrapping_add(k as u64).wrapping_mul(A).wrapping_add(C);
    ((x ^ (x >> 29)).wrapping_mul(A).wrapping_add(C) >> 33) as usize
}

fn host(node: usize) -> String {
    format!("n{node}")
}

fn rack(node: usize) -> String {
    format!("/r{}", node / RACK)
}

#[derive(Clone, Default)]
struct LoadApp {
    asks: usize,
    pending: i64,
    got: usize,
    places: Vec<String>,
}

#[derive(Clone, Default)]
struct LoadNode {
    launched: Vec<ContainerId>,
    due: [Vec<(ContainerId, i32)>; LIVES],
}

/// A workload being played.
pub struct Load<R> {
    workload: Workload,
    /// The ResourceManager under test.
    pub rm: ResourceManager,
    recorder: R,
    /// The number of the first application that is counted.
    first: usize,
    apps: Vec<LoadApp>,
    nodes: Vec<LoadNode>,
    round: usize,
    chunks: Vec<f64>,
    counting: bool,
    counts: Counts,
}

impl<R: Recorder> Load<R> {
    /// Sets up cluster and applications. Errors: the ResourceManager refuses something.
    pub fn new(workload: Workload, mut recorder: R) -> Result<Self, String> {
        let settings = settings(&workload);
        let capacity_scheduler = settings.capacity_scheduler.clone();
        let mut rm = ResourceManager::new(settings).map_err(|e| e.message)?;
        // The measured scheduler has read its settings twice, which puts its queues into the order of a Java map.
        if workload.scheduler == SchedulerChoice::Capacity {
            rm.refresh(capacity_scheduler, &mut recorder).map_err(|e| e.message)?;
        }
        for i in 0..workload.nodes {
            let spec =
                NodeSpec { host: host(i), port: 1, rack: rack(i), total: Resource::new(128 * 1024, 32), label: None };
            rm.add_node(spec, &mut recorder).map_err(|e| e.message)?;
        }
        let mut enter = |queue: usize, user: &str| {
            let submission = Submission {
                name: format!("a{}", rm.apps().len()),
                queue: format!("root.q{queue}"),
                user: user.into(),
                max_attempts: Some(1),
                am: None,
                ..Submission::default()
            };
            let app = rm.submit(submission, &mut recorder).map_err(|e| e.message)?;
            if let Some(a) = rm.app(app).filter(|a| a.rejected().is_some()) {
                return Err(a.diagnostics.clone());
            }
            rm.register(app, &mut recorder).map_err(|e| e.message)?;
            if user == HELD || queue >= workload.queues {
                let asks = vec![row("*".into(), Resource::new(1024, 1), 1000)];
                let call = AllocateCall { asks, ..AllocateCall::default() };
                rm.allocate(app, call, &mut recorder).map_err(|e| e.message)?;
            }
            Ok(())
        };
        // Blocked applications come first, so that each attempt meets them.
        let first = if workload.held != IdleCause::Nothing { workload.idle.1 } else { 0 };
        for i in 0..first {
            enter(i % workload.queues, HELD)?;
        }
        for i in 0..workload.apps + workload.idle.1 - first {
            enter(i % workload.queues, "u")?;
        }
        for i in 0..if workload.held != IdleCause::Nothing { workload.idle.0 } else { 0 } {
            enter(workload.queues + i, "u")?;
        }
        rm.take_events();
        Ok(Load {
            first,
            apps: vec![LoadApp::default(); workload.apps],
            nodes: vec![LoadNode::default(); workload.nodes],
            workload,
            rm,
            recorder,
            round: 0,
            chunks: Vec::new(),
            counting: false,
            counts: Counts::default(),
        })
    }

    /// Runs the warm-up and the measured rounds. Errors: a call is refused.
    pub fn measure(&mut self, clock: &Clock<'_>) -> Result<Measured, String> {
        self.rounds(self.workload.warm_up, clock)?;
        self.counting = true;
        self.chunks.clear();
        let (time, heartbeat_time) = clock.time(|| self.rounds(self.workload.rounds, clock));
        let heartbeat_time = heartbeat_time?;
        let heartbeats = (self.workload.nodes * self.workload.rounds) as u64;
        self.chunks.sort_by(f64::total_cmp);
        let median = self.chunks.get(self.chunks.len() / 2).copied().unwrap_or(0.0);
        Ok(Measured { counts: self.counts, heartbeats, time, heartbeat_time, median })
    }

    /// Runs `n` rounds. Returns the seconds that the heartbeats took.
    fn rounds(&mut self, n: usize, clock: &Clock<'_>) -> Result<f64, String> {
        let mut sum = 0.0;
        for _ in 0..n {
            for i in 0..self.apps.len() {
                self.allocate(i)?;
            }
            self.rm.update();
            for first in (0..self.nodes.len()).step_by(CHUNK) {
                let start = (clock.wall)();
                for i in first..self.nodes.len().min(first + CHUNK) {
                    self.heartbeat(i);
                }
                let took = (clock.wall)() - start;
                self.chunks.push(took);
                sum += took;
            }
            self.round += 1;
        }
        Ok(sum)
    }

    /// Takes an application's allocated containers, and makes new requests once all earlier ones are satisfied.
    fn allocate(&mut self, i: usize) -> Result<(), String> {
        let mut call = AllocateCall::default();
        if self.apps[i].pending == 0 {
            call.asks = self.ask(i);
        }
        let response =
            self.rm.allocate(AppId::from(self.first + i), call, &mut self.recorder).map_err(|e| e.message)?;
        for c in response.allocated {
            let app = &mut self.apps[i];
            let life = 2 + draw(i, 500_000 + app.got) % 8;
            app.got += 1;
            app.pending -= 1;
            let node = &mut self.nodes[c.node.index()];
            node.launched.push(c.id);
            node.due[(self.round + life) % LIVES].push((c.id, 0));
        }
        Ok(())
    }

    fn ask(&mut self, i: usize) -> Vec<AskRow> {
        let w = self.workload;
        let app = &mut self.apps[i];
        let base = 8 * app.asks;
        app.asks += 1;
        let size = Resource::new(1024 * (1 + draw(i, base) as i64 % 4), 1);
        let share = (w.nodes * 40 / w.apps).max(4);
        let count = (share / 2 + draw(i, base + 1) % share) as i64;
        app.pending = count;
        let row = |place: String, count: i64| row(place, size, count);
        let mut rows = Vec::new();
        if w.locality {
            let (mut hosts, mut racks) = (Vec::new(), Vec::new());
            for k in 0..3 {
                let n = draw(i, base + 2 + k) % w.nodes;
                if !hosts.contains(&host(n)) {
                    hosts.push(host(n));
                }
                if !racks.contains(&rack(n)) {
                    racks.push(rack(n));
                }
            }
            rows.extend(hosts.iter().map(|h| row(h.clone(), (count + 2) / 3)));
            rows.extend(racks.iter().map(|r| row(r.clone(), count)));
            hosts.extend(racks);
            // Withdraws the rest of the former request, as a real AM does.
            rows.extend(app.places.iter().filter(|p| !hosts.contains(p)).map(|p| row(p.clone(), 0)));
            app.places = hosts;
        }
        rows.push(row("*".into(), count));
        rows
    }

    fn heartbeat(&mut self, i: usize) {
        let node = &mut self.nodes[i];
        // The same capacity will be needed again.
        let completed = emptied(&mut node.due[self.round % LIVES]);
        if self.counting {
            self.counts.completed += completed.len() as u64;
        }
        let report = NodeReport { running: emptied(&mut node.launched), completed, ..NodeReport::default() };
        let id = NodeId::from(i);
        self.rm.heartbeat(id, report, &mut self.recorder);
        if self.counting {
            self.count(id);
        }
        self.rm.take_events();
    }

    /// Counts the containers that this heartbeat allocated: the node's last ones, which no ApplicationMaster has acquired
    /// yet.
    fn count(&mut self, id: NodeId) {
        let Some(node) = self.rm.node(id) else { return };
        let containers = &self.rm.cluster().containers;
        let new = |slot| containers.at(slot).state == ContainerState::Allocated;
        let first = node.containers.iter().rposition(|s| !new(*s)).map_or(0, |i| i + 1);
        for slot in &node.containers[first..] {
            let app = u64::from(containers.at(*slot).id.app.0);
            self.counts.allocated += 1;
            let sum = self.counts.checksum * 31 + id.index() as u64 * 100_003 + app;
            self.counts.checksum = sum & 0xFFFF_FFFF_FFFF;
        }
    }
}

/// Takes the contents of a list and keeps its capacity, which will be needed again.
fn emptied<T>(list: &mut Vec<T>) -> Vec<T> {
    let room = Vec::with_capacity(list.capacity());
    std::mem::replace(list, room)
}

fn row(place: String, size: Resource, count: i64) -> AskRow {
    AskRow { priority: 1, place, size, count, relax: true, label: None, allocation_request_id: -1 }
}

fn settings(w: &Workload) -> RmSettings {
    let pairs = |list: &[(&str, &str)]| -> Properties {
        list.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    };
    let mut capacity = pairs(&[
        ("yarn.scheduler.capacity.maximum-am-resource-percent", "1.0"),
        ("yarn.scheduler.capacity.node-locality-delay", "40"),
        ("yarn.scheduler.capacity.per-node-heartbeat.maximum-offswitch-assignments", "100"),
        ("yarn.scheduler.capacity.schedule-asynchronously.enable", "false"),
    ]);
    let names: Vec<String> = (0..w.queues + w.idle.0).map(|q| format!("q{q}")).collect();
    let rest = if w.held != IdleCause::Nothing { ",rest" } else { "" };
    capacity.insert("yarn.scheduler.capacity.root.queues".into(), names.join(",") + rest);
    if w.held != IdleCause::Nothing {
        let left = 50.0 - w.idle.0 as f64 / 1_280.0;
        capacity.insert("yarn.scheduler.capacity.root.rest.capacity".into(), format!("{left:?}"));
    }
    for (place, name) in names.into_iter().enumerate() {
        let mut set = |key: &str, value: String| {
            capacity.insert(format!("yarn.scheduler.capacity.root.{name}.{key}"), value);
        };
        // Blocked queues have a guarantee of one container (of 1 GiB in 1 000 nodes), and may not exceed it, or their user
        // may not. They come first: they use their guarantee once or twice, while the others use twice theirs.
        let one = 1.0 / 128_000.0 * 100.0;
        let (share, maximum, factor) = match (w.held, place < w.queues) {
            (IdleCause::Nothing, true) => (100.0 / w.queues as f64, 100.0, "1000"),
            (IdleCause::Nothing, false) => (0.0, 100.0, "1000"),
            (_, true) => (50.0 / w.queues as f64, 100.0, "1000"),
            (IdleCause::Limit, false) => (one, one, "1000"),
            (IdleCause::User, false) => (one, 100.0, "1"),
        };
        set("capacity", format!("{share:?}"));
        set("maximum-capacity", format!("{maximum:?}"));
        set("user-limit-factor", factor.into());
        set("maximum-applications", "10000".into());
    }
    capacity.insert(format!("yarn.scheduler.capacity.root.user-settings.{HELD}.weight"), "0.1".into());
    let queues: String = (0..w.queues).map(|q| format!("<queue name=\"q{q}\"/>")).collect();
    RmSettings {
        scheduler: w.scheduler,
        yarn_site: pairs(&[
            ("yarn.scheduler.minimum-allocation-mb", "1024"),
            ("yarn.scheduler.maximum-allocation-mb", "8192"),
            ("yarn.scheduler.fair.assignmultiple", "true"),
            ("yarn.scheduler.fair.dynamic.max.assign", "false"),
            ("yarn.scheduler.fair.max.assign", "100"),
        ]),
        capacity_scheduler: capacity,
        fair_allocations: Some(format!("<allocations>{queues}</allocations>")),
        ..RmSettings::default()
    }
}
