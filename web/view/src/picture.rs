//! The picture at a moment, the scrubber, the events and the charts.

use super::{HostRequestView, Selection};
use serde::{Deserialize, Serialize};

/// The scheduler that the ResourceManager runs (`yarn.resourcemanager.scheduler.class`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SchedulerChoice {
    /// CapacityScheduler.
    #[default]
    Capacity,
    /// FairScheduler.
    Fair,
    /// FifoScheduler.
    Fifo,
}

impl SchedulerChoice {
    /// All schedulers.
    pub const ALL: [SchedulerChoice; 3] = [SchedulerChoice::Capacity, SchedulerChoice::Fair, SchedulerChoice::Fifo];

    /// Returns the scheduler with this name in a scenario.
    pub fn of_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.text() == text)
    }

    /// Returns the scheduler of a YARN class, with or without its package.
    pub fn of_class(class: &str) -> Option<Self> {
        let name = class.rsplit('.').next().unwrap_or(class);
        Self::ALL.into_iter().find(|one| one.class() == name)
    }

    /// Returns the name in a scenario.
    pub fn text(self) -> &'static str {
        match self {
            SchedulerChoice::Capacity => "capacity",
            SchedulerChoice::Fair => "fair",
            SchedulerChoice::Fifo => "fifo",
        }
    }

    /// Returns the name of YARN's class, without its package.
    pub fn class(self) -> &'static str {
        match self {
            SchedulerChoice::Capacity => "CapacityScheduler",
            SchedulerChoice::Fair => "FairScheduler",
            SchedulerChoice::Fifo => "FifoScheduler",
        }
    }
}

/// An amount of every resource type.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Amount {
    /// MiB.
    pub memory_mb: i64,
    pub vcores: i64,
    /// The further types whose amounts are not 0.
    pub more: Vec<(String, i64)>,
}

impl Amount {
    /// Returns the amount of a resource type: 0 is memory in MiB, 1 is vcores, then the further types in the order of
    /// `total`.
    pub fn of(&self, place: usize, total: &Amount) -> i64 {
        match place {
            0 => self.memory_mb,
            1 => self.vcores,
            _ => {
                let name = total.more.get(place - 2).map(|(name, _)| name);
                self.more.iter().find(|(n, _)| Some(n) == name).map_or(0, |(_, amount)| *amount)
            }
        }
    }

    /// Returns the resource type that is the largest share of `total`; memory if the amount is zero.
    pub fn dominant(&self, total: &Amount) -> usize {
        let share = |place: &usize| self.of(*place, total) as f64 / total.of(*place, total).max(1) as f64;
        let places = (0..2 + total.more.len()).filter(|p| total.of(*p, total) > 0);
        places.max_by(|a, b| share(a).total_cmp(&share(b)).then(b.cmp(a))).unwrap_or(0)
    }
}

/// An outcome, as the page marks it (each with a shape and a verb).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventOutcome {
    /// A container was placed. ●
    Placed,
    /// A node was reserved. ◇
    Reserved,
    /// A request waits, or was skipped. Dashed ○
    Waiting,
    /// A request was refused permanently. ✕
    Rejected,
    /// A container is marked for preemption. ▼
    Preempting,
    /// A node or a container was lost. Struck ○
    Lost,
    /// A node joined, an application was submitted, or settings changed. +
    Joined,
    /// Something finished normally. Not emphasised.
    Finished,
}

/// Everything the page draws at one moment.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Snapshot {
    pub time_ms: i64,
    /// The end of the run (from `until`, or when nothing more can happen).
    pub end_ms: i64,
    /// The reason if a limit stopped the run.
    pub cut_off: Option<String>,
    /// One sentence: about the longest-waiting request, else the latest surprise, else what was refused, else "All n
    /// requests placed in 12 s."
    pub headline: String,
    /// The headline's subject, which is selected if nothing else is.
    pub headline_about: Option<Selection>,
    /// The numbers of running, waiting, reserved and preempting containers.
    pub tally: Tally,
    /// Racks in the order of first registration.
    pub racks: Vec<RackView>,
    /// The waiting requests: broken promises first, then queues below their share, then the others; within each group the
    /// longest wait first.
    pub waiting: Vec<WaitingView>,
    /// The number of waiting requests that are not listed.
    pub unlisted: usize,
    /// Current refusals, oldest first.
    pub refused: Vec<RefusedView>,
    /// The queue tree in preorder.
    pub queues: Vec<QueueView>,
    /// Applications in the order of submission.
    pub apps: Vec<AppView>,
    /// Users with any usage, per leaf queue.
    pub users: Vec<UserView>,
    /// Partitions, the default one first with the name "".
    pub partitions: Vec<PartitionView>,
    /// The scheduler that runs.
    pub scheduler: SchedulerChoice,
    /// Whether the scheduler counts every resource type (DominantResourceCalculator), or memory only.
    pub dominant: bool,
    /// The 64-bit fingerprint of all decisions so far, as 16 hex digits.
    pub fingerprint: String,
    /// The invariants that are checked during the run.
    pub invariants: Invariants,
}

impl Snapshot {
    /// Limits the listed waiting requests, apart from the selected one; the others are counted.
    pub fn list_at_most(&mut self, requests: usize, looked_at: Option<&Selection>) {
        let others = self.waiting.split_off(self.waiting.len().min(requests));
        let (looked_at, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|w| Some(&w.id) == looked_at);
        self.waiting.extend(looked_at);
        self.unlisted += others.len();
    }
}

/// The result of the invariants: no overcommit, nothing lost, sums agree.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Invariants {
    /// The number of invariants that are checked: after every event of a small run, less often in a large one.
    pub watched: usize,
    /// The violated invariant, in words; the run stops there.
    pub broken: Option<String>,
}

/// The counts beside the headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Live containers, including AMs.
    pub running: usize,
    /// Containers that are wanted but not allocated, whether requested from YARN or not.
    pub waiting: usize,
    /// Reservations.
    pub reserved: usize,
    /// Containers that are marked for preemption or killable.
    pub preempting: usize,
    /// Refused applications, calls, nodes and settings.
    pub refused: usize,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct RackView {
    /// The name, such as `/r1`.
    pub name: String,
    /// The nodes, in the order of first registration.
    pub nodes: Vec<NodeView>,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NodeView {
    pub name: String,
    pub rack: String,
    /// The partition; "" for the default one.
    pub label: String,
    /// `name=value`, sorted.
    pub attributes: Vec<String>,
    /// YARN's state: RUNNING, LOST, DECOMMISSIONING, UNHEALTHY, …
    pub state: String,
    pub total: Amount,
    /// The usage of its containers.
    pub used: Amount,
    /// The free resources; negative on a node that was shrunk.
    pub free: Amount,
    /// The containers, by application, then number, AMs last.
    pub containers: Vec<ContainerView>,
    /// The reservation on the node.
    pub reserved: Option<ReservationView>,
    /// The allocation tags with their counts, sorted by tag.
    pub tags: Vec<(String, i64)>,
    /// While a waiting request is selected: the first check that fails here, in three words, and the clause's number.
    pub reason: Option<NodeReason>,
    /// A recent preemption on the node: the former owner of the resources, and who got them since.
    pub freed: String,
    /// Slider's requests for this host, whether relaxed yet or not.
    pub wished: Vec<HostRequestView>,
}

/// The reason why the selected request is not placed on a node.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NodeReason {
    /// The text: "runs zk-1".
    pub text: String,
    /// The number of the refusing clause, if a clause refuses.
    pub clause: Option<usize>,
    /// The clauses each of which alone blocks the node: without it, the request could be placed here.
    pub alone: Vec<usize>,
    /// The containers that are the cause.
    pub culprits: Vec<Selection>,
    /// Whether this is the only check that fails here (a near miss).
    pub near: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContainerView {
    pub id: Selection,
    /// The name: `zk-2`, `zk AM`.
    pub name: String,
    pub app: String,
    pub queue: String,
    pub user: String,
    /// The allocated resources.
    pub size: Amount,
    /// Whether it is the ApplicationMaster's.
    pub am: bool,
    pub tags: Vec<String>,
    /// The partition that it was requested for, "" for the default one. If it differs from the node's, the resources are
    /// borrowed.
    pub partition: String,
    /// The state in the ResourceManager: ALLOCATED, ACQUIRED, RUNNING.
    pub state: String,
    /// YARN's id.
    pub yarn_id: String,
    /// The time of its allocation.
    pub since_ms: i64,
    /// The milliseconds until a container marked for preemption is killed, if a round still chooses it.
    pub preempting_ms: Option<i64>,
    /// The milliseconds from the mark to the kill.
    pub grace_ms: i64,
    /// Whether others may take its resources at any moment (lazy preemption).
    pub killable: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReservationView {
    pub app: String,
    /// The requested size.
    pub size: Amount,
    /// The request that it belongs to.
    pub request: Selection,
    /// The time of the reservation.
    pub since_ms: i64,
}

/// A container that is wanted but not allocated, whether requested from YARN or not: a ghost at the left edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitingView {
    /// The request; the application if YARN has no request.
    pub id: Selection,
    /// The name: `zk-3`, `etl`.
    pub name: String,
    pub app: String,
    /// The number of identical containers.
    pub count: i64,
    /// The size of each.
    pub size: Amount,
    /// "*", or the requested hosts and racks.
    pub wants: String,
    /// The requested partition.
    pub label: String,
    /// The start of the wait; repeating the request does not reset it.
    pub since_ms: i64,
    /// Three words: "no node fits", "queue at its max".
    pub reason: String,
    /// The reason why it can never be placed on this cluster, if so.
    pub never: Option<String>,
    /// Whether a node has room for it, and only its own conditions keep it away: a constraint, places, a blacklist.
    pub own: bool,
}

/// A refusal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefusedView {
    /// The refused thing.
    pub id: Selection,
    pub name: String,
    /// The kind: "refused", "call refused".
    pub what: String,
    pub since_ms: i64,
    /// The reason in a few words: "AM too large".
    pub short: String,
    /// The reason as a sentence; `**bold**` marks names.
    pub text: String,
}

/// One queue in one row.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct QueueView {
    /// The full path.
    pub path: String,
    /// The last part of the path.
    pub name: String,
    /// The depth in the tree; root has 0.
    pub depth: usize,
    pub leaf: bool,
    /// The state: RUNNING, DRAINING, STOPPED.
    pub state: String,
    /// Whether it was auto-created.
    pub dynamic: bool,
    /// The ordering policy of a leaf, or of a parent's children.
    pub ordering: String,
    /// The figures of each partition that the queue can access or uses.
    pub partitions: Vec<QueuePartitionView>,
    /// Active applications.
    pub active: usize,
    /// Applications waiting for activation.
    pub pending: usize,
    /// Applications waiting for a parallel-application limit.
    pub non_runnable: usize,
    /// Containers preempted so far, including AMs.
    pub preempted: u64,
}

/// The figures of a queue in one partition.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct QueuePartitionView {
    /// The partition; "" for the default one.
    pub partition: String,
    /// The effective minimum.
    pub guaranteed: Amount,
    /// The effective maximum.
    pub maximum: Amount,
    /// The usage, including reservations, as the scheduler counts.
    pub used: Amount,
    pub reserved: Amount,
    /// Requested but not allocated.
    pub pending: Amount,
    /// The limit for ApplicationMasters (leaves).
    pub am_limit: Amount,
    /// The usage of ApplicationMasters (leaves).
    pub am_used: Amount,
    /// Absolute capacity, maximum and usage, as fractions of the partition.
    pub absolute: (f32, f32, f32),
    /// The usage of each application, in the order of submission, for the segments of the bar.
    pub by_app: Vec<(String, Amount)>,
}

/// One user in one leaf queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserView {
    pub user: String,
    pub queue: String,
    pub partition: String,
    pub used: Amount,
    /// The user limit as last computed; zero if the scheduler has none.
    pub limit: Amount,
    /// The usage of ApplicationMasters.
    pub am_used: Amount,
    /// The limit for ApplicationMasters; zero if the scheduler has none.
    pub am_limit: Amount,
    /// Numbers of active and pending applications.
    pub apps: (usize, usize),
    /// Under the FairScheduler: the maximum number of the user's running applications, over all queues.
    pub most_apps: Option<i64>,
    pub weight: f32,
    /// Whether it counts as active (has outstanding requests).
    pub active: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppView {
    /// The name in the scenario.
    pub name: String,
    /// YARN's application id.
    pub yarn_id: String,
    /// The leaf queue; "" before the application is placed.
    pub queue: String,
    pub user: String,
    pub priority: i32,
    /// The state and sub-state: "ACCEPTED: added, not activated", "RUNNING".
    pub state: String,
    /// The time of submission.
    pub submitted_ms: i64,
    /// Live containers, without the AM.
    pub placed: i64,
    /// Containers requested so far, without the AM.
    pub asked: i64,
    /// Finished containers, without the AM.
    pub done: i64,
    pub rejected: i64,
    /// The progress in a few words: "from 0:20", "3 of 80", "80 done", "refused".
    pub progress: String,
    /// The selections of its waiting requests; empty if it does not wait.
    pub waiting: Vec<Selection>,
    /// The usage.
    pub used: Amount,
    /// The headroom last sent to its AM.
    pub headroom: Amount,
    /// YARN's diagnostics while its AM waits, verbatim.
    pub yarn: String,
    /// Its preemption cost.
    pub toll: PreemptionCostView,
    /// The state of its processes.
    pub processes: ProcessesView,
    /// The number of its colour, from 0, by first appearance in the scenario.
    pub category: usize,
    /// Whether it has tables of its own, which [`crate::protocol::ShownTables::Service`] shows.
    pub service: bool,
}

/// The progress of processes that restore state from elsewhere; zeros if they have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProcessesView {
    /// Containers that have restored their state.
    pub processing: i64,
    /// Containers that are restoring their state.
    pub restoring: i64,
    /// MB read while restoring, over all starts.
    pub restored_mb: i64,
}

/// The preemption cost of an application so far. Work is size times time, in MB·s and vcore·s.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PreemptionCostView {
    /// Killed containers, without AMs.
    pub killed: i64,
    /// Killed AMs.
    pub masters: i64,
    /// Containers that its AM ended because preemption asked for them.
    pub given_back: i64,
    /// Lost work.
    pub lost: Amount,
    /// Work of returned containers that was saved.
    pub saved: Amount,
    /// Tasks that were restarted from the beginning, for whatever reason.
    pub begun_again: i64,
    /// Tasks that were resumed from saved progress.
    pub resumed: i64,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct PartitionView {
    /// The name; "" for the default one.
    pub name: String,
    pub exclusive: bool,
    /// The total resources of its nodes.
    pub total: Amount,
    pub used: Amount,
}

/// A row of the events table; equal neighbours are folded and counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventView {
    /// The time of the first event.
    pub time_ms: i64,
    /// The time of the last event, if folded.
    pub last_ms: i64,
    /// The shape.
    pub fate: EventOutcome,
    /// The verb: "placed", "skipped".
    pub verb: String,
    pub who: Option<Selection>,
    pub name: String,
    pub node: String,
    /// The reason, in words with the figures.
    pub why: String,
    /// YARN's words.
    pub yarn: String,
    /// The remedy for a refusal.
    pub mend: String,
    /// The number of folded events.
    pub times: u64,
}

/// A mark on the scrubber.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    pub time_ms: i64,
    /// The shape.
    pub fate: EventOutcome,
    /// The text shown on focus.
    pub text: String,
    pub about: Option<Selection>,
}

/// The scrubber: marks of rare events, and a histogram of placements.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Timeline {
    /// The end of the axis.
    pub end_ms: i64,
    /// The time up to which the run is known.
    pub known_ms: i64,
    /// The marks, in order of time.
    pub marks: Vec<Mark>,
    /// The number of placements in each of equal intervals from 0 to `end_ms`.
    pub placements: Vec<u32>,
}

/// A line of a chart: one resource of a queue in a partition.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Series {
    /// The queue's path.
    pub name: String,
    pub partition: String,
    /// The resource: "" is memory in MiB, else vcores or a further type. Only resources that the scheduler considers have a
    /// line.
    pub resource: String,
    /// One point per change.
    pub points: Vec<SeriesPoint>,
}

/// A point of a [`Series`], in its resource's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SeriesPoint {
    pub time_ms: i64,
    pub used: i64,
    pub guaranteed: i64,
    /// The share of a FairScheduler queue if all queues had running applications; 0 under other schedulers.
    pub steady: i64,
    /// The maximum.
    pub maximum: i64,
    /// Requested but not allocated.
    pub pending: i64,
    /// The part of the usage that is only reserved.
    pub reserved: i64,
}

/// The length of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepBy {
    /// One decision: the next journal entry that people would consider one.
    Decision,
    /// One node heartbeat.
    #[default]
    Heartbeat,
    /// One second of simulated time.
    Second,
    /// Until something changes: placed, reserved, rejected, ended, joined, lost.
    Change,
    /// Until a round of preemption differs from the previous one.
    Round,
}
