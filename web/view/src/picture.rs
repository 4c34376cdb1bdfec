//! The picture at a moment, the scrubber, the events and the charts.

use super::{Selection, WishView};
use serde::{Deserialize, Serialize};

/// Which scheduler the ResourceManager runs (`yarn.resourcemanager.scheduler.class`).
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
    /// All schedulers that there are.
    pub const ALL: [SchedulerChoice; 3] = [SchedulerChoice::Capacity, SchedulerChoice::Fair, SchedulerChoice::Fifo];

    /// The scheduler of a name as a scenario writes it.
    pub fn of_text(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.text() == text)
    }

    /// The scheduler of YARN's class, with or without its package.
    pub fn of_class(class: &str) -> Option<Self> {
        let name = class.rsplit('.').next().unwrap_or(class);
        Self::ALL.into_iter().find(|one| one.class() == name)
    }

    /// Its name as a scenario writes it.
    pub fn text(self) -> &'static str {
        match self {
            SchedulerChoice::Capacity => "capacity",
            SchedulerChoice::Fair => "fair",
            SchedulerChoice::Fifo => "fifo",
        }
    }

    /// The name of YARN's class, without its package.
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
    /// Further types, those that are not 0.
    pub more: Vec<(String, i64)>,
}

impl Amount {
    /// How much of a resource type: 0 is memory in MiB, 1 vcores, then the further types in the order of `total`.
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

    /// The resource type of which it is the largest part of `total`; memory when it is nothing.
    pub fn dominant(&self, total: &Amount) -> usize {
        let share = |place: &usize| self.of(*place, total) as f64 / total.of(*place, total).max(1) as f64;
        let places = (0..2 + total.more.len()).filter(|p| total.of(*p, total) > 0);
        places.max_by(|a, b| share(a).total_cmp(&share(b)).then(b.cmp(a))).unwrap_or(0)
    }
}

/// What happened, as the page marks it (a shape and a verb each).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// A container was placed. ●
    Placed,
    /// A node was reserved. ◇
    Reserved,
    /// Waits, or was passed over. Dashed ○
    Waiting,
    /// Refused for good. ✕
    Rejected,
    /// Told to end. ▼
    Preempting,
    /// Node lost, container lost. Struck ○
    Lost,
    /// A node joined, an application came, settings changed. +
    Joined,
    /// Ended as it should. Quiet.
    Finished,
}

/// Everything the page draws at one moment.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Snapshot {
    pub time_ms: i64,
    /// How far the run goes (what `until` says, or where nothing more can happen).
    pub end_ms: i64,
    /// Has the run been cut off by a limit? Says so in words.
    pub cut_off: Option<String>,
    /// One sentence: the longest-waiting request, else the latest surprise, else what was refused, else "All n requests placed in 12 s."
    pub headline: String,
    /// What the headline is about: selected when nothing else is.
    pub headline_about: Option<Selection>,
    /// How many are running, waiting, reserved, preempting.
    pub tally: Tally,
    /// Racks in the order of first registration.
    pub racks: Vec<RackView>,
    /// What waits: broken promises first, then who is below its share, then the others; of each the longest wait first.
    pub waiting: Vec<WaitingView>,
    /// So many requests wait and are not listed.
    pub unlisted: usize,
    /// What was refused and still is, the first first.
    pub refused: Vec<RefusedView>,
    /// The queue tree in preorder.
    pub queues: Vec<QueueView>,
    /// Applications in the order of submission.
    pub apps: Vec<AppView>,
    /// Users with something, per leaf queue.
    pub users: Vec<UserView>,
    /// Partitions, the default one first with the name "".
    pub partitions: Vec<PartitionView>,
    /// Which scheduler runs.
    pub scheduler: SchedulerChoice,
    /// Does the scheduler count every resource type (DominantResourceCalculator), or memory only?
    pub dominant: bool,
    /// 64-bit fingerprint of everything decided so far, 16 hex digits.
    pub fingerprint: String,
    /// The invariants that are watched while the run goes on.
    pub invariants: Invariants,
}

impl Snapshot {
    /// Lists no more than so many of the requests that wait, and the one that is looked at; the others are counted.
    pub fn list_at_most(&mut self, requests: usize, looked_at: Option<&Selection>) {
        let others = self.waiting.split_off(self.waiting.len().min(requests));
        let (looked_at, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|w| Some(&w.id) == looked_at);
        self.waiting.extend(looked_at);
        self.unlisted += others.len();
    }
}

/// The green light: no overcommit, nothing lost, sums agree.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Invariants {
    /// How many are watched: after every event of a small run, of a large one as often as its size allows.
    pub watched: usize,
    /// The one that broke, in words; the run stops there.
    pub broken: Option<String>,
}

/// Counts beside the headline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Containers alive, AMs included.
    pub running: usize,
    /// Containers wanted and not there, asked of YARN or not.
    pub waiting: usize,
    /// Reservations.
    pub reserved: usize,
    /// Containers asked back or killable.
    pub preempting: usize,
    /// Refused: applications, calls, nodes, settings.
    pub refused: usize,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct RackView {
    /// Its name, such as `/r1`.
    pub name: String,
    /// Its nodes in the order of first registration.
    pub nodes: Vec<NodeView>,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NodeView {
    pub name: String,
    pub rack: String,
    /// Partition, "" for the default one.
    pub label: String,
    /// `name=value`, sorted.
    pub attributes: Vec<String>,
    /// RUNNING, LOST, DECOMMISSIONING, UNHEALTHY, … as YARN calls it.
    pub state: String,
    pub total: Amount,
    /// What its containers hold.
    pub used: Amount,
    /// What is free; below 0 on a node that was shrunk.
    pub free: Amount,
    /// Containers: by application, then number, AMs last.
    pub containers: Vec<ContainerView>,
    /// The reservation on it.
    pub reserved: Option<ReservationView>,
    /// Allocation tags and their counts, sorted by tag.
    pub tags: Vec<(String, i64)>,
    /// While a waiting request is selected: the first check that fails here, in three words, and the clause's number.
    pub reason: Option<NodeReason>,
    /// Where preemption has just freed room here: whose it was, and who came since.
    pub freed: String,
    /// What would like to be here: requests of a Slider for this host, relaxed by now or not.
    pub wished: Vec<WishView>,
}

/// Why the selected request is not placed on a node.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct NodeReason {
    /// "runs zk-1".
    pub text: String,
    /// Number of the clause that refuses, when it is one.
    pub clause: Option<usize>,
    /// The clauses each of which alone keeps it away: lifted, the request could come here.
    pub alone: Vec<usize>,
    /// Containers that are the cause ("culprits").
    pub culprits: Vec<Selection>,
    /// Is this the only check that fails here (a near miss)?
    pub near: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContainerView {
    pub id: Selection,
    /// `zk-2`, `zk AM`.
    pub name: String,
    pub app: String,
    pub queue: String,
    pub user: String,
    /// What it holds.
    pub size: Amount,
    /// Is it the ApplicationMaster's?
    pub am: bool,
    pub tags: Vec<String>,
    /// Partition it was asked for, "" for the default one; another than its node's: the room is borrowed.
    pub partition: String,
    /// State in the ResourceManager: ALLOCATED, ACQUIRED, RUNNING.
    pub state: String,
    /// YARN's id of it.
    pub yarn_id: String,
    /// Since when it is there.
    pub since_ms: i64,
    /// Asked back: milliseconds until it is killed, if a round chooses it still.
    pub preempting_ms: Option<i64>,
    /// How many those were when it was asked back.
    pub grace_ms: i64,
    /// May others have its room at any moment (lazy preemption)?
    pub killable: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReservationView {
    pub app: String,
    /// What it wants in the end.
    pub size: Amount,
    /// The request it belongs to.
    pub request: Selection,
    /// Since when.
    pub since_ms: i64,
}

/// Something wanted and not there, asked of YARN or not: a ghost at the left edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitingView {
    /// The request; the application where YARN is not asked for it.
    pub id: Selection,
    /// `zk-3`, `etl`.
    pub name: String,
    pub app: String,
    /// How many alike.
    pub count: i64,
    /// Size of each.
    pub size: Amount,
    /// "*", or the hosts and racks it wants.
    pub wants: String,
    /// Partition it asks for.
    pub label: String,
    /// Since when it is wanted: one that is asked for anew waits on.
    pub since_ms: i64,
    /// Three words: "no node fits", "queue at its max".
    pub reason: String,
    /// Can it never be placed on this cluster? Says why.
    pub never: Option<String>,
}

/// Something that was refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RefusedView {
    /// What it is about.
    pub id: Selection,
    pub name: String,
    /// "refused", "call refused".
    pub what: String,
    pub since_ms: i64,
    /// Why, in a few words: "AM too large".
    pub short: String,
    /// The sentence; `**bold**` marks names.
    pub text: String,
}

/// One queue in one row.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct QueueView {
    /// Full path.
    pub path: String,
    /// Last part of the path.
    pub name: String,
    /// Depth in the tree, root 0.
    pub depth: usize,
    pub leaf: bool,
    /// RUNNING, DRAINING, STOPPED.
    pub state: String,
    /// Made by auto-creation?
    pub dynamic: bool,
    /// Ordering policy of a leaf, or of a parent's children.
    pub ordering: String,
    /// Figures per partition that the queue can access or uses.
    pub partitions: Vec<QueuePartitionView>,
    /// Applications: active, waiting for activation, waiting for a parallel-application limit.
    pub active: usize,
    /// Applications waiting for activation.
    pub pending: usize,
    /// Applications waiting for a parallel-application limit.
    pub non_runnable: usize,
    /// Containers that were preempted so far, with those of AMs.
    pub preempted: u64,
}

/// Figures of a queue in one partition.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct QueuePartitionView {
    /// Partition, "" for the default one.
    pub partition: String,
    /// Effective minimum.
    pub guaranteed: Amount,
    /// Effective maximum.
    pub maximum: Amount,
    /// Used, reservations included (as the scheduler counts).
    pub used: Amount,
    pub reserved: Amount,
    /// Asked for and not there.
    pub pending: Amount,
    /// Limit for ApplicationMasters (leaves).
    pub am_limit: Amount,
    /// Used by ApplicationMasters (leaves).
    pub am_used: Amount,
    /// Absolute capacity, maximum and used, as fractions of the partition.
    pub absolute: (f32, f32, f32),
    /// Used by each application, in the order of submission, for the fills of the bar.
    pub by_app: Vec<(String, Amount)>,
}

/// One user in one leaf queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UserView {
    pub user: String,
    pub queue: String,
    pub partition: String,
    pub used: Amount,
    /// User limit as last worked out; zero where the scheduler has none.
    pub limit: Amount,
    /// Used by ApplicationMasters.
    pub am_used: Amount,
    /// Limit for ApplicationMasters; zero where the scheduler has none.
    pub am_limit: Amount,
    /// Applications active and pending.
    pub apps: (usize, usize),
    /// Under the FairScheduler: how many of the user's applications may run at a time, in all queues.
    pub most_apps: Option<i64>,
    pub weight: f32,
    /// Does it count as active (has outstanding requests)?
    pub active: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppView {
    /// Its name in the scenario.
    pub name: String,
    /// YARN's application id.
    pub yarn_id: String,
    /// Leaf queue, "" before it is placed.
    pub queue: String,
    pub user: String,
    pub priority: i32,
    /// State and sub-state: "ACCEPTED: added, not activated", "RUNNING".
    pub state: String,
    /// When it was submitted.
    pub submitted_ms: i64,
    /// Containers that are there, without the AM.
    pub placed: i64,
    /// Containers asked for in all so far, without the AM.
    pub asked: i64,
    /// Finished containers, without the AM.
    pub done: i64,
    pub rejected: i64,
    /// How far it is, in a few words: "from 0:20", "3 of 80", "80 done", "refused".
    pub progress: String,
    /// Does it wait for something? Selections of its waiting requests.
    pub waiting: Vec<Selection>,
    /// What it holds.
    pub used: Amount,
    /// What its AM was last told that it may still get.
    pub headroom: Amount,
    /// YARN's diagnostics line while its AM waits, word for word.
    pub yarn: String,
    /// What preemption has cost it.
    pub toll: TollView,
    /// How far its processes are with their state.
    pub processes: ProcessesView,
    /// Number of its colour, from 0, by first appearance in the scenario.
    pub category: usize,
    /// Has it books of its own, which [`crate::protocol::Books::Service`] shows?
    pub service: bool,
}

/// How far the processes of an application are with the state that they restore from elsewhere; zeros where they keep none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProcessesView {
    /// Containers whose state is there.
    pub processing: i64,
    /// Containers that restore theirs.
    pub restoring: i64,
    /// MB that were read at starts, all together.
    pub restored_mb: i64,
}

/// What preemption has cost an application so far. Work is size times time, in MB·s and vcore·s.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TollView {
    /// Containers that were killed, without AMs.
    pub killed: i64,
    /// AMs that were killed.
    pub masters: i64,
    /// Containers that its AM ended, since room was asked back.
    pub given_back: i64,
    /// Work that was lost.
    pub lost: Amount,
    /// Work of what was given back that is kept.
    pub saved: Amount,
    /// Tasks that were begun once more from their start, whatever had ended them.
    pub begun_again: i64,
    /// Tasks that were begun once more from where they had come to.
    pub resumed: i64,
}

#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct PartitionView {
    /// Name, "" for the default one.
    pub name: String,
    pub exclusive: bool,
    /// Total of its nodes.
    pub total: Amount,
    pub used: Amount,
}

/// One row of the events table; equal neighbours are folded and counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventView {
    /// When first.
    pub time_ms: i64,
    /// When last, if folded.
    pub last_ms: i64,
    /// Its shape.
    pub fate: Fate,
    /// Its verb: "placed", "skipped".
    pub verb: String,
    pub who: Option<Selection>,
    pub name: String,
    pub node: String,
    /// Why, in words with the numbers.
    pub why: String,
    /// YARN's words.
    pub yarn: String,
    /// What to do about a refusal.
    pub mend: String,
    /// How many times.
    pub times: u64,
}

/// A mark on the scrubber.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    pub time_ms: i64,
    /// Its shape.
    pub fate: Fate,
    /// What it says on focus.
    pub text: String,
    pub about: Option<Selection>,
}

/// The scrubber: marks of what is rare, a histogram of placements.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Timeline {
    /// End of the axis.
    pub end_ms: i64,
    /// Up to where the run is known.
    pub known_ms: i64,
    /// Marks in order.
    pub marks: Vec<Mark>,
    /// Placements in each of equal stretches from 0 to `end_ms`.
    pub placements: Vec<u32>,
}

/// One line of a chart: one resource of a queue in a partition.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Series {
    /// Queue path.
    pub name: String,
    pub partition: String,
    /// What is counted: "" is memory in MiB, else vcores or a further type. Only what the scheduler looks at has a line.
    pub resource: String,
    /// One entry at each change.
    pub points: Vec<SeriesPoint>,
}

/// One point of a [`Series`], in its resource's unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SeriesPoint {
    pub time_ms: i64,
    pub used: i64,
    pub guaranteed: i64,
    /// The share of a queue of the FairScheduler if all queues had something that runs; 0 elsewhere.
    pub steady: i64,
    /// At most.
    pub maximum: i64,
    /// Asked for.
    pub pending: i64,
    /// What of the used is only reserved.
    pub reserved: i64,
}

/// How far one step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepBy {
    /// One decision: the next entry of the journal that a person would call one.
    Decision,
    /// One node heartbeat.
    #[default]
    Heartbeat,
    /// One second of simulated time.
    Second,
    /// Until something changes: placed, reserved, rejected, ended, joined, lost.
    Change,
    /// Until a round of preemption finds something else than the one before it.
    Round,
}
