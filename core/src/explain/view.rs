//! The answers as plain data, ready to draw: no ids of arenas, only names as the user knows them.
//!
//! Units: memory in MiB, times in milliseconds of simulated time. Every text is finished English except `yarn`
//! fields, which hold YARN's own words.

pub use super::worlds::{Difference, WorldAppView, WorldQueueView, WorldView};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Anything that can be selected, asked about, and named in a link. Its text form is `kind:name`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Selection {
    /// `app:zk`
    App(String),
    /// `queue:root.default`
    Queue(String),
    /// `node:n1`
    Node(String),
    /// `user:alice`
    User(String),
    /// `container:zk/2`: the k-th container that the application ever got, from 0 (normally its AM).
    Container {
        /// The application's name in the scenario.
        app: String,
        /// Which of its containers.
        k: usize,
    },
    /// `request:zk/1_-1` or, one of several alike, `request:zk/1_-1/2`: the n-th outstanding container of a key.
    Request {
        /// The application's name in the scenario.
        app: String,
        /// `priority_allocationRequestId`.
        key: String,
    },
    /// `clause:zk/1_-1/2`: clause number n (from 1) of the constraint of that request.
    Clause {
        /// The application's name in the scenario.
        app: String,
        /// `priority_allocationRequestId`.
        key: String,
        /// Number of the clause, from 1.
        n: usize,
    },
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selection::App(name) => write!(f, "app:{name}"),
            Selection::Queue(path) => write!(f, "queue:{path}"),
            Selection::Node(name) => write!(f, "node:{name}"),
            Selection::User(name) => write!(f, "user:{name}"),
            Selection::Container { app, k } => write!(f, "container:{app}/{k}"),
            Selection::Request { app, key } => write!(f, "request:{app}/{key}"),
            Selection::Clause { app, key, n } => write!(f, "clause:{app}/{key}/{n}"),
        }
    }
}

impl FromStr for Selection {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!("`{text}` names nothing: write app:…, queue:…, node:…, user:…, container:APP/K or request:APP/KEY")
        };
        let (kind, name) = text.split_once(':').ok_or_else(wrong)?;
        if name.is_empty() {
            return Err(wrong());
        }
        let owned = || name.to_string();
        Ok(match kind {
            "app" => Selection::App(owned()),
            "queue" => Selection::Queue(owned()),
            "node" => Selection::Node(owned()),
            "user" => Selection::User(owned()),
            "container" => {
                let (app, k) = name.rsplit_once('/').ok_or_else(wrong)?;
                Selection::Container { app: app.into(), k: k.parse().map_err(|_| wrong())? }
            }
            "request" => {
                let (app, key) = name.rsplit_once('/').ok_or_else(wrong)?;
                Selection::Request { app: app.into(), key: key.into() }
            }
            "clause" => {
                let (rest, n) = name.rsplit_once('/').ok_or_else(wrong)?;
                let (app, key) = rest.rsplit_once('/').ok_or_else(wrong)?;
                Selection::Clause { app: app.into(), key: key.into(), n: n.parse().map_err(|_| wrong())? }
            }
            _ => return Err(wrong()),
        })
    }
}

impl From<Selection> for String {
    fn from(s: Selection) -> String {
        s.to_string()
    }
}

impl TryFrom<String> for Selection {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

/// An amount of every resource type.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Amount {
    /// MiB.
    pub memory_mb: i64,
    /// Vcores.
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
    /// Now.
    pub time_ms: i64,
    /// How far the run goes (what `until` says, or where nothing more can happen).
    pub end_ms: i64,
    /// Has the run been cut off by a limit? Says so in words.
    pub cut_off: Option<String>,
    /// One sentence: the longest-waiting request, else the latest surprise, else "All n requests placed in 12 s."
    pub headline: String,
    /// What the headline is about: selected when nothing else is.
    pub headline_about: Option<Selection>,
    /// How many are running, waiting, reserved, preempting.
    pub tally: Tally,
    /// Racks in the order of first registration.
    pub racks: Vec<RackView>,
    /// What waits, longest wait first.
    pub waiting: Vec<WaitingView>,
    /// The queue tree in preorder.
    pub queues: Vec<QueueView>,
    /// Applications in the order of submission.
    pub apps: Vec<AppView>,
    /// Users with something, per leaf queue.
    pub users: Vec<UserView>,
    /// Partitions, the default one first with the name "".
    pub partitions: Vec<PartitionView>,
    /// Does the scheduler count every resource type (DominantResourceCalculator), or memory only?
    pub dominant: bool,
    /// 64-bit fingerprint of everything decided so far, 16 hex digits.
    pub fingerprint: String,
    /// The invariants that are watched while the run goes on.
    pub invariants: Invariants,
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
    /// Containers asked for and not there.
    pub waiting: usize,
    /// Reservations.
    pub reserved: usize,
    /// Containers told to end.
    pub preempting: usize,
}

/// One rack.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct RackView {
    /// Its name, such as `/r1`.
    pub name: String,
    /// Its nodes in the order of first registration.
    pub nodes: Vec<NodeView>,
}

/// One node.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct NodeView {
    /// Host name.
    pub name: String,
    /// Rack name.
    pub rack: String,
    /// Partition, "" for the default one.
    pub label: String,
    /// `name=value`, sorted.
    pub attributes: Vec<String>,
    /// RUNNING, LOST, DECOMMISSIONING, UNHEALTHY, … as YARN calls it.
    pub state: String,
    /// Its size.
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

/// One container.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContainerView {
    /// Its identity.
    pub id: Selection,
    /// `zk-2`, `zk AM`.
    pub name: String,
    /// The application's name.
    pub app: String,
    /// Leaf queue.
    pub queue: String,
    /// User.
    pub user: String,
    /// What it holds.
    pub size: Amount,
    /// Is it the ApplicationMaster's?
    pub am: bool,
    /// Its allocation tags.
    pub tags: Vec<String>,
    /// Partition it was asked for, "" for the default one; another than its node's: the room is borrowed.
    pub partition: String,
    /// State in the ResourceManager: ALLOCATED, ACQUIRED, RUNNING.
    pub state: String,
    /// YARN's id of it.
    pub yarn_id: String,
    /// Since when it is there.
    pub since_ms: i64,
    /// Told to end: milliseconds of grace left.
    pub preempting_ms: Option<i64>,
}

/// A reservation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReservationView {
    /// The application's name.
    pub app: String,
    /// What it wants in the end.
    pub size: Amount,
    /// The request it belongs to.
    pub request: Selection,
    /// Since when.
    pub since_ms: i64,
}

/// Something asked for and not there: a ghost at the left edge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WaitingView {
    /// Its identity.
    pub id: Selection,
    /// `zk-3`, `etl`.
    pub name: String,
    /// The application's name.
    pub app: String,
    /// How many alike.
    pub count: i64,
    /// Size of each.
    pub size: Amount,
    /// "*", or the hosts and racks it wants.
    pub wants: String,
    /// Partition it asks for.
    pub label: String,
    /// Since when it waits.
    pub since_ms: i64,
    /// Three words: "no node fits", "queue at its max".
    pub reason: String,
    /// Can it never be placed on this cluster? Says why.
    pub never: Option<String>,
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
    /// Is it a leaf?
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
    /// Of which reserved.
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
    /// The user.
    pub user: String,
    /// Leaf queue.
    pub queue: String,
    /// Partition.
    pub partition: String,
    /// Used.
    pub used: Amount,
    /// User limit as last worked out.
    pub limit: Amount,
    /// Used by ApplicationMasters.
    pub am_used: Amount,
    /// Limit for ApplicationMasters.
    pub am_limit: Amount,
    /// Applications active and pending.
    pub apps: (usize, usize),
    /// Weight.
    pub weight: f32,
    /// Does it count as active (has outstanding requests)?
    pub active: bool,
}

/// One application.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppView {
    /// Its name in the scenario.
    pub name: String,
    /// YARN's application id.
    pub yarn_id: String,
    /// Leaf queue, "" before it is placed.
    pub queue: String,
    /// User.
    pub user: String,
    /// Priority.
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
    /// Rejected requests.
    pub rejected: i64,
    /// Does it wait for something? Selections of its waiting requests.
    pub waiting: Vec<Selection>,
    /// What it holds.
    pub used: Amount,
    /// What its AM was last told that it may still get.
    pub headroom: Amount,
    /// YARN's diagnostics line while its AM waits, word for word.
    pub yarn: String,
    /// Number of its colour, from 0, by first appearance in the scenario.
    pub category: usize,
}

/// One partition.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct PartitionView {
    /// Name, "" for the default one.
    pub name: String,
    /// Exclusive?
    pub exclusive: bool,
    /// Total of its nodes.
    pub total: Amount,
    /// Used.
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
    /// Who.
    pub who: Option<Selection>,
    /// Name of who.
    pub name: String,
    /// Which node.
    pub node: String,
    /// Why, in words with the numbers.
    pub why: String,
    /// YARN's words.
    pub yarn: String,
    /// How many times.
    pub times: u64,
}

/// A mark on the scrubber.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// When.
    pub time_ms: i64,
    /// Its shape.
    pub fate: Fate,
    /// What it says on focus.
    pub text: String,
    /// What it is about.
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

/// The answer to "why?" for one thing. Parts that do not apply are empty.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct WhyView {
    /// What it is about.
    pub about: Option<Selection>,
    /// Its name: "zk-3".
    pub title: String,
    /// "waiting 22 s", "placed at 0:09".
    pub status: String,
    /// Its shape.
    pub fate: Option<Fate>,
    /// "2 GB · 1 vcore · default › zk".
    pub crumb: String,
    /// The sentence; `**bold**` marks names.
    pub sentence: String,
    /// The chain of limits in YARN's order; those after the first that stops do not appear.
    pub limits: Vec<LimitView>,
    /// Nodes counted once each, by their first failing check; the counts sum to the number of nodes.
    pub buckets: Vec<BucketView>,
    /// The matrix node × check.
    pub matrix: MatrixView,
    /// Sort keys that decided between queues, applications and requests at this step.
    pub orders: Vec<OrderView>,
    /// Facts in pairs: "guaranteed", "4 GB".
    pub facts: Vec<FactView>,
    /// Sets of checks of which lifting all of one set is enough ("any one of these lifted is enough").
    pub blocking: Vec<String>,
    /// Applications that hold what it waits for, or that it waits for by itself: who, and what of them.
    pub waits_for: Vec<(Selection, String)>,
    /// What is free on the nodes that it could go to: MiB and how many nodes have so much, the most first.
    pub free: Vec<(i64, i64)>,
    /// What would help, each found by running it.
    pub help: Vec<HelpView>,
    /// YARN's own words and on how many nodes.
    pub yarn: Vec<(String, usize)>,
    /// Sections of the reference or classes that decide this.
    pub sources: Vec<String>,
}

/// One link of the chain of limits.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct LimitView {
    /// "queue max", "user limit", "AM limit", "headroom", "node".
    pub name: String,
    /// Whose: the queue's path, the user.
    pub of: String,
    /// Does it pass?
    pub passes: bool,
    /// "232 + 16 ≤ 448".
    pub text: String,
    /// For the meter, in one unit.
    pub used: f64,
    /// For the meter.
    pub asked: f64,
    /// For the meter.
    pub limit: f64,
    /// Unit of the meter: "GB", "vcores".
    pub unit: String,
    /// How the numbers come about, values filled in; one line a step.
    pub formula: Vec<String>,
    /// Properties that set it, with file and line where the file gives them.
    pub properties: Vec<String>,
}

/// Nodes that stop at one check.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct BucketView {
    /// "2 run zk".
    pub text: String,
    /// How many.
    pub count: usize,
    /// Which.
    pub nodes: Vec<String>,
    /// Column of the matrix; `None` for nodes that pass all.
    pub check: Option<usize>,
}

/// Nodes × checks.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct MatrixView {
    /// Headings; a clause carries its number.
    pub checks: Vec<CheckView>,
    /// Rows, the nearest first.
    pub rows: Vec<MatrixRow>,
    /// Of a placed container: the moment just before it was placed, which this shows; `None`: now.
    pub at_ms: Option<i64>,
}

/// A column of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CheckView {
    /// "partition", "no zk", "2 GB free".
    pub title: String,
    /// Clause number.
    pub clause: Option<usize>,
    /// YARN's words when it fails.
    pub yarn: String,
    /// A clause in English.
    pub words: String,
}

/// A row of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct MatrixRow {
    /// Node.
    pub node: String,
    /// Rack.
    pub rack: String,
    /// Does one check alone keep the request away?
    pub near: bool,
    /// One cell a check.
    pub cells: Vec<CellView>,
}

/// A cell of the matrix.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct CellView {
    /// Does the check pass?
    pub passes: bool,
    /// Is it the first that fails on this node?
    pub first: bool,
    /// The value seen against the bound: "1 > 0", "5".
    pub text: String,
}

/// An order that was decided by sort keys.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct OrderView {
    /// "children of root", "applications of root.a".
    pub title: String,
    /// Names of the keys, the deciding one first.
    pub keys: Vec<String>,
    /// Name and values, in the order tried.
    pub rows: Vec<(String, Vec<String>)>,
}

/// A fact with its formula.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct FactView {
    /// "user limit".
    pub name: String,
    /// "12 GB".
    pub value: String,
    /// How it comes about; one line a step.
    pub formula: Vec<String>,
}

/// A change that would help, or would not.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct HelpView {
    /// "One more node like n2".
    pub change: String,
    /// "zk-3 starts at its first heartbeat; nobody waits longer".
    pub effect: String,
    /// Does it help?
    pub helps: bool,
    /// The scenario text with the change made, when it can be tried with one click.
    pub scenario: Option<String>,
}

/// One line of a chart.
#[derive(Clone, Debug, PartialEq, Default, Serialize, Deserialize)]
pub struct Series {
    /// Queue path.
    pub name: String,
    /// Partition.
    pub partition: String,
    /// Times and used, guaranteed, maximum, pending memory in MiB, one entry at each change.
    pub points: Vec<SeriesPoint>,
}

/// One point of a [`Series`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SeriesPoint {
    /// When.
    pub time_ms: i64,
    /// MiB used.
    pub used: i64,
    /// MiB guaranteed.
    pub guaranteed: i64,
    /// MiB at most.
    pub maximum: i64,
    /// MiB asked for.
    pub pending: i64,
    /// MiB of what is used that are only reserved.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selections_read_back_what_they_print() {
        for text in
            ["app:zk", "queue:root.a", "node:n1", "user:u", "container:zk/0", "request:a/b/1_-1", "clause:zk/1_2/3"]
        {
            assert_eq!(text.parse::<Selection>().map(|s| s.to_string()), Ok(text.to_string()));
        }
        for text in ["", "app", "app:", "container:zk", "pod:x", "container:zk/x"] {
            assert!(text.parse::<Selection>().is_err(), "{text}");
        }
    }
}
